// SPDX-License-Identifier: MIT
// view_camera.h - a camera that a person steers: where it stands, where it looks.
#ifndef ACRE_TOOLS_VIEW_CAMERA_H
#define ACRE_TOOLS_VIEW_CAMERA_H

#include "surface.h"
#include "view_pose.h"

#include <acre/camera.h>
#include <acre/shapes.h>

#define VIEW_NEAR 0.4f // meters
#define VIEW_FAR 5000.0f

typedef struct view_camera {
    float eye[3];
    float yaw, pitch; // radians; 0, 0 looks along -z; pitch is up
    float vertical_fov;
} view_camera;

// The same place and direction as a pose.
view_camera view_camera_from_pose(const view_pose *pose);

// Looks at a point from a distance.
view_camera view_camera_around(const float *target, float yaw, float pitch, float distance);

void view_camera_forward(const view_camera *camera, float *out);

// Where a camera stands, as its matrix says.
void view_camera_eye(const acre_camera *camera, float *out);

// For a picture of that width / height. Returns false for a place that is too far out for floats.
bool view_camera_make(const view_camera *camera, float aspect, acre_camera *out);

// Turns with the mouse and moves with W A S D Q E, in meters a second whatever the frame rate.
void view_camera_fly(view_camera *camera, const surface_input *input, float seconds, float speed);

#endif
