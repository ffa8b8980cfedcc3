// SPDX-License-Identifier: MIT
// page.c - the viewer on a web page: what page.js calls.
//
// The page's script has the canvas, the clock, the mouse and the panel's elements; everything else
// is the viewer. A function that answers text answers "" where all is well, or what went wrong.
#include "inspect_numbers.h"
#include "page_file.h"
#include "page_sheet.h"
#include "panel_table.h"
#include "sample_recording.h"
#include "viewer.h"

#include <emscripten.h>
#include <emscripten/html5.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOR_PAGE EMSCRIPTEN_KEEPALIVE

static struct {
    viewer v;
    surface_input input;
    double last_x, last_y;
    bool has_mouse, is_open;
    unsigned char *file;
    size_t file_size;
    char message[640];
    char text[4096];
} page;

// Room for the file that the page carries, which page_open then reads. NULL where memory is short.
FOR_PAGE void *page_room(size_t size)
{
    free(page.file);
    page.file = malloc(size);
    page.file_size = page.file ? size : 0;
    return page.file;
}

static bool open_context(void)
{
    EmscriptenWebGLContextAttributes attributes;
    emscripten_webgl_init_context_attributes(&attributes);
    attributes.majorVersion = 2;
    attributes.alpha = false;
    attributes.depth = false;
    attributes.antialias = false;
    attributes.powerPreference = EM_WEBGL_POWER_PREFERENCE_HIGH_PERFORMANCE;
    const EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context =
        emscripten_webgl_create_context("#picture", &attributes);
    return context > 0 &&
           emscripten_webgl_make_context_current(context) == EMSCRIPTEN_RESULT_SUCCESS;
}

// What a page begins with, unless its address names a sample.
static const char *first_sample(const char *wanted)
{
    if (view_sample_find(wanted)) {
        return view_sample_find(wanted)->name;
    }
    return page_file_is_model(page.file, page.file_size)       ? NULL
           : page_file_is_recording(page.file, page.file_size) ? "recording"
                                                               : "idea";
}

// A model is seen from above, by a camera that is frozen in one of its streets: the frame of the
// flight in which San Francisco looks best.
enum {
    FIRST_FRAME = 440,
    FIRST_OVERLAYS = 1u << OVERLAY_PANEL | 1u << OVERLAY_FREEZE | 1u << OVERLAY_STATES
};

// @param sample the name of one; "": as the page's file suggests.
FOR_PAGE const char *page_open(unsigned width, unsigned height, unsigned samples, unsigned cars,
                               const char *sample, bool is_software)
{
    page_file_give(page.file, page.file_size);
    if (page_file_is_recording(page.file, page.file_size)) {
        sample_recording_give(page.file, page.file_size);
    }
    const char *const first = first_sample(sample);
    const view_options options = {.scene_path = "the scene of this page",
                                  .sample = first,
                                  .frame = first ? 0 : FIRST_FRAME,
                                  .width = width,
                                  .height = height,
                                  .cars = cars,
                                  .seed = 1,
                                  .samples = samples,
                                  .overlays = first ? 1u << OVERLAY_PANEL : FIRST_OVERLAYS,
                                  .are_shadows_drawn = true};
    if (!open_context()) {
        return "This browser has no WebGL 2.";
    }
    page.is_open = viewer_create(&page.v, &options, page.message, sizeof page.message);
    page.v.is_software = is_software;
    return page.is_open ? "" : page.message;
}

static bool fit(unsigned width, unsigned height)
{
    const gl_target *const target = &page.v.draw.target;
    return (width == target->width && height == target->height) ||
           renderer_resize(&page.v.draw, width, height);
}

static void show(unsigned width, unsigned height)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, page.v.draw.target.resolved);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, (GLint)width, (GLint)height, 0, 0, (GLint)width, (GLint)height,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

// @param text_scale pixels of the picture for a pixel of its texts.
// @param covered_left, covered_below what the panel covers at an edge, pixels of texts.
FOR_PAGE const char *page_frame(float seconds, unsigned width, unsigned height, float text_scale,
                                float covered_left, float covered_below)
{
    if (!page.is_open) {
        return "The viewer is not open.";
    }
    if (!fit(width, height)) {
        return "The graphics driver refuses this size.";
    }
    page.v.text_scale = text_scale;
    page.v.covered_left = covered_left;
    page.v.covered_below = covered_below;
    surface_input *const input = &page.input;
    input->dx = page.has_mouse ? input->x - page.last_x : 0.0;
    input->dy = page.has_mouse ? input->y - page.last_y : 0.0;
    page.last_x = input->x;
    page.last_y = input->y;
    for (int i = 0; i < input->pressed_count; i++) {
        viewer_press(&page.v, input->pressed[i]);
    }
    page.v.is_on[OVERLAY_PANEL] = true; // the page shows and hides it
    const bool is_good = viewer_frame(&page.v, input, fmaxf(seconds, 0.0f));
    input->pressed_count = 0;
    input->wheel = 0.0;
    memset(input->clicked, 0, sizeof input->clicked);
    if (!is_good) {
        return page.v.message;
    }
    show(width, height);
    return "";
}

FOR_PAGE void page_key(int key, bool is_down, bool is_shift)
{
    surface_input *const input = &page.input;
    input->is_shift = is_shift;
    if (key < 0 || key >= (int)(sizeof input->keys_down / sizeof input->keys_down[0])) {
        return;
    }
    if (is_down && !input->keys_down[key] && input->pressed_count < SURFACE_MAX_KEYS) {
        input->pressed[input->pressed_count++] = key;
    }
    input->keys_down[key] = is_down;
}

// Pixels of the picture. is_jump: it came there without a way, as a finger does.
FOR_PAGE void page_pointer(float x, float y, bool is_jump)
{
    page.input.x = x;
    page.input.y = y;
    if (is_jump) {
        page.last_x = x;
        page.last_y = y;
    }
    page.has_mouse = true;
    page.v.has_input = true;
}

FOR_PAGE void page_button(int button, bool is_down)
{
    if (button >= 0 && button < 3) {
        page.input.clicked[button] |= is_down && !page.input.buttons[button];
        page.input.buttons[button] = is_down;
    }
}

FOR_PAGE void page_wheel(float steps)
{
    page.input.wheel += (double)steps;
}

FOR_PAGE const char *page_panel(void)
{
    return panel_table_text();
}

FOR_PAGE const char *page_texts(void)
{
    return page_sheet_texts();
}

FOR_PAGE void page_set(unsigned control, int value)
{
    panel_table_set(control, value);
}

FOR_PAGE void page_set_shadows(bool are_drawn)
{
    page.v.options.are_shadows_drawn = are_drawn;
}

// Rows of "name<tab>text", as `acre inspect` prints them but for occluders; "" where the page
// carries no file.
FOR_PAGE const char *page_numbers(void)
{
    inspect_rows rows = {0};
    if (page_file_is_recording(page.file, page.file_size)) {
        inspect_recording(page.file, page.file_size, NULL, NULL, &rows);
    } else if (page_file_is_model(page.file, page.file_size) &&
               !inspect_model("the scene of this page", NULL, NULL, &rows, page.message,
                              sizeof page.message)) {
        return page.message;
    }
    size_t length = 0;
    page.text[0] = '\0';
    for (size_t i = 0; i < rows.count && length < sizeof page.text; i++) {
        length += (size_t)snprintf(page.text + length, sizeof page.text - length, "%s\t%s\n",
                                   rows.rows[i].name, rows.rows[i].text);
    }
    return page.text;
}

// What tests look at: JSON.
FOR_PAGE const char *page_state(void)
{
    const viewer *const v = &page.v;
    snprintf(page.text, sizeof page.text,
             "{\"frame\":%llu,\"sample\":\"%s\",\"eye\":[%.6g,%.6g,%.6g],\"yaw\":%.6g,"
             "\"pitch\":%.6g,\"distance\":%.6g,\"pointer\":[%.6g,%.6g],\"picked\":%u,"
             "\"draws\":%u,\"triangles\":%llu,\"note\":%d}",
             (unsigned long long)v->frame, v->sample ? v->sample->name : "",
             (double)v->render.eye[0], (double)v->render.eye[1], (double)v->render.eye[2],
             (double)v->render.yaw, (double)v->render.pitch, (double)v->orbit_distance,
             (double)v->stage.pointer[0], (double)v->stage.pointer[2],
             (unsigned)v->picked.entity.index1, (unsigned)v->draw.counts.draws,
             (unsigned long long)v->draw.counts.triangles, v->note_frames);
    return page.text;
}
