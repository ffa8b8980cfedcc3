// SPDX-License-Identifier: MIT
// frustum.c - planes from a matrix, and the test that defines visibility.
#include <acre/frustum.h>

#include "float_bits.h"

#include <float.h>
#include <math.h>

// Relative outward move of each plane; the error bound stands at acre_frustum_from_matrix.
#define PLANE_MARGIN (1.0 / 1048576.0)
// A far plane whose normal is this much shorter than the rows it is the difference of is the
// rounding rest of an infinite projection, not a plane.
#define FAR_CANCELLATION (1.0 / 1048576.0)

static double length3(const double *v)
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Cofactors of two rows' 2x2 minors; false if the matrix has no finite inverse.
static bool invert(const double *m, double *out)
{
    const double s[6] = {m[0] * m[5] - m[4] * m[1],   m[0] * m[9] - m[8] * m[1],
                         m[0] * m[13] - m[12] * m[1], m[4] * m[9] - m[8] * m[5],
                         m[4] * m[13] - m[12] * m[5], m[8] * m[13] - m[12] * m[9]};
    const double c[6] = {m[2] * m[7] - m[6] * m[3],   m[2] * m[11] - m[10] * m[3],
                         m[2] * m[15] - m[14] * m[3], m[6] * m[11] - m[10] * m[7],
                         m[6] * m[15] - m[14] * m[7], m[10] * m[15] - m[14] * m[11]};
    const double determinant =
        s[0] * c[5] - s[1] * c[4] + s[2] * c[3] + s[3] * c[2] - s[4] * c[1] + s[5] * c[0];
    const double f = 1.0 / determinant;
    out[0] = (m[5] * c[5] - m[9] * c[4] + m[13] * c[3]) * f;
    out[4] = (-m[4] * c[5] + m[8] * c[4] - m[12] * c[3]) * f;
    out[8] = (m[7] * s[5] - m[11] * s[4] + m[15] * s[3]) * f;
    out[12] = (-m[6] * s[5] + m[10] * s[4] - m[14] * s[3]) * f;
    out[1] = (-m[1] * c[5] + m[9] * c[2] - m[13] * c[1]) * f;
    out[5] = (m[0] * c[5] - m[8] * c[2] + m[12] * c[1]) * f;
    out[9] = (-m[3] * s[5] + m[11] * s[2] - m[15] * s[1]) * f;
    out[13] = (m[2] * s[5] - m[10] * s[2] + m[14] * s[1]) * f;
    out[2] = (m[1] * c[4] - m[5] * c[2] + m[13] * c[0]) * f;
    out[6] = (-m[0] * c[4] + m[4] * c[2] - m[12] * c[0]) * f;
    out[10] = (m[3] * s[4] - m[7] * s[2] + m[15] * s[0]) * f;
    out[14] = (-m[2] * s[4] + m[6] * s[2] - m[14] * s[0]) * f;
    out[3] = (-m[1] * c[3] + m[5] * c[1] - m[9] * c[0]) * f;
    out[7] = (m[0] * c[3] - m[4] * c[1] + m[8] * c[0]) * f;
    out[11] = (-m[3] * s[3] + m[7] * s[1] - m[11] * s[0]) * f;
    out[15] = (m[2] * s[3] - m[6] * s[1] + m[10] * s[0]) * f;
    for (int i = 0; i < 16; i++) {
        if (!(fabs(out[i]) <= DBL_MAX)) {
            return false;
        }
    }
    return true;
}

static double corner_distance(const double *inverse, double x, double y, double z)
{
    double point[4];
    for (int row = 0; row < 4; row++) {
        point[row] =
            inverse[row] * x + inverse[4 + row] * y + inverse[8 + row] * z + inverse[12 + row];
    }
    return length3(point) / fabs(point[3]);
}

// Distance from the origin to the farthest of the four corners at one clip depth.
static double farthest_corner(const double *inverse, double z)
{
    double farthest = 0.0;
    for (int corner = 0; corner < 4; corner++) {
        const double x = corner & 1 ? 1.0 : -1.0;
        const double y = corner & 2 ? 1.0 : -1.0;
        farthest = fmax(farthest, corner_distance(inverse, x, y, z));
    }
    return farthest;
}

static bool is_infinite_far(const double *far_plane, const double *row_z, const double *row_w)
{
    return length3(far_plane) <= FAR_CANCELLATION * (length3(row_z) + length3(row_w));
}

static void add_plane(acre_frustum *out, const double *plane, double radius)
{
    const double scale = 1.0 / length3(plane);
    const double d = plane[3] * scale;
    float *const stored = out->planes[out->plane_count++];
    for (int i = 0; i < 3; i++) {
        stored[i] = (float)(plane[i] * scale);
    }
    stored[3] = (float)(d + PLANE_MARGIN * (fabs(d) + radius) + 4.0 * (double)FLT_MIN);
}

acre_result acre_frustum_from_matrix_double(acre_frustum *out, const double *view_projection,
                                            acre_clip clip)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = (acre_frustum){.plane_count = 0};
    if (!view_projection || clip < ACRE_CLIP_NEGATIVE_ONE_TO_ONE ||
        clip > ACRE_CLIP_REVERSED_ZERO_TO_ONE) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const double *const m = view_projection;
    double row[4][4];
    for (int i = 0; i < 16; i++) {
        if (!(fabs(m[i]) <= DBL_MAX)) {
            return ACRE_ERROR_INVALID_ARGUMENT;
        }
        row[i & 3][i >> 2] = m[i];
    }
    // Left, right, bottom, top, near, far as combinations of rows: row w plus sign times row axis.
    double planes[6][4];
    for (int i = 0; i < 4; i++) {
        const double x = row[0][i], y = row[1][i], z = row[2][i], w = row[3][i];
        planes[0][i] = w + x;
        planes[1][i] = w - x;
        planes[2][i] = w + y;
        planes[3][i] = w - y;
        planes[4][i] = clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE ? w + z
                       : clip == ACRE_CLIP_ZERO_TO_ONE       ? z
                                                             : w - z;
        planes[5][i] = clip == ACRE_CLIP_REVERSED_ZERO_TO_ONE ? z : w - z;
    }
    double inverse[16];
    if (!invert(m, inverse)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const double near_z = clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE ? -1.0
                          : clip == ACRE_CLIP_ZERO_TO_ONE       ? 0.0
                                                                : 1.0;
    const double far_z = clip == ACRE_CLIP_REVERSED_ZERO_TO_ONE ? 0.0 : 1.0;
    const bool infinite = is_infinite_far(planes[5], row[2], row[3]);
    const double near_radius = farthest_corner(inverse, near_z);
    const double radius = infinite ? near_radius + (double)ACRE_FRUSTUM_INFINITE_RANGE
                                   : 1.001 * fmax(near_radius, farthest_corner(inverse, far_z));
    if (!(radius <= (double)FLT_MAX)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    for (int i = 0; i < (infinite ? 5 : 6); i++) {
        if (!(length3(planes[i]) > 0.0)) {
            *out = (acre_frustum){.plane_count = 0};
            return ACRE_ERROR_INVALID_ARGUMENT;
        }
        add_plane(out, planes[i], radius);
    }
    return ACRE_OK;
}

acre_result acre_frustum_from_matrix(acre_frustum *out, const float *view_projection,
                                     acre_clip clip)
{
    double matrix[16];
    for (int i = 0; view_projection && i < 16; i++) {
        matrix[i] = float_is_finite(view_projection[i]) ? (double)view_projection[i] : (double)NAN;
    }
    return acre_frustum_from_matrix_double(out, view_projection ? matrix : NULL, clip);
}

// Distance of the corner that lies farthest along the normal (positive) or against it.
static float corner_plane_distance(const float *plane, const acre_aabb *box, bool along)
{
    const float x = (plane[0] >= 0.0f) == along ? box->max[0] : box->min[0];
    const float y = (plane[1] >= 0.0f) == along ? box->max[1] : box->min[1];
    const float z = (plane[2] >= 0.0f) == along ? box->max[2] : box->min[2];
    return ((plane[0] * x + plane[1] * y) + plane[2] * z) + plane[3];
}

static uint32_t plane_count(const acre_frustum *frustum)
{
    return frustum->plane_count < ACRE_FRUSTUM_MAX_PLANES ? frustum->plane_count
                                                          : ACRE_FRUSTUM_MAX_PLANES;
}

bool acre_frustum_test_aabb(const acre_frustum *frustum, const acre_aabb *box)
{
    const uint32_t count = plane_count(frustum);
    for (uint32_t i = 0; i < count; i++) {
        if (corner_plane_distance(frustum->planes[i], box, true) < 0.0f) {
            return false;
        }
    }
    return true;
}

bool acre_frustum_contains_aabb(const acre_frustum *frustum, const acre_aabb *box)
{
    const uint32_t count = plane_count(frustum);
    for (uint32_t i = 0; i < count; i++) {
        if (!(corner_plane_distance(frustum->planes[i], box, false) >= 0.0f)) {
            return false;
        }
    }
    return true;
}
