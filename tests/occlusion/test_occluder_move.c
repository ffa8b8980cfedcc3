// SPDX-License-Identifier: MIT
// test_occluder_move.c - what a matrix makes of an occluder lies within the image of the occluder:
// its corners, brought back in long doubles, are inside.
#include "occluder_shared.h"

#include "test.h"

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

static bool holds_place(const acre_occluder *prism, const long double *own)
{
    const long double slack = 1e-8L;
    long double side[2] = {0, 0}; // the least and the most cross product
    for (uint32_t k = 0; k < prism->point_count; k++) {
        const float *const a = prism->points[k];
        const float *const b = prism->points[(k + 1) % prism->point_count];
        const long double ex = (long double)b[0] - (long double)a[0];
        const long double ez = (long double)b[1] - (long double)a[1];
        const long double cross =
            ex * (own[2] - (long double)a[1]) - ez * (own[0] - (long double)a[0]);
        side[0] = fminl(side[0], cross);
        side[1] = fmaxl(side[1], cross);
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
    for (uint32_t k = 0; k < 2 * moved->point_count; k++) {
        const float *const point = moved->points[k / 2];
        const long double world[3] = {(long double)point[0],
                                      (long double)(k % 2 ? low : (double)moved->top),
                                      (long double)point[1]};
        long double own[3];
        bring_back(m, world, own);
        if (!holds_place(whole, own)) {
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

static acre_occluder draw_occluder(test_random *random)
{
    acre_occluder prism = {.point_count = 3 + random_below(random, 6),
                           .bottom =
                               random_below(random, 3) ? random_float(random, -9, 0) : -INFINITY,
                           .top = random_float(random, 0.1f, 20),
                           .flags = random_below(random, 2)};
    const float wide = random_float(random, 0.1f, 20), deep = random_float(random, 0.1f, 20);
    const double sense = random_below(random, 2) ? 1 : -1;
    for (uint32_t k = 0; k < prism.point_count; k++) {
        const double angle = sense * 6.28318 * k / prism.point_count;
        prism.points[k][0] = wide * (float)cos(angle) + 3;
        prism.points[k][1] = deep * (float)sin(angle) - 2;
    }
    return prism;
}

static void corners_brought_back_are_inside(void)
{
    test_random random = {test_seed};
    uint32_t kept[MATRIX_KINDS] = {0};
    const uint32_t rounds = 20000 * test_scale;
    for (uint32_t round = 0; round < rounds * MATRIX_KINDS; round++) {
        const matrix_kind kind = (matrix_kind)(round % MATRIX_KINDS);
        acre_occluder own = draw_occluder(&random);
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

static const float still[16] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1};

static void what_does_not_move_stays_as_it_is(void)
{
    test_random random = {test_seed};
    acre_occluder own = draw_occluder(&random), moved;
    acre_occluder_turn(&own);
    CHECK(acre_occluder_move(&moved, &own, NULL, still, (double)INFINITY));
    CHECK(memcmp(&moved, &own, sizeof own) == 0);
}

static void matrices_that_are_none_leave_nothing(void)
{
    test_random random = {test_seed};
    static const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 0};
    acre_occluder own = draw_occluder(&random), moved;
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
        TEST(corners_brought_back_are_inside),
        TEST(what_does_not_move_stays_as_it_is),
        TEST(matrices_that_are_none_leave_nothing),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
