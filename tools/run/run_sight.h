// SPDX-License-Identifier: MIT
// run_sight.h - rays in double precision: whether something that a horizon dropped can be seen.
//
// Rays go from the eye to points of the triangles, lines and cars that the horizon dropped. Each
// must meet a triangle of another entity that faces the eye, behind the near plane. Knows meshes
// and matrices, nothing of occluders.
#ifndef ACRE_TOOLS_RUN_SIGHT_H
#define ACRE_TOOLS_RUN_SIGHT_H

#include "run_world.h"

typedef struct sight_check {
    const run_world *world;
    const acre_camera *camera;
    const acre_frustum *frustum;
    const uint32_t *found; // slots, without the horizon
    size_t found_count;
    const uint8_t *marks; // by slot: 0, it was dropped
    uint32_t rays;        // to each that was dropped
    uint64_t seed;
} sight_check;

typedef struct sight_counts {
    uint64_t rays; // to points within the frustum
    uint64_t dropped, found;
} sight_counts;

// Adds to *counts. Returns true if each ray is stopped; else false, and the slot that is seen.
bool check_sight(const sight_check *check, sight_counts *counts, uint32_t *slot);

#endif
