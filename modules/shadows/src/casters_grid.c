// SPDX-License-Identifier: MIT
// casters_grid.c - the grid of receivers: how far along the light each column is visible.
//
// Level 0 has the cells; a cell of level k + 1 covers four of level k. A large receiver is marked
// on a coarse level, where it covers few cells. Before the first test the coarse marks are handed
// down, limited by the slice in each cell; then each coarse cell takes the largest mark of its
// four, so that a large caster is tested on a coarse level, too.
#include "casters_internal.h"

#include <float.h>
#include <math.h>

#define DEFAULT_RESOLUTION 64u
#define LEAST_RESOLUTION 8u
#define MOST_RESOLUTION 512u

static bool allocate_levels(acre_receivers *receivers)
{
    const size_t count = receivers->offsets[receivers->level_count];
    if (!COLUMN_RESERVE(&receivers->allocator, receivers->levels, 4 * count)) {
        return false;
    }
    receivers->slice[0] = receivers->levels.data;
    receivers->slice[1] = receivers->levels.data + count;
    receivers->marks = receivers->levels.data + 2 * count;
    receivers->most = receivers->levels.data + 3 * count;
    return true;
}

static void visit_receivers(column_visitor *visitor, void *object)
{
    acre_receivers *const receivers = object;
    COLUMN_VISIT(visitor, receivers->levels);
    COLUMN_VISIT(visitor, receivers->share_marks);
}

acre_result acre_receivers_create(const acre_receivers_def *def, acre_receivers **out)
{
    const acre_receivers_def defaults = {0};
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
    acre_receivers *const receivers = acre_object_make(def->allocator, sizeof *receivers);
    if (!receivers) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    receivers->resolution = resolution;
    size_t total = 0;
    for (size_t side = resolution; side > 0; side /= 2) {
        receivers->offsets[receivers->level_count++] = total;
        total += side * side;
    }
    ACRE_INVARIANT(receivers->level_count <= MOST_LEVELS);
    receivers->offsets[receivers->level_count] = total;
    if (!allocate_levels(receivers)) {
        acre_receivers_destroy(receivers);
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    *out = receivers;
    return ACRE_OK;
}

void acre_receivers_destroy(acre_receivers *receivers)
{
    acre_object_free(receivers, sizeof *receivers, visit_receivers);
}

const light_space *acre_receivers_space(const acre_receivers *receivers)
{
    return receivers->is_begun ? &receivers->space : NULL;
}

// Share of a sum's terms that covers three roundings of floats. Where a plane is steep the terms
// and so the margin are large; across the light the margin is always a small part of the slice.
#define ROW_MARGIN 0x1p-21

// A plane's bound in a row of columns: at + x * step in the middle of column x, widened by spread.
typedef struct row_bound {
    float at, step, spread;
} row_bound;

static row_bound bound_in_row(const acre_receivers *receivers, const double *plane, double scale,
                              uint32_t row)
{
    const light_space *const space = &receivers->space;
    const double u = space->rectangle[0][0] + 0.5 * receivers->cell[0];
    const double v = space->rectangle[1][0] + ((double)row + 0.5) * receivers->cell[1];
    const double at =
        (plane[0] * u + plane[1] * v + plane[2] * receivers->origin + plane[3]) * scale;
    const double step = plane[0] * receivers->cell[0] * scale;
    const double half = 0.5 * (fabs(step) + fabs(plane[1] * receivers->cell[1] * scale));
    const double terms = fabs(at) + fabs(step) * (double)receivers->resolution + half;
    return (row_bound){(float)at, (float)step, (float)(half + ROW_MARGIN * terms)};
}

// Columns are counted as int32_t because vectors convert int32_t to float.
static void cut_row(const acre_receivers *receivers, const double *plane, uint32_t row,
                    float *least, float *most)
{
    const int32_t side = (int32_t)receivers->resolution;
    const bool is_along = fabs(plane[2]) <= LIGHT_PARALLEL;
    const row_bound bound = bound_in_row(receivers, plane, is_along ? 1.0 : -1.0 / plane[2], row);
    if (is_along) {
        const float lean = (float)(2.0 * LIGHT_PARALLEL * receivers->space.reach);
        const float at = bound.at + bound.spread + lean;
        for (int32_t x = 0; x < side; x++) {
            most[x] = at + (float)x * bound.step < 0.0f ? NO_RECEIVER : most[x];
        }
    } else if (plane[2] > 0.0) {
        const float at = bound.at - bound.spread;
        for (int32_t x = 0; x < side; x++) {
            least[x] = depth_max(at + (float)x * bound.step, least[x]);
        }
    } else {
        const float at = bound.at + bound.spread;
        for (int32_t x = 0; x < side; x++) {
            most[x] = depth_min(at + (float)x * bound.step, most[x]);
        }
    }
}

static void fill_row(const acre_receivers *receivers, uint32_t row)
{
    ACRE_INVARIANT(row < receivers->resolution);
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

// Each cell of a level takes the largest or the least value of its four cells on the finer level.
ACRE_ALWAYS_INLINE void join_level(const acre_receivers *receivers, const float *from, float *to,
                                   uint32_t level, float (*pick)(float, float))
{
    const size_t side = level_side(receivers, level);
    for (size_t y = 0; y < side; y++) {
        const float *const above = from + 4 * y * side, *const below = above + 2 * side;
        for (size_t x = 0; x < side; x++) {
            to[y * side + x] =
                pick(pick(above[2 * x], above[2 * x + 1]), pick(below[2 * x], below[2 * x + 1]));
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

static void lay_grid(acre_receivers *receivers)
{
    const light_space *const space = &receivers->space;
    receivers->origin = 0.5 * (space->depth[0] + space->depth[1]);
    for (int k = 0; k < 2; k++) {
        const double *const range = space->rectangle[k];
        receivers->cell[k] = (range[1] - range[0]) / (double)receivers->resolution;
        receivers->cells_per_meter[k] = 1.0 / receivers->cell[k];
    }
    for (int k = 0; k < 3; k++) {
        const double u = space->axes[0][k], v = space->axes[1][k], w = space->axes[2][k];
        const bool is_bounded = fabs(w) > LIGHT_PARALLEL;
        const double slope = is_bounded ? 1.0 / w : 0.0;
        receivers->slope[k] = slope;
        receivers->unbounded[k] = is_bounded ? 0.0 : UNBOUNDED;
        receivers->along[k][0] = -receivers->cell[0] * u * slope;
        receivers->along[k][1] = -receivers->cell[1] * v * slope;
        receivers->corner[k] = space->rectangle[0][0] * u + space->rectangle[1][0] * v;
    }
}

acre_result acre_receivers_begin(acre_receivers *receivers, const acre_cascade *cascade)
{
    light_space space;
    if (!receivers || acre_light_space_make(&space, cascade) != ACRE_OK) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    receivers->space = space;
    lay_grid(receivers);
    for (uint32_t row = 0; row < receivers->resolution; row++) {
        fill_row(receivers, row);
    }
    for (uint32_t level = 1; level < receivers->level_count; level++) {
        const size_t from = receivers->offsets[level - 1], to = receivers->offsets[level];
        join_level(receivers, receivers->slice[0] + from, receivers->slice[0] + to, level,
                   depth_min);
        join_level(receivers, receivers->slice[1] + from, receivers->slice[1] + to, level,
                   depth_max);
    }
    forget_marks(receivers, 0);
    receivers->cell_count = receivers->offsets[1];
    receivers->is_begun = true;
    receivers->horizon = NULL;
    receivers->is_light = receivers->is_settled = receivers->has_coarse = false;
    return ACRE_OK;
}

// Hands the marks of a level down to the next finer one.
static void hand_down(acre_receivers *receivers, uint32_t level)
{
    ACRE_INVARIANT(level > 0);
    const size_t side = level_side(receivers, level);
    const float *const from = receivers->marks + receivers->offsets[level];
    const size_t finer = receivers->offsets[level - 1];
    for (size_t y = 0; y < 2 * side; y++) {
        for (size_t x = 0; x < 2 * side; x++) {
            const size_t at = finer + y * 2 * side + x;
            const float mark = from[y / 2 * side + x / 2];
            if (mark >= receivers->slice[0][at]) {
                receivers->marks[at] =
                    depth_max(receivers->marks[at], depth_min(mark, receivers->slice[1][at]));
            }
        }
    }
}

void acre_receivers_settle(acre_receivers *receivers)
{
    ACRE_ASSERT(receivers->is_begun);
    ACRE_INVARIANT(!receivers->is_light || receivers->is_settled);
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
        join_level(receivers, from, receivers->most + receivers->offsets[level], level, depth_max);
    }
    receivers->is_settled = true;
}

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

void acre_receivers_mark_all(acre_receivers *receivers)
{
    if (receivers->is_light) {
        acre_light_lay_faces(receivers);
    }
    for (size_t i = 0; i < receivers->cell_count; i++) {
        const float least = receivers->slice[0][i], most = receivers->slice[1][i];
        receivers->marks[i] = least <= most ? most : NO_RECEIVER;
    }
    receivers->is_settled = receivers->is_light;
}

bool acre_receivers_test_aabb(acre_receivers *receivers, const acre_aabb *box)
{
    if (!receivers || !receivers->is_begun || !box) {
        return false;
    }
    if (receivers->is_light) {
        const light_cube *const cube = &receivers->cube;
        return (cube->is_cone ? acre_cone_test_aabb(&cube->cone, box)
                              : acre_sphere_test_aabb(&cube->sphere, box)) &&
               acre_light_reach(receivers, box, false);
    }
    acre_receivers_settle(receivers);
    return acre_frustum_test_aabb(&receivers->space.casters, box) &&
           acre_receivers_reach(receivers, box);
}

// ---- shares ----

// Marks of one share, on cache lines of their own.
static size_t marks_of_share(const acre_receivers *receivers)
{
    return (receivers->offsets[receivers->level_count] + 15) / 16 * 16;
}

bool acre_receivers_reserve_shares(acre_receivers *receivers, uint32_t shares)
{
    if (receivers->is_light) {
        acre_light_lay_faces(receivers); // workers share all but the marks
    }
    return COLUMN_RESERVE(&receivers->allocator, receivers->share_marks,
                          shares * marks_of_share(receivers));
}

acre_receivers acre_receivers_of_share(const acre_receivers *receivers, uint32_t share)
{
    acre_receivers own = *receivers;
    ACRE_INVARIANT((share + 1) * marks_of_share(receivers) <= receivers->share_marks.capacity);
    own.marks = COLUMN_AT(receivers->share_marks, share * marks_of_share(receivers));
    own.has_coarse = false;
    forget_marks(&own, 0);
    return own;
}

void acre_receivers_join(acre_receivers *receivers, uint32_t share, bool has_coarse)
{
    const size_t end =
        has_coarse ? receivers->offsets[receivers->level_count] : receivers->cell_count;
    const float *const from = COLUMN_AT(receivers->share_marks, share * marks_of_share(receivers));
    for (size_t i = 0; i < end; i++) {
        receivers->marks[i] = depth_max(receivers->marks[i], from[i]);
    }
    receivers->has_coarse |= has_coarse;
    receivers->is_settled = receivers->is_light;
}
