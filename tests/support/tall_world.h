// SPDX-License-Identifier: MIT
// tall_world.h - boxes of worlds with heights: storeys, towers, aeroplanes, caves. For tests and
// benchmarks.
//
// The same bits on every platform: sums, products and quotients of floats alone. A box follows from
// the state of the random numbers, so boxes can be drawn one by one and in any number.
//
// Typical use:
//     const tall_world world = {.kind = TALL_STOREYS, .half_size = 30.0f, .storeys = 500};
//     uint64_t random = seed;
//     box = tall_world_box(&world, &random);
#ifndef TALL_WORLD_H
#define TALL_WORLD_H

#include <acre/bounds.h>

#include <stdint.h>

typedef enum tall_world_kind {
    TALL_STOREYS,    // furniture all over every storey of one building
    TALL_TOWERS,     // low houses, and towers of furniture, some of them high
    TALL_AEROPLANES, // low houses, and aeroplanes 0.3 to 11 km above them
    TALL_CAVES,      // things on the ground, and galleries down to 800 m below
    TALL_WORLD_KIND_COUNT_
} tall_world_kind;

typedef struct tall_world {
    tall_world_kind kind;
    float half_size;  // of the ground, meters; its middle is 0, 0
    uint32_t storeys; // of the building, or of the highest tower; 3 m each; at least 1
    float share;      // of things in towers, in the air or below ground, 0..1
} tall_world;

// "storeys" ..
const char *tall_world_name(tall_world_kind kind);

// Draws a box.
acre_aabb tall_world_box(const tall_world *world, uint64_t *random);

// A box of an aeroplane above the middle of another box.
acre_aabb tall_world_aeroplane(const acre_aabb *below, uint64_t *random);

#endif
