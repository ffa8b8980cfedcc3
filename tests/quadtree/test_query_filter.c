// SPDX-License-Identifier: MIT
// test_query_filter.c - a test of boxes that is added to a query in one place, its kernel: it is
// asked of nodes, of groups and of items, also of those wholly inside the volume, near ones first.
// What is found then is what a loop finds.
#include "filter_kernel.h"
#include "query_trees.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 600 };

// ---- a filter that drops boxes behind a plane ----

typedef struct plane_filter {
    float normal[3], d;
    uint32_t boxes, items; // asked
} plane_filter;

// Of a box that holds another one it is true if it is true of that one: rounding is monotone.
static bool reaches_plane(const plane_filter *plane, const row_box *box)
{
    float sum = plane->d;
    for (int axis = 0; axis < 3; axis++) {
        sum += plane->normal[axis] * box->row[axis * 2 + (plane->normal[axis] > 0.0f)];
    }
    return !(sum < 0.0f);
}

static uint32_t keep_boxes_at_plane(void *user, const four_boxes *boxes, uint32_t set)
{
    plane_filter *const plane = user;
    uint32_t kept = 0;
    for (uint32_t lane = 0; lane < 4; lane++) {
        const row_box box = lane_box(boxes, lane);
        kept |= (uint32_t)((set >> lane & 1) && reaches_plane(plane, &box)) << lane;
        plane->boxes += set >> lane & 1;
    }
    return kept;
}

static uint32_t keep_items_at_plane(void *user, const item_group *group, uint32_t set)
{
    plane_filter *const plane = user;
    uint32_t kept = 0;
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        const row_box box = group_rows(group, slot);
        kept |= (uint32_t)((set >> slot & 1) && reaches_plane(plane, &box)) << slot;
        plane->items += set >> slot & 1;
    }
    return kept;
}

static plane_filter random_plane(test_random *random, const box_world *world)
{
    plane_filter plane = {.d = 0};
    for (int axis = 0; axis < 3; axis++) {
        plane.normal[axis] = random_float(random, 0.1f, 1) * (random_below(random, 2) ? 1 : -1);
    }
    const float x = world->center[0] + random_float(random, -1, 1) * world->half_size;
    const float z = world->center[1] + random_float(random, -1, 1) * world->half_size;
    plane.d = -(plane.normal[0] * x + plane.normal[2] * z);
    return plane;
}

// ---- what each sink receives ----

typedef struct received {
    uint32_t items[ITEMS];
    size_t count;
} received;

static bool take_items(void *user, const uint32_t *items, size_t count)
{
    received *const out = user;
    for (size_t i = 0; i < count && out->count < ITEMS; i++) {
        out->items[out->count++] = items[i];
    }
    return true;
}

static bool take_group(void *user, const acre_item_group *group)
{
    received *const out = user;
    for (uint32_t slot = 0; slot < ACRE_GROUP_ITEMS && out->count < ITEMS; slot++) {
        if (group->found >> slot & 1) {
            out->items[out->count++] = group->items[slot];
        }
    }
    return true;
}

typedef struct filtered_query {
    const acre_query *query;
    box_filter filter;
    const float *near_to;
} filtered_query;

// Returns how many items the walk has written.
static size_t run(const query_walk *walk, const filtered_query *asked)
{
    filtered_walk filtered = {*walk, asked->filter, asked->near_to};
    run_filtered(&filtered, asked->query);
    return filtered.walk.total;
}

static void find_in_array(const acre_quadtree *tree, const filtered_query *asked, received *out)
{
    const query_walk walk = array_walk(tree, out->items, ITEMS);
    out->count = run(&walk, asked);
}

static void find_spans(const acre_quadtree *tree, const filtered_query *asked, received *out)
{
    acre_item_span spans[ITEMS];
    uint32_t copies[ITEMS];
    span_receiver receiver = {.spans = spans, .capacity = ITEMS};
    query_walk walk = array_walk(tree, copies, ITEMS);
    walk.sink = &acre_span_sink;
    walk.receiver = &receiver;
    run(&walk, asked);
    out->count = 0;
    for (size_t i = 0; i < receiver.count; i++) {
        take_items(out, spans[i].items, spans[i].count);
    }
}

static void visit_all_items(const acre_quadtree *tree, const filtered_query *asked, received *out)
{
    uint32_t buffer[WALK_BUFFER];
    item_receiver receiver = {.visit = take_items, .user = out};
    query_walk walk = array_walk(tree, buffer, WALK_BUFFER);
    walk.sink = &acre_item_sink;
    walk.receiver = &receiver;
    out->count = 0;
    run(&walk, asked);
}

static void visit_all_groups(const acre_quadtree *tree, const filtered_query *asked, received *out)
{
    group_receiver receiver = {.visit = take_group, .user = out};
    query_walk walk = array_walk(tree, NULL, 0);
    walk.sink = &acre_group_sink;
    walk.receiver = &receiver;
    out->count = 0;
    run(&walk, asked);
}

static void (*const ways[])(const acre_quadtree *tree, const filtered_query *asked,
                            received *out) = {find_in_array, find_spans, visit_all_items,
                                              visit_all_groups};
enum { WAYS = sizeof ways / sizeof ways[0] };

// ---- against loops ----

// What a loop over all boxes finds. An exact query may or may not find a box on the edge, so that
// there the query without a filter is asked.
static size_t find_by_loop(const query_trees *all, const acre_quadtree *tree,
                           const acre_query *query, const plane_filter *plane, uint32_t *out)
{
    size_t count = 0, kept = 0;
    if (query->flags & ACRE_QUERY_EXACT) {
        const acre_result result = acre_quadtree_query(tree, query, out, ITEMS, &count);
        count = result == ACRE_OK ? count : 0;
        sort_numbers(out, count);
    } else {
        count = brute_force_query(&all->oracle, query, out);
    }
    for (size_t i = 0; i < count; i++) {
        const row_box box = rows_of_aabb(&all->oracle.boxes[out[i]]);
        out[kept] = out[i];
        kept += out[i] + 1 != query->except_item1 && reaches_plane(plane, &box);
    }
    return kept;
}

static bool equals_loop(const query_trees *all, uint32_t k, generated_query *generated,
                        const plane_filter *plane, const float *near_to, size_t *found)
{
    static received got;
    uint32_t expected[ITEMS];
    plane_filter user = *plane;
    const filtered_query asked = {
        &generated->query, {keep_boxes_at_plane, keep_items_at_plane, &user}, near_to};
    const size_t count = find_by_loop(all, all->trees[k], &generated->query, plane, expected);
    for (uint32_t way = 0; way < WAYS; way++) {
        ways[way](all->trees[k], &asked, &got);
        sort_numbers(got.items, got.count);
        if (got.count != count || memcmp(got.items, expected, count * sizeof *expected) != 0) {
            printf("     way %u, tree %u: %zu items instead of %zu\n", (unsigned)way, (unsigned)k,
                   got.count, count);
            print_query(generated, stdout);
            return false;
        }
    }
    *found += count;
    return true;
}

static void a_filter_of_boxes_finds_what_a_loop_finds(void)
{
    test_random random = {test_seed};
    for (uint32_t setting = 0; setting < QUERY_SETTING_COUNT; setting++) {
        query_trees all;
        size_t found = 0;
        CHECK(query_trees_init_setting(&all, setting, ITEMS));
        CHECK(query_trees_fill(&all, &random, setting % 4 ? ITEMS : 40));
        for (uint32_t round = 0; round < 40 * test_scale; round++) {
            static generated_query generated;
            generate_query(&random, &all.ground, (acre_query_shape)(1 + round % QUERY_SHAPE_COUNT),
                           &generated);
            generated.query.layers = round % 3 ? 0 : generated.query.layers;
            generated.query.except_item1 = round % 4 ? 0 : 1 + random_below(&random, ITEMS);
            const plane_filter plane = random_plane(&random, &all.ground.world);
            const float eye[3] = {all.ground.world.center[0] + random_float(&random, -50, 50), 2,
                                  all.ground.world.center[1] + random_float(&random, -50, 50)};
            for (uint32_t k = 0; k < all.count; k++) {
                CHECK(equals_loop(&all, k, &generated, &plane, round % 5 ? eye : NULL, &found));
            }
        }
        CHECK(found > 0);
        query_trees_free(&all);
    }
}

// ---- order ----

// Keeps what is nearer to a point than all that it has kept: the first one of its kind that adds to
// its test what it keeps.
typedef struct near_filter {
    float point[3];
    float best; // squared
    uint32_t asked;
} near_filter;

static float square_to(const near_filter *near, const row_box *box)
{
    float sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float below = box->row[axis * 2] - near->point[axis];
        const float above = near->point[axis] - box->row[axis * 2 + 1];
        const float gap = fmaxf(fmaxf(below, above), 0);
        sum += gap * gap;
    }
    return sum;
}

static uint32_t keep_near_boxes(void *user, const four_boxes *boxes, uint32_t set)
{
    near_filter *const near = user;
    uint32_t kept = 0;
    for (uint32_t lane = 0; lane < 4; lane++) {
        const row_box box = lane_box(boxes, lane);
        kept |= (uint32_t)((set >> lane & 1) && square_to(near, &box) < near->best) << lane;
    }
    near->asked++;
    return kept;
}

static uint32_t keep_near_items(void *user, const item_group *group, uint32_t set)
{
    near_filter *const near = user;
    uint32_t kept = 0;
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        const row_box box = group_rows(group, slot);
        const float square = square_to(near, &box);
        if ((set >> slot & 1) && square < near->best) {
            near->best = square;
            kept |= UINT32_C(1) << slot;
        }
    }
    near->asked++;
    return kept;
}

// Returns how often the filter was asked; 0: the nearest was not found.
static uint32_t find_nearest(const query_trees *all, const float *point, bool is_near_first)
{
    static received got;
    near_filter near = {.point = {point[0], point[1], point[2]}, .best = INFINITY};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL};
    const filtered_query asked = {
        &query, {keep_near_boxes, keep_near_items, &near}, is_near_first ? point : NULL};
    find_in_array(all->trees[all->count - 1], &asked, &got);
    float best = INFINITY;
    for (uint32_t item = 0; item < ITEMS; item++) {
        const row_box box = rows_of_aabb(&all->oracle.boxes[item]);
        best = fminf(best, square_to(&near, &box));
    }
    return got.count > 0 && near.best == best ? near.asked : 0;
}

static void near_boxes_are_asked_first_so_that_what_is_kept_drops_far_ones(void)
{
    test_random random = {test_seed};
    uint32_t by_slot = 0, near_first = 0;
    query_trees all;
    const acre_quadtree_def def = {.half_size = 500, .node_capacity = 4, .item_capacity = ITEMS};
    CHECK(query_trees_init(&all, &def));
    for (uint32_t item = 0; item < ITEMS; item++) {
        const float x = random_float(&random, -490, 490), z = random_float(&random, -490, 490);
        const acre_aabb box = {{x, 0, z}, {x + 2, 2, z + 2}};
        all.oracle.boxes[item] = box;
        for (uint32_t k = 0; k < all.count; k++) {
            CHECK(acre_quadtree_insert(all.trees[k], item, &box) == ACRE_OK);
        }
    }
    for (uint32_t round = 0; round < 50; round++) {
        const float point[3] = {random_float(&random, -490, 490), 1,
                                random_float(&random, -490, 490)};
        const uint32_t asked[] = {find_nearest(&all, point, false),
                                  find_nearest(&all, point, true)};
        CHECK(asked[0] > 0 && asked[1] > 0);
        by_slot += asked[0];
        near_first += asked[1];
    }
    CHECK(near_first * 2 < by_slot);
    query_trees_free(&all);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        TEST(a_filter_of_boxes_finds_what_a_loop_finds),
        TEST(near_boxes_are_asked_first_so_that_what_is_kept_drops_far_ones),
    };
    return test_run(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
