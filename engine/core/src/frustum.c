// SPDX-License-Identifier: MIT
// frustum.c - planes from a matrix, and the test that defines visibility.
//
// A point is inside the clip volume where -w <= x <= w, -w <= y <= w and, by convention, -w <= z
// or 0 <= z, and z <= w, with (x, y, z, w) = M p. Each inequality is a plane whose elements are a
// sum of two rows of M. Reversed depth is the same volume as 0..1 with the roles of near and far
// exchanged, so the code treats both alike: any plane may be the one that clips nothing.
//
// The margin. A plane's float distance at a point p of the volume is wrong by at most
// 5 * 2^-24 (|d| + |p|). |p| has no bound where the far plane is infinite, but it has one that is
// linear in p: inside, clip(p) / w(p) is a point of the clip cube, and M maps (p - c, 1) / w(p) to
// it, for any c. A norm is convex, so |p - c| / w(p) is largest in a corner of the cube; with that
// largest value K,
//     |p| <= |c| + K w(p)    in the whole volume, bounded or not.
// The right side times 2^-20 is added to the plane. Since it grows with w(p), the plane also turns
// outwards, by some millionths of a radian. c is the middle of the near plane: K is small then.
#include <acre/frustum.h>

#include "assert_internal.h"
#include "clip_internal.h"
#include "float_bits.h"
#include "margin_internal.h"
#include "refusal_internal.h"
#include "vector_internal.h"

#include <float.h>
#include <math.h>

// Share of |d| + |p| by which planes move outwards: 16 * 2^-24, see above.
#define PLANE_MARGIN 0x1p-20
// A plane this much shorter than the rows it is made of is the rounding error of an infinite
// projection: 24 bits of the elements less 4 for the sums of a matrix product.
#define PLANE_CANCELED 0x1p-20
// Share of its terms by which a sum of products of four elements, moved planes' among them, may be
// wrong: less than 2^-48, with room.
#define SUM_ERROR 0x1p-47
// A determinant this close to zero may be zero. Any larger one is wrong by a quarter at most.
#define SINGULAR (4.0 * SUM_ERROR)

// The clip volume as planes (n, d) of any length: left, right, bottom, top and the two of depth;
// and the rows x, y and w of the matrix. w is positive in the whole volume.
typedef struct clip_volume {
    double planes[6][4];
    double x[4], y[4], w[4];
    bool clips[6]; // false: the plane is a rounding error
} clip_volume;

// |p - center| <= spread * w(p) in the whole volume.
typedef struct clip_reach {
    double center[3];
    double spread;
} clip_reach;

// Copies the rows, scaled by a power of two to a largest element of 0.5..1: clip space is
// homogeneous, and products of three elements must neither overflow nor vanish.
static bool read_matrix(const double *matrix, double (*rows)[4])
{
    double largest = 0.0;
    for (int i = 0; i < 16; i++) {
        if (!(fabs(matrix[i]) <= DBL_MAX)) {
            return false;
        }
        largest = fmax(largest, fabs(matrix[i]));
    }
    int exponent = 0;
    (void)frexp(largest, &exponent);
    ACRE_INVARIANT(ldexp(largest, -exponent) < 1.0);
    for (int i = 0; i < 16; i++) {
        rows[i & 3][i >> 2] = ldexp(matrix[i], -exponent);
    }
    return largest > 0.0;
}

static bool make_volume(clip_volume *volume, const double *matrix, acre_clip clip)
{
    double rows[4][4];
    if (!read_matrix(matrix, rows)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        const double x = rows[0][i], y = rows[1][i], z = rows[2][i], w = rows[3][i];
        volume->planes[0][i] = w + x;
        volume->planes[1][i] = w - x;
        volume->planes[2][i] = w + y;
        volume->planes[3][i] = w - y;
        volume->planes[4][i] = clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE ? w + z : z;
        volume->planes[5][i] = w - z;
        volume->x[i] = x;
        volume->y[i] = y;
        volume->w[i] = w;
    }
    for (int i = 0; i < 6; i++) {
        volume->clips[i] =
            length3(volume->planes[i]) > PLANE_CANCELED * (length3(rows[i / 2]) + length3(rows[3]));
    }
    return true;
}

// The middle of the depth plane that is nearer to the eye. Without one, the origin: planes are then
// right as well, but wider.
static void find_center(const clip_volume *volume, double *center)
{
    double nearest = (double)INFINITY;
    center[0] = center[1] = center[2] = 0.0;
    for (int plane = 4; plane < 6; plane++) {
        double point[4];
        meet_planes(volume->x, volume->y, volume->planes[plane], point);
        const double w = dot3(volume->w, point) / point[3] + volume->w[3];
        if (volume->clips[plane] && w > 0.0 && w < nearest) {
            nearest = w;
            for (int i = 0; i < 3; i++) {
                center[i] = point[i] / point[3];
            }
        }
    }
}

// The plane relative to center; out[4] is the size of the terms of its d, which bounds the error
// where they cancel.
static void move_plane(const double *plane, const double *center, double *out)
{
    out[0] = plane[0];
    out[1] = plane[1];
    out[2] = plane[2];
    out[3] = dot3(plane, center) + plane[3];
    out[4] = length3(plane) * length3(center) + fabs(plane[3]);
}

// A bound of the terms of X, the homogeneous point where three moved planes meet.
static double meet_size(const double *a, const double *b, const double *c)
{
    const double la = length3(a), lb = length3(b), lc = length3(c);
    return a[4] * lb * lc + b[4] * lc * la + c[4] * la * lb;
}

// The same for w(X).
static double meet_w_size(const double *a, const double *b, const double *c, const double *w)
{
    return w[4] * length3(a) * length3(b) * length3(c) + length3(w) * meet_size(a, b, c);
}

// w(X) of every corner X is a multiple of the determinant of the matrix.
// @return false where the matrix is singular or the volume empty: no corner has a positive w.
static bool find_reach(const clip_volume *volume, clip_reach *reach)
{
    find_center(volume, reach->center);
    double planes[6][5], w[5];
    for (int i = 0; i < 6; i++) {
        move_plane(volume->planes[i], reach->center, planes[i]);
    }
    move_plane(volume->w, reach->center, w);
    reach->spread = 0.0;
    bool has_corner = false;
    for (int corner = 0; corner < 8; corner++) {
        const double *const a = planes[corner & 1];
        const double *const b = planes[2 + (corner >> 1 & 1)];
        const double *const c = planes[4 + (corner >> 2)];
        double point[4];
        meet_planes(a, b, c, point);
        const double point_w = dot3(w, point) + w[3] * point[3];
        if (!(fabs(point_w) > SINGULAR * meet_w_size(a, b, c, w))) {
            return false;
        }
        const double farthest = length3(point) + SUM_ERROR * meet_size(a, b, c);
        reach->spread = fmax(reach->spread, farthest / fabs(point_w));
        has_corner = has_corner || point[3] / point_w > 0.0;
    }
    return has_corner && reach->spread <= DBL_MAX && length3(reach->center) <= FARTHEST;
}

static void add_clip_plane(acre_frustum *out, const double *plane, const double *w,
                           const clip_reach *reach)
{
    ACRE_INVARIANT(length3(plane) > 0.0);
    const double scale = 1.0 / length3(plane);
    const double turn = PLANE_MARGIN * reach->spread;
    double moved[4];
    for (int i = 0; i < 4; i++) {
        moved[i] = plane[i] * scale + turn * w[i];
    }
    moved[3] += PLANE_MARGIN * (fabs(plane[3] * scale) + length3(reach->center));
    const double length = length3(moved);
    const double d = moved[3] / length + UNDERFLOW_MARGIN;
    if (!(length > PLANE_CANCELED && d <= (double)FLT_MAX)) {
        return; // beyond all floats
    }
    ACRE_INVARIANT(out->plane_count < ACRE_FRUSTUM_MAX_PLANES);
    float *const stored = out->planes[out->plane_count++];
    for (int i = 0; i < 3; i++) {
        stored[i] = (float)(moved[i] / length);
    }
    stored[3] = (float)fmax(d, -(double)FLT_MAX);
}

acre_result acre_extract_frustum(acre_frustum *out, const double *view_projection, acre_clip clip)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = (acre_frustum){.plane_count = 0};
    clip_volume volume;
    clip_reach reach;
    if (!view_projection || !clip_is_known(clip) || !make_volume(&volume, view_projection, clip) ||
        !find_reach(&volume, &reach)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    for (int i = 0; i < 6; i++) {
        if (volume.clips[i]) {
            add_clip_plane(out, volume.planes[i], volume.w, &reach);
        }
    }
    return ACRE_OK;
}

acre_result acre_frustum_from_matrix_double(acre_frustum *out, const double *view_projection,
                                            acre_clip clip)
{
    const acre_result result = acre_extract_frustum(out, view_projection, clip);
    return ACRE_ANSWER(result, "p!pk", out, view_projection, clip);
}

acre_result acre_frustum_from_matrix(acre_frustum *out, const float *view_projection,
                                     acre_clip clip)
{
    double matrix[16];
    for (int i = 0; view_projection && i < 16; i++) {
        matrix[i] = float_is_finite(view_projection[i]) ? (double)view_projection[i] : (double)NAN;
    }
    const acre_result result = acre_extract_frustum(out, view_projection ? matrix : NULL, clip);
    return ACRE_ANSWER(result, "pmk", out, view_projection, clip);
}

// Distance of the corner that lies farthest along the normal (positive) or against it.
static float corner_plane_distance(const float *plane, const acre_aabb *box, bool along)
{
    const float x = (plane[0] >= 0.0f) == along ? box->max[0] : box->min[0];
    const float y = (plane[1] >= 0.0f) == along ? box->max[1] : box->min[1];
    const float z = (plane[2] >= 0.0f) == along ? box->max[2] : box->min[2];
    return ((plane[0] * x + plane[1] * y) + plane[2] * z) + plane[3];
}

bool acre_frustum_test_aabb(const acre_frustum *frustum, const acre_aabb *box)
{
    ACRE_ASSERT(frustum && box);
    const uint32_t count = frustum_plane_count(frustum);
    for (uint32_t i = 0; i < count; i++) {
        if (corner_plane_distance(frustum->planes[i], box, true) < 0.0f) {
            return false;
        }
    }
    return true;
}

bool acre_frustum_contains_aabb(const acre_frustum *frustum, const acre_aabb *box)
{
    ACRE_ASSERT(frustum && box);
    const uint32_t count = frustum_plane_count(frustum);
    for (uint32_t i = 0; i < count; i++) {
        if (!(corner_plane_distance(frustum->planes[i], box, false) >= 0.0f)) {
            return false;
        }
    }
    return true;
}
