// SPDX-License-Identifier: MIT
// query_trees.h - trees of every kernel with the same items, and the list of boxes they must equal.
#ifndef QUERY_TREES_H
#define QUERY_TREES_H

#include "brute_force_query.h"
#include "query_generator.h"
#include "tall_world.h"

#include <acre/quadtree.h>

typedef struct query_trees {
    acre_quadtree *trees[ACRE_KERNEL_COUNT_]; // the scalar one first
    uint32_t count;
    brute_force oracle;
    query_ground ground;    // its boxes are the oracle's
    const tall_world *tall; // three of four new boxes are of this world; NULL: none
} query_trees;

// The def needs an item_capacity; its kernel is set to each that there is. False if memory is
// short.
bool query_trees_init(query_trees *all, const acre_quadtree_def *def);
void query_trees_free(query_trees *all);

// Inserts items 0 .. count - 1, each in one of four layers, some in two.
bool query_trees_fill(query_trees *all, test_random *random, uint32_t count);

// Makes one random edit: of an item, of many, of all, or upkeep; clear too, but rarely. Items whose
// box or layers may have changed are set in touched (NULL: not wanted).
// @return whether every tree answered as the oracle.
bool query_trees_edit(query_trees *all, test_random *random, bool *touched);

// For worlds of many sizes and places, and trees of all sorts.
typedef struct query_setting {
    acre_quadtree_def tree;
    float spread;           // of the boxes' ground, as a multiple of half_size
    float offset[2];        // of the boxes' ground from the tree's center, x and z
    const tall_world *tall; // three of four new boxes are of this world; NULL: none
} query_setting;

enum { QUERY_SETTING_COUNT = 12 };
extern const query_setting query_settings[QUERY_SETTING_COUNT];

// As query_trees_init, of one of the settings, taken in turn.
bool query_trees_init_setting(query_trees *all, uint32_t index, uint32_t item_capacity);

#endif
