// SPDX-License-Identifier: MIT
// quadtree_kernel_avx2.c - eight lanes; what is seen comes to the front by a table.
#include "quadtree_kernel_eight.h"

// For each set of the eight lanes its members in order, a byte each, the first one lowest. In the
// lower half of the sets the highest lane is missing, and in the lower half of these the next one.
#define SETS_0(members) members
#define SETS_1(members) SETS_0(members), SETS_0((members) << 8)
#define SETS_2(members) SETS_1(members), SETS_1((members) << 8 | 1)
#define SETS_3(members) SETS_2(members), SETS_2((members) << 8 | 2)
#define SETS_4(members) SETS_3(members), SETS_3((members) << 8 | 3)
#define SETS_5(members) SETS_4(members), SETS_4((members) << 8 | 4)
#define SETS_6(members) SETS_5(members), SETS_5((members) << 8 | 5)
#define SETS_7(members) SETS_6(members), SETS_6((members) << 8 | 6)
static const uint64_t eight_to_front[256] = {SETS_7(UINT64_C(0)), SETS_7(UINT64_C(7))};

static inline void list_eight(simde__m256i lanes, uint32_t set, uint32_t *end)
{
    const simde__m128i order =
        simde_mm_loadl_epi64((const simde__m128i *)(const void *)&eight_to_front[set]);
    const simde__m256i front =
        simde_mm256_permutevar8x32_epi32(lanes, simde_mm256_cvtepu8_epi32(order));
    memcpy(end, &front, sizeof front);
}

static inline uint32_t append_ids(uint32_t seen, const uint32_t *ids, uint32_t *out)
{
    const uint32_t low = seen & 255, high = seen >> 8 & 255;
    const uint32_t found = (uint32_t)__builtin_popcount(low);
    list_eight(eight_load(ids), low, out);
    list_eight(eight_load(ids + 8), high, out + found);
    return found + (uint32_t)__builtin_popcount(high);
}

static inline uint32_t seen_slots(eight low_outside, eight high_outside)
{
    return ~((uint32_t)simde_mm256_movemask_ps(low_outside) |
             (uint32_t)simde_mm256_movemask_ps(high_outside) << 8);
}

static inline uint32_t frustum_group(const query_volume *volume, const item_group *group,
                                     uint32_t mask, const uint32_t *ids, uint32_t count,
                                     uint32_t *out)
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
    return append_ids(seen_slots(outside[0], outside[1]) & present_slots(count), ids, out);
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

static inline void copy_group(const uint32_t *from, uint32_t *to)
{
    const simde__m256i low = eight_load(from), high = eight_load(from + 8);
    memcpy(to, &low, sizeof low);
    memcpy(to + 8, &high, sizeof high);
}

#include "quadtree_kernel_copy.h"
#include "quadtree_kernel_select.h"
#include "quadtree_kernel_shape.h"
#include "quadtree_kernel_pairs.h"
#include "quadtree_kernel_curve.h"
#include "quadtree_kernel_place.h"

const tree_kernel acre_kernel_avx2 = {QUERY_KERNELS,
                                      SHAPE_KERNELS,
                                      PAIR_KERNELS,
                                      CURVE_KERNEL,
                                      PLACE_KERNEL,
                                      COPY_KERNELS,
                                      .refresh_block = eight_refresh_block,
                                      .refresh_rows = four_refresh_rows};
