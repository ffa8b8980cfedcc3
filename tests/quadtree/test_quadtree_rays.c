// SPDX-License-Identifier: MIT
// test_quadtree_rays.c - what rays and boxes that move along them hit, with every kernel, beside
// plain loops that share nothing with the library but the contract.
#include "query_trees.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ITEMS = 1500, RAYS = 2400 };

// ---- the plain loop ----

// Where a ray enters a box, by the textbook's slabs; INFINITY: it does not.
static float plain_entry(const acre_ray *ray, const acre_aabb *box)
{
    const double slack = 0x1p-20;
    double unit[3], size = 0.0, first = 0.0, last = (double)ray->length;
    for (int i = 0; i < 3; i++) {
        unit[i] = (double)ray->direction[i];
        size += unit[i] * unit[i];
    }
    for (int i = 0; i < 3; i++) {
        const double half = (double)ray->half_size[i];
        const double low = (double)box->min[i] - (double)ray->origin[i] - half;
        const double high = (double)box->max[i] - (double)ray->origin[i] + half;
        if (!(size > 0.0) || unit[i] == 0.0 || ray->length == 0.0f) {
            if (low > slack * half || high < -slack * half) {
                return INFINITY;
            }
            continue;
        }
        const double speed = unit[i] / sqrt(size), one = low / speed, other = high / speed;
        first = fmax(first, fmin(one, other));
        last = fmin(last, fmax(one, other));
    }
    if (!(size > 0.0) || ray->length == 0.0f) {
        return 0.0f;
    }
    return first <= last * (1.0 + slack) ? (float)first : INFINITY;
}

// Whether rounding may decide otherwise: the ray ends or passes within a millionth of an edge.
// Along an axis where a thin ray stays where it is, nothing is rounded.
static bool is_doubtful(const acre_ray *ray, const acre_aabb *box)
{
    acre_aabb larger = *box, smaller = *box;
    for (int i = 0; i < 3; i++) {
        const bool is_exact = ray->direction[i] == 0.0f && ray->half_size[i] == 0.0f;
        const float doubt = is_exact ? 0.0f : 2e-6f * (100.0f + fabsf(ray->origin[i]));
        larger.min[i] -= doubt;
        larger.max[i] += doubt;
        smaller.min[i] += doubt;
        smaller.max[i] -= doubt;
    }
    return isinf(plain_entry(ray, &larger)) != isinf(plain_entry(ray, &smaller));
}

// ---- the world: whole numbers, so that rays can graze exactly ----

static float whole(test_random *random, uint32_t range)
{
    return (float)random_below(random, 2 * range + 1) - (float)range;
}

static acre_aabb random_box(test_random *random, uint32_t item)
{
    acre_aabb box;
    for (int i = 0; i < 3; i++) {
        box.min[i] = whole(random, i == 1 ? 8 : 60);
        box.max[i] = box.min[i] + (float)random_below(random, i == 1 ? 9 : 5);
    }
    const int axis = (int)(item % 3);
    if (item % 100 == 7) {
        box.max[axis] = INFINITY;
    } else if (item % 100 == 8) {
        box.min[axis] = -INFINITY;
    } else if (item % 500 == 9) {
        box.min[axis] = -INFINITY;
        box.max[axis] = INFINITY;
    }
    return box;
}

enum {
    RAY_ANY,
    RAY_FLAT,
    RAY_ALONG_AN_AXIS,
    RAY_INSIDE,
    RAY_GRAZING,
    RAY_SWEEP,
    RAY_STILL,
    RAY_KINDS
};

static acre_ray random_ray(test_random *random, uint32_t kind, const acre_aabb *box)
{
    acre_ray ray = {.length =
                        random_below(random, 3) ? random_float(random, 1.0f, 500.0f) : INFINITY};
    const int axis = (int)random_below(random, 3);
    for (int i = 0; i < 3; i++) {
        ray.origin[i] = random_float(random, -70.0f, 70.0f) * (i == 1 ? 0.05f : 1.0f);
        ray.direction[i] = random_float(random, -1.0f, 1.0f) * (i == 1 ? 0.05f : 1.0f);
        ray.half_size[i] = kind == RAY_SWEEP ? random_float(random, 0.0f, 2.0f) : 0.0f;
    }
    if (kind == RAY_FLAT) {
        ray.direction[axis] = random_below(random, 2) ? 0.0f : -0.0f;
    } else if (kind == RAY_STILL) {
        memset(ray.direction, 0, sizeof ray.direction);
    }
    if (kind == RAY_ALONG_AN_AXIS || kind == RAY_GRAZING) {
        for (int i = 0; i < 3; i++) {
            ray.direction[i] = i != axis ? 0.0f : random_below(random, 2) ? 1.0f : -1.0f;
        }
    }
    for (int i = 0; i < 3 && kind != RAY_ANY && kind != RAY_FLAT && kind != RAY_SWEEP; i++) {
        const float low = box->min[i], high = box->max[i];
        const bool is_edge = kind == RAY_GRAZING && i != axis;
        if (low > -INFINITY && high < INFINITY && (i != axis || kind != RAY_GRAZING)) {
            ray.origin[i] = is_edge ? (random_below(random, 2) ? low : high) : 0.5f * (low + high);
        }
    }
    return ray;
}

// ---- what is compared ----

static bool is_before(acre_query_hit a, acre_query_hit b)
{
    return a.distance < b.distance || (a.distance == b.distance && a.item < b.item);
}

// The hits of a ray in order, by the test of one box, which the plain loop checks on the way.
static size_t hits_by_loop(const brute_force *oracle, const acre_query *query, acre_query_hit *hits)
{
    size_t count = 0;
    for (uint32_t item = 0; item < ITEMS; item++) {
        const acre_aabb *const box = &oracle->boxes[item];
        float distance = 0.0f;
        const bool touches = acre_ray_test_aabb(query->ray, box, &distance);
        const float plain = plain_entry(query->ray, box);
        if (!is_doubtful(query->ray, box)) {
            EXPECT(touches == (plain < INFINITY));
            EXPECT(!touches || fabsf(distance - plain) <= 1e-5f * (1.0f + plain) + 1e-4f);
        }
        const bool is_wanted = !query->layers || (oracle->layers[item] & query->layers);
        if (touches && is_wanted && item + 1 != query->except_item1 &&
            (query->max_distance == 0.0f || distance <= query->max_distance)) {
            const acre_query_hit hit = {item, distance};
            size_t at = count++;
            for (; at > 0 && is_before(hit, hits[at - 1]); at--) {
                hits[at] = hits[at - 1];
            }
            hits[at] = hit;
        }
    }
    return count;
}

// Of all kernels: the first hits, to the bit, and the same work.
static bool all_agree(const query_trees *all, acre_query *query, const acre_query_hit *expected,
                      size_t total, size_t room)
{
    acre_query_stats first = {0, 0, 0}, stats = {0, 0, 0};
    query->stats = &stats;
    for (uint32_t k = 0; k < all->count; k++) {
        static acre_query_hit hits[ITEMS];
        size_t count = 0;
        if (acre_quadtree_query_nearest(all->trees[k], query, hits, room, &count) != ACRE_OK ||
            count != (room < total ? room : total)) {
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            if (hits[i].item != expected[i].item ||
                memcmp(&hits[i].distance, &expected[i].distance, sizeof(float)) != 0) {
                return false;
            }
        }
        first = k == 0 ? stats : first;
        if (memcmp(&first, &stats, sizeof first) != 0) {
            return false;
        }
    }
    query->stats = NULL;
    return true;
}

// The same items in any order, with the full form of a query.
static bool all_find(const query_trees *all, const acre_query *query,
                     const acre_query_hit *expected, size_t total)
{
    static uint32_t items[ITEMS];
    for (uint32_t k = 0; k < all->count; k++) {
        size_t count = 0;
        bool is_there[ITEMS] = {false};
        if (acre_quadtree_query(all->trees[k], query, items, ITEMS, &count) != ACRE_OK ||
            count != total) {
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            is_there[items[i]] = true;
        }
        for (size_t i = 0; i < total; i++) {
            if (!is_there[expected[i].item]) {
                return false;
            }
        }
    }
    return true;
}

// Boxes that stand in whole numbers, so that many are entered at one distance. node_capacity: many
// cells of one block, or few of several blocks.
static bool fill_with_whole_numbers(query_trees *all, test_random *random, uint32_t node_capacity)
{
    const acre_quadtree_def def = {
        .half_size = 256, .node_capacity = node_capacity, .item_capacity = ITEMS};
    bool is_good = query_trees_init(all, &def) && query_trees_fill(all, random, ITEMS);
    for (uint32_t item = 0; item < ITEMS && is_good; item++) {
        const acre_aabb box = random_box(random, item);
        all->oracle.boxes[item] = box; // a layer for each quarter: nodes have few of them
        all->oracle.layers[item] = 1u << ((box.min[0] > 0.0f) + 2 * (box.min[2] > 0.0f));
        for (uint32_t k = 0; k < all->count; k++) {
            is_good &=
                acre_quadtree_set_layers(all->trees[k], item, all->oracle.layers[item]) == ACRE_OK;
            is_good &=
                acre_quadtree_refresh(all->trees[k], item, &all->oracle.boxes[item]) == ACRE_OK;
        }
    }
    return is_good;
}

static void rays_hit_what_plain_loops_say_with_every_kernel(void)
{
    test_random random = {test_seed};
    query_trees all;
    static acre_query_hit expected[ITEMS];
    size_t hits = 0, inside = 0, ties = 0;
    CHECK(fill_with_whole_numbers(&all, &random, 24));
    for (uint32_t i = 0; i < RAYS * test_scale; i++) {
        if (i == RAYS * test_scale / 2) {
            query_trees_free(&all);
            CHECK(fill_with_whole_numbers(&all, &random, 512));
        }
        const uint32_t target = random_below(&random, ITEMS);
        const acre_ray ray = random_ray(&random, i % RAY_KINDS, &all.oracle.boxes[target]);
        acre_query query = {.shape = ACRE_QUERY_SHAPE_RAY,
                            .ray = &ray,
                            .layers = random_below(&random, 3) ? 0 : 1u << random_below(&random, 4),
                            .except_item1 = random_below(&random, 4) ? 0 : target + 1};
        size_t total = hits_by_loop(&all.oracle, &query, expected);
        CHECK(all_find(&all, &query, expected, total));
        if (total > 1 && random_below(&random, 3) == 0 && expected[total / 2].distance > 0.0f) {
            query.max_distance = expected[total / 2].distance; // as far as an item: it counts
            total = hits_by_loop(&all.oracle, &query, expected);
        }
        CHECK(all_agree(&all, &query, expected, total, 1));
        CHECK(all_agree(&all, &query, expected, total, 1 + random_below(&random, 9)));
        CHECK(all_agree(&all, &query, expected, total, ITEMS));
        hits += total > 0;
        inside += total > 0 && expected[0].distance == 0.0f;
        ties += total > 1 && expected[0].distance == expected[1].distance;
    }
    query_trees_free(&all);
    printf("     %zu rays hit, %zu begin inside, %zu hit two at once\n", hits, inside, ties);
    CHECK(hits > RAYS / 2 && inside > RAYS / 10 && ties > RAYS / 20);
}

// A row of cells, one behind the other, beside a field of others.
static void a_ray_looks_no_farther_than_its_first_hit(void)
{
    enum { ALONG = 4000 };
    const acre_quadtree_def def = {.half_size = 4096};
    acre_quadtree *tree = NULL;
    CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
    for (uint32_t i = 0; i < 2 * ALONG; i++) {
        const float x = 2.0f * (float)(i / 2) - 4000.0f, z = i % 2 ? 50.0f : 0.0f;
        const acre_aabb box = {{x, 0, z}, {x + 1, 1, z + 1}};
        CHECK(acre_quadtree_insert(tree, i, &box) == ACRE_OK);
    }
    for (uint32_t i = 0; i < 100; i++) {
        const float sign = i % 2 ? 1.0f : -1.0f;
        const acre_ray ray = {{sign * (80.0f * (float)(i / 2) + 1.5f), 0.5f, 0.5f},
                              {i / 2 < 25 ? sign : -sign, 0, 0.001f},
                              INFINITY,
                              {0, 0, 0}};
        acre_query_stats stats = {0, 0, 0};
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_RAY, .ray = &ray, .stats = &stats};
        acre_query_hit hit;
        size_t count = 0;
        CHECK(acre_quadtree_query_nearest(tree, &query, &hit, 1, &count) == ACRE_OK);
        CHECK(count == 1 && hit.distance < 1.0f && stats.items_tested <= 2 * ACRE_GROUP_ITEMS);
    }
    acre_quadtree_destroy(tree);
}

// A ray reaches nothing that begins infinitely far away, and all that begins at a float.
static void an_endless_ray_reaches_every_float_and_nothing_beyond(void)
{
    for (int side = 0; side < 2; side++) {
        const float sign = side ? -1.0f : 1.0f;
        const acre_ray ray = {.direction = {sign, 0, 0}, .length = INFINITY};
        acre_aabb box = {{side ? -FLT_MAX : FLT_MAX, -1, -1}, {side ? -FLT_MAX : FLT_MAX, 1, 1}};
        float distance = 0.0f;
        CHECK(acre_ray_test_aabb(&ray, &box, &distance) && distance > 0.999f * FLT_MAX);
        box.min[0] = box.max[0] = sign * INFINITY;
        CHECK(!acre_ray_test_aabb(&ray, &box, &distance) && isinf(distance));
        box = (acre_aabb){{-INFINITY, -1, 3}, {INFINITY, 1, INFINITY}}; // beside it all the way
        CHECK(!acre_ray_test_aabb(&ray, &box, &distance));
        box.min[2] = 0.0f; // it grazes, all the way
        CHECK(acre_ray_test_aabb(&ray, &box, &distance) && distance == 0.0f);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(rays_hit_what_plain_loops_say_with_every_kernel),
        TEST(a_ray_looks_no_farther_than_its_first_hit),
        TEST(an_endless_ray_reaches_every_float_and_nothing_beyond),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
