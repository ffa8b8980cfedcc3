// SPDX-License-Identifier: MIT
// interest_generations.c - item numbers that are used again for another thing.
#include "interest_internal.h"

bool acre_interest_note_generation(acre_interest *interest, uint32_t item, uint32_t generation)
{
    uint32_t *const noted = COLUMN_AT(interest->noted, item);
    if (*noted == generation) {
        return true;
    }
    if (interest->front && *noted == 0) { // an entity's generation is never 0: the slot is new
        *noted = generation;
    } else if (!acre_item_marks_add(&interest->allocator, &interest->reused, item)) {
        return false;
    }
    const uint32_t place = acre_number_map_find(&interest->member_map, item);
    if (place != INTEREST_NONE &&
        COLUMN_AT(interest->room_members, place)->generation != generation) {
        acre_interest_drop_item(interest, item);
    }
    const ranged_thing *const thing = acre_interest_ranged_thing(interest, item);
    if (thing && thing->generation != generation) {
        acre_interest_drop_range(interest, item);
    }
    return true;
}

// Over a bare tree: notes the generations that differ.
static bool note_all_items(acre_interest *interest)
{
    for (size_t i = 0; i < interest->noted.capacity; i++) {
        const uint32_t now = i < interest->generation_count ? interest->generations[i] : 0;
        if (interest->noted.data[i] != now &&
            !acre_interest_note_generation(interest, (uint32_t)i, now)) {
            return false;
        }
    }
    return true;
}

bool acre_interest_find_reused(acre_interest *interest, const uint32_t *items, size_t count,
                               bool are_all)
{
    const size_t noted = interest->front ? interest->front->slot_count(interest->front_state)
                                         : interest->generation_count;
    if (!COLUMN_RESERVE(&interest->allocator, interest->noted, noted)) {
        return false;
    }
    if (are_all) {
        return interest->front ? interest->front->note_generations(interest->front_state, interest)
                               : note_all_items(interest);
    }
    bool has_room = true;
    for (size_t i = 0; i < count && has_room; i++) {
        has_room = items[i] >= interest->noted.capacity ||
                   acre_interest_note_generation(interest, items[i],
                                                 acre_interest_generation(interest, items[i]));
    }
    return has_room;
}

void acre_interest_accept_generations(acre_interest *interest)
{
    for (size_t i = 0; i < interest->reused.count; i++) {
        const uint32_t item = *COLUMN_AT(interest->reused.items, i);
        if (item < interest->noted.capacity) {
            interest->noted.data[item] = acre_interest_generation(interest, item);
        }
    }
    acre_item_marks_clear(&interest->reused);
}

acre_result acre_interest_forget(acre_interest *interest, uint32_t item)
{
    if (!interest || interest->front) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (item >= INTEREST_ITEMS) {
        return ACRE_ERROR_CAPACITY;
    }
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    acre_result result = ACRE_ERROR_OUT_OF_MEMORY;
    const acre_allocator *const allocator = &interest->allocator;
    const uint32_t place = NUMBER_MAP_TAKE(allocator, &interest->epoch_map, interest->epochs, item);
    if (place != INTEREST_NONE && acre_item_marks_add(allocator, &interest->reused, item)) {
        ++*COLUMN_AT(interest->epochs, place);
        acre_interest_drop_item(interest, item);
        acre_interest_drop_range(interest, item);
        result = ACRE_OK;
    }
    access_end_write(&interest->access);
    return result;
}

// From here on generations are compared with those of now.
static void begin_generations(acre_interest *interest)
{
    for (size_t i = 0; i < interest->noted.capacity; i++) {
        interest->noted.data[i] = acre_interest_generation(interest, (uint32_t)i);
    }
    for (size_t i = 0; i < interest->row_count; i++) {
        observer_row *const row = COLUMN_AT(interest->rows, i);
        row->follow_generation = acre_interest_generation(interest, row->def.item);
    }
    for (uint32_t i = 0; i < interest->member_map.count; i++) {
        COLUMN_AT(interest->room_members, i)->generation =
            acre_interest_generation(interest, interest->member_map.numbers.data[i]);
    }
    for (uint32_t i = 0; i < interest->ranges.map.count; i++) {
        COLUMN_AT(interest->ranges.things, i)->generation =
            acre_interest_generation(interest, interest->ranges.map.numbers.data[i]);
    }
}

acre_result acre_interest_set_generations(acre_interest *interest, const uint32_t *generations,
                                          size_t count)
{
    if (!interest || interest->front) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    const size_t own_count = generations ? count : 0;
    const bool has_room = COLUMN_RESERVE(&interest->allocator, interest->noted, own_count);
    if (has_room) {
        const bool is_first = !interest->has_generations || !generations;
        interest->generations = generations;
        interest->generation_count = own_count;
        interest->has_generations = generations != NULL;
        if (is_first) {
            begin_generations(interest);
        }
    }
    access_end_write(&interest->access);
    return has_room ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
}
