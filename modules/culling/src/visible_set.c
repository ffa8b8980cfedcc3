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
    const uint32_t known =
        ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES | ACRE_VISIBLE_BITS | ACRE_VISIBLE_SUM;
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
    *set = (acre_visible_set){
        .allocator = allocator, .flags = given->flags, .sum = {.box = acre_aabb_empty()}};
    *out = set;
    return ACRE_OK;
}

// A column of a set, and the size of its elements.
typedef struct set_column {
    column *column;
    size_t element;
} set_column;

enum { SET_COLUMNS = 11 };

static void list_set_columns(acre_visible_set *set, set_column out[SET_COLUMNS])
{
#define SET_COLUMN(c)                                                                              \
    {                                                                                              \
        &(c).any, sizeof *(c).data                                                                 \
    }
    const set_column all[SET_COLUMNS] = {
        SET_COLUMN(set->slots),       SET_COLUMN(set->next_slots), SET_COLUMN(set->lods),
        SET_COLUMN(set->next_lods),   SET_COLUMN(set->entered),    SET_COLUMN(set->left),
        SET_COLUMN(set->left_hidden), SET_COLUMN(set->stayed),     SET_COLUMN(set->changed),
        SET_COLUMN(set->bits),        SET_COLUMN(set->history)};
#undef SET_COLUMN
    memcpy(out, all, sizeof all);
}

void acre_visible_set_destroy(acre_visible_set *set)
{
    if (!set) {
        return;
    }
    const acre_allocator allocator = set->allocator;
    set_column columns[SET_COLUMNS];
    list_set_columns(set, columns);
    for (int i = 0; i < SET_COLUMNS; i++) {
        acre_column_free(&allocator, columns[i].column, columns[i].element);
    }
    (void)acre_resize(&allocator, set, sizeof *set, 0, _Alignof(acre_visible_set));
}

static size_t set_bytes(const acre_visible_set *set)
{
    acre_visible_set copy = *set;
    set_column columns[SET_COLUMNS];
    list_set_columns(&copy, columns);
    size_t bytes = sizeof *set;
    for (int i = 0; i < SET_COLUMNS; i++) {
        bytes += columns[i].column->capacity * columns[i].element;
    }
    return bytes;
}

acre_visible acre_visible_set_get(const acre_visible_set *set)
{
    acre_visible out = {.sum = {.box = acre_aabb_empty()}};
    ACRE_ASSERT(set);
    if (!set) {
        return out;
    }
    out.slots = set->slots.data;
    out.count = set->count;
    out.lods = set->flags & ACRE_VISIBLE_LODS ? set->lods.data : NULL;
    if (set->flags & ACRE_VISIBLE_CHANGES) {
        out.entered = set->entered.data;
        out.left = set->left.data;
        out.left_hidden = set->left_hidden.data;
        out.stayed = set->stayed.data;
        out.changed = set->changed.data;
        out.entered_count = set->entered_count;
        out.left_count = set->left_count;
        out.left_hidden_count = set->left_hidden_count;
        out.stayed_count = set->stayed_count;
        out.changed_count = set->changed_count;
    }
    if (set->flags & ACRE_VISIBLE_BITS) {
        out.bits = set->bits.data;
        out.word_count = set->word_count;
    }
    out.sum = set->sum;
    out.is_reused = set->is_reused;
    out.tested = set->tested;
    out.bytes = set_bytes(set);
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
    for (size_t i = 0; i < set->count && set->has_history; i++) {
        COLUMN_AT(set->history, *COLUMN_AT(set->slots, i))->stamp = 0;
    }
    set->has_history = false;
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
    set->count = set->entered_count = set->left_count = set->left_hidden_count = 0;
    set->stayed_count = set->changed_count = set->word_count = set->tested = 0;
    set->sum = (acre_visible_sum){.box = acre_aabb_empty()};
    set->has_view = set->is_frozen = set->is_reused = false;
    set->culling = NULL;
}
