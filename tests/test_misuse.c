// SPDX-License-Identifier: MIT
// test_misuse.c - every way to call Acre wrongly: NULL, what is dead, stale or foreign, numbers
// that are none, inverted boxes, calls from within a call, the same call twice. Each is answered
// with the code of its header, and everything stays as it was. No other test repeats these calls;
// cameras, frusta, pictures, views, the volumes of queries, pairs, interest and partitions have
// such tables in their own tests.
//
// Functions that only compute (bounds.h, the tests of frustum.h) have no code to answer NULL with;
// base.h forbids it for them.
#include "culling_counts.h"
#include "scene_shared.h"
#include "test.h"

#include <acre/camera.h>
#include <acre/culling.h>
#include <acre/entity_pairs.h>
#include <acre/explain.h>
#include <acre/quadtree_calls.h>
#include <acre/quadtree_inspect.h>
#include <acre/record.h>
#if TEST_HAS_IMPORT
#include <acre/import.h>
#endif

#include "told_calls.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const acre_aabb unit_box = {{0, 0, 0}, {1, 1, 1}};
static const acre_transform unit_local = {{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}};
static const float unit_matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static const acre_result bad = ACRE_ERROR_INVALID_ARGUMENT;
static const acre_result stale = ACRE_ERROR_STALE_HANDLE;
static const acre_result absent = ACRE_ERROR_NOT_FOUND;

// ---- trees ----

// Items 0..19 in a row, 7 removed again.
static acre_quadtree *make_tree(void)
{
    acre_quadtree *tree;
    const acre_quadtree_def def = {.half_size = 64, .node_capacity = 4, .item_capacity = 40};
    if (acre_quadtree_create(&def, &tree) != ACRE_OK) {
        return NULL;
    }
    for (uint32_t item = 0; item < 20; item++) {
        const float x = (float)item;
        if (acre_quadtree_insert(tree, item, &(acre_aabb){{x, 0, x}, {x + 1, 1, x + 1}})) {
            break;
        }
    }
    EXPECT(acre_quadtree_remove(tree, 7) == ACRE_OK);
    return tree;
}

// Whether a call answered what it should and the tree is as it was.
static bool left_alone(const acre_quadtree *tree, uint64_t hash, acre_result got, acre_result want)
{
    return got == want && acre_quadtree_state_hash(tree) == hash &&
           acre_quadtree_validate(tree, NULL, 0) == ACRE_OK;
}

static void a_tree_refuses_null(void)
{
    acre_quadtree *const tree = make_tree();
    const uint64_t hash = acre_quadtree_state_hash(tree);
    const uint32_t item = 1;
    acre_aabb box;
    CHECK(left_alone(tree, hash, acre_quadtree_insert(tree, 30, NULL), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_refresh(tree, 1, NULL), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_refresh_many(tree, NULL, &unit_box, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_refresh_many(tree, &item, NULL, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_refresh_all(tree, NULL, 1), bad));
    acre_quadtree_debug_draw(tree, &(acre_debug_draw){0}); // functions that are NULL are not called
    CHECK(left_alone(tree, hash, acre_quadtree_insert_many(tree, NULL, &unit_box, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_insert_many(tree, &item, NULL, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_remove_many(tree, NULL, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_shift(tree, NULL, &unit_box, 1, NULL), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_set_layers_many(tree, NULL, &item, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_set_layers_many(tree, &item, NULL, 1), bad));
    CHECK(left_alone(tree, hash,
                     acre_quadtree_insert_many_in_layers(tree, NULL, &unit_box, &item, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_insert_many_in_layers(tree, &item, NULL, &item, 1),
                     bad));
    CHECK(left_alone(tree, hash,
                     acre_quadtree_insert_many_in_layers(tree, &item, &unit_box, NULL, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_get_box(tree, 1, NULL), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_get_def(tree, NULL), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_query(tree, NULL, NULL, 0, NULL), bad));
    acre_span_totals totals;
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &unit_box};
    const acre_query sorted = {
        .shape = ACRE_QUERY_SHAPE_AABB, .box = &unit_box, .flags = ACRE_QUERY_SORTED};
    CHECK(acre_quadtree_query_spans(tree, NULL, NULL, 0, NULL, 0, &totals) == bad);
    CHECK(acre_quadtree_query_spans(NULL, &query, NULL, 0, NULL, 0, &totals) == bad);
    CHECK(acre_quadtree_query_spans(tree, &query, NULL, 0, NULL, 0, NULL) == bad);
    CHECK(acre_quadtree_query_spans(tree, &query, NULL, 1, NULL, 0, &totals) == bad);
    CHECK(acre_quadtree_query_spans(tree, &query, NULL, 0, NULL, 1, &totals) == bad);
    CHECK(acre_quadtree_query_spans(tree, &sorted, NULL, 0, NULL, 0, &totals) == bad);
    acre_quadtree_get_stats(tree, NULL); // nowhere to write to: no check fails
    CHECK(acre_quadtree_get_boxes(tree, NULL, 1, &box) == 0);
    CHECK(acre_quadtree_get_boxes(tree, &item, 1, NULL) == 0);
    test_expect_asserts(true); // of functions that have no code to answer with
    acre_quadtree_debug_draw(tree, NULL);
    CHECK(acre_quadtree_get_boxes(NULL, &item, 1, &box) == 0);
    CHECK(acre_quadtree_query_frustum(tree, NULL, NULL, 0) == 0);
    CHECK(acre_quadtree_query_aabb(tree, NULL, NULL, 0) == 0);
    CHECK(acre_quadtree_insert(NULL, 1, &unit_box) == bad);
    CHECK(acre_quadtree_refresh(NULL, 1, &unit_box) == bad);
    CHECK(acre_quadtree_refresh_many(NULL, &item, &unit_box, 1) == bad);
    CHECK(acre_quadtree_refresh_all(NULL, &unit_box, 1) == bad);
    CHECK(acre_quadtree_insert_many(NULL, &item, &unit_box, 1) == bad);
    CHECK(acre_quadtree_remove_many(NULL, &item, 1) == bad);
    CHECK(acre_quadtree_set_layers_many(NULL, &item, &item, 1) == bad);
    CHECK(acre_quadtree_insert_many_in_layers(NULL, &item, &unit_box, &item, 1) == bad);
    CHECK(acre_quadtree_optimize(NULL) == bad && acre_quadtree_maintain_budget(NULL, 1) == bad);
    CHECK(acre_quadtree_remove(NULL, 1) == bad && acre_quadtree_maintain(NULL) == bad);
    CHECK(acre_quadtree_tighten(NULL) == bad && acre_quadtree_trim(NULL) == bad);
    CHECK(acre_quadtree_reserve(NULL, 1) == bad && acre_quadtree_set_layers(NULL, 1, 1) == bad);
    CHECK(acre_quadtree_get_box(NULL, 1, &box) == bad && !acre_quadtree_contains(NULL, 1));
    CHECK(acre_quadtree_get_layers(NULL, 1) == 0 && acre_quadtree_validate(NULL, NULL, 0) == bad);
    CHECK(acre_quadtree_last_report(NULL).refused == 0);
    acre_quadtree_clear(NULL);
    test_expect_asserts(false);
    CHECK(test_take_asserts() == (ACRE_CHECK >= 1 ? 8 : 0));
    CHECK(told_take_others() == 9); // all but acre_quadtree_debug_draw, which is not stable
    CHECK(acre_quadtree_refresh_many(tree, NULL, NULL, 0) == ACRE_OK); // no rows, no arrays
    CHECK(acre_quadtree_set_layers_many(tree, NULL, NULL, 0) == ACRE_OK);
    CHECK(acre_quadtree_insert_many_in_layers(tree, NULL, NULL, NULL, 0) == ACRE_OK);
    CHECK(acre_quadtree_refresh_all(tree, NULL, 0) == ACRE_OK);
    acre_quadtree_destroy(NULL);
    acre_quadtree_destroy(tree);
}

static void a_tree_refuses_arrays_that_are_none(void)
{
    acre_quadtree *const tree = make_tree();
    const uint64_t hash = acre_quadtree_state_hash(tree);
    const uint32_t item = 1;
    const acre_box_array rows = {unit_box.min, unit_box.max, 0, 0, ACRE_BOX_FORM_MIN_MAX};
    const acre_box_array no_first = {.second = unit_box.max}, no_second = {.first = unit_box.min};
    const acre_box_array odd_form = {unit_box.min, unit_box.max, 0, 0, (acre_box_form)2};
    CHECK(left_alone(tree, hash, acre_quadtree_refresh_many_from(tree, NULL, &rows, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_refresh_many_from(tree, &item, NULL, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_refresh_many_from(tree, &item, NULL, 0), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_refresh_many_from(tree, &item, &no_first, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_refresh_many_from(tree, &item, &no_second, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_refresh_many_from(tree, &item, &odd_form, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_refresh_all_from(tree, NULL, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_refresh_all_from(tree, &no_first, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_refresh_all_from(tree, &no_second, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_refresh_all_from(tree, &odd_form, 0), bad));
    CHECK(acre_quadtree_refresh_many_from(NULL, &item, &rows, 1) == bad);
    CHECK(acre_quadtree_refresh_all_from(NULL, &rows, 1) == bad);
    CHECK(left_alone(tree, hash, acre_quadtree_insert_many_from(tree, NULL, &rows, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_insert_many_from(tree, &item, NULL, 0), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_insert_many_from(tree, &item, &no_first, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_insert_many_from(tree, &item, &no_second, 1), bad));
    CHECK(left_alone(tree, hash, acre_quadtree_insert_many_from(tree, &item, &odd_form, 0), bad));
    CHECK(acre_quadtree_insert_many_from(NULL, &item, &rows, 1) == bad);
    acre_quadtree_destroy(tree);
}

static void a_tree_without_a_tree_answers_questions_with_nothing(void)
{
    acre_quadtree_stats stats;
    acre_quadtree_def def;
    const acre_frustum all = {.plane_count = 0};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &unit_box};
    memset(&stats, 255, sizeof stats);
    test_expect_asserts(true);
    acre_quadtree_get_stats(NULL, &stats);
    CHECK(stats.items == 0 && stats.nodes == 0 && stats.bytes == 0);
    CHECK(acre_quadtree_query_frustum(NULL, &all, NULL, 0) == 0);
    CHECK(acre_quadtree_query_aabb(NULL, &unit_box, NULL, 0) == 0);
    CHECK(acre_quadtree_query(NULL, &query, NULL, 0, NULL) == bad);
    CHECK(acre_quadtree_get_def(NULL, &def) == bad);
    CHECK(acre_quadtree_set_listener(NULL, NULL, NULL) == bad);
    CHECK(acre_quadtree_state_hash(NULL) == 0 && acre_quadtree_content_hash(NULL) == 0);
    acre_quadtree_debug_draw(NULL, &(acre_debug_draw){.flags = 0});
    test_expect_asserts(false);
    CHECK(test_take_asserts() == (ACRE_CHECK >= 1 ? 6 : 0));
    CHECK(told_take_others() == 5);
}

static void a_tree_is_not_made_from_a_bad_def(void)
{
    const acre_quadtree_def defs[] = {
        {.half_size = NAN},
        {.half_size = INFINITY},
        {.half_size = -1},
        {.half_size = FLT_MAX},
        {.half_size = 0x1p-90f},
        {.center = {NAN, 0}},
        {.center = {0, NAN}},
        {.center = {INFINITY, 0}},
        {.center = {0, -INFINITY}},
        {.max_depth = 21},
        {.max_depth = UINT32_MAX},
        {.node_capacity = 65537},
        {.node_capacity = UINT32_MAX},
        {.item_capacity = (1u << 26) + 1},
        {.item_capacity = UINT32_MAX},
        {.kernel = (acre_kernel)77},
    };
    for (size_t i = 0; i < sizeof defs / sizeof defs[0]; i++) {
        acre_quadtree *tree = (acre_quadtree *)&tree; // anything but NULL
        CHECK(acre_quadtree_create(&defs[i], &tree) == bad && tree == NULL);
    }
    CHECK(acre_quadtree_create(NULL, NULL) == bad);
    CHECK(acre_quadtree_create(&(acre_quadtree_def){0}, NULL) == bad);
}

static void an_item_that_is_not_in_the_tree_is_not_found(void)
{
    static const uint32_t gone[] = {7, 20, 39, 40, UINT32_MAX}; // removed, never there, beyond all
    acre_quadtree *const tree = make_tree();
    const uint64_t hash = acre_quadtree_state_hash(tree);
    acre_aabb box;
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) {
        const uint32_t item = gone[i];
        CHECK(left_alone(tree, hash, acre_quadtree_refresh(tree, item, &unit_box), absent));
        CHECK(left_alone(tree, hash, acre_quadtree_remove(tree, item), absent));
        CHECK(left_alone(tree, hash, acre_quadtree_set_layers(tree, item, 2), absent));
        CHECK(left_alone(tree, hash, acre_quadtree_set_layers_many(tree, &item, &item, 1), absent));
        CHECK(left_alone(tree, hash, acre_quadtree_get_box(tree, item, &box), absent));
        CHECK(
            left_alone(tree, hash, acre_quadtree_refresh_many(tree, &item, &unit_box, 1), absent));
        CHECK(acre_quadtree_last_report(tree).refused == 1);
        CHECK(!acre_quadtree_contains(tree, item) && acre_quadtree_get_layers(tree, item) == 0);
    }
    CHECK(left_alone(tree, hash, acre_quadtree_insert(tree, 40, &unit_box), ACRE_ERROR_CAPACITY));
    CHECK(left_alone(tree, hash, acre_quadtree_reserve(tree, 41), ACRE_ERROR_CAPACITY));
    CHECK(left_alone(tree, hash, acre_quadtree_reserve(tree, SIZE_MAX), ACRE_ERROR_CAPACITY));
    acre_quadtree_destroy(tree);
}

static void an_item_is_inserted_and_removed_once(void)
{
    acre_quadtree *const tree = make_tree();
    uint64_t hash = acre_quadtree_state_hash(tree);
    CHECK(left_alone(tree, hash, acre_quadtree_insert(tree, 3, &unit_box), ACRE_ERROR_EXISTS));
    CHECK(acre_quadtree_remove(tree, 3) == ACRE_OK);
    hash = acre_quadtree_state_hash(tree);
    CHECK(left_alone(tree, hash, acre_quadtree_remove(tree, 3), absent));
    acre_quadtree_clear(tree);
    hash = acre_quadtree_state_hash(tree);
    acre_quadtree_clear(tree);
    CHECK(left_alone(tree, hash, acre_quadtree_remove(tree, 4), absent));
    acre_quadtree_destroy(tree);
}

// Every call that takes a box, with a box that is none.
static bool tree_refuses_box(acre_quadtree *tree, const acre_aabb *box)
{
    const uint64_t hash = acre_quadtree_state_hash(tree);
    const uint32_t item = 2;
    acre_aabb all[20];
    for (uint32_t i = 0; i < 20; i++) {
        EXPECT(acre_quadtree_get_box(tree, i == 7 ? 6 : i, &all[i]) == ACRE_OK);
    }
    all[2] = *box;
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB, .box = box};
    size_t total = 99;
    bool ok = left_alone(tree, hash, acre_quadtree_insert(tree, 30, box), bad) &&
              left_alone(tree, hash, acre_quadtree_refresh(tree, item, box), bad) &&
              left_alone(tree, hash, acre_quadtree_refresh_many(tree, &item, box, 1), bad) &&
              acre_quadtree_last_report(tree).refused == 1;
    ok = ok && left_alone(tree, hash, acre_quadtree_refresh_all(tree, all, 20), bad) &&
         acre_quadtree_last_report(tree).first_row == 2 &&
         acre_quadtree_last_report(tree).refused == 1;
    return ok && acre_quadtree_query_aabb(tree, box, NULL, 0) == 0 && told_take_others() == 1 &&
           left_alone(tree, hash, acre_quadtree_query(tree, &query, NULL, 0, &total), bad);
}

static void a_tree_refuses_a_box_with_nan_in_any_edge(void)
{
    acre_quadtree *const tree = make_tree();
    CHECK(acre_quadtree_tighten(tree) == ACRE_OK);
    for (int edge = 0; edge < 6; edge++) {
        acre_aabb box = unit_box;
        (edge < 3 ? box.min : box.max)[edge % 3] = edge & 1 ? NAN : -NAN;
        CHECK(tree_refuses_box(tree, &box));
    }
    acre_quadtree_destroy(tree);
}

static void a_tree_refuses_an_inverted_box(void)
{
    acre_quadtree *const tree = make_tree();
    const acre_aabb empty = acre_aabb_empty();
    CHECK(acre_quadtree_tighten(tree) == ACRE_OK);
    for (int axis = 0; axis < 3; axis++) {
        acre_aabb box = unit_box;
        box.min[axis] = nextafterf(1.0f, 2.0f); // by one rounding
        CHECK(tree_refuses_box(tree, &box));
        box.min[axis] = INFINITY;
        box.max[axis] = -INFINITY;
        CHECK(tree_refuses_box(tree, &box));
    }
    CHECK(tree_refuses_box(tree, &empty));
    acre_quadtree_destroy(tree);
}

static void a_tree_takes_infinite_boxes_and_finds_them_everywhere(void)
{
    acre_quadtree *const tree = make_tree();
    const acre_aabb endless = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const acre_aabb far_away = {{1e30f, 0, 1e30f}, {2e30f, 1, 2e30f}};
    uint32_t found[40];
    CHECK(acre_quadtree_insert(tree, 30, &endless) == ACRE_OK);
    CHECK(acre_quadtree_query_aabb(tree, &far_away, found, 40) == 1 && found[0] == 30);
    CHECK(acre_quadtree_query_aabb(tree, &endless, found, 40) == 20);
    CHECK(acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);
    acre_quadtree_destroy(tree);
}

static void a_query_refuses_what_it_does_not_know(void)
{
    acre_quadtree *const tree = make_tree();
    const uint64_t hash = acre_quadtree_state_hash(tree);
    const acre_frustum frustum = {.planes = {{1, NAN, 0, 0}}, .plane_count = 1};
    const acre_frustum good = {.plane_count = 0};
    const acre_query queries[] = {
        {.shape = (acre_query_shape)0, .frustum = &good, .box = &unit_box},
        {.shape = (acre_query_shape)(ACRE_QUERY_SHAPE_RAY + 1), .frustum = &good},
        {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .box = &unit_box},
        {.shape = ACRE_QUERY_SHAPE_AABB, .frustum = &good},
        {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &good, .flags = 16},
        {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &good, .exclude = &frustum},
        {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &good, .flags = 1u << 31},
        {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &frustum},
    };
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        size_t total = 99;
        const acre_result got = acre_quadtree_query(tree, &queries[i], NULL, 0, &total);
        CHECK(left_alone(tree, hash, got, bad));
    }
    const acre_query fine = {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &good};
    CHECK(acre_quadtree_query(tree, &fine, NULL, 5, NULL) == bad);     // room, but nowhere
    CHECK(acre_quadtree_query_frustum(tree, &frustum, NULL, 0) == 19); // a NaN plane hides nothing
    acre_quadtree_destroy(tree);
}

static bool take_no_group(void *user, const acre_item_group *group)
{
    *(size_t *)user += group->found != 0;
    return true;
}

static bool take_no_step(void *user, const acre_trace_step *step)
{
    *(size_t *)user += step->items;
    return true;
}

static bool take_none(void *user, const uint32_t *items, size_t count)
{
    (void)items;
    *(size_t *)user += count;
    return true;
}

static void queries_but_for_the_nearest_refuse_a_distance(void)
{
    acre_quadtree *const tree = make_tree();
    const uint64_t hash = acre_quadtree_state_hash(tree);
    const acre_frustum all = {.plane_count = 0};
    const acre_sphere ball = {{0, 0, 0}, 50};
    const acre_query volumes[] = {
        {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &all},
        {.shape = ACRE_QUERY_SHAPE_AABB, .box = &unit_box},
        {.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &ball},
        {.shape = ACRE_QUERY_SHAPE_ALL},
    };
    const float distances[] = {5, INFINITY, -1, NAN};
    for (size_t i = 0; i < 16; i++) {
        acre_query query = volumes[i / 4];
        acre_span_totals totals;
        size_t total = 99, sum = 0;
        query.max_distance = distances[i % 4];
        CHECK(acre_quadtree_query(tree, &query, NULL, 0, &total) == bad && total == 0);
        CHECK(acre_quadtree_query_spans(tree, &query, NULL, 0, NULL, 0, &totals) == bad);
        CHECK(acre_quadtree_query_visit(tree, &query, take_none, &sum) == bad);
        CHECK(acre_quadtree_query_visit_groups(tree, &query, take_no_group, &sum) == bad);
        CHECK(acre_quadtree_trace(tree, &query, take_no_step, &sum) == bad);
        query.max_distance = -0.0f;
        CHECK(acre_quadtree_query(tree, &query, NULL, 0, &total) == ACRE_OK && sum == 0);
    }
    CHECK(left_alone(tree, hash, bad, bad));
    acre_quadtree_destroy(tree);
}

static bool take_no_hit(void *user, const acre_query_hit *hit)
{
    size_t *const sum = user;
    *sum += hit->item + 1;
    return true;
}

static void calls_refuse_flags_and_arguments_that_are_not_theirs(void)
{
    acre_quadtree *const tree = make_tree();
    acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .origin = &unit_box};
    acre_query_hit hits[2] = {{0, 0}, {1, 0}};
    size_t total = 0, sum = 0;
    CHECK(acre_quadtree_query_visit(tree, &query, NULL, &sum) == bad);
    CHECK(acre_quadtree_query_visit(NULL, &query, take_none, &sum) == bad);
    CHECK(acre_quadtree_query_visit(tree, NULL, take_none, &sum) == bad);
    CHECK(acre_quadtree_query_visit_nearest(tree, &query, NULL, &sum) == bad);
    CHECK(acre_quadtree_query_visit_nearest(NULL, &query, take_no_hit, &sum) == bad);
    CHECK(acre_quadtree_query_visit_nearest(tree, NULL, take_no_hit, &sum) == bad);
    CHECK(acre_quadtree_query_nearest(tree, &query, NULL, 2, &total) == bad);
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 2, NULL) == bad);
    CHECK(acre_quadtree_query_nearest(tree, NULL, hits, 2, &total) == bad);
    CHECK(acre_quadtree_query_nearest(NULL, &query, hits, 2, &total) == bad && total == 0);
    total = 3;
    query.max_distance = -1;
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 2, &total) == bad);
    query.max_distance = NAN;
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 2, &total) == bad);
    const acre_aabb inverted = {{1, 0, 0}, {0, 0, 0}}, undefined = {{0, 0, 0}, {0, NAN, 0}};
    const acre_aabb *const nowhere[] = {NULL, &inverted, &undefined};
    for (size_t i = 0; i < 3; i++) {
        query = (acre_query){.shape = ACRE_QUERY_SHAPE_ALL, .origin = nowhere[i]};
        CHECK(acre_quadtree_query_nearest(tree, &query, hits, 2, &total) == bad);
        CHECK(acre_quadtree_query_visit_nearest(tree, &query, take_no_hit, &sum) == bad);
    }
    query = (acre_query){.shape = ACRE_QUERY_SHAPE_ALL, .flags = ACRE_QUERY_STOP_WHEN_FULL};
    acre_span_totals totals;
    CHECK(acre_quadtree_query_visit(tree, &query, take_none, &sum) == bad);
    CHECK(acre_quadtree_query_spans(tree, &query, NULL, 0, NULL, 0, &totals) == bad);
    query.origin = &unit_box;
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 2, &total) == bad);
    CHECK(acre_quadtree_query_visit_nearest(tree, &query, take_no_hit, &sum) == bad && sum == 0);
    query.flags = ACRE_QUERY_SORTED;
    CHECK(acre_quadtree_query_visit(tree, &query, take_none, &sum) == bad);
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 2, &total) == bad && total == 0);
    CHECK(sum == 0 && acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);
    acre_quadtree_destroy(tree);
}

// Edits from within a call, by a listener or a visitor.
typedef struct meddler {
    acre_quadtree *tree;
    int told, refused;
} meddler;

static void meddle(void *context, const acre_quadtree_call *call)
{
    (void)call;
    meddler *const by = context;
    acre_quadtree *const tree = by->tree;
    const uint32_t item = 1;
    test_expect_asserts(true); // of clear, destroy and the hashes, which cannot answer "busy"
    const uint64_t hash = acre_quadtree_content_hash(tree);
    const acre_box_array rows = {.first = unit_box.min, .second = unit_box.max};
    const acre_result answers[] = {
        acre_quadtree_insert(tree, 30, &unit_box),
        acre_quadtree_refresh(tree, 1, &unit_box),
        acre_quadtree_refresh_many_from(tree, &item, &rows, 1),
        acre_quadtree_refresh_all_from(tree, &rows, 1),
        acre_quadtree_refresh_many(tree, &item, &unit_box, 1),
        acre_quadtree_refresh_all(tree, &unit_box, 1),
        acre_quadtree_insert_many(tree, &item, &unit_box, 1),
        acre_quadtree_insert_many_from(tree, &item, &rows, 1),
        acre_quadtree_remove_many(tree, &item, 1),
        acre_quadtree_optimize(tree),
        acre_quadtree_maintain_budget(tree, 4),
        acre_quadtree_remove(tree, 1),
        acre_quadtree_maintain(tree),
        acre_quadtree_tighten(tree),
        acre_quadtree_reserve(tree, 30),
        acre_quadtree_trim(tree),
        acre_quadtree_set_layers(tree, 1, 2),
        acre_quadtree_set_layers_many(tree, &item, &item, 1),
        acre_quadtree_insert_many_in_layers(tree, &item, &unit_box, &item, 1),
        acre_quadtree_set_listener(tree, NULL, NULL),
    };
    acre_quadtree_clear(tree);
    acre_quadtree_destroy(tree);
    by->told++;
    by->refused += acre_quadtree_content_hash(tree) == hash;
    test_expect_asserts(false);
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        by->refused -= answers[i] != ACRE_ERROR_BUSY;
    }
}

static bool meddle_with_items(void *user, const uint32_t *items, size_t count)
{
    (void)items;
    (void)count;
    meddle(user, NULL);
    return true;
}

static bool meddle_with_group(void *user, const acre_item_group *group)
{
    (void)group;
    meddle(user, NULL);
    return true;
}

static void meddle_with_box(void *user, const acre_aabb *box, uint32_t rgba)
{
    (void)box;
    (void)rgba;
    meddle(user, NULL);
}

static void a_tree_is_busy_for_edits_from_visitors_in_every_build(void)
{
    acre_quadtree *const tree = make_tree();
    meddler by = {.tree = tree};
    const acre_query all = {.shape = ACRE_QUERY_SHAPE_ALL};
    CHECK(acre_quadtree_query_visit(tree, &all, meddle_with_items, &by) == ACRE_OK);
    CHECK(by.told > 0 && by.refused == by.told);
    const int by_items = by.told;
    CHECK(acre_quadtree_query_visit_groups(tree, &all, meddle_with_group, &by) == ACRE_OK);
    CHECK(by.told > by_items && by.refused == by.told);
    const int by_groups = by.told;
    acre_quadtree_debug_draw(tree, &(acre_debug_draw){.user = &by, .box = meddle_with_box});
    CHECK(by.told > by_groups && by.refused == by.told);
    CHECK(test_take_asserts() == (ACRE_CHECK >= 1 ? 2 * (size_t)by.told : 0)); // clear and destroy
    CHECK(told_take_others() == 2 * (size_t)by.told);
    CHECK(acre_quadtree_insert(tree, 30, &unit_box) == ACRE_OK); // it is free again
    CHECK(acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);
    acre_quadtree_destroy(tree);
}

static void a_tree_is_busy_for_edits_from_within_a_call(void)
{
    acre_quadtree *const tree = make_tree();
    meddler by = {.tree = tree};
    CHECK(acre_quadtree_set_listener(tree, meddle, &by) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 31, &unit_box) == ACRE_OK);
    CHECK(acre_quadtree_remove(tree, 31) == ACRE_OK);
    CHECK(acre_quadtree_query_aabb(tree, &unit_box, NULL, 0) == 2);
    CHECK(by.told == 3 && by.refused == 3);
    // In two edits clear, destroy and both hashes, in a query clear and destroy.
    CHECK(test_take_asserts() == (ACRE_CHECK >= 1 ? 2 * 4 + 2 : 0));
    CHECK(told_take_others() > 0);
    CHECK(acre_quadtree_set_listener(tree, NULL, NULL) == ACRE_OK);
    CHECK(acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);
    acre_quadtree_destroy(tree);
}

// ---- scenes ----

typedef struct scene_fixture {
    acre_scene *scene;
    acre_culling *culling;
    acre_module listener;
    acre_entity root, child, dead, reused, foreign;
    size_t changes; // heard since they were last looked at
    uint64_t seen;  // what readers saw
} scene_fixture;

static acre_result count_changes(void *user, const acre_scene *scene,
                                 const acre_scene_changes *changes)
{
    (void)scene;
    scene_fixture *const on = user;
    on->changes += changes->created_count + changes->destroyed_count + changes->moved_count +
                   changes->relabeled_count;
    return ACRE_OK;
}

static void mix(uint64_t *hash, const void *bytes, size_t size)
{
    const unsigned char *const byte = bytes;
    for (size_t i = 0; i < size; i++) {
        *hash = (*hash ^ byte[i]) * 0x100000001b3u;
    }
}

// Of what readers see, without the number of the commit.
static uint64_t hash_scene(const scene_fixture *on)
{
    const acre_scene_view view = acre_scene_get_view(on->scene);
    uint64_t hash = 0xcbf29ce484222325u;
    mix(&hash, view.world_bounds, view.slot_count * sizeof *view.world_bounds);
    mix(&hash, view.flags, view.slot_count * sizeof *view.flags);
    mix(&hash, view.layers, view.slot_count * sizeof *view.layers);
    mix(&hash, view.user, view.slot_count * sizeof *view.user);
    for (uint32_t slot = 0; slot < view.slot_count; slot++) {
        const acre_entity entity = acre_scene_entity(on->scene, slot);
        const acre_entity parent = acre_entity_parent(on->scene, entity);
        mix(&hash, &entity, sizeof entity);
        mix(&hash, &parent, sizeof parent);
    }
    const uint64_t tree = acre_quadtree_content_hash(acre_culling_tree(on->culling));
    mix(&hash, &tree, sizeof tree);
    return hash;
}

// root with child, a dead entity, one that took over a dead one's slot.
static bool scene_open(scene_fixture *on)
{
    *on = (scene_fixture){.changes = 0};
    on->listener = (acre_module){.name = "listener", .commit = count_changes, .user = on};
    acre_entity_def def = {.bounds = &unit_box};
    const acre_culling_def culling = {.register_all = true};
    bool ok = acre_scene_create(&(acre_scene_def){.scene = 4}, &on->scene) == ACRE_OK &&
              acre_scene_attach(on->scene, &on->listener) == ACRE_OK &&
              acre_culling_create(on->scene, &culling, &on->culling) == ACRE_OK &&
              acre_entity_create(on->scene, &def, &on->root) == ACRE_OK &&
              acre_entity_create(on->scene, &def, &on->reused) == ACRE_OK &&
              acre_entity_create(on->scene, &def, &on->dead) == ACRE_OK;
    acre_entity heir = {0, 0, 0};
    def.parent = on->root;
    ok = ok && acre_entity_create(on->scene, &def, &on->child) == ACRE_OK &&
         acre_scene_commit(on->scene) == ACRE_OK &&
         acre_entity_destroy(on->scene, on->reused) == ACRE_OK &&
         acre_scene_commit(on->scene) == ACRE_OK &&
         acre_entity_create(on->scene, &def, &heir) == ACRE_OK &&
         acre_entity_destroy(on->scene, on->dead) == ACRE_OK &&
         acre_scene_commit(on->scene) == ACRE_OK;
    on->foreign = on->child;
    on->foreign.scene = 5;
    on->changes = 0;
    on->seen = ok ? hash_scene(on) : 0;
    return ok && heir.index1 == on->reused.index1;
}

static void scene_close(scene_fixture *on)
{
    acre_culling_destroy(on->culling);
    acre_scene_destroy(on->scene);
}

// Whether all that was refused left no trace, recorded or seen.
static bool scene_left_alone(scene_fixture *on)
{
    return acre_scene_validate(on->scene, NULL, 0) == ACRE_OK && hash_scene(on) == on->seen &&
           acre_scene_commit(on->scene) == ACRE_OK && on->changes == 0 &&
           hash_scene(on) == on->seen &&
           acre_quadtree_validate(acre_culling_tree(on->culling), NULL, 0) == ACRE_OK;
}

static void a_scene_refuses_null(void)
{
    scene_fixture on;
    CHECK(scene_open(&on));
    const uint32_t slot = 0;
    float matrix[12];
    CHECK(acre_scene_create(NULL, NULL) == bad);
    CHECK(acre_scene_create(&(acre_scene_def){0}, NULL) == bad);
    CHECK(acre_entity_create(on.scene, NULL, NULL) == bad);
    CHECK(acre_entity_create(on.scene, &(acre_entity_def){0}, NULL) == bad);
    CHECK(acre_entity_set_local(on.scene, on.child, NULL) == bad);
    CHECK(acre_entity_set_local_matrix(on.scene, on.child, NULL) == bad);
    CHECK(acre_scene_set_locals(on.scene, NULL, &unit_local, 1) == bad);
    CHECK(acre_scene_set_locals(on.scene, &on.child, NULL, 1) == bad);
    CHECK(acre_scene_set_locals(on.scene, NULL, NULL, 0) == ACRE_OK);
    CHECK(acre_entity_world_matrix(on.scene, on.child, NULL) == bad);
    CHECK(acre_entity_world_bounds(on.scene, on.child, NULL) == bad);
    CHECK(acre_scene_gather_matrices(on.scene, NULL, 1, ACRE_MATRIX_ROWS, matrix, 0) == bad);
    CHECK(acre_scene_gather_matrices(on.scene, &slot, 1, ACRE_MATRIX_ROWS, NULL, 0) == bad);
    CHECK(acre_scene_attach(on.scene, NULL) == bad && acre_scene_detach(on.scene, NULL) == bad);
    acre_scene_debug_draw(on.scene, NULL);
    CHECK(scene_left_alone(&on));
    scene_close(&on);
}

static void functions_of_a_scene_refuse_no_scene(void)
{
    const acre_entity entity = {1, 0, 1};
    const acre_module module = {.name = "module"};
    acre_entity made = {1, 1, 1};
    acre_aabb box;
    float matrix[16];
    const uint32_t slot = 0;
    CHECK(acre_entity_create(NULL, &(acre_entity_def){0}, &made) == bad && made.index1 == 0);
    CHECK(acre_entity_destroy(NULL, entity) == bad);
    CHECK(acre_entity_set_parent(NULL, entity, entity) == bad);
    CHECK(acre_entity_set_local(NULL, entity, &unit_local) == bad);
    CHECK(acre_entity_set_local_matrix(NULL, entity, unit_matrix) == bad);
    CHECK(acre_scene_set_locals(NULL, &entity, &unit_local, 1) == bad);
    CHECK(acre_entity_set_bounds(NULL, entity, &unit_box) == bad);
    CHECK(acre_entity_set_flags(NULL, entity, 0) == bad);
    CHECK(acre_entity_set_layers(NULL, entity, 0) == bad);
    CHECK(acre_entity_set_user(NULL, entity, 0) == bad);
    CHECK(acre_entity_parent(NULL, entity).index1 == 0 && !acre_entity_is_alive(NULL, entity));
    CHECK(acre_scene_commit(NULL) == bad && acre_scene_trim(NULL) == bad);
    CHECK(acre_scene_refresh(NULL, entity, NULL, 0, NULL) == bad);
    CHECK(acre_entity_world_matrix(NULL, entity, matrix) == bad);
    CHECK(acre_entity_world_bounds(NULL, entity, &box) == bad);
    CHECK(acre_scene_gather_matrices(NULL, &slot, 1, ACRE_MATRIX_COLUMNS, matrix, 0) == bad);
    CHECK(acre_scene_entity(NULL, 0).index1 == 0 && acre_scene_get_view(NULL).slot_count == 0);
    CHECK(acre_scene_attach(NULL, &module) == bad && acre_scene_detach(NULL, &module) == bad);
    CHECK(acre_scene_validate(NULL, NULL, 0) == bad);
    acre_scene_debug_draw(NULL, &(acre_debug_draw){.flags = 0});
    acre_scene_destroy(NULL);
}

// Every function that takes a handle, with one that names nothing.
static bool scene_refuses_handle(scene_fixture *on, acre_entity wrong)
{
    acre_scene *const scene = on->scene;
    const acre_entity both[2] = {wrong, wrong};
    const acre_transform locals[2] = {unit_local, unit_local};
    float matrix[16];
    acre_aabb box;
    size_t count = 9;
    const acre_result answers[] = {
        acre_entity_destroy(scene, wrong),
        acre_entity_set_parent(scene, wrong, on->root),
        acre_entity_set_parent(scene, wrong, wrong),
        acre_entity_set_local(scene, wrong, &unit_local),
        acre_entity_set_local_matrix(scene, wrong, unit_matrix),
        acre_scene_set_locals(scene, both, locals, 2),
        acre_entity_set_bounds(scene, wrong, &unit_box),
        acre_entity_set_bounds(scene, wrong, NULL),
        acre_entity_set_flags(scene, wrong, ACRE_ENTITY_HIDDEN),
        acre_entity_set_layers(scene, wrong, 2),
        acre_entity_set_user(scene, wrong, 2),
        acre_scene_refresh(scene, wrong, NULL, 0, &count),
        acre_entity_world_matrix(scene, wrong, matrix),
        acre_entity_world_bounds(scene, wrong, &box),
        acre_culling_register(on->culling, wrong),
        acre_culling_unregister(on->culling, wrong),
        acre_culling_refresh(on->culling, wrong),
        acre_culling_refresh_bounds(on->culling, wrong, &unit_box),
    };
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        if (answers[i] != stale) {
            printf("call %zu\n", i);
            return false;
        }
    }
    return count == 0 && !acre_entity_is_alive(scene, wrong) &&
           acre_entity_parent(scene, wrong).index1 == 0 && scene_left_alone(on);
}

// A parent that names nothing; null, which makes a root, aside.
static bool scene_refuses_parent(scene_fixture *on, acre_entity wrong)
{
    acre_entity made = {1, 1, 1};
    return acre_entity_create(on->scene, &(acre_entity_def){.parent = wrong}, &made) == stale &&
           made.index1 == 0 && acre_entity_set_parent(on->scene, on->child, wrong) == stale &&
           scene_left_alone(on);
}

static void the_null_handle_is_refused(void)
{
    scene_fixture on;
    CHECK(scene_open(&on));
    CHECK(scene_refuses_handle(&on, (acre_entity){0, 0, 0}));
    CHECK(scene_refuses_handle(&on, (acre_entity){0, 4, 0}));
    CHECK(scene_refuses_handle(&on, (acre_entity){0, 4, on.child.generation}));
    CHECK(scene_refuses_handle(&on, (acre_entity){on.child.index1, 4, 0}));
    CHECK(scene_refuses_parent(&on, (acre_entity){on.child.index1, 4, 0}));
    scene_close(&on);
}

static void the_handle_of_a_destroyed_entity_is_refused(void)
{
    scene_fixture on;
    CHECK(scene_open(&on));
    CHECK(scene_refuses_handle(&on, on.dead));
    CHECK(scene_refuses_parent(&on, on.dead));
    scene_close(&on);
}

static void a_stale_handle_does_not_reach_the_entity_that_took_the_slot(void)
{
    scene_fixture on;
    CHECK(scene_open(&on));
    CHECK(scene_refuses_handle(&on, on.reused));
    CHECK(scene_refuses_parent(&on, on.reused));
    scene_close(&on);
}

static void a_foreign_handle_is_refused(void)
{
    scene_fixture on;
    CHECK(scene_open(&on));
    CHECK(scene_refuses_handle(&on, on.foreign));
    CHECK(scene_refuses_parent(&on, on.foreign));
    const uint16_t later = (uint16_t)(on.child.generation + 1);
    CHECK(scene_refuses_handle(&on, (acre_entity){on.child.index1, 4, later}));
    CHECK(scene_refuses_parent(&on, (acre_entity){on.child.index1, 4, later}));
    CHECK(scene_refuses_handle(&on, (acre_entity){1000, 4, 1})); // no such slot
    CHECK(scene_refuses_handle(&on, (acre_entity){UINT32_MAX, 4, 1}));
    CHECK(scene_refuses_parent(&on, (acre_entity){UINT32_MAX, 4, UINT16_MAX}));
    scene_close(&on);
}

static bool scene_refuses_number(scene_fixture *on, float wrong)
{
    bool ok = true;
    for (int at = 0; at < 10; at++) {
        acre_transform local = unit_local;
        float *const part = at < 3 ? local.translation : at < 7 ? local.rotation : local.scale;
        part[at < 3 ? at : at < 7 ? at - 3 : at - 7] = wrong;
        acre_entity made = {1, 1, 1};
        const acre_entity_def def = {.local = &local};
        ok &= acre_entity_set_local(on->scene, on->child, &local) == bad;
        ok &= acre_scene_set_locals(on->scene, &on->child, &local, 1) == bad;
        ok &= acre_entity_create(on->scene, &def, &made) == bad && made.index1 == 0;
    }
    for (int at = 0; at < 16; at++) {
        float matrix[16];
        memcpy(matrix, unit_matrix, sizeof matrix);
        matrix[at] = wrong;
        ok &= acre_entity_set_local_matrix(on->scene, on->child, matrix) == bad;
    }
    return ok && scene_left_alone(on);
}

static void a_scene_refuses_nan_and_infinity_in_transforms(void)
{
    scene_fixture on;
    CHECK(scene_open(&on));
    CHECK(scene_refuses_number(&on, NAN));
    CHECK(scene_refuses_number(&on, INFINITY));
    CHECK(scene_refuses_number(&on, -INFINITY));
    float matrix[16];
    memcpy(matrix, unit_matrix, sizeof matrix);
    for (int at = 3; at < 16; at += 4) { // not affine
        matrix[at] += 0.5f;
        CHECK(acre_entity_set_local_matrix(on.scene, on.child, matrix) == bad);
        matrix[at] -= 0.5f;
    }
    CHECK(scene_left_alone(&on));
    scene_close(&on);
}

static void a_scene_refuses_nan_in_bounds(void)
{
    scene_fixture on;
    CHECK(scene_open(&on));
    for (int edge = 0; edge < 6; edge++) {
        acre_aabb box = unit_box;
        (edge < 3 ? box.min : box.max)[edge % 3] = NAN;
        acre_entity made = {1, 1, 1};
        CHECK(acre_entity_set_bounds(on.scene, on.child, &box) == bad);
        CHECK(acre_entity_create(on.scene, &(acre_entity_def){.bounds = &box}, &made) == bad);
        CHECK(made.index1 == 0);
        CHECK(acre_culling_refresh_bounds(on.culling, on.child, &box) == bad);
    }
    CHECK(scene_left_alone(&on));
    scene_close(&on);
}

static void inverted_bounds_are_empty_and_never_visible(void)
{
    scene_fixture on;
    const acre_frustum all = {.plane_count = 0};
    CHECK(scene_open(&on));
    const size_t before = count_in_frustum(on.culling, &all, 0, NULL, 0);
    const acre_aabb inverted = {{1, 0, 0}, {0, 1, 1}};
    acre_aabb seen;
    CHECK(acre_culling_refresh_bounds(on.culling, on.child, &inverted) == bad);
    CHECK(scene_left_alone(&on));
    CHECK(acre_entity_set_bounds(on.scene, on.child, &inverted) == ACRE_OK);
    CHECK(acre_scene_commit(on.scene) == ACRE_OK);
    CHECK(acre_entity_world_bounds(on.scene, on.child, &seen) == ACRE_OK);
    CHECK(acre_aabb_is_empty(&seen));
    CHECK(count_in_frustum(on.culling, &all, 0, NULL, 0) == before - 1);
    scene_close(&on);
}

static void infinite_bounds_are_always_visible(void)
{
    scene_fixture on;
    const acre_aabb endless = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const acre_frustum far_away = {.planes = {{1, 0, 0, -1e20f}}, .plane_count = 1};
    uint32_t slot = 99;
    CHECK(scene_open(&on));
    CHECK(acre_entity_set_bounds(on.scene, on.child, &endless) == ACRE_OK);
    CHECK(acre_scene_commit(on.scene) == ACRE_OK);
    CHECK(count_in_frustum(on.culling, &far_away, 0, &slot, 1) == 1);
    CHECK(slot + 1 == on.child.index1);
    scene_close(&on);
}

static void a_scene_refuses_unknown_flags_cycles_and_too_much(void)
{
    scene_fixture on;
    CHECK(scene_open(&on));
    acre_entity made = {1, 1, 1};
    acre_scene *scene = (acre_scene *)&scene;
    CHECK(acre_entity_set_flags(on.scene, on.child, 8) == bad);
    CHECK(acre_entity_set_flags(on.scene, on.child, 1u << 31) == bad);
    CHECK(acre_entity_create(on.scene, &(acre_entity_def){.flags = 8}, &made) == bad);
    CHECK(made.index1 == 0);
    CHECK(acre_entity_set_parent(on.scene, on.root, on.child) == bad);
    CHECK(acre_entity_set_parent(on.scene, on.root, on.root) == bad);
    CHECK(scene_left_alone(&on));
    scene_close(&on);
    CHECK(acre_scene_create(&(acre_scene_def){.entity_capacity = (1u << 26) + 1}, &scene) == bad);
    CHECK(scene == NULL);
    CHECK(acre_scene_create(&(acre_scene_def){.entity_capacity = 1}, &scene) == ACRE_OK);
    CHECK(acre_entity_create(scene, &(acre_entity_def){0}, &made) == ACRE_OK);
    CHECK(acre_entity_create(scene, &(acre_entity_def){0}, &made) == ACRE_ERROR_CAPACITY);
    CHECK(made.index1 == 0);
    acre_scene_destroy(scene);
}

static void an_entity_is_destroyed_and_a_module_attached_once(void)
{
    scene_fixture on;
    CHECK(scene_open(&on));
    CHECK(acre_scene_attach(on.scene, &on.listener) == ACRE_ERROR_EXISTS);
    CHECK(scene_left_alone(&on));
    CHECK(acre_entity_destroy(on.scene, on.root) == ACRE_OK);
    CHECK(acre_entity_destroy(on.scene, on.root) == stale);
    CHECK(acre_entity_destroy(on.scene, on.child) == stale); // with its parent
    CHECK(acre_scene_detach(on.scene, &on.listener) == ACRE_OK);
    CHECK(acre_scene_detach(on.scene, &on.listener) == absent);
    CHECK(acre_scene_validate(on.scene, NULL, 0) == ACRE_OK);
    scene_close(&on);
}

static void what_was_never_committed_cannot_be_read_or_refreshed(void)
{
    scene_fixture on;
    CHECK(scene_open(&on));
    acre_entity made;
    acre_aabb box;
    float matrix[16];
    size_t count;
    CHECK(acre_entity_create(on.scene, &(acre_entity_def){.bounds = &unit_box}, &made) == ACRE_OK);
    CHECK(acre_entity_world_matrix(on.scene, made, matrix) == stale);
    CHECK(acre_entity_world_bounds(on.scene, made, &box) == stale);
    const acre_result early = ACRE_ERROR_NOT_COMMITTED;
    CHECK(acre_scene_refresh(on.scene, made, NULL, 0, &count) == early && count == 0);
    CHECK(acre_culling_refresh(on.culling, made) == early);
    CHECK(acre_scene_validate(on.scene, NULL, 0) == ACRE_OK);
    scene_close(&on);
}

// ---- from within a commit ----

typedef struct hook_meddler {
    scene_fixture *on;
    acre_module module;
    int told, wrong;
} hook_meddler;

static acre_result meddle_with_commit(void *user, const acre_scene *scene,
                                      const acre_scene_changes *changes)
{
    (void)scene;
    (void)changes;
    hook_meddler *const by = user;
    acre_scene *const edited = by->on->scene;
    const acre_entity child = by->on->child;
    acre_entity made = {1, 1, 1};
    const acre_result answers[] = {
        acre_entity_create(edited, &(acre_entity_def){0}, &made),
        acre_entity_destroy(edited, child),
        acre_entity_set_parent(edited, child, (acre_entity){0, 0, 0}),
        acre_entity_set_local(edited, child, &unit_local),
        acre_scene_set_locals(edited, &child, &unit_local, 1),
        acre_entity_set_local_matrix(edited, child, unit_matrix),
        acre_entity_set_bounds(edited, child, NULL),
        acre_entity_set_flags(edited, child, 1),
        acre_entity_set_layers(edited, child, 1),
        acre_entity_set_user(edited, child, 1),
        acre_scene_commit(edited),
        acre_scene_trim(edited),
        acre_scene_refresh(edited, child, NULL, 0, NULL),
        acre_scene_attach(edited, &by->on->listener),
        acre_scene_detach(edited, &by->on->listener),
    };
    acre_culling_destroy(by->on->culling); // may not take away what the commit is calling
    by->told++;
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        by->wrong += answers[i] != ACRE_ERROR_BUSY;
    }
    by->wrong += made.index1 != 0;
    return ACRE_OK;
}

static void a_scene_is_busy_for_edits_from_a_commit_hook(void)
{
    scene_fixture on;
    CHECK(scene_open(&on));
    hook_meddler by = {.on = &on};
    by.module = (acre_module){.name = "meddler", .commit = meddle_with_commit, .user = &by};
    CHECK(acre_scene_attach(on.scene, &by.module) == ACRE_OK);
    CHECK(acre_scene_commit(on.scene) == ACRE_OK);
    CHECK(by.told == 1 && by.wrong == 0);
    CHECK(told_take_others() == 1); // the culler that it destroyed
    CHECK(acre_scene_detach(on.scene, &by.module) == ACRE_OK);
    CHECK(scene_left_alone(&on));
    scene_close(&on);
}

// ---- culling ----

static void a_culler_refuses_null(void)
{
    scene_fixture on;
    const acre_frustum all = {.plane_count = 0};
    const acre_camera camera = {.layers = 0};
    CHECK(scene_open(&on));
    acre_culling *made = (acre_culling *)&made;
    CHECK(acre_culling_create(NULL, &(acre_culling_def){.register_all = true}, &made) == bad);
    CHECK(made == NULL);
    made = (acre_culling *)&made;
    CHECK(acre_culling_create(NULL, NULL, &made) == bad && made == NULL);
    CHECK(acre_culling_create(on.scene, &(acre_culling_def){.register_all = true}, NULL) == bad);
    CHECK(acre_culling_refresh_bounds(on.culling, on.child, NULL) == bad);
    test_expect_asserts(true);
    CHECK(acre_culling_query(on.culling, NULL, NULL, 0) == 0);
    test_expect_asserts(false);
    size_t total = 7;
    CHECK(acre_culling_query_frustum(on.culling, NULL, 0, NULL, 0, &total) == bad && total == 0);
    total = 7;
    CHECK(acre_culling_query_view(on.culling, NULL, NULL, 0, &total) == bad && total == 0);
    CHECK(acre_culling_query_view(NULL, &(acre_view){0}, NULL, 0, NULL) == bad);
    CHECK(count_in_frustum(on.culling, &all, 0, NULL, 100) == 3); // nowhere to write
    CHECK(acre_culling_register(NULL, on.child) == bad);
    CHECK(acre_culling_unregister(NULL, on.child) == bad);
    CHECK(acre_culling_refresh(NULL, on.child) == bad);
    CHECK(acre_culling_refresh_bounds(NULL, on.child, &unit_box) == bad);
    test_expect_asserts(true);
    CHECK(acre_culling_query(NULL, &camera, NULL, 0) == 0);
    test_expect_asserts(false);
#if ACRE_CHECK >= 1
    CHECK(test_take_asserts() >= 2); // a check tells NULL from nothing
#endif
    CHECK(acre_culling_query_frustum(NULL, &all, 0, NULL, 0, NULL) == bad);
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .origin = &unit_box};
    acre_query_hit hit;
    size_t count = 0;
    CHECK(acre_culling_query_shape(NULL, &query, NULL, 0, &count) == bad);
    CHECK(acre_culling_query_shape(on.culling, NULL, NULL, 0, &count) == bad);
    CHECK(acre_culling_query_shape(on.culling, &query, NULL, 1, &count) == bad);
    CHECK(acre_culling_query_nearest(NULL, &query, &hit, 1, &count) == bad);
    CHECK(acre_culling_query_nearest(on.culling, NULL, &hit, 1, &count) == bad);
    CHECK(acre_culling_query_nearest(on.culling, &query, NULL, 1, &count) == bad);
    CHECK(acre_culling_query_nearest(on.culling, &query, &hit, 1, NULL) == bad && count == 0);
    const acre_aabb inverted = {{1, 1, 1}, {0, 0, 0}};
    const acre_query wrong = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &inverted};
    CHECK(acre_culling_query_shape(on.culling, &wrong, NULL, 0, &count) == bad);
    CHECK(acre_culling_query_nearest(on.culling, &wrong, &hit, 1, &count) == bad); // from nowhere
    CHECK(!acre_culling_is_registered(on.culling, (acre_entity){0, 0, 0}));
    acre_culling_get_stats(on.culling, NULL);
    acre_culling_stats stats;
    test_expect_asserts(true);
    acre_culling_get_stats(NULL, &stats);
    test_expect_asserts(false);
    CHECK(stats.bytes == 0 && stats.moving.items == 0);
    CHECK(acre_culling_tree(NULL) == NULL && acre_culling_static_tree(NULL) == NULL);
    acre_culling_destroy(NULL);
    CHECK(scene_left_alone(&on));
    scene_close(&on);
}

static void a_culler_is_not_made_from_a_bad_def(void)
{
    scene_fixture on;
    CHECK(scene_open(&on));
    const acre_culling_def defs[] = {{.tree = {.half_size = NAN}},
                                     {.tree = {.half_size = -1}},
                                     {.tree = {.center = {INFINITY, 0}}},
                                     {.tree = {.max_depth = 21}},
                                     {.tree = {.item_capacity = UINT32_MAX}}};
    for (size_t i = 0; i < sizeof defs / sizeof defs[0]; i++) {
        acre_culling *made = (acre_culling *)&made;
        CHECK(acre_culling_create(on.scene, &defs[i], &made) == bad && made == NULL);
    }
    CHECK(scene_left_alone(&on));
    scene_close(&on);
}

static void an_entity_is_registered_and_unregistered_once(void)
{
    scene_fixture on;
    CHECK(scene_open(&on));
    CHECK(acre_culling_register(on.culling, on.child) == ACRE_ERROR_EXISTS);
    CHECK(scene_left_alone(&on));
    CHECK(acre_culling_unregister(on.culling, on.child) == ACRE_OK);
    on.seen = hash_scene(&on);
    CHECK(acre_culling_unregister(on.culling, on.child) == absent);
    CHECK(acre_culling_refresh_bounds(on.culling, on.child, &unit_box) == absent);
    CHECK(acre_culling_refresh(on.culling, on.child) == ACRE_OK); // refreshes no one's box
    CHECK(scene_left_alone(&on));
    scene_close(&on);
}

static void a_slot_beyond_the_tree_is_refused(void)
{
    acre_scene *scene;
    acre_culling *culling;
    acre_entity first, second;
    const acre_culling_def def = {.tree = {.item_capacity = 1}};
    CHECK(acre_scene_create(&(acre_scene_def){0}, &scene) == ACRE_OK);
    CHECK(acre_culling_create(scene, &def, &culling) == ACRE_OK);
    CHECK(acre_entity_create(scene, &(acre_entity_def){.bounds = &unit_box}, &first) == ACRE_OK);
    CHECK(acre_entity_create(scene, &(acre_entity_def){.bounds = &unit_box}, &second) == ACRE_OK);
    CHECK(acre_culling_register(culling, first) == ACRE_OK);
    CHECK(acre_culling_register(culling, second) == ACRE_ERROR_CAPACITY);
    CHECK(acre_culling_refresh_bounds(culling, second, &unit_box) == absent);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    CHECK(count_in_frustum(culling, &(acre_frustum){.plane_count = 0}, 0, NULL, 0) == 1);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
}

static void a_culler_without_its_scene_sees_nothing_and_refuses_all(void)
{
    scene_fixture on;
    const acre_camera camera = {.layers = 0};
    const acre_frustum all = {.plane_count = 0};
    CHECK(scene_open(&on));
    CHECK(acre_entity_set_flags(on.scene, on.child, ACRE_ENTITY_NEVER_CULL) == ACRE_OK);
    CHECK(acre_scene_commit(on.scene) == ACRE_OK);
    acre_scene_destroy(on.scene);
    CHECK(count_in_frustum(on.culling, &all, 0, NULL, 0) == 0);
    CHECK(acre_culling_register(on.culling, on.child) == stale);
    CHECK(acre_culling_unregister(on.culling, on.child) == stale);
    CHECK(acre_culling_refresh(on.culling, on.child) == stale);
    CHECK(acre_culling_refresh_bounds(on.culling, on.child, &unit_box) == stale);
    CHECK(acre_culling_query(on.culling, &camera, NULL, 0) == 0);
    size_t total = 9;
    CHECK(acre_culling_entity_pairs(on.culling, on.child, NULL, NULL, 0, &total) == stale);
    CHECK(acre_culling_pairs(on.culling, NULL, NULL, 0, &total) == ACRE_OK && total == 0);
    acre_culling_destroy(on.culling);
}

static void a_camera_without_a_frustum_sees_everything(void)
{
    scene_fixture on;
    CHECK(scene_open(&on));
    acre_camera camera = {.layers = 0}; // all zero: no projection at all
    CHECK(acre_culling_query(on.culling, &camera, NULL, 0) == 3);
    const acre_visibility_rule rule = {.min_distance = 1e6f}; // from no eye
    CHECK(acre_culling_set_rules(on.culling, &rule, 1) == ACRE_OK);
    CHECK(acre_culling_set_rule(on.culling, on.child, 1) == ACRE_OK);
    for (int i = 0; i < 16; i++) {
        memcpy(camera.view, unit_matrix, sizeof camera.view);
        memcpy(camera.projection, unit_matrix, sizeof camera.projection);
        camera.clip = ACRE_CLIP_ZERO_TO_ONE;
        camera.projection[i] = NAN;
        CHECK(acre_culling_query(on.culling, &camera, NULL, 0) == 3);
    }
    const acre_frustum wrong = {.planes = {{NAN, NAN, NAN, NAN}}, .plane_count = UINT32_MAX};
    CHECK(count_in_frustum(on.culling, &wrong, 0, NULL, 0) == 3);
    CHECK(scene_left_alone(&on));
    scene_close(&on);
}

// ---- views ----

// A set whose last result is known, and a view that is good.
typedef struct view_fixture {
    scene_fixture on;
    acre_visible_set *set;
    acre_view view;
    acre_visible seen;
} view_fixture;

static bool views_open(view_fixture *at)
{
    static const acre_visibility_rule rule = {.max_distance = 50.0f, .lod_pixels = {9.0f, 4.0f}};
    const acre_visible_set_def def = {.flags = ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES};
    at->view = (acre_view){.max_distance = 70.0f};
    const bool ok = scene_open(&at->on) &&
                    acre_culling_set_rules(at->on.culling, &rule, 1) == ACRE_OK &&
                    acre_culling_set_rule(at->on.culling, at->on.child, 1) == ACRE_OK &&
                    acre_visible_set_create(&def, &at->set) == ACRE_OK &&
                    acre_culling_find_visible(at->on.culling, &at->view, at->set) == ACRE_OK;
    at->seen = ok ? acre_visible_set_get(at->set) : at->seen;
    return ok && at->seen.count == 3;
}

static void views_close(view_fixture *at)
{
    acre_visible_set_destroy(at->set);
    scene_close(&at->on);
}

// Field by field: what stands between them may be anything.
static bool is_same_list(const acre_visible *a, const acre_visible *b)
{
    return a->slots == b->slots && a->count == b->count && a->lods == b->lods &&
           a->entered == b->entered && a->left == b->left && a->stayed == b->stayed &&
           a->changed == b->changed && a->entered_count == b->entered_count &&
           a->left_count == b->left_count && a->stayed_count == b->stayed_count &&
           a->changed_count == b->changed_count && a->bits == b->bits &&
           a->word_count == b->word_count && a->is_reused == b->is_reused && a->tested == b->tested;
}

// Whether a call answered what it should and the set is as it was, the child's rule, too.
static bool set_left_alone(view_fixture *at, acre_result got, acre_result want)
{
    const acre_visible now = acre_visible_set_get(at->set);
    return got == want && is_same_list(&now, &at->seen) &&
           acre_visible_set_view(at->set)->max_distance == 70.0f &&
           acre_culling_get_rule(at->on.culling, at->on.child) == 1 && scene_left_alone(&at->on);
}

static void a_visible_set_refuses_null_and_unknown_flags(void)
{
    view_fixture at;
    CHECK(views_open(&at));
    acre_culling *const culling = at.on.culling;
    acre_visible_set *made = (acre_visible_set *)&made; // anything but NULL
    const acre_visible_set_def odd = {.flags = 1u << 4};
    CHECK(acre_visible_set_create(&odd, &made) == bad && made == NULL);
    CHECK(acre_visible_set_create(NULL, NULL) == bad);
    CHECK(acre_visible_set_freeze(NULL, true) == bad && acre_visible_set_view(NULL) == NULL);
    test_expect_asserts(true);
    CHECK(acre_visible_set_get(NULL).count == 0 && acre_visible_set_get(NULL).bytes == 0);
    test_expect_asserts(false);
    acre_visible_set_clear(NULL);
    acre_visible_set_destroy(NULL);
    CHECK(set_left_alone(&at, acre_culling_find_visible(NULL, &at.view, at.set), bad));
    CHECK(set_left_alone(&at, acre_culling_find_visible(culling, NULL, at.set), bad));
    CHECK(set_left_alone(&at, acre_culling_find_visible(culling, &at.view, NULL), bad));
    CHECK(set_left_alone(&at, acre_culling_find_visible_many(culling, NULL, &at.set, 1), bad));
    CHECK(set_left_alone(&at, acre_culling_find_visible_many(culling, &at.view, NULL, 1), bad));
    CHECK(set_left_alone(&at, acre_culling_find_visible_many(NULL, &at.view, &at.set, 1), bad));
    acre_visible_set *none = NULL;
    CHECK(set_left_alone(&at, acre_culling_find_visible_many(culling, &at.view, &none, 1), bad));
    acre_visible_set *const sets[33] = {at.set};
    uint32_t masks[6] = {9, 9, 9, 9, 9, 9};
    CHECK(set_left_alone(&at, acre_visible_set_masks(NULL, 1, masks, 6), bad));
    CHECK(set_left_alone(&at, acre_visible_set_masks(sets, 2, masks, 6), bad));
    CHECK(set_left_alone(&at, acre_visible_set_masks(sets, 1, NULL, 6), bad));
    CHECK(set_left_alone(&at, acre_visible_set_masks(sets, 33, masks, 6), ACRE_ERROR_CAPACITY));
    CHECK(set_left_alone(&at, acre_visible_set_masks(sets, 1, masks, 1), ACRE_ERROR_CAPACITY));
    for (int i = 0; i < 6; i++) {
        CHECK(masks[i] == 9);
    }
    CHECK(set_left_alone(&at, acre_visible_set_masks(NULL, 0, NULL, 0), ACRE_OK));
    CHECK(acre_culling_query_view(NULL, &at.view, NULL, 0, NULL) == bad);
    CHECK(acre_culling_query_view(culling, NULL, NULL, 0, NULL) == bad);
    CHECK(count_in_view(culling, &at.view, NULL, 100) == 3); // nowhere to write
    views_close(&at);
}

static void an_invalid_view_finds_nothing_and_changes_no_set(void)
{
    static const acre_frustum no_volume = {.planes = {{0, NAN, 0, 0}}, .plane_count = 1};
    const acre_view views[] = {
        {.flags = 1u << 2},      {.eye = {NAN, 0, 0}},      {.eye = {0, 0, INFINITY}},
        {.min_distance = NAN},   {.max_distance = -1.0f},   {.pixels = -1.0f},
        {.min_pixels = NAN},     {.range_scale = -FLT_MIN}, {.lod_scale = NAN},
        {.hysteresis = 1.0f},    {.hysteresis = -0.1f},     {.include = &no_volume},
        {.exclude = &no_volume},
    };
    view_fixture at;
    acre_explanation why = {.rule = 77};
    CHECK(views_open(&at));
    acre_view of_camera = {.layers = 77};
    CHECK(acre_view_from_camera(&of_camera, NULL) == bad);
    CHECK(of_camera.frustum.plane_count == 0 && of_camera.layers == 0);
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        const acre_view *const view = &views[i];
        acre_culling *const culling = at.on.culling;
        CHECK(set_left_alone(&at, acre_culling_find_visible(culling, view, at.set), bad));
        CHECK(acre_culling_query_view(culling, view, NULL, 0, NULL) == bad);
        CHECK(set_left_alone(&at, acre_culling_explain(culling, view, at.set, at.on.child, &why),
                             bad));
        CHECK(why.rule == 77);
    }
    views_close(&at);
}

static void a_table_of_rules_that_is_none_is_refused(void)
{
    const acre_visibility_rule rules[] = {
        {.min_distance = NAN},
        {.min_distance = -1.0f},
        {.max_distance = NAN},
        {.max_distance = -INFINITY},
        {.min_pixels = NAN},
        {.min_pixels = -FLT_MIN},
        {.lod_pixels = {NAN}},
        {.lod_pixels = {4.0f, NAN}},
        {.lod_pixels = {4.0f, 5.0f}},
        {.lod_pixels = {0.0f, 1.0f}},
        {.lod_pixels = {4.0f, -1.0f}},
        {.lod_pixels = {7, 6, 5, 4, 3, 2, 2.5f}},
        {.lod_pixels = {9, 8, 7, 6, 5, 4, NAN}},
    };
    acre_visibility_rule table[2] = {{.max_distance = 1.0f}};
    view_fixture at;
    CHECK(views_open(&at));
    acre_culling *const culling = at.on.culling;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        table[1] = rules[i];
        CHECK(set_left_alone(&at, acre_culling_set_rules(culling, table, 2), bad));
    }
    CHECK(set_left_alone(&at, acre_culling_set_rules(culling, NULL, 1), bad));
    CHECK(set_left_alone(&at, acre_culling_set_rules(NULL, table, 1), bad));
    CHECK(set_left_alone(&at, acre_culling_set_rules(culling, table, 65536), ACRE_ERROR_CAPACITY));
    CHECK(acre_culling_find_visible(culling, &at.view, at.set) == ACRE_OK);
    CHECK(acre_visible_set_get(at.set).is_reused); // no refused call changed anything
    CHECK(acre_culling_set_rules(culling, NULL, 0) == ACRE_OK);
    views_close(&at);
}

static void a_rule_is_given_to_living_entities_alone(void)
{
    view_fixture at;
    CHECK(views_open(&at));
    acre_culling *const culling = at.on.culling;
    const acre_entity null = {0, 0, 0}, wild = {UINT32_MAX, 4, 1};
    const acre_entity strangers[] = {at.on.dead, at.on.foreign, null, wild};
    acre_explanation why = {.rule = 77};
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++) {
        CHECK(set_left_alone(&at, acre_culling_set_rule(culling, strangers[i], 1), stale));
        CHECK(acre_culling_get_rule(culling, strangers[i]) == 0);
        CHECK(set_left_alone(
            &at, acre_culling_explain(culling, &at.view, at.set, strangers[i], &why), stale));
        CHECK(why.rule == 77);
    }
    CHECK(set_left_alone(&at, acre_culling_set_rule(culling, at.on.child, 65536), bad));
    CHECK(set_left_alone(&at, acre_culling_set_rule(culling, at.on.child, UINT32_MAX), bad));
    CHECK(set_left_alone(&at, acre_culling_set_rule(NULL, at.on.child, 1), bad));
    test_expect_asserts(true);
    CHECK(acre_culling_get_rule(NULL, at.on.child) == 0);
    test_expect_asserts(false);
    CHECK(acre_culling_set_rule(culling, at.on.child, 65535) == ACRE_OK); // beyond the table: none
    CHECK(acre_culling_get_rule(culling, at.on.child) == 65535);
    views_close(&at);
}

static void explaining_refuses_null(void)
{
    view_fixture at;
    acre_explanation why;
    char text[8];
    CHECK(views_open(&at));
    const acre_entity child = at.on.child;
    CHECK(acre_culling_explain(NULL, &at.view, at.set, child, &why) == bad);
    CHECK(acre_culling_explain(at.on.culling, NULL, at.set, child, &why) == bad);
    CHECK(acre_culling_explain(at.on.culling, &at.view, at.set, child, NULL) == bad);
    CHECK(acre_culling_explain(at.on.culling, &at.view, NULL, child, &why) == ACRE_OK);
    const size_t length = acre_explanation_text(&why, NULL, 0);
    CHECK(length > 8 && acre_explanation_text(&why, text, sizeof text) == length);
    CHECK(strlen(text) == 7);
    CHECK(acre_explanation_text(NULL, text, sizeof text) == 0);
    CHECK(acre_explanation_text(&why, NULL, 3) == 0);
    why.hidden_by = (acre_hidden_by)99;
    why.place = (acre_culling_place)-1;
    CHECK(acre_explanation_text(&why, NULL, 0) > 0);
    CHECK(set_left_alone(&at, ACRE_OK, ACRE_OK));
    views_close(&at);
}

// A module that looks around while the scene commits.
typedef struct view_meddler {
    view_fixture *at;
    acre_module module;
    uint32_t told, wrong;
} view_meddler;

static acre_result meddle_with_views(void *user, const acre_scene *scene,
                                     const acre_scene_changes *changes)
{
    view_meddler *const by = user;
    (void)scene;
    (void)changes;
    by->told++;
    const acre_result result =
        acre_culling_find_visible(by->at->on.culling, &by->at->view, by->at->set);
    by->wrong += result != ACRE_OK && result != ACRE_ERROR_BUSY;
    return ACRE_OK;
}

static void finding_from_within_a_commit_is_refused_or_right(void)
{
    view_fixture at;
    CHECK(views_open(&at));
    view_meddler by = {.at = &at};
    by.module = (acre_module){.name = "meddler", .commit = meddle_with_views, .user = &by};
    CHECK(acre_scene_attach(at.on.scene, &by.module) == ACRE_OK);
    CHECK(acre_entity_set_flags(at.on.scene, at.on.child, ACRE_ENTITY_HIDDEN) == ACRE_OK);
    CHECK(acre_scene_commit(at.on.scene) == ACRE_OK);
    CHECK(by.told == 1 && by.wrong == 0);
    CHECK(acre_scene_detach(at.on.scene, &by.module) == ACRE_OK);
    CHECK(acre_culling_find_visible(at.on.culling, &at.view, at.set) == ACRE_OK);
    CHECK(acre_visible_set_get(at.set).count == 2);
    views_close(&at);
}

// ---- core ----

static void planes_that_are_none_hide_nothing(void)
{
    static const float numbers[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 12; i++) {
        acre_frustum frustum = {.planes = {{1, 0, 0, 0}}, .plane_count = 1};
        const acre_aabb outside = {{-3, 0, 0}, {-2, 1, 1}};
        CHECK(!acre_frustum_test_aabb(&frustum, &outside));
        frustum.planes[0][i % 4] = numbers[i / 4];
        const bool is_visible = acre_frustum_test_aabb(&frustum, &outside);
        CHECK(i >= 4 || is_visible); // NaN
        CHECK(i >= 4 || !acre_frustum_contains_aabb(&frustum, &outside));
        CHECK(acre_frustum_test_aabb_exact(&frustum, &outside) == is_visible);
    }
    const acre_frustum many = {.planes = {{1, 0, 0, 0}}, .plane_count = UINT32_MAX};
    CHECK(acre_frustum_test_aabb(&many, &unit_box));
}

static void results_and_blocks_that_do_not_exist(void)
{
    CHECK(acre_result_text((acre_result)-1) != NULL && acre_result_text((acre_result)1000) != NULL);
    const acre_allocator none = {NULL, NULL};
    CHECK(acre_resize(NULL, NULL, 0, 0, 64) == NULL);
    CHECK(acre_resize(&none, NULL, 0, 0, 64) == NULL);
    CHECK(acre_resize(&none, NULL, 0, SIZE_MAX, 64) == NULL);
    CHECK(acre_resize(NULL, NULL, 0, (size_t)PTRDIFF_MAX - 63, 1) == NULL);
}

// ---- recordings ----

static bool keep_bytes(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)context += size;
    return true;
}

static void a_recorder_refuses_null_and_ends_once(void)
{
    acre_quadtree *const tree = make_tree();
    acre_recorder recorder;
    acre_record_report report;
    size_t size = 0;
    CHECK(acre_recorder_begin(NULL, tree, keep_bytes, &size) == bad);
    CHECK(acre_recorder_begin(&recorder, NULL, keep_bytes, &size) == bad);
    CHECK(acre_recorder_begin(&recorder, tree, NULL, &size) == bad);
    CHECK(acre_recorder_end(NULL) == bad && size == 0);
    CHECK(acre_recorder_begin(&recorder, tree, keep_bytes, &size) == ACRE_OK);
    CHECK(acre_recorder_end(&recorder) == ACRE_OK);
    const size_t whole = size;
    CHECK(acre_recorder_end(&recorder) == ACRE_OK && size == whole && whole > 0);
    CHECK(acre_recorder_end(&(acre_recorder){0}) == ACRE_OK); // nothing had begun
    CHECK(acre_record_replay("", 0, NULL, &report) == ACRE_ERROR_FORMAT);
    CHECK(acre_record_replay("acreqt", 6, NULL, &report) == ACRE_ERROR_FORMAT);
    CHECK(acre_record_replay(NULL, 0, NULL, &report) == bad);
    CHECK(acre_record_replay(NULL, 3, NULL, &report) == bad);
    CHECK(acre_record_replay("abc", 3, NULL, NULL) == bad);
    CHECK(acre_record_replay("abc", 3, NULL, &report) == ACRE_ERROR_FORMAT);
    CHECK(acre_record_replay_watched(NULL, 3, NULL, NULL, NULL, &report, NULL) == bad);
    CHECK(acre_record_print(NULL, 3, NULL, keep_bytes, &size) == bad);
    CHECK(acre_record_print("abc", 3, NULL, NULL, &size) == bad);
    CHECK(acre_record_print("abc", 3, NULL, keep_bytes, &size) == ACRE_ERROR_FORMAT);
    acre_quadtree_destroy(tree);
}

// ---- imports ----

#if TEST_HAS_IMPORT
static void an_import_refuses_null_and_foreign_bytes(void)
{
    acre_import_model *model = (acre_import_model *)&model;
    char text[80];
    scene_fixture on;
    acre_entity made[1] = {{1, 1, 1}};
    CHECK(scene_open(&on));
    CHECK(acre_import_file(NULL, NULL, &model, text, sizeof text) == bad && model == NULL);
    CHECK(acre_import_file("x.obj", NULL, NULL, NULL, 0) == bad);
    model = (acre_import_model *)&model;
    CHECK(acre_import_file("no/such/file.obj", NULL, &model, NULL, 0) == ACRE_ERROR_IO);
    CHECK(model == NULL);
    model = (acre_import_model *)&model;
    CHECK(acre_import_unpack(NULL, 3, NULL, &model) == bad && model == NULL);
    CHECK(acre_import_unpack("abc", 3, NULL, NULL) == bad);
    CHECK(acre_import_unpack("abc", 3, NULL, &model) == ACRE_ERROR_FORMAT && model == NULL);
    CHECK(acre_import_to_scene(NULL, on.scene, on.root, made) == bad);
    acre_import_free(NULL);
    CHECK(scene_left_alone(&on));
    scene_close(&on);
}
#endif

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_tree_refuses_null),
        TEST(a_tree_refuses_arrays_that_are_none),
        TEST(a_tree_without_a_tree_answers_questions_with_nothing),
        TEST(a_tree_is_not_made_from_a_bad_def),
        TEST(an_item_that_is_not_in_the_tree_is_not_found),
        TEST(an_item_is_inserted_and_removed_once),
        TEST(a_tree_refuses_a_box_with_nan_in_any_edge),
        TEST(a_tree_refuses_an_inverted_box),
        TEST(a_tree_takes_infinite_boxes_and_finds_them_everywhere),
        TEST(a_query_refuses_what_it_does_not_know),
        TEST(queries_but_for_the_nearest_refuse_a_distance),
        TEST(calls_refuse_flags_and_arguments_that_are_not_theirs),
        TEST(a_tree_is_busy_for_edits_from_within_a_call),
        TEST(a_tree_is_busy_for_edits_from_visitors_in_every_build),
        TEST(a_scene_refuses_null),
        TEST(functions_of_a_scene_refuse_no_scene),
        TEST(the_null_handle_is_refused),
        TEST(the_handle_of_a_destroyed_entity_is_refused),
        TEST(a_stale_handle_does_not_reach_the_entity_that_took_the_slot),
        TEST(a_foreign_handle_is_refused),
        TEST(a_scene_refuses_nan_and_infinity_in_transforms),
        TEST(a_scene_refuses_nan_in_bounds),
        TEST(inverted_bounds_are_empty_and_never_visible),
        TEST(infinite_bounds_are_always_visible),
        TEST(a_scene_refuses_unknown_flags_cycles_and_too_much),
        TEST(an_entity_is_destroyed_and_a_module_attached_once),
        TEST(what_was_never_committed_cannot_be_read_or_refreshed),
        TEST(a_scene_is_busy_for_edits_from_a_commit_hook),
        TEST(a_culler_refuses_null),
        TEST(a_culler_is_not_made_from_a_bad_def),
        TEST(an_entity_is_registered_and_unregistered_once),
        TEST(a_slot_beyond_the_tree_is_refused),
        TEST(a_culler_without_its_scene_sees_nothing_and_refuses_all),
        TEST(a_camera_without_a_frustum_sees_everything),
        TEST(a_visible_set_refuses_null_and_unknown_flags),
        TEST(an_invalid_view_finds_nothing_and_changes_no_set),
        TEST(a_table_of_rules_that_is_none_is_refused),
        TEST(a_rule_is_given_to_living_entities_alone),
        TEST(explaining_refuses_null),
        TEST(finding_from_within_a_commit_is_refused_or_right),
        TEST(planes_that_are_none_hide_nothing),
        TEST(results_and_blocks_that_do_not_exist),
        TEST(a_recorder_refuses_null_and_ends_once),
#if TEST_HAS_IMPORT
        TEST(an_import_refuses_null_and_foreign_bytes),
#endif
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
