// SPDX-License-Identifier: MIT
// interest_rooms.c - rooms: sets of items and of observers, and the rooms of each observer.
#include "interest_internal.h"

#include <string.h>

// ---- sets of numbers ----

// The position of the first number that is not smaller.
static size_t number_position(const number_set *set, uint32_t number)
{
    size_t low = 0, high = set->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (set->numbers.data[middle] < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool acre_number_set_has(const number_set *set, uint32_t number)
{
    const size_t at = number_position(set, number);
    return at < set->count && set->numbers.data[at] == number;
}

// @return whether the number was not in the set; false with *failed: no memory.
static bool number_set_add(const acre_allocator *allocator, number_set *set, uint32_t number,
                           bool *failed)
{
    const size_t at = number_position(set, number);
    *failed = false;
    if (at < set->count && set->numbers.data[at] == number) {
        return false;
    }
    if (!COLUMN_RESERVE(allocator, set->numbers, set->count + 1)) {
        *failed = true;
        return false;
    }
    uint32_t *const place = COLUMN_AT(set->numbers, at);
    memmove(place + 1, place, (set->count - at) * sizeof *place);
    *place = number;
    set->count++;
    return true;
}

// @return whether the number was in the set.
static bool number_set_remove(number_set *set, uint32_t number)
{
    const size_t at = number_position(set, number);
    if (at >= set->count || set->numbers.data[at] != number) {
        return false;
    }
    uint32_t *const place = COLUMN_AT(set->numbers, at);
    set->count--;
    memmove(place, place + 1, (set->count - at) * sizeof *place);
    return true;
}

// ---- observers in rooms ----

static interest_room *room_at(const acre_interest *interest, uint32_t room)
{
    return room < interest->rooms.capacity ? &interest->rooms.data[room] : NULL;
}

// The observers of a room are to be updated.
static void touch_room(acre_interest *interest, const interest_room *room)
{
    for (size_t i = 0; i < room->rows.count; i++) {
        COLUMN_AT(interest->rows, room->rows.numbers.data[i])->is_dirty = true;
    }
}

// Adds a number to one set of a room, and on success to another one, or to none of them.
static acre_result join_both(const acre_allocator *allocator, number_set *a, uint32_t in_a,
                             number_set *b, uint32_t in_b)
{
    bool failed = false;
    if (!number_set_add(allocator, a, in_a, &failed)) {
        return failed ? ACRE_ERROR_OUT_OF_MEMORY : ACRE_ERROR_EXISTS;
    }
    if (!number_set_add(allocator, b, in_b, &failed)) {
        ACRE_INVARIANT(failed); // the two sets list the same memberships
        (void)number_set_remove(a, in_a);
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    return ACRE_OK;
}

acre_result acre_interest_join(acre_interest *interest, acre_observer observer, uint32_t room)
{
    if (!interest) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (room >= ACRE_INTEREST_ROOMS) {
        return ACRE_ERROR_CAPACITY;
    }
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    acre_result result = ACRE_ERROR_STALE_HANDLE;
    observer_row *const row = acre_interest_row(interest, observer);
    if (row) {
        result = ACRE_ERROR_OUT_OF_MEMORY;
        if (COLUMN_RESERVE(&interest->allocator, interest->rooms, (size_t)room + 1)) {
            result = join_both(&interest->allocator, &room_at(interest, room)->rows,
                               observer.index1 - 1, &row->rooms, room);
        }
        row->is_dirty |= result == ACRE_OK;
    }
    access_end_write(&interest->access);
    return result;
}

acre_result acre_interest_leave(acre_interest *interest, acre_observer observer, uint32_t room)
{
    if (!interest) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    acre_result result = ACRE_ERROR_STALE_HANDLE;
    observer_row *const row = acre_interest_row(interest, observer);
    if (row) {
        result = ACRE_ERROR_NOT_FOUND;
        if (number_set_remove(&row->rooms, room)) {
            const bool was_there =
                number_set_remove(&room_at(interest, room)->rows, observer.index1 - 1);
            ACRE_INVARIANT(was_there);
            (void)was_there;
            row->is_dirty = true;
            result = ACRE_OK;
        }
    }
    access_end_write(&interest->access);
    return result;
}

void acre_interest_leave_all_rooms(acre_interest *interest, uint32_t row)
{
    number_set *const rooms = &COLUMN_AT(interest->rows, row)->rooms;
    for (size_t i = 0; i < rooms->count; i++) {
        const bool was_there =
            number_set_remove(&room_at(interest, rooms->numbers.data[i])->rows, row);
        ACRE_INVARIANT(was_there);
        (void)was_there;
    }
    COLUMN_FREE(&interest->allocator, rooms->numbers);
    rooms->count = 0;
}

uint32_t acre_interest_shared_rooms(const acre_interest *interest, const observer_row *row,
                                    uint32_t item)
{
    uint32_t shared = 0;
    for (size_t i = 0; i < row->rooms.count; i++) {
        shared += acre_number_set_has(&room_at(interest, row->rooms.numbers.data[i])->items, item);
    }
    return shared;
}

// ---- items in rooms ----

void acre_interest_drop_item(acre_interest *interest, uint32_t item)
{
    if (item >= interest->room_members.capacity) {
        return;
    }
    room_member *const member = COLUMN_AT(interest->room_members, item);
    for (size_t i = 0; member->rooms > 0 && i < interest->rooms.capacity; i++) {
        interest_room *const room = &interest->rooms.data[i];
        if (number_set_remove(&room->items, item)) {
            ACRE_INVARIANT(member->rooms > 0 && room->items.count < room->items.numbers.capacity);
            member->rooms--;
            touch_room(interest, room);
        }
    }
    ACRE_INVARIANT(member->rooms == 0);
}

static acre_result join_item(acre_interest *interest, uint32_t item, uint32_t generation,
                             uint32_t room)
{
    const acre_allocator *const allocator = &interest->allocator;
    if (!COLUMN_RESERVE(allocator, interest->rooms, (size_t)room + 1) ||
        !COLUMN_RESERVE(allocator, interest->room_members, (size_t)item + 1)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    room_member *const member = COLUMN_AT(interest->room_members, item);
    if (member->generation != generation) {
        acre_interest_drop_item(interest, item);
        member->generation = generation;
    }
    bool failed = false;
    if (!number_set_add(allocator, &room_at(interest, room)->items, item, &failed)) {
        return failed ? ACRE_ERROR_OUT_OF_MEMORY : ACRE_ERROR_EXISTS;
    }
    member->rooms++;
    touch_room(interest, room_at(interest, room));
    return ACRE_OK;
}

static acre_result leave_item(acre_interest *interest, uint32_t item, uint32_t generation,
                              uint32_t room)
{
    interest_room *const left = room_at(interest, room);
    if (!left || item >= interest->room_members.capacity ||
        COLUMN_AT(interest->room_members, item)->generation != generation ||
        !number_set_remove(&left->items, item)) {
        return ACRE_ERROR_NOT_FOUND;
    }
    ACRE_INVARIANT(COLUMN_AT(interest->room_members, item)->rooms > 0);
    COLUMN_AT(interest->room_members, item)->rooms--;
    touch_room(interest, left);
    return ACRE_OK;
}

typedef acre_result interest_membership(acre_interest *interest, uint32_t item, uint32_t generation,
                                        uint32_t room);

static acre_result change_item(acre_interest *interest, uint32_t item, uint32_t room,
                               interest_membership *change)
{
    if (!interest || interest->front) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (room >= ACRE_INTEREST_ROOMS || item >= INTEREST_ITEMS) {
        return change == join_item ? ACRE_ERROR_CAPACITY : ACRE_ERROR_NOT_FOUND;
    }
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    const acre_result result =
        change(interest, item, acre_interest_generation(interest, item), room);
    access_end_write(&interest->access);
    return result;
}

acre_result acre_interest_join_item(acre_interest *interest, uint32_t item, uint32_t room)
{
    return change_item(interest, item, room, join_item);
}

acre_result acre_interest_leave_item(acre_interest *interest, uint32_t item, uint32_t room)
{
    return change_item(interest, item, room, leave_item);
}

static acre_result change_entity(acre_interest *interest, acre_entity entity, uint32_t room,
                                 interest_membership *change)
{
    if (!interest || !interest->front) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (room >= ACRE_INTEREST_ROOMS) {
        return change == join_item ? ACRE_ERROR_CAPACITY : ACRE_ERROR_NOT_FOUND;
    }
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    acre_result result = ACRE_ERROR_STALE_HANDLE;
    if (interest->front->is_alive(interest->front_state, entity)) {
        result = change(interest, entity.index1 - 1, entity.generation, room);
    }
    access_end_write(&interest->access);
    return result;
}

acre_result acre_interest_join_entity(acre_interest *interest, acre_entity entity, uint32_t room)
{
    return change_entity(interest, entity, room, join_item);
}

acre_result acre_interest_leave_entity(acre_interest *interest, acre_entity entity, uint32_t room)
{
    return change_entity(interest, entity, room, leave_item);
}
