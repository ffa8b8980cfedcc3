// SPDX-License-Identifier: MIT
// run_casters.h - the shadow casters of `acre run`: what of each cascade's light volume may throw a
// shadow on what the camera sees.
//
// Words used here:
//     extruded slice   what acre_cascade_caster_frustum leaves
//     with ground      casters where the ground and the visible entities receive shadows
//     entities alone   casters where the visible entities alone receive them
#ifndef ACRE_TOOLS_RUN_CASTERS_H
#define ACRE_TOOLS_RUN_CASTERS_H

#include "run_rays.h"
#include "run_statistics.h"
#include "run_world.h"

#include <acre/casters.h>

typedef enum caster_kind {
    CASTERS_EXTRUDED,
    CASTERS_WITH_GROUND,
    CASTERS_ALONE,
    CASTER_KINDS_
} caster_kind;

typedef struct run_casters {
    acre_receivers *receivers;
    acre_aabb ground;
    uint32_t *slots; // of one cascade
    uint8_t *marks;
    size_t capacity;
    // Per frame. Microseconds: the grid laid, visible entities and ground marked, casters found.
    sample_list counts[CASTER_KINDS_][RUN_CASCADE_COUNT];
    sample_list times[RUN_CASCADE_COUNT];
    ray_counts rays;
    uint32_t lost, lost_cascade; // the slot of a caster that a ray found missing, and its cascade
    double lost_distance;
} run_casters;

// Returns false when memory is short; *out is to be freed all the same.
bool run_casters_create(run_casters *out, const run_world *world, size_t frames);
void run_casters_free(run_casters *casters);

// What one frame's check wants: some rays for each cascade, 0 for none.
typedef struct caster_frame {
    const run_world *world;
    const run_view *view;
    const uint32_t *visible; // to the flying camera
    size_t visible_count;
    uint32_t rays;
    uint64_t seed;
} caster_frame;

// Counts the casters of each cascade. Returns ACRE_OK; ACRE_ERROR_FORMAT if a ray finds that one is
// missing; what a call of the library answered.
acre_result run_casters_count(run_casters *casters, const caster_frame *frame);

#endif
