// SPDX-License-Identifier: MIT
// quadtree_neighboring.h - what the search for neighbors and its kernels share.
//
// The search takes up to ROWS_TOGETHER rows at a time, which are near each other:
//     1. It puts a box around their spheres and lists the groups of the tree whose bounds overlap
//        it, with these bounds side by side.
//     2. For each row it tests these bounds against the row's sphere, 16 at a time, and then the
//        items of the groups that the sphere touches.
// If the box overlaps too many groups, it takes half as many rows; a single row is a query of its
// own then.
#ifndef ACRE_QUADTREE_NEIGHBORING_H
#define ACRE_QUADTREE_NEIGHBORING_H

#include <acre/quadtree_neighbors.h>

#include "quadtree_kernel_neighbor.h"
#include "tasks_internal.h"

enum {
    ROWS_TOGETHER = 16,
    // More groups than this for each row, and the way through the tree is not worth sharing. With 8
    // instead of 16, units with 37 neighbors each take 27 % longer, those with 147 take 77 %.
    GROUPS_A_ROW = 16,
    MOST_NEAR_GROUPS = ROWS_TOGETHER * GROUPS_A_ROW,
    // Rows of a chunk are searched as if no others came before, so that workers may take chunks.
    // With 1,024 the nearest 8 of 10,000 took 2 % more instructions.
    ROWS_A_CHUNK = 4096,
    FEW_ROWS_A_CHUNK = 64
};

static inline size_t rows_a_chunk(const acre_quadtree *tree)
{
    return block_size_for(&tree->tasks, ROWS_A_CHUNK, FEW_ROWS_A_CHUNK);
}

typedef struct neighbor_task {
    const item_group *groups; // of block 0
    const uint32_t *ids;      // of block 0
    bool is_on_ground;
    uint32_t count;                                    // groups listed
    uint32_t words[MOST_NEAR_GROUPS];                  // group_word
    item_group bounds[MOST_NEAR_GROUPS / GROUP_SLOTS]; // bounds of 16 groups side by side
} neighbor_task;

// Where a row is.
typedef struct row_place {
    acre_sphere sphere; // y is 0 on the ground; the radius may be INFINITY
    uint32_t own;       // location of the item to leave out, ABSENT: none
} row_place;

// A radius of neighbors: as of a sphere, or INFINITY. False for NaN.
static inline bool is_neighbor_radius(float radius)
{
    return radius >= 0.0f && (radius <= LARGEST_OF_SHAPE || !float_is_finite(radius));
}

// quadtree_neighbor_order.c

// Finds where a row is; its item, if it has no sphere, must be in the tree. Returns false for an
// invalid sphere, and for an item without a middle.
bool acre_find_row_place(const acre_quadtree *tree, const acre_neighbors_query *query, size_t row,
                         row_place *out);

// Puts the rows in the order in which they are searched: rows[n].order. Those that are refused or
// about absent items come last. Reports the refused ones. Returns how many rows come before; of
// these, rows of items without a middle are empty.
size_t acre_order_rows(const acre_quadtree *tree, const acre_neighbors_query *query,
                       acre_neighbor_lists *lists);

// quadtree_neighbors.c

// Searches the rows at places first to end - 1, and appends what they have to the lists. first is a
// multiple of rows_a_chunk.
void acre_search_rows(const acre_quadtree *tree, const acre_neighbors_query *query,
                      acre_neighbor_lists *lists, size_t first, size_t end);

// quadtree_neighbors_shares.c

// acre_search_rows for the first `placed` rows on several workers, if it pays. False: it does not,
// and nothing is changed. lists->total is 0.
bool acre_search_rows_in_shares(const acre_quadtree *tree, const acre_neighbors_query *query,
                                acre_neighbor_lists *lists, size_t placed);

#endif
