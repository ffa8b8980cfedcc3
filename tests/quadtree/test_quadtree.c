// SPDX-License-Identifier: MIT
// test_quadtree.c - the contract of quadtree.h, case by case: arguments, errors, batches, queries.
#include "box_generator.h"
#include "brute_force.h"
#include "test.h"
#include "tree_helpers.h"

#include <acre/quadtree_calls.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const acre_aabb unit_box = {{0, 0, 0}, {1, 1, 1}};

// ---- create ----

static void no_definition_is_one_of_zeros(void)
{
    acre_quadtree *tree = NULL, *zero = NULL;
    acre_quadtree_def of_tree, of_zero;
    CHECK(acre_quadtree_create(NULL, &tree) == ACRE_OK);
    CHECK(acre_quadtree_create(&(acre_quadtree_def){0}, &zero) == ACRE_OK);
    CHECK(acre_quadtree_get_def(tree, &of_tree) == ACRE_OK);
    CHECK(acre_quadtree_get_def(zero, &of_zero) == ACRE_OK);
    CHECK(of_tree.half_size == of_zero.half_size && of_tree.max_depth == of_zero.max_depth);
    CHECK(of_tree.node_capacity == of_zero.node_capacity && of_tree.kernel == of_zero.kernel);
    CHECK(of_tree.item_capacity == of_zero.item_capacity && of_tree.allocator == NULL);
    CHECK(acre_quadtree_insert(tree, 3, &unit_box) == ACRE_OK);
    CHECK(acre_quadtree_insert(zero, 3, &unit_box) == ACRE_OK);
    CHECK(acre_quadtree_state_hash(tree) == acre_quadtree_state_hash(zero));
    acre_quadtree_destroy(tree);
    acre_quadtree_destroy(zero);
}

static void create_accepts_the_ends_of_every_range(void)
{
    const acre_quadtree_def good[] = {
        {.max_depth = 1, .node_capacity = 1, .item_capacity = 1},
        {.max_depth = 20, .node_capacity = 65536, .item_capacity = 1u << 26},
        {.center = {-1e9f, 1e9f}, .half_size = 1e-3f},
        {.half_size = 1e30f, .max_depth = 20},
        {.half_size = 1e-20f, .max_depth = 20},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        acre_quadtree *tree;
        CHECK(acre_quadtree_create(&good[i], &tree) == ACRE_OK && is_valid(tree));
        CHECK(acre_quadtree_insert(tree, 0, &unit_box) == ACRE_OK && is_valid(tree));
        CHECK(acre_quadtree_query_aabb(tree, &unit_box, NULL, 0) == 1);
        acre_quadtree_destroy(tree);
    }
}

static void cells_are_the_smallest_power_of_two_and_the_root_covers_the_world(void)
{
    const acre_quadtree_def defs[] = {
        {{0, 0}, 0, 0, 0, 0, NULL, ACRE_KERNEL_DEFAULT},
        {{0, 0}, 64, 6, 0, 0, NULL, ACRE_KERNEL_DEFAULT},
        {{0, 0}, 65, 6, 0, 0, NULL, ACRE_KERNEL_DEFAULT},
        {{3.3f, -7}, 100, 4, 0, 0, NULL, ACRE_KERNEL_DEFAULT},
        {{1e6f, 1e6f}, 1000, 10, 0, 0, NULL, ACRE_KERNEL_DEFAULT},
        {{-0.1f, 0.1f}, 0.7f, 1, 0, 0, NULL, ACRE_KERNEL_DEFAULT},
    };
    for (size_t i = 0; i < sizeof defs / sizeof defs[0]; i++) {
        acre_quadtree *tree;
        CHECK(acre_quadtree_create(&defs[i], &tree) == ACRE_OK);
        const acre_quadtree_stats stats = stats_of(tree);
        const double half = defs[i].half_size > 0 ? (double)defs[i].half_size : 1024.0;
        const double wanted = ldexp(2.0 * half, -(int)(defs[i].max_depth ? defs[i].max_depth : 11));
        CHECK((double)stats.cell_size >= wanted && (double)stats.cell_size < 2.0 * wanted);
        int exponent;
        CHECK(frexpf(stats.cell_size, &exponent) == 0.5f);
        for (int axis = 0; axis < 2; axis++) {
            CHECK((double)stats.root_min[axis] <= (double)defs[i].center[axis] - half);
            CHECK((double)stats.root_max[axis] >= (double)defs[i].center[axis] + half);
            CHECK(remainderf(stats.root_min[axis], stats.cell_size) == 0.0f);
        }
        CHECK(stats.items == 0 && stats.nodes == 1 && stats.leaves == 1 && stats.depth == 0);
        acre_quadtree_destroy(tree);
    }
}

// ---- single items ----

static bool refused(acre_quadtree *tree, acre_result result, acre_result expected, uint64_t hash)
{
    return result == expected && acre_quadtree_state_hash(tree) == hash && is_valid(tree);
}

static void item_capacity_is_a_hard_limit(void)
{
    acre_quadtree *tree;
    const acre_quadtree_def def = {.half_size = 64, .item_capacity = 10};
    CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
    for (uint32_t item = 0; item < 10; item++) {
        CHECK(acre_quadtree_insert(tree, item, &unit_box) == ACRE_OK);
    }
    const uint64_t hash = acre_quadtree_state_hash(tree);
    const acre_result full = ACRE_ERROR_CAPACITY;
    CHECK(refused(tree, acre_quadtree_insert(tree, 10, &unit_box), full, hash));
    CHECK(refused(tree, acre_quadtree_insert(tree, UINT32_MAX, &unit_box), full, hash));
    CHECK(refused(tree, acre_quadtree_reserve(tree, 11), full, hash));
    CHECK(refused(tree, acre_quadtree_reserve(tree, SIZE_MAX), full, hash));
    CHECK(acre_quadtree_reserve(tree, 10) == ACRE_OK);
    acre_quadtree_destroy(tree);
    CHECK(acre_quadtree_create(&(acre_quadtree_def){0}, &tree) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 1u << 26, &unit_box) == full);
    acre_quadtree_destroy(tree);
}

static void negative_zero_comes_back_as_positive_zero(void)
{
    acre_quadtree *const tree = new_tree(64, 6, 4);
    const acre_aabb negative = {{-0.0f, -0.0f, -0.0f}, {-0.0f, 1, -0.0f}};
    const acre_aabb positive = {{0, 0, 0}, {0, 1, 0}};
    acre_aabb box;
    CHECK(acre_quadtree_insert(tree, 0, &negative) == ACRE_OK);
    CHECK(acre_quadtree_get_box(tree, 0, &box) == ACRE_OK);
    CHECK(memcmp(&box, &positive, sizeof box) == 0);
    const uint64_t hash = acre_quadtree_content_hash(tree);
    CHECK(acre_quadtree_refresh(tree, 0, &unit_box) == ACRE_OK);
    CHECK(acre_quadtree_content_hash(tree) != hash);
    CHECK(acre_quadtree_refresh(tree, 0, &negative) == ACRE_OK);
    CHECK(acre_quadtree_get_box(tree, 0, &box) == ACRE_OK);
    CHECK(memcmp(&box, &positive, sizeof box) == 0);
    CHECK(acre_quadtree_content_hash(tree) == hash);
    acre_quadtree_destroy(tree);
}

// The search for an item's node begins where the last one was inserted, which may be gone by now.
static void neighbors_find_their_nodes_whatever_happened_in_between(void)
{
    enum { ITEMS = 4000 };
    test_random random = {test_seed};
    acre_quadtree *const tree = new_tree(128, 8, 8);
    CHECK(tree);
    float x = 0, z = 0;
    for (uint32_t round = 0; round < 20 * test_scale; round++) {
        for (uint32_t item = 0; item < ITEMS; item++) {
            x = random_below(&random, 200) ? x + random_float(&random, -0.5f, 0.5f) : 0.0f;
            z = random_below(&random, 200) ? z + random_float(&random, -0.5f, 0.5f) : 100.0f;
            const acre_aabb box = box_at(x, z, random_float(&random, 0.0f, 1.0f));
            const acre_result expected =
                acre_quadtree_contains(tree, item) ? ACRE_ERROR_EXISTS : ACRE_OK;
            CHECK(acre_quadtree_insert(tree, item, &box) == expected);
            const uint32_t event = random_below(&random, 400);
            if (event == 0) { // cells collapse
                for (uint32_t last = 0; last < 300 && last <= item; last++) {
                    ACRE_IGNORE(acre_quadtree_remove(tree, item - last));
                }
            } else if (event == 1) {
                CHECK(acre_quadtree_trim(tree) == ACRE_OK);
            } else if (event == 2) {
                CHECK(acre_quadtree_optimize(tree) == ACRE_OK);
            } else if (event == 3 && round % 4 == 3) {
                acre_quadtree_clear(tree);
            }
            CHECK(item % 50 != 0 || is_valid(tree));
        }
    }
    acre_quadtree_destroy(tree);
}

// ---- batches ----

static void refresh_many_applies_in_order_and_refuses_bad_rows_alone(void)
{
    acre_quadtree *const tree = new_tree(64, 6, 4);
    for (uint32_t item = 0; item < 4; item++) {
        CHECK(acre_quadtree_insert(tree, item, &unit_box) == ACRE_OK);
    }
    const uint32_t items[] = {0, 9, 1, 2, 1, UINT32_MAX};
    const acre_aabb boxes[] = {box_at(5, 5, 1),          unit_box,        box_at(6, 6, 1),
                               {{NAN, 0, 0}, {1, 1, 1}}, box_at(7, 7, 1), unit_box};
    CHECK(acre_quadtree_refresh_many(tree, items, boxes, 6) == ACRE_ERROR_NOT_FOUND);
    acre_quadtree_report report = acre_quadtree_last_report(tree);
    CHECK(report.refused == 3 && report.first_row == 1);
    CHECK(report.first_result == ACRE_ERROR_NOT_FOUND && is_valid(tree));
    acre_aabb box;
    CHECK(acre_quadtree_get_box(tree, 0, &box) == ACRE_OK);
    CHECK(memcmp(&box, &boxes[0], sizeof box) == 0);
    CHECK(acre_quadtree_get_box(tree, 1, &box) == ACRE_OK); // named twice: the last row holds
    CHECK(memcmp(&box, &boxes[4], sizeof box) == 0);
    CHECK(acre_quadtree_get_box(tree, 2, &box) == ACRE_OK);
    CHECK(memcmp(&box, &unit_box, sizeof box) == 0);
    CHECK(acre_quadtree_refresh_many(tree, items, boxes, 1) == ACRE_OK);
    report = acre_quadtree_last_report(tree);
    CHECK(report.refused == 0 && report.first_result == ACRE_OK);
    acre_quadtree_destroy(tree);
}

static void refresh_all_ignores_absent_rows_and_keeps_items_beyond_count(void)
{
    acre_quadtree *const tree = new_tree(64, 6, 1);
    const uint32_t present[] = {0, 2, 3, 5, 8};
    for (int i = 0; i < 5; i++) {
        const acre_aabb box = box_at((float)present[i] * 3.0f, 0, 1);
        CHECK(acre_quadtree_insert(tree, present[i], &box) == ACRE_OK);
    }
    acre_aabb boxes[6];
    for (int i = 0; i < 6; i++) {
        boxes[i] = box_at(-20.0f, (float)i, 0.5f);
    }
    boxes[1].min[0] = NAN; // absent: not an error
    boxes[3].max[2] = NAN;
    CHECK(acre_quadtree_refresh_all(tree, boxes, 6) == ACRE_ERROR_INVALID_ARGUMENT);
    const acre_quadtree_report report = acre_quadtree_last_report(tree);
    CHECK(report.refused == 1 && report.first_row == 3);
    CHECK(report.first_result == ACRE_ERROR_INVALID_ARGUMENT && is_valid(tree));
    uint32_t found[5];
    const acre_aabb moved = {{-21, 0, -1}, {-19, 1, 6}};
    CHECK(acre_quadtree_query_aabb(tree, &moved, found, 5) == 3);
    const acre_aabb old_three = box_at(9, 0, 0.1f);
    const acre_aabb old_eight = box_at(24, 0, 0.1f);
    CHECK(acre_quadtree_query_aabb(tree, &old_three, found, 5) == 1 && found[0] == 3);
    CHECK(acre_quadtree_query_aabb(tree, &old_eight, found, 5) == 1 && found[0] == 8);
    CHECK(!acre_quadtree_contains(tree, 1) && stats_of(tree).items == 5);
    acre_quadtree_destroy(tree);
}

// The pull, the push and single calls are three ways to the same content.
static void all_ways_of_refreshing_give_the_same_content(void)
{
    enum { COUNT = 3000 };
    static acre_aabb boxes[COUNT];
    static uint32_t items[COUNT];
    const box_world world = {{0, 0}, 100, 0.5f};
    acre_quadtree *trees[3];
    test_random random = {test_seed};
    for (int t = 0; t < 3; t++) {
        trees[t] = new_tree(64, 8, 16);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        boxes[i] = box_valid(&random, &world);
        items[i] = i;
        for (int t = 0; t < 3; t++) {
            CHECK(acre_quadtree_insert(trees[t], i, &boxes[i]) == ACRE_OK);
        }
    }
    for (int round = 0; round < 6; round++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            boxes[i] =
                round & 1 ? box_valid(&random, &world) : box_moved(&random, &world, &boxes[i]);
            CHECK(acre_quadtree_refresh(trees[0], i, &boxes[i]) == ACRE_OK);
        }
        CHECK(acre_quadtree_refresh_many(trees[1], items, boxes, COUNT) == ACRE_OK);
        CHECK(acre_quadtree_refresh_all(trees[2], boxes, COUNT) == ACRE_OK);
        const uint64_t hash = acre_quadtree_content_hash(trees[0]);
        for (int t = 0; t < 3; t++) {
            CHECK(is_valid(trees[t]) && acre_quadtree_content_hash(trees[t]) == hash);
        }
        CHECK(acre_quadtree_state_hash(trees[0]) == acre_quadtree_state_hash(trees[1]));
    }
    for (int t = 0; t < 3; t++) {
        acre_quadtree_destroy(trees[t]);
    }
}

static void content_hash_depends_on_items_boxes_and_layers_alone(void)
{
    acre_quadtree *const a = new_tree(64, 6, 4);
    acre_quadtree *const b = new_tree(10, 3, 1);
    for (uint32_t i = 0; i < 50; i++) {
        const acre_aabb first = box_at((float)i, 5, 0.5f);
        const acre_aabb second = box_at((float)(49 - i), 5, 0.5f);
        CHECK(acre_quadtree_insert(a, i, &first) == ACRE_OK);
        CHECK(acre_quadtree_insert(b, 49 - i, &second) == ACRE_OK);
    }
    CHECK(acre_quadtree_insert(b, 99, &unit_box) == ACRE_OK);
    CHECK(acre_quadtree_content_hash(a) != acre_quadtree_content_hash(b));
    CHECK(acre_quadtree_remove(b, 99) == ACRE_OK);
    CHECK(acre_quadtree_content_hash(a) == acre_quadtree_content_hash(b));
    CHECK(acre_quadtree_state_hash(a) != acre_quadtree_state_hash(b));
    CHECK(acre_quadtree_set_layers(a, 4, 2) == ACRE_OK);
    CHECK(acre_quadtree_content_hash(a) != acre_quadtree_content_hash(b));
    CHECK(acre_quadtree_set_layers(a, 4, UINT32_MAX) == ACRE_OK);
    CHECK(acre_quadtree_content_hash(a) == acre_quadtree_content_hash(b));
    // Two items that swap boxes are another content.
    const acre_aabb zero = box_at(0, 5, 0.5f);
    const acre_aabb one = box_at(1, 5, 0.5f);
    CHECK(acre_quadtree_refresh(b, 0, &one) == ACRE_OK);
    CHECK(acre_quadtree_refresh(b, 1, &zero) == ACRE_OK);
    CHECK(acre_quadtree_content_hash(a) != acre_quadtree_content_hash(b));
    acre_quadtree_destroy(a);
    acre_quadtree_destroy(b);
}

static bool insert_boxes(acre_quadtree *tree, uint32_t begin, uint32_t end, uint32_t step)
{
    bool ok = true;
    for (uint32_t i = begin; i < end; i += step) {
        const acre_aabb box = box_at((float)(i % 17), (float)(i % 23), 0.5f);
        ok &= acre_quadtree_insert(tree, i, &box) == ACRE_OK;
        ok &= i % 5 || acre_quadtree_set_layers(tree, i, i) == ACRE_OK;
    }
    return ok;
}

static void content_hashes_of_parts_of_a_world_add_up(void)
{
    enum { PARTS = 3, ITEMS = 300 };
    acre_quadtree *const whole = new_tree(64, 6, 4);
    CHECK(acre_quadtree_content_hash(whole) == 0);
    CHECK(insert_boxes(whole, 0, ITEMS, 1));
    uint64_t sum = 0;
    for (uint32_t i = 0; i < PARTS; i++) {
        acre_quadtree *const part = new_tree(10, 3, 1);
        CHECK(insert_boxes(part, i, ITEMS, PARTS));
        CHECK(acre_quadtree_content_hash(part) != 0);
        sum += acre_quadtree_content_hash(part);
        acre_quadtree_destroy(part);
    }
    CHECK(acre_quadtree_content_hash(whole) == sum);
    // An item of zeros counts too, and two parts with swapped items are another world.
    const acre_aabb zero = {{0, 0, 0}, {0, 0, 0}};
    acre_quadtree *const none = new_tree(64, 6, 4);
    CHECK(acre_quadtree_insert(none, 0, &zero) == ACRE_OK);
    CHECK(acre_quadtree_set_layers(none, 0, 0) == ACRE_OK);
    CHECK(acre_quadtree_content_hash(none) != 0);
    acre_quadtree_destroy(none);
    acre_quadtree_destroy(whole);
}

// ---- layers ----

static size_t count_in_layers(const acre_quadtree *tree, uint32_t layers, acre_query_stats *stats)
{
    const acre_frustum all = {.plane_count = 0};
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &all, .layers = layers, .stats = stats};
    size_t total = 0;
    return acre_quadtree_query(tree, &query, NULL, 0, &total) == ACRE_OK ? total : SIZE_MAX;
}

static void layers_select_items_and_start_anew_with_each_insert(void)
{
    acre_quadtree *const tree = new_tree(64, 6, 4);
    for (uint32_t i = 0; i < 40; i++) {
        const acre_aabb box = box_at((float)i, (float)(i % 7), 0.5f);
        CHECK(acre_quadtree_insert(tree, i, &box) == ACRE_OK);
        CHECK(acre_quadtree_get_layers(tree, i) == UINT32_MAX);
    }
    CHECK(stats_of(tree).bytes_layers == 0);
    CHECK(acre_quadtree_set_layers(tree, 3, UINT32_MAX) == ACRE_OK);
    CHECK(stats_of(tree).bytes_layers == 0 && count_in_layers(tree, 1u << 9, NULL) == 40);
    for (uint32_t i = 0; i < 40; i++) {
        CHECK(acre_quadtree_set_layers(tree, i, 1u << (i % 4)) == ACRE_OK && is_valid(tree));
    }
    CHECK(stats_of(tree).bytes_layers > 0);
    CHECK(count_in_layers(tree, 0, NULL) == 40 && count_in_layers(tree, 1, NULL) == 10);
    CHECK(count_in_layers(tree, 3, NULL) == 20 && count_in_layers(tree, 16, NULL) == 0);
    CHECK(acre_quadtree_set_layers(tree, 1, 0) == ACRE_OK); // 0 means all layers
    CHECK(acre_quadtree_get_layers(tree, 1) == UINT32_MAX && is_valid(tree));
    CHECK(count_in_layers(tree, 1, NULL) == 11 && count_in_layers(tree, 1u << 31, NULL) == 1);
    CHECK(count_in_layers(tree, 0, NULL) == 40 && count_in_layers(tree, UINT32_MAX, NULL) == 40);
    CHECK(acre_quadtree_remove(tree, 0) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 0, &unit_box) == ACRE_OK);
    CHECK(acre_quadtree_get_layers(tree, 0) == UINT32_MAX && is_valid(tree));
    acre_quadtree_clear(tree);
    CHECK(acre_quadtree_insert(tree, 1, &unit_box) == ACRE_OK);
    CHECK(acre_quadtree_get_layers(tree, 1) == UINT32_MAX && is_valid(tree));
    acre_quadtree_destroy(tree);
}

static void subtrees_without_the_layer_are_not_searched(void)
{
    acre_quadtree *const tree = new_tree(64, 6, 4);
    for (uint32_t i = 0; i < 400; i++) {
        const acre_aabb box = box_at((float)(i % 20) * 6 - 60, (float)(i / 20) * 6 - 60, 0.4f);
        CHECK(acre_quadtree_insert(tree, i, &box) == ACRE_OK);
        CHECK(acre_quadtree_set_layers(tree, i, i == 399 ? 2 : 1) == ACRE_OK);
    }
    CHECK(acre_quadtree_tighten(tree) == ACRE_OK && is_valid(tree));
    acre_query_stats stats;
    CHECK(count_in_layers(tree, 2, &stats) == 1);
    CHECK(stats.items_accepted + stats.items_tested < 40);
    acre_quadtree_destroy(tree);
}

// ---- queries ----

static acre_quadtree *grid_tree(uint32_t side)
{
    acre_quadtree *const tree = new_tree(64, 6, 8);
    for (uint32_t i = 0; tree && i < side * side; i++) {
        const acre_aabb box =
            box_at((float)(i % side) * 2 + 0.5f, (float)(i / side) * 2 + 0.5f, 0.5f);
        if (acre_quadtree_insert(tree, i, &box) != ACRE_OK) {
            return NULL;
        }
    }
    return tree;
}

static void the_total_is_true_whatever_the_capacity(void)
{
    acre_quadtree *const tree = grid_tree(30);
    const acre_frustum all = {.plane_count = 0};
    static uint32_t full[900], part[901];
    CHECK(acre_quadtree_query_frustum(tree, &all, NULL, 0) == 900);
    CHECK(acre_quadtree_query_frustum(tree, &all, full, 900) == 900);
    for (size_t room = 0; room <= 900; room += 37) {
        memset(part, 0xee, sizeof part);
        CHECK(acre_quadtree_query_frustum(tree, &all, part, room) == 900);
        CHECK(memcmp(part, full, room * sizeof *part) == 0 && part[room] == 0xeeeeeeee);
    }
    const acre_aabb area = {{0, 0, 0}, {20, 1, 20}};
    const size_t total = acre_quadtree_query_aabb(tree, &area, full, 900);
    CHECK(total == 121 && acre_quadtree_query_aabb(tree, &area, part, 3) == 121);
    CHECK(memcmp(part, full, 3 * sizeof *part) == 0);
    acre_quadtree_destroy(tree);
}

static void touching_boxes_are_found_and_boxes_one_float_away_are_not(void)
{
    acre_quadtree *const tree = new_tree(64, 6, 1);
    const acre_aabb box = {{2, 2, 2}, {4, 4, 4}};
    CHECK(acre_quadtree_insert(tree, 0, &box) == ACRE_OK);
    for (int axis = 0; axis < 3; axis++) {
        acre_aabb beside = box;
        beside.min[axis] = 4;
        beside.max[axis] = 5;
        CHECK(acre_quadtree_query_aabb(tree, &beside, NULL, 0) == 1);
        beside.min[axis] = nextafterf(4, 5);
        CHECK(acre_quadtree_query_aabb(tree, &beside, NULL, 0) == 0);
        beside.min[axis] = 1;
        beside.max[axis] = 2;
        CHECK(acre_quadtree_query_aabb(tree, &beside, NULL, 0) == 1);
        beside.max[axis] = nextafterf(2, 1);
        CHECK(acre_quadtree_query_aabb(tree, &beside, NULL, 0) == 0);
        // A plane through the face: the box is inside by equality.
        acre_frustum plane = {.plane_count = 1};
        plane.planes[0][axis] = 1;
        plane.planes[0][3] = -4;
        CHECK(acre_quadtree_query_frustum(tree, &plane, NULL, 0) == 1);
        plane.planes[0][3] = nextafterf(-4, -5);
        CHECK(acre_quadtree_query_frustum(tree, &plane, NULL, 0) == 0);
    }
    acre_quadtree_destroy(tree);
}

static void queries_agree_about_nan_planes(void)
{
    acre_quadtree *const tree = grid_tree(10);
    const acre_aabb corner = {{-1, -1, -1}, {5, 2, 5}};
    acre_frustum frustum = frustum_of_box(&corner);
    const size_t without = acre_quadtree_query_frustum(tree, &frustum, NULL, 0);
    frustum.planes[6][0] = NAN;
    frustum.plane_count = 7;
    CHECK(without == 9);
    CHECK(acre_quadtree_query_frustum(tree, &frustum, NULL, 0) == without);
    size_t total = 77;
    acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &frustum};
    CHECK(acre_quadtree_query(tree, &query, NULL, 0, &total) == ACRE_ERROR_INVALID_ARGUMENT);
    frustum.plane_count = 6; // the NaN plane is not part of it now
    CHECK(acre_quadtree_query(tree, &query, NULL, 0, &total) == ACRE_OK && total == without);
    frustum.plane_count = 0;
    CHECK(acre_quadtree_query_frustum(tree, &frustum, NULL, 0) == 100);
    for (uint32_t i = 0; i < ACRE_FRUSTUM_MAX_PLANES; i++) {
        frustum.planes[i][0] = NAN;
    }
    frustum.plane_count = UINT32_MAX; // read as 16
    CHECK(acre_quadtree_query_frustum(tree, &frustum, NULL, 0) == 100);
    acre_quadtree_destroy(tree);
}

static void sorted_queries_give_ascending_numbers(void)
{
    acre_quadtree *const tree = new_tree(64, 8, 2);
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 500; i++) {
        const float x = random_float(&random, -60, 60);
        const acre_aabb box = box_at(x, random_float(&random, -60, 60), 0.5f);
        CHECK(acre_quadtree_insert(tree, (i * 7919) % 500, &box) == ACRE_OK);
    }
    const acre_frustum all = {.plane_count = 0};
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &all, .flags = ACRE_QUERY_SORTED};
    uint32_t found[500], plain[500];
    size_t total;
    CHECK(acre_quadtree_query(tree, &query, found, 500, &total) == ACRE_OK && total == 500);
    for (uint32_t i = 0; i < 500; i++) {
        CHECK(found[i] == i);
    }
    CHECK(acre_quadtree_query(tree, &query, found, 33, &total) == ACRE_OK && total == 500);
    CHECK(acre_quadtree_query_frustum(tree, &all, plain, 33) == 500);
    sort_numbers(plain, 33);
    CHECK(memcmp(found, plain, 33 * sizeof *found) == 0);
    acre_quadtree_destroy(tree);
}

static void exact_queries_drop_the_false_positives_of_the_plane_test(void)
{
    acre_quadtree *const tree = new_tree(1024, 0, 0);
    const float eye[3] = {0, 1, 0}, target[3] = {0, 1, -10};
    const acre_frustum camera = frustum_camera(eye, target, 0.5f, 0.5f, 0.1f, 100);
    // Beside the far corner: each plane alone lets it pass, and yet it is outside.
    const acre_aabb aside = {{60, -500, -200}, {500, 500, -80}};
    const acre_aabb ahead = {{-1, 0, -11}, {1, 2, -10}};
    CHECK(acre_quadtree_insert(tree, 0, &aside) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 1, &ahead) == ACRE_OK);
    uint32_t found[2];
    size_t total;
    CHECK(acre_quadtree_query_frustum(tree, &camera, found, 2) == 2);
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &camera, .flags = ACRE_QUERY_EXACT};
    CHECK(acre_quadtree_query(tree, &query, found, 2, &total) == ACRE_OK);
    CHECK(total == 1 && found[0] == 1);
    acre_quadtree_destroy(tree);
}

static void items_of_wholly_visible_cells_are_accepted_without_tests(void)
{
    acre_quadtree *const tree = grid_tree(30);
    acre_query_stats stats;
    CHECK(count_in_layers(tree, 0, &stats) == 900);
    CHECK(stats.items_accepted == 900 && stats.items_tested == 0);
    const acre_aabb wide = {{-100, -100, -100}, {100, 100, 100}};
    const acre_frustum frustum = frustum_of_box(&wide);
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &frustum, .stats = &stats};
    size_t total;
    CHECK(acre_quadtree_query(tree, &query, NULL, 0, &total) == ACRE_OK && total == 900);
    CHECK(stats.items_accepted == 900 && stats.items_tested == 0 && stats.nodes_tested >= 1);
    const acre_aabb far = box_at(-60, -60, 1);
    const acre_query miss = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &far, .stats = &stats};
    CHECK(acre_quadtree_query(tree, &miss, NULL, 0, &total) == ACRE_OK && total == 0);
    CHECK(stats.items_accepted == 0 && stats.items_tested == 0);
    acre_quadtree_destroy(tree);
}

// ---- the state of the whole ----

static void clear_leaves_an_empty_tree_as_after_create_and_keeps_the_memory(void)
{
    acre_quadtree *const tree = new_tree(64, 6, 4);
    const acre_quadtree_stats before = stats_of(tree);
    for (uint32_t i = 0; i < 100; i++) {
        const acre_aabb box = box_at((float)i * 10, 0, 1);
        CHECK(acre_quadtree_insert(tree, i, &box) == ACRE_OK);
    }
    const acre_quadtree_stats full = stats_of(tree);
    CHECK(full.root_max[0] > before.root_max[0]);
    acre_quadtree_clear(tree);
    const acre_quadtree_stats after = stats_of(tree);
    CHECK(is_valid(tree) && after.items == 0 && after.nodes == 1 && after.outliers == 0);
    CHECK(after.root_max[0] == before.root_max[0] && after.root_min[0] == before.root_min[0]);
    CHECK(after.bytes == full.bytes && !acre_quadtree_contains(tree, 5));
    const acre_frustum all = {.plane_count = 0};
    CHECK(acre_quadtree_query_frustum(tree, &all, NULL, 0) == 0);
    acre_quadtree_destroy(tree);
}

static void statistics_add_up(void)
{
    acre_quadtree *const tree = grid_tree(30);
    const acre_aabb infinite = {{-INFINITY, 0, 0}, {0, 1, 1}};
    CHECK(acre_quadtree_insert(tree, 900, &infinite) == ACRE_OK);
    CHECK(acre_quadtree_set_layers(tree, 3, 1) == ACRE_OK);
    const acre_quadtree_stats stats = stats_of(tree);
    CHECK(stats.items == 901 && stats.outliers == 1);
    CHECK(stats.nodes % 4 == 1 && stats.leaves == 1 + 3 * (stats.nodes - 1) / 4);
    CHECK(stats.depth >= 3 && stats.depth <= 6);
    const size_t parts =
        stats.bytes_nodes + stats.bytes_blocks + stats.bytes_locations + stats.bytes_layers;
    CHECK(parts <= stats.bytes && stats.bytes - parts < 1024 && stats.bytes_layers >= 901 * 4);
    CHECK(stats.splits >= (stats.nodes - 1) / 4);
    acre_quadtree_destroy(tree);
}

static void equal_calls_give_equal_states_and_every_value_is_in_the_state(void)
{
    acre_quadtree *const a = grid_tree(12);
    acre_quadtree *const b = grid_tree(12);
    CHECK(acre_quadtree_state_hash(a) == acre_quadtree_state_hash(b));
    acre_aabb box;
    CHECK(acre_quadtree_get_box(b, 77, &box) == ACRE_OK);
    box.max[1] = nextafterf(box.max[1], 10);
    CHECK(acre_quadtree_refresh(b, 77, &box) == ACRE_OK);
    CHECK(acre_quadtree_state_hash(a) != acre_quadtree_state_hash(b));
    CHECK(acre_quadtree_refresh(a, 77, &box) == ACRE_OK);
    CHECK(acre_quadtree_state_hash(a) == acre_quadtree_state_hash(b));
    // Equal content in another order is another state.
    CHECK(acre_quadtree_remove(b, 0) == ACRE_OK && acre_quadtree_remove(b, 1) == ACRE_OK);
    const acre_aabb first = box_at(0.5f, 0.5f, 0.5f);
    const acre_aabb second = box_at(2.5f, 0.5f, 0.5f);
    CHECK(acre_quadtree_insert(b, 1, &second) == ACRE_OK);
    CHECK(acre_quadtree_insert(b, 0, &first) == ACRE_OK);
    CHECK(acre_quadtree_content_hash(a) == acre_quadtree_content_hash(b));
    CHECK(acre_quadtree_state_hash(a) != acre_quadtree_state_hash(b));
    acre_quadtree_destroy(a);
    acre_quadtree_destroy(b);
}

// ---- drawing, and questions to nothing ----

// What a drawing consists of.
typedef struct drawn {
    size_t boxes, texts, lines;
    size_t counted; // sum of all texts
    acre_aabb last[2048];
} drawn;

static void note_box(void *user, const acre_aabb *box, uint32_t rgba)
{
    drawn *const out = user;
    (void)rgba;
    if (out->boxes < sizeof out->last / sizeof out->last[0]) {
        out->last[out->boxes] = *box;
    }
    out->boxes++;
}

static void note_text(void *user, const float *at, const char *text, uint32_t rgba)
{
    drawn *const out = user;
    (void)at;
    (void)rgba;
    out->texts++;
    out->counted += strtoul(text, NULL, 10);
}

static void note_line(void *user, const float *a, const float *b, uint32_t rgba)
{
    (void)a;
    (void)b;
    (void)rgba;
    ((drawn *)user)->lines++;
}

static drawn *draw_with(const acre_quadtree *tree, uint32_t flags)
{
    static drawn out;
    out.boxes = out.texts = out.lines = out.counted = 0;
    const acre_debug_draw draw = {
        .user = &out, .flags = flags, .line = note_line, .box = note_box, .text = note_text};
    acre_quadtree_debug_draw(tree, &draw);
    return &out;
}

static void each_flag_of_the_drawing_shows_its_own_kind(void)
{
    acre_quadtree *const tree = grid_tree(20);
    const acre_aabb infinite = {{-INFINITY, 0, 0}, {0, 1, 1}};
    CHECK(acre_quadtree_insert(tree, 400, &infinite) == ACRE_OK);
    const acre_quadtree_stats stats = stats_of(tree);
    CHECK(draw_with(tree, ACRE_DEBUG_ITEMS)->boxes == 401);
    CHECK(draw_with(tree, ACRE_DEBUG_ITEMS)->texts == 0);
    CHECK(draw_with(tree, ACRE_DEBUG_COUNTS)->counted == 400); // outliers are in no cell
    CHECK(draw_with(tree, ACRE_DEBUG_COUNTS)->boxes == 0);
    const size_t stored = draw_with(tree, ACRE_DEBUG_STORED_BOUNDS)->boxes;
    CHECK(stored > 20 && stored <= stats.nodes);
    static drawn strict;
    strict = *draw_with(tree, ACRE_DEBUG_STRICT_CELLS);
    const drawn *const loose = draw_with(tree, ACRE_DEBUG_LOOSE_CELLS);
    CHECK(strict.boxes == stats.nodes && loose->boxes == stats.nodes);
    for (size_t i = 0; i < stats.nodes; i++) {
        for (int axis = 0; axis < 3; axis += 2) { // grown by half its size on every side
            const double size = (double)strict.last[i].max[axis] - (double)strict.last[i].min[axis];
            const double low = (double)strict.last[i].min[axis] - 0.5 * size;
            const double high = (double)strict.last[i].max[axis] + 0.5 * size;
            CHECK((double)loose->last[i].min[axis] <= low);
            CHECK((double)loose->last[i].min[axis] > low - 1e-4);
            CHECK((double)loose->last[i].max[axis] >= high);
            CHECK((double)loose->last[i].max[axis] < high + 1e-4);
        }
    }
    const size_t all = draw_with(tree, 0)->boxes;
    CHECK(all == 401 + stored + 2 * stats.nodes);
    CHECK(draw_with(tree, UINT32_MAX)->boxes == all && draw_with(tree, 1u << 30)->boxes == 0);
    acre_quadtree_destroy(tree);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(no_definition_is_one_of_zeros),
        TEST(create_accepts_the_ends_of_every_range),
        TEST(cells_are_the_smallest_power_of_two_and_the_root_covers_the_world),
        TEST(item_capacity_is_a_hard_limit),
        TEST(neighbors_find_their_nodes_whatever_happened_in_between),
        TEST(negative_zero_comes_back_as_positive_zero),
        TEST(refresh_many_applies_in_order_and_refuses_bad_rows_alone),
        TEST(refresh_all_ignores_absent_rows_and_keeps_items_beyond_count),
        TEST(all_ways_of_refreshing_give_the_same_content),
        TEST(content_hash_depends_on_items_boxes_and_layers_alone),
        TEST(content_hashes_of_parts_of_a_world_add_up),
        TEST(layers_select_items_and_start_anew_with_each_insert),
        TEST(subtrees_without_the_layer_are_not_searched),
        TEST(the_total_is_true_whatever_the_capacity),
        TEST(touching_boxes_are_found_and_boxes_one_float_away_are_not),
        TEST(queries_agree_about_nan_planes),
        TEST(sorted_queries_give_ascending_numbers),
        TEST(exact_queries_drop_the_false_positives_of_the_plane_test),
        TEST(items_of_wholly_visible_cells_are_accepted_without_tests),
        TEST(clear_leaves_an_empty_tree_as_after_create_and_keeps_the_memory),
        TEST(statistics_add_up),
        TEST(equal_calls_give_equal_states_and_every_value_is_in_the_state),
        TEST(each_flag_of_the_drawing_shows_its_own_kind),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
