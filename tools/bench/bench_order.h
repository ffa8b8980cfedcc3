// SPDX-License-Identifier: MIT
// bench_order.h - order for what finds without: the nearest so far, and a radix sort.
#ifndef ACRE_TOOLS_BENCH_ORDER_H
#define ACRE_TOOLS_BENCH_ORDER_H

#include <acre/quadtree_query.h>

// Hits that are worth keeping in order one by one; more are sorted at the end.
enum { MOST_ORDERED = 64 };

// Whether a comes before b: the nearer one, of equally distant ones the smaller number.
bool hit_is_before(const acre_query_hit *a, const acre_query_hit *b);

// The hits of a query so far, in order. Room for the capacity.
typedef struct best_hits {
    acre_query_hit *hits;
    size_t count, capacity;
} best_hits;

// Puts a hit in its place if it is one of the first `capacity`.
void best_offer(best_hits *best, uint32_t item, float distance);

// INFINITY while there is room.
float best_limit(const best_hits *best);

// A number of an item as a key: keys have the order of the numbers, then of the items.
uint64_t order_key(float value, uint32_t item);
float order_value(uint64_t key);

// Sorts by the numbers (radix sort; Seward 1954); equal ones stay as they are. `spare` has the same
// room; the result is in it.
void order_sort(uint64_t *keys, uint64_t *spare, size_t count);

#endif
