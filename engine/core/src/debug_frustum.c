// SPDX-License-Identifier: MIT
// debug_frustum.c - the edges of a convex volume, as lines.
#include <acre/debug_draw.h>

#include "assert_internal.h"
#include "float_bits.h"
#include "vector_internal.h"

#include <math.h>

// The planes of the volume and of the cube that cuts it, with unit length.
typedef struct cut_volume {
    double plane[ACRE_FRUSTUM_MAX_PLANES + 6][4];
    uint32_t count;
    double slack; // a line this close to a plane lies in it
} cut_volume;

static void add_cut_plane(cut_volume *volume, double x, double y, double z, double d)
{
    const double length = sqrt(x * x + y * y + z * z);
    if (length > 0.0 && isfinite(length) && isfinite(d)) {
        ACRE_INVARIANT(volume->count < ACRE_FRUSTUM_MAX_PLANES + 6);
        double *const plane = volume->plane[volume->count++];
        plane[0] = x / length;
        plane[1] = y / length;
        plane[2] = z / length;
        plane[3] = d / length;
    }
}

// Coordinates are relative to the middle of the cube.
static void cut_to_cube(const acre_frustum *frustum, const float *around, double reach,
                        cut_volume *out)
{
    out->count = 0;
    out->slack = reach * 1e-6;
    for (uint32_t i = 0; i < frustum->plane_count && i < ACRE_FRUSTUM_MAX_PLANES; i++) {
        const float *const plane = frustum->planes[i];
        const double n[3] = {(double)plane[0], (double)plane[1], (double)plane[2]};
        const double at[3] = {(double)around[0], (double)around[1], (double)around[2]};
        add_cut_plane(out, n[0], n[1], n[2], (double)plane[3] + dot3(n, at));
    }
    for (int axis = 0; axis < 3; axis++) {
        add_cut_plane(out, axis == 0, axis == 1, axis == 2, reach);
        add_cut_plane(out, -(axis == 0), -(axis == 1), -(axis == 2), reach);
    }
}

// Clips the line where planes i and j meet to the volume. An edge in which more than two planes
// meet is drawn for the first two alone. @return whether anything is left.
static bool clip_edge(const cut_volume *volume, uint32_t i, uint32_t j, double from[3],
                      double to[3])
{
    const double *const a = volume->plane[i], *const b = volume->plane[j];
    double along[3], of_a[3], of_b[3];
    ACRE_INVARIANT(i < j && j < volume->count);
    cross3(a, b, along);
    const double length2 = dot3(along, along);
    if (length2 < 1e-12) {
        return false; // parallel
    }
    cross3(b, along, of_a);
    cross3(along, a, of_b);
    double first = -(double)INFINITY, last = (double)INFINITY;
    for (int k = 0; k < 3; k++) {
        from[k] = -(a[3] * of_a[k] + b[3] * of_b[k]) / length2; // the point nearest to the middle
    }
    for (uint32_t n = 0; n < volume->count; n++) {
        const double *const plane = volume->plane[n];
        const double depth = dot3(plane, from) + plane[3];
        const double slope = dot3(plane, along);
        const double most = 1e-9 * sqrt(length2);
        if (n == i || n == j) {
            continue;
        }
        if (fabs(slope) <= most) {
            // The whole line is outside of plane n, or the edge was drawn for n and i.
            if (depth < -volume->slack || (n < j && depth <= volume->slack)) {
                return false;
            }
        } else if (slope > 0.0) {
            first = fmax(first, -depth / slope);
        } else {
            last = fmin(last, -depth / slope);
        }
    }
    for (int k = 0; k < 3; k++) {
        to[k] = from[k] + last * along[k];
        from[k] += first * along[k];
    }
    return (last - first) * sqrt(length2) > volume->slack;
}

static void draw_line(const acre_debug_draw *draw, const float *around, const double from[3],
                      const double to[3], uint32_t rgba)
{
    float a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = (float)((double)around[k] + from[k]);
        b[k] = (float)((double)around[k] + to[k]);
    }
    draw->line(draw->user, a, b, rgba);
}

uint32_t acre_debug_draw_frustum(const acre_debug_draw *draw, const acre_frustum *frustum,
                                 const float *around, float reach, uint32_t rgba)
{
    if (!draw || !draw->line || !frustum || !around || !floats_are_finite(around, 3) ||
        !float_is_finite(reach) || !(reach > 0.0f)) {
        return 0;
    }
    cut_volume volume;
    cut_to_cube(frustum, around, (double)reach, &volume);
    uint32_t lines = 0;
    for (uint32_t i = 0; i < volume.count; i++) {
        for (uint32_t j = i + 1; j < volume.count; j++) {
            double from[3], to[3];
            if (clip_edge(&volume, i, j, from, to)) {
                draw_line(draw, around, from, to, rgba);
                lines++;
            }
        }
    }
    return lines;
}
