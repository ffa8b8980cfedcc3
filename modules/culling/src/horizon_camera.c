// SPDX-License-Identifier: MIT
// horizon_camera.c - begins a horizon at a camera's eye.
#include "view_rules_internal.h"

#include <acre/culling.h>
#include <acre/horizon.h>

#include <math.h>

// A share of the largest coordinate: corners and eye are rounded to floats.
#define CORNER_SHARE 0x1p-22

// Whether all lines of the picture meet where the view has its eye: not in a parallel projection,
// nor in one that moves the eye.
static bool projects_from_eye(const acre_camera *camera)
{
    const float *const p = camera->projection;
    return p[3] == 0.0f && p[7] == 0.0f && p[11] != 0.0f && p[12] == 0.0f && p[13] == 0.0f &&
           p[15] == 0.0f;
}

// The distance from the eye to a corner of the picture on the near plane. INFINITY: that is not
// ahead of the eye.
static double corner_distance(const acre_camera *camera, const float *eye, int corner)
{
    acre_ray ray;
    if (ACRE_UNTOLD(acre_camera_ray(camera, (float)(corner & 1), (float)(corner >> 1), &ray)) !=
        ACRE_OK) {
        return (double)INFINITY;
    }
    double square = 0, largest = 0;
    for (int k = 0; k < 3; k++) {
        const double to_corner = (double)ray.origin[k] - (double)eye[k];
        square += to_corner * to_corner;
        largest = fmax(largest, fmax(fabs((double)ray.origin[k]), fabs((double)eye[k])));
    }
    return sqrt(square) + CORNER_SHARE * largest;
}

acre_result acre_horizon_begin_camera(acre_horizon *horizon, const acre_camera *camera,
                                      const float *region)
{
    static const float nowhere[3] = {2e12f, 0, 0}; // from there nothing is hidden
    acre_view view;
    if (!horizon || acre_view_of_camera(&view, camera) != ACRE_OK) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    // What the near plane cuts away is a pyramid from the eye: none of it is farther than a corner.
    const bool has_eye = !(view.flags & ACRE_VIEW_IGNORE_RULES) && projects_from_eye(camera);
    double farthest = has_eye ? 0 : (double)INFINITY;
    for (int corner = 0; corner < 4 && farthest < (double)INFINITY; corner++) {
        farthest = fmax(farthest, corner_distance(camera, view.eye, corner));
    }
    const float near_radius = float_round_up(farthest);
    return float_is_finite(near_radius) ? acre_horizon_begin(horizon, view.eye, region, near_radius)
                                        : acre_horizon_begin(horizon, nowhere, region, 0);
}
