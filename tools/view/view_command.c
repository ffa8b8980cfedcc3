// SPDX-License-Identifier: MIT
// view_command.c - the command `acre view`: a picture or a window.
#include "view_command.h"

#include "json_writer.h"
#include "output_file.h"
#include "picture_file.h"
#include "view_animation.h"
#include "view_memory.h"
#include "viewer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTE_FRAMES 200
#define DEFAULT_SAMPLES 4
#define WARM_FRAMES 240 // before a picture: as many as graphs show

static bool write_picture(const viewer *v, const char *path, char *message, size_t size)
{
    uint8_t *const rgb = picture_read(&v->draw.target);
    snprintf(message, size, "%s: memory is short", path);
    const bool is_good =
        rgb && picture_write(path, rgb, v->draw.target.width, v->draw.target.height, message, size);
    free(rgb);
    return is_good;
}

static bool write_json(const viewer *v, const view_options *options, char *message, size_t size)
{
    json_writer writer = {.ok = true};
    cJSON *const root = cJSON_CreateObject();
    json_add_text(&writer, root, "picture", options->png_path);
    json_add_number(&writer, root, "width", v->draw.target.width);
    json_add_number(&writer, root, "height", v->draw.target.height);
    json_add_number(&writer, root, "frame", options->frame);
    json_add_number(&writer, root, "draw_calls", v->draw.counts.draws);
    json_add_number(&writer, root, "triangles", (double)v->draw.counts.triangles);
    json_add_number(&writer, root, "milliseconds", v->draw_milliseconds);
    char *const text = writer.ok ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return json_write_file(text, options->json_path, message, size);
}

// Two frames, so that what entered and left since the last one is known, and one more for a panel,
// which finds its size in the first: what it covers moves the picture.
static bool draw_picture(viewer *v, char *message, size_t size)
{
    const view_options *const options = &v->options;
    const int drawn = v->is_on[OVERLAY_PANEL] ? 3 : 2;
    for (int i = WARM_FRAMES + drawn; i > 0; i--) {
        const double before = i > drawn ? (i - drawn) * VIEWER_TOUR_SPEED / 60.0 : 0.0;
        v->tour = fmax(0.0, options->frame - before);
        if (!(i > drawn ? viewer_warm(v, 1.0f / 60.0f) : viewer_frame(v, NULL, 1.0f / 60.0f))) {
            snprintf(message, size, "%s", v->message);
            return false;
        }
    }
    if (!write_picture(v, options->png_path, message, size) ||
        (options->json_path && !write_json(v, options, message, size))) {
        return false;
    }
    printf("%s: %u draw calls, %llu triangles, %.0f ms\n", options->png_path,
           (unsigned)v->draw.counts.draws, (unsigned long long)v->draw.counts.triangles,
           v->draw_milliseconds);
    return true;
}

// A picture or an animation, without a display.
static int draw_file(view_options *options)
{
    options->samples = options->samples ? options->samples : DEFAULT_SAMPLES;
    char message[640] = "";
    hidden_surface *surface;
    if (!output_check(options->png_path, message, sizeof message) ||
        !output_check(options->apng_path, message, sizeof message) ||
        !output_check(options->json_path, message, sizeof message) ||
        !surface_hidden_open(&surface, message, sizeof message)) {
        fprintf(stderr, "acre view: %s\n", message);
        return 1;
    }
    static viewer v;
    const bool is_good = viewer_create(&v, options, message, sizeof message) &&
                         (options->apng_path ? view_animation_write(&v, message, sizeof message)
                                             : draw_picture(&v, message, sizeof message));
    if (!is_good) {
        fprintf(stderr, "acre view: %s\n", message);
    }
    viewer_free(&v);
    surface_hidden_close(surface);
    return is_good ? 0 : 1;
}

// Returns whether to go on.
static bool press_keys(viewer *v, window_surface *window, const surface_input *input)
{
    for (int i = 0; i < input->pressed_count; i++) {
        const int key = input->pressed[i];
        if (key == SURFACE_CONTROL + 'Q') {
            return false;
        }
        viewer_press(v, key);
        if (key == 300) { // F11
            surface_window_toggle_fullscreen(window);
        }
        if (key == 301) { // F12
            v->note_frames = NOTE_FRAMES;
            if (write_picture(v, "acre_view.png", v->note, sizeof v->note)) {
                snprintf(v->note, sizeof v->note, "acre_view.png is written");
            }
        }
    }
    return true;
}

// Copies the picture to the window.
static void show(const viewer *v, uint32_t width, uint32_t height)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, v->draw.target.resolved);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, (GLint)v->draw.target.width, (GLint)v->draw.target.height, 0, 0,
                      (GLint)width, (GLint)height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

static bool run_window(viewer *v, window_surface *window)
{
    surface_input input = {0};
    double last = surface_window_seconds();
    while (surface_window_next(window, &input)) {
        uint32_t width, height;
        surface_window_size(window, &width, &height);
        if (width == 0 || height == 0) {
            continue; // minimized
        }
        if ((width != v->draw.target.width || height != v->draw.target.height) &&
            !renderer_resize(&v->draw, width, height)) {
            snprintf(v->message, sizeof v->message, "the driver makes no picture of %u x %u pixels",
                     (unsigned)width, (unsigned)height);
            return false;
        }
        if (!press_keys(v, window, &input)) {
            break;
        }
        if (input.dropped[0] && !viewer_open_file(v, input.dropped)) {
            snprintf(v->message, sizeof v->message, "memory is short");
            return false;
        }
        const double now = surface_window_seconds();
        if (!viewer_frame(v, &input, (float)(now - last))) {
            return false;
        }
        last = now;
        show(v, width, height);
    }
    return true;
}

// What the last window had, unless the command line says otherwise.
static void recall(viewer *v, const view_memory *memory)
{
    v->is_on[OVERLAY_PANEL] = true;
    if (memory->width > 0) {
        v->text_scale = memory->text_scale;
    }
    if (memory->width > 0 && !v->sample && v->options.frame == 0 &&
        memory->steering == STEERING_FLY) {
        v->render = memory->camera;
        v->steering = memory->steering;
    }
}

// The camera of the city: one that orbits is remembered as one that stands there.
static void remember(const viewer *v, const view_memory *last)
{
    view_memory next = *last;
    next.width = v->draw.target.width;
    next.height = v->draw.target.height;
    next.text_scale = v->text_scale;
    if (!v->sample || last->width == 0) {
        next.camera = v->render;
        next.steering = v->sample                       ? STEERING_TOUR
                        : v->steering == STEERING_ORBIT ? STEERING_FLY
                                                        : v->steering;
    }
    view_memory_write(&next);
}

static int open_window(view_options *options)
{
    char message[640] = "";
    window_surface *window;
    const view_memory memory = view_memory_read();
    if (!options->has_size && memory.width > 0) {
        options->width = memory.width;
        options->height = memory.height;
    }
    if (!surface_window_open(&window, options->width, options->height, message, sizeof message)) {
        fprintf(stderr, "acre view: %s\n", message);
        return 1;
    }
    if (options->samples == 0) {
        // A processor takes three times as long for four samples a pixel.
        options->samples = gl_is_software() ? 1 : DEFAULT_SAMPLES;
    }
    static viewer v;
    bool is_good = viewer_create(&v, options, message, sizeof message);
    v.text_scale = surface_window_scale(window);
    recall(&v, &memory);
    if (is_good && !run_window(&v, window)) {
        is_good = false;
        snprintf(message, sizeof message, "%s", v.message);
    }
    if (is_good) {
        remember(&v, &memory);
    }
    if (!is_good) {
        fprintf(stderr, "acre view: %s\n", message);
    }
    viewer_free(&v);
    surface_window_close(window);
    return is_good ? 0 : 1;
}

int view_command(int argc, char **argv)
{
    view_options options;
    char message[512];
    if (!view_options_parse(argc, argv, &options, message, sizeof message)) {
        fprintf(stderr, "acre view: %s\n", message);
        return 2;
    }
    if (options.help) {
        options_print_help(&view_option_table, stdout);
        return 0;
    }
    return options.png_path || options.apng_path ? draw_file(&options) : open_window(&options);
}
