// SPDX-License-Identifier: MIT
// interest_match.c - which things near an observer were near it before.
//
// Both lists are in the order of the tree, which changes little from update to update. So most of
// the old list is found as a few runs of the new one. Where a run ends, the next one is searched
// for. After many searches the rest is sorted: the result never depends on the order.
#include "interest_internal.h"

#include "sort_internal.h"

#include <string.h>

enum { MOST_SEARCHES = 64 }; // more of them cost more than a sort of 100 things

bool acre_interest_reserve_match(const acre_allocator *allocator, interest_candidates *near,
                                 size_t old_count)
{
    const size_t most = near->count + old_count;
    return COLUMN_RESERVE(allocator, near->runs, most) &&
           COLUMN_RESERVE(allocator, near->fresh, near->count) &&
           COLUMN_RESERVE(allocator, near->gone, old_count + 1) &&
           COLUMN_RESERVE(allocator, near->scratch, 4 * most);
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

size_t acre_interest_find_number(const uint32_t *list, size_t count, uint32_t number)
{
    size_t at = 0;
    for (; at + 16 <= count; at += 16) {
        uint32_t is_here = 0;
        for (size_t i = 0; i < 16; i++) {
            is_here |= list[at + i] == number;
        }
        if (is_here) {
            break;
        }
    }
    while (at < count && list[at] != number) {
        at++;
    }
    return at;
}

// Where a number stands in a list, looked for from a place on; count: nowhere.
static size_t find_number_from(const uint32_t *list, size_t count, size_t from, uint32_t number)
{
    const size_t at = from + acre_interest_find_number(list + from, count - from, number);
    if (at < count) {
        return at;
    }
    const size_t before = acre_interest_find_number(list, from, number);
    return before < from ? before : count;
}

// Lists runs, and the candidates that are fresh, as far as few searches tell.
// @return false if there would have been more searches.
static bool list_runs(interest_candidates *near, const uint32_t *items, const uint32_t *old,
                      size_t old_count)
{
    size_t k = 0, searches = 0;
    near->run_count = near->fresh_count = near->gone_count = 0;
    if (old_count == 0) { // there may be no array
        for (size_t i = 0; i < near->count; i++) {
            near->fresh.data[near->fresh_count++] = (uint32_t)i;
        }
        return true;
    }
    for (size_t i = 0; i < near->count;) {
        const size_t most = near->count - i < old_count - k ? near->count - i : old_count - k;
        const size_t equal = equal_numbers(items + i, old + k, most);
        if (equal > 0) {
            add_run(near, i, k, equal);
            i += equal;
            k += equal;
            continue;
        }
        const size_t found =
            searches++ < MOST_SEARCHES ? find_number_from(old, old_count, k, items[i]) : old_count;
        if (found < old_count) {
            k = found;
        } else {
            near->fresh.data[near->fresh_count++] = (uint32_t)i++;
        }
    }
    return searches <= MOST_SEARCHES;
}

// Lists the entries of the old list that are in no run.
static void list_gone(interest_candidates *near, size_t old_count)
{
    uint8_t *const is_kept = (uint8_t *)near->scratch.data;
    size_t kept = 0;
    for (size_t i = 0; i < near->run_count; i++) {
        kept += near->runs.data[i].count;
    }
    ACRE_INVARIANT(kept <= old_count);
    if (kept == old_count) {
        return;
    }
    memset(is_kept, 0, old_count);
    for (size_t i = 0; i < near->run_count; i++) {
        memset(is_kept + near->runs.data[i].old, 1, near->runs.data[i].count);
    }
    ACRE_INVARIANT(old_count < near->gone.capacity);
    for (size_t k = 0; k < old_count; k++) {
        near->gone.data[near->gone_count] = (uint32_t)k;
        near->gone_count += !is_kept[k];
    }
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

// Finds those of the rest that are in both lists, by sorting it.
static void pair_rest(interest_candidates *near, const uint32_t *items, const uint32_t *old)
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
    const bool is_done = list_runs(near, items, old, old_count);
    list_gone(near, old_count);
    ACRE_INVARIANT(near->fresh_count <= near->count && near->gone_count <= old_count);
    ACRE_INVARIANT(near->count - near->fresh_count == old_count - near->gone_count);
    if (!is_done && near->gone_count > 0) {
        pair_rest(near, items, old);
        near->fresh_count = keep_single(near->fresh.data, near->fresh_count);
        near->gone_count = keep_single(near->gone.data, near->gone_count);
    }
}
