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

#include "view_city_draw.h"
#include "sheet.h"
#include "view_camera.h"
#include "view_options.h"
#include "view_overlays.h"

// Who steers the render camera.
typedef enum view_steering {
    STEERING_TOUR, // the flight through the scene
    STEERING_FLY,  // W A S D Q E and the mouse
    STEERING_COUNT_
} view_steering;

typedef struct viewer {
    view_options options;
    renderer draw;
    sheet sheet;
    view_city city;
    view_camera render, culling;
    acre_camera render_camera, culling_camera; // of this frame
    view_steering steering;
    bool is_on[OVERLAY_COUNT_];
    bool is_paused, is_step_wanted, is_help_shown, is_everything;
    double tour;           // frames of the flight
    float pending;         // seconds of the world that were not stepped yet
    uint32_t dropped_slot; // see view_city_question; UINT32_MAX: none
    char message[256];     // why viewer_frame failed
} viewer;

bool viewer_create(viewer *out, const view_options *options, char *message, size_t message_size);
void viewer_free(viewer *v);

// Moves the world, asks, draws. input: NULL for none. Returns false with v->message set.
bool viewer_frame(viewer *v, const surface_input *input, float seconds);

// The same without moving: draws this frame once more, from the same places.
bool viewer_draw_again(viewer *v);

#endif
