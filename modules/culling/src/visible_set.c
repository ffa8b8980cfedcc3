// SPDX-License-Identifier: MIT
// visible_set.c - a set's life, and what it tells of the last finding.
#include "visible_set_internal.h"

#include <string.h>

acre_result acre_visible_set_create(const acre_visible_set_def *def, acre_visible_set **out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = NULL;
    const acre_visible_set_def none = {0, NULL};
    const acre_visible_set_def *const given = def ? def : &none;
    const uint32_t known = ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES | ACRE_VISIBLE_BITS;
    if (given->flags & ~known) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_allocator heap = {NULL, NULL};
    const acre_allocator allocator = given->allocator ? *given->allocator : heap;
    acre_visible_set *const set =
        acre_resize(&allocator, NULL, 0, sizeof *set, _Alignof(acre_visible_set));
    if (!set) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    *set = (acre_visible_set){.allocator = allocator, .flags = given->flags};
    *out = set;
    return ACRE_OK;
}

// All columns of a set, each with the size of its elements.
enum { COLUMN_COUNT = 10 };

static void list_set_columns(acre_visible_set *set, column *columns[COLUMN_COUNT],
                             size_t sizes[COLUMN_COUNT])
{
    column *const all[COLUMN_COUNT] = {
        &set->slots,   &set->next_slots, &set->entered,   &set->left, &set->stayed,
        &set->changed, &set->lods,       &set->next_lods, &set->bits, &set->memory};
    const size_t of[COLUMN_COUNT] = {sizeof(uint32_t),    sizeof(uint32_t), sizeof(uint32_t),
                                     sizeof(uint32_t),    sizeof(uint32_t), sizeof(uint32_t),
                                     sizeof(uint8_t),     sizeof(uint8_t),  sizeof(uint64_t),
                                     sizeof(slot_history)};
    memcpy(columns, all, sizeof all);
    memcpy(sizes, of, sizeof of);
}

void acre_visible_set_destroy(acre_visible_set *set)
{
    if (!set) {
        return;
    }
    const acre_allocator allocator = set->allocator;
    column *columns[COLUMN_COUNT];
    size_t sizes[COLUMN_COUNT];
    list_set_columns(set, columns, sizes);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        acre_column_free(&allocator, columns[i], sizes[i]);
    }
    (void)acre_resize(&allocator, set, sizeof *set, 0, _Alignof(acre_visible_set));
}

size_t acre_visible_set_bytes(const acre_visible_set *set)
{
    if (!set) {
        return 0;
    }
    acre_visible_set copy = *set;
    column *columns[COLUMN_COUNT];
    size_t sizes[COLUMN_COUNT];
    list_set_columns(&copy, columns, sizes);
    size_t bytes = sizeof *set;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        bytes += columns[i]->capacity * sizes[i];
    }
    return bytes;
}

acre_visible acre_visible_set_get(const acre_visible_set *set)
{
    acre_visible out = {0};
    if (!set) {
        return out;
    }
    out.slots = set->slots.data;
    out.count = set->count;
    out.lods = set->flags & ACRE_VISIBLE_LODS ? set->lods.data : NULL;
    if (set->flags & ACRE_VISIBLE_CHANGES) {
        out.entered = set->entered.data;
        out.left = set->left.data;
        out.stayed = set->stayed.data;
        out.changed = set->changed.data;
        out.entered_count = set->entered_count;
        out.left_count = set->left_count;
        out.stayed_count = set->stayed_count;
        out.changed_count = set->changed_count;
    }
    if (set->flags & ACRE_VISIBLE_BITS) {
        out.bits = set->bits.data;
        out.word_count = set->word_count;
    }
    out.is_reused = set->is_reused;
    out.tested = set->tested;
    return out;
}

acre_result acre_visible_set_masks(acre_visible_set *const *sets, size_t set_count, uint32_t *masks,
                                   size_t slot_count)
{
    if ((set_count > 0 && !sets) || (slot_count > 0 && !masks)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (set_count > 32) {
        return ACRE_ERROR_CAPACITY;
    }
    for (size_t i = 0; i < set_count; i++) {
        if (!sets[i]) {
            return ACRE_ERROR_INVALID_ARGUMENT;
        }
        const uint32_t *const slots = sets[i]->slots.data;
        for (size_t k = 0; k < sets[i]->count; k++) {
            if (slots[k] >= slot_count) {
                return ACRE_ERROR_CAPACITY;
            }
        }
    }
    if (slot_count > 0) {
        memset(masks, 0, slot_count * sizeof *masks);
    }
    for (size_t i = 0; i < set_count; i++) {
        const uint32_t *const slots = sets[i]->slots.data;
        for (size_t k = 0; k < sets[i]->count; k++) {
            masks[slots[k]] |= UINT32_C(1) << i;
        }
    }
    return ACRE_OK;
}

acre_result acre_visible_set_freeze(acre_visible_set *set, bool is_frozen)
{
    if (!set) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!set->has_view) {
        return ACRE_ERROR_NOT_FOUND;
    }
    set->is_frozen = is_frozen;
    return ACRE_OK;
}

const acre_view *acre_visible_set_view(const acre_visible_set *set)
{
    return set && set->has_view ? &set->view : NULL;
}

void acre_visible_drop_history(acre_visible_set *set)
{
    const uint32_t *const slots = set->slots.data;
    slot_history *const memory = set->memory.data;
    for (size_t i = 0; i < set->count && set->has_memory; i++) {
        memory[slots[i]].stamp = 0;
    }
    set->has_memory = false;
}

void acre_visible_set_clear(acre_visible_set *set)
{
    if (!set) {
        return;
    }
    acre_visible_drop_history(set);
    if (set->word_count > 0) {
        memset(set->bits.data, 0, set->word_count * sizeof(uint64_t));
    }
    set->count = set->entered_count = set->left_count = set->stayed_count = set->changed_count = 0;
    set->word_count = set->tested = 0;
    set->has_view = set->is_frozen = set->is_reused = false;
    set->culling = NULL;
}
