// SPDX-License-Identifier: MIT
// view_find.c - finds what a view sees, by volumes and by rules.
#include "view_find_internal.h"

#include "culling_pieces_shared.h"

#include <string.h>

// ---- the volume ----

// Trees refuse NaN, which hides nothing here: such planes are left out.
static void add_planes(acre_frustum *to, const acre_frustum *from)
{
    for (uint32_t i = 0; i < frustum_plane_count(from); i++) {
        if (!view_plane_has_nan(from->planes[i])) {
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
        if (out->frustum.plane_count + frustum_plane_count(view->include) <=
            ACRE_FRUSTUM_MAX_PLANES) {
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

// ---- rules ----

void acre_view_begin_rules(view_rules *out, const acre_culling *culling, const acre_view *view)
{
    out->culling = culling;
    out->view = view;
    out->scale = acre_view_scale(view);
    memset(out->numbers, 0xff, sizeof out->numbers);
    const view_rule own = acre_view_prepare_rule(view, NULL);
    out->has_numbers = culling->rule_count > 0 && culling->slot_rules.capacity > 0 &&
                       !(view->flags & ACRE_VIEW_IGNORE_RULES);
    out->has_limits = out->has_numbers && culling->rules_hide;
    out->has_own = !acre_view_rule_asks_nothing(&own);
}

// The rule of a number, prepared anew if another took its place. 0: the view's own limits alone.
// Valid until another is asked for.
static inline const view_rule *rule_of_number(view_rules *rules, uint32_t number)
{
    const uint32_t place = number % VIEW_RULE_PLACES;
    if (rules->numbers[place] != number) {
        rules->numbers[place] = number;
        rules->prepared[place] =
            acre_view_prepare_rule(rules->view, culling_rule(rules->culling, number));
    }
    return &rules->prepared[place];
}

static inline const view_rule *rule_of(view_rules *rules, uint32_t slot)
{
    return rule_of_number(rules,
                          rules->has_numbers ? culling_rule_number(rules->culling, slot) : 0);
}

// The LOD of a slot that rules do not hide. Apart: inlined into its loop it takes 10 more
// instructions an item.
ACRE_NEVER_INLINE static uint32_t choose_lod(const view_scale *scale, const view_rule *rule,
                                             view_squares squares, const slot_history *known)
{
    return known ? view_next_lod(scale, rule, squares, known->lod)
                 : view_lod(scale, &rule->entering, squares);
}

uint32_t acre_view_slot_lod(view_rules *rules, const culling_table *table, uint32_t slot,
                            const slot_history *known)
{
    const acre_aabb box = culling_box(table, slot);
    return culling_box_is_empty(&box) ? 0
                                      : choose_lod(&rules->scale, rule_of(rules, slot),
                                                   view_measure(&rules->scale, &box), known);
}

// Whether an item of a group touches what had no room among the planes.
static bool is_included(const acre_frustum *include, const acre_item_group *group, uint32_t i)
{
    const acre_aabb box = culling_group_box(group, i);
    return acre_frustum_test_aabb(include, &box);
}

// ---- groups: the visitor of both trees ----

// Those of a group's items that no rule hides. What the view's own limits hide every rule hides.
static uint32_t pass_rules(view_find *find, const acre_item_group *group,
                           const group_squares *squares)
{
    view_rules *const rules = &find->rules;
    const view_rule *const own = rule_of_number(rules, 0);
    const view_limits *const widest = find->history.count > 0 ? &own->staying : &own->entering;
    uint32_t found = group->found & acre_view_pass_group(&rules->scale, widest, squares);
    for (uint32_t bits = find->has_one_rule ? 0 : found; bits; bits &= bits - 1) {
        const uint32_t i = lowest_bit(bits), slot = group->items[i];
        const view_squares one = {squares->distance2[i], squares->extent2[i]};
        const view_rule *const rule = rule_of(rules, slot);
        const view_limits *const limits = view_seen_before(&find->history, find->culling, slot)
                                              ? &rule->staying
                                              : &rule->entering;
        bool is_hidden = view_is_hidden(&rules->scale, limits, one);
        if (find->volume.include) {
            is_hidden = is_hidden || !is_included(find->volume.include, group, i);
        }
        found &= ~((uint32_t)is_hidden << i);
    }
    return found;
}

// The lowest bits that are set, at most so many.
static uint32_t first_bits(uint32_t bits, size_t most)
{
    uint32_t out = 0;
    for (; bits && most > 0; bits &= bits - 1, most--) {
        out |= bits & (0u - bits);
    }
    return out;
}

// Appends items, as far as there is room.
static void append_items(view_find *find, const acre_item_group *group, uint32_t found,
                         const group_squares *squares)
{
    const view_scale scale = find->rules.scale; // a copy, as LODs are bytes: those may alias all
    uint32_t *const slots = find->slots;
    uint8_t *const lods = find->lods;
    size_t count = find->count, unwritten = 0;
    if (count + ACRE_GROUP_ITEMS > find->room) {
        const uint32_t written = first_bits(found, culling_room(count, find->room));
        unwritten = count_bits(found & ~written);
        found = written;
    }
    for (; found; found &= found - 1) {
        const uint32_t i = lowest_bit(found), slot = group->items[i];
        if (lods) {
            const view_squares one = {squares->distance2[i], squares->extent2[i]};
            const view_rule *const rule = rule_of(&find->rules, slot);
            lods[count] = (uint8_t)choose_lod(
                &scale, rule, one, view_seen_before(&find->history, find->culling, slot));
        }
        slots[count++] = slot;
    }
    find->count = count + unwritten;
}

bool acre_view_find_group(void *user, const acre_item_group *group)
{
    view_find *const find = user;
    const size_t most = find->count + ACRE_GROUP_ITEMS;
    if (most > find->room && find->grow && !find->grow(find, most)) {
        find->is_out_of_memory = true;
        return false;
    }
    group_squares squares;
    acre_view_measure_group(&find->rules.scale, group->edges, &squares);
    const uint32_t found = pass_rules(find, group, &squares);
    if (find->sum) {
        acre_view_add_to_sum(find->sum, group, found);
    }
    append_items(find, group, found, &squares);
    return true;
}

// ---- on several workers ----

// A share has at least so many items. Rules take about two nanoseconds an item.
#define SHARE_VIEWED 12500

// The sum of one share, on cache lines of its own.
typedef struct find_share {
    _Alignas(SHARE_ALIGNMENT) view_sum sum;
    size_t tested;
} find_share;
ASSERT_OWN_LINES(find_share);

// The rest of a tree, in pieces.
typedef struct find_pieces {
    culling_pieces pieces;
    const view_find *find;
    slot_room room; // behind what was found before
    find_share shares[ACRE_TASKS_MAX_WORKERS];
} find_pieces;

static void find_share_of(void *context, uint32_t share)
{
    find_pieces *const call = context;
    culling_pieces *const pieces = &call->pieces;
    find_share *const adds = pieces->fills_again ? NULL : &call->shares[share]; // once
    view_find own = *call->find; // with rules and a sum of its own
    view_sum sum;
    acre_query query = call->find->volume.query;
    acre_query_stats stats = {0};
    query.stats = own.grow ? &stats : NULL;
    acre_view_begin_sum(&sum, own.view);
    own.sum = own.sum && adds ? &sum : NULL;
    own.grow = NULL; // each piece has room, or is counted
    own.tested = 0;
    for (culling_piece piece; acre_culling_claim_piece(pieces, &piece);) {
        const bool has_room = piece.room > 0;
        own.slots = has_room ? call->room.slots + piece.begin : NULL;
        own.lods = has_room && call->room.lods ? call->room.lods + piece.begin : NULL;
        own.room = piece.room;
        own.count = 0;
        ACRE_INVARIANT_OK(acre_quadtree_visit_piece(
            pieces->tree, &query, &pieces->rest.pieces[piece.number], acre_view_find_group, &own));
        pieces->regions[piece.number].total = own.count;
        own.tested += stats.items_tested;
    }
    if (adds) {
        *adds = (find_share){sum, own.tested};
    }
}

// Finds the rest of a tree. @return false: the arrays cannot grow so far, and nothing is done.
static bool find_rest_in_shares(find_pieces *call, view_find *find)
{
    const acre_query_pieces *const rest = &call->pieces.rest;
    if (find->grow && !find->grow(find, find->count + rest->inside + rest->tested)) {
        return false;
    }
    const size_t room = culling_room(find->count, find->room);
    call->find = find;
    call->room = (slot_room){.slots = room > 0 ? find->slots + find->count : NULL,
                             .lods = room > 0 && find->lods ? find->lods + find->count : NULL,
                             .capacity = room};
    for (uint32_t i = 0; i < ACRE_TASKS_MAX_WORKERS; i++) {
        acre_view_begin_sum(&call->shares[i].sum, find->view);
        call->shares[i].tested = 0;
    }
    find->count +=
        acre_culling_fill_array(&call->pieces, &call->room, "acre view", find_share_of, call);
    for (uint32_t i = 0; i < ACRE_TASKS_MAX_WORKERS; i++) {
        if (find->sum) {
            acre_view_join_sums(find->sum, &call->shares[i].sum);
        }
        find->tested += call->shares[i].tested;
    }
    return true;
}

// Apart, as the pieces take 60 KB of stack.
ACRE_NEVER_INLINE static acre_result find_tree_in_shares(view_find *find, int tree)
{
    const acre_culling *const culling = find->culling;
    const acre_query *const query = &find->volume.query;
    find_pieces call; // not zeroed: it is large
    acre_result result =
        acre_culling_visit_first(&call.pieces, &culling->tasks, culling->trees[tree], query,
                                 SHARE_VIEWED, acre_view_find_group, find);
    find->tested += find->stats.items_tested;
    const acre_query_pieces *const rest = &call.pieces.rest;
    if (result != ACRE_OK || rest->count == 0 || find_rest_in_shares(&call, find)) {
        return result;
    }
    for (uint32_t i = 0; i < rest->count && !find->is_out_of_memory; i++) {
        result = acre_quadtree_visit_piece(call.pieces.tree, query, &rest->pieces[i],
                                           acre_view_find_group, find);
        find->tested += find->stats.items_tested;
    }
    return result;
}

// ---- trees ----

// The tree hands over the items in the volume in groups, with their boxes.
static acre_result find_by_boxes(view_find *find, int tree)
{
    if (find->culling->tasks.worker_count > 1 && !find->is_undivided) {
        return find_tree_in_shares(find, tree);
    }
    const acre_result result = acre_quadtree_query_visit_groups(
        find->culling->trees[tree], &find->volume.query, acre_view_find_group, find);
    find->tested += find->stats.items_tested;
    return result;
}

// The short form where it is enough: its recording is shorter, too. Only the culler edits its
// trees, so that they are not busy.
static acre_result query_tree(const acre_quadtree *tree, const acre_query *query, uint32_t *slots,
                              size_t capacity, size_t *found)
{
    if (query->layers == 0 && !query->exclude && !query->stats) {
        *found = acre_quadtree_query_frustum(tree, query->frustum, slots, capacity);
        return ACRE_OK;
    }
    return acre_quadtree_query(tree, query, slots, capacity, found);
}

// The tree writes the slots itself.
static acre_result find_by_volume(view_find *find, int tree)
{
    for (;;) {
        const size_t room = culling_room(find->count, find->room);
        size_t found = 0;
        const acre_result result =
            query_tree(find->culling->trees[tree], &find->volume.query,
                       room > 0 ? find->slots + find->count : NULL, room, &found);
        if (result != ACRE_OK || found <= room || !find->grow) {
            find->count += found;
            find->tested += find->stats.items_tested;
            return result;
        }
        if (!find->grow(find, find->count + found)) {
            return ACRE_ERROR_OUT_OF_MEMORY;
        }
    }
}

// No rule hides them, but they have LODs where they have boxes.
bool acre_view_find_never(view_find *find)
{
    const acre_culling *const culling = find->culling;
    const size_t first = find->count;
    if (culling->never_count == 0) {
        return true;
    }
    if (find->grow && !find->grow(find, first + culling->never_count)) {
        return false;
    }
    const size_t room = culling_room(first, find->room);
    find->count += acre_culling_list_never(culling, find->view->layers, UINT32_MAX,
                                           room > 0 ? find->slots + first : NULL, room);
    const culling_table table = acre_culling_table(culling);
    for (size_t i = first; find->lods && i < find->count; i++) {
        ACRE_INVARIANT(i < find->room);
        const uint32_t slot = find->slots[i];
        const slot_history *const known = view_seen_before(&find->history, culling, slot);
        find->lods[i] =
            (uint8_t)(find->reads_boxes ? acre_view_slot_lod(&find->rules, &table, slot, known)
                                        : 0);
    }
    return true;
}

void acre_view_begin_find(view_find *out, const acre_culling *culling, const acre_view *view)
{
    out->culling = culling;
    out->view = view;
    out->horizon = view->horizon;
    acre_view_prepare_volume(&out->volume, view);
    acre_view_begin_rules(&out->rules, culling, view);
    out->reads_boxes = out->rules.has_limits || out->rules.has_own || out->volume.include;
    out->history = (view_history){NULL, 0, 0};
    out->is_undivided = out->is_out_of_memory = out->is_recorded = false;
    out->slots = NULL;
    out->lods = NULL;
    out->room = out->count = out->tested = out->met = 0;
    out->stats = (acre_query_stats){0};
    out->sum = NULL;
    out->grow = NULL;
    out->owner = NULL;
}

acre_result acre_view_find_plainly(view_find *find)
{
    const acre_culling *const culling = find->culling;
    acre_result result = ACRE_OK;
    for (int i = 0; i < TREE_COUNT && result == ACRE_OK; i++) {
        if (culling->tree_counts[i] > 0) {
            result = find->reads_boxes ? find_by_boxes(find, i) : find_by_volume(find, i);
        }
        result = find->is_out_of_memory ? ACRE_ERROR_OUT_OF_MEMORY : result;
    }
    if (result != ACRE_OK) {
        return result;
    }
    if (find->lods && !find->reads_boxes) {
        ACRE_INVARIANT(find->count <= find->room);
        memset(find->lods, 0, find->count);
    }
    return acre_view_find_never(find) ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
}
