// SPDX-License-Identifier: MIT
// quadtree_pairing.h - what the search for pairs and its kernels share.
//
// Groups of 16 meet before their items do. For each node the groups of the tree that come near its
// own items are listed with their bounds side by side; each group of the node is tested against
// them, 16 at a time; and of two groups that overlap the items of one that reach into the other's
// bounds are tested against all 16 of the other. Each step works a list off before the next one
// begins, for the whole node.
#ifndef ACRE_QUADTREE_PAIRING_H
#define ACRE_QUADTREE_PAIRING_H

#include <acre/quadtree_pairs.h>

#include "quadtree_kernel.h"

enum {
    NEAR_GROUPS_MAX = LISTED_GROUPS,
    MEETINGS_LISTED = 512, // a few more at most: those of the group that comes beyond
    MEETINGS_AT_ONCE = 32,
    PAIRS_OF_GROUPS = GROUP_SLOTS * GROUP_SLOTS,
    PAIRS_IN_GROUP = GROUP_SLOTS * (GROUP_SLOTS - 1) / 2
};

typedef struct near_group {
    uint32_t word;    // group_word
    uint32_t present; // its items, as a set
} near_group;

// The groups that come near a node's items; of one tree, its own first.
typedef struct near_groups {
    uint32_t count;
    uint32_t before; // that were listed for the node before these
    near_group groups[NEAR_GROUPS_MAX];
    item_group bounds[NEAR_GROUPS_MAX / GROUP_SLOTS]; // of the groups, 16 side by side
} near_groups;

// A group of the node and the end of its meetings in the list.
typedef struct group_run {
    uint32_t word, end;
    const float *bounds; // in its block's header: edges are BLOCK_GROUPS floats apart
} group_run;

// Groups that overlap, those of a node's group one after the other.
typedef struct meeting_list {
    uint32_t count, run_count;
    uint32_t near[MEETINGS_LISTED + NEAR_GROUPS_MAX + GROUP_SLOTS]; // places in near_groups
    group_run runs[MEETINGS_LISTED + 1];                            // without empty ones
} meeting_list;

typedef struct pair_task {
    const item_group *first_groups, *second_groups; // of block 0
    const uint32_t *first_ids, *second_ids;
    bool is_one_tree, is_on_ground, drops_touching;
    uint32_t numbers[MEETINGS_AT_ONCE * GROUP_SLOTS]; // 0, 1, ...
    near_groups near;                                 // of the second tree
    meeting_list meetings;
} pair_task;
static_assert(NEAR_GROUPS_MAX <= MEETINGS_AT_ONCE * GROUP_SLOTS, "numbers for both");

// What a search for pairs is done with.
typedef struct pair_kernels {
    const query_kernel *box; // lists the candidates
    const pair_kernel *pair;
} pair_kernels;

// Writes at most capacity pairs of two trees, or of one that is given twice. rules: NULL, or valid.
// Returns how many pairs there are.
size_t acre_search_pairs(pair_kernels kernels, const acre_quadtree *first,
                         const acre_quadtree *second, const acre_pairs_rules *rules,
                         acre_pair *pairs, size_t capacity);

#endif
