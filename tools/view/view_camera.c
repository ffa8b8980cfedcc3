// SPDX-License-Identifier: MIT
// view_camera.c - a camera that a person steers: where it stands, where it looks.
#include "view_camera.h"

#include <assert.h>
#include <math.h>

#define STEEPEST 1.55f     // radians
#define MOUSE_TURN 0.0032f // radians a pixel

void view_camera_forward(const view_camera *camera, float *out)
{
    out[0] = sinf(camera->yaw) * cosf(camera->pitch);
    out[1] = sinf(camera->pitch);
    out[2] = -cosf(camera->yaw) * cosf(camera->pitch);
}

void view_camera_eye(const acre_camera *camera, float *out)
{
    const float *const v = camera->view;
    for (int k = 0; k < 3; k++) {
        out[k] = -(v[4 * k] * v[12] + v[4 * k + 1] * v[13] + v[4 * k + 2] * v[14]);
    }
}

view_camera view_camera_from_pose(const view_pose *pose)
{
    view_camera camera = {.vertical_fov = pose->vertical_fov};
    float way[3];
    for (int k = 0; k < 3; k++) {
        camera.eye[k] = pose->eye[k];
        way[k] = pose->target[k] - pose->eye[k];
    }
    camera.yaw = atan2f(way[0], -way[2]);
    camera.pitch = atan2f(way[1], hypotf(way[0], way[2]));
    return camera;
}

view_camera view_camera_around(const float *target, float yaw, float pitch, float distance)
{
    assert(distance > 0.0f);
    view_camera camera = {.yaw = yaw, .pitch = pitch, .vertical_fov = 0.9f};
    float way[3];
    view_camera_forward(&camera, way);
    for (int k = 0; k < 3; k++) {
        camera.eye[k] = target[k] - distance * way[k];
    }
    return camera;
}

bool view_camera_make(const view_camera *camera, float aspect, acre_camera *out)
{
    static const float up[3] = {0, 1, 0};
    float target[3];
    view_camera_forward(camera, target);
    for (int k = 0; k < 3; k++) {
        target[k] += camera->eye[k];
    }
    *out = (acre_camera){0};
    return acre_camera_perspective(out, camera->vertical_fov, aspect, VIEW_NEAR, VIEW_FAR,
                                   ACRE_CLIP_NEGATIVE_ONE_TO_ONE) == ACRE_OK &&
           acre_camera_look_at(out, camera->eye, target, up) == ACRE_OK;
}

void view_camera_fly(view_camera *camera, const surface_input *input, float seconds, float speed)
{
    if (input->buttons[0] || input->buttons[1]) {
        camera->yaw += MOUSE_TURN * (float)input->dx;
        camera->pitch -= MOUSE_TURN * (float)input->dy;
        camera->pitch = fmaxf(-STEEPEST, fminf(camera->pitch, STEEPEST));
    }
    const bool *const keys = input->keys_down;
    const float ahead = (float)keys['W'] - (float)keys['S'];
    const float aside = (float)keys['D'] - (float)keys['A'];
    const float above = (float)keys['E'] - (float)keys['Q'];
    const float step = speed * seconds * (input->is_shift ? 5.0f : 1.0f);
    float way[3];
    view_camera_forward(camera, way);
    camera->eye[0] += step * (ahead * way[0] + aside * cosf(camera->yaw));
    camera->eye[1] += step * (ahead * way[1] + above);
    camera->eye[2] += step * (ahead * way[2] + aside * sinf(camera->yaw));
}
