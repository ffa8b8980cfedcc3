// SPDX-License-Identifier: MIT
// horizon.c - horizons: create, begin, ask. horizon_add.c adds occluders.
#include "horizon_internal.h"

#include "bits_internal.h"
#include "float_bits.h"
#include "object_internal.h"
#include "occluder_internal.h"

#include <math.h>

enum { DEFAULT_COLUMNS = 512, MOST_COLUMNS = 4096, DEFAULT_OCCLUDERS = 1000, HORIZON_ROWS = 5 };
enum { KEPT_AT_FIRST = 1000 }; // objects

// ---- create and destroy ----

static void visit_horizon(column_visitor *visitor, void *object)
{
    acre_horizon *const horizon = object;
    COLUMN_VISIT(visitor, horizon->rows);
    COLUMN_VISIT(visitor, horizon->kept);
}

// Points the columns into the rows.
static void divide_rows(acre_horizon *horizon)
{
    horizon_columns *const columns = &horizon->columns;
    const size_t length = (size_t)HORIZON_SIDES * columns->count;
    float **const rows[HORIZON_ROWS] = {&columns->low, &columns->high, &columns->inverse,
                                        &columns->floor, &columns->ceiling};
    ACRE_INVARIANT(horizon->rows.capacity >= HORIZON_ROWS * length);
    for (size_t i = 0; i < HORIZON_ROWS; i++) {
        *rows[i] = horizon->rows.data + i * length;
    }
}

// No column blocks anything, and there is no slab: the edges of slabs need no value.
void acre_horizon_clear(acre_horizon *horizon)
{
    horizon_columns *const columns = &horizon->columns;
    if (horizon->is_clear) {
        return;
    }
    const size_t length = (size_t)HORIZON_SIDES * columns->count;
    for (size_t i = 0; i < length; i++) {
        columns->low[i] = INFINITY;
        columns->high[i] = -INFINITY;
        columns->inverse[i] = 0;
    }
    columns->floor_top = -INFINITY;
    columns->ceiling_bottom = INFINITY;
    horizon->taken = horizon->tried = 0;
    horizon->is_clear = true;
}

acre_result acre_horizon_create(const acre_horizon_def *def, acre_horizon **out)
{
    if (out) {
        *out = NULL;
    }
    const uint32_t columns = def && def->columns > 0 ? def->columns : DEFAULT_COLUMNS;
    const acre_kernel kernel =
        def ? acre_kernel_pick(def->kernel, BUILT_KERNELS) : ACRE_KERNEL_DEFAULT;
    if (!def || !out || columns % HORIZON_MULTIPLE != 0 || columns > MOST_COLUMNS ||
        !float_is_finite(def->least_angle) || def->least_angle < 0 ||
        kernel == ACRE_KERNEL_DEFAULT) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    acre_horizon *const horizon = acre_object_make(def->allocator, sizeof *horizon);
    if (!horizon) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    const size_t numbers = (size_t)HORIZON_ROWS * HORIZON_SIDES * columns;
    if (!COLUMN_RESERVE(&horizon->allocator, horizon->rows, numbers) ||
        !COLUMN_RESERVE(&horizon->allocator, horizon->kept, KEPT_AT_FIRST)) {
        acre_horizon_destroy(horizon);
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    horizon->kernel = acre_horizon_kernels[kernel];
    horizon->least_angle = def->least_angle > 0 ? def->least_angle : 1e-4f;
    horizon->max_occluders = def->max_occluders > 0 ? def->max_occluders : DEFAULT_OCCLUDERS;
    horizon->columns.count = columns;
    divide_rows(horizon);
    acre_horizon_clear(horizon);
    *out = horizon;
    return ACRE_OK;
}

void acre_horizon_destroy(acre_horizon *horizon)
{
    acre_object_free(horizon, sizeof *horizon, visit_horizon);
}

// ---- begin ----

static bool is_size(float value)
{
    return float_is_finite(value) && value >= 0;
}

static void set_eye(acre_horizon *horizon, const float *eye, const float *region, float near_radius)
{
    horizon->has_region = false;
    horizon->is_begun = true;
    for (int axis = 0; axis < 3; axis++) {
        const double half = region ? (double)region[axis] : 0;
        horizon->eye[axis] = (double)eye[axis];
        horizon->columns.eye[axis] = eye[axis];
        horizon->region[axis] = float_round_up(half * (1 + REGION_MARGIN));
        horizon->has_region |= half > 0;
        horizon->is_begun &= fmax(fabs(horizon->eye[axis]), half) <= FARTHEST_OCCLUDER;
    }
    const double x = (double)horizon->region[0], z = (double)horizon->region[2];
    horizon->near_radius = (double)near_radius * (1 + REGION_MARGIN);
    horizon->clearance = horizon->near_radius + sqrt(x * x + z * z) * (1 + REGION_MARGIN);
}

acre_result acre_horizon_begin(acre_horizon *horizon, const float *eye, const float *region,
                               float near_radius)
{
    if (!horizon || !eye || !floats_are_finite(eye, 3) || !is_size(near_radius) ||
        (region && !(is_size(region[0]) && is_size(region[1]) && is_size(region[2])))) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&horizon->access)) {
        return ACRE_ERROR_BUSY;
    }
    acre_horizon_clear(horizon);
    set_eye(horizon, eye, region, near_radius);
    access_end_write(&horizon->access);
    return ACRE_OK;
}

// ---- ask ----

// Lays up to a block of boxes into rows. @return bit i: there is box i.
static uint32_t lay_boxes(float *edges, const acre_aabb *boxes, size_t count)
{
    const size_t there = count < HORIZON_BLOCK ? count : HORIZON_BLOCK;
    ACRE_INVARIANT(count > 0);
    for (size_t i = 0; i < HORIZON_BLOCK; i++) {
        const acre_aabb *const box = &boxes[i < there ? i : 0];
        for (size_t axis = 0; axis < 3; axis++) {
            edges[2 * axis * HORIZON_BLOCK + i] = box->min[axis];
            edges[(2 * axis + 1) * HORIZON_BLOCK + i] = box->max[axis];
        }
    }
    return (1u << there) - 1;
}

bool acre_horizon_hides(const acre_horizon *horizon, const acre_aabb *box)
{
    if (!horizon || !box || !access_begin_read(&horizon->access)) {
        return false;
    }
    float edges[6 * HORIZON_BLOCK];
    (void)lay_boxes(edges, box, 1);
    const bool is_hidden = horizon_hidden(horizon, edges, HORIZON_BLOCK, 1) != 0;
    access_end_read(&horizon->access);
    return is_hidden;
}

size_t acre_horizon_test(const acre_horizon *horizon, const acre_aabb *boxes, size_t count,
                         uint32_t *visible)
{
    if (!boxes) {
        return 0;
    }
    const bool may_ask = horizon && access_begin_read(&horizon->access);
    size_t total = 0;
    for (size_t first = 0; first < count; first += HORIZON_BLOCK) {
        float edges[6 * HORIZON_BLOCK];
        const uint32_t there = lay_boxes(edges, boxes + first, count - first);
        uint32_t seen =
            may_ask ? there & ~horizon_hidden(horizon, edges, HORIZON_BLOCK, there) : there;
        for (; seen; seen &= seen - 1) {
            if (visible) {
                visible[total] = (uint32_t)first + lowest_bit(seen);
            }
            total++;
        }
    }
    if (may_ask) {
        access_end_read(&horizon->access);
    }
    return total;
}
