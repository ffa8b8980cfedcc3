// SPDX-License-Identifier: MIT
// interest_rooms.c - rooms: sets of items and of observers, and the rooms of each observer.
//
// Every call is a batch of members that join or leave one room. What may fail comes first.
#include "interest_internal.h"

#include "sort_internal.h"

#include <string.h>

// ---- what other files do with rooms ----

void acre_interest_touch_room(acre_interest *interest, const interest_room *room)
{
    for (size_t i = 0; i < room->rows.count; i++) {
        COLUMN_AT(interest->rows, room->rows.numbers.data[i])->is_dirty = true;
    }
}

void acre_interest_leave_all_rooms(acre_interest *interest, uint32_t row)
{
    number_set *const rooms = &COLUMN_AT(interest->rows, row)->rooms;
    for (size_t i = 0; i < rooms->count; i++) {
        acre_number_set_remove(&COLUMN_AT(interest->rooms, rooms->numbers.data[i])->rows, &row, 1);
    }
    COLUMN_FREE(&interest->allocator, rooms->numbers);
    rooms->count = 0;
}

uint32_t acre_interest_shared_rooms(const acre_interest *interest, const observer_row *row,
                                    uint32_t item)
{
    uint32_t shared = 0;
    for (size_t i = 0; i < row->rooms.count; i++) {
        const interest_room *const room = COLUMN_AT(interest->rooms, row->rooms.numbers.data[i]);
        shared += acre_number_set_has(&room->items, item);
    }
    return shared;
}

void acre_interest_drop_item(acre_interest *interest, uint32_t item)
{
    const uint32_t place = acre_number_map_find(&interest->member_map, item);
    if (place == INTEREST_NONE) {
        return;
    }
    room_member *const member = COLUMN_AT(interest->room_members, place);
    for (uint32_t i = 0; member->rooms > 0 && i < interest->room_map.count; i++) {
        interest_room *const room = COLUMN_AT(interest->rooms, i);
        if (acre_number_set_has(&room->items, item)) {
            acre_number_set_remove(&room->items, &item, 1);
            member->rooms--;
            acre_interest_touch_room(interest, room);
        }
    }
    ACRE_INVARIANT(member->rooms == 0);
}

// ---- a batch ----

// The number that a row stands for: an observer's row, or an item.
static acre_result read_member(const acre_interest *interest, const acre_room_batch *batch,
                               size_t row, uint32_t *number)
{
    if (batch->items) {
        *number = batch->items[row];
        return *number < INTEREST_ITEMS ? ACRE_OK
               : batch->leaves          ? ACRE_ERROR_NOT_FOUND
                                        : ACRE_ERROR_CAPACITY;
    }
    const bool is_alive =
        batch->entities ? interest->front->is_alive(interest->front_state, batch->entities[row])
                        : acre_interest_row(interest, batch->observers[row]) != NULL;
    *number = batch->entities ? batch->entities[row].index1 - 1 : batch->observers[row].index1 - 1;
    return is_alive ? ACRE_OK : ACRE_ERROR_STALE_HANDLE;
}

// Outside of updates a front says no generations.
static uint32_t generation_of_member(const acre_interest *interest, const acre_room_batch *batch,
                                     size_t row)
{
    return batch->entities ? batch->entities[row].generation
                           : acre_interest_generation(interest, batch->items[row]);
}

enum { FEW_MEMBERS = 16 }; // so few need no memory, so that a leave of one cannot fail

// Lists the members and their rows in the batch, ascending. @return pairs; NULL: no memory.
// few: room for FEW_MEMBERS.
static uint32_t *list_members(acre_interest *interest, const acre_room_batch *batch, uint32_t *few,
                              size_t *count)
{
    *count = 0;
    if (batch->count > FEW_MEMBERS &&
        !COLUMN_RESERVE(&interest->allocator, interest->share.near.scratch, 4 * batch->count)) {
        return NULL;
    }
    uint32_t *const pairs = batch->count > FEW_MEMBERS ? interest->share.near.scratch.data : few;
    for (size_t i = 0; i < batch->count; i++) {
        uint32_t number;
        const acre_result result = read_member(interest, batch, i, &number);
        if (result == ACRE_OK) {
            pairs[2 * *count] = number;
            pairs[2 * (*count)++ + 1] = (uint32_t)i;
        } else {
            acre_interest_refuse_row(interest, i, result);
        }
    }
    return *count > 1 ? acre_sort_number_pairs(pairs, pairs + 2 * *count, *count) : pairs;
}

// Makes room for members that join. @return the room's place; INTEREST_NONE: no memory.
static uint32_t reserve_members(acre_interest *interest, const acre_room_batch *batch,
                                const uint32_t *pairs, size_t count)
{
    const acre_allocator *const allocator = &interest->allocator;
    const uint32_t place =
        NUMBER_MAP_TAKE(allocator, &interest->room_map, interest->rooms, batch->room);
    if (place == INTEREST_NONE) {
        return place;
    }
    interest_room *const room = COLUMN_AT(interest->rooms, place);
    number_set *const set = batch->observers ? &room->rows : &room->items;
    bool has_room = COLUMN_RESERVE(allocator, set->numbers, set->count + count);
    for (size_t i = 0; i < count && has_room; i++) {
        if (batch->observers) {
            number_set *const rooms = &COLUMN_AT(interest->rows, pairs[2 * i])->rooms;
            has_room =
                COLUMN_RESERVE_FROM(allocator, rooms->numbers, rooms->count + 1, FIRST_ROOMS);
        } else {
            has_room = NUMBER_MAP_TAKE(allocator, &interest->member_map, interest->room_members,
                                       pairs[2 * i]) != INTEREST_NONE;
        }
    }
    return has_room ? place : INTEREST_NONE;
}

// Whether a member is in a room. An item of another generation is another thing: it is in none, and
// if it joins, that one leaves its rooms.
static bool is_in_room(acre_interest *interest, const acre_room_batch *batch, const number_set *set,
                       const uint32_t *pair)
{
    const uint32_t place =
        batch->observers ? INTEREST_NONE : acre_number_map_find(&interest->member_map, pair[0]);
    if (place != INTEREST_NONE) {
        room_member *const member = COLUMN_AT(interest->room_members, place);
        const uint32_t generation = generation_of_member(interest, batch, pair[1]);
        if (member->generation != generation && batch->leaves) {
            return false;
        }
        if (member->generation != generation) {
            acre_interest_drop_item(interest, pair[0]);
            member->generation = generation;
        }
    }
    return acre_number_set_has(set, pair[0]);
}

// Refuses the rows that change nothing. @return how many members are left at the begin of `pairs`,
// without their rows.
static size_t keep_changes(acre_interest *interest, const acre_room_batch *batch,
                           const number_set *set, uint32_t *pairs, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t pair[2] = {pairs[2 * i], pairs[2 * i + 1]};
        const bool is_twice = kept > 0 && pairs[kept - 1] == pair[0];
        if (is_twice || is_in_room(interest, batch, set, pair) != batch->leaves) {
            acre_interest_refuse_row(interest, pair[1],
                                     batch->leaves ? ACRE_ERROR_NOT_FOUND : ACRE_ERROR_EXISTS);
        } else {
            pairs[kept++] = pair[0];
        }
    }
    return kept;
}

static void change_set(number_set *set, const uint32_t *numbers, size_t count, bool leaves)
{
    if (leaves) {
        acre_number_set_remove(set, numbers, count);
    } else {
        acre_number_set_add(set, numbers, count);
    }
}

static acre_result change_members(acre_interest *interest, const acre_room_batch *batch)
{
    size_t count;
    uint32_t few[4 * FEW_MEMBERS];
    uint32_t *const pairs = list_members(interest, batch, few, &count);
    const uint32_t place = !pairs          ? INTEREST_NONE
                           : batch->leaves ? acre_number_map_find(&interest->room_map, batch->room)
                                           : reserve_members(interest, batch, pairs, count);
    if (!pairs || (!batch->leaves && place == INTEREST_NONE)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    interest_room none = {.items = {.count = 0}};
    interest_room *const room = place == INTEREST_NONE ? &none : COLUMN_AT(interest->rooms, place);
    number_set *const set = batch->observers ? &room->rows : &room->items;
    count = keep_changes(interest, batch, set, pairs, count);
    change_set(set, pairs, count, batch->leaves);
    for (size_t i = 0; i < count; i++) {
        if (batch->observers) {
            observer_row *const row = COLUMN_AT(interest->rows, pairs[i]);
            change_set(&row->rooms, &place, 1, batch->leaves);
            row->is_dirty = true;
        } else {
            const uint32_t at = acre_number_map_find(&interest->member_map, pairs[i]);
            COLUMN_AT(interest->room_members, at)->rooms += batch->leaves ? UINT32_MAX : 1;
        }
    }
    if (!batch->observers && count > 0) {
        acre_interest_touch_room(interest, room);
    }
    return ACRE_OK;
}

acre_result acre_interest_change_room(acre_interest *interest, const acre_room_batch *batch)
{
    if (!interest || !batch || (batch->items && interest->front) ||
        (batch->entities && !interest->front) ||
        (batch->count > 0 &&
         (batch->observers != NULL) + (batch->items != NULL) + (batch->entities != NULL) != 1)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if ((!batch->leaves && batch->room >= ACRE_INTEREST_ROOMS) || batch->count > UINT32_MAX) {
        return ACRE_ERROR_CAPACITY;
    }
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    interest->report = (acre_quadtree_report){0, 0, ACRE_OK};
    const acre_result result = change_members(interest, batch);
    if (result != ACRE_OK) { // nothing has changed
        interest->report = (acre_quadtree_report){batch->count, 0, result};
    }
    access_end_write(&interest->access);
    return interest->report.first_result;
}

// ---- one member ----

acre_result acre_interest_join(acre_interest *interest, acre_observer observer, uint32_t room)
{
    const acre_room_batch batch = {.room = room, .observers = &observer, .count = 1};
    return acre_interest_change_room(interest, &batch);
}

acre_result acre_interest_leave(acre_interest *interest, acre_observer observer, uint32_t room)
{
    const acre_room_batch batch = {
        .room = room, .leaves = true, .observers = &observer, .count = 1};
    return acre_interest_change_room(interest, &batch);
}

acre_result acre_interest_join_item(acre_interest *interest, uint32_t item, uint32_t room)
{
    const acre_room_batch batch = {.room = room, .items = &item, .count = 1};
    return acre_interest_change_room(interest, &batch);
}

acre_result acre_interest_leave_item(acre_interest *interest, uint32_t item, uint32_t room)
{
    const acre_room_batch batch = {.room = room, .leaves = true, .items = &item, .count = 1};
    return acre_interest_change_room(interest, &batch);
}

acre_result acre_interest_join_entity(acre_interest *interest, acre_entity entity, uint32_t room)
{
    const acre_room_batch batch = {.room = room, .entities = &entity, .count = 1};
    return acre_interest_change_room(interest, &batch);
}

acre_result acre_interest_leave_entity(acre_interest *interest, acre_entity entity, uint32_t room)
{
    const acre_room_batch batch = {.room = room, .leaves = true, .entities = &entity, .count = 1};
    return acre_interest_change_room(interest, &batch);
}
