// SPDX-License-Identifier: MIT
// agents_check.h - the pairs of a frame against pairs that a plain grid finds, without any tree.
#ifndef ACRE_TOOLS_AGENTS_CHECK_H
#define ACRE_TOOLS_AGENTS_CHECK_H

#include "agents_world.h"

typedef enum agents_verdict {
    AGENTS_EQUAL = 0,
    AGENTS_MISSED,  // the tree lacks a pair
    AGENTS_FOREIGN, // the tree has a pair too many
    AGENTS_TWICE    // the tree has a pair more than once
} agents_verdict;

typedef struct agents_difference {
    agents_verdict verdict;
    acre_pair pair;  // the smallest one that differs
    size_t expected; // pairs
} agents_difference;

// Compares world->pairs, in any order, with all pairs of boxes that overlap or touch on the ground.
// Call it where the agents stand as in the last step. Returns false when memory is short.
bool agents_check(const agents_world *world, agents_difference *out);

// Both reference lists, sorted by a, then b; the caller frees *out. The grid takes time that grows
// with the agents and the pairs, the plain loop with the square of the agents.
bool agents_pairs_by_grid(const agents_world *world, acre_pair **out, size_t *count);
bool agents_pairs_by_loop(const agents_world *world, acre_pair **out, size_t *count);

#endif
