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

/// The half of the ground where normal . p <= offset.
typedef struct half_plane {
    double normal[2], offset;
} half_plane;

typedef struct find_polygon {
    double points[FIND_CORNERS][2];
    uint32_t count;
} find_polygon;

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double dot_2(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1];
}

/// Twice the area that a corner adds to what its neighbors span.
static double corner_area(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double polygon_area(const find_polygon *p)
{
    double area = 0.0;
    for (uint32_t k = 2; k < p->count; k++) {
        area += corner_area(p->points[0], p->points[k - 1], p->points[k]);
    }
    return area;
}

static void cut_polygon(const find_polygon *from, const half_plane *line, find_polygon *out)
{
    out->count = 0;
    for (uint32_t k = 0; k < from->count; k++) {
        const double *const a = from->points[k];
        const double *const b = from->points[k + 1 < from->count ? k + 1 : 0];
        const double high_a = dot_2(line->normal, a) - line->offset;
        const double high_b = dot_2(line->normal, b) - line->offset;
        ACRE_INVARIANT(out->count + 2 <= FIND_CORNERS);
        if (high_a <= 0.0) {
            memcpy(out->points[out->count++], a, sizeof out->points[0]);
        }
        if ((high_a < 0.0 && high_b > 0.0) || (high_a > 0.0 && high_b < 0.0)) {
            const double t = high_a / (high_a - high_b);
            out->points[out->count][0] = a[0] + t * (b[0] - a[0]);
            out->points[out->count++][1] = a[1] + t * (b[1] - a[1]);
        }
    }
}

// ---- obstacles ----

/// The part of a triangle between two heights, seen from above. @return false: there is none
static bool flatten_triangle(const find_triangle *t, double bottom, double top, find_obstacle *out)
{
    const float(*const c)[3] = t->corners;
    out->count = 0;
    const double heights[3] = {(double)c[0][1], (double)c[1][1], (double)c[2][1]};
    if ((heights[0] <= bottom && heights[1] <= bottom && heights[2] <= bottom) ||
        (heights[0] >= top && heights[1] >= top && heights[2] >= top)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        const float *const a = c[k], *const b = c[(k + 1) % 3];
        const double from = (double)a[1], rise = (double)b[1] - from;
        double ends[2] = {0.0, 1.0}; // the part of the edge between the heights
        if (rise == 0.0 && (from < bottom || from > top)) {
            continue;
        }
        if (rise != 0.0) {
            const double s = (bottom - from) / rise, r = (top - from) / rise;
            ends[0] = larger(0.0, smaller(s, r));
            ends[1] = smaller(1.0, larger(s, r));
        }
        for (int i = 0; i < 2 && ends[0] <= ends[1]; i++) {
            double point[2];
            for (int axis = 0; axis < 2; axis++) {
                const double base = (double)a[2 * axis], end = (double)b[2 * axis];
                point[axis] = ends[i] < 1.0 ? base + ends[i] * (end - base) : end;
            }
            const bool is_new = out->count == 0 || point[0] != out->points[out->count - 1][0] ||
                                point[1] != out->points[out->count - 1][1];
            if (is_new && out->count < 5) {
                memcpy(out->points[out->count++], point, sizeof point);
            }
        }
    }
    return out->count > 0;
}

/// The two ends of an obstacle that is a line: an upright wall.
static void keep_ends(find_obstacle *o)
{
    uint32_t ends[2] = {0, 0};
    for (int i = 0; i < 2; i++) { // the farthest from the first point, then from that
        double most = 0.0;
        for (uint32_t k = 0; k < o->count; k++) {
            const double *const from = o->points[ends[1 - i]];
            const double to[2] = {o->points[k][0] - from[0], o->points[k][1] - from[1]};
            if (dot_2(to, to) > most) {
                most = dot_2(to, to);
                ends[i] = k;
            }
        }
    }
    const find_obstacle held = *o;
    o->count = ends[0] != ends[1] ? 2 : 1;
    memcpy(o->points[0], held.points[ends[0]], sizeof o->points[0]);
    memcpy(o->points[1], held.points[ends[1]], sizeof o->points[0]);
}

static bool is_same_line(const find_obstacle *a, const find_obstacle *b)
{
    const size_t size = sizeof a->points[0];
    return a->count == 2 && b->count == 2 &&
           ((memcmp(a->points[0], b->points[0], size) == 0 &&
             memcmp(a->points[1], b->points[1], size) == 0) ||
            (memcmp(a->points[0], b->points[1], size) == 0 &&
             memcmp(a->points[1], b->points[0], size) == 0));
}

/// The way from the seed to the nearest point of an obstacle that the seed is not in.
static double way_to_obstacle(const double *seed, const find_obstacle *o, double *way)
{
    double least = HUGE_VAL;
    for (uint32_t k = 0; k < o->count; k++) {
        const double *const a = o->points[k], *const b = o->points[(k + 1) % o->count];
        const double along[2] = {b[0] - a[0], b[1] - a[1]},
                     to[2] = {seed[0] - a[0], seed[1] - a[1]};
        const double length = dot_2(along, along);
        const double t = length > 0.0 ? smaller(1.0, larger(0.0, dot_2(to, along) / length)) : 0.0;
        const double here[2] = {t * along[0] - to[0], t * along[1] - to[1]};
        if (dot_2(here, here) < least) {
            least = dot_2(here, here);
            memcpy(way, here, sizeof here);
        }
    }
    return least;
}

static void take_obstacles(finder *f, float bottom, float top)
{
    f->obstacle_count = 0;
    f->work += f->triangle_count;
    for (uint32_t i = 0; i < f->triangle_count; i++) {
        const find_triangle *const triangle = &f->triangles.data[i];
        find_obstacle *const next = &f->obstacles.data[f->obstacle_count];
        if (flatten_triangle(triangle, (double)bottom, (double)top, next)) {
            if (find_area_over(triangle) == 0.0) {
                keep_ends(next);
            }
            // A wall is mostly two triangles, one after the other.
            f->obstacle_count += f->obstacle_count == 0 || !is_same_line(next, next - 1);
        }
    }
}

/// Whether an obstacle lies beyond a line, or on it: what a line keeps stays off by the margin.
static bool is_beyond(const find_obstacle *o, const half_plane *line, double margin)
{
    for (uint32_t k = 0; k < o->count; k++) {
        if (dot_2(line->normal, o->points[k]) < line->offset + 0.75 * margin) {
            return false;
        }
    }
    return true;
}

/// A line across a direction, with the whole obstacle beyond. @return false: the seed is beyond,
/// too
static bool make_line(const double *seed, const find_obstacle *o, const double *direction,
                      double margin, half_plane *out)
{
    const double length = sqrt(dot_2(direction, direction));
    if (!(length > 0.0)) {
        return false;
    }
    const double sign = dot_2(direction, o->points[0]) < dot_2(direction, seed) ? -1.0 : 1.0;
    out->normal[0] = sign * direction[0] / length;
    out->normal[1] = sign * direction[1] / length;
    out->offset = HUGE_VAL;
    for (uint32_t k = 0; k < o->count; k++) {
        out->offset = smaller(out->offset, dot_2(out->normal, o->points[k]) - margin);
    }
    return dot_2(out->normal, seed) < out->offset;
}

/// The line that leaves most of the polygon, with the seed, and has the obstacle beyond.
/// @return false: there is none
static bool choose_line(const double *seed, const find_obstacle *o, double margin,
                        const find_polygon *polygon, half_plane *best)
{
    double way[2], best_area = 0.0;
    way_to_obstacle(seed, o, way);
    for (uint32_t k = 0; k <= o->count; k++) {
        const double *const a = o->points[k % o->count], *const b = o->points[(k + 1) % o->count];
        const double across[2] = {b[1] - a[1], a[0] - b[0]};
        half_plane line;
        if (!make_line(seed, o, k < o->count ? across : way, margin, &line) ||
            (best_area > 0.0 && dot_2(line.normal, best->normal) > 1.0 - 1e-9)) {
            continue;
        }
        find_polygon cut;
        cut_polygon(polygon, &line, &cut);
        const double area = polygon_area(&cut);
        if (area > best_area) {
            best_area = area;
            *best = line;
        }
    }
    return best_area > 0.0;
}

static bool carve(finder *f, const double *seed, find_polygon *polygon)
{
    const double m = f->margin;
    const double low[2] = {(double)f->box.min[0] + m, (double)f->box.min[2] + m};
    const double high[2] = {(double)f->box.max[0] - m, (double)f->box.max[2] - m};
    polygon->count = 4;
    for (int k = 0; k < 4; k++) { // counterclockwise
        polygon->points[k][0] = k == 1 || k == 2 ? high[0] : low[0];
        polygon->points[k][1] = k >= 2 ? high[1] : low[1];
    }
    uint32_t left = f->obstacle_count;
    f->work += 2 * (uint64_t)left;
    for (uint32_t i = 0; i < left; i++) {
        double way[2];
        find_obstacle *const o = &f->obstacles.data[i];
        o->distance = way_to_obstacle(seed, o, way);
    }
    while (left > 0) {
        uint32_t nearest = 0;
        for (uint32_t i = 1; i < left; i++) {
            if (f->obstacles.data[i].distance < f->obstacles.data[nearest].distance) {
                nearest = i;
            }
        }
        half_plane line;
        if (polygon->count > FIND_CORNERS - 4 ||
            !choose_line(seed, &f->obstacles.data[nearest], m, polygon, &line)) {
            return false;
        }
        find_polygon cut;
        cut_polygon(polygon, &line, &cut);
        polygon->count = cut.count;
        memcpy(polygon->points, cut.points, cut.count * sizeof cut.points[0]);
        uint32_t kept = 0;
        f->work += 2 * (uint64_t)left;
        for (uint32_t i = 0; i < left; i++) {
            find_obstacle *const o = &f->obstacles.data[i];
            if (i != nearest && !is_beyond(o, &line, m)) {
                const find_obstacle held = f->obstacles.data[kept];
                f->obstacles.data[kept++] = *o;
                *o = held; // all stay in the list: the next search begins with them
            }
        }
        ACRE_INVARIANT(kept < left);
        left = kept;
    }
    return true;
}

// ---- the footprint ----

static void polygon_middle(const find_polygon *p, double *middle)
{
    double sum[2] = {0.0, 0.0}, area = 0.0;
    for (uint32_t k = 2; k < p->count; k++) {
        const double part = corner_area(p->points[0], p->points[k - 1], p->points[k]);
        for (int axis = 0; axis < 2; axis++) {
            sum[axis] +=
                part / 3.0 * (p->points[0][axis] + p->points[k - 1][axis] + p->points[k][axis]);
        }
        area += part;
    }
    middle[0] = sum[0] / area;
    middle[1] = sum[1] / area;
}

static void drop_corner(find_polygon *p, uint32_t corner)
{
    for (p->count--; corner < p->count; corner++) {
        memcpy(p->points[corner], p->points[corner + 1], sizeof p->points[0]);
    }
}

/// Drops corners, the one that costs least first, until an occluder has room for the rest and none
/// of them is nearly straight. The polygon only shrinks.
static void drop_corners(find_polygon *p, double margin)
{
    while (p->count > 2) {
        double least = HUGE_VAL;
        uint32_t worst = 0;
        for (uint32_t k = 0; k < p->count; k++) {
            const double *const a = p->points[(k + p->count - 1) % p->count];
            const double *const b = p->points[(k + 1) % p->count];
            const double lost = corner_area(a, p->points[k], b);
            if (lost < least) {
                least = lost;
                worst = k;
            }
        }
        const double *const a = p->points[(worst + p->count - 1) % p->count];
        const double *const b = p->points[(worst + 1) % p->count];
        const double width = sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
        if (p->count <= ACRE_OCCLUDER_MAX_POINTS && least > 4.0 * margin * width) {
            return;
        }
        drop_corner(p, worst);
    }
}

double acre_find_measure(const acre_occluder *o, double *around)
{
    double area = 0.0, length = 0.0;
    for (uint32_t k = 0; k < o->point_count; k++) {
        const float *const a = o->points[k], *const b = o->points[(k + 1) % o->point_count];
        const double to[2] = {(double)b[0] - (double)a[0], (double)b[1] - (double)a[1]};
        area += ((double)a[0] - (double)o->points[0][0]) * to[1] -
                ((double)a[1] - (double)o->points[0][1]) * to[0];
        length += sqrt(dot_2(to, to));
    }
    if (around != NULL) {
        *around = length;
    }
    return area;
}

bool acre_find_grow(finder *f, const double *seed, float bottom, float top, acre_occluder *out)
{
    enum { MOST_ROUNDS = 2 };
    if (!COLUMN_RESERVE(f->allocator, f->obstacles, (size_t)f->triangle_count + 1)) {
        f->is_out_of_memory = true;
        return false;
    }
    take_obstacles(f, bottom, top);
    find_polygon best, polygon;
    best.count = 0;
    double middle[2] = {seed[0], seed[1]}, area = 0.0;
    // Again around the middle of what was found, as long as that finds clearly more.
    for (int round = 0; round < MOST_ROUNDS && carve(f, middle, &polygon); round++) {
        const double next_area = polygon_area(&polygon);
        if (!(next_area > area)) {
            break;
        }
        best.count = polygon.count;
        memcpy(best.points, polygon.points, polygon.count * sizeof polygon.points[0]);
        if (next_area < 1.02 * area || f->obstacle_count <= 8) {
            break;
        }
        area = next_area;
        polygon_middle(&best, middle);
    }
    drop_corners(&best, f->margin);
    if (best.count < 3) {
        return false;
    }
    *out = (acre_occluder){.point_count = best.count, .bottom = bottom, .top = top};
    for (uint32_t k = 0; k < best.count; k++) {
        out->points[k][0] = (float)best.points[k][0];
        out->points[k][1] = (float)best.points[k][1];
    }
    return acre_occluder_is_valid(out);
}
