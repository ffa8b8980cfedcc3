// SPDX-License-Identifier: MIT
// brute_force_pairs.h - the oracle of pairs: every two boxes are compared, axis by axis.
#ifndef BRUTE_FORCE_PAIRS_H
#define BRUTE_FORCE_PAIRS_H

#include "brute_force.h"
#include "test.h"

#include <acre/quadtree_pairs.h>

// Whether two boxes in these layers are a pair; of layers without a bit nobody is. rules NULL:
// zero.
bool brute_force_is_pair(const acre_aabb *a, uint32_t a_layers, const acre_aabb *b,
                         uint32_t b_layers, const acre_pairs_rules *rules);

// All pairs of one list of boxes, or of two (second NULL: of one), sorted by a, then b.
// @return how many there are; at most capacity are written.
size_t brute_force_pairs(const brute_force *first, const brute_force *second,
                         const acre_pairs_rules *rules, acre_pair *pairs, size_t capacity);

// Sorts by a, then b, in place.
void sort_pairs(acre_pair *pairs, size_t count);

// Rules of every sort: any flags, no table of layers or one that is symmetric, lopsided, full or
// empty. meets: room for 32 masks, which must outlive the rules.
acre_pairs_rules random_pairs_rules(test_random *random, uint32_t *meets);

#endif
