// SPDX-License-Identifier: MIT
// visible_find.c - finds what a view sees into the arrays of a set, unless nothing has changed.
#include "view_rules_internal.h"
#include "visible_set_internal.h"

#include <string.h>

static bool same_frustum(const acre_frustum *a, const acre_frustum *b)
{
    if (!a || !b) {
        return a == b;
    }
    return a->plane_count == b->plane_count &&
           memcmp(a->planes, b->planes, frustum_plane_count(a) * sizeof a->planes[0]) == 0;
}

// Compares bits: a view that differs in the sign of a zero alone is found anew, which is harmless.
static bool same_view(const acre_view *a, const acre_view *b)
{
    const float of_a[] = {a->min_distance, a->max_distance, a->pixels,    a->min_pixels,
                          a->range_scale,  a->lod_scale,    a->hysteresis};
    const float of_b[] = {b->min_distance, b->max_distance, b->pixels,    b->min_pixels,
                          b->range_scale,  b->lod_scale,    b->hysteresis};
    return a->layers == b->layers && a->flags == b->flags && a->is_parallel == b->is_parallel &&
           a->horizon == b->horizon && memcmp(a->eye, b->eye, sizeof a->eye) == 0 &&
           memcmp(a->depth, b->depth, sizeof a->depth) == 0 &&
           memcmp(of_a, of_b, sizeof of_a) == 0 && same_frustum(&a->frustum, &b->frustum) &&
           same_frustum(a->include, b->include) && same_frustum(a->exclude, b->exclude);
}

// Whether a horizon stands where the last finding had it.
static bool same_horizon(const acre_visible_set *set, const acre_view *view)
{
    if (!view->horizon || set->is_frozen) {
        return true;
    }
    const horizon_place now = acre_horizon_place(view->horizon);
    return memcmp(&set->horizon_place, &now, sizeof now) == 0;
}

bool acre_visible_can_reuse(const acre_visible_set *set, const acre_culling *culling,
                            const acre_view *view)
{
    return set->has_view && set->culling == culling && set->revision == culling->revision &&
           same_view(&set->view, view) && same_horizon(set, view);
}

static void reuse_result(acre_visible_set *set)
{
    const acre_visible was = set->last;
    set->last = (acre_visible){
        .count = was.count, .word_count = was.word_count, .is_reused = true, .sum = was.sum};
    if ((set->flags & ACRE_VISIBLE_CHANGES) && was.count > 0) {
        ACRE_INVARIANT(was.count <= set->stayed.capacity);
        memcpy(set->stayed.data, set->slots.data, was.count * sizeof(uint32_t));
        set->last.stayed_count = was.count;
    }
}

// Gives the slots, and LODs where the set keeps them, room for so many.
static bool grow_columns(view_find *find, size_t most)
{
    acre_visible_set *const set = find->owner;
    const bool has_lods = (set->flags & ACRE_VISIBLE_LODS) != 0;
    // Where there is no memory for LODs, the slots may have moved all the same.
    const bool has_room = COLUMN_RESERVE(&set->allocator, set->next_slots, most) &&
                          (!has_lods || COLUMN_RESERVE(&set->allocator, set->next_lods, most));
    const size_t slots = set->next_slots.capacity, lods = set->next_lods.capacity;
    find->slots = set->next_slots.data;
    find->lods = has_lods ? set->next_lods.data : NULL;
    find->room = has_lods && lods < slots ? lods : slots;
    return has_room;
}

static void remember_view(acre_visible_set *set, const acre_view *view)
{
    set->view = *view;
    if (view->include) {
        set->include = *view->include;
        set->view.include = &set->include;
    }
    if (view->exclude) {
        set->exclude = *view->exclude;
        set->view.exclude = &set->exclude;
    }
    if (view->horizon && !set->is_frozen) {
        set->horizon_place = acre_horizon_place(view->horizon);
    }
    set->has_view = true;
}

// Takes those of the set that are still in a place of the culler, the never-cull set first.
static acre_result find_again(view_find *find, const acre_visible_set *set)
{
    static const uint32_t places[] = {SLOT_IN_NEVER, CULLING_TREES};
    size_t never_count = 0;
    if (!find->grow(find, set->last.count)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    for (int i = 0; i < 2; i++) {
        never_count = find->count;
        for (size_t k = 0; k < set->last.count; k++) {
            const uint32_t slot = *COLUMN_AT(set->slots, k);
            if (slot < find->culling->slots.capacity &&
                (culling_slot_at(find->culling, slot)->bits & places[i])) {
                if (find->lods) {
                    find->lods[find->count] = *COLUMN_AT(set->lods, k);
                }
                find->slots[find->count++] = slot;
            }
        }
    }
    acre_view_ask_again(find, never_count);
    return ACRE_OK;
}

// Finds into the set's next columns, and makes what was found the set's result.
static acre_result find_anew(const acre_culling *culling, const acre_view *view,
                             acre_visible_set *set)
{
    const bool is_other = set->culling != culling;
    view_find find;
    view_sum sum;
    acre_view_begin_find(&find, culling, view);
    find.is_undivided = set->is_in_many; // a task divides nothing
    find.grow = grow_columns;
    find.owner = set;
    if (!is_other && view->hysteresis > 0.0f) {
        find.history = visible_history(set);
    }
    if (set->flags & ACRE_VISIBLE_SUM) {
        acre_view_begin_sum(&sum, view);
        find.sum = &sum;
    }
    find.reads_boxes = find.reads_boxes || find.sum ||
                       ((set->flags & ACRE_VISIBLE_LODS) && find.rules.has_numbers);
    // A frozen set keeps its list: without the horizon, which may stand elsewhere by now, nobody
    // knows what was hidden.
    const bool keeps_list = set->is_frozen && find.horizon && !is_other;
    find.horizon = set->is_frozen ? NULL : find.horizon;
    horizon_walk walk = {.owners = 0};
    if (find.horizon) {
        walk = acre_horizon_get_walk(find.horizon);
    }
    // Some room from the beginning: there is an array then, also for nothing.
    const acre_result result = !grow_columns(&find, 1) ? ACRE_ERROR_OUT_OF_MEMORY
                               : keeps_list            ? find_again(&find, set)
                                                       : acre_view_find(&find);
    if (result != ACRE_OK) {
        return result;
    }
    if (!acre_visible_reserve_changes(set, &find)) {
        if (find.horizon) {
            acre_horizon_set_walk(find.horizon, &walk); // it forgets the finding
        }
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    if (is_other) {
        acre_visible_drop_history(set);
    }
    acre_visible_apply(set, &find);
    remember_view(set, view);
    set->culling = culling;
    set->revision = culling->revision;
    return ACRE_OK;
}

acre_result acre_visible_find(const acre_culling *culling, const acre_view *view,
                              acre_visible_set *set)
{
    acre_result result = culling_begin_read(culling, set && acre_view_is_valid(view));
    if (result != ACRE_OK) {
        return result;
    }
    const acre_view frozen = set->view;
    const acre_view *const asked = set->is_frozen ? &frozen : view;
    if (acre_visible_can_reuse(set, culling, asked)) {
        reuse_result(set);
    } else {
        result = find_anew(culling, asked, set);
    }
    access_end_read(&culling->access);
    return result;
}

acre_result acre_culling_find_visible(const acre_culling *culling, const acre_view *view,
                                      acre_visible_set *set)
{
    const acre_result result = acre_visible_find(culling, view, set);
    return ACRE_ANSWER_RULE(result, view_broken_rule(view), "oVp", culling, view, set);
}
