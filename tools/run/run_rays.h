// SPDX-License-Identifier: MIT
// run_rays.h - rays in double precision: whether something that throws a shadow was dropped.
//
// From points of what is seen a ray goes against the light, and every box that it meets inside the
// volume of the light's camera must be among the casters. Knows boxes, planes and matrices, nothing
// of how casters were found.
#ifndef ACRE_TOOLS_RUN_RAYS_H
#define ACRE_TOOLS_RUN_RAYS_H

#include <acre/cascades.h>
#include <acre/scene.h>

// What is checked: the casters of one cascade.
typedef struct ray_check {
    const acre_cascade *cascade;
    const uint32_t *visible; // slots
    size_t visible_count;
    const acre_aabb *ground; // NULL: entities alone receive
    const uint8_t *marks;    // 0 for a slot that is not among the casters
    uint32_t rays;           // from entities, and as many from the ground
    uint64_t seed;
} ray_check;

typedef struct ray_counts {
    uint64_t rays;    // that began inside the slice
    uint64_t shadows; // casters that they met
} ray_counts;

// Adds to *counts. Returns true if no caster is lost; else false, the slot, and how far from what
// it shadows its box ends, world units.
bool check_rays(const acre_scene_view *view, const ray_check *check, ray_counts *counts,
                uint32_t *slot, double *distance);

#endif
