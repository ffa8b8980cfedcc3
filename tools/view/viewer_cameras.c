// SPDX-License-Identifier: MIT
// viewer_cameras.c - where a viewer's cameras are in a frame.
#include "viewer_cameras.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define FLY_SPEED 25.0f   // meters a second
#define LOWEST_EYE 0.6f   // meters above the ground
#define ORBIT_TURN 0.006f // radians a pixel
#define DRIVE_BEHIND 9.0f // meters
#define DRIVE_ABOVE 2.9f
#define WIDEST_LENS 1.5f // radians
#define LEAST_FREE 0.6f  // of the picture

// The flight flies between two of its frames where the clock is between them.
view_camera viewer_tour_camera(const viewer *v)
{
    view_pose poses[2];
    const uint32_t frame = (uint32_t)fmod(v->tour, FLIGHT_FRAMES);
    const float part = (float)(v->tour - floor(v->tour));
    flight_pose(&v->city.world.path, frame, &poses[0]);
    flight_pose(&v->city.world.path, frame + 1, &poses[1]);
    for (int k = 0; k < 3; k++) {
        poses[0].eye[k] += part * (poses[1].eye[k] - poses[0].eye[k]);
        poses[0].target[k] += part * (poses[1].target[k] - poses[0].target[k]);
    }
    poses[0].vertical_fov = 0.96f;
    view_camera camera = view_camera_from_pose(&poses[0]);
    camera.pitch = fminf(camera.pitch, 0.03f); // rather roofs than the sky where it climbs
    return camera;
}

// Behind the first car, which the scene's own transforms say.
static view_camera drive_camera(const viewer *v)
{
    const acre_transform *const car = traffic_transforms(v->city.world.traffic);
    const float *const q = car->rotation; // about y
    const float x = 2.0f * q[1] * q[3], z = 1.0f - 2.0f * q[1] * q[1];
    const float eye[3] = {car->translation[0] - DRIVE_BEHIND * x, car->translation[1] + DRIVE_ABOVE,
                          car->translation[2] - DRIVE_BEHIND * z};
    view_camera camera = {.pitch = -0.08f, .vertical_fov = 0.96f};
    memcpy(camera.eye, eye, sizeof camera.eye);
    camera.yaw = atan2f(x, -z);
    return camera;
}

static void orbit(viewer *v, const surface_input *input)
{
    float yaw = v->render.yaw, pitch = v->render.pitch;
    if (input && input->buttons[1 - (v->sample == NULL)] && !v->is_mouse_taken) {
        yaw += ORBIT_TURN * (float)input->dx;
        pitch = fmaxf(-1.5f, fminf(pitch - ORBIT_TURN * (float)input->dy, -0.05f));
    }
    if (input && !v->is_mouse_taken) {
        v->orbit_distance *= powf(0.9f, (float)input->wheel);
        v->orbit_distance = fmaxf(3.0f, fminf(v->orbit_distance, 3000.0f));
    }
    const float fov = v->render.vertical_fov;
    v->render = view_camera_around(v->orbit_target, yaw, pitch, v->orbit_distance);
    v->render.vertical_fov = fov;
}

void viewer_steer(viewer *v, const surface_input *input, float seconds)
{
    if (v->sample || v->steering == STEERING_ORBIT) {
        orbit(v, input);
        return;
    }
    if (v->steering == STEERING_TOUR) {
        v->render = viewer_tour_camera(v);
        v->tour += v->is_paused ? 0.0 : VIEWER_TOUR_SPEED * (double)seconds;
    } else if (v->steering == STEERING_DRIVE && traffic_car_count(v->city.world.traffic) > 0) {
        v->render = drive_camera(v);
    } else if (input && !v->is_mouse_taken) {
        view_camera_fly(&v->render, input, seconds, FLY_SPEED);
    }
    v->render.eye[1] = fmaxf(v->render.eye[1], v->city.world.bounds.min[1] + LOWEST_EYE);
    // An orbit that begins now begins here.
    float way[3];
    view_camera_forward(&v->render, way);
    v->orbit_distance = 150.0f;
    for (int k = 0; k < 3; k++) {
        v->orbit_target[k] = v->render.eye[k] + v->orbit_distance * way[k];
    }
}

void viewer_freeze(viewer *v)
{
    v->culling = v->render;
    float way[3];
    view_camera_forward(&v->culling, way);
    for (int k = 0; k < 3; k++) {
        v->orbit_target[k] = v->culling.eye[k] + 330.0f * way[k];
    }
    v->orbit_target[1] = v->city.world.bounds.min[1];
    v->orbit_distance = 620.0f;
    v->render =
        view_camera_around(v->orbit_target, v->culling.yaw + 0.5f, -0.66f, v->orbit_distance);
    v->steering = STEERING_ORBIT;
}

// In a picture that is higher than wide a camera sees as far to the sides as in a square one.
static view_camera widen(view_camera camera, float aspect)
{
    if (aspect < 1.0f) {
        const float half = tanf(0.5f * camera.vertical_fov) / aspect;
        camera.vertical_fov = fminf(2.0f * atanf(half), fmaxf(WIDEST_LENS, camera.vertical_fov));
    }
    return camera;
}

// What a camera saw in the whole picture lies in the part that nothing covers, if that is not
// small.
static void aim(const viewer *v, acre_camera *camera)
{
    const float left = v->text_scale * v->covered_left / (float)v->draw.target.width;
    const float below = v->text_scale * v->covered_below / (float)v->draw.target.height;
    const float part = fmaxf(LEAST_FREE, fminf(1.0f - left, 1.0f - below));
    camera->projection[0] *= part;
    camera->projection[5] *= part;
    camera->projection[8] -= left;
    camera->projection[9] -= below;
}

bool viewer_place_cameras(viewer *v)
{
    if (!v->is_on[OVERLAY_FREEZE] || v->sample) {
        v->culling = v->render;
    }
    const float aspect = (float)v->draw.target.width / (float)v->draw.target.height;
    const view_camera render = widen(v->render, aspect), culling = widen(v->culling, aspect);
    const bool is_good = view_camera_make(&render, aspect, &v->render_camera) &&
                         view_camera_make(&culling, aspect, &v->culling_camera);
    aim(v, &v->render_camera);
    aim(v, &v->culling_camera);
    return is_good;
}

// What a ray hits first, and what the culler says of it.
static void pick(viewer *v, const acre_ray *ray)
{
    const acre_culling *const culling = v->city.world.culling;
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_RAY, .ray = ray};
    acre_query_hit hit;
    size_t count = 0;
    v->picked = (view_picked){0};
    if (acre_culling_query_nearest(culling, &query, &hit, 1, &count) == ACRE_OK && count == 1) {
        v->picked.entity = acre_scene_entity(v->city.world.scene, hit.item);
    }
}

void viewer_point(viewer *v, const surface_input *input)
{
    stage *const s = &v->stage;
    v->has_input = v->has_input || (input && (input->dx != 0.0 || input->dy != 0.0));
    s->is_held = input && input->buttons[0] && !v->is_mouse_taken;
    s->is_new_press = input && input->clicked[0] && !v->is_mouse_taken;
    if (!v->has_input) { // round and round, so that a picture shows something
        s->pointer[0] = 30.0f * cosf((float)s->time * 0.3f);
        s->pointer[1] = 0.0f;
        s->pointer[2] = -8.0f + 20.0f * sinf((float)s->time * 0.3f);
        return;
    }
    if (!input) {
        return;
    }
    acre_ray ray;
    const acre_result result =
        acre_camera_ray(&v->render_camera, (float)input->x / (float)v->draw.target.width,
                        (float)input->y / (float)v->draw.target.height, &ray);
    if (result != ACRE_OK) {
        return;
    }
    if (ray.direction[1] < -1e-4f) {
        const float along = -ray.origin[1] / ray.direction[1];
        for (int k = 0; k < 3; k++) {
            s->pointer[k] = ray.origin[k] + along * ray.direction[k];
        }
    }
    if (!v->sample && s->is_new_press) {
        pick(v, &ray);
    }
}
