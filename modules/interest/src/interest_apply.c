// SPDX-License-Identifier: MIT
// interest_apply.c - takes over what an update found, and writes the flat arrays.
#include "interest_internal.h"

#include <string.h>

// ---- room ----

static bool reserve_output(const acre_interest *interest, interest_output *output, size_t count,
                           bool has_bands)
{
    const acre_allocator *const allocator = &interest->allocator;
    return COLUMN_RESERVE(allocator, output->offsets, interest->row_count + 1) &&
           COLUMN_RESERVE(allocator, output->items, count) &&
           (!has_bands || COLUMN_RESERVE(allocator, output->bands, count)) &&
           (!interest->front || COLUMN_RESERVE(allocator, output->entities, count));
}

static size_t count_events(const acre_interest *interest, int kind)
{
    size_t count = 0;
    for (uint32_t i = 0; i < interest->share_count; i++) {
        count += const_share_at(interest, i)->event_counts[kind];
    }
    return count;
}

static bool reserve_outputs(acre_interest *interest)
{
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        if (!reserve_output(interest, &interest->outputs[kind], count_events(interest, kind),
                            kind != EVENT_LEFT)) {
            return false;
        }
    }
    return true;
}

// Room that a list gets where it does not fit into its old place.
static uint32_t roomy(uint32_t count)
{
    return count + count / 4 + 4;
}

static bool reserve_lists(const acre_allocator *allocator, interest_lists *lists, size_t count)
{
    return COLUMN_RESERVE(allocator, lists->items, count + LIST_SLACK) &&
           COLUMN_RESERVE(allocator, lists->marks, count + LIST_SLACK);
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
    interest->takes_all = true;
    return reserve_lists(&interest->allocator, &interest->lists, total);
}

// New lists stand where the old ones stood, or behind all others; where that would leave too many
// gaps, all lists are written anew.
static bool reserve_new_lists(acre_interest *interest)
{
    interest_share *const share = &interest->share;
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
                          end > 2 * (interest->live + share->lists.used) + 1024;
    if (!interest->takes_all) {
        return reserve_lists(&interest->allocator, &interest->lists, end);
    }
    const size_t kept = share->outcome_count == interest->observers ? 0 : interest->live;
    return reserve_lists(&interest->allocator, &share->lists, share->lists.used + kept);
}

bool acre_interest_reserve_outcomes(acre_interest *interest)
{
    return reserve_outputs(interest) && reserve_new_lists(interest) &&
           (!(interest->flags & ACRE_INTEREST_INVERSE) || acre_interest_reserve_inverse(interest));
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

// The lists of many shares, one share after the other. The old ones are not needed any more.
static void take_all_shares(acre_interest *interest)
{
    interest_lists *const lists = &interest->lists;
    lists->used = 0;
    for (uint32_t k = 0; k < interest->share_count; k++) {
        const interest_share *const share = const_share_at(interest, k);
        for (size_t i = 0; i < share->outcome_count; i++) {
            const interest_outcome *const outcome = COLUMN_AT(share->outcomes, i);
            observer_row *const row = COLUMN_AT(interest->rows, outcome->row);
            ACRE_INVARIANT(outcome->first + outcome->count <= share->lists.used);
            row->first = lists->used + outcome->first;
            row->count = row->capacity = outcome->count;
        }
        if (share->lists.used > 0) {
            ACRE_INVARIANT(lists->used + share->lists.used <= lists->items.capacity);
            memcpy(lists->items.data + lists->used, share->lists.items.data,
                   share->lists.used * sizeof *lists->items.data);
            memcpy(lists->marks.data + lists->used, share->lists.marks.data, share->lists.used);
        }
        lists->used += share->lists.used;
    }
}

static void count_outcomes(acre_interest *interest, const interest_share *share)
{
    for (size_t i = 0; i < share->outcome_count; i++) {
        const interest_outcome *const outcome = COLUMN_AT(share->outcomes, i);
        observer_row *const row = COLUMN_AT(interest->rows, outcome->row);
        ACRE_INVARIANT(row->is_used && interest->live >= row->count);
        interest->live += outcome->count;
        interest->live -= row->count;
        row->seen = outcome->seen;
        row->is_dirty = false;
    }
}

static void take_lists(acre_interest *interest)
{
    for (uint32_t i = 0; i < interest->share_count; i++) {
        count_outcomes(interest, const_share_at(interest, i));
    }
    if (interest->share_count > 1) {
        take_all_shares(interest);
    } else if (interest->takes_all) {
        take_all_lists(interest);
    } else {
        take_some_lists(interest);
    }
}

// ---- flat arrays ----

static acre_entity entity_of(const acre_interest *interest, int kind, uint32_t slot)
{
    const uint32_t generation = kind == EVENT_LEFT && slot < interest->noted.capacity
                                    ? interest->noted.data[slot]
                                    : acre_interest_generation(interest, slot);
    return interest->front->handle(interest->front_state, slot, generation);
}

static void write_events(const acre_interest *interest, int kind, size_t at,
                         const interest_event *events, size_t count)
{
    const interest_output *const output = &interest->outputs[kind];
    for (size_t i = 0; i < count; i++) {
        const uint32_t item = (uint32_t)(events[i] >> 32);
        *COLUMN_AT(output->items, at + i) = item;
        if (kind != EVENT_LEFT) {
            *COLUMN_AT(output->bands, at + i) = (uint8_t)(events[i] & MARK_BAND);
        }
        if (interest->front) {
            *COLUMN_AT(output->entities, at + i) = entity_of(interest, kind, item);
        }
    }
}

static void write_output(acre_interest *interest, int kind)
{
    size_t *const offsets = interest->outputs[kind].offsets.data;
    memset(offsets, 0, (interest->row_count + 1) * sizeof *offsets);
    for (uint32_t k = 0; k < interest->share_count; k++) {
        const interest_share *const share = const_share_at(interest, k);
        for (size_t i = 0; i < share->outcome_count; i++) {
            const interest_outcome *const outcome = COLUMN_AT(share->outcomes, i);
            offsets[outcome->row + 1] = outcome->event_count[kind];
        }
    }
    for (size_t row = 0; row < interest->row_count; row++) {
        offsets[row + 1] += offsets[row];
    }
    for (uint32_t k = 0; k < interest->share_count; k++) {
        const interest_share *const share = const_share_at(interest, k);
        for (size_t i = 0; i < share->outcome_count; i++) {
            const interest_outcome *const outcome = COLUMN_AT(share->outcomes, i);
            if (outcome->event_count[kind] > 0) {
                write_events(interest, kind, offsets[outcome->row],
                             share->events[kind].data + outcome->event_first[kind],
                             outcome->event_count[kind]);
            }
        }
    }
    ACRE_INVARIANT(offsets[interest->row_count] == count_events(interest, kind));
}

void acre_interest_apply(acre_interest *interest)
{
    take_lists(interest);
    interest->updated = 0;
    for (uint32_t i = 0; i < interest->share_count; i++) {
        interest->updated += const_share_at(interest, i)->outcome_count;
    }
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        write_output(interest, kind);
    }
    interest->listed_rows = interest->row_count;
    if (interest->flags & ACRE_INTEREST_INVERSE) {
        acre_interest_write_inverse(interest);
    }
}

void acre_interest_free_outputs(acre_interest *interest)
{
    const acre_allocator *const allocator = &interest->allocator;
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        COLUMN_FREE(allocator, interest->outputs[kind].offsets);
        COLUMN_FREE(allocator, interest->outputs[kind].items);
        COLUMN_FREE(allocator, interest->outputs[kind].bands);
        COLUMN_FREE(allocator, interest->outputs[kind].entities);
    }
    COLUMN_FREE(allocator, interest->inverse_offsets);
    COLUMN_FREE(allocator, interest->inverse);
}

static acre_interest_list list_of(const acre_interest *interest, int kind)
{
    const interest_output *const output = &interest->outputs[kind];
    return (acre_interest_list){
        .offsets = output->offsets.data,
        .items = output->items.data,
        .entities = output->entities.data,
        .bands = output->bands.data,
        .count = interest->listed_rows > 0 ? output->offsets.data[interest->listed_rows] : 0};
}

acre_interest_changes acre_interest_get_changes(const acre_interest *interest)
{
    if (!interest) {
        return (acre_interest_changes){.row_count = 0};
    }
    return (acre_interest_changes){.row_count = interest->listed_rows,
                                   .entered = list_of(interest, EVENT_ENTERED),
                                   .left = list_of(interest, EVENT_LEFT),
                                   .changed = list_of(interest, EVENT_CHANGED),
                                   .stayed = list_of(interest, EVENT_STAYED),
                                   .inverse_offsets = interest->inverse_offsets.data,
                                   .observers = interest->inverse.data,
                                   .inverse_count = interest->inverse_count,
                                   .updated = interest->updated};
}
