// SPDX-License-Identifier: MIT
// test_quadtree_bands.c - bands of height: when a cell gets them, who goes into which, and that
// they only save work.
#include "box_generator.h"
#include "brute_force.h"
#include "quadtree_internal.h"
#include "quadtree_items_shared.h"
#include "tall_world.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS = 20000 };

static acre_aabb boxes[ITEMS];
static uint32_t numbers[ITEMS], found[ITEMS], expected[ITEMS];

static const tall_world worlds[] = {
    {TALL_STOREYS, 30, 20, 0},        {TALL_STOREYS, 30, 500, 0}, {TALL_TOWERS, 500, 100, 0.5f},
    {TALL_AEROPLANES, 500, 1, 0.05f}, {TALL_CAVES, 500, 1, 0.4f},
};
enum { WORLDS = sizeof worlds / sizeof worlds[0] };

static void draw_boxes(const tall_world *world, uint64_t seed)
{
    for (uint32_t item = 0; item < ITEMS; item++) {
        boxes[item] = tall_world_box(world, &seed);
        numbers[item] = item;
    }
}

typedef enum making { MADE_ONE_BY_ONE, MADE_AT_ONCE, MADE_BOTH_WAYS, MAKINGS } making;

// A tree of all boxes; NULL if something fails.
static acre_quadtree *make_tree(float half_size, making how)
{
    const acre_quadtree_def def = {.half_size = half_size};
    acre_quadtree *tree = NULL;
    bool ok = acre_quadtree_create(&def, &tree) == ACRE_OK;
    const uint32_t first = how == MADE_AT_ONCE ? 0 : how == MADE_ONE_BY_ONE ? ITEMS : ITEMS / 3;
    for (uint32_t item = 0; item < first && ok; item++) {
        ok = acre_quadtree_insert(tree, item, &boxes[item]) == ACRE_OK;
    }
    ok = ok &&
         acre_quadtree_insert_many(tree, numbers + first, boxes + first, ITEMS - first) == ACRE_OK;
    ok = ok && acre_quadtree_tighten(tree) == ACRE_OK &&
         acre_quadtree_validate(tree, NULL, 0) == ACRE_OK;
    if (!ok) {
        acre_quadtree_destroy(tree);
        return NULL;
    }
    return tree;
}

static size_t bands_of(const acre_quadtree *tree)
{
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    return stats.bands;
}

// ---- the rule ----

static void bands_are_as_thin_as_four_can_be_and_hold_all_centers(void)
{
    test_random random = {test_seed};
    for (uint32_t round = 0; round < 200000 * test_scale; round++) {
        const float scale = ldexpf(1.0f, (int)random_below(&random, 200) - 100);
        const float low = random_float(&random, -1.0f, 1.0f) * scale;
        const float span = random_float(&random, 0.0f, 4.0f) * scale;
        const float high = low + span, width = random_float(&random, 0.0f, 2.0f) * scale;
        height_bands bands = {NAN, NAN};
        const bool has_bands = acre_bands_create(&bands, low, high, width);
        CHECK(has_bands == ((double)high - (double)low > (double)width));
        if (!has_bands) {
            continue;
        }
        int exponent;
        CHECK(frexpf(bands.height, &exponent) == 0.5f);
        CHECK(fmodf(bands.base, bands.height) == 0.0f);
        CHECK(bands.base <= low && low < band_low(&bands, 1) && band_of(&bands, low) == 0);
        CHECK(high < bands.base + 4.0f * bands.height && band_of(&bands, high) > 0);
        // With bands half as high, five would be needed.
        const float half = 0.5f * bands.height;
        CHECK(floorf(high / half) - floorf(low / half) > 3.0f);
    }
    height_bands bands;
    CHECK(!acre_bands_create(&bands, 0.0f, 0.0f, 0.0f));
    CHECK(!acre_bands_create(&bands, -FLT_MAX, FLT_MAX, 1.0f)); // no float is their base
    CHECK(acre_bands_create(&bands, 0.0f, 1.0f, 0.99f) && !acre_bands_create(&bands, 0, 1, 1));
}

static void worlds_with_heights_get_bands_however_they_are_made(void)
{
    for (uint32_t w = 0; w < WORLDS; w++) {
        draw_boxes(&worlds[w], test_seed + w);
        for (int how = 0; how < MAKINGS; how++) {
            acre_quadtree *const tree = make_tree(worlds[w].half_size, (making)how);
            CHECK(tree != NULL && bands_of(tree) > 0 && bands_of(tree) % 4 == 0);
            CHECK(acre_quadtree_optimize(tree) == ACRE_OK && bands_of(tree) > 0);
            CHECK(acre_quadtree_remove_many(tree, numbers, ITEMS) == ACRE_OK);
            CHECK(bands_of(tree) == 0 && acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);
            acre_quadtree_destroy(tree);
        }
    }
}

static void a_flat_town_gets_no_band(void)
{
    const tall_world town = {.kind = TALL_TOWERS, .half_size = 500, .storeys = 1};
    draw_boxes(&town, test_seed);
    for (int how = 0; how < MAKINGS; how++) {
        acre_quadtree *const tree = make_tree(town.half_size, (making)how);
        CHECK(tree != NULL && bands_of(tree) == 0);
        acre_quadtree_destroy(tree);
    }
}

// ---- what they are for ----

static const acre_frustum *views_of(const tall_world *world, uint32_t *count)
{
    static acre_frustum views[4];
    const float side = world->half_size;
    const float eye[3] = {-0.8f * side, 1.7f, 0.0f}, ahead[3] = {side, 1.7f, 0.1f * side};
    const float high[3] = {0.0f, 400.0f, 0.0f}, below[3] = {0.1f, 0.0f, 0.1f};
    const float middle[3] = {0.5f * side, 40.0f, 0.0f}, across[3] = {-side, 35.0f, side};
    views[0] = frustum_camera(eye, ahead, 1.0f, 0.6f, 0.1f, 1000.0f);
    views[1] = frustum_camera(high, below, 0.5f, 0.5f, 1.0f, 380.0f);
    views[2] = frustum_camera(middle, across, 1.0f, 0.6f, 0.1f, 2000.0f);
    views[3] = frustum_camera(high, below, 0.05f, 0.05f, 1.0f, 10.0f);
    *count = 4;
    return views;
}

// What is tested one by one to answer a view; SIZE_MAX if the answer is not that of brute force.
static size_t work_of_view(const acre_quadtree *tree, const acre_frustum *view)
{
    const brute_force oracle = {.boxes = boxes, .capacity = ITEMS, .count = ITEMS};
    acre_query_stats stats;
    size_t total = 0, wanted = 0;
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM,
                              .frustum = view,
                              .flags = ACRE_QUERY_SORTED,
                              .stats = &stats};
    if (acre_quadtree_query(tree, &query, found, ITEMS, &total) != ACRE_OK) {
        return SIZE_MAX;
    }
    for (uint32_t item = 0; item < oracle.capacity; item++) {
        if (acre_frustum_test_aabb(view, &oracle.boxes[item])) {
            expected[wanted++] = item;
        }
    }
    const bool is_same = total == wanted && memcmp(found, expected, total * sizeof *found) == 0;
    return is_same ? stats.items_tested : SIZE_MAX;
}

static void views_of_stacked_things_test_few_of_those_that_they_do_not_show(void)
{
    for (uint32_t w = 0; w < WORLDS; w++) {
        draw_boxes(&worlds[w], test_seed + w);
        for (int how = 0; how < MAKINGS; how++) {
            acre_quadtree *const tree = make_tree(worlds[w].half_size, (making)how);
            CHECK(tree != NULL);
            uint32_t count;
            const acre_frustum *const views = views_of(&worlds[w], &count);
            for (uint32_t view = 0; view < count; view++) {
                const size_t work = work_of_view(tree, &views[view]);
                CHECK(work < ITEMS / 3);
            }
            // Ten meters below a high eye there is nothing of these worlds but storeys.
            CHECK(work_of_view(tree, &views[3]) < ITEMS / 20);
            acre_quadtree_destroy(tree);
        }
    }
}

// ---- moving up and down ----

static acre_aabb raised(acre_aabb box, float step)
{
    box.min[1] += step;
    box.max[1] += step;
    return box;
}

// The number of items whose center is outside the band that they stand in.
static uint32_t count_strays(const acre_quadtree *tree)
{
    uint32_t strays = 0;
    for (uint32_t item = 0; item < ITEMS; item++) {
        acre_quadtree_place place;
        if (acre_quadtree_locate(tree, item, &place) != ACRE_OK) {
            return UINT32_MAX;
        }
        const float center = 0.5f * boxes[item].min[1] + 0.5f * boxes[item].max[1];
        strays += center < place.band_low || center >= place.band_end;
    }
    return strays;
}

// Lifts every third item, by one of the ways to refresh.
static bool lift(acre_quadtree *tree, uint32_t way, float step)
{
    bool ok = true;
    for (uint32_t item = 0; item < ITEMS; item += 3) {
        boxes[item] = raised(boxes[item], item % 2 ? step : -step);
        ok = ok && (way != 0 || acre_quadtree_refresh(tree, item, &boxes[item]) == ACRE_OK);
    }
    if (way == 1) {
        ok = acre_quadtree_refresh_many(tree, numbers, boxes, ITEMS) == ACRE_OK;
    } else if (way == 2) {
        ok = acre_quadtree_refresh_all(tree, boxes, ITEMS) == ACRE_OK;
    }
    return ok && acre_quadtree_validate(tree, NULL, 0) == ACRE_OK;
}

static void items_that_rise_keep_their_band_until_upkeep(void)
{
    for (uint32_t way = 0; way < 3; way++) {
        draw_boxes(&worlds[1], test_seed);
        acre_quadtree *const tree = make_tree(30, MADE_AT_ONCE);
        CHECK(tree != NULL && count_strays(tree) == 0);
        acre_quadtree_stats before, after;
        acre_quadtree_get_stats(tree, &before);
        CHECK(lift(tree, way, 100.0f));
        acre_quadtree_get_stats(tree, &after);
        CHECK(after.moves == before.moves && count_strays(tree) > ITEMS / 8);
        for (int round = 0; round < 3; round++) { // some go into nodes that were visited already
            CHECK(acre_quadtree_maintain_budget(tree, SIZE_MAX) == ACRE_OK);
            CHECK(acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);
        }
        CHECK(count_strays(tree) < ITEMS / 100); // a node may be left that is hardly wider
        CHECK(lift(tree, way, 100.0f) && count_strays(tree) > ITEMS / 8);
        CHECK(acre_quadtree_tighten(tree) == ACRE_OK && count_strays(tree) == 0);
        CHECK(acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);
        acre_quadtree_destroy(tree);
    }
}

static void answers_stay_right_while_everything_rises_and_falls(void)
{
    test_random random = {test_seed};
    for (uint32_t w = 0; w < WORLDS; w++) {
        draw_boxes(&worlds[w], test_seed + w);
        acre_quadtree *const tree = make_tree(worlds[w].half_size, MADE_BOTH_WAYS);
        CHECK(tree != NULL);
        uint32_t count;
        const acre_frustum *const views = views_of(&worlds[w], &count);
        for (uint32_t frame = 0; frame < 12; frame++) {
            CHECK(lift(tree, random_below(&random, 3), random_float(&random, 0.0f, 60.0f)));
            CHECK(frame % 2 || acre_quadtree_maintain(tree) == ACRE_OK);
            for (uint32_t view = 0; view < count; view++) {
                CHECK(work_of_view(tree, &views[view]) != SIZE_MAX);
            }
        }
        acre_quadtree_destroy(tree);
    }
}

// ---- roots ----

static void roots_with_bands_grow(void)
{
    draw_boxes(&worlds[1], test_seed);
    acre_quadtree *const tree = make_tree(30, MADE_AT_ONCE);
    CHECK(tree != NULL && is_banded(tree, node_child(tree, ROOT_NODE)));
    const acre_aabb far_away = {{5000, 0, -7000}, {5001, 1, -6999}};
    CHECK(acre_quadtree_remove(tree, 0) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 0, &far_away) == ACRE_OK);
    CHECK(!is_banded(tree, node_child(tree, ROOT_NODE)) && tree->banded_quads > 0);
    CHECK(acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);
    CHECK(acre_quadtree_remove(tree, 0) == ACRE_OK);
    for (int frame = 0; frame < 400; frame++) {
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
    }
    CHECK(is_banded(tree, node_child(tree, ROOT_NODE))); // it shrank back to the same root
    CHECK(acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);
    acre_quadtree_destroy(tree);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(bands_are_as_thin_as_four_can_be_and_hold_all_centers),
        TEST(worlds_with_heights_get_bands_however_they_are_made),
        TEST(a_flat_town_gets_no_band),
        TEST(views_of_stacked_things_test_few_of_those_that_they_do_not_show),
        TEST(items_that_rise_keep_their_band_until_upkeep),
        TEST(answers_stay_right_while_everything_rises_and_falls),
        TEST(roots_with_bands_grow),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
