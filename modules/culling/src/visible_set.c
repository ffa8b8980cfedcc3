// SPDX-License-Identifier: MIT
// visible_set.c - a set's life, and what it tells of the last finding.
#include "visible_set_internal.h"

#include "object_internal.h"

#include <string.h>

#define KNOWN_SET_FLAGS                                                                            \
    ((uint32_t)(ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES | ACRE_VISIBLE_BITS | ACRE_VISIBLE_SUM))

static acre_result create_set(const acre_visible_set_def *def, acre_visible_set **out)
{
    *out = NULL;
    const acre_visible_set_def none = {0, NULL};
    const acre_visible_set_def *const given = def ? def : &none;
    if (given->flags & ~KNOWN_SET_FLAGS) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    acre_visible_set *const set = acre_object_make(given->allocator, sizeof *set);
    if (!set) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    set->flags = given->flags;
    set->last.sum.box = acre_aabb_empty();
    *out = set;
    return ACRE_OK;
}

acre_result acre_visible_set_create(const acre_visible_set_def *def, acre_visible_set **out)
{
    const acre_result result = out ? create_set(def, out) : ACRE_ERROR_INVALID_ARGUMENT;
    return ACRE_ANSWER(result, "?Zp", def, out);
}

static void visit_set(column_visitor *visitor, void *object)
{
    acre_visible_set *const set = object;
    COLUMN_VISIT(visitor, set->slots);
    COLUMN_VISIT(visitor, set->lods);
    COLUMN_VISIT(visitor, set->next_slots);
    COLUMN_VISIT(visitor, set->next_lods);
    COLUMN_VISIT(visitor, set->entered);
    COLUMN_VISIT(visitor, set->left);
    COLUMN_VISIT(visitor, set->left_hidden);
    COLUMN_VISIT(visitor, set->stayed);
    COLUMN_VISIT(visitor, set->changed);
    COLUMN_VISIT(visitor, set->bits);
    COLUMN_VISIT(visitor, set->history);
}

void acre_visible_set_destroy(acre_visible_set *set)
{
    acre_object_free(set, sizeof *set, visit_set);
}

acre_visible acre_visible_set_get(const acre_visible_set *set)
{
    if (!set) {
        (void)ACRE_MISUSED(ACRE_ERROR_INVALID_ARGUMENT, "o", set);
        return (acre_visible){.sum = {.box = acre_aabb_empty()}};
    }
    acre_visible out = set->last;
    out.slots = set->slots.data;
    out.lods = set->flags & ACRE_VISIBLE_LODS ? set->lods.data : NULL;
    out.bits = set->flags & ACRE_VISIBLE_BITS ? set->bits.data : NULL;
    if (set->flags & ACRE_VISIBLE_CHANGES) {
        out.entered = set->entered.data;
        out.left = set->left.data;
        out.left_hidden = set->left_hidden.data;
        out.stayed = set->stayed.data;
        out.changed = set->changed.data;
    }
    out.bytes = acre_object_bytes(set, sizeof *set, visit_set);
    return out;
}

// row: receives the set that is refused.
static acre_result make_masks(acre_visible_set *const *sets, size_t set_count, uint32_t *masks,
                              size_t slot_count, size_t *row)
{
    if ((set_count > 0 && !sets) || (slot_count > 0 && !masks)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (set_count > 32) {
        return ACRE_ERROR_CAPACITY;
    }
    for (size_t i = 0; i < set_count; i++) {
        *row = i;
        if (!sets[i]) {
            return ACRE_ERROR_INVALID_ARGUMENT;
        }
        const uint32_t *const slots = sets[i]->slots.data;
        for (size_t k = 0; k < sets[i]->last.count; k++) {
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
        for (size_t k = 0; k < sets[i]->last.count; k++) {
            masks[slots[k]] |= UINT32_C(1) << i;
        }
    }
    return ACRE_OK;
}

acre_result acre_visible_set_masks(acre_visible_set *const *sets, size_t set_count, uint32_t *masks,
                                   size_t slot_count)
{
    size_t row = SIZE_MAX;
    const acre_result result = make_masks(sets, set_count, masks, slot_count, &row);
    return result == ACRE_ERROR_CAPACITY && row == SIZE_MAX
               ? ACRE_ANSWER(result, "[p!n[-n", sets, set_count, masks, slot_count)
               : ACRE_ANSWER(result, "r[qn[-!n", (size_t)(row != SIZE_MAX), row, sets, set_count,
                             masks, slot_count);
}

acre_result acre_visible_set_freeze(acre_visible_set *set, bool is_frozen)
{
    const acre_result result = !set             ? ACRE_ERROR_INVALID_ARGUMENT
                               : !set->has_view ? ACRE_ERROR_NOT_FOUND
                                                : ACRE_OK;
    if (result == ACRE_OK) {
        set->is_frozen = is_frozen;
    }
    return ACRE_ANSWER_RULE(result, ACRE_REFUSED_EMPTY, "o", set);
}

const acre_view *acre_visible_set_view(const acre_visible_set *set)
{
    return set && set->has_view ? &set->view : NULL;
}

void acre_visible_drop_history(acre_visible_set *set)
{
    for (size_t i = 0; i < set->last.count && set->has_history; i++) {
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
    if (set->last.word_count > 0) {
        memset(set->bits.data, 0, set->last.word_count * sizeof(uint64_t));
    }
    set->last = (acre_visible){.sum = {.box = acre_aabb_empty()}};
    set->has_view = set->is_frozen = false;
    set->culling = NULL;
}
