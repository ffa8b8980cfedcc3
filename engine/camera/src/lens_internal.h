// SPDX-License-Identifier: MIT
// lens_internal.h - the matrices of a camera taken apart: what its projection sees, and where it
// stands.
#ifndef ACRE_LENS_INTERNAL_H
#define ACRE_LENS_INTERNAL_H

#include <acre/camera.h>

#include "refusal_internal.h"

// Largest element of R R^T - I for which a view counts as a rotation and a translation.
#define RIGID_TOLERANCE 0x1p-8

// A projection in numbers. At depth d the camera sees a rectangle: its center is
// shift[] + mid[] * u, its half size half[] * u; u is d (perspective) or 1 (orthographic).
typedef struct camera_lens {
    bool is_orthographic;
    double half[2], mid[2], shift[2];
    double sign; // depth = sign * z of the camera
    double w;    // of clip space, per unit of u
    double near_distance;
    double far_distance; // INFINITY: no far plane
} camera_lens;

// Where a camera stands: world = eye + x axes[0] + y axes[1] + z axes[2].
typedef struct camera_pose {
    double eye[3];
    double axes[3][3];
    double deviation; // largest element of R R^T - I, R the view's rotation
} camera_pose;

// projection x view, 16 doubles, column-major.
void acre_camera_product(const acre_camera *camera, double *out);

// @return false for an unknown clip, for elements that are not finite, and for a projection that is
// neither perspective nor orthographic.
bool acre_read_lens(const acre_camera *camera, camera_lens *out);

// @return false for a view that is not a rotation and a translation.
bool acre_read_pose(const float *view, camera_pose *out);

#endif
