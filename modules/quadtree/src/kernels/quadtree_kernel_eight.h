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

// What an axis adds to the distances of the p-vertices of half a group.
static inline eight eight_row(const query_plane *plane, int axis, const item_group *group, int part)
{
    const eight normal = simde_mm256_set1_ps(plane->normal[axis]);
    const float *const row = group->row[plane->far_row[axis]];
    return simde_mm256_mul_ps(normal, simde_mm256_loadu_ps(row + part * 8));
}

// A plane, or two of them side by side, in eight lanes.
typedef struct eight_plane {
    eight x, y, z, d;
} eight_plane;

// The distances of the nearest and of the farthest corner of eight boxes.
typedef struct eight_range {
    eight nearest, farthest;
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

// What planes say about eight boxes.
typedef struct eight_verdict {
    eight outside;
    simde__m256i inside; // of which planes, a bit each
} eight_verdict;

// bits: those of the lanes' planes.
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

// Planes first and first + 1, about four boxes of which there are two copies side by side.
static inline void judge_pair(const query_volume *volume, uint32_t first, const eight *row,
                              eight_verdict *verdict)
{
    static const uint32_t two_bits[8] = {1, 1, 1, 1, 2, 2, 2, 2};
    const query_plane *const a = &volume->planes[first], *const b = a + 1;
    const eight_plane planes = {
        eight_halves(a->normal[0], b->normal[0]), eight_halves(a->normal[1], b->normal[1]),
        eight_halves(a->normal[2], b->normal[2]), eight_halves(a->bounds_d, b->bounds_d)};
    add_distances(eight_distances(planes, row),
                  simde_mm256_slli_epi32(eight_load(two_bits), (int)first), verdict);
}

// As frustum_few, two planes at a time. If one of them is not in the mask, it cannot exclude:
// something around these boxes is inside of it. A camera's six planes stand without a loop: that
// saves a fifth of the test.
ACRE_ALWAYS_INLINE uint32_t frustum_all(const query_volume *volume, const four_boxes *bounds,
                                        uint32_t mask, four_masks *left)
{
    eight row[ROW_COUNT];
    for (int i = 0; i < ROW_COUNT; i++) {
        row[i] = simde_mm256_broadcast_ps((const simde__m128 *)(const void *)bounds->row[i]);
    }
    eight_verdict verdict = {simde_mm256_setzero_ps(), simde_mm256_setzero_si256()};
    if (volume->plane_count == 6) {
        if (mask & 3) {
            judge_pair(volume, 0, row, &verdict);
        }
        if (mask & 12) {
            judge_pair(volume, 2, row, &verdict);
        }
        if (mask & 48) {
            judge_pair(volume, 4, row, &verdict);
        }
    } else {
        for (uint32_t i = 0; i < volume->plane_count; i += 2) {
            judge_pair(volume, i, row, &verdict);
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

// Two times four boxes, a plane at a time.
ACRE_ALWAYS_INLINE uint32_t frustum_two(const query_volume *volume, const four_boxes *first,
                                        const four_boxes *second, uint32_t mask, four_masks left[2])
{
    eight row[ROW_COUNT];
    for (int i = 0; i < ROW_COUNT; i++) {
        const eight low = simde_mm256_castps128_ps256(simde_mm_loadu_ps(first->row[i]));
        row[i] = simde_mm256_insertf128_ps(low, simde_mm_loadu_ps(second->row[i]), 1);
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

// The lanes of a set, brought to the front, at the end of a list. Eight rows are written. Each
// kernel has its own.
static inline void list_eight(simde__m256i lanes, uint32_t set, uint32_t *end);

static inline simde__m256i eight_repeat(uint32_t first, uint32_t second)
{
    return simde_mm256_set_m128i(simde_mm_set1_epi32((int32_t)second),
                                 simde_mm_set1_epi32((int32_t)first));
}

// As list_groups. See LIST_TWICE.
static inline void list_two_blocks(const uint32_t blocks[2], uint32_t count, uint32_t seen,
                                   const four_masks left[2], group_lists *lists, group_ends *ends)
{
    const simde__m256i lane = simde_mm256_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3);
    const simde__m256i first = eight_repeat(blocks[0] * BLOCK_GROUPS, blocks[1] * BLOCK_GROUPS);
    const simde__m256i group = simde_mm256_add_epi32(first, lane);
    const simde__m256i rest =
        simde_mm256_sub_epi32(eight_repeat(count, BLOCK_SLOTS), simde_mm256_slli_epi32(lane, 4));
    const simde__m256i words =
        simde_mm256_or_si256(simde_mm256_slli_epi32(group, GROUP_COUNT_BITS),
                             simde_mm256_min_epi32(rest, simde_mm256_set1_epi32(GROUP_SLOTS)));
    const simde__m256i masks = simde_mm256_set_m128i(left[1], left[0]);
    const simde__m256i is_zero = simde_mm256_cmpeq_epi32(masks, simde_mm256_setzero_si256());
    const uint32_t is_inside = (uint32_t)simde_mm256_movemask_ps(simde_mm256_castsi256_ps(is_zero));
    const uint32_t inside = seen & is_inside, cut = seen & ~is_inside;
    list_eight(words, inside, lists->inside + ends->inside);
    list_eight(words, cut, lists->cut + ends->cut);
    list_eight(masks, cut, lists->cut_masks + ends->cut);
    ends->inside += (uint32_t)__builtin_popcount(inside);
    ends->cut += (uint32_t)__builtin_popcount(cut);
}

// By vectors, as they are read: what compilers make of memcpy here they take to pieces.
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

static inline uint32_t overlapping_behind(const group_twice *twice, uint32_t turn, uint32_t axes,
                                          int part)
{
    eight outside = simde_mm256_setzero_ps();
    for (int low = 0; low < ROW_COUNT; low += 2) {
        if (!(axes >> low / 2 & 1)) {
            continue;
        }
        const float *const lows = &twice->row[low][part * 8];
        const float *const highs = &twice->row[low + 1][part * 8];
        const eight is_out = simde_mm256_or_ps(
            simde_mm256_cmp_ps(simde_mm256_loadu_ps(highs), simde_mm256_loadu_ps(lows + turn),
                               SIMDE_CMP_LT_OQ),
            simde_mm256_cmp_ps(simde_mm256_loadu_ps(highs + turn), simde_mm256_loadu_ps(lows),
                               SIMDE_CMP_LT_OQ));
        outside = simde_mm256_or_ps(outside, is_out);
    }
    return (uint32_t)simde_mm256_movemask_ps(outside) ^ 255u;
}

// ---- refresh of all ----

// stays_in_cell for eight boxes, given as rows.
static inline eight eight_stay(const cell_limits *limits, const eight *row)
{
    const eight half = simde_mm256_set1_ps(0.5f), zero = simde_mm256_setzero_ps();
    eight stays = simde_mm256_cmp_ps(simde_mm256_sub_ps(row[ROW_Y_MAX], row[ROW_Y_MIN]),
                                     simde_mm256_set1_ps(FLT_MAX), SIMDE_CMP_LE_OQ);
    eight size[3];
    for (int axis = 0; axis < 3; axis++) {
        const eight low = row[axis * 2], high = row[axis * 2 + 1];
        size[axis] = simde_mm256_sub_ps(high, low);
        if (axis == 1) {
            continue;
        }
        const eight centre =
            simde_mm256_add_ps(simde_mm256_mul_ps(half, low), simde_mm256_mul_ps(half, high));
        stays = simde_mm256_and_ps(
            stays, simde_mm256_cmp_ps(centre, simde_mm256_set1_ps(limits->least[axis / 2]),
                                      SIMDE_CMP_GE_OQ));
        stays = simde_mm256_and_ps(
            stays, simde_mm256_cmp_ps(centre, simde_mm256_set1_ps(limits->end[axis / 2]),
                                      SIMDE_CMP_LT_OQ));
    }
    const eight largest = simde_mm256_max_ps(size[0], size[2]);
    const eight least = simde_mm256_min_ps(size[1], simde_mm256_min_ps(size[0], size[2]));
    stays = simde_mm256_and_ps(
        stays, simde_mm256_cmp_ps(largest, simde_mm256_set1_ps(limits->end[LIMIT_EXTENT]),
                                  SIMDE_CMP_LT_OQ));
    stays = simde_mm256_and_ps(
        stays, simde_mm256_cmp_ps(largest, simde_mm256_set1_ps(limits->least[LIMIT_EXTENT]),
                                  SIMDE_CMP_GE_OQ));
    return simde_mm256_and_ps(stays, simde_mm256_cmp_ps(least, zero, SIMDE_CMP_GE_OQ));
}

static inline eight eight_join(four low, four high)
{
    return simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(low), high, 1);
}

// Eight of the caller's boxes, whose parts follow each other, as rows. The boxes of ids 4 to 7 come
// into the upper halves.
static inline void eight_gather_joined(const box_source *source, const uint32_t *ids, eight *row)
{
    eight first[4], last[4]; // x y z of the first part, x of the second; z of the first, the second
    for (int i = 0; i < 4; i++) {
        const unsigned char *const low = source->first + ids[i] * source->first_stride;
        const unsigned char *const high = source->first + ids[i + 4] * source->first_stride;
        first[i] = eight_join(simde_mm_castsi128_ps(four_load(low)),
                              simde_mm_castsi128_ps(four_load(high)));
        last[i] = eight_join(simde_mm_castsi128_ps(four_load(low + 2 * sizeof(float))),
                             simde_mm_castsi128_ps(four_load(high + 2 * sizeof(float))));
    }
    const simde__m256d x_y_a = simde_mm256_castps_pd(simde_mm256_unpacklo_ps(first[0], first[1]));
    const simde__m256d x_y_b = simde_mm256_castps_pd(simde_mm256_unpacklo_ps(first[2], first[3]));
    const simde__m256d z_x_a = simde_mm256_castps_pd(simde_mm256_unpackhi_ps(first[0], first[1]));
    const simde__m256d z_x_b = simde_mm256_castps_pd(simde_mm256_unpackhi_ps(first[2], first[3]));
    const simde__m256d y_z_a = simde_mm256_castps_pd(simde_mm256_unpackhi_ps(last[0], last[1]));
    const simde__m256d y_z_b = simde_mm256_castps_pd(simde_mm256_unpackhi_ps(last[2], last[3]));
    row[ROW_X_MIN] = simde_mm256_castpd_ps(simde_mm256_unpacklo_pd(x_y_a, x_y_b));
    row[ROW_Y_MIN] = simde_mm256_castpd_ps(simde_mm256_unpackhi_pd(x_y_a, x_y_b));
    row[ROW_Z_MIN] = simde_mm256_castpd_ps(simde_mm256_unpacklo_pd(z_x_a, z_x_b));
    row[ROW_X_MAX] = simde_mm256_castpd_ps(simde_mm256_unpackhi_pd(z_x_a, z_x_b));
    row[ROW_Y_MAX] = simde_mm256_castpd_ps(simde_mm256_unpacklo_pd(y_z_a, y_z_b));
    row[ROW_Z_MAX] = simde_mm256_castpd_ps(simde_mm256_unpackhi_pd(y_z_a, y_z_b));
}

// As four_corners.
static inline void eight_corners(eight *row)
{
    const eight zero = simde_mm256_setzero_ps();
    for (int i = 0; i < ROW_COUNT; i += 2) {
        const eight middle = row[i], half = row[i + 1];
        const eight is_size = simde_mm256_cmp_ps(half, zero, SIMDE_CMP_GE_OQ);
        row[i] = simde_mm256_blendv_ps(simde_mm256_set1_ps(FLT_MAX),
                                       simde_mm256_sub_ps(middle, half), is_size);
        row[i + 1] = simde_mm256_blendv_ps(simde_mm256_set1_ps(-FLT_MAX),
                                           simde_mm256_add_ps(middle, half), is_size);
    }
}

// Eight of the caller's boxes as rows.
static inline void eight_gather(const box_source *source, const uint32_t *ids, eight *row)
{
    if (source->is_joined) {
        eight_gather_joined(source, ids, row);
        if (source->is_centered) {
            eight_corners(row);
        }
        return;
    }
    four low[ROW_COUNT], high[ROW_COUNT];
    four_gather(source, ids, low);
    four_gather(source, ids + 4, high);
    for (int i = 0; i < ROW_COUNT; i++) {
        row[i] = eight_join(low[i], high[i]);
    }
}

static inline four eight_halves_least(eight lanes)
{
    return simde_mm_min_ps(simde_mm256_extractf128_ps(lanes, 1),
                           simde_mm256_castps256_ps128(lanes));
}

static inline four eight_halves_largest(eight lanes)
{
    return simde_mm_max_ps(simde_mm256_extractf128_ps(lanes, 1),
                           simde_mm256_castps256_ps128(lanes));
}

static inline bool eight_refresh_group(const cell_limits *limits, const box_source *source,
                                       const uint32_t *ids, item_group *group, float *bounds)
{
    eight rows[2][ROW_COUNT];
    eight_gather(source, ids, rows[0]);
    eight_gather(source, ids + 8, rows[1]);
    const eight stays =
        simde_mm256_and_ps(eight_stay(limits, rows[0]), eight_stay(limits, rows[1]));
    if (simde_mm256_movemask_ps(stays) != 255) {
        return false;
    }
    for (int i = 0; i < ROW_COUNT; i += 2) {
        for (int edge = i; edge < i + 2; edge++) {
            simde_mm256_storeu_ps(group->row[edge], rows[0][edge]);
            simde_mm256_storeu_ps(group->row[edge] + 8, rows[1][edge]);
        }
        simde_mm_store_ss(
            bounds + i * BLOCK_GROUPS,
            four_least(eight_halves_least(simde_mm256_min_ps(rows[1][i], rows[0][i]))));
        simde_mm_store_ss(
            bounds + (i + 1) * BLOCK_GROUPS,
            four_largest(eight_halves_largest(simde_mm256_max_ps(rows[1][i + 1], rows[0][i + 1]))));
    }
    return true;
}

static uint32_t eight_refresh_block(block_header *header, const box_source *source,
                                    const uint32_t *ids, uint32_t count, const uint32_t *next,
                                    block_boxes *boxes)
{
    return refresh_block(eight_refresh_group, header, source, ids, count, next, boxes);
}

#endif
