// SPDX-License-Identifier: MIT
// test_quadtree_spans.c - a span query's spans, put together, are what the copying query answers.
#include "box_generator.h"
#include "quadtree_internal.h"
#include "span_room.h"
#include "test.h"

#include <math.h>
#include <string.h>

enum { ITEMS = 3000 };

static const box_world world = {{0, 0}, 256, 0.5f};

static acre_quadtree *full_tree(test_random *random, uint32_t node_capacity)
{
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = 256.0f, .node_capacity = node_capacity};
    if (acre_quadtree_create(&def, &tree) != ACRE_OK) {
        return NULL;
    }
    for (uint32_t item = 0; item < ITEMS; item++) {
        const acre_aabb box = box_valid(random, &world);
        ACRE_IGNORE(acre_quadtree_insert(tree, item, &box));
    }
    return tree;
}

static void random_query(test_random *random, acre_frustum *frustum, acre_aabb *box,
                         acre_query *query)
{
    *frustum = frustum_valid(random, &world);
    *box = box_valid(random, &world);
    const bool is_box = random_below(random, 3) == 0;
    *query = (acre_query){.shape = is_box ? ACRE_QUERY_SHAPE_AABB : ACRE_QUERY_SHAPE_FRUSTUM,
                          .frustum = frustum,
                          .box = box,
                          .flags = random_below(random, 4) ? 0 : ACRE_QUERY_EXACT};
}

static void check_equal(test_random *random, const acre_quadtree *tree, uint32_t layers)
{
    static uint32_t copied[ITEMS], expected[ITEMS], joined[ITEMS];
    static acre_item_span spans[ITEMS];
    acre_frustum frustum;
    acre_aabb box;
    acre_query query;
    acre_span_totals totals;
    acre_query_stats stats = {0}, expected_stats = {0};
    size_t count = 0;
    random_query(random, &frustum, &box, &query);
    query.layers = layers;
    query.stats = &expected_stats;
    CHECK(acre_quadtree_query(tree, &query, expected, ITEMS, &count) == ACRE_OK);
    query.stats = &stats;
    CHECK(acre_quadtree_query_spans(tree, &query, spans, ITEMS, copied, ITEMS, &totals) == ACRE_OK);
    CHECK(totals.items == count && totals.copied <= count && totals.spans <= ITEMS);
    CHECK(join_spans(spans, totals.spans, joined, ITEMS) == count);
    CHECK(memcmp(joined, expected, count * sizeof *joined) == 0);
    CHECK(memcmp(&stats, &expected_stats, sizeof stats) == 0);
    size_t in_tree = 0, in_array = 0;
    for (size_t i = 0; i < totals.spans; i++) {
        if (is_copied_span(&spans[i], copied, ITEMS)) {
            CHECK(spans[i].items == copied + in_array);
            CHECK(i == 0 || !is_copied_span(&spans[i - 1], copied, ITEMS)); // else they are one
            in_array += spans[i].count;
        } else {
            in_tree++;
        }
    }
    CHECK(in_array == totals.copied && in_tree <= tree->live_blocks);
    CHECK(in_tree == 0 || !layers || !tree->layers);
}

static void spans_put_together_are_the_copying_querys_answer(void)
{
    test_random random = {test_seed};
    for (uint32_t node_capacity = 4; node_capacity <= 256; node_capacity *= 8) {
        acre_quadtree *const tree = full_tree(&random, node_capacity);
        CHECK(tree);
        for (uint32_t round = 0; round < 300 * test_scale; round++) {
            check_equal(&random, tree, 0);
        }
        for (uint32_t item = 0; item < ITEMS; item += 3) {
            CHECK(acre_quadtree_set_layers(tree, item, 1u << random_below(&random, 4)) == ACRE_OK);
        }
        for (uint32_t round = 0; round < 100 * test_scale; round++) {
            check_equal(&random, tree, random_below(&random, 16));
        }
        acre_quadtree_destroy(tree);
    }
}

static void what_is_wholly_in_view_is_not_copied(void)
{
    test_random random = {test_seed};
    acre_quadtree *const tree = full_tree(&random, 192);
    CHECK(tree);
    acre_item_span spans[ITEMS];
    acre_span_totals totals;
    const acre_frustum everything = {.plane_count = 0};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &everything};
    CHECK(acre_quadtree_query_spans(tree, &query, spans, ITEMS, NULL, 0, &totals) == ACRE_OK);
    CHECK(totals.items == ITEMS && totals.copied == 0 && totals.spans < ITEMS / 10);
    acre_quadtree_destroy(tree);
}

static uint32_t count_chains(const acre_quadtree *tree)
{
    uint32_t chains = 0;
    for (uint32_t q = 0; q < tree->quad_count; q++) {
        for (uint32_t slot = 0; slot < 4; slot++) {
            chains += tree->cold[q].level != NONE && tree->quads[q].items[slot];
        }
    }
    return chains;
}

static size_t count_spans(const acre_quadtree *tree)
{
    const acre_frustum everything = {.plane_count = 0};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &everything};
    acre_span_totals totals = {0};
    return acre_quadtree_query_spans(tree, &query, NULL, 0, NULL, 0, &totals) == ACRE_OK
               ? totals.spans
               : SIZE_MAX;
}

// A build writes a cell's items in a row, however many they are; what edits leave of that is
// answered by both queries in the same order.
static void a_fresh_build_has_a_span_a_cell(void)
{
    test_random random = {test_seed};
    for (uint32_t node_capacity = 16; node_capacity <= 1024; node_capacity *= 8) {
        acre_quadtree *const tree = full_tree(&random, node_capacity);
        CHECK(tree);
        for (uint32_t round = 0; round < 20 * test_scale; round++) {
            CHECK(acre_quadtree_optimize(tree) == ACRE_OK);
            CHECK(count_spans(tree) == count_chains(tree));
            for (uint32_t edits = 1 + random_below(&random, ITEMS / 4); edits > 0; edits--) {
                const uint32_t item = random_below(&random, ITEMS);
                const acre_aabb box = box_valid(&random, &world);
                if (acre_quadtree_remove(tree, item) != ACRE_OK) {
                    CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
                }
            }
            check_equal(&random, tree, 0);
            if (random_below(&random, 2)) {
                CHECK(acre_quadtree_trim(tree) == ACRE_OK);
            }
            CHECK(acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);
            for (uint32_t queries = 0; queries < 10; queries++) {
                check_equal(&random, tree, 0);
            }
        }
        acre_quadtree_destroy(tree);
    }
}

static void so_has_a_build_of_many(void)
{
    static uint32_t items[ITEMS];
    static acre_aabb boxes[ITEMS];
    test_random random = {test_seed};
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = 256.0f};
    CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
    for (uint32_t item = 0; item < ITEMS; item++) {
        items[item] = item;
        boxes[item] = box_valid(&random, &world);
    }
    CHECK(acre_quadtree_insert_many(tree, items, boxes, ITEMS) == ACRE_OK);
    CHECK(count_spans(tree) == count_chains(tree));
    acre_quadtree_destroy(tree);
}

// Too little room: the totals are those of enough room, what finds room is there, and nothing is
// written beyond it.
static void totals_do_not_depend_on_room(void)
{
    static uint32_t copied[ITEMS], expected[ITEMS];
    static acre_item_span spans[ITEMS], whole[ITEMS];
    test_random random = {test_seed};
    acre_quadtree *const tree = full_tree(&random, 16);
    CHECK(tree);
    for (uint32_t round = 0; round < 400 * test_scale; round++) {
        acre_frustum frustum;
        acre_aabb box;
        acre_query query;
        acre_span_totals enough, little;
        random_query(&random, &frustum, &box, &query);
        query.layers = round % 4 == 0 ? 1u << random_below(&random, 4) : 0;
        CHECK(acre_quadtree_query_spans(tree, &query, whole, ITEMS, copied, ITEMS, &enough) ==
              ACRE_OK);
        const size_t span_room = random_below(&random, (uint32_t)enough.spans + 2);
        const size_t room = random_below(&random, (uint32_t)enough.copied + 2);
        memcpy(expected, copied, enough.copied * sizeof *expected);
        memset(spans, 0xaa, sizeof spans);
        memset(copied, 0xaa, sizeof copied);
        CHECK(acre_quadtree_query_spans(tree, &query, spans, span_room, copied, room, &little) ==
              ACRE_OK);
        CHECK(memcmp(&little, &enough, sizeof little) == 0);
        const size_t kept = room < enough.copied ? room : enough.copied;
        CHECK(memcmp(copied, expected, kept * sizeof *copied) == 0);
        for (size_t i = 0; i < span_room && i < enough.spans; i++) {
            CHECK(is_span_within(&spans[i], &whole[i], copied, enough.copied, room));
        }
        for (size_t i = span_room; i < ITEMS; i++) {
            CHECK(spans[i].count == (size_t)UINT64_C(0xaaaaaaaaaaaaaaaa));
        }
        for (size_t i = room; i < ITEMS; i++) {
            CHECK(copied[i] == 0xaaaaaaaau);
        }
        if (round == 100) {
            for (uint32_t item = 0; item < ITEMS; item += 3) {
                CHECK(acre_quadtree_set_layers(tree, item, 1u << item % 4) == ACRE_OK);
            }
        }
    }
    acre_quadtree_destroy(tree);
}

int main(int argc, char **argv)
{
    const test_case cases[] = {
        TEST(spans_put_together_are_the_copying_querys_answer),
        TEST(what_is_wholly_in_view_is_not_copied),
        TEST(a_fresh_build_has_a_span_a_cell),
        TEST(so_has_a_build_of_many),
        TEST(totals_do_not_depend_on_room),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
