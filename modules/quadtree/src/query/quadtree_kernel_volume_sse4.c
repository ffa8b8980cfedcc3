// SPDX-License-Identifier: MIT
// quadtree_kernel_volume_sse4.c - queries of planes and of a box, four lanes.
#include "quadtree_kernel_sse4.h"

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

#include "quadtree_kernel_volume_part.h"

SELECTING_IDS(frustum, frustum_slots)

VOLUME_KERNEL(sse4);
