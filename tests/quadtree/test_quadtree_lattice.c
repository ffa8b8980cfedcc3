// SPDX-License-Identifier: MIT
// test_quadtree_lattice.c - worlds anywhere on Earth and beyond: towns far from the origin, strays,
// and trees that are built anew on another lattice.
#include "brute_force.h"
#include "failing_allocator.h"
#include "test.h"
#include "tree_helpers.h"

#include <acre/quadtree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 24000, MANY = 1000000 };

static const float town_radius = 2000.0f;

// Where maps put a town: x, z.
static const float utm[2] = {573000.0f, -6136000.0f};
static const float web_mercator[2] = {-6251000.0f, 4148000.0f};
static const float eastern_mercator[2] = {20037000.0f, -5500000.0f};
static const float nowhere[2] = {0.0f, 0.0f};
static const float far_away[2] = {1e9f, -4e8f};

static acre_aabb boxes[MOST_ITEMS];
static uint32_t numbers[MOST_ITEMS];

static acre_aabb box_around(float x, float y, float z, float half)
{
    return (acre_aabb){{x - half, y, z - half}, {x + half, y + half, z + half}};
}

// Makes the boxes of the items [begin, end): a square town around a place.
static void make_town(const float *place, float radius, uint32_t begin, uint32_t end)
{
    test_random random = {test_seed * 77 + begin};
    for (uint32_t item = begin; item < end; item++) {
        const float x = place[0] + random_float(&random, -radius, radius);
        const float z = place[1] + random_float(&random, -radius, radius);
        boxes[item] = box_around(x, 0, z, random_float(&random, 0.5f, 8.0f));
        numbers[item] = item;
    }
}

// Makes boxes at a distance in all directions.
static void make_strays(float distance, uint32_t begin, uint32_t end)
{
    for (uint32_t item = begin; item < end; item++) {
        const float x = item & 1 ? distance : -distance, z = item & 2 ? distance : -distance;
        boxes[item] = box_around(x, 0, z, 1);
        numbers[item] = item;
    }
}

static acre_quadtree *tree_of(acre_quadtree_def def)
{
    acre_quadtree *tree = NULL;
    return acre_quadtree_create(&def, &tree) == ACRE_OK ? tree : NULL;
}

static bool insert_each(acre_quadtree *tree, uint32_t begin, uint32_t end)
{
    bool ok = true;
    for (uint32_t item = begin; item < end; item++) {
        ok &= acre_quadtree_insert(tree, item, &boxes[item]) == ACRE_OK;
    }
    return ok;
}

static bool remove_each(acre_quadtree *tree, uint32_t begin, uint32_t end)
{
    bool ok = true;
    for (uint32_t item = begin; item < end; item++) {
        ok &= acre_quadtree_remove(tree, item) == ACRE_OK;
    }
    return ok;
}

static bool insert_many(acre_quadtree *tree, uint32_t begin, uint32_t end)
{
    return acre_quadtree_insert_many(tree, numbers + begin, boxes + begin, end - begin) == ACRE_OK;
}

// Boxes that a query around a place tests or accepts, and nodes that it tests; MANY if the items
// found are not those of a loop over the boxes [0, count) that are in the tree.
static size_t query_work(const acre_quadtree *tree, uint32_t count, const float *place, float half)
{
    static uint32_t found[MOST_ITEMS];
    const acre_aabb box = {{place[0] - half, -100, place[1] - half},
                           {place[0] + half, 100, place[1] + half}};
    acre_query_stats work;
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_AABB, .box = &box, .flags = ACRE_QUERY_SORTED, .stats = &work};
    size_t total = 0, expected = 0;
    bool ok = acre_quadtree_query(tree, &query, found, MOST_ITEMS, &total) == ACRE_OK;
    for (uint32_t item = 0; item < count; item++) {
        if (acre_quadtree_contains(tree, item) && acre_aabb_overlaps(&box, &boxes[item])) {
            ok = ok && expected < total && found[expected] == item;
            expected++;
        }
    }
    return ok && expected == total ? work.items_tested + work.nodes_tested : MANY;
}

// ---- towns ----

static void the_default_root_reaches_16777_kilometers(void)
{
    acre_quadtree *const tree = tree_of((acre_quadtree_def){.half_size = 0.0f});
    CHECK(tree && stats_of(tree).cell_size == 1.0f);
    acre_aabb box = box_around(16770000.0f, 0, -500, 1);
    CHECK(acre_quadtree_insert(tree, 0, &box) == ACRE_OK && stats_of(tree).outliers == 0);
    box = box_around(16790000.0f, 0, -500, 1);
    CHECK(acre_quadtree_insert(tree, 1, &box) == ACRE_OK && stats_of(tree).outliers == 1);
    CHECK(is_valid(tree) && !stats_of(tree).has_many_outliers);
    acre_quadtree_destroy(tree);
}

// The work of a query in the middle of a town of 20,000, with a def.
static size_t town_work(const acre_quadtree_def *def, const float *place, bool one_by_one)
{
    const uint32_t count = 20000;
    acre_quadtree *const tree = tree_of(*def);
    bool ok = tree != NULL;
    make_town(place, town_radius, 0, count);
    ok = ok && (one_by_one ? insert_each(tree, 0, count) : insert_many(tree, 0, count));
    ok = ok && acre_quadtree_maintain(tree) == ACRE_OK && acre_quadtree_tighten(tree) == ACRE_OK;
    ok = ok && stats_of(tree).outliers == 0 && !stats_of(tree).has_many_outliers && is_valid(tree);
    const size_t work = ok ? query_work(tree, count, place, 100) : MANY;
    acre_quadtree_destroy(tree);
    return work;
}

static void a_town_costs_the_same_wherever_maps_put_it(void)
{
    const float *const places[] = {utm, web_mercator, eastern_mercator};
    const acre_quadtree_def defs[] = {{.half_size = 0.0f},
                                      {.max_depth = 14},
                                      {.max_depth = 20},
                                      {.half_size = 1.0f, .max_depth = 20}};
    for (int one_by_one = 0; one_by_one < 2; one_by_one++) {
        const size_t here = town_work(&defs[0], nowhere, one_by_one);
        CHECK(here < 2000);
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 4; k++) {
                const size_t there = town_work(&defs[k], places[i], one_by_one);
                CHECK(there < here + here / 4);
            }
        }
    }
}

// The root grows to the east first; what lies in the west is then out of its reach.
static void a_root_that_grew_to_the_wrong_side_is_no_fate(void)
{
    const acre_quadtree_def def = {.max_depth = 20}; // cells of 2 mm: 32 km a side
    acre_quadtree *const tree = tree_of(def);
    const float east[2] = {16000.0f, 0.0f}, west[2] = {-8000.0f, 0.0f};
    CHECK(tree && stats_of(tree).cell_size == 0x1p-9f);
    make_town(east, town_radius, 0, 1000);
    make_town(west, town_radius, 1000, 2000);
    CHECK(insert_each(tree, 0, 2000));
    CHECK(stats_of(tree).outliers > 500 && stats_of(tree).has_many_outliers);
    CHECK(acre_quadtree_maintain(tree) == ACRE_OK && is_valid(tree));
    CHECK(stats_of(tree).outliers == 0 && !stats_of(tree).has_many_outliers);
    CHECK(stats_of(tree).lattices == 1);
    acre_quadtree_destroy(tree);
}

static void a_crowd_in_one_point_is_held_at_any_distance(void)
{
    const float distances[] = {2e7f, 1e9f, 1e17f, 1e28f};
    for (int i = 0; i < 4; i++) {
        acre_quadtree *const tree = tree_of((acre_quadtree_def){.half_size = 0.0f});
        const float place[2] = {distances[i], -distances[i]};
        make_town(place, 0.0f, 0, 700);
        CHECK(tree && insert_many(tree, 0, 700) && is_valid(tree));
        CHECK(stats_of(tree).outliers == 0 && stats_of(tree).lattices == 1);
        CHECK(query_work(tree, 700, place, 1) < MANY);
        acre_quadtree_destroy(tree);
    }
}

// ---- strays ----

static void strays_at_any_distance_do_not_slow_a_town(void)
{
    const uint32_t count = 20000;
    const float distances[] = {2e7f, 1e12f, 1e17f, 1e30f, 3e38f};
    make_town(nowhere, town_radius, 0, count);
    for (int i = 0; i < 5; i++) {
        for (uint32_t strays = 1; strays <= 64; strays *= 8) {
            acre_quadtree *const tree = tree_of((acre_quadtree_def){.half_size = 0.0f});
            make_strays(distances[i], count, count + strays);
            CHECK(tree && insert_many(tree, 0, count) && acre_quadtree_tighten(tree) == ACRE_OK);
            const size_t alone = query_work(tree, count, nowhere, 100);
            CHECK(alone < 2000 && insert_each(tree, count, count + strays));
            for (int frame = 0; frame < 40; frame++) {
                CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
            }
            CHECK(acre_quadtree_optimize(tree) == ACRE_OK && is_valid(tree));
            const acre_quadtree_stats stats = stats_of(tree);
            CHECK(stats.outliers == strays && stats.lattices == 0 && stats.cell_size == 1.0f);
            CHECK(query_work(tree, count + strays, nowhere, 100) <= alone + strays + 16);
            acre_quadtree_destroy(tree);
        }
    }
}

static void a_far_minority_does_not_put_a_town_into_one_cell(void)
{
    const uint32_t count = 20000, far_end = 22000;
    acre_quadtree *const tree = tree_of((acre_quadtree_def){.half_size = 0.0f});
    make_town(nowhere, town_radius, 0, count);
    make_strays(1e17f, count, far_end);
    CHECK(tree && insert_many(tree, 0, far_end) && acre_quadtree_maintain(tree) == ACRE_OK);
    CHECK(stats_of(tree).outliers == far_end - count && stats_of(tree).has_many_outliers);
    CHECK(stats_of(tree).lattices == 0 && stats_of(tree).cell_size == 1.0f);
    CHECK(query_work(tree, far_end, nowhere, 100) < 2000 + far_end - count);
    // With them in reach of cells that are not too large, the town stays fast as well.
    CHECK(remove_each(tree, count, far_end));
    make_strays(1e8f, count, far_end);
    CHECK(insert_many(tree, count, far_end) && stats_of(tree).outliers == 0 && is_valid(tree));
    CHECK(stats_of(tree).lattices == 1 && stats_of(tree).cell_size > 8.0f);
    CHECK(query_work(tree, far_end, nowhere, 100) < 4000);
    acre_quadtree_destroy(tree);
}

static void boxes_that_no_lattice_holds_change_nothing(void)
{
    const uint32_t count = 1000, all = 2000;
    acre_quadtree *const tree = tree_of((acre_quadtree_def){.half_size = 0.0f});
    make_town(nowhere, town_radius, 0, all);
    for (uint32_t item = count; item < all; item++) {
        float *const edge = item & 1 ? &boxes[item].max[item % 3] : &boxes[item].min[1];
        *edge = item & 1 ? INFINITY : -INFINITY;
    }
    CHECK(tree && insert_each(tree, 0, all) && acre_quadtree_maintain(tree) == ACRE_OK);
    CHECK(stats_of(tree).outliers == all - count && stats_of(tree).has_many_outliers);
    CHECK(stats_of(tree).lattices == 0 && is_valid(tree));
    CHECK(query_work(tree, all, nowhere, 100) < MANY);
    // When they become finite, far away, the next upkeep takes them in.
    make_town(utm, town_radius, count, all);
    for (uint32_t item = count; item < all; item++) {
        boxes[item].min[0] += 4e7f;
        boxes[item].max[0] += 4e7f;
    }
    CHECK(acre_quadtree_refresh_all(tree, boxes, all) == ACRE_OK);
    CHECK(stats_of(tree).outliers == all - count);
    CHECK(acre_quadtree_maintain(tree) == ACRE_OK && stats_of(tree).outliers == 0);
    CHECK(stats_of(tree).lattices == 1 && is_valid(tree));
    acre_quadtree_destroy(tree);
}

// Each frame brings one more outlier, and no lattice. After five looks for one, a frame in 301
// looks again; a lattice that there is meanwhile waits for it.
static void looks_that_find_no_lattice_become_rare(void)
{
    const uint32_t count = 200, all = 400;
    acre_quadtree *const tree = tree_of((acre_quadtree_def){.half_size = 0.0f});
    make_town(nowhere, town_radius, 0, all);
    for (uint32_t item = count; item < all; item++) {
        boxes[item].max[0] = INFINITY;
    }
    CHECK(tree && insert_each(tree, 0, all));
    for (int look = 0; look < 5; look++) {
        CHECK(remove_each(tree, all - 1, all) && insert_each(tree, all - 1, all));
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
    }
    make_strays(1e8f, count, all);
    CHECK(acre_quadtree_refresh_all(tree, boxes, all) == ACRE_OK);
    uint32_t frames = 0;
    while (stats_of(tree).lattices == 0 && frames < 400) {
        CHECK(remove_each(tree, all - 1, all) && insert_each(tree, all - 1, all));
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
        frames++;
    }
    CHECK(frames == 301 && stats_of(tree).outliers == 0 && is_valid(tree));
    acre_quadtree_destroy(tree);
}

// The looks that found none were for outliers that are gone.
static void a_lattice_for_other_outliers_is_looked_for_at_once(void)
{
    const uint32_t count = 200, all = 400;
    acre_quadtree *const tree = tree_of((acre_quadtree_def){.half_size = 0.0f});
    make_town(nowhere, town_radius, 0, all);
    CHECK(tree && insert_each(tree, 0, all));
    for (uint32_t item = count; item < all; item++) {
        boxes[item].max[0] = INFINITY;
    }
    for (int look = 0; look < 6; look++) {
        CHECK(acre_quadtree_refresh_all(tree, boxes, all) == ACRE_OK);
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK && stats_of(tree).has_many_outliers);
    }
    CHECK(remove_each(tree, count, all) && acre_quadtree_maintain(tree) == ACRE_OK);
    make_strays(1e8f, count, all);
    CHECK(insert_each(tree, count, all) && acre_quadtree_maintain(tree) == ACRE_OK);
    CHECK(stats_of(tree).lattices == 1 && stats_of(tree).outliers == 0 && is_valid(tree));
    acre_quadtree_destroy(tree);
}

static void giants_get_cells_that_hold_them(void)
{
    acre_quadtree *const tree = tree_of((acre_quadtree_def){.half_size = 1.0f, .max_depth = 20});
    test_random random = {test_seed};
    for (uint32_t item = 0; item < 500; item++) {
        const float x = random_float(&random, -1e5f, 1e5f);
        boxes[item] = box_around(x, 0, random_float(&random, -1e5f, 1e5f), 1e5f);
        numbers[item] = item;
    }
    CHECK(tree && insert_many(tree, 0, 500) && stats_of(tree).outliers == 0 && is_valid(tree));
    CHECK(stats_of(tree).lattices == 1 && query_work(tree, 500, nowhere, 10) < MANY);
    acre_quadtree_destroy(tree);
}

// ---- when ----

static const acre_quadtree_def fine = {.max_depth = 20}; // reaches 32 km

// A town at UTM coordinates whose items are all outliers of a fine lattice, by refreshes alone.
static acre_quadtree *town_of_outliers(const acre_quadtree_def *def, uint32_t count)
{
    acre_quadtree *const tree = tree_of(*def);
    make_town(nowhere, town_radius, 0, count);
    bool ok = tree && insert_each(tree, 0, count);
    make_town(utm, town_radius, 0, count);
    for (uint32_t item = 0; ok && item < count / 2; item++) {
        ok = acre_quadtree_refresh(tree, item, &boxes[item]) == ACRE_OK;
    }
    ok = ok && acre_quadtree_refresh_many(tree, numbers, boxes, count / 4 * 3) == ACRE_OK;
    ok = ok && acre_quadtree_refresh_all(tree, boxes, count) == ACRE_OK;
    ok = ok && stats_of(tree).outliers == count && stats_of(tree).lattices == 0 && is_valid(tree);
    if (!ok) {
        acre_quadtree_destroy(tree);
    }
    return ok ? tree : NULL;
}

static bool by_maintain(acre_quadtree *tree)
{
    return acre_quadtree_maintain(tree) == ACRE_OK;
}

static bool by_maintain_budget(acre_quadtree *tree)
{
    return acre_quadtree_maintain_budget(tree, 0) == ACRE_OK;
}

static bool by_optimize(acre_quadtree *tree)
{
    return acre_quadtree_optimize(tree) == ACRE_OK;
}

static bool by_one_more_row(acre_quadtree *tree)
{
    const acre_aabb box = box_around(utm[0], 0, utm[1], 1);
    const uint32_t item = MOST_ITEMS;
    return acre_quadtree_insert_many(tree, &item, &box, 1) == ACRE_OK &&
           acre_quadtree_remove(tree, item) == ACRE_OK;
}

static bool (*const triggers[])(acre_quadtree *tree) = {by_maintain, by_maintain_budget,
                                                        by_optimize, by_one_more_row};

static void refreshes_never_change_the_lattice_and_these_calls_do(void)
{
    const uint32_t count = 3000;
    for (int i = 0; i < 4; i++) {
        acre_quadtree *const tree = town_of_outliers(&fine, count);
        CHECK(tree);
        const uint64_t content = acre_quadtree_content_hash(tree);
        CHECK(triggers[i](tree) && is_valid(tree));
        CHECK(acre_quadtree_content_hash(tree) == content);
        CHECK(stats_of(tree).outliers == 0 && stats_of(tree).lattices == 1);
        CHECK(query_work(tree, count, utm, 100) < 2000);
        // Then nothing is left to do.
        for (int frame = 0; frame < 100; frame++) {
            CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
        }
        CHECK(stats_of(tree).lattices == 1 && is_valid(tree));
        acre_quadtree_destroy(tree);
    }
}

static void more_than_64_and_a_sixteenth_are_many(void)
{
    for (uint32_t count = 200; count <= 3200; count *= 4) {
        const uint32_t allowed = count / 15 > 64 ? count / 15 : 64; // of count and themselves
        acre_quadtree *const tree = tree_of((acre_quadtree_def){.half_size = 0.0f});
        make_town(nowhere, town_radius, 0, count);
        make_strays(1e8f, count, count + allowed + 1);
        CHECK(tree && insert_many(tree, 0, count));
        CHECK(insert_each(tree, count, count + allowed));
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK && stats_of(tree).lattices == 0);
        CHECK(!stats_of(tree).has_many_outliers && stats_of(tree).outliers == allowed);
        CHECK(insert_each(tree, count + allowed, count + allowed + 1));
        CHECK(stats_of(tree).has_many_outliers);
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK && stats_of(tree).lattices == 1);
        CHECK(stats_of(tree).outliers == 0 && is_valid(tree));
        acre_quadtree_destroy(tree);
    }
}

// ---- back ----

// So often that a finer lattice, which waits for five seconds, is there.
static bool maintain_often(acre_quadtree *tree)
{
    bool ok = true;
    for (int frame = 0; frame < 310; frame++) {
        ok &= acre_quadtree_maintain(tree) == ACRE_OK;
    }
    return ok;
}

static void cells_are_fine_again_when_far_items_are_gone(void)
{
    const uint32_t count = 3000, all = 4000;
    for (int way = 0; way < 3; way++) {
        acre_quadtree *const tree = tree_of((acre_quadtree_def){.half_size = 0.0f});
        make_town(nowhere, town_radius, 0, count);
        make_strays(1e9f, count, all);
        CHECK(tree && insert_many(tree, 0, all) && stats_of(tree).outliers == 0);
        CHECK(stats_of(tree).cell_size > 100.0f && maintain_often(tree));
        CHECK(stats_of(tree).lattices == 1);
        if (way == 0) {
            CHECK(remove_each(tree, count, all - 20)); // some stay and become strays
        } else if (way == 1) {
            CHECK(acre_quadtree_remove_many(tree, numbers + count, all - count - 20) == ACRE_OK);
        } else { // the others come home
            make_town(nowhere, town_radius, count, all - 20);
            CHECK(acre_quadtree_refresh_all(tree, boxes, all) == ACRE_OK);
        }
        CHECK(stats_of(tree).lattices == 1 && maintain_often(tree) && is_valid(tree));
        CHECK(stats_of(tree).cell_size == 1.0f && stats_of(tree).lattices == 2);
        CHECK(stats_of(tree).outliers == 20);
        CHECK(query_work(tree, all, nowhere, 100) < 2000);
        acre_quadtree_destroy(tree);
    }
}

static void a_tree_that_was_emptied_is_as_after_create(void)
{
    for (int way = 0; way < 2; way++) {
        acre_quadtree *const tree = tree_of(fine), *const fresh = tree_of(fine);
        make_town(utm, town_radius, 0, 1000);
        CHECK(tree && fresh && insert_many(tree, 0, 1000) && stats_of(tree).lattices == 1);
        if (way == 0) {
            acre_quadtree_clear(tree);
        } else {
            CHECK(remove_each(tree, 0, 1000) && acre_quadtree_maintain(tree) == ACRE_OK);
        }
        make_town(nowhere, town_radius, 0, 1000);
        CHECK(is_valid(tree) && insert_many(tree, 0, 1000) && insert_many(fresh, 0, 1000));
        CHECK(acre_quadtree_state_hash(tree) == acre_quadtree_state_hash(fresh));
        acre_quadtree_destroy(tree);
        acre_quadtree_destroy(fresh);
    }
}

// Nor does it wait longer for finer cells because items once came back.
static void a_tree_that_was_emptied_waits_for_finer_cells_as_a_new_one(void)
{
    const uint32_t count = 3000, all = 4000;
    acre_quadtree *const tree = tree_of((acre_quadtree_def){.half_size = 0.0f});
    CHECK(tree);
    for (int round = 0; round < 2; round++) {
        make_town(nowhere, town_radius, 0, count);
        // The second trip of the first round shows that finer cells did not last.
        for (int trip = 0; trip < 2 - round; trip++) {
            make_strays(1e9f, count, all);
            CHECK(trip ? acre_quadtree_refresh_all(tree, boxes, all) == ACRE_OK
                       : insert_many(tree, 0, all));
            CHECK(acre_quadtree_maintain(tree) == ACRE_OK && stats_of(tree).cell_size > 100.0f);
            make_town(nowhere, town_radius, count, all);
            CHECK(acre_quadtree_refresh_all(tree, boxes, all) == ACRE_OK);
            CHECK(maintain_often(tree) && (stats_of(tree).cell_size == 1.0f) == (trip == 0));
        }
        acre_quadtree_clear(tree);
    }
    CHECK(is_valid(tree));
    acre_quadtree_destroy(tree);
}

// Items that cross the limit to and fro do not change the lattice each time.
static void a_few_items_that_come_and_go_change_the_lattice_rarely(void)
{
    const uint32_t count = 3000, all = 3300;
    acre_quadtree *const tree = tree_of((acre_quadtree_def){.half_size = 0.0f});
    make_town(nowhere, town_radius, 0, count);
    make_strays(1e8f, count, all);
    CHECK(tree && insert_many(tree, 0, all));
    for (int round = 0; round < 50; round++) {
        CHECK(remove_each(tree, all - 60, all) && acre_quadtree_maintain(tree) == ACRE_OK);
        CHECK(insert_each(tree, all - 60, all) && acre_quadtree_maintain(tree) == ACRE_OK);
    }
    CHECK(stats_of(tree).lattices <= 2 && is_valid(tree));
    acre_quadtree_destroy(tree);
}

// A fifteenth of the items goes far away and comes home, every `period` frames each way.
static uint64_t lattices_of_a_portal(uint32_t period, uint32_t frames)
{
    const uint32_t count = 1500, first = count - count / 15;
    acre_quadtree *const tree = tree_of((acre_quadtree_def){.half_size = 0.0f});
    make_town(nowhere, town_radius, 0, count);
    bool ok = tree && insert_many(tree, 0, count);
    for (uint32_t frame = 0; frame < frames; frame++) {
        if (frame % period == 0) {
            make_town(frame / period % 2 ? nowhere : far_away, town_radius, first, count);
            ok &= acre_quadtree_refresh_many(tree, numbers + first, boxes + first, count - first) ==
                  ACRE_OK;
        }
        ok &= acre_quadtree_maintain(tree) == ACRE_OK;
    }
    ok = ok && is_valid(tree);
    const uint64_t lattices = ok ? stats_of(tree).lattices : MANY;
    acre_quadtree_destroy(tree);
    return lattices;
}

// While a finer lattice waits for longer than the others stay at home, there is none.
static void a_portal_changes_the_lattice_once_in_1000_frames_at_most(void)
{
    static const struct {
        uint32_t period, frames, most;
    } portals[] = {{1, 4000, 1},  {2, 4000, 1},   {3, 4000, 1},
                   {30, 4000, 1}, {250, 8000, 1}, {1000, 16000, 16}};
    for (size_t i = 0; i < sizeof portals / sizeof portals[0]; i++) {
        const uint64_t lattices = lattices_of_a_portal(portals[i].period, portals[i].frames);
        printf("     every %u frames: %llu lattices in %u frames\n", portals[i].period,
               (unsigned long long)lattices, portals[i].frames);
        CHECK(lattices >= 1 && lattices <= portals[i].most);
    }
}

// ---- memory ----

static void a_build_that_has_no_memory_waits(void)
{
    const uint32_t count = 700;
    bool is_through = false;
    for (uint64_t at = 1; !is_through; at++) {
        CHECK(at < 40);
        failing_allocator memory;
        failing_allocator_init(&memory, FAIL_NEVER, 0);
        acre_quadtree_def def = fine;
        def.node_capacity = 16;
        def.allocator = &memory.allocator;
        acre_quadtree *const tree = town_of_outliers(&def, count);
        CHECK(tree);
        const uint64_t state = acre_quadtree_state_hash(tree);
        failing_allocator_arm(&memory, at & 1 ? FAIL_ONCE : FAIL_FROM, (at + 1) / 2);
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK && is_valid(tree));
        is_through = memory.failed == 0;
        if (!is_through) {
            CHECK(acre_quadtree_state_hash(tree) == state);
            CHECK(stats_of(tree).lattices == 0 && stats_of(tree).has_many_outliers);
        }
        CHECK(query_work(tree, count, utm, 100) < MANY);
        failing_allocator_arm(&memory, FAIL_NEVER, 0);
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK && is_valid(tree));
        CHECK(stats_of(tree).lattices == 1 && stats_of(tree).outliers == 0);
        CHECK(query_work(tree, count, utm, 100) < MANY);
        acre_quadtree_destroy(tree);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
}

// ---- layers ----

static void layers_survive_another_lattice(void)
{
    const uint32_t count = 2000;
    acre_quadtree *const tree = town_of_outliers(&fine, count);
    CHECK(tree);
    for (uint32_t item = 0; item < count; item += 3) {
        CHECK(acre_quadtree_set_layers(tree, item, 2) == ACRE_OK);
    }
    CHECK(acre_quadtree_maintain(tree) == ACRE_OK && stats_of(tree).lattices == 1);
    static uint32_t found[MOST_ITEMS];
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .layers = 1};
    size_t total = 0;
    CHECK(acre_quadtree_query(tree, &query, found, MOST_ITEMS, &total) == ACRE_OK);
    CHECK(total == count - (count + 2) / 3 && is_valid(tree));
    acre_quadtree_destroy(tree);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(the_default_root_reaches_16777_kilometers),
        TEST(a_town_costs_the_same_wherever_maps_put_it),
        TEST(a_root_that_grew_to_the_wrong_side_is_no_fate),
        TEST(a_crowd_in_one_point_is_held_at_any_distance),
        TEST(strays_at_any_distance_do_not_slow_a_town),
        TEST(a_far_minority_does_not_put_a_town_into_one_cell),
        TEST(boxes_that_no_lattice_holds_change_nothing),
        TEST(looks_that_find_no_lattice_become_rare),
        TEST(a_lattice_for_other_outliers_is_looked_for_at_once),
        TEST(giants_get_cells_that_hold_them),
        TEST(refreshes_never_change_the_lattice_and_these_calls_do),
        TEST(more_than_64_and_a_sixteenth_are_many),
        TEST(cells_are_fine_again_when_far_items_are_gone),
        TEST(a_tree_that_was_emptied_is_as_after_create),
        TEST(a_tree_that_was_emptied_waits_for_finer_cells_as_a_new_one),
        TEST(a_few_items_that_come_and_go_change_the_lattice_rarely),
        TEST(a_portal_changes_the_lattice_once_in_1000_frames_at_most),
        TEST(a_build_that_has_no_memory_waits),
        TEST(layers_survive_another_lattice),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
