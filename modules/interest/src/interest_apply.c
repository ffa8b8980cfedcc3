// SPDX-License-Identifier: MIT
// interest_apply.c - what an update found is taken over: room first, then what cannot fail. Writes
// the flat arrays.
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

bool acre_interest_reserve_outcomes(acre_interest *interest)
{
    return reserve_outputs(interest) && acre_interest_reserve_new_lists(interest) &&
           (!(interest->flags & ACRE_INTEREST_INVERSE) || acre_interest_reserve_inverse(interest));
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

// Counts the events of each row, then adds up where those of each row begin.
static void write_offsets(acre_interest *interest, int kind)
{
    size_t *const offsets = interest->outputs[kind].offsets.data;
    const size_t count = count_events(interest, kind);
    memset(offsets, 0, (interest->row_count + 1) * sizeof *offsets);
    for (uint32_t k = 0; k < interest->share_count && count > 0; k++) {
        const interest_share *const share = const_share_at(interest, k);
        for (size_t i = 0; i < share->outcome_count; i++) {
            const interest_outcome *const outcome = COLUMN_AT(share->outcomes, i);
            offsets[outcome->row + 1] = outcome->event_count[kind];
        }
    }
    for (size_t row = 0; row < interest->row_count && count > 0; row++) {
        offsets[row + 1] += offsets[row];
    }
    ACRE_INVARIANT(offsets[interest->row_count] == count);
}

static void write_share(void *context, uint32_t index)
{
    const acre_interest *const interest = context;
    const interest_share *const share = const_share_at(interest, index);
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        const size_t *const offsets = interest->outputs[kind].offsets.data;
        for (size_t i = 0; i < share->outcome_count && share->event_counts[kind] > 0; i++) {
            const interest_outcome *const outcome = COLUMN_AT(share->outcomes, i);
            if (outcome->event_count[kind] > 0) {
                write_events(interest, kind, offsets[outcome->row],
                             share->events[kind].data + outcome->event_first[kind],
                             outcome->event_count[kind]);
            }
        }
    }
}

void acre_interest_apply(acre_interest *interest)
{
    acre_interest_take_lists(interest);
    interest->updated = 0;
    for (uint32_t i = 0; i < interest->share_count; i++) {
        interest->updated += const_share_at(interest, i)->outcome_count;
    }
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        write_offsets(interest, kind);
    }
    acre_interest_run_blocks(interest, interest->share_count, write_share, interest);
    interest->listed_rows = interest->row_count;
    if (interest->flags & ACRE_INTEREST_INVERSE) {
        acre_interest_write_inverse(interest);
    }
    acre_interest_shrink(interest);
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
                                   .inverse_items = interest->inverse_items.data,
                                   .observers = interest->inverse.data,
                                   .inverse_count = interest->inverse_count,
                                   .updated = interest->updated};
}
