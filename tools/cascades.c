// SPDX-License-Identifier: MIT
// cascades.c - fits light cameras around the bounding spheres of view slices.
#include "cascades.h"

#include <math.h>

typedef struct basis {
    double right[3], up[3], forward[3]; // forward = up x right
} basis;

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static bool normalize(double *v)
{
    const double length = sqrt(dot(v, v));
    for (int k = 0; k < 3; k++) {
        v[k] /= length;
    }
    return length > 0.0 && isfinite(length);
}

static bool make_basis(const double *forward, const double *up, basis *out)
{
    for (int k = 0; k < 3; k++) {
        out->forward[k] = forward[k];
    }
    bool is_valid = normalize(out->forward);
    cross(out->forward, up, out->right);
    is_valid = normalize(out->right) && is_valid;
    cross(out->right, out->forward, out->up);
    return is_valid;
}

static bool view_basis(const view_pose *pose, basis *out)
{
    double forward[3], up[3];
    for (int k = 0; k < 3; k++) {
        forward[k] = (double)pose->target[k] - (double)pose->eye[k];
        up[k] = (double)pose->up[k];
    }
    return make_basis(forward, up, out);
}

static bool light_basis(const float *light, basis *out)
{
    const double forward[3] = {(double)light[0], (double)light[1], (double)light[2]};
    // Any up that is not along the light: the axis on which the light shines least, of y and z.
    const double y_up[3] = {0, 1, 0}, z_up[3] = {0, 0, 1};
    return make_basis(forward, fabs(forward[1]) <= fabs(forward[2]) ? y_up : z_up, out);
}

void cascades_split(const cascades_def *def, const view_pose *pose, float *out)
{
    const double near_distance = (double)pose->near_distance;
    const double distance = (double)fminf(def->distance, pose->far_distance);
    for (int i = 0; i <= CASCADE_COUNT; i++) {
        const double t = (double)i / CASCADE_COUNT;
        const double logarithmic = near_distance * pow(distance / near_distance, t);
        const double uniform = near_distance + (distance - near_distance) * t;
        out[i] = (float)(uniform + (double)def->log_share * (logarithmic - uniform));
    }
    out[0] = pose->near_distance;
    out[CASCADE_COUNT] = (float)distance;
}

void cascades_slice(const view_pose *pose, float near_distance, float far_distance,
                    float corners[8][3])
{
    basis view;
    view_basis(pose, &view);
    const double slope = tan(0.5 * (double)pose->vertical_fov);
    for (int i = 0; i < 8; i++) {
        const double depth = (double)(i < 4 ? near_distance : far_distance);
        const double x = (i % 4 == 1 || i % 4 == 2 ? 1.0 : -1.0) * slope * (double)pose->aspect;
        const double y = (i % 4 >= 2 ? 1.0 : -1.0) * slope;
        for (int k = 0; k < 3; k++) {
            corners[i][k] = (float)((double)pose->eye[k] +
                                    depth * (view.forward[k] + x * view.right[k] + y * view.up[k]));
        }
    }
}

// The smallest sphere around a slice has its centre on the view axis: where near and far corners
// are equally far, or in the far rectangle if the view is too wide for that.
static void slice_sphere(const view_pose *pose, float near_distance, float far_distance,
                         double *depth, double *radius)
{
    const double n = (double)near_distance, f = (double)far_distance;
    const double slope = tan(0.5 * (double)pose->vertical_fov);
    const double aspect = (double)pose->aspect;
    const double square = slope * slope * (1.0 + aspect * aspect); // of the corners' slope
    *depth = fmin(0.5 * (f + n) * (1.0 + square), f);
    *radius = sqrt((f - *depth) * (f - *depth) + f * f * square);
}

// Writes the view matrix itself: its rotation is then the same in every frame, to the bit, which a
// target computed from the eye would not give. at: the camera's place along right, up, forward.
static void look_along(acre_camera *camera, const basis *light, const double *at)
{
    for (int k = 0; k < 3; k++) {
        camera->view[4 * k + 0] = (float)light->right[k];
        camera->view[4 * k + 1] = (float)light->up[k];
        camera->view[4 * k + 2] = (float)-light->forward[k];
        camera->view[4 * k + 3] = 0.0f;
    }
    camera->view[12] = (float)-at[0];
    camera->view[13] = (float)-at[1];
    camera->view[14] = (float)at[2];
    camera->view[15] = 1.0f;
}

static acre_result fit_one(const cascades_def *def, const view_pose *pose, const basis *view,
                           const basis *light, cascade *out)
{
    double depth, radius;
    slice_sphere(pose, out->near_distance, out->far_distance, &depth, &radius);
    // Texels are powers of two, so that whole numbers of them are exact in float; the volume is two
    // texels wider than the sphere, because snapping may move it by one and numbers are rounded.
    const double texel = exp2(ceil(log2(2.0 * radius / (double)def->resolution)));
    const double half_width = radius + 2.0 * texel;
    double center[3];
    for (int k = 0; k < 3; k++) {
        center[k] = (double)pose->eye[k] + depth * view->forward[k];
    }
    const double at[3] = {floor(dot(light->right, center) / texel) * texel,
                          floor(dot(light->up, center) / texel) * texel,
                          floor(dot(light->forward, center) / texel) * texel};
    look_along(&out->camera, light, at);
    out->half_width = (float)half_width;
    out->texel = (float)texel;
    return acre_camera_orthographic(&out->camera, (float)(2.0 * half_width),
                                    (float)(2.0 * half_width),
                                    (float)-(half_width + (double)def->caster_distance),
                                    (float)half_width, ACRE_CLIP_ZERO_TO_ONE);
}

acre_result cascades_fit(const cascades_def *def, const view_pose *pose, cascade out[CASCADE_COUNT])
{
    basis view, light;
    if (!view_basis(pose, &view) || !light_basis(def->light, &light) || def->resolution == 0) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    float split[CASCADE_COUNT + 1];
    cascades_split(def, pose, split);
    for (int i = 0; i < CASCADE_COUNT; i++) {
        out[i] = (cascade){.near_distance = split[i], .far_distance = split[i + 1]};
        const acre_result result = fit_one(def, pose, &view, &light, &out[i]);
        if (result != ACRE_OK) {
            return result;
        }
    }
    return ACRE_OK;
}
