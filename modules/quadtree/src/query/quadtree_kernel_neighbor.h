// SPDX-License-Identifier: MIT
// quadtree_kernel_neighbor.h - the kernel for neighbors of many places.
#ifndef ACRE_QUADTREE_KERNEL_NEIGHBOR_H
#define ACRE_QUADTREE_KERNEL_NEIGHBOR_H

#include "quadtree_kernel.h"

struct neighbor_task;   // quadtree_neighboring.h
struct near_candidates; // quadtree_neighboring.h
struct near_layers;     // quadtree_neighboring.h

// Neighbors of many places.
typedef struct neighbor_kernel {
    // Writes the ids of the items that a round touches, in the order of the listed groups, but for
    // the item at the location `own` (ABSENT: none). out has room for every item of the listed
    // groups and one group more.
    // Returns how many.
    uint32_t (*find_near)(const struct neighbor_task *task, const shape_round *round, uint32_t own,
                          uint32_t *out);
    // The same, of the slots that the task names, and the bits of their squared distances from the
    // round's center.
    uint32_t (*measure_near)(const struct neighbor_task *task, const shape_round *round,
                             uint32_t own, uint32_t *out, uint32_t *squares);
    // Writes at most MOST_RANKED measured items as hits, nearest first.
    void (*rank_near)(const uint32_t *items, const uint32_t *squares, uint32_t count,
                      acre_query_hit *hits);
    // Looks at groups for candidates; slots: which of their items count. Adds those that may be
    // among the nearest. Returns how many groups it has looked at; fewer: the candidates are full.
    uint32_t (*sift_groups)(const struct neighbor_task *task, const uint32_t *words,
                            const uint32_t *slots, uint32_t count, struct near_candidates *all);
    // Returns which of the layers `left` no item has that a round touches, but for the item at the
    // location `own`. near: what is known of the listed groups.
    uint32_t (*miss_layers)(const struct neighbor_task *task, const shape_round *round,
                            uint32_t own, uint32_t left, struct near_layers *near);
} neighbor_kernel;

DECLARE_TREE_KERNELS(neighbor)

#endif
