// SPDX-License-Identifier: MIT
// bench_sights.h - worlds in which much is hidden, places to look from, and what is drawn of them.
//
// Words used here:
//     drawn     an object with triangles: what an item buffer can see
//     prism     what an object is, or hides things with, in the world; a generated object is one
//
// Typical use:
//     sight_world world;
//     if (sight_world_create(&world, SIGHT_STREET, message, sizeof message)) {
//         sight_camera(&world, view, &camera, eye);
//         sight_draw(&world, &buffer, slots, count);
//     }
//     sight_world_free(&world);
#ifndef ACRE_TOOLS_BENCH_SIGHTS_H
#define ACRE_TOOLS_BENCH_SIGHTS_H

#include "item_buffer.h"
#include "run_world.h"

#include <acre/occluder_heights.h>

typedef enum sight_kind {
    SIGHT_STREET, // the first three in the scene file of San Francisco
    SIGHT_AERIAL,
    SIGHT_FLIGHT,
    SIGHT_HILLTOP,
    SIGHT_STOREYS, // three of them, rooms of 5 m
    SIGHT_FOREST,
    SIGHT_HILLS, // with houses
    SIGHT_BANDS, // towers of opaque bands with gaps between them
    SIGHT_TOWN,  // of 1,000,000 houses
    SIGHT_KIND_COUNT_
} sight_kind;

typedef struct sight_view {
    float eye[3], target[3];
} sight_view;

typedef struct sight_world {
    const char *name;
    run_world city; // empty where the world is generated
    acre_scene *scene;
    acre_culling *culling;
    uint32_t count; // slots
    acre_occluder *prisms;
    bool *are_drawn, *are_occluders; // of an occluder, the prism is solid
    acre_height_block *ground;       // of the last slots: nothing is drawn of these, and their
    uint32_t ground_count;           // prisms hide; then houses stand on the ground
    sight_view *views;
    uint32_t view_count;
} sight_world;

extern const char *const sight_names[SIGHT_KIND_COUNT_];

// Returns false and a message; *out is then to be freed all the same.
bool sight_world_create(sight_world *out, sight_kind kind, char *message, size_t message_size);
void sight_world_free(sight_world *world);

// 60 degrees, 16:9, near 0.1 m, far 1500 m.
bool sight_camera(const sight_world *world, uint32_t view, acre_camera *out);

// What a slot hides others with. @return how many.
uint32_t sight_occluders(const sight_world *world, uint32_t slot,
                         acre_occluder out[ACRE_HEIGHT_BLOCK_OCCLUDERS]);

void sight_draw(const sight_world *world, item_buffer *buffer, const uint32_t *slots, size_t count);

#endif
