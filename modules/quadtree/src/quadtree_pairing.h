// SPDX-License-Identifier: MIT
// quadtree_pairing.h - what the search for pairs and its kernels share.
//
// Groups of 16 meet before their items do. For each node the groups of the tree that come near its
// own items are listed with their bounds side by side; each group of the node is tested against
// them, 16 at a time; and of two groups that overlap the items of one that reach into the other's
// bounds are tested against all 16 of the other.
#ifndef ACRE_QUADTREE_PAIRING_H
#define ACRE_QUADTREE_PAIRING_H

#include <acre/quadtree_pairs.h>

#include "quadtree_volume.h"

enum { NEAR_GROUPS_MAX = LISTED_GROUPS, PAIRS_OF_GROUPS = GROUP_SLOTS * GROUP_SLOTS };

typedef struct near_group {
    uint32_t word;    // group_word
    uint32_t present; // its items, as a set
} near_group;

typedef struct near_groups {
    uint32_t count;
    uint32_t before;                   // that the node's groups have met already
    uint32_t numbers[NEAR_GROUPS_MAX]; // 0, 1, ...
    near_group groups[NEAR_GROUPS_MAX];
    item_group bounds[NEAR_GROUPS_MAX / GROUP_SLOTS]; // of the groups, 16 side by side
} near_groups;

typedef struct pair_task {
    const item_group *first_groups, *second_groups; // of block 0
    const uint32_t *first_ids, *second_ids;
    const near_groups *near; // groups of the second tree
    bool is_one_tree, is_on_ground, drops_touching;
} pair_task;

#endif
