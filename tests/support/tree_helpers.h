// SPDX-License-Identifier: MIT
// tree_helpers.h - what tests of the tree say often: a tree, a box, whether the rules hold.
#ifndef ACRE_TESTS_TREE_HELPERS_H
#define ACRE_TESTS_TREE_HELPERS_H

#include <acre/quadtree.h>

#include <stdbool.h>
#include <stdio.h>

static inline acre_quadtree *new_tree(float half_size, uint32_t max_depth, uint32_t node_capacity)
{
    const acre_quadtree_def def = {
        .half_size = half_size, .max_depth = max_depth, .node_capacity = node_capacity};
    acre_quadtree *tree = NULL;
    return acre_quadtree_create(&def, &tree) == ACRE_OK ? tree : NULL;
}

// Whether all rules hold; says which does not.
static inline bool is_valid(const acre_quadtree *tree)
{
    char message[200] = "";
    const bool ok = acre_quadtree_validate(tree, message, sizeof message) == ACRE_OK;
    if (!ok) {
        printf("     %s\n", message);
    }
    return ok;
}

static inline acre_quadtree_stats stats_of(const acre_quadtree *tree)
{
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    return stats;
}

// A box of height 1 on the ground, so wide to all sides of its middle.
static inline acre_aabb box_at(float x, float z, float half)
{
    return (acre_aabb){{x - half, 0, z - half}, {x + half, 1, z + half}};
}

#endif
