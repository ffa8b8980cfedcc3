// SPDX-License-Identifier: MIT
// checked_tree.h - a quadtree whose every call is checked against brute force.
//
// A call comes as the struct that listeners get (quadtree_calls.h); its outcome fields are ignored.
// After an edit the tree must also be valid, and unchanged if it refused.
#ifndef CHECKED_TREE_H
#define CHECKED_TREE_H

#include "brute_force_query.h"

#include <acre/quadtree_calls.h>

typedef struct checked_tree {
    acre_quadtree *tree;
    brute_force oracle;
    uint32_t item_capacity;
    uint32_t *found, *expected, *part;    // item_capacity and one more
    acre_item_span *spans;                // item_capacity and one more
    acre_query_hit *hits, *expected_hits; // item_capacity and one more
} checked_tree;

// @return as acre_quadtree_create; on error there is nothing to free. item_capacity of the def must
// not be 0.
acre_result checked_tree_init(checked_tree *checked, const acre_quadtree_def *def);
void checked_tree_free(checked_tree *checked);

// @return NULL, or what is wrong.
const char *checked_tree_call(checked_tree *checked, const acre_quadtree_call *call);

#endif
