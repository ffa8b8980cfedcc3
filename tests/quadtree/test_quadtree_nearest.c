// SPDX-License-Identifier: MIT
// test_quadtree_nearest.c - the nearest items of any query, in order, and the hits of rays.
#include "float_modes.h"
#include "quadtree_pieces_shared.h"
#include "query_trees.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 600, ROUNDS = 30, GUARD = 0x5eedf00d };

static const acre_result invalid = ACRE_ERROR_INVALID_ARGUMENT;
static uint64_t compared; // items whose place in an answer was compared with the oracle's

static bool same_hits(const acre_query_hit *a, const acre_query_hit *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (a[i].item != b[i].item || !(a[i].distance == b[i].distance)) {
            return false;
        }
    }
    return true;
}

// Of every kernel: the oracle's first `room` hits, the same distances to the bit, nothing behind.
static bool nearest_of_all(const query_trees *all, const acre_query *query,
                           const acre_query_hit *expected, size_t expected_count, size_t room)
{
    static acre_query_hit hits[ITEMS + 2];
    for (uint32_t k = 0; k < all->count; k++) {
        size_t count = SIZE_MAX;
        hits[room].item = GUARD;
        if (acre_quadtree_query_nearest(all->trees[k], query, room ? hits : NULL, room, &count) !=
                ACRE_OK ||
            count != (room > 0 && room < expected_count ? room : expected_count) ||
            hits[room].item != GUARD || (room > 0 && !same_hits(hits, expected, count))) {
            return false;
        }
    }
    return true;
}

typedef struct hit_visit {
    const acre_query_hit *expected;
    size_t met, most;
    acre_quadtree *tree;
    bool is_wrong;
} hit_visit;

static bool take_hit(void *user, const acre_query_hit *hit)
{
    hit_visit *const visit = user;
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}};
    visit->is_wrong |= visit->met >= visit->most ||
                       !same_hits(hit, visit->expected + visit->met, 1) ||
                       acre_quadtree_refresh(visit->tree, hit->item, &box) != ACRE_ERROR_BUSY;
    visit->met++;
    return visit->met < visit->most;
}

// Of every kernel: the oracle's hits in order, as many as the visitor takes.
static bool visits_are_right(const query_trees *all, const acre_query *query,
                             const acre_query_hit *expected, size_t total, size_t most)
{
    for (uint32_t k = 0; k < all->count && most > 0; k++) {
        acre_query_stats stats = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
        acre_query counted = *query;
        counted.stats = k == 0 ? &stats : NULL;
        hit_visit visit = {expected, 0, most, all->trees[k], false};
        if (acre_quadtree_query_visit_nearest(all->trees[k], &counted, take_hit, &visit) !=
                ACRE_OK ||
            visit.is_wrong || visit.met != (most < total ? most : total) ||
            (k == 0 && stats.items_tested < visit.met)) {
            return false;
        }
    }
    return true;
}

static bool is_right(const query_trees *all, test_random *random, const generated_query *generated)
{
    static acre_query_hit expected[ITEMS];
    const acre_query *const query = &generated->query;
    const size_t total = brute_force_nearest(&all->oracle, query, expected, ITEMS);
    const size_t rooms[] = {
        0,     1,        1 + random_below(random, 16), random_below(random, (uint32_t)total + 1),
        total, ITEMS + 1};
    const size_t first = random_below(random, 3) * 2; // two of them each time
    for (size_t i = first; i < first + 2; i++) {
        if (!nearest_of_all(all, query, expected, total, rooms[i]) ||
            !visits_are_right(all, query, expected, total, rooms[i])) {
            printf("     capacity %zu of %zu: ", rooms[i], total);
            print_query(generated, stdout);
            return false;
        }
        compared += all->oracle.capacity;
    }
    return true;
}

// Takes hits until one is odd.
static bool take_until_odd(void *user, const acre_query_hit *hit)
{
    acre_query_hit *const out = user;
    *out = *hit;
    return hit->item % 2 == 0;
}

// A visitor that stops soon makes the tree look at few items; one that does not meets all in order,
// those in one place by number, across the borders of searches.
static void a_visit_by_distance_pays_for_what_it_takes(void)
{
    enum { CROWD = 20000, PLACE = 3000 };
    static acre_aabb boxes[CROWD];
    static uint32_t numbers[CROWD];
    static acre_query_hit expected[CROWD];
    test_random random = {test_seed};
    for (uint32_t i = 0; i < CROWD; i++) {
        const bool is_apart = i >= PLACE;
        const float x = is_apart ? random_float(&random, 10, 1000) : 1;
        const float z = is_apart ? random_float(&random, 10, 1000) : 1;
        boxes[i] = (acre_aabb){{x, 0, z}, {x + 1, 1, z + 1}};
        numbers[i] = i;
    }
    const acre_quadtree_def def = {.half_size = 1024};
    acre_quadtree *tree;
    CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
    CHECK(acre_quadtree_insert_many(tree, numbers, boxes, CROWD) == ACRE_OK);
    const acre_aabb corner = {{0, 0, 0}, {0, 0, 0}}, middle = {{500, 0, 500}, {500, 0, 500}};
    acre_query_stats stats;
    acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .origin = &middle, .stats = &stats};
    acre_query_hit odd = {0, 0};
    CHECK(acre_quadtree_query_visit_nearest(tree, &query, take_until_odd, &odd) == ACRE_OK);
    CHECK(odd.item % 2 == 1 && stats.items_tested < 2000);
    query.origin = &corner;
    size_t count = 0;
    CHECK(acre_quadtree_query_nearest(tree, &query, expected, CROWD, &count) == ACRE_OK);
    CHECK(count == CROWD && expected[PLACE - 1].item == PLACE - 1);
    hit_visit visit = {expected, 0, CROWD + 1, tree, false};
    CHECK(acre_quadtree_query_visit_nearest(tree, &query, take_hit, &visit) == ACRE_OK);
    CHECK(!visit.is_wrong && visit.met == CROWD);
    acre_quadtree_destroy(tree);
}

// Exact queries of planes may differ from their test in boxes on an edge: here they are not asked.
static void make_query(test_random *random, const query_trees *all, acre_query_shape shape,
                       generated_query *out)
{
    generate_query(random, &all->ground, shape, out);
    generate_origin(random, &all->ground, out);
    if (random_below(random, 2)) {
        out->query.exclude = NULL;
        out->query.layers = 0;
    }
    out->query.flags &= ~(uint32_t)ACRE_QUERY_EXACT;
    if (out->query.origin && random_below(random, 4) == 0) { // as far as an item, or just not
        const acre_aabb *const box = &all->oracle.boxes[random_below(random, ITEMS)];
        const float distance = acre_aabb_distance(&out->origin, box);
        out->query.max_distance = random_below(random, 2) ? distance : nextafterf(distance, 0.0f);
    }
}

static void the_nearest_of_every_shape_come_in_order_with_every_kernel(void)
{
    test_random random = {test_seed};
    compared = 0;
    for (uint32_t round = 0; round < ROUNDS * test_scale; round++) {
        query_trees all;
        CHECK(query_trees_init_setting(&all, round, ITEMS));
        CHECK(query_trees_fill(&all, &random, round % 9 == 8 ? 3 : ITEMS - round));
        for (uint32_t i = 0; i < 6 * QUERY_SHAPE_COUNT; i++) {
            static generated_query generated;
            CHECK(query_trees_edit(&all, &random, NULL));
            make_query(&random, &all, (acre_query_shape)(1 + i % QUERY_SHAPE_COUNT), &generated);
            CHECK(is_right(&all, &random, &generated));
        }
        query_trees_free(&all);
    }
    printf("     %llu comparisons\n", (unsigned long long)compared);
    CHECK(compared >= 2000000);
}

static void exact_queries_give_the_nearest_of_what_they_find(void)
{
    test_random random = {test_seed};
    query_trees all;
    CHECK(query_trees_init_setting(&all, 0, ITEMS));
    CHECK(query_trees_fill(&all, &random, ITEMS));
    for (uint32_t round = 0; round < 200 * test_scale; round++) {
        static generated_query generated;
        acre_query_hit hits[ITEMS];
        uint32_t items[ITEMS];
        size_t count = 0;
        make_query(&random, &all, ACRE_QUERY_SHAPE_FRUSTUM, &generated);
        generated.query.flags |= ACRE_QUERY_EXACT;
        generated.query.max_distance = 0;
        CHECK(acre_quadtree_query_nearest(all.trees[0], &generated.query, hits, ITEMS, &count) ==
              ACRE_OK);
        for (size_t i = 0; i < count; i++) {
            items[i] = hits[i].item;
            CHECK(hits[i].distance ==
                  acre_aabb_distance(&generated.origin, &all.oracle.boxes[items[i]]));
            CHECK(i == 0 || hits[i - 1].distance <= hits[i].distance);
        }
        sort_numbers(items, count);
        CHECK(brute_force_agrees(&all.oracle, &generated.query, items, count));
    }
    query_trees_free(&all);
}

static void the_nearest_are_right_in_programs_that_round_otherwise(void)
{
    for (uint32_t i = 0; i < 3 * FLOAT_MODE_COUNT * test_scale; i++) {
        test_random random = {test_seed * 17 + i};
        query_trees all;
        bool ok = query_trees_init_setting(&all, i / FLOAT_MODE_COUNT, ITEMS) &&
                  query_trees_fill(&all, &random, ITEMS / 3);
        const float_mode before = float_mode_enter(i % FLOAT_MODE_COUNT);
        for (uint32_t round = 0; ok && round < 44; round++) {
            static generated_query generated;
            const acre_query_shape shape = (acre_query_shape)(1 + round % QUERY_SHAPE_COUNT);
            ok = query_trees_edit(&all, &random, NULL);
            make_query(&random, &all, shape, &generated);
            ok = ok && is_right(&all, &random, &generated);
        }
        float_mode_leave(before);
        query_trees_free(&all);
        CHECK(ok);
    }
}

// ---- by hand ----

// A row of boxes, a meter each, at x = 10 i; item numbers run against the row.
static acre_quadtree *row_of(uint32_t count)
{
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = 64, .node_capacity = 2};
    if (acre_quadtree_create(&def, &tree) != ACRE_OK) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        const float x = 10.0f * (float)i;
        const acre_aabb box = {{x, 0, 0}, {x + 1, 1, 1}};
        if (acre_quadtree_insert(tree, count - 1 - i, &box) != ACRE_OK) {
            acre_quadtree_destroy(tree);
            return NULL;
        }
    }
    return tree;
}

static bool has_hit(const acre_query_hit *hit, uint32_t item, float distance)
{
    return hit->item == item && hit->distance == distance;
}

static void the_nearest_to_a_point_and_to_a_box_are_measured_to_the_items_boxes(void)
{
    acre_quadtree *const tree = row_of(20);
    CHECK(tree);
    acre_query_hit hits[20];
    size_t count = 0;
    const acre_aabb point = {{33, 0, 5}, {33, 0, 5}}, wide = {{12, 0, 0}, {38, 1, 1}};
    acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .origin = &point};
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 3, &count) == ACRE_OK && count == 3);
    CHECK(has_hit(&hits[0], 16, sqrtf(2 * 2 + 4 * 4)) && has_hit(&hits[1], 15, sqrtf(49 + 16)));
    CHECK(has_hit(&hits[2], 17, sqrtf(144 + 16)));
    query.origin = &wide;
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 4, &count) == ACRE_OK && count == 4);
    CHECK(has_hit(&hits[0], 16, 0) && has_hit(&hits[1], 17, 0));
    CHECK(has_hit(&hits[2], 18, 1) && has_hit(&hits[3], 15, 2));
    query.max_distance = 1.0f;
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 20, &count) == ACRE_OK && count == 3);
    query.max_distance = nextafterf(1.0f, 0.0f);
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 20, &count) == ACRE_OK && count == 2);
    query.max_distance = INFINITY;
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 20, &count) == ACRE_OK && count == 20);
    acre_quadtree_destroy(tree);
}

static void a_ray_hits_from_near_to_far_and_the_closest_alone(void)
{
    acre_quadtree *const tree = row_of(20);
    CHECK(tree);
    acre_query_hit hits[20];
    size_t count = 0;
    acre_ray ray = {{-4, 0.5f, 0.5f}, {2, 0, 0}, INFINITY, {0, 0, 0}};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_RAY, .ray = &ray};
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 20, &count) == ACRE_OK && count == 20);
    for (uint32_t i = 0; i < 20; i++) {
        CHECK(hits[i].item == 19 - i);
        CHECK(fabsf(hits[i].distance - (4.0f + 10.0f * (float)i)) < 0.001f);
    }
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 1, &count) == ACRE_OK && count == 1);
    CHECK(hits[0].item == 19);
    ray.length = 25;
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 20, &count) == ACRE_OK && count == 3);
    ray.origin[0] = 20.5f; // starts inside
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 20, &count) == ACRE_OK && count == 3);
    CHECK(has_hit(&hits[0], 17, 0));
    ray.origin[2] = 3; // passes beside, but for a box that moves
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 20, &count) == ACRE_OK && count == 0);
    ray.half_size[2] = 2.5f;
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 20, &count) == ACRE_OK && count == 3);
    acre_quadtree_destroy(tree);
}

static void the_nearest_in_a_view_or_a_sphere_leave_out_nearer_ones_elsewhere(void)
{
    acre_quadtree *const tree = row_of(20);
    CHECK(tree);
    acre_query_hit hits[20];
    size_t count = 0;
    const acre_aabb origin = {{30, 0, 0}, {30, 0, 0}}, seen = {{55, -1, -1}, {95, 2, 2}};
    const acre_frustum frustum = frustum_of_box(&seen);
    const acre_sphere sphere = {{10, 0, 0}, 15};
    acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &frustum, .origin = &origin};
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 2, &count) == ACRE_OK && count == 2);
    CHECK(has_hit(&hits[0], 13, 30) && has_hit(&hits[1], 12, 40));
    query = (acre_query){.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &sphere, .origin = &origin};
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 20, &count) == ACRE_OK && count == 3);
    CHECK(has_hit(&hits[0], 17, 9) && has_hit(&hits[1], 18, 19) && has_hit(&hits[2], 19, 29));
    acre_quadtree_destroy(tree);
}

static void equally_distant_items_come_by_number(void)
{
    test_random random = {test_seed};
    enum { SAME = 300 };
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = 64, .node_capacity = 4, .item_capacity = SAME};
    CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
    for (uint32_t i = 0; i < SAME; i++) { // three rings around the middle, in an order of chance
        const uint32_t item = i * 77 % SAME;
        const float far = 8.0f * (float)(1 + item % 3);
        const float x = i % 4 < 2 ? far : -far, z = i % 2 ? far : -far;
        const acre_aabb box = {{x, 0, z}, {x, 0, z}};
        CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
    }
    const acre_aabb origin = {{0, 0, 0}, {0, 0, 0}};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .origin = &origin};
    for (uint32_t round = 0; round < 60; round++) {
        acre_query_hit hits[SAME];
        size_t count = 0;
        const size_t room = round == 0 ? SAME : random_below(&random, SAME + 1);
        CHECK(acre_quadtree_query_nearest(tree, &query, hits, room, &count) == ACRE_OK);
        CHECK(count == room);
        for (size_t i = 0; i < count; i++) { // ring by ring, in each the numbers in order
            CHECK(hits[i].item == (i % 100) * 3 + i / 100);
        }
    }
    acre_quadtree_destroy(tree);
}

static void endless_boxes_and_boxes_far_away_are_among_the_nearest(void)
{
    acre_quadtree *const tree = row_of(8);
    CHECK(tree);
    const acre_aabb endless = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const acre_aabb half = {{-INFINITY, 0, 3}, {INFINITY, 1, INFINITY}};
    const acre_aabb beyond = {{0, INFINITY, 0}, {0, INFINITY, 0}};
    const acre_aabb far = {{1e15f, 0, 0}, {1e15f, 0, 0}};
    CHECK(acre_quadtree_insert(tree, 100, &endless) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 101, &half) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 102, &beyond) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 103, &far) == ACRE_OK);
    acre_query_hit hits[12];
    size_t count = 0;
    const acre_aabb origin = {{0, 0, 0}, {0, 0, 0}};
    acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .origin = &origin};
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 12, &count) == ACRE_OK && count == 12);
    CHECK(has_hit(&hits[0], 7, 0) && has_hit(&hits[1], 100, 0) && has_hit(&hits[2], 101, 3));
    CHECK(has_hit(&hits[10], 103, 1e15f) && has_hit(&hits[11], 102, INFINITY));
    query.max_distance = 0x1p120f;
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 12, &count) == ACRE_OK && count == 11);
    query = (acre_query){.shape = ACRE_QUERY_SHAPE_ALL, .origin = &endless};
    CHECK(acre_quadtree_query_nearest(tree, &query, hits, 12, &count) == ACRE_OK && count == 12);
    for (size_t i = 0; i < count; i++) {
        CHECK(hits[i].distance == 0);
    }
    acre_quadtree_destroy(tree);
}

static void near_cells_are_asked_first_and_far_ones_not_at_all(void)
{
    test_random random = {test_seed};
    query_trees all;
    const acre_quadtree_def def = {.half_size = 1024, .node_capacity = 16, .item_capacity = 20000};
    CHECK(query_trees_init(&all, &def));
    for (uint32_t item = 0; item < 20000; item++) {
        const float x = random_float(&random, -1000, 1000), z = random_float(&random, -1000, 1000);
        const acre_aabb box = {{x, 0, z}, {x + 1, 2, z + 1}};
        CHECK(acre_quadtree_insert(all.trees[0], item, &box) == ACRE_OK);
    }
    CHECK(acre_quadtree_optimize(all.trees[0]) == ACRE_OK);
    acre_quadtree_stats tree;
    acre_quadtree_get_stats(all.trees[0], &tree);
    for (uint32_t round = 0; round < 200; round++) {
        const float x = random_float(&random, -1000, 1000), z = random_float(&random, -1000, 1000);
        const acre_aabb origin = {{x, 1, z}, {x, 1, z}};
        const acre_ray ray = {{x, 1, z}, {z, 0, -x}, INFINITY, {0, 0, 0}};
        acre_query_stats stats = {0, 0, 0};
        acre_query_hit hits[8];
        size_t count = 0;
        acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .origin = &origin, .stats = &stats};
        CHECK(acre_quadtree_query_nearest(all.trees[0], &query, hits, 8, &count) == ACRE_OK);
        CHECK(count == 8 && stats.items_tested < 2000 && stats.nodes_tested < tree.nodes / 4);
        query = (acre_query){.shape = ACRE_QUERY_SHAPE_RAY, .ray = &ray, .stats = &stats};
        CHECK(acre_quadtree_query_nearest(all.trees[0], &query, hits, 1, &count) == ACRE_OK);
        CHECK(count <= 1 && stats.items_tested < 4000);
    }
    query_trees_free(&all);
}

// Items of every other tree get numbers of their own, as the caller's would have.
static void the_nearest_of_several_trees_are_those_of_all_their_items(void)
{
    test_random random = {test_seed};
    query_trees all;
    CHECK(query_trees_init_setting(&all, 0, ITEMS));
    CHECK(query_trees_fill(&all, &random, ITEMS));
    for (uint32_t item = 0; item < ITEMS; item++) { // one in three stays in each of three trees
        for (uint32_t k = 0; k < 3 && all.count >= 3; k++) {
            CHECK(item % 3 == k || acre_quadtree_remove(all.trees[k], item) == ACRE_OK);
        }
    }
    const uint32_t parts = all.count >= 3 ? 3 : 1;
    for (uint32_t round = 0; round < 300 * test_scale; round++) {
        static generated_query generated;
        static acre_query_hit hits[ITEMS + 1], expected[ITEMS];
        const acre_query_shape shape = (acre_query_shape)(1 + round % QUERY_SHAPE_COUNT);
        const size_t room = random_below(&random, round % 4 ? 20 : ITEMS + 1);
        size_t count = 0;
        make_query(&random, &all, shape, &generated);
        const size_t wanted =
            brute_force_nearest(&all.oracle, &generated.query, expected, room ? room : ITEMS);
        for (uint32_t k = 0; k < parts; k++) {
            hits[room].item = GUARD;
            CHECK(acre_quadtree_add_nearest(all.trees[k], &generated.query, hits, room, &count) ==
                  ACRE_OK);
            CHECK((count <= room || room == 0) && hits[room].item == GUARD);
        }
        CHECK(count == wanted && (room == 0 || same_hits(hits, expected, count)));
    }
    acre_query_hit hit = {0, 0};
    size_t count = 2;
    const acre_aabb origin = {{0, 0, 0}, {0, 0, 0}};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .origin = &origin};
    CHECK(acre_quadtree_add_nearest(all.trees[0], &query, &hit, 1, &count) == invalid);
    CHECK(count == 2);
    query_trees_free(&all);
}

static void a_tree_without_items_has_no_nearest(void)
{
    acre_quadtree *const tree = row_of(0);
    CHECK(tree);
    acre_query_hit hit = {GUARD, -1};
    size_t count = 5;
    const acre_aabb origin = {{0, 0, 0}, {0, 0, 0}};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .origin = &origin};
    CHECK(acre_quadtree_query_nearest(tree, &query, &hit, 1, &count) == ACRE_OK && count == 0);
    CHECK(hit.item == GUARD);
    acre_quadtree_destroy(tree);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(the_nearest_of_every_shape_come_in_order_with_every_kernel),
        TEST(exact_queries_give_the_nearest_of_what_they_find),
        TEST(the_nearest_are_right_in_programs_that_round_otherwise),
        TEST(the_nearest_to_a_point_and_to_a_box_are_measured_to_the_items_boxes),
        TEST(a_ray_hits_from_near_to_far_and_the_closest_alone),
        TEST(the_nearest_in_a_view_or_a_sphere_leave_out_nearer_ones_elsewhere),
        TEST(equally_distant_items_come_by_number),
        TEST(endless_boxes_and_boxes_far_away_are_among_the_nearest),
        TEST(near_cells_are_asked_first_and_far_ones_not_at_all),
        TEST(the_nearest_of_several_trees_are_those_of_all_their_items),
        TEST(a_visit_by_distance_pays_for_what_it_takes),
        TEST(a_tree_without_items_has_no_nearest),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
