// SPDX-License-Identifier: MIT
// quadtree_kernel_eight_pair_part.h - boxes of a group against those some slots later, eight lanes
// at a time.
//
// Must be defined before: what a set defines. Defines what quadtree_kernel_pair_part.h asks for.
#ifndef ACRE_QUADTREE_KERNEL_EIGHT_PAIR_PART_H
#define ACRE_QUADTREE_KERNEL_EIGHT_PAIR_PART_H

// Copies with vector stores that match the later loads: compilers split memcpy into scalar stores,
// which defeats store forwarding.
static inline void repeat_group(const item_group *group, uint32_t axes, group_twice *twice)
{
    for (int row = 0; row < ROW_COUNT; row++) {
        if (axes >> row / 2 & 1) {
            const eight first = simde_mm256_loadu_ps(group->row[row]);
            simde_mm256_storeu_ps(twice->row[row], first);
            simde_mm256_storeu_ps(twice->row[row] + 8, simde_mm256_loadu_ps(group->row[row] + 8));
            simde_mm256_storeu_ps(twice->row[row] + 16, first);
        }
    }
}

static inline uint32_t overlapping_behind(const group_twice *twice, uint32_t offset, uint32_t axes,
                                          int part)
{
    eight outside = simde_mm256_setzero_ps();
    for (int low = 0; low < ROW_COUNT; low += 2) {
        if (!(axes >> low / 2 & 1)) {
            continue;
        }
        const float *const lows = &twice->row[low][part * 8];
        const float *const highs = &twice->row[low + 1][part * 8];
        const eight is_out = simde_mm256_or_ps(
            simde_mm256_cmp_ps(simde_mm256_loadu_ps(highs), simde_mm256_loadu_ps(lows + offset),
                               SIMDE_CMP_LT_OQ),
            simde_mm256_cmp_ps(simde_mm256_loadu_ps(highs + offset), simde_mm256_loadu_ps(lows),
                               SIMDE_CMP_LT_OQ));
        outside = simde_mm256_or_ps(outside, is_out);
    }
    return (uint32_t)simde_mm256_movemask_ps(outside) ^ 255u;
}

#endif
