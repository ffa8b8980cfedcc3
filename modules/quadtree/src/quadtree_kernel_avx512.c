// SPDX-License-Identifier: MIT
// quadtree_kernel_avx512.c - comparisons into mask registers, compression in registers.
//
// Vectors of eight: those of sixteen make a Xeon of 2.5 GHz lower its clock, and queries took 5 %
// more time.
#include "quadtree_kernel_eight.h"

#include <simde/x86/avx512.h>

// The items of half a group that a plane does not exclude. A NaN does not.
static inline simde__mmask8 before_plane(const query_plane *plane, const item_group *group,
                                         int part)
{
    const eight far_distance =
        eight_sum(eight_row(plane, 0, group, part), eight_row(plane, 1, group, part),
                  eight_row(plane, 2, group, part), simde_mm256_set1_ps(plane->d));
    return simde_mm256_cmp_ps_mask(far_distance, simde_mm256_setzero_ps(), SIMDE_CMP_NLT_UQ);
}

// Full-width stores: compressing straight to memory is slow.
static inline uint32_t append_half(uint32_t seen, const uint32_t *ids, uint32_t *out)
{
    const simde__m256i from = eight_load(ids);
    const simde__m256i front = simde_mm256_maskz_compress_epi32((simde__mmask8)seen, from);
    memcpy(out, &front, sizeof front);
    return (uint32_t)__builtin_popcount(seen);
}

static inline uint32_t append_ids(uint32_t seen, const uint32_t *ids, uint32_t *out)
{
    const uint32_t found = append_half(seen & 255, ids, out);
    return found + append_half(seen >> 8, ids + 8, out + found);
}

static inline uint32_t frustum_group(const query_volume *volume, const item_group *group,
                                     uint32_t mask, const uint32_t *ids, uint32_t count,
                                     uint32_t *out)
{
    const uint32_t present = present_slots(count);
    simde__mmask8 low = (simde__mmask8)present, high = (simde__mmask8)(present >> 8);
    while (mask) {
        const query_plane *const plane = &volume->planes[take_lowest(&mask)];
        low &= before_plane(plane, group, 0); // compilers make it one masked comparison
        high &= before_plane(plane, group, 1);
    }
    const uint32_t found = append_half(low, ids, out);
    return found + append_half(high, ids + 8, out + found);
}

static inline uint32_t overlapping_half(const item_group *group, const float *box, size_t stride,
                                        uint32_t axes, int part)
{
    simde__mmask8 seen = 255;
    for (int low = 0; low < ROW_COUNT; low += 2) {
        if (!(axes >> low / 2 & 1)) {
            continue;
        }
        const eight item_low = simde_mm256_loadu_ps(group->row[low] + part * 8);
        const eight item_high = simde_mm256_loadu_ps(group->row[low + 1] + part * 8);
        const eight box_low = simde_mm256_set1_ps(box[(size_t)low * stride]);
        const eight box_high = simde_mm256_set1_ps(box[(size_t)(low + 1) * stride]);
        seen &= simde_mm256_cmp_ps_mask(item_high, box_low, SIMDE_CMP_GE_OQ);
        seen &= simde_mm256_cmp_ps_mask(item_low, box_high, SIMDE_CMP_LE_OQ);
    }
    return seen;
}

#include "quadtree_kernel_select.h"
#include "quadtree_kernel_shape.h"
#include "quadtree_kernel_pairs.h"
#include "quadtree_kernel_curve.h"

const tree_kernel acre_kernel_avx512 = {QUERY_KERNELS,
                                        SHAPE_KERNELS,
                                        PAIR_KERNELS,
                                        CURVE_KERNEL,
                                        .refresh_block = eight_refresh_block,
                                        .refresh_rows = four_refresh_rows};
