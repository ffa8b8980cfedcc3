// SPDX-License-Identifier: MIT
// interest_generations.c - item numbers that are used again for another thing.
#include "interest_internal.h"

#include "bits_internal.h"

#include <string.h>

static void mark_reused(acre_interest *interest, uint32_t item)
{
    *COLUMN_AT(interest->reused, item / 64) |= UINT64_C(1) << (item & 63);
    interest->has_reused = true;
}

void acre_interest_note_generation(acre_interest *interest, uint32_t item, uint32_t generation)
{
    uint32_t *const noted = COLUMN_AT(interest->noted, item);
    if (*noted == generation) {
        return;
    }
    if (interest->front && *noted == 0) { // an entity's generation is never 0: the slot is new
        *noted = generation;
    } else {
        mark_reused(interest, item);
    }
    if (item < interest->room_members.capacity) {
        const room_member *const member = COLUMN_AT(interest->room_members, item);
        if (member->rooms > 0 && member->generation != generation) {
            acre_interest_drop_item(interest, item);
        }
    }
}

// Over a bare tree: notes the generations that differ.
static void note_all_items(acre_interest *interest)
{
    const uint32_t *const noted = interest->noted.data;
    for (size_t i = 0; i < interest->generation_count; i++) {
        if (noted[i] != interest->generations[i]) {
            acre_interest_note_generation(interest, (uint32_t)i, interest->generations[i]);
        }
    }
    for (size_t i = interest->generation_count; i < interest->noted.capacity; i++) {
        if (noted[i] != 0) {
            acre_interest_note_generation(interest, (uint32_t)i, 0);
        }
    }
}

bool acre_interest_find_reused(acre_interest *interest, const uint32_t *items, size_t count,
                               bool are_all)
{
    const size_t noted = interest->front ? interest->front->slot_count(interest->front_state)
                                         : interest->generation_count;
    if (!COLUMN_RESERVE(&interest->allocator, interest->noted, noted) ||
        !acre_interest_reserve_reused(interest, interest->noted.capacity)) {
        return false;
    }
    if (!are_all) {
        for (size_t i = 0; i < count; i++) {
            if (items[i] < interest->noted.capacity) {
                acre_interest_note_generation(interest, items[i],
                                              acre_interest_generation(interest, items[i]));
            }
        }
    } else if (interest->front) {
        interest->front->note_generations(interest->front_state, interest);
    } else {
        note_all_items(interest);
    }
    return true;
}

void acre_interest_accept_generations(acre_interest *interest)
{
    if (!interest->has_reused) {
        return;
    }
    for (size_t word = 0; word < interest->reused.capacity; word++) {
        for (uint64_t bits = interest->reused.data[word]; bits; bits &= bits - 1) {
            const uint32_t item = (uint32_t)(word * 64) + lowest_bit(bits);
            if (item < interest->noted.capacity) {
                interest->noted.data[item] = acre_interest_generation(interest, item);
            }
        }
    }
    memset(interest->reused.data, 0, interest->reused.capacity * sizeof *interest->reused.data);
    interest->has_reused = false;
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
    if (COLUMN_RESERVE(&interest->allocator, interest->epochs, (size_t)item + 1) &&
        acre_interest_reserve_reused(interest, (size_t)item + 1)) {
        ++*COLUMN_AT(interest->epochs, item);
        mark_reused(interest, item);
        acre_interest_drop_item(interest, item);
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
    for (size_t i = 0; i < interest->room_members.capacity; i++) {
        interest->room_members.data[i].generation = acre_interest_generation(interest, (uint32_t)i);
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
