// SPDX-License-Identifier: MIT
// find_solid.c - whether the triangles of a node enclose something, and what lies within them.
#include "find_internal.h"

#include <math.h>

/// Open edges may reach this share of a solid's height above its lowest point.
static const float rim_share = 0.02f;

/// Nodes with more triangles are not searched.
static const uint32_t most_triangles = 1u << 18;

// ---- the surface ----

static size_t table_size(size_t count)
{
    size_t size = 16;
    while (size < 2 * count) {
        size *= 2;
    }
    return size;
}

static uint32_t mix_words(uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t mixed = (a * 0x9e3779b1u ^ b) * 0x85ebca6bu;
    const uint32_t all = ((mixed ^ mixed >> 15) + c) * 0xc2b2ae35u;
    return all ^ all >> 16;
}

/// The corner with this number: three to a triangle.
static const float *corner_of(const finder *f, size_t number)
{
    return f->triangles.data[number / 3].corners[number % 3];
}

static bool is_one_place(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/// Gives corners at one place one number: that of the first.
static bool weld_corners(finder *f)
{
    const size_t count = 3 * (size_t)f->triangle_count, size = table_size(count);
    if (!COLUMN_RESERVE(f->allocator, f->places, size) ||
        !COLUMN_RESERVE(f->allocator, f->welds, count)) {
        return false;
    }
    memset(f->places.data, 0, size * sizeof *f->places.data); // a corner's number and one
    for (size_t i = 0; i < count; i++) {
        const float *const corner = corner_of(f, i);
        uint32_t bits[3];
        for (int k = 0; k < 3; k++) {
            const float number = corner[k] + 0.0f; // the two zeros are one
            memcpy(&bits[k], &number, sizeof number);
        }
        size_t at = mix_words(bits[0], bits[1], bits[2]) & (size - 1);
        while (f->places.data[at] != 0 &&
               !is_one_place(corner, corner_of(f, f->places.data[at] - 1))) {
            at = (at + 1) & (size - 1);
        }
        if (f->places.data[at] == 0) {
            f->places.data[at] = (uint32_t)i + 1;
        }
        f->welds.data[i] = f->places.data[at] - 1;
    }
    return true;
}

static void count_edge(finder *f, size_t size, uint32_t from, uint32_t to)
{
    const uint32_t low = from < to ? from : to, high = from < to ? to : from;
    size_t at = mix_words(low, high, 0) & (size - 1);
    while (f->edges.data[at].high != 0 &&
           (f->edges.data[at].low != low || f->edges.data[at].high != high)) {
        at = (at + 1) & (size - 1);
    }
    find_edge *const edge = &f->edges.data[at];
    edge->low = low;
    edge->high = high;
    edge->balance += from < to ? 1 : -1;
}

/// Finds the edges that have more triangles on one side than on the other.
static bool find_rim(finder *f)
{
    const size_t count = 3 * (size_t)f->triangle_count, size = table_size(count);
    if (!weld_corners(f) || !COLUMN_RESERVE(f->allocator, f->edges, size)) {
        return false;
    }
    memset(f->edges.data, 0, size * sizeof *f->edges.data);
    for (size_t i = 0; i < count; i++) {
        const uint32_t from = f->welds.data[i], to = f->welds.data[i % 3 == 2 ? i - 2 : i + 1];
        if (from != to) {
            count_edge(f, size, from, to);
        }
    }
    f->rim = -INFINITY;
    for (size_t i = 0; i < size; i++) {
        const find_edge *const edge = &f->edges.data[i];
        if (edge->balance != 0) {
            f->rim = fmaxf(f->rim, fmaxf(corner_of(f, edge->low)[1], corner_of(f, edge->high)[1]));
        }
    }
    return true;
}

/// Appends the triangles of a mesh, and notes whether one of them slopes.
static void take_triangles(finder *f, const acre_import_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        find_triangle *const to = &f->triangles.data[f->triangle_count++];
        for (size_t k = 0; k < 3; k++) {
            memcpy(to->corners[k], mesh->points + 3 * (size_t)mesh->triangles[3 * (size_t)i + k],
                   sizeof to->corners[k]);
        }
        const float(*const c)[3] = ((const find_triangle *)to)->corners;
        const bool is_level = c[0][1] == c[1][1] && c[0][1] == c[2][1];
        f->has_slopes |= !is_level && find_area_over(to) != 0.0;
    }
}

acre_import_reason acre_find_open(finder *f, const acre_import_model *model,
                                  const acre_import_node *node)
{
    uint64_t count = 0;
    uint32_t flags = UINT32_MAX;
    for (uint32_t i = 0; i < node->mesh_count; i++) {
        const acre_import_mesh *const mesh =
            &model->meshes[model->node_meshes[node->first_mesh + i]];
        count += mesh->triangle_count;
        flags &= mesh->triangle_count > 0 ? mesh->flags : UINT32_MAX;
    }
    if (count == 0 || (flags & ACRE_IMPORT_MESH_OPAQUE) == 0) {
        return count == 0 ? ACRE_IMPORT_NO_TRIANGLES : ACRE_IMPORT_NOT_OPAQUE;
    }
    if (count > most_triangles) {
        return ACRE_IMPORT_TOO_LARGE;
    }
    if (!COLUMN_RESERVE(f->allocator, f->triangles, (size_t)count)) {
        f->is_out_of_memory = true;
        return ACRE_IMPORT_TOO_LARGE;
    }
    f->box = acre_aabb_empty();
    f->triangle_count = 0;
    f->has_slopes = f->has_levels = false;
    f->is_two_sided = (flags & ACRE_IMPORT_MESH_TWO_SIDED) != 0;
    for (uint32_t i = 0; i < node->mesh_count; i++) {
        const acre_import_mesh *const mesh =
            &model->meshes[model->node_meshes[node->first_mesh + i]];
        f->box = acre_aabb_merge(&f->box, &mesh->bounds);
        take_triangles(f, mesh);
    }
    for (size_t i = 0; i < 3 * (size_t)count && !f->has_levels; i++) {
        const float y = corner_of(f, i)[1];
        f->has_levels = y > f->box.min[1] && y < f->box.max[1];
    }
    double reach = 0.0;
    for (int k = 0; k < 3; k++) {
        reach = fmax(reach, fmax(-(double)f->box.min[k], (double)f->box.max[k]));
    }
    f->margin = reach / 2097152.0;
    if (reach > 1e12 || !find_rim(f)) {
        f->is_out_of_memory |= reach <= 1e12;
        return ACRE_IMPORT_TOO_LARGE;
    }
    return f->rim > f->box.min[1] + rim_share * (f->box.max[1] - f->box.min[1])
               ? ACRE_IMPORT_HAS_HOLES
               : ACRE_IMPORT_FOUND;
}

// ---- lines through it ----

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
static int pass_triangle(const find_triangle *t, const double *point, int axis, double near,
                         double *where)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double at[2] = {point[u], point[v]};
    double flat[3][2];
    for (int k = 0; k < 3; k++) {
        flat[k][0] = (double)t->corners[k][u];
        flat[k][1] = (double)t->corners[k][v];
    }
    const int turn = point_in_triangle(at, flat, near);
    if (turn == 1 || turn == -1) {
        const double e[2] = {flat[1][0] - flat[0][0], flat[1][1] - flat[0][1]};
        const double g[2] = {flat[2][0] - flat[0][0], flat[2][1] - flat[0][1]};
        const double p[2] = {at[0] - flat[0][0], at[1] - flat[0][1]};
        const double area = e[0] * g[1] - e[1] * g[0];
        const double s = (p[0] * g[1] - p[1] * g[0]) / area, r = (e[0] * p[1] - e[1] * p[0]) / area;
        const double base = (double)t->corners[0][axis];
        *where = base + s * ((double)t->corners[1][axis] - base) +
                 r * ((double)t->corners[2][axis] - base);
    }
    return turn;
}

/// Products of numbers in the box are this uncertain at least.
static double area_error(const finder *f)
{
    return 1e-3 * f->margin * f->margin;
}

uint32_t acre_find_crossings(finder *f, double x, double z, find_crossing *out)
{
    const double point[3] = {x, 0.0, z}, near = area_error(f);
    uint32_t count = 0;
    f->work += f->triangle_count;
    for (uint32_t i = 0; i < f->triangle_count; i++) {
        find_crossing met = {0};
        if (find_area_over(&f->triangles.data[i]) == 0.0) {
            continue; // upright: beside the line, or its neighbors' edges are on the line as well
        }
        met.turn = pass_triangle(&f->triangles.data[i], point, 1, near, &met.y);
        if (met.turn == 0) {
            continue;
        }
        if (met.turn == 2 || count == FIND_CROSSINGS) {
            return UINT32_MAX;
        }
        uint32_t at = count++;
        for (; at > 0 && out[at - 1].y < met.y; at--) {
            out[at] = out[at - 1];
        }
        out[at] = met;
    }
    return count;
}

double acre_find_thickness(finder *f, const double *point, int axis)
{
    double ends[2] = {-HUGE_VAL, HUGE_VAL};
    const double near = area_error(f);
    f->work += f->triangle_count;
    for (uint32_t i = 0; i < f->triangle_count; i++) {
        double where = 0.0;
        const int turn = pass_triangle(&f->triangles.data[i], point, axis, near, &where);
        if (turn == 2) {
            return HUGE_VAL;
        }
        if (turn != 0 && where <= point[axis]) {
            ends[0] = fmax(ends[0], where);
        } else if (turn != 0) {
            ends[1] = fmin(ends[1], where);
        }
    }
    return ends[1] - ends[0];
}

// ---- the proof ----

/// Keeps the part of a polygon in space where a plane's height is at least 0.
static uint32_t keep_above(double (*points)[3], uint32_t count, const double *plane)
{
    double kept[16][3];
    uint32_t kept_count = 0;
    ACRE_INVARIANT(count <= 14); // a plane adds one corner to a convex polygon
    for (uint32_t i = 0; i < count; i++) {
        const double *const a = points[i], *const b = points[i + 1 < count ? i + 1 : 0];
        const double high_a = plane[0] * a[0] + plane[1] * a[1] + plane[2] * a[2] + plane[3];
        const double high_b = plane[0] * b[0] + plane[1] * b[1] + plane[2] * b[2] + plane[3];
        if (high_a >= 0.0) {
            memcpy(kept[kept_count++], a, sizeof kept[0]);
        }
        if ((high_a < 0.0 && high_b > 0.0) || (high_a > 0.0 && high_b < 0.0)) {
            const double t = high_a / (high_a - high_b);
            for (int k = 0; k < 3; k++) {
                kept[kept_count][k] = a[k] + t * (b[k] - a[k]);
            }
            kept_count++;
        }
    }
    memcpy(points, kept, kept_count * sizeof kept[0]);
    return kept_count;
}

/// Whether all corners lie beyond one side of a prism, as those of most triangles do.
static bool is_beyond_a_side(const find_triangle *t, const acre_occluder *o, double sides[][4])
{
    bool is_beyond = false;
    for (uint32_t k = 0; k < o->point_count && !is_beyond; k++) {
        is_beyond = true;
        for (int i = 0; i < 3 && is_beyond; i++) {
            is_beyond = sides[k][0] * (double)t->corners[i][0] +
                            sides[k][2] * (double)t->corners[i][2] + sides[k][3] <
                        0.0;
        }
    }
    return is_beyond;
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
    if (is_beyond_a_side(t, o, sides)) {
        return false;
    }
    double points[16][3];
    for (int i = 0; i < 9; i++) {
        points[i / 3][i % 3] = (double)c[i / 3][i % 3];
    }
    uint32_t count = 3;
    for (uint32_t k = 0; k < o->point_count && count > 0; k++) {
        count = keep_above(points, count, sides[k]);
    }
    // The rest of the triangle lies between the heights, or wholly above or below them.
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (uint32_t i = 0; i < count; i++) {
        least = fmin(least, points[i][1]);
        most = fmax(most, points[i][1]);
    }
    return least < top && most > bottom;
}

/// The line up from the middle of a prism, or from a place beside it, tells whether it is inside.
static bool is_inside(finder *f, const acre_occluder *o, const double *middle)
{
    const double height = 0.5 * (double)o->bottom + 0.5 * (double)o->top;
    for (uint32_t k = 0; k < o->point_count; k++) {
        find_crossing met[FIND_CROSSINGS];
        const double part = 0.0625 * (double)k; // towards a corner
        const uint32_t count =
            acre_find_crossings(f, middle[0] + part * ((double)o->points[k][0] - middle[0]),
                                middle[1] + part * ((double)o->points[k][1] - middle[1]), met);
        if (count != UINT32_MAX) {
            int winding = 0;
            for (uint32_t i = 0; i < count && met[i].y > height; i++) {
                winding += met[i].turn;
            }
            return winding > 0;
        }
    }
    return false;
}

bool acre_find_prove(finder *f, const acre_occluder *o)
{
    double sides[ACRE_OCCLUDER_MAX_POINTS][4], middle[2] = {0.0, 0.0};
    const double turn = acre_find_measure(o, NULL) < 0.0 ? -1.0 : 1.0;
    for (uint32_t k = 0; k < o->point_count; k++) {
        const float *const a = o->points[k], *const b = o->points[(k + 1) % o->point_count];
        const double along[2] = {(double)b[0] - (double)a[0], (double)b[1] - (double)a[1]};
        sides[k][0] = -turn * along[1];
        sides[k][1] = 0.0;
        sides[k][2] = turn * along[0];
        sides[k][3] = -(sides[k][0] * (double)a[0] + sides[k][2] * (double)a[1]);
        for (int axis = 0; axis < 2; axis++) {
            middle[axis] += (double)a[axis] / (double)o->point_count;
        }
    }
    f->work += f->triangle_count;
    for (uint32_t i = 0; i < f->triangle_count; i++) {
        if (triangle_meets(&f->triangles.data[i], o, sides)) {
            return false;
        }
    }
    return o->bottom >= f->rim && is_inside(f, o, middle);
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
            (double)f->box.min[1] + up * ((double)f->box.max[1] - (double)f->box.min[1]);
        double low = 0.0, high = 0.0;
        for (int k = 0; k < 2; k++) {
            const double a = way[k] * (double)f->box.min[2 * k];
            const double b = way[k] * (double)f->box.max[2 * k];
            low += fmin(a, b);
            high += fmax(a, b);
        }
        const double point[2] = {low + across * (high - low), height};
        bool is_met = false;
        for (uint32_t i = 0; i < f->triangle_count && !is_met; i++) {
            double flat[3][2];
            for (int k = 0; k < 3; k++) {
                const float *const c = f->triangles.data[i].corners[k];
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
