// SPDX-License-Identifier: MIT
// find_proof.c - whether a prism lies within a solid, and how much of a node its prisms cover.
#include "find_internal.h"

#include <math.h>

// ---- lines ----

/// Whether a point of a plane lies in a triangle of it: 1 if the corners go around it one way, -1
/// the other way, 0 if it is beside; 2 if it is too near an edge to tell.
static int point_in_triangle(const double *point, double (*corners)[2], double near)
{
    bool is_left = false, is_right = false, is_near = false;
    for (int k = 0; k < 3; k++) {
        const double *const a = corners[k], *const b = corners[k < 2 ? k + 1 : 0];
        const double turn = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]);
        is_left |= turn > near;
        is_right |= turn < -near;
        is_near |= turn <= near && turn >= -near;
    }
    // On the line of an edge, but beyond its ends, the other two disagree.
    return is_left && is_right ? 0 : is_near ? 2 : is_left ? 1 : -1;
}

/// Where the line along an axis through a point passes a triangle, and how: as point_in_triangle.
static find_crossing pass_triangle(const find_triangle *t, const double *point, int axis,
                                   double near)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double at[2] = {point[u], point[v]};
    double flat[3][2];
    for (int k = 0; k < 3; k++) {
        flat[k][0] = (double)t->corners[k][u];
        flat[k][1] = (double)t->corners[k][v];
    }
    find_crossing met = {.turn = point_in_triangle(at, flat, near)};
    if (met.turn == 1 || met.turn == -1) {
        const double e[2] = {flat[1][0] - flat[0][0], flat[1][1] - flat[0][1]};
        const double g[2] = {flat[2][0] - flat[0][0], flat[2][1] - flat[0][1]};
        const double p[2] = {at[0] - flat[0][0], at[1] - flat[0][1]};
        const double area = e[0] * g[1] - e[1] * g[0];
        const double s = (p[0] * g[1] - p[1] * g[0]) / area, r = (e[0] * p[1] - e[1] * p[0]) / area;
        const double base = (double)t->corners[0][axis];
        met.where = base + s * ((double)t->corners[1][axis] - base) +
                    r * ((double)t->corners[2][axis] - base);
    }
    return met;
}

uint32_t acre_find_crossings(finder *f, const double *point, int axis, find_crossing *out)
{
    // Products of numbers in the box are this uncertain at least.
    const double near = 1e-3 * f->margin * f->margin;
    uint32_t count = 0;
    f->work += f->triangle_count;
    for (uint32_t i = 0; i < f->triangle_count; i++) {
        if (axis == 1 && f->triangles.data[i].area == 0.0) {
            continue; // beside the line, or its neighbors' edges are on the line as well
        }
        const find_crossing met = pass_triangle(&f->triangles.data[i], point, axis, near);
        if (met.turn == 0) {
            continue;
        }
        if (met.turn == 2 || count == FIND_CROSSINGS) {
            return UINT32_MAX;
        }
        uint32_t at = count++;
        for (; at > 0 && out[at - 1].where < met.where; at--) {
            out[at] = out[at - 1];
        }
        out[at] = met;
    }
    return count;
}

// ---- the proof ----

/// Whether all corners lie beyond one side of a prism, as those of most triangles do.
static bool is_beyond_a_side(const find_triangle *t, uint32_t count, double sides[][4])
{
    bool is_outside = false;
    for (uint32_t k = 0; k < count && !is_outside; k++) {
        is_outside = true;
        for (int i = 0; i < 3 && is_outside; i++) {
            is_outside = sides[k][0] * (double)t->corners[i][0] +
                             sides[k][2] * (double)t->corners[i][2] + sides[k][3] <
                         0.0;
        }
    }
    return is_outside;
}

/// Whether a triangle reaches into a prism whose sides face inward.
static bool triangle_meets(const find_triangle *t, const acre_occluder *o, double sides[][4])
{
    const float(*const c)[3] = t->corners;
    const double bottom = (double)o->bottom, top = (double)o->top;
    if ((c[0][1] >= o->top && c[1][1] >= o->top && c[2][1] >= o->top) ||
        (c[0][1] <= o->bottom && c[1][1] <= o->bottom && c[2][1] <= o->bottom)) {
        return false; // on its top or bottom at most
    }
    if (is_beyond_a_side(t, o->point_count, sides)) {
        return false;
    }
    find_polygon rests[2], *rest = &rests[0];
    for (int i = 0; i < 9; i++) {
        rest->points[i / 3][i % 3] = (double)c[i / 3][i % 3];
    }
    rest->count = 3;
    for (uint32_t k = 0; k < o->point_count && rest->count > 0; k++) {
        find_polygon *const next = &rests[(k + 1) % 2];
        acre_find_cut(rest, sides[k], next);
        rest = next;
    }
    // The rest of the triangle lies between the heights, or wholly above or below them.
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (uint32_t i = 0; i < rest->count; i++) {
        least = fmin(least, rest->points[i][1]);
        most = fmax(most, rest->points[i][1]);
    }
    return least < top && most > bottom;
}

/// The line up from the middle of a prism, or from a place beside it, tells whether it is inside.
static bool is_inside(finder *f, const acre_occluder *o)
{
    double middle[3];
    acre_find_middle(o, middle);
    for (uint32_t k = 0; k < o->point_count; k++) {
        find_crossing met[FIND_CROSSINGS];
        const double part = 0.0625 * (double)k; // towards a corner
        const double x = middle[0] + part * ((double)o->points[k][0] - middle[0]);
        const double z = middle[2] + part * ((double)o->points[k][1] - middle[2]);
        const uint32_t count = acre_find_crossings(f, (const double[3]){x, 0.0, z}, 1, met);
        if (count != UINT32_MAX) {
            int winding = 0;
            for (uint32_t i = 0; i < count && met[i].where > middle[1]; i++) {
                winding += met[i].turn;
            }
            return winding > 0;
        }
    }
    return false;
}

bool acre_find_prove(finder *f, const acre_occluder *o)
{
    double sides[ACRE_OCCLUDER_MAX_POINTS][4];
    const double turn = acre_find_measure(o, NULL) < 0.0 ? -1.0 : 1.0;
    for (uint32_t k = 0; k < o->point_count; k++) {
        const float *const a = o->points[k], *const b = o->points[(k + 1) % o->point_count];
        const double along[2] = {(double)b[0] - (double)a[0], (double)b[1] - (double)a[1]};
        sides[k][0] = -turn * along[1];
        sides[k][1] = 0.0;
        sides[k][2] = turn * along[0];
        sides[k][3] = -(sides[k][0] * (double)a[0] + sides[k][2] * (double)a[1]);
    }
    f->work += f->triangle_count;
    for (uint32_t i = 0; i < f->triangle_count; i++) {
        if (triangle_meets(&f->triangles.data[i], o, sides)) {
            return false;
        }
    }
    return o->bottom >= f->rim && is_inside(f, o);
}

// ---- the share ----

enum { SHARE_WAYS = 4, SHARE_ROWS = 5 };

/// Whether a level line passes a prism. It goes where x * way[0] + z * way[1] = place.
static bool line_passes(const acre_occluder *o, const double *way, double place, double height)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (uint32_t k = 0; k < o->point_count; k++) {
        const double at = way[0] * (double)o->points[k][0] + way[1] * (double)o->points[k][1];
        low = fmin(low, at);
        high = fmax(high, at);
    }
    return place > low && place < high && height > (double)o->bottom && height < (double)o->top;
}

float acre_find_share(finder *f, const acre_occluder *occluders, uint32_t count)
{
    static const double ways[SHARE_WAYS][2] = {
        {0.98, 0.19}, {0.55, 0.83}, {-0.19, 0.98}, {-0.83, 0.55}};
    uint32_t met = 0, hidden = 0;
    for (uint32_t ray = 0; ray < SHARE_WAYS * SHARE_ROWS * SHARE_ROWS; ray++) {
        const double *const way = ways[ray / (SHARE_ROWS * SHARE_ROWS)];
        const double across = (ray / SHARE_ROWS % SHARE_ROWS + 0.4871) / SHARE_ROWS;
        const double up = (ray % SHARE_ROWS + 0.5113) / SHARE_ROWS;
        const double height =
            (double)f->whole.min[1] + up * ((double)f->whole.max[1] - (double)f->whole.min[1]);
        double low = 0.0, high = 0.0;
        for (int k = 0; k < 2; k++) {
            const double a = way[k] * (double)f->whole.min[2 * k];
            const double b = way[k] * (double)f->whole.max[2 * k];
            low += fmin(a, b);
            high += fmax(a, b);
        }
        const double point[2] = {low + across * (high - low), height};
        bool is_met = false;
        for (uint32_t i = 0; i < f->all_count && !is_met; i++) {
            double flat[3][2];
            for (int k = 0; k < 3; k++) {
                const float *const c = f->all.data[i].corners[k];
                flat[k][0] = way[0] * (double)c[0] + way[1] * (double)c[2];
                flat[k][1] = (double)c[1];
            }
            is_met = point_in_triangle(point, flat, 0.0) != 0;
        }
        bool is_hidden = false;
        for (uint32_t i = 0; i < count && is_met && !is_hidden; i++) {
            is_hidden = line_passes(&occluders[i], way, point[0], height);
        }
        met += is_met;
        hidden += is_hidden;
    }
    return met > 0 ? (float)hidden / (float)met : 0.0f;
}
