// SPDX-License-Identifier: MIT
// occluder_heights.c - which prisms under a field of heights hide most.
//
// A block is divided into up to 8 x 8 squares of cells, and each square gets its lowest corner as
// its height. A candidate is a rectangle of squares with the lowest of their heights as its top: a
// long one along a ridge, a wide one on a plateau.
//
// What prisms hide of the land behind them is their outline against it, so candidates are
// measured by outlines: seen along x, along z and along both diagonals, how much area does this one
// add to the outline of those that were taken before? The one that adds most is taken, up to eight
// times. What is gained by taking one more only falls with what was taken, so that this greedy
// choice reaches at least 1 - 1/e of the best one.
#include <acre/occluder_heights.h>

#include "assert_internal.h"
#include "float_bits.h"
#include "occluder_internal.h"

#include <math.h>
#include <string.h>

enum {
    SIDE = 8, // squares along a block
    DIRECTIONS = 4,
    RANGES = SIDE * (SIDE + 1) / 2, // of squares along a side
    STRIPS = 2 * SIDE               // of an outline: a diagonal passes the corners of SIDE squares
};

#define BLOCK_SIZE 64.0
#define SMALLEST_SHARE (1.0f / 32) // of the first prism's gain: a smaller one is not worth asking
#define DEPTH_BELOW                                                                                \
    1.0f // of the ground under a block that counts as outline, so that flat land has one

// Corners of a block: from the first to the last, both included.
typedef struct height_range {
    uint32_t first[2], last[2]; // x, z
} height_range;

// A block's squares, and the outlines of what was taken.
typedef struct height_squares {
    float heights[SIDE][SIDE]; // [x][z]; -INFINITY: of a hole
    uint32_t count[2];
    float outlines[DIRECTIONS][STRIPS];
    float most[RANGES][RANGES]; // what a rectangle added when it was last asked: now at most that
} height_squares;

// Squares from first to end, without end.
typedef struct height_rectangle {
    uint32_t first[2], end[2];
    float top;
    float gain; // what it adds to the outlines
} height_rectangle;

// ---- the field ----

static double corner_place(const acre_height_field *field, int axis, uint32_t corner)
{
    return (double)field->origin[axis] + (double)corner * (double)field->cell;
}

// How far a corner may stand elsewhere if it was computed in floats: three roundings.
static double corner_rounding(const acre_height_field *field, int axis)
{
    const uint32_t last = (axis == 0 ? field->columns : field->rows) - 1;
    return 0x1p-22 * (fabs((double)field->origin[axis]) + (double)last * (double)field->cell);
}

static uint32_t cells_of_block(const acre_height_field *field)
{
    const double fit = BLOCK_SIZE / (double)field->cell;
    return fit < 1 ? 1 : fit < UINT32_MAX ? (uint32_t)fit : UINT32_MAX;
}

static bool field_is_valid(const acre_height_field *field)
{
    if (!field || !field->heights || field->columns < 2 || field->rows < 2 ||
        field->rows > SIZE_MAX / sizeof(float) / field->columns || !(field->cell > 0) ||
        (field->flags & ~(uint32_t)ACRE_OCCLUDER_TWO_SIDED) != 0) {
        return false;
    }
    for (int axis = 0; axis < 2; axis++) {
        const uint32_t last = (axis == 0 ? field->columns : field->rows) - 1;
        if (!(fabs(corner_place(field, axis, 0)) <= FARTHEST_OCCLUDER &&
              fabs(corner_place(field, axis, last)) <= FARTHEST_OCCLUDER &&
              (double)field->cell > 4 * corner_rounding(field, axis))) {
            return false;
        }
    }
    return true;
}

static size_t blocks_along(uint32_t corners, uint32_t cells)
{
    return ((size_t)corners - 2) / cells + 1;
}

size_t acre_height_field_block_count(const acre_height_field *field)
{
    if (!field_is_valid(field)) {
        return 0;
    }
    const uint32_t cells = cells_of_block(field);
    return blocks_along(field->columns, cells) * blocks_along(field->rows, cells);
}

static height_range corners_of_block(const acre_height_field *field, size_t block)
{
    const uint32_t cells = cells_of_block(field);
    const size_t along = blocks_along(field->columns, cells);
    const size_t at[2] = {block % along, block / along};
    height_range range;
    for (int axis = 0; axis < 2; axis++) {
        const uint32_t last = (axis == 0 ? field->columns : field->rows) - 1;
        range.first[axis] = (uint32_t)at[axis] * cells;
        const uint32_t left = last - range.first[axis];
        range.last[axis] = range.first[axis] + (left < cells ? left : cells);
        ACRE_INVARIANT(range.last[axis] > range.first[axis]);
    }
    return range;
}

static float height_at(const acre_height_field *field, uint32_t column, uint32_t row)
{
    ACRE_INVARIANT(column < field->columns && row < field->rows);
    return field->heights[(size_t)row * field->columns + column];
}

// The corner at which a square of a block begins.
static uint32_t corner_of_square(const height_range *range, const height_squares *squares, int axis,
                                 uint32_t square)
{
    const uint64_t cells = range->last[axis] - range->first[axis];
    return range->first[axis] + (uint32_t)(cells * square / squares->count[axis]);
}

// ---- squares ----

static float lowest_of_square(const acre_height_field *field, const height_range *range,
                              const height_squares *squares, uint32_t x, uint32_t z)
{
    const uint32_t last_row = corner_of_square(range, squares, 1, z + 1);
    const uint32_t last_column = corner_of_square(range, squares, 0, x + 1);
    float lowest = INFINITY;
    for (uint32_t row = corner_of_square(range, squares, 1, z); row <= last_row; row++) {
        for (uint32_t column = corner_of_square(range, squares, 0, x); column <= last_column;
             column++) {
            const float height = height_at(field, column, row);
            if (float_is_nan(height)) {
                return -INFINITY;
            }
            lowest = fminf(lowest, height);
        }
    }
    return lowest;
}

static void take_squares(height_squares *out, const acre_height_field *field,
                         const height_range *range)
{
    for (int axis = 0; axis < 2; axis++) {
        const uint32_t cells = range->last[axis] - range->first[axis];
        out->count[axis] = cells < SIDE ? cells : SIDE;
    }
    for (uint32_t x = 0; x < out->count[0]; x++) {
        for (uint32_t z = 0; z < out->count[1]; z++) {
            out->heights[x][z] = lowest_of_square(field, range, out, x, z);
        }
    }
}

static bool take_bounds(acre_aabb *out, const acre_height_field *field, const height_range *range)
{
    float low = INFINITY, high = -INFINITY;
    for (uint32_t row = range->first[1]; row <= range->last[1]; row++) {
        for (uint32_t column = range->first[0]; column <= range->last[0]; column++) {
            const float height = height_at(field, column, row);
            if (fabs((double)height) > FARTHEST_OCCLUDER) {
                return false;
            }
            low = height < low ? height : low; // NaN changes nothing
            high = height > high ? height : high;
        }
    }
    *out = (acre_aabb){{0, low, 0}, {0, high, 0}};
    for (int axis = 0; axis < 2; axis++) {
        const double rounding = corner_rounding(field, axis);
        out->min[2 * axis] =
            float_round_down(corner_place(field, axis, range->first[axis]) - rounding);
        out->max[2 * axis] =
            float_round_up(corner_place(field, axis, range->last[axis]) + rounding);
    }
    return true;
}

// ---- rectangles ----

// The strips of an outline that a rectangle covers: of x, of z, of x + z, and of x - z.
static void covered_strips(const height_rectangle *shape, int direction, uint32_t *first,
                           uint32_t *end)
{
    const uint32_t x = shape->first[0], z = shape->first[1], x_end = shape->end[0],
                   z_end = shape->end[1];
    *first = direction == 0 ? x : direction == 1 ? z : direction == 2 ? x + z : x + SIDE - z_end;
    *end = direction == 0   ? x_end
           : direction == 1 ? z_end
           : direction == 2 ? x_end + z_end
                            : x_end + SIDE - z;
    ACRE_INVARIANT(*first < *end && *end <= STRIPS);
}

// Strips of diagonals are narrower.
static float strip_width(int direction)
{
    return direction < 2 ? 1 : 0.70710678f;
}

static void clear_outlines(height_squares *squares, float base)
{
    for (int range = 0; range < RANGES * RANGES; range++) {
        squares->most[range / RANGES][range % RANGES] = INFINITY;
    }
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        for (int strip = 0; strip < STRIPS; strip++) {
            squares->outlines[direction][strip] = base;
        }
    }
}

// The area that a rectangle adds to the outlines.
static float gain_of(const height_squares *squares, const height_rectangle *shape)
{
    float gain = 0;
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        uint32_t first, end;
        covered_strips(shape, direction, &first, &end);
        for (uint32_t strip = first; strip < end; strip++) {
            const float more = shape->top - squares->outlines[direction][strip];
            gain += more > 0 ? more * strip_width(direction) : 0;
        }
    }
    return gain;
}

static uint32_t range_number(uint32_t first, uint32_t end)
{
    ACRE_INVARIANT(first < end && end <= SIDE);
    return end * (end - 1) / 2 + first;
}

// Asks all rectangles that share their columns of squares.
static void try_rows(height_squares *squares, height_rectangle shape, const float *heights,
                     height_rectangle *best)
{
    float *const most = squares->most[range_number(shape.first[0], shape.end[0])];

    for (uint32_t z = 0; z < squares->count[1]; z++) {
        shape.first[1] = z;
        shape.top = INFINITY;
        for (uint32_t end = z + 1; end <= squares->count[1]; end++) {
            shape.end[1] = end;
            shape.top = fminf(shape.top, heights[end - 1]);
            float *const known = &most[range_number(z, end)];
            if (*known > best->gain) {
                shape.gain = *known = gain_of(squares, &shape);
                *best = shape.gain > best->gain ? shape : *best;
            }
        }
    }
}

// @return the rectangle that adds most; with a gain of 0, none adds anything.
static height_rectangle find_best(height_squares *squares)
{
    height_rectangle best = {.gain = 0};
    for (uint32_t x = 0; x < squares->count[0]; x++) {
        float heights[SIDE]; // the lowest of each row
        memcpy(heights, squares->heights[x], sizeof heights);
        for (uint32_t end = x + 1; end <= squares->count[0]; end++) {
            for (uint32_t z = 0; z < squares->count[1]; z++) {
                heights[z] = fminf(heights[z], squares->heights[end - 1][z]);
            }
            try_rows(squares, (height_rectangle){.first = {x, 0}, .end = {end, 0}}, heights, &best);
        }
    }
    return best;
}

static void raise_outlines(height_squares *squares, const height_rectangle *shape)
{
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        uint32_t first, end;
        covered_strips(shape, direction, &first, &end);
        for (uint32_t strip = first; strip < end; strip++) {
            float *const outline = &squares->outlines[direction][strip];
            *outline = fmaxf(*outline, shape->top);
        }
    }
}

// A prism over a rectangle, rounded inward.
static acre_occluder prism_of(const acre_height_field *field, const height_range *range,
                              const height_squares *squares, const height_rectangle *shape)
{
    float low[2], high[2];
    for (int axis = 0; axis < 2; axis++) {
        const double rounding = corner_rounding(field, axis);
        const uint32_t first = corner_of_square(range, squares, axis, shape->first[axis]);
        const uint32_t last = corner_of_square(range, squares, axis, shape->end[axis]);
        low[axis] = float_round_up(corner_place(field, axis, first) + rounding);
        high[axis] = float_round_down(corner_place(field, axis, last) - rounding);
    }
    const acre_occluder prism = {
        .points = {{low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}},
        .point_count = 4,
        .bottom = -INFINITY,
        .top = shape->top,
        .flags = field->flags};
    ACRE_INVARIANT(acre_occluder_is_valid(&prism));
    return prism;
}

acre_result acre_occluders_from_heights(const acre_height_field *field, size_t block,
                                        acre_height_block *out)
{
    if (!out || block >= acre_height_field_block_count(field)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const height_range range = corners_of_block(field, block);
    acre_height_block made = {.occluder_count = 0};
    if (!take_bounds(&made.bounds, field, &range)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    height_squares squares;
    take_squares(&squares, field, &range);
    clear_outlines(&squares, made.bounds.min[1] - DEPTH_BELOW);
    float least = 0;
    while (made.occluder_count < ACRE_HEIGHT_BLOCK_OCCLUDERS) {
        const height_rectangle best = find_best(&squares);
        if (!(best.gain > least)) {
            break;
        }
        least = made.occluder_count == 0 ? best.gain * SMALLEST_SHARE : least;
        raise_outlines(&squares, &best);
        made.occluders[made.occluder_count++] = prism_of(field, &range, &squares, &best);
    }
    *out = made;
    return ACRE_OK;
}
