// SPDX-License-Identifier: MIT
// quadtree_kernel_avx512.c - a group of 16 boxes as one vector; masks and compression in registers.
#include "quadtree_kernel_four.h"

#include <simde/x86/avx512.h>

typedef simde__m512 sixteen;

static inline sixteen sixteen_distance(const query_plane *plane, const item_group *group)
{
    const sixteen x = simde_mm512_loadu_ps(group->row[plane->far_row[0]]);
    const sixteen y = simde_mm512_loadu_ps(group->row[plane->far_row[1]]);
    const sixteen z = simde_mm512_loadu_ps(group->row[plane->far_row[2]]);
    const sixteen nx = simde_mm512_set1_ps(plane->normal[0]);
    const sixteen ny = simde_mm512_set1_ps(plane->normal[1]);
    const sixteen nz = simde_mm512_set1_ps(plane->normal[2]), d = simde_mm512_set1_ps(plane->d);
    const sixteen xy = simde_mm512_add_ps(simde_mm512_mul_ps(nx, x), simde_mm512_mul_ps(ny, y));
    return simde_mm512_add_ps(simde_mm512_add_ps(xy, simde_mm512_mul_ps(nz, z)), d);
}

// Full-width stores: compressing straight to memory is slow.
static inline uint32_t append(uint32_t seen, const uint32_t *ids, uint32_t *out)
{
    const simde__m512i from = simde_mm512_loadu_si512(ids);
    const simde__mmask16 mask = (simde__mmask16)seen;
    simde_mm512_storeu_si512(out, simde_mm512_maskz_compress_epi32(mask, from));
    return (uint32_t)__builtin_popcount(seen);
}

static inline uint32_t frustum_group(const active_planes *active, const item_group *group,
                                     const uint32_t *ids, uint32_t count, uint32_t *out)
{
    const sixteen zero = simde_mm512_setzero_ps();
    uint32_t seen = present_slots(count);
    for (uint32_t i = 0; i < active->count; i++) {
        const sixteen far_distance = sixteen_distance(active->plane[i], group);
        seen &= ~(uint32_t)simde_mm512_cmp_ps_mask(far_distance, zero, SIMDE_CMP_LT_OQ);
    }
    return append(seen, ids, out);
}

static inline uint32_t box_group(const query_volume *volume, const item_group *group,
                                 const uint32_t *ids, uint32_t count, uint32_t *out)
{
    uint32_t seen = present_slots(count);
    for (int low = 0; low < ROW_COUNT; low += 2) {
        const sixteen item_low = simde_mm512_loadu_ps(group->row[low]);
        const sixteen item_high = simde_mm512_loadu_ps(group->row[low + 1]);
        const sixteen box_low = simde_mm512_set1_ps(volume->box.row[low]);
        const sixteen box_high = simde_mm512_set1_ps(volume->box.row[low + 1]);
        seen &= ~(uint32_t)simde_mm512_cmp_ps_mask(item_high, box_low, SIMDE_CMP_LT_OQ);
        seen &= ~(uint32_t)simde_mm512_cmp_ps_mask(box_high, item_low, SIMDE_CMP_LT_OQ);
    }
    return append(seen, ids, out);
}

#include "quadtree_kernel_select.h"

const tree_kernel acre_kernel_avx512 = {
    {four_test_quad, select_frustum}, {four_test_quad_box, select_box}, four_refresh_group};
