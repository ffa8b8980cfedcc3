// SPDX-License-Identifier: MIT
// partition_observers.c - the observers of a part: found by slot, added, dropped.
//
// The interest below them knows slots, which differ from part to part, and a thing has several of
// them on periodic ground. So each observer has a list of its own by number, as the last update
// left it. That list travels with the observer, and the next update compares with it. The interest
// says only what is within the leave radius.
#include "partition_interest_internal.h"

#include "distances_internal.h"

#include <string.h>

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
    ACRE_INVARIANT(row < interest->observer_count);
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
