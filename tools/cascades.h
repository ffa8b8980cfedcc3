// SPDX-License-Identifier: MIT
// cascades.h - shadow cascades: a camera's view cut into slices, and a light camera around each.
//
// Words used here:
//     slice     the part of the view between two distances
//     cascade   an orthographic camera that looks along the light and holds a slice and whatever
//               may throw a shadow into it
//     texel     a cascade's width / resolution; cascades move by whole texels, so that shadows do
//               not shimmer
//
// Typical use:
//     cascade cascades[CASCADE_COUNT];
//     cascades_fit(&def, &pose, cascades);
//     acre_culling_query(culling, &cascades[i].camera, slots, capacity);
//
// Threading: pure functions.
#ifndef ACRE_TOOLS_CASCADES_H
#define ACRE_TOOLS_CASCADES_H

#include "view.h"

#include <acre/camera.h>

#define CASCADE_COUNT 4

typedef struct cascades_def {
    float light[3];        // the way the light shines; any length > 0
    float distance;        // shadows end here, metres from the camera; at most its far distance
    float caster_distance; // how far towards the light something may stand and still throw a
                           // shadow, metres from the slice
    float log_share;       // split distances: 0 uniform .. 1 logarithmic
    uint32_t resolution;   // texels across a shadow map, > 0
} cascades_def;

typedef struct cascade {
    acre_camera camera;
    float near_distance, far_distance; // its slice of the view
    float half_width;                  // of its volume, metres
    float texel;                       // metres
} cascade;

// The split distances: out[0] = near .. out[CASCADE_COUNT] = distance (Zhang and others 2006).
void cascades_split(const cascades_def *def, const view_pose *pose, float *out);

// The eight corners of the view between two distances: near left-bottom, right-bottom, right-top,
// left-top, then the same far ones.
void cascades_slice(const view_pose *pose, float near_distance, float far_distance,
                    float corners[8][3]);

// A cascade's size depends on the lens alone, not on where the camera looks.
// Returns ACRE_OK, or ACRE_ERROR_INVALID_ARGUMENT if the light has no direction or a number makes
// no volume; *out is then undefined.
acre_result cascades_fit(const cascades_def *def, const view_pose *pose,
                         cascade out[CASCADE_COUNT]);

#endif
