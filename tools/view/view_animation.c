// SPDX-License-Identifier: MIT
// view_animation.c - many frames of a viewer as one animated PNG.
#include "view_animation.h"

#include "animation_file.h"
#include "picture_file.h"
#include "viewer_cameras.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_COLORS 255
#define FRAME_MILLISECONDS 50 // the tour flies 20 of its frames a second
#define RISE_MILLISECONDS 90
#define LOOK_MILLISECONDS 2200
#define STEP (1.0f / 60.0f)

// Draws and adds a picture.
static bool add_frame(viewer *v, animation *movie, uint32_t milliseconds)
{
    return viewer_frame(v, NULL, STEP) &&
           animation_add(movie, picture_read(&v->draw.target), milliseconds);
}

static bool add_tour(viewer *v, animation *movie)
{
    for (uint32_t frame = v->options.frame; frame <= v->options.last_frame; frame++) {
        v->tour = frame;
        if (v->is_frozen) {
            v->culling = viewer_tour_camera(v);
        }
        if (!add_frame(v, movie, FRAME_MILLISECONDS)) {
            return false;
        }
    }
    return true;
}

// A number with commas between thousands.
static const char *with_commas(uint64_t number, char *text, size_t size)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    size_t used = 0;
    for (int i = 0; i < length && used + 2 < size; i++) {
        text[used++] = digits[i];
        if (i + 1 < length && (length - i) % 3 == 1) {
            text[used++] = ',';
        }
    }
    text[used] = '\0';
    return text;
}

// Shows the frame for a while. Its caption counts what it draws, without shadows.
static bool add_look(viewer *v, animation *movie, const char *what)
{
    if (!viewer_frame(v, NULL, STEP)) { // to know the counts
        return false;
    }
    const render_counts counts = view_city_count(&v->city, &v->draw, v->city.list);
    char objects[32], draws[32], triangles[32];
    snprintf(v->caption, sizeof v->caption, "%s: %s objects,\n%s draw calls, %s triangles", what,
             with_commas(acre_draw_list_get(v->city.list).count, objects, sizeof objects),
             with_commas(counts.draws, draws, sizeof draws),
             with_commas(counts.triangles, triangles, sizeof triangles));
    return add_frame(v, movie, LOOK_MILLISECONDS);
}

// Shows in red what the frustum holds and others hide.
static bool add_hidden(viewer *v, animation *movie)
{
    v->is_on[OVERLAY_HIDDEN] = true;
    if (!viewer_frame(v, NULL, STEP)) {
        return false;
    }
    char objects[32];
    const size_t held = acre_visible_set_get(v->city.sets[0]).count;
    const size_t kept = acre_visible_set_get(v->city.sets[1]).count;
    snprintf(v->caption, sizeof v->caption, "Behind others: %s objects",
             with_commas(held - kept, objects, sizeof objects));
    const bool is_good = add_frame(v, movie, LOOK_MILLISECONDS);
    v->is_on[OVERLAY_HIDDEN] = false;
    return is_good;
}

static float turn_between(float from, float to, float part)
{
    return from + part * remainderf(to - from, 6.2831853f);
}

// From the culling camera to where a frozen one is looked at from.
static bool rise(viewer *v, animation *movie)
{
    const view_camera end = v->render, begin = v->culling;
    const uint32_t count = v->options.last_frame - v->options.frame + 1;
    v->steering = STEERING_FLY;
    for (uint32_t i = 1; i <= count; i++) {
        const float at = (float)i / (float)count, part = at * at * (3.0f - 2.0f * at);
        for (int k = 0; k < 3; k++) {
            v->render.eye[k] = begin.eye[k] + part * (end.eye[k] - begin.eye[k]);
        }
        v->render.yaw = turn_between(begin.yaw, end.yaw, part);
        v->render.pitch = turn_between(begin.pitch, end.pitch, part);
        if (!add_frame(v, movie, RISE_MILLISECONDS)) {
            return false;
        }
    }
    return true;
}

static bool add_rise(viewer *v, animation *movie)
{
    v->is_paused = true;
    v->options.is_occlusion_on = false;
    v->tour = v->options.frame;
    bool is_good = add_look(v, movie, "In the frustum");
    v->is_on[OVERLAY_FREEZE] = true;
    is_good = is_good && viewer_frame(v, NULL, STEP) && rise(v, movie) &&
              add_frame(v, movie, LOOK_MILLISECONDS) && add_hidden(v, movie);
    v->options.is_occlusion_on = true;
    return is_good && add_look(v, movie, "Left with occlusion") &&
           add_frame(v, movie, LOOK_MILLISECONDS);
}

bool view_animation_write(viewer *v, char *message, size_t message_size)
{
    const view_options *const options = &v->options;
    assert(options->apng_path && options->frame <= options->last_frame);
    animation movie = {.width = options->width, .height = options->height};
    if (options->is_rise && (v->sample || !v->city.occlusion.horizon)) {
        snprintf(message, message_size, "--rise needs a scene with occluders");
        return false;
    }
    bool is_good = options->is_rise ? add_rise(v, &movie) : add_tour(v, &movie);
    if (!is_good) {
        snprintf(message, message_size, "%s", v->message[0] ? v->message : "memory is short");
    }
    is_good =
        is_good && animation_write(&movie, options->apng_path, MOST_COLORS, message, message_size);
    if (is_good) {
        printf("%s: %zu pictures\n", options->apng_path, movie.count);
    }
    animation_free(&movie);
    return is_good;
}
