// SPDX-License-Identifier: MIT
// quadtree_kernel_scalar_group.h - the scalar set's tests of one group, which pairs use without the
// rest.
#ifndef ACRE_QUADTREE_KERNEL_SCALAR_GROUP_H
#define ACRE_QUADTREE_KERNEL_SCALAR_GROUP_H

#include "quadtree_kernel_scalar_near.h"

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

#endif
