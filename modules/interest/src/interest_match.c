// SPDX-License-Identifier: MIT
// interest_match.c - which things near an observer were near it before.
//
// Both lists are in the order of the tree, which changes little from update to update. So most of
// the old list is found as a few runs of the new one (list_runs of the kernels). After many
// searches the rest is sorted: the result never depends on the order.
#include "interest_internal.h"

#include "bits_internal.h"
#include "sort_internal.h"

#include <string.h>

bool acre_interest_reserve_match(const acre_allocator *allocator, interest_candidates *near,
                                 size_t old_count)
{
    const size_t most = near->count + old_count;
    return COLUMN_RESERVE(allocator, near->runs, most) &&
           COLUMN_RESERVE(allocator, near->fresh, near->count) &&
           COLUMN_RESERVE(allocator, near->gone, old_count + 1) &&
           COLUMN_RESERVE(allocator, near->kept, old_count / 64 + 1) &&
           COLUMN_RESERVE(allocator, near->scratch, 4 * most);
}

static void add_run(interest_candidates *near, size_t first, size_t old, size_t count)
{
    ACRE_INVARIANT(near->run_count < near->runs.capacity);
    near->runs.data[near->run_count++] =
        (interest_run){(uint32_t)first, (uint32_t)old, (uint32_t)count};
}

// Lists runs, and the candidates that are fresh, as far as few searches tell.
// @return false if there would have been more searches.
static bool match_runs(const interest_kernel *kernel, interest_candidates *near,
                       const uint32_t *items, const uint32_t *old, size_t old_count)
{
    near->run_count = near->fresh_count = 0;
    if (old_count == 0) { // there may be no array
        for (size_t i = 0; i < near->count; i++) {
            near->fresh.data[near->fresh_count++] = (uint32_t)i;
        }
        return true;
    }
    list_pair pair = {.items = items,
                      .old = old,
                      .count = near->count,
                      .old_count = old_count,
                      .runs = near->runs.data,
                      .fresh = near->fresh.data};
    const bool is_done = kernel->list_runs(&pair);
    ACRE_INVARIANT(pair.run_count <= near->runs.capacity);
    near->run_count = pair.run_count;
    near->fresh_count = pair.fresh_count;
    return is_done;
}

// Sets the bits from `begin` to before `end`.
static void set_bits(uint64_t *words, size_t begin, size_t end)
{
    for (size_t word = begin / 64; word * 64 < end; word++) {
        const size_t first = word * 64, last = first + 64;
        const uint64_t from = begin > first ? UINT64_MAX << (begin - first) : UINT64_MAX;
        const uint64_t to = end < last ? UINT64_MAX >> (last - end) : UINT64_MAX;
        words[word] |= from & to;
    }
}

// Lists the entries of the old list that are in no run.
static void list_gone(interest_candidates *near, size_t old_count)
{
    size_t kept = 0;
    near->gone_count = 0;
    for (size_t i = 0; i < near->run_count; i++) {
        kept += near->runs.data[i].count;
    }
    ACRE_INVARIANT(kept <= old_count);
    if (kept == old_count) {
        return;
    }
    const size_t word_count = (old_count + 63) / 64;
    ACRE_INVARIANT(word_count <= near->kept.capacity);
    memset(near->kept.data, 0, word_count * sizeof *near->kept.data);
    for (size_t i = 0; i < near->run_count; i++) {
        const interest_run run = near->runs.data[i];
        set_bits(near->kept.data, run.old, (size_t)run.old + run.count);
    }
    set_bits(near->kept.data, old_count, word_count * 64);
    for (size_t word = 0; word < word_count; word++) {
        for (uint64_t gone = ~near->kept.data[word]; gone; gone &= gone - 1) {
            *COLUMN_AT(near->gone, near->gone_count++) = (uint32_t)(word * 64) + lowest_bit(gone);
        }
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

void acre_interest_match(const interest_kernel *kernel, interest_candidates *near,
                         const uint32_t *items, const uint32_t *old, size_t old_count)
{
    const bool is_done = match_runs(kernel, near, items, old, old_count);
    list_gone(near, old_count);
    ACRE_INVARIANT(near->fresh_count <= near->count && near->gone_count <= old_count);
    ACRE_INVARIANT(near->count - near->fresh_count == old_count - near->gone_count);
    if (!is_done && near->gone_count > 0) {
        pair_rest(near, items, old);
        near->fresh_count = keep_single(near->fresh.data, near->fresh_count);
        near->gone_count = keep_single(near->gone.data, near->gone_count);
    }
}
