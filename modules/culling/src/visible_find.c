// SPDX-License-Identifier: MIT
// visible_find.c - finds what a view sees, by volumes and by rules, into the arrays of a set.
#include "culling_parts.h"
#include "visible_set_internal.h"

#include <string.h>

static bool same_frustum(const acre_frustum *a, const acre_frustum *b)
{
    if (!a || !b) {
        return a == b;
    }
    return a->plane_count == b->plane_count &&
           memcmp(a->planes, b->planes, view_plane_count(a) * sizeof a->planes[0]) == 0;
}

// Compares bits: a view that differs in the sign of a zero alone is found anew, which is harmless.
static bool same_view(const acre_view *a, const acre_view *b)
{
    const float of_a[] = {a->min_distance, a->max_distance, a->pixels,    a->min_pixels,
                          a->range_scale,  a->lod_scale,    a->hysteresis};
    const float of_b[] = {b->min_distance, b->max_distance, b->pixels,    b->min_pixels,
                          b->range_scale,  b->lod_scale,    b->hysteresis};
    return a->layers == b->layers && a->flags == b->flags && a->is_parallel == b->is_parallel &&
           memcmp(a->eye, b->eye, sizeof a->eye) == 0 &&
           memcmp(a->depth, b->depth, sizeof a->depth) == 0 &&
           memcmp(of_a, of_b, sizeof of_a) == 0 && same_frustum(&a->frustum, &b->frustum) &&
           same_frustum(a->include, b->include) && same_frustum(a->exclude, b->exclude);
}

// Whether the last result still holds.
static bool can_reuse(const acre_visible_set *set, const acre_culling *culling,
                      const acre_view *view)
{
    return set->has_view && set->culling == culling && set->revision == culling->revision &&
           same_view(&set->view, view);
}

static void reuse_result(acre_visible_set *set)
{
    set->is_reused = true;
    set->tested = set->entered_count = set->left_count = set->changed_count = 0;
    set->left_hidden_count = 0;
    if ((set->flags & ACRE_VISIBLE_CHANGES) && set->count > 0) {
        ACRE_INVARIANT(set->count <= set->stayed.capacity);
        memcpy(set->stayed.data, set->slots.data, set->count * sizeof(uint32_t));
    }
    set->stayed_count = set->count;
}

// Appends what one tree finds. @return false: out of memory.
static bool find_in_tree(acre_visible_set *set, visible_search *search, const acre_quadtree *tree)
{
    acre_query query = search->volume.query;
    acre_query_stats stats;
    query.stats = &stats;
    for (;;) {
        const size_t room = set->next_slots.capacity - search->count;
        uint32_t *const to = room > 0 ? COLUMN_AT(set->next_slots, search->count) : NULL;
        size_t found = 0;
        const acre_result result = acre_quadtree_query(tree, &query, to, room, &found);
        ACRE_INVARIANT(result == ACRE_OK); // the view is valid
        if (result != ACRE_OK) {
            return true;
        }
        if (found <= room) {
            search->count += found;
            search->tested += stats.items_tested;
            return true;
        }
        if (!COLUMN_RESERVE(&set->allocator, set->next_slots, search->count + found)) {
            return false;
        }
    }
}

// The LOD of a slot that rules do not hide.
static uint32_t choose_lod(const view_scale *scale, const view_rule *rule, view_squares squares,
                           const slot_history *known)
{
    return known ? view_next_lod(scale, rule, squares, known->lod)
                 : view_lod(scale, &rule->entering, squares);
}

// A search that reads boxes: the visitor of a tree's groups.
typedef struct group_search {
    acre_visible_set *set;
    visible_search *search;
    bool one_rule;        ///< the same limits hold for all items
    bool uses_hysteresis; ///< other limits hold for what was visible before
    bool out_of_memory;
    size_t room; ///< slots that both columns have room for
} group_search;

static const slot_history *history_of(const group_search *groups, uint32_t slot)
{
    return groups->uses_hysteresis ? visible_history(groups->set, groups->search->culling, slot)
                                   : NULL;
}

// Those of a group's items that no rule hides. What the view's own limits hide every rule hides.
static uint32_t pass_rules_of_set(const group_search *groups, const acre_item_group *group,
                                  const group_squares *squares)
{
    view_rules *const rules = &groups->search->rules;
    const view_rule *const own = view_rule_of_number(rules, 0);
    const view_limits *const widest = groups->uses_hysteresis ? &own->staying : &own->entering;
    uint32_t found = group->found & acre_view_pass_group(&rules->scale, widest, squares);
    for (uint32_t bits = groups->one_rule ? 0 : found; bits; bits &= bits - 1) {
        const uint32_t i = lowest_bit(bits), slot = group->items[i];
        const view_squares one = {squares->distance2[i], squares->extent2[i]};
        const view_rule *const rule = view_rule_of(rules, slot);
        const view_limits *const limits =
            history_of(groups, slot) ? &rule->staying : &rule->entering;
        bool is_hidden = view_is_hidden(&rules->scale, limits, one);
        if (rules->include) {
            is_hidden = is_hidden || !view_is_included(rules, group, i);
        }
        found &= ~((uint32_t)is_hidden << i);
    }
    return found;
}

// Appends items, for which make_room was called.
static void add_items(const group_search *groups, const acre_item_group *group, uint32_t found,
                      const group_squares *squares)
{
    visible_search *const search = groups->search;
    const view_scale scale = search->rules.scale; // a copy, as LODs are bytes: those may alias all
    uint32_t *const slots = groups->set->next_slots.data;
    uint8_t *const lods =
        groups->set->flags & ACRE_VISIBLE_LODS ? groups->set->next_lods.data : NULL;
    size_t count = search->count;
    ACRE_INVARIANT(count + ACRE_GROUP_ITEMS <= groups->room);
    for (; found; found &= found - 1) {
        const uint32_t i = lowest_bit(found), slot = group->items[i];
        if (lods) {
            const view_squares one = {squares->distance2[i], squares->extent2[i]};
            const view_rule *const rule = view_rule_of(&search->rules, slot);
            lods[count] = (uint8_t)choose_lod(&scale, rule, one, history_of(groups, slot));
        }
        slots[count++] = slot;
    }
    search->count = count;
}

// Called where the present room is too small: one comparison a group, not two calls.
static bool make_room(group_search *groups, size_t most)
{
    acre_visible_set *const set = groups->set;
    const bool has_lods = (set->flags & ACRE_VISIBLE_LODS) != 0;
    if (!COLUMN_RESERVE(&set->allocator, set->next_slots, most) ||
        (has_lods && !COLUMN_RESERVE(&set->allocator, set->next_lods, most))) {
        return false;
    }
    groups->room = has_lods && set->next_lods.capacity < set->next_slots.capacity
                       ? set->next_lods.capacity
                       : set->next_slots.capacity;
    return true;
}

static bool add_group(void *user, const acre_item_group *group)
{
    group_search *const groups = user;
    visible_search *const search = groups->search;
    const size_t most = search->count + ACRE_GROUP_ITEMS;
    if (most > groups->room && !make_room(groups, most)) {
        groups->out_of_memory = true;
        return false;
    }
    group_squares squares;
    acre_view_measure_group(&search->rules.scale, group->edges, &squares);
    const uint32_t found = pass_rules_of_set(groups, group, &squares);
    if (groups->set->flags & ACRE_VISIBLE_SUM) {
        acre_view_add_to_sum(&search->sum, group, found);
    }
    add_items(groups, group, found, &squares);
    return true;
}

// ---- on several workers ----

// The rest of a search that reads boxes.
typedef struct visible_parts {
    culling_parts parts;
    const acre_query *query;
    const group_search *groups;
    view_share shares[ACRE_TASKS_MAX_WORKERS];
} visible_parts;

// The set's columns have room for all that the parts can find, so that no task grows them.
static void fill_columns(void *context, uint32_t share)
{
    visible_parts *const call = context;
    culling_parts *const parts = &call->parts;
    visible_search search = *call->groups->search; // with rules and a sum of its own
    group_search groups = *call->groups;
    acre_query query = *call->query;
    acre_query_stats stats = {0};
    const size_t first = search.count;
    query.stats = &stats;
    groups.search = &search;
    acre_view_begin_sum(&search.sum, search.view);
    search.tested = 0;
    for (culling_part part; acre_culling_claim_part(parts, &part);) {
        search.count = first + part.begin;
        const acre_result result = acre_quadtree_query_visit_part(
            parts->tree, &query, &parts->rest.parts[part.number], add_group, &groups);
        ACRE_INVARIANT(result == ACRE_OK && !groups.out_of_memory);
        (void)result;
        parts->regions[part.number].total = search.count - first - part.begin;
        search.tested += stats.items_tested;
    }
    call->shares[share] = (view_share){search.sum, search.tested};
}

// Returns false if there is no memory for regions; then nothing is changed.
static bool find_rest_in_shares(visible_parts *call, group_search *groups)
{
    culling_parts *const parts = &call->parts;
    acre_visible_set *const set = groups->set;
    visible_search *const search = groups->search;
    const size_t most = parts->rest.inside + parts->rest.tested;
    // One group more, as groups are added to columns with room for a whole one.
    if (!make_room(groups, search->count + most + ACRE_GROUP_ITEMS)) {
        return false;
    }
    call->groups = groups;
    for (uint32_t i = 0; i < ACRE_TASKS_MAX_WORKERS; i++) {
        acre_view_begin_sum(&call->shares[i].sum, search->view);
        call->shares[i].tested = 0;
    }
    acre_culling_make_regions(parts, most);
    acre_culling_run_parts(parts, "acre visible", fill_columns, call);
    size_t total;
    const bool is_filled = acre_culling_place_parts(parts, &total);
    ACRE_INVARIANT(is_filled); // each region has room for all of its part
    (void)is_filled;
    acre_culling_close_array(parts, set->next_slots.data + search->count, sizeof(uint32_t));
    if (set->flags & ACRE_VISIBLE_LODS) {
        acre_culling_close_array(parts, set->next_lods.data + search->count, sizeof(uint8_t));
    }
    for (uint32_t i = 0; i < ACRE_TASKS_MAX_WORKERS; i++) {
        acre_view_join_sums(&search->sum, &call->shares[i].sum);
        search->tested += call->shares[i].tested;
    }
    search->count += total;
    return true;
}

// Apart, as the parts take 60 KB of stack.
ACRE_NEVER_INLINE static void find_tree_in_shares(group_search *groups, const acre_query *query,
                                                  int tree)
{
    const acre_culling *const culling = groups->search->culling;
    visible_parts call; // not zeroed: it is large
    call.query = query;
    const acre_result result = acre_culling_visit_first(
        &call.parts, &culling->tasks, culling->trees[tree], query, SHARE_VIEWED, add_group, groups);
    const acre_query_parts *const rest = &call.parts.rest;
    if (result != ACRE_OK || rest->count == 0 || groups->out_of_memory) {
        return;
    }
    groups->search->tested += query->stats->items_tested;
    *query->stats = (acre_query_stats){0};
    if (!find_rest_in_shares(&call, groups)) {
        for (uint32_t i = 0; i < rest->count && !groups->out_of_memory; i++) {
            ACRE_IGNORE(acre_quadtree_query_visit_part(call.parts.tree, query, &rest->parts[i],
                                                       add_group, groups));
            groups->search->tested += query->stats->items_tested;
        }
        *query->stats = (acre_query_stats){0};
    }
}

static bool find_by_rules(acre_visible_set *set, visible_search *search, int tree)
{
    acre_query query = search->volume.query;
    acre_query_stats stats = {0};
    query.stats = &stats;
    const view_rules *const rules = &search->rules;
    const bool uses_hysteresis = set->has_history && rules->view->hysteresis > 0.0f;
    group_search groups = {
        .set = set,
        .search = search,
        .one_rule = !rules->has_limits && !rules->include && !(uses_hysteresis && rules->has_own),
        .uses_hysteresis = uses_hysteresis,
    };
    if (culling_may_divide(&search->culling->tasks, &query)) {
        find_tree_in_shares(&groups, &query, tree);
    } else {
        ACRE_IGNORE(acre_quadtree_query_visit_groups(search->culling->trees[tree], &query,
                                                     add_group, &groups));
    }
    search->tested += stats.items_tested;
    return !groups.out_of_memory;
}

static bool find_in_trees(acre_visible_set *set, visible_search *search)
{
    const acre_culling *const culling = search->culling;
    for (int i = 0; i < TREE_COUNT; i++) {
        if (culling->tree_counts[i] > 0 &&
            !(search->by_rules ? find_by_rules(set, search, i)
                               : find_in_tree(set, search, culling->trees[i]))) {
            return false;
        }
    }
    return true;
}

// No rule hides them, but they have LODs where they have boxes.
static bool find_never_culled(acre_visible_set *set, visible_search *search)
{
    const acre_culling *const culling = search->culling;
    const size_t first = search->count, all = culling->never_count;
    const bool has_lods = (set->flags & ACRE_VISIBLE_LODS) != 0;
    if (all == 0) {
        return true;
    }
    if (!COLUMN_RESERVE(&set->allocator, set->next_slots, first + all) ||
        (has_lods && !COLUMN_RESERVE(&set->allocator, set->next_lods, first + all))) {
        return false;
    }
    uint32_t *const slots = set->next_slots.data;
    uint8_t *const lods = set->next_lods.data;
    search->count +=
        acre_culling_list_never(culling, search->view->layers, UINT32_MAX, slots + first, all);
    const acre_scene_view scene = acre_scene_get_view(culling->scene);
    for (size_t i = first; has_lods && i < search->count; i++) {
        const acre_aabb *const box = acre_culling_box(culling, &scene, slots[i]);
        const slot_history *const known =
            set->has_history ? visible_history(set, culling, slots[i]) : NULL;
        const view_rule *const rule = view_rule_of(&search->rules, slots[i]);
        lods[i] = 0;
        if (search->by_rules && !culling_box_is_empty(box)) {
            const view_squares squares = view_measure(&search->rules.scale, box);
            lods[i] = (uint8_t)choose_lod(&search->rules.scale, rule, squares, known);
        }
    }
    return true;
}

static acre_result search_all(acre_visible_set *set, visible_search *search)
{
    // Some room from the beginning: there is an array then, also for nothing.
    if (!COLUMN_RESERVE(&set->allocator, set->next_slots, 1) || !find_in_trees(set, search)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    if ((set->flags & ACRE_VISIBLE_LODS) && !search->by_rules && search->count > 0) {
        if (!COLUMN_RESERVE(&set->allocator, set->next_lods, search->count)) {
            return ACRE_ERROR_OUT_OF_MEMORY;
        }
        memset(set->next_lods.data, 0, search->count);
    }
    return find_never_culled(set, search) && acre_visible_reserve_changes(set, search)
               ? ACRE_OK
               : ACRE_ERROR_OUT_OF_MEMORY;
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
    set->has_view = true;
}

static acre_result find_anew_or_reuse(const acre_culling *culling, const acre_view *view,
                                      acre_visible_set *set)
{
    if (can_reuse(set, culling, view)) {
        reuse_result(set);
        return ACRE_OK;
    }
    // State from another culler is ignored, but not discarded until this query's allocations have
    // succeeded.
    const bool is_other = set->culling != culling, had_history = set->has_history;
    if (is_other) {
        set->has_history = false;
    }
    visible_search search; // 2 KiB, most of it for prepared rules: too much to clear
    search.culling = culling;
    search.view = view;
    search.count = search.tested = 0;
    search.keeps_history = (set->flags & ACRE_VISIBLE_CHANGES) || view->hysteresis > 0.0f;
    acre_view_prepare_volume(&search.volume, view);
    if (set->is_in_many) { // a task divides nothing
        search.volume.query.flags |= ACRE_QUERY_UNDIVIDED;
    }
    acre_view_begin_rules(&search.rules, culling, view, &search.volume);
    acre_view_begin_sum(&search.sum, view);
    search.by_rules = search.rules.asks || (set->flags & ACRE_VISIBLE_SUM) ||
                      ((set->flags & ACRE_VISIBLE_LODS) && search.rules.has_numbers);
    const acre_result result = search_all(set, &search);
    set->has_history = had_history;
    if (result != ACRE_OK) {
        return result;
    }
    if (is_other) {
        acre_visible_drop_history(set);
    }
    acre_visible_apply(set, &search);
    remember_view(set, view);
    set->culling = culling;
    set->revision = culling->revision;
    return ACRE_OK;
}

acre_result acre_culling_find_visible(const acre_culling *culling, const acre_view *view,
                                      acre_visible_set *set)
{
    if (!culling || !set || !acre_view_is_valid(view)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&culling->access)) {
        return ACRE_ERROR_BUSY;
    }
    const acre_view frozen = set->view;
    const acre_result result = find_anew_or_reuse(culling, set->is_frozen ? &frozen : view, set);
    access_end_read(&culling->access);
    return result;
}
