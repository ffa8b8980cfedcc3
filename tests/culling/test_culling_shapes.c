// SPDX-License-Identifier: MIT
// test_culling_shapes.c - queries of every shape, and the nearest entities, over both trees.
#include "query_generator.h"

#include "brute_force_query.h"

#include <acre/culling.h>

#include <string.h>

enum { ENTITIES = 300, ROUNDS = 400 };

typedef struct world {
    acre_scene *scene;
    acre_culling *culling;
    brute_force still_and_moving; // what both trees hold, by slot
    uint32_t never[ENTITIES];     // slots, ascending
    size_t never_count;
    query_ground ground;
} world;

// One entity after the other is moving, static, moving, static, never culled.
static uint32_t flags_of(uint32_t i)
{
    return i % 5 == 4 ? ACRE_ENTITY_NEVER_CULL : i % 5 % 2 ? ACRE_ENTITY_STATIC : 0;
}

static uint32_t layers_of(uint32_t i)
{
    return 1u << i % 4;
}

// A tree's boxes, as the scene has computed them.
static bool take_boxes(world *w, const acre_quadtree *tree)
{
    acre_aabb box;
    bool is_done = tree != NULL;
    for (uint32_t slot = 0; is_done && slot < ENTITIES; slot++) {
        if (acre_quadtree_get_box(tree, slot, &box) == ACRE_OK) {
            is_done = brute_force_insert(&w->still_and_moving, slot, &box) == ACRE_OK &&
                      brute_force_set_layers(&w->still_and_moving, slot,
                                             acre_quadtree_get_layers(tree, slot)) == ACRE_OK;
        }
    }
    return is_done;
}

static bool fill_world(world *w, test_random *random)
{
    for (uint32_t i = 0; i < ENTITIES; i++) {
        const acre_aabb box = box_valid(random, &w->ground.world);
        acre_entity entity;
        if (acre_entity_create(
                w->scene,
                &(acre_entity_def){.bounds = &box, .layers = layers_of(i), .flags = flags_of(i)},
                &entity) != ACRE_OK ||
            entity.index1 != i + 1) {
            return false;
        }
        if (flags_of(i) == ACRE_ENTITY_NEVER_CULL) {
            w->never[w->never_count++] = i;
        }
    }
    return acre_scene_commit(w->scene) == ACRE_OK && take_boxes(w, acre_culling_tree(w->culling)) &&
           take_boxes(w, acre_culling_static_tree(w->culling));
}

static bool make_world(world *w, test_random *random)
{
    *w = (world){.ground = {.world = {{3.0f, -5.0f}, 100.0f, 0.125f}}};
    const acre_culling_def def = {
        .register_all = true,
        .tree = {.center = {3.0f, -5.0f}, .half_size = 100.0f, .node_capacity = 4}};
    const bool is_made = acre_scene_create(&(acre_scene_def){0}, &w->scene) == ACRE_OK &&
                         acre_culling_create(w->scene, &def, &w->culling) == ACRE_OK &&
                         brute_force_init(&w->still_and_moving, ENTITIES) && fill_world(w, random);
    w->ground.boxes = w->still_and_moving.boxes;
    return is_made && w->still_and_moving.count + w->never_count == ENTITIES;
}

static void free_world(world *w)
{
    acre_culling_destroy(w->culling);
    acre_scene_destroy(w->scene);
    brute_force_free(&w->still_and_moving);
}

// The never-cull entities stand last; both trees' slots are sorted and compared with the oracle.
static bool are_expected(const world *w, const acre_query *query, uint32_t *slots, size_t total)
{
    const uint32_t layers = query->layers ? query->layers : UINT32_MAX;
    size_t first = total;
    for (size_t i = w->never_count; i-- > 0;) {
        if ((layers_of(w->never[i]) & layers) && w->never[i] + 1 != query->except_item1) {
            if (first == 0 || slots[--first] != w->never[i]) {
                return false;
            }
        }
    }
    sort_numbers(slots, first);
    return brute_force_agrees(&w->still_and_moving, query, slots, first);
}

static void every_shape_finds_what_both_trees_hold(void)
{
    test_random random = {test_seed};
    size_t found = 0;
    for (uint32_t round = 0; round < 4 * test_scale; round++) {
        world w;
        uint32_t slots[ENTITIES], sorted[ENTITIES];
        CHECK(make_world(&w, &random));
        for (int i = 0; i < ROUNDS; i++) {
            generated_query q;
            size_t total = 0, again = 0;
            generate_any_query(&random, &w.ground, &q);
            q.query.except_item1 = i % 2 ? 0 : 1 + random_below(&random, ENTITIES);
            CHECK(acre_culling_query_shape(w.culling, &q.query, slots, ENTITIES, &total) ==
                  ACRE_OK);
            q.query.flags |= ACRE_QUERY_SORTED;
            CHECK(acre_culling_query_shape(w.culling, &q.query, sorted, ENTITIES, &again) ==
                  ACRE_OK);
            q.query.flags &= ~(uint32_t)ACRE_QUERY_SORTED;
            CHECK(total == again && are_expected(&w, &q.query, slots, total));
            sort_numbers(slots, total);
            CHECK(memcmp(slots, sorted, total * sizeof *slots) == 0);
            found += total;
        }
        free_world(&w);
    }
    CHECK(found > 0);
}

// Whether numbers are different ones of a set.
static bool are_among(uint32_t *numbers, size_t count, uint32_t *set, size_t set_count)
{
    size_t next = 0;
    sort_numbers(numbers, count);
    sort_numbers(set, set_count);
    for (size_t i = 0; i < set_count && next < count; i++) {
        next += set[i] == numbers[next];
    }
    return next == count;
}

static void little_room_gets_the_first_and_the_true_total(void)
{
    test_random random = {test_seed};
    world w;
    uint32_t slots[ENTITIES], few[ENTITIES + 1];
    CHECK(make_world(&w, &random));
    for (int i = 0; i < ROUNDS; i++) {
        generated_query q;
        size_t total = 0, again = 0;
        generate_any_query(&random, &w.ground, &q);
        CHECK(acre_culling_query_shape(w.culling, &q.query, slots, ENTITIES, &total) == ACRE_OK);
        const size_t capacity = random_below(&random, ENTITIES + 1);
        few[capacity] = UINT32_MAX;
        CHECK(acre_culling_query_shape(w.culling, &q.query, few, capacity, &again) == ACRE_OK);
        CHECK(again == total && few[capacity] == UINT32_MAX);
        const size_t written = total < capacity ? total : capacity;
        CHECK(memcmp(few, slots, written * sizeof *few) == 0);
        q.query.flags |= ACRE_QUERY_STOP_WHEN_FULL;
        CHECK(acre_culling_query_shape(w.culling, &q.query, few, capacity, &again) == ACRE_OK);
        CHECK(again == written && are_among(few, written, slots, total));
        CHECK(acre_culling_query_shape(w.culling, &q.query, NULL, 0, NULL) == ACRE_OK);
    }
    free_world(&w);
}

static void the_nearest_are_those_of_both_trees(void)
{
    test_random random = {test_seed};
    size_t found = 0;
    for (uint32_t round = 0; round < 4 * test_scale; round++) {
        world w;
        acre_query_hit hits[ENTITIES + 1], expected[ENTITIES];
        CHECK(make_world(&w, &random));
        for (int i = 0; i < ROUNDS; i++) {
            generated_query q;
            size_t count = 0;
            generate_any_query(&random, &w.ground, &q);
            generate_origin(&random, &w.ground, &q);
            q.query.except_item1 = i % 2 ? 0 : 1 + random_below(&random, ENTITIES);
            q.query.flags &= ~(uint32_t)ACRE_QUERY_EXACT; // it may find or drop what is on an edge
            const size_t capacity = random_below(&random, 3) ? random_below(&random, 12)
                                                             : random_below(&random, ENTITIES + 1);
            hits[capacity].item = UINT32_MAX;
            CHECK(acre_culling_query_nearest(w.culling, &q.query, hits, capacity, &count) ==
                  ACRE_OK);
            CHECK(count == brute_force_nearest(&w.still_and_moving, &q.query, expected,
                                               capacity > 0 ? capacity : ENTITIES));
            CHECK(hits[capacity].item == UINT32_MAX);
            for (size_t k = 0; k < count && capacity > 0; k++) {
                CHECK(hits[k].item == expected[k].item && hits[k].distance == expected[k].distance);
            }
            found += count;
        }
        free_world(&w);
    }
    CHECK(found > 0);
}

static void statistics_are_those_of_both_trees(void)
{
    test_random random = {test_seed};
    world w;
    acre_query_stats both, moving, still;
    CHECK(make_world(&w, &random));
    const acre_aabb box = {{-40, -1, -40}, {60, 50, 30}};
    acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &box, .stats = &both};
    CHECK(acre_culling_query_shape(w.culling, &query, NULL, 0, NULL) == ACRE_OK);
    query.stats = &moving;
    CHECK(acre_quadtree_query(acre_culling_tree(w.culling), &query, NULL, 0, NULL) == ACRE_OK);
    query.stats = &still;
    CHECK(acre_quadtree_query(acre_culling_static_tree(w.culling), &query, NULL, 0, NULL) ==
          ACRE_OK);
    CHECK(moving.nodes_tested > 0 && still.nodes_tested > 0);
    CHECK(both.nodes_tested == moving.nodes_tested + still.nodes_tested);
    CHECK(both.items_tested == moving.items_tested + still.items_tested);
    CHECK(both.items_accepted == moving.items_accepted + still.items_accepted);
    const acre_query nearest = {.shape = ACRE_QUERY_SHAPE_ALL, .origin = &box, .stats = &both};
    acre_query_hit hits[4];
    size_t count = 0;
    CHECK(acre_culling_query_nearest(w.culling, &nearest, hits, 4, &count) == ACRE_OK);
    CHECK(count == 4 && both.nodes_tested > 1);
    free_world(&w);
}

int main(int argc, char **argv)
{
    const test_case cases[] = {
        TEST(every_shape_finds_what_both_trees_hold),
        TEST(little_room_gets_the_first_and_the_true_total),
        TEST(the_nearest_are_those_of_both_trees),
        TEST(statistics_are_those_of_both_trees),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
