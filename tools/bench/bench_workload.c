// SPDX-License-Identifier: MIT
// bench_workload.c - boxes of a country of towns, and views of it.
#include "bench_workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AREA_PER_BOX 168.1f            // m^2: 100,000 boxes on 4.1 km x 4.1 km
#define BOXES_PER_TOWN 2500u           // in and around it
#define TOWN_SHARE 0.7f                // of the boxes
#define TOWN_RADIUS 600.0f             // m, where its density has fallen to nothing
#define FLYING_SHARE 0.03f             // birds, drones, planes: up to FLYING_HEIGHT
#define FLYING_HEIGHT 150.0f           // m
#define LEAST_SPEED 0.5f               // m/s
#define MOST_SPEED 10.0f               // m/s
#define FRAME (1.0f / 60.0f)           // s
#define HALF_ANGLE_TANGENT 0.577350269 // of 60 degrees from top to bottom
#define ASPECT 1.77777777

// Sizes: metres, width and height, by share of the boxes. Within a class small ones are more.
typedef struct size_class {
    float share;
    float least, most;
    float height; // at most, per metre of width
} size_class;

static const size_class size_classes[] = {
    {0.50f, 0.3f, 2.0f, 2.0f},    // props, people
    {0.30f, 1.5f, 8.0f, 1.5f},    // cars, trees
    {0.18f, 6.0f, 30.0f, 1.5f},   // houses
    {0.018f, 20.0f, 80.0f, 2.0f}, // blocks
    {0.002f, 60.0f, 200.0f, 1.0f} // halls, bridges
};

// splitmix64 (Steele, Lea and Flood 2014).
static uint64_t next_bits(uint64_t *state)
{
    uint64_t bits = *state += 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

// In [0, 1): 24 bits, exact.
static float next_unit(uint64_t *state)
{
    return (float)(next_bits(state) >> 40) * 0x1p-24f;
}

// A direction on the ground, by rejection: no sine.
static void next_direction(uint64_t *state, float *out)
{
    float square;
    do {
        out[0] = 2.0f * next_unit(state) - 1.0f;
        out[1] = 2.0f * next_unit(state) - 1.0f;
        square = out[0] * out[0] + out[1] * out[1];
    } while (square > 1.0f || square < 0x1p-20f);
    const float length = sqrtf(square);
    out[0] /= length;
    out[1] /= length;
}

// Folds a coordinate back into the country.
static float fold(float value, float half_size)
{
    while (value < -half_size || value > half_size) {
        value = value < 0.0f ? -2.0f * half_size - value : 2.0f * half_size - value;
    }
    return value;
}

// The towns stand in an order of their own, each found by its number, so that there is no list.
static void town_center(const bench_workload *workload, uint32_t town, float *out)
{
    uint64_t state = 0x746f776e00000000u + town;
    for (int k = 0; k < 2; k++) {
        out[k] = (2.0f * next_unit(&state) - 1.0f) * workload->half_size;
    }
}

// In a town: three uniform numbers a direction, nearly a bell. Elsewhere: anywhere.
static void next_place(const bench_workload *workload, uint64_t *state, float *out)
{
    const uint32_t towns = workload->count / BOXES_PER_TOWN + 1;
    const bool is_in_town = next_unit(state) < TOWN_SHARE;
    const uint32_t town = (uint32_t)(next_bits(state) % towns);
    town_center(workload, town, out);
    for (int k = 0; k < 2; k++) {
        if (is_in_town) {
            float sum = next_unit(state);
            sum += next_unit(state);
            sum += next_unit(state);
            out[k] += (sum - 1.5f) * (TOWN_RADIUS / 1.5f);
        } else {
            out[k] = (2.0f * next_unit(state) - 1.0f) * workload->half_size;
        }
        out[k] = fold(out[k], workload->half_size);
    }
}

static const size_class *next_class(uint64_t *state)
{
    float rest = next_unit(state);
    size_t i = 0;
    while (i + 1 < sizeof size_classes / sizeof size_classes[0] && rest >= size_classes[i].share) {
        rest -= size_classes[i++].share;
    }
    return &size_classes[i];
}

static float next_size(uint64_t *state, float least, float most)
{
    const float u = next_unit(state);
    return least + (most - least) * (u * u);
}

static void make_box(const bench_workload *workload, uint64_t *state, acre_aabb *box)
{
    float place[2];
    next_place(workload, state, place);
    const size_class *const kind = next_class(state);
    const float width = next_size(state, kind->least, kind->most);
    const float depth = next_size(state, kind->least, kind->most);
    const float share = 0.3f + 0.7f * next_unit(state);
    const float height = fminf(share * kind->height * width, 200.0f);
    const bool flies = next_unit(state) < FLYING_SHARE;
    const float floor = flies ? FLYING_HEIGHT * next_unit(state) : 0.0f;
    *box = (acre_aabb){{place[0] - 0.5f * width, floor, place[1] - 0.5f * depth},
                       {place[0] + 0.5f * width, floor + height, place[1] + 0.5f * depth}};
}

static void make_step(uint64_t *state, float *step)
{
    next_direction(state, step);
    const float speed = LEAST_SPEED + (MOST_SPEED - LEAST_SPEED) * next_unit(state);
    step[0] *= speed * FRAME;
    step[1] *= speed * FRAME;
}

typedef struct lens {
    double right[3], up[3], forward[3], eye[3];
    double half_width, half_height; // perspective: at distance 1; else in metres
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
        from->is_perspective ? from->far_distance / range : 1.0 / range; // z: per metre
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

// The box around the eight corners, a little wider than they are, as the planes are.
static acre_aabb lens_bounds(const lens *from)
{
    acre_aabb bounds = acre_aabb_empty();
    for (int corner = 0; corner < 8; corner++) {
        const double distance = corner & 4 ? from->far_distance : from->near_distance;
        const double scale = from->is_perspective ? distance : 1.0;
        const double x = (corner & 1 ? scale : -scale) * from->half_width;
        const double y = (corner & 2 ? scale : -scale) * from->half_height;
        acre_aabb point;
        for (int k = 0; k < 3; k++) {
            const double value =
                from->eye[k] + x * from->right[k] + y * from->up[k] + distance * from->forward[k];
            const double margin = 1e-5 * (fabs(value) + from->far_distance);
            point.min[k] = (float)(value - margin);
            point.max[k] = (float)(value + margin);
        }
        bounds = acre_aabb_merge(&bounds, &point);
    }
    return bounds;
}

// Cameras stand where things are: most of them in towns.
static void place_lens(const bench_workload *workload, uint64_t *state, view_kind kind, lens *out)
{
    static const double heights[VIEW_KIND_COUNT_] = {1.7, 80.0, 85.0, 300.0, 0.0};
    static const double distances[VIEW_KIND_COUNT_] = {1000.0, 2000.0, 400.0, 600.0, 0.0};
    static const double up[3] = {0.0, 1.0, 0.0};
    float place[2], heading[2];
    next_place(workload, state, place);
    next_direction(state, heading);
    const double x = (double)heading[0], z = (double)heading[1];
    *out = (lens){.eye = {(double)place[0], heights[kind], (double)place[1]},
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
            out->eye[k] = (k == 1 ? 0.0 : out->eye[k]) - 300.0 * out->forward[k];
        }
    } else {
        const double fall = kind == VIEW_AERIAL ? -0.15 : 0.0;
        turn_lens(out, (const double[3]){x, fall, z}, up);
    }
}

// Everything: straight down from above all, wider than the country and what moves at its border.
static void place_whole(const bench_workload *workload, uint64_t *state, lens *out)
{
    const double half = (double)workload->half_size;
    const double height = 600.0 + 100.0 * (double)next_unit(state);
    *out = (lens){.eye = {0.0, height, 0.0},
                  .half_width = 1.1 * half + 400.0,
                  .half_height = 1.1 * half + 400.0,
                  .near_distance = 1.0,
                  .far_distance = height + 10.0};
    turn_lens(out, (const double[3]){0.0, -1.0, 0.0}, (const double[3]){0.0, 0.0, 1.0});
}

static bool make_view(bench_view *view, const lens *camera)
{
    double matrix[16];
    lens_matrix(camera, matrix);
    view->bounds = lens_bounds(camera);
    return acre_frustum_from_matrix_double(&view->frustum, matrix, ACRE_CLIP_ZERO_TO_ONE) ==
           ACRE_OK;
}

static bool make_views(bench_workload *workload)
{
    uint64_t state = 0x7669657773u;
    bool is_good = true;
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        for (uint32_t i = 0; i < workload->view_count; i++) {
            lens camera;
            if (kind == VIEW_WHOLE) {
                place_whole(workload, &state, &camera);
            } else {
                place_lens(workload, &state, (view_kind)kind, &camera);
            }
            is_good = make_view(&workload->views[kind][i], &camera) && is_good;
        }
    }
    return is_good;
}

// A square of this share of the country. A turned one is 1.41 times as wide at most, so that up to
// a half of the country it lies inside wherever its middle is put; larger ones are not turned.
static void place_square(const bench_workload *workload, uint64_t *state, double share, lens *out)
{
    const double half = (double)workload->half_size;
    const double side = share < 1.0 ? sqrt(share) * half : 1.1 * half + 400.0;
    float heading[2] = {0.0f, 1.0f};
    if (share < 0.5) {
        next_direction(state, heading);
    }
    const double x = (double)heading[0], z = (double)heading[1];
    const double room = half - side * (fabs(x) + fabs(z));
    *out = (lens){.half_width = side > 0.0 ? side : 1.0,
                  .half_height = side > 0.0 ? side : 1.0,
                  .near_distance = 1.0,
                  .far_distance = 1000.0};
    for (int k = 0; k < 3; k += 2) {
        const double place = 2.0 * (double)next_unit(state) - 1.0;
        out->eye[k] = room > 0.0 ? place * room : 0.0;
    }
    out->eye[1] = share > 0.0 ? 900.0 : -500.0; // from below nothing is seen of what is above
    turn_lens(out, (const double[3]){0.0, -1.0, 0.0}, (const double[3]){x, 0.0, z});
}

bool workload_look_at_shares(bench_workload *workload, const double shares[VIEW_KIND_COUNT_])
{
    uint64_t state = 0x736861726573u;
    bool is_good = true;
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        for (uint32_t i = 0; i < workload->view_count; i++) {
            lens camera;
            place_square(workload, &state, shares[kind], &camera);
            is_good = make_view(&workload->views[kind][i], &camera) && is_good;
        }
    }
    return is_good;
}

bool workload_create(bench_workload *out, uint32_t count, uint32_t view_count)
{
    *out = (bench_workload){.count = count, .view_count = view_count};
    out->half_size = 0.5f * sqrtf(AREA_PER_BOX * (float)count);
    out->boxes = calloc((size_t)count + 1, sizeof *out->boxes);
    out->steps = calloc((size_t)count + 1, sizeof *out->steps);
    out->saved_boxes = calloc((size_t)count + 1, sizeof *out->saved_boxes);
    out->saved_steps = calloc((size_t)count + 1, sizeof *out->saved_steps);
    if (!out->boxes || !out->steps || !out->saved_boxes || !out->saved_steps) {
        workload_free(out);
        return false;
    }
    uint64_t state = 0x626f786573u;
    for (uint32_t item = 0; item < count; item++) {
        make_box(out, &state, &out->boxes[item]);
        make_step(&state, out->steps[item]);
    }
    if (!make_views(out)) {
        workload_free(out);
        return false;
    }
    return true;
}

void workload_free(bench_workload *workload)
{
    free(workload->boxes);
    free(workload->steps);
    free(workload->saved_boxes);
    free(workload->saved_steps);
    workload->boxes = workload->saved_boxes = NULL;
    workload->steps = workload->saved_steps = NULL;
}

void workload_advance(bench_workload *workload, uint32_t first, uint32_t stride)
{
    for (uint32_t item = first; item < workload->count; item += stride) {
        acre_aabb *const box = &workload->boxes[item];
        float *const step = workload->steps[item];
        for (int k = 0; k < 2; k++) {
            const float middle = 0.5f * (box->min[2 * k] + box->max[2 * k]);
            if (fabsf(middle) > workload->half_size && middle * step[k] > 0.0f) {
                step[k] = -step[k];
            }
            box->min[2 * k] += step[k];
            box->max[2 * k] += step[k];
        }
    }
}

void workload_respawn(bench_workload *workload, uint32_t item, uint64_t *random)
{
    make_box(workload, random, &workload->boxes[item]);
    make_step(random, workload->steps[item]);
}

void workload_save(bench_workload *workload)
{
    memcpy(workload->saved_boxes, workload->boxes, workload->count * sizeof *workload->boxes);
    memcpy(workload->saved_steps, workload->steps, workload->count * sizeof *workload->steps);
}

void workload_restore(bench_workload *workload)
{
    memcpy(workload->boxes, workload->saved_boxes, workload->count * sizeof *workload->boxes);
    memcpy(workload->steps, workload->saved_steps, workload->count * sizeof *workload->steps);
}

const char *view_kind_name(view_kind kind)
{
    static const char *const names[] = {"ground", "aerial", "rts", "shadow", "whole"};
    return names[kind];
}

// Little-endian bytes of the bits, whatever the machine's order is.
static uint64_t hash_floats(uint64_t hash, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        for (int byte = 0; byte < 4; byte++) {
            hash = (hash ^ (bits >> (8 * byte) & 0xff)) * 0x100000001b3u;
        }
    }
    return hash;
}

uint64_t workload_hash(const bench_workload *workload)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t item = 0; item < workload->count; item++) {
        hash = hash_floats(hash, workload->boxes[item].min, 3);
        hash = hash_floats(hash, workload->boxes[item].max, 3);
        hash = hash_floats(hash, workload->steps[item], 2);
    }
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        for (uint32_t i = 0; i < workload->view_count; i++) {
            const acre_frustum *const frustum = &workload->views[kind][i].frustum;
            hash = hash_floats(hash, frustum->planes[0], 4 * (size_t)frustum->plane_count);
        }
    }
    return hash;
}
