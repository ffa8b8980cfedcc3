// SPDX-License-Identifier: MIT
// quadtree_volume.c - a frustum's planes as kernels want them.
#include "quadtree_volume.h"

#include <math.h>

static bool is_finite_plane(const float *plane)
{
    bool is_finite = true;
    for (uint32_t k = 0; k < COMPONENT_COUNT; k++) {
        is_finite &= fabsf(plane[k]) <= FLT_MAX; // false for NaN
    }
    return is_finite;
}

static void spread_plane(query_volume *volume, uint32_t index, const float *plane)
{
    for (uint32_t k = 0; k < COMPONENT_COUNT; k++) {
        for (uint32_t lane = 0; lane < 4; lane++) {
            volume->spread[k][index * 4 + lane] = plane[k];
        }
    }
}

uint32_t acre_prepare_planes(query_volume *volume, const acre_frustum *frustum)
{
    static const float undecided[COMPONENT_COUNT] = {0.0f, 0.0f, 0.0f, NAN};
    const uint32_t count = frustum->plane_count < ACRE_FRUSTUM_MAX_PLANES ? frustum->plane_count
                                                                          : ACRE_FRUSTUM_MAX_PLANES;
    volume->plane_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const float *const from = frustum->planes[i];
        query_plane *const plane = &volume->planes[i];
        for (uint32_t axis = 0; axis < 3; axis++) {
            plane->normal[axis] = from[axis];
            plane->far_row[axis] = (uint8_t)(axis * 2 + (from[axis] >= 0.0f));
        }
        plane->d = from[COMPONENT_D];
        spread_plane(volume, i, is_finite_plane(from) ? from : undecided);
    }
    for (uint32_t i = count; i % PLANE_STEP != 0; i++) {
        spread_plane(volume, i, undecided);
    }
    return (1u << count) - 1;
}
