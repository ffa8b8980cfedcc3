// SPDX-License-Identifier: MIT
// camera.c - view and projection matrices, and the frustum of their product.
//
// The elements of a projection are written here, in double, instead of by cglm's functions: those
// know neither an infinite far plane nor reversed depth.
#include <acre/camera.h>

#include "assert_internal.h"
#include "clip_internal.h"
#include "float_bits.h"
#include "lens_internal.h"

#include <cglm/mat4.h>
#include <cglm/vec3.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Below this sine between view direction and up, the float cross product has no direction left.
#define PARALLEL_SINE 1e-6f
#define PI 3.14159265358979323846

static acre_result set_projection(acre_camera *camera, mat4 projection, acre_clip clip)
{
    static const float no_view[16];
    ACRE_ASSERT(clip_is_known(clip));
    if (!floats_are_finite(projection[0], 16)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (memcmp(camera->view, no_view, sizeof no_view) == 0) {
        mat4 view = GLM_MAT4_IDENTITY_INIT;
        memcpy(camera->view, view, sizeof view);
    }
    memcpy(camera->projection, projection, sizeof camera->projection);
    camera->clip = clip;
    return ACRE_OK;
}

// The row of clip z for a perspective: z = scale * camera z + offset, with w = -camera z.
// far_over is far / (far - near), so that far = infinity is the limit 1 and not inf / inf.
static void perspective_depth(double near, double far, acre_clip clip, double *scale,
                              double *offset)
{
    const double far_over = isinf(far) ? 1.0 : far / (far - near);
    ACRE_INVARIANT(near > 0.0 && near < far);
    const double near_over = isinf(far) ? 0.0 : near / (far - near);
    switch (clip) {
    case ACRE_CLIP_NEGATIVE_ONE_TO_ONE:
        *scale = -(far_over + near_over);
        *offset = -2.0 * near * far_over;
        break;
    case ACRE_CLIP_ZERO_TO_ONE:
        *scale = -far_over;
        *offset = -near * far_over;
        break;
    case ACRE_CLIP_REVERSED_ZERO_TO_ONE:
        *scale = near_over;
        *offset = near * far_over;
        break;
    }
}

static acre_result set_perspective(acre_camera *camera, float vertical_fov, float aspect,
                                   float near_distance, float far_distance, acre_clip clip)
{
    if (!camera || !clip_is_known(clip) ||
        !floats_are_finite((float[]){vertical_fov, aspect, near_distance}, 3) ||
        float_is_nan(far_distance)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!(vertical_fov > 0.0f && (double)vertical_fov < PI && aspect > 0.0f &&
          near_distance > 0.0f && far_distance > near_distance)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const double focal = 1.0 / tan(0.5 * (double)vertical_fov);
    double scale = 0.0;
    double offset = 0.0;
    perspective_depth((double)near_distance, (double)far_distance, clip, &scale, &offset);
    mat4 projection = GLM_MAT4_ZERO_INIT;
    projection[0][0] = (float)(focal / (double)aspect);
    projection[1][1] = (float)focal;
    projection[2][2] = (float)scale;
    projection[2][3] = -1.0f;
    projection[3][2] = (float)offset;
    if (!(projection[0][0] > 0.0f && projection[1][1] > 0.0f)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    return set_projection(camera, projection, clip);
}

acre_result acre_camera_perspective(acre_camera *camera, float vertical_fov, float aspect,
                                    float near_distance, float far_distance, acre_clip clip)
{
    const acre_result result =
        set_perspective(camera, vertical_fov, aspect, near_distance, far_distance, clip);
    return ACRE_ANSWER(result, "paff!xk", camera, (double)vertical_fov, (double)aspect,
                       (double)near_distance, (double)far_distance, clip);
}

static acre_result set_orthographic(acre_camera *camera, float width, float height,
                                    float near_distance, float far_distance, acre_clip clip)
{
    if (!camera || !clip_is_known(clip) ||
        !floats_are_finite((float[]){width, height, near_distance, far_distance}, 4) ||
        !(width > 0.0f && height > 0.0f && near_distance < far_distance)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    // Depth runs from first at the near plane to last at the far plane.
    const double first = clip_near_depth(clip), last = clip_far_depth(clip);
    const double scale = (last - first) / ((double)far_distance - (double)near_distance);
    mat4 projection = GLM_MAT4_IDENTITY_INIT;
    projection[0][0] = (float)(2.0 / (double)width);
    projection[1][1] = (float)(2.0 / (double)height);
    projection[2][2] = (float)-scale;
    projection[3][2] = (float)(first - scale * (double)near_distance);
    if (!(projection[0][0] > 0.0f && projection[1][1] > 0.0f && projection[2][2] != 0.0f)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    return set_projection(camera, projection, clip);
}

acre_result acre_camera_orthographic(acre_camera *camera, float width, float height,
                                     float near_distance, float far_distance, acre_clip clip)
{
    const acre_result result =
        set_orthographic(camera, width, height, near_distance, far_distance, clip);
    return ACRE_ANSWER(result, "pffg!gk", camera, (double)width, (double)height,
                       (double)near_distance, (double)far_distance, clip);
}

// Scales by the largest component first: distances up to 1e38 must not overflow when squared.
static bool unit_direction(const double *v, vec3 out)
{
    const double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(largest > 0.0)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        out[i] = (float)(v[i] / largest);
    }
    glm_vec3_normalize(out);
    ACRE_INVARIANT(fabsf(glm_vec3_norm(out) - 1.0f) < 1e-5f);
    return true;
}

static acre_result set_view(acre_camera *camera, const float *eye, const float *target,
                            const float *up)
{
    if (!camera || !eye || !target || !up || !floats_are_finite(eye, 3) ||
        !floats_are_finite(target, 3) || !floats_are_finite(up, 3)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    double view_line[3];
    double up_line[3];
    for (int i = 0; i < 3; i++) {
        view_line[i] = (double)target[i] - (double)eye[i];
        up_line[i] = (double)up[i];
    }
    vec3 axes[3]; // the camera's right, up and back in the world
    vec3 forward;
    vec3 unit_up;
    if (!unit_direction(view_line, forward) || !unit_direction(up_line, unit_up)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    glm_vec3_cross(forward, unit_up, axes[0]);
    if (!(glm_vec3_norm(axes[0]) > PARALLEL_SINE)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    glm_vec3_normalize(axes[0]);
    glm_vec3_cross(axes[0], forward, axes[1]);
    glm_vec3_negate_to(forward, axes[2]);
    mat4 view = GLM_MAT4_IDENTITY_INIT;
    for (int row = 0; row < 3; row++) {
        double translation = 0.0; // in double: at 1e6 a float sum moves the camera by centimeters
        for (int column = 0; column < 3; column++) {
            view[column][row] = axes[row][column];
            translation -= (double)axes[row][column] * (double)eye[column];
        }
        view[3][row] = (float)translation;
    }
    if (!floats_are_finite(view[0], 16)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    memcpy(camera->view, view, sizeof camera->view);
    return ACRE_OK;
}

acre_result acre_camera_look_at(acre_camera *camera, const float *eye, const float *target,
                                const float *up)
{
    const acre_result result = set_view(camera, eye, target, up);
    const bool is_target =
        result != ACRE_OK && eye && target && memcmp(eye, target, 3 * sizeof *eye) == 0;
    return is_target ? ACRE_ANSWER(result, "p3!33", camera, eye, target, up)
                     : ACRE_ANSWER(result, "p33!3", camera, eye, target, up);
}

void acre_camera_product(const acre_camera *camera, double *out)
{
    for (int i = 0; i < 16; i++) {
        const int row = i & 3;
        const float *const column = camera->view + (i & ~3);
        out[i] = 0.0;
        for (int k = 0; k < 4; k++) {
            out[i] += (double)camera->projection[4 * k + row] * (double)column[k];
        }
    }
}

acre_result acre_camera_frustum(const acre_camera *camera, acre_frustum *out)
{
    double product[16];
    const bool is_finite =
        camera && floats_are_finite(camera->view, 16) && floats_are_finite(camera->projection, 16);
    if (is_finite) {
        acre_camera_product(camera, product);
    }
    const acre_result result =
        acre_extract_frustum(out, is_finite ? product : NULL, is_finite ? camera->clip : 0);
    return ACRE_ANSWER(result, "Kp", camera, out);
}

acre_result acre_cube_cameras(const float *eye, float near_distance, float far_distance,
                              acre_clip clip, acre_camera *out)
{
    // Right, up and back of each face, as axis numbers 1..3 with a sign.
    static const int faces[6][3] = {{-3, -2, -1}, {3, -2, 1},  {1, 3, -2},
                                    {1, -3, 2},   {1, -2, -3}, {-1, -2, 3}};
    acre_camera cube = {.layers = 0};
    if (!eye || !out || !floats_are_finite(eye, 3)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_result result =
        acre_camera_perspective(&cube, 1.5707964f, 1.0f, near_distance, far_distance, clip);
    if (result != ACRE_OK) {
        return result;
    }
    // Of a right angle, exactly: faces then have their sides in common, to the bit.
    cube.projection[0] = cube.projection[5] = 1.0f;
    for (int face = 0; face < 6; face++) {
        out[face] = cube;
        memset(out[face].view, 0, sizeof out[face].view);
        out[face].view[15] = 1.0f;
        for (int row = 0; row < 3; row++) {
            const int axis = abs(faces[face][row]) - 1;
            const float sign = faces[face][row] > 0 ? 1.0f : -1.0f;
            out[face].view[4 * axis + row] = sign;
            out[face].view[12 + row] = -sign * eye[axis];
        }
    }
    return ACRE_OK;
}
