// SPDX-License-Identifier: MIT
// quadtree_kernel_pair.h - the kernel for pairs.
#ifndef ACRE_QUADTREE_KERNEL_PAIR_H
#define ACRE_QUADTREE_KERNEL_PAIR_H

#include "quadtree_kernel.h"

struct pair_task; // quadtree_pairing.h
struct acre_pair;

// Pairs of items. A pair names two locations here; the search looks up the ids for a whole node.
typedef struct pair_kernel {
    // Writes the pairs within each group of a block, at most PAIRS_IN_GROUP a group.
    // Returns how many.
    size_t (*find_in_block)(const struct pair_task *task, uint32_t block, uint32_t count,
                            struct acre_pair *out);
    // Lists the candidates from `first` on whose bounds overlap a group's bounds, as indices. out
    // has room for all of them and GROUP_SLOTS more.
    // Returns how many.
    uint32_t (*list_group_pairs)(const struct pair_task *task, const float *bounds, uint32_t first,
                                 uint32_t *out);
    // Writes the pairs of items of the listed group pairs first to end - 1, at most PAIRS_OF_GROUPS
    // each.
    // Returns how many.
    size_t (*find_in_group_pairs)(const struct pair_task *task, uint32_t first, uint32_t end,
                                  struct acre_pair *out);
} pair_kernel;

DECLARE_TREE_KERNELS(pair)

#endif
