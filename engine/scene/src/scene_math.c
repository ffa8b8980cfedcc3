// SPDX-License-Identifier: MIT
// scene_math.c - world boxes of boxes with infinite edges: the rare half of the scene's maths.
#include "scene_math_internal.h"

acre_aabb acre_box_infinite(void)
{
    return (acre_aabb){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
}

static double product(float factor, float edge)
{
    return factor == 0.0f ? 0.0 : (double)factor * (double)edge;
}

// Interval arithmetic of one row: the sum of the smaller and of the larger products.
static void transform_row(const float *row, const acre_aabb *local, float *out_min, float *out_max)
{
    double low = 0.0, high = 0.0;
    for (int j = 0; j < 3; j++) {
        const double a = product(row[j], local->min[j]);
        const double b = product(row[j], local->max[j]);
        low += a < b ? a : b;
        high += a < b ? b : a;
    }
    low += (double)row[3];
    high += (double)row[3];
    // Infinities of both signs cancel to NaN: the axis is unbounded on that side.
    *out_min = low <= (double)INFINITY ? float_round_down(low) : -INFINITY;
    *out_max = high >= -(double)INFINITY ? float_round_up(high) : INFINITY;
}

acre_aabb acre_box_transform_infinite(const float *m, const acre_aabb *local)
{
    for (int i = 0; i < 12; i++) {
        if (!float_is_finite(m[i])) {
            return acre_box_infinite();
        }
    }
    acre_aabb box;
    for (int i = 0; i < 3; i++) {
        transform_row(m + (size_t)(4 * i), local, &box.min[i], &box.max[i]);
    }
    return box;
}
