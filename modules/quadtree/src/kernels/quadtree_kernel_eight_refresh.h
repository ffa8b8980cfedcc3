// SPDX-License-Identifier: MIT
// quadtree_kernel_eight_refresh.h - refreshes with eight lanes.
#ifndef ACRE_QUADTREE_KERNEL_EIGHT_REFRESH_H
#define ACRE_QUADTREE_KERNEL_EIGHT_REFRESH_H

#include "quadtree_kernel_eight.h"
#include "quadtree_kernel_four_refresh.h"

// stays_in_cell for eight boxes in rows.
static inline eight eight_stay(const cell_limits *limits, const eight *row)
{
    const eight half = simde_mm256_set1_ps(0.5f);
    eight stays = simde_mm256_cmp_ps(simde_mm256_sub_ps(row[ROW_Y_MAX], row[ROW_Y_MIN]),
                                     simde_mm256_set1_ps(FLT_MAX), SIMDE_CMP_LE_OQ);
    eight size[3];
    for (int axis = 0; axis < 3; axis += 2) {
        const eight low = row[axis * 2], high = row[axis * 2 + 1];
        size[axis] = simde_mm256_sub_ps(high, low);
        const eight center =
            simde_mm256_add_ps(simde_mm256_mul_ps(half, low), simde_mm256_mul_ps(half, high));
        stays = simde_mm256_and_ps(
            stays, simde_mm256_cmp_ps(center, simde_mm256_set1_ps(limits->least[axis / 2]),
                                      SIMDE_CMP_GE_OQ));
        stays = simde_mm256_and_ps(
            stays, simde_mm256_cmp_ps(center, simde_mm256_set1_ps(limits->end[axis / 2]),
                                      SIMDE_CMP_LT_OQ));
    }
    const eight largest = simde_mm256_max_ps(size[0], size[2]);
    stays = simde_mm256_and_ps(
        stays,
        simde_mm256_cmp_ps(largest, simde_mm256_set1_ps(limits->end[LIMIT_SIZE]), SIMDE_CMP_LT_OQ));
    return simde_mm256_and_ps(
        stays, simde_mm256_cmp_ps(largest, simde_mm256_set1_ps(limits->least[LIMIT_SIZE]),
                                  SIMDE_CMP_GE_OQ));
}

// As four_least_side.
static inline eight eight_least_side(const eight *row)
{
    const eight x = simde_mm256_sub_ps(row[ROW_X_MAX], row[ROW_X_MIN]);
    const eight y = simde_mm256_sub_ps(row[ROW_Y_MAX], row[ROW_Y_MIN]);
    const eight z = simde_mm256_sub_ps(row[ROW_Z_MAX], row[ROW_Z_MIN]);
    return simde_mm256_min_ps(y, simde_mm256_min_ps(x, z));
}

// As four_are_ordered.
static inline eight eight_are_ordered(const eight *row)
{
    eight ordered = simde_mm256_cmp_ps(row[ROW_Y_MIN], row[ROW_Y_MAX], SIMDE_CMP_LE_OQ);
    for (int i = 0; i < ROW_COUNT; i += 2) {
        const simde__m256i is_same = simde_mm256_cmpeq_epi32(simde_mm256_castps_si256(row[i]),
                                                             simde_mm256_castps_si256(row[i + 1]));
        ordered = simde_mm256_and_ps(
            ordered, simde_mm256_or_ps(simde_mm256_cmp_ps(row[i], row[i + 1], SIMDE_CMP_LT_OQ),
                                       simde_mm256_castsi256_ps(is_same)));
    }
    return ordered;
}

static inline eight eight_join(four low, four high)
{
    return simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(low), high, 1);
}

// Gathers eight of the caller's boxes, whose parts are joined, into rows. Those of ids 4 to 7 go to
// the upper halves.
static inline void eight_gather_joined(const box_source *source, const uint32_t *ids, eight *row)
{
    eight first[4]; // x y z of the first part, x of the second
    eight last[4];  // z of the first part, x y z of the second
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

// Gathers eight of the caller's boxes into rows.
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

static inline bool refresh_group(const cell_limits *limits, const box_source *source,
                                 const uint32_t *ids, item_group *group, float *bounds)
{
    eight rows[2][ROW_COUNT];
    eight_gather(source, ids, rows[0]);
    eight_gather(source, ids + 8, rows[1]);
    const eight stay = simde_mm256_and_ps(eight_stay(limits, rows[0]), eight_stay(limits, rows[1]));
    const eight least = simde_mm256_min_ps(eight_least_side(rows[0]), eight_least_side(rows[1]));
    const eight have_sides = simde_mm256_cmp_ps(least, simde_mm256_setzero_ps(), SIMDE_CMP_GT_OQ);
    if (simde_mm256_movemask_ps(simde_mm256_and_ps(stay, have_sides)) != 255) {
        const eight are_ordered =
            simde_mm256_and_ps(eight_are_ordered(rows[0]), eight_are_ordered(rows[1]));
        if (simde_mm256_movemask_ps(simde_mm256_and_ps(stay, are_ordered)) != 255) {
            return false;
        }
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

#endif
