// SPDX-License-Identifier: MIT
// viewer.h - one frame of `acre view` after the other: asks, then draws.
//
// Two cameras: what is drawn follows the culling camera, how it looks follows the render camera.
// They are the same until the overlay `freeze` is on.
//
// Typical use, with a current context:
//     viewer_create(&viewer, &options, message, sizeof message);
//     viewer_frame(&viewer, &input, seconds);      // then read or show viewer.draw.target
#ifndef ACRE_TOOLS_VIEWER_H
#define ACRE_TOOLS_VIEWER_H

#include "samples.h"
#include "view_cells.h"
#include "view_city_draw.h"
#include "view_figures.h"
#include "view_hud.h"
#include "view_options.h"
#include "view_overlays.h"

#include <acre/explain.h>

#define LEAST_TEXT_SCALE 0.5f
#define MOST_TEXT_SCALE 4.0f
#define VIEWER_TOUR_SPEED 20.0 // frames of the flight a second

// Who steers the render camera.
typedef enum view_steering {
    STEERING_TOUR,  // the flight through the scene
    STEERING_FLY,   // W A S D Q E and the mouse
    STEERING_ORBIT, // the mouse turns around a place, the wheel comes nearer
    STEERING_DRIVE, // behind a car
    STEERING_COUNT_
} view_steering;

// What was clicked.
typedef struct view_picked {
    acre_entity entity; // null: nothing
    acre_explanation why;
} view_picked;

typedef struct viewer {
    view_options options;
    renderer draw;
    sheet sheet;
    stage stage;
    view_marks marks;
    view_scans scans;
    view_graphs graphs;
    view_figures figures;
    view_city city; // where no sample was asked for at the start
    bool has_city;
    float text_scale;                  // pixels of the picture for a pixel of its flat texts
    float covered_left, covered_below; // of the same pixels, what something covers at an edge
    const view_sample *sample;         // NULL: the city
    void *sample_state;
    int sample_number, chosen_sample; // 0: the city
    const char *sample_names[32];
    view_camera render, culling;
    acre_camera render_camera, culling_camera; // of this frame
    int steering, method;
    int cars, shown_cars;
    int workers, most_workers; // that the library divides its work among, in the city
    int cell_colors;           // see view_cells.h
    float orbit_target[3], orbit_distance;
    bool is_on[OVERLAY_COUNT_];
    bool is_frozen; // the culling camera is where it was when `freeze` was switched on
    bool is_paused, is_step_wanted, is_help_shown;
    bool has_input;      // a person moves the mouse
    bool is_mouse_taken; // by the panel
    bool is_software;    // a processor draws, no graphics card
    view_picked picked;
    double tour;   // frames of the flight
    float clock;   // seconds of all frames
    float pending; // seconds of the world that were not stepped yet
    double draw_milliseconds;
    uint64_t frame;
    uint32_t dropped_slot;  // see view_city_question; UINT32_MAX: none
    bool is_everything;     // draw without culling, to compare
    char opened_path[1024]; // of viewer_open_file
    char note[256];         // told in the picture, for note_frames more
    int note_frames;
    char caption[192]; // over the picture; "": none
    char message[256]; // why viewer_frame failed
} viewer;

bool viewer_create(viewer *out, const view_options *options, char *message, size_t message_size);
void viewer_free(viewer *v);

// Moves the world, asks, draws. input: NULL for none. Returns false with v->message set.
bool viewer_frame(viewer *v, const surface_input *input, float seconds);

// Moves the world and asks, as a frame does, but draws nothing: so that a picture has something to
// tell of the frames before it. Samples do nothing. Returns false with v->message set.
bool viewer_warm(viewer *v, float seconds);

// A key went down: overlays, who steers, the next sample and the like. Keys are those of
// surface_input; unknown ones do nothing.
void viewer_press(viewer *v, int key);

// Leaves the scene and reads another file. Where it cannot be read, the first sample starts and a
// note in the picture says why. Returns false where memory is short.
bool viewer_open_file(viewer *v, const char *path);

// The same without moving: draws this frame once more, from the same places.
bool viewer_draw_again(viewer *v);

#endif
