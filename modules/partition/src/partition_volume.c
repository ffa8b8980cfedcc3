// SPDX-License-Identifier: MIT
// partition_volume.c - volumes of questions: copies, moves, bounds on the ground.
//
// Bounds are wider than the doubt of the tests in shapes.h: 2^-12 of the shape's size, and 2^-20 of
// its distance from the origin.
#include "partition_volume.h"

#include "assert_internal.h"
#include "float_bits.h"

#include <math.h>
#include <string.h>

// ---- copies ----

size_t acre_volume_size(acre_query_shape shape)
{
    switch (shape) {
    case ACRE_QUERY_SHAPE_FRUSTUM:
        return sizeof(acre_frustum);
    case ACRE_QUERY_SHAPE_AABB:
        return sizeof(acre_aabb);
    case ACRE_QUERY_SHAPE_ALL:
        return 0;
    case ACRE_QUERY_SHAPE_POINT:
    case ACRE_QUERY_SHAPE_GROUND_POINT:
        return 3 * sizeof(float);
    case ACRE_QUERY_SHAPE_SPHERE:
        return sizeof(acre_sphere);
    case ACRE_QUERY_SHAPE_CIRCLE:
        return sizeof(acre_circle);
    case ACRE_QUERY_SHAPE_CAPSULE:
        return sizeof(acre_capsule);
    case ACRE_QUERY_SHAPE_CONE:
        return sizeof(acre_cone);
    case ACRE_QUERY_SHAPE_ORIENTED_BOX:
        return sizeof(acre_oriented_box);
    case ACRE_QUERY_SHAPE_RAY:
        return sizeof(acre_ray);
    }
    return SIZE_MAX;
}

static const void *shape_of(const acre_query *query)
{
    switch (query->shape) {
    case ACRE_QUERY_SHAPE_FRUSTUM:
        return query->frustum;
    case ACRE_QUERY_SHAPE_AABB:
        return query->box;
    case ACRE_QUERY_SHAPE_ALL:
        return query; // of no size
    case ACRE_QUERY_SHAPE_POINT:
    case ACRE_QUERY_SHAPE_GROUND_POINT:
        return query->point;
    case ACRE_QUERY_SHAPE_SPHERE:
        return query->sphere;
    case ACRE_QUERY_SHAPE_CIRCLE:
        return query->circle;
    case ACRE_QUERY_SHAPE_CAPSULE:
        return query->capsule;
    case ACRE_QUERY_SHAPE_CONE:
        return query->cone;
    case ACRE_QUERY_SHAPE_ORIENTED_BOX:
        return query->oriented_box;
    case ACRE_QUERY_SHAPE_RAY:
        return query->ray;
    }
    return NULL;
}

bool acre_volume_copy(partition_volume *out, const acre_query *query)
{
    const void *const shape = shape_of(query);
    if (!shape) {
        return false;
    }
    memset(out, 0, sizeof *out);
    out->shape = query->shape;
    out->flags = query->flags;
    out->max_distance = query->max_distance;
    ACRE_INVARIANT(acre_volume_size(query->shape) <= sizeof out->data);
    memcpy(&out->data, shape, acre_volume_size(query->shape));
    out->has_origin = query->origin != NULL;
    out->has_exclude = query->exclude != NULL;
    if (query->origin) {
        out->origin = *query->origin;
    }
    if (query->exclude) {
        out->exclude = *query->exclude;
    }
    return true;
}

acre_query acre_volume_query(const partition_volume *volume)
{
    // A query reads the field of its shape alone.
    return (acre_query){.shape = volume->shape,
                        .flags = volume->flags,
                        .max_distance = volume->max_distance,
                        .origin = volume->has_origin ? &volume->origin : NULL,
                        .exclude = volume->has_exclude ? &volume->exclude : NULL,
                        .frustum = &volume->data.frustum,
                        .box = &volume->data.box,
                        .point = volume->data.point,
                        .sphere = &volume->data.sphere,
                        .circle = &volume->data.circle,
                        .capsule = &volume->data.capsule,
                        .cone = &volume->data.cone,
                        .oriented_box = &volume->data.oriented_box,
                        .ray = &volume->data.ray};
}

// ---- moves ----

static void move_point(float *point, const float *step)
{
    point[0] += step[0];
    point[2] += step[1];
}

static void move_box(acre_aabb *box, const float *step)
{
    move_point(box->min, step);
    move_point(box->max, step);
}

static void move_frustum(acre_frustum *frustum, const float *step)
{
    const uint32_t most = ACRE_FRUSTUM_MAX_PLANES;
    const uint32_t count = frustum->plane_count < most ? frustum->plane_count : most;
    for (uint32_t i = 0; i < count; i++) {
        float *const plane = frustum->planes[i];
        plane[3] = (float)((double)plane[3] - ((double)plane[0] * (double)step[0] +
                                               (double)plane[2] * (double)step[1]));
    }
}

partition_volume acre_volume_moved(const partition_volume *volume, float x, float z)
{
    partition_volume moved = *volume;
    const float step[2] = {x, z};
    switch (volume->shape) {
    case ACRE_QUERY_SHAPE_FRUSTUM:
        move_frustum(&moved.data.frustum, step);
        break;
    case ACRE_QUERY_SHAPE_AABB:
        move_box(&moved.data.box, step);
        break;
    case ACRE_QUERY_SHAPE_ALL:
        break;
    case ACRE_QUERY_SHAPE_POINT:
    case ACRE_QUERY_SHAPE_GROUND_POINT:
        move_point(moved.data.point, step);
        break;
    case ACRE_QUERY_SHAPE_SPHERE:
        move_point(moved.data.sphere.center, step);
        break;
    case ACRE_QUERY_SHAPE_CIRCLE:
        moved.data.circle.center[0] += x;
        moved.data.circle.center[1] += z;
        break;
    case ACRE_QUERY_SHAPE_CAPSULE:
        move_point(moved.data.capsule.from, step);
        move_point(moved.data.capsule.to, step);
        break;
    case ACRE_QUERY_SHAPE_CONE:
        move_point(moved.data.cone.apex, step);
        break;
    case ACRE_QUERY_SHAPE_ORIENTED_BOX:
        move_point(moved.data.oriented_box.center, step);
        break;
    case ACRE_QUERY_SHAPE_RAY:
        move_point(moved.data.ray.origin, step);
        break;
    }
    move_box(&moved.origin, step);
    move_frustum(&moved.exclude, step);
    return moved;
}

// ---- bounds ----

// From low to high on the ground, each an x and a z, with the margin of a shape of that size.
static acre_aabb ground_box(const double *low, const double *high, double size)
{
    acre_aabb box = {{0, 0, 0}, {0, 0, 0}};
    for (int axis = 0; axis < 2; axis++) {
        const double far = fabs(low[axis]) > fabs(high[axis]) ? fabs(low[axis]) : fabs(high[axis]);
        const double margin = 0x1p-12 * size + 0x1p-20 * far + 0x1p-50;
        const bool is_known = isfinite(margin);
        box.min[2 * axis] = is_known ? float_round_down(low[axis] - margin) : -INFINITY;
        box.max[2 * axis] = is_known ? -float_round_down(-(high[axis] + margin)) : INFINITY;
        ACRE_INVARIANT(box.min[2 * axis] <= box.max[2 * axis]);
    }
    return box;
}

static acre_aabb around(float x, float z, double reach)
{
    const double low[2] = {(double)x - reach, (double)z - reach};
    const double high[2] = {(double)x + reach, (double)z + reach};
    return ground_box(low, high, reach);
}

static acre_aabb around_ray(const acre_ray *ray)
{
    const double dx = (double)ray->direction[0], dy = (double)ray->direction[1];
    const double dz = (double)ray->direction[2], along = sqrt(dx * dx + dy * dy + dz * dz);
    const double scale = along > 0 ? (double)ray->length / along : 0;
    const double step[2] = {dx == 0 ? 0 : dx * scale, dz == 0 ? 0 : dz * scale};
    double low[2], high[2];
    for (int axis = 0; axis < 2; axis++) {
        const double from = (double)ray->origin[2 * axis], to = from + step[axis];
        const double half = (double)ray->half_size[2 * axis];
        low[axis] = (from < to ? from : to) - half;
        high[axis] = (from < to ? to : from) + half;
    }
    return ground_box(low, high, fabs(step[0]) + fabs(step[1]));
}

acre_aabb acre_volume_bounds(const partition_volume *volume)
{
    switch (volume->shape) {
    case ACRE_QUERY_SHAPE_FRUSTUM: // its test finds boxes outside, near its edges
    case ACRE_QUERY_SHAPE_ALL:
        break;
    case ACRE_QUERY_SHAPE_AABB:
        return volume->data.box;
    case ACRE_QUERY_SHAPE_POINT:
    case ACRE_QUERY_SHAPE_GROUND_POINT:
        return (acre_aabb){{volume->data.point[0], 0, volume->data.point[2]},
                           {volume->data.point[0], 0, volume->data.point[2]}};
    case ACRE_QUERY_SHAPE_SPHERE:
        return around(volume->data.sphere.center[0], volume->data.sphere.center[2],
                      (double)volume->data.sphere.radius);
    case ACRE_QUERY_SHAPE_CIRCLE:
        return around(volume->data.circle.center[0], volume->data.circle.center[1],
                      (double)volume->data.circle.radius);
    case ACRE_QUERY_SHAPE_CAPSULE: {
        const acre_capsule *const capsule = &volume->data.capsule;
        const acre_aabb from = around(capsule->from[0], capsule->from[2], (double)capsule->radius);
        const acre_aabb to = around(capsule->to[0], capsule->to[2], (double)capsule->radius);
        const acre_aabb both = acre_aabb_merge(&from, &to);
        const double low[2] = {(double)both.min[0], (double)both.min[2]};
        const double high[2] = {(double)both.max[0], (double)both.max[2]};
        return ground_box(low, high, high[0] - low[0] + high[1] - low[1]);
    }
    case ACRE_QUERY_SHAPE_CONE:
        return around(volume->data.cone.apex[0], volume->data.cone.apex[2],
                      (double)volume->data.cone.length / cos((double)volume->data.cone.angle));
    case ACRE_QUERY_SHAPE_ORIENTED_BOX: {
        const float *const half = volume->data.oriented_box.half_size;
        return around(volume->data.oriented_box.center[0], volume->data.oriented_box.center[2],
                      1.01 * ((double)half[0] + (double)half[1] + (double)half[2]));
    }
    case ACRE_QUERY_SHAPE_RAY:
        return around_ray(&volume->data.ray);
    }
    return (acre_aabb){{-INFINITY, 0, -INFINITY}, {INFINITY, 0, INFINITY}};
}

acre_aabb acre_volume_within(const acre_aabb *origin, float distance)
{
    double low[2], high[2];
    for (int axis = 0; axis < 2; axis++) {
        low[axis] = (double)origin->min[2 * axis] - (double)distance;
        high[axis] = (double)origin->max[2 * axis] + (double)distance;
    }
    return ground_box(low, high, (double)distance);
}
