// SPDX-License-Identifier: MIT
// quadtree_pairing.h - what the search for pairs and its kernels share.
//
// The search takes one node after the other:
//     1. It lists the candidates: the groups of the tree whose bounds overlap those of the node's
//     own
//        items, with their bounds side by side.
//     2. It tests each group of the node against the candidates, 16 at a time, and lists the group
//        pairs.
//     3. In each group pair it selects the items that overlap the other group's bounds, and tests
//        those of the group that has fewer against all 16 of the other.
// Each step finishes its list for the whole node before the next step begins.
//
// Words used here:
//     group pair   two groups whose bounds overlap: the first of the node, the second a candidate
//     candidate    a group that may form group pairs with groups of the node
#ifndef ACRE_QUADTREE_PAIRING_H
#define ACRE_QUADTREE_PAIRING_H

#include <acre/quadtree_pairs.h>

#include "quadtree_kernel_pair.h"
#include "quadtree_kernel_volume.h"

enum {
    MOST_CANDIDATES = LISTED_GROUPS,
    // Group pairs that are listed before they are processed. The last group of the node may add up
    // to MOST_CANDIDATES beyond.
    GROUP_PAIRS_LISTED = 512,
    GROUP_PAIRS_AT_ONCE = 32, // processed together by a kernel
    PAIRS_OF_GROUPS = GROUP_SLOTS * GROUP_SLOTS,
    PAIRS_IN_GROUP = GROUP_SLOTS * (GROUP_SLOTS - 1) / 2
};

typedef struct candidate_group {
    uint32_t word;    // group_word
    uint32_t present; // set of its items
} candidate_group;

// Of one tree, the node's own groups come first.
typedef struct candidate_groups {
    uint32_t count;
    uint32_t before; // candidates of the same node that were processed before these
    candidate_group groups[MOST_CANDIDATES];
    item_group bounds[MOST_CANDIDATES / GROUP_SLOTS]; // bounds of 16 groups side by side
} candidate_groups;

// A group of the node that has group pairs.
typedef struct node_group {
    uint32_t word;       // group_word
    uint32_t end;        // end of its group pairs in the list
    const float *bounds; // in its block's header: edges are BLOCK_GROUPS floats apart
} node_group;

// Group pairs, ordered by the group of the node.
typedef struct group_pair_list {
    uint32_t count;
    uint32_t node_group_count;
    // The second group of each: an index into the candidates.
    uint32_t candidates[GROUP_PAIRS_LISTED + MOST_CANDIDATES + GROUP_SLOTS];
    node_group node_groups[GROUP_PAIRS_LISTED + 1];
} group_pair_list;

typedef struct pair_task {
    const item_group *first_groups;  // of block 0 of the first tree
    const item_group *second_groups; // of block 0 of the second tree
    const uint32_t *first_ids;
    const uint32_t *second_ids;
    bool is_one_tree; // the second tree is the first
    bool is_on_ground;
    bool drops_touching;
    uint32_t numbers[GROUP_PAIRS_AT_ONCE * GROUP_SLOTS]; // 0, 1, ...: indices that kernels list
    candidate_groups candidates;                         // groups of the second tree
    group_pair_list group_pairs;
} pair_task;
static_assert(MOST_CANDIDATES <= GROUP_PAIRS_AT_ONCE * GROUP_SLOTS, "numbers index candidates");

// ---- layers ----

// The set of layers that meet some layer of a set.
static inline uint32_t layers_met_by(const uint32_t *meets, uint32_t layers)
{
    uint32_t met = 0;
    while (layers) {
        met |= meets[take_lowest(&layers)];
    }
    return met;
}

static inline uint32_t layers_of(const acre_quadtree *tree, uint32_t item)
{
    return tree->layers ? tree->layers[item] : ~0u;
}

// Whether items of these layers can be a pair. meets: as in acre_pairs_rules.
static inline bool layers_match(const uint32_t *meets, uint32_t a, uint32_t b)
{
    return meets ? (layers_met_by(meets, a) & b) | (layers_met_by(meets, b) & a) : a & b;
}

// ---- the search ----

// The kernels of a search.
typedef struct pair_kernels {
    const query_kernel *box; // lists the candidates
    const pair_kernel *pair;
} pair_kernels;

// What is searched: pairs of two trees, or of one tree that is given twice.
typedef struct pair_question {
    const acre_quadtree *first;
    const acre_quadtree *second;
    pair_kernels kernels;
    const acre_pairs_rules *rules; // NULL, or valid
} pair_question;

// The nodes of the first tree whose items are paired: of quads begin to end - 1, with the root and
// the outliers where begin is 0. The order of the pairs is that of the quads.
typedef struct quad_range {
    uint32_t begin;
    uint32_t end;
} quad_range;

// quadtree_pair_search.c

// Writes at most `capacity` pairs of a range. Returns how many there are.
size_t acre_search_quads(const pair_question *question, quad_range range, acre_pair *pairs,
                         size_t capacity);

// quadtree_pair_shares.c

// In how many shares to search; 1: serial.
uint32_t acre_pair_shares(const pair_question *question);

// As acre_search_pairs, on the workers of the first tree: the same pairs in the same order.
size_t acre_search_in_shares(const pair_question *question, uint32_t shares, acre_pair *pairs,
                             size_t capacity);

// quadtree_pairs.c

bool acre_pairs_rules_are_valid(const acre_pairs_rules *rules);

// Writes at most `capacity` pairs of two trees, or of one tree if it is given twice. rules: NULL,
// or valid. Returns how many pairs there are.
size_t acre_search_pairs(pair_kernels kernels, const acre_quadtree *first,
                         const acre_quadtree *second, const acre_pairs_rules *rules,
                         acre_pair *pairs, size_t capacity);

#endif
