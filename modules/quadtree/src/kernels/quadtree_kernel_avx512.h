// SPDX-License-Identifier: MIT
// quadtree_kernel_avx512.h - the set for AVX-512: comparisons into mask registers, compression in
// registers.
//
// A group's 16 items are one vector; groups and siblings are tested in vectors of eight.
// Defines what quadtree_kernel.h asks of a set.
#ifndef ACRE_QUADTREE_KERNEL_AVX512_H
#define ACRE_QUADTREE_KERNEL_AVX512_H

#include "quadtree_kernel_eight.h"

#include <simde/x86/avx512.h>

// Full-width stores: compressing straight to memory is slow.
static inline void list_eight(simde__m256i lanes, uint32_t set, uint32_t *end)
{
    const simde__m256i front = simde_mm256_maskz_compress_epi32((simde__mmask8)set, lanes);
    memcpy(end, &front, sizeof front);
}

static inline uint32_t append_ids(uint32_t seen, const uint32_t *ids, uint32_t *out)
{
    const simde__m512i front = simde_mm512_maskz_compress_epi32(
        (simde__mmask16)seen, simde_mm512_loadu_si512((const void *)ids));
    memcpy(out, &front, sizeof front);
    return lane_count(seen);
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

static inline uint32_t near_half(const item_group *group, const shape_round *round, uint32_t axes,
                                 int part, float *out)
{
    const eight squares = eight_squares(group, round->center, axes, part);
    if (out) {
        simde_mm256_storeu_ps(out, squares);
    }
    return simde_mm256_cmp_ps_mask(squares, simde_mm256_set1_ps(round->touch), SIMDE_CMP_LE_OQ);
}

#include "quadtree_kernel_eight_part.h"
#include "quadtree_kernel_overlap_part.h"

#endif
