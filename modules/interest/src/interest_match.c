// SPDX-License-Identifier: MIT
// interest_match.c - which things near an observer were near it before.
//
// Both lists are in the order of the tree, which changes little from update to update. So the lists
// are walked side by side, and what differs is looked for a few places ahead. What is not found
// there is compared at the end, whatever its place: the result never depends on the order.
#include "interest_internal.h"

#include "sort_internal.h"

#include <string.h>

enum { LOOK_AHEAD = 6, FEW_PRODUCTS = 64 };

bool acre_interest_reserve_match(const acre_allocator *allocator, interest_candidates *near,
                                 size_t old_count)
{
    const size_t most = near->count + old_count;
    return COLUMN_RESERVE(allocator, near->runs, most) &&
           COLUMN_RESERVE(allocator, near->fresh, near->count) &&
           COLUMN_RESERVE(allocator, near->gone, old_count) &&
           COLUMN_RESERVE(allocator, near->scratch, 4 * most);
}

// How far ahead a number stands in a list; 0: not within a few places.
static size_t places_ahead(const uint32_t *list, size_t count, uint32_t number)
{
    const size_t end = count < LOOK_AHEAD ? count : LOOK_AHEAD;
    for (size_t place = 1; place < end; place++) {
        if (list[place] == number) {
            return place;
        }
    }
    return 0;
}

// Whether eight numbers are equal to eight others.
static bool eight_are_equal(const uint32_t *a, const uint32_t *b)
{
    uint64_t of_a[4], of_b[4];
    memcpy(of_a, a, sizeof of_a);
    memcpy(of_b, b, sizeof of_b);
    return ((of_a[0] ^ of_b[0]) | (of_a[1] ^ of_b[1]) | (of_a[2] ^ of_b[2]) |
            (of_a[3] ^ of_b[3])) == 0;
}

static size_t equal_numbers(const uint32_t *a, const uint32_t *b, size_t most)
{
    size_t equal = 0;
    while (equal + 8 <= most && eight_are_equal(a + equal, b + equal)) {
        equal += 8;
    }
    while (equal < most && a[equal] == b[equal]) {
        equal++;
    }
    return equal;
}

static void add_run(interest_candidates *near, size_t first, size_t old, size_t count)
{
    ACRE_INVARIANT(near->run_count < near->runs.capacity);
    near->runs.data[near->run_count++] =
        (interest_run){(uint32_t)first, (uint32_t)old, (uint32_t)count};
}

// Adds the candidates and the old entries from i and k to their ends to fresh and gone.
static void add_rest(interest_candidates *near, size_t i, size_t i_end, size_t k, size_t k_end)
{
    while (i < i_end) {
        near->fresh.data[near->fresh_count++] = (uint32_t)i++;
    }
    while (k < k_end) {
        near->gone.data[near->gone_count++] = (uint32_t)k++;
    }
}

// Walks both lists side by side.
static void walk_lists(interest_candidates *near, const uint32_t *items, const uint32_t *old,
                       size_t old_count)
{
    const size_t count = near->count;
    size_t i = 0, k = 0;
    near->run_count = near->fresh_count = near->gone_count = 0;
    while (i < count && k < old_count) {
        const size_t most = count - i < old_count - k ? count - i : old_count - k;
        const size_t equal = equal_numbers(items + i, old + k, most);
        if (equal > 0) {
            add_run(near, i, k, equal);
            i += equal;
            k += equal;
            continue;
        }
        size_t new_ones = places_ahead(items + i, count - i, old[k]), old_ones = 0;
        if (new_ones == 0) {
            old_ones = places_ahead(old + k, old_count - k, items[i]);
            if (old_ones == 0) {
                new_ones = old_ones = 1;
            }
        }
        add_rest(near, i, i + new_ones, k, k + old_ones);
        i += new_ones;
        k += old_ones;
    }
    add_rest(near, i, count, k, old_count);
}

// Drops the positions that found a partner.
static size_t keep_single(uint32_t *positions, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (positions[i] != INTEREST_NONE) {
            positions[kept++] = positions[i];
        }
    }
    return kept;
}

static void add_pair(interest_candidates *near, size_t fresh, size_t gone)
{
    add_run(near, near->fresh.data[fresh], near->gone.data[gone], 1);
    near->fresh.data[fresh] = near->gone.data[gone] = INTEREST_NONE;
}

// Compares every two of the rest.
static void pair_few(interest_candidates *near, const uint32_t *items, const uint32_t *old)
{
    for (size_t g = 0; g < near->gone_count; g++) {
        const uint32_t item = old[near->gone.data[g]];
        for (size_t f = 0; f < near->fresh_count; f++) {
            if (near->fresh.data[f] != INTEREST_NONE && items[near->fresh.data[f]] == item) {
                add_pair(near, f, g);
                break;
            }
        }
    }
}

// Writes an item and its place among some positions for each of them, and sorts them by item.
static const uint32_t *sorted_positions(const uint32_t *items, const uint32_t *positions,
                                        size_t count, uint32_t *pairs)
{
    for (size_t i = 0; i < count; i++) {
        pairs[2 * i] = items[positions[i]];
        pairs[2 * i + 1] = (uint32_t)i;
    }
    return acre_sort_number_pairs(pairs, pairs + 2 * count, count);
}

static void pair_many(interest_candidates *near, const uint32_t *items, const uint32_t *old)
{
    const size_t fresh_count = near->fresh_count, gone_count = near->gone_count;
    uint32_t *const scratch = near->scratch.data;
    const uint32_t *const fresh = sorted_positions(items, near->fresh.data, fresh_count, scratch);
    const uint32_t *const gone =
        sorted_positions(old, near->gone.data, gone_count, scratch + 4 * fresh_count);
    size_t f = 0, g = 0;
    while (f < fresh_count && g < gone_count) {
        const uint32_t of_fresh = fresh[2 * f], of_gone = gone[2 * g];
        if (of_fresh == of_gone) {
            add_pair(near, fresh[2 * f + 1], gone[2 * g + 1]);
        }
        f += of_fresh <= of_gone;
        g += of_gone <= of_fresh;
    }
}

void acre_interest_match(interest_candidates *near, const uint32_t *items, const uint32_t *old,
                         size_t old_count)
{
    walk_lists(near, items, old, old_count);
    if (near->fresh_count == 0 || near->gone_count == 0) {
        return;
    }
    if (near->fresh_count * near->gone_count <= FEW_PRODUCTS) {
        pair_few(near, items, old);
    } else {
        pair_many(near, items, old);
    }
    near->fresh_count = keep_single(near->fresh.data, near->fresh_count);
    near->gone_count = keep_single(near->gone.data, near->gone_count);
}
