// SPDX-License-Identifier: MIT
// shape_prepare.c - makes the parts of a shape: bounds, planes, ball, slab and edges. It calculates
// in double; results are rounded outwards, or a slack covers their rounding.
#include "shape_internal.h"

#include "assert_internal.h"
#include "vector_internal.h"

#include <float.h>
#include <math.h>

static double length3f(const float *v)
{
    const double wide[3] = {(double)v[0], (double)v[1], (double)v[2]};
    return length3(wide);
}

// Scales a direction to length 1. A zero direction stays zero.
static void unit_of(const float *direction, double *out)
{
    const double length = length3f(direction);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = length > 0.0 ? (double)direction[axis] / length : 0.0;
    }
}

// A shape without parts: all of space.
static void clear_shape(prepared_shape *out)
{
    out->parts = 0;
    out->planes.plane_count = 0;
    for (int axis = 0; axis < 3; axis++) {
        out->bounds.min[axis] = -INFINITY;
        out->bounds.max[axis] = INFINITY;
    }
}

// Sets the bounds of an axis, moved outwards by two roundings to floats. Edges may be infinite.
static void bound(prepared_shape *out, int axis, double low, double high)
{
    const double share = 0x1p-23, least = 0x1p-148;
    ACRE_INVARIANT(low <= high);
    out->bounds.min[axis] = (float)(low - fabs(low) * share - least);
    out->bounds.max[axis] = (float)(high + fabs(high) * share + least);
}

static void set_ball(prepared_shape *out, const float *start, const double *axis, double length,
                     double radius, double slope)
{
    shape_ball *const ball = &out->ball;
    ACRE_INVARIANT(length >= 0.0 && radius >= 0.0 && slope >= 0.0 && slope < 1.0);
    out->parts |= SHAPE_HAS_BALL;
    for (int i = 0; i < 3; i++) {
        ball->start[i] = start[i];
        ball->axis[i] = length > 0.0 ? (float)axis[i] : 0.0f;
        const double inverse = ball->axis[i] != 0.0f ? 1.0 / axis[i] : 0.0;
        ball->inverse[i] = fabs(inverse) <= (double)FLT_MAX ? (float)inverse : 0.0f;
    }
    ball->is_flat = false;
    ball->length = (float)length;
    ball->radius = (float)radius;
    ball->slope = (float)slope;
    ball->tilt = (float)(slope / sqrt(1.0 - slope * slope));
    ball->slack = (float)(SHAPE_SLACK_SHARE * (length + radius + slope * length) + LEAST_SLACK);
}

// The bounds reach beyond everything that the ball's test accepts, which is at most 1.25 slack
// farther away than the radius. So the ball alone decides, and queries need not test the bounds.
void acre_prepare_sphere(prepared_shape *out, const acre_sphere *sphere)
{
    const double nowhere[3] = {0.0, 0.0, 0.0}, radius = (double)sphere->radius;
    clear_shape(out);
    set_ball(out, sphere->center, nowhere, 0.0, radius, 0.0);
    const double reach = radius + 2.0 * (double)out->ball.slack;
    for (int axis = 0; axis < 3; axis++) {
        const double center = (double)sphere->center[axis];
        bound(out, axis, center - reach, center + reach);
    }
}

void acre_prepare_circle(prepared_shape *out, const acre_circle *circle)
{
    const acre_sphere sphere = {{circle->center[0], 0.0f, circle->center[1]}, circle->radius};
    acre_prepare_sphere(out, &sphere);
    out->ball.is_flat = true;
    out->bounds.min[1] = -INFINITY;
    out->bounds.max[1] = INFINITY;
}

// With bounds as those of a sphere: a capsule of length 0 answers as that sphere.
void acre_prepare_capsule(prepared_shape *out, const acre_capsule *capsule)
{
    double axis[3];
    clear_shape(out);
    for (int i = 0; i < 3; i++) {
        axis[i] = (double)capsule->to[i] - (double)capsule->from[i];
    }
    const double length = length3(axis);
    for (int i = 0; i < 3 && length > 0.0; i++) {
        axis[i] /= length;
    }
    set_ball(out, capsule->from, axis, length, (double)capsule->radius, 0.0);
    const double reach = (double)capsule->radius + 2.0 * (double)out->ball.slack;
    for (int i = 0; i < 3; i++) {
        const double from = (double)capsule->from[i], to = (double)capsule->to[i];
        bound(out, i, fmin(from, to) - reach, fmax(from, to) + reach);
    }
}

// How far a plane moves outwards. size: the largest distance of the shape from the origin.
static double plane_slack(const double *normal, double size)
{
    return length3(normal) * (SHAPE_SLACK_SHARE * size + LEAST_SLACK);
}

static void add_shape_plane(prepared_shape *out, const double *normal, double d)
{
    ACRE_INVARIANT(out->planes.plane_count < ACRE_FRUSTUM_MAX_PLANES);
    float *const plane = out->planes.planes[out->planes.plane_count++];
    for (int axis = 0; axis < 3; axis++) {
        plane[axis] = (float)normal[axis];
    }
    plane[3] = (float)d;
}

// The sphere that touches the side at the rim of the base has its center at length / cos^2 angle.
void acre_prepare_cone(prepared_shape *out, const acre_cone *cone)
{
    double axis[3];
    unit_of(cone->direction, axis);
    const double angle = (double)cone->angle;
    const double length = length3(axis) > 0.0 ? (double)cone->length : 0.0;
    const double rim = length * tan(angle);
    clear_shape(out);
    set_ball(out, cone->apex, axis, length / (cos(angle) * cos(angle)), 0.0, sin(angle));
    double normal[3], d = length;
    for (int i = 0; i < 3; i++) {
        const double apex = (double)cone->apex[i], middle = apex + length * axis[i];
        const double reach = rim * sqrt(fmax(1.0 - axis[i] * axis[i], 0.0));
        const double slack = SHAPE_SLACK_SHARE * rim; // the root of a difference near zero
        bound(out, i, fmin(apex, middle - reach) - slack, fmax(apex, middle + reach) + slack);
        normal[i] = -axis[i];
        d += axis[i] * apex;
    }
    if (length > 0.0) {
        add_shape_plane(out, normal, d + plane_slack(normal, length3f(cone->apex) + length + rim));
    }
}

// A box that is wholly inside by the plane tests must not be separated by an edge, since queries
// accept it without this test. Planes are moved by slack, float tests err by less than 0.7 of it,
// and an axis is at most 45 degrees from the nearer of two sides: 1.7 * 2^0.5 < 2.5.
void acre_prepare_edges(prepared_shape *out, const acre_oriented_box *oriented)
{
    const double size = length3f(oriented->center) + length3f(oriented->half_size);
    const double slack = SHAPE_SLACK_SHARE * size + LEAST_SLACK;
    shape_edges *const edges = &out->edges;
    out->parts |= SHAPE_HAS_EDGES;
    for (int world = 0; world < 3; world++) {
        const int next = (world + 1) % 3, last = (world + 2) % 3;
        edges->center[world] = oriented->center[world];
        for (int k = 0; k < 3; k++) {
            const double along_next = -(double)oriented->axes[k][last];
            const double along_last = (double)oriented->axes[k][next];
            const double length = sqrt(along_next * along_next + along_last * along_last);
            double reach = 0.0;
            for (int i = 0; i < 3; i++) {
                const float *const axis = oriented->axes[i];
                reach += fabs(along_next * (double)axis[next] + along_last * (double)axis[last]) *
                         (double)oriented->half_size[i];
            }
            edges->axes[world][k][0] = (float)along_next;
            edges->axes[world][k][1] = (float)along_last;
            edges->reach[world][k] = (float)(reach + 2.5 * slack * length);
        }
    }
}

// A point is inside where the coordinates along the axes are within the half sizes. The rows of the
// inverse of the matrix of the axes give them, also where the axes are not quite orthogonal.
void acre_prepare_oriented_box(prepared_shape *out, const acre_oriented_box *oriented)
{
    const double size = length3f(oriented->center) + length3f(oriented->half_size);
    double reach[3] = {0.0, 0.0, 0.0}, determinant = 0.0;
    double rows[3][3];
    clear_shape(out);
    for (int i = 0; i < 3; i++) {
        const float *const a = oriented->axes[(i + 1) % 3], *const b = oriented->axes[(i + 2) % 3];
        for (int k = 0; k < 3; k++) {
            const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            rows[i][k] = (double)a[k1] * (double)b[k2] - (double)a[k2] * (double)b[k1];
            reach[k] += fabs((double)oriented->axes[i][k]) * (double)oriented->half_size[i];
        }
    }
    for (int k = 0; k < 3; k++) {
        const double center = (double)oriented->center[k];
        const double slack = 0x1p-40 * reach[k];
        determinant += rows[0][k] * (double)oriented->axes[0][k];
        bound(out, k, center - reach[k] - slack, center + reach[k] + slack);
    }
    ACRE_INVARIANT(fabs(determinant) > 0.5); // axes are almost orthogonal
    for (int i = 0; i < 3; i++) {
        double normal[3], opposite[3], at = 0.0;
        for (int k = 0; k < 3; k++) {
            normal[k] = rows[i][k] / determinant;
            opposite[k] = -normal[k];
            at += normal[k] * (double)oriented->center[k];
        }
        const double slack = plane_slack(normal, size);
        add_shape_plane(out, normal, (double)oriented->half_size[i] - at + slack);
        add_shape_plane(out, opposite, (double)oriented->half_size[i] + at + slack);
    }
}

// One axis of a ray. axis: of its direction, which has length 1 or is zero.
static void set_slab(prepared_shape *out, int i, const acre_ray *ray, double length, double axis)
{
    shape_slab *const slab = &out->slab;
    const double origin = (double)ray->origin[i], half_size = (double)ray->half_size[i];
    const bool moves = axis != 0.0 && length > 0.0, is_back = axis < 0.0;
    const double path[2] = {0.0, moves ? length * axis : 0.0};
    const double inverse = moves ? 1.0 / axis : (double)INFINITY;
    slab->origin[i] = ray->origin[i];
    slab->inverse[i] = fabs(inverse) > (double)FLT_MAX ? INFINITY : (float)inverse;
    slab->shift[i] = copysignf((float)(half_size * (1.0 + SHAPE_SLACK_SHARE)), -slab->inverse[i]);
    slab->near_row[i] = (uint8_t)(i * 2 + (slab->inverse[i] < 0.0f));
    bound(out, i, origin - half_size + path[is_back], origin + half_size + path[!is_back]);
}

void acre_prepare_ray(prepared_shape *out, const acre_ray *ray)
{
    double axis[3];
    unit_of(ray->direction, axis);
    const bool has_direction = axis[0] != 0.0 || axis[1] != 0.0 || axis[2] != 0.0;
    const double length = has_direction ? (double)ray->length : 0.0;
    clear_shape(out);
    out->parts |= SHAPE_HAS_SLAB;
    out->slab.length = (float)(length < (double)LARGEST_OF_SLAB ? length : (double)LARGEST_OF_SLAB);
    for (int i = 0; i < 3; i++) {
        set_slab(out, i, ray, length, axis[i]);
    }
}
