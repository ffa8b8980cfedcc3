// SPDX-License-Identifier: MIT
// test_quadtree_hazards.c - the bugs of this field, one by one: crowds, borders, far places, churn.
//
// Each case is named after what it protects; bNN is the class of bug that other libraries had.
#include "box_generator.h"
#include "brute_force.h"
#include "failing_allocator.h"
#include "quadtree_items_shared.h"
#include "test.h"
#include "tree_helpers.h"

#include <acre/quadtree.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What a query of the box tested; SIZE_MAX if its total is not the expected one.
static size_t work_of_query(const acre_quadtree *tree, const acre_aabb *box, size_t expected)
{
    acre_query_stats stats;
    size_t total = 0;
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB, .box = box, .stats = &stats};
    const acre_result result = acre_quadtree_query(tree, &query, NULL, 0, &total);
    return result == ACRE_OK && total == expected
               ? stats.nodes_tested + stats.items_tested + stats.items_accepted
               : SIZE_MAX;
}

// ---- crowds ----

typedef struct crowd_work {
    uint64_t splits, collapses, moves, allocator_calls;
    size_t query, miss, bytes, depth;
} crowd_work;

// Inserts, finds, refreshes and removes so many items with one and the same box.
static bool run_crowd(uint32_t count, const acre_aabb *box, crowd_work *out)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    const acre_quadtree_def def = {.half_size = 512, .allocator = &memory.allocator};
    acre_quadtree *tree = NULL;
    bool ok = acre_quadtree_create(&def, &tree) == ACRE_OK;
    for (uint32_t item = 0; item < count && ok; item++) {
        ok = acre_quadtree_insert(tree, item, box) == ACRE_OK;
    }
    ok = ok && is_valid(tree);
    out->depth = stats_of(tree).depth;
    out->bytes = stats_of(tree).bytes;
    out->query = work_of_query(tree, box, count);
    const acre_aabb beside = box_at(-450, -450, 1);
    out->miss = work_of_query(tree, &beside, 0);
    uint32_t *const found = malloc(count * sizeof *found);
    ok = ok && found && acre_quadtree_query_aabb(tree, box, found, count) == count;
    for (uint32_t i = 0; i < count && ok; i++) {
        ok = acre_quadtree_refresh(tree, found[i], box) == ACRE_OK;
    }
    for (int frame = 0; frame < 8 && ok; frame++) {
        ok = acre_quadtree_maintain(tree) == ACRE_OK;
    }
    out->allocator_calls = memory.total_calls;
    for (uint32_t i = 0; i < count && ok; i++) { // from both ends to the middle
        ok = acre_quadtree_remove(tree, found[i % 2 ? count - 1 - i / 2 : i / 2]) == ACRE_OK;
    }
    const acre_quadtree_stats stats = stats_of(tree);
    out->splits = stats.splits;
    out->collapses = stats.collapses;
    out->moves = stats.moves;
    ok = ok && stats.items == 0 && stats.nodes == 1 && is_valid(tree);
    free(found);
    acre_quadtree_destroy(tree);
    return ok && failing_allocator_verdict(&memory) == NULL;
}

static void a_million_coincident_items_do_the_work_of_ten_times_a_hundred_thousand(void)
{
    const acre_aabb boxes[] = {
        {{3, 0, 3}, {3, 0, 3}},                  // points: as deep as can be
        {{1, 0, 1}, {3, 2, 3}},                  // of everyday size
        {{-300, 0, -300}, {300, 2, 300}},        // in the root
        {{-3e38f, 0, -3e38f}, {3e38f, 1, 3e38f}} // outliers
    };
    for (int i = 0; i < 4; i++) {
        crowd_work small, large;
        CHECK(run_crowd(100000, &boxes[i], &small));
        CHECK(run_crowd(1000000, &boxes[i], &large));
        CHECK(large.splits == small.splits && large.collapses == small.collapses);
        CHECK(large.moves == 0 && small.moves == 0);
        CHECK(large.depth == small.depth && large.depth <= 14);
        CHECK(large.bytes <= 14 * small.bytes);
        CHECK(large.query - 1000000 == small.query - 100000 && large.query < 1000100);
        CHECK(i == 3 || (large.miss == small.miss && large.miss < 100));
        CHECK(large.allocator_calls < small.allocator_calls + 350); // geometric growth
    }
}

static void small_items_stop_at_the_deepest_level(void)
{
    for (uint32_t max_depth = 1; max_depth <= 20; max_depth++) {
        acre_quadtree *const tree = new_tree(64, max_depth, 1);
        for (uint32_t item = 0; item < 40; item++) {
            const acre_aabb box = box_at(5.0f + (float)(item % 3) * 1e-6f, 5, 0);
            CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
        }
        CHECK(stats_of(tree).depth <= max_depth && is_valid(tree));
        const acre_aabb all = box_at(5, 5, 1);
        CHECK(acre_quadtree_query_aabb(tree, &all, NULL, 0) == 40);
        acre_quadtree_destroy(tree);
    }
}

// ---- split and collapse ----

static void a_leaf_splits_when_it_passes_its_capacity_and_collapses_at_half_of_it(void)
{
    acre_quadtree *const tree = new_tree(64, 8, 16);
    for (uint32_t item = 0; item < 17; item++) {
        CHECK(stats_of(tree).nodes == 1 && stats_of(tree).splits == 0);
        const acre_aabb box = box_at(-60.0f + 7.0f * (float)item, 10.0f * (float)(item % 7), 0.5f);
        CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
    }
    CHECK(stats_of(tree).splits == 1 && stats_of(tree).nodes == 5 && is_valid(tree));
    for (uint32_t item = 0; item < 8; item++) {
        CHECK(acre_quadtree_remove(tree, item) == ACRE_OK);
        CHECK(stats_of(tree).nodes == 5 && stats_of(tree).collapses == 0);
    }
    CHECK(acre_quadtree_remove(tree, 8) == ACRE_OK);
    CHECK(stats_of(tree).nodes == 1 && stats_of(tree).collapses == 1 && is_valid(tree));
    acre_quadtree_destroy(tree);
}

// The most items that stand in one leaf.
static size_t fullest_leaf(const acre_quadtree *tree, uint32_t count)
{
    size_t most = 0;
    for (uint32_t item = 0; item < count; item++) {
        acre_quadtree_place place;
        if (acre_quadtree_locate(tree, item, &place) == ACRE_OK && place.is_leaf) {
            most = place.items > most ? place.items : most;
        }
    }
    return most;
}

static acre_aabb anywhere(uint32_t item)
{
    test_random random = {item};
    const float x = random_float(&random, -500, 500), z = random_float(&random, -500, 500);
    return box_at(x, z, 0.25f);
}

static bool fill_to(acre_quadtree *tree, uint32_t from, uint32_t to)
{
    bool ok = true;
    for (uint32_t item = from; item < to && ok; item++) {
        const acre_aabb box = anywhere(item);
        ok = acre_quadtree_insert(tree, item, &box) == ACRE_OK;
    }
    return ok;
}

static void the_capacity_that_counts_grows_and_shrinks_with_the_number_of_items(void)
{
    enum { MOST = 20000 };
    static const uint32_t counts[] = {40, 128, 300, 1000, 4096, MOST};
    acre_quadtree *const tree = new_tree(512, 0, 4), *const plain = new_tree(512, 0, 0);
    uint32_t filled = 0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        CHECK(fill_to(tree, filled, counts[i]) && is_valid(tree));
        filled = counts[i];
        const size_t rule = filled / 32 < 4 ? 4 : filled / 32 < 128 ? filled / 32 : 128;
        CHECK(fullest_leaf(tree, filled) <= rule && stats_of(tree).nodes > filled / (4 * rule));
    }
    CHECK(fill_to(plain, 0, MOST));
    CHECK(stats_of(tree).bytes < 2 * stats_of(plain).bytes); // 16 times with leaves of 4
    for (uint32_t item = 100; item < MOST; item++) {
        CHECK(acre_quadtree_remove(tree, item) == ACRE_OK);
    }
    for (int frame = 0; frame < 64; frame++) { // upkeep splits what is too full now
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
    }
    CHECK(fullest_leaf(tree, 100) <= 4 && is_valid(tree));
    acre_quadtree_destroy(tree);
    acre_quadtree_destroy(plain);
}

// The capacity changes by one with each 32nd item. Cells must not split and collapse with it.
static void items_that_come_and_go_where_the_capacity_changes_split_and_collapse_little(void)
{
    enum { COUNT = 64 * 32 };
    acre_quadtree *const tree = new_tree(512, 0, 4);
    CHECK(fill_to(tree, 0, COUNT));
    const acre_quadtree_stats before = stats_of(tree);
    for (uint32_t round = 0; round < 200; round++) {
        const uint32_t change = 1 + round % 700; // up to a third of all
        for (uint32_t item = COUNT - change; item < COUNT; item++) {
            CHECK(acre_quadtree_remove(tree, item) == ACRE_OK);
        }
        CHECK(acre_quadtree_maintain_budget(tree, SIZE_MAX) == ACRE_OK);
        CHECK(fill_to(tree, COUNT - change, COUNT));
    }
    const acre_quadtree_stats after = stats_of(tree);
    CHECK(after.splits - before.splits <= 80 && after.collapses - before.collapses <= 80);
    acre_quadtree_destroy(tree);
}

static void a_leaf_of_items_too_large_to_move_down_stays_whole_until_smaller_ones_come(void)
{
    acre_quadtree *const tree = new_tree(64, 8, 4);
    for (uint32_t item = 0; item < 50; item++) {
        const acre_aabb box = box_at((float)item - 25, 0, 50); // as wide as the root only
        CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
    }
    CHECK(stats_of(tree).nodes == 1 && is_valid(tree));
    for (uint32_t item = 50; item < 250; item++) {
        const acre_aabb box = box_at((float)(item % 100) - 50, (float)(item % 90) - 45, 1);
        CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK && is_valid(tree));
    }
    CHECK(stats_of(tree).nodes > 5);
    acre_quadtree_destroy(tree);
}

static void collapse_loses_nothing_whatever_the_order_of_removal(void)
{
    enum { COUNT = 400 };
    for (uint32_t order = 0; order < 6; order++) {
        acre_quadtree *const tree = new_tree(64, 8, 1 + order);
        brute_force oracle;
        CHECK(brute_force_init(&oracle, COUNT));
        const box_world world = {{0, 0}, 64, 0.5f};
        test_random random = {test_seed + order};
        for (uint32_t item = 0; item < COUNT; item++) {
            const acre_aabb box = box_valid(&random, &world);
            CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
            CHECK(brute_force_insert(&oracle, item, &box) == ACRE_OK);
        }
        uint32_t found[COUNT], expected[COUNT];
        const acre_frustum all = {.plane_count = 0};
        for (uint32_t i = 0; i < COUNT; i++) {
            const uint32_t item = order % 3 == 0   ? i
                                  : order % 3 == 1 ? COUNT - 1 - i
                                                   : (i * 7 + 3) % COUNT;
            CHECK(acre_quadtree_remove(tree, item) == ACRE_OK && is_valid(tree));
            CHECK(brute_force_remove(&oracle, item) == ACRE_OK);
            const size_t count = acre_quadtree_query_frustum(tree, &all, found, COUNT);
            CHECK(count == brute_force_query_frustum(&oracle, &all, 0, expected));
            sort_numbers(found, count);
            CHECK(memcmp(found, expected, count * sizeof *found) == 0);
        }
        CHECK(stats_of(tree).nodes == 1 && stats_of(tree).collapses > 0);
        brute_force_free(&oracle);
        acre_quadtree_destroy(tree);
    }
}

// An item that goes to and fro where it makes the difference between split and collapsed.
static void an_item_that_oscillates_over_a_border_splits_and_collapses_nothing(void)
{
    for (uint32_t capacity = 1; capacity <= 64; capacity *= 4) {
        for (uint32_t crowd = capacity / 4; crowd <= 2 * capacity + 2; crowd++) {
            acre_quadtree *const tree = new_tree(64, 8, capacity);
            test_random random = {crowd};
            for (uint32_t item = 1; item <= crowd; item++) {
                const float x = random_float(&random, -60, 60);
                const acre_aabb box = box_at(x, random_float(&random, -60, 60), 0.25f);
                CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
            }
            const acre_aabb west = box_at(-0.01f, 3, 0.25f), east = box_at(0.01f, 3, 0.25f);
            CHECK(acre_quadtree_insert(tree, 0, &west) == ACRE_OK);
            for (int warm = 0; warm < 2; warm++) {
                CHECK(acre_quadtree_refresh(tree, 0, &east) == ACRE_OK);
                CHECK(acre_quadtree_refresh(tree, 0, &west) == ACRE_OK);
            }
            const acre_quadtree_stats before = stats_of(tree);
            for (int i = 0; i < 100; i++) {
                CHECK(acre_quadtree_refresh(tree, 0, i & 1 ? &west : &east) == ACRE_OK);
                CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
            }
            const acre_quadtree_stats after = stats_of(tree);
            CHECK(after.splits == before.splits && after.collapses == before.collapses);
            CHECK(is_valid(tree));
            acre_quadtree_destroy(tree);
        }
    }
}

// ---- refresh ----

static void a_refresh_inside_the_cell_moves_nothing_and_one_outside_moves_one(void)
{
    acre_quadtree *const tree = new_tree(64, 8, 1); // cells of half a meter
    const acre_aabb one = box_at(10.25f, 10.25f, 0.1f), two = box_at(-10, -10, 0.1f);
    CHECK(acre_quadtree_insert(tree, 0, &one) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 1, &two) == ACRE_OK);
    const acre_quadtree_stats before = stats_of(tree);
    CHECK(before.nodes > 1);
    for (int i = 0; i < 100; i++) {
        const float x = 10.01f + 0.0048f * (float)i;
        const acre_aabb box = box_at(x, 20.5f - x, 0.1f);
        CHECK(acre_quadtree_refresh(tree, 0, &box) == ACRE_OK && is_valid(tree));
        acre_aabb stored;
        CHECK(acre_quadtree_get_box(tree, 0, &stored) == ACRE_OK);
        CHECK(memcmp(&box, &stored, sizeof box) == 0);
    }
    CHECK(stats_of(tree).moves == before.moves);
    const acre_aabb away = box_at(-40, 40, 0.1f);
    CHECK(acre_quadtree_refresh(tree, 0, &away) == ACRE_OK && is_valid(tree));
    CHECK(stats_of(tree).moves == before.moves + 1);
    acre_quadtree_destroy(tree);
}

// A pull leaves as many cells as the new places need, whether it scatters a crowd or gathers it.
static void a_pull_splits_and_collapses_like_single_calls(void)
{
    enum { COUNT = 4000 };
    static acre_aabb boxes[3][COUNT]; // in one place; everywhere; a quarter of them everywhere
    const struct {
        int from, to;
    } pulls[] = {{0, 1}, {1, 0}, {2, 1}};
    test_random random = {test_seed};
    for (uint32_t item = 0; item < COUNT; item++) {
        const float x = random_float(&random, -60, 60);
        boxes[0][item] = box_at(0.01f * x + 10, 10, 0.01f);
        boxes[1][item] = box_at(x, random_float(&random, -60, 60), 0.01f);
        boxes[2][item] = boxes[item % 4 == 0][item];
    }
    for (int pull = 0; pull < 3; pull++) {
        const acre_aabb *const goal = boxes[pulls[pull].to];
        acre_quadtree *const pulled = new_tree(64, 9, 16);
        acre_quadtree *const fresh = new_tree(64, 9, 16);
        for (uint32_t item = 0; item < COUNT; item++) {
            CHECK(acre_quadtree_insert(pulled, item, &boxes[pulls[pull].from][item]) == ACRE_OK);
            CHECK(acre_quadtree_insert(fresh, item, &goal[item]) == ACRE_OK);
        }
        CHECK(acre_quadtree_refresh_all(pulled, goal, COUNT) == ACRE_OK);
        const acre_quadtree_stats stats = stats_of(pulled), wanted = stats_of(fresh);
        CHECK(is_valid(pulled) && stats.items == COUNT && wanted.nodes > 20);
        // Cells between half and full stay split if they were, so the numbers may differ a little.
        CHECK(stats.nodes * 10 >= wanted.nodes * 9 && stats.nodes * 9 <= wanted.nodes * 10);
        acre_quadtree_destroy(pulled);
        acre_quadtree_destroy(fresh);
    }
}

static void a_moved_item_is_found_where_it_is_and_nowhere_else(void)
{
    acre_quadtree *const tree = new_tree(64, 8, 2);
    const box_world world = {{0, 0}, 100, 0.5f};
    test_random random = {test_seed};
    acre_aabb boxes[60];
    for (uint32_t item = 0; item < 60; item++) {
        boxes[item] = box_valid(&random, &world);
        CHECK(acre_quadtree_insert(tree, item, &boxes[item]) == ACRE_OK);
    }
    for (uint32_t i = 0; i < 3000; i++) {
        const uint32_t item = random_below(&random, 60);
        const acre_aabb old = boxes[item];
        boxes[item] = box_valid(&random, &world);
        CHECK(acre_quadtree_refresh(tree, item, &boxes[item]) == ACRE_OK);
        uint32_t found[60];
        for (int both = 0; both < 2; both++) {
            const acre_aabb *const at = both ? &boxes[item] : &old;
            const size_t count = acre_quadtree_query_aabb(tree, at, found, 60);
            size_t times = 0;
            for (size_t k = 0; k < count && k < 60; k++) {
                times += found[k] == item;
            }
            CHECK(count <= 60 && times == acre_aabb_overlaps(at, &boxes[item]));
        }
    }
    CHECK(is_valid(tree));
    acre_quadtree_destroy(tree);
}

// Heights and bounds shrink again when what made them large has gone.
static void stored_bounds_shrink_after_removal_and_tightening(void)
{
    acre_quadtree *const tree = new_tree(64, 6, 4);
    for (uint32_t item = 0; item < 64; item++) {
        const acre_aabb box =
            box_at((float)(item % 8) * 12 - 42, (float)(item / 8) * 12 - 42, 0.5f);
        CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
    }
    const acre_aabb above = {{-60, 50, -60}, {60, 90, 60}};
    acre_aabb tower = box_at(6, 6, 0.5f);
    CHECK(acre_quadtree_tighten(tree) == ACRE_OK);
    const size_t idle = work_of_query(tree, &above, 0);
    tower.max[1] = 100;
    CHECK(acre_quadtree_insert(tree, 100, &tower) == ACRE_OK);
    const size_t busy = work_of_query(tree, &above, 1);
    CHECK(busy != SIZE_MAX && busy > idle);
    CHECK(acre_quadtree_remove(tree, 100) == ACRE_OK);
    CHECK(acre_quadtree_tighten(tree) == ACRE_OK && is_valid(tree));
    CHECK(work_of_query(tree, &above, 0) == idle);
    CHECK(acre_quadtree_insert(tree, 100, &tower) == ACRE_OK);
    tower.max[1] = 1;
    CHECK(acre_quadtree_refresh(tree, 100, &tower) == ACRE_OK);
    for (int frame = 0; frame < 200; frame++) { // maintain comes round to every cell
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK && is_valid(tree));
    }
    CHECK(work_of_query(tree, &above, 0) == idle);
    acre_quadtree_destroy(tree);
}

static void maintain_tightens_a_tree_of_one_leaf_as_well(void)
{
    acre_quadtree *const tree = new_tree(64, 6, 0);
    const acre_aabb tower = {{0, 0, 0}, {1, 100, 1}}, hut = {{0, 0, 0}, {1, 1, 1}};
    const acre_aabb above = {{-60, 50, -60}, {60, 90, 60}};
    CHECK(acre_quadtree_insert(tree, 0, &tower) == ACRE_OK);
    for (uint32_t item = 1; item < 40; item++) { // so many that groups are tested
        CHECK(acre_quadtree_insert(tree, item, &hut) == ACRE_OK);
    }
    CHECK(acre_quadtree_refresh(tree, 0, &hut) == ACRE_OK);
    CHECK(work_of_query(tree, &above, 0) == 1 + 16); // the root, and the items of a group
    CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
    CHECK(work_of_query(tree, &above, 0) == 1);
    acre_quadtree_destroy(tree);
}

static void maintain_does_a_small_part_of_the_work_each_time_and_all_of_it_in_turn(void)
{
    acre_quadtree *const tree = new_tree(1024, 0, 4);
    test_random random = {test_seed};
    for (uint32_t item = 0; item < 20000; item++) {
        const float x = random_float(&random, -1000, 1000);
        const acre_aabb box = box_at(x, random_float(&random, -1000, 1000), 1);
        CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
    }
    const acre_quadtree_stats first = stats_of(tree);
    uint64_t before = first.tightened;
    for (int frame = 0; frame < 40; frame++) {
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
        const acre_quadtree_stats now = stats_of(tree);
        CHECK(now.tightened > before && now.tightened - before <= first.nodes / 16);
        before = now.tightened;
    }
    CHECK(before - first.tightened >= first.nodes && first.nodes > 200);
    acre_quadtree_destroy(tree);
}

// ---- churn ----

static size_t work_of_views(const acre_quadtree *tree, size_t *found)
{
    size_t work = 0;
    test_random random = {5};
    *found = 0;
    for (int view = 0; view < 64; view++) {
        const float eye[3] = {random_float(&random, -900, 900), 20,
                              random_float(&random, -900, 900)};
        const float target[3] = {random_float(&random, -900, 900), 0,
                                 random_float(&random, -900, 900)};
        const acre_frustum camera = frustum_camera(eye, target, 0.6f, 0.4f, 0.5f, 500);
        acre_query_stats stats;
        const acre_query query = {
            .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &camera, .stats = &stats};
        size_t total = 0;
        if (acre_quadtree_query(tree, &query, NULL, 0, &total) != ACRE_OK) {
            return SIZE_MAX;
        }
        *found += total;
        work += 4 * stats.nodes_tested + stats.items_tested;
    }
    return work;
}

static void after_long_churn_queries_work_like_in_a_fresh_tree(void)
{
    enum { COUNT = 20000, FRAMES = 150 };
    acre_quadtree *const tree = new_tree(1024, 0, 16);
    acre_quadtree *const fresh = new_tree(1024, 0, 16);
    test_random random = {test_seed};
    static acre_aabb boxes[COUNT];
    for (uint32_t item = 0; item < COUNT; item++) {
        const float x = random_float(&random, -1000, 1000);
        boxes[item] = box_at(x, random_float(&random, -1000, 1000), 1);
        CHECK(acre_quadtree_insert(tree, item, &boxes[item]) == ACRE_OK);
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        for (uint32_t i = 0; i < COUNT / 8; i++) {
            const uint32_t item = random_below(&random, COUNT);
            // All crowd into one corner and come back again.
            const float reach = frame % 50 < 20 ? 60.0f : 1000.0f;
            const float x = random_float(&random, -1000, -1000 + 2 * reach);
            boxes[item] = box_at(x, random_float(&random, -1000, -1000 + 2 * reach), 1);
            if (i % 2) {
                CHECK(acre_quadtree_refresh(tree, item, &boxes[item]) == ACRE_OK);
            } else {
                CHECK(acre_quadtree_remove(tree, item) == ACRE_OK);
                CHECK(acre_quadtree_insert(tree, item, &boxes[item]) == ACRE_OK);
            }
        }
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
    }
    for (uint32_t item = 0; item < COUNT; item++) {
        CHECK(acre_quadtree_insert(fresh, item, &boxes[item]) == ACRE_OK);
    }
    CHECK(is_valid(tree) && acre_quadtree_tighten(tree) == ACRE_OK);
    CHECK(acre_quadtree_tighten(fresh) == ACRE_OK);
    size_t found, expected;
    const size_t churned = work_of_views(tree, &found);
    const size_t clean = work_of_views(fresh, &expected);
    CHECK(found == expected && found > 1000);
    CHECK(churned * 10 <= clean * 11);
    const acre_quadtree_stats after = stats_of(tree), best = stats_of(fresh);
    // Where the crowd stood, cells may stay split (hysteresis).
    CHECK(after.depth <= best.depth + 3 && after.nodes <= 2 * best.nodes);
    acre_quadtree_destroy(tree);
    acre_quadtree_destroy(fresh);
}

static void a_query_looks_at_little_more_than_it_finds(void)
{
    enum { COUNT = 20000 };
    acre_quadtree *const tree = new_tree(1024, 0, 16);
    test_random random = {test_seed};
    for (uint32_t item = 0; item < COUNT; item++) {
        const float x = random_float(&random, -1000, 1000);
        const acre_aabb box = box_at(x, random_float(&random, -1000, 1000), 1);
        CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
    }
    CHECK(acre_quadtree_tighten(tree) == ACRE_OK);
    size_t found;
    const size_t work = work_of_views(tree, &found);
    CHECK(found > 20000 && work < 2 * found);
    acre_quadtree_destroy(tree);
}

// ---- borders ----

static void a_box_whose_rounded_center_hides_its_size_is_not_lost(void)
{
    // Center and half extent round to 2 and 1: it seems to fit a cell of size 2 and reaches 6e-8
    // out of its loose bounds.
    const acre_aabb sly = {{0x1.fffffep-1f, 0, 0x1.fffffep-1f}, {3, 1, 3}};
    acre_quadtree *const tree = new_tree(64, 6, 1);
    CHECK(acre_quadtree_insert(tree, 0, &sly) == ACRE_OK);
    for (uint32_t item = 1; item < 30; item++) {
        const acre_aabb box = box_at(2.0f + 0.01f * (float)item, 2, 0.2f);
        CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK && is_valid(tree));
    }
    const acre_aabb edge = {{0, 0, 0}, {0x1.fffffep-1f, 1, 0x1.fffffep-1f}};
    uint32_t found;
    CHECK(acre_quadtree_query_aabb(tree, &edge, &found, 1) == 1 && found == 0);
    acre_frustum plane = {.planes = {{-1, 0, 0, 0x1.fffffep-1f}}, .plane_count = 1};
    CHECK(acre_quadtree_query_frustum(tree, &plane, &found, 1) == 1 && found == 0);
    acre_quadtree_destroy(tree);
}

// Every edge within two floats of every line and loose border of one cell, all levels.
static void all_edges_within_two_floats_of_cell_lines_and_loose_borders(void)
{
    const float origins[] = {0.0f, 3.0f, 1000.0f, 65536.0f, 1e6f, 16777216.0f};
    for (int o = 0; o < 6; o++) {
        for (int level = 0; level < 4; level++) {
            const acre_quadtree_def def = {
                .center = {origins[o], 0}, .half_size = 8, .max_depth = 4, .node_capacity = 1};
            acre_quadtree *tree;
            CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
            const acre_aabb seed = box_at(origins[o] + 0.5f, 0.5f, 0.1f);
            for (uint32_t item = 1000; item < 1012; item++) { // keeps the cells split
                CHECK(acre_quadtree_insert(tree, item, &seed) == ACRE_OK);
            }
            const float size = ldexpf(stats_of(tree).cell_size, level);
            acre_aabb probe = box_at(0, 0.5f, 0.1f);
            CHECK(acre_quadtree_insert(tree, 0, &probe) == ACRE_OK);
            for (int a = -6; a <= 6; a++) {
                for (int b = a; b <= 6; b++) {
                    for (int ulp = 0; ulp < 25; ulp++) {
                        const float low = origins[o] + 0.5f * (float)a * size;
                        const float high = origins[o] + 0.5f * (float)b * size;
                        probe.min[0] = nudge(low, ulp / 5 - 2);
                        probe.max[0] = nudge(high, ulp % 5 - 2);
                        if (probe.min[0] > probe.max[0]) {
                            continue;
                        }
                        CHECK(acre_quadtree_refresh(tree, 0, &probe) == ACRE_OK && is_valid(tree));
                        acre_aabb touch = probe;
                        touch.min[0] = touch.max[0] = probe.min[0];
                        CHECK(acre_quadtree_query_aabb(tree, &touch, NULL, 0) >= 1);
                        touch.min[0] = touch.max[0] = probe.max[0];
                        CHECK(acre_quadtree_query_aabb(tree, &touch, NULL, 0) >= 1);
                    }
                }
            }
            acre_quadtree_destroy(tree);
        }
    }
}

static void a_center_on_a_line_belongs_to_one_cell_and_is_found_and_removed(void)
{
    acre_quadtree *const tree = new_tree(32, 5, 1);
    uint32_t item = 0;
    for (int x = -32; x <= 32; x += 4) {
        for (int z = -32; z <= 32; z += 4) {
            const acre_aabb box = box_at((float)x, (float)z, 2);
            CHECK(acre_quadtree_insert(tree, item++, &box) == ACRE_OK);
        }
    }
    CHECK(is_valid(tree));
    for (uint32_t i = 0; i < item; i++) {
        const acre_aabb point =
            box_at((float)((int)(i / 17) * 4 - 32), (float)((int)(i % 17) * 4 - 32), 0);
        uint32_t found;
        CHECK(acre_quadtree_query_aabb(tree, &point, &found, 1) == 1 && found == i);
        CHECK(acre_quadtree_remove(tree, i) == ACRE_OK && is_valid(tree));
        CHECK(acre_quadtree_query_aabb(tree, &point, NULL, 0) == 0);
    }
    acre_quadtree_destroy(tree);
}

// ---- sizes and places out of the ordinary ----

// Boxes of one kind against brute force, with all kinds of volumes.
static bool kind_agrees(acre_quadtree *tree, const box_world *world, box_kind kind, uint64_t seed)
{
    enum { COUNT = 150 };
    brute_force oracle;
    if (!brute_force_init(&oracle, COUNT)) {
        return false;
    }
    test_random random = {seed};
    bool ok = true;
    for (uint32_t item = 0; item < COUNT && ok; item++) {
        const acre_aabb box = box_of_kind(&random, world, item % 4 ? kind : BOX_ORDINARY);
        ok = acre_quadtree_insert(tree, item, &box) == brute_force_insert(&oracle, item, &box);
    }
    uint32_t found[COUNT], expected[COUNT];
    for (int i = 0; i < 300 && ok; i++) {
        const acre_frustum frustum = frustum_any(&random, world);
        const acre_aabb box = box_of_kind(&random, world, i % 2 ? kind : BOX_ORDINARY);
        const bool is_box = i % 3 == 0;
        const size_t count = is_box ? acre_quadtree_query_aabb(tree, &box, found, COUNT)
                                    : acre_quadtree_query_frustum(tree, &frustum, found, COUNT);
        const size_t wanted = is_box ? brute_force_query_aabb(&oracle, &box, 0, expected)
                                     : brute_force_query_frustum(&oracle, &frustum, 0, expected);
        sort_numbers(found, count < COUNT ? count : COUNT);
        ok = count == wanted && memcmp(found, expected, count * sizeof *found) == 0;
    }
    ok = ok && is_valid(tree);
    brute_force_free(&oracle);
    return ok;
}

static void every_kind_of_box_agrees_with_brute_force_at_every_offset(void)
{
    const float offsets[] = {0, 1e4f, 1e6f, 1e9f, -3e12f};
    const float halves[] = {100, 0.01f, 1e7f};
    for (int kind = 0; kind < BOX_KIND_COUNT; kind++) {
        for (int o = 0; o < 5; o++) {
            for (int h = 0; h < 3; h++) {
                const acre_quadtree_def def = {.center = {offsets[o], -offsets[o]},
                                               .half_size = halves[h],
                                               .max_depth = 9,
                                               .node_capacity = 3};
                acre_quadtree *tree;
                CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
                const box_world world = {
                    {offsets[o], -offsets[o]}, halves[h], stats_of(tree).cell_size};
                const uint64_t seed = test_seed * 100 + (uint64_t)(o * 3 + h);
                CHECK(kind_agrees(tree, &world, (box_kind)kind, seed));
                acre_quadtree_destroy(tree);
            }
        }
    }
}

static void infinite_boxes_are_outliers_that_every_query_tests(void)
{
    acre_quadtree *const tree = new_tree(64, 6, 4);
    const float inf = INFINITY;
    const acre_aabb boxes[] = {{{-inf, -inf, -inf}, {inf, inf, inf}},
                               {{-inf, 0, 0}, {0, 1, 1}},
                               {{0, 0, 0}, {inf, 1, 1}},
                               {{0, -inf, 0}, {1, inf, 1}},
                               {{inf, 0, 0}, {inf, 1, 1}},
                               {{0, 0, -inf}, {1, 1, -inf}}};
    for (uint32_t item = 0; item < 6; item++) {
        CHECK(acre_quadtree_insert(tree, item, &boxes[item]) == ACRE_OK && is_valid(tree));
    }
    CHECK(stats_of(tree).outliers == 6 && stats_of(tree).grows == 0);
    const acre_aabb near = {{0.25f, 0.25f, 0.25f}, {0.5f, 0.5f, 0.5f}};
    uint32_t found[6];
    CHECK(acre_quadtree_query_aabb(tree, &near, found, 6) == 3);
    const acre_aabb west = {{-1e30f, 0.5f, 0.5f}, {-1e29f, 0.5f, 0.5f}};
    CHECK(acre_quadtree_query_aabb(tree, &west, found, 6) == 2);
    const acre_aabb unit = box_at(1, 1, 1);
    for (uint32_t item = 0; item < 6; item++) { // and become ordinary items again
        CHECK(acre_quadtree_refresh(tree, item, &unit) == ACRE_OK && is_valid(tree));
    }
    CHECK(stats_of(tree).outliers == 0);
    acre_quadtree_destroy(tree);
}

static void points_and_flat_boxes_are_found(void)
{
    acre_quadtree *const tree = new_tree(64, 8, 1);
    const acre_aabb boxes[] = {{{1, 1, 1}, {1, 1, 1}},    {{1, 1, 1}, {3, 1, 3}},
                               {{1, 0, 1}, {1, 2, 3}},    {{1, 0, 1}, {3, 2, 1}},
                               {{0, 0, 0}, {0, 0, 0}},    {{-64, 0, -64}, {-64, 0, -64}},
                               {{64, 0, 64}, {64, 0, 64}}};
    for (uint32_t item = 0; item < 7; item++) {
        CHECK(acre_quadtree_insert(tree, item, &boxes[item]) == ACRE_OK && is_valid(tree));
    }
    for (uint32_t item = 0; item < 7; item++) {
        uint32_t found[7];
        const size_t count = acre_quadtree_query_aabb(tree, &boxes[item], found, 7);
        bool is_found = false;
        for (size_t i = 0; i < count; i++) {
            is_found |= found[i] == item;
        }
        CHECK(is_found);
        const acre_frustum frustum = frustum_of_box(&boxes[item]);
        CHECK(acre_quadtree_query_frustum(tree, &frustum, found, 7) == count);
    }
    acre_quadtree_destroy(tree);
}

static void the_root_grows_towards_items_outside_and_shrinks_back_when_they_leave(void)
{
    const float ways[4][2] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    for (int way = 0; way < 4; way++) {
        acre_quadtree *const tree = new_tree(64, 6, 4);
        const acre_quadtree_stats before = stats_of(tree);
        for (uint32_t item = 0; item < 20; item++) {
            const acre_aabb box = box_at(3.0f * (float)item - 30, 5, 1);
            CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
        }
        const acre_aabb far = box_at(ways[way][0] * 5000, ways[way][1] * 5000, 1);
        CHECK(acre_quadtree_insert(tree, 100, &far) == ACRE_OK && is_valid(tree));
        const acre_quadtree_stats grown = stats_of(tree);
        CHECK(grown.outliers == 0 && grown.grows >= 6 && grown.cell_size == before.cell_size);
        for (int axis = 0; axis < 2; axis++) {
            CHECK(grown.root_min[axis] <= ways[way][axis] * 5000);
            CHECK(grown.root_max[axis] >= ways[way][axis] * 5000);
            CHECK(grown.root_max[axis] - grown.root_min[axis] < 40000);
        }
        CHECK(acre_quadtree_query_aabb(tree, &far, NULL, 0) == 1);
        CHECK(acre_quadtree_remove(tree, 100) == ACRE_OK);
        for (int frame = 0; frame < 1000; frame++) {
            CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
        }
        const acre_quadtree_stats after = stats_of(tree);
        CHECK(is_valid(tree) && after.shrinks == grown.grows);
        CHECK(memcmp(after.root_min, before.root_min, sizeof after.root_min) == 0);
        CHECK(memcmp(after.root_max, before.root_max, sizeof after.root_max) == 0);
        acre_quadtree_destroy(tree);
    }
}

static void the_root_shrinks_to_the_size_of_the_largest_item_in_it(void)
{
    acre_quadtree *const tree = new_tree(64, 6, 4);
    const acre_quadtree_stats before = stats_of(tree);
    const acre_aabb wide = box_at(0, 0, 0.5f * (before.root_max[0] - before.root_min[0]));
    const acre_aabb far = box_at(700, -700, 1);
    CHECK(acre_quadtree_insert(tree, 0, &wide) == ACRE_OK && stats_of(tree).outliers == 0);
    CHECK(acre_quadtree_insert(tree, 1, &far) == ACRE_OK && stats_of(tree).grows >= 3);
    // Without the far one all cells collapse into the large root, once a neighbor leaves, too.
    const acre_aabb neighbor = box_at(1, 1, 0.5f);
    CHECK(acre_quadtree_insert(tree, 2, &neighbor) == ACRE_OK);
    CHECK(acre_quadtree_remove(tree, 1) == ACRE_OK && acre_quadtree_remove(tree, 2) == ACRE_OK);
    CHECK(stats_of(tree).nodes == 1 && stats_of(tree).root_max[0] > before.root_max[0]);
    CHECK(acre_quadtree_trim(tree) == ACRE_OK);
    const acre_quadtree_stats after = stats_of(tree);
    CHECK(is_valid(tree) && after.outliers == 0 && after.root_max[0] == before.root_max[0]);
    acre_quadtree_destroy(tree);
}

static void an_item_that_crosses_the_roots_border_every_frame_does_not_grow_it_every_frame(void)
{
    acre_quadtree *const tree = new_tree(64, 6, 4);
    const acre_aabb inside = box_at(63, 0, 0.5f), outside = box_at(65, 0, 0.5f);
    CHECK(acre_quadtree_insert(tree, 0, &inside) == ACRE_OK);
    for (int frame = 0; frame < 1000; frame++) {
        CHECK(acre_quadtree_refresh(tree, 0, frame & 1 ? &inside : &outside) == ACRE_OK);
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
    }
    CHECK(stats_of(tree).grows <= 1000 / 16 + 1 && stats_of(tree).outliers == 0 && is_valid(tree));
    acre_quadtree_destroy(tree);
}

static void what_is_larger_than_the_root_is_found_and_placed_once_a_root_can_hold_it(void)
{
    acre_quadtree *const tree = new_tree(64, 6, 4);
    const acre_aabb wide = {{-300, 0, -300}, {300, 1, 300}};
    CHECK(acre_quadtree_insert(tree, 0, &wide) == ACRE_OK && is_valid(tree));
    CHECK(stats_of(tree).outliers == 1);
    const acre_aabb corner = box_at(299, -299, 0.5f);
    CHECK(acre_quadtree_query_aabb(tree, &corner, NULL, 0) == 1);
    const acre_aabb far = box_at(2000, 2000, 1);
    CHECK(acre_quadtree_insert(tree, 1, &far) == ACRE_OK && is_valid(tree));
    CHECK(stats_of(tree).outliers == 0); // the root grew for another's sake
    CHECK(acre_quadtree_query_aabb(tree, &corner, NULL, 0) == 1);
    CHECK(acre_quadtree_query_aabb(tree, &far, NULL, 0) == 1);
    acre_quadtree_destroy(tree);
}

static void items_accepted_without_a_test_are_all_visible(void)
{
    enum { COUNT = 3000 };
    acre_quadtree *const tree = new_tree(256, 8, 8);
    static acre_aabb boxes[COUNT];
    static uint32_t found[COUNT];
    const box_world world = {{0, 0}, 256, 2};
    test_random random = {test_seed};
    for (uint32_t item = 0; item < COUNT; item++) {
        boxes[item] = box_valid(&random, &world);
        CHECK(acre_quadtree_insert(tree, item, &boxes[item]) == ACRE_OK);
    }
    size_t accepted = 0;
    for (int view = 0; view < 300; view++) {
        const acre_frustum frustum = frustum_valid(&random, &world);
        acre_query_stats stats;
        size_t total;
        const acre_query query = {
            .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &frustum, .stats = &stats};
        CHECK(acre_quadtree_query(tree, &query, found, COUNT, &total) == ACRE_OK);
        for (size_t i = 0; i < total; i++) {
            CHECK(acre_frustum_test_aabb(&frustum, &boxes[found[i]]));
        }
        accepted += stats.items_accepted;
    }
    CHECK(accepted > 10000);
    acre_quadtree_destroy(tree);
}

// ---- misuse ----

#if ACRE_CHECK >= 1 // detection is part of builds with ACRE_CHECK >= 1

// Every call on a tree that is being edited; set by a test around a call that allocates.
typedef struct intruder {
    acre_quadtree *tree;
    size_t visits, refusals, asserts;
} intruder;

static size_t count_busy_edits(acre_quadtree *tree)
{
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}};
    const uint32_t item = 0;
    const acre_result results[] = {acre_quadtree_insert(tree, 77, &box),
                                   acre_quadtree_refresh(tree, 0, &box),
                                   acre_quadtree_refresh_many(tree, &item, &box, 1),
                                   acre_quadtree_refresh_all(tree, &box, 1),
                                   acre_quadtree_remove(tree, 0),
                                   acre_quadtree_maintain(tree),
                                   acre_quadtree_tighten(tree),
                                   acre_quadtree_reserve(tree, 10),
                                   acre_quadtree_trim(tree),
                                   acre_quadtree_set_layers(tree, 0, 1)};
    size_t busy = 0;
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        busy += results[i] == ACRE_ERROR_BUSY;
    }
    acre_quadtree_clear(tree); // answers nothing; must do nothing
    return busy;
}

enum { EDITS = 10, QUERIES = 6 };

static size_t count_busy_queries(const acre_quadtree *tree)
{
    const acre_frustum all = {.plane_count = 0};
    const acre_aabb everywhere = {{-1e9f, -1e9f, -1e9f}, {1e9f, 1e9f, 1e9f}};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &all};
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    return (size_t)(acre_quadtree_query_frustum(tree, &all, NULL, 0) == 0) +
           (acre_quadtree_query_aabb(tree, &everywhere, NULL, 0) == 0) +
           (acre_quadtree_query(tree, &query, NULL, 0, NULL) == ACRE_ERROR_BUSY) +
           (acre_quadtree_validate(tree, NULL, 0) == ACRE_ERROR_BUSY) +
           (acre_quadtree_state_hash(tree) == 0) + (acre_quadtree_content_hash(tree) == 0);
}

static void *intruding_resize(void *user, void *block, size_t old_size, size_t new_size,
                              size_t alignment)
{
    intruder *const inside = user;
    if (inside->tree) {
        acre_quadtree *const tree = inside->tree;
        inside->visits++;
        test_expect_asserts(true); // of the functions that cannot answer "busy"
        inside->refusals += count_busy_edits(tree) + count_busy_queries(tree);
        test_expect_asserts(false);
        inside->asserts += test_take_asserts();
    }
    return acre_resize(NULL, block, old_size, new_size, alignment);
}

static void calls_from_inside_an_edit_answer_busy_and_change_nothing(void)
{
    intruder inside = {0};
    const acre_allocator allocator = {intruding_resize, &inside};
    const acre_quadtree_def def = {.half_size = 64, .node_capacity = 4, .allocator = &allocator};
    acre_quadtree *tree, *alone;
    CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
    alone = new_tree(64, 0, 4);
    test_random random = {test_seed};
    for (uint32_t item = 0; item < 70; item++) {
        const float x = random_float(&random, -60, 60);
        const acre_aabb box = box_at(x, random_float(&random, -60, 60), 0.5f);
        inside.tree = item > 0 ? tree : NULL;
        CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
        CHECK(acre_quadtree_insert(alone, item, &box) == ACRE_OK);
    }
    CHECK(acre_quadtree_set_layers(tree, 5, 2) == ACRE_OK);
    CHECK(acre_quadtree_trim(tree) == ACRE_OK);
    CHECK(acre_quadtree_reserve(tree, 5000) == ACRE_OK);
    inside.tree = NULL;
    CHECK(acre_quadtree_set_layers(alone, 5, 2) == ACRE_OK);
    CHECK(inside.visits > 10 && inside.refusals == inside.visits * (EDITS + QUERIES));
    CHECK(inside.asserts == inside.visits * 6); // clear, statistics, hashes, two queries
    CHECK(acre_quadtree_content_hash(tree) == acre_quadtree_content_hash(alone));
    CHECK(is_valid(tree) && acre_quadtree_remove(tree, 3) == ACRE_OK); // and it is free again
    acre_quadtree_destroy(tree);
    acre_quadtree_destroy(alone);
}

#endif

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_million_coincident_items_do_the_work_of_ten_times_a_hundred_thousand),
        TEST(small_items_stop_at_the_deepest_level),
        TEST(a_leaf_splits_when_it_passes_its_capacity_and_collapses_at_half_of_it),
        TEST(the_capacity_that_counts_grows_and_shrinks_with_the_number_of_items),
        TEST(items_that_come_and_go_where_the_capacity_changes_split_and_collapse_little),
        TEST(a_leaf_of_items_too_large_to_move_down_stays_whole_until_smaller_ones_come),
        TEST(collapse_loses_nothing_whatever_the_order_of_removal),
        TEST(an_item_that_oscillates_over_a_border_splits_and_collapses_nothing),
        TEST(a_refresh_inside_the_cell_moves_nothing_and_one_outside_moves_one),
        TEST(a_pull_splits_and_collapses_like_single_calls),
        TEST(a_moved_item_is_found_where_it_is_and_nowhere_else),
        TEST(stored_bounds_shrink_after_removal_and_tightening),
        TEST(maintain_tightens_a_tree_of_one_leaf_as_well),
        TEST(maintain_does_a_small_part_of_the_work_each_time_and_all_of_it_in_turn),
        TEST(after_long_churn_queries_work_like_in_a_fresh_tree),
        TEST(a_query_looks_at_little_more_than_it_finds),
        TEST(a_box_whose_rounded_center_hides_its_size_is_not_lost),
        TEST(all_edges_within_two_floats_of_cell_lines_and_loose_borders),
        TEST(a_center_on_a_line_belongs_to_one_cell_and_is_found_and_removed),
        TEST(every_kind_of_box_agrees_with_brute_force_at_every_offset),
        TEST(infinite_boxes_are_outliers_that_every_query_tests),
        TEST(points_and_flat_boxes_are_found),
        TEST(the_root_grows_towards_items_outside_and_shrinks_back_when_they_leave),
        TEST(the_root_shrinks_to_the_size_of_the_largest_item_in_it),
        TEST(an_item_that_crosses_the_roots_border_every_frame_does_not_grow_it_every_frame),
        TEST(what_is_larger_than_the_root_is_found_and_placed_once_a_root_can_hold_it),
        TEST(items_accepted_without_a_test_are_all_visible),
#if ACRE_CHECK >= 1
        TEST(calls_from_inside_an_edit_answer_busy_and_change_nothing),
#endif
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
