// SPDX-License-Identifier: MIT
// view.c - a view from a camera: planes, eye, pixels.
#include "view_rules_internal.h"

#include "vector_internal.h"

#include <math.h>
#include <string.h>

// By Cramer's rule, in double.
bool acre_view_find_eye(view_eye *out, const float *view)
{
    double a[3][3], t[3]; // columns of A p + t
    for (int k = 0; k < 3; k++) {
        for (int row = 0; row < 3; row++) {
            a[k][row] = (double)view[4 * k + row];
        }
        t[k] = (double)view[12 + k];
    }
    for (int k = 0; k < 3; k++) {
        cross3(a[(k + 1) % 3], a[(k + 2) % 3], out->rows[k]);
    }
    out->determinant = dot3(a[0], out->rows[0]);
    for (int k = 0; k < 3; k++) {
        out->eye[k] = (float)(-dot3(out->rows[k], t) / out->determinant);
    }
    return floats_are_finite(out->eye, 3);
}

// Clip w grows with the depth of a perspective camera, clip z with that of an orthographic one,
// unless it is reversed.
static void depth_of_camera(const acre_camera *camera, float *depth)
{
    const float *const projection = camera->projection;
    const float z_sign = camera->clip == ACRE_CLIP_REVERSED_ZERO_TO_ONE ? -1.0f : 1.0f;
    const float grows = projection[11] != 0.0f ? projection[11] : z_sign * projection[10];
    for (int k = 0; k < 4; k++) {
        const float z = camera->view[4 * k + 2];
        depth[k] = grows < 0.0f ? -z : z;
    }
}

acre_result acre_view_of_camera(acre_view *out, const acre_camera *camera)
{
    view_eye from;
    *out = (acre_view){.layers = camera ? camera->layers : 0};
    const acre_result result = ACRE_UNTOLD(acre_camera_frustum(camera, &out->frustum));
    if (result != ACRE_OK || !acre_view_find_eye(&from, camera->view)) {
        out->flags = ACRE_VIEW_IGNORE_RULES; // no eye to measure from: doubt means visible
    } else {
        memcpy(out->eye, from.eye, sizeof out->eye);
        depth_of_camera(camera, out->depth);
    }
    return result;
}

acre_result acre_view_from_camera(acre_view *out, const acre_camera *camera)
{
    const acre_result result = out ? acre_view_of_camera(out, camera) : ACRE_ERROR_INVALID_ARGUMENT;
    return ACRE_ANSWER(result, "pK", out, camera);
}

acre_result acre_view_set_viewport(acre_view *view, const acre_camera *camera, float height)
{
    // Clip y runs over 2 from the bottom to the top of the picture.
    const float pixels = camera ? fabsf(camera->projection[5]) * 0.5f * height : 0.0f;
    const bool is_good = view && height > 0.0f && float_is_finite(pixels) && pixels > 0.0f;
    if (is_good) {
        view->pixels = pixels;
        view->is_parallel = camera->projection[11] == 0.0f; // w does not grow with depth
    }
    return ACRE_ANSWER(is_good ? ACRE_OK : ACRE_ERROR_INVALID_ARGUMENT, "pKf", view, camera,
                       (double)height);
}

// @return whether the value is a number that is not negative.
static bool is_view_limit(float value)
{
    return !float_is_nan(value) && value >= 0.0f;
}

// @return whether no plane has a NaN; also for NULL.
static bool has_valid_planes(const acre_frustum *frustum)
{
    const uint32_t count = frustum ? frustum_plane_count(frustum) : 0;
    bool has_nan = false;
    for (uint32_t i = 0; i < count; i++) {
        has_nan |= view_plane_has_nan(frustum->planes[i]);
    }
    return !has_nan;
}

bool acre_view_is_valid(const acre_view *view)
{
    const uint32_t known = ACRE_VIEW_IGNORE_RULES | ACRE_VIEW_EXCLUDE_TOUCHING;
    return view && (view->flags & ~known) == 0 && floats_are_finite(view->eye, 3) &&
           floats_are_finite(view->depth, 4) && is_view_limit(view->min_distance) &&
           is_view_limit(view->max_distance) && is_view_limit(view->pixels) &&
           is_view_limit(view->min_pixels) && is_view_limit(view->range_scale) &&
           is_view_limit(view->lod_scale) && is_view_limit(view->hysteresis) &&
           view->hysteresis < 1.0f && has_valid_planes(view->include) &&
           has_valid_planes(view->exclude);
}
