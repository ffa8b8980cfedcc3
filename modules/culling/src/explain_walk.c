// SPDX-License-Identifier: MIT
// explain_walk.c - behind which objects a walk with a horizon has left an entity out.
//
// The walk is repeated, and what it kept is written down in order. The occluders of the same
// objects, added in the same order, hide the box at some point; then one object after the other is
// left out, the last ones first, until none can be missed.
#include "view_find_internal.h"

#include "horizon_shared.h"

#include <acre/explain.h>

#include <string.h>

// The objects whose occluders hide a box, in the order of the walk.
typedef struct hiding_objects {
    const view_find *find;
    culling_table table;
    float edges[6][ACRE_HORIZON_BLOCK]; // the box, in the first lane
    uint32_t *slots;
    size_t count;
} hiding_objects;

static const size_t nobody = SIZE_MAX;

// Adds the occluders of all but one, until the box is hidden.
// @param needed receives how many of the objects it takes; 0: the box is seen.
static acre_result hide_with_all_but(const hiding_objects *by, size_t left_out, size_t *needed)
{
    acre_horizon *const horizon = by->find->horizon;
    const horizon_walk never_gives_up = {.goes_on = true};
    const acre_result result = acre_horizon_begin_walk(horizon, by->find->view->eye);
    *needed = 0;
    if (result != ACRE_OK) {
        return result;
    }
    acre_horizon_set_walk(horizon, &never_gives_up);
    for (size_t i = 0; i < by->count && *needed == 0; i++) {
        if (i != left_out) {
            (void)acre_view_add_occluders(by->find, &by->table, by->slots[i]);
            const uint32_t hidden =
                acre_horizon_ask(horizon, by->edges[0], ACRE_HORIZON_BLOCK, 1, 1);
            *needed = hidden ? i + 1 : 0;
        }
    }
    acre_horizon_end_walk(horizon);
    return ACRE_OK;
}

static void leave_out(hiding_objects *by, size_t at, size_t needed)
{
    ACRE_INVARIANT(at < by->count && needed <= by->count);
    const size_t behind = needed > at ? needed - at - 1 : 0;
    memmove(by->slots + at, by->slots + at + 1, behind * sizeof *by->slots);
    by->count = needed > at ? needed - 1 : needed;
}

// One that could not be missed may be missed later, as the order of occluders counts: so all are
// tried again until none is left out.
static acre_result keep_what_is_needed(hiding_objects *by)
{
    size_t needed, before;
    acre_result result = hide_with_all_but(by, nobody, &needed);
    by->count = needed;
    do {
        before = by->count;
        for (size_t i = by->count; i-- > 0 && result == ACRE_OK;) {
            result = hide_with_all_but(by, i, &needed);
            if (needed > 0) {
                leave_out(by, i, needed);
                i = i < by->count ? i : by->count;
            }
        }
    } while (result == ACRE_OK && by->count < before);
    return result;
}

// Takes the objects with occluders out of what a walk has met, but for the entity itself: no object
// hides itself.
static void begin_hiding(hiding_objects *out, const view_find *find, uint32_t slot,
                         const acre_aabb *box)
{
    out->find = find;
    out->table = acre_culling_table(find->culling);
    memset(out->edges, 0, sizeof out->edges);
    for (int axis = 0; axis < 3; axis++) {
        out->edges[2 * axis][0] = box->min[axis];
        out->edges[2 * axis + 1][0] = box->max[axis];
    }
    out->slots = find->slots + find->met;
    out->count = 0;
    for (size_t i = 0; i < find->met; i++) {
        const uint32_t met = out->slots[i];
        if (met != slot && acre_culling_is_occluder(find->culling, met)) {
            out->slots[out->count++] = met;
        }
    }
}

// Inserts an object by its distance; the farthest falls out.
static void name_object(const hiding_objects *by, uint32_t slot, float *distances,
                        acre_explanation *out)
{
    acre_aabb room;
    const acre_aabb *const box = culling_find_box(&by->table, slot, &room);
    const float distance =
        culling_box_is_empty(box) ? INFINITY : acre_view_measure_aabb(by->find->view, box).distance;
    uint32_t at = out->hidden_behind_count;
    if (at < ACRE_EXPLANATION_OCCLUDERS) {
        out->hidden_behind_count++;
    } else if (distance >= distances[--at]) {
        return;
    }
    for (; at > 0 && distance < distances[at - 1]; at--) {
        distances[at] = distances[at - 1];
        out->hidden_behind[at] = out->hidden_behind[at - 1];
    }
    distances[at] = distance;
    out->hidden_behind[at] = (acre_entity){slot + 1, by->table.scene_number,
                                           culling_published(&by->table, slot).generation};
}

static acre_result name_those_before(const view_find *find, uint32_t slot, acre_explanation *out)
{
    hiding_objects by;
    float distances[ACRE_EXPLANATION_OCCLUDERS];
    begin_hiding(&by, find, slot, &out->box);
    const acre_result result = keep_what_is_needed(&by);
    for (size_t i = 0; i < by.count && result == ACRE_OK; i++) {
        name_object(&by, by.slots[i], distances, out);
    }
    return result;
}

static bool has_found(const view_find *find, uint32_t slot)
{
    bool is_there = false;
    for (size_t i = 0; i < find->count && !is_there; i++) {
        is_there = find->slots[i] == slot;
    }
    return is_there;
}

acre_result acre_view_explain_walk(view_find *find, uint32_t slot, acre_explanation *out)
{
    const horizon_walk before = acre_horizon_get_walk(find->horizon);
    acre_result result = acre_view_walk_again(find);
    if (result == ACRE_OK && !has_found(find, slot)) {
        out->hidden_by = ACRE_HIDDEN_BY_OCCLUSION;
        result = name_those_before(find, slot, out);
        if (result == ACRE_OK) { // the columns as the query leaves them
            acre_horizon_set_walk(find->horizon, &before);
            result = acre_view_walk_again(find);
        }
    }
    if (result == ACRE_ERROR_BUSY) {
        return result; // it belongs to another call now
    }
    acre_horizon_set_walk(find->horizon, &before);
    return result == ACRE_ERROR_NOT_FOUND ? ACRE_OK : result;
}
