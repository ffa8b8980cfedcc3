// SPDX-License-Identifier: MIT
// casters_boxes.c - a box in the columns of the grid: how receivers are marked there, and
// whether a caster reaches a mark.
#include "casters_internal.h"

#include "float_bits.h"

#include <math.h>

// Cells along a side that a caster is compared with at most.
#define CASTER_CELLS 8u

// The depth of a box in a column reaches from the largest of three bounds to the smallest of three.
typedef struct box_columns {
    double low[3];     // least u, v, w of the box; w relative to the origin
    double high[3];    // most u, v, w
    double middle[3];  // middle of each pair of bounds, in the first column
    double extent[3];  // distance from the middle to either bound
    double along_u[3]; // change of the middle from a column to the next one
    double along_v[3]; // change of the middle from a row to the next one
    uint32_t first[2]; // column and row of the first cell, on the level
    uint32_t last[2];  // column and row of the last cell, on the level
    uint32_t level;
} box_columns;

static double clamp_cell(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

// Turns the part of a box inside bounds into light space. Returns false if there is none.
static bool turn_box(const acre_receivers *receivers, const acre_aabb *box, const acre_aabb *bounds,
                     double *center, double *half, box_columns *out)
{
    const light_space *const space = &receivers->space;
    for (int k = 0; k < 3; k++) {
        const float low = depth_max(box->min[k], bounds->min[k]);
        const float high = depth_min(box->max[k], bounds->max[k]);
        if (low > high) {
            return false;
        }
        center[k] = 0.5 * ((double)low + (double)high);
        half[k] = 0.5 * ((double)high - (double)low);
    }
    for (int k = 0; k < 3; k++) {
        const double *const axis = space->axes[k];
        const double at = axis[0] * center[0] + axis[1] * center[1] + axis[2] * center[2] -
                          (k == 2 ? receivers->origin : 0.0);
        const double extent = fabs(axis[0]) * half[0] + fabs(axis[1]) * half[1] +
                              fabs(axis[2]) * half[2] + space->margin;
        out->low[k] = at - extent;
        out->high[k] = at + extent;
    }
    return true;
}

// Finds the cells of level 0 that the box covers. Returns false if there are none.
static bool find_cells(const acre_receivers *receivers, box_columns *out)
{
    const double last = (double)(receivers->resolution - 1);
    for (int k = 0; k < 2; k++) {
        const double *const range = receivers->space.rectangle[k];
        if (out->high[k] < range[0] || out->low[k] > range[1]) {
            return false;
        }
        const double first = (out->low[k] - range[0]) * receivers->cells_per_meter[k];
        const double end = (out->high[k] - range[0]) * receivers->cells_per_meter[k];
        out->first[k] = (uint32_t)clamp_cell(first, 0.0, last);
        out->last[k] = (uint32_t)clamp_cell(end, 0.0, last);
    }
    return true;
}

static void choose_level(const acre_receivers *receivers, uint32_t at_most, box_columns *out)
{
    const uint32_t across = out->last[0] - out->first[0], down = out->last[1] - out->first[1];
    const uint32_t most = across > down ? across : down;
    out->level = 0;
    while (most >> out->level >= at_most && out->level + 1 < receivers->level_count) {
        out->level++;
    }
    for (int k = 0; k < 2; k++) {
        out->first[k] >>= out->level;
        out->last[k] >>= out->level;
    }
}

// Computes the three pairs of bounds: w = (center_k - u U_k - v V_k) / W_k -+ half_k / |W_k|.
static void find_bounds(const acre_receivers *receivers, const double *center, const double *half,
                        box_columns *out)
{
    const light_space *const space = &receivers->space;
    const double size = (double)(int32_t)(UINT32_C(1) << out->level);
    const double first[2] = {((double)(int32_t)out->first[0] + 0.5) * size,
                             ((double)(int32_t)out->first[1] + 0.5) * size};
    for (int k = 0; k < 3; k++) {
        const double *const along = receivers->along[k];
        out->along_u[k] = size * along[0];
        out->along_v[k] = size * along[1];
        const double spread = 0.5 * (fabs(out->along_u[k]) + fabs(out->along_v[k]));
        out->middle[k] = (center[k] - receivers->corner[k]) * receivers->slope[k] +
                         first[0] * along[0] + first[1] * along[1] - receivers->origin;
        out->extent[k] = (half[k] + 4.0 * space->margin) * fabs(receivers->slope[k]) + spread +
                         receivers->unbounded[k];
    }
}

// The bounds of a box in the first column of a row.
typedef struct box_row {
    double begin[3], end[3];
} box_row;

static inline box_row box_row_at(const box_columns *box, uint32_t y)
{
    box_row row;
    for (int k = 0; k < 3; k++) {
        const double middle =
            box->middle[k] + (double)(int32_t)(y - box->first[1]) * box->along_v[k];
        row.begin[k] = middle - box->extent[k];
        row.end[k] = middle + box->extent[k];
    }
    return row;
}

// Where the box begins and ends, x columns after the first. If begin > end, it is not in the
// column.
static inline double begin_in(const box_columns *box, const box_row *row, double x)
{
    return larger_bound(
        larger_bound(box->low[2], row->begin[0] + x * box->along_u[0]),
        larger_bound(row->begin[1] + x * box->along_u[1], row->begin[2] + x * box->along_u[2]));
}

static inline double end_in(const box_columns *box, const box_row *row, double x)
{
    return smaller_bound(
        smaller_bound(box->high[2], row->end[0] + x * box->along_u[0]),
        smaller_bound(row->end[1] + x * box->along_u[1], row->end[2] + x * box->along_u[2]));
}

// Prepares a box for its columns. Returns false if it is in none.
static bool lay_columns(const acre_receivers *receivers, const acre_aabb *box,
                        const acre_aabb *bounds, uint32_t at_most, box_columns *out)
{
    double center[3], half[3];
    if (receivers->space.is_empty || !turn_box(receivers, box, bounds, center, half, out) ||
        !find_cells(receivers, out)) {
        return false;
    }
    choose_level(receivers, at_most, out);
    find_bounds(receivers, center, half, out);
    return true;
}

static void mark_box_row(const box_columns *columns, uint32_t y, const float *slice_begin,
                         const float *slice_end, float *marks)
{
    const box_columns box = *columns;
    const box_row row = box_row_at(&box, y);
    ACRE_INVARIANT(box.first[0] <= box.last[0] && box.first[1] <= y && y <= box.last[1]);
    const int32_t count = (int32_t)(box.last[0] - box.first[0]) + 1;
    for (int32_t x = 0; x < count; x++) {
        const float begin = (float)begin_in(&box, &row, x), end = (float)end_in(&box, &row, x);
        const bool is_in = (begin <= end) & (begin <= slice_end[x]) & (end >= slice_begin[x]);
        const float mark = is_in ? depth_min(end, slice_end[x]) : NO_RECEIVER;
        marks[x] = depth_max(marks[x], mark);
    }
}

void acre_receivers_mark(acre_receivers *receivers, const acre_aabb *box, uint32_t at_most)
{
    if (receivers->is_light) {
        acre_light_mark(receivers, box);
        return;
    }
    box_columns columns;
    if (!lay_columns(receivers, box, &receivers->space.slice_bounds, at_most, &columns)) {
        return;
    }
    const size_t side = level_side(receivers, columns.level);
    ACRE_INVARIANT(columns.last[0] < side && columns.last[1] < side);
    const size_t offset = receivers->offsets[columns.level] + columns.first[0];
    for (uint32_t y = columns.first[1]; y <= columns.last[1]; y++) {
        const size_t at = offset + y * side;
        mark_box_row(&columns, y, receivers->slice[0] + at, receivers->slice[1] + at,
                     receivers->marks + at);
    }
    receivers->is_settled = false;
    receivers->has_coarse |= columns.level > 0;
}

// The depth of the last receiver in the columns of a box, and beside them as far as soft edges
// fall.
static float last_receiver(const acre_receivers *receivers, const acre_aabb *box)
{
    box_columns columns;
    float last = NO_RECEIVER;
    acre_aabb around;
    for (int k = 0; k < 3; k++) {
        around.min[k] = float_round_down((double)box->min[k] - (double)receivers->filter);
        around.max[k] = float_round_up((double)box->max[k] + (double)receivers->filter);
    }
    if (!lay_columns(receivers, &around, &receivers->space.bounds, CASTER_CELLS, &columns)) {
        return last;
    }
    const size_t side = level_side(receivers, columns.level);
    ACRE_INVARIANT(receivers->is_settled);
    const float *const marks =
        columns.level == 0 ? receivers->marks : receivers->most + receivers->offsets[columns.level];
    for (uint32_t y = columns.first[1]; y <= columns.last[1]; y++) {
        for (uint32_t x = columns.first[0]; x <= columns.last[0]; x++) {
            last = depth_max(last, marks[y * side + x]);
        }
    }
    return last;
}

bool acre_receivers_reach(const acre_receivers *receivers, const acre_aabb *box)
{
    box_columns columns;
    if (!lay_columns(receivers, box, &receivers->space.bounds, CASTER_CELLS, &columns)) {
        return false;
    }
    const size_t side = level_side(receivers, columns.level);
    ACRE_INVARIANT(receivers->is_settled && columns.last[0] < side && columns.last[1] < side);
    const float *const marks =
        columns.level == 0 ? receivers->marks : receivers->most + receivers->offsets[columns.level];
    const float nearest = (float)columns.low[2];
    for (uint32_t y = columns.first[1]; y <= columns.last[1]; y++) {
        const box_row row = box_row_at(&columns, y);
        for (uint32_t x = columns.first[0]; x <= columns.last[0]; x++) {
            const float mark = marks[y * side + x];
            if (mark >= nearest) {
                const double at = (double)(int32_t)(x - columns.first[0]);
                const double begin = begin_in(&columns, &row, at);
                if (mark >= (float)begin && begin <= end_in(&columns, &row, at)) {
                    return !receivers->horizon ||
                           !acre_receivers_shadow_is_hidden(receivers, box, columns.low[2],
                                                            (double)last_receiver(receivers, box));
                }
            }
        }
    }
    return false;
}
