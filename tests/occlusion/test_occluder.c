// SPDX-License-Identifier: MIT
// test_occluder.c - which occluders are valid, by the orientation of all triples of corners in
// whole numbers; and that a region around any point of a shrunk occluder lies within the whole one.
#include "test.h"

#include <acre/z_up_occluder.h>

#include <float.h>
#include <math.h>
#include <string.h>

static acre_occluder square(float size)
{
    return (acre_occluder){.points = {{0, 0}, {size, 0}, {size, size}, {0, size}},
                           .point_count = 4,
                           .bottom = 0,
                           .top = 1};
}

// ---- validity ----

static int64_t turn_of(const int *a, const int *b, const int *c)
{
    return (int64_t)(b[0] - a[0]) * (c[1] - a[1]) - (int64_t)(b[1] - a[1]) * (c[0] - a[0]);
}

// A polygon is convex and goes around once if all triples of corners, in order, turn one way.
static bool polygon_is_convex(const int points[][2], uint32_t count)
{
    bool turns_left = false, turns_right = false;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i + 1; j < count; j++) {
            if (points[i][0] == points[j][0] && points[i][1] == points[j][1]) {
                return false;
            }
            for (uint32_t k = j + 1; k < count; k++) {
                const int64_t turn = turn_of(points[i], points[j], points[k]);
                turns_left |= turn > 0;
                turns_right |= turn < 0;
            }
        }
    }
    return turns_left != turns_right;
}

// Corners of a small circle of whole numbers are often convex in order.
static void draw_polygon(test_random *random, int points[][2], uint32_t count)
{
    static const int ring[16][2] = {{4, 0},  {4, 2},  {3, 3},  {2, 4},   {0, 4},   {-2, 4},
                                    {-3, 3}, {-4, 2}, {-4, 0}, {-4, -2}, {-3, -3}, {-2, -4},
                                    {0, -4}, {2, -4}, {3, -3}, {4, -2}};
    const uint32_t kind = random_below(random, 4);
    uint32_t at = random_below(random, 16);
    for (uint32_t k = 0; k < count; k++) {
        at += kind == 0 ? random_below(random, 16) : 1 + random_below(random, 16 / count);
        const int *const from = ring[kind == 1 ? (32 - at % 16) % 16 : at % 16];
        points[k][0] = from[0] + (kind == 3 ? (int)random_below(random, 3) - 1 : 0);
        points[k][1] = from[1] + (kind == 3 ? (int)random_below(random, 3) - 1 : 0);
    }
}

static void validity_is_that_of_all_triples_of_corners(void)
{
    test_random random = {test_seed};
    uint32_t valid = 0, rounds = 200000 * test_scale;
    for (uint32_t round = 0; round < rounds; round++) {
        const uint32_t count = 3 + random_below(&random, 6);
        int points[ACRE_OCCLUDER_MAX_POINTS][2];
        draw_polygon(&random, points, count);
        acre_occluder occluder = {.point_count = count, .bottom = -1, .top = 2};
        const float at = random_float(&random, 0, 1) < 0.5f ? 0.0f : 4096.0f;
        for (uint32_t k = 0; k < count; k++) {
            occluder.points[k][0] = at + (float)points[k][0];
            occluder.points[k][1] = (float)points[k][1] - at;
        }
        const bool expected = polygon_is_convex((const int(*)[2])points, count);
        CHECK(acre_occluder_is_valid(&occluder) == expected);
        valid += expected;
    }
    CHECK(valid > rounds / 10 && valid < rounds - rounds / 10);
}

static void numbers_that_are_none_are_refused(void)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY, 1.1e12f, -1.1e12f, FLT_MAX};
    CHECK(!acre_occluder_is_valid(NULL));
    const acre_occluder good = square(1);
    CHECK(acre_occluder_is_valid(&good));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        for (int k = 0; k < 10; k++) {
            acre_occluder broken = good;
            float *const number = k < 8    ? &broken.points[k / 2][k % 2]
                                  : k == 8 ? &broken.bottom
                                           : &broken.top;
            *number = bad[i];
            CHECK(acre_occluder_is_valid(&broken) == (k == 8 && bad[i] == -INFINITY));
        }
    }
}

static void shapes_that_are_none_are_refused(void)
{
    acre_occluder broken = square(1);
    broken.point_count = 2;
    CHECK(!acre_occluder_is_valid(&broken));
    broken.point_count = 9;
    CHECK(!acre_occluder_is_valid(&broken));
    broken = square(1);
    broken.flags = 2;
    CHECK(!acre_occluder_is_valid(&broken));
    broken.flags = ACRE_OCCLUDER_TWO_SIDED;
    CHECK(acre_occluder_is_valid(&broken));
    broken.bottom = broken.top;
    CHECK(!acre_occluder_is_valid(&broken));
    CHECK(!acre_occluder_is_valid(&(acre_occluder){.top = 1}));
    // Around twice: each corner lies within each edge.
    acre_occluder twice = square(1);
    memcpy(twice.points + 4, twice.points, 4 * sizeof twice.points[0]);
    twice.point_count = 8;
    CHECK(!acre_occluder_is_valid(&twice));
    // A star of five: turns one way at each corner, but twice.
    const acre_occluder star = {
        .points = {{0, 4}, {2, -4}, {-4, 1}, {4, 1}, {-2, -4}}, .point_count = 5, .top = 1};
    CHECK(!acre_occluder_is_valid(&star));
}

static void a_box_becomes_an_occluder(void)
{
    acre_occluder out;
    acre_aabb box = {{1, -INFINITY, 2}, {3, 4, 5}};
    CHECK(acre_occluder_from_box(&out, &box) == ACRE_OK);
    CHECK(acre_occluder_is_valid(&out) && out.point_count == 4 && out.flags == 0);
    CHECK(out.bottom == -INFINITY && out.top == 4);
    const acre_occluder before = out;
    for (int i = 0; i < 6; i++) {
        acre_aabb flat = {{1, 1, 2}, {3, 4, 5}};
        if (i < 3) {
            flat.max[i] = flat.min[i];
        } else {
            flat.min[i - 3] = flat.max[i - 3] + 1; // inverted
        }
        CHECK(acre_occluder_from_box(&out, &flat) == ACRE_ERROR_INVALID_ARGUMENT);
    }
    const acre_aabb turned = {{3, 1, 5}, {1, 4, 2}}; // inverted along both axes
    CHECK(acre_occluder_from_box(&out, &turned) == ACRE_ERROR_INVALID_ARGUMENT);
    box.min[0] = NAN;
    CHECK(acre_occluder_from_box(&out, &box) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_occluder_from_box(&out, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_occluder_from_box(NULL, &box) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(memcmp(&before, &out, sizeof out) == 0);
}

// ---- shrink ----

static acre_occluder draw_prism(test_random *random)
{
    acre_occluder prism = {.point_count = 3 + random_below(random, 6)};
    const float far = random_below(random, 3) == 0 ? 1e5f : 10.0f;
    const float x = random_float(random, -far, far), z = random_float(random, -far, far);
    const float wide = random_float(random, 0.2f, 20), deep = random_float(random, 0.2f, 20);
    double angle = (double)random_float(random, 0, 6);
    const double sense = random_below(random, 2) ? 1 : -1;
    for (uint32_t k = 0; k < prism.point_count; k++) {
        angle += sense * 6.2 / prism.point_count * (double)random_float(random, 0.4f, 1);
        prism.points[k][0] = x + wide * (float)cos(angle);
        prism.points[k][1] = z + deep * (float)sin(angle);
    }
    prism.bottom = random_below(random, 3) == 0 ? -INFINITY : random_float(random, -9, 9);
    prism.top = random_float(random, prism.bottom > -9 ? prism.bottom : -9, 20);
    return prism;
}

// How far a point lies within the nearest edge; below 0: outside.
static double depth_within(const acre_occluder *prism, double x, double z)
{
    double area = 0, depth = (double)INFINITY;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0; k < prism->point_count; k++) {
            const float *const a = prism->points[k];
            const float *const b = prism->points[(k + 1) % prism->point_count];
            const double ex = (double)b[0] - (double)a[0], ez = (double)b[1] - (double)a[1];
            const double dx = x - (double)a[0], dz = z - (double)a[1];
            if (pass == 0) {
                area += ((double)a[0] - x) * ((double)b[1] - z) -
                        ((double)a[1] - z) * ((double)b[0] - x);
            } else {
                depth = fmin(depth, (area < 0 ? -1 : 1) * (ex * dz - ez * dx) / hypot(ex, ez));
            }
        }
    }
    return depth;
}

static bool region_lies_within(const acre_occluder *whole, const acre_occluder *shrunk,
                               const float *half, double *closest)
{
    for (uint32_t k = 0; k < shrunk->point_count; k++) {
        for (int i = 0; i < 4; i++) {
            const double x = (double)shrunk->points[k][0] + (i & 1 ? 1 : -1) * (double)half[0];
            const double z = (double)shrunk->points[k][1] + (i & 2 ? 1 : -1) * (double)half[2];
            const double depth = depth_within(whole, x, z);
            *closest = fmin(*closest, depth);
            if (depth < 0) {
                return false;
            }
        }
    }
    return (double)shrunk->bottom - (double)half[1] >= (double)whole->bottom &&
           (double)shrunk->top + (double)half[1] <= (double)whole->top;
}

static void a_region_around_a_shrunk_occluder_lies_within_the_whole(void)
{
    test_random random = {test_seed};
    uint32_t valid = 0, remained = 0, close = 0;
    for (uint32_t round = 0; round < 50000 * test_scale; round++) {
        const acre_occluder prism = draw_prism(&random);
        acre_occluder out = square(7);
        const acre_occluder before = out;
        const float size = random_float(&random, 0, 1) < 0.2f ? 0 : random_float(&random, 0, 3);
        const float half[3] = {size, random_float(&random, 0, 2), random_float(&random, 0, size)};
        const acre_result result = acre_occluder_shrink(&out, &prism, half);
        if (!acre_occluder_is_valid(&prism)) {
            CHECK(result == ACRE_ERROR_INVALID_ARGUMENT);
            CHECK(memcmp(&out, &before, sizeof out) == 0);
            continue;
        }
        valid++;
        if (result == ACRE_ERROR_NOT_FOUND) {
            CHECK(memcmp(&out, &before, sizeof out) == 0);
            continue;
        }
        CHECK(result == ACRE_OK && acre_occluder_is_valid(&out));
        double closest = (double)INFINITY;
        CHECK(region_lies_within(&prism, &out, half, &closest));
        close += closest < 0.05;
        remained++;
    }
    CHECK(valid > 1000 && remained > valid / 3);
    CHECK(close == remained); // nothing more than rounding is lost
}

static void a_box_shrinks_by_the_region(void)
{
    acre_occluder wall;
    const acre_aabb box = {{0, 0, 0}, {8, 4, 2}};
    CHECK(acre_occluder_from_box(&wall, &box) == ACRE_OK);
    const float half[3] = {1, 0.5f, 0.5f}, wide[3] = {1, 0.5f, 1}, tall[3] = {1, 2, 0.5f};
    acre_occluder out;
    CHECK(acre_occluder_shrink(&out, &wall, half) == ACRE_OK);
    CHECK(out.point_count == 4 && out.bottom == 0.5f && out.top == 3.5f);
    float least = 9, most = -9;
    for (int k = 0; k < 4; k++) {
        least = fminf(least, out.points[k][0]);
        most = fmaxf(most, out.points[k][0]);
    }
    CHECK(least >= 1 && least < 1.0001f && most <= 7 && most > 6.9999f);
    CHECK(acre_occluder_shrink(&out, &wall, wide) == ACRE_ERROR_NOT_FOUND); // as thick as the wall
    CHECK(acre_occluder_shrink(&out, &wall, tall) == ACRE_ERROR_NOT_FOUND);
    wall.flags = ACRE_OCCLUDER_TWO_SIDED;
    CHECK(acre_occluder_shrink(&wall, &wall, half) == ACRE_OK); // in place
    CHECK(wall.flags == ACRE_OCCLUDER_TWO_SIDED && wall.top == 3.5f);
}

static void half_sizes_that_are_none_are_refused(void)
{
    const acre_occluder prism = square(8);
    acre_occluder out;
    static const float bad[] = {NAN, INFINITY, -1};
    for (int i = 0; i < 9; i++) {
        float half[3] = {0, 0, 0};
        half[i / 3] = bad[i % 3];
        CHECK(acre_occluder_shrink(&out, &prism, half) == ACRE_ERROR_INVALID_ARGUMENT);
    }
    const float none[3] = {0, 0, 0};
    CHECK(acre_occluder_shrink(&out, &prism, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_occluder_shrink(&out, NULL, none) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_occluder_shrink(NULL, &prism, none) == ACRE_ERROR_INVALID_ARGUMENT);
}

// An edge that vanishes leaves the rest: here the short one between two sides that converge.
static void what_remains_may_have_fewer_corners(void)
{
    const acre_occluder roof = {
        .points = {{0, 0}, {10, 0}, {5.5f, 5}, {4.5f, 5}}, .point_count = 4, .top = 9};
    const float half[3] = {1, 0, 1};
    acre_occluder out;
    CHECK(acre_occluder_shrink(&out, &roof, half) == ACRE_OK);
    double closest = (double)INFINITY;
    CHECK(region_lies_within(&roof, &out, half, &closest) && out.point_count == 3);
}

static void z_up_occluders_turn_in_and_out(void)
{
    const acre_aabb outer_box = {{1, 2, -INFINITY}, {3, 7, 4}}; // z is up
    for (int hand = ACRE_Z_UP_RIGHT_HANDED; hand <= ACRE_Z_UP_LEFT_HANDED; hand++) {
        const acre_occluder outer = {.points = {{1, 2}, {3, 2}, {3, 7}, {1, 7}},
                                     .point_count = 4,
                                     .bottom = outer_box.min[2],
                                     .top = outer_box.max[2]};
        const acre_occluder inner = acre_z_up_occluder_in((acre_z_up)hand, &outer);
        CHECK(acre_occluder_is_valid(&inner));
        const acre_aabb box = acre_z_up_box_in((acre_z_up)hand, &outer_box);
        for (uint32_t k = 0; k < 4; k++) {
            CHECK(inner.points[k][1] >= box.min[2] && inner.points[k][1] <= box.max[2]);
        }
        CHECK(inner.bottom == box.min[1] && inner.top == box.max[1]);
        const acre_occluder back = acre_z_up_occluder_out((acre_z_up)hand, &inner);
        CHECK(memcmp(back.points, outer.points, 4 * sizeof back.points[0]) == 0);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(validity_is_that_of_all_triples_of_corners),
        TEST(numbers_that_are_none_are_refused),
        TEST(shapes_that_are_none_are_refused),
        TEST(a_box_becomes_an_occluder),
        TEST(a_region_around_a_shrunk_occluder_lies_within_the_whole),
        TEST(a_box_shrinks_by_the_region),
        TEST(half_sizes_that_are_none_are_refused),
        TEST(what_remains_may_have_fewer_corners),
        TEST(z_up_occluders_turn_in_and_out),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
