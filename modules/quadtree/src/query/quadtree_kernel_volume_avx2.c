// SPDX-License-Identifier: MIT
// quadtree_kernel_volume_avx2.c - queries of planes and of a box, AVX2.
#include "quadtree_kernel_avx2.h"

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

#include "quadtree_kernel_volume_part.h"

SELECTING_IDS(frustum, frustum_slots)

VOLUME_KERNEL(avx2);
