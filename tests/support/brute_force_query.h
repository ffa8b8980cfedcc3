// SPDX-License-Identifier: MIT
// brute_force_query.h - the first oracle answers every query: each box is asked alone.
//
// The tests of one box in shapes.h, frustum.h and bounds.h define what a query finds; here nothing
// else decides.
#ifndef BRUTE_FORCE_QUERY_H
#define BRUTE_FORCE_QUERY_H

#include "brute_force.h"

#include <acre/quadtree_query.h>

// Whether a query may be asked: acre_quadtree_query must answer ACRE_ERROR_INVALID_ARGUMENT if not.
bool is_valid_query(const acre_query *query);

// Whether a query finds an item with this box, whatever its layers.
bool brute_force_finds(const acre_query *query, const acre_aabb *box);

// What a query finds, ascending; every flag but those of exclusion and exactness is the caller's
// affair. items has room for all that are present. @return how many there are.
size_t brute_force_query(const brute_force *oracle, const acre_query *query, uint32_t *items);

// Whether numbers, ascending, are what the query finds. With ACRE_QUERY_EXACT a box on the edge,
// one that acre_frustum_contains_aabb calls inside and the exact test outside, may be found or not.
bool brute_force_agrees(const brute_force *oracle, const acre_query *query, const uint32_t *items,
                        size_t count);

// The nearest of what a query finds, in the order of acre_quadtree_query_nearest. hits has room for
// all items that are present. @return how many there are, at most capacity.
size_t brute_force_nearest(const brute_force *oracle, const acre_query *query, acre_query_hit *hits,
                           size_t capacity);

#endif
