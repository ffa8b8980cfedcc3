// SPDX-License-Identifier: MIT
// interest.c - interests and their observers: create, add, set, remove, ask.
#include "out_internal.h"
#include "interest_internal.h"

#include "distances_internal.h"

#include <string.h>

// ---- create and destroy ----

acre_result acre_interest_create(const acre_quadtree *tree, const acre_interest_def *def,
                                 acre_interest **out)
{
    const acre_result result = acre_interest_make(def, tree, NULL, out);
    if (result == ACRE_OK) {
        (*out)->tree = tree;
    }
    return ACRE_ANSWER(result, "o?Ip", tree, def, out);
}

void acre_interest_destroy(acre_interest *interest)
{
    if (interest) {
        acre_interest_free(interest);
    }
}

// ---- observers ----

static bool observer_is_valid(const acre_interest *interest, const acre_observer_def *def)
{
    const bool follows_wrongly = interest->front ? def->follows_item : def->entity.index1 != 0;
    return !follows_wrongly && float_is_finite(def->place[0]) && float_is_finite(def->place[1]) &&
           float_is_finite(def->place[2]) &&
           radii_are_valid(def->enter_radius, def->leave_radius) &&
           band_limits_are_valid(def->band_limits, ACRE_OBSERVER_BAND_LIMITS) &&
           def->limit_share >= 0 && def->limit_share < 1;
}

// Gives a row its def. The place stays unless the def has one.
static void define_observer(const acre_interest *interest, observer_row *row,
                            const acre_observer_def *def)
{
    row->def = *def;
    if (row->def.leave_radius <= 0) {
        row->def.leave_radius = row->def.enter_radius;
    }
    if (!def->follows_item && def->entity.index1 == 0) {
        memcpy(row->place, def->place, sizeof row->place);
    }
    ACRE_INVARIANT(row->def.leave_radius >= row->def.enter_radius);
    row->is_lost = row->keeps_place = false;
    row->is_dirty = row->is_edited = true;
    if (def->follows_item) {
        row->follow_epoch = acre_interest_epoch(interest, def->item);
        row->follow_generation = acre_interest_generation(interest, def->item);
    }
}

// A row that is not used, with room for it. @return INTEREST_NONE: no memory, or too many.
static uint32_t take_row(acre_interest *interest, acre_result *result)
{
    if (interest->free_row != INTEREST_NONE) {
        const uint32_t row = interest->free_row;
        ACRE_INVARIANT(row < interest->row_count && !interest->rows.data[row].is_used);
        interest->free_row = interest->rows.data[row].next_free;
        return row;
    }
    if (interest->row_count >= INTEREST_ITEMS) {
        *result = ACRE_ERROR_CAPACITY;
        return INTEREST_NONE;
    }
    if (!COLUMN_RESERVE_FROM(&interest->allocator, interest->rows, interest->row_count + 1,
                             FIRST_OBSERVERS)) {
        *result = ACRE_ERROR_OUT_OF_MEMORY;
        return INTEREST_NONE;
    }
    return (uint32_t)interest->row_count++;
}

static acre_result add_observer(acre_interest *interest, const acre_observer_def *def,
                                acre_observer *out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = (acre_observer){0, 0};
    if (!interest || !def || !observer_is_valid(interest, def)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    acre_result result = ACRE_OK;
    const uint32_t index = take_row(interest, &result);
    if (index != INTEREST_NONE) {
        observer_row *const row = COLUMN_AT(interest->rows, index);
        const uint32_t generation = row->generation + 1;
        *row = (observer_row){.generation = generation > 0 ? generation : 1,
                              .is_used = true,
                              .is_new = true,
                              .set = row->set};
        memcpy(row->place, def->place, sizeof row->place);
        define_observer(interest, row, def);
        interest->observers++;
        interest->order_updates = 0;
        *out = (acre_observer){index + 1, row->generation};
    }
    access_end_write(&interest->access);
    return result;
}

acre_result acre_interest_add(acre_interest *interest, const acre_observer_def *def,
                              acre_observer *out)
{
    const acre_result result = add_observer(interest, def, out);
    return ACRE_ANSWER(result, "oOp", interest, def, out);
}

// Whether two observers with sets see the same from the same place.
static bool sees_alike(const acre_observer_def *a, const acre_observer_def *b)
{
    return !a->follows_item && !b->follows_item && a->entity.index1 == 0 && b->entity.index1 == 0 &&
           a->enter_radius == b->enter_radius && a->leave_radius == b->leave_radius &&
           a->in_space == b->in_space && a->layers == b->layers && a->limit == b->limit &&
           memcmp(a->band_limits, b->band_limits, sizeof a->band_limits) == 0 &&
           a->ignores_ranges == b->ignores_ranges;
}

static acre_result set_observer(acre_interest *interest, acre_observer observer,
                                const acre_observer_def *def)
{
    if (!interest || !def || !observer_is_valid(interest, def)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    observer_row *const row = acre_interest_row(interest, observer);
    if (row) {
        const acre_observer_def before = row->def;
        const bool was_edited = row->is_edited;
        define_observer(interest, row, def);
        row->is_edited = was_edited || !sees_alike(&before, &row->def);
        if (row->def.leave_radius != before.leave_radius) {
            interest->order_updates = 0;
        }
    }
    access_end_write(&interest->access);
    return row ? ACRE_OK : ACRE_ERROR_STALE_HANDLE;
}

acre_result acre_interest_set(acre_interest *interest, acre_observer observer,
                              const acre_observer_def *def)
{
    const acre_result result = set_observer(interest, observer, def);
    return ACRE_ANSWER(result, "o@O", interest, observer.index1, def);
}

static acre_result remove_observer(acre_interest *interest, acre_observer observer)
{
    if (!interest) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    observer_row *const row = acre_interest_row(interest, observer);
    if (row) {
        const uint32_t index = observer.index1 - 1;
        acre_interest_leave_all_rooms(interest, index);
        ACRE_INVARIANT(interest->live >= row->count && interest->observers > 0);
        interest->live -= row->count;
        interest->sets_cost -= acre_interest_set_cost(row);
        acre_interest_drop_set(interest, row);
        interest->observers--;
        interest->order_updates = 0;
        *row = (observer_row){
            .generation = row->generation, .next_free = interest->free_row, .set = row->set};
        interest->free_row = index;
    }
    access_end_write(&interest->access);
    return row ? ACRE_OK : ACRE_ERROR_STALE_HANDLE;
}

acre_result acre_interest_remove(acre_interest *interest, acre_observer observer)
{
    const acre_result result = remove_observer(interest, observer);
    return ACRE_ANSWER(result, "o@", interest, observer.index1);
}

static void shift_observer(observer_row *row, const double *offset)
{
    for (int axis = 0; axis < 3; axis++) {
        row->place[axis] = (float)((double)row->place[axis] + offset[axis]);
        row->def.place[axis] = (float)((double)row->def.place[axis] + offset[axis]);
    }
    row->is_dirty = true;
}

acre_result acre_interest_shift(acre_interest *interest, const double *offset)
{
    if (!interest || !can_shift_by(offset)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    interest_ranges *const ranges = &interest->ranges;
    const acre_result result =
        ranges->tree ? acre_quadtree_shift(ranges->tree, offset, NULL, 0, NULL) : ACRE_OK;
    for (size_t i = 0; i < ranges->map.count && result == ACRE_OK; i++) {
        ranged_thing *const thing = COLUMN_AT(ranges->things, i);
        uint32_t is_rounded = 0;
        float_shift_box(thing->box.min, thing->box.max, offset, &is_rounded);
    }
    for (size_t i = 0; i < interest->row_count && result == ACRE_OK; i++) {
        observer_row *const row = COLUMN_AT(interest->rows, i);
        if (row->is_used) {
            shift_observer(row, offset);
        }
    }
    access_end_write(&interest->access);
    return result;
}

// ---- asking ----

acre_quadtree_report acre_interest_last_report(const acre_interest *interest)
{
    return interest ? interest->report : (acre_quadtree_report){0, 0, ACRE_OK};
}

acre_result acre_interest_get_observer(const acre_interest *interest, acre_observer observer,
                                       acre_observer_state *out)
{
    if (!interest || !out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    memset(out, 0, sizeof *out);
    if (!access_begin_read(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    const observer_row *const row = acre_interest_row(interest, observer);
    if (row) {
        *out = (acre_observer_state){.def = row->def,
                                     .is_lost = row->is_lost,
                                     .seen = row->seen,
                                     .is_new = row->is_new,
                                     .keeps_place = row->keeps_place};
        memcpy(out->place, row->place, sizeof out->place);
    }
    access_end_read(&interest->access);
    return row ? ACRE_OK : ACRE_ERROR_STALE_HANDLE;
}

static size_t copy_seen(const interest_lists *lists, const observer_row *row, uint32_t *items,
                        uint8_t *bands, size_t capacity)
{
    if (row->set_words > 0) {
        return acre_interest_set_items(row, items, bands, capacity);
    }
    size_t count = 0;
    ACRE_INVARIANT(row->first + row->count <= lists->used);
    for (size_t i = row->first; i < row->first + row->count; i++) {
        const uint8_t marks = lists->marks.data[i];
        if (!(marks & MARK_SEEN)) {
            continue;
        }
        if (count < capacity) {
            items[count] = lists->items.data[i];
            if (bands) {
                bands[count] = marks & MARK_BAND;
            }
        }
        count++;
    }
    ACRE_INVARIANT(count == row->seen);
    return count;
}

acre_result acre_interest_list_seen(const acre_interest *interest, acre_observer observer,
                                    uint32_t *items, uint8_t *bands, size_t capacity, size_t *total)
{
    set_count(total, 0);
    if (!interest || (!items && capacity > 0)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    const observer_row *const row = acre_interest_row(interest, observer);
    const size_t count = row ? copy_seen(&interest->lists, row, items, bands, capacity) : 0;
    access_end_read(&interest->access);
    set_count(total, count);
    return row ? ACRE_OK : ACRE_ERROR_STALE_HANDLE;
}

uint32_t acre_interest_reasons(const acre_interest *interest, acre_observer observer, uint32_t item)
{
    if (!interest || !access_begin_read(&interest->access)) {
        return 0;
    }
    uint32_t reasons = 0;
    const observer_row *const row = acre_interest_row(interest, observer);
    if (row) {
        reasons =
            acre_interest_shared_rooms(interest, row, item) + acre_interest_set_has(row, item);
        for (size_t i = row->first; i < row->first + row->count; i++) {
            if (interest->lists.items.data[i] == item) {
                reasons += (interest->lists.marks.data[i] & MARK_RANGE) != 0;
            }
        }
    }
    access_end_read(&interest->access);
    return reasons;
}
