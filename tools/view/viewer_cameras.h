// SPDX-License-Identifier: MIT
// viewer_cameras.h - where a viewer's cameras are in a frame.
#ifndef ACRE_TOOLS_VIEWER_CAMERAS_H
#define ACRE_TOOLS_VIEWER_CAMERAS_H

#include "viewer.h"

// Moves the render camera as it is steered.
void viewer_steer(viewer *v, const surface_input *input, float seconds);

// Where the flight is in frame v->tour.
view_camera viewer_tour_camera(const viewer *v);

// Freezes the culling camera where it is and steps back, so that its frustum fills the picture.
void viewer_freeze(viewer *v);

// Makes both cameras' matrices. Returns false for a place too far out for floats.
bool viewer_place_cameras(viewer *v);

// Where the mouse points to on the ground, for samples, and what it clicked in the city.
void viewer_point(viewer *v, const surface_input *input);

#endif
