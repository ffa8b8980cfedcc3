// SPDX-License-Identifier: MIT
// test_quadtree_shift.c - a world that moves: every box, cell and result as if it had always been
// where it is now.
//
// The oracle is a list of boxes whose edges are moved one by one, outward where floats are too
// coarse (brute_force_shift).
#include "failing_allocator.h"
#include "quadtree_items_shared.h"
#include "query_trees.h"
#include "tree_helpers.h"

#include <math.h>
#include <string.h>

enum { ITEMS = 260, TOWN = 5000 };

static uint32_t found[TOWN], expected[TOWN];

// ---- trees of every kernel, in worlds of every sort ----

typedef enum way {
    WAY_CELLS,    // whole finest cells
    WAY_FRACTION, // of a cell, with a height
    WAY_FAR,      // where floats are coarse
    WAY_BACK,     // to the middle of the setting
    WAY_COUNT
} way;

static void draw_offset(const query_trees *all, test_random *random, const double *middle,
                        double *offset)
{
    const double cell = (double)stats_of(all->trees[0]).cell_size;
    const way kind = (way)random_below(random, WAY_COUNT);
    for (int axis = 0; axis < 3; axis++) {
        const double by = (double)random_float(random, -40.0f, 40.0f);
        const double ground = axis == 1 ? 0.0 : middle[axis / 2];
        const double here = axis == 1 ? 0.0 : (double)all->ground.world.center[axis / 2];
        offset[axis] = kind == WAY_CELLS      ? floor(by) * cell
                       : kind == WAY_FRACTION ? by * 0.3 * cell
                       : kind == WAY_FAR      ? by * 0x1p20 * cell
                                              : ground - here;
    }
}

static bool boxes_are_the_oracles(const query_trees *all, uint32_t k)
{
    for (uint32_t item = 0; item < all->oracle.capacity; item++) {
        acre_aabb box;
        const bool is_there = acre_quadtree_get_box(all->trees[k], item, &box) == ACRE_OK;
        if (is_there != all->oracle.present[item] ||
            (is_there && memcmp(&box, &all->oracle.boxes[item], sizeof box) != 0)) {
            return false;
        }
    }
    return true;
}

static bool finds_what_the_oracle_finds(const query_trees *all, uint32_t k, test_random *random)
{
    generated_query query;
    generate_any_query(random, &all->ground, &query);
    query.query.flags |= ACRE_QUERY_SORTED;
    query.query.flags &= ~(uint32_t)ACRE_QUERY_STOP_WHEN_FULL;
    size_t total = 0;
    return acre_quadtree_query(all->trees[k], &query.query, found, TOWN, &total) == ACRE_OK &&
           brute_force_agrees(&all->oracle, &query.query, found, total);
}

static void shift_all(query_trees *all, test_random *random, const double *middle)
{
    const bool has_boxes = random_below(random, 2);
    const uint32_t count = has_boxes ? random_below(random, 2 * ITEMS) : 0;
    static acre_aabb boxes[2 * ITEMS];
    double offset[3];
    draw_offset(all, random, middle, offset);
    size_t rounded = brute_force_shift(&all->oracle, offset, count);
    memcpy(boxes, all->oracle.boxes, ITEMS * sizeof *boxes);
    for (uint32_t item = 0; item < count; item++) { // boxes of the host's own, a little elsewhere
        acre_aabb *const box = &boxes[item];
        for (int i = 0; i < 3 && item < ITEMS; i++) {
            box->max[i] += (float)random_below(random, 2) * all->ground.world.cell_size;
        }
        if (item < ITEMS && all->oracle.present[item]) {
            CHECK(brute_force_refresh(&all->oracle, item, box) == ACRE_OK);
        } else {
            box->min[0] = NAN; // nobody looks at it
        }
    }
    all->ground.world.center[0] += (float)offset[0];
    all->ground.world.center[1] += (float)offset[2];
    for (uint32_t k = 0; k < all->count; k++) {
        acre_shift_report report;
        CHECK(acre_quadtree_shift(all->trees[k], offset, has_boxes ? boxes : NULL, count,
                                  &report) == ACRE_OK);
        CHECK(report.rounded == rounded && report.is_exact == (rounded == 0));
        CHECK(is_valid(all->trees[k]) && boxes_are_the_oracles(all, k));
    }
}

static void shifted_trees_find_what_the_oracle_finds_among_edits(void)
{
    for (uint32_t setting = 0; setting < QUERY_SETTING_COUNT; setting++) {
        test_random random = {test_seed * 31 + setting};
        query_trees all;
        CHECK(query_trees_init_setting(&all, setting, ITEMS));
        const double middle[2] = {(double)all.ground.world.center[0],
                                  (double)all.ground.world.center[1]};
        CHECK(query_trees_fill(&all, &random, ITEMS / 2));
        for (int step = 0; step < 60; step++) {
            if (step % 6 == 5) {
                shift_all(&all, &random, middle);
            } else {
                CHECK(query_trees_edit(&all, &random, NULL));
            }
            const uint64_t hash = acre_quadtree_state_hash(all.trees[0]);
            for (uint32_t k = 0; k < all.count; k++) {
                CHECK(acre_quadtree_state_hash(all.trees[k]) == hash);
            }
            CHECK(finds_what_the_oracle_finds(&all, random_below(&random, all.count), &random));
        }
        query_trees_free(&all);
    }
}

// ---- a town ----

static acre_aabb boxes[TOWN], moved[TOWN];

// A town of boxes on a grid of 2^-8 m. half: of its side.
static acre_quadtree *make_town(test_random *random, float half)
{
    static uint32_t numbers[TOWN];
    acre_quadtree *const tree = new_tree(1024, 0, 16);
    for (uint32_t item = 0; item < TOWN; item++) {
        for (int axis = 0; axis < 3; axis++) {
            const float at = random_float(random, -half, half), size = random_float(random, 1, 9);
            boxes[item].min[axis] = floorf(256 * at) / 256;
            boxes[item].max[axis] = boxes[item].min[axis] + ceilf(256 * size) / 256;
        }
        numbers[item] = item;
    }
    boxes[0].max[1] = INFINITY;
    boxes[1].max[0] = 0x1p+120f;
    EXPECT(acre_quadtree_insert_many(tree, numbers, boxes, TOWN) == ACRE_OK);
    return tree;
}

static size_t find_around(const acre_quadtree *tree, const double *at, uint32_t *items)
{
    acre_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = (float)at[axis] - 300.0f;
        box.max[axis] = (float)at[axis] + 300.0f;
    }
    return acre_quadtree_query_aabb(tree, &box, items, TOWN);
}

// Cells and bands of all items, and those of before, which have moved along.
static bool cells_are_moved(const acre_quadtree *tree, acre_quadtree_place *places,
                            const double *offset)
{
    static const double nowhere[3] = {0, 0, 0};
    bool are_moved = true;
    size_t banded = 0;
    for (uint32_t item = 2; item < TOWN; item += 7) {
        acre_quadtree_place now, was = places[item];
        EXPECT(acre_quadtree_locate(tree, item, &now) == ACRE_OK);
        was = offset == NULL ? now : was;
        places[item] = was;
        const double *const by = offset ? offset : nowhere;
        are_moved &= now.cell_min[0] == was.cell_min[0] + (float)by[0] &&
                     now.cell_min[1] == was.cell_min[1] + (float)by[2] &&
                     now.band_low == was.band_low + (float)by[1] &&
                     now.band_end == was.band_end + (float)by[1];
        banded += now.bands;
    }
    return are_moved && banded > 0;
}

static void exact_shifts_move_no_item_keep_the_order_and_lead_back(void)
{
    static acre_quadtree_place places[TOWN];
    test_random random = {test_seed};
    static const double nowhere[3] = {0, 0, 0};
    acre_quadtree *const tree = make_town(&random, 900);
    for (int i = 0; i < 400; i++) { // a tree that has lived
        const uint32_t item = 2 + random_below(&random, TOWN - 2);
        boxes[item].max[0] += 3.0f;
        CHECK(acre_quadtree_refresh(tree, item, &boxes[item]) == ACRE_OK);
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
    }
    boxes[1].max[0] = INFINITY; // 2^120 plus a kilometer is no float
    CHECK(acre_quadtree_refresh_all(tree, boxes, TOWN) == ACRE_OK);
    CHECK(stats_of(tree).bands > 0);
    const uint64_t hash = acre_quadtree_state_hash(tree);
    const size_t count = find_around(tree, nowhere, expected);
    CHECK(cells_are_moved(tree, places, NULL));
    for (int turn = 0; turn < 12; turn++) {
        // Multiples of the widest cell and the tallest band that there are.
        const double there[3] = {random_below(&random, 29) * 4096.0 - 14 * 4096.0, -4096.0 * turn,
                                 4096.0 * turn};
        const double back[3] = {-there[0], -there[1], -there[2]};
        acre_shift_report report;
        for (uint32_t i = 0; i < TOWN && turn % 2; i++) {
            for (int axis = 0; axis < 3; axis++) {
                moved[i].min[axis] = boxes[i].min[axis] + (float)there[axis];
                moved[i].max[axis] = boxes[i].max[axis] + (float)there[axis];
            }
        }
        CHECK(acre_quadtree_shift(tree, there, turn % 2 ? moved : NULL, TOWN, &report) == ACRE_OK);
        CHECK(report.is_exact && report.rounded == 0 && report.moved == 0 && is_valid(tree));
        CHECK(cells_are_moved(tree, places, there));
        CHECK(find_around(tree, there, found) == count &&
              memcmp(found, expected, count * sizeof *found) == 0);
        CHECK(acre_quadtree_shift(tree, back, NULL, 0, &report) == ACRE_OK);
        CHECK(report.is_exact && report.moved == 0 && acre_quadtree_state_hash(tree) == hash);
    }
    acre_quadtree_destroy(tree);
}

// Where floats are 8 km apart all of a town is in a few places; the tree is built for that, and
// again when it is back. No box ever loses what it held.
static void a_shift_beyond_the_floats_builds_the_tree_anew_and_loses_nothing(void)
{
    test_random random = {test_seed + 1};
    failing_allocator memory;
    for (int fails = 0; fails < 2; fails++) {
        acre_quadtree *const town = make_town(&random, 900);
        acre_quadtree *tree;
        failing_allocator_init(&memory, FAIL_NEVER, 0);
        const acre_quadtree_def def = {.node_capacity = 16, .allocator = &memory.allocator};
        CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
        for (uint32_t item = 0; item < TOWN; item++) {
            CHECK(acre_quadtree_insert(tree, item, &boxes[item]) == ACRE_OK);
        }
        failing_allocator_arm(&memory, fails ? FAIL_FROM : FAIL_NEVER, 1);
        const double there[3] = {1e11, 7.7, -1e11}, back[3] = {-1e11, -7.7, 1e11};
        acre_shift_report report;
        CHECK(acre_quadtree_shift(tree, there, NULL, 0, &report) == ACRE_OK);
        CHECK(!report.is_exact && report.rounded >= TOWN - 2 && is_valid(tree));
        CHECK(acre_quadtree_shift(tree, back, NULL, 0, &report) == ACRE_OK);
        CHECK(is_valid(tree) && !report.is_exact);
        for (uint32_t item = 0; item < TOWN; item++) {
            acre_aabb box;
            CHECK(acre_quadtree_get_box(tree, item, &box) == ACRE_OK);
            CHECK(acre_aabb_contains(&box, &boxes[item]));
        }
        acre_quadtree_destroy(tree);
        acre_quadtree_destroy(town);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
}

static void a_refused_shift_changes_nothing(void)
{
    test_random random = {test_seed + 2};
    acre_quadtree *const tree = make_town(&random, 400);
    const uint64_t hash = acre_quadtree_state_hash(tree);
    static const double bad[][3] = {
        {(double)NAN, 0, 0}, {0, (double)INFINITY, 0}, {0, 0, 1e39}, {-1e300, 0, 0}};
    acre_shift_report report = {true, 7, 7};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(acre_quadtree_shift(tree, bad[i], NULL, 0, &report) == ACRE_ERROR_INVALID_ARGUMENT);
        CHECK(!report.is_exact && report.rounded == 0 && report.moved == 0);
    }
    static const double east[3] = {4096, 0, 0};
    memcpy(moved, boxes, sizeof moved);
    moved[TOWN - 1].min[2] = moved[TOWN - 1].max[2] + 1;
    CHECK(acre_quadtree_shift(tree, east, moved, TOWN, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_quadtree_shift(tree, NULL, NULL, 0, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_quadtree_shift(NULL, east, NULL, 0, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_quadtree_state_hash(tree) == hash);
    CHECK(acre_quadtree_remove(tree, TOWN - 1) == ACRE_OK); // then nobody looks at its row
    CHECK(acre_quadtree_shift(tree, east, moved, TOWN, NULL) == ACRE_OK);
    acre_quadtree_destroy(tree);
}

// An empty tree, and one that is cleared, stand where the square of the def stands now.
static void the_square_of_the_def_moves_too(void)
{
    acre_quadtree *const tree = new_tree(1024, 0, 16);
    static const double there[3] = {8192.0, 5.0, -16384.5};
    CHECK(acre_quadtree_shift(tree, there, NULL, 0, NULL) == ACRE_OK);
    const acre_aabb box = box_at(8192.0f, -16384.0f, 2.0f);
    CHECK(acre_quadtree_insert(tree, 0, &box) == ACRE_OK);
    CHECK(stats_of(tree).grows == 0);
    acre_quadtree_clear(tree);
    const acre_quadtree_stats stats = stats_of(tree);
    CHECK(stats.root_min[0] == 8192.0f - 1024.0f && stats.root_min[1] <= -16384.5f - 1024.0f &&
          stats.root_min[1] > -16384.5f - 1026.0f);
    acre_quadtree_destroy(tree);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(shifted_trees_find_what_the_oracle_finds_among_edits),
        TEST(exact_shifts_move_no_item_keep_the_order_and_lead_back),
        TEST(a_shift_beyond_the_floats_builds_the_tree_anew_and_loses_nothing),
        TEST(a_refused_shift_changes_nothing),
        TEST(the_square_of_the_def_moves_too),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
