// SPDX-License-Identifier: MIT
// view_pose.h - where a camera stands and what its lens is: in a frame of the flight.
#ifndef ACRE_TOOLS_VIEW_POSE_H
#define ACRE_TOOLS_VIEW_POSE_H

typedef struct view_pose {
    float eye[3];
    float target[3];
    float up[3];
    float vertical_fov;                // radians
    float aspect;                      // width / height
    float near_distance, far_distance; // meters
} view_pose;

#endif
