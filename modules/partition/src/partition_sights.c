// SPDX-License-Identifier: MIT
// partition_sights.c - an update: what each observer of a part sees by number, and what of it is
// new.
#include "partition_interest_internal.h"

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

// The next number of a list, with the nearest band of its images. @return false at the end.
static bool next_sight(const part_sight *sights, size_t count, size_t *at, part_sight *out)
{
    if (*at == count) {
        return false;
    }
    *out = sights[(*at)++];
    for (; *at < count && sights[*at].number == out->number; ++*at) {
        out->band = sights[*at].band < out->band ? sights[*at].band : out->band;
    }
    return true;
}

// Compares two lists that ascend by number. There is room.
static void compare_sight_lists(acre_partition_interest *interest, const part_sight *old,
                                size_t old_count, const part_sight *now, size_t now_count)
{
    sight_output *const outputs = interest->outputs;
    size_t old_at = 0, now_at = 0;
    part_sight before = {0}, after = {0};
    bool has_before = next_sight(old, old_count, &old_at, &before);
    bool has_after = next_sight(now, now_count, &now_at, &after);
    while (has_before || has_after) {
        const bool is_old = has_before && (!has_after || before.number <= after.number);
        const bool is_now = has_after && (!has_before || after.number <= before.number);
        if (is_now) {
            add_sight(&outputs[SIGHT_SEEN], after.number, after.band);
        }
        if (is_old && is_now && before.band != after.band) {
            add_sight(&outputs[SIGHT_CHANGED], after.number, after.band);
        } else if (is_old && !is_now) {
            add_sight(&outputs[SIGHT_LEFT], before.number, before.band);
        } else if (is_now && !is_old) {
            add_sight(&outputs[SIGHT_ENTERED], after.number, after.band);
        }
        has_before = is_old ? next_sight(old, old_count, &old_at, &before) : has_before;
        has_after = is_now ? next_sight(now, now_count, &now_at, &after) : has_after;
    }
}

// ---- lists ----

static int compare_sights(const void *x, const void *y)
{
    const part_sight *const a = x, *const b = y;
    if (a->number != b->number) {
        return a->number < b->number ? -1 : 1;
    }
    return (a->image > b->image) - (a->image < b->image);
}

// Lists what an observer sees now behind the others of new_sights.
static acre_result list_sights_now(acre_partition_interest *interest, const part_observer *observer,
                                   size_t first, size_t *count)
{
    const acre_partition *const part = interest->part;
    // Without memory one of the two may have grown alone.
    const size_t room = interest->items.capacity < interest->bands.capacity
                            ? interest->items.capacity
                            : interest->bands.capacity;
    size_t total = 0;
    acre_result result =
        acre_interest_list_seen(interest->interest, observer->handle, interest->items.data,
                                interest->bands.data, room, &total);
    if (result == ACRE_OK && total > room) {
        result = ACRE_ERROR_OUT_OF_MEMORY;
        if (COLUMN_RESERVE(&interest->allocator, interest->items, total) &&
            COLUMN_RESERVE(&interest->allocator, interest->bands, total)) {
            result =
                acre_interest_list_seen(interest->interest, observer->handle, interest->items.data,
                                        interest->bands.data, total, &total);
        }
    }
    if (result != ACRE_OK ||
        !COLUMN_RESERVE(&interest->allocator, interest->new_sights, first + total + 1)) {
        return result != ACRE_OK ? result : ACRE_ERROR_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < total; i++) {
        const uint32_t slot = *COLUMN_AT(interest->items, i);
        *COLUMN_AT(interest->new_sights, first + i) =
            (part_sight){.number = *COLUMN_AT(part->numbers, slot),
                         .image = *COLUMN_AT(part->images, slot),
                         .band = *COLUMN_AT(interest->bands, i)};
    }
    if (total > 1) {
        qsort(&interest->new_sights.data[first], total, sizeof *interest->new_sights.data,
              compare_sights);
    }
    *count = total;
    return ACRE_OK;
}

static acre_result write_sight_row(acre_partition_interest *interest, uint32_t row, size_t *used)
{
    ACRE_INVARIANT(row < interest->observer_count);
    part_observer *const observer = COLUMN_AT(interest->observers, row);
    size_t count = 0;
    const acre_result result = list_sights_now(interest, observer, *used, &count);
    bool has_room = result == ACRE_OK;
    for (int kind = 0; kind < SIGHT_KINDS && has_room; kind++) {
        sight_output *const output = &interest->outputs[kind];
        has_room = reserve_sight_output(interest, output, count + observer->count);
    }
    if (!has_room) {
        return result != ACRE_OK ? result : ACRE_ERROR_OUT_OF_MEMORY;
    }
    for (int kind = 0; kind < SIGHT_KINDS; kind++) {
        *COLUMN_AT(interest->outputs[kind].offsets, row) = interest->outputs[kind].count;
    }
    const part_sight *const old = observer->count > 0 ? COLUMN_AT(interest->sights, observer->first)
                                                      : interest->new_sights.data; // not read
    compare_sight_lists(interest, old, observer->count, COLUMN_AT(interest->new_sights, *used),
                        count);
    *COLUMN_AT(interest->numbers, row) = observer->number;
    observer->new_first = *used;
    observer->new_count = count;
    *used += count;
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
    const column old = interest->sights.any;
    interest->sights.any = interest->new_sights.any;
    interest->new_sights.any = old;
    interest->sight_count = used;
}

acre_result acre_partition_interest_update(acre_partition_interest *interest)
{
    if (!interest) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_partition *const part = interest->part;
    if (part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    // Between two exchanges without an update a slot may have got another item.
    acre_result result =
        part->ticks > interest->ticks + 1 ? acre_sights_seed_all(interest) : ACRE_OK;
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
    interest->ticks = part->ticks;
    return ACRE_OK;
}
