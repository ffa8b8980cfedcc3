// SPDX-License-Identifier: MIT
// quadtree_kernel_eight.h - eight lanes at a time: what the sets for AVX2 and AVX-512 share.
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

// What one axis adds to the distances of the p-vertices of half a group.
static inline eight eight_row(const query_plane *plane, int axis, const item_group *group, int part)
{
    const eight normal = simde_mm256_set1_ps(plane->normal[axis]);
    const float *const row = group->row[plane->far_row[axis]];
    return simde_mm256_mul_ps(normal, simde_mm256_loadu_ps(row + part * 8));
}

// A plane in eight lanes, or two planes in four lanes each.
typedef struct eight_plane {
    eight x, y, z, d;
} eight_plane;

// Distances from a plane to eight boxes.
typedef struct eight_range {
    eight nearest;  // of the corner nearest to the outside
    eight farthest; // of the p-vertex
} eight_range;

static inline eight_range eight_distances(eight_plane plane, const eight *row)
{
    const eight x_low = simde_mm256_mul_ps(plane.x, row[0]);
    const eight x_high = simde_mm256_mul_ps(plane.x, row[1]);
    const eight y_low = simde_mm256_mul_ps(plane.y, row[2]);
    const eight y_high = simde_mm256_mul_ps(plane.y, row[3]);
    const eight z_low = simde_mm256_mul_ps(plane.z, row[4]);
    const eight z_high = simde_mm256_mul_ps(plane.z, row[5]);
    return (eight_range){
        eight_sum(simde_mm256_min_ps(x_low, x_high), simde_mm256_min_ps(y_low, y_high),
                  simde_mm256_min_ps(z_low, z_high), plane.d),
        eight_sum(simde_mm256_max_ps(x_low, x_high), simde_mm256_max_ps(y_low, y_high),
                  simde_mm256_max_ps(z_low, z_high), plane.d)};
}

// The answers of planes for eight boxes.
typedef struct eight_verdict {
    eight outside;
    simde__m256i inside; // the planes that a box is inside of, a bit each
} eight_verdict;

// bits: the bit of each lane's plane.
static inline void add_distances(eight_range distances, simde__m256i bits, eight_verdict *verdict)
{
    const eight zero = simde_mm256_setzero_ps();
    const eight is_inside = simde_mm256_cmp_ps(distances.nearest, zero, SIMDE_CMP_GE_OQ);
    const eight is_outside = simde_mm256_cmp_ps(distances.farthest, zero, SIMDE_CMP_LT_OQ);
    verdict->outside = simde_mm256_or_ps(verdict->outside, is_outside);
    verdict->inside = simde_mm256_or_si256(
        verdict->inside, simde_mm256_and_si256(simde_mm256_castps_si256(is_inside), bits));
}

static inline eight eight_halves(float low, float high)
{
    return simde_mm256_blend_ps(simde_mm256_set1_ps(low), simde_mm256_set1_ps(high), 0xf0);
}

// Tests planes first and first + 1 against four boxes, which stand twice in row.
static inline void test_two_planes(const query_volume *volume, uint32_t first, const eight *row,
                                   eight_verdict *verdict)
{
    static const uint32_t two_bits[8] = {1, 1, 1, 1, 2, 2, 2, 2};
    const query_plane *const a = &volume->planes[first], *const b = a + 1;
    ACRE_INVARIANT(first + 1 < ACRE_FRUSTUM_MAX_PLANES);
    const eight_plane planes = {
        eight_halves(a->normal[0], b->normal[0]), eight_halves(a->normal[1], b->normal[1]),
        eight_halves(a->normal[2], b->normal[2]), eight_halves(a->bounds_d, b->bounds_d)};
    add_distances(eight_distances(planes, row),
                  simde_mm256_slli_epi32(eight_load(two_bits), (int)first), verdict);
}

// frustum_few, two planes at a time. A plane that is not in the mask is harmless: a box around
// these four is inside it, so it excludes none. A camera's six planes are unrolled, which saves a
// fifth of the test.
ACRE_ALWAYS_INLINE uint32_t frustum_all(const query_volume *volume, const four_boxes *bounds,
                                        uint32_t mask, four_masks *left)
{
    eight row[ROW_COUNT];
    ACRE_INVARIANT(volume->plane_count <= ACRE_FRUSTUM_MAX_PLANES);
    for (int i = 0; i < ROW_COUNT; i++) {
        row[i] = simde_mm256_broadcast_ps((const simde__m128 *)(const void *)bounds->row[i]);
    }
    eight_verdict verdict = {simde_mm256_setzero_ps(), simde_mm256_setzero_si256()};
    if (volume->plane_count == 6) {
        if (mask & 3) {
            test_two_planes(volume, 0, row, &verdict);
        }
        if (mask & 12) {
            test_two_planes(volume, 2, row, &verdict);
        }
        if (mask & 48) {
            test_two_planes(volume, 4, row, &verdict);
        }
    } else {
        for (uint32_t i = 0; i < volume->plane_count; i += 2) {
            test_two_planes(volume, i, row, &verdict);
        }
    }
    const simde__m128i planes = simde_mm_or_si128(simde_mm256_castsi256_si128(verdict.inside),
                                                  simde_mm256_extracti128_si256(verdict.inside, 1));
    *left = simde_mm_andnot_si128(planes, simde_mm_set1_epi32((int32_t)mask));
    const uint32_t lanes = (uint32_t)simde_mm256_movemask_ps(verdict.outside);
    return ((lanes | lanes >> 4) & 15u) ^ 15u;
}

ACRE_ALWAYS_INLINE uint32_t frustum_four(const query_volume *volume, const four_boxes *bounds,
                                         uint32_t mask, four_masks *left)
{
    const uint32_t without_one = mask & (mask - 1);
    const bool has_few = (without_one & (without_one - 1)) == 0;
    return has_few ? frustum_few(volume, bounds, mask, left)
                   : frustum_all(volume, bounds, mask, left);
}

static inline eight eight_of_two(const float *first, const float *second)
{
    const eight low = simde_mm256_castps128_ps256(simde_mm_loadu_ps(first));
    return simde_mm256_insertf128_ps(low, simde_mm_loadu_ps(second), 1);
}

// A row of two times four boxes.
static inline eight eight_edges(const four_boxes *first, const four_boxes *second, int row)
{
    return eight_of_two(first->row[row], second->row[row]);
}

// Tests two times four boxes against the planes of a mask, one plane at a time.
ACRE_ALWAYS_INLINE uint32_t frustum_two(const query_volume *volume, const four_boxes *first,
                                        const four_boxes *second, uint32_t mask, four_masks left[2])
{
    eight row[ROW_COUNT];
    for (int i = 0; i < ROW_COUNT; i++) {
        row[i] = eight_edges(first, second, i);
    }
    const simde__m256i all = simde_mm256_set1_epi32((int32_t)mask);
    eight_verdict verdict = {simde_mm256_setzero_ps(), simde_mm256_setzero_si256()};
    while (mask) {
        const uint32_t i = take_lowest(&mask);
        const query_plane *const from = &volume->planes[i];
        const eight_plane plane = {
            simde_mm256_set1_ps(from->normal[0]), simde_mm256_set1_ps(from->normal[1]),
            simde_mm256_set1_ps(from->normal[2]), simde_mm256_set1_ps(from->bounds_d)};
        add_distances(eight_distances(plane, row), simde_mm256_set1_epi32((int32_t)(1u << i)),
                      &verdict);
    }
    const simde__m256i planes = simde_mm256_andnot_si256(verdict.inside, all);
    left[0] = simde_mm256_castsi256_si128(planes);
    left[1] = simde_mm256_extracti128_si256(planes, 1);
    return (uint32_t)simde_mm256_movemask_ps(verdict.outside) ^ 255u;
}

// round_four for two times four boxes.
ACRE_ALWAYS_INLINE uint32_t round_two(const query_volume *volume, const four_boxes *first,
                                      const four_boxes *second, uint32_t axes, uint32_t mask,
                                      four_masks left[2])
{
    const eight zero = simde_mm256_setzero_ps();
    eight nearest = zero, farthest = zero;
    for (int axis = 0; axis < 3; axis++) {
        if (!(axes >> axis & 1)) {
            continue;
        }
        const eight center = simde_mm256_set1_ps(volume->round.center[axis]);
        const eight below = simde_mm256_sub_ps(eight_edges(first, second, axis * 2), center);
        const eight above = simde_mm256_sub_ps(center, eight_edges(first, second, axis * 2 + 1));
        const eight gap = simde_mm256_max_ps(simde_mm256_max_ps(below, above), zero);
        const eight far_edge = simde_mm256_min_ps(below, above);
        nearest = simde_mm256_add_ps(nearest, simde_mm256_mul_ps(gap, gap));
        farthest = simde_mm256_add_ps(farthest, simde_mm256_mul_ps(far_edge, far_edge));
    }
    const eight is_inside =
        simde_mm256_cmp_ps(farthest, simde_mm256_set1_ps(volume->round.hold), SIMDE_CMP_LE_OQ);
    const eight touches =
        simde_mm256_cmp_ps(nearest, simde_mm256_set1_ps(volume->round.touch), SIMDE_CMP_LE_OQ);
    const simde__m256i parts = simde_mm256_andnot_si256(simde_mm256_castps_si256(is_inside),
                                                        simde_mm256_set1_epi32((int32_t)mask));
    left[0] = simde_mm256_castsi256_si128(parts);
    left[1] = simde_mm256_extracti128_si256(parts, 1);
    return (uint32_t)simde_mm256_movemask_ps(touches);
}

// Squared distances of the boxes of half a group from a center.
static inline eight eight_squares(const item_group *group, const float *center, uint32_t axes,
                                  int part)
{
    const eight zero = simde_mm256_setzero_ps();
    eight sum = zero;
    for (int axis = 0; axis < 3; axis++) {
        if (!(axes >> axis & 1)) {
            continue;
        }
        const eight at = simde_mm256_set1_ps(center[axis]);
        const eight low = simde_mm256_loadu_ps(&group->row[axis * 2][part * 8]);
        const eight high = simde_mm256_loadu_ps(&group->row[axis * 2 + 1][part * 8]);
        const eight gap = simde_mm256_max_ps(
            simde_mm256_max_ps(simde_mm256_sub_ps(low, at), simde_mm256_sub_ps(at, high)), zero);
        sum = simde_mm256_add_ps(sum, simde_mm256_mul_ps(gap, gap));
    }
    return sum;
}

// Copies with vector stores that match the later loads: compilers split memcpy into scalar stores,
// which defeats store forwarding.
static inline void repeat_group(const item_group *group, uint32_t axes, group_twice *twice)
{
    for (int row = 0; row < ROW_COUNT; row++) {
        if (axes >> row / 2 & 1) {
            const eight first = simde_mm256_loadu_ps(group->row[row]);
            simde_mm256_storeu_ps(twice->row[row], first);
            simde_mm256_storeu_ps(twice->row[row] + 8, simde_mm256_loadu_ps(group->row[row] + 8));
            simde_mm256_storeu_ps(twice->row[row] + 16, first);
        }
    }
}

static inline uint32_t overlapping_behind(const group_twice *twice, uint32_t offset, uint32_t axes,
                                          int part)
{
    ACRE_INVARIANT(offset > 0 && offset <= HALF_SLOTS);
    eight outside = simde_mm256_setzero_ps();
    for (int low = 0; low < ROW_COUNT; low += 2) {
        if (!(axes >> low / 2 & 1)) {
            continue;
        }
        const float *const lows = &twice->row[low][part * 8];
        const float *const highs = &twice->row[low + 1][part * 8];
        const eight is_out = simde_mm256_or_ps(
            simde_mm256_cmp_ps(simde_mm256_loadu_ps(highs), simde_mm256_loadu_ps(lows + offset),
                               SIMDE_CMP_LT_OQ),
            simde_mm256_cmp_ps(simde_mm256_loadu_ps(highs + offset), simde_mm256_loadu_ps(lows),
                               SIMDE_CMP_LT_OQ));
        outside = simde_mm256_or_ps(outside, is_out);
    }
    return (uint32_t)simde_mm256_movemask_ps(outside) ^ 255u;
}

#endif
