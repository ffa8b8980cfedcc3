// SPDX-License-Identifier: MIT
// view_walk.c - finds what a view sees with a horizon: what is kept hides what comes behind it.
//
// The never-cull set comes first, then the static tree, then the moving tree, each near first
// (quadtree_near_shared.h). The items of a block are asked about; those that are not hidden pass
// all other tests of the view, then their occluders are added in order. At the end what was kept is
// asked about once more, as what came later may hide it. Nothing is divided among workers, so that
// the set depends on the view and the trees alone.
#include "view_find_internal.h"

#include "horizon_shared.h"
#include "quadtree_near_shared.h"

#include <string.h>

static_assert((int)ACRE_NEAR_BLOCK == (int)ACRE_HORIZON_BLOCK,
              "what a tree hands over is asked at once");

// A walk of one finding.
typedef struct view_walk {
    view_find *find;
    culling_table table;
} view_walk;

// ---- what is kept ----

bool acre_view_add_occluders(const view_find *find, const culling_table *table, uint32_t slot)
{
    const bool is_occluder = acre_culling_is_occluder(find->culling, slot);
    acre_aabb room;
    if (is_occluder && acre_horizon_wants(find->horizon, culling_find_box(table, slot, &room))) {
        (void)acre_culling_add_occluders(find->culling, table, slot, find->horizon);
    }
    return is_occluder;
}

// Adds the occluders of what was found from a place on.
static void add_occluders(const view_walk *walk, size_t first, bool counts)
{
    const view_find *const find = walk->find;
    for (size_t i = first; i < find->count; i++) {
        const bool is_occluder = acre_view_add_occluders(find, &walk->table, find->slots[i]);
        if (counts) {
            acre_horizon_count_kept(find->horizon, is_occluder);
        }
    }
}

static uint32_t hide_boxes(void *user, const acre_near_boxes *boxes)
{
    const view_walk *const walk = user;
    return acre_horizon_ask(walk->find->horizon, boxes->edges, boxes->stride, boxes->lanes,
                            boxes->items);
}

static bool take_block(void *user, const acre_item_group *group)
{
    const view_walk *const walk = user;
    view_find *const find = walk->find;
    const size_t first = find->count;
    if (!acre_view_find_group(find, group)) {
        return false;
    }
    add_occluders(walk, first, true);
    return !acre_horizon_gave_up(find->horizon);
}

// ---- the last question ----

// Lays the boxes of up to a group of slots into rows. @return a bit for each.
static uint32_t lay_group(const view_find *find, const culling_table *table, size_t first,
                          float edges[6][ACRE_GROUP_ITEMS])
{
    const size_t left = find->count - first,
                 count = left < ACRE_GROUP_ITEMS ? left : ACRE_GROUP_ITEMS;
    memset(edges, 0, 6 * sizeof edges[0]);
    for (size_t i = 0; i < count; i++) {
        const acre_aabb box = culling_box(table, find->slots[first + i]);
        for (int axis = 0; axis < 3; axis++) {
            edges[2 * axis][i] = box.min[axis];
            edges[2 * axis + 1][i] = box.max[axis];
        }
    }
    return (1u << count) - 1;
}

// Those of up to a group of boxes that the horizon does not hide.
static uint32_t ask_group(const view_find *find, const float *edges, uint32_t asked)
{
    uint32_t seen = asked;
    for (uint32_t first = 0; first < ACRE_GROUP_ITEMS && find->horizon; first += ACRE_NEAR_BLOCK) {
        const uint32_t lanes = asked >> first & ((1u << ACRE_NEAR_BLOCK) - 1);
        seen &=
            ~(acre_horizon_ask(find->horizon, edges + first, ACRE_GROUP_ITEMS, lanes, 1) << first);
    }
    return seen;
}

void acre_view_ask_again(view_find *find, size_t first)
{
    const culling_table table = acre_culling_table(find->culling);
    size_t count = first;
    for (size_t i = first; i < find->count; i += ACRE_GROUP_ITEMS) {
        float edges[6][ACRE_GROUP_ITEMS];
        const uint32_t there = lay_group(find, &table, i, edges);
        uint32_t seen = ask_group(find, edges[0], there);
        if (find->sum) {
            acre_view_add_to_sum(find->sum, &(acre_item_group){find->slots + i, edges[0], seen},
                                 seen);
        }
        for (; seen; seen &= seen - 1) {
            const size_t from = i + lowest_bit(seen);
            find->slots[count] = find->slots[from];
            if (find->lods) {
                find->lods[count] = find->lods[from];
            }
            count++;
        }
    }
    find->count = count;
}

// ---- the walk ----

// An array of the caller may be too small for what is kept at first.
static bool grow_kept(view_find *find, size_t most)
{
    uint32_t *const kept = acre_horizon_reserve_kept(find->horizon, most);
    find->slots = kept ? kept : find->slots;
    find->room = kept ? most : find->room;
    return kept != NULL;
}

// Repeats what was found so far behind it, where the last question does not close it up.
static bool record_met(view_find *find)
{
    const size_t count = find->count;
    if (!find->grow(find, 2 * count + 1)) {
        return false;
    }
    memcpy(find->slots + count, find->slots, count * sizeof *find->slots);
    find->met = count;
    return true;
}

static acre_result walk_trees(view_find *find)
{
    static const int order[TREE_COUNT] = {TREE_STATIC, TREE_MOVING};
    const acre_culling *const culling = find->culling;
    const float *const eye = find->view->eye;
    const acre_aabb origin = {{eye[0], eye[1], eye[2]}, {eye[0], eye[1], eye[2]}};
    view_walk walk = {find, acre_culling_table(culling)};
    const acre_near_visitor visitor = {hide_boxes, take_block, &walk};
    view_sum *const sum = find->sum;
    acre_query query = find->volume.query;
    query.origin = &origin;
    find->sum = NULL; // at the end is known what it is of
    if (!acre_view_find_never(find)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    const size_t first = find->count;
    add_occluders(&walk, 0, false);
    for (int i = 0; i < TREE_COUNT; i++) {
        if (culling->tree_counts[order[i]] > 0) {
            ACRE_INVARIANT_OK(acre_quadtree_visit_near(culling->trees[order[i]], &query, &visitor));
            find->tested += find->stats.items_tested;
        }
        if (find->is_out_of_memory) {
            return ACRE_ERROR_OUT_OF_MEMORY;
        }
    }
    find->sum = sum;
    if (find->is_recorded && !record_met(find)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    if (!acre_horizon_gave_up(find->horizon)) {
        acre_view_ask_again(find, first);
    }
    return acre_horizon_gave_up(find->horizon) ? ACRE_ERROR_NOT_FOUND : ACRE_OK;
}

// Walks, and gives the caller's array what it has room for.
static acre_result walk_into_kept(view_find *find)
{
    uint32_t *const slots = find->slots;
    const size_t room = find->room;
    find->grow = grow_kept;
    find->room = 0;
    const acre_result result = walk_trees(find);
    const size_t written = find->count < room ? find->count : room;
    if (result == ACRE_OK && written > 0) {
        memcpy(slots, find->slots, written * sizeof *slots);
    }
    find->grow = NULL;
    find->slots = slots;
    find->room = room;
    return result;
}

static acre_result walk_once(view_find *find)
{
    acre_result result = acre_horizon_begin_walk(find->horizon, find->view->eye);
    if (result != ACRE_OK) {
        return result;
    }
    view_sum *const sum = find->sum;
    result = find->grow ? walk_trees(find) : walk_into_kept(find);
    find->sum = sum;
    acre_horizon_end_walk(find->horizon);
    if (result != ACRE_OK) {
        find->count = find->tested = 0;
    }
    return result;
}

// Where there is no memory, the horizon forgets the finding: it will be tried again.
static acre_result find_with_horizon(view_find *find)
{
    const horizon_walk before = acre_horizon_get_walk(find->horizon);
    acre_result result = walk_once(find);
    if (result == ACRE_ERROR_NOT_FOUND) {
        result = acre_view_find_plainly(find);
    }
    if (result == ACRE_ERROR_OUT_OF_MEMORY) {
        acre_horizon_set_walk(find->horizon, &before);
    }
    return result;
}

// @return whether there is a walk.
static bool prepare_find(view_find *find)
{
    const view_rules *const rules = &find->rules;
    find->has_one_rule =
        !rules->has_limits && !find->volume.include && !(find->history.count > 0 && rules->has_own);
    find->volume.query.stats = find->grow ? &find->stats : NULL;
    return find->horizon && !find->view->is_parallel && acre_culling_has_occluders(find->culling);
}

acre_result acre_view_find(view_find *find)
{
    return prepare_find(find) ? find_with_horizon(find) : acre_view_find_plainly(find);
}

acre_result acre_view_walk_again(view_find *find)
{
    find->grow = grow_kept;
    find->room = find->count = find->tested = 0;
    find->is_recorded = true;
    return prepare_find(find) ? walk_once(find) : ACRE_ERROR_NOT_FOUND;
}
