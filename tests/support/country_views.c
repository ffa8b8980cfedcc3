// SPDX-License-Identifier: MIT
// country_views.c - cameras over the country of country.h: five kinds, or shares of it in
// view.
#include "country_random.h"
#include "country.h"
#include "hull_internal.h"

#include <math.h>
#include <string.h>

#define HALF_ANGLE_TANGENT 0.577350269 // of 60 degrees from top to bottom
#define ASPECT 1.77777777

typedef struct lens {
    double right[3], up[3], forward[3], eye[3];
    double half_width, half_height; // perspective: at distance 1; else in meters
    double near_distance, far_distance;
    bool is_perspective;
} lens;

static double dot(const double *a, const double *b)
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalise(double *v)
{
    const double length = sqrt(dot(v, v));
    for (int k = 0; k < 3; k++) {
        v[k] /= length;
    }
}

// The axes of a camera that looks along `forward`; `helper` is not parallel to it.
static void turn_lens(lens *out, const double *forward, const double *helper)
{
    memcpy(out->forward, forward, sizeof out->forward);
    normalise(out->forward);
    cross(out->forward, helper, out->right);
    normalise(out->right);
    cross(out->right, out->forward, out->up);
}

// Rows of clip = projection x view for depth 0..1, column-major.
static void lens_matrix(const lens *from, double *matrix)
{
    const double range = from->far_distance - from->near_distance;
    const double eye[3] = {dot(from->right, from->eye), dot(from->up, from->eye),
                           dot(from->forward, from->eye)};
    const double depth =
        from->is_perspective ? from->far_distance / range : 1.0 / range; // z: per meter
    for (int k = 0; k < 3; k++) {
        matrix[4 * k] = from->right[k] / from->half_width;
        matrix[4 * k + 1] = from->up[k] / from->half_height;
        matrix[4 * k + 2] = from->forward[k] * depth;
        matrix[4 * k + 3] = from->is_perspective ? from->forward[k] : 0.0;
    }
    matrix[12] = -eye[0] / from->half_width;
    matrix[13] = -eye[1] / from->half_height;
    matrix[14] = -eye[2] * depth - from->near_distance * depth;
    matrix[15] = from->is_perspective ? -eye[2] : 1.0;
}

// A camera whose feet stand at a point, with a heading over the ground.
static void place_lens(view_kind kind, const float *feet, const float *heading, lens *out)
{
    static const double heights[VIEW_KIND_COUNT_] = {1.7, 80.0, 85.0, 300.0, 0.0};
    static const double distances[VIEW_KIND_COUNT_] = {1000.0, 2000.0, 400.0, 600.0, 0.0};
    static const double up[3] = {0.0, 1.0, 0.0};
    const double x = (double)heading[0], z = (double)heading[1];
    *out = (lens){.eye = {(double)feet[0], (double)feet[1] + heights[kind], (double)feet[2]},
                  .half_width = HALF_ANGLE_TANGENT * ASPECT,
                  .half_height = HALF_ANGLE_TANGENT,
                  .near_distance = 0.1,
                  .far_distance = distances[kind],
                  .is_perspective = true};
    if (kind == VIEW_RTS) {
        turn_lens(out, (const double[3]){0.0, -1.0, 0.0}, (const double[3]){x, 0.0, z});
    } else if (kind == VIEW_SHADOW) {
        out->is_perspective = false;
        out->half_width = out->half_height = 100.0;
        turn_lens(out, (const double[3]){0.5 * x, -1.0, 0.5 * z}, up);
        for (int k = 0; k < 3; k++) { // the middle of the volume is on the ground
            out->eye[k] = (k == 1 ? (double)feet[1] : out->eye[k]) - 300.0 * out->forward[k];
        }
    } else {
        const double fall = kind == VIEW_AERIAL ? -0.15 : 0.0;
        turn_lens(out, (const double[3]){x, fall, z}, up);
    }
}

// Everything between two heights: straight down from above all, wider than the country and what
// moves at its border.
static void place_whole(const country *land, uint64_t *state, double bottom, double top, lens *out)
{
    const double half = (double)land->half_size;
    const double height = 600.0 + 100.0 * (double)draw_unit(state);
    *out = (lens){.eye = {0.0, top + height, 0.0},
                  .half_width = 1.1 * half + 400.0,
                  .half_height = 1.1 * half + 400.0,
                  .near_distance = 1.0,
                  .far_distance = top - bottom + height + 10.0};
    turn_lens(out, (const double[3]){0.0, -1.0, 0.0}, (const double[3]){0.0, 0.0, 1.0});
}

static bool make_view(country_view *view, const lens *camera)
{
    double matrix[16];
    lens_matrix(camera, matrix);
    const bool is_good =
        acre_frustum_from_matrix_double(&view->frustum, matrix, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK;
    view->bounds = view_bounds(&view->frustum);
    return is_good;
}

acre_aabb view_bounds(const acre_frustum *frustum)
{
    acre_frustum_hull hull;
    acre_frustum_hull_prepare(&hull, frustum);
    return hull.bounds;
}

bool view_from_eye(country_view *out, const float *eye, const float *heading, float far_distance)
{
    static const double up[3] = {0.0, 1.0, 0.0};
    lens camera = {.eye = {(double)eye[0], (double)eye[1], (double)eye[2]},
                   .half_width = HALF_ANGLE_TANGENT * ASPECT,
                   .half_height = HALF_ANGLE_TANGENT,
                   .near_distance = 0.1,
                   .far_distance = (double)far_distance,
                   .is_perspective = true};
    turn_lens(&camera, (const double[3]){(double)heading[0], 0.0, (double)heading[1]}, up);
    return make_view(out, &camera);
}

bool country_view_from(const country *land, view_kind kind, const float *feet, uint64_t *random,
                       country_view *out)
{
    lens camera;
    float heading[2];
    draw_direction(random, heading);
    if (kind == VIEW_WHOLE) {
        float bottom = INFINITY, top = -INFINITY;
        for (uint32_t item = 0; item < land->count; item++) {
            bottom = fminf(bottom, land->boxes[item].min[1]);
            top = fmaxf(top, land->boxes[item].max[1]);
        }
        place_whole(land, random, (double)bottom, (double)top, &camera);
    } else {
        place_lens(kind, feet, heading, &camera);
    }
    return make_view(out, &camera);
}

// Cameras stand where things are: most of them in towns.
static void place_lens_in(const country *land, uint64_t *state, view_kind kind, lens *out)
{
    float place[2], heading[2];
    country_next_place(land, state, place);
    draw_direction(state, heading);
    place_lens(kind, (const float[3]){place[0], 0.0f, place[1]}, heading, out);
}

bool country_make_views(country *land)
{
    uint64_t state = 0x7669657773u;
    bool is_good = true;
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        for (uint32_t i = 0; i < land->view_count; i++) {
            lens camera;
            if (kind == VIEW_WHOLE) {
                place_whole(land, &state, 0.0, 0.0, &camera);
            } else {
                place_lens_in(land, &state, (view_kind)kind, &camera);
            }
            is_good = make_view(&land->views[kind][i], &camera) && is_good;
        }
    }
    return is_good;
}

const char *view_kind_name(view_kind kind)
{
    static const char *const names[] = {"ground", "aerial", "rts", "shadow", "whole"};
    return names[kind];
}
