// SPDX-License-Identifier: MIT
// test_quadtree_neighbors.c - the neighbors of many rows are, row by row, what one query of the
// row's sphere finds, with every kernel, in the same order.
#include "failing_allocator.h"
#include "float_modes.h"
#include "quadtree_neighboring.h"
#include "query_trees.h"
#include "shape_internal.h"
#include "test.h"

#include <acre/quadtree_neighbors.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 300, ROWS = ITEMS + 60, MOST_FOUND = ROWS * ITEMS, GUARD = 0x5eedf00d };

static const acre_result invalid = ACRE_ERROR_INVALID_ARGUMENT;
static const acre_result not_found = ACRE_ERROR_NOT_FOUND;
static uint64_t compared; // rows that were compared with the oracle's

static acre_neighbor_row rows[ROWS], other_rows[ROWS];
static uint32_t room[MOST_FOUND + 1], other_room[MOST_FOUND + 1];
static float away[MOST_FOUND + 1], other_away[MOST_FOUND + 1];

// ---- what a row should have ----

typedef struct expected_row {
    acre_result refusal; // ACRE_OK: the row is answered
    acre_aabb origin;    // of distances
    uint32_t count;
    uint32_t items[ITEMS];
} expected_row;

static float middle_of(const acre_aabb *box, int axis)
{
    return 0.5f * box->min[axis] + 0.5f * box->max[axis];
}

static bool is_present(const brute_force *oracle, uint32_t item)
{
    return item < oracle->capacity && oracle->present[item];
}

// A sphere with an endless radius is valid for neighbors.
static bool is_good_sphere(const acre_sphere *sphere)
{
    acre_sphere finite = *sphere;
    finite.radius = sphere->radius > FLT_MAX ? 1.0f : sphere->radius;
    return acre_sphere_is_valid(&finite);
}

// Finds the row's sphere. Returns false if the row is empty or refused.
static bool find_sphere(const brute_force *oracle, const acre_neighbors_query *query, size_t row,
                        acre_sphere *out, acre_result *refusal)
{
    const uint32_t item = query->items ? query->items[row] : (uint32_t)row;
    *refusal = ACRE_OK;
    if (query->spheres) {
        *out = query->spheres[row];
    } else if (!is_present(oracle, item)) {
        *refusal = query->items ? not_found : ACRE_OK;
        return false;
    } else {
        for (int axis = 0; axis < 3; axis++) {
            out->center[axis] = middle_of(&oracle->boxes[item], axis);
        }
        out->radius = query->radius;
    }
    if (query->flags & ACRE_NEIGHBORS_ON_GROUND) {
        out->center[1] = 0.0f;
    }
    *refusal = query->spheres && !is_good_sphere(out) ? invalid : ACRE_OK;
    return is_good_sphere(out);
}

static uint32_t asked_layers(const acre_neighbors_query *query, size_t row)
{
    return query->row_layers ? query->row_layers[row] : query->layers;
}

// Ascending, or the nearest first.
static void expect_row(const brute_force *oracle, const acre_neighbors_query *query, size_t row,
                       expected_row *out)
{
    static acre_query_hit hits[ITEMS];
    const bool is_flat = query->flags & ACRE_NEIGHBORS_ON_GROUND;
    const uint32_t own = query->items ? query->items[row] : query->spheres ? GUARD : (uint32_t)row;
    acre_sphere sphere;
    out->count = 0;
    if (!find_sphere(oracle, query, row, &sphere, &out->refusal)) {
        return;
    }
    const float *const at = sphere.center;
    const acre_circle circle = {{at[0], at[2]}, sphere.radius};
    out->origin = (acre_aabb){{at[0], is_flat ? -INFINITY : at[1], at[2]},
                              {at[0], is_flat ? INFINITY : at[1], at[2]}};
    const acre_query one = {.shape = sphere.radius > FLT_MAX ? ACRE_QUERY_SHAPE_ALL
                                     : is_flat               ? ACRE_QUERY_SHAPE_CIRCLE
                                                             : ACRE_QUERY_SHAPE_SPHERE,
                            .sphere = &sphere,
                            .circle = &circle,
                            .layers = asked_layers(query, row),
                            .origin = &out->origin};
    uint32_t all[ITEMS];
    size_t count = 0;
    if (query->nearest > 0) {
        count = brute_force_nearest(oracle, &one, hits, ITEMS);
        for (size_t i = 0; i < count; i++) {
            all[i] = hits[i].item;
        }
    } else {
        count = brute_force_query(oracle, &one, all);
    }
    for (size_t i = 0; i < count; i++) {
        if (all[i] != own && (query->nearest == 0 || out->count < query->nearest)) {
            out->items[out->count++] = all[i];
        }
    }
}

// ---- lists against the oracle ----

// Whether rows are each once in the order in which they stand, without gaps.
static bool rows_stand_in_order(const acre_neighbor_lists *lists, size_t count)
{
    static bool is_listed[ROWS];
    size_t at = 0;
    memset(is_listed, 0, sizeof is_listed);
    for (size_t i = 0; i < count; i++) {
        const uint32_t row = lists->rows[i].order;
        if (row >= count || is_listed[row] ||
            (lists->rows[row].count > 0 && lists->rows[row].first != at)) {
            return false;
        }
        is_listed[row] = true;
        at += lists->rows[row].count;
    }
    return at == lists->total;
}

static bool row_is_right(const brute_force *oracle, const acre_neighbor_lists *lists,
                         const acre_neighbors_query *query, size_t row,
                         const expected_row *expected)
{
    uint32_t found[ITEMS];
    const acre_neighbor_row *const at = &lists->rows[row];
    if (at->count != expected->count || at->first + at->count > lists->capacity) {
        return false;
    }
    memcpy(found, lists->items + at->first, at->count * sizeof *found);
    for (uint32_t i = 0; i < at->count; i++) {
        const float is = lists->distances[at->first + i];
        if (is != acre_aabb_distance(&expected->origin, &oracle->boxes[found[i]])) {
            printf("     row %zu: item %u is not %g away\n", row, found[i], (double)is);
            return false;
        }
    }
    if (query->nearest == 0) {
        sort_numbers(found, at->count);
    }
    return memcmp(found, expected->items, at->count * sizeof *found) == 0;
}

static bool lists_are_right(const brute_force *oracle, const acre_neighbors_query *query,
                            const acre_neighbor_lists *lists, acre_result result)
{
    acre_quadtree_report refused = {0, 0, ACRE_OK};
    size_t total = 0;
    for (size_t row = 0; row < query->count; row++) {
        static expected_row expected;
        expect_row(oracle, query, row, &expected);
        if (!row_is_right(oracle, lists, query, row, &expected)) {
            printf("     row %zu: %u neighbors, not %u\n", row, lists->rows[row].count,
                   expected.count);
            return false;
        }
        if (expected.refusal != ACRE_OK && refused.refused++ == 0) {
            refused.first_row = row;
            refused.first_result = expected.refusal;
        }
        total += expected.count;
        compared++;
    }
    return total == lists->total && result == refused.first_result &&
           lists->refused.refused == refused.refused &&
           lists->refused.first_row == refused.first_row &&
           lists->refused.first_result == refused.first_result &&
           rows_stand_in_order(lists, query->count);
}

static bool same_rows(const acre_neighbor_row *a, const acre_neighbor_row *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (a[i].first != b[i].first || a[i].count != b[i].count || a[i].order != b[i].order) {
            return false;
        }
    }
    return true;
}

// Every kernel: the same rows, and those neighbors that have room; nothing behind.
static bool kernels_agree(const query_trees *all, const acre_neighbors_query *query,
                          const acre_neighbor_lists *first, acre_result result, size_t capacity)
{
    for (uint32_t k = 0; k < all->count; k++) {
        acre_neighbor_lists lists = {.rows = other_rows,
                                     .items = capacity ? other_room : NULL,
                                     .capacity = capacity,
                                     .distances = k % 2 ? NULL : other_away};
        memset(other_rows, 0xa5, sizeof other_rows);
        other_room[capacity] = GUARD;
        other_away[capacity] = -7.0f;
        if (acre_quadtree_neighbors(all->trees[k], query, &lists) != result ||
            lists.total != first->total || other_room[capacity] != GUARD ||
            other_away[capacity] != -7.0f || !same_rows(first->rows, other_rows, query->count)) {
            printf("     kernel %u, capacity %zu: %zu neighbors, not %zu\n", k, capacity,
                   lists.total, first->total);
            return false;
        }
        for (size_t row = 0; row < query->count; row++) {
            const acre_neighbor_row at = other_rows[row];
            if (at.first + at.count <= capacity &&
                (memcmp(other_room + at.first, first->items + at.first, at.count * sizeof *room) ||
                 (lists.distances && memcmp(other_away + at.first, first->distances + at.first,
                                            at.count * sizeof *away)))) {
                printf("     kernel %u, capacity %zu: row %zu differs\n", k, capacity, row);
                return false;
            }
        }
    }
    return true;
}

// Each row has the layers of what it finds, with every kernel.
static bool layers_are_right(const query_trees *all, const acre_neighbors_query *query)
{
    static uint32_t layers[ROWS + 1], seen[ROWS];
    acre_result first = ACRE_OK;
    for (size_t row = 0; row < query->count; row++) {
        static expected_row expected;
        expect_row(&all->oracle, query, row, &expected);
        seen[row] = 0;
        for (uint32_t i = 0; i < expected.count; i++) {
            seen[row] |= all->oracle.layers[expected.items[i]];
        }
        const uint32_t asked = asked_layers(query, row);
        seen[row] &= asked ? asked : UINT32_MAX;
        first = first == ACRE_OK ? expected.refusal : first;
        compared++;
    }
    for (uint32_t k = 0; k < all->count; k++) {
        memset(layers, 0xa5, sizeof layers);
        layers[query->count] = GUARD;
        if (acre_quadtree_layers_within(all->trees[k], query, layers) != first ||
            memcmp(layers, seen, query->count * sizeof *seen) || layers[query->count] != GUARD) {
            printf("     kernel %u: other layers\n", k);
            return false;
        }
    }
    return true;
}

static bool is_right(const query_trees *all, const acre_neighbors_query *query, test_random *random)
{
    acre_neighbor_lists lists = {
        .rows = rows, .items = room, .capacity = MOST_FOUND, .distances = away};
    const acre_result result = acre_quadtree_neighbors(all->trees[0], query, &lists);
    if (!lists_are_right(&all->oracle, query, &lists, result)) {
        return false;
    }
    const size_t rooms[] = {0, 1, lists.total, lists.total > 0 ? lists.total - 1 : 0,
                            random_below(random, (uint32_t)lists.total + 1)};
    return kernels_agree(all, query, &lists, result, MOST_FOUND) &&
           kernels_agree(all, query, &lists, result, rooms[random_below(random, 5)]);
}

// ---- random streams ----

static float random_radius(test_random *random, const box_world *world)
{
    const float least = log2f(world->cell_size * 0.1f), most = log2f(world->half_size * 2.0f);
    const float radius = fminf(exp2f(random_float(random, least, most)), 0x1p50f);
    const uint32_t kind = random_below(random, 16);
    return kind == 0 ? 0.0f : kind == 1 ? INFINITY : radius;
}

// A place among the items, at times one that no sphere can have.
static acre_sphere random_sphere(test_random *random, const query_trees *all)
{
    const acre_aabb box = box_valid(random, &all->ground.world);
    acre_sphere out = {{box.min[0], box.max[1], box.min[2]},
                       random_radius(random, &all->ground.world)};
    switch (random_below(random, 40)) {
    case 0:
        out.radius = NAN;
        break;
    case 1:
        out.radius = -1.0f;
        break;
    case 2:
        out.center[random_below(random, 3)] = random_below(random, 2) ? NAN : INFINITY;
        break;
    default:
        break;
    }
    return out;
}

// In a third of the queries each row has layers of its own.
static acre_neighbors_query random_rows(test_random *random, const query_trees *all,
                                        uint32_t *items, acre_sphere *spheres)
{
    static uint32_t row_layers[ROWS];
    const uint32_t form = random_below(random, 4);
    acre_neighbors_query query = {.count = random_below(random, ROWS + 1),
                                  .radius = random_radius(random, &all->ground.world)};
    for (uint32_t i = 0; i < query.count; i++) {
        items[i] = random_below(random, form == 1 ? ITEMS + 3 : 2 * ITEMS);
        spheres[i] = random_sphere(random, all);
        const uint32_t kind = random_below(random, 5);
        row_layers[i] = kind == 0 ? 0 : kind < 4 ? 1u << kind : random_below(random, 32);
    }
    query.row_layers = random_below(random, 3) == 0 ? row_layers : NULL;
    query.items = form == 1 || form == 3 ? items : NULL;
    query.spheres = form >= 2 ? spheres : NULL;
    query.nearest = random_below(random, 3) == 0 ? 1 + random_below(random, 12) : 0;
    query.nearest = random_below(random, 40) == 0 ? ACRE_NEIGHBORS_MOST_NEAREST : query.nearest;
    query.layers = random_below(random, 3) == 0 ? 1u << random_below(random, 5) : 0;
    query.flags = random_below(random, 2) ? ACRE_NEIGHBORS_ON_GROUND : 0;
    return query;
}

static void rows_see_the_layers_of_what_they_find_with_every_kernel(void)
{
    test_random random = {test_seed * 7};
    compared = 0;
    for (uint32_t round = 0; round < QUERY_SETTING_COUNT * test_scale; round++) {
        static uint32_t items[ROWS];
        static acre_sphere spheres[ROWS];
        query_trees all;
        CHECK(query_trees_init_setting(&all, round, ITEMS));
        CHECK(query_trees_fill(&all, &random, round % 9 == 8 ? 3 : ITEMS - round));
        for (uint32_t i = 0; i < 12; i++) {
            CHECK(query_trees_edit(&all, &random, NULL));
            acre_neighbors_query query = random_rows(&random, &all, items, spheres);
            query.nearest = 0;
            query.layers = random_below(&random, 2) ? random_below(&random, 32) : query.layers;
            CHECK(layers_are_right(&all, &query));
        }
        query_trees_free(&all);
    }
    CHECK(compared >= 10000);
}

static void rows_have_what_one_query_each_finds_with_every_kernel(void)
{
    test_random random = {test_seed};
    compared = 0;
    for (uint32_t round = 0; round < 2 * QUERY_SETTING_COUNT * test_scale; round++) {
        static uint32_t items[ROWS];
        static acre_sphere spheres[ROWS];
        query_trees all;
        CHECK(query_trees_init_setting(&all, round, ITEMS));
        CHECK(query_trees_fill(&all, &random, round % 9 == 8 ? 3 : ITEMS - round));
        for (uint32_t i = 0; i < 24; i++) {
            CHECK(query_trees_edit(&all, &random, NULL));
            const acre_neighbors_query query = random_rows(&random, &all, items, spheres);
            CHECK(is_right(&all, &query, &random));
        }
        query_trees_free(&all);
    }
    printf("     %llu comparisons\n", (unsigned long long)compared);
    CHECK(compared >= 50000);
}

static void rows_are_right_in_programs_that_round_otherwise(void)
{
    static uint32_t items[ROWS];
    static acre_sphere spheres[ROWS];
    for (uint32_t i = 0; i < 2 * FLOAT_MODE_COUNT * test_scale; i++) {
        test_random random = {test_seed * 19 + i};
        query_trees all;
        bool ok =
            query_trees_init_setting(&all, i, ITEMS) && query_trees_fill(&all, &random, ITEMS / 2);
        const float_mode before = float_mode_enter(i % FLOAT_MODE_COUNT);
        for (uint32_t round = 0; ok && round < 8; round++) {
            const acre_neighbors_query query = random_rows(&random, &all, items, spheres);
            ok = is_right(&all, &query, &random);
        }
        float_mode_leave(before);
        query_trees_free(&all);
        CHECK(ok);
    }
}

// ---- a crowd: many rows share their way ----

enum { CROWD = 4000, CROWD_FOUND = 2000000 };

typedef struct crowd {
    acre_quadtree *trees[ACRE_KERNEL_COUNT_];
    uint32_t count;
    acre_neighbor_row *rows, *other_rows;
    uint32_t *items, *other_items;
} crowd;

// As dense as a battle: 37 within 30 m. Some kernels alone; one thick cluster in a corner.
static bool gather_crowd(crowd *out, uint32_t node_capacity)
{
    test_random random = {test_seed};
    static acre_aabb boxes[CROWD];
    static uint32_t numbers[CROWD];
    *out = (crowd){.rows = calloc(CROWD, sizeof *out->rows),
                   .other_rows = calloc(CROWD, sizeof *out->rows),
                   .items = calloc(CROWD_FOUND, sizeof *out->items),
                   .other_items = calloc(CROWD_FOUND, sizeof *out->items)};
    for (uint32_t i = 0; i < CROWD; i++) {
        const float side = i % 10 == 0 ? 3.0f : 280.0f, y = random_float(&random, 0.0f, 5.0f);
        const float x = random_float(&random, -280.0f, -280.0f + 2.0f * side);
        const float z = random_float(&random, -280.0f, -280.0f + 2.0f * side);
        boxes[i] = (acre_aabb){{x, y, z}, {x + 0.8f, y + 2.0f, z + 0.8f}};
        numbers[i] = i;
    }
    bool ok = out->rows && out->other_rows && out->items && out->other_items;
    for (uint32_t kernel = ACRE_KERNEL_SCALAR; ok && kernel < ACRE_KERNEL_COUNT_; kernel++) {
        const acre_quadtree_def def = {
            .half_size = 300, .node_capacity = node_capacity, .kernel = (acre_kernel)kernel};
        if (acre_quadtree_create(&def, &out->trees[out->count]) == ACRE_OK) {
            ok = acre_quadtree_insert_many(out->trees[out->count++], numbers, boxes, CROWD) ==
                 ACRE_OK;
        }
    }
    return ok && out->count > 0;
}

static void free_crowd(crowd *self)
{
    for (uint32_t k = 0; k < self->count; k++) {
        acre_quadtree_destroy(self->trees[k]);
    }
    free(self->rows);
    free(self->other_rows);
    free(self->items);
    free(self->other_items);
}

static bool row_equals_one_query(const crowd *self, uint32_t row, float radius, uint32_t flags)
{
    static uint32_t found[CROWD];
    acre_aabb box;
    size_t total = 0, others = 0;
    if (acre_quadtree_get_box(self->trees[0], row, &box) != ACRE_OK) {
        return false;
    }
    const float x = middle_of(&box, 0), y = middle_of(&box, 1), z = middle_of(&box, 2);
    const acre_sphere sphere = {{x, y, z}, radius};
    const acre_circle circle = {{x, z}, radius};
    const acre_query query = {.shape = flags ? ACRE_QUERY_SHAPE_CIRCLE : ACRE_QUERY_SHAPE_SPHERE,
                              .sphere = &sphere,
                              .circle = &circle};
    if (acre_quadtree_query(self->trees[0], &query, found, CROWD, &total) != ACRE_OK) {
        return false;
    }
    for (size_t i = 0; i < total; i++) {
        found[others] = found[i];
        others += found[i] != row;
    }
    uint32_t *const neighbors = self->items + self->rows[row].first;
    sort_numbers(found, others);
    sort_numbers(neighbors, self->rows[row].count);
    return self->rows[row].count == others && total == others + 1 &&
           memcmp(neighbors, found, others * sizeof *found) == 0;
}

// With every kernel, as all items and as a list; radii from a few groups to most of the crowd.
static void everybody_in_a_crowd_has_the_neighbors_that_one_query_finds(void)
{
    static const float radii[] = {0.0f, 0.5f, 3.0f, 30.0f, 90.0f};
    static uint32_t backward[CROWD];
    crowd all;
    CHECK(gather_crowd(&all, test_seed % 2 ? 0 : 24));
    for (uint32_t i = 0; i < CROWD; i++) {
        backward[i] = CROWD - 1 - i;
    }
    for (uint32_t i = 0; i < 2 * sizeof radii / sizeof radii[0]; i++) {
        const uint32_t flags = i % 2 ? ACRE_NEIGHBORS_ON_GROUND : 0;
        acre_neighbors_query query = {.count = CROWD, .radius = radii[i / 2], .flags = flags};
        acre_neighbor_lists lists = {.rows = all.rows, .items = all.items, .capacity = CROWD_FOUND};
        CHECK(acre_quadtree_neighbors(all.trees[0], &query, &lists) == ACRE_OK);
        CHECK(lists.total <= CROWD_FOUND && lists.refused.refused == 0);
        for (uint32_t k = 1; k < all.count; k++) {
            acre_neighbor_lists other = {
                .rows = all.other_rows, .items = all.other_items, .capacity = CROWD_FOUND};
            CHECK(acre_quadtree_neighbors(all.trees[k], &query, &other) == ACRE_OK);
            CHECK(same_rows(all.rows, all.other_rows, CROWD));
            CHECK(memcmp(all.items, all.other_items, lists.total * sizeof *all.items) == 0);
        }
        for (uint32_t row = 0; row < CROWD; row++) {
            CHECK(row_equals_one_query(&all, row, radii[i / 2], flags));
        }
        query.items = backward;
        lists.rows = all.other_rows;
        CHECK(acre_quadtree_neighbors(all.trees[i % all.count], &query, &lists) == ACRE_OK);
        for (uint32_t row = 0; row < CROWD; row++) {
            all.rows[backward[row]] = all.other_rows[row];
        }
        for (uint32_t row = 0; row < CROWD; row++) {
            CHECK(row_equals_one_query(&all, row, radii[i / 2], flags));
        }
    }
    free_crowd(&all);
}

static bool row_equals_one_nearest(const crowd *self, uint32_t row, float radius, uint32_t nearest)
{
    acre_query_hit hits[100];
    acre_aabb box;
    size_t found = 0, others = 0;
    if (acre_quadtree_get_box(self->trees[0], row, &box) != ACRE_OK) {
        return false;
    }
    const float x = middle_of(&box, 0), y = middle_of(&box, 1), z = middle_of(&box, 2);
    const acre_sphere sphere = {{x, y, z}, radius};
    const acre_aabb origin = {{x, y, z}, {x, y, z}};
    const acre_query query = {.shape =
                                  radius > FLT_MAX ? ACRE_QUERY_SHAPE_ALL : ACRE_QUERY_SHAPE_SPHERE,
                              .sphere = &sphere,
                              .origin = &origin};
    if (acre_quadtree_query_nearest(self->trees[0], &query, hits, nearest + 1, &found) != ACRE_OK) {
        return false;
    }
    const acre_neighbor_row at = self->rows[row];
    bool is_same = true;
    for (size_t i = 0; i < found && others < nearest; i++) {
        if (hits[i].item != row) {
            is_same &= others < at.count && self->items[at.first + others] == hits[i].item;
            others++;
        }
    }
    return is_same && others == at.count;
}

// In the cluster rows have far more neighbors near them than outside of it.
static void everybody_in_a_crowd_has_the_nearest_that_one_query_finds(void)
{
    static const uint32_t counts[] = {1, 8, 60};
    static const float radii[] = {3.0f, 30.0f, INFINITY};
    crowd all;
    CHECK(gather_crowd(&all, test_seed % 2 ? 24 : 0));
    for (uint32_t i = 0; i < 9; i++) {
        const acre_neighbors_query query = {
            .count = CROWD, .radius = radii[i / 3], .nearest = counts[i % 3]};
        acre_neighbor_lists lists = {.rows = all.rows, .items = all.items, .capacity = CROWD_FOUND};
        CHECK(acre_quadtree_neighbors(all.trees[0], &query, &lists) == ACRE_OK);
        for (uint32_t k = 1; k < all.count; k++) {
            acre_neighbor_lists other = {
                .rows = all.other_rows, .items = all.other_items, .capacity = CROWD_FOUND};
            CHECK(acre_quadtree_neighbors(all.trees[k], &query, &other) == ACRE_OK);
            CHECK(same_rows(all.rows, all.other_rows, CROWD));
            CHECK(memcmp(all.items, all.other_items, lists.total * sizeof *all.items) == 0);
        }
        for (uint32_t row = 0; row < CROWD; row++) {
            CHECK(row_equals_one_nearest(&all, row, query.radius, query.nearest));
        }
    }
    free_crowd(&all);
}

// ---- piles: many boxes overlap each other ----

enum { PILE = 1800, PILE_NEAREST = 60 };

static acre_aabb pile_boxes[PILE];
static uint32_t pile_masks[PILE];

// A third in one place, a third that overlaps, numbered to and fro, the rest apart; at some, rows
// of equal distances.
static void fill_pile(test_random *random)
{
    for (uint32_t i = 0; i < PILE; i++) {
        const uint32_t kind = i * 7 % 3;
        const float reach = kind == 0 ? 0.0f : kind == 1 ? 0.3f : 60.0f;
        float x = random_float(random, 0.0f, reach), z = random_float(random, 0.0f, reach);
        if (kind == 2 && i % 2 == 0) {
            x = 4.0f * floorf(x * 0.25f);
            z = 4.0f * floorf(z * 0.25f);
        }
        const float size = i % 5 == 0 ? 0.0f : 0.5f;
        pile_boxes[i] = (acre_aabb){{x, 0, z}, {x + size, size, z + size}};
    }
}

// In plain floats: the nearest of all boxes, the smaller number first.
static uint32_t nearest_in_pile(uint32_t row, const acre_neighbors_query *query, uint32_t nearest,
                                uint32_t *items, float *distances)
{
    const bool is_flat = query->flags & ACRE_NEIGHBORS_ON_GROUND;
    const uint32_t asked = query->row_layers ? query->row_layers[row] : 0;
    uint32_t count = 0;
    for (uint32_t item = 0; item < PILE; item++) {
        float square = 0.0f;
        for (int axis = 0; axis < 3; axis += is_flat ? 2 : 1) {
            const float at = middle_of(&pile_boxes[row], axis);
            const float below = pile_boxes[item].min[axis] - at;
            const float above = at - pile_boxes[item].max[axis];
            const float gap = fmaxf(fmaxf(below, above), 0.0f);
            square += gap * gap;
        }
        const float distance = sqrtf(square);
        if (item == row || distance > query->radius || (asked && !(asked & pile_masks[item])) ||
            (count == nearest && distance >= distances[count - 1])) {
            continue;
        }
        uint32_t at = count < nearest ? count++ : count - 1;
        for (; at > 0 && distance < distances[at - 1]; at--) {
            items[at] = items[at - 1];
            distances[at] = distances[at - 1];
        }
        items[at] = item;
        distances[at] = distance;
    }
    return count;
}

static bool pile_is_right(const acre_neighbor_lists *lists, const acre_neighbors_query *query)
{
    for (uint32_t row = 0; row < PILE; row += row % 3 == 0 ? 1 : 5) {
        uint32_t items[PILE_NEAREST];
        float distances[PILE_NEAREST];
        const acre_neighbor_row at = lists->rows[row];
        const uint32_t count = nearest_in_pile(row, query, query->nearest, items, distances);
        if (at.count != count || memcmp(lists->items + at.first, items, count * sizeof *items) ||
            memcmp(lists->distances + at.first, distances, count * sizeof *distances)) {
            printf("     row %u of the %u nearest within %g%s\n", row, query->nearest,
                   (double)query->radius, query->row_layers ? ", layers of its own" : "");
            return false;
        }
    }
    return true;
}

static void rows_that_overlap_have_the_nearest_of_a_scan_with_every_kernel(void)
{
    static const uint32_t counts[] = {1, 8, 11, 47, PILE_NEAREST};
    static acre_neighbor_row pile_rows[PILE];
    static uint32_t numbers[PILE], enemies[PILE], found[PILE * PILE_NEAREST];
    static float distances[PILE * PILE_NEAREST];
    test_random random = {test_seed};
    fill_pile(&random);
    for (uint32_t i = 0; i < PILE; i++) {
        numbers[i] = i;
        pile_masks[i] = 1u << i % 4;
        enemies[i] = i % 100 == 0 ? 0 : 15 & ~pile_masks[i];
    }
    for (uint32_t kernel = ACRE_KERNEL_SCALAR; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        const acre_quadtree_def def = {.half_size = 64, .kernel = (acre_kernel)kernel};
        acre_quadtree *tree;
        if (acre_quadtree_create(&def, &tree) != ACRE_OK) {
            continue;
        }
        CHECK(acre_quadtree_insert_many_in_layers(tree, numbers, pile_boxes, pile_masks, PILE) ==
              ACRE_OK);
        for (uint32_t i = 0; i < 15; i++) {
            const acre_neighbors_query query = {.count = PILE,
                                                .radius = i % 4 == 0 ? 0.25f : INFINITY,
                                                .nearest = counts[i / 3],
                                                .flags = i % 2 ? ACRE_NEIGHBORS_ON_GROUND : 0,
                                                .row_layers = i % 3 ? NULL : enemies};
            acre_neighbor_lists lists = {.rows = pile_rows,
                                         .items = found,
                                         .capacity = sizeof found / sizeof *found,
                                         .distances = distances};
            CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK);
            CHECK(pile_is_right(&lists, &query));
        }
        acre_quadtree_destroy(tree);
    }
}

// The nearest of a box of one place, and of more groups than a list has room for: the list takes
// what fits, so that rows have witnesses before they walk through the tree.
static void a_list_that_overflows_at_once_has_what_fits(void)
{
    static neighbor_search search;
    static uint32_t numbers[PILE];
    const acre_neighbors_query query = {.count = 1, .nearest = 1};
    const acre_quadtree_def def = {.half_size = 64};
    acre_quadtree *tree;
    for (uint32_t i = 0; i < PILE; i++) {
        pile_boxes[i] = (acre_aabb){{0, 0, 0}, {1, 1, 1}};
        numbers[i] = i;
    }
    CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
    CHECK(acre_quadtree_insert_many(tree, numbers, pile_boxes, PILE) == ACRE_OK);
    search.tree = tree;
    search.query = &query;
    search.box = &volume_kernel_of(tree)->box;
    for (uint32_t most = 1; most <= NEAREST_GROUPS_LISTED; most *= 2) {
        CHECK(!acre_list_groups_near(&search, 0, 1, 10.0f, most));
        CHECK(search.task.count == most);
        for (uint32_t i = 0; i < most; i++) {
            CHECK(search.task.bounds[i / GROUP_SLOTS].row[ROW_X_MAX][i % GROUP_SLOTS] >= 1.0f);
        }
    }
    CHECK(acre_list_groups_near(&search, 0, 1, 10.0f, MOST_NEAR_GROUPS));
    CHECK(search.task.count * GROUP_SLOTS >= PILE);
    acre_quadtree_destroy(tree);
}

// ---- equal distances ----

enum { TIED_ROWS = 512, TIED_SIDE = 32 };

// Each row has two items, whose squared distances are 100 and the next float: both are 10 m away,
// so that the smaller number comes first, which is the farther one's. Once rows have learned that
// the nearest are 10 m away, the guess lies between the two.
static void of_two_at_the_limit_of_a_guess_the_smaller_number_comes_first(void)
{
    static acre_sphere spheres[TIED_ROWS];
    static acre_neighbor_row tied[TIED_ROWS];
    static acre_aabb boxes[2 * TIED_ROWS];
    static uint32_t numbers[2 * TIED_ROWS], found[TIED_ROWS];
    for (uint32_t i = 0; i < TIED_ROWS; i++) {
        const float x = 64.0f * (float)(i % TIED_SIDE), z = 64.0f * (float)(i / TIED_SIDE);
        const float beside = z + 3.0f / 1024.0f;
        spheres[i] = (acre_sphere){{x, 0, z}, INFINITY};
        boxes[i] = (acre_aabb){{x + 10, 0, beside}, {x + 10, 0, beside}};
        boxes[TIED_ROWS + i] = (acre_aabb){{x - 10, 0, z}, {x - 10, 0, z}};
        numbers[i] = i;
        numbers[TIED_ROWS + i] = TIED_ROWS + i;
    }
    for (uint32_t kernel = ACRE_KERNEL_SCALAR; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        const acre_quadtree_def def = {.half_size = 2048, .kernel = (acre_kernel)kernel};
        const acre_neighbors_query query = {.count = TIED_ROWS, .spheres = spheres, .nearest = 1};
        acre_neighbor_lists lists = {.rows = tied, .items = found, .capacity = TIED_ROWS};
        acre_quadtree *tree;
        if (acre_quadtree_create(&def, &tree) != ACRE_OK) {
            continue;
        }
        CHECK(acre_quadtree_insert_many(tree, numbers, boxes, 2 * TIED_ROWS) == ACRE_OK);
        CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK);
        for (uint32_t i = 0; i < TIED_ROWS; i++) {
            CHECK(tied[i].count == 1 && found[tied[i].first] == i);
        }
        acre_quadtree_destroy(tree);
    }
}

// ---- layers of a pile ----

// Each unit of a pile sees its team only if another one is in reach.
static bool pile_sees(const uint32_t *seen, const uint32_t *masks,
                      const acre_neighbors_query *query)
{
    static uint32_t items[PILE];
    static float distances[PILE];
    for (size_t i = 0; i < query->count; i += i % 3 == 0 ? 1 : 43) {
        const uint32_t row = query->items ? query->items[i] : (uint32_t)i;
        const uint32_t count = nearest_in_pile(row, query, PILE, items, distances);
        uint32_t expected = 0;
        for (uint32_t k = 0; k < count; k++) {
            expected |= masks[items[k]];
        }
        expected &= query->layers ? query->layers : UINT32_MAX;
        if (seen[i] != expected) {
            printf("     row %u sees %x, not %x\n", row, seen[i], expected);
            return false;
        }
    }
    return true;
}

static void a_pile_sees_the_layers_of_a_scan_with_every_kernel(void)
{
    static uint32_t numbers[PILE], shuffled[PILE], masks[PILE], seen[PILE];
    static const float radii[] = {0.0f, 0.25f, 5.0f, INFINITY};
    test_random random = {test_seed};
    fill_pile(&random);
    for (uint32_t i = 0; i < PILE; i++) {
        numbers[i] = i;
        shuffled[i] = i * 7 % PILE;
        masks[i] = i % 97 == 0 ? 6 : i % 500 == 1 ? 16 : i % 3 ? 1 : 8;
    }
    for (uint32_t kernel = ACRE_KERNEL_SCALAR; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        const acre_quadtree_def def = {.half_size = 64, .kernel = (acre_kernel)kernel};
        acre_quadtree *tree;
        if (acre_quadtree_create(&def, &tree) != ACRE_OK) {
            continue;
        }
        CHECK(acre_quadtree_insert_many(tree, numbers, pile_boxes, PILE) == ACRE_OK);
        for (uint32_t i = 0; i < PILE; i++) {
            CHECK(acre_quadtree_set_layers(tree, i, masks[i]) == ACRE_OK);
        }
        for (uint32_t i = 0; i < 16; i++) {
            const acre_neighbors_query query = {.count = PILE,
                                                .items = i % 2 ? shuffled : NULL,
                                                .radius = radii[i / 4],
                                                .layers = i % 4 < 2 ? 0 : 16 | 4 | 1,
                                                .flags = i % 3 ? ACRE_NEIGHBORS_ON_GROUND : 0};
            CHECK(acre_quadtree_layers_within(tree, &query, seen) == ACRE_OK);
            CHECK(pile_sees(seen, masks, &query));
        }
        acre_quadtree_destroy(tree);
    }
}

// ---- by hand ----

// Boxes of a meter in a row, at x = 10 i.
static acre_quadtree *row_of(uint32_t count, const acre_allocator *allocator)
{
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = 64, .node_capacity = 4, .allocator = allocator};
    if (acre_quadtree_create(&def, &tree) != ACRE_OK) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        const float x = 10.0f * (float)i;
        const acre_aabb box = {{x, 0, 0}, {x + 1, 1, 1}};
        if (acre_quadtree_insert(tree, i, &box) != ACRE_OK) {
            acre_quadtree_destroy(tree);
            return NULL;
        }
    }
    return tree;
}

static bool row_has(const acre_neighbor_lists *lists, size_t row, uint32_t count,
                    const uint32_t *sorted)
{
    uint32_t found[ITEMS];
    memcpy(found, lists->items + lists->rows[row].first, lists->rows[row].count * sizeof *found);
    sort_numbers(found, lists->rows[row].count);
    return lists->rows[row].count == count && memcmp(found, sorted, count * sizeof *found) == 0;
}

// From the middle of an item's box, 0.5 m from its side, to the nearest side of another.
static void distances_go_from_an_items_middle_to_the_others_box(void)
{
    acre_quadtree *const tree = row_of(8, NULL);
    CHECK(tree);
    acre_neighbors_query query = {.count = 8, .radius = 9.5f};
    acre_neighbor_lists lists = {.rows = rows, .items = room, .capacity = MOST_FOUND};
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK && lists.total == 14);
    CHECK(row_has(&lists, 0, 1, (uint32_t[]){1}) && row_has(&lists, 3, 2, (uint32_t[]){2, 4}));
    query.radius = 9.49f;
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK && lists.total == 0);
    const acre_sphere above[] = {{{20.5f, 6, 0.5f}, 5}, {{20.5f, 6, 0.5f}, 4.99f}};
    query = (acre_neighbors_query){.count = 2, .spheres = above};
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK);
    CHECK(row_has(&lists, 0, 1, (uint32_t[]){2}) && rows[1].count == 0);
    query.flags = ACRE_NEIGHBORS_ON_GROUND;
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK && lists.total == 2);
    query.items = (const uint32_t[]){2, ITEMS}; // left out of the first row alone
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK);
    CHECK(rows[0].count == 0 && row_has(&lists, 1, 1, (uint32_t[]){2}));
    acre_quadtree_destroy(tree);
}

static void an_item_may_be_listed_twice_and_a_missing_one_is_refused_alone(void)
{
    acre_quadtree *const tree = row_of(6, NULL);
    CHECK(tree);
    const uint32_t items[] = {3, 77, 3, 0, UINT32_MAX, 5};
    const acre_neighbors_query query = {.count = 6, .items = items, .radius = 10};
    acre_neighbor_lists lists = {.rows = rows, .items = room, .capacity = MOST_FOUND};
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == not_found);
    CHECK(lists.refused.refused == 2 && lists.refused.first_row == 1 &&
          lists.refused.first_result == not_found);
    CHECK(row_has(&lists, 0, 2, (uint32_t[]){2, 4}) && row_has(&lists, 2, 2, (uint32_t[]){2, 4}));
    CHECK(row_has(&lists, 3, 1, (uint32_t[]){1}) && row_has(&lists, 5, 1, (uint32_t[]){4}));
    CHECK(rows[1].count == 0 && rows[4].count == 0 && lists.total == 6);
    CHECK(rows_stand_in_order(&lists, 6));
    acre_quadtree_destroy(tree);
}

static void fewer_items_than_wanted_are_all_and_equally_near_ones_come_by_number(void)
{
    acre_quadtree *const tree = row_of(5, NULL);
    CHECK(tree);
    acre_neighbors_query query = {.count = 5, .radius = INFINITY, .nearest = 100};
    acre_neighbor_lists lists = {.rows = rows, .items = room, .capacity = MOST_FOUND};
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK && lists.total == 20);
    const uint32_t from_2[] = {1, 3, 0, 4}, from_0[] = {1, 2, 3, 4};
    CHECK(memcmp(room + rows[2].first, from_2, sizeof from_2) == 0);
    CHECK(memcmp(room + rows[0].first, from_0, sizeof from_0) == 0);
    query.nearest = 1;
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK && lists.total == 5);
    CHECK(room[rows[2].first] == 1 && room[rows[4].first] == 3);
    acre_quadtree_destroy(tree);
}

// An endless box is everybody's neighbor; it has no middle, and none itself. A far one has some.
static void outliers_are_neighbors(void)
{
    acre_quadtree *const tree = row_of(4, NULL);
    CHECK(tree);
    const acre_aabb endless = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const acre_aabb tall = {{20, -INFINITY, 2}, {21, INFINITY, 3}};
    const acre_aabb far = {{3e14f, 0, 3e14f}, {3e14f, 0, 3e14f}};
    CHECK(acre_quadtree_insert(tree, 4, &endless) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 5, &far) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 6, &tall) == ACRE_OK);
    acre_neighbors_query query = {
        .count = 9, .radius = 4, .flags = ACRE_NEIGHBORS_ON_GROUND}; // 7 and 8 are absent
    acre_neighbor_lists lists = {.rows = rows, .items = room, .capacity = MOST_FOUND};
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK);
    CHECK(lists.refused.refused == 0 && rows_stand_in_order(&lists, 9));
    CHECK(row_has(&lists, 0, 1, (uint32_t[]){4}) && row_has(&lists, 2, 2, (uint32_t[]){4, 6}));
    CHECK(rows[4].count == 0 && row_has(&lists, 5, 1, (uint32_t[]){4}));
    CHECK(row_has(&lists, 6, 2, (uint32_t[]){2, 4}) && rows[7].count == 0 && rows[8].count == 0);
    query.flags = 0; // what is endlessly tall has no middle in space
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK && rows[6].count == 0);
    CHECK(row_has(&lists, 2, 2, (uint32_t[]){4, 6}));
    for (uint32_t i = 0; i < 7; i++) {
        CHECK(acre_quadtree_set_layers(tree, i, 1u << i) == ACRE_OK);
    }
    uint32_t seen[9];
    CHECK(acre_quadtree_layers_within(tree, &query, seen) == ACRE_OK);
    CHECK(seen[0] == 16 && seen[2] == (16 | 64) && seen[4] == 0 && seen[5] == 16);
    CHECK(seen[6] == 0 && seen[7] == 0 && seen[8] == 0);
    acre_quadtree_destroy(tree);
}

static void bad_arguments_are_refused_and_nothing_is_written(void)
{
    acre_quadtree *const tree = row_of(3, NULL);
    CHECK(tree);
    acre_neighbor_row one[3] = {{7, 7, 7}, {7, 7, 7}, {7, 7, 7}};
    uint32_t items[3] = {7, 7, 7};
    const acre_neighbors_query good = {.count = 3, .radius = 100};
    acre_neighbor_lists lists = {.rows = one, .items = items, .capacity = 3, .total = 7};
    acre_neighbors_query bad[6];
    for (int i = 0; i < 6; i++) {
        bad[i] = good;
    }
    bad[0].radius = NAN;
    bad[1].radius = -0.001f;
    bad[2].flags = 2;
    bad[3].nearest = ACRE_NEIGHBORS_MOST_NEAREST + 1;
    bad[4].radius = -INFINITY;
    bad[5].radius = 0x1.000002p50f;
    for (int i = 0; i < 6; i++) {
        CHECK(acre_quadtree_neighbors(tree, &bad[i], &lists) == invalid);
    }
    CHECK(acre_quadtree_neighbors(NULL, &good, &lists) == invalid);
    CHECK(acre_quadtree_neighbors(tree, NULL, &lists) == invalid);
    CHECK(acre_quadtree_neighbors(tree, &good, NULL) == invalid);
    lists.rows = NULL;
    CHECK(acre_quadtree_neighbors(tree, &good, &lists) == invalid);
    lists.rows = one;
    lists.items = NULL;
    CHECK(acre_quadtree_neighbors(tree, &good, &lists) == invalid);
    CHECK(one[0].first == 7 && one[2].count == 7 && items[0] == 7 && lists.total == 0);
    bad[3].nearest = 1; // layers have no order
    for (int i = 0; i < 6; i++) {
        CHECK(acre_quadtree_layers_within(tree, &bad[i], items) == invalid);
    }
    CHECK(acre_quadtree_layers_within(NULL, &good, items) == invalid);
    CHECK(acre_quadtree_layers_within(tree, NULL, items) == invalid);
    CHECK(acre_quadtree_layers_within(tree, &good, NULL) == invalid && items[0] == 7);
    acre_quadtree_destroy(tree);
}

static void no_rows_no_items_and_no_radius_are_answered(void)
{
    acre_quadtree *const tree = row_of(0, NULL);
    CHECK(tree);
    const acre_sphere spheres[] = {{{0, 0, 0}, 1}, {{0, NAN, 0}, 1}};
    acre_neighbors_query query = {.count = 0};
    acre_neighbor_lists lists = {.total = 7};
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK && lists.total == 0);
    CHECK(acre_quadtree_layers_within(tree, &query, NULL) == ACRE_OK);
    lists.rows = rows;
    query = (acre_neighbors_query){.count = 2, .spheres = spheres};
    uint32_t seen[2] = {7, 7};
    CHECK(acre_quadtree_layers_within(tree, &query, seen) == invalid && !seen[0] && !seen[1]);
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == invalid && lists.total == 0);
    CHECK(rows[0].count == 0 && rows[1].count == 0 && lists.refused.first_row == 1);
    query.flags = ACRE_NEIGHBORS_ON_GROUND; // where y does not count
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK);
    for (uint32_t i = 0; i < 3; i++) { // two at one place, one beside
        const acre_aabb box = {{(float)(i / 2), 0, 0}, {(float)(i / 2), 0, 0}};
        CHECK(acre_quadtree_insert(tree, i, &box) == ACRE_OK);
    }
    query = (acre_neighbors_query){.count = 3};
    lists.items = room;
    lists.capacity = MOST_FOUND;
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK && lists.total == 2);
    CHECK(row_has(&lists, 0, 1, (uint32_t[]){1}) && row_has(&lists, 1, 1, (uint32_t[]){0}));
    acre_quadtree_destroy(tree);
}

static void a_tree_whose_items_were_removed_answers_as_one_that_had_none(void)
{
    acre_quadtree *const tree = row_of(1, NULL);
    CHECK(tree);
    CHECK(acre_quadtree_remove(tree, 0) == ACRE_OK);
    const acre_neighbors_query query = {.count = 1, .radius = 5};
    uint32_t seen = 7;
    CHECK(acre_quadtree_layers_within(tree, &query, &seen) == ACRE_OK && seen == 0);
    acre_neighbor_lists lists = {.rows = rows, .items = room, .capacity = MOST_FOUND, .total = 7};
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK && lists.total == 0);
    CHECK(rows[0].count == 0);
    acre_quadtree_destroy(tree);
}

static void a_search_allocates_nothing(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    acre_quadtree *const tree = row_of(200, &memory.allocator);
    CHECK(tree);
    static uint32_t items[200];
    for (uint32_t i = 0; i < 200; i++) {
        items[i] = i * 77 % 200;
    }
    const uint64_t calls = memory.total_calls;
    acre_neighbors_query query = {.count = 200, .radius = 500};
    acre_neighbor_lists lists = {.rows = rows, .items = room, .capacity = MOST_FOUND};
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK && lists.total > 10000);
    query.items = items;
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK);
    query.nearest = 3;
    CHECK(acre_quadtree_neighbors(tree, &query, &lists) == ACRE_OK && lists.total == 600);
    query.nearest = 0;
    CHECK(acre_quadtree_layers_within(tree, &query, room) == ACRE_OK && room[0] == UINT32_MAX);
    CHECK(memory.total_calls == calls);
    acre_quadtree_destroy(tree);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(rows_have_what_one_query_each_finds_with_every_kernel),
        TEST(rows_see_the_layers_of_what_they_find_with_every_kernel),
        TEST(rows_are_right_in_programs_that_round_otherwise),
        TEST(everybody_in_a_crowd_has_the_neighbors_that_one_query_finds),
        TEST(everybody_in_a_crowd_has_the_nearest_that_one_query_finds),
        TEST(rows_that_overlap_have_the_nearest_of_a_scan_with_every_kernel),
        TEST(a_list_that_overflows_at_once_has_what_fits),
        TEST(of_two_at_the_limit_of_a_guess_the_smaller_number_comes_first),
        TEST(a_pile_sees_the_layers_of_a_scan_with_every_kernel),
        TEST(distances_go_from_an_items_middle_to_the_others_box),
        TEST(an_item_may_be_listed_twice_and_a_missing_one_is_refused_alone),
        TEST(fewer_items_than_wanted_are_all_and_equally_near_ones_come_by_number),
        TEST(outliers_are_neighbors),
        TEST(bad_arguments_are_refused_and_nothing_is_written),
        TEST(no_rows_no_items_and_no_radius_are_answered),
        TEST(a_tree_whose_items_were_removed_answers_as_one_that_had_none),
        TEST(a_search_allocates_nothing),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
