// SPDX-License-Identifier: MIT
// textbook_quadtree.h - the loose quadtree as textbooks draw it, made correct: the second oracle.
//
// For reading and for checking, not for speed: nodes with pointers, one list of items a node, loose
// bounds only. modules/quadtree is the same idea with other storage; both find the same sets.
//
// Words used here:
//     cell          the square of ground that owns the centers in it: half-open [min, max)
//     loose bounds  the cell grown by half its size on every side, of any height
//     root's list   holds what no cell can: infinite, too large, or outside the world
//
// Typical use:
//     textbook_quadtree *tree = textbook_create(&(textbook_def){.half_size = 64}, 1000);
//     textbook_insert(tree, item, &box);
//     count = textbook_query_frustum(tree, &frustum, items, capacity);
#ifndef TEXTBOOK_QUADTREE_H
#define TEXTBOOK_QUADTREE_H

#include <acre/bounds.h>
#include <acre/frustum.h>

typedef struct textbook_node textbook_node;

typedef struct textbook_item {
    acre_aabb box;
    textbook_node *node;        // NULL: not in the tree
    struct textbook_item *next; // in the node's list
    struct textbook_item *previous;
} textbook_item;

struct textbook_node {
    float min[2], max[2]; // the cell: x, z
    acre_aabb loose;
    textbook_node *parent;
    textbook_node *children; // four in one block, index = xbit | zbit << 1; NULL: a leaf
    textbook_item *first;
    uint32_t count; // items in the own list
    uint32_t depth;
};

typedef struct textbook_quadtree {
    textbook_node *root;
    textbook_item *items;
    uint32_t item_capacity, node_capacity, max_depth;
    size_t node_count;
} textbook_quadtree;

typedef struct textbook_def {
    float center[2];        // x, z
    float half_size;        // > 0
    uint32_t max_depth;     // 0 = 14
    uint32_t node_capacity; // a leaf with more items splits; 0 = 16
} textbook_def;

// Items are numbers below item_capacity. NULL if memory is short.
textbook_quadtree *textbook_create(const textbook_def *def, uint32_t item_capacity);
void textbook_destroy(textbook_quadtree *tree);

// The box is valid. False, and nothing changes, if the item is (insert) or is not (refresh, remove)
// in the tree, or its number is too large.
bool textbook_insert(textbook_quadtree *tree, uint32_t item, const acre_aabb *box);
bool textbook_refresh(textbook_quadtree *tree, uint32_t item, const acre_aabb *box);
bool textbook_remove(textbook_quadtree *tree, uint32_t item);

// Return how many items there are and write at most capacity of them, in the tree's order.
size_t textbook_query_frustum(const textbook_quadtree *tree, const acre_frustum *frustum,
                              uint32_t *items, size_t capacity);
size_t textbook_query_aabb(const textbook_quadtree *tree, const acre_aabb *box, uint32_t *items,
                           size_t capacity);

// The node after this one in depth-first order; the second form leaves out its descendants.
textbook_node *textbook_next(const textbook_node *node);
textbook_node *textbook_next_beside(const textbook_node *node);

// Rules 1 and 2 at the top of the .c file: whether a node below the root may hold this box.
bool textbook_node_holds(const textbook_node *node, const acre_aabb *box);

#endif
