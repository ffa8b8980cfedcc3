// SPDX-License-Identifier: MIT
// quadtree_kernel_avx512.h - the set for AVX-512: comparisons into mask registers, compression in
// registers.
//
// A group's 16 items are one vector; groups and siblings are tested in vectors of eight.
// Defines what quadtree_kernel.h asks of a set.
#ifndef ACRE_QUADTREE_KERNEL_AVX512_H
#define ACRE_QUADTREE_KERNEL_AVX512_H

#include "quadtree_kernel_eight.h"
#include "quadtree_kernel_eight_refresh.h"

#include <simde/x86/avx512.h>

// Full-width stores: compressing straight to memory is slow.
static inline void list_eight(simde__m256i lanes, uint32_t set, uint32_t *end)
{
    ACRE_INVARIANT(set < 256);
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

// All 16 at once: two halves took a tenth of a query for a box longer.
static inline uint32_t overlapping_slots(const item_group *group, const float *box, size_t stride,
                                         uint32_t axes)
{
    simde__mmask16 seen = 0xffff;
    for (int low = 0; low < ROW_COUNT; low += 2) {
        if (!(axes >> low / 2 & 1)) {
            continue;
        }
        const simde__m512 item_low = simde_mm512_loadu_ps(group->row[low]);
        const simde__m512 item_high = simde_mm512_loadu_ps(group->row[low + 1]);
        const simde__m512 box_low = simde_mm512_set1_ps(box[(size_t)low * stride]);
        const simde__m512 box_high = simde_mm512_set1_ps(box[(size_t)(low + 1) * stride]);
        seen &= simde_mm512_cmp_ps_mask(item_high, box_low, SIMDE_CMP_GE_OQ);
        seen &= simde_mm512_cmp_ps_mask(item_low, box_high, SIMDE_CMP_LE_OQ);
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

#define WIDE_LANES 16 // see quadtree_kernel_slab_part.h
typedef simde__m512 wide;

static inline uint32_t eight_bits_not_above(eight a, eight b)
{
    return simde_mm256_cmp_ps_mask(a, b, SIMDE_CMP_LE_OQ);
}

static inline uint32_t wide_bits_not_above(wide a, wide b)
{
    return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_LE_OQ);
}

// What an axis adds to the distances of the p-vertices of a group.
static inline wide wide_row(const query_plane *plane, int axis, const item_group *group)
{
    return simde_mm512_mul_ps(simde_mm512_set1_ps(plane->normal[axis]),
                              simde_mm512_loadu_ps(group->row[plane->far_row[axis]]));
}

// The items of a group that a plane does not exclude. A NaN does not.
static inline simde__mmask16 before_plane(const query_plane *plane, const item_group *group)
{
    const wide xy = simde_mm512_add_ps(wide_row(plane, 0, group), wide_row(plane, 1, group));
    const wide far_distance = simde_mm512_add_ps(simde_mm512_add_ps(xy, wide_row(plane, 2, group)),
                                                 simde_mm512_set1_ps(plane->d));
    return simde_mm512_cmp_ps_mask(far_distance, simde_mm512_setzero_ps(), SIMDE_CMP_NLT_UQ);
}

ACRE_ALWAYS_INLINE uint32_t frustum_slots(const query_volume *volume, const item_group *group,
                                          uint32_t mask, uint32_t count)
{
    simde__mmask16 seen = (simde__mmask16)present_slots(count);
    while (mask) { // compilers make it one masked comparison
        seen &= before_plane(&volume->planes[take_lowest(&mask)], group);
    }
    return seen;
}

static inline void copy_group(const uint32_t *from, uint32_t *to)
{
    simde_mm512_storeu_si512(to, simde_mm512_loadu_si512((const void *)from));
}

#include "quadtree_kernel_eight_part.h"
#include "quadtree_kernel_overlap_part.h"

#endif
