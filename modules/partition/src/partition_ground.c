// SPDX-License-Identifier: MIT
// partition_ground.c - places, cells and images.
#include "partition_ground.h"

#include "assert_internal.h"
#include "bits_internal.h"
#include "float_bits.h"

uint32_t acre_ground_morton(uint32_t x, uint32_t z)
{
    ACRE_INVARIANT(x < 0x10000u && z < 0x10000u);
    return spread_bits(x) | spread_bits(z) << 1;
}

uint32_t acre_ground_unmorton(uint32_t cell, int axis)
{
    uint32_t bits = cell >> axis & 0x55555555u;
    bits = (bits | bits >> 1) & 0x33333333u;
    bits = (bits | bits >> 2) & 0x0f0f0f0fu;
    bits = (bits | bits >> 4) & 0x00ff00ffu;
    return (bits | bits >> 8) & 0x0000ffffu;
}

// The cell of a place along an axis. Places beyond a periodic ground have cells for one more ground
// on either side; other places count as in the outermost cell.
static int32_t index_along(const partition_ground *ground, int axis, double place)
{
    const double side = (double)ground->side;
    const double low = ground->is_periodic ? -side : 0.0;
    const double high = ground->is_periodic ? 2.0 * side - 1.0 : side - 1.0;
    double offset = (place - ground->low[axis]) * ground->inverse;
    offset = offset > low ? offset : low; // NaN becomes low
    offset = offset < high ? offset : high;
    const int32_t truncated = (int32_t)offset;
    return truncated - (offset < (double)truncated);
}

static float middle(float low, float high)
{
    return 0.5f * low + 0.5f * high;
}

uint32_t acre_ground_cell(const partition_ground *ground, const acre_aabb *box)
{
    uint32_t index[2];
    for (int axis = 0; axis < 2; axis++) {
        const float center = middle(box->min[2 * axis], box->max[2 * axis]);
        const int32_t at = index_along(ground, axis, (double)center);
        const int32_t last = (int32_t)ground->side - 1;
        index[axis] = (uint32_t)(at < 0 ? 0 : at > last ? last : at);
    }
    return acre_ground_morton(index[0], index[1]);
}

cell_range acre_ground_touched(const partition_ground *ground, const acre_aabb *box)
{
    cell_range range;
    for (int axis = 0; axis < 2; axis++) {
        range.low[axis] = index_along(ground, axis, (double)box->min[2 * axis] - ground->grow);
        range.high[axis] = index_along(ground, axis, (double)box->max[2 * axis] + ground->grow);
        ACRE_INVARIANT(range.low[axis] <= range.high[axis]);
    }
    return range;
}

bool acre_ground_is_giant(const partition_ground *ground, const acre_aabb *box)
{
    bool is_ordinary = true;
    for (int axis = 0; axis < 3; axis += 2) {
        const double low = (double)box->min[axis], high = (double)box->max[axis];
        const double center = (double)middle(box->min[axis], box->max[axis]);
        // Every comparison with NaN fails.
        is_ordinary = is_ordinary && center - low <= ground->range &&
                      high - center <= ground->range && high - low <= ground->cell;
    }
    return !is_ordinary;
}

bool acre_ground_wrap(const partition_ground *ground, acre_aabb *box)
{
    if (!acre_aabb_is_finite(box)) {
        return false;
    }
    for (int axis = 0; axis < 2; axis++) {
        float *const low = &box->min[2 * axis], *const high = &box->max[2 * axis];
        const double center = (double)middle(*low, *high) - ground->low[axis];
        const float step = center < 0 ? ground->size : -ground->size;
        if (!(center < 0) && center < (double)ground->size) {
            continue;
        }
        *low += step;
        *high += step;
        const double moved = (double)middle(*low, *high) - ground->low[axis];
        // Rounding may put the center on the far edge, which belongs to the last cell.
        if (moved < 0 || moved > (double)ground->size) {
            return false;
        }
    }
    return true;
}

acre_aabb acre_ground_image(const partition_ground *ground, const acre_aabb *box, uint8_t image)
{
    ACRE_INVARIANT(image < 9);
    acre_aabb moved = *box;
    if (image == 0) {
        return moved;
    }
    const int code = (image + 4) % 9; // undoes image_of
    const float step[2] = {(float)(code / 3 - 1) * ground->size,
                           (float)(code % 3 - 1) * ground->size};
    for (int axis = 0; axis < 2; axis++) {
        moved.min[2 * axis] += step[axis];
        moved.max[2 * axis] += step[axis];
    }
    return moved;
}
