// SPDX-License-Identifier: MIT
// interest_update.c - one update: where observers stand, what they see, and what of it is new.
#include "interest_internal.h"

#include "float_bits.h"

#include <string.h>

// ---- places ----

// The center of a box. @return false where it is not finite.
static bool center_of(const acre_aabb *box, float *center)
{
    for (int axis = 0; axis < 3; axis++) {
        center[axis] = 0.5f * box->min[axis] + 0.5f * box->max[axis];
        if (!float_is_finite(center[axis])) {
            return false;
        }
    }
    return true;
}

static bool follow_is_alive(const acre_interest *interest, const observer_row *row)
{
    if (interest->front) {
        return interest->front->is_alive(interest->front_state, row->def.entity);
    }
    return acre_interest_epoch(interest, row->def.item) == row->follow_epoch &&
           acre_interest_generation(interest, row->def.item) == row->follow_generation;
}

// The item that an observer follows.
static uint32_t followed_item(const acre_interest *interest, const observer_row *row)
{
    return interest->front ? row->def.entity.index1 - 1 : row->def.item;
}

// Writes where the followed thing stands; leaves the place alone where it stands nowhere.
// box: that of the item; one with a NaN where it is in no tree.
static void find_place(const acre_interest *interest, const observer_row *row, const acre_aabb *box,
                       float *place, bool *is_lost)
{
    const bool has_box = !float_is_nan(box->min[0]);
    float center[3];
    *is_lost = !follow_is_alive(interest, row) || (!has_box && !interest->front);
    if (*is_lost) {
        return;
    }
    if (has_box ? center_of(box, center)
                : interest->front->place(interest->front_state, row->def.entity, center)) {
        memcpy(place, center, sizeof center);
    }
}

static void move_observer(observer_row *row, const float *place, bool is_lost)
{
    memcpy(row->old_place, row->place, sizeof row->old_place);
    memcpy(row->place, place, sizeof row->place);
    row->was_lost = row->is_lost;
    row->is_lost = is_lost;
    row->is_moved = true;
    row->is_dirty = true;
}

static void place_row(const acre_interest *interest, observer_row *row, const acre_aabb *box)
{
    float place[3];
    bool is_lost;
    memcpy(place, row->place, sizeof place);
    find_place(interest, row, box, place, &is_lost);
    if (is_lost || memcmp(place, row->place, sizeof place) != 0) {
        move_observer(row, place, is_lost);
    }
}

void acre_interest_place_rows(acre_interest *interest, const interest_world *world,
                              const uint32_t *rows, size_t count)
{
    uint32_t items[PLACED_ROWS];
    acre_aabb boxes[PLACED_ROWS];
    observer_row *followers[PLACED_ROWS];
    size_t listed = 0;
    ACRE_INVARIANT(count <= PLACED_ROWS);
    for (size_t i = 0; i < count; i++) {
        observer_row *const row = COLUMN_AT(interest->rows, rows[i]);
        ACRE_INVARIANT(row->is_used);
        if ((row->def.follows_item || row->def.entity.index1 != 0) && !row->is_lost) {
            items[listed] = followed_item(interest, row);
            followers[listed++] = row;
        }
    }
    if (listed == 0) {
        return;
    }
    acre_interest_boxes(world, items, listed, boxes);
    for (size_t i = 0; i < listed; i++) {
        place_row(interest, followers[i], &boxes[i]);
    }
}

// Moves the observers whose item changed, or who were edited.
static void place_touched_observers(acre_interest *interest, const interest_world *world)
{
    uint32_t rows[PLACED_ROWS];
    size_t listed = 0;
    for (size_t i = 0; i < interest->row_count; i++) {
        const observer_row *const row = COLUMN_AT(interest->rows, i);
        if (row->is_used &&
            (row->is_dirty || item_is_touched(interest, followed_item(interest, row)))) {
            rows[listed++] = (uint32_t)i;
        }
        if (listed == PLACED_ROWS || (listed > 0 && i + 1 == interest->row_count)) {
            acre_interest_place_rows(interest, world, rows, listed);
            listed = 0;
        }
    }
}

// After an update that failed: observers stand where they stood before.
static void move_observers_back(acre_interest *interest)
{
    for (size_t i = 0; i < interest->row_count; i++) {
        observer_row *const row = COLUMN_AT(interest->rows, i);
        if (row->is_moved) {
            memcpy(row->place, row->old_place, sizeof row->place);
            row->is_lost = row->was_lost;
            row->is_moved = false;
        }
    }
}

// ---- updates ----

static acre_result find_for_touched(acre_interest *interest, const interest_world *world)
{
    place_touched_observers(interest, world);
    return acre_interest_find_changed(interest, world);
}

static acre_result update_world(acre_interest *interest, const interest_world *world,
                                const uint32_t *items, size_t count, bool are_all)
{
    interest->share_count = 1;
    ACRE_INVARIANT(world->count > 0 || interest->front);
    acre_interest_begin_share(&interest->share, &interest->allocator);
    if (!acre_interest_find_reborn(interest, items, count, are_all) ||
        (!are_all && !acre_interest_touch(interest, items, count))) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    acre_result result =
        are_all ? acre_interest_find_all(interest, world) : find_for_touched(interest, world);
    if (result == ACRE_OK && !acre_interest_reserve_outcomes(interest)) {
        result = ACRE_ERROR_OUT_OF_MEMORY;
    }
    if (result == ACRE_OK) {
        acre_interest_apply(interest);
        acre_interest_accept_generations(interest);
    } else {
        move_observers_back(interest);
    }
    return result;
}

static acre_result update_interest(acre_interest *interest, const uint32_t *items, size_t count,
                                   bool are_all)
{
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    interest_world world = {.trees = {interest->tree, NULL}, .count = 1};
    acre_result result = ACRE_ERROR_BUSY;
    if (!interest->front || interest->front->open(interest->front_state, &world)) {
        result = update_world(interest, &world, items, count, are_all);
        if (!are_all) {
            acre_interest_end_touch(interest);
        }
        if (interest->front) {
            interest->front->close(interest->front_state);
        }
    }
    access_end_write(&interest->access);
    return result;
}

acre_result acre_interest_update(acre_interest *interest)
{
    return interest ? update_interest(interest, NULL, 0, true) : ACRE_ERROR_INVALID_ARGUMENT;
}

acre_result acre_interest_update_changed(acre_interest *interest, const uint32_t *items,
                                         size_t count)
{
    if (!interest || (!items && count > 0)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    return update_interest(interest, items, count, false);
}
