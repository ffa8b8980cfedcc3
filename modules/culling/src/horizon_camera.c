// SPDX-License-Identifier: MIT
// horizon_camera.c - begins a horizon at a camera's eye.
//
// It is paid for in each frame, also where the view stays plain: so no planes are made for it. In
// the camera's own space the eye is the origin, and a ray of the picture is (x, y, 1) s.
#include "view_rules_internal.h"

#include "clip_internal.h"
#include "vector_internal.h"

#include <acre/culling.h>
#include <acre/horizon.h>

#include <math.h>

// A share of the largest coordinate: the eye is rounded to floats, and so is what is drawn.
#define CORNER_SHARE 0x1p-22
// Terms that cancel to less than this share of them say nothing.
#define CANCELED 0x1p-20

// Whether all lines of the picture meet where the view has its eye: not in a parallel projection,
// nor in one that moves the eye.
static bool projects_from_eye(const acre_camera *camera)
{
    const float *const p = camera->projection, *const v = camera->view;
    return p[3] == 0.0f && p[7] == 0.0f && p[11] != 0.0f && p[12] == 0.0f && p[13] == 0.0f &&
           p[15] == 0.0f && v[3] == 0.0f && v[7] == 0.0f && v[11] == 0.0f && v[15] == 1.0f;
}

// A projection in doubles, and how clip x and y over the depth lead back to x and y.
typedef struct lens_back {
    double p[16];
    double x_of_x, x_of_y, y_of_x, y_of_y;
    double near_z; // what clip z is on the near plane, over the depth
} lens_back;

// @return false: the picture has no area.
static bool take_lens(lens_back *out, const acre_camera *camera)
{
    double *const p = out->p;
    for (int i = 0; i < 16; i++) {
        p[i] = (double)camera->projection[i];
    }
    const double area = p[0] * p[5] - p[1] * p[4], inverse = 1 / area;
    out->x_of_x = p[5] * inverse;
    out->x_of_y = -p[4] * inverse;
    out->y_of_x = -p[1] * inverse;
    out->y_of_y = p[0] * inverse;
    out->near_z = clip_near_depth(camera->clip) * p[11];
    return fabs(area) > CANCELED * (fabs(p[0] * p[5]) + fabs(p[1] * p[4]));
}

// The ray through a corner of the picture, from the eye to the near plane, in the camera's space.
// @return false: it does not meet that ahead of the eye.
static bool corner_of_near_plane(const lens_back *lens, int corner, double *out)
{
    const double *const p = lens->p;
    // Clip x and y are -w or w there, and w is p[11] s.
    const double right = (corner & 1 ? p[11] : -p[11]) - p[8],
                 up = (corner & 2 ? p[11] : -p[11]) - p[9];
    const double x = lens->x_of_x * right + lens->x_of_y * up,
                 y = lens->y_of_x * right + lens->y_of_y * up;
    // By how much clip z exceeds what it is on the near plane: falls s + p[14].
    const double by_x = p[2] * x, by_y = p[6] * y, falls = by_x + by_y + p[10] - lens->near_z;
    const double terms = fabs(by_x) + fabs(by_y) + fabs(p[10]) + fabs(lens->near_z);
    const double s = -p[14] / falls;
    out[0] = x * s;
    out[1] = y * s;
    out[2] = s;
    return fabs(falls) > CANCELED * terms && p[11] * s > 0;
}

// The near plane cuts a pyramid from the eye, and no point of that is farther than a corner.
// @return INFINITY or NaN: there is no such pyramid.
static double near_radius_of(const acre_camera *camera, const view_eye *from)
{
    lens_back lens;
    double most2 = 0, largest = 0;
    bool is_good = take_lens(&lens, camera);
    for (int corner = 0; corner < 4 && is_good; corner++) {
        double ray[3], square = 0;
        is_good = corner_of_near_plane(&lens, corner, ray);
        for (int k = 0; k < 3; k++) {
            const double along = dot3(from->rows[k], ray);
            square += along * along;
        }
        is_good = is_good && square < (double)INFINITY;
        most2 = square > most2 ? square : most2;
    }
    for (int k = 0; k < 3; k++) {
        const double size = fabs((double)from->eye[k]);
        largest = size > largest ? size : largest;
    }
    const double radius = is_good ? sqrt(most2) / fabs(from->determinant) : (double)INFINITY;
    return radius + CORNER_SHARE * (largest + radius);
}

acre_result acre_horizon_begin_camera(acre_horizon *horizon, const acre_camera *camera,
                                      const float *region)
{
    static const float nowhere[3] = {2e12f, 0, 0}; // from there nothing is hidden
    view_eye from;
    const bool has_eye = camera && clip_is_known(camera->clip) &&
                         floats_are_finite(camera->view, 16) &&
                         floats_are_finite(camera->projection, 16) && projects_from_eye(camera) &&
                         acre_view_find_eye(&from, camera->view);
    const float near_radius = has_eye ? float_round_up(near_radius_of(camera, &from)) : INFINITY;
    if (float_is_finite(near_radius)) {
        return acre_horizon_begin(horizon, from.eye, region, near_radius);
    }
    acre_frustum frustum;
    const acre_result result = ACRE_UNTOLD(acre_camera_frustum(camera, &frustum));
    return result == ACRE_OK ? acre_horizon_begin(horizon, nowhere, region, 0) : result;
}
