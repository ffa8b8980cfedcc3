// SPDX-License-Identifier: MIT
// find_prism.c - grows a prism within a solid from a place in it.
//
// Between two heights the triangles are obstacles on the ground, each convex. The footprint begins
// as the box of all. The obstacle nearest to the seed cuts it along a line that has the whole
// obstacle beyond it: along one of its edges or across the shortest way to it, whichever leaves
// more. Obstacles beyond a line need no other, so a house is cut four times however many triangles
// it has.
#include "find_internal.h"

#include <math.h>

static double dot_2(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1];
}

/// Twice the area that a corner adds to what its neighbors span, seen from above.
static double corner_area(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
}

static double polygon_area(const find_polygon *p)
{
    double area = 0.0;
    for (uint32_t k = 2; k < p->count; k++) {
        area += corner_area(p->points[0], p->points[k - 1], p->points[k]);
    }
    return area;
}

// ---- obstacles ----

/// The part of a triangle between two heights, of at most five corners. @return false: there is
/// none
static bool cut_triangle(const find_triangle *t, double bottom, double top, find_polygon *out)
{
    const float(*const c)[3] = t->corners;
    double low = HUGE_VAL, high = -HUGE_VAL;
    find_polygon half;
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3; axis++) {
            out->points[k][axis] = (double)c[k][axis];
        }
        low = out->points[k][1] < low ? out->points[k][1] : low;
        high = out->points[k][1] > high ? out->points[k][1] : high;
    }
    out->count = 3;
    if (high <= bottom || low >= top) {
        return false;
    }
    if (low < bottom || high > top) {
        acre_find_cut(out, (const double[4]){0.0, 1.0, 0.0, -bottom}, &half);
        acre_find_cut(&half, (const double[4]){0.0, -1.0, 0.0, top}, out);
    }
    return out->count > 0;
}

/// The corner of a polygon that is the farthest from one of them, seen from above.
static uint32_t farthest_corner(const find_polygon *p, uint32_t from)
{
    uint32_t best = from;
    double most = 0.0;
    for (uint32_t k = 0; k < p->count; k++) {
        const double to[2] = {p->points[k][0] - p->points[from][0],
                              p->points[k][2] - p->points[from][2]};
        if (dot_2(to, to) > most) {
            most = dot_2(to, to);
            best = k;
        }
    }
    return best;
}

/// Finds the nearest point to the seed.
static void find_way(find_obstacle *o, const double *seed)
{
    o->distance = HUGE_VAL;
    for (uint32_t k = 0; k < (o->count == 2 ? 1 : o->count); k++) {
        const double *const a = o->points[k], *const b = o->points[k + 1 < o->count ? k + 1 : 0];
        const double along[2] = {b[0] - a[0], b[1] - a[1]},
                     to[2] = {a[0] - seed[0], a[1] - seed[1]};
        const double length = dot_2(along, along), part = -dot_2(to, along);
        const double t = part <= 0.0 ? 0.0 : part >= length ? 1.0 : part / length;
        const double way[2] = {to[0] + t * along[0], to[1] + t * along[1]};
        const double distance = dot_2(way, way);
        if (distance < o->distance) {
            o->distance = distance;
            memcpy(o->way, way, sizeof way);
            o->is_beside = t > 0.0 && t < 1.0;
        }
    }
}

/// Makes the list of obstacles between two heights, if it is not there from the last seed.
static void take_obstacles(finder *f, float bottom, float top)
{
    if (f->heights[0] == bottom && f->heights[1] == top) {
        return;
    }
    f->heights[0] = bottom;
    f->heights[1] = top;
    f->obstacle_count = 0;
    f->work += f->triangle_count;
    for (uint32_t i = 0; i < f->triangle_count; i++) {
        const find_triangle *const triangle = &f->triangles.data[i];
        find_obstacle *const next = &f->obstacles.data[f->obstacle_count];
        find_polygon part;
        if (!cut_triangle(triangle, (double)bottom, (double)top, &part)) {
            continue;
        }
        uint32_t corners[5] = {0, 1, 2, 3, 4};
        next->count = part.count;
        if (triangle->area == 0.0) { // an upright wall: a line with two ends
            const uint32_t one = farthest_corner(&part, 0), other = farthest_corner(&part, one);
            const bool is_first = part.points[one][0] < part.points[other][0];
            corners[0] = is_first ? one : other;
            corners[1] = is_first ? other : one;
            next->count = one != other ? 2 : 1;
        }
        for (uint32_t k = 0; k < next->count; k++) {
            next->points[k][0] = part.points[corners[k]][0];
            next->points[k][1] = part.points[corners[k]][2];
        }
        // A wall is mostly two triangles, one after the other.
        f->obstacle_count += f->obstacle_count == 0 || next->count != 2 || next[-1].count != 2 ||
                             memcmp(next->points, next[-1].points, 2 * sizeof next->points[0]) != 0;
    }
}

// ---- the footprint ----

/// A line across a direction, with the whole obstacle beyond: what it keeps stays off by the
/// margin. @return false: the seed is beyond, too
static bool make_line(const double *seed, const find_obstacle *o, const double *direction,
                      double margin, double *plane)
{
    const double length = sqrt(dot_2(direction, direction));
    if (!(length > 0.0)) {
        return false;
    }
    const double sign = dot_2(direction, o->points[0]) < dot_2(direction, seed) ? -1.0 : 1.0;
    const double outward[2] = {sign * direction[0] / length, sign * direction[1] / length};
    double offset = HUGE_VAL;
    for (uint32_t k = 0; k < o->count; k++) {
        const double at = dot_2(outward, o->points[k]) - margin;
        offset = at < offset ? at : offset;
    }
    plane[0] = -outward[0];
    plane[1] = 0.0;
    plane[2] = -outward[1];
    plane[3] = offset;
    return dot_2(outward, seed) < offset;
}

/// Cuts the polygon along the line that leaves most of it, with the seed, and has the obstacle
/// beyond. @return false: there is none
static bool cut_before(find_polygon *polygon, const double *seed, const find_obstacle *o,
                       double margin, double *best)
{
    find_polygon cuts[2];
    double best_area = 0.0;
    int spare = 0;
    // A wall beside the seed leaves no choice.
    const uint32_t first = o->count == 2 && o->is_beside ? 2 : 0;
    for (uint32_t k = first; k <= o->count; k++) {
        const double *const a = o->points[k % o->count], *const b = o->points[(k + 1) % o->count];
        const double across[2] = {b[1] - a[1], a[0] - b[0]};
        double plane[4];
        if (make_line(seed, o, k < o->count ? across : o->way, margin, plane)) {
            acre_find_cut(polygon, plane, &cuts[spare]);
            const double area = polygon_area(&cuts[spare]);
            if (area > best_area) {
                best_area = area;
                spare = 1 - spare;
                memcpy(best, plane, sizeof plane);
            }
        }
    }
    if (best_area > 0.0) {
        polygon->count = cuts[1 - spare].count;
        memcpy(polygon->points, cuts[1 - spare].points, polygon->count * sizeof polygon->points[0]);
    }
    return best_area > 0.0;
}

/// Whether an obstacle lies beyond a line.
static bool is_beyond(const find_obstacle *o, const double *plane, double margin)
{
    for (uint32_t k = 0; k < o->count; k++) {
        if (plane[0] * o->points[k][0] + plane[2] * o->points[k][1] + plane[3] > -0.75 * margin) {
            return false;
        }
    }
    return true;
}

static bool carve(finder *f, const double *seed, find_polygon *polygon)
{
    const double m = f->margin;
    const double low[2] = {(double)f->box.min[0] + m, (double)f->box.min[2] + m};
    const double high[2] = {(double)f->box.max[0] - m, (double)f->box.max[2] - m};
    uint32_t left = f->obstacle_count;
    polygon->count = 4;
    for (int k = 0; k < 4; k++) { // counterclockwise
        polygon->points[k][0] = k == 1 || k == 2 ? high[0] : low[0];
        polygon->points[k][1] = 0.0;
        polygon->points[k][2] = k >= 2 ? high[1] : low[1];
    }
    for (uint32_t i = 0; i < left; i++) {
        find_way(&f->obstacles.data[i], seed);
        f->near.data[i] = i;
    }
    while (left > 0) {
        uint32_t nearest = 0, kept = 0;
        double plane[4] = {0.0};
        for (uint32_t i = 1; i < left; i++) {
            const find_obstacle *const o = &f->obstacles.data[f->near.data[i]];
            nearest = o->distance < f->obstacles.data[f->near.data[nearest]].distance ? i : nearest;
        }
        if (polygon->count > FIND_CORNERS - 4 ||
            !cut_before(polygon, seed, &f->obstacles.data[f->near.data[nearest]], m, plane)) {
            return false;
        }
        f->work += 2 * (uint64_t)left;
        for (uint32_t i = 0; i < left; i++) {
            if (i != nearest && !is_beyond(&f->obstacles.data[f->near.data[i]], plane, m)) {
                f->near.data[kept++] = f->near.data[i];
            }
        }
        left = kept;
    }
    return true;
}

/// Drops corners, the one that costs least first, until an occluder has room for the rest and none
/// of them is nearly straight. The polygon only shrinks.
static void drop_corners(find_polygon *p, double margin)
{
    while (p->count > 2) {
        double least = HUGE_VAL;
        uint32_t worst = 0;
        for (uint32_t k = 0; k < p->count; k++) {
            const double *const a = p->points[(k > 0 ? k : p->count) - 1];
            const double *const b = p->points[k + 1 < p->count ? k + 1 : 0];
            const double lost = corner_area(a, p->points[k], b);
            if (lost < least) {
                least = lost;
                worst = k;
            }
        }
        const double *const a = p->points[(worst > 0 ? worst : p->count) - 1];
        const double *const b = p->points[worst + 1 < p->count ? worst + 1 : 0];
        const double width = sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[2] - a[2]) * (b[2] - a[2]));
        if (p->count <= ACRE_OCCLUDER_MAX_POINTS && least > 4.0 * margin * width) {
            return;
        }
        p->count--;
        memmove(p->points[worst], p->points[worst + 1], (p->count - worst) * sizeof p->points[0]);
    }
}

bool acre_find_grow(finder *f, const double *seed, float bottom, float top, acre_occluder *out)
{
    find_polygon polygon;
    take_obstacles(f, bottom, top);
    if (!carve(f, seed, &polygon)) {
        return false;
    }
    drop_corners(&polygon, f->margin);
    if (polygon.count < 3) {
        return false;
    }
    *out = (acre_occluder){.point_count = polygon.count, .bottom = bottom, .top = top};
    for (uint32_t k = 0; k < polygon.count; k++) {
        out->points[k][0] = (float)polygon.points[k][0];
        out->points[k][1] = (float)polygon.points[k][2];
    }
    return acre_occluder_is_valid(out);
}
