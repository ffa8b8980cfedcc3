// SPDX-License-Identifier: MIT
// box_generator.h - boxes and frusta that are rich in ties, and ordinary ones between them.
//
// Uniform random boxes never meet the edges where a loose quadtree can lose an item: an edge one
// float beside a cell line or a loose border, a size of exactly one cell, a center on a corner.
// Everything here is built around those, from cells that the caller names.
//
// Words used here:
//     cell line    a multiple of the cell size of some level, seen from the origin
//     nudge        a move by a few floats (ulp) up or down
#ifndef BOX_GENERATOR_H
#define BOX_GENERATOR_H

#include "test.h"

#include <acre/bounds.h>
#include <acre/frustum.h>

typedef struct box_world {
    float center[2]; // x, z of the middle of the ground that the boxes cover
    float half_size; // of that ground
    float cell_size; // of a finest cell; lines are multiples of it
} box_world;

typedef enum box_kind {
    BOX_ORDINARY,     // clustered, of everyday size
    BOX_CELL_TIE,     // edges at or beside cell lines
    BOX_LOOSE_BORDER, // as large as a cell, an edge at or beside the cell's loose border
    BOX_POWER_OF_TWO, // edges at or beside powers of two of any sign
    BOX_COINCIDENT,   // one of few centers, any size
    BOX_POINT,        // no extent on one or all axes
    BOX_TINY,         // +-0 and denormals
    BOX_HUGE,         // far away, or larger than the world
    BOX_INFINITE,     // an infinite edge
    BOX_INVALID,      // NaN or inverted
    BOX_KIND_COUNT
} box_kind;

acre_aabb box_of_kind(test_random *random, const box_world *world, box_kind kind);

// Valid, mostly ordinary and ties.
acre_aabb box_valid(test_random *random, const box_world *world);

// As box_valid, one in 32 invalid.
acre_aabb box_any(test_random *random, const box_world *world);

// The box after a small move, as a moving thing makes it; sometimes exactly by one cell or one ulp.
acre_aabb box_moved(test_random *random, const box_world *world, const acre_aabb *box);

// Camera-like, random, axis-aligned through cell lines; planes without NaN.
acre_frustum frustum_valid(test_random *random, const box_world *world);

// As frustum_valid, one in 16 with NaN, infinite or zero planes or more planes than there can be.
acre_frustum frustum_any(test_random *random, const box_world *world);

// A camera at eye that looks towards target: a pyramid of five planes and a far plane.
acre_frustum frustum_camera(const float *eye, const float *target, float half_width,
                            float half_height, float near_distance, float far_distance);

// The volume of a box as six planes.
acre_frustum frustum_of_box(const acre_aabb *box);

float nudge(float value, int steps);

#endif
