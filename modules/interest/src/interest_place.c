// SPDX-License-Identifier: MIT
// interest_place.c - where observers stand that follow an item or an entity.
#include "interest_internal.h"

#include <string.h>

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

// Where the followed thing stands. @return false: nowhere.
// box: that of the item; one with a NaN where it is in no tree.
static bool find_place(const acre_interest *interest, const observer_row *row, const acre_aabb *box,
                       float *place)
{
    return (!float_is_nan(box->min[0]) && center_of_box(box, place)) ||
           (interest->front &&
            interest->front->place(interest->front_state, row->def.entity, place));
}

static void place_row(const acre_interest *interest, observer_row *row, const acre_aabb *box)
{
    float place[3];
    const bool is_lost =
        !follow_is_alive(interest, row) || (!interest->front && float_is_nan(box->min[0]));
    const bool keeps_place = is_lost || !find_place(interest, row, box, place);
    if (keeps_place) {
        memcpy(place, row->place, sizeof place);
    }
    if (is_lost || keeps_place != row->keeps_place ||
        memcmp(place, row->place, sizeof place) != 0) {
        memcpy(row->old_place, row->place, sizeof row->old_place);
        memcpy(row->place, place, sizeof row->place);
        row->was_lost = row->is_lost;
        row->kept_place = row->keeps_place;
        row->is_lost = is_lost;
        row->keeps_place = keeps_place;
        row->is_moved = row->is_dirty = true;
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

void acre_interest_place_touched(acre_interest *interest, const interest_world *world)
{
    uint32_t rows[PLACED_ROWS];
    size_t listed = 0;
    for (size_t i = 0; i < interest->row_count; i++) {
        const observer_row *const row = COLUMN_AT(interest->rows, i);
        if (row->is_used &&
            (row->is_dirty || item_is_marked(&interest->touched, followed_item(interest, row)))) {
            rows[listed++] = (uint32_t)i;
        }
        if (listed == PLACED_ROWS || (listed > 0 && i + 1 == interest->row_count)) {
            acre_interest_place_rows(interest, world, rows, listed);
            listed = 0;
        }
    }
}

void acre_interest_move_back(acre_interest *interest)
{
    for (size_t i = 0; i < interest->row_count; i++) {
        observer_row *const row = COLUMN_AT(interest->rows, i);
        if (row->is_moved) {
            memcpy(row->place, row->old_place, sizeof row->place);
            row->is_lost = row->was_lost;
            row->keeps_place = row->kept_place;
            row->is_moved = false;
        }
    }
}
