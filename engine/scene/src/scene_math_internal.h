// SPDX-License-Identifier: MIT
// scene_math_internal.h - all arithmetic between a local transform and a world box.
//
// Matrices are affine, three rows of four floats: row i = m[4i .. 4i+3], the translation last.
// Every expression is in a fixed order and free of fused operations, so that all platforms agree
// bit for bit; a test repeats it in plain code.
//
// World boxes are interval arithmetic in double precision, and each edge is rounded outwards to
// float. An edge is the sum of three products and a translation. Products of floats are exact in
// double; the sum errs by at most 2^-51 of its terms' magnitudes, which is 2^-27 of a float's unit
// in the last place. So an edge may lie that far inside the exact image of the local box, and it is
// exact where the sums are.
#ifndef ACRE_SCENE_MATH_INTERNAL_H
#define ACRE_SCENE_MATH_INTERNAL_H

#include <acre/bounds.h>
#include <acre/scene.h>

#include "float_bits.h"

#include <float.h>
#include <math.h>
#include <string.h>

/// translation x rotation x scale. The quaternion is used as given; if it is no unit quaternion,
/// the matrix scales or shears.
static inline void matrix_compose(const acre_transform *local, float *m)
{
    const float x = local->rotation[0], y = local->rotation[1];
    const float z = local->rotation[2], w = local->rotation[3];
    const float x2 = x + x, y2 = y + y, z2 = z + z;
    const float xx = x * x2, xy = x * y2, xz = x * z2;
    const float yy = y * y2, yz = y * z2, zz = z * z2;
    const float wx = w * x2, wy = w * y2, wz = w * z2;
    const float sx = local->scale[0], sy = local->scale[1], sz = local->scale[2];
    m[0] = (1.0f - (yy + zz)) * sx;
    m[1] = (xy - wz) * sy;
    m[2] = (xz + wy) * sz;
    m[3] = local->translation[0];
    m[4] = (xy + wz) * sx;
    m[5] = (1.0f - (xx + zz)) * sy;
    m[6] = (yz - wx) * sz;
    m[7] = local->translation[1];
    m[8] = (xz - wy) * sx;
    m[9] = (yz + wx) * sy;
    m[10] = (1.0f - (xx + yy)) * sz;
    m[11] = local->translation[2];
}

/// out = parent x local; out may be neither of them.
static inline void matrix_product(const float *parent, const float *local, float *out)
{
    for (int i = 0; i < 3; i++) {
        const float a = parent[4 * i], b = parent[4 * i + 1], c = parent[4 * i + 2];
        const float last[4] = {0.0f, 0.0f, 0.0f, parent[4 * i + 3]};
        for (int j = 0; j < 4; j++) {
            out[4 * i + j] = ((a * local[j] + b * local[4 + j]) + c * local[8 + j]) + last[j];
        }
    }
}

/// Sixteen floats by column, the last row 0 0 0 1.
static inline void matrix_write_columns(const float *m, float *columns)
{
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < 3; i++) {
            columns[4 * j + i] = m[4 * i + j];
        }
        columns[4 * j + 3] = j == 3 ? 1.0f : 0.0f;
    }
}

acre_aabb acre_box_infinite(void);

/// World box of a box with infinite edges: 0 x infinity counts as 0.
acre_aabb acre_box_transform_infinite(const float *m, const acre_aabb *local);

/// World box of a finite, non-empty box. A matrix that is not finite gives the infinite box, which
/// every query sees: doubt means visible.
static inline void box_transform(const float *m, const acre_aabb *local, acre_aabb *out)
{
    double low[3], high[3];
    for (int i = 0; i < 3; i++) {
        double least[3], most[3];
        for (int j = 0; j < 3; j++) {
            const double factor = (double)m[4 * i + j];
            const double a = factor * (double)local->min[j];
            const double b = factor * (double)local->max[j];
            least[j] = a < b ? a : b;
            most[j] = b > a ? b : a; // not the same comparison: a NaN is in one of both
        }
        const double origin = (double)m[4 * i + 3];
        low[i] = ((least[0] + least[1]) + least[2]) + origin;
        high[i] = ((most[0] + most[1]) + most[2]) + origin;
    }
    // Sums of products of floats stay below 1e78 in double unless a factor is not finite.
    const double sum = ((high[0] + high[1]) + high[2]) + ((low[0] + low[1]) + low[2]);
    if (!(fabs(sum) <= DBL_MAX)) {
        *out = acre_box_infinite();
        return;
    }
    for (int i = 0; i < 3; i++) {
        out->min[i] = float_round_down(low[i]);
        out->max[i] = float_round_up(high[i]);
    }
}

#endif
