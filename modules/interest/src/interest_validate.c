// SPDX-License-Identifier: MIT
// interest_validate.c - checks the invariants of interest_internal.h, and counts what there is.
#include "interest_internal.h"

#include "bits_internal.h"

#include <stdio.h>
#include <string.h>

// One check: where it stands, and what it says if it fails.
typedef struct interest_check {
    const acre_interest *interest;
    char *message;
    size_t size;
    bool has_failed;
} interest_check;

static void expect(interest_check *check, bool holds, int rule, const char *text, size_t row)
{
    if (!holds && !check->has_failed) {
        check->has_failed = true;
        if (check->message && check->size > 0) {
            (void)snprintf(check->message, check->size, "rule %d: %s (row %zu)", rule, text, row);
        }
    }
}

static bool set_ascends(const number_set *set)
{
    for (size_t i = 1; i < set->count; i++) {
        if (set->numbers.data[i - 1] >= set->numbers.data[i]) {
            return false;
        }
    }
    return set->count <= set->numbers.capacity;
}

static void check_map(interest_check *check, const number_map *map)
{
    for (uint32_t i = 0; i < map->count; i++) {
        expect(check, acre_number_map_find(map, map->numbers.data[i]) == i, 5,
               "a map does not find a number", i);
    }
}

static void check_near_list(interest_check *check, const observer_row *row, size_t index)
{
    const interest_lists *const lists = &check->interest->lists;
    uint32_t seen = 0;
    for (size_t i = row->first; i < row->first + row->count; i++) {
        const uint8_t marks = lists->marks.data[i];
        seen += (marks & MARK_SEEN) != 0;
        expect(check, !(marks & ~MARKS_KEPT), 4, "an entry has marks of a finding", index);
        expect(check, !(marks & MARK_RANGE) || (marks & MARK_SEEN), 4,
               "an entry is in range and not seen", index);
        bool is_twice = false;
        for (size_t k = row->first; k < i; k++) {
            is_twice |= lists->items.data[k] == lists->items.data[i];
        }
        expect(check, !is_twice, 3, "a list has an item twice", index);
    }
    expect(check, row->set_words > 0 || seen == row->seen, 4, "the number of things seen is wrong",
           index);
}

static void check_bits(interest_check *check, const observer_row *row, size_t index)
{
    const size_t words = row->set_words;
    if (words == 0) {
        return;
    }
    uint32_t seen = 0;
    uint64_t lost = 0; // in a band, and not seen
    for (size_t i = 0; i < words; i++) {
        seen += count_bits(row->set.data[i]);
        for (size_t plane = 1; plane < row->set_planes; plane++) {
            lost |= row->set.data[plane * words + i] & ~row->set.data[i];
        }
    }
    expect(check, row->count == 0 && words * row->set_planes <= row->set.capacity, 8,
           "a row has a list and a set", index);
    expect(check, seen == row->seen && lost == 0, 8, "a set is wrong", index);
}

static void check_rooms_of_row(interest_check *check, const observer_row *row, size_t index)
{
    expect(check, set_ascends(&row->rooms), 5, "an observer's rooms do not ascend", index);
    for (size_t i = 0; i < row->rooms.count; i++) {
        const uint32_t room = row->rooms.numbers.data[i];
        expect(check,
               room < check->interest->room_map.count &&
                   acre_number_set_has(&check->interest->rooms.data[room].rows, (uint32_t)index),
               6, "a room does not know its observer", index);
    }
}

static void check_observers(interest_check *check)
{
    const acre_interest *const interest = check->interest;
    size_t used = 0, live = 0;
    for (size_t i = 0; i < interest->row_count; i++) {
        const observer_row *const row = &interest->rows.data[i];
        if (!row->is_used) {
            expect(check,
                   row->count == 0 && row->capacity == 0 && row->rooms.count == 0 &&
                       row->set_words == 0,
                   7, "a free row holds something", i);
            continue;
        }
        used++;
        live += row->count;
        check_bits(check, row, i);
        expect(check,
               row->count <= row->capacity && row->first + row->capacity <= interest->lists.used, 1,
               "a list leaves the arena", i);
        check_near_list(check, row, i);
        check_rooms_of_row(check, row, i);
        expect(check, !row->is_found, 1, "an update has not ended", i);
    }
    expect(check, used == interest->observers, 7, "the number of observers is wrong", 0);
    expect(check, live == interest->live, 2, "the number of entries is wrong", 0);
    expect(check, interest->lists.used <= interest->lists.items.capacity, 1,
           "the arena is too small", 0);
}

static void check_free_rows(interest_check *check)
{
    const acre_interest *const interest = check->interest;
    size_t free_rows = 0;
    for (uint32_t row = interest->free_row;
         row != INTEREST_NONE && free_rows <= interest->row_count;
         row = interest->rows.data[row].next_free) {
        if (row >= interest->row_count || interest->rows.data[row].is_used) {
            expect(check, false, 7, "the chain of free rows is broken", row);
            return;
        }
        free_rows++;
    }
    expect(check, free_rows + interest->observers == interest->row_count, 7,
           "a row is neither used nor free", 0);
}

static void check_overlaps(interest_check *check)
{
    const acre_interest *const interest = check->interest;
    for (size_t i = 0; i < interest->row_count; i++) {
        const observer_row *const a = &interest->rows.data[i];
        for (size_t k = 0; k < i && a->capacity > 0; k++) {
            const observer_row *const b = &interest->rows.data[k];
            expect(check,
                   b->capacity == 0 || a->first + a->capacity <= b->first ||
                       b->first + b->capacity <= a->first,
                   2, "two lists overlap", i);
        }
    }
}

static void check_room_sets(interest_check *check)
{
    const acre_interest *const interest = check->interest;
    size_t memberships = 0, counted = 0;
    check_map(check, &interest->room_map);
    check_map(check, &interest->member_map);
    check_map(check, &interest->epoch_map);
    for (uint32_t i = 0; i < interest->room_map.count; i++) {
        const interest_room *const room = COLUMN_AT(interest->rooms, i);
        expect(check, set_ascends(&room->items) && set_ascends(&room->rows), 5,
               "the members of a room do not ascend", i);
        memberships += room->items.count;
        for (size_t k = 0; k < room->rows.count; k++) {
            const uint32_t row = room->rows.numbers.data[k];
            expect(check,
                   row < interest->row_count &&
                       acre_number_set_has(&interest->rows.data[row].rooms, i),
                   6, "an observer does not know its room", row);
        }
    }
    for (uint32_t i = 0; i < interest->member_map.count; i++) {
        counted += COLUMN_AT(interest->room_members, i)->rooms;
    }
    expect(check, memberships == counted, 6, "the rooms of items are counted wrongly", 0);
}

static void check_ranges(interest_check *check)
{
    const acre_interest *const interest = check->interest;
    const interest_ranges *const ranges = &interest->ranges;
    size_t count = 0, bits = 0;
    check_map(check, &ranges->map);
    for (uint32_t i = 0; i < ranges->map.count; i++) {
        const ranged_thing *const thing = COLUMN_AT(ranges->things, i);
        count += thing->range > 0;
        expect(check, (thing->range > 0) == item_has_range(interest, ranges->map.numbers.data[i]),
               9, "the bit of a range is wrong", i);
        expect(check, thing->is_filed == acre_quadtree_contains(ranges->tree, i), 9,
               "a thing with a range is filed wrongly", i);
    }
    for (size_t i = 0; i < ranges->bits.capacity; i++) {
        bits += count_bits(ranges->bits.data[i]);
    }
    expect(check, count == ranges->count && bits == count, 9, "the number of ranges is wrong", 0);
}

acre_result acre_interest_validate(const acre_interest *interest, char *message, size_t size)
{
    if (!interest) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    if (message && size > 0) {
        message[0] = 0;
    }
    interest_check check = {.interest = interest, .message = message, .size = size};
    check_observers(&check);
    check_free_rows(&check);
    check_overlaps(&check);
    check_room_sets(&check);
    check_ranges(&check);
    access_end_read(&interest->access);
    return check.has_failed ? ACRE_ERROR_FORMAT : ACRE_OK;
}

// ---- statistics ----

void acre_interest_get_stats(const acre_interest *interest, acre_interest_stats *out)
{
    *out = (acre_interest_stats){0};
    if (!interest || !access_begin_read(&interest->access)) {
        return;
    }
    out->observers = interest->observers;
    for (size_t i = 0; i < interest->row_count; i++) {
        out->seen += interest->rows.data[i].seen;
    }
    out->bytes = acre_interest_bytes(interest);
    access_end_read(&interest->access);
}
