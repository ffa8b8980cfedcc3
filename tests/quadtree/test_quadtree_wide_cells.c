// SPDX-License-Identifier: MIT
// test_quadtree_wide_cells.c - worlds far smaller than the square of the def: how many items a
// query looks at, counted, never timed; and when a build takes finer cells.
#include "failing_allocator.h"
#include "test.h"
#include "tree_helpers.h"

#include <acre/quadtree.h>

#include <stdlib.h>
#include <string.h>

enum { ITEMS = 20000, QUESTIONS = 40, MANY = 1000000 };

static acre_aabb boxes[ITEMS], questions[QUESTIONS];
static uint32_t numbers[ITEMS];

static acre_aabb thing_at(float x, float z)
{
    return (acre_aabb){{x - 0.05f, 0.0f, z - 0.05f}, {x + 0.05f, 0.1f, z + 0.05f}};
}

// Things spread over squares of a side, and questions among them.
static void spread(int squares, const float corners[][2], float side)
{
    test_random random = {test_seed * 31 + (uint64_t)squares};
    for (int i = 0; i < ITEMS + QUESTIONS; i++) {
        const float *const corner = corners[i % squares];
        const float x = corner[0] + random_float(&random, 0, side);
        const float z = corner[1] + random_float(&random, 0, side);
        if (i < ITEMS) {
            boxes[i] = thing_at(x, z);
            numbers[i] = (uint32_t)i;
        } else {
            questions[i - ITEMS] = (acre_aabb){{x - 1, -1, z - 1}, {x + 1, 1, z + 1}};
        }
    }
}

static const float middle[][2] = {{0, 0}};

// Items that the questions look at; MANY if one answer is not that of a loop.
static size_t looked_at(const acre_quadtree *tree)
{
    static uint32_t found[ITEMS];
    size_t sum = 0;
    for (int i = 0; i < QUESTIONS; i++) {
        acre_query_stats work;
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB,
                                  .box = &questions[i],
                                  .flags = ACRE_QUERY_SORTED,
                                  .stats = &work};
        size_t total = 0, expected = 0;
        bool is_equal = acre_quadtree_query(tree, &query, found, ITEMS, &total) == ACRE_OK;
        for (uint32_t item = 0; item < ITEMS; item++) {
            if (acre_aabb_overlaps(&boxes[item], &questions[i])) {
                is_equal = is_equal && expected < total && found[expected] == item;
                expected++;
            }
        }
        if (!is_equal || expected != total) {
            return MANY;
        }
        sum += work.items_tested;
    }
    return sum;
}

static acre_quadtree *built(const acre_quadtree_def *def)
{
    acre_quadtree *tree = NULL;
    if (acre_quadtree_create(def, &tree) == ACRE_OK &&
        acre_quadtree_insert_many(tree, numbers, boxes, ITEMS) == ACRE_OK) {
        return tree;
    }
    acre_quadtree_destroy(tree);
    return NULL;
}

// ---- what queries look at ----

// The same world under squares of every size. A build, a second one and all upkeep that there is
// end at about the same, whatever the square.
static void check_half_sizes(float fitting)
{
    const float half_sizes[] = {1024, 8192, 16384, 32768, 1e6f, 1e9f};
    acre_quadtree *const best_tree = built(&(acre_quadtree_def){.half_size = fitting});
    CHECK(best_tree && acre_quadtree_tighten(best_tree) == ACRE_OK);
    const size_t best = looked_at(best_tree);
    acre_quadtree_destroy(best_tree);
    for (int i = 0; i < 6; i++) {
        acre_quadtree *const tree = built(&(acre_quadtree_def){.half_size = half_sizes[i]});
        CHECK(tree && is_valid(tree) && !stats_of(tree).has_wide_cells);
        const size_t after_insert = looked_at(tree);
        CHECK(acre_quadtree_optimize(tree) == ACRE_OK && is_valid(tree));
        const size_t after_optimize = looked_at(tree);
        CHECK(acre_quadtree_tighten(tree) == ACRE_OK && is_valid(tree));
        const size_t after_tighten = looked_at(tree);
        CHECK(2 * after_insert <= 3 * best && 2 * after_optimize <= 3 * best);
        CHECK(10 * after_optimize <= 11 * after_tighten);
        CHECK(stats_of(tree).lattices <= 3); // the second build has no reason for another
        acre_quadtree_destroy(tree);
    }
}

static void any_square_around_a_small_world_is_as_good(void)
{
    spread(1, middle, 100);
    check_half_sizes(64);
}

static void any_square_around_a_few_towns_is_as_good(void)
{
    const float towns[][2] = {{-90000, 40000}, {0, 0}, {70000, 70000}, {50000, -100000}};
    spread(4, towns, 100);
    check_half_sizes(100000);
}

// Cells that the def asks for are kept; their items are in order even so.
static void another_depth_than_the_default_is_kept(void)
{
    spread(1, middle, 100);
    acre_quadtree *const tree = built(&(acre_quadtree_def){.half_size = 32768, .max_depth = 12});
    CHECK(tree && is_valid(tree) && stats_of(tree).lattices == 0);
    CHECK(stats_of(tree).cell_size == 16.0f && stats_of(tree).has_wide_cells);
    const size_t after_insert = looked_at(tree);
    CHECK(acre_quadtree_tighten(tree) == ACRE_OK);
    CHECK(10 * after_insert <= 11 * looked_at(tree));
    acre_quadtree_destroy(tree);
}

// ---- when ----

static void statistics_say_when_cells_do_not_fit(void)
{
    spread(1, middle, 100);
    acre_quadtree *tree = NULL;
    CHECK(acre_quadtree_create(&(acre_quadtree_def){.half_size = 1e6f}, &tree) == ACRE_OK);
    for (uint32_t item = 0; item < ITEMS; item++) {
        CHECK(acre_quadtree_insert(tree, item, &boxes[item]) == ACRE_OK);
        if (item + 1 == 512) {
            CHECK(stats_of(tree).crowded == 0 && !stats_of(tree).has_wide_cells);
        }
    }
    CHECK(stats_of(tree).crowded == ITEMS && stats_of(tree).has_wide_cells);
    CHECK(acre_quadtree_maintain(tree) == ACRE_OK && stats_of(tree).lattices == 0); // no build
    const size_t before = looked_at(tree);
    CHECK(acre_quadtree_optimize(tree) == ACRE_OK && is_valid(tree));
    CHECK(stats_of(tree).crowded == 0 && !stats_of(tree).has_wide_cells);
    CHECK(stats_of(tree).lattices == 1 && looked_at(tree) * 10 < before);
    acre_quadtree_destroy(tree);
}

static void items_in_one_point_are_left_alone(void)
{
    const float points[][2] = {{3, 3}, {5000, 40}};
    spread(2, points, 0);
    acre_quadtree *const tree = built(&(acre_quadtree_def){.half_size = 1e6f});
    CHECK(tree && acre_quadtree_optimize(tree) == ACRE_OK && is_valid(tree));
    CHECK(stats_of(tree).has_wide_cells && stats_of(tree).lattices == 0);
    CHECK(looked_at(tree) < MANY);
    acre_quadtree_destroy(tree);
}

// What was far away when the cells were chosen, and what comes later, is found: the root grows.
static void finer_cells_reach_what_the_square_held(void)
{
    spread(1, middle, 100);
    for (uint32_t item = 0; item < 20; item++) {
        boxes[item] = thing_at(item & 1 ? 900000.0f : -900000.0f, 40000.0f * (float)item);
    }
    acre_quadtree *const tree = built(&(acre_quadtree_def){.half_size = 1e6f});
    CHECK(tree && stats_of(tree).lattices == 1 && stats_of(tree).outliers == 0);
    for (uint32_t item = 20; item < 4000; item++) {
        boxes[item] = thing_at(200.0f * (float)item, -200.0f * (float)item);
        CHECK(acre_quadtree_refresh(tree, item, &boxes[item]) == ACRE_OK);
    }
    CHECK(is_valid(tree) && stats_of(tree).outliers == 0 && looked_at(tree) < MANY);
    CHECK(acre_quadtree_optimize(tree) == ACRE_OK && stats_of(tree).lattices == 1);
    // An empty tree has the cells of its def again.
    acre_quadtree_clear(tree);
    CHECK(is_valid(tree) && stats_of(tree).cell_size == 1024.0f);
    acre_quadtree_destroy(tree);
}

// ---- equal trees, memory ----

static void kernels_agree_about_finer_cells(void)
{
    spread(1, middle, 100);
    uint64_t first = 0;
    for (int kernel = 1; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        const acre_quadtree_def def = {.half_size = 1e6f, .kernel = (acre_kernel)kernel};
        acre_quadtree *tree = NULL;
        if (acre_quadtree_create(&def, &tree) != ACRE_OK) {
            continue; // not built, or not here
        }
        CHECK(acre_quadtree_insert_many(tree, numbers, boxes, ITEMS) == ACRE_OK);
        const uint64_t state = acre_quadtree_state_hash(tree);
        CHECK(stats_of(tree).lattices == 1 && (first == 0 || state == first));
        first = state;
        acre_quadtree_destroy(tree);
    }
    CHECK(first != 0);
}

static void without_memory_the_tree_keeps_its_cells(void)
{
    spread(1, middle, 100);
    bool is_through = false;
    for (uint64_t at = 1; !is_through; at++) {
        failing_allocator memory;
        failing_allocator_init(&memory, FAIL_NEVER, 0);
        const acre_quadtree_def def = {.half_size = 1e6f, .allocator = &memory.allocator};
        acre_quadtree *tree = NULL;
        CHECK(at < 200 && acre_quadtree_create(&def, &tree) == ACRE_OK);
        failing_allocator_arm(&memory, FAIL_FROM, at);
        const acre_result result = acre_quadtree_insert_many(tree, numbers, boxes, ITEMS);
        is_through = memory.failed == 0;
        CHECK(is_valid(tree) && (result == ACRE_OK || result == ACRE_ERROR_OUT_OF_MEMORY));
        CHECK(stats_of(tree).items == (result == ACRE_OK ? ITEMS : 0));
        CHECK(result != ACRE_OK || looked_at(tree) < MANY);
        failing_allocator_arm(&memory, FAIL_NEVER, 0);
        CHECK(acre_quadtree_optimize(tree) == ACRE_OK);
        CHECK(stats_of(tree).lattices == (result == ACRE_OK) && is_valid(tree));
        acre_quadtree_destroy(tree);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(any_square_around_a_small_world_is_as_good),
        TEST(any_square_around_a_few_towns_is_as_good),
        TEST(another_depth_than_the_default_is_kept),
        TEST(statistics_say_when_cells_do_not_fit),
        TEST(items_in_one_point_are_left_alone),
        TEST(finer_cells_reach_what_the_square_held),
        TEST(kernels_agree_about_finer_cells),
        TEST(without_memory_the_tree_keeps_its_cells),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
