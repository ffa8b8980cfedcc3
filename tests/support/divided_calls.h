// SPDX-License-Identifier: MIT
// divided_calls.h - a small world that has one of each object that takes tasks, and every call that
// divides its work among a host's workers, in a table.
//
// Places are a function of seed, frame and entity, so that two worlds that make the same calls
// agree in all that they find.
//
// Typical use:
//     divided_world_create(&world, 400, seed, &tasks);
//     divided_world_move(&world);
//     for (i = 0; i < DIVIDED_CALLS; i++) result = divided_calls[i].run(&world);
//     hash = divided_world_hash(&world);
//     divided_world_destroy(&world);
#ifndef DIVIDED_CALLS_H
#define DIVIDED_CALLS_H

#include "failing_allocator.h"

#include <acre/casters.h>
#include <acre/culling.h>
#include <acre/draw_list.h>
#include <acre/entity_pairs.h>
#include <acre/interest.h>
#include <acre/quadtree_neighbors.h>
#include <acre/visible_set.h>

enum { DIVIDED_VIEWS = 4, DIVIDED_OBSERVERS = 40, DIVIDED_CALLS = 23 };

typedef struct divided_world {
    failing_allocator memory; // of all objects below
    acre_kernel kernel;       // of all objects below, too
    uint64_t seed;
    uint32_t frame;
    uint32_t count;   // of entities, and of items in each tree
    acre_scene *bare; // a scene without modules; its entities have the handles of those of `scene`
    acre_scene *scene;
    acre_culling *culling;
    acre_quadtree *tree;  // items that move
    acre_quadtree *other; // empty until it is built, and again in the next frame
    acre_quadtree *crowd; // many items that stand
    acre_interest *interest;
    acre_contacts *contacts;
    acre_entity_contacts *entity_contacts;
    acre_visible_set *sets[DIVIDED_VIEWS];
    acre_receivers *receivers;
    acre_draw_list *list;
    acre_cascade cascade;
    acre_entity *entities;
    acre_transform *locals;
    acre_aabb *boxes;
    uint32_t *items;
    uint32_t *slots; // what a query writes, with room for count
    uint8_t *faces;  // of slots
    acre_pair *pairs;
    acre_neighbor_row *rows;
    float *distances; // of neighbors
    uint64_t answers; // a hash of what queries wrote into arrays
} divided_world;

typedef struct divided_call {
    const char *name;
    acre_result (*run)(divided_world *world);
    bool is_build;          // takes memory in every frame, for the time of the call
    bool changes_what_fits; // without memory: what found room changes, the next call does the rest
} divided_call;

extern const divided_call divided_calls[DIVIDED_CALLS];

// Makes the objects and their entities and items; nothing is committed.
bool divided_world_create(divided_world *world, uint32_t count, uint64_t seed,
                          const acre_tasks *tasks);
bool divided_world_create_with(divided_world *world, uint32_t count, uint64_t seed,
                               const acre_tasks *tasks, acre_kernel kernel);
void divided_world_destroy(divided_world *world);

// The next frame: new places for the calls. Changes no object but `other`, which becomes empty.
void divided_world_move(divided_world *world);

// A hash of all that the objects tell. is_exact: with the number of commits, the order of items
// within the trees and the changes of visible sets, which are others where a call was made twice
// for want of memory.
uint64_t divided_world_hash(const divided_world *world, bool is_exact);

// @return NULL, or the object that is not valid.
const char *divided_world_fault(const divided_world *world);

#endif
