// SPDX-License-Identifier: MIT
// mover_lines.h - the yardstick of movers that lie apart in memory: a loop that only touches the
// lines that a commit of a scene with a culler has to touch for them.
//
// Such a mover is paid in lines of memory, not in instructions. The loop reads and writes arrays of
// its own of the same strides and sizes, in the code's order, each line fetched ahead: some 20 of a
// mover. Items stand in the tree's order, which is not the entities'.
#ifndef MOVER_LINES_H
#define MOVER_LINES_H

#include <acre/quadtree_query.h>

enum { MOVER_ARRAYS = 14 };

// acre_quadtree_query_visit_groups of the build that has the tree.
typedef acre_result (*mover_visit_groups)(const acre_quadtree *, const acre_query *,
                                          acre_group_visitor, void *);

typedef struct mover_lines {
    uint32_t count;       // entities; the item of entity i is i
    uint32_t chain;       // entities i * chain to i * chain + chain - 1 are one chain
    uint32_t *place;      // of an entity's item: group in memory * items of a group + slot
    uint32_t place_count; // above every place
    uint32_t sum;         // of the bytes that the loop read
    unsigned char *arrays[MOVER_ARRAYS];
} mover_lines;

// Reads from the tree where its items lie. Returns false when memory is short.
bool mover_lines_create(mover_lines *out, uint32_t count, uint32_t chain, const acre_quadtree *tree,
                        mover_visit_groups visit);
void mover_lines_free(mover_lines *lines);

// Touches the lines of `movers` chains once.
// @param order their numbers, in the order of the caller's edits
// @param sorted the same, ascending: the order of a commit
void mover_lines_touch(mover_lines *lines, const uint32_t *order, const uint32_t *sorted,
                       uint32_t movers);

#endif
