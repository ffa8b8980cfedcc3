// SPDX-License-Identifier: MIT
// test_quadtree_inspect.c - the cells that a box meets, traces of queries, and trees as text.
#include "quadtree_items_shared.h"
#include "query_trees.h"
#include "test.h"

#include <acre/quadtree_calls.h>
#include <acre/quadtree_inspect.h>

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 900, MAX_CELLS = 4000 };

static const acre_result bad = ACRE_ERROR_INVALID_ARGUMENT;
static const acre_aabb endless = {{-INFINITY, -INFINITY, -INFINITY},
                                  {INFINITY, INFINITY, INFINITY}};

// A tree whose lattice is exact in floats: cells of 1 and more around the origin.
static acre_quadtree *make_tree(test_random *random, uint32_t items)
{
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = 64, .max_depth = 7, .node_capacity = 4};
    bool ok = acre_quadtree_create(&def, &tree) == ACRE_OK;
    for (uint32_t item = 0; ok && item < items; item++) {
        const float x = (float)random_below(random, 1000) / 8.0f - 62.0f;
        const float z = (float)random_below(random, 1000) / 8.0f - 62.0f;
        const float half = (float)random_below(random, 12) / 8.0f;
        const acre_aabb box = {{x - half, 0, z - half}, {x + half, 2, z + half}};
        ok = acre_quadtree_insert(tree, item, item % 100 == 99 ? &endless : &box) == ACRE_OK;
    }
    return ok ? tree : NULL;
}

// ---- cells ----

typedef struct cell_list {
    acre_quadtree_place cells[MAX_CELLS];
    size_t count, stop_after;
} cell_list;

static bool take_cell(void *user, const acre_quadtree_place *cell)
{
    cell_list *const list = user;
    if (list->count < MAX_CELLS) {
        list->cells[list->count] = *cell;
    }
    list->count++;
    return list->count != list->stop_after;
}

static bool list_cells(const acre_quadtree *tree, const acre_aabb *box, acre_cell_bounds bounds,
                       cell_list *out)
{
    out->count = 0;
    out->stop_after = 0;
    return acre_quadtree_visit_cells(tree, box, bounds, take_cell, out) == ACRE_OK &&
           out->count <= MAX_CELLS;
}

static bool is_same_cell(const acre_quadtree_place *a, const acre_quadtree_place *b)
{
    return a->level == b->level && a->cell_min[0] == b->cell_min[0] &&
           a->cell_min[1] == b->cell_min[1];
}

static void the_endless_box_meets_every_cell_once_parents_first(void)
{
    test_random random = {test_seed};
    static cell_list all;
    acre_quadtree *const tree = make_tree(&random, ITEMS);
    CHECK(tree);
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    for (int bounds = ACRE_CELL_BOUNDS_STRICT; bounds <= ACRE_CELL_BOUNDS_LOOSE; bounds++) {
        size_t leaves = 0, items = 0;
        CHECK(list_cells(tree, &endless, (acre_cell_bounds)bounds, &all));
        CHECK(all.count == stats.nodes && all.cells[0].depth == 0);
        for (size_t i = 0; i < all.count; i++) {
            const acre_quadtree_place *const cell = &all.cells[i];
            leaves += cell->is_leaf;
            items += cell->items;
            CHECK(!cell->is_outlier && cell->level + cell->depth == all.cells[0].level);
            if (i > 0) { // the first child of the last cell, or a cell beside or above it
                const acre_quadtree_place *const last = &all.cells[i - 1];
                CHECK(last->is_leaf ? cell->depth <= last->depth : cell->depth == last->depth + 1);
            }
            for (size_t k = 0; k < i; k++) {
                CHECK(!is_same_cell(cell, &all.cells[k]));
            }
        }
        CHECK(leaves == stats.leaves && items + stats.outliers == stats.items);
    }
    acre_quadtree_destroy(tree);
}

// The decision for one cell, from the numbers that it shows.
static bool should_meet(const acre_quadtree_place *cell, const acre_aabb *box,
                        acre_cell_bounds bounds)
{
    bool meets = bounds != ACRE_CELL_BOUNDS_STORED || acre_aabb_overlaps(&cell->bounds, box);
    for (int axis = 0; axis < 2; axis++) {
        const float low = box->min[axis * 2], high = box->max[axis * 2];
        if (bounds == ACRE_CELL_BOUNDS_STRICT) {
            meets = meets && cell->cell_min[axis] <= high && low < cell->cell_max[axis];
        } else if (bounds == ACRE_CELL_BOUNDS_LOOSE) {
            meets = meets && cell->loose_min[axis] <= high && low <= cell->loose_max[axis];
        }
    }
    return meets;
}

// On cell lines, on edges of loose bounds, and anywhere; of any width, 0 too.
static acre_aabb random_area(test_random *random, const cell_list *all)
{
    const acre_quadtree_place *const cell = &all->cells[random_below(random, (uint32_t)all->count)];
    acre_aabb box = {{0, 0.5f, 0}, {0, 1, 0}};
    for (int axis = 0; axis < 2; axis++) {
        const float places[] = {cell->cell_min[axis], cell->cell_max[axis], cell->loose_min[axis],
                                cell->loose_max[axis], random_float(random, -70, 70)};
        const float low = places[random_below(random, 5)], width = places[random_below(random, 5)];
        box.min[axis * 2] = low;
        box.max[axis * 2] = random_below(random, 3) ? low : low + fabsf(width) / 4;
    }
    return box;
}

static void a_box_meets_the_cells_whose_bounds_it_touches(void)
{
    test_random random = {test_seed};
    static cell_list all, met;
    size_t sum = 0;
    acre_quadtree *const tree = make_tree(&random, ITEMS);
    CHECK(tree && list_cells(tree, &endless, ACRE_CELL_BOUNDS_LOOSE, &all));
    for (uint32_t round = 0; round < 600 * test_scale; round++) {
        const acre_aabb box = random_area(&random, &all);
        const acre_cell_bounds bounds = (acre_cell_bounds)(round % 3);
        size_t next = 0;
        CHECK(list_cells(tree, &box, bounds, &met));
        for (size_t i = 0; i < all.count; i++) {
            if (should_meet(&all.cells[i], &box, bounds)) {
                CHECK(next < met.count && is_same_cell(&met.cells[next], &all.cells[i]));
                next++;
            }
        }
        CHECK(next == met.count);
        sum += next;
    }
    CHECK(sum > 1000);
    acre_quadtree_destroy(tree);
}

static bool has_cell(const cell_list *list, const acre_quadtree_place *cell)
{
    bool found = false;
    for (size_t i = 0; i < list->count; i++) {
        found |= is_same_cell(&list->cells[i], cell);
    }
    return found;
}

static void an_items_cell_is_met_by_its_center_and_by_its_box(void)
{
    test_random random = {test_seed};
    static cell_list met;
    acre_quadtree *const tree = make_tree(&random, ITEMS);
    CHECK(tree);
    for (uint32_t item = 0; item < ITEMS; item++) {
        acre_quadtree_place place;
        acre_aabb box, middle;
        CHECK(acre_quadtree_locate(tree, item, &place) == ACRE_OK);
        CHECK(acre_quadtree_get_box(tree, item, &box) == ACRE_OK);
        if (place.is_outlier) {
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            middle.min[axis] = 0.5f * box.min[axis] + 0.5f * box.max[axis];
        }
        memcpy(middle.max, middle.min, sizeof middle.max);
        CHECK(list_cells(tree, &middle, ACRE_CELL_BOUNDS_STRICT, &met) && has_cell(&met, &place));
        for (size_t i = 0; i < met.count; i++) { // the way down to one leaf
            CHECK(met.cells[i].depth == i && met.cells[i].is_leaf == (i + 1 == met.count));
        }
        CHECK(list_cells(tree, &box, ACRE_CELL_BOUNDS_LOOSE, &met) && has_cell(&met, &place));
        CHECK(list_cells(tree, &box, ACRE_CELL_BOUNDS_STORED, &met) && has_cell(&met, &place));
    }
    acre_quadtree_destroy(tree);
}

static void cells_are_visited_until_the_visitor_wants_no_more(void)
{
    test_random random = {test_seed};
    static cell_list some;
    acre_quadtree *const tree = make_tree(&random, ITEMS);
    CHECK(tree);
    for (size_t most = 1; most < 9; most++) {
        some = (cell_list){.stop_after = most};
        CHECK(acre_quadtree_visit_cells(tree, &endless, ACRE_CELL_BOUNDS_LOOSE, take_cell, &some) ==
              ACRE_OK);
        CHECK(some.count == most);
    }
    acre_quadtree_destroy(tree);
}

static void cells_of_what_is_no_box_are_refused(void)
{
    acre_quadtree *tree = NULL;
    static cell_list none;
    const acre_aabb inverted = {{1, 0, 0}, {0, 1, 1}}, nan = {{0, NAN, 0}, {1, 1, 1}};
    const acre_cell_bounds loose = ACRE_CELL_BOUNDS_LOOSE, unknown = (acre_cell_bounds)3;
    CHECK(acre_quadtree_create(NULL, &tree) == ACRE_OK);
    CHECK(acre_quadtree_visit_cells(tree, &inverted, loose, take_cell, &none) == bad);
    CHECK(acre_quadtree_visit_cells(tree, &nan, loose, take_cell, &none) == bad);
    CHECK(acre_quadtree_visit_cells(tree, NULL, loose, take_cell, &none) == bad);
    CHECK(acre_quadtree_visit_cells(NULL, &endless, loose, take_cell, &none) == bad);
    CHECK(acre_quadtree_visit_cells(tree, &endless, loose, NULL, &none) == bad);
    CHECK(acre_quadtree_visit_cells(tree, &endless, unknown, take_cell, &none) == bad);
    CHECK(none.count == 0);
    CHECK(list_cells(tree, &endless, ACRE_CELL_BOUNDS_STORED, &none) && none.count == 0);
    CHECK(list_cells(tree, &endless, loose, &none) && none.count == 1); // the root of no items
    acre_quadtree_destroy(tree);
}

// ---- traces ----

// What a trace showed, checked on the way.
typedef struct trace_check {
    const acre_quadtree *tree;
    acre_trace_state of_item[ITEMS]; // 0: not shown
    size_t nodes, outlier_lists, tested_items, accepted_items, items, calls, stop_after;
    acre_trace_step node, group;
    acre_quadtree_place place;           // of the node
    acre_trace_state of_depth[32];       // states on the way to the node
    size_t items_left, group_items_left; // of the node and the group that are to be shown
    bool is_wrong;
} trace_check;

static bool is_out(acre_trace_state state)
{
    return state == ACRE_TRACE_DROPPED || state == ACRE_TRACE_SKIPPED;
}

// What lies in something that was dropped is skipped; what lies in something inside is inside, or
// dropped for what the volume does not decide.
static bool may_follow(acre_trace_state parent, acre_trace_state state)
{
    return is_out(parent)                ? state == ACRE_TRACE_SKIPPED
           : parent == ACRE_TRACE_INSIDE ? state == ACRE_TRACE_INSIDE || state == ACRE_TRACE_DROPPED
                                         : state != ACRE_TRACE_SKIPPED;
}

static void check_node(trace_check *check, const acre_trace_step *step)
{
    const acre_quadtree_place *const place = step->node;
    const uint32_t depth = place->depth + place->bands;
    check->is_wrong |= check->items_left > 0 || step->item != UINT32_MAX || depth >= 32 ||
                       step->items != place->items;
    check->nodes += !place->is_outlier;
    check->outlier_lists += place->is_outlier;
    if (!place->is_outlier && depth < 32) {
        check->is_wrong |= depth > 0 && !may_follow(check->of_depth[depth - 1], step->state);
        check->of_depth[depth] = step->state;
    }
    check->node = *step;
    check->place = *place;
    check->items_left = step->items;
}

static void check_group(trace_check *check, const acre_trace_step *step)
{
    check->is_wrong |= check->group_items_left > 0 || step->items > check->items_left ||
                       step->items == 0 || step->items > ACRE_GROUP_ITEMS ||
                       step->item != UINT32_MAX || !may_follow(check->node.state, step->state) ||
                       !acre_aabb_contains(&check->node.bounds, &step->bounds);
    check->items_left -= step->items;
    check->group_items_left = step->items;
    check->group = *step;
    check->tested_items += step->state == ACRE_TRACE_KEPT ? step->items : 0;
    check->accepted_items += step->state == ACRE_TRACE_INSIDE ? step->items : 0;
}

static void check_item(trace_check *check, const acre_trace_step *step)
{
    acre_aabb box;
    check->is_wrong |= check->group_items_left == 0 || step->items != 1 || step->item >= ITEMS ||
                       acre_quadtree_get_box(check->tree, step->item, &box) != ACRE_OK ||
                       memcmp(&box, &step->bounds, sizeof box) != 0 ||
                       !acre_aabb_contains(&check->group.bounds, &box) ||
                       !may_follow(check->group.state, step->state) ||
                       (check->group.state == ACRE_TRACE_KEPT && step->state == ACRE_TRACE_INSIDE);
    if (!check->is_wrong) {
        check->is_wrong |= check->of_item[step->item] != 0;
        check->of_item[step->item] = step->state;
        check->group_items_left--;
        check->items++;
    }
}

static bool check_step(void *user, const acre_trace_step *step)
{
    trace_check *const check = user;
    check->calls++;
    check->is_wrong |=
        step->node == NULL || step->state < ACRE_TRACE_INSIDE || step->state > ACRE_TRACE_SKIPPED;
    if (!check->is_wrong) {
        (step->part == ACRE_TRACE_NODE    ? check_node
         : step->part == ACRE_TRACE_GROUP ? check_group
                                          : check_item)(check, step);
        check->is_wrong |= !is_same_cell(&check->place, step->node);
    }
    return !check->is_wrong && check->calls != check->stop_after;
}

// Whether the trace of a query shows every part of the tree once, and what the query does.
static bool trace_agrees(const acre_quadtree *tree, const acre_query *query, trace_check *out)
{
    static uint32_t found[ITEMS];
    acre_quadtree_stats size;
    acre_query_stats asked_stats, traced_stats;
    acre_query asked = *query, traced = *query;
    size_t total = 0, shown = 0;
    asked.stats = &asked_stats;
    traced.stats = &traced_stats;
    *out = (trace_check){.tree = tree};
    acre_quadtree_get_stats(tree, &size);
    if (acre_quadtree_query(tree, &asked, found, ITEMS, &total) != ACRE_OK ||
        acre_quadtree_trace(tree, &traced, check_step, out) != ACRE_OK || out->is_wrong ||
        out->items_left + out->group_items_left > 0 || out->items != size.items ||
        out->nodes != size.nodes || out->outlier_lists != (size.outliers > 0)) {
        return false;
    }
    for (uint32_t item = 0; item < ITEMS; item++) {
        shown += out->of_item[item] != 0 && !is_out(out->of_item[item]);
    }
    for (size_t i = 0; i < total; i++) {
        shown -= out->of_item[found[i]] != 0 && !is_out(out->of_item[found[i]]);
    }
    return shown == 0 && out->tested_items == asked_stats.items_tested &&
           out->accepted_items == asked_stats.items_accepted &&
           memcmp(&asked_stats, &traced_stats, sizeof asked_stats) == 0;
}

static void a_trace_shows_what_the_query_finds_and_the_work_that_it_does(void)
{
    test_random random = {test_seed};
    size_t states[ACRE_TRACE_SKIPPED + 1] = {0};
    for (uint32_t setting = 0; setting < QUERY_SETTING_COUNT * test_scale; setting++) {
        static query_trees all;
        static generated_query generated;
        static trace_check check;
        CHECK(query_trees_init_setting(&all, setting, ITEMS));
        CHECK(query_trees_fill(&all, &random, setting == 5 ? 3 : ITEMS - setting));
        for (uint32_t round = 0; round < 120; round++) {
            CHECK(round % 3 || query_trees_edit(&all, &random, NULL));
            generate_any_query(&random, &all.ground, &generated);
            if (!trace_agrees(all.trees[round % all.count], &generated.query, &check)) {
                print_query(&generated, stdout);
                CHECK(false); // the trace differs from the query
            }
            for (uint32_t item = 0; item < ITEMS; item++) {
                states[check.of_item[item]]++;
            }
        }
        query_trees_free(&all);
    }
    for (int state = ACRE_TRACE_INSIDE; state <= ACRE_TRACE_SKIPPED; state++) {
        CHECK(states[state] > 2000);
    }
}

static void all_kernels_show_the_same_trace(void)
{
    test_random random = {test_seed};
    static query_trees all;
    static generated_query generated;
    static trace_check first, other;
    CHECK(query_trees_init_setting(&all, 0, ITEMS));
    CHECK(query_trees_fill(&all, &random, ITEMS));
    for (uint32_t round = 0; round < 100 * test_scale; round++) {
        generate_any_query(&random, &all.ground, &generated);
        CHECK(trace_agrees(all.trees[0], &generated.query, &first));
        for (uint32_t k = 1; k < all.count; k++) {
            CHECK(trace_agrees(all.trees[k], &generated.query, &other));
            CHECK(memcmp(first.of_item, other.of_item, sizeof first.of_item) == 0);
            CHECK(first.calls == other.calls);
        }
    }
    query_trees_free(&all);
}

static void a_trace_of_an_empty_tree_shows_its_root(void)
{
    acre_quadtree *tree = NULL;
    static trace_check check;
    const acre_query all = {.shape = ACRE_QUERY_SHAPE_ALL};
    const acre_query box = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &endless};
    CHECK(acre_quadtree_create(NULL, &tree) == ACRE_OK);
    CHECK(trace_agrees(tree, &all, &check) && check.nodes == 1 && check.calls == 1);
    CHECK(check.node.state == ACRE_TRACE_DROPPED); // there is nothing in it
    CHECK(trace_agrees(tree, &box, &check) && check.nodes == 1);
    CHECK(acre_quadtree_insert(tree, 0, &endless) == ACRE_OK);
    CHECK(trace_agrees(tree, &box, &check) && check.outlier_lists == 1 && check.items == 1);
    acre_quadtree_destroy(tree);
}

static void a_trace_stops_when_told_to(void)
{
    test_random random = {test_seed};
    acre_quadtree *const tree = make_tree(&random, ITEMS);
    static trace_check check;
    const acre_query all = {.shape = ACRE_QUERY_SHAPE_ALL};
    CHECK(tree);
    for (size_t most = 1; most < 60; most++) {
        check = (trace_check){.tree = tree, .stop_after = most};
        CHECK(acre_quadtree_trace(tree, &all, check_step, &check) == ACRE_OK);
        CHECK(!check.is_wrong && check.calls == most);
    }
    acre_quadtree_destroy(tree);
}

static void on_call(void *context, const acre_quadtree_call *call)
{
    *(size_t *)context += call->kind != 0;
}

static void no_listener_is_notified_of_a_trace(void)
{
    test_random random = {test_seed};
    acre_quadtree *const tree = make_tree(&random, 50);
    static trace_check check;
    size_t calls = 0;
    const acre_query all = {.shape = ACRE_QUERY_SHAPE_ALL};
    CHECK(tree && acre_quadtree_set_listener(tree, on_call, &calls) == ACRE_OK);
    check = (trace_check){.tree = tree};
    CHECK(acre_quadtree_trace(tree, &all, check_step, &check) == ACRE_OK && check.calls > 50);
    CHECK(calls == 0);
    acre_quadtree_destroy(tree);
}

static void what_is_no_query_is_not_traced(void)
{
    acre_quadtree *tree = NULL;
    static trace_check check;
    const acre_query all = {.shape = ACRE_QUERY_SHAPE_ALL}, none = {.layers = 0};
    acre_query sorted = all, full = all;
    sorted.flags = ACRE_QUERY_SORTED;
    full.flags = ACRE_QUERY_STOP_WHEN_FULL;
    CHECK(acre_quadtree_create(NULL, &tree) == ACRE_OK);
    CHECK(acre_quadtree_trace(NULL, &all, check_step, &check) == bad);
    CHECK(acre_quadtree_trace(tree, NULL, check_step, &check) == bad);
    CHECK(acre_quadtree_trace(tree, &all, NULL, &check) == bad);
    CHECK(acre_quadtree_trace(tree, &none, check_step, &check) == bad);
    CHECK(acre_quadtree_trace(tree, &sorted, check_step, &check) == bad);
    CHECK(acre_quadtree_trace(tree, &full, check_step, &check) == bad);
    CHECK(check.calls == 0);
    acre_quadtree_destroy(tree);
}

// ---- pictures of traces ----

static bool draw_step(void *user, const acre_trace_step *step)
{
    acre_debug_draw_trace_step(user, step);
    return true;
}

typedef struct drawn_trace {
    uint32_t kind;
    size_t boxes[32];                     // by the bit of their kind
    size_t items[ACRE_TRACE_SKIPPED + 1]; // by the state of their color
    size_t outside;                       // boxes beyond the area
    const acre_aabb *area;
} drawn_trace;

static uint32_t bit_of(uint32_t kind)
{
    uint32_t bit = 0;
    while (kind >> bit > 1) {
        bit++;
    }
    return bit;
}

static void take_kind(void *user, uint32_t kind)
{
    ((drawn_trace *)user)->kind = kind;
}

static void take_box(void *user, const acre_aabb *box, uint32_t rgba)
{
    static const uint32_t colors[] = {0, 0x009e73ff, 0xe6b800ff, 0xd55e00ff, 0x9a9a9a80};
    drawn_trace *const drawn = user;
    drawn->boxes[bit_of(drawn->kind)]++;
    for (int state = ACRE_TRACE_INSIDE; state <= ACRE_TRACE_SKIPPED; state++) {
        drawn->items[state] += drawn->kind == ACRE_DEBUG_ITEMS && rgba == colors[state];
    }
    drawn->outside +=
        drawn->area && (box->max[0] < drawn->area->min[0] || box->min[0] > drawn->area->max[0]);
}

static void a_drawn_trace_has_a_box_for_each_step_in_the_color_of_its_state(void)
{
    test_random random = {test_seed};
    acre_quadtree *const tree = make_tree(&random, ITEMS);
    static trace_check check;
    const acre_aabb box = {{-20, -1, -30}, {25, 3, 40}}, area = {{-10, 0, -10}, {10, 0, 10}};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &box};
    acre_quadtree_stats stats;
    CHECK(tree && trace_agrees(tree, &query, &check));
    acre_quadtree_get_stats(tree, &stats);
    drawn_trace drawn = {.kind = 0};
    acre_debug_draw draw = {.user = &drawn, .box = take_box, .kind = take_kind};
    CHECK(acre_quadtree_trace(tree, &query, draw_step, &draw) == ACRE_OK);
    CHECK(drawn.boxes[bit_of(ACRE_DEBUG_STRICT_CELLS)] == stats.nodes);
    CHECK(drawn.boxes[bit_of(ACRE_DEBUG_ITEMS)] == ITEMS);
    CHECK(drawn.boxes[bit_of(ACRE_DEBUG_GROUPS)] > 0);
    CHECK(drawn.boxes[bit_of(ACRE_DEBUG_LOOSE_CELLS)] == 0);
    size_t states[ACRE_TRACE_SKIPPED + 1] = {0};
    for (uint32_t item = 0; item < ITEMS; item++) {
        states[check.of_item[item]]++;
    }
    for (int state = ACRE_TRACE_INSIDE; state <= ACRE_TRACE_SKIPPED; state++) {
        CHECK(states[state] > 0);
        CHECK(drawn.items[state] == states[state]);
    }
    drawn = (drawn_trace){.area = &area};
    draw.flags = ACRE_DEBUG_GROUPS | ACRE_DEBUG_ITEMS;
    draw.area = &area;
    CHECK(acre_quadtree_trace(tree, &query, draw_step, &draw) == ACRE_OK);
    CHECK(drawn.boxes[bit_of(ACRE_DEBUG_STRICT_CELLS)] == 0 && drawn.outside == 0);
    CHECK(drawn.boxes[bit_of(ACRE_DEBUG_ITEMS)] > 0 &&
          drawn.boxes[bit_of(ACRE_DEBUG_ITEMS)] < ITEMS);
    acre_quadtree_destroy(tree);
}

// ---- edits from inside ----

typedef struct intruder {
    acre_quadtree *tree;
    size_t calls, refusals;
} intruder;

static bool intrude(intruder *inside)
{
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}};
    inside->calls++;
    inside->refusals += acre_quadtree_insert(inside->tree, 777, &box) == ACRE_ERROR_BUSY;
    inside->refusals += acre_quadtree_remove(inside->tree, 3) == ACRE_ERROR_BUSY;
    return true;
}

static bool intrude_cell(void *user, const acre_quadtree_place *cell)
{
    (void)cell;
    return intrude(user);
}

static bool intrude_step(void *user, const acre_trace_step *step)
{
    (void)step;
    return intrude(user);
}

static bool intrude_text(void *user, const char *text, size_t length)
{
    (void)text;
    (void)length;
    return intrude(user);
}

static void edits_from_a_visitor_are_busy_and_change_nothing(void)
{
    test_random random = {test_seed};
    acre_quadtree *const tree = make_tree(&random, 60);
    CHECK(tree);
    const acre_query all = {.shape = ACRE_QUERY_SHAPE_ALL};
    const uint64_t hash = acre_quadtree_state_hash(tree);
    intruder inside = {.tree = tree};
    CHECK(acre_quadtree_visit_cells(tree, &endless, ACRE_CELL_BOUNDS_LOOSE, intrude_cell,
                                    &inside) == ACRE_OK);
    CHECK(inside.calls > 4 && inside.refusals == 2 * inside.calls);
    CHECK(acre_quadtree_trace(tree, &all, intrude_step, &inside) == ACRE_OK);
    CHECK(inside.calls > 64 && inside.refusals == 2 * inside.calls);
    const size_t before = inside.calls;
    CHECK(acre_quadtree_dump(tree, 0, intrude_text, &inside) == ACRE_OK);
    CHECK(inside.calls > before && inside.refusals == 2 * inside.calls);
    CHECK(acre_quadtree_state_hash(tree) == hash);
    CHECK(acre_quadtree_remove(tree, 3) == ACRE_OK); // and it is free again
    acre_quadtree_destroy(tree);
}

// ---- text ----

typedef struct growing_text {
    char *text;
    size_t length;
} growing_text;

static bool append_text(void *user, const char *text, size_t length)
{
    growing_text *const to = user;
    char *const grown = realloc(to->text, to->length + length + 1);
    if (!grown) {
        return false;
    }
    memcpy(grown + to->length, text, length);
    to->text = grown;
    to->length += length;
    grown[to->length] = '\0';
    return true;
}

static char *dump(const acre_quadtree *tree, uint32_t levels)
{
    growing_text text = {NULL, 0};
    if (acre_quadtree_dump(tree, levels, append_text, &text) != ACRE_OK ||
        strlen(text.text) != text.length) {
        free(text.text);
        return NULL;
    }
    return text.text;
}

// Loose bounds reach a hair farther than half a cell, so that rounding loses no item.
static void a_small_tree_reads_as_it_is(void)
{
    static const char expected[] =
        "quadtree: 6 items, 5 cells, 4 leaves, depth 1, finest cell 1\n"
        "outliers: 1 items\n"
        "level 2: 0 items, cell (0 0)..(4 4), "
        "loose (-2.00000095 -2.00000095)..(6.00000095 6.00000095), bounds (0 0 0)..(4 1 4)\n"
        "  level 1: 2 items, leaf, cell (0 0)..(2 2), "
        "loose (-1.00000048 -1.00000048)..(3.00000048 3.00000048), bounds (0 0 0)..(2 1 1)\n"
        "  level 1: 1 items, leaf, cell (2 0)..(4 2), "
        "loose (0.999999046 -1.00000048)..(5.00000095 3.00000048), bounds (3 0 0)..(4 1 1)\n"
        "  level 1: 0 items, leaf, cell (0 2)..(2 4), "
        "loose (-1.00000048 0.999999046)..(3.00000048 5.00000095), no bounds\n"
        "  level 1: 2 items, leaf, cell (2 2)..(4 4), "
        "loose (0.999999046 0.999999046)..(5.00000095 5.00000095), bounds (2.5 0 2.5)..(4 0.5 4)\n";
    static const acre_aabb boxes[] = {{{0, 0, 0}, {1, 1, 1}},
                                      {{1, 0, 0}, {2, 1, 1}},
                                      {{3, 0, 0}, {4, 1, 1}},
                                      {{3, 0, 3}, {4, 0.5f, 4}},
                                      {{2.5f, 0, 2.5f}, {3, 0.25f, 3}}};
    const acre_quadtree_def def = {
        .center = {2, 2}, .half_size = 2, .max_depth = 2, .node_capacity = 4};
    acre_quadtree *tree = NULL;
    CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
    for (uint32_t item = 0; item < 5; item++) {
        CHECK(acre_quadtree_insert(tree, item, &boxes[item]) == ACRE_OK);
    }
    CHECK(acre_quadtree_insert(tree, 5, &endless) == ACRE_OK);
    char *const text = dump(tree, 0);
    CHECK(text);
    if (strcmp(text, expected) != 0) {
        printf("%s", text);
    }
    CHECK(strcmp(text, expected) == 0);
    free(text);
    acre_quadtree_destroy(tree);
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++) {
        lines += *text == '\n';
    }
    return lines;
}

// A line of the dump as acre_quadtree_place has it.
static void print_line(const acre_quadtree_place *cell, char *out, size_t size)
{
    char bounds[128] = "no bounds";
    const acre_aabb *const box = &cell->bounds;
    if (acre_aabb_is_valid(box)) {
        snprintf(bounds, sizeof bounds, "bounds (%.9g %.9g %.9g)..(%.9g %.9g %.9g)",
                 (double)box->min[0], (double)box->min[1], (double)box->min[2], (double)box->max[0],
                 (double)box->max[1], (double)box->max[2]);
    }
    snprintf(out, size,
             "%*slevel %u: %zu items, %scell (%.9g %.9g)..(%.9g %.9g), "
             "loose (%.9g %.9g)..(%.9g %.9g), %s\n",
             (int)(2 * cell->depth), "", cell->level, cell->items, cell->is_leaf ? "leaf, " : "",
             (double)cell->cell_min[0], (double)cell->cell_min[1], (double)cell->cell_max[0],
             (double)cell->cell_max[1], (double)cell->loose_min[0], (double)cell->loose_min[1],
             (double)cell->loose_max[0], (double)cell->loose_max[1], bounds);
}

static void the_text_has_a_line_for_each_cell_of_the_levels_asked_for(void)
{
    test_random random = {test_seed};
    static cell_list all;
    acre_quadtree *const tree = make_tree(&random, ITEMS);
    CHECK(tree && list_cells(tree, &endless, ACRE_CELL_BOUNDS_LOOSE, &all));
    for (uint32_t levels = 0; levels < 9; levels++) {
        char *const text = dump(tree, levels);
        CHECK(text && strncmp(text, "quadtree: 900 items, ", 21) == 0);
        const char *at = strchr(strchr(text, '\n') + 1, '\n') + 1;
        size_t lines = 2;
        for (size_t i = 0; i < all.count; i++) {
            char line[512];
            if (levels > 0 && all.cells[i].depth >= levels) {
                continue;
            }
            print_line(&all.cells[i], line, sizeof line);
            CHECK(strncmp(at, line, strlen(line)) == 0);
            at += strlen(line);
            lines++;
        }
        CHECK(*at == '\0' && count_lines(text) == lines);
        free(text);
    }
    acre_quadtree_destroy(tree);
}

static bool fail_at(void *user, const char *text, size_t length)
{
    size_t *const left = user;
    (void)text;
    (void)length;
    return --*left > 0;
}

static void a_writer_that_fails_is_not_called_again(void)
{
    test_random random = {test_seed};
    acre_quadtree *const tree = make_tree(&random, 40);
    CHECK(tree);
    for (size_t most = 1; most < 5; most++) {
        size_t left = most;
        CHECK(acre_quadtree_dump(tree, 0, fail_at, &left) == ACRE_ERROR_IO);
        CHECK(left == 0);
    }
    size_t left = 1;
    CHECK(acre_quadtree_dump(NULL, 0, fail_at, &left) == bad && left == 1);
    CHECK(acre_quadtree_dump(tree, 0, NULL, NULL) == bad);
    acre_quadtree_destroy(tree);
}

// Only where a locale with a comma is installed is there something to compare.
static void the_text_is_the_same_in_every_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8", "ps_AF.UTF-8"};
    test_random random = {test_seed};
    acre_quadtree *const tree = make_tree(&random, 200);
    CHECK(tree);
    char *const text = dump(tree, 0);
    CHECK(text && strchr(text, ',') && strstr(text, ".5 "));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (setlocale(LC_NUMERIC, names[i])) {
            char *const other = dump(tree, 0);
            (void)setlocale(LC_NUMERIC, "C");
            CHECK(other && strcmp(text, other) == 0);
            free(other);
        }
    }
    free(text);
    acre_quadtree_destroy(tree);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(the_endless_box_meets_every_cell_once_parents_first),
        TEST(a_box_meets_the_cells_whose_bounds_it_touches),
        TEST(an_items_cell_is_met_by_its_center_and_by_its_box),
        TEST(cells_are_visited_until_the_visitor_wants_no_more),
        TEST(cells_of_what_is_no_box_are_refused),
        TEST(a_trace_shows_what_the_query_finds_and_the_work_that_it_does),
        TEST(all_kernels_show_the_same_trace),
        TEST(a_trace_of_an_empty_tree_shows_its_root),
        TEST(a_trace_stops_when_told_to),
        TEST(no_listener_is_notified_of_a_trace),
        TEST(what_is_no_query_is_not_traced),
        TEST(a_drawn_trace_has_a_box_for_each_step_in_the_color_of_its_state),
        TEST(edits_from_a_visitor_are_busy_and_change_nothing),
        TEST(a_small_tree_reads_as_it_is),
        TEST(the_text_has_a_line_for_each_cell_of_the_levels_asked_for),
        TEST(a_writer_that_fails_is_not_called_again),
        TEST(the_text_is_the_same_in_every_locale),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
