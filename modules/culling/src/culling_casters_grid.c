// SPDX-License-Identifier: MIT
// culling_casters_grid.c - the grid of receivers: how far along the light each column is visible.
//
// A column is a square of (u, v) times all w. The points of a convex volume in it lie between two
// depths: each plane bounds w from below or from above by a linear function of u and v, whose least
// or most value in the square is that in its middle less or more a constant. The volume of a box
// has three such bounds on each side, that of the slice one for each plane.
//
// Levels: level 0 are the cells, each cell of level k + 1 is four of level k. A large receiver is
// marked on a coarse level, at most so many cells a side, and the marks are handed down once, cut
// by what the slice has in each cell; then each coarse cell takes the most of its four, for casters
// that are large.
#include "culling_casters_internal.h"

#include <float.h>
#include <math.h>

#define DEFAULT_RESOLUTION 64u
#define LEAST_RESOLUTION 8u
#define MOST_RESOLUTION 512u
#define MOST_LEVELS 10
// Cells along a side that a caster is compared with at most.
#define CASTER_CELLS 8u
// No depth of a volume below 2^50 is as large.
#define NO_RECEIVER (-FLT_MAX)
// A bound that bounds nothing.
#define UNBOUNDED 1e300

// Invariants, after begin:
//     1 where something of the slice is in a column, slice[0] is at most and slice[1] at least its
//       depth; elsewhere they are FLT_MAX and -FLT_MAX
//     2 a mark is NO_RECEIVER, or in slice[0]..slice[1] of its cell
//     3 with is_settled, no coarse mark is left, and most has the largest mark of level 0 in each
//       coarse cell
struct acre_receivers {
    acre_allocator allocator;
    light_space space;
    uint32_t resolution, level_count;
    size_t offsets[MOST_LEVELS + 1]; // of each level in the arrays below
    float *slice[2];                 // of each column: least and most depth of the slice
    float *marks;                    // the most depth of a receiver
    float *most;                     // of level 1 on
    double origin;                   // depths in the arrays are relative to it
    double cell[2];                  // size along u and v, level 0
    bool is_begun, is_settled, has_coarse;
};

// How deep a box is in a column: between the largest of three bounds and the smallest of three.
typedef struct box_columns {
    double low[3], high[3];        // u, v, w of the box; w relative to the origin
    double middle[3];              // of each pair of bounds, in the first column
    double extent[3];              // from there to either side
    double along_u[3], along_v[3]; // what a column more adds
    uint32_t first[2], last[2];    // columns, on the level
    uint32_t level;
} box_columns;

static size_t level_side(const acre_receivers *receivers, uint32_t level)
{
    return receivers->resolution >> level;
}

static bool allocate(acre_receivers *receivers)
{
    const size_t size = receivers->offsets[receivers->level_count] * 4 * sizeof(float);
    float *const block = acre_resize(&receivers->allocator, NULL, 0, size, 64);
    if (!block) {
        return false;
    }
    const size_t count = receivers->offsets[receivers->level_count];
    receivers->slice[0] = block;
    receivers->slice[1] = block + count;
    receivers->marks = block + 2 * count;
    receivers->most = block + 3 * count;
    return true;
}

acre_result acre_receivers_create(const acre_receivers_def *def, acre_receivers **out)
{
    const acre_receivers_def defaults = {0};
    const acre_allocator heap = {NULL, NULL};
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = NULL;
    def = def ? def : &defaults;
    const uint32_t resolution = def->resolution ? def->resolution : DEFAULT_RESOLUTION;
    if (resolution < LEAST_RESOLUTION || resolution > MOST_RESOLUTION ||
        (resolution & (resolution - 1)) != 0) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_allocator allocator = def->allocator ? *def->allocator : heap;
    acre_receivers *const receivers =
        acre_resize(&allocator, NULL, 0, sizeof *receivers, _Alignof(acre_receivers));
    if (!receivers) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    *receivers = (acre_receivers){.allocator = allocator, .resolution = resolution};
    size_t total = 0;
    for (size_t side = resolution; side > 0; side /= 2) {
        receivers->offsets[receivers->level_count++] = total;
        total += side * side;
    }
    receivers->offsets[receivers->level_count] = total;
    if (!allocate(receivers)) {
        (void)acre_resize(&allocator, receivers, sizeof *receivers, 0, _Alignof(acre_receivers));
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    *out = receivers;
    return ACRE_OK;
}

void acre_receivers_destroy(acre_receivers *receivers)
{
    if (receivers) {
        const acre_allocator allocator = receivers->allocator;
        const size_t size = receivers->offsets[receivers->level_count] * 4 * sizeof(float);
        (void)acre_resize(&allocator, receivers->slice[0], size, 0, 64);
        (void)acre_resize(&allocator, receivers, sizeof *receivers, 0, _Alignof(acre_receivers));
    }
}

const light_space *acre_receivers_space(const acre_receivers *receivers)
{
    return receivers->is_begun ? &receivers->space : NULL;
}

// ---- the slice ----

// One plane's bound in a row of columns: at + x step, in the middle of each, widened by spread.
typedef struct row_bound {
    double at, step, spread;
} row_bound;

static row_bound bound_in_row(const acre_receivers *receivers, const double *plane, double scale,
                              uint32_t row)
{
    const light_space *const space = &receivers->space;
    const double u = space->rectangle[0][0] + 0.5 * receivers->cell[0];
    const double v = space->rectangle[1][0] + ((double)row + 0.5) * receivers->cell[1];
    return (row_bound){
        .at = (plane[0] * u + plane[1] * v + plane[3]) * scale,
        .step = plane[0] * receivers->cell[0] * scale,
        .spread = 0.5 * fabs(scale) *
                  (fabs(plane[0]) * receivers->cell[0] + fabs(plane[1]) * receivers->cell[1])};
}

// Columns are counted as int32_t where they become doubles: vectors convert them.
static void cut_row(const acre_receivers *receivers, const double *plane, uint32_t row,
                    float *restrict least, float *restrict most)
{
    const int32_t side = (int32_t)receivers->resolution;
    if (fabs(plane[2]) <= LIGHT_PARALLEL) {
        const row_bound bound = bound_in_row(receivers, plane, 1.0, row);
        const double lean = bound.spread + LIGHT_PARALLEL * receivers->space.reach;
        for (int32_t x = 0; x < side; x++) {
            most[x] = bound.at + x * bound.step + lean < 0.0 ? NO_RECEIVER : most[x];
        }
        return;
    }
    const row_bound bound = bound_in_row(receivers, plane, -1.0 / plane[2], row);
    if (plane[2] > 0.0) {
        const double at = bound.at - bound.spread - receivers->origin;
        for (int32_t x = 0; x < side; x++) {
            const float depth = (float)(at + x * bound.step);
            least[x] = depth > least[x] ? depth : least[x];
        }
    } else {
        const double at = bound.at + bound.spread - receivers->origin;
        for (int32_t x = 0; x < side; x++) {
            const float depth = (float)(at + x * bound.step);
            most[x] = depth < most[x] ? depth : most[x];
        }
    }
}

static void fill_row(const acre_receivers *receivers, uint32_t row)
{
    const light_space *const space = &receivers->space;
    const uint32_t side = receivers->resolution;
    float *const least = receivers->slice[0] + (size_t)row * side;
    float *const most = receivers->slice[1] + (size_t)row * side;
    for (uint32_t x = 0; x < side; x++) {
        least[x] = (float)(space->depth[0] - receivers->origin);
        most[x] = space->is_empty ? NO_RECEIVER : (float)(space->depth[1] - receivers->origin);
    }
    for (uint32_t i = 0; i < space->plane_count; i++) {
        cut_row(receivers, space->planes[i], row, least, most);
    }
    for (uint32_t x = 0; x < side; x++) {
        if (least[x] > most[x]) {
            least[x] = FLT_MAX;
            most[x] = NO_RECEIVER;
        }
    }
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

// The most of four cells for each cell of a level.
static void gather_most(const acre_receivers *receivers, const float *from, float *to,
                        uint32_t level)
{
    const size_t side = level_side(receivers, level);
    for (size_t y = 0; y < side; y++) {
        const float *const above = from + 4 * y * side, *const below = above + 2 * side;
        for (size_t x = 0; x < side; x++) {
            to[y * side + x] = larger(larger(above[2 * x], above[2 * x + 1]),
                                      larger(below[2 * x], below[2 * x + 1]));
        }
    }
}

static void gather_least(const acre_receivers *receivers, const float *from, float *to,
                         uint32_t level)
{
    const size_t side = level_side(receivers, level);
    for (size_t y = 0; y < side; y++) {
        const float *const above = from + 4 * y * side, *const below = above + 2 * side;
        for (size_t x = 0; x < side; x++) {
            to[y * side + x] = smaller(smaller(above[2 * x], above[2 * x + 1]),
                                       smaller(below[2 * x], below[2 * x + 1]));
        }
    }
}

static void forget_marks(acre_receivers *receivers, uint32_t from_level)
{
    const size_t end = receivers->offsets[receivers->level_count];
    for (size_t i = receivers->offsets[from_level]; i < end; i++) {
        receivers->marks[i] = NO_RECEIVER;
    }
}

acre_result acre_receivers_begin(acre_receivers *receivers, const acre_cascade *cascade)
{
    light_space space;
    if (!receivers || acre_light_space_make(&space, cascade) != ACRE_OK) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    receivers->space = space;
    receivers->origin = 0.5 * (space.depth[0] + space.depth[1]);
    for (int k = 0; k < 2; k++) {
        receivers->cell[k] =
            (space.rectangle[k][1] - space.rectangle[k][0]) / (double)receivers->resolution;
    }
    for (uint32_t row = 0; row < receivers->resolution; row++) {
        fill_row(receivers, row);
    }
    for (uint32_t level = 1; level < receivers->level_count; level++) {
        const size_t from = receivers->offsets[level - 1], to = receivers->offsets[level];
        gather_least(receivers, receivers->slice[0] + from, receivers->slice[0] + to, level);
        gather_most(receivers, receivers->slice[1] + from, receivers->slice[1] + to, level);
    }
    forget_marks(receivers, 0);
    receivers->is_begun = true;
    receivers->is_settled = receivers->has_coarse = false;
    return ACRE_OK;
}

// ---- boxes ----

static double clamp(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

// The part of a box inside bounds, in light space. Returns false if there is none.
static bool turn_box(const acre_receivers *receivers, const acre_aabb *box, const acre_aabb *bounds,
                     double *center, double *half, box_columns *out)
{
    const light_space *const space = &receivers->space;
    for (int k = 0; k < 3; k++) {
        const float low = larger(box->min[k], bounds->min[k]);
        const float high = smaller(box->max[k], bounds->max[k]);
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

// Columns of level 0 that the box covers. Returns false if there are none.
static bool find_cells(const acre_receivers *receivers, box_columns *out)
{
    const double last = (double)(receivers->resolution - 1);
    for (int k = 0; k < 2; k++) {
        const double *const range = receivers->space.rectangle[k];
        if (out->high[k] < range[0] || out->low[k] > range[1]) {
            return false;
        }
        out->first[k] = (uint32_t)clamp((out->low[k] - range[0]) / receivers->cell[k], 0.0, last);
        out->last[k] = (uint32_t)clamp((out->high[k] - range[0]) / receivers->cell[k], 0.0, last);
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

// The three pairs of bounds: w = (center_k - u U_k - v V_k) / W_k, half_k / |W_k| to either side.
static void find_bounds(const acre_receivers *receivers, const double *center, const double *half,
                        box_columns *out)
{
    const light_space *const space = &receivers->space;
    const double size = (double)(UINT32_C(1) << out->level);
    const double cell[2] = {receivers->cell[0] * size, receivers->cell[1] * size};
    const double u = space->rectangle[0][0] + ((double)out->first[0] + 0.5) * cell[0];
    const double v = space->rectangle[1][0] + ((double)out->first[1] + 0.5) * cell[1];
    for (int k = 0; k < 3; k++) {
        const double of_u = space->axes[0][k], of_v = space->axes[1][k], of_w = space->axes[2][k];
        out->middle[k] = out->along_u[k] = out->along_v[k] = 0.0;
        out->extent[k] = UNBOUNDED;
        if (fabs(of_w) > LIGHT_PARALLEL) {
            const double spread = 0.5 * (fabs(of_u) * cell[0] + fabs(of_v) * cell[1]);
            out->middle[k] = (center[k] - u * of_u - v * of_v) / of_w - receivers->origin;
            out->extent[k] = (half[k] + spread + 4.0 * space->margin) / fabs(of_w);
            out->along_u[k] = -cell[0] * of_u / of_w;
            out->along_v[k] = -cell[1] * of_v / of_w;
        }
    }
}

// The bounds of a box in the first column of a row.
typedef struct box_row {
    double begin[3], end[3];
} box_row;

static inline box_row row_of(const box_columns *box, uint32_t y)
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

static inline double most_of(double a, double b)
{
    return a > b ? a : b;
}

static inline double least_of(double a, double b)
{
    return a < b ? a : b;
}

// Where the box begins and ends in a column, x columns after the first: nothing if begin > end.
static inline double begin_in(const box_columns *box, const box_row *row, double x)
{
    return most_of(
        most_of(box->low[2], row->begin[0] + x * box->along_u[0]),
        most_of(row->begin[1] + x * box->along_u[1], row->begin[2] + x * box->along_u[2]));
}

static inline double end_in(const box_columns *box, const box_row *row, double x)
{
    return least_of(least_of(box->high[2], row->end[0] + x * box->along_u[0]),
                    least_of(row->end[1] + x * box->along_u[1], row->end[2] + x * box->along_u[2]));
}

// Everything about a box that its columns need. Returns false if it is in none.
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

static void mark_row(const box_columns *columns, uint32_t y, const float *restrict slice_begin,
                     const float *restrict slice_end, float *restrict marks)
{
    const box_columns box = *columns;
    const box_row row = row_of(&box, y);
    const int32_t count = (int32_t)(box.last[0] - box.first[0]) + 1;
    for (int32_t x = 0; x < count; x++) {
        const float begin = (float)begin_in(&box, &row, x), end = (float)end_in(&box, &row, x);
        const bool is_in = (begin <= end) & (begin <= slice_end[x]) & (end >= slice_begin[x]);
        const float mark = is_in ? smaller(end, slice_end[x]) : NO_RECEIVER;
        marks[x] = larger(marks[x], mark);
    }
}

void acre_receivers_mark(acre_receivers *receivers, const acre_aabb *box, uint32_t at_most)
{
    box_columns columns;
    if (!lay_columns(receivers, box, &receivers->space.slice_bounds, at_most, &columns)) {
        return;
    }
    const size_t side = level_side(receivers, columns.level);
    const size_t offset = receivers->offsets[columns.level] + columns.first[0];
    for (uint32_t y = columns.first[1]; y <= columns.last[1]; y++) {
        const size_t at = offset + y * side;
        mark_row(&columns, y, receivers->slice[0] + at, receivers->slice[1] + at,
                 receivers->marks + at);
    }
    receivers->is_settled = false;
    receivers->has_coarse |= columns.level > 0;
}

// Hands the marks of a level down to the next finer one.
static void hand_down(acre_receivers *receivers, uint32_t level)
{
    const size_t side = level_side(receivers, level);
    const float *const from = receivers->marks + receivers->offsets[level];
    const size_t finer = receivers->offsets[level - 1];
    for (size_t y = 0; y < 2 * side; y++) {
        for (size_t x = 0; x < 2 * side; x++) {
            const size_t at = finer + y * 2 * side + x;
            const float mark = from[y / 2 * side + x / 2];
            if (mark >= receivers->slice[0][at]) {
                receivers->marks[at] =
                    larger(receivers->marks[at], smaller(mark, receivers->slice[1][at]));
            }
        }
    }
}

void acre_receivers_settle(acre_receivers *receivers)
{
    if (receivers->is_settled) {
        return;
    }
    if (receivers->has_coarse) {
        for (uint32_t level = receivers->level_count - 1; level > 0; level--) {
            hand_down(receivers, level);
        }
        forget_marks(receivers, 1);
        receivers->has_coarse = false;
    }
    for (uint32_t level = 1; level < receivers->level_count; level++) {
        const float *const from =
            level == 1 ? receivers->marks : receivers->most + receivers->offsets[level - 1];
        gather_most(receivers, from, receivers->most + receivers->offsets[level], level);
    }
    receivers->is_settled = true;
}

bool acre_receivers_reach(const acre_receivers *receivers, const acre_aabb *box)
{
    box_columns columns;
    if (!lay_columns(receivers, box, &receivers->space.bounds, CASTER_CELLS, &columns)) {
        return false;
    }
    const size_t side = level_side(receivers, columns.level);
    const float *const marks =
        columns.level == 0 ? receivers->marks : receivers->most + receivers->offsets[columns.level];
    const float nearest = (float)columns.low[2];
    for (uint32_t y = columns.first[1]; y <= columns.last[1]; y++) {
        const box_row row = row_of(&columns, y);
        for (uint32_t x = columns.first[0]; x <= columns.last[0]; x++) {
            const float mark = marks[y * side + x];
            if (mark >= nearest) {
                const double at = (double)(int32_t)(x - columns.first[0]);
                const double begin = begin_in(&columns, &row, at);
                if (mark >= (float)begin && begin <= end_in(&columns, &row, at)) {
                    return true;
                }
            }
        }
    }
    return false;
}

// ---- receivers that are no entities ----

acre_result acre_receivers_add_boxes(acre_receivers *receivers, const acre_aabb *boxes,
                                     size_t count)
{
    if (!receivers || !receivers->is_begun || (count > 0 && !boxes)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    acre_result result = ACRE_OK;
    for (size_t i = 0; i < count; i++) {
        if (acre_aabb_is_valid(&boxes[i])) {
            acre_receivers_mark(receivers, &boxes[i], receivers->resolution);
        } else {
            result = ACRE_ERROR_INVALID_ARGUMENT;
        }
    }
    return result;
}

acre_result acre_receivers_add_all(acre_receivers *receivers)
{
    if (!receivers || !receivers->is_begun) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    for (size_t i = 0; i < receivers->offsets[1]; i++) {
        receivers->marks[i] = receivers->slice[1][i];
    }
    receivers->is_settled = false;
    return ACRE_OK;
}

bool acre_receivers_test_aabb(acre_receivers *receivers, const acre_aabb *box)
{
    if (!receivers || !receivers->is_begun || !box) {
        return false;
    }
    acre_receivers_settle(receivers);
    return acre_frustum_test_aabb(&receivers->space.casters, box) &&
           acre_receivers_reach(receivers, box);
}
