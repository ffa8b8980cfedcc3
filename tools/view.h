// SPDX-License-Identifier: MIT
// view.h - where a camera stands and what its lens is: shared by the flight and the cascades.
#ifndef ACRE_TOOLS_VIEW_H
#define ACRE_TOOLS_VIEW_H

typedef struct view_pose {
    float eye[3];
    float target[3];
    float up[3];
    float vertical_fov;                // radians
    float aspect;                      // width / height
    float near_distance, far_distance; // metres
} view_pose;

#endif
