// SPDX-License-Identifier: MIT
// box_generator.c - boxes and frusta that are rich in ties, and ordinary ones between them.
#include "box_generator.h"

#include <float.h>
#include <math.h>
#include <string.h>

float nudge(float value, int steps)
{
    const float goal = steps < 0 ? -INFINITY : INFINITY;
    for (int i = steps < 0 ? -steps : steps; i > 0; i--) {
        value = nextafterf(value, goal);
    }
    return value;
}

// 0 half of the time, else -2 .. 2.
static int few_steps(test_random *random)
{
    const int steps = (int)random_below(random, 10) - 5;
    return steps < -2 || steps > 2 ? 0 : steps;
}

static float signed_power_of_two(test_random *random, int low, int high)
{
    const int exponent = low + (int)random_below(random, (uint32_t)(high - low + 1));
    const float power = ldexpf(1.0f, exponent);
    return random_below(random, 2) ? power : -power;
}

static float random_cell_size(test_random *random, const box_world *world)
{
    return ldexpf(world->cell_size, (int)random_below(random, 7));
}

// A line between cells of that size, in the world or a little outside it.
static float random_line(test_random *random, const box_world *world, int axis, float cell)
{
    const float lines = 2.0f * world->half_size / cell;
    const float range = lines < 1048576.0f ? lines + 4.0f : 1048576.0f;
    const float steps = floorf(random_float(random, -0.5f * range, 0.5f * range));
    const float first = floorf(world->center[axis] / cell) * cell;
    return first + steps * cell;
}

// Orders floats by sign and magnitude of their bits: a float mode that reads denormals as zero
// makes no difference.
static int32_t order_of(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? -(bits & INT32_MAX) : bits;
}

static void set_interval(acre_aabb *box, int axis, float a, float b)
{
    box->min[axis] = order_of(a) <= order_of(b) ? a : b;
    box->max[axis] = order_of(a) <= order_of(b) ? b : a;
}

// No call here has two random draws among its arguments: compilers differ in their order.

// Towns: one of eight places, most boxes near it. Sizes from a hundredth of a cell to the world.
static void ordinary_interval(test_random *random, const box_world *world, int axis, uint32_t place,
                              acre_aabb *box)
{
    const int ground = axis == 0 ? 0 : 1;
    test_random town = {place * 2654435761u + (uint32_t)axis};
    const float home = random_float(&town, -0.8f, 0.8f) * world->half_size;
    const float reach = world->half_size * (random_below(random, 4) ? 0.05f : 0.6f);
    const float center = world->center[ground] + home + random_float(random, -reach, reach);
    const float shrink = random_float(random, 0.02f, 1.0f);
    const float large = random_below(random, 24) == 0 ? world->half_size : 4.0f * world->cell_size;
    const float half = 0.5f * large * shrink * shrink;
    set_interval(box, axis, center - half, center + half);
}

static void tie_interval(test_random *random, const box_world *world, int axis, acre_aabb *box)
{
    const float cell = random_cell_size(random, world);
    const float line = random_line(random, world, axis == 0 ? 0 : 1, cell);
    const float extent = ldexpf(cell, (int)random_below(random, 5) - 3);
    const float shift = random_below(random, 3) ? 0.0f : extent;
    const float low = nudge(line - shift, few_steps(random));
    set_interval(box, axis, low, nudge(line + extent, few_steps(random)));
}

// Cell [line, line + cell): loose border at line - cell/2 and line + 3/2 cell. The box reaches from
// there as far as its center is still in the cell.
static void loose_interval(test_random *random, const box_world *world, int axis, acre_aabb *box)
{
    const float cell = random_cell_size(random, world);
    const float line = random_line(random, world, axis == 0 ? 0 : 1, cell);
    const bool is_left = random_below(random, 2) == 0;
    const float border = is_left ? line - 0.5f * cell : line + 1.5f * cell;
    const float first = nudge(border, few_steps(random));
    set_interval(box, axis, first, nudge(line + 0.5f * cell, few_steps(random)));
}

static void power_interval(test_random *random, const box_world *world, int axis, acre_aabb *box)
{
    const int high = ilogbf(world->half_size) + 2;
    const float first = signed_power_of_two(random, high - 14, high);
    const float second = signed_power_of_two(random, high - 14, high);
    const float a = nudge(first, few_steps(random));
    const float b = nudge(second, few_steps(random));
    set_interval(box, axis, a, random_below(random, 2) ? b : 2.0f * a);
}

static void coincident_interval(test_random *random, const box_world *world, int axis,
                                uint32_t place, acre_aabb *box)
{
    const float at = world->center[axis == 0 ? 0 : 1] + (float)(place % 3) * world->cell_size;
    const float half = random_below(random, 2)
                           ? 0.25f * world->cell_size
                           : ldexpf(world->cell_size, (int)random_below(random, 12) - 6);
    set_interval(box, axis, at - half, at + half);
}

static void tiny_interval(test_random *random, int axis, acre_aabb *box)
{
    static const float values[] = {0.0f,   -0.0f,   1e-45f,  -1e-45f,
                                   1e-40f, -1e-40f, FLT_MIN, -FLT_MIN};
    const float a = values[random_below(random, 8)];
    const float b = values[random_below(random, 8)];
    set_interval(box, axis, a, b);
}

static void huge_interval(test_random *random, const box_world *world, int axis, acre_aabb *box)
{
    const int exponent = (int)random_below(random, 40);
    const float far = fminf(ldexpf(world->half_size, exponent), 0.25f * FLT_MAX);
    const float a = random_below(random, 16) ? random_float(random, -1.0f, 1.0f) * far : FLT_MAX;
    const float extent = random_below(random, 2) ? world->cell_size : far;
    set_interval(box, axis, random_below(random, 2) ? a : -a, a + extent);
}

static void infinite_interval(test_random *random, int axis, acre_aabb *box)
{
    switch (random_below(random, 6)) {
    case 0:
        set_interval(box, axis, -INFINITY, INFINITY);
        break;
    case 1:
        box->min[axis] = -INFINITY;
        break;
    case 2:
        box->max[axis] = INFINITY;
        break;
    case 3:
        set_interval(box, axis, INFINITY, INFINITY);
        break;
    case 4:
        set_interval(box, axis, -INFINITY, -INFINITY);
        break;
    default:
        break; // finite on this axis
    }
}

// Heights are a world of their own: the tree does not divide them.
static void set_height(test_random *random, const box_world *world, acre_aabb *box)
{
    const float unit = 4.0f * world->cell_size;
    const float base = random_below(random, 4) ? 0.0f : random_float(random, -unit, unit);
    const float height = random_below(random, 8) ? random_float(random, 0.0f, unit) : 0.0f;
    set_interval(box, 1, base, base + height);
}

static void set_axis(test_random *random, const box_world *world, box_kind kind, uint32_t place,
                     int axis, acre_aabb *box)
{
    switch (kind) {
    case BOX_CELL_TIE:
        tie_interval(random, world, axis, box);
        break;
    case BOX_LOOSE_BORDER:
        loose_interval(random, world, axis, box);
        break;
    case BOX_POWER_OF_TWO:
        power_interval(random, world, axis, box);
        break;
    case BOX_COINCIDENT:
        coincident_interval(random, world, axis, place, box);
        break;
    case BOX_POINT:
        tie_interval(random, world, axis, box);
        box->max[axis] = box->min[axis];
        break;
    case BOX_TINY:
        tiny_interval(random, axis, box);
        break;
    case BOX_HUGE:
        huge_interval(random, world, axis, box);
        break;
    default:
        ordinary_interval(random, world, axis, place, box);
        break;
    }
}

static void make_invalid(test_random *random, acre_aabb *box)
{
    const int axis = (int)random_below(random, 3);
    switch (random_below(random, 3)) {
    case 0:
        box->min[axis] = NAN;
        break;
    case 1:
        box->max[axis] = -NAN;
        break;
    default:
        box->max[axis] = isinf(box->min[axis]) ? 0.0f : box->min[axis];
        box->min[axis] = nudge(box->max[axis], 1);
        break;
    }
}

// In a world near FLT_MAX sums overflow and differences become NaN.
static float without_nan(float value)
{
    return isnan(value) ? 0.0f : value;
}

acre_aabb box_of_kind(test_random *random, const box_world *world, box_kind kind)
{
    acre_aabb box;
    const uint32_t place = random_below(random, 8);
    set_height(random, world, &box);
    set_axis(random, world, kind, place, 0, &box);
    // One in eight has an ordinary second axis, so that kinds meet each other.
    const box_kind second = random_below(random, 8) ? kind : BOX_ORDINARY;
    set_axis(random, world, second, place, 2, &box);
    if (kind == BOX_INFINITE) {
        for (int axis = 0; axis < 3; axis++) {
            infinite_interval(random, axis, &box);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        set_interval(&box, axis, without_nan(box.min[axis]), without_nan(box.max[axis]));
    }
    if (kind == BOX_INVALID) {
        make_invalid(random, &box);
    }
    return box;
}

acre_aabb box_valid(test_random *random, const box_world *world)
{
    static const uint8_t kinds[32] = {
        BOX_ORDINARY,     BOX_ORDINARY,     BOX_ORDINARY,     BOX_ORDINARY,     BOX_ORDINARY,
        BOX_ORDINARY,     BOX_ORDINARY,     BOX_ORDINARY,     BOX_ORDINARY,     BOX_ORDINARY,
        BOX_ORDINARY,     BOX_ORDINARY,     BOX_CELL_TIE,     BOX_CELL_TIE,     BOX_CELL_TIE,
        BOX_CELL_TIE,     BOX_CELL_TIE,     BOX_LOOSE_BORDER, BOX_LOOSE_BORDER, BOX_LOOSE_BORDER,
        BOX_LOOSE_BORDER, BOX_LOOSE_BORDER, BOX_POWER_OF_TWO, BOX_POWER_OF_TWO, BOX_COINCIDENT,
        BOX_COINCIDENT,   BOX_COINCIDENT,   BOX_POINT,        BOX_POINT,        BOX_TINY,
        BOX_HUGE,         BOX_INFINITE};
    return box_of_kind(random, world, (box_kind)kinds[random_below(random, 32)]);
}

acre_aabb box_any(test_random *random, const box_world *world)
{
    return random_below(random, 32) ? box_valid(random, world)
                                    : box_of_kind(random, world, BOX_INVALID);
}

acre_aabb box_moved(test_random *random, const box_world *world, const acre_aabb *box)
{
    acre_aabb moved = *box;
    for (int axis = 0; axis < 3; axis++) {
        float step = random_float(random, -0.3f, 0.3f) * world->cell_size;
        if (random_below(random, 4) == 0) {
            step = random_below(random, 2) ? world->cell_size : -world->cell_size;
        }
        if (axis == 1) {
            step *= 0.1f;
        }
        // The second nudge keeps an edge's tie broken by at most one float.
        const int steps = random_below(random, 4) ? 0 : few_steps(random);
        const float low = nudge(box->min[axis] + step, steps);
        set_interval(&moved, axis, low, box->max[axis] + step);
    }
    return moved;
}

static void add_plane(acre_frustum *frustum, const float *normal, const float *point)
{
    float *const plane = frustum->planes[frustum->plane_count++];
    float d = 0.0f;
    for (int i = 0; i < 3; i++) {
        plane[i] = normal[i];
        d -= normal[i] * point[i];
    }
    plane[3] = d;
}

static void cross(const float *a, const float *b, float *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalise(float *v)
{
    const float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3 && length > 0.0f; i++) {
        v[i] /= length;
    }
}

acre_frustum frustum_camera(const float *eye, const float *target, float half_width,
                            float half_height, float near_distance, float far_distance)
{
    float forward[3], right[3], up[3], near_point[3], far_point[3];
    for (int i = 0; i < 3; i++) {
        forward[i] = target[i] - eye[i];
    }
    normalise(forward);
    const bool is_vertical = forward[0] == 0.0f && forward[2] == 0.0f;
    const float helper[3] = {0.0f, is_vertical ? 0.0f : 1.0f, is_vertical ? 1.0f : 0.0f};
    cross(forward, helper, right);
    normalise(right);
    cross(right, forward, up);
    acre_frustum frustum = {.plane_count = 0};
    for (int side = 0; side < 4; side++) {
        // Inward: towards the axis by one, forward by the half-opening.
        const float *const across = side < 2 ? right : up;
        const float opening = side < 2 ? half_width : half_height;
        const float sign = side & 1 ? -1.0f : 1.0f;
        float normal[3];
        for (int i = 0; i < 3; i++) {
            normal[i] = sign * across[i] + opening * forward[i];
        }
        normalise(normal);
        add_plane(&frustum, normal, eye);
    }
    const float backward[3] = {-forward[0], -forward[1], -forward[2]};
    for (int i = 0; i < 3; i++) {
        near_point[i] = eye[i] + near_distance * forward[i];
        far_point[i] = eye[i] + far_distance * forward[i];
    }
    add_plane(&frustum, forward, near_point);
    add_plane(&frustum, backward, far_point);
    return frustum;
}

acre_frustum frustum_of_box(const acre_aabb *box)
{
    acre_frustum frustum = {.plane_count = 0};
    for (int axis = 0; axis < 3; axis++) {
        float normal[3] = {0.0f, 0.0f, 0.0f};
        normal[axis] = 1.0f;
        add_plane(&frustum, normal, box->min);
        normal[axis] = -1.0f;
        add_plane(&frustum, normal, box->max);
    }
    return frustum;
}

static acre_frustum random_camera(test_random *random, const box_world *world)
{
    float eye[3], target[3];
    const float height = random_below(random, 2) ? world->cell_size : world->half_size;
    for (int i = 0; i < 3; i++) {
        const float reach = i == 1 ? height : world->half_size;
        const float middle = i == 1 ? height : world->center[i / 2];
        eye[i] = middle + random_float(random, -1.0f, 1.0f) * reach;
        target[i] = middle + random_float(random, -1.0f, 1.0f) * reach;
    }
    if (random_below(random, 4) == 0) { // straight down, as maps are seen
        target[0] = eye[0];
        target[1] = eye[1] - world->half_size;
        target[2] = eye[2];
    }
    const float half_width = random_float(random, 0.1f, 1.5f);
    const float half_height = random_float(random, 0.1f, 1.0f);
    const float far_distance = world->half_size * random_float(random, 0.1f, 3.0f);
    return frustum_camera(eye, target, half_width, half_height, 0.01f * world->cell_size,
                          far_distance);
}

static acre_frustum random_planes(test_random *random, const box_world *world)
{
    acre_frustum frustum = {.plane_count = 0};
    const uint32_t count = random_below(random, ACRE_FRUSTUM_MAX_PLANES + 1);
    while (frustum.plane_count < count) {
        float normal[3], point[3];
        for (int i = 0; i < 3; i++) {
            const float middle = i == 1 ? 0.0f : world->center[i / 2];
            normal[i] = random_below(random, 4) ? random_float(random, -1.0f, 1.0f) : 0.0f;
            point[i] = middle + random_float(random, -1.0f, 1.0f) * world->half_size;
        }
        // Most planes keep the middle of the world, or else sixteen of them would leave nothing.
        const float to_middle = normal[0] * (world->center[0] - point[0]) - normal[1] * point[1] +
                                normal[2] * (world->center[1] - point[2]);
        if (to_middle < 0.0f && random_below(random, 8)) {
            for (int i = 0; i < 3; i++) {
                normal[i] = -normal[i];
            }
        }
        add_plane(&frustum, normal, point);
    }
    return frustum;
}

static acre_frustum aligned_planes(test_random *random, const box_world *world)
{
    acre_aabb box = box_of_kind(random, world, BOX_CELL_TIE);
    const acre_aabb other = box_of_kind(random, world, BOX_CELL_TIE);
    box = acre_aabb_merge(&box, &other);
    return frustum_of_box(&box);
}

acre_frustum frustum_valid(test_random *random, const box_world *world)
{
    const uint32_t kind = random_below(random, 4);
    acre_frustum frustum = kind == 0   ? random_planes(random, world)
                           : kind == 1 ? aligned_planes(random, world)
                                       : random_camera(random, world);
    for (uint32_t i = 0; i < frustum.plane_count; i++) {
        for (int k = 0; k < 4; k++) {
            frustum.planes[i][k] = without_nan(frustum.planes[i][k]);
        }
    }
    return frustum;
}

acre_frustum frustum_any(test_random *random, const box_world *world)
{
    acre_frustum frustum = frustum_valid(random, world);
    if (random_below(random, 16)) {
        return frustum;
    }
    static const float odd[] = {NAN, INFINITY, -INFINITY, 0.0f, -0.0f, FLT_MAX, -FLT_MAX, 1e-45f};
    if (random_below(random, 4) == 0) {
        frustum.plane_count = 17 + random_below(random, 3); // read as 16: all others are zero
    }
    for (uint32_t changes = 1 + random_below(random, 4); changes > 0; changes--) {
        const uint32_t plane = random_below(random, ACRE_FRUSTUM_MAX_PLANES);
        const uint32_t part = random_below(random, 4);
        frustum.planes[plane][part] = odd[random_below(random, 8)];
    }
    return frustum;
}
