// SPDX-License-Identifier: MIT
// quadtree_kernel_scalar_near.h - which boxes of a group a sphere touches, scalar, and the ids of a
// set of slots: all that neighbors use of the scalar set.
#ifndef ACRE_QUADTREE_KERNEL_SCALAR_NEAR_H
#define ACRE_QUADTREE_KERNEL_SCALAR_NEAR_H

#include "quadtree_kernel.h"

static inline uint32_t near_half(const item_group *group, const shape_round *round, uint32_t axes,
                                 int part, float *out)
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
    for (uint32_t slot = 0; out && slot < HALF_SLOTS; slot++) {
        out[slot] = sum[slot];
    }
    return near;
}

static inline uint32_t near_slots(const item_group *group, const shape_round *round, uint32_t axes)
{
    uint32_t slots = 0;
    for (int part = 0; part < 2; part++) {
        slots |= near_half(group, round, axes, part, NULL) << (part * HALF_SLOTS);
    }
    return slots;
}

static inline uint32_t near_squares(const item_group *group, const shape_round *round,
                                    uint32_t axes, float *squares)
{
    uint32_t slots = 0;
    for (int part = 0; part < 2; part++) {
        float *const half = squares + part * HALF_SLOTS;
        slots |= near_half(group, round, axes, part, half) << (part * HALF_SLOTS);
    }
    return slots;
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

#endif
