// SPDX-License-Identifier: MIT
// quadtree_kernel_pair_scalar.c - pairs, scalar.
#include "quadtree_kernel_scalar_group.h"

#include <string.h>

static void repeat_group(const item_group *group, uint32_t axes, group_twice *twice)
{
    for (int row = 0; row < ROW_COUNT; row++) {
        if (axes >> row / 2 & 1) {
            memcpy(twice->row[row], group->row[row], sizeof group->row[row]);
            memcpy(twice->row[row] + GROUP_SLOTS, group->row[row], HALF_SLOTS * sizeof(float));
        }
    }
}

static uint32_t overlapping_behind(const group_twice *twice, uint32_t offset, uint32_t axes,
                                   int part)
{
    uint32_t outside[HALF_SLOTS] = {0}, seen = 0;
    for (int low = 0; low < ROW_COUNT; low += 2) {
        if (!(axes >> low / 2 & 1)) {
            continue;
        }
        const float *const lows = twice->row[low] + part * HALF_SLOTS;
        const float *const highs = twice->row[low + 1] + part * HALF_SLOTS;
        for (uint32_t slot = 0; slot < HALF_SLOTS; slot++) {
            outside[slot] |=
                (highs[slot] < lows[slot + offset]) | (highs[slot + offset] < lows[slot]);
        }
    }
    for (uint32_t slot = 0; slot < HALF_SLOTS; slot++) {
        seen |= (outside[slot] ^ 1) << slot;
    }
    return seen;
}

#include "quadtree_kernel_pair_part.h"

PAIR_KERNEL(scalar);
