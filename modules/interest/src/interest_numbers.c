// SPDX-License-Identifier: MIT
// interest_numbers.c - numbers that may lie far apart: marks, sets, maps, and the rows of a batch.
#include "interest_internal.h"

#include "bits_internal.h"

#include <string.h>

// ---- marks ----

bool acre_item_marks_add(const acre_allocator *allocator, item_marks *marks, uint32_t item)
{
    if (item_is_marked(marks, item)) {
        return true;
    }
    if (!COLUMN_RESERVE(allocator, marks->bits, (size_t)item / 64 + 1) ||
        !COLUMN_RESERVE(allocator, marks->items, marks->count + 1)) {
        return false;
    }
    *COLUMN_AT(marks->bits, item / 64) |= UINT64_C(1) << (item & 63);
    *COLUMN_AT(marks->items, marks->count++) = item;
    return true;
}

void acre_item_marks_clear(item_marks *marks)
{
    for (size_t i = 0; i < marks->count; i++) {
        *COLUMN_AT(marks->bits, *COLUMN_AT(marks->items, i) / 64) = 0;
    }
    marks->count = 0;
}

// ---- sets ----

bool acre_number_set_has(const number_set *set, uint32_t number)
{
    const size_t at = acre_number_position(set->numbers.data, set->count, number);
    return at < set->count && set->numbers.data[at] == number;
}

void acre_number_set_add(number_set *set, const uint32_t *numbers, size_t count)
{
    uint32_t *const own = set->numbers.data;
    size_t end = set->count; // those behind it have moved
    ACRE_INVARIANT(set->count + count <= set->numbers.capacity);
    for (size_t i = count; i-- > 0;) {
        const size_t at = acre_number_position(own, end, numbers[i]);
        ACRE_INVARIANT(at == end || own[at] != numbers[i]);
        memmove(own + at + i + 1, own + at, (end - at) * sizeof *own);
        own[at + i] = numbers[i];
        end = at;
    }
    set->count += count;
}

void acre_number_set_remove(number_set *set, const uint32_t *numbers, size_t count)
{
    uint32_t *const own = set->numbers.data;
    size_t at = count > 0 ? acre_number_position(own, set->count, numbers[0]) : 0;
    for (size_t i = 0; i < count; i++) {
        ACRE_INVARIANT(at < set->count && own[at] == numbers[i]);
        const size_t next =
            i + 1 < count ? acre_number_position(own, set->count, numbers[i + 1]) : set->count;
        memmove(own + at - i, own + at + 1, (next - at - 1) * sizeof *own);
        at = next;
    }
    set->count -= count;
}

// ---- maps ----

// Where a number stands in the table, or the empty place where it would.
static size_t table_place(const number_map *map, uint32_t number)
{
    const size_t mask = map->table.capacity - 1;
    ACRE_INVARIANT(map->table.capacity > map->count && (map->table.capacity & mask) == 0);
    size_t at = (size_t)mix_bits(number) & mask;
    while (map->table.data[at] != 0 &&
           *COLUMN_AT(map->numbers, map->table.data[at] - 1) != number) {
        at = (at + 1) & mask;
    }
    return at;
}

uint32_t acre_number_map_find(const number_map *map, uint32_t number)
{
    const uint32_t place1 = map->count > 0 ? map->table.data[table_place(map, number)] : 0;
    return place1 > 0 ? place1 - 1 : INTEREST_NONE;
}

// At least half of the table is empty.
static bool reserve_map_table(const acre_allocator *allocator, number_map *map)
{
    if (map->table.capacity >= 2 * ((size_t)map->count + 1)) {
        return true;
    }
    column old = map->table.any;
    const size_t capacity = old.capacity > 0 ? 2 * old.capacity : 64;
    map->table.any = (column){NULL, 0};
    if (!COLUMN_RESERVE(allocator, map->table, capacity)) {
        map->table.any = old;
        return false;
    }
    ACRE_INVARIANT(map->table.capacity == capacity);
    for (uint32_t i = 0; i < map->count; i++) {
        map->table.data[table_place(map, map->numbers.data[i])] = i + 1;
    }
    acre_column_free(allocator, &old, sizeof *map->table.data);
    return true;
}

uint32_t acre_number_map_take(const acre_allocator *allocator, number_map *map, column *data,
                              size_t element, uint32_t number)
{
    const uint32_t place = acre_number_map_find(map, number);
    if (place != INTEREST_NONE) {
        return place;
    }
    if (!acre_column_reserve(allocator, data, (size_t)map->count + 1, element) ||
        !COLUMN_RESERVE(allocator, map->numbers, (size_t)map->count + 1) ||
        !reserve_map_table(allocator, map)) {
        return INTEREST_NONE;
    }
    *COLUMN_AT(map->numbers, map->count) = number;
    *COLUMN_AT(map->table, table_place(map, number)) = map->count + 1;
    return map->count++;
}

uint32_t acre_interest_epoch(const acre_interest *interest, uint32_t item)
{
    const uint32_t place = acre_number_map_find(&interest->epoch_map, item);
    return place == INTEREST_NONE ? 0 : *COLUMN_AT(interest->epochs, place);
}

// ---- batches ----

void acre_interest_refuse_row(acre_interest *interest, size_t row, acre_result result)
{
    acre_quadtree_report *const report = &interest->report;
    ACRE_INVARIANT(result != ACRE_OK);
    if (report->refused++ == 0 || row < report->first_row) {
        report->first_row = row;
        report->first_result = result;
    }
}
