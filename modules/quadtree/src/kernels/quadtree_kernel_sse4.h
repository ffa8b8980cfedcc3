// SPDX-License-Identifier: MIT
// quadtree_kernel_sse4.h - the four-lane set: SSE4.1, and through SIMDe NEON and WebAssembly.
//
// Defines what quadtree_kernel.h asks of a set.
#ifndef ACRE_QUADTREE_KERNEL_SSE4_H
#define ACRE_QUADTREE_KERNEL_SSE4_H

#include "quadtree_kernel_four.h"
#include "quadtree_kernel_four_refresh.h"

#define append_ids four_append
#define refresh_group four_refresh_group

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

static inline uint32_t seen_slots(const four *outside)
{
    uint32_t hidden = 0;
    for (uint32_t part = 0; part < GROUP_SLOTS / 4; part++) {
        hidden |= choice_bits(outside[part]) << (part * 4);
    }
    return ~hidden;
}

ACRE_ALWAYS_INLINE uint32_t frustum_slots(const query_volume *volume, const item_group *group,
                                          uint32_t mask, uint32_t count)
{
    const four zero = simde_mm_setzero_ps();
    four outside[GROUP_SLOTS / 4] = {zero, zero, zero, zero};
    while (mask) {
        const query_plane *const plane = &volume->planes[take_lowest(&mask)];
        const float *const x = group->row[plane->far_row[0]];
        const float *const y = group->row[plane->far_row[1]];
        const float *const z = group->row[plane->far_row[2]];
        for (uint32_t part = 0; part < GROUP_SLOTS / 4; part++) {
            const four far_distance =
                four_distance(plane, simde_mm_loadu_ps(x + part * 4),
                              simde_mm_loadu_ps(y + part * 4), simde_mm_loadu_ps(z + part * 4));
            outside[part] = simde_mm_or_ps(outside[part], simde_mm_cmplt_ps(far_distance, zero));
        }
    }
    return seen_slots(outside) & present_slots(count);
}

static inline void copy_group(const uint32_t *from, uint32_t *to)
{
    for (int slot = 0; slot < GROUP_SLOTS; slot += 4) {
        four_store(to + slot, four_load(from + slot));
    }
}

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
    ACRE_INVARIANT(offset > 0 && offset <= HALF_SLOTS);
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

TEST_TWICE(frustum_two, frustum_four)
ROUND_TWICE
LIST_TWICE
LIST_ENTERED_TWICE

OVERLAP_TWICE

#include "quadtree_kernel_overlap_part.h"

#endif
