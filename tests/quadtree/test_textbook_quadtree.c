// SPDX-License-Identifier: MIT
// test_textbook_quadtree.c - the textbook twin against brute force, and its own rules.
#include "box_generator.h"
#include "brute_force.h"
#include "test.h"
#include "textbook_quadtree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 150

static const char *validate_node(const textbook_quadtree *tree, const textbook_node *node)
{
    uint32_t count = 0;
    for (const textbook_item *item = node->first; item; item = item->next) {
        if (item->node != node || (item->next && item->next->previous != item)) {
            return "an item's links point elsewhere";
        }
        for (const textbook_node *up = node; up != tree->root; up = up->parent) {
            if (!textbook_node_holds(up, &item->box)) {
                return "an item is not held by its node or by an ancestor of it";
            }
        }
        for (int i = 0; i < 4 && node->children; i++) {
            if (textbook_node_holds(node->children + i, &item->box)) {
                return "an item is not as deep as it fits";
            }
        }
        count++;
    }
    return count == node->count ? NULL : "a node's count is wrong";
}

// NULL, or the rule that is broken.
static const char *validate(const textbook_quadtree *tree)
{
    size_t nodes = 0;
    size_t listed = 0;
    for (const textbook_node *node = tree->root; node; node = textbook_next(node)) {
        const char *const broken = validate_node(tree, node);
        if (broken) {
            return broken;
        }
        nodes++;
        listed += node->count;
    }
    size_t placed = 0;
    for (uint32_t i = 0; i < tree->item_capacity; i++) {
        placed += tree->items[i].node != NULL;
    }
    return nodes != tree->node_count ? "the number of nodes is wrong"
           : placed != listed        ? "an item is in no list"
                                     : NULL;
}

static bool same_sets(uint32_t *found, size_t count, const uint32_t *expected,
                      size_t expected_count)
{
    sort_numbers(found, count);
    return count == expected_count && memcmp(found, expected, count * sizeof *found) == 0;
}

static bool queries_agree(const textbook_quadtree *tree, const brute_force *oracle,
                          test_random *random, const box_world *world)
{
    uint32_t found[ITEMS], expected[ITEMS];
    const acre_frustum frustum = frustum_any(random, world);
    size_t count = textbook_query_frustum(tree, &frustum, found, ITEMS);
    size_t expected_count = brute_force_query_frustum(oracle, &frustum, 0, expected);
    if (!same_sets(found, count, expected, expected_count)) {
        return false;
    }
    const acre_aabb box = box_any(random, world);
    count = textbook_query_aabb(tree, &box, found, ITEMS);
    expected_count = brute_force_query_aabb(oracle, &box, 0, expected);
    return same_sets(found, count, expected, expected_count);
}

// One random operation on both; false if they answer differently.
static bool edit_both(textbook_quadtree *tree, brute_force *oracle, test_random *random,
                      const box_world *world)
{
    const uint32_t item = random_below(random, ITEMS + 1);
    const uint32_t choice = random_below(random, 8);
    acre_aabb box = box_valid(random, world);
    if (choice < 3) {
        return textbook_insert(tree, item, &box) ==
               (brute_force_insert(oracle, item, &box) == ACRE_OK);
    }
    if (choice < 6) {
        if (item < ITEMS && oracle->present[item] && random_below(random, 2)) {
            box = box_moved(random, world, &oracle->boxes[item]);
        }
        return textbook_refresh(tree, item, &box) ==
               (brute_force_refresh(oracle, item, &box) == ACRE_OK);
    }
    return textbook_remove(tree, item) == (brute_force_remove(oracle, item) == ACRE_OK);
}

static bool stream_agrees(const textbook_def *def, const box_world *world, uint64_t seed,
                          uint32_t length)
{
    test_random random = {seed};
    textbook_quadtree *const tree = textbook_create(def, ITEMS);
    brute_force oracle;
    bool agrees = tree != NULL && brute_force_init(&oracle, ITEMS);
    for (uint32_t i = 0; agrees && i < length; i++) {
        agrees = edit_both(tree, &oracle, &random, world);
        if (i % 8 == 0) {
            agrees = agrees && !validate(tree) && queries_agree(tree, &oracle, &random, world);
        }
    }
    for (uint32_t item = 0; agrees && item < ITEMS; item++) {
        textbook_remove(tree, item);
    }
    agrees = agrees && tree->node_count == 1; // all collapsed
    brute_force_free(&oracle);
    textbook_destroy(tree);
    return agrees;
}

static void random_streams_give_the_sets_of_brute_force(void)
{
    static const struct {
        textbook_def def;
        float cell;
    } worlds[] = {
        {{{0, 0}, 64, 6, 4}, 2.0f},        {{{0, 0}, 1, 3, 1}, 0.25f},
        {{{1000, -3}, 500, 14, 16}, 1.0f}, {{{1e6f, 1e6f}, 100, 10, 2}, 0.5f},
        {{{1e9f, 0}, 10, 20, 1}, 64.0f},   {{{0, 0}, 1e-38f, 8, 1}, 1e-40f},
        {{{0, 0}, 3e38f, 8, 1}, 1e36f},
    };
    for (uint32_t i = 0; i < 7 * 10 * test_scale; i++) {
        const textbook_def def = worlds[i % 7].def;
        const box_world world = {{def.center[0], def.center[1]}, def.half_size, worlds[i % 7].cell};
        CHECK(stream_agrees(&def, &world, test_seed * 1000 + i, 2000));
    }
}

// Its rounded center is 2 and its size at most that of the cell [2, 4), yet it begins 6e-8 outside
// the loose bounds [1, 5].
static void a_box_that_rounding_puts_outside_the_loose_border_is_found(void)
{
    textbook_quadtree *const tree = textbook_create(&(textbook_def){{0, 0}, 8, 3, 1}, 4);
    const acre_aabb box = {{0.99999994f, 0, 2}, {3, 1, 3}};
    const acre_aabb other = {{2.4f, 0, 2.4f}, {2.6f, 1, 2.6f}};
    CHECK(textbook_insert(tree, 0, &box) && textbook_insert(tree, 1, &other));
    CHECK(textbook_insert(tree, 2, &other) && validate(tree) == NULL);
    const acre_aabb beside = {{0.9f, 0, 2.5f}, {0.99999994f, 1, 2.5f}};
    uint32_t found[4];
    CHECK(textbook_query_aabb(tree, &beside, found, 4) == 1 && found[0] == 0);
    textbook_destroy(tree);
}

static void an_item_goes_down_to_the_cell_of_its_center_and_size(void)
{
    textbook_quadtree *const tree = textbook_create(&(textbook_def){{0, 0}, 8, 3, 1}, 4);
    const acre_aabb small = {{2.1f, 0, 2.1f}, {2.3f, 1, 2.3f}};
    const acre_aabb large = {{0.5f, 0, 0.5f}, {4, 1, 4}}; // 3.5: a cell of 4, not of 2
    const acre_aabb huge = {{-20, 0, -20}, {20, 1, 20}};
    const acre_aabb infinite = {{-INFINITY, 0, 0}, {1, INFINITY, 1}};
    CHECK(textbook_insert(tree, 0, &small) && textbook_insert(tree, 1, &large));
    CHECK(textbook_insert(tree, 2, &huge) && textbook_insert(tree, 3, &infinite));
    CHECK(tree->items[0].node->depth == 3 && tree->items[1].node->depth == 2);
    CHECK(tree->items[2].node == tree->root && tree->items[3].node == tree->root);
    CHECK(textbook_refresh(tree, 2, &small) && tree->items[2].node == tree->items[0].node);
    CHECK(validate(tree) == NULL);
    textbook_destroy(tree);
}

static void coincident_items_split_no_deeper_than_max_depth(void)
{
    textbook_quadtree *const tree = textbook_create(&(textbook_def){{0, 0}, 8, 5, 1}, ITEMS);
    const acre_aabb box = {{1, 0, 1}, {1, 0, 1}};
    for (uint32_t i = 0; i < ITEMS; i++) {
        CHECK(textbook_insert(tree, i, &box));
    }
    CHECK(tree->node_count == 1 + 4 * 5 && tree->items[0].node->count == ITEMS);
    CHECK(textbook_query_aabb(tree, &box, NULL, 0) == ITEMS);
    textbook_destroy(tree);
}

static void an_item_that_goes_to_and_fro_does_not_split_and_collapse(void)
{
    textbook_quadtree *const tree = textbook_create(&(textbook_def){{0, 0}, 8, 5, 4}, ITEMS);
    for (uint32_t i = 0; i < 5; i++) {
        const float x = 1.0f + 0.01f * (float)i;
        CHECK(textbook_insert(tree, i, &(acre_aabb){{x, 0, 1}, {x, 0, 1}}));
    }
    const size_t nodes = tree->node_count;
    for (int step = 0; step < 100; step++) {
        const float x = step & 1 ? 1.0f : -1.0f;
        CHECK(textbook_refresh(tree, 0, &(acre_aabb){{x, 0, 1}, {x, 0, 1}}));
        CHECK(tree->node_count == nodes);
    }
    textbook_destroy(tree);
}

// The oracle of exact queries: proves the overlaps that are there, and none that is not.
static void overlap_proofs_hold_in_known_cases(void)
{
    const float eye[3] = {0, 1, 0}, target[3] = {0, 1, -10};
    const acre_frustum camera = frustum_camera(eye, target, 0.5f, 0.5f, 0.1f, 100);
    const acre_aabb around = {{-1000, -1000, -1000}, {1000, 1000, 1000}};
    const acre_aabb ahead = {{-1, 0, -11}, {1, 2, -10}};
    const acre_aabb behind = {{-1, 0, 10}, {1, 2, 11}};
    // Beside the far corner: each plane alone lets it pass, and yet it is outside.
    const acre_aabb aside = {{60, -500, -200}, {500, 500, -80}};
    CHECK(brute_force_proves_overlap(&camera, &around, 1e-3));
    CHECK(brute_force_proves_overlap(&camera, &ahead, 1e-3));
    CHECK(!brute_force_proves_overlap(&camera, &behind, 1e-3));
    CHECK(acre_frustum_test_aabb(&camera, &aside));
    CHECK(!brute_force_proves_overlap(&camera, &aside, 1e-3));
}

// What the streams rest on: every kind comes out as its name says, the ties are ties.
static void generated_boxes_have_the_properties_of_their_kind(void)
{
    test_random random = {test_seed};
    const box_world world = {{0, 0}, 64, 2};
    size_t exact_lines = 0;
    size_t beside_lines = 0;
    for (int i = 0; i < 20000; i++) {
        const box_kind kind = (box_kind)(i % BOX_KIND_COUNT);
        const acre_aabb box = box_of_kind(&random, &world, kind);
        CHECK(acre_aabb_is_valid(&box) == (kind != BOX_INVALID));
        if (kind == BOX_CELL_TIE) {
            const float rest = fabsf(remainderf(box.min[0], 0.25f));
            exact_lines += rest == 0.0f;
            beside_lines += rest > 0.0f && rest < 1e-4f;
        }
        const acre_aabb moved = box_moved(&random, &world, &box);
        CHECK(kind == BOX_INVALID || acre_aabb_is_valid(&moved));
    }
    CHECK(exact_lines > 500 && beside_lines > 200);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(random_streams_give_the_sets_of_brute_force),
        TEST(a_box_that_rounding_puts_outside_the_loose_border_is_found),
        TEST(an_item_goes_down_to_the_cell_of_its_center_and_size),
        TEST(coincident_items_split_no_deeper_than_max_depth),
        TEST(an_item_that_goes_to_and_fro_does_not_split_and_collapse),
        TEST(overlap_proofs_hold_in_known_cases),
        TEST(generated_boxes_have_the_properties_of_their_kind),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
