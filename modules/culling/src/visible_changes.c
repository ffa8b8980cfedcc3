// SPDX-License-Identifier: MIT
// visible_changes.c - what entered, left and stayed; the bits; what a set remembers of each slot.
#include "visible_set_internal.h"

#include <string.h>

static size_t words_for(const acre_culling *culling)
{
    return (culling->slots.capacity + 63) / 64;
}

bool acre_visible_reserve_changes(acre_visible_set *set, const visible_search *search)
{
    const size_t slot = sizeof(uint32_t);
    if (search->keeps_history &&
        !visible_grow(set, &set->memory, search->culling->slots.capacity, sizeof(slot_history))) {
        return false;
    }
    if ((set->flags & ACRE_VISIBLE_BITS) &&
        !visible_grow(set, &set->bits, words_for(search->culling), sizeof(uint64_t))) {
        return false;
    }
    return !(set->flags & ACRE_VISIBLE_CHANGES) ||
           (visible_grow(set, &set->entered, search->count, slot) &&
            visible_grow(set, &set->left, set->count, slot) &&
            visible_grow(set, &set->stayed, search->count, slot) &&
            visible_grow(set, &set->changed, search->count, slot));
}

// Remembers the found slots with a stamp of their own; those that keep the old one have left.
static void compare_with_history(acre_visible_set *set, const visible_search *search)
{
    const uint8_t now = set->stamp == 1 ? 2 : 1;
    const uint32_t *const slots = set->next_slots.data;
    const uint8_t *const lods = set->flags & ACRE_VISIBLE_LODS ? set->next_lods.data : NULL;
    slot_history *const memory = set->memory.data;
    uint32_t *const entered = set->entered.data, *const stayed = set->stayed.data;
    uint32_t *const left = set->left.data, *const changed = set->changed.data;
    const bool lists = (set->flags & ACRE_VISIBLE_CHANGES) != 0;
    size_t replaced = 0;
    set->entered_count = set->left_count = set->stayed_count = set->changed_count = 0;
    for (size_t i = 0; i < search->count; i++) {
        const uint32_t slot = slots[i];
        const uint16_t generation = culling_slot_at(search->culling, slot)->generation;
        const uint8_t lod = lods ? lods[i] : 0;
        const slot_history before = memory[slot];
        const bool was_here = set->has_memory && before.stamp == set->stamp;
        memory[slot] = (slot_history){generation, lod, now};
        if (!lists) {
            continue;
        }
        if (was_here && before.generation == generation) {
            stayed[set->stayed_count++] = slot;
            if (before.lod != lod) {
                changed[set->changed_count++] = slot;
            }
        } else {
            entered[set->entered_count++] = slot;
            if (was_here) {
                left[replaced++] = slot; // another entity stood there
            }
        }
    }
    set->left_count = replaced;
    const uint32_t *const old = set->slots.data;
    for (size_t i = 0; i < set->count && set->has_memory; i++) {
        if (memory[old[i]].stamp == set->stamp) {
            memory[old[i]].stamp = 0;
            if (lists) {
                left[set->left_count++] = old[i];
            }
        }
    }
    set->stamp = now;
    set->has_memory = true;
}

// Only the words of slots that were and are visible are touched.
static void update_bits(acre_visible_set *set, const visible_search *search)
{
    uint64_t *const words = set->bits.data;
    const uint32_t *const old = set->slots.data, *const slots = set->next_slots.data;
    for (size_t i = 0; i < set->count; i++) {
        words[old[i] >> 6] = 0;
    }
    for (size_t i = 0; i < search->count; i++) {
        words[slots[i] >> 6] |= (uint64_t)1 << (slots[i] & 63);
    }
    set->word_count = words_for(search->culling);
}

static void swap_two_columns(column *a, column *b)
{
    const column was = *a;
    *a = *b;
    *b = was;
}

void acre_visible_apply(acre_visible_set *set, const visible_search *search)
{
    if (search->keeps_history) {
        compare_with_history(set, search);
    } else {
        acre_visible_drop_history(set);
    }
    if (set->flags & ACRE_VISIBLE_BITS) {
        update_bits(set, search);
    }
    swap_two_columns(&set->slots, &set->next_slots);
    swap_two_columns(&set->lods, &set->next_lods);
    set->count = search->count;
    set->tested = search->tested;
    set->is_reused = false;
}
