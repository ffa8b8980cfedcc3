// SPDX-License-Identifier: MIT
// shapes.c - which shapes are valid, and the tests of one box that define what queries find.
#include "lanes_one.h"
#include "shape_lanes.h"

#include "assert_internal.h"
#include "float_bits.h"

#define WIDEST_ANGLE 1.4f
// By how much lengths and right angles of an oriented box may be wrong.
#define AXIS_TOLERANCE 1e-3

static bool are_coordinates(const float *values, int count)
{
    bool good = true;
    for (int i = 0; i < count; i++) {
        good = good && !float_is_nan(values[i]) && values[i] >= -LARGEST_OF_SHAPE &&
               values[i] <= LARGEST_OF_SHAPE;
    }
    return good;
}

static bool are_sizes(const float *values, int count)
{
    bool good = are_coordinates(values, count);
    for (int i = 0; good && i < count; i++) {
        good = values[i] >= 0.0f;
    }
    return good;
}

bool acre_sphere_is_valid(const acre_sphere *sphere)
{
    return sphere && are_coordinates(sphere->center, 3) && are_sizes(&sphere->radius, 1);
}

bool acre_circle_is_valid(const acre_circle *circle)
{
    return circle && are_coordinates(circle->center, 2) && are_sizes(&circle->radius, 1);
}

bool acre_capsule_is_valid(const acre_capsule *capsule)
{
    return capsule && are_coordinates(capsule->from, 3) && are_coordinates(capsule->to, 3) &&
           are_sizes(&capsule->radius, 1);
}

bool acre_cone_is_valid(const acre_cone *cone)
{
    return cone && are_coordinates(cone->apex, 3) && are_coordinates(cone->direction, 3) &&
           are_sizes(&cone->length, 1) && are_sizes(&cone->angle, 1) && cone->angle <= WIDEST_ANGLE;
}

static double dot3f(const float *a, const float *b)
{
    return (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2];
}

bool acre_oriented_box_is_valid(const acre_oriented_box *oriented)
{
    if (!oriented || !are_coordinates(oriented->center, 3) || !are_sizes(oriented->half_size, 3)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        if (!are_coordinates(oriented->axes[i], 3)) {
            return false;
        }
    }
    for (int i = 0; i < 3; i++) {
        const float *const axis = oriented->axes[i], *const next = oriented->axes[(i + 1) % 3];
        if (fabs(sqrt(dot3f(axis, axis)) - 1.0) > AXIS_TOLERANCE ||
            fabs(dot3f(axis, next)) > AXIS_TOLERANCE) {
            return false;
        }
    }
    return true;
}

bool acre_ray_is_valid(const acre_ray *ray)
{
    return ray && are_coordinates(ray->origin, 3) && are_coordinates(ray->direction, 3) &&
           !float_is_nan(ray->length) &&
           (are_sizes(&ray->length, 1) || (ray->length > 0.0f && !float_is_finite(ray->length))) &&
           are_sizes(ray->half_size, 3);
}

static void box_rows(const acre_aabb *box, floats *rows)
{
    for (int axis = 0; axis < 3; axis++) {
        rows[axis * 2] = box->min[axis];
        rows[axis * 2 + 1] = box->max[axis];
    }
}

static bool touches(const prepared_shape *shape, const acre_aabb *box)
{
    ACRE_ASSERT(acre_aabb_is_valid(box));
    floats rows[6];
    box_rows(box, rows);
    return acre_aabb_overlaps(&shape->bounds, box) && acre_frustum_test_aabb(&shape->planes, box) &&
           (!(shape->parts & SHAPE_HAS_BALL) || ball_touches(&shape->ball, rows));
}

// The test of a shape that has no distance to tell.
#define SHAPE_TEST(function, name)                                                                 \
    bool function(const acre_##name *name, const acre_aabb *box)                                   \
    {                                                                                              \
        prepared_shape shape;                                                                      \
        ACRE_ASSERT(acre_##name##_is_valid(name));                                                 \
        acre_prepare_##name(&shape, name);                                                         \
        return touches(&shape, box);                                                               \
    }
SHAPE_TEST(acre_sphere_test_aabb, sphere)
SHAPE_TEST(acre_circle_test_aabb, circle)
SHAPE_TEST(acre_capsule_test_aabb, capsule)
SHAPE_TEST(acre_cone_test_aabb, cone)
SHAPE_TEST(acre_oriented_box_test_aabb, oriented_box)

bool acre_ray_test_aabb(const acre_ray *ray, const acre_aabb *box, float *distance)
{
    ACRE_ASSERT(acre_aabb_is_valid(box));
    prepared_shape shape;
    floats rows[6], enters;
    ACRE_ASSERT(acre_ray_is_valid(ray));
    acre_prepare_ray(&shape, ray);
    box_rows(box, rows);
    const bool hits = slab_touches(&shape.slab, rows, rows, 1, shape.slab.length, &enters) &&
                      acre_aabb_overlaps(&shape.bounds, box);
    if (distance) {
        *distance = hits ? enters : INFINITY;
    }
    return hits;
}

float acre_aabb_distance(const acre_aabb *a, const acre_aabb *b)
{
    floats other[6], rows[6];
    box_rows(a, other);
    box_rows(b, rows);
    return box_distance(other, rows);
}
