// SPDX-License-Identifier: MIT
// quadtree_kernel_avx2.h - the eight-lane set for AVX2: a table brings the lanes of a set to the
// front.
//
// Defines what quadtree_kernel.h asks of a set.
#ifndef ACRE_QUADTREE_KERNEL_AVX2_H
#define ACRE_QUADTREE_KERNEL_AVX2_H

#include "quadtree_kernel_eight.h"
#include "quadtree_kernel_eight_refresh.h"

// For each set of eight lanes its members in ascending order, a byte each, the first one lowest.
// The first half of the table has the sets without lane 7, its first half those without lane 6, ...
#define SETS_0(members) members
#define SETS_1(members) SETS_0(members), SETS_0((members) << 8)
#define SETS_2(members) SETS_1(members), SETS_1((members) << 8 | 1)
#define SETS_3(members) SETS_2(members), SETS_2((members) << 8 | 2)
#define SETS_4(members) SETS_3(members), SETS_3((members) << 8 | 3)
#define SETS_5(members) SETS_4(members), SETS_4((members) << 8 | 4)
#define SETS_6(members) SETS_5(members), SETS_5((members) << 8 | 5)
#define SETS_7(members) SETS_6(members), SETS_6((members) << 8 | 6)
static const uint64_t eight_to_front[256] = {SETS_7(UINT64_C(0)), SETS_7(UINT64_C(7))};

#define WIDE_LANES 8 // see quadtree_kernel_slab_part.h

static inline uint32_t eight_bits_not_above(eight a, eight b)
{
    return (uint32_t)simde_mm256_movemask_ps(simde_mm256_cmp_ps(a, b, SIMDE_CMP_LE_OQ));
}

static inline void list_eight(simde__m256i lanes, uint32_t set, uint32_t *end)
{
    ACRE_INVARIANT(set < 256);
    const simde__m128i order =
        simde_mm_loadl_epi64((const simde__m128i *)(const void *)&eight_to_front[set]);
    const simde__m256i front =
        simde_mm256_permutevar8x32_epi32(lanes, simde_mm256_cvtepu8_epi32(order));
    memcpy(end, &front, sizeof front);
}

static inline uint32_t append_ids(uint32_t seen, const uint32_t *ids, uint32_t *out)
{
    const uint32_t low = seen & 255, high = seen >> 8 & 255;
    const uint32_t found = lane_count(low);
    list_eight(eight_load(ids), low, out);
    list_eight(eight_load(ids + 8), high, out + found);
    return found + lane_count(high);
}

static inline uint32_t overlapping_half(const item_group *group, const float *box, size_t stride,
                                        uint32_t axes, int part)
{
    eight outside = simde_mm256_setzero_ps();
    for (int low = 0; low < ROW_COUNT; low += 2) {
        if (!(axes >> low / 2 & 1)) {
            continue;
        }
        const eight box_low = simde_mm256_set1_ps(box[(size_t)low * stride]);
        const eight box_high = simde_mm256_set1_ps(box[(size_t)(low + 1) * stride]);
        const eight item_low = simde_mm256_loadu_ps(&group->row[low][part * 8]);
        const eight item_high = simde_mm256_loadu_ps(&group->row[low + 1][part * 8]);
        const eight is_out =
            simde_mm256_or_ps(simde_mm256_cmp_ps(item_high, box_low, SIMDE_CMP_LT_OQ),
                              simde_mm256_cmp_ps(box_high, item_low, SIMDE_CMP_LT_OQ));
        outside = simde_mm256_or_ps(outside, is_out);
    }
    return (uint32_t)simde_mm256_movemask_ps(outside) ^ 255u;
}

static inline uint32_t near_half(const item_group *group, const shape_round *round, uint32_t axes,
                                 int part, float *out)
{
    const eight squares = eight_squares(group, round->center, axes, part);
    if (out) {
        simde_mm256_storeu_ps(out, squares);
    }
    return (uint32_t)simde_mm256_movemask_ps(
        simde_mm256_cmp_ps(squares, simde_mm256_set1_ps(round->touch), SIMDE_CMP_LE_OQ));
}

static inline uint32_t seen_slots(eight low_outside, eight high_outside)
{
    return ~((uint32_t)simde_mm256_movemask_ps(low_outside) |
             (uint32_t)simde_mm256_movemask_ps(high_outside) << 8);
}

ACRE_ALWAYS_INLINE uint32_t frustum_slots(const query_volume *volume, const item_group *group,
                                          uint32_t mask, uint32_t count)
{
    const eight zero = simde_mm256_setzero_ps();
    eight outside[2] = {zero, zero};
    while (mask) {
        const query_plane *const plane = &volume->planes[take_lowest(&mask)];
        for (int part = 0; part < 2; part++) {
            const eight far_distance =
                eight_sum(eight_row(plane, 0, group, part), eight_row(plane, 1, group, part),
                          eight_row(plane, 2, group, part), simde_mm256_set1_ps(plane->d));
            outside[part] = simde_mm256_or_ps(
                outside[part], simde_mm256_cmp_ps(far_distance, zero, SIMDE_CMP_LT_OQ));
        }
    }
    return seen_slots(outside[0], outside[1]) & present_slots(count);
}

static inline void copy_group(const uint32_t *from, uint32_t *to)
{
    const simde__m256i low = eight_load(from), high = eight_load(from + 8);
    memcpy(to, &low, sizeof low);
    memcpy(to + 8, &high, sizeof high);
}

#include "quadtree_kernel_eight_part.h"
OVERLAP_TWICE

#include "quadtree_kernel_overlap_part.h"

#endif
