// SPDX-License-Identifier: MIT
// viewer.c - one frame of `acre view` after the other: asks, then draws.
#include "viewer.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEP (1.0f / 60.0f) // seconds of the world in a step
#define MOST_STEPS 4        // in a frame; a slower machine sees the world slow down
#define FLY_SPEED 25.0f     // meters a second
#define LOWEST_EYE 0.6f     // meters above the ground

static bool fail(viewer *v, const char *what)
{
    snprintf(v->message, sizeof v->message, "%s", what);
    return false;
}

bool viewer_create(viewer *out, const view_options *options, char *message, size_t message_size)
{
    *out = (viewer){.options = *options, .tour = options->frame, .dropped_slot = UINT32_MAX};
    for (int i = 0; i < OVERLAY_COUNT_; i++) {
        out->is_on[i] = (options->overlays >> i & 1u) != 0;
    }
    const run_options world = {
        .scene_path = options->scene_path, .cars = options->cars, .seed = options->seed};
    if (!view_city_create(&out->city, &world, message, message_size) ||
        !renderer_create(&out->draw, options->width, options->height, options->samples, message,
                         message_size) ||
        !sheet_create(&out->sheet, message, message_size)) {
        return false;
    }
    if (!renderer_set_meshes(&out->draw, &out->city.meshes.store)) {
        snprintf(message, message_size, "%s: memory is short", options->scene_path);
        return false;
    }
    // The world runs up to the frame before the first.
    for (uint32_t i = 1; i < options->frame; i++) {
        traffic_advance(out->city.world.traffic, STEP);
    }
    return true;
}

void viewer_free(viewer *v)
{
    sheet_free(&v->sheet);
    renderer_free(&v->draw);
    view_city_free(&v->city);
}

// The flight flies between two of its frames where the clock is between them.
static view_camera tour_camera(const viewer *v)
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

static void steer(viewer *v, const surface_input *input, float seconds)
{
    if (v->steering == STEERING_TOUR) {
        v->render = tour_camera(v);
        v->tour += v->is_paused ? 0.0 : 20.0 * (double)seconds;
    } else if (input) {
        view_camera_fly(&v->render, input, seconds, FLY_SPEED);
    }
    v->render.eye[1] = fmaxf(v->render.eye[1], v->city.world.bounds.min[1] + LOWEST_EYE);
}

// Behind and above the frozen camera, so that its frustum fills the picture.
static void step_back(viewer *v)
{
    float way[3];
    view_camera_forward(&v->culling, way);
    float target[3];
    for (int k = 0; k < 3; k++) {
        target[k] = v->culling.eye[k] + 260.0f * (k == 1 ? 0.0f : way[k]);
    }
    target[1] = v->city.world.bounds.min[1];
    v->render = view_camera_around(target, v->culling.yaw + 0.55f, -0.62f, 620.0f);
    v->steering = STEERING_FLY;
}

static bool place_cameras(viewer *v)
{
    if (!v->is_on[OVERLAY_FREEZE]) {
        v->culling = v->render;
    }
    const float aspect = (float)v->draw.target.width / (float)v->draw.target.height;
    return view_camera_make(&v->render, aspect, &v->render_camera) &&
           view_camera_make(&v->culling, aspect, &v->culling_camera);
}

static void draw_notes(viewer *v)
{
    const float height = (float)v->draw.target.height, width = (float)v->draw.target.width;
    if (v->city.world.is_openstreetmap) {
        static const char notice[] = "(c) OpenStreetMap contributors";
        const float x = width - sheet_text_width(SHEET_SMALL, notice) - 18.0f;
        sheet_note(&v->sheet, SHEET_SMALL, x, height - 29.0f, notice);
    }
}

static void draw_help(viewer *v)
{
    char text[1024];
    int length = snprintf(text, sizeof text,
                          "F1  this help\n"
                          "C  tour or fly: W A S D Q E, Shift is faster, drag to look around\n"
                          "Space  pause\n.  one step\nF11  fullscreen\n");
    for (int i = 0; i < OVERLAY_COUNT_; i++) {
        assert(length >= 0 && (size_t)length < sizeof text);
        length +=
            snprintf(text + length, sizeof text - (size_t)length, "%c  %s%s", view_overlays[i].key,
                     view_overlays[i].help, i + 1 < OVERLAY_COUNT_ ? "\n" : "");
    }
    sheet_note(&v->sheet, SHEET_SMALL, 12.0f, 12.0f, text);
}

static bool draw_frame(viewer *v)
{
    const view_city_look look = {.render = &v->render_camera,
                                 .culling = &v->culling_camera,
                                 .are_shadows_drawn = v->options.are_shadows_drawn,
                                 .are_cascades_colored = v->is_on[OVERLAY_CASCADES]};
    if (!view_city_draw(&v->city, &v->draw, &look)) {
        return fail(v, "memory is short for a frame");
    }
    renderer_end(&v->draw);
    draw_notes(v);
    if (v->is_help_shown) {
        draw_help(v);
    }
    sheet_draw(&v->sheet, v->draw.target.width, v->draw.target.height);
    const char *const error = gl_take_error();
    return !error || fail(v, error);
}

static bool ask(viewer *v)
{
    const view_city_question question = {.culling = &v->culling_camera,
                                         .height = (float)v->draw.target.height,
                                         .are_shadows_wanted = v->options.are_shadows_drawn,
                                         .is_everything = v->is_everything,
                                         .dropped_slot = v->dropped_slot};
    return view_city_ask(&v->city, &question) || fail(v, v->city.message);
}

bool viewer_draw_again(viewer *v)
{
    return (place_cameras(v) || fail(v, "the camera is too far out")) && ask(v) && draw_frame(v);
}

bool viewer_frame(viewer *v, const surface_input *input, float seconds)
{
    assert(seconds >= 0.0f);
    const bool was_frozen = v->is_on[OVERLAY_FREEZE] && v->culling.vertical_fov > 0.0f;
    steer(v, input, seconds);
    v->pending = v->is_paused ? 0.0f : fminf(v->pending + seconds, MOST_STEPS * STEP);
    if (v->is_step_wanted) {
        v->pending = STEP;
        v->is_step_wanted = false;
    }
    for (; v->pending > 0.5f * STEP; v->pending -= STEP) {
        if (!view_city_advance(&v->city, STEP)) {
            return fail(v, v->city.message);
        }
    }
    if (v->is_on[OVERLAY_FREEZE] && !was_frozen) { // from the first frame on
        v->culling = v->render;
        step_back(v);
    }
    return viewer_draw_again(v);
}
