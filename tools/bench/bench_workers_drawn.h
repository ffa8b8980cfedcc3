// SPDX-License-Identifier: MIT
// bench_workers_drawn.h - what `acre bench --workers` divides between a scene and the screen:
// chains of entities, one view of many, its draw list, its shadow casters; and how a tree is built.
#ifndef ACRE_BENCH_WORKERS_DRAWN_H
#define ACRE_BENCH_WORKERS_DRAWN_H

#include "country.h"

#include <acre/casters.h>
#include <acre/draw_list.h>
#include <acre/visible_set.h>

enum { DRAWN_CHAIN = 8, DRAWN_CASCADES = 4 };

typedef enum drawn_task {
    DRAWN_CHAINS,   // all roots of chains move; a commit
    DRAWN_VIEW,     // half the world by size, with LODs
    DRAWN_LIST,     // of half of the world, near to far in each group, with matrices
    DRAWN_CASTERS,  // of four cascades
    DRAWN_BUILD,    // of an empty tree
    DRAWN_OPTIMIZE, // of the tree that was built
    DRAWN_TASK_COUNT_
} drawn_task;

typedef struct drawn_world {
    const country *land;
    acre_scene *scene;
    acre_culling *culling;
    acre_entity *roots;
    acre_transform *locals[2]; // of the roots, of two frames
    uint32_t root_count;
    acre_quadtree *tree;
    uint32_t *items;
    acre_view view;
    acre_visible_set *set;
    uint32_t *keys;  // by slot
    uint32_t *slots; // of half of the world
    uint8_t *lods;   // of slots
    size_t slot_count;
    acre_draw_list *list;
    acre_cascade cascades[DRAWN_CASCADES];
    acre_receivers *receivers[DRAWN_CASCADES];
    uint32_t *casters; // room for the casters of all cascades
    size_t caster_counts[DRAWN_CASCADES];
    uint32_t frame;
} drawn_world;

bool drawn_create(drawn_world *world, const country *land, acre_kernel kernel);
void drawn_destroy(drawn_world *world);
bool drawn_set_tasks(drawn_world *world, const acre_tasks *tasks);
bool drawn_run(drawn_world *world, drawn_task task);

// Runs every task and hashes all results in their order, which differs once chains have moved.
// @return 0 if one fails.
uint64_t drawn_hash(drawn_world *world);

// Moves all chains, and hashes their world boxes. @return 0 if a commit fails.
uint64_t drawn_chains_hash(drawn_world *world);

#endif
