// SPDX-License-Identifier: MIT
// test_occluder_move.c - what a matrix makes of an occluder lies within the image of the occluder:
// its corners, brought back in long doubles, are inside.
#include "occluder_shared.h"

#include "test.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

// ---- matrices ----

typedef enum matrix_kind {
    MATRIX_TURNED,  // about y, and placed
    MATRIX_SCALED,  // the same with scales, of which some mirror
    MATRIX_SHEARED, // along the ground
    MATRIX_ROUNDED, // turned in steps, so that rounding has tilted it
    MATRIX_TILTED,  // a little
    MATRIX_ANYHOW,
    MATRIX_KINDS
} matrix_kind;

static void draw_matrix(test_random *random, matrix_kind kind, float *m)
{
    const float far = random_below(random, 2) ? 1e6f : 30.0f;
    const double angle = (double)random_float(random, 0, 7);
    memset(m, 0, 16 * sizeof *m);
    m[0] = m[10] = (float)cos(angle);
    m[8] = (float)sin(angle);
    m[2] = -m[8];
    m[5] = m[15] = 1;
    for (int column = 0; column < 3; column++) {
        const float size = random_float(random, 0.3f, 3);
        const float scale = kind != MATRIX_SCALED ? 1 : random_below(random, 4) ? size : -size;
        for (int row = 0; row < 3; row++) {
            m[4 * column + row] *= scale;
        }
    }
    const float tilt = kind == MATRIX_ROUNDED ? 1e-6f : kind == MATRIX_TILTED ? 0.05f : 1;
    for (int i = 0; i < 11; i++) {
        const bool is_ground = i == 0 || i == 2 || i == 8 || i == 10;
        if (i % 4 < 3 && (kind == MATRIX_SHEARED ? is_ground : kind >= MATRIX_ROUNDED)) {
            m[i] += random_float(random, -tilt, tilt);
        }
    }
    for (int i = 12; i < 15; i++) {
        m[i] = random_float(random, -far, far);
    }
}

// ---- the oracle ----

static long double determinant(long double a[3][3])
{
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
           a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

// Cramer's rule.
static void bring_back(const float *m, const long double *world, long double *own)
{
    long double all[3][3];
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            all[row][column] = (long double)m[4 * column + row];
        }
    }
    const long double whole = determinant(all);
    for (int column = 0; column < 3; column++) {
        long double with[3][3];
        memcpy(with, all, sizeof all);
        for (int row = 0; row < 3; row++) {
            with[row][column] = world[row] - (long double)m[12 + row];
        }
        own[column] = determinant(with) / whole;
    }
}

// How wrong long doubles, and the library's doubles, may be in the occluder's own space. That is a
// small part of what a corner loses when it becomes a float.
static long double slack_of(const float *m, const acre_occluder *moved)
{
    const long double place[3] = {(long double)m[12], (long double)m[13], (long double)m[14]};
    long double reach = fmaxl(fabsl(place[0]), fabsl(place[2])), most = 0;
    for (uint32_t k = 0; k < moved->point_count; k++) {
        reach = fmaxl(reach, fabsl((long double)moved->points[k][0]));
        reach = fmaxl(reach, fabsl((long double)moved->points[k][1]));
    }
    for (int column = 0; column < 3; column++) {
        long double world[3], own[3];
        memcpy(world, place, sizeof world);
        world[column] += 1;
        bring_back(m, world, own);
        most += fabsl(own[0]) + fabsl(own[1]) + fabsl(own[2]);
    }
    return 0x1p-40L * most * (reach + fabsl(place[1]) + 30);
}

static bool holds_place(const acre_occluder *prism, const long double *own, long double slack)
{
    long double side[2] = {0, 0}; // the least and the most distance from an edge
    for (uint32_t k = 0; k < prism->point_count; k++) {
        const float *const a = prism->points[k];
        const float *const b = prism->points[(k + 1) % prism->point_count];
        const long double ex = (long double)b[0] - (long double)a[0];
        const long double ez = (long double)b[1] - (long double)a[1];
        const long double cross =
            ex * (own[2] - (long double)a[1]) - ez * (own[0] - (long double)a[0]);
        const long double away = cross / (fabsl(ex) + fabsl(ez));
        side[0] = fminl(side[0], away);
        side[1] = fmaxl(side[1], away);
    }
    return (side[0] >= -slack || side[1] <= slack) &&
           own[1] >= (long double)prism->bottom - slack &&
           own[1] <= (long double)prism->top + slack;
}

static bool lies_within(const acre_occluder *moved, const acre_occluder *whole, const float *m,
                        double height)
{
    const double low =
        moved->bottom == -INFINITY ? (double)moved->top - height : (double)moved->bottom;
    const long double slack = slack_of(m, moved);
    for (uint32_t k = 0; k < 2 * moved->point_count; k++) {
        const float *const point = moved->points[k / 2];
        const long double world[3] = {(long double)point[0],
                                      (long double)(k % 2 ? low : (double)moved->top),
                                      (long double)point[1]};
        long double own[3];
        bring_back(m, world, own);
        if (!holds_place(whole, own, slack)) {
            return false;
        }
    }
    return true;
}

static double area_of(const acre_occluder *prism)
{
    double area = 0;
    for (uint32_t k = 0; k < prism->point_count; k++) {
        const float *const a = prism->points[k];
        const float *const b = prism->points[(k + 1) % prism->point_count];
        const float *const o = prism->points[0];
        area += ((double)a[0] - (double)o[0]) * ((double)b[1] - (double)o[1]) -
                ((double)a[1] - (double)o[1]) * ((double)b[0] - (double)o[0]);
    }
    return 0.5 * fabs(area);
}

// ---- shapes ----

typedef enum shape_kind {
    SHAPE_ROUND,    // corners spread evenly around an ellipse
    SHAPE_UNEVEN,   // and not evenly
    SHAPE_THIN,     // and the ellipse is flat
    SHAPE_STRAIGHT, // all corners but one are nearly on a line
    SHAPE_SMALL,    // less than a millimeter
    SHAPE_LONG,     // a thousand times as long as wide, far from the origin
    SHAPE_HUGE,     // of thousands of kilometers
    SHAPE_KINDS
} shape_kind;

static void draw_corners(test_random *random, acre_occluder *prism, shape_kind kind, float wide,
                         float deep)
{
    const uint32_t count = prism->point_count;
    const bool is_reversed = random_below(random, 2);
    for (uint32_t k = 0; k < count; k++) {
        const float spread = kind == SHAPE_ROUND ? 0 : random_float(random, -0.49f, 0.49f);
        const double part = ((double)k + (double)spread) / count;
        float *const point = prism->points[is_reversed ? count - 1 - k : k];
        if (kind == SHAPE_STRAIGHT) { // on a parabola, but for the last
            const float x = 2 * (float)part - 1;
            point[0] = wide * (k + 1 < count ? x : 0);
            point[1] = k + 1 < count ? 1e-5f * deep * x * x : deep;
        } else {
            point[0] = wide * (float)cos(6.28318 * part);
            point[1] = deep * (float)sin(6.28318 * part);
        }
    }
}

static acre_occluder draw_occluder(test_random *random, shape_kind kind)
{
    const bool has_bottom = random_below(random, 3);
    const float bottom = random_float(random, -9, 0);
    acre_occluder prism = {.point_count = 3 + random_below(random, 6),
                           .bottom = has_bottom ? bottom : -INFINITY,
                           .top = random_float(random, 0.1f, 20),
                           .flags = random_below(random, 2)};
    const float size = kind == SHAPE_SMALL  ? 1e-5f
                       : kind == SHAPE_LONG ? 1e3f
                       : kind == SHAPE_HUGE ? 1e6f
                                            : 1;
    const float flat = kind == SHAPE_THIN ? 1e-4f : kind == SHAPE_LONG ? 1e-3f : 1;
    const float wide = size * random_float(random, 0.1f, 20);
    const float deep = size * flat * random_float(random, 0.1f, 20);
    const float away = kind == SHAPE_LONG ? 1e5f : size;
    draw_corners(random, &prism, kind, wide, deep);
    for (uint32_t k = 0; k < prism.point_count; k++) {
        prism.points[k][0] += 3 * away;
        prism.points[k][1] -= 2 * away;
    }
    return prism;
}

// ---- cases ----

static void corners_brought_back_are_inside(void)
{
    test_random random = {test_seed};
    uint32_t kept[MATRIX_KINDS] = {0};
    const uint32_t rounds = 20000 * test_scale;
    for (uint32_t round = 0; round < rounds * MATRIX_KINDS; round++) {
        const matrix_kind kind = (matrix_kind)(round % MATRIX_KINDS);
        acre_occluder own =
            draw_occluder(&random, random_below(&random, 2) ? SHAPE_ROUND : SHAPE_UNEVEN);
        float m[16];
        draw_matrix(&random, kind, m);
        if (!acre_occluder_is_valid(&own)) {
            continue;
        }
        acre_occluder_turn(&own);
        acre_occluder moved;
        const occluder_facts facts = acre_occluder_measure(&own);
        if (!acre_occluder_move(&moved, &own, random_below(&random, 2) ? &facts : NULL, m, 30)) {
            continue;
        }
        kept[kind]++;
        CHECK(acre_occluder_is_valid(&moved) && moved.flags == own.flags);
        CHECK(acre_occluder_is_turned(&moved));
        CHECK(lies_within(&moved, &own, m, 30));
        if (kind <= MATRIX_SCALED && fabsf(m[12]) + fabsf(m[14]) < 60) {
            const double scale = fabs((double)m[0] * (double)m[10] - (double)m[8] * (double)m[2]);
            CHECK(area_of(&moved) > 0.99 * scale * area_of(&own));
        }
    }
    CHECK(kept[MATRIX_TURNED] > rounds * 8 / 10 && kept[MATRIX_ROUNDED] > rounds * 8 / 10);
    CHECK(kept[MATRIX_SCALED] > kept[MATRIX_TURNED] * 85 / 100 &&
          kept[MATRIX_SHEARED] > rounds / 2);
    CHECK(kept[MATRIX_TILTED] > rounds / 4 && kept[MATRIX_ANYHOW] > rounds / 100);
}

// Sums round to nearest, or always to one side, which moves corners twice as far.
static void shapes_at_the_limits_stay_inside(void)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    test_random random = {test_seed};
    uint32_t kept[SHAPE_KINDS] = {0}, measured[SHAPE_KINDS] = {0};
    const uint32_t rounds = 6000 * test_scale;
    for (uint32_t round = 0; round < rounds * SHAPE_KINDS; round++) {
        const shape_kind kind = (shape_kind)(round % SHAPE_KINDS);
        acre_occluder own = draw_occluder(&random, kind), moved;
        float m[16];
        draw_matrix(&random, (matrix_kind)random_below(&random, MATRIX_ROUNDED), m);
        if (fesetround(modes[round / SHAPE_KINDS % 4]) != 0 || !acre_occluder_is_valid(&own)) {
            fesetround(FE_TONEAREST);
            continue;
        }
        acre_occluder_turn(&own);
        const occluder_facts facts = acre_occluder_measure(&own);
        const bool is_measured = random_below(&random, 2);
        const bool is_kept = acre_occluder_move(&moved, &own, is_measured ? &facts : NULL, m, 30);
        const bool is_valid = is_kept && acre_occluder_is_valid(&moved);
        fesetround(FE_TONEAREST);
        CHECK(is_valid == is_kept);
        CHECK(!is_kept || lies_within(&moved, &own, m, 30));
        kept[kind] += is_kept;
        measured[kind] += is_kept && is_measured;
    }
    for (int kind = 0; kind < SHAPE_KINDS; kind++) {
        CHECK(kept[kind] > rounds / 50 && measured[kind] > rounds / 100);
    }
}

// The facts of an occluder by their definitions.
static void facts_are_those_of_each_edge_and_corner(void)
{
    test_random random = {test_seed};
    for (uint32_t round = 0; round < 4000 * test_scale; round++) {
        acre_occluder own = draw_occluder(&random, (shape_kind)(round % SHAPE_KINDS));
        if (!acre_occluder_is_valid(&own)) {
            continue;
        }
        acre_occluder_turn(&own);
        const occluder_facts facts = acre_occluder_measure(&own);
        long double pull = 0, turn = (long double)INFINITY, reach = 0;
        for (uint32_t k = 0; k < own.point_count; k++) {
            const float *const a = own.points[k], *const b = own.points[(k + 1) % own.point_count];
            const float *const c = own.points[(k + 2) % own.point_count];
            const long double x = (long double)b[0] - (long double)a[0],
                              z = (long double)b[1] - (long double)a[1],
                              next_x = (long double)c[0] - (long double)b[0],
                              next_z = (long double)c[1] - (long double)b[1],
                              length = fabsl(x) + fabsl(z);
            const long double room = x * ((long double)facts.middle[1] - (long double)a[1]) -
                                     z * ((long double)facts.middle[0] - (long double)a[0]);
            pull = room > 0 ? fmaxl(pull, length / room) : (long double)INFINITY;
            turn =
                fminl(turn, (x * next_z - z * next_x) / (length + fabsl(next_x) + fabsl(next_z)));
            reach = fmaxl(reach, fmaxl(fabsl((long double)a[0]), fabsl((long double)a[1])));
        }
        CHECK((long double)facts.reach == reach);
        CHECK((long double)facts.pull >= pull && (long double)facts.pull <= pull * (1 + 1e-6L));
        CHECK((long double)facts.turn <= turn && (long double)facts.turn >= turn * (1 - 1e-6L));
    }
}

static const float still[16] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1};

static void what_does_not_move_stays_as_it_is(void)
{
    test_random random = {test_seed};
    acre_occluder own = draw_occluder(&random, SHAPE_ROUND), moved;
    acre_occluder_turn(&own);
    CHECK(acre_occluder_move(&moved, &own, NULL, still, (double)INFINITY));
    CHECK(memcmp(&moved, &own, sizeof own) == 0);
}

static void matrices_that_are_none_leave_nothing(void)
{
    test_random random = {test_seed};
    static const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 0};
    acre_occluder own = draw_occluder(&random, SHAPE_ROUND), moved;
    own.bottom = -1;
    for (int i = 0; i < 15; i++) {
        for (size_t k = 0; k < sizeof bad / sizeof *bad && i % 4 < 3; k++) {
            float m[16];
            memcpy(m, still, sizeof m);
            m[i] = bad[k];
            const occluder_facts facts = acre_occluder_measure(&own);
            const bool is_kept = acre_occluder_move(&moved, &own, k % 2 ? &facts : NULL, m, 30);
            CHECK(!is_kept || bad[k] == 0);
            CHECK(is_kept == (bad[k] == 0 && i % 5 > 0));
        }
    }
    // What nothing shows below stands upright.
    own.bottom = -INFINITY;
    float m[16];
    memcpy(m, still, sizeof m);
    CHECK(acre_occluder_move(&moved, &own, NULL, m, 30));
    m[5] = -1;
    CHECK(!acre_occluder_move(&moved, &own, NULL, m, 30));
    m[5] = 1;
    m[4] = 0.01f;
    CHECK(!acre_occluder_move(&moved, &own, NULL, m, 30));
    own.bottom = 0;
    CHECK(acre_occluder_move(&moved, &own, NULL, m, 30));
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(corners_brought_back_are_inside),         TEST(shapes_at_the_limits_stay_inside),
        TEST(facts_are_those_of_each_edge_and_corner), TEST(what_does_not_move_stays_as_it_is),
        TEST(matrices_that_are_none_leave_nothing),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
