// SPDX-License-Identifier: MIT
// quadtree_kernel_volume_avx512.c - queries of planes and of a box, AVX-512.
#include "quadtree_kernel_avx512.h"

typedef simde__m512 wide;

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

#include "quadtree_kernel_volume_part.h"

SELECTING_IDS(frustum, frustum_slots)

VOLUME_KERNEL(avx512);
