// SPDX-License-Identifier: MIT
// interest_decide.c - what one observer sees: range, limit, rooms, and what of it is new.
#include "interest_internal.h"

#include <string.h>

// ---- the limit ----

// The order of candidates: by distance, where those that were in range count as nearer than they
// are; at the same distance by number.
typedef struct near_ranking {
    const uint32_t *items;
    const uint8_t *marks;
    const double *distances;
    double insider; // factor of their squares
} near_ranking;

static double ranked_distance(const near_ranking *ranking, uint32_t i)
{
    return ranking->marks[i] & MARK_RANGE ? ranking->distances[i] * ranking->insider
                                          : ranking->distances[i];
}

static bool ranks_before(const near_ranking *ranking, uint32_t a, uint32_t b)
{
    const double of_a = ranked_distance(ranking, a), of_b = ranked_distance(ranking, b);
    return of_a < of_b || (of_a <= of_b && ranking->items[a] < ranking->items[b]);
}

// Moves the element at `hole` down a heap whose root ranks last.
static void sift_ranked(const near_ranking *ranking, uint32_t *heap, size_t count, size_t hole)
{
    const uint32_t moved = heap[hole];
    for (size_t child; (child = hole * 2 + 1) < count; hole = child) {
        child += child + 1 < count && ranks_before(ranking, heap[child], heap[child + 1]);
        if (!ranks_before(ranking, moved, heap[child])) {
            break;
        }
        heap[hole] = heap[child];
    }
    heap[hole] = moved;
}

// Leaves the nearest `limit` of the candidates in the heap.
static void keep_nearest(const near_ranking *ranking, uint32_t *heap, size_t count, size_t limit)
{
    for (size_t i = limit / 2; i-- > 0;) {
        sift_ranked(ranking, heap, limit, i);
    }
    for (size_t i = limit; i < count; i++) {
        if (ranks_before(ranking, heap[i], heap[0])) {
            heap[0] = heap[i];
            sift_ranked(ranking, heap, limit, 0);
        }
    }
}

// Gives MARK_INSIDE to the candidates that the limit leaves in range, and to no others. MARK_RANGE
// says which were in range before.
static bool apply_limit(const acre_allocator *allocator, const acre_observer_def *def,
                        interest_candidates *near, const uint32_t *items, uint8_t *marks)
{
    if (!COLUMN_RESERVE(allocator, near->ranked, near->count)) {
        return false;
    }
    uint32_t *const ranked = near->ranked.data;
    size_t count = 0;
    for (size_t i = 0; i < near->count; i++) {
        if (marks[i] & (MARK_INSIDE | MARK_RANGE)) {
            ranked[count++] = (uint32_t)i;
        }
    }
    const double share = 1.0 - (double)def->limit_share;
    const near_ranking ranking = {items, marks, near->distances.data, share * share};
    const size_t kept = count < def->limit ? count : def->limit;
    if (kept < count) {
        keep_nearest(&ranking, ranked, count, kept);
    }
    for (size_t i = 0; i < near->count; i++) {
        marks[i] &= (uint8_t) ~(MARK_INSIDE | MARK_RANGE);
    }
    for (size_t i = 0; i < kept; i++) {
        marks[ranked[i]] |= MARK_INSIDE;
    }
    return true;
}

// ---- one observer with a limit, with rooms, or with numbers that were used again ----

// Where each candidate stood in the old list.
static bool list_old_positions(const acre_allocator *allocator, interest_candidates *near)
{
    if (!COLUMN_RESERVE(allocator, near->was, near->count)) {
        return false;
    }
    for (size_t i = 0; i < near->fresh_count; i++) {
        near->was.data[near->fresh.data[i]] = INTEREST_NONE;
    }
    for (size_t i = 0; i < near->run_count; i++) {
        const interest_run run = *COLUMN_AT(near->runs, i);
        for (uint32_t k = 0; k < run.count; k++) {
            *COLUMN_AT(near->was, run.first + k) = run.old + k;
        }
    }
    return true;
}

// Gives candidates MARK_INSIDE where they are in range now.
static bool decide_range(const acre_interest *interest, const acre_observer_def *def,
                         interest_candidates *near, const uint32_t *items, uint8_t *marks,
                         const uint8_t *old_marks)
{
    for (size_t i = 0; i < near->count; i++) {
        const uint32_t was = near->was.data[i];
        if (was != INTEREST_NONE && !(marks[i] & MARK_FAR) && (old_marks[was] & MARK_RANGE) &&
            !item_is_reused(interest, items[i])) {
            marks[i] |= MARK_RANGE;
        }
    }
    if (def->limit > 0) {
        return apply_limit(near->allocator, def, near, items, marks);
    }
    for (size_t i = 0; i < near->count; i++) {
        if (marks[i] & MARK_RANGE) {
            marks[i] |= MARK_INSIDE;
        }
    }
    return true;
}

static void finish_marks(const acre_interest *interest, interest_share *share,
                         const uint32_t *items, uint8_t *marks, const uint8_t *old_marks)
{
    const interest_candidates *const near = &share->near;
    for (size_t i = 0; i < near->count; i++) {
        const uint32_t item = items[i], was = near->was.data[i];
        uint32_t before = was == INTEREST_NONE ? 0 : old_marks[was];
        if (before && item_is_reused(interest, item)) {
            if (before & MARK_SEEN) {
                acre_interest_add_event(share, EVENT_LEFT, item, 0);
            }
            before = 0;
        }
        const uint32_t in_range = marks[i] & MARK_INSIDE ? MARK_RANGE | MARK_SEEN : 0;
        const uint32_t in_room = marks[i] & MARK_ROOM ? MARK_SEEN : 0;
        marks[i] = (uint8_t)((marks[i] & MARK_BAND) | in_range | in_room);
        acre_interest_compare_marks(interest, share, item, before, marks[i]);
    }
}

// ---- any other observer: eight entries at a time ----

#define EIGHT(mark) (UINT64_C(0x0101010101010101) * (uint64_t)(mark))

static uint64_t load_eight(const uint8_t *marks)
{
    uint64_t eight;
    memcpy(&eight, marks, sizeof eight);
    return eight;
}

// All bits of the first `count` bytes in memory, 1 to 8.
static uint64_t first_bytes(uint32_t count)
{
    static const uint8_t bytes[16] = {255, 255, 255, 255, 255, 255, 255, 255};
    ACRE_INVARIANT(count >= 1 && count <= 8);
    return load_eight(bytes + 8 - count);
}

_Static_assert(MARK_INSIDE >> 2 == MARK_RANGE && MARK_RANGE << 1 == MARK_SEEN, "shifts below");

// Candidates that were in the list before: in range now are those that are inside or were in range.
// Eight marks may be read and written where fewer are left, since lists have room behind them.
static void finish_run(const acre_interest *interest, interest_share *share, const uint32_t *items,
                       uint8_t *marks, const uint8_t *old_marks, uint32_t count)
{
    uint32_t *const seen = &last_outcome(share)->seen;
    const bool lists_stayed = interest->flags & ACRE_INTEREST_STAYED;
    for (uint32_t i = 0; i < count; i += 8) {
        const uint32_t left = count - i < 8 ? count - i : 8;
        const uint64_t mine = first_bytes(left);
        const uint64_t near = load_eight(marks + i);
        const uint64_t old = load_eight(old_marks + i);
        const uint64_t range = ((near & EIGHT(MARK_INSIDE)) >> 2 | old) & EIGHT(MARK_RANGE);
        const uint64_t now = (near & EIGHT(MARK_BAND)) | range | range << 1;
        const uint64_t written = (now & mine) | (near & ~mine);
        memcpy(marks + i, &written, sizeof written);
        if (((now ^ old) & mine) == 0 && !lists_stayed) {
            *seen += (uint32_t)(((range & mine) >> 2) * EIGHT(1) >> 56);
            continue;
        }
        for (uint32_t k = 0; k < left; k++) {
            acre_interest_compare_marks(interest, share, items[i + k], old_marks[i + k],
                                        marks[i + k]);
        }
    }
}

static void finish_plainly(const acre_interest *interest, interest_share *share,
                           const uint32_t *items, uint8_t *marks, const uint8_t *old_marks)
{
    const interest_candidates *const near = &share->near;
    for (size_t i = 0; i < near->run_count; i++) {
        const interest_run run = near->runs.data[i];
        finish_run(interest, share, items + run.first, marks + run.first, old_marks + run.old,
                   run.count);
    }
    for (size_t i = 0; i < near->fresh_count; i++) {
        uint8_t *const mark = &marks[near->fresh.data[i]];
        const uint32_t in_range = *mark & MARK_INSIDE ? MARK_RANGE | MARK_SEEN : 0;
        *mark = (uint8_t)((*mark & MARK_BAND) | in_range);
        acre_interest_compare_marks(interest, share, items[near->fresh.data[i]], 0, *mark);
    }
}

// ---- both ----

// The list of an observer before this update.
typedef struct old_list {
    const uint32_t *items;
    const uint8_t *marks;
    size_t count;
} old_list;

// A set is written as a list. @return false: no memory.
static bool get_old_list(const acre_interest *interest, interest_share *share,
                         const observer_row *row, old_list *old)
{
    *old = (old_list){NULL, NULL, row->count};
    if (row->set_words > 0) {
        interest_lists *const lists = &share->near.old;
        if (!acre_interest_reserve_lists(share->near.allocator, lists, row->seen)) {
            return false;
        }
        old->count = acre_interest_set_items(row, lists->items.data, lists->marks.data, row->seen);
        for (size_t i = 0; i < old->count; i++) {
            lists->marks.data[i] |= MARK_RANGE | MARK_SEEN;
        }
        old->items = lists->items.data;
        old->marks = lists->marks.data;
    } else if (row->count > 0) {
        old->items = interest->lists.items.data + row->first;
        old->marks = interest->lists.marks.data + row->first;
    }
    return true;
}

static bool finish_candidates(const acre_interest *interest, interest_share *share,
                              const observer_row *row, const old_list *old)
{
    interest_candidates *const near = &share->near;
    ACRE_INVARIANT(near->count <= near->fresh.capacity);
    ACRE_INVARIANT(share->lists.items.data && share->lists.marks.data); // one entry was reserved
    const uint32_t *const items = share->lists.items.data + near->first;
    uint8_t *const marks = share->lists.marks.data + near->first;
    const uint32_t *const old_items = old->items;
    const uint8_t *const old_marks = old->marks;
    acre_interest_match(interest->kernel, near, items, old_items, old->count);
    if (row->def.limit > 0 || row->rooms.count > 0 || interest->reused.count > 0) {
        if (!list_old_positions(near->allocator, near) ||
            !decide_range(interest, &row->def, near, items, marks, old_marks)) {
            return false;
        }
        finish_marks(interest, share, items, marks, old_marks);
    } else {
        finish_plainly(interest, share, items, marks, old_marks);
    }
    for (size_t i = 0; i < near->gone_count; i++) {
        const uint32_t position = near->gone.data[i];
        if (old_marks[position] & MARK_SEEN) {
            acre_interest_add_event(share, EVENT_LEFT, old_items[position], 0);
        }
    }
    return true;
}

static uint32_t highest_item(const uint32_t *items, size_t count, uint32_t highest)
{
    for (size_t i = 0; i < count; i++) {
        highest = items[i] > highest ? items[i] : highest;
    }
    return highest;
}

// A long list becomes a set. That is written from the old list and from the events, so it has bits
// for what has left, too. A set that is too wide for what is seen becomes a list, which fits; in
// the next update that becomes a set that fits.
static void end_list(const acre_interest *interest, interest_share *share, const observer_row *row,
                     const old_list *old)
{
    interest_outcome *const outcome = last_outcome(share);
    if (row->set_words == 0 && outcome->seen >= interest->least_set) {
        uint32_t highest = highest_item(old->items, old->count, 0);
        highest = highest_item(share->lists.items.data + outcome->first,
                               share->lists.used - outcome->first, highest);
        if (acre_interest_wants_set(interest, row, outcome->seen, highest)) {
            outcome->is_set = true;
            outcome->set_words = acre_interest_set_words(highest);
            share->lists.used = outcome->first;
        }
    }
    share->has_sets |= row->set_words > 0;
    acre_interest_end_outcome(share);
}

static acre_result decide_list(const acre_interest *interest, interest_share *share,
                               const interest_world *world, uint32_t index)
{
    old_list old;
    const acre_allocator *const allocator = share->near.allocator;
    const observer_row *const row = COLUMN_AT(interest->rows, index);
    interest_candidates *const near = &share->near;
    ACRE_ASSERT(row->is_used);
    acre_result result = acre_interest_find_near(interest, share, world, row);
    if (result == ACRE_OK && row->rooms.count > 0) {
        result = acre_interest_add_rooms(interest, share, world, row);
    }
    if (result != ACRE_OK) {
        return result;
    }
    ACRE_INVARIANT(near->first + near->count == share->lists.used);
    if (!get_old_list(interest, share, row, &old) ||
        !acre_interest_reserve_lists(allocator, &share->lists,
                                     share->lists.used + 1) || // so that there are arrays
        !acre_interest_reserve_match(allocator, near, old.count) ||
        !acre_interest_begin_outcome(allocator, share, index, near->first,
                                     near->count + old.count) ||
        !finish_candidates(interest, share, row, &old)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    end_list(interest, share, row, &old);
    return ACRE_OK;
}

acre_result acre_interest_decide(const acre_interest *interest, interest_share *share,
                                 const interest_world *world, uint32_t index)
{
    const observer_row *const row = COLUMN_AT(interest->rows, index);
    if (!acre_interest_has_plain_set(row)) {
        return decide_list(interest, share, world, index);
    }
    const bool takes_rings = acre_interest_takes_rings(interest, row);
    const acre_result result = takes_rings
                                   ? acre_interest_decide_rings(interest, share, world, index)
                                   : acre_interest_mark_all_near(interest, share, world, row);
    if (result != ACRE_OK) {
        return result;
    }
    if (!takes_rings && !acre_interest_compare_set(interest, share, index, false)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    share->rows_with_sets++;
    share->rows_with_rings += takes_rings;
    if (!acre_interest_set_is_short(interest, last_outcome(share))) {
        return ACRE_OK;
    }
    acre_interest_drop_outcome(share);
    return decide_list(interest, share, world, index);
}
