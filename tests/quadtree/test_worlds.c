// SPDX-License-Identifier: MIT
// test_worlds.c - trees of every kernel in worlds as they come answer as the test of each box
// alone: filled one by one or at once, moved, maintained and optimized.
#include "test.h"
#include "worlds.h"

#include <acre/quadtree.h>

#include <stdlib.h>
#include <string.h>

enum { BOXES = 3000, VIEWS = 3 };

static uint32_t items[BOXES], found[BOXES + 64];

// Whether all views of a world find what a loop finds.
static bool sets_agree(const country *land, const acre_quadtree *tree)
{
    bool is_good = true;
    for (int kind = 0; kind < VIEW_KIND_COUNT_ && is_good; kind++) {
        for (uint32_t i = 0; i < land->view_count && is_good; i++) {
            const acre_frustum *const frustum = &land->views[kind][i].frustum;
            const acre_query query = {
                .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = frustum, .flags = ACRE_QUERY_SORTED};
            size_t total = 0, expected = 0;
            is_good = acre_quadtree_query(tree, &query, found, BOXES, &total) == ACRE_OK;
            for (uint32_t item = 0; item < land->count && is_good; item++) {
                if (acre_frustum_test_aabb(frustum, &land->boxes[item])) {
                    is_good = expected < total && found[expected++] == item;
                }
            }
            is_good = is_good && expected == total;
        }
    }
    char message[200];
    const bool is_valid = acre_quadtree_validate(tree, message, sizeof message) == ACRE_OK;
    if (!is_valid) {
        printf("     %s\n", message);
    }
    return is_good && is_valid;
}

// Some boxes change height and place, all of them, or none.
static void move_boxes(country *land, test_random *random, uint32_t stride)
{
    for (uint32_t item = random_below(random, stride); item < land->count; item += stride) {
        for (int axis = 0; axis < 3; axis++) {
            const float step = random_float(random, -20, 20);
            land->boxes[item].min[axis] += step;
            land->boxes[item].max[axis] += step;
        }
    }
}

// A life of one tree. @return whether every state agreed.
static bool live(country *land, acre_kernel kernel, test_random *random)
{
    const acre_quadtree_def def = {.half_size = land->half_size, .kernel = kernel};
    acre_quadtree *tree = NULL;
    bool is_good = acre_quadtree_create(&def, &tree) == ACRE_OK;
    const uint32_t half = random_below(random, 2) ? 0 : BOXES / 2;
    for (uint32_t item = 0; item < half && is_good; item++) {
        is_good = acre_quadtree_insert(tree, item, &land->boxes[item]) == ACRE_OK;
    }
    is_good = is_good &&
              acre_quadtree_insert_many(tree, items + half, land->boxes + half, BOXES - half) ==
                  ACRE_OK &&
              sets_agree(land, tree);
    for (uint32_t frame = 0; frame < 6 && is_good; frame++) {
        move_boxes(land, random, frame % 2 ? 1 : 7);
        is_good = acre_quadtree_refresh_all(tree, land->boxes, BOXES) == ACRE_OK &&
                  sets_agree(land, tree) && acre_quadtree_maintain(tree) == ACRE_OK &&
                  sets_agree(land, tree);
    }
    is_good = is_good && acre_quadtree_optimize(tree) == ACRE_OK && sets_agree(land, tree);
    acre_quadtree_destroy(tree);
    return is_good;
}

static void trees_in_worlds_as_they_come_find_what_is_there(void)
{
    test_random random = {test_seed};
    for (uint32_t item = 0; item < BOXES; item++) {
        items[item] = item;
    }
    for (int kind = 0; kind < WORLD_KIND_COUNT_; kind++) {
        for (uint32_t kernel = ACRE_KERNEL_SCALAR; kernel < ACRE_KERNEL_COUNT_; kernel++) {
            acre_quadtree *probe = NULL;
            const acre_quadtree_def def = {.kernel = (acre_kernel)kernel};
            const bool is_there = acre_quadtree_create(&def, &probe) == ACRE_OK;
            acre_quadtree_destroy(probe);
            country land;
            CHECK(world_create(&land, (world_kind)kind, BOXES, VIEWS));
            const bool is_good = !is_there || live(&land, (acre_kernel)kernel, &random);
            country_free(&land);
            if (!is_good) {
                printf("     %s, kernel %u\n", world_name((world_kind)kind), (unsigned)kernel);
            }
            CHECK(is_good);
        }
    }
}

static void worlds_are_what_their_names_say(void)
{
    const struct {
        world_kind kind;
        float least_height, most_height; // of the highest box
        float least_distance;            // of the nearest box from the origin, x or z
    } expected[] = {{WORLD_STOREYS_5, 12, 15, 0}, {WORLD_STOREYS_500, 1400, 1503, 0},
                    {WORLD_TOWERS, 100, 303, 0},  {WORLD_AEROPLANES_5, 5000, 11012, 0},
                    {WORLD_UTM, 10, 400, 500000}, {WORLD_MERCATOR, 10, 400, 4000000},
                    {WORLD_STRAYS, 10, 400, 0}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        country land;
        CHECK(world_create(&land, expected[i].kind, BOXES, VIEWS));
        float top = 0.0f, nearest = 1e30f, lowest = 0.0f;
        size_t seen = 0;
        for (uint32_t item = 0; item < BOXES; item++) {
            const acre_aabb *const box = &land.boxes[item];
            const float x = box->min[0] < 0 ? -box->min[0] : box->min[0];
            const float z = box->min[2] < 0 ? -box->min[2] : box->min[2];
            top = box->max[1] > top ? box->max[1] : top;
            lowest = box->min[1] < lowest ? box->min[1] : lowest;
            nearest = x < nearest ? x : nearest;
            nearest = z < nearest ? z : nearest;
            seen += acre_frustum_test_aabb(&land.views[VIEW_WHOLE][0].frustum, box);
        }
        CHECK(top >= expected[i].least_height && top <= expected[i].most_height);
        CHECK(nearest >= expected[i].least_distance && lowest == 0.0f);
        CHECK(seen >= BOXES - 64); // all but strays
        country_free(&land);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(trees_in_worlds_as_they_come_find_what_is_there),
        TEST(worlds_are_what_their_names_say),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
