// SPDX-License-Identifier: MIT
// partition_interest.c - observers of a part, and their journeys to other parts.
//
// The interest below knows slots, which differ from part to part. Beside it stands the list of each
// observer by number and image, as the last update left it: this one travels, and with it the next
// update is compared.
#include "partition_interest_internal.h"

#include "distances_internal.h"

#include <stdlib.h>
#include <string.h>

// ---- create and destroy ----

acre_result acre_partition_interest_create(acre_partition *part, const acre_interest_def *def,
                                           acre_partition_interest **out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = NULL;
    if (!part || (def && def->flags != 0)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (part->phase != PHASE_REST || part->rider.user) {
        return part->phase != PHASE_REST ? ACRE_ERROR_BUSY : ACRE_ERROR_EXISTS;
    }
    const acre_allocator allocator = def && def->allocator ? *def->allocator : part->allocator;
    acre_partition_interest *const interest =
        acre_resize(&allocator, NULL, 0, sizeof *interest, _Alignof(acre_partition_interest));
    if (!interest) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    memset(interest, 0, sizeof *interest);
    interest->allocator = allocator;
    interest->part = part;
    interest->ticks = part->ticks;
    acre_interest_def own = def ? *def : (acre_interest_def){0};
    own.allocator = &interest->allocator;
    const acre_result result = acre_interest_create(part->tree, &own, &interest->interest);
    if (result != ACRE_OK) {
        (void)acre_resize(&allocator, interest, sizeof *interest, 0,
                          _Alignof(acre_partition_interest));
        return result;
    }
    part->rider = (partition_rider){
        interest,        acre_sights_rider_size, acre_sights_pack_rider, acre_sights_check_rider,
        acre_sights_end, acre_sights_arrive};
    *out = interest;
    return ACRE_OK;
}

static void free_sight_output(const acre_allocator *allocator, sight_output *output)
{
    COLUMN_FREE(allocator, output->offsets);
    COLUMN_FREE(allocator, output->numbers);
    COLUMN_FREE(allocator, output->bands);
}

void acre_partition_interest_destroy(acre_partition_interest *interest)
{
    if (!interest) {
        return;
    }
    ACRE_ASSERT(interest->part->phase == PHASE_REST);
    const acre_allocator allocator = interest->allocator;
    interest->part->rider = (partition_rider){.user = NULL};
    acre_interest_destroy(interest->interest);
    for (int kind = 0; kind < SIGHT_KINDS; kind++) {
        free_sight_output(&allocator, &interest->outputs[kind]);
    }
    COLUMN_FREE(&allocator, interest->observers);
    COLUMN_FREE(&allocator, interest->rows);
    COLUMN_FREE(&allocator, interest->numbers);
    COLUMN_FREE(&allocator, interest->sights);
    COLUMN_FREE(&allocator, interest->new_sights);
    COLUMN_FREE(&allocator, interest->items);
    COLUMN_FREE(&allocator, interest->bands);
    COLUMN_FREE(&allocator, interest->seeds);
    (void)acre_resize(&allocator, interest, sizeof *interest, 0, _Alignof(acre_partition_interest));
}

// ---- observers ----

uint32_t acre_sights_row(const acre_partition_interest *interest, uint32_t slot)
{
    const acre_partition *const part = interest->part;
    if (slot >= interest->rows.capacity || interest->rows.data[slot] == 0) {
        return SLOT_NONE;
    }
    const uint32_t row = interest->rows.data[slot] - 1;
    if (row >= interest->observer_count) {
        return SLOT_NONE;
    }
    const part_observer *const observer = COLUMN_AT(interest->observers, row);
    return observer->slot == slot && observer->number == *COLUMN_AT(part->numbers, slot)
               ? row
               : SLOT_NONE;
}

bool acre_sights_def_is_good(const acre_partition_interest *interest, const acre_observer_def *def)
{
    const acre_observer_def zero = {0};
    const double range = interest->part->ground.range;
    return !def->follows_item && def->item == 0 && def->entity.index1 == 0 && def->layers == 0 &&
           def->limit == 0 && memcmp(&def->limit_share, &zero.limit_share, sizeof(float)) == 0 &&
           memcmp(def->place, zero.place, sizeof zero.place) == 0 &&
           radii_are_valid(def->enter_radius, def->leave_radius) &&
           (double)def->enter_radius <= range && (double)def->leave_radius <= range &&
           band_limits_are_valid(def->band_limits, ACRE_OBSERVER_BAND_LIMITS);
}

acre_result acre_sights_add(acre_partition_interest *interest, uint64_t number, uint32_t slot,
                            const acre_observer_def *def)
{
    ACRE_INVARIANT(acre_sights_def_is_good(interest, def));
    const acre_allocator *const allocator = &interest->allocator;
    if (!COLUMN_RESERVE(allocator, interest->observers, interest->observer_count + 1) ||
        !COLUMN_RESERVE(allocator, interest->rows, interest->part->slots)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    acre_observer_def own = *def;
    own.follows_item = true;
    own.item = slot;
    part_observer observer = {.number = number, .slot = slot, .def = *def};
    const acre_result result = acre_interest_add(interest->interest, &own, &observer.handle);
    if (result == ACRE_OK) {
        *COLUMN_AT(interest->observers, interest->observer_count) = observer;
        interest->observer_count++;
        *COLUMN_AT(interest->rows, slot) = (uint32_t)interest->observer_count;
    }
    return result;
}

// The last observer takes the place of a dropped one.
acre_result acre_sights_drop(acre_partition_interest *interest, uint32_t row)
{
    const part_observer dropped = *COLUMN_AT(interest->observers, row);
    const acre_result result = acre_interest_remove(interest->interest, dropped.handle);
    if (result != ACRE_OK) {
        return result;
    }
    if (interest->rows.data[dropped.slot] == row + 1) {
        interest->rows.data[dropped.slot] = 0;
    }
    interest->observer_count--;
    const part_observer last = *COLUMN_AT(interest->observers, interest->observer_count);
    interest->observers.data[row] = last;
    if (row < interest->observer_count && interest->rows.data[last.slot] != 0 &&
        interest->rows.data[last.slot] - 1 == interest->observer_count) {
        interest->rows.data[last.slot] = row + 1;
    }
    return ACRE_OK;
}

void acre_sights_end(void *user, uint32_t slot)
{
    acre_partition_interest *const interest = user;
    const uint32_t row = acre_sights_row(interest, slot);
    if (row != SLOT_NONE) {
        const acre_result dropped = acre_sights_drop(interest, row);
        ACRE_INVARIANT(dropped == ACRE_OK);
        (void)dropped;
    }
}

acre_result acre_partition_interest_add(acre_partition_interest *interest, uint64_t number,
                                        const acre_observer_def *def)
{
    if (!interest || !def || !acre_sights_def_is_good(interest, def)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_partition *const part = interest->part;
    if (part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    const uint32_t slot = acre_partition_slot_of(part, number, 0);
    if (slot == SLOT_NONE || part->kinds.data[slot] != ACRE_SLOT_OWN) {
        return ACRE_ERROR_NOT_FOUND;
    }
    return acre_sights_row(interest, slot) != SLOT_NONE
               ? ACRE_ERROR_EXISTS
               : acre_sights_add(interest, number, slot, def);
}

acre_result acre_partition_interest_remove(acre_partition_interest *interest, uint64_t number)
{
    if (!interest) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (interest->part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    const uint32_t slot = acre_partition_slot_of(interest->part, number, 0);
    const uint32_t row = slot == SLOT_NONE ? SLOT_NONE : acre_sights_row(interest, slot);
    return row == SLOT_NONE ? ACRE_ERROR_NOT_FOUND : acre_sights_drop(interest, row);
}

acre_sights acre_partition_interest_get_sights(const acre_partition_interest *interest)
{
    acre_sights sights = {0};
    if (!interest) {
        return sights;
    }
    acre_sight_list *const lists[SIGHT_KINDS] = {&sights.seen, &sights.entered, &sights.left,
                                                 &sights.changed};
    sights.row_count = interest->row_count;
    sights.observers = interest->numbers.data;
    for (int kind = 0; kind < SIGHT_KINDS; kind++) {
        const sight_output *const output = &interest->outputs[kind];
        *lists[kind] = (acre_sight_list){output->offsets.data, output->numbers.data,
                                         output->bands.data, output->count};
    }
    return sights;
}
