// SPDX-License-Identifier: MIT
// quadtree_kernel_scalar_group.h - the scalar set's tests of one group, which pairs use without the
// rest.
#ifndef ACRE_QUADTREE_KERNEL_SCALAR_GROUP_H
#define ACRE_QUADTREE_KERNEL_SCALAR_GROUP_H

#include "quadtree_kernel.h"

static uint32_t overlapping_half(const item_group *group, const float *box, size_t stride,
                                 uint32_t axes, int part)
{
    uint32_t outside[HALF_SLOTS] = {0}, seen = 0;
    for (int low = 0; low < ROW_COUNT; low += 2) {
        if (!(axes >> low / 2 & 1)) {
            continue;
        }
        const float box_low = box[(size_t)low * stride], box_high = box[(size_t)(low + 1) * stride];
        const float *const lows = group->row[low] + part * HALF_SLOTS;
        const float *const highs = group->row[low + 1] + part * HALF_SLOTS;
        for (uint32_t slot = 0; slot < HALF_SLOTS; slot++) {
            outside[slot] |= (highs[slot] < box_low) | (box_high < lows[slot]);
        }
    }
    for (uint32_t slot = 0; slot < HALF_SLOTS; slot++) {
        seen |= (outside[slot] ^ 1) << slot;
    }
    return seen;
}

static inline uint32_t near_half(const item_group *group, const shape_round *round, uint32_t axes,
                                 int part)
{
    float sum[HALF_SLOTS] = {0.0f};
    uint32_t near = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (!(axes >> axis & 1)) {
            continue;
        }
        const float at = round->center[axis];
        const float *const lows = group->row[axis * 2] + part * HALF_SLOTS;
        const float *const highs = group->row[axis * 2 + 1] + part * HALF_SLOTS;
        for (uint32_t slot = 0; slot < HALF_SLOTS; slot++) {
            const float below = lows[slot] - at, above = at - highs[slot];
            const float beyond = below > above ? below : above;
            const float gap = beyond > 0.0f ? beyond : 0.0f;
            sum[slot] += gap * gap;
        }
    }
    for (uint32_t slot = 0; slot < HALF_SLOTS; slot++) {
        near |= (uint32_t)(sum[slot] <= round->touch) << slot;
    }
    return near;
}

static uint32_t append_ids(uint32_t seen, const uint32_t *ids, uint32_t *out)
{
    uint32_t found = 0;
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        out[found] = ids[slot];
        found += seen >> slot & 1;
    }
    return found;
}

// A loop, not two calls: with two inlined copies box queries take 7 % more time.
static uint32_t overlapping_slots(const item_group *group, const float *box, size_t stride,
                                  uint32_t axes)
{
    uint32_t slots = 0;
    for (int part = 0; part < 2; part++) {
        slots |= overlapping_half(group, box, stride, axes, part) << (part * HALF_SLOTS);
    }
    return slots;
}

static inline uint32_t near_slots(const item_group *group, const shape_round *round, uint32_t axes)
{
    uint32_t slots = 0;
    for (int part = 0; part < 2; part++) {
        slots |= near_half(group, round, axes, part) << (part * HALF_SLOTS);
    }
    return slots;
}

#endif
