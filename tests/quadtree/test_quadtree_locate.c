// SPDX-License-Identifier: MIT
// test_quadtree_locate.c - where acre_quadtree_locate says that items stand.
#include "quadtree_items_shared.h"
#include "test.h"
#include "tree_helpers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 1500 };

static acre_quadtree *make_tree(float half_size, uint32_t max_depth, uint32_t capacity)
{
    const acre_quadtree_def def = {
        .half_size = half_size, .max_depth = max_depth, .node_capacity = capacity};
    acre_quadtree *tree = NULL;
    return acre_quadtree_create(&def, &tree) == ACRE_OK ? tree : NULL;
}

// With no items in its cell, which is true of nobody's place, where there is no answer.
static acre_quadtree_place place_of(const acre_quadtree *tree, uint32_t item)
{
    acre_quadtree_place place = {.depth = UINT32_MAX};
    return acre_quadtree_locate(tree, item, &place) == ACRE_OK
               ? place
               : (acre_quadtree_place){.depth = UINT32_MAX};
}

static bool is_square(const float *min, const float *max, float x, float z, float size)
{
    return min[0] == x && min[1] == z && max[0] == x + size && max[1] == z + size;
}

// The root is -64..64 with cells of 2 at the finest; five small boxes split it, and those in the
// north-east corner cell split that again. All edges are exact, so the loose bounds are a hair
// more.
static void a_small_tree_is_as_drawn_on_paper(void)
{
    acre_quadtree *const tree = make_tree(64, 6, 4);
    CHECK(acre_quadtree_insert(tree, 0, &(acre_aabb){{-50, 0, -50}, {40, 1, 40}}) == ACRE_OK);
    acre_quadtree_place place = place_of(tree, 0);
    CHECK(place.depth == 0 && place.level == 6 && place.is_leaf && place.items == 1);
    CHECK(is_square(place.cell_min, place.cell_max, -64, -64, 128));
    for (uint32_t i = 0; i < 5; i++) {
        const acre_aabb box = box_at(33.0f + 6.0f * (float)i, 33, 0.5f);
        CHECK(acre_quadtree_insert(tree, 1 + i, &box) == ACRE_OK);
    }
    place = place_of(tree, 0); // as wide as the root alone is
    CHECK(place.depth == 0 && place.items == 1 && !place.is_leaf && !place.is_outlier);
    CHECK(place.bounds.min[0] <= -50 && place.bounds.max[0] >= 57.5f && place.bounds.max[1] == 1);
    place = place_of(tree, 1); // at (33, 33), with those at 39 and 45
    CHECK(place.is_leaf && place.depth == 3 && place.level == 3 && place.items == 3);
    CHECK(is_square(place.cell_min, place.cell_max, 32, 32, 16));
    CHECK(place.loose_min[0] <= 24 && place.loose_min[0] > 23.99f);
    CHECK(place.loose_max[1] >= 56 && place.loose_max[1] < 56.01f);
    place = place_of(tree, 5); // at (57, 33)
    CHECK(place.depth == 3 && place.items == 2);
    CHECK(is_square(place.cell_min, place.cell_max, 48, 32, 16));
    acre_quadtree_destroy(tree);
}

static void an_outlier_has_no_cell_and_endless_bounds(void)
{
    acre_quadtree *const tree = make_tree(64, 6, 4);
    const acre_aabb endless = {{-INFINITY, 0, 0}, {INFINITY, 1, 1}};
    const acre_aabb far_away = box_at(1e30f, 0, 1);
    CHECK(acre_quadtree_insert(tree, 3, &endless) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 4, &far_away) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 5, &(acre_aabb){{0, 0, 0}, {1, 1, 1}}) == ACRE_OK);
    for (uint32_t item = 3; item < 5; item++) {
        const acre_quadtree_place place = place_of(tree, item);
        CHECK(place.is_outlier && place.is_leaf && place.items == 2);
        CHECK(place.depth == 0 && place.level == 0);
        for (int axis = 0; axis < 2; axis++) {
            CHECK(isinf(place.cell_min[axis]) && place.cell_min[axis] < 0);
            CHECK(isinf(place.loose_max[axis]) && place.loose_max[axis] > 0);
        }
        CHECK(acre_aabb_contains(&place.bounds, item == 3 ? &endless : &far_away));
    }
    CHECK(!place_of(tree, 5).is_outlier && place_of(tree, 5).items == 1);
    acre_quadtree_destroy(tree);
}

static void what_is_not_there_is_not_found_and_the_answer_is_left_alone(void)
{
    acre_quadtree *const tree = make_tree(64, 6, 4);
    const acre_aabb box = box_at(1, 1, 1);
    acre_quadtree_place place, before;
    memset(&place, 0x5a, sizeof place);
    before = place;
    CHECK(acre_quadtree_insert(tree, 2, &box) == ACRE_OK);
    CHECK(acre_quadtree_locate(tree, 1, &place) == ACRE_ERROR_NOT_FOUND);
    CHECK(acre_quadtree_locate(tree, UINT32_MAX, &place) == ACRE_ERROR_NOT_FOUND);
    CHECK(acre_quadtree_locate(NULL, 2, &place) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_quadtree_locate(tree, 2, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_quadtree_remove(tree, 2) == ACRE_OK);
    CHECK(acre_quadtree_locate(tree, 2, &place) == ACRE_ERROR_NOT_FOUND);
    CHECK(memcmp(&place, &before, sizeof place) == 0);
    acre_quadtree_destroy(tree);
}

static bool same_cell(const acre_quadtree_place *a, const acre_quadtree_place *b)
{
    return a->is_outlier == b->is_outlier && a->level == b->level &&
           a->cell_min[0] == b->cell_min[0] && a->cell_min[1] == b->cell_min[1];
}

// What holds for each item alone: the lattice, and what lies in what.
static bool is_place(const acre_quadtree *tree, uint32_t item, const acre_quadtree_place *place)
{
    acre_aabb box;
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    bool ok = acre_quadtree_get_box(tree, item, &box) == ACRE_OK &&
              acre_aabb_contains(&place->bounds, &box);
    if (place->is_outlier) {
        return ok;
    }
    const float size = ldexpf(stats.cell_size, (int)place->level);
    ok = ok && place->depth <= stats.depth &&
         ldexpf(size, (int)place->depth) == stats.root_max[0] - stats.root_min[0];
    for (int axis = 0; axis < 2; axis++) {
        const float center = 0.5f * box.min[axis * 2] + 0.5f * box.max[axis * 2];
        const float steps = (place->cell_min[axis] - stats.root_min[axis]) / size;
        ok = ok && steps == floorf(steps) && place->cell_max[axis] == place->cell_min[axis] + size;
        ok = ok && center >= place->cell_min[axis] && center < place->cell_max[axis];
        ok = ok && box.max[axis * 2] - box.min[axis * 2] <= size;
        ok = ok && place->loose_min[axis] <= place->bounds.min[axis * 2] &&
             place->loose_max[axis] >= place->bounds.max[axis * 2];
        ok = ok && fabsf(place->cell_min[axis] - place->loose_min[axis] - 0.5f * size) < 1e-2f;
    }
    return ok;
}

// Every item's place, and that cells hold as many items as say that they stand there.
static void check_places(const acre_quadtree *tree)
{
    acre_quadtree_place *const places = malloc(ITEMS * sizeof *places);
    bool *const is_there = calloc(ITEMS, sizeof *is_there);
    CHECK(places && is_there);
    size_t wrong = 0;
    for (uint32_t item = 0; item < ITEMS; item++) {
        const acre_result result = acre_quadtree_locate(tree, item, &places[item]);
        is_there[item] = result == ACRE_OK;
        wrong += is_there[item] != acre_quadtree_contains(tree, item);
        wrong += is_there[item] && !is_place(tree, item, &places[item]);
    }
    for (uint32_t item = 0; item < ITEMS; item++) {
        size_t there = 0;
        for (uint32_t other = 0; is_there[item] && other < ITEMS; other++) {
            if (is_there[other] && same_cell(&places[item], &places[other])) {
                there++;
                wrong += places[other].is_leaf != places[item].is_leaf;
            }
        }
        wrong += is_there[item] && there != places[item].items;
    }
    CHECK(wrong == 0);
    free(places);
    free(is_there);
}

// Boxes on a grid of sixteenths, so that centers and extents are exact.
static acre_aabb random_box(test_random *random)
{
    const float x = (float)(int32_t)(random_below(random, 4096)) / 16.0f - 128.0f;
    const float z = (float)(int32_t)(random_below(random, 4096)) / 16.0f - 128.0f;
    const uint32_t width = random_below(random, 8) ? 8 : 400;
    return box_at(x, z, (float)(int32_t)(1 + random_below(random, width)) / 16.0f);
}

static void every_item_of_a_busy_tree_stands_where_the_rules_put_it(void)
{
    acre_quadtree *const tree = make_tree(64, 8, 16); // a quarter of the country: the root grows
    test_random random = {test_seed};
    uint32_t deepest = 0;
    for (uint32_t item = 0; item < ITEMS; item++) {
        const acre_aabb box = random_box(&random);
        CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
    }
    check_places(tree);
    for (uint32_t item = 0; item < ITEMS; item++) {
        const uint32_t depth = place_of(tree, item).depth;
        deepest = depth > deepest ? depth : deepest;
    }
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    CHECK(deepest == stats.depth && stats.grows > 0);
    for (uint32_t round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < ITEMS / 2; i++) {
            const uint32_t item = random_below(&random, ITEMS);
            const acre_aabb box = random_box(&random);
            if (acre_quadtree_refresh(tree, item, &box) != ACRE_OK) {
                CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
            } else if (i % 3 == 0) {
                CHECK(acre_quadtree_remove(tree, item) == ACRE_OK);
            }
        }
        check_places(tree);
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
    }
    acre_quadtree_destroy(tree);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_small_tree_is_as_drawn_on_paper),
        TEST(an_outlier_has_no_cell_and_endless_bounds),
        TEST(what_is_not_there_is_not_found_and_the_answer_is_left_alone),
        TEST(every_item_of_a_busy_tree_stands_where_the_rules_put_it),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
