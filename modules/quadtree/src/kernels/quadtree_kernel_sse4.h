// SPDX-License-Identifier: MIT
// quadtree_kernel_sse4.h - the four-lane set: SSE4.1, and through SIMDe NEON and WebAssembly.
//
// Defines what quadtree_kernel.h asks of a set.
#ifndef ACRE_QUADTREE_KERNEL_SSE4_H
#define ACRE_QUADTREE_KERNEL_SSE4_H

#include "quadtree_kernel_four.h"

#define append_ids four_append

static inline uint32_t overlapping_half(const item_group *group, const float *box, size_t stride,
                                        uint32_t axes, int part)
{
    const four zero = simde_mm_setzero_ps();
    four outside[2] = {zero, zero};
    for (int low = 0; low < ROW_COUNT; low += 2) {
        if (!(axes >> low / 2 & 1)) {
            continue;
        }
        const four box_low = simde_mm_set1_ps(box[(size_t)low * stride]);
        const four box_high = simde_mm_set1_ps(box[(size_t)(low + 1) * stride]);
        for (int i = 0; i < 2; i++) {
            const four item_low = simde_mm_loadu_ps(&group->row[low][part * 8 + i * 4]);
            const four item_high = simde_mm_loadu_ps(&group->row[low + 1][part * 8 + i * 4]);
            outside[i] = simde_mm_or_ps(outside[i], simde_mm_cmplt_ps(item_high, box_low));
            outside[i] = simde_mm_or_ps(outside[i], simde_mm_cmplt_ps(box_high, item_low));
        }
    }
    return (choice_bits(outside[0]) | choice_bits(outside[1]) << 4) ^ 255u;
}

static inline uint32_t near_half(const item_group *group, const shape_round *round, uint32_t axes,
                                 int part, float *out)
{
    const four zero = simde_mm_setzero_ps(), touch = simde_mm_set1_ps(round->touch);
    uint32_t near = 0;
    for (int i = 0; i < 2; i++) {
        const int first = part * 8 + i * 4;
        four sum = zero;
        for (int axis = 0; axis < 3; axis++) {
            if (!(axes >> axis & 1)) {
                continue;
            }
            const four at = simde_mm_set1_ps(round->center[axis]);
            const four low = simde_mm_loadu_ps(&group->row[axis * 2][first]);
            const four high = simde_mm_loadu_ps(&group->row[axis * 2 + 1][first]);
            const four gap = simde_mm_max_ps(
                simde_mm_max_ps(simde_mm_sub_ps(low, at), simde_mm_sub_ps(at, high)), zero);
            sum = simde_mm_add_ps(sum, simde_mm_mul_ps(gap, gap));
        }
        if (out) {
            simde_mm_storeu_ps(out + i * 4, sum);
        }
        near |= choice_bits(simde_mm_cmple_ps(sum, touch)) << (i * 4);
    }
    return near;
}

static inline uint32_t frustum_four(const query_volume *volume, const four_boxes *bounds,
                                    uint32_t mask, four_masks *left)
{
    return frustum_few(volume, bounds, mask, left);
}

TEST_TWICE(frustum_two, frustum_four)
ROUND_TWICE
LIST_TWICE

#include "quadtree_kernel_overlap_part.h"

#endif
