// SPDX-License-Identifier: MIT
// shape_oracle.c - whether a box touches a shape, in double precision.
//
// Balls, capsules, the sides of cones and rays are spheres along a segment: the distance of the
// sphere's middle from the box, less its radius, is a convex function of the place on the segment,
// whose least value is searched. Oriented boxes are judged by all separating axes.
#include "shape_oracle.h"

#include "oriented_box.h"

#include <math.h>

#define SHARE SHAPE_SHARE
// What the header leaves to the side of a cone at any angle, as a share of its length.
#define CONE_SHARE 0x1p-13

// A box relative to a point.
typedef struct relative_box {
    double low[3], high[3];
} relative_box;

// A gap of box and shape, and up to what gap the box may count as touching.
typedef struct judged_gap {
    double gap, doubt;
} judged_gap;

double shape_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double length_of(const double *v)
{
    return sqrt(shape_dot(v, v));
}

double shape_unit(const float *direction, double *out)
{
    const double wide[3] = {(double)direction[0], (double)direction[1], (double)direction[2]};
    const double length = length_of(wide);
    for (int i = 0; i < 3; i++) {
        out[i] = length > 0.0 ? wide[i] / length : 0.0;
    }
    return length;
}

static relative_box relative_to(const acre_aabb *box, const double *base)
{
    relative_box out;
    for (int i = 0; i < 3; i++) {
        out.low[i] = (double)box->min[i] - base[i];
        out.high[i] = (double)box->max[i] - base[i];
    }
    return out;
}

static bool is_oriented(shape_kind kind)
{
    return kind == SHAPE_ORIENTED_BOX || kind == SHAPE_ORIENTED_BOX_EXACT;
}

void shape_base(const any_shape *shape, double *base)
{
    const float *place = NULL;
    switch (shape->kind) {
    case SHAPE_SPHERE:
        place = shape->sphere.center;
        break;
    case SHAPE_CAPSULE:
        place = shape->capsule.from;
        break;
    case SHAPE_CONE:
        place = shape->cone.apex;
        break;
    case SHAPE_RAY:
        place = shape->ray.origin;
        break;
    case SHAPE_CIRCLE:
        base[0] = (double)shape->circle.center[0];
        base[1] = 0.0;
        base[2] = (double)shape->circle.center[1];
        return;
    default:
        place = shape->oriented.center;
        break;
    }
    for (int i = 0; i < 3; i++) {
        base[i] = (double)place[i];
    }
}

bool shape_is_valid(const any_shape *shape)
{
    switch (shape->kind) {
    case SHAPE_SPHERE:
        return acre_sphere_is_valid(&shape->sphere);
    case SHAPE_CIRCLE:
        return acre_circle_is_valid(&shape->circle);
    case SHAPE_CAPSULE:
        return acre_capsule_is_valid(&shape->capsule);
    case SHAPE_CONE:
        return acre_cone_is_valid(&shape->cone);
    case SHAPE_RAY:
        return acre_ray_is_valid(&shape->ray);
    default:
        return acre_oriented_box_is_valid(&shape->oriented);
    }
}

bool shape_test(const any_shape *shape, const acre_aabb *box)
{
    switch (shape->kind) {
    case SHAPE_SPHERE:
        return acre_sphere_test_aabb(&shape->sphere, box);
    case SHAPE_CIRCLE:
        return acre_circle_test_aabb(&shape->circle, box);
    case SHAPE_CAPSULE:
        return acre_capsule_test_aabb(&shape->capsule, box);
    case SHAPE_CONE:
        return acre_cone_test_aabb(&shape->cone, box);
    case SHAPE_RAY:
        return acre_ray_test_aabb(&shape->ray, box, NULL);
    case SHAPE_ORIENTED_BOX:
        return acre_oriented_box_test_aabb(&shape->oriented, box);
    default:
        return oriented_box_test_exact(&shape->oriented, box);
    }
}

// ---- spheres along a segment ----

// Spheres around t axis, 0 <= t <= length, with the radius radius + t slope.
typedef struct sphere_path {
    double axis[3];
    double length, radius, slope;
} sphere_path;

static double path_gap(const sphere_path *path, const relative_box *box, double t)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        const double at = t * path->axis[i];
        const double gap = fmax(fmax(box->low[i] - at, at - box->high[i]), 0.0);
        sum += gap * gap;
    }
    return sqrt(sum) - (path->radius + t * path->slope);
}

static void sort_doubles(double *values, int count)
{
    for (int i = 1; i < count; i++) {
        for (int k = i; k > 0 && values[k] < values[k - 1]; k--) {
            const double other = values[k];
            values[k] = values[k - 1];
            values[k - 1] = other;
        }
    }
}

// Golden section: the least value of a convex function.
static double search_gap(const sphere_path *path, const relative_box *box, double from, double to,
                         double *where)
{
    const double golden = 0.61803398874989484820;
    double a = to - golden * (to - from), b = from + golden * (to - from);
    double at_a = path_gap(path, box, a), at_b = path_gap(path, box, b);
    for (int step = 0; step < 70; step++) {
        if (at_a < at_b) {
            to = b;
            b = a;
            at_b = at_a;
            a = to - golden * (to - from);
            at_a = path_gap(path, box, a);
        } else {
            from = a;
            a = b;
            at_a = at_b;
            b = from + golden * (to - from);
            at_b = path_gap(path, box, b);
        }
    }
    *where = at_a < at_b ? a : b;
    return fmin(at_a, at_b);
}

// The least gap, searched between the two neighbors of the best among the ends and the places
// where the axis passes an edge of the box. Behind the last of them the gap only grows, so that an
// infinite length needs no end.
static double least_gap(const sphere_path *path, const relative_box *box, double *where)
{
    double places[8] = {0.0};
    int count = 1, best = 0;
    for (int i = 0; i < 3; i++) {
        const double edges[2] = {box->low[i] / path->axis[i], box->high[i] / path->axis[i]};
        for (int k = 0; k < 2; k++) {
            if (edges[k] > 0.0 && edges[k] < path->length && isfinite(edges[k])) {
                places[count++] = edges[k];
            }
        }
    }
    if (path->length > 0.0 && isfinite(path->length)) {
        places[count++] = path->length;
    }
    sort_doubles(places, count);
    double least = path_gap(path, box, places[0]);
    for (int i = 1; i < count; i++) {
        const double gap = path_gap(path, box, places[i]);
        if (gap < least) {
            least = gap;
            best = i;
        }
    }
    // Places that differ by rounding only are one: either may look better than the other.
    int before = best, after = best;
    while (before > 0 && places[before] >= places[best] * (1.0 - 1e-12)) {
        before--;
    }
    while (after + 1 < count && places[after] <= places[best] * (1.0 + 1e-12)) {
        after++;
    }
    *where = places[best];
    if (count > 1) {
        double between;
        const double gap = search_gap(path, box, places[before], places[after], &between);
        if (gap < least) {
            least = gap;
            *where = between;
        }
    }
    return least;
}

// The spheres of a cone reach as far as the rim of its base asks for.
static sphere_path path_of(const any_shape *shape)
{
    sphere_path path = {{0.0, 0.0, 0.0}, 0.0, 0.0, 0.0};
    if (shape->kind == SHAPE_SPHERE) {
        path.radius = (double)shape->sphere.radius;
    } else if (shape->kind == SHAPE_CIRCLE) {
        path.radius = (double)shape->circle.radius;
    } else if (shape->kind == SHAPE_CAPSULE) {
        for (int i = 0; i < 3; i++) {
            path.axis[i] = (double)shape->capsule.to[i] - (double)shape->capsule.from[i];
        }
        path.length = length_of(path.axis);
        for (int i = 0; i < 3 && path.length > 0.0; i++) {
            path.axis[i] /= path.length;
        }
        path.radius = (double)shape->capsule.radius;
    } else if (shape->kind == SHAPE_CONE) {
        const double angle = (double)shape->cone.angle;
        const bool is_point = shape_unit(shape->cone.direction, path.axis) == 0.0;
        path.length = is_point ? 0.0 : (double)shape->cone.length / pow(cos(angle), 2.0);
        path.slope = sin(angle);
    } else if (shape->kind == SHAPE_RAY) {
        const bool is_point = shape_unit(shape->ray.direction, path.axis) == 0.0;
        path.length = is_point ? 0.0 : (double)shape->ray.length;
    }
    return path;
}

static double half_diagonal(const float *half_size)
{
    double ignored[3];
    return shape_unit(half_size, ignored);
}

double shape_cone_doubt(const acre_cone *cone)
{
    const double slope = sin((double)cone->angle);
    const double whole = (double)cone->length * (1.0 + slope) / pow(cos((double)cone->angle), 2.0);
    return fmin(SHARE * whole, CONE_SHARE * (double)cone->length) + SHAPE_LEAST_DOUBT;
}

// Up to what gap a box near the place t of the path counts as touching, the gap's share left out.
static double path_doubt(const any_shape *shape, const sphere_path *path, double t)
{
    if (shape->kind == SHAPE_RAY) {
        return SHARE * (t + half_diagonal(shape->ray.half_size)) + SHAPE_LEAST_DOUBT;
    }
    const double whole = path->length + path->radius + path->slope * path->length;
    return shape->kind == SHAPE_CONE ? shape_cone_doubt(&shape->cone)
                                     : SHARE * whole + SHAPE_LEAST_DOUBT;
}

static judged_gap judge_path(const any_shape *shape, const acre_aabb *box)
{
    double base[3], where;
    shape_base(shape, base);
    const sphere_path path = path_of(shape);
    relative_box relative = relative_to(box, base);
    for (int i = 0; i < 3 && shape->kind == SHAPE_RAY; i++) {
        relative.low[i] -= (double)shape->ray.half_size[i];
        relative.high[i] += (double)shape->ray.half_size[i];
    }
    if (shape->kind == SHAPE_CIRCLE) {
        relative.low[1] = -(double)INFINITY;
        relative.high[1] = (double)INFINITY;
    }
    judged_gap judged = {.gap = least_gap(&path, &relative, &where)};
    judged.doubt = path_doubt(shape, &path, where) + SHARE * fmax(judged.gap, 0.0);
    return judged;
}

// ---- planes ----

double shape_plane_doubt(const any_shape *shape)
{
    double base[3], size;
    shape_base(shape, base);
    if (shape->kind == SHAPE_CONE) {
        size = (double)shape->cone.length * (1.0 + tan((double)shape->cone.angle));
    } else {
        size = half_diagonal(shape->oriented.half_size);
    }
    return SHARE * (size + length_of(base)) + SHAPE_LEAST_DOUBT;
}

// How far the box is beyond n p = d; -infinity where that is unknown.
static double plane_gap(const relative_box *box, const double *n, double d)
{
    double low = -d;
    for (int i = 0; i < 3; i++) {
        low += n[i] > 0.0 ? n[i] * box->low[i] : n[i] < 0.0 ? n[i] * box->high[i] : 0.0;
    }
    return isnan(low) ? -(double)INFINITY : low;
}

bool shape_doubts_box(const any_shape *shape, const acre_aabb *box)
{
    double largest = 0.0;
    for (int i = 0; i < 3; i++) {
        largest = fmax(largest, fmax(fabs((double)box->min[i]), fabs((double)box->max[i])));
    }
    if (shape->kind == SHAPE_RAY) {
        return largest > 0x1p54; // more than places and sizes that can be valid
    }
    const bool has_planes = shape->kind == SHAPE_CONE || is_oriented(shape->kind);
    return has_planes && !(largest <= 1e3 * shape_plane_doubt(shape) / SHARE);
}

static void widen(judged_gap *all, judged_gap part)
{
    if (part.gap - part.doubt > all->gap - all->doubt) {
        *all = part;
    }
}

// The parts of the cone that the library tests: spheres, the plane of the base, bounds.
static judged_gap judge_cone(const any_shape *shape, const acre_aabb *box)
{
    double base[3], axis[3];
    const acre_cone *const cone = &shape->cone;
    judged_gap all = judge_path(shape, box);
    shape_base(shape, base);
    const relative_box relative = relative_to(box, base);
    const double length = shape_unit(cone->direction, axis) > 0.0 ? (double)cone->length : 0.0;
    const double rim = length * tan((double)cone->angle);
    const double doubt = shape_plane_doubt(shape);
    if (length > 0.0) {
        const double gap = plane_gap(&relative, axis, length);
        widen(&all, (judged_gap){gap, doubt + SHARE * fmax(gap, 0.0)});
    }
    for (int i = 0; i < 3; i++) {
        const double middle = length * axis[i];
        const double reach = rim * sqrt(fmax(1.0 - axis[i] * axis[i], 0.0));
        const double gap = fmax(relative.low[i] - fmax(0.0, middle + reach),
                                fmin(0.0, middle - reach) - relative.high[i]);
        widen(&all, (judged_gap){gap, doubt + SHARE * fmax(gap, 0.0)});
    }
    return all;
}

// Whether a point of the box, one that is nearest to some point of the axis, is in the cone.
static bool is_proved_in_cone(const acre_cone *cone, const relative_box *box)
{
    double axis[3];
    const double length = shape_unit(cone->direction, axis) > 0.0 ? (double)cone->length : 0.0;
    for (int step = 0; step <= 16; step++) {
        double p[3];
        for (int i = 0; i < 3; i++) {
            const double at = length * (double)step / 16.0 * axis[i];
            p[i] = fmax(box->low[i], fmin(box->high[i], at));
        }
        const double along = shape_dot(p, axis);
        const double across = sqrt(fmax(shape_dot(p, p) - along * along, 0.0));
        const double sine = sin((double)cone->angle), cosine = cos((double)cone->angle);
        const double size = length_of(p);
        // Rounding must not prove too much.
        if (size == 0.0 || (along * sine - across * cosine >= 1e-7 * size && along <= length)) {
            return true;
        }
    }
    return false;
}

// ---- oriented boxes ----

static void cross(const double *a, const double *b, double *out)
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static void widen_axes(const acre_oriented_box *oriented, double (*axes)[3])
{
    for (int i = 0; i < 9; i++) {
        axes[i / 3][i % 3] = (double)oriented->axes[i / 3][i % 3];
    }
}

// Half the extent of the oriented box along n.
static double oriented_reach(const acre_oriented_box *oriented, const double *n)
{
    double axes[3][3], reach = 0.0;
    widen_axes(oriented, axes);
    for (int i = 0; i < 3; i++) {
        reach += (double)oriented->half_size[i] * fabs(shape_dot(axes[i], n));
    }
    return reach;
}

static double gap_along(const acre_oriented_box *oriented, const relative_box *box, const double *n)
{
    const double length = length_of(n), opposite[3] = {-n[0], -n[1], -n[2]};
    const double reach = oriented_reach(oriented, n);
    if (length == 0.0) {
        return -(double)INFINITY;
    }
    return fmax(plane_gap(box, n, reach), plane_gap(box, opposite, reach)) / length;
}

// The largest gap along the sides of the oriented box and the world's axes, or all separating axes.
static double separation(const acre_oriented_box *oriented, const acre_aabb *box, bool is_exact)
{
    const double center[3] = {(double)oriented->center[0], (double)oriented->center[1],
                              (double)oriented->center[2]};
    const relative_box relative = relative_to(box, center);
    double axes[3][3], n[3], gap = -(double)INFINITY;
    widen_axes(oriented, axes);
    for (int i = 0; i < 3; i++) {
        const double world[3] = {i == 0, i == 1, i == 2};
        gap = fmax(gap, gap_along(oriented, &relative, world));
        cross(axes[(i + 1) % 3], axes[(i + 2) % 3], n);
        gap = fmax(gap, gap_along(oriented, &relative, n));
        for (int k = 0; k < 3 && is_exact; k++) {
            cross(world, axes[k], n);
            gap = fmax(gap, gap_along(oriented, &relative, n));
        }
    }
    return gap;
}

// ---- verdicts ----

static bool is_proved_touching(const any_shape *shape, const acre_aabb *box)
{
    if (is_oriented(shape->kind)) {
        return separation(&shape->oriented, box, true) <= 0.0;
    }
    if (shape->kind == SHAPE_CONE) {
        double base[3];
        shape_base(shape, base);
        const relative_box relative = relative_to(box, base);
        return is_proved_in_cone(&shape->cone, &relative);
    }
    return judge_path(shape, box).gap <= 0.0;
}

shape_verdict shape_judge(const any_shape *shape, const acre_aabb *box)
{
    judged_gap judged;
    if (is_proved_touching(shape, box)) {
        return SHAPE_TOUCHES;
    }
    if (is_oriented(shape->kind)) {
        judged.gap = separation(&shape->oriented, box, shape->kind == SHAPE_ORIENTED_BOX_EXACT);
        judged.doubt = shape_plane_doubt(shape) + SHARE * fmax(judged.gap, 0.0);
        for (int i = 0; i < 3 && shape->kind == SHAPE_ORIENTED_BOX_EXACT; i++) {
            judged.doubt += SHARE * ((double)box->max[i] - (double)box->min[i]);
        }
    } else {
        judged = shape->kind == SHAPE_CONE ? judge_cone(shape, box) : judge_path(shape, box);
    }
    if (shape->kind != SHAPE_RAY && shape_doubts_box(shape, box)) {
        return SHAPE_DOUBT;
    }
    return judged.gap > judged.doubt ? SHAPE_OUTSIDE : SHAPE_DOUBT;
}

// Slabs. The half size and the distance may each be wrong by their share.
static double enters_at(const acre_ray *ray, const acre_aabb *box, double share)
{
    double axis[3], enters = 0.0;
    (void)shape_unit(ray->direction, axis);
    for (int i = 0; i < 3; i++) {
        const double half_size = (double)ray->half_size[i] * (1.0 - share);
        const double origin = (double)ray->origin[i];
        const double edge = axis[i] > 0.0 ? (double)box->min[i] - half_size - origin
                                          : (double)box->max[i] + half_size - origin;
        if (axis[i] != 0.0) {
            enters = fmax(enters, edge / axis[i]);
        }
    }
    return enters * (1.0 + share);
}

void shape_ray_enters(const acre_ray *ray, const acre_aabb *box, double *low, double *high)
{
    *low = enters_at(ray, box, -SHARE);
    *high = enters_at(ray, box, SHARE);
}
