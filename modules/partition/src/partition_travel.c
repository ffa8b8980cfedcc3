// SPDX-License-Identifier: MIT
// partition_travel.c - observers as bytes that ride on a migrant, and their arrival.
#include "partition_interest_internal.h"

#include <string.h>

typedef struct rider_record {
    float enter_radius, leave_radius;
    float band_limits[ACRE_OBSERVER_BAND_LIMITS];
    uint32_t flags; // RIDER_...
    uint32_t count; // of sights behind it
} rider_record;
_Static_assert(sizeof(rider_record) == 28 && sizeof(part_sight) == 16, "no hidden bytes");

enum { RIDER_IN_SPACE = 1, RIDER_SEES_ITSELF = 2, RIDER_IGNORES_RANGES = 4, RIDER_FLAGS = 7 };

size_t acre_sights_rider_size(void *user, uint32_t slot)
{
    acre_partition_interest *const interest = user;
    const uint32_t row = acre_sights_row(interest, slot);
    return row == SLOT_NONE ? 0
                            : sizeof(rider_record) +
                                  COLUMN_AT(interest->observers, row)->count * sizeof(part_sight);
}

void acre_sights_pack_rider(void *user, uint32_t slot, unsigned char *bytes)
{
    acre_partition_interest *const interest = user;
    ACRE_INVARIANT(acre_sights_row(interest, slot) != SLOT_NONE);
    const part_observer *const observer =
        COLUMN_AT(interest->observers, acre_sights_row(interest, slot));
    const acre_observer_def *const def = &observer->def;
    rider_record record = {.enter_radius = def->enter_radius,
                           .leave_radius = def->leave_radius,
                           .flags = (def->in_space ? RIDER_IN_SPACE : 0u) |
                                    (def->sees_itself ? RIDER_SEES_ITSELF : 0u) |
                                    (def->ignores_ranges ? RIDER_IGNORES_RANGES : 0u),
                           .count = (uint32_t)observer->count};
    memcpy(record.band_limits, def->band_limits, sizeof record.band_limits);
    memcpy(bytes, &record, sizeof record);
    if (observer->count > 0) {
        memcpy(bytes + sizeof record, COLUMN_AT(interest->sights, observer->first),
               observer->count * sizeof(part_sight));
    }
}

// ---- arrival ----

static bool read_rider(const unsigned char *bytes, size_t size, acre_observer_def *def,
                       uint32_t *count)
{
    rider_record record;
    if (size < sizeof record) {
        return false;
    }
    memcpy(&record, bytes, sizeof record);
    *count = record.count;
    *def = (acre_observer_def){.enter_radius = record.enter_radius,
                               .leave_radius = record.leave_radius,
                               .in_space = record.flags & RIDER_IN_SPACE,
                               .sees_itself = record.flags & RIDER_SEES_ITSELF,
                               .ignores_ranges = record.flags & RIDER_IGNORES_RANGES};
    memcpy(def->band_limits, record.band_limits, sizeof def->band_limits);
    return record.flags <= RIDER_FLAGS &&
           (uint64_t)record.count * sizeof(part_sight) == size - sizeof record;
}

bool acre_sights_check_rider(void *user, const unsigned char *bytes, size_t size)
{
    acre_observer_def def;
    uint32_t count = 0;
    bool is_good = read_rider(bytes, size, &def, &count) && acre_sights_def_is_good(user, &def);
    part_sight before = {0};
    for (uint32_t i = 0; i < count && is_good; i++) {
        part_sight sight;
        memcpy(&sight, bytes + sizeof(rider_record) + i * sizeof sight, sizeof sight);
        is_good =
            sight.band <= ACRE_OBSERVER_BAND_LIMITS && (i == 0 || before.number < sight.number);
        before = sight;
    }
    return is_good;
}

// Adds an observer, whose list stands behind the others. On error nothing changed.
static acre_result take_rider(acre_partition_interest *interest, const acre_partition_item *item,
                              const unsigned char *bytes, size_t size)
{
    acre_observer_def def;
    uint32_t count = 0;
    const bool is_good = read_rider(bytes, size, &def, &count);
    ACRE_INVARIANT(is_good); // it was checked when it was taken
    (void)is_good;
    if (!COLUMN_RESERVE(&interest->allocator, interest->sights,
                        interest->sight_count + count + 1)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    memcpy(COLUMN_AT(interest->sights, interest->sight_count), bytes + sizeof(rider_record),
           count * sizeof(part_sight));
    const acre_result result = acre_sights_add(interest, item->number, item->slot, &def);
    if (result == ACRE_OK) {
        part_observer *const observer =
            COLUMN_AT(interest->observers, interest->observer_count - 1);
        observer->first = interest->sight_count;
        observer->count = count;
        interest->sight_count += count;
    }
    return result;
}

// Observers whose items another part owns now.
static acre_result drop_departed(acre_partition_interest *interest)
{
    const acre_partition *const part = interest->part;
    acre_result result = ACRE_OK;
    for (uint32_t row = (uint32_t)interest->observer_count; row > 0 && result == ACRE_OK; row--) {
        const part_observer *const observer = COLUMN_AT(interest->observers, row - 1);
        if (*COLUMN_AT(part->kinds, observer->slot) != ACRE_SLOT_OWN ||
            *COLUMN_AT(part->numbers, observer->slot) != observer->number) {
            result = acre_sights_drop(interest, row - 1);
        }
    }
    return result;
}

acre_result acre_sights_arrive(void *user)
{
    acre_partition_interest *const interest = user;
    const acre_partition *const part = interest->part;
    acre_result result = drop_departed(interest);
    while (interest->arrived < part->arrived.count && result == ACRE_OK) {
        const acre_partition_item item = *COLUMN_AT(part->arrived.items, interest->arrived);
        const rider_place place = *COLUMN_AT(part->rider_places, interest->arrived);
        ACRE_INVARIANT(part->kinds.data[item.slot] == ACRE_SLOT_OWN);
        if (place.size > 0) {
            result = take_rider(interest, &item, &part->riders.data[place.first], place.size);
        }
        interest->arrived += result == ACRE_OK;
    }
    if (result == ACRE_OK) {
        interest->arrived = 0;
    }
    return result;
}
