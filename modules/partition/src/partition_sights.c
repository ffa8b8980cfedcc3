// SPDX-License-Identifier: MIT
// partition_sights.c - an update: what each observer of a part sees by number, and what of it is
// new.
#include "partition_interest_internal.h"

#include "interest_shared.h"

#include <stdlib.h>

// ---- outputs ----

static bool reserve_sight_output(const acre_partition_interest *interest, sight_output *output,
                                 size_t more)
{
    return COLUMN_RESERVE(&interest->allocator, output->offsets, interest->observer_count + 1) &&
           COLUMN_RESERVE(&interest->allocator, output->numbers, output->count + more + 1) &&
           COLUMN_RESERVE(&interest->allocator, output->bands, output->count + more + 1);
}

static void add_sight(sight_output *output, uint64_t number, uint8_t band)
{
    *COLUMN_AT(output->numbers, output->count) = number;
    *COLUMN_AT(output->bands, output->count) = band;
    output->count++;
}

// ---- lists ----

static int compare_sights(const void *x, const void *y)
{
    const near_sight *const a = x, *const b = y;
    if (a->number != b->number) {
        return a->number < b->number ? -1 : 1;
    }
    return (a->band > b->band) - (a->band < b->band);
}

// Asks the interest what is near an observer: slots and bands. There is room for *count of both.
static acre_result ask_for_near(acre_partition_interest *interest, const part_observer *observer,
                                size_t *count)
{
    // Without memory one of the two may have grown alone.
    const size_t room = interest->items.capacity < interest->bands.capacity
                            ? interest->items.capacity
                            : interest->bands.capacity;
    const acre_result result =
        acre_interest_list_seen(interest->interest, observer->handle, interest->items.data,
                                interest->bands.data, room, count);
    if (result != ACRE_OK || *count <= room) {
        return result;
    }
    return COLUMN_RESERVE(&interest->allocator, interest->items, *count) &&
                   COLUMN_RESERVE(&interest->allocator, interest->bands, *count)
               ? acre_interest_list_seen(interest->interest, observer->handle, interest->items.data,
                                         interest->bands.data, *count, count)
               : ACRE_ERROR_OUT_OF_MEMORY;
}

// Lists in `near` what is within an observer's leave radius, by number, the nearest image first. An
// image of the observer is the observer.
static acre_result list_near(acre_partition_interest *interest, const part_observer *observer,
                             size_t *count)
{
    const acre_partition *const part = interest->part;
    size_t asked = 0;
    *count = 0;
    const acre_result result = ask_for_near(interest, observer, &asked);
    if (result != ACRE_OK) {
        return result;
    }
    if (!COLUMN_RESERVE(&interest->allocator, interest->near, asked + 1)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < asked; i++) {
        const uint32_t slot = *COLUMN_AT(interest->items, i);
        const uint64_t number = *COLUMN_AT(part->numbers, slot);
        if (number != observer->number || observer->def.sees_itself) {
            *COLUMN_AT(interest->near, (*count)++) =
                (near_sight){number, slot, *COLUMN_AT(interest->bands, i)};
        }
    }
    if (*count > 1) {
        qsort(interest->near.data, *count, sizeof *interest->near.data, compare_sights);
    }
    return ACRE_OK;
}

// Whether a thing or an image of it is near enough to an observer that stands there to come in.
static bool has_come_near(const acre_partition_interest *interest, const part_observer *observer,
                          const float *place, const near_sight *images, size_t count)
{
    bool is_near = !(observer->def.leave_radius > observer->def.enter_radius);
    for (size_t i = 0; i < count && !is_near; i++) {
        acre_aabb box;
        const acre_result result =
            acre_quadtree_get_box(interest->part->tree, images[i].slot, &box);
        ACRE_INVARIANT(result == ACRE_OK);
        const float range = *COLUMN_AT(interest->given, images[i].slot);
        const float enter =
            range > 0 && !observer->def.ignores_ranges ? range : observer->def.enter_radius;
        is_near =
            result == ACRE_OK &&
            acre_interest_distance2(&box, place, observer->def.in_space) <= square_of_radius(enter);
    }
    return is_near;
}

// How many of the things from `near` on are images of the first one.
static size_t count_images(const near_sight *near, size_t count)
{
    size_t images = 0;
    while (images < count && near[images].number == near[0].number) {
        images++;
    }
    return images;
}

// Compares what is near with the old list, and writes the new one. A thing that was seen stays seen
// while an image of it is within the leave radius, whichever that is. There is room.
static void compare_with_old(acre_partition_interest *interest, part_observer *observer,
                             const float *place, size_t near_count)
{
    const near_sight *const near = interest->near.data;
    const part_sight *const old = interest->sights.data;
    sight_output *const outputs = interest->outputs;
    size_t k = observer->first;
    const size_t old_end = observer->first + observer->count;
    for (size_t i = 0, images; i < near_count || k < old_end; i += images) {
        images = count_images(near + i, near_count - i);
        const bool was_seen = k < old_end && (images == 0 || old[k].number <= near[i].number);
        const bool is_near = images > 0 && (!was_seen || old[k].number == near[i].number);
        if (!is_near) {
            add_sight(&outputs[SIGHT_LEFT], old[k].number, old[k].band);
            images = 0;
        } else if (was_seen || has_come_near(interest, observer, place, near + i, images)) {
            const uint8_t band = (uint8_t)near[i].band;
            *COLUMN_AT(interest->new_sights, observer->new_first + observer->new_count++) =
                (part_sight){.number = near[i].number, .band = band};
            add_sight(&outputs[SIGHT_SEEN], near[i].number, band);
            if (!was_seen || old[k].band != band) {
                add_sight(&outputs[was_seen ? SIGHT_CHANGED : SIGHT_ENTERED], near[i].number, band);
            }
        }
        k += was_seen;
    }
}

static acre_result write_sight_row(acre_partition_interest *interest, uint32_t row, size_t *used)
{
    ACRE_INVARIANT(row < interest->observer_count);
    part_observer *const observer = COLUMN_AT(interest->observers, row);
    size_t count = 0;
    acre_observer_state state;
    acre_result result = list_near(interest, observer, &count);
    result = result == ACRE_OK
                 ? acre_interest_get_observer(interest->interest, observer->handle, &state)
                 : result;
    if (result != ACRE_OK) {
        return result;
    }
    bool has_room = COLUMN_RESERVE(&interest->allocator, interest->new_sights, *used + count + 1);
    for (int kind = 0; kind < SIGHT_KINDS && has_room; kind++) {
        sight_output *const output = &interest->outputs[kind];
        has_room = reserve_sight_output(interest, output, count + observer->count);
    }
    if (!has_room) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    for (int kind = 0; kind < SIGHT_KINDS; kind++) {
        *COLUMN_AT(interest->outputs[kind].offsets, row) = interest->outputs[kind].count;
    }
    *COLUMN_AT(interest->numbers, row) = observer->number;
    observer->new_first = *used;
    observer->new_count = 0;
    compare_with_old(interest, observer, state.place, count);
    *used += observer->new_count;
    return ACRE_OK;
}

// Lists without rows.
static void clear_sights(acre_partition_interest *interest)
{
    interest->row_count = 0;
    for (int kind = 0; kind < SIGHT_KINDS; kind++) {
        interest->outputs[kind].count = 0;
        if (interest->outputs[kind].offsets.data) {
            interest->outputs[kind].offsets.data[0] = 0;
        }
    }
}

static acre_result write_sight_rows(acre_partition_interest *interest, size_t *used)
{
    bool has_room =
        COLUMN_RESERVE(&interest->allocator, interest->numbers, interest->observer_count + 1) &&
        COLUMN_RESERVE(&interest->allocator, interest->new_sights, 1);
    clear_sights(interest); // until all is written
    for (int kind = 0; kind < SIGHT_KINDS; kind++) {
        has_room = has_room && reserve_sight_output(interest, &interest->outputs[kind], 0);
    }
    acre_result result = has_room ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
    for (uint32_t row = 0; row < interest->observer_count && result == ACRE_OK; row++) {
        result = write_sight_row(interest, row, used);
    }
    return result;
}

// The new lists are those that the next update compares with.
static void take_new_sights(acre_partition_interest *interest, size_t used)
{
    for (size_t row = 0; row < interest->observer_count; row++) {
        part_observer *const observer = COLUMN_AT(interest->observers, row);
        ACRE_INVARIANT(observer->new_first + observer->new_count <= used);
        observer->first = observer->new_first;
        observer->count = observer->new_count;
    }
    column_swap(&interest->sights.any, &interest->new_sights.any);
    interest->sight_count = used;
}

// Tells the interest the ranges of slots that differ from those of the last update.
static acre_result give_ranges(acre_partition_interest *interest)
{
    const acre_partition *const part = interest->part;
    size_t count = 0;
    if (!COLUMN_RESERVE(&interest->allocator, interest->given, part->slots)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t slot = 0; slot < part->slots; slot++) {
        const bool has_one = interest->ranges && *COLUMN_AT(part->kinds, slot) != ACRE_SLOT_FREE;
        const float range = has_one ? interest->ranges[slot] : 0;
        if (!(range >= 0 && (double)range <= part->ground.range)) {
            return ACRE_ERROR_INVALID_ARGUMENT;
        }
        const float given = *COLUMN_AT(interest->given, slot);
        if (range < given || range > given) {
            if (!COLUMN_RESERVE(&interest->allocator, interest->given_slots, count + 1) ||
                !COLUMN_RESERVE(&interest->allocator, interest->given_ranges, count + 1)) {
                return ACRE_ERROR_OUT_OF_MEMORY;
            }
            *COLUMN_AT(interest->given_slots, count) = slot;
            *COLUMN_AT(interest->given_ranges, count++) = range;
        }
    }
    const acre_range_batch batch = {
        .items = interest->given_slots.data, .ranges = interest->given_ranges.data, .count = count};
    const acre_result result = acre_interest_set_ranges(interest->interest, &batch);
    for (size_t i = 0; i < count && result == ACRE_OK; i++) {
        *COLUMN_AT(interest->given, interest->given_slots.data[i]) = interest->given_ranges.data[i];
    }
    return result;
}

acre_result acre_partition_interest_update(acre_partition_interest *interest)
{
    if (!interest) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (interest->part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    acre_result result = give_ranges(interest);
    result = result == ACRE_OK ? acre_interest_update(interest->interest) : result;
    size_t used = 0;
    if (result != ACRE_OK) {
        return result;
    }
    result = write_sight_rows(interest, &used);
    if (result != ACRE_OK) {
        clear_sights(interest);
        return result;
    }
    interest->row_count = interest->observer_count;
    for (int kind = 0; kind < SIGHT_KINDS; kind++) {
        *COLUMN_AT(interest->outputs[kind].offsets, interest->row_count) =
            interest->outputs[kind].count;
    }
    take_new_sights(interest, used);
    return ACRE_OK;
}
