// SPDX-License-Identifier: MIT
// quadtree_kernel_eight.h - eight lanes: what the kernels for AVX2 and AVX-512 share.
#ifndef ACRE_QUADTREE_KERNEL_EIGHT_H
#define ACRE_QUADTREE_KERNEL_EIGHT_H

#include "quadtree_kernel_four.h"

#include <simde/x86/avx2.h>

typedef simde__m256 eight;

static inline simde__m256i eight_load(const void *from)
{
    simde__m256i value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline eight eight_sum(eight x, eight y, eight z, eight d)
{
    return simde_mm256_add_ps(simde_mm256_add_ps(simde_mm256_add_ps(x, y), z), d);
}

static inline eight four_twice(const float *row)
{
    const four once = simde_mm_loadu_ps(row);
    return simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(once), once, 1);
}

// What an axis adds to the distances of the p-vertices of half a group.
static inline eight eight_row(const query_plane *plane, int axis, const item_group *group, int part)
{
    const eight normal = simde_mm256_set1_ps(plane->normal[axis]);
    const float *const row = group->row[plane->far_row[axis]];
    return simde_mm256_mul_ps(normal, simde_mm256_loadu_ps(row + part * 8));
}

// As frustum_few, but all planes are evaluated, so that no branch depends on a mask. Those that are
// not in it cannot exclude: something around these boxes is inside of them.
static inline uint32_t frustum_all(const query_volume *volume, const four_boxes *bounds,
                                   uint32_t mask, four_masks *left)
{
    static const uint32_t two_bits[8] = {1, 1, 1, 1, 2, 2, 2, 2};
    const eight zero = simde_mm256_setzero_ps();
    const eight x_min = four_twice(bounds->row[0]), x_max = four_twice(bounds->row[1]);
    const eight y_min = four_twice(bounds->row[2]), y_max = four_twice(bounds->row[3]);
    const eight z_min = four_twice(bounds->row[4]), z_max = four_twice(bounds->row[5]);
    simde__m256i bits = eight_load(two_bits);
    simde__m256i inside = simde_mm256_setzero_si256();
    eight outside = zero;
    for (uint32_t i = 0; i < volume->plane_count; i += 2) {
        const eight nx = simde_mm256_loadu_ps(&volume->spread[COMPONENT_X][i * 4]);
        const eight ny = simde_mm256_loadu_ps(&volume->spread[COMPONENT_Y][i * 4]);
        const eight nz = simde_mm256_loadu_ps(&volume->spread[COMPONENT_Z][i * 4]);
        const eight d = simde_mm256_loadu_ps(&volume->spread[COMPONENT_D][i * 4]);
        const eight x_low = simde_mm256_mul_ps(nx, x_min), x_high = simde_mm256_mul_ps(nx, x_max);
        const eight y_low = simde_mm256_mul_ps(ny, y_min), y_high = simde_mm256_mul_ps(ny, y_max);
        const eight z_low = simde_mm256_mul_ps(nz, z_min), z_high = simde_mm256_mul_ps(nz, z_max);
        const eight far_distance =
            eight_sum(simde_mm256_max_ps(x_low, x_high), simde_mm256_max_ps(y_low, y_high),
                      simde_mm256_max_ps(z_low, z_high), d);
        const eight near_distance =
            eight_sum(simde_mm256_min_ps(x_low, x_high), simde_mm256_min_ps(y_low, y_high),
                      simde_mm256_min_ps(z_low, z_high), d);
        const simde__m256i is_inside =
            simde_mm256_castps_si256(simde_mm256_cmp_ps(near_distance, zero, SIMDE_CMP_GE_OQ));
        outside =
            simde_mm256_or_ps(outside, simde_mm256_cmp_ps(far_distance, zero, SIMDE_CMP_LT_OQ));
        inside = simde_mm256_or_si256(inside, simde_mm256_and_si256(is_inside, bits));
        bits = simde_mm256_slli_epi32(bits, 2);
    }
    const simde__m128i planes = simde_mm_or_si128(simde_mm256_castsi256_si128(inside),
                                                  simde_mm256_extracti128_si256(inside, 1));
    *left = simde_mm_andnot_si128(planes, simde_mm_set1_epi32((int32_t)mask));
    const uint32_t lanes = (uint32_t)simde_mm256_movemask_ps(outside);
    return ((lanes | lanes >> 4) & 15u) ^ 15u;
}

static inline uint32_t frustum_four(const query_volume *volume, const four_boxes *bounds,
                                    uint32_t mask, four_masks *left)
{
    const uint32_t without_one = mask & (mask - 1);
    const bool has_few = (without_one & (without_one - 1)) == 0;
    return has_few ? frustum_few(volume, bounds, mask, left)
                   : frustum_all(volume, bounds, mask, left);
}

#endif
