// SPDX-License-Identifier: MIT
// camera_pick.c - from the picture to the world and back: rays, parts of the picture, points.
//
// A place in the picture is x = X w, y = Y w in clip space, X and Y in -1..1: two planes of the
// world, whose elements are sums of rows of the camera's matrix. They meet in the ray; where it
// also meets the near and the far plane it begins and ends. No matrix is inverted, so that any
// projection will do, also one whose far plane is at infinity.
#include <acre/camera.h>

#include "assert_internal.h"
#include "clip_internal.h"
#include "float_bits.h"
#include "lens_internal.h"
#include "shape_internal.h"
#include "vector_internal.h"

#include <math.h>

// A far plane this much shorter than the rows it is made of is the rounding error of an infinite
// projection (frustum.c).
#define FAR_CANCELED 0x1p-20
// So near to zero the determinant of three planes of unit length says nothing.
#define PARALLEL 0x1p-40

// The rows of projection x view: clip = row . (x, y, z, 1).
typedef struct clip_rows {
    double x[4], y[4], z[4], w[4];
} clip_rows;

static bool read_clip_rows(const acre_camera *camera, clip_rows *out)
{
    if (!clip_is_known(camera->clip) || !floats_are_finite(camera->view, 16) ||
        !floats_are_finite(camera->projection, 16)) {
        return false;
    }
    double product[16];
    acre_camera_product(camera, product);
    for (int k = 0; k < 4; k++) {
        out->x[k] = product[4 * k];
        out->y[k] = product[4 * k + 1];
        out->z[k] = product[4 * k + 2];
        out->w[k] = product[4 * k + 3];
    }
    return true;
}

// row - value * w: zero where row / w is value.
static void plane_at(const double *row, double value, const double *w, double *out)
{
    for (int k = 0; k < 4; k++) {
        out[k] = row[k] - value * w[k];
    }
}

// Where three planes meet. @return false where two of them are parallel.
static bool meet_at(const double *a, const double *b, const double *c, double *point)
{
    double homogeneous[4];
    meet_planes(a, b, c, homogeneous);
    if (!(fabs(homogeneous[3]) > PARALLEL * length3(a) * length3(b) * length3(c))) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        point[k] = homogeneous[k] / homogeneous[3];
    }
    return true;
}

// The unit direction that two planes have in common, away from the near plane.
static bool find_ahead(const double *a, const double *b, const double *near_plane, acre_clip clip,
                       double *out)
{
    cross3(a, b, out);
    const double length = length3(out);
    // Behind a near plane of reversed depth z / w falls, else it grows.
    const double side = clip == ACRE_CLIP_REVERSED_ZERO_TO_ONE ? -1.0 : 1.0;
    const double scale = (side * dot3(out, near_plane) < 0.0 ? -1.0 : 1.0) / length;
    for (int k = 0; k < 3; k++) {
        out[k] *= scale;
    }
    return length > PARALLEL * length3(a) * length3(b);
}

// From the start of a ray to the far plane; INFINITY where there is none.
static double length_to_far(const clip_rows *rows, const double *x, const double *y, acre_clip clip,
                            const double *start, const double *ahead)
{
    double far_plane[4], end[3];
    plane_at(rows->z, clip_far_depth(clip), rows->w, far_plane);
    if (length3(far_plane) <= FAR_CANCELED * (length3(rows->z) + length3(rows->w)) ||
        !meet_at(x, y, far_plane, end)) {
        return (double)INFINITY;
    }
    for (int k = 0; k < 3; k++) {
        end[k] -= start[k];
    }
    const double length = dot3(end, ahead);
    return length > 0.0 && length <= 0x1p50 ? length : (double)INFINITY;
}

static acre_result find_ray(const acre_camera *camera, float x, float y, acre_ray *out)
{
    clip_rows rows;
    if (!camera || !out || !float_is_finite(x) || !float_is_finite(y) ||
        !read_clip_rows(camera, &rows)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    double x_plane[4], y_plane[4], near_plane[4], start[3], ahead[3];
    plane_at(rows.x, 2.0 * (double)x - 1.0, rows.w, x_plane);
    plane_at(rows.y, 1.0 - 2.0 * (double)y, rows.w, y_plane);
    plane_at(rows.z, clip_near_depth(camera->clip), rows.w, near_plane);
    if (!meet_at(x_plane, y_plane, near_plane, start) ||
        !find_ahead(x_plane, y_plane, near_plane, camera->clip, ahead) ||
        !(dot3(rows.w, start) + rows.w[3] > 0.0)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    acre_ray ray = {.half_size = {0, 0, 0}};
    for (int k = 0; k < 3; k++) {
        ray.origin[k] = (float)start[k];
        ray.direction[k] = (float)ahead[k];
    }
    ray.length = (float)length_to_far(&rows, x_plane, y_plane, camera->clip, start, ahead);
    if (!acre_ray_is_valid(&ray)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = ray;
    return ACRE_OK;
}

acre_result acre_camera_ray(const acre_camera *camera, float x, float y, acre_ray *out)
{
    const acre_result result = find_ray(camera, x, y, out);
    return ACRE_ANSWER(result, "Kggp", camera, (double)x, (double)y, out);
}

// Stretches one axis of clip space around a center, so that half a size there becomes 1. The size
// comes from the caller's numbers: borders in clip space may be so close that they round to one.
static void stretch_row(const double *row, const double *w, double center, double half_size,
                        double *out)
{
    ACRE_ASSERT(half_size > 0.0);
    for (int k = 0; k < 4; k++) {
        out[k] = (row[k] - center * w[k]) / half_size;
    }
}

static acre_result find_sub_frustum(const acre_camera *camera, float x_min, float y_min,
                                    float x_max, float y_max, acre_frustum *out)
{
    clip_rows rows;
    const float rectangle[4] = {x_min, y_min, x_max, y_max};
    if (!camera || !floats_are_finite(rectangle, 4) || !(x_min < x_max && y_min < y_max) ||
        !read_clip_rows(camera, &rows)) {
        return acre_extract_frustum(out, NULL, ACRE_CLIP_ZERO_TO_ONE);
    }
    double part[2][4], matrix[16];
    const double width = (double)x_max - (double)x_min, height = (double)y_max - (double)y_min;
    stretch_row(rows.x, rows.w, (double)x_min + (double)x_max - 1.0, width, part[0]);
    stretch_row(rows.y, rows.w, 1.0 - ((double)y_min + (double)y_max), height, part[1]);
    for (int k = 0; k < 4; k++) {
        matrix[4 * k] = part[0][k];
        matrix[4 * k + 1] = part[1][k];
        matrix[4 * k + 2] = rows.z[k];
        matrix[4 * k + 3] = rows.w[k];
    }
    return acre_extract_frustum(out, matrix, camera->clip);
}

acre_result acre_camera_sub_frustum(const acre_camera *camera, float x_min, float y_min,
                                    float x_max, float y_max, acre_frustum *out)
{
    const acre_result result = find_sub_frustum(camera, x_min, y_min, x_max, y_max, out);
    return x_min < x_max ? ACRE_ANSWER(result, "Kggg!gp", camera, (double)x_min, (double)y_min,
                                       (double)x_max, (double)y_max, out)
                         : ACRE_ANSWER(result, "Kgg!ggp", camera, (double)x_min, (double)y_min,
                                       (double)x_max, (double)y_max, out);
}

static double at_point(const double *row, const float *point)
{
    return row[0] * (double)point[0] + row[1] * (double)point[1] + row[2] * (double)point[2] +
           row[3];
}

// +1 where the camera looks along its own +z, -1 where along -z: w grows that way, or in an
// orthographic projection z / w does from the near to the far plane.
static double view_sign(const acre_camera *camera)
{
    const double w = (double)camera->projection[11], z = (double)camera->projection[10];
    const double ahead = w != 0.0 ? w : camera->clip == ACRE_CLIP_REVERSED_ZERO_TO_ONE ? -z : z;
    return ahead < 0.0 ? -1.0 : 1.0;
}

static acre_result project(const acre_camera *camera, const float *point, float *x, float *y,
                           float *depth)
{
    clip_rows rows;
    if (!camera || !point || !x || !y || !depth || !floats_are_finite(point, 3) ||
        !read_clip_rows(camera, &rows)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const double w = at_point(rows.w, point);
    if (!(w > 0.0)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    double z_row[4];
    for (int k = 0; k < 4; k++) {
        z_row[k] = (double)camera->view[4 * k + 2];
    }
    const float projected[3] = {(float)(0.5 + 0.5 * at_point(rows.x, point) / w),
                                (float)(0.5 - 0.5 * at_point(rows.y, point) / w),
                                (float)(view_sign(camera) * at_point(z_row, point))};
    if (!floats_are_finite(projected, 3)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *x = projected[0];
    *y = projected[1];
    *depth = projected[2];
    return ACRE_OK;
}

acre_result acre_camera_project(const acre_camera *camera, const float *point, float *x, float *y,
                                float *depth)
{
    const acre_result result = project(camera, point, x, y, depth);
    return ACRE_ANSWER(result, "K3ppp", camera, point, x, y, depth);
}
