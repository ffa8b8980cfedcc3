// SPDX-License-Identifier: MIT
// quadtree_kernel_four_refresh.h - refreshes with four lanes: tests and stores of new boxes.
#ifndef ACRE_QUADTREE_KERNEL_FOUR_REFRESH_H
#define ACRE_QUADTREE_KERNEL_FOUR_REFRESH_H

#include "quadtree_kernel_four.h"
#include "quadtree_kernel_refresh.h"

// ---- refresh of all ----

// stays_in_cell for four boxes in rows.
static inline four four_stay(const cell_limits *limits, const four *row)
{
    const four half = simde_mm_set1_ps(0.5f);
    four stays = simde_mm_cmple_ps(simde_mm_sub_ps(row[ROW_Y_MAX], row[ROW_Y_MIN]),
                                   simde_mm_set1_ps(FLT_MAX));
    four size[3];
    for (int axis = 0; axis < 3; axis += 2) {
        const four low = row[axis * 2], high = row[axis * 2 + 1];
        size[axis] = simde_mm_sub_ps(high, low);
        const four center =
            simde_mm_add_ps(simde_mm_mul_ps(half, low), simde_mm_mul_ps(half, high));
        stays = simde_mm_and_ps(
            stays, simde_mm_cmpge_ps(center, simde_mm_set1_ps(limits->least[axis / 2])));
        stays = simde_mm_and_ps(stays,
                                simde_mm_cmplt_ps(center, simde_mm_set1_ps(limits->end[axis / 2])));
    }
    const four largest = simde_mm_max_ps(size[0], size[2]);
    stays = simde_mm_and_ps(stays,
                            simde_mm_cmplt_ps(largest, simde_mm_set1_ps(limits->end[LIMIT_SIZE])));
    return simde_mm_and_ps(stays,
                           simde_mm_cmpge_ps(largest, simde_mm_set1_ps(limits->least[LIMIT_SIZE])));
}

// The least sides of boxes. One with sides above 0 is valid in every float mode: a difference that
// is not flushed has the sign of the true one.
static inline four four_least_side(const four *row)
{
    const four x = simde_mm_sub_ps(row[ROW_X_MAX], row[ROW_X_MIN]);
    const four y = simde_mm_sub_ps(row[ROW_Y_MAX], row[ROW_Y_MIN]);
    const four z = simde_mm_sub_ps(row[ROW_Z_MAX], row[ROW_Z_MIN]);
    return simde_mm_min_ps(y, simde_mm_min_ps(x, z));
}

// Lanes of boxes that certainly are valid: along each axis low is below high, or has the same bits.
// Where a program has denormals flushed, two inverted ones compare as equal.
static inline four four_are_ordered(const four *row)
{
    four ordered = simde_mm_cmple_ps(row[ROW_Y_MIN], row[ROW_Y_MAX]);
    for (int i = 0; i < ROW_COUNT; i += 2) {
        const simde__m128i is_same =
            simde_mm_cmpeq_epi32(simde_mm_castps_si128(row[i]), simde_mm_castps_si128(row[i + 1]));
        ordered = simde_mm_and_ps(ordered, simde_mm_or_ps(simde_mm_cmplt_ps(row[i], row[i + 1]),
                                                          simde_mm_castsi128_ps(is_same)));
    }
    return ordered;
}

// Loads two floats from any address; they pass through a double unchanged.
static inline four four_load_pair(const unsigned char *from)
{
    double pair;
    memcpy(&pair, from, sizeof pair);
    return simde_mm_castpd_ps(simde_mm_set_sd(pair));
}

// Loads three floats from any address; the fourth lane is 0.
static inline four four_load_part(const unsigned char *from)
{
    float z;
    memcpy(&z, from + 2 * sizeof z, sizeof z);
    return simde_mm_movelh_ps(four_load_pair(from), simde_mm_set_ss(z));
}

// Gathers four of the caller's boxes, whose parts are joined, into rows.
static inline void four_gather_joined(const box_source *source, const uint32_t *ids, four *row)
{
    four first[4]; // x y z of the first part, x of the second
    four last[4];  // y z of the second part, and two zeros
    for (int i = 0; i < 4; i++) {
        const unsigned char *const box = source->first + ids[i] * source->first_stride;
        first[i] = simde_mm_castsi128_ps(four_load(box));
        last[i] = four_load_pair(box + 4 * sizeof(float));
    }
    const four x_y_a = simde_mm_unpacklo_ps(first[0], first[1]);
    const four x_y_b = simde_mm_unpacklo_ps(first[2], first[3]);
    const four z_x_a = simde_mm_unpackhi_ps(first[0], first[1]);
    const four z_x_b = simde_mm_unpackhi_ps(first[2], first[3]);
    const four y_z_a = simde_mm_unpacklo_ps(last[0], last[1]);
    const four y_z_b = simde_mm_unpacklo_ps(last[2], last[3]);
    row[ROW_X_MIN] = simde_mm_movelh_ps(x_y_a, x_y_b);
    row[ROW_Y_MIN] = simde_mm_movehl_ps(x_y_b, x_y_a);
    row[ROW_Z_MIN] = simde_mm_movelh_ps(z_x_a, z_x_b);
    row[ROW_X_MAX] = simde_mm_movehl_ps(z_x_b, z_x_a);
    row[ROW_Y_MAX] = simde_mm_movelh_ps(y_z_a, y_z_b);
    row[ROW_Z_MAX] = simde_mm_movehl_ps(y_z_b, y_z_a);
}

// Gathers one part of four boxes into every second row.
static inline void four_gather_part(const unsigned char *parts, size_t stride, const uint32_t *ids,
                                    four *row)
{
    four part[4];
    for (int i = 0; i < 4; i++) {
        part[i] = four_load_part(parts + ids[i] * stride);
    }
    const four x_y_a = simde_mm_unpacklo_ps(part[0], part[1]);
    const four x_y_b = simde_mm_unpacklo_ps(part[2], part[3]);
    row[0] = simde_mm_movelh_ps(x_y_a, x_y_b);
    row[2] = simde_mm_movehl_ps(x_y_b, x_y_a);
    row[4] = simde_mm_movelh_ps(simde_mm_unpackhi_ps(part[0], part[1]),
                                simde_mm_unpackhi_ps(part[2], part[3]));
}

// Turns centers and half sizes into corners. A half size that is negative or NaN makes the box
// inverted, and so invalid.
static inline void four_corners(four *row)
{
    for (int i = 0; i < ROW_COUNT; i += 2) {
        const four middle = row[i], half = row[i + 1];
        const four is_size = simde_mm_cmpge_ps(half, simde_mm_setzero_ps());
        const four low = simde_mm_sub_ps(middle, half), high = simde_mm_add_ps(middle, half);
        row[i] = simde_mm_blendv_ps(simde_mm_set1_ps(FLT_MAX), low, is_size);
        row[i + 1] = simde_mm_blendv_ps(simde_mm_set1_ps(-FLT_MAX), high, is_size);
    }
}

// Gathers four of the caller's boxes into rows.
static inline void four_gather(const box_source *source, const uint32_t *ids, four *row)
{
    if (source->is_joined) {
        four_gather_joined(source, ids, row);
    } else {
        four_gather_part(source->first, source->first_stride, ids, row);
        four_gather_part(source->second, source->second_stride, ids, row + 1);
    }
    if (source->is_centered) {
        four_corners(row);
    }
}

// ---- refresh of one box after the other ----

// A box in x y z; the fourth lanes have no meaning.
typedef struct four_box {
    four low;
    four high;
} four_box;

static inline four_box four_load_box(const unsigned char *joined)
{
    const four last = simde_mm_castsi128_ps(four_load(joined + 2 * sizeof(float)));
    return (four_box){simde_mm_castsi128_ps(four_load(joined)),
                      simde_mm_shuffle_ps(last, last, SIMDE_MM_SHUFFLE(3, 3, 2, 1))};
}

static inline four_box four_source_box(const box_source *source, size_t row)
{
    const unsigned char *const first = source->first + row * source->first_stride;
    const unsigned char *const second = source->second + row * source->second_stride;
    four_box box = source->is_joined ? four_load_box(first)
                                     : (four_box){four_load_part(first), four_load_part(second)};
    if (source->is_centered) {
        const four is_size = simde_mm_cmpge_ps(box.high, simde_mm_setzero_ps());
        const four low = simde_mm_sub_ps(box.low, box.high);
        box.high = simde_mm_add_ps(box.low, box.high);
        box.low = simde_mm_blendv_ps(simde_mm_set1_ps(FLT_MAX), low, is_size);
        box.high = simde_mm_blendv_ps(simde_mm_set1_ps(-FLT_MAX), box.high, is_size);
    }
    return box;
}

// Lanes in which a box lies in the bounds of a group, and its center and size in the limits of the
// cell. The bounds of a group whose items may stay are finite, so an infinite box never fits.
static inline four four_lies_in(const block_header *header, uint32_t group, four_box box)
{
    const four half = simde_mm_set1_ps(0.5f), size = simde_mm_sub_ps(box.high, box.low);
    const four center =
        simde_mm_add_ps(simde_mm_mul_ps(half, box.low), simde_mm_mul_ps(half, box.high));
    // Center x and z, then the larger size of x and z twice.
    four place = simde_mm_shuffle_ps(center, size, SIMDE_MM_SHUFFLE(2, 0, 2, 0));
    place = simde_mm_max_ps(place, simde_mm_shuffle_ps(place, place, SIMDE_MM_SHUFFLE(2, 3, 1, 0)));
    const unsigned char *const limits =
        (const unsigned char *)header + offsetof(block_header, limits);
    const four least = simde_mm_castsi128_ps(four_load(limits + offsetof(cell_limits, least)));
    const four end = simde_mm_castsi128_ps(four_load(limits + offsetof(cell_limits, end)));
    const float *const bounds = &header->bounds.row[0][group];
    const four low_bounds =
        simde_mm_setr_ps(bounds[ROW_X_MIN * BLOCK_GROUPS], bounds[ROW_Y_MIN * BLOCK_GROUPS],
                         bounds[ROW_Z_MIN * BLOCK_GROUPS], 0.0f);
    const four high_bounds =
        simde_mm_setr_ps(bounds[ROW_X_MAX * BLOCK_GROUPS], bounds[ROW_Y_MAX * BLOCK_GROUPS],
                         bounds[ROW_Z_MAX * BLOCK_GROUPS], 0.0f);
    // Limits may be NaN: then no center is known to lie in the cell.
    const four is_near =
        simde_mm_and_ps(simde_mm_cmple_ps(least, place), simde_mm_cmplt_ps(place, end));
    const four is_inside = simde_mm_and_ps(simde_mm_cmple_ps(low_bounds, box.low),
                                           simde_mm_cmple_ps(box.high, high_bounds));
    return simde_mm_and_ps(is_near, is_inside);
}

// fits_in_place.
static inline bool four_fits(const block_header *header, uint32_t group, four_box box)
{
    const four is_good = four_lies_in(header, group, box);
    const four has_sizes = simde_mm_cmplt_ps(box.low, box.high);
    return (choice_bits(simde_mm_and_ps(is_good, has_sizes)) & 7) == 7;
}

// The same for a box without a size along some axis: there both edges must have the same bits.
static inline bool four_flat_fits(const block_header *header, uint32_t group, four_box box)
{
    const simde__m128i is_same =
        simde_mm_cmpeq_epi32(simde_mm_castps_si128(box.low), simde_mm_castps_si128(box.high));
    const four is_ordered =
        simde_mm_or_ps(simde_mm_cmplt_ps(box.low, box.high), simde_mm_castsi128_ps(is_same));
    const four is_good = four_lies_in(header, group, box);
    return (choice_bits(simde_mm_and_ps(is_good, is_ordered)) & 7) == 7;
}

// Stores an item's new box if it fits in place. headers and boxes start at block 0.
static inline bool four_store_box(const block_header *headers, block_boxes *boxes,
                                  uint32_t location, four_box box)
{
    const block_header *const header = &headers[location_block(location)];
    ACRE_INVARIANT(location != ABSENT && header->node != NONE); // I2, I13
    const uint32_t group = location_slot(location) / GROUP_SLOTS;
    if (!four_fits(header, group, box) && !four_flat_fits(header, group, box)) {
        return false;
    }
    item_group *const groups = boxes->groups; // of all blocks, one after the other
    float *const to = &groups[location / GROUP_SLOTS].row[0][location % GROUP_SLOTS];
    simde_mm_store_ss(to + ROW_X_MIN * GROUP_SLOTS, box.low);
    simde_mm_store_ss(to + ROW_X_MAX * GROUP_SLOTS, box.high);
    simde_mm_store_ss(to + ROW_Y_MIN * GROUP_SLOTS, simde_mm_shuffle_ps(box.low, box.low, 1));
    simde_mm_store_ss(to + ROW_Y_MAX * GROUP_SLOTS, simde_mm_shuffle_ps(box.high, box.high, 1));
    simde_mm_store_ss(to + ROW_Z_MIN * GROUP_SLOTS, simde_mm_shuffle_ps(box.low, box.low, 2));
    simde_mm_store_ss(to + ROW_Z_MAX * GROUP_SLOTS, simde_mm_shuffle_ps(box.high, box.high, 2));
    return true;
}

static inline size_t refresh_rows(acre_quadtree *tree, const uint32_t *items,
                                  const box_source *source, size_t row, size_t count)
{
    const size_t ahead = refreshes_ahead(tree);
    ACRE_INVARIANT(row <= count);
    // Hoisted: stores of boxes do not change them, which the compiler cannot know.
    const box_source from = *source;
    const uint32_t *const locations = tree->locations;
    const uint32_t location_count = tree->location_count;
    const block_header *const headers = tree->headers;
    block_boxes *const boxes = tree->boxes;
    for (; row < count; row++) {
        const uint32_t item = items[row];
        if (ahead > 0) {
            acre_prefetch_refreshes(tree, items, row, count, ahead);
        }
        if (item >= location_count || locations[item] == ABSENT) {
            break;
        }
        if (!four_store_box(headers, boxes, locations[item], four_source_box(&from, row))) {
            break;
        }
    }
    return row;
}

// The smallest of four lanes, in all lanes.
static inline four four_least(four lanes)
{
    lanes = simde_mm_min_ps(lanes, simde_mm_shuffle_ps(lanes, lanes, SIMDE_MM_SHUFFLE(2, 3, 0, 1)));
    return simde_mm_min_ps(lanes, simde_mm_movehl_ps(lanes, lanes));
}

// The largest of four lanes, in all lanes.
static inline four four_largest(four lanes)
{
    lanes = simde_mm_max_ps(lanes, simde_mm_shuffle_ps(lanes, lanes, SIMDE_MM_SHUFFLE(2, 3, 0, 1)));
    return simde_mm_max_ps(lanes, simde_mm_movehl_ps(lanes, lanes));
}

// refresh_group, see quadtree_kernel_refresh_part.h.
static inline bool four_refresh_group(const cell_limits *limits, const box_source *source,
                                      const uint32_t *ids, item_group *group, float *bounds)
{
    four rows[GROUP_SLOTS / 4][ROW_COUNT];
    uint32_t stay = 15, flat_stay = 15;
    for (int part = 0; part < GROUP_SLOTS / 4; part++) {
        four_gather(source, ids + part * 4, rows[part]);
        const four has_sides =
            simde_mm_cmpgt_ps(four_least_side(rows[part]), simde_mm_setzero_ps());
        stay &= choice_bits(simde_mm_and_ps(four_stay(limits, rows[part]), has_sides));
    }
    for (int part = 0; part < GROUP_SLOTS / 4 && stay != 15; part++) {
        flat_stay &= choice_bits(
            simde_mm_and_ps(four_stay(limits, rows[part]), four_are_ordered(rows[part])));
    }
    if (flat_stay != 15) {
        return false;
    }
    for (int i = 0; i < ROW_COUNT; i += 2) {
        four low = rows[0][i], high = rows[0][i + 1];
        for (int part = 0; part < GROUP_SLOTS / 4; part++) {
            simde_mm_storeu_ps(&group->row[i][part * 4], rows[part][i]);
            simde_mm_storeu_ps(&group->row[i + 1][part * 4], rows[part][i + 1]);
            low = simde_mm_min_ps(rows[part][i], low);
            high = simde_mm_max_ps(rows[part][i + 1], high);
        }
        simde_mm_store_ss(bounds + i * BLOCK_GROUPS, four_least(low));
        simde_mm_store_ss(bounds + (i + 1) * BLOCK_GROUPS, four_largest(high));
    }
    return true;
}

#endif
