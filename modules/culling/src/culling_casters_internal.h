// SPDX-License-Identifier: MIT
// culling_casters_internal.h - a cascade as seen along its light, and the grid of its receivers.
//
// Light space has the axes u and v across the light and w along it, all of length 1 and
// perpendicular; a point p is at (u.p, v.p, w.p). A box throws its shadow towards larger w.
#ifndef ACRE_CULLING_CASTERS_INTERNAL_H
#define ACRE_CULLING_CASTERS_INTERNAL_H

#include <acre/casters.h>

/// Directions whose cosine with the light is less are taken as perpendicular to it: divisions by
/// it would leave nothing certain.
#define LIGHT_PARALLEL 0x1p-23

/// Share of the volume's reach by which everything in double precision is widened. Sums of products
/// here are wrong by less than 2^-49 of it; what divides by a cosine is widened before.
#define LIGHT_MARGIN 0x1p-40

/// A cascade in light space.
typedef struct light_space {
    double axes[3][3];      ///< u, v, w in the world
    double reach;           ///< no point of the light volume is farther from the world's origin
    double margin;          ///< LIGHT_MARGIN of it
    double rectangle[2][2]; ///< of the slice's outline: u, v; each least, most
    double depth[2];        ///< w of the light volume: least, most
    acre_aabb bounds;       ///< contains the light volume
    acre_aabb slice_bounds; ///< contains what the slice and the light volume have in common
    bool is_empty;          ///< the slice and the light volume have nothing in common
    uint32_t plane_count;
    double planes[ACRE_FRUSTUM_MAX_PLANES]
                 [4];     ///< of the slice, in light space: normals of length 1
    acre_frustum slice;   ///< those planes as the cascade has them
    acre_frustum casters; ///< acre_cascade_caster_frustum
    uint32_t layers;      ///< of the cascade's camera
} light_space;

/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT, and *out is undefined.
acre_result acre_light_space_make(light_space *out, const acre_cascade *cascade);

// culling_casters_grid.c

/// Marks a valid box; at_most: cells along a side that are looked at, in the coarsest case.
void acre_receivers_mark(acre_receivers *receivers, const acre_aabb *box, uint32_t at_most);

/// What must be done between marks and tests. Does nothing if there are no new marks.
void acre_receivers_settle(acre_receivers *receivers);

/// The second half of acre_receivers_test_aabb, of settled receivers.
bool acre_receivers_reach(const acre_receivers *receivers, const acre_aabb *box);

/// The cascade of the last begin. NULL before it.
const light_space *acre_receivers_space(const acre_receivers *receivers);

#endif
