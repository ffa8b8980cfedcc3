// SPDX-License-Identifier: MIT
// test_shapes.c - which shapes are valid, and the tests of one box, against the oracle.
#include "shape_generator.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Where shapes are and how large: millimetres to a thousand kilometres, at the origin and far away.
typedef struct test_place {
    float size, offset;
} test_place;

static const test_place places[] = {
    {1e-3f, 0.0f}, {1.0f, 0.0f}, {1e3f, 0.0f},       {1e6f, 0.0f},    {1e-3f, 1e5f},  {1.0f, 1e5f},
    {50.0f, 1e4f}, {1e3f, 1e5f}, {0x1p49f, 0x1p49f}, {1.0f, 0x1p49f}, {0x1p49f, 1.0f}};
enum { PLACE_COUNT = sizeof places / sizeof places[0] };

static any_shape random_shape(test_random *random, shape_kind kind, const test_place *at)
{
    float place[3];
    for (int i = 0; i < 3; i++) {
        place[i] = at->offset * random_float(random, -1.0f, 1.0f);
        place[i] = random_below(random, 8) ? place[i] : 0.0f;
    }
    return shape_random(random, kind, place, at->size);
}

static void report(const any_shape *shape, const acre_aabb *box)
{
    static const char *const names[] = {
        "sphere", "circle", "capsule", "cone", "oriented box", "oriented box, exact", "ray"};
    printf("%s:", names[shape->kind]);
    const float *const values = shape->sphere.center;
    for (size_t i = 0; i < (sizeof *shape - offsetof(any_shape, sphere)) / sizeof(float); i++) {
        printf(" %a", (double)values[i]);
    }
    printf("\nbox: %a %a %a to %a %a %a\n", (double)box->min[0], (double)box->min[1],
           (double)box->min[2], (double)box->max[0], (double)box->max[1], (double)box->max[2]);
}

static bool is_tested(const any_shape *shape, const acre_aabb *box, bool answer)
{
    const bool right = acre_aabb_is_valid(box) && shape_test(shape, box) == answer;
    if (!right) {
        report(shape, box);
    }
    return right;
}

static void no_box_that_contains_a_point_of_a_shape_is_lost(void)
{
    test_random random = {test_seed};
    for (uint32_t run = 0; run < 400 * test_scale * SHAPE_KIND_COUNT * PLACE_COUNT; run++) {
        const test_place *const at = &places[run / SHAPE_KIND_COUNT % PLACE_COUNT];
        const any_shape shape = random_shape(&random, run % SHAPE_KIND_COUNT, at);
        CHECK(shape_is_valid(&shape));
        for (int step = 0; step < 6; step++) {
            double point[3];
            shape_random_point(&random, &shape, point);
            const acre_aabb around = shape_box_around(&random, &shape, point, at->size);
            CHECK(is_tested(&shape, &around, true));
            const shape_surface surface = shape_random_surface(&random, &shape);
            const acre_aabb tangent = shape_box_beyond(&random, &shape, &surface, 0.0, at->size);
            CHECK(is_tested(&shape, &tangent, true));
        }
    }
}

static void no_box_beyond_the_stated_doubt_is_found(void)
{
    test_random random = {test_seed + 1};
    for (uint32_t run = 0; run < 400 * test_scale * SHAPE_KIND_COUNT * PLACE_COUNT; run++) {
        const test_place *const at = &places[run / SHAPE_KIND_COUNT % PLACE_COUNT];
        const any_shape shape = random_shape(&random, run % SHAPE_KIND_COUNT, at);
        for (int step = 0; step < 6; step++) {
            const shape_surface surface = shape_random_surface(&random, &shape);
            const double distance = 1.001 * surface.doubt + 1e-6 * (double)at->size;
            const acre_aabb box = shape_box_beyond(&random, &shape, &surface, distance, at->size);
            // Planes doubt unbounded boxes, see frustum.h.
            const bool is_told = !shape_has_planes(shape.kind) || acre_aabb_is_finite(&box);
            CHECK(!is_told || is_tested(&shape, &box, false));
        }
    }
}

int main(int argc, char **argv)
{
    const test_case cases[] = {
        TEST(no_box_that_contains_a_point_of_a_shape_is_lost),
        TEST(no_box_beyond_the_stated_doubt_is_found),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
