// SPDX-License-Identifier: MIT
// quadtree_kernel_pair_sse4.c - pairs, four lanes.
#include "quadtree_kernel_sse4.h"

static inline void repeat_group(const item_group *group, uint32_t axes, group_twice *twice)
{
    for (int row = 0; row < ROW_COUNT; row++) {
        for (int slot = 0; (axes >> row / 2 & 1) && slot < GROUP_SLOTS + HALF_SLOTS; slot += 4) {
            const four part = simde_mm_loadu_ps(&group->row[row][slot % GROUP_SLOTS]);
            simde_mm_storeu_ps(&twice->row[row][slot], part);
        }
    }
}

static inline uint32_t overlapping_behind(const group_twice *twice, uint32_t offset, uint32_t axes,
                                          int part)
{
    uint32_t hidden = 0;
    for (int i = 0; i < 2; i++) {
        four outside = simde_mm_setzero_ps();
        for (int low = 0; low < ROW_COUNT; low += 2) {
            if (!(axes >> low / 2 & 1)) {
                continue;
            }
            const float *const lows = &twice->row[low][part * 8 + i * 4];
            const float *const highs = &twice->row[low + 1][part * 8 + i * 4];
            outside = simde_mm_or_ps(outside, simde_mm_cmplt_ps(simde_mm_loadu_ps(highs),
                                                                simde_mm_loadu_ps(lows + offset)));
            outside = simde_mm_or_ps(outside, simde_mm_cmplt_ps(simde_mm_loadu_ps(highs + offset),
                                                                simde_mm_loadu_ps(lows)));
        }
        hidden |= choice_bits(outside) << (i * 4);
    }
    return hidden ^ 255u;
}

#include "quadtree_kernel_pair_part.h"

PAIR_KERNEL(sse4);
