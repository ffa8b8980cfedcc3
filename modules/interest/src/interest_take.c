// SPDX-License-Identifier: MIT
// interest_take.c - takes over the new lists of an update.
//
// One share that found some lists: each is copied to where the old one stood. One share that found
// all of them: its memory is swapped with that of the interest. Many shares, which always find all
// lists: workers copy them one behind the other.
#include "interest_internal.h"

#include "prefetch_internal.h"

#include <string.h>

// ---- room ----

// Room that a list gets where it does not fit into its old place.
static uint32_t roomy(uint32_t count)
{
    return count + count / 4 + 4;
}

// Many shares have an outcome for each observer: their lists, one share after the other, become
// those of the interest.
static bool reserve_all_shares(acre_interest *interest)
{
    size_t total = 0, outcomes = 0;
    for (uint32_t i = 0; i < interest->share_count; i++) {
        total += const_share_at(interest, i)->lists.used;
        outcomes += const_share_at(interest, i)->outcome_count;
    }
    ACRE_INVARIANT(outcomes == interest->observers);
    (void)outcomes;
    return acre_interest_reserve_lists(&interest->allocator, &interest->lists, total);
}

// New lists stand where the old ones stood, or behind all others; where that would leave too many
// gaps, all lists are written anew.
bool acre_interest_reserve_new_lists(acre_interest *interest)
{
    interest_share *const share = &interest->share;
    if (!acre_interest_reserve_sets(interest)) {
        return false;
    }
    if (interest->share_count > 1) {
        return reserve_all_shares(interest);
    }
    size_t appended = 0;
    for (size_t i = 0; i < share->outcome_count; i++) {
        const interest_outcome *const outcome = COLUMN_AT(share->outcomes, i);
        const observer_row *const row = COLUMN_AT(interest->rows, outcome->row);
        appended += outcome->count > row->capacity ? roomy(outcome->count) : 0;
    }
    const size_t end = interest->lists.used + appended;
    interest->takes_all = share->outcome_count == interest->observers ||
                          end > acre_interest_most_entries(interest->live + share->lists.used);
    if (!interest->takes_all) {
        return acre_interest_reserve_lists(&interest->allocator, &interest->lists, end);
    }
    const size_t kept = share->outcome_count == interest->observers ? 0 : interest->live;
    return acre_interest_reserve_lists(&interest->allocator, &share->lists,
                                       share->lists.used + kept);
}

// ---- lists ----

static void copy_list(interest_lists *to, size_t at, const interest_lists *from, size_t first,
                      uint32_t count)
{
    ACRE_INVARIANT(at + count <= to->items.capacity && first + count <= from->items.capacity);
    if (count > 0) {
        memcpy(to->items.data + at, from->items.data + first, count * sizeof *to->items.data);
        memcpy(to->marks.data + at, from->marks.data + first, count);
    }
}

// The lists of the share become those of the interest, with the lists that have not changed.
static void take_all_lists(acre_interest *interest)
{
    interest_share *const share = &interest->share;
    for (size_t i = 0; i < share->outcome_count; i++) {
        const interest_outcome *const outcome = COLUMN_AT(share->outcomes, i);
        observer_row *const row = COLUMN_AT(interest->rows, outcome->row);
        row->first = outcome->first;
        row->count = row->capacity = outcome->count;
        row->is_found = true;
    }
    for (size_t i = 0; i < interest->row_count; i++) {
        observer_row *const row = COLUMN_AT(interest->rows, i);
        if (row->is_used && !row->is_found) {
            copy_list(&share->lists, share->lists.used, &interest->lists, row->first, row->count);
            row->first = share->lists.used;
            row->capacity = row->count;
            share->lists.used += row->count;
        }
        row->is_found = false;
    }
    const interest_lists old = interest->lists;
    interest->lists = share->lists;
    share->lists = old;
}

static void take_some_lists(acre_interest *interest)
{
    const interest_share *const share = &interest->share;
    interest_lists *const lists = &interest->lists;
    for (size_t i = 0; i < share->outcome_count; i++) {
        const interest_outcome *const outcome = COLUMN_AT(share->outcomes, i);
        observer_row *const row = COLUMN_AT(interest->rows, outcome->row);
        if (outcome->count > row->capacity) {
            row->first = lists->used;
            row->capacity = roomy(outcome->count);
            lists->used += row->capacity;
        }
        copy_list(lists, row->first, &share->lists, outcome->first, outcome->count);
        row->count = outcome->count;
    }
    ACRE_INVARIANT(lists->used <= lists->items.capacity);
}

static void settle_row(observer_row *row, const interest_outcome *outcome)
{
    row->seen = outcome->seen;
    row->is_new = row->is_dirty = row->is_edited = row->is_moved = false;
    memcpy(row->found_place, row->place, sizeof row->found_place);
}

// The lists of a share among many stand behind those of the shares before it. The old ones are not
// needed any more.
static void take_share(void *context, uint32_t index)
{
    acre_interest *const interest = context;
    const interest_share *const share = const_share_at(interest, index);
    interest_lists *const lists = &interest->lists;
    const size_t at = share->taken_at;
    ACRE_INVARIANT(at + share->lists.used <= lists->used);
    for (size_t i = 0; i < share->outcome_count; i++) {
        if (i + OBSERVERS_AHEAD < share->outcome_count) {
            prefetch_element(interest->rows.data, share->outcomes.data[i + OBSERVERS_AHEAD].row,
                             sizeof(observer_row));
        }
        const interest_outcome *const outcome = COLUMN_AT(share->outcomes, i);
        observer_row *const row = COLUMN_AT(interest->rows, outcome->row);
        ACRE_INVARIANT(outcome->first + outcome->count <= share->lists.used);
        row->first = at + outcome->first;
        row->count = row->capacity = outcome->count;
        settle_row(row, outcome);
    }
    if (share->lists.used > 0) {
        memcpy(lists->items.data + at, share->lists.items.data,
               share->lists.used * sizeof *lists->items.data);
        memcpy(lists->marks.data + at, share->lists.marks.data, share->lists.used);
    }
}

static void take_all_shares(acre_interest *interest)
{
    interest->lists.used = 0;
    for (uint32_t i = 0; i < interest->share_count; i++) {
        interest_share *const share = share_at(interest, i);
        share->taken_at = interest->lists.used;
        interest->lists.used += share->lists.used;
    }
    ACRE_INVARIANT(interest->lists.used <= interest->lists.items.capacity);
    interest->live = interest->lists.used;
    acre_interest_run_blocks(interest, interest->share_count, take_share, interest);
}

static void settle_rows(acre_interest *interest, const interest_share *share)
{
    for (size_t i = 0; i < share->outcome_count; i++) {
        const interest_outcome *const outcome = COLUMN_AT(share->outcomes, i);
        observer_row *const row = COLUMN_AT(interest->rows, outcome->row);
        ACRE_INVARIANT(row->is_used && interest->live >= row->count);
        interest->live += outcome->count;
        interest->live -= row->count;
        settle_row(row, outcome);
    }
}

void acre_interest_take_lists(acre_interest *interest)
{
    acre_interest_write_sets(interest);
    if (interest->share_count > 1) {
        take_all_shares(interest);
        return;
    }
    settle_rows(interest, &interest->share);
    if (interest->takes_all) {
        take_all_lists(interest);
    } else {
        take_some_lists(interest);
    }
}
