// SPDX-License-Identifier: MIT
// clip_internal.h - clip conventions, and how many planes of a frustum count.
#ifndef ACRE_CLIP_INTERNAL_H
#define ACRE_CLIP_INTERNAL_H

#include <acre/frustum.h>

static inline uint32_t frustum_plane_count(const acre_frustum *frustum)
{
    return frustum->plane_count < ACRE_FRUSTUM_MAX_PLANES ? frustum->plane_count
                                                          : ACRE_FRUSTUM_MAX_PLANES;
}

static inline bool clip_is_known(acre_clip clip)
{
    return clip >= ACRE_CLIP_NEGATIVE_ONE_TO_ONE && clip <= ACRE_CLIP_REVERSED_ZERO_TO_ONE;
}

/// acre_frustum_from_matrix_double, of which no handler is told.
acre_result acre_extract_frustum(acre_frustum *out, const double *view_projection, acre_clip clip);

// Clip z over w on the near plane.
static inline double clip_near_depth(acre_clip clip)
{
    return clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE    ? -1.0
           : clip == ACRE_CLIP_REVERSED_ZERO_TO_ONE ? 1.0
                                                    : 0.0;
}

static inline double clip_far_depth(acre_clip clip)
{
    return clip == ACRE_CLIP_REVERSED_ZERO_TO_ONE ? 0.0 : 1.0;
}

#endif
