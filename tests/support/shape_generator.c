// SPDX-License-Identifier: MIT
// shape_generator.c - random shapes, points of them, boxes that touch them or just do not.
#include "shape_generator.h"

#include <float.h>
#include <math.h>

#define LARGEST 0x1p50f // of a valid shape's numbers
#define WIDEST_ANGLE 1.4f

static double unit_interval(test_random *random)
{
    return (double)random_float(random, 0.0f, 1.0f);
}

static bool one_in(test_random *random, uint32_t count)
{
    return random_below(random, count) == 0;
}

// A power of two of random, not whole, exponent.
static float random_scale(test_random *random, float low, float high)
{
    return exp2f(random_float(random, low, high));
}

// ---- directions ----

// Length 1; one in four has a zero component, one in eight is along an axis of the world.
static void random_direction(test_random *random, double *out)
{
    double length = 0.0;
    while (length < 0.01 || length > 1.0) {
        for (int i = 0; i < 3; i++) {
            out[i] = (double)random_float(random, -1.0f, 1.0f);
        }
        if (one_in(random, 4)) {
            out[random_below(random, 3)] = 0.0;
        }
        if (one_in(random, 8)) {
            const uint32_t axis = random_below(random, 3);
            for (uint32_t i = 0; i < 3; i++) {
                out[i] = i == axis ? (out[i] < 0.0 ? -1.0 : 1.0) : 0.0;
            }
        }
        length = sqrt(shape_dot(out, out));
    }
    for (int i = 0; i < 3; i++) {
        out[i] /= length;
    }
}

// Perpendicular to axis, which has length 1 or 0. False if the directions are too near.
static bool make_perpendicular(const double *axis, double *direction)
{
    const double along = shape_dot(axis, direction);
    for (int i = 0; i < 3; i++) {
        direction[i] -= along * axis[i];
    }
    const double length = sqrt(shape_dot(direction, direction));
    for (int i = 0; i < 3 && length > 0.0; i++) {
        direction[i] /= length;
    }
    return length > 0.01;
}

static void random_perpendicular(test_random *random, const double *axis, double *out)
{
    do {
        random_direction(random, out);
    } while (!make_perpendicular(axis, out));
}

// A direction perpendicular to axis; that of one side of a cone with the tangent of its angle, or
// of a capsule, whose is 0. Often one where the side's normal, across - tangent axis, has no part
// along an axis of the world, so that an edge of a box can lie on it.
static void random_across(test_random *random, const double *axis, double tangent, double *out)
{
    double towards[3] = {0.0, 0.0, 0.0}, along[3];
    const uint32_t i = random_below(random, 3), i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    const double sine = sqrt(fmax(1.0 - axis[i] * axis[i], 0.0));
    const double cosine = tangent * axis[i] / sine;
    towards[i] = 1.0;
    const bool is_point = shape_dot(axis, axis) == 0.0;
    if (is_point || one_in(random, 2) || !(fabs(cosine) < 1.0) ||
        !make_perpendicular(axis, towards)) {
        random_perpendicular(random, axis, out);
        return;
    }
    along[i] = 0.0;
    along[i1] = -axis[i2] / sine;
    along[i2] = axis[i1] / sine;
    const double rest = sqrt(1.0 - cosine * cosine) * (one_in(random, 2) ? 1.0 : -1.0);
    for (int k = 0; k < 3; k++) {
        out[k] = cosine * towards[k] + rest * along[k];
    }
}

// ---- shapes ----

// Any length; one in sixteen is nearly along an axis of the world, one in 64 is zero.
static void random_vector(test_random *random, float *out)
{
    double unit[3];
    random_direction(random, unit);
    const float length = one_in(random, 64) ? 0.0f : random_scale(random, -20.0f, 20.0f);
    const bool is_nearly_straight = one_in(random, 16);
    const uint32_t straight = random_below(random, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const float bend =
            is_nearly_straight && i != straight ? random_scale(random, -60.0f, -10.0f) : 1.0f;
        out[i] = length * (float)unit[i] * bend;
    }
}

static float random_size(test_random *random, float size)
{
    return one_in(random, 8) ? 0.0f : fminf(size * random_scale(random, -6.0f, 0.0f), LARGEST);
}

static void random_rotation(test_random *random, float (*axes)[3])
{
    double a[3], b[3];
    random_direction(random, a);
    random_perpendicular(random, a, b);
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        axes[0][i] = (float)a[i];
        axes[1][i] = (float)b[i];
        axes[2][i] = (float)(a[i1] * b[i2] - a[i2] * b[i1]);
    }
    // Within what is valid, axes need be neither of length 1 nor at right angles.
    for (int i = 0; one_in(random, 4) && i < 3; i++) {
        axes[i][random_below(random, 3)] += random_float(random, -3e-4f, 3e-4f);
    }
}

static void place_at(const float *place, float *out)
{
    for (int i = 0; i < 3; i++) {
        out[i] = place[i];
    }
}

static acre_capsule random_capsule(test_random *random, const float *place, float size)
{
    acre_capsule capsule;
    double unit[3];
    const float length = random_size(random, size);
    place_at(place, capsule.from);
    random_direction(random, unit);
    for (int i = 0; i < 3; i++) {
        const float to = place[i] + length * (float)unit[i];
        capsule.to[i] = fmaxf(-LARGEST, fminf(LARGEST, to));
    }
    capsule.radius = random_size(random, size);
    return capsule;
}

static acre_cone random_cone(test_random *random, const float *place, float size)
{
    acre_cone cone;
    place_at(place, cone.apex);
    random_vector(random, cone.direction);
    cone.length = random_size(random, size);
    cone.angle = one_in(random, 8) ? 0.0f : random_float(random, 0.0f, WIDEST_ANGLE);
    cone.angle = one_in(random, 8) ? WIDEST_ANGLE : cone.angle;
    return cone;
}

static acre_ray random_ray(test_random *random, const float *place, float size)
{
    acre_ray ray;
    place_at(place, ray.origin);
    random_vector(random, ray.direction);
    ray.length = one_in(random, 3) ? INFINITY : random_size(random, size);
    const bool is_thin = one_in(random, 2);
    for (int i = 0; i < 3; i++) {
        ray.half_size[i] = is_thin ? 0.0f : 0.25f * random_size(random, size);
    }
    return ray;
}

any_shape shape_random(test_random *random, shape_kind kind, const float *place, float size)
{
    any_shape shape = {.kind = kind};
    switch (kind) {
    case SHAPE_SPHERE:
        place_at(place, shape.sphere.center);
        shape.sphere.radius = random_size(random, size);
        break;
    case SHAPE_CIRCLE:
        shape.circle.center[0] = place[0];
        shape.circle.center[1] = place[2];
        shape.circle.radius = random_size(random, size);
        break;
    case SHAPE_CAPSULE:
        shape.capsule = random_capsule(random, place, size);
        break;
    case SHAPE_CONE:
        shape.cone = random_cone(random, place, size);
        break;
    case SHAPE_RAY:
        shape.ray = random_ray(random, place, size);
        break;
    default:
        place_at(place, shape.oriented.center);
        random_rotation(random, shape.oriented.axes);
        for (int i = 0; i < 3; i++) {
            shape.oriented.half_size[i] = random_size(random, size);
        }
        break;
    }
    return shape;
}

// ---- surfaces ----

// offset = along * axis + across * other
static void combine(double along, const double *axis, double across, const double *other,
                    double *out)
{
    for (int i = 0; i < 3; i++) {
        out[i] = along * axis[i] + across * other[i];
    }
}

static shape_surface capsule_surface(test_random *random, const acre_capsule *capsule)
{
    shape_surface surface;
    double path[3], axis[3], length = 0.0, t;
    for (int i = 0; i < 3; i++) {
        path[i] = (double)capsule->to[i] - (double)capsule->from[i];
    }
    length = sqrt(shape_dot(path, path));
    for (int i = 0; i < 3; i++) {
        axis[i] = length > 0.0 ? path[i] / length : 0.0;
    }
    if (one_in(random, 2)) {
        random_across(random, axis, 0.0, surface.normal);
        t = unit_interval(random);
    } else {
        random_direction(random, surface.normal);
        t = shape_dot(axis, surface.normal) > 0.0 ? 1.0 : 0.0;
    }
    combine(t, path, (double)capsule->radius, surface.normal, surface.offset);
    surface.doubt = SHAPE_SHARE * (length + (double)capsule->radius) + SHAPE_LEAST_DOUBT;
    return surface;
}

// The point of the rim, or the tip, that is farthest along a random direction. The cone that the
// library sees goes on beyond the rim.
static shape_surface rim_surface(test_random *random, const double *axis, double length, double rim)
{
    shape_surface surface = {.doubt = (double)INFINITY};
    double across[3];
    random_direction(random, surface.normal);
    combine(1.0, surface.normal, 0.0, axis, across);
    if (make_perpendicular(axis, across)) {
        combine(length, axis, rim, across, surface.offset);
    } else {
        combine(length, axis, 0.0, axis, surface.offset);
    }
    if (shape_dot(surface.offset, surface.normal) < 0.0) {
        combine(0.0, axis, 0.0, axis, surface.offset);
    }
    return surface;
}

// The rim, the tip, the side or the base.
static shape_surface cone_surface(test_random *random, const any_shape *shape)
{
    shape_surface surface;
    const acre_cone *const cone = &shape->cone;
    double axis[3], across[3];
    const double angle = (double)cone->angle, tangent = tan(angle);
    const double length = shape_unit(cone->direction, axis) > 0.0 ? (double)cone->length : 0.0;
    random_across(random, axis, tangent, across);
    const double share = unit_interval(random);
    surface.doubt = shape_cone_doubt(cone);
    if (length == 0.0) {
        random_direction(random, surface.normal);
        combine(0.0, axis, 0.0, axis, surface.offset);
        surface.doubt = SHAPE_LEAST_DOUBT;
    } else if (one_in(random, 4)) {
        surface = rim_surface(random, axis, length, length * tangent);
    } else if (one_in(random, 3)) {
        const double turned = share * (1.57079632679489662 - angle);
        combine(-cos(turned), axis, sin(turned), across, surface.normal);
        combine(0.0, axis, 0.0, across, surface.offset);
    } else if (one_in(random, 2)) {
        combine(1.0, axis, 0.0, across, surface.normal);
        combine(length, axis, length * tangent * share, across, surface.offset);
        surface.doubt = shape_plane_doubt(shape);
    } else {
        combine(-sin(angle), axis, cos(angle), across, surface.normal);
        combine(length * share, axis, length * share * tangent, across, surface.offset);
    }
    return surface;
}

// The sides of sheared boxes are not perpendicular to its axes.
static void side_normal(const acre_oriented_box *box, int side, double *out)
{
    const float *const a = box->axes[(side + 1) % 3], *const b = box->axes[(side + 2) % 3];
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        out[i] = (double)a[i1] * (double)b[i2] - (double)a[i2] * (double)b[i1];
    }
    const double length = sqrt(shape_dot(out, out));
    combine(1.0 / length, out, 0.0, out, out);
}

// Perpendicular to an edge of the box and to an axis of the world: an edge may touch an edge there.
static void edge_normal(test_random *random, const acre_oriented_box *box, double *out)
{
    const float *const edge = box->axes[random_below(random, 3)];
    const uint32_t axis = random_below(random, 3), next = (axis + 1) % 3, last = (axis + 2) % 3;
    const double length = hypot((double)edge[next], (double)edge[last]);
    if (length < 0.01) {
        random_direction(random, out);
        return;
    }
    out[axis] = 0.0;
    out[next] = -(double)edge[last] / length;
    out[last] = (double)edge[next] / length;
}

// A point of a side; for the exact test also of an edge, or a corner with any normal.
static shape_surface oriented_surface(test_random *random, const any_shape *shape)
{
    shape_surface surface = {.doubt = shape_plane_doubt(shape)};
    const acre_oriented_box *const box = &shape->oriented;
    const uint32_t kind = shape->kind == SHAPE_ORIENTED_BOX_EXACT ? random_below(random, 3) : 0;
    const int side = (int)random_below(random, 3);
    if (kind == 0) {
        side_normal(box, side, surface.normal);
    } else if (kind == 1) {
        edge_normal(random, box, surface.normal);
    } else {
        random_direction(random, surface.normal);
    }
    const double sign = one_in(random, 2) ? -1.0 : 1.0;
    combine(sign, surface.normal, 0.0, surface.normal, surface.normal);
    if (kind > 0) {
        surface.doubt *= 2.0; // the best separating axis shows at least 0.57 of a corner's distance
    }
    for (int axis = 0; axis < 3; axis++) {
        const double wide[3] = {(double)box->axes[axis][0], (double)box->axes[axis][1],
                                (double)box->axes[axis][2]};
        const double at = shape_dot(wide, surface.normal);
        const bool is_across = kind == 0 ? axis != side : fabs(at) < 1e-12;
        double share = at < 0.0 ? -1.0 : 1.0;
        share = is_across ? (double)random_float(random, -1.0f, 1.0f) : share;
        combine(1.0, surface.offset, share * (double)box->half_size[axis], wide, surface.offset);
    }
    return surface;
}

// Beside the ray, or at one of its ends.
static shape_surface ray_surface(test_random *random, const acre_ray *ray)
{
    shape_surface surface;
    double axis[3], size = 0.0, t;
    const double length = shape_unit(ray->direction, axis) > 0.0 ? (double)ray->length : 0.0;
    if (one_in(random, 2)) {
        random_across(random, axis, 0.0, surface.normal);
        t = isfinite(length) ? length * unit_interval(random)
                             : (double)random_scale(random, -10.0f, 20.0f);
    } else {
        random_direction(random, surface.normal);
        const bool is_forwards = shape_dot(axis, surface.normal) > 0.0;
        const double turn = is_forwards && isinf(length) ? -1.0 : 1.0;
        combine(turn, surface.normal, 0.0, axis, surface.normal);
        t = is_forwards && turn > 0.0 ? length : 0.0;
    }
    for (int i = 0; i < 3; i++) {
        const double half_size = (double)ray->half_size[i];
        const double side = surface.normal[i] < 0.0 ? -half_size : half_size;
        surface.offset[i] = t * axis[i] + side;
        size += half_size;
    }
    surface.doubt = SHAPE_SHARE * (t + size) + SHAPE_LEAST_DOUBT;
    return surface;
}

shape_surface shape_random_surface(test_random *random, const any_shape *shape)
{
    shape_surface surface = {.doubt = 0.0};
    double radius = 0.0;
    switch (shape->kind) {
    case SHAPE_CAPSULE:
        return capsule_surface(random, &shape->capsule);
    case SHAPE_CONE:
        return cone_surface(random, shape);
    case SHAPE_ORIENTED_BOX:
    case SHAPE_ORIENTED_BOX_EXACT:
        return oriented_surface(random, shape);
    case SHAPE_RAY:
        return ray_surface(random, &shape->ray);
    case SHAPE_CIRCLE: {
        const double up[3] = {0.0, 1.0, 0.0};
        random_perpendicular(random, up, surface.normal);
        surface.normal[1] = 0.0;
        radius = (double)shape->circle.radius;
        break;
    }
    default:
        random_direction(random, surface.normal);
        radius = (double)shape->sphere.radius;
        break;
    }
    combine(radius, surface.normal, 0.0, surface.normal, surface.offset);
    surface.doubt = SHAPE_SHARE * radius + SHAPE_LEAST_DOUBT;
    return surface;
}

// Shapes are convex.
void shape_random_point(test_random *random, const any_shape *shape, double *offset)
{
    const shape_surface one = shape_random_surface(random, shape);
    const shape_surface other = shape_random_surface(random, shape);
    const double share = one_in(random, 2) ? 0.0 : unit_interval(random);
    combine(1.0 - share, one.offset, share, other.offset, offset);
}

// ---- boxes ----

// The float next to base + offset that is not above it; offsets are exact, other than sums.
static float float_below(double base, double offset)
{
    if (base + offset > (double)FLT_MAX) {
        return FLT_MAX;
    }
    if (base + offset < -(double)FLT_MAX) {
        return -INFINITY;
    }
    float value = (float)(base + offset);
    while ((double)value - base > offset) {
        value = nextafterf(value, -INFINITY);
    }
    return value;
}

static float float_above(double base, double offset)
{
    return -float_below(-base, -offset);
}

// How far a box extends from its nearest point.
static float random_extent(test_random *random, float size)
{
    if (one_in(random, 5)) {
        return 0.0f;
    }
    if (one_in(random, 16)) {
        return one_in(random, 2) ? INFINITY : random_scale(random, 56.0f, 127.0f);
    }
    return size * random_scale(random, -12.0f, 4.0f);
}

acre_aabb shape_box_around(test_random *random, const any_shape *shape, const double *offset,
                           float size)
{
    acre_aabb box;
    double base[3];
    shape_base(shape, base);
    for (int i = 0; i < 3; i++) {
        box.min[i] = float_below(base[i], offset[i]) - random_extent(random, size);
        box.max[i] = float_above(base[i], offset[i]) + random_extent(random, size);
    }
    return box;
}

acre_aabb shape_box_beyond(test_random *random, const any_shape *shape,
                           const shape_surface *surface, double distance, float size)
{
    acre_aabb box;
    double base[3];
    shape_base(shape, base);
    for (int i = 0; i < 3; i++) {
        const double exact = surface->normal[i], at = surface->offset[i] + distance * exact;
        const double n = fabs(exact) < 1e-12 ? 0.0 : exact; // else it is rounding
        const float below = float_below(base[i], at), above = float_above(base[i], at);
        const float near_low = distance > 0.0 ? above : below;
        const float near_high = distance > 0.0 ? below : above;
        box.min[i] = n > 0.0 ? near_low : below - random_extent(random, size);
        box.max[i] = n < 0.0 ? near_high : above + random_extent(random, size);
        if (n > 0.0) {
            box.max[i] = fmaxf(box.max[i], box.min[i]);
        } else if (n < 0.0) {
            box.min[i] = fminf(box.min[i], box.max[i]);
        }
    }
    return box;
}
