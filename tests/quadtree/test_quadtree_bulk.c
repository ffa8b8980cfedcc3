// SPDX-License-Identifier: MIT
// test_quadtree_bulk.c - inserting and removing many, re-layout, and maintenance on a budget.
//
// The oracle is a tree into which the same rows were inserted one by one, and brute force.
#include "box_generator.h"
#include "brute_force.h"
#include "quadtree_curve.h"
#include "test.h"
#include "tree_helpers.h"

#include <acre/quadtree.h>

#include "told_calls.h"

#include <math.h>
#include <string.h>

enum { MOST = 6000 };

static const box_world world = {{0, 0}, 256, 0.5f};
static uint32_t numbers[2 * MOST];
static acre_aabb rows[2 * MOST];

static acre_quadtree *make_tree(uint32_t node_capacity)
{
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = 256.0f, .node_capacity = node_capacity};
    return acre_quadtree_create(&def, &tree) == ACRE_OK ? tree : NULL;
}

// Numbers 0 to count - 1 in no order, from a place in the arrays on.
static void draw_numbers(test_random *random, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t other = random_below(random, i + 1);
        numbers[first + i] = numbers[first + other];
        numbers[first + other] = first + i;
    }
}

// How the boxes of a case lie.
typedef enum crowd {
    CROWD_WORLD, // every valid kind of box, far and endless ones included
    CROWD_SMALL, // even, all of one size
    CROWD_POINT, // all in one place
    CROWD_LARGE, // as large as a quarter of the world: they stay high up
    CROWD_SIZES, // one place, all sizes
    CROWD_ENDLESS,
    CROWD_COUNT
} crowd;

static acre_aabb crowd_box(test_random *random, crowd kind)
{
    if (kind == CROWD_WORLD) {
        return box_valid(random, &world);
    }
    if (kind == CROWD_ENDLESS) {
        return box_of_kind(random, &world, BOX_INFINITE);
    }
    const bool is_spread = kind == CROWD_SMALL || kind == CROWD_LARGE;
    const float x = is_spread ? random_float(random, -250, 250) : 3.25f;
    const float z = is_spread ? random_float(random, -250, 250) : -77.5f;
    const float half = kind == CROWD_SMALL   ? 0.3f
                       : kind == CROWD_POINT ? 0.0f
                       : kind == CROWD_LARGE ? random_float(random, 30, 100)
                                             : ldexpf(0.4f, (int)random_below(random, 9));
    return (acre_aabb){{x - half, 0, z - half}, {x + half, half, z + half}};
}

static void draw_rows(test_random *random, crowd kind, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        rows[i] = crowd_box(random, kind);
    }
    draw_numbers(random, first, count);
}

static bool insert_each(acre_quadtree *tree, uint32_t first, uint32_t count)
{
    bool ok = true;
    for (uint32_t i = first; i < first + count; i++) {
        ok &= acre_quadtree_insert(tree, numbers[i], &rows[i]) == ACRE_OK;
    }
    return ok;
}

// The same sets from both trees, whatever is asked.
static bool same_answers(test_random *random, const acre_quadtree *a, const acre_quadtree *b)
{
    static uint32_t found[2][2 * MOST];
    for (int i = 0; i < 12; i++) {
        const acre_frustum frustum = frustum_valid(random, &world);
        const acre_aabb box = box_valid(random, &world);
        const bool is_box = i % 3 == 0;
        const size_t count = is_box ? acre_quadtree_query_aabb(a, &box, found[0], 2 * MOST)
                                    : acre_quadtree_query_frustum(a, &frustum, found[0], 2 * MOST);
        const size_t other = is_box ? acre_quadtree_query_aabb(b, &box, found[1], 2 * MOST)
                                    : acre_quadtree_query_frustum(b, &frustum, found[1], 2 * MOST);
        sort_numbers(found[0], count);
        sort_numbers(found[1], other);
        if (count != other || memcmp(found[0], found[1], count * sizeof found[0][0]) != 0) {
            return false;
        }
    }
    return true;
}

static bool same_content(test_random *random, const acre_quadtree *a, const acre_quadtree *b)
{
    return is_valid(a) && is_valid(b) &&
           acre_quadtree_content_hash(a) == acre_quadtree_content_hash(b) &&
           same_answers(random, a, b);
}

// ---- insert_many ----

static const uint32_t capacities[] = {1, 4, 16, 192};

static void insert_many_makes_what_inserts_one_by_one_make(void)
{
    static const uint32_t counts[] = {0, 1, 15, 16, 63, 64, 65, 193, 1000, MOST};
    test_random random = {test_seed};
    for (int kind = 0; kind < CROWD_COUNT; kind++) {
        for (int c = 0; c < 4; c++) {
            for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
                acre_quadtree *const bulk = make_tree(capacities[c]);
                acre_quadtree *const each = make_tree(capacities[c]);
                draw_rows(&random, (crowd)kind, 0, counts[n]);
                CHECK(acre_quadtree_insert_many(bulk, numbers, rows, counts[n]) == ACRE_OK);
                CHECK(acre_quadtree_last_report(bulk).refused == 0);
                CHECK(insert_each(each, 0, counts[n]) && same_content(&random, bulk, each));
                CHECK(stats_of(bulk).items == counts[n]);
                acre_quadtree_destroy(bulk);
                acre_quadtree_destroy(each);
            }
        }
    }
}

// Into a tree that holds more than the batch, as much, less; with layers, and at once after a query
// could have seen the old arrays.
static void insert_many_adds_to_what_is_there(void)
{
    test_random random = {test_seed};
    for (uint32_t round = 0; round < 48; round++) {
        const uint32_t held = random_below(&random, MOST), added = random_below(&random, MOST);
        acre_quadtree *const bulk = make_tree(capacities[round % 4]);
        acre_quadtree *const each = make_tree(capacities[round % 4]);
        draw_rows(&random, (crowd)(round % 5), 0, held);
        draw_rows(&random, (crowd)((round / 4) % CROWD_COUNT), held, added);
        CHECK(insert_each(bulk, 0, held) && insert_each(each, 0, held));
        for (uint32_t i = 0; i < held && round % 3 == 0; i += 7) {
            CHECK(acre_quadtree_set_layers(bulk, i, i) == ACRE_OK);
            CHECK(acre_quadtree_set_layers(each, i, i) == ACRE_OK);
        }
        CHECK(acre_quadtree_insert_many(bulk, numbers + held, rows + held, added) == ACRE_OK);
        CHECK(insert_each(each, held, added) && same_content(&random, bulk, each));
        acre_quadtree_destroy(bulk);
        acre_quadtree_destroy(each);
    }
}

// Sets the layers of rows one by one.
static bool set_each(acre_quadtree *tree, const uint32_t *layers, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        const acre_result result = acre_quadtree_set_layers(tree, numbers[i], layers[i]);
        if (result != (acre_quadtree_contains(tree, numbers[i]) ? ACRE_OK : ACRE_ERROR_NOT_FOUND)) {
            return false;
        }
    }
    return true;
}

static void insert_many_in_layers_is_inserts_and_layers_one_by_one(void)
{
    static uint32_t layers[2 * MOST];
    test_random random = {test_seed * 3};
    for (uint32_t round = 0; round < 48; round++) {
        const uint32_t held = round % 3 ? random_below(&random, MOST) : 0;
        const uint32_t added = random_below(&random, MOST);
        acre_quadtree *const bulk = make_tree(capacities[round % 4]);
        acre_quadtree *const each = make_tree(capacities[round % 4]);
        draw_rows(&random, (crowd)(round % 5), 0, held);
        draw_rows(&random, (crowd)((round / 4) % CROWD_COUNT), held, added);
        for (uint32_t i = 0; i < held + added; i++) { // in every fourth round all in all layers
            layers[i] = round % 4 ? random_below(&random, 4) << i % 30 : i % 2 ? UINT32_MAX : 0;
        }
        CHECK(insert_each(bulk, 0, held) && insert_each(each, 0, held));
        CHECK(acre_quadtree_set_layers_many(bulk, numbers, layers, held) == ACRE_OK);
        CHECK(set_each(each, layers, 0, held));
        CHECK(acre_quadtree_insert_many_in_layers(bulk, numbers + held, rows + held, layers + held,
                                                  added) == ACRE_OK);
        CHECK(insert_each(each, held, added) && set_each(each, layers, held, added));
        CHECK(same_content(&random, bulk, each));
        CHECK((stats_of(bulk).bytes_layers > 0) == (stats_of(each).bytes_layers > 0));
        acre_quadtree_destroy(bulk);
        acre_quadtree_destroy(each);
    }
}

// A refused row changes no layers: neither those of the item that is there, nor of one to come.
static bool refused_rows_have_no_layers(uint32_t held, uint32_t count)
{
    static uint32_t layers[2 * MOST];
    test_random random = {test_seed};
    acre_quadtree *const tree = make_tree(4);
    draw_rows(&random, CROWD_WORLD, 0, held + count);
    bool ok = insert_each(tree, 0, held);
    for (uint32_t i = 0; i < held + count; i++) {
        layers[i] = 1u << i % 5;
    }
    const uint32_t at = held + count / 2;
    rows[at].min[0] = NAN;                                 // refused,
    numbers[at + 1] = numbers[at];                         // so this one is the item,
    numbers[at + 2] = numbers[at];                         // and not this one
    numbers[at + 3] = held ? numbers[0] : numbers[at - 1]; // there already
    for (uint32_t i = 0; i < 4; i++) {
        layers[at + i] = 64u << i;
    }
    ok = ok && acre_quadtree_insert_many_in_layers(tree, numbers + held, rows + held, layers + held,
                                                   count) == ACRE_ERROR_INVALID_ARGUMENT;
    const acre_quadtree_report report = acre_quadtree_last_report(tree);
    ok = ok && report.refused == 3 && report.first_row == count / 2 && is_valid(tree);
    ok = ok && acre_quadtree_get_layers(tree, numbers[at]) == 128;
    ok = ok &&
         acre_quadtree_get_layers(tree, numbers[at + 3]) == (held ? UINT32_MAX : layers[at - 1]);
    const uint32_t absent = 2 * MOST;
    const uint32_t items[] = {numbers[at], absent, numbers[at], UINT32_MAX};
    ok = ok && acre_quadtree_set_layers_many(tree, items, (const uint32_t[]){1, 2, 4, 8}, 4) ==
                   ACRE_ERROR_NOT_FOUND;
    const acre_quadtree_report next = acre_quadtree_last_report(tree);
    ok = ok && next.refused == 2 && next.first_row == 1 &&
         acre_quadtree_get_layers(tree, numbers[at]) == 4;
    acre_quadtree_destroy(tree);
    return ok;
}

static void refused_rows_of_a_batch_have_no_layers(void)
{
    CHECK(refused_rows_have_no_layers(0, 15)); // one by one
    CHECK(refused_rows_have_no_layers(0, 3000));
    CHECK(refused_rows_have_no_layers(3000, 3000)); // built anew
    CHECK(refused_rows_have_no_layers(3000, 500));
}

// A query for a layer that no item of a cell is in does not look at the cell.
static void cells_know_the_layers_that_their_items_came_with(void)
{
    static uint32_t layers[MOST];
    test_random random = {test_seed};
    acre_quadtree *const tree = make_tree(16);
    draw_rows(&random, CROWD_WORLD, 0, MOST);
    for (uint32_t i = 0; i < MOST; i++) {
        layers[i] = rows[i].min[0] < 0.0f ? 1 : 2;
    }
    CHECK(acre_quadtree_insert_many_in_layers(tree, numbers, rows, layers, MOST) == ACRE_OK);
    acre_query_stats all, one;
    size_t total = 0;
    acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB,
                        .box = &(acre_aabb){{-200, -1000, -200}, {-10, 1000, 200}},
                        .stats = &all};
    CHECK(acre_quadtree_query(tree, &query, NULL, 0, NULL) == ACRE_OK && all.items_tested > 0);
    query.layers = 2;
    query.stats = &one;
    CHECK(acre_quadtree_query(tree, &query, NULL, 0, &total) == ACRE_OK && total == 0);
    CHECK(one.nodes_tested < all.nodes_tested && one.items_tested < all.items_tested / 4 * 3);
    acre_quadtree_destroy(tree);
}

// Bad rows among good ones: a batch of a size, each kind of error once.
static bool bad_rows_are_refused(uint32_t held, uint32_t count)
{
    test_random random = {test_seed + count};
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = 256, .node_capacity = 4, .item_capacity = 2 * MOST};
    bool ok = acre_quadtree_create(&def, &tree) == ACRE_OK;
    draw_rows(&random, CROWD_WORLD, 0, held);
    draw_rows(&random, CROWD_WORLD, held, count);
    ok = ok && insert_each(tree, 0, held);
    const uint32_t at = held + count / 2;
    rows[at].min[1] = NAN; // refused first, so its number is free for the next row
    numbers[at + 1] = numbers[at];
    numbers[at + 2] = numbers[at + 1];                     // twice in the batch
    numbers[at + 3] = 2 * MOST;                            // no such item
    numbers[at + 4] = UINT32_MAX;                          // nor that
    numbers[at + 5] = held ? numbers[0] : numbers[at - 1]; // there already
    rows[at + 6].min[0] = 1.0f;                            // upside down
    rows[at + 6].max[0] = 0.0f;
    ok = ok && acre_quadtree_insert_many(tree, numbers + held, rows + held, count) ==
                   ACRE_ERROR_INVALID_ARGUMENT;
    const acre_quadtree_report report = acre_quadtree_last_report(tree);
    ok = ok && report.refused == 6 && report.first_row == count / 2 &&
         report.first_result == ACRE_ERROR_INVALID_ARGUMENT && is_valid(tree) &&
         stats_of(tree).items == held + count - 6;
    acre_aabb box;
    ok = ok && acre_quadtree_get_box(tree, numbers[at], &box) == ACRE_OK &&
         box.min[1] == rows[at + 1].min[1] && box.max[0] == rows[at + 1].max[0];
    // Again what is there by now: nothing changes.
    const uint64_t content = acre_quadtree_content_hash(tree);
    ok = ok && acre_quadtree_insert_many(tree, numbers + held, rows + held, count / 2) ==
                   ACRE_ERROR_EXISTS;
    ok = ok && acre_quadtree_last_report(tree).refused == count / 2 &&
         acre_quadtree_last_report(tree).first_row == 0 &&
         acre_quadtree_content_hash(tree) == content && is_valid(tree);
    acre_quadtree_destroy(tree);
    return ok;
}

static void insert_many_refuses_bad_rows_and_applies_the_rest(void)
{
    CHECK(bad_rows_are_refused(0, 15)); // one by one
    CHECK(bad_rows_are_refused(0, 16));
    CHECK(bad_rows_are_refused(0, 3000));
    CHECK(bad_rows_are_refused(100, 3000)); // built anew
    CHECK(bad_rows_are_refused(3000, 3000));
    CHECK(bad_rows_are_refused(3000, 500)); // one by one
}

// Whether many boxes are those of single calls, and others are left as they are.
static bool boxes_are_those_of_each(const acre_quadtree *tree, const uint32_t *items, size_t count)
{
    static acre_aabb boxes[2 * MOST];
    size_t expected = 0;
    memset(boxes, 0xa5, sizeof boxes);
    const acre_aabb untouched = boxes[0];
    const size_t found = acre_quadtree_get_boxes(tree, items, count, boxes);
    for (size_t i = 0; i < count; i++) {
        acre_aabb box = untouched;
        expected += acre_quadtree_get_box(tree, items[i], &box) == ACRE_OK;
        if (memcmp(&box, &boxes[i], sizeof box) != 0) {
            return false;
        }
    }
    return found == expected;
}

static void many_boxes_are_those_of_single_calls(void)
{
    test_random random = {test_seed};
    acre_quadtree *const tree = make_tree(4);
    static uint32_t items[2 * MOST];
    draw_rows(&random, CROWD_WORLD, 0, 3000);
    CHECK(acre_quadtree_insert_many(tree, numbers, rows, 3000) == ACRE_OK);
    for (uint32_t i = 0; i < 3000; i += 1 + random_below(&random, 4)) {
        CHECK(acre_quadtree_remove(tree, numbers[i]) == ACRE_OK);
    }
    for (size_t count = 0; count <= 4000; count = count < 40 ? count + 1 : count * 10) {
        for (size_t i = 0; i < count; i++) {
            items[i] = random_below(&random, 4000);
        }
        if (count > 2) {
            items[count / 2] = UINT32_MAX;
        }
        CHECK(boxes_are_those_of_each(tree, items, count));
    }
    CHECK(acre_quadtree_get_boxes(tree, NULL, 0, NULL) == 0);
    acre_quadtree_destroy(tree);
}

static void a_batch_of_no_good_row_leaves_the_tree_alone(void)
{
    test_random random = {test_seed};
    acre_quadtree *const tree = make_tree(4);
    draw_rows(&random, CROWD_WORLD, 0, 40);
    CHECK(insert_each(tree, 0, 40));
    const uint64_t state = acre_quadtree_state_hash(tree);
    CHECK(acre_quadtree_insert_many(tree, numbers, rows, 40) == ACRE_ERROR_EXISTS);
    CHECK(acre_quadtree_last_report(tree).refused == 40);
    CHECK(acre_quadtree_state_hash(tree) == state && is_valid(tree));
    CHECK(acre_quadtree_insert_many(tree, NULL, NULL, 0) == ACRE_OK);
    CHECK(acre_quadtree_remove_many(tree, NULL, 0) == ACRE_OK);
    CHECK(acre_quadtree_last_report(tree).refused == 0);
    acre_quadtree_destroy(tree);
}

// The root grows towards far rows as it does one by one, and is as large afterwards.
static void insert_many_grows_the_root(void)
{
    acre_quadtree *const bulk = make_tree(4), *const each = make_tree(4);
    for (uint32_t i = 0; i < 100; i++) {
        const float x = ldexpf(i & 1 ? -1.0f : 1.0f, (int)(i % 17)), z = (float)i;
        rows[i] = (acre_aabb){{x, 0, z}, {x + 1, 1, z + 1}};
        numbers[i] = i;
    }
    CHECK(acre_quadtree_insert_many(bulk, numbers, rows, 100) == ACRE_OK && is_valid(bulk));
    CHECK(insert_each(each, 0, 100));
    const acre_quadtree_stats a = stats_of(bulk), b = stats_of(each);
    CHECK(a.grows > 0 && a.grows == b.grows && a.outliers == b.outliers);
    CHECK(memcmp(a.root_min, b.root_min, sizeof a.root_min) == 0);
    CHECK(memcmp(a.root_max, b.root_max, sizeof a.root_max) == 0);
    acre_quadtree_destroy(bulk);
    acre_quadtree_destroy(each);
}

// Boxes as a program may keep them: a record of its own with middle and half size somewhere in it.
static void insert_many_reads_a_programs_own_records(void)
{
    static struct {
        char name[5];
        float middle[3], unused, half[3];
    } records[MOST];
    test_random random = {test_seed};
    draw_rows(&random, CROWD_SMALL, 0, MOST);
    for (uint32_t i = 0; i < MOST; i++) {
        for (int axis = 0; axis < 3; axis++) {
            records[i].middle[axis] = random_float(&random, -250, 250);
            records[i].half[axis] = i == 77 ? -1.0f : random_float(&random, 0, 3);
            rows[i].min[axis] = records[i].middle[axis] - records[i].half[axis];
            rows[i].max[axis] = records[i].middle[axis] + records[i].half[axis];
        }
    }
    const acre_box_array array = {records->middle, records->half, sizeof *records, sizeof *records,
                                  ACRE_BOX_FORM_CENTER_EXTENT};
    static const uint32_t counts[] = {10, 100, MOST};
    for (int i = 0; i < 3; i++) {
        acre_quadtree *const from = make_tree(16), *const many = make_tree(16);
        const acre_result expected = counts[i] > 77 ? ACRE_ERROR_INVALID_ARGUMENT : ACRE_OK;
        CHECK(acre_quadtree_insert_many_from(from, numbers, &array, counts[i]) == expected);
        CHECK(acre_quadtree_last_report(from).refused == (counts[i] > 77));
        CHECK(acre_quadtree_insert_many(many, numbers, rows, counts[i]) == expected);
        CHECK(acre_quadtree_state_hash(from) == acre_quadtree_state_hash(many));
        acre_quadtree_destroy(from);
        acre_quadtree_destroy(many);
    }
}

// ---- the order in memory ----

// Whether a query of everything reads ids forwards: each span starts behind the one before it.
static bool reads_forwards(const acre_quadtree *tree)
{
    static acre_item_span spans[2 * MOST];
    const acre_frustum everything = {.plane_count = 0};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &everything};
    acre_span_totals totals;
    if (acre_quadtree_query_spans(tree, &query, spans, 2 * MOST, NULL, 0, &totals) != ACRE_OK ||
        totals.copied != 0 || totals.spans > 2 * MOST) {
        return false;
    }
    bool ok = true;
    for (size_t i = 1; i < totals.spans; i++) {
        ok &= (uintptr_t)spans[i].items >= (uintptr_t)(spans[i - 1].items + spans[i - 1].count);
    }
    return ok;
}

static void churn(acre_quadtree *tree, test_random *random, uint32_t count)
{
    for (uint32_t i = 0; i < 4 * count; i++) {
        const uint32_t item = random_below(random, count);
        const acre_aabb box = crowd_box(random, i % 8 ? CROWD_SMALL : CROWD_WORLD);
        if (!acre_quadtree_contains(tree, item)) {
            EXPECT(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
        } else if (random_below(random, 3)) {
            EXPECT(acre_quadtree_refresh(tree, item, &box) == ACRE_OK);
        } else {
            EXPECT(acre_quadtree_remove(tree, item) == ACRE_OK);
        }
    }
}

static void a_built_tree_is_read_forwards_and_so_is_an_optimized_one(void)
{
    test_random random = {test_seed};
    for (uint32_t round = 0; round < 8; round++) {
        acre_quadtree *const tree = make_tree(capacities[round % 4]);
        draw_rows(&random, round < 4 ? CROWD_SMALL : CROWD_WORLD, 0, MOST);
        CHECK(acre_quadtree_insert_many(tree, numbers, rows, MOST) == ACRE_OK);
        CHECK(reads_forwards(tree));
        churn(tree, &random, MOST);
        CHECK(!reads_forwards(tree));
        const uint64_t content = acre_quadtree_content_hash(tree);
        CHECK(acre_quadtree_optimize(tree) == ACRE_OK && is_valid(tree) && reads_forwards(tree));
        CHECK(acre_quadtree_content_hash(tree) == content);
        const uint64_t state = acre_quadtree_state_hash(tree);
        CHECK(acre_quadtree_optimize(tree) == ACRE_OK);
        CHECK(acre_quadtree_state_hash(tree) == state);
        acre_quadtree_destroy(tree);
    }
}

// How many items stand elsewhere in a query of everything than in the one before.
static uint32_t moved_since(const acre_quadtree *tree, uint32_t *order, uint32_t count)
{
    static uint32_t found[MOST + 64];
    const acre_frustum everything = {.plane_count = 0};
    EXPECT(acre_quadtree_query_frustum(tree, &everything, found, MOST + 64) == count);
    uint32_t moved = 0;
    for (uint32_t i = 0; i < count; i++) {
        moved += order[i] != found[i];
        order[i] = found[i];
    }
    return moved;
}

static void upkeep_has_nothing_to_move_in_what_was_built(void)
{
    static uint32_t order[MOST];
    for (uint32_t round = 0; round < 8; round++) {
        test_random random = {test_seed + round};
        acre_quadtree *const tree = make_tree(capacities[round % 4]);
        const float height = round < 4 ? 0.0f : 200.0f;
        draw_numbers(&random, 0, MOST);
        for (uint32_t i = 0; i < MOST; i++) { // huts and halls, side by side
            const float x = random_float(&random, -250, 250);
            rows[i] = box_at(x, random_float(&random, -250, 250), i % 3 ? 0.5f : 8.0f);
            rows[i].min[1] = random_float(&random, 0.0f, height);
            rows[i].max[1] = rows[i].min[1] + 1.0f;
        }
        CHECK(acre_quadtree_insert_many(tree, numbers, rows, MOST) == ACRE_OK);
        CHECK(moved_since(tree, order, MOST) > 0); // the first order
        CHECK(acre_quadtree_maintain_budget(tree, SIZE_MAX) == ACRE_OK);
        CHECK(moved_since(tree, order, MOST) == 0);
        CHECK(acre_quadtree_tighten(tree) == ACRE_OK); // asks for the order of every node
        CHECK(moved_since(tree, order, MOST) == 0);
        CHECK(acre_quadtree_optimize(tree) == ACRE_OK);
        moved_since(tree, order, MOST);
        CHECK(acre_quadtree_tighten(tree) == ACRE_OK && moved_since(tree, order, MOST) == 0);
        acre_quadtree_destroy(tree);
    }
}

static void an_optimized_tree_answers_as_before_and_keeps_layers_and_goes_on(void)
{
    test_random random = {test_seed};
    for (uint32_t round = 0; round < 12; round++) {
        acre_quadtree *const tree = make_tree(capacities[round % 4]);
        acre_quadtree *const plain = make_tree(capacities[round % 4]);
        test_random same = {test_seed + round};
        for (int turn = 0; turn < 3; turn++) {
            const test_random before = same;
            churn(tree, &same, 2000);
            same = before;
            churn(plain, &same, 2000);
            for (uint32_t item = 0; item < 2000; item += 5) {
                CHECK(acre_quadtree_set_layers(tree, item, item) ==
                      acre_quadtree_set_layers(plain, item, item));
            }
            const size_t bytes = stats_of(tree).bytes;
            CHECK(acre_quadtree_optimize(tree) == ACRE_OK && stats_of(tree).bytes <= bytes);
            CHECK(same_content(&random, tree, plain));
        }
        acre_quadtree_destroy(tree);
        acre_quadtree_destroy(plain);
    }
}

// Bounds that moved items left behind are tight afterwards, and no worse than tighten makes them.
static void optimize_tightens(void)
{
    test_random random = {test_seed};
    acre_quadtree *const tree = make_tree(0);
    draw_rows(&random, CROWD_SMALL, 0, MOST);
    CHECK(acre_quadtree_insert_many(tree, numbers, rows, MOST) == ACRE_OK);
    for (uint32_t i = 0; i < MOST; i++) {
        const acre_aabb box = crowd_box(&random, CROWD_SMALL);
        CHECK(acre_quadtree_refresh(tree, i, &box) == ACRE_OK);
    }
    CHECK(acre_quadtree_optimize(tree) == ACRE_OK);
    const uint64_t state = acre_quadtree_state_hash(tree);
    CHECK(acre_quadtree_tighten(tree) == ACRE_OK && acre_quadtree_state_hash(tree) == state);
    acre_quadtree *const empty = make_tree(4);
    const uint64_t hash = acre_quadtree_state_hash(empty);
    CHECK(acre_quadtree_optimize(empty) == ACRE_OK && acre_quadtree_state_hash(empty) == hash);
    acre_quadtree_destroy(empty);
    acre_quadtree_destroy(tree);
}

// ---- remove_many ----

static void remove_many_leaves_what_removes_one_by_one_leave(void)
{
    test_random random = {test_seed};
    for (uint32_t round = 0; round < 60; round++) {
        acre_quadtree *const many = make_tree(capacities[round % 4]);
        acre_quadtree *const each = make_tree(capacities[round % 4]);
        draw_rows(&random, (crowd)(round % CROWD_COUNT), 0, 2000);
        CHECK(acre_quadtree_insert_many(many, numbers, rows, 2000) == ACRE_OK);
        CHECK(acre_quadtree_insert_many(each, numbers, rows, 2000) == ACRE_OK);
        const uint32_t count = round % 5 == 0 ? 2000 : random_below(&random, 2000);
        draw_numbers(&random, 0, 2000);
        size_t refused = 0;
        for (uint32_t i = 0; i < count; i++) {
            numbers[i] = i % 50 == 49 ? numbers[i - 3] : numbers[i]; // it is gone by now
            numbers[i] = i % 90 == 89 ? 2000 + i : numbers[i];
            refused += acre_quadtree_remove(each, numbers[i]) != ACRE_OK;
        }
        const acre_result result = acre_quadtree_remove_many(many, numbers, count);
        CHECK(result == (refused ? ACRE_ERROR_NOT_FOUND : ACRE_OK));
        CHECK(acre_quadtree_last_report(many).refused == refused);
        CHECK(refused == 0 || acre_quadtree_last_report(many).first_row == 49);
        CHECK(same_content(&random, many, each));
        acre_quadtree_destroy(many);
        acre_quadtree_destroy(each);
    }
}

static void a_tree_whose_items_are_all_removed_at_once_is_one_cell(void)
{
    test_random random = {test_seed};
    for (int c = 0; c < 4; c++) {
        acre_quadtree *const tree = make_tree(capacities[c]);
        draw_rows(&random, CROWD_SMALL, 0, MOST);
        CHECK(acre_quadtree_insert_many(tree, numbers, rows, MOST) == ACRE_OK);
        CHECK(stats_of(tree).nodes > 50);
        CHECK(acre_quadtree_remove_many(tree, numbers, MOST) == ACRE_OK && is_valid(tree));
        CHECK(stats_of(tree).items == 0 && stats_of(tree).nodes == 1);
        CHECK(acre_quadtree_insert_many(tree, numbers, rows, MOST) == ACRE_OK && is_valid(tree));
        CHECK(stats_of(tree).items == MOST);
        acre_quadtree_destroy(tree);
    }
}

// ---- maintain on a budget ----

static void maintain_is_a_budget_of_a_share_of_the_nodes(void)
{
    test_random random = {test_seed};
    acre_quadtree *const tree = make_tree(4), *const other = make_tree(4);
    draw_rows(&random, CROWD_SMALL, 0, 3000);
    CHECK(insert_each(tree, 0, 3000) && insert_each(other, 0, 3000));
    for (int frame = 0; frame < 100; frame++) {
        for (int i = 0; i < 100; i++) {
            const uint32_t item = random_below(&random, 3000);
            const acre_aabb box = crowd_box(&random, CROWD_SMALL);
            CHECK(acre_quadtree_refresh(tree, item, &box) == ACRE_OK);
            CHECK(acre_quadtree_refresh(other, item, &box) == ACRE_OK);
        }
        const uint64_t before = stats_of(tree).tightened;
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
        CHECK(acre_quadtree_maintain_budget(other, stats_of(tree).tightened - before) == ACRE_OK);
        CHECK(acre_quadtree_state_hash(tree) == acre_quadtree_state_hash(other));
    }
    acre_quadtree_destroy(tree);
    acre_quadtree_destroy(other);
}

static void a_budget_bounds_the_tightening_and_in_the_end_all_is_tight(void)
{
    test_random random = {test_seed};
    acre_quadtree *const tree = make_tree(4);
    draw_rows(&random, CROWD_SMALL, 0, 3000);
    CHECK(insert_each(tree, 0, 3000));
    for (uint32_t i = 0; i < 3000; i++) {
        const acre_aabb box = crowd_box(&random, CROWD_SMALL);
        CHECK(acre_quadtree_refresh(tree, i, &box) == ACRE_OK);
    }
    static const size_t budgets[] = {0, 1, 4, 5, 100, SIZE_MAX};
    static const uint64_t most[] = {0, 1, 4, 5, 100, UINT64_MAX};
    for (int i = 0; i < 6; i++) {
        const uint64_t before = stats_of(tree).tightened;
        CHECK(acre_quadtree_maintain_budget(tree, budgets[i]) == ACRE_OK && is_valid(tree));
        CHECK(stats_of(tree).tightened - before <= most[i]);
        CHECK((stats_of(tree).tightened > before) == (budgets[i] > 0));
    }
    // A turn tightens parents before or after their children: one for each level, and all is tight.
    for (int turn = 0; turn < 20; turn++) {
        CHECK(acre_quadtree_maintain_budget(tree, SIZE_MAX) == ACRE_OK);
    }
    const uint64_t state = acre_quadtree_state_hash(tree);
    CHECK(acre_quadtree_tighten(tree) == ACRE_OK && acre_quadtree_state_hash(tree) == state);
    acre_quadtree_destroy(tree);
}

// ---- the curve ----

static void both_forms_of_the_curve_agree_and_it_has_no_jumps(void)
{
    static uint32_t columns[CURVE_SQUARES * CURVE_SQUARES], lines[CURVE_SQUARES * CURVE_SQUARES];
    for (uint32_t place = 0; place < CURVE_SQUARES * CURVE_SQUARES; place++) {
        uint32_t x = 0, z = 0;
        for (uint32_t bit = 0; bit < CURVE_LEVELS; bit++) {
            x |= (place >> 2 * bit & 1) << bit;
            z |= (place >> (2 * bit + 1) & 1) << bit;
        }
        const uint32_t distance = curve_distance(x, z);
        CHECK(distance < CURVE_SQUARES * CURVE_SQUARES);
        CHECK(curve_distance_from_morton(place) == distance);
        columns[distance] = x;
        lines[distance] = z;
    }
    for (uint32_t i = 1; i < CURVE_SQUARES * CURVE_SQUARES; i++) {
        const int x = (int)columns[i] - (int)columns[i - 1], z = (int)lines[i] - (int)lines[i - 1];
        CHECK(x * x + z * z == 1);
    }
}

// ---- kernels ----

static void every_kernel_builds_the_same_tree_and_reads_it_in_the_same_order(void)
{
    static uint32_t found[2][MOST];
    uint64_t state = 0;
    size_t count = 0;
    int kernels = 0;
    for (int kernel = ACRE_KERNEL_DEFAULT; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        test_random random = {test_seed};
        acre_quadtree *tree;
        const acre_quadtree_def def = {.half_size = 256, .kernel = (acre_kernel)kernel};
        if (acre_quadtree_create(&def, &tree) != ACRE_OK) {
            continue; // not built, or not on this processor
        }
        draw_rows(&random, CROWD_WORLD, 0, MOST);
        CHECK(acre_quadtree_insert_many(tree, numbers, rows, MOST) == ACRE_OK);
        churn(tree, &random, MOST);
        CHECK(acre_quadtree_remove_many(tree, numbers, MOST / 3) != ACRE_ERROR_INVALID_ARGUMENT);
        CHECK(acre_quadtree_optimize(tree) == ACRE_OK);
        const acre_frustum frustum = frustum_valid(&random, &world);
        const size_t here = acre_quadtree_query_frustum(tree, &frustum, found[kernels > 0], MOST);
        CHECK(kernels == 0 || (here == count && acre_quadtree_state_hash(tree) == state &&
                               memcmp(found[0], found[1], count * sizeof found[0][0]) == 0));
        state = acre_quadtree_state_hash(tree);
        count = here;
        kernels++;
        acre_quadtree_destroy(tree);
    }
    CHECK(kernels >= 2);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(insert_many_makes_what_inserts_one_by_one_make),
        TEST(insert_many_adds_to_what_is_there),
        TEST(insert_many_refuses_bad_rows_and_applies_the_rest),
        TEST(insert_many_in_layers_is_inserts_and_layers_one_by_one),
        TEST(refused_rows_of_a_batch_have_no_layers),
        TEST(cells_know_the_layers_that_their_items_came_with),
        TEST(a_batch_of_no_good_row_leaves_the_tree_alone),
        TEST(many_boxes_are_those_of_single_calls),
        TEST(insert_many_grows_the_root),
        TEST(insert_many_reads_a_programs_own_records),
        TEST(a_built_tree_is_read_forwards_and_so_is_an_optimized_one),
        TEST(upkeep_has_nothing_to_move_in_what_was_built),
        TEST(an_optimized_tree_answers_as_before_and_keeps_layers_and_goes_on),
        TEST(optimize_tightens),
        TEST(remove_many_leaves_what_removes_one_by_one_leave),
        TEST(a_tree_whose_items_are_all_removed_at_once_is_one_cell),
        TEST(maintain_is_a_budget_of_a_share_of_the_nodes),
        TEST(a_budget_bounds_the_tightening_and_in_the_end_all_is_tight),
        TEST(both_forms_of_the_curve_agree_and_it_has_no_jumps),
        TEST(every_kernel_builds_the_same_tree_and_reads_it_in_the_same_order),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
