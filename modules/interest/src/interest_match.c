// SPDX-License-Identifier: MIT
// interest_match.c - which things near an observer were near it before.
//
// Both lists are in the order of the tree, which changes little from update to update. So the lists
// are walked side by side, and what differs is looked for a few places ahead. What is not found
// there is compared at the end, whatever its place: the result never depends on the order.
#include "interest_internal.h"

#include "sort_internal.h"

enum { LOOK_AHEAD = 6, FEW_PRODUCTS = 64 };

bool acre_interest_reserve_match(const acre_allocator *allocator, interest_candidates *near,
                                 size_t old_count)
{
    const size_t most = near->count + old_count;
    return COLUMN_RESERVE(allocator, near->was, near->count) &&
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

// Walks both lists side by side. Fills in was, fresh and gone.
static void walk_lists(interest_candidates *near, const uint32_t *old, size_t old_count)
{
    const uint32_t *const items = near->items.data;
    uint32_t *const was = near->was.data, *const fresh = near->fresh.data,
                    *const gone = near->gone.data;
    const size_t count = near->count;
    size_t i = 0, k = 0, fresh_count = 0, gone_count = 0;
    while (i < count && k < old_count) {
        if (items[i] == old[k]) {
            was[i++] = (uint32_t)k++;
            continue;
        }
        size_t new_ones = places_ahead(items + i, count - i, old[k]), old_ones = 0;
        if (new_ones == 0) {
            old_ones = places_ahead(old + k, old_count - k, items[i]);
            if (old_ones == 0) {
                new_ones = old_ones = 1;
            }
        }
        for (; new_ones > 0; new_ones--) {
            was[i] = INTEREST_NONE;
            fresh[fresh_count++] = (uint32_t)i++;
        }
        for (; old_ones > 0; old_ones--) {
            gone[gone_count++] = (uint32_t)k++;
        }
    }
    while (i < count) {
        was[i] = INTEREST_NONE;
        fresh[fresh_count++] = (uint32_t)i++;
    }
    while (k < old_count) {
        gone[gone_count++] = (uint32_t)k++;
    }
    near->fresh_count = fresh_count;
    near->gone_count = gone_count;
}

static void keep_gone(interest_candidates *near)
{
    size_t kept = 0;
    for (size_t g = 0; g < near->gone_count; g++) {
        if (near->gone.data[g] != INTEREST_NONE) {
            near->gone.data[kept++] = near->gone.data[g];
        }
    }
    near->gone_count = kept;
}

// Compares every two of the rest.
static void pair_few(interest_candidates *near, const uint32_t *old)
{
    for (size_t g = 0; g < near->gone_count; g++) {
        const uint32_t item = old[near->gone.data[g]];
        for (size_t f = 0; f < near->fresh_count; f++) {
            const uint32_t i = near->fresh.data[f];
            if (near->items.data[i] == item) {
                ACRE_INVARIANT(near->was.data[i] == INTEREST_NONE);
                near->was.data[i] = near->gone.data[g];
                near->gone.data[g] = INTEREST_NONE;
                break;
            }
        }
    }
}

// Writes an item and a number for each of some positions, and sorts them by item.
static const uint32_t *sorted_positions(const uint32_t *items, const uint32_t *positions,
                                        size_t count, uint32_t *pairs)
{
    for (size_t i = 0; i < count; i++) {
        pairs[2 * i] = items[positions[i]];
        pairs[2 * i + 1] = (uint32_t)i;
    }
    return acre_sort_number_pairs(pairs, pairs + 2 * count, count);
}

static void pair_many(interest_candidates *near, const uint32_t *old)
{
    const size_t fresh_count = near->fresh_count, gone_count = near->gone_count;
    uint32_t *const scratch = near->scratch.data;
    const uint32_t *const fresh =
        sorted_positions(near->items.data, near->fresh.data, fresh_count, scratch);
    const uint32_t *const gone =
        sorted_positions(old, near->gone.data, gone_count, scratch + 4 * fresh_count);
    size_t f = 0, g = 0;
    while (f < fresh_count && g < gone_count) {
        if (fresh[2 * f] == gone[2 * g]) {
            const uint32_t position = gone[2 * g + 1];
            near->was.data[near->fresh.data[fresh[2 * f + 1]]] = near->gone.data[position];
            near->gone.data[position] = INTEREST_NONE;
            f++;
            g++;
        } else if (fresh[2 * f] < gone[2 * g]) {
            f++;
        } else {
            g++;
        }
    }
}

void acre_interest_match(interest_candidates *near, const uint32_t *old, size_t old_count)
{
    walk_lists(near, old, old_count);
    if (near->fresh_count == 0 || near->gone_count == 0) {
        return;
    }
    if (near->fresh_count * near->gone_count <= FEW_PRODUCTS) {
        pair_few(near, old);
    } else {
        pair_many(near, old);
    }
    keep_gone(near);
}
