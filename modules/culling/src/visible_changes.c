// SPDX-License-Identifier: MIT
// visible_changes.c - what entered, left and stayed; the bits; the history of each slot;
// room for all of it.
#include "visible_set_internal.h"

#include <string.h>

static size_t words_for(const acre_culling *culling)
{
    return (culling->slots.capacity + 63) / 64;
}

static bool keeps_history(const acre_visible_set *set, const view_find *find)
{
    return (set->flags & ACRE_VISIBLE_CHANGES) || find->view->hysteresis > 0.0f;
}

// Room for what is kept by slot, and for lists of so many that are seen now and were seen before.
static bool reserve_changes(acre_visible_set *set, const acre_culling *culling, bool has_history,
                            size_t now, size_t before)
{
    const acre_allocator *const allocator = &set->allocator;
    if (has_history && !COLUMN_RESERVE(allocator, set->history, culling->slots.capacity)) {
        return false;
    }
    if ((set->flags & ACRE_VISIBLE_BITS) &&
        !COLUMN_RESERVE(allocator, set->bits, words_for(culling))) {
        return false;
    }
    return !(set->flags & ACRE_VISIBLE_CHANGES) ||
           (COLUMN_RESERVE(allocator, set->entered, now) &&
            COLUMN_RESERVE(allocator, set->left, before) &&
            COLUMN_RESERVE(allocator, set->left_hidden, before) &&
            COLUMN_RESERVE(allocator, set->stayed, now) &&
            COLUMN_RESERVE(allocator, set->changed, now));
}

bool acre_visible_reserve_changes(acre_visible_set *set, const view_find *find)
{
    return reserve_changes(set, find->culling, keeps_history(set, find), find->count,
                           set->last.count);
}

static bool reserve_visible(acre_visible_set *set, const acre_culling *culling, size_t visible)
{
    const acre_allocator *const allocator = &set->allocator;
    const bool has_lods = (set->flags & ACRE_VISIBLE_LODS) != 0;
    const bool has_history = (set->flags & ACRE_VISIBLE_CHANGES) || set->history.capacity > 0;
    const size_t room = visible + ACRE_GROUP_ITEMS; // a group is found before it is counted
    // The two pairs of columns take turns.
    return COLUMN_RESERVE(allocator, set->slots, room) &&
           COLUMN_RESERVE(allocator, set->next_slots, room) &&
           (!has_lods || (COLUMN_RESERVE(allocator, set->lods, room) &&
                          COLUMN_RESERVE(allocator, set->next_lods, room))) &&
           reserve_changes(set, culling, has_history, visible, visible);
}

acre_result acre_visible_set_reserve(acre_visible_set *set, const acre_culling *culling,
                                     size_t visible)
{
    acre_result result = culling_begin_read(culling, set != NULL);
    if (result != ACRE_OK) {
        return result;
    }
    if (visible > culling->slots.capacity) {
        result = ACRE_ERROR_CAPACITY;
    } else if (!reserve_visible(set, culling, visible)) {
        result = ACRE_ERROR_OUT_OF_MEMORY;
    }
    access_end_read(&culling->access);
    return result;
}

acre_result acre_visible_set_trim(acre_visible_set *set)
{
    if (!set) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_allocator *const allocator = &set->allocator;
    const acre_visible *const last = &set->last;
    size_t slots = 0; // with a history that is in use
    for (size_t i = 0; i < last->count; i++) {
        const size_t slot = *COLUMN_AT(set->slots, i);
        slots = slot < slots ? slots : slot + 1;
    }
    const size_t kept = last->count > 0 ? last->count : 1; // there is an array also for nothing
    COLUMN_SHRINK(allocator, set->slots, kept);
    COLUMN_SHRINK(allocator, set->lods, kept);
    COLUMN_SHRINK(allocator, set->next_slots, 0);
    COLUMN_SHRINK(allocator, set->next_lods, 0);
    COLUMN_SHRINK(allocator, set->entered, last->entered_count);
    COLUMN_SHRINK(allocator, set->left, last->left_count);
    COLUMN_SHRINK(allocator, set->left_hidden, last->left_hidden_count);
    // The next finding answers with these as they are if it has nothing to do.
    COLUMN_SHRINK(allocator, set->stayed, last->count);
    COLUMN_SHRINK(allocator, set->changed, last->changed_count);
    COLUMN_SHRINK(allocator, set->bits, last->word_count);
    COLUMN_SHRINK(allocator, set->history, slots);
    return ACRE_OK;
}

// Whether the entity that left is alive and in no place of the culler: hidden, unregistered, or
// without a box.
static bool was_taken_out(const acre_culling *culling, uint32_t slot, slot_history before)
{
    if (slot >= culling->slots.capacity) {
        return false;
    }
    const culling_slot own = *culling_slot_at(culling, slot);
    return own.generation == before.generation && !(own.bits & CULLING_PLACES);
}

// The slots that were visible and still have the stamp of the last finding have left.
static void list_left(acre_visible_set *set, const acre_culling *culling, bool lists)
{
    const uint32_t *const old = set->slots.data;
    uint32_t *const left = set->left.data, *const left_hidden = set->left_hidden.data;
    for (size_t i = 0; i < set->last.count; i++) {
        slot_history *const history = COLUMN_AT(set->history, old[i]);
        if (history->stamp != set->stamp) {
            continue;
        }
        history->stamp = 0;
        if (lists) {
            ACRE_INVARIANT(set->last.left_count < set->left.capacity);
            left[set->last.left_count++] = old[i];
            if (was_taken_out(culling, old[i], *history)) {
                left_hidden[set->last.left_hidden_count++] = old[i];
            }
        }
    }
}

// Writes the found slots into the history, with a stamp of their own.
static void compare_with_history(acre_visible_set *set, const view_find *find)
{
    const uint8_t now = set->stamp == 1 ? 2 : 1;
    const uint32_t *const slots = set->next_slots.data;
    const uint8_t *const lods = set->flags & ACRE_VISIBLE_LODS ? set->next_lods.data : NULL;
    slot_history *const history = set->history.data;
    uint32_t *const entered = set->entered.data, *const stayed = set->stayed.data;
    uint32_t *const left = set->left.data, *const changed = set->changed.data;
    const bool lists = (set->flags & ACRE_VISIBLE_CHANGES) != 0;
    for (size_t i = 0; i < find->count; i++) {
        const uint32_t slot = slots[i];
        ACRE_INVARIANT(slot < set->history.capacity);
        const uint16_t generation = culling_slot_at(find->culling, slot)->generation;
        const uint8_t lod = lods ? lods[i] : 0;
        const slot_history before = history[slot];
        const bool was_here = set->has_history && before.stamp == set->stamp;
        history[slot] = (slot_history){generation, lod, now};
        if (!lists) {
            continue;
        }
        if (was_here && before.generation == generation) {
            stayed[set->last.stayed_count++] = slot;
            if (before.lod != lod) {
                changed[set->last.changed_count++] = slot;
            }
        } else {
            entered[set->last.entered_count++] = slot;
            if (was_here) {
                left[set->last.left_count++] = slot; // another entity stood there
            }
        }
    }
    if (set->has_history) {
        list_left(set, find->culling, lists);
    }
    ACRE_INVARIANT(!lists || set->last.entered_count + set->last.stayed_count == find->count);
    set->stamp = now;
    set->has_history = true;
}

// Only the words of slots that were and are visible are touched.
static void update_bits(acre_visible_set *set, const view_find *find)
{
    uint64_t *const words = set->bits.data;
    const uint32_t *const old = set->slots.data, *const slots = set->next_slots.data;
    for (size_t i = 0; i < set->last.count; i++) {
        words[old[i] >> 6] = 0;
    }
    for (size_t i = 0; i < find->count; i++) {
        ACRE_INVARIANT(slots[i] / 64 < set->bits.capacity);
        words[slots[i] >> 6] |= (uint64_t)1 << (slots[i] & 63);
    }
    set->last.word_count = words_for(find->culling);
}

void acre_visible_apply(acre_visible_set *set, const view_find *find)
{
    ACRE_INVARIANT(find->count <= set->next_slots.capacity);
    set->last.entered_count = set->last.left_count = set->last.left_hidden_count = 0;
    set->last.stayed_count = set->last.changed_count = 0;
    if (keeps_history(set, find)) {
        compare_with_history(set, find);
    } else {
        acre_visible_drop_history(set);
    }
    if (set->flags & ACRE_VISIBLE_BITS) {
        update_bits(set, find);
    }
    if (set->flags & ACRE_VISIBLE_SUM) {
        set->last.sum = acre_view_end_sum(find->sum);
    }
    column_swap(&set->slots.any, &set->next_slots.any);
    column_swap(&set->lods.any, &set->next_lods.any);
    set->last.count = find->count;
    set->last.tested = find->tested;
    set->last.is_reused = false;
}
