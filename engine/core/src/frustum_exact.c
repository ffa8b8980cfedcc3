// SPDX-License-Identifier: MIT
// frustum_exact.c - boxes that no plane of a frustum hides but a separating axis does.
//
// A plane test keeps a box that lies outside of a frustum's edge but crosses each of its planes.
// Separating axes between a box and a convex volume are the volume's planes, the box's axes and the
// cross products of the volume's edges with the box's axes. The box's axes are the world's, so all
// of them are known before any box is: the last kind is perpendicular to a world axis and contains
// an edge, which is the sum of two adjacent planes, weighted so that the axis' component vanishes.
// Such a sum of two true inequalities is true for every point of the volume whether or not the two
// planes meet in an edge (Fourier-Motzkin elimination). So no corner is ever computed, unbounded
// and degenerate volumes need no case of their own, and leaving out a line can only make the test
// weaker, never wrong.
//
// Rounding: with the weights |n_j[axis]| and |n_i[axis]| all products are exact in double, and the
// sums are rounded once, so that a line is wrong by at most 2^-50 (m + |d|) for points with
// coordinates of at most m; bounds are sums of lines divided by at least MIN_SLOPE.
#include "hull_internal.h"

#include "assert_internal.h"
#include "clip_internal.h"
#include "float_bits.h"

#include <math.h>

// Share of |d| by which lines and bounds are moved outwards.
#define LINE_MARGIN 0x1p-48
// Share of a box's largest coordinate by which it must be outside; covers 2^-50 / MIN_SLOPE.
#define BOX_MARGIN 0x1p-32
#define MIN_SLOPE 0x1p-16
// Lines whose directions differ by less count as parallel when hidden lines are looked for.
#define PARALLEL_SLOPE 0x1p-30

// a * p[0] + b * p[1] + d >= 0, the elements of acre_frustum_hull.lines.
typedef struct line_set {
    double (*lines)[3];
    uint32_t count;
} line_set;

static bool is_finite_plane(const float *plane)
{
    return floats_are_finite(plane, 4);
}

// Adds the line with unit length. A line without direction says nothing about a box.
static void add_line(line_set *set, double a, double b, double d)
{
    const double length = sqrt(a * a + b * b);
    if (length > 0.0) {
        ACRE_INVARIANT(set->count < ACRE_FRUSTUM_HULL_MAX_LINES);
        double *const line = set->lines[set->count++];
        line[0] = a / length;
        line[1] = b / length;
        line[2] = d / length + LINE_MARGIN * fabs(d / length);
    }
}

// The outline along an axis: planes parallel to the axis, and every sum of a plane that faces up
// the axis with one that faces down.
static void collect_lines(line_set *set, const acre_frustum *frustum, uint32_t count, int axis)
{
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    for (uint32_t i = 0; i < count; i++) {
        const float *const up = frustum->planes[i];
        if (!is_finite_plane(up)) {
            continue;
        }
        if (up[axis] == 0.0f) {
            add_line(set, (double)up[u], (double)up[v], (double)up[3]);
        }
        for (uint32_t j = 0; j < count && up[axis] > 0.0f; j++) {
            const float *const down = frustum->planes[j];
            if (!is_finite_plane(down) || !(down[axis] < 0.0f)) {
                continue;
            }
            const double p = -(double)down[axis];
            const double q = (double)up[axis];
            add_line(set, p * (double)up[u] + q * (double)down[u],
                     p * (double)up[v] + q * (double)down[v],
                     p * (double)up[3] + q * (double)down[3]);
        }
    }
}

// Whether a part of the line is on the border of the area inside all lines. Of equal lines the
// first one is. A wrong answer costs time or tightness, not correctness.
static bool is_on_outline(const line_set *set, uint32_t index)
{
    const double *const line = set->lines[index];
    double low = -(double)INFINITY; // the part inside, as distances along the line
    double high = (double)INFINITY;
    for (uint32_t i = 0; i < set->count; i++) {
        const double *const other = set->lines[i];
        const double slope = line[0] * other[1] - line[1] * other[0];
        const double cosine = line[0] * other[0] + line[1] * other[1];
        const double value = other[2] - cosine * line[2];
        if (fabs(slope) < PARALLEL_SLOPE) {
            if (cosine > 0.0 && (other[2] < line[2] || (other[2] == line[2] && i < index))) {
                return false;
            }
        } else if (slope > 0.0) {
            low = fmax(low, -value / slope);
        } else {
            high = fmin(high, -value / slope);
        }
    }
    return low <= high + 1e-9 * (fabs(low) + fabs(high));
}

static void drop_hidden_lines(line_set *set)
{
    bool kept[ACRE_FRUSTUM_HULL_MAX_LINES];
    ACRE_INVARIANT(set->count <= ACRE_FRUSTUM_HULL_MAX_LINES);
    for (uint32_t i = 0; i < set->count; i++) {
        kept[i] = is_on_outline(set, i);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        if (kept[i]) {
            ACRE_INVARIANT(count <= i);
            for (int k = 0; k < 3; k++) {
                set->lines[count][k] = set->lines[i][k];
            }
            count++;
        }
    }
    set->count = count;
}

// Takes n * p + d >= 0 into the bounds of one coordinate.
static void bound_coordinate(double n, double d, float *min, float *max)
{
    if (n >= MIN_SLOPE) {
        *min = fmaxf(*min, float_round_down(-d / n));
    } else if (n <= -MIN_SLOPE) {
        *max = fminf(*max, float_round_up(-d / n));
    }
}

// Bounds of the outline's first coordinate: the second is eliminated from pairs of lines.
static void bound_outline(const line_set *set, float *min, float *max)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const double *const up = set->lines[i];
        if (up[1] == 0.0) {
            bound_coordinate(up[0], up[2], min, max);
        }
        for (uint32_t j = 0; j < set->count && up[1] > 0.0; j++) {
            const double *const down = set->lines[j];
            if (down[1] < 0.0) {
                ACRE_INVARIANT(up[1] - down[1] > 0.0);
                const double p = -down[1] / (up[1] - down[1]);
                const double q = up[1] / (up[1] - down[1]);
                const double margin = LINE_MARGIN * (p * fabs(up[2]) + q * fabs(down[2]));
                bound_coordinate(p * up[0] + q * down[0], p * up[2] + q * down[2] + margin, min,
                                 max);
            }
        }
    }
}

void acre_frustum_hull_prepare(acre_frustum_hull *hull, const acre_frustum *frustum)
{
    ACRE_ASSERT(hull && frustum);
    const uint32_t count = frustum_plane_count(frustum);
    hull->frustum = *frustum;
    for (int axis = 0; axis < 3; axis++) {
        line_set set = {hull->lines[axis], 0};
        collect_lines(&set, frustum, count, axis);
        drop_hidden_lines(&set);
        hull->line_count[axis] = set.count;
        const int u = (axis + 1) % 3;
        hull->bounds.min[u] = -INFINITY;
        hull->bounds.max[u] = INFINITY;
        bound_outline(&set, &hull->bounds.min[u], &hull->bounds.max[u]);
    }
}

static double largest_coordinate(const acre_aabb *box)
{
    double largest = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        largest = fmax(largest, fmax(-(double)box->min[axis], (double)box->max[axis]));
    }
    return largest;
}

static bool is_outside_outline(const acre_frustum_hull *hull, int axis, const acre_aabb *box,
                               double margin)
{
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    ACRE_ASSERT(hull->line_count[axis] <= ACRE_FRUSTUM_HULL_MAX_LINES);
    for (uint32_t i = 0; i < hull->line_count[axis]; i++) {
        const double *const line = hull->lines[axis][i];
        const double x = (double)(line[0] >= 0.0 ? box->max[u] : box->min[u]);
        const double y = (double)(line[1] >= 0.0 ? box->max[v] : box->min[v]);
        if (line[0] * x + line[1] * y + line[2] < -margin) {
            return true;
        }
    }
    return false;
}

bool acre_frustum_hull_test_aabb(const acre_frustum_hull *hull, const acre_aabb *box)
{
    ACRE_ASSERT(hull && box);
    if (!acre_frustum_test_aabb(&hull->frustum, box)) {
        return false;
    }
    const double margin = BOX_MARGIN * largest_coordinate(box);
    for (int axis = 0; axis < 3; axis++) {
        if ((double)box->max[axis] + margin < (double)hull->bounds.min[axis] ||
            (double)box->min[axis] - margin > (double)hull->bounds.max[axis]) {
            return false;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        if (is_outside_outline(hull, axis, box, margin)) {
            return false;
        }
    }
    return true;
}

bool acre_frustum_test_aabb_exact(const acre_frustum *frustum, const acre_aabb *box)
{
    if (!acre_frustum_test_aabb(frustum, box)) {
        return false;
    }
    acre_frustum_hull hull;
    acre_frustum_hull_prepare(&hull, frustum);
    return acre_frustum_hull_test_aabb(&hull, box);
}
