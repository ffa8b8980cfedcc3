// SPDX-License-Identifier: MIT
// bench_bounds.c - the box around a convex volume.
#include "bench_bounds.h"

#include <math.h>

#define CORNER_MARGIN 0.1 // metres

static double plane_distance(const float *plane, const double *point)
{
    return ((double)plane[0] * point[0] + (double)plane[1] * point[1]) +
           ((double)plane[2] * point[2] + (double)plane[3]);
}

static void cross(const float *a, const float *b, double *out)
{
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = (double)a[i] * (double)b[j] - (double)a[j] * (double)b[i];
    }
}

// Where three planes meet (Cramer's rule). Returns false if nowhere, or outside of another plane.
static bool find_corner(const acre_frustum *frustum, const float *const planes[3], double *out)
{
    double normals[3][3];
    for (int i = 0; i < 3; i++) {
        cross(planes[(i + 1) % 3], planes[(i + 2) % 3], normals[i]);
    }
    const float *const first = planes[0];
    const double volume = (double)first[0] * normals[0][0] + (double)first[1] * normals[0][1] +
                          (double)first[2] * normals[0][2];
    for (int k = 0; k < 3 && fabs(volume) > 1e-9; k++) {
        double sum = 0.0;
        for (int i = 0; i < 3; i++) {
            sum -= (double)planes[i][3] * normals[i][k];
        }
        out[k] = sum / volume;
    }
    bool is_inside = fabs(volume) > 1e-9;
    for (uint32_t i = 0; i < frustum->plane_count && is_inside; i++) {
        is_inside = plane_distance(frustum->planes[i], out) > -CORNER_MARGIN;
    }
    return is_inside;
}

acre_aabb frustum_bounds(const acre_frustum *frustum)
{
    acre_aabb bounds = acre_aabb_empty();
    const uint32_t count = frustum->plane_count;
    for (uint32_t triple = 0; triple < count * count * count; triple++) {
        const uint32_t a = triple % count, b = triple / count % count, c = triple / count / count;
        const float *const planes[3] = {frustum->planes[a], frustum->planes[b], frustum->planes[c]};
        double point[3];
        if (a < b && b < c && find_corner(frustum, planes, point)) {
            acre_aabb corner;
            for (int k = 0; k < 3; k++) {
                corner.min[k] = (float)(point[k] - CORNER_MARGIN);
                corner.max[k] = (float)(point[k] + CORNER_MARGIN);
            }
            bounds = acre_aabb_merge(&bounds, &corner);
        }
    }
    return bounds;
}
