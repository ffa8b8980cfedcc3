// SPDX-License-Identifier: MIT
// view_find.c - what a view sees, regardless of what it saw before.
#include "culling_parts.h"
#include "view_find_internal.h"

#include "float_bits.h"

#include <string.h>

static bool plane_has_nan(const float *plane)
{
    return float_is_nan(plane[0]) || float_is_nan(plane[1]) || float_is_nan(plane[2]) ||
           float_is_nan(plane[3]);
}

// Trees refuse NaN, which hides nothing here: such planes are left out.
static void add_planes(acre_frustum *to, const acre_frustum *from)
{
    for (uint32_t i = 0; i < view_plane_count(from); i++) {
        if (!plane_has_nan(from->planes[i])) {
            memcpy(to->planes[to->plane_count++], from->planes[i], sizeof to->planes[0]);
        }
    }
}

void acre_view_prepare_volume(view_volume *out, const acre_view *view)
{
    out->frustum.plane_count = 0;
    out->include = NULL;
    add_planes(&out->frustum, &view->frustum);
    // What touches both volumes passes the planes of both.
    if (view->include) {
        if (out->frustum.plane_count + view_plane_count(view->include) <= ACRE_FRUSTUM_MAX_PLANES) {
            add_planes(&out->frustum, view->include);
        } else {
            out->include = view->include;
        }
    }
    out->query = (acre_query){
        .shape = ACRE_QUERY_SHAPE_FRUSTUM,
        .frustum = &out->frustum,
        .layers = culling_asked_layers(view->layers),
        .flags = view->flags & ACRE_VIEW_EXCLUDE_TOUCHING ? ACRE_QUERY_EXCLUDE_TOUCHING : 0,
        .exclude = view->exclude,
    };
}

void acre_view_begin_rules(view_rules *out, const acre_culling *culling, const acre_view *view,
                           const view_volume *volume)
{
    out->culling = culling;
    out->view = view;
    out->include = volume->include;
    memset(out->numbers, 0xff, sizeof out->numbers);
    const view_rule own = acre_view_prepare_rule(view, NULL);
    out->has_numbers = culling->rule_count > 0 && culling->slot_rules.capacity > 0 &&
                       !(view->flags & ACRE_VIEW_IGNORE_RULES);
    out->has_limits = out->has_numbers && culling->rules_hide;
    out->has_own = !acre_view_rule_asks_nothing(&own);
    out->asks = out->has_limits || volume->include || out->has_own;
    out->scale = acre_view_scale(view);
}

const view_rule *acre_view_fetch_rule(view_rules *rules, uint32_t number)
{
    const uint32_t place = number % VIEW_RULE_PLACES;
    rules->numbers[place] = number;
    rules->prepared[place] =
        acre_view_prepare_rule(rules->view, culling_rule(rules->culling, number));
    return &rules->prepared[place];
}

// A query by rules or for a sum: the visitor of the trees' groups.
typedef struct rule_output {
    view_rules rules;
    uint32_t *slots;
    size_t capacity;
    size_t count;
    view_sum *sum; ///< NULL: not wanted
} rule_output;

// The rest of a query by rules, on several workers.
typedef struct rule_parts {
    culling_parts parts;
    const acre_query *query;
    const rule_output *output; ///< slots in order behind its count
    view_share shares[ACRE_TASKS_MAX_WORKERS];
} rule_parts;

// Those of a group's items that the rules do not hide.
static uint32_t pass_entering(view_rules *rules, const acre_item_group *group)
{
    group_squares squares;
    acre_view_measure_group(&rules->scale, group->edges, &squares);
    // What the view's own limits hide every rule hides.
    const view_limits *const own_limits = &view_rule_of_number(rules, 0)->entering;
    uint32_t found = group->found & acre_view_pass_group(&rules->scale, own_limits, &squares);
    for (uint32_t bits = rules->has_limits || rules->include ? found : 0; bits; bits &= bits - 1) {
        const uint32_t i = lowest_bit(bits);
        const view_squares own = {squares.distance2[i], squares.extent2[i]};
        const view_limits *const limits = &view_rule_of(rules, group->items[i])->entering;
        bool is_hidden = view_is_hidden(&rules->scale, limits, own);
        if (rules->include) {
            is_hidden = is_hidden || !view_is_included(rules, group, i);
        }
        found &= ~((uint32_t)is_hidden << i);
    }
    return found;
}

static bool add_visible(void *user, const acre_item_group *group)
{
    rule_output *const output = user;
    const uint32_t found = pass_entering(&output->rules, group);
    if (output->sum) {
        acre_view_add_to_sum(output->sum, group, found);
    }
    for (uint32_t bits = found; bits; bits &= bits - 1) {
        if (output->count < output->capacity) {
            output->slots[output->count] = group->items[lowest_bit(bits)];
        }
        output->count++;
    }
    return true;
}

// ---- on several workers ----

static void fill_slots(void *context, uint32_t share)
{
    rule_parts *const call = context;
    culling_parts *const parts = &call->parts;
    rule_output own = *call->output; // with rules of its own
    view_sum sum;
    const bool adds_up = own.sum && !parts->fills_again; // once
    if (adds_up) {
        acre_view_begin_sum(&sum, own.rules.view);
    }
    own.sum = adds_up ? &sum : NULL;
    for (culling_part part; acre_culling_claim_part(parts, &part);) {
        own.slots = part.room > 0 ? call->output->slots + call->output->count + part.begin : NULL;
        own.capacity = part.room;
        own.count = 0;
        const acre_result result = acre_quadtree_query_visit_part(
            parts->tree, call->query, &parts->rest.parts[part.number], add_visible, &own);
        ACRE_INVARIANT(result == ACRE_OK);
        (void)result;
        parts->regions[part.number].total = own.count;
    }
    if (adds_up) {
        call->shares[share].sum = sum;
    }
}

// The rest of a tree's items, behind the slots that are there.
static void add_rest_in_shares(rule_parts *call, rule_output *output)
{
    call->output = output;
    for (uint32_t i = 0; output->sum && i < ACRE_TASKS_MAX_WORKERS; i++) {
        acre_view_begin_sum(&call->shares[i].sum, output->rules.view);
    }
    const slot_array array = {output->slots, output->count, output->capacity};
    const size_t count =
        acre_culling_write_slots(&call->parts, &array, "acre view", fill_slots, call);
    for (uint32_t i = 0; output->sum && i < ACRE_TASKS_MAX_WORKERS; i++) {
        acre_view_join_sums(output->sum, &call->shares[i].sum);
    }
    output->count = count;
}

// Apart, as the parts take 60 KB of stack.
ACRE_NEVER_INLINE static acre_result query_tree_in_shares(const acre_query *query, int tree,
                                                          rule_output *output)
{
    const acre_culling *const culling = output->rules.culling;
    rule_parts call; // not zeroed: it is large
    call.query = query;
    const acre_result result =
        acre_culling_visit_first(&call.parts, &culling->tasks, culling->trees[tree], query,
                                 SHARE_VIEWED, add_visible, output);
    if (result == ACRE_OK && call.parts.rest.count > 0) {
        add_rest_in_shares(&call, output);
    }
    return result;
}

// ---- queries ----

// The trees hand over the items in the volumes in groups, with their boxes.
static acre_result query_by_rules(const acre_query *query, rule_output *output)
{
    const acre_culling *const culling = output->rules.culling;
    const bool may_divide = culling_may_divide(&culling->tasks, query);
    acre_result result = ACRE_OK;
    for (int i = 0; i < TREE_COUNT && result == ACRE_OK; i++) {
        if (culling->tree_counts[i] > 0) {
            result = may_divide ? query_tree_in_shares(query, i, output)
                                : acre_quadtree_query_visit_groups(culling->trees[i], query,
                                                                   add_visible, output);
        }
    }
    return result;
}

// The short form where it is enough: its recording is shorter, too. Only the culler edits its
// trees, so that they are not busy.
static acre_result query_tree(const acre_quadtree *tree, const acre_query *query, uint32_t *slots,
                              size_t capacity, size_t *found)
{
    if (query->layers == 0 && !query->exclude && !(query->flags & ACRE_QUERY_UNDIVIDED)) {
        *found = acre_quadtree_query_frustum(tree, query->frustum, slots, capacity);
        return ACRE_OK;
    }
    return acre_quadtree_query(tree, query, slots, capacity, found);
}

static acre_result query_by_volume(const acre_culling *culling, const acre_query *query,
                                   rule_output *output)
{
    acre_result result = ACRE_OK;
    for (int i = 0; i < TREE_COUNT && result == ACRE_OK; i++) {
        if (culling->tree_counts[i] > 0) {
            const size_t room = culling_room(output->count, output->capacity);
            size_t found = 0;
            result = query_tree(culling->trees[i], query,
                                room ? output->slots + output->count : NULL, room, &found);
            output->count += found;
        }
    }
    return result;
}

// Begins and ends the read. flags: of the trees' queries. total and sum may be NULL.
static acre_result query_with_flags(const acre_culling *culling, const acre_view *view,
                                    uint32_t flags, uint32_t *slots, size_t capacity, size_t *total,
                                    acre_visible_sum *sum)
{
    if (total) {
        *total = 0;
    }
    if (!culling || !acre_view_is_valid(view)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&culling->access)) {
        return ACRE_ERROR_BUSY;
    }
    view_volume volume;
    acre_view_prepare_volume(&volume, view);
    volume.query.flags |= flags;
    view_sum lanes;
    rule_output output; // most of it is room for prepared rules: too much to clear
    output.slots = slots;
    output.capacity = slots ? capacity : 0;
    output.count = 0;
    output.sum = sum ? &lanes : NULL;
    if (sum) {
        acre_view_begin_sum(&lanes, view);
    }
    acre_view_begin_rules(&output.rules, culling, view, &volume);
    const acre_result result = output.rules.asks || sum
                                   ? query_by_rules(&volume.query, &output)
                                   : query_by_volume(culling, &volume.query, &output);
    const size_t room = culling_room(output.count, output.capacity);
    output.count += acre_culling_list_never(culling, view->layers, UINT32_MAX,
                                            room ? slots + output.count : NULL, room);
    access_end_read(&culling->access);
    if (result == ACRE_OK && total) {
        *total = output.count;
    }
    if (result == ACRE_OK && sum) {
        *sum = acre_view_end_sum(&lanes);
    }
    return result;
}

acre_result acre_view_query_undivided(const acre_culling *culling, const acre_view *view,
                                      uint32_t *slots, size_t capacity, size_t *total)
{
    return query_with_flags(culling, view, ACRE_QUERY_UNDIVIDED, slots, capacity, total, NULL);
}

acre_result acre_culling_query_view(const acre_culling *culling, const acre_view *view,
                                    uint32_t *slots, size_t capacity, size_t *total)
{
    return query_with_flags(culling, view, 0, slots, capacity, total, NULL);
}

acre_result acre_culling_query_frustum(const acre_culling *culling, const acre_frustum *frustum,
                                       uint32_t layers, uint32_t *slots, size_t capacity,
                                       size_t *total)
{
    if (!frustum) {
        return acre_culling_query_view(culling, NULL, slots, capacity, total);
    }
    const acre_view view = {.frustum = *frustum, .layers = layers, .flags = ACRE_VIEW_IGNORE_RULES};
    return acre_culling_query_view(culling, &view, slots, capacity, total);
}

size_t acre_culling_query(const acre_culling *culling, const acre_camera *camera, uint32_t *slots,
                          size_t capacity)
{
    ACRE_ASSERT(culling && camera);
    if (!culling || !camera) {
        return 0;
    }
    acre_view view;
    size_t total;
    ACRE_IGNORE(acre_view_from_camera(&view, camera)); // on an error the view sees everything
    const acre_result result = acre_culling_query_view(culling, &view, slots, capacity, &total);
    ACRE_ASSERT(result != ACRE_ERROR_BUSY);
    return result == ACRE_OK ? total : 0;
}
