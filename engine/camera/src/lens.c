// SPDX-License-Identifier: MIT
// lens.c - takes the matrices of a camera apart.
#include "lens_internal.h"

#include "assert_internal.h"
#include "clip_internal.h"
#include "float_bits.h"
#include "vector_internal.h"

#include <float.h>
#include <math.h>

// A slope this small beside its two terms is the rounding error of an infinite projection.
#define DEPTH_CANCELED 0x1p-23

// The depth at which clip z is value * w. Perspective: a z + b = value k z, with w = k z.
static double lens_depth(const camera_lens *in, double a, double b, double value)
{
    if (in->is_orthographic) {
        return in->sign * (value * in->w - b) / a;
    }
    const double k = in->sign * in->w;
    const double slope = value * k - a;
    if (fabs(slope) <= DEPTH_CANCELED * (fabs(value * k) + fabs(a))) {
        return (double)INFINITY;
    }
    return in->sign * b / slope;
}

static bool read_depths(camera_lens *out, double a, double b, acre_clip clip)
{
    const double first = clip_near_depth(clip), last = clip_far_depth(clip);
    if (out->is_orthographic) {
        out->sign = (last - first) * a > 0.0 ? 1.0 : -1.0;
    }
    out->near_distance = lens_depth(out, a, b, first);
    out->far_distance = lens_depth(out, a, b, last);
    // Rounding may put the far plane of an infinite reversed projection behind the eye.
    if (!out->is_orthographic && out->far_distance <= 0.0) {
        out->far_distance = (double)INFINITY;
    }
    return out->far_distance > out->near_distance && fabs(out->near_distance) <= DBL_MAX &&
           (out->is_orthographic ? out->far_distance <= DBL_MAX : out->near_distance > 0.0);
}

static bool is_plain_projection(const float *m)
{
    static const int zeros[] = {1, 2, 3, 4, 6, 7};
    for (size_t i = 0; i < sizeof zeros / sizeof zeros[0]; i++) {
        if (m[zeros[i]] != 0.0f) {
            return false;
        }
    }
    if (!floats_are_finite(m, 16) || m[0] == 0.0f || m[5] == 0.0f) {
        return false;
    }
    if (m[11] != 0.0f) {
        return m[15] == 0.0f;
    }
    return m[15] > 0.0f && m[10] != 0.0f && m[8] == 0.0f && m[9] == 0.0f;
}

bool acre_read_lens(const acre_camera *camera, camera_lens *out)
{
    const float *const m = camera->projection;
    if (!clip_is_known(camera->clip) || !is_plain_projection(m)) {
        return false;
    }
    out->is_orthographic = m[11] == 0.0f;
    out->w = out->is_orthographic ? (double)m[15] : fabs((double)m[11]);
    out->sign = m[11] > 0.0f ? 1.0 : -1.0;
    for (int k = 0; k < 2; k++) {
        const double scale = (double)m[5 * k];
        out->half[k] = out->w / fabs(scale);
        out->mid[k] = -out->sign * (double)m[8 + k] / scale;
        out->shift[k] = -(double)m[12 + k] / scale;
    }
    return read_depths(out, (double)m[10], (double)m[14], camera->clip);
}

// Inverts the view. Its rows are almost perpendicular and of unit length, so the columns of the
// inverse are their cross products over the determinant.
bool acre_read_pose(const float *view, camera_pose *out)
{
    if (!floats_are_finite(view, 16) || view[3] != 0.0f || view[7] != 0.0f || view[11] != 0.0f ||
        view[15] != 1.0f) {
        return false;
    }
    double rows[3][3];
    for (int i = 0; i < 9; i++) {
        rows[i / 3][i % 3] = (double)view[4 * (i % 3) + i / 3];
    }
    out->deviation = 0.0;
    for (int i = 0; i < 9; i++) {
        const double unit = i / 3 == i % 3 ? 1.0 : 0.0;
        out->deviation = fmax(out->deviation, fabs(dot3(rows[i / 3], rows[i % 3]) - unit));
    }
    if (!(out->deviation <= RIGID_TOLERANCE)) {
        return false;
    }
    out->eye[0] = out->eye[1] = out->eye[2] = 0.0;
    for (int i = 0; i < 3; i++) {
        cross3(rows[(i + 1) % 3], rows[(i + 2) % 3], out->axes[i]);
        const double determinant = dot3(rows[i], out->axes[i]);
        ACRE_INVARIANT(fabs(determinant) > 0.5);
        for (int k = 0; k < 3; k++) {
            out->axes[i][k] /= determinant;
            out->eye[k] -= out->axes[i][k] * (double)view[12 + i];
        }
    }
    return true;
}
