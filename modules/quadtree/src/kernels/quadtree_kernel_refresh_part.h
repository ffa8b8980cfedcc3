// SPDX-License-Identifier: MIT
// quadtree_kernel_refresh_part.h - refreshes and shifts of many items: the loops over a block.
//
// Must be defined before, by the set's header: refresh_rows of refresh_kernel, and
//     refresh_group(limits, source, ids, group, bounds)
//         stores the caller's boxes of a group's 16 items, and their bounds, BLOCK_GROUPS floats
//         apart. Returns false, and stores nothing, if some item might leave the cell.
#ifndef ACRE_QUADTREE_KERNEL_REFRESH_PART_H
#define ACRE_QUADTREE_KERNEL_REFRESH_PART_H

#ifndef LANES
#error "quadtree_kernel_refresh_SET.c, which CMake makes, include this behind quadtree_kernel_SET.h"
#endif

#include "quadtree_kernel_refresh.h"

static uint32_t refresh_block(block_header *header, const box_source *source, const uint32_t *ids,
                              uint32_t count, const uint32_t *next, block_boxes *boxes)
{
    // Hoisted: stores of boxes do not change them, which the compiler cannot know.
    const box_source from = *source;
    const cell_limits limits = header->limits;
    uint32_t left = 0;
    ACRE_INVARIANT(header->node != NONE && count > 0 && count <= BLOCK_SLOTS);
    for (uint32_t group = 0; group * GROUP_SLOTS < count; group++) {
        const uint32_t *const own = ids + group * GROUP_SLOTS;
        uint32_t padded[GROUP_SLOTS];
        if (next) {
            prefetch_rows(&from, next + group * GROUP_SLOTS);
            for (int i = 0; i < ROW_COUNT; i++) {
                prefetch_line(boxes[1].groups[group].row[i]);
            }
        }
        const bool is_part = pad_group(own, count - group * GROUP_SLOTS, padded);
        left |= (uint32_t)!refresh_group(&limits, &from, is_part ? padded : own,
                                         &boxes->groups[group], &header->bounds.row[0][group])
                << group;
    }
    return left;
}

// The largest float that is at most edge + by, where the sum does not overflow. What is lost is
// exactly the error of Knuth's two-sum, so the sum is next to the answer; one of 0 loses nothing.
static inline float lane_add_down(float edge, float by, uint32_t *is_rounded)
{
    const float sum = edge + by, used = sum - edge;
    const float error = (edge - (sum - used)) + (by - used);
    const uint32_t bits = bits_of_float(sum);
    const uint32_t below = (bits >> 31 << 1) - 1; // the magnitude of a negative number grows
    *is_rounded |= (uint32_t)((error < 0.0f) | (error > 0.0f));
    return float_of_bits(bits + (error < 0.0f ? below : 0));
}

// Moves a group's boxes. is_rounded: is set for those that are not exact. Plain loops, which
// compilers make vectors of; offsets that are floats, as exact ones are, take half the time.
static void shift_rows(const item_group *group, const double *offset, item_group *out,
                       uint32_t *is_rounded)
{
    for (int i = 0; i < ROW_COUNT; i += 2) {
        const double by = offset[i / 2];
        const float near = (float)by;
        const float *const low = group->row[i], *const high = group->row[i + 1];
        float *const new_low = out->row[i], *const new_high = out->row[i + 1];
        if ((double)near == by) {
            for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
                new_low[slot] = lane_add_down(low[slot], near, &is_rounded[slot]);
                new_high[slot] = -lane_add_down(-high[slot], -near, &is_rounded[slot]);
            }
        } else {
            for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
                new_low[slot] = float_add_down(low[slot], by, &is_rounded[slot]);
                new_high[slot] = float_add_up(high[slot], by, &is_rounded[slot]);
            }
        }
    }
}

// Sets stays to 1 for each slot whose box stays in the cell, and to 0 for the others.
static void find_stayers(const cell_limits *of_cell, const item_group *rows, uint32_t *stays)
{
    const cell_limits limits = *of_cell; // hoisted: stores do not change it
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        stays[slot] = stays_in_cell(&limits, rows->row[ROW_X_MIN][slot], rows->row[ROW_X_MAX][slot],
                                    rows->row[ROW_Y_MIN][slot], rows->row[ROW_Y_MAX][slot],
                                    rows->row[ROW_Z_MIN][slot], rows->row[ROW_Z_MAX][slot]);
    }
}

// Makes a group's bounds from all of its 16 rows, in lanes.
static void bounds_of_rows(const item_group *rows, float *bounds)
{
    for (int i = 0; i < ROW_COUNT; i++) {
        float part[GROUP_SLOTS];
        memcpy(part, rows->row[i], sizeof part);
        for (uint32_t half = GROUP_SLOTS / 2; half > 0; half /= 2) {
            for (uint32_t lane = 0; lane < half; lane++) {
                const float one = part[lane], other = part[lane + half];
                part[lane] = i % 2 == 0 ? (one < other ? one : other) : (one > other ? one : other);
            }
        }
        bounds[i * BLOCK_GROUPS] = part[0];
    }
}

// Shifts a group of `count` items. @return a bit for each slot that was left.
static uint32_t shift_group(const cell_limits *limits, const double *offset, uint32_t count,
                            item_group *group, float *bounds, uint32_t *rounded)
{
    uint32_t is_rounded[GROUP_SLOTS] = {0}, stays[GROUP_SLOTS];
    uint32_t left = 0, sum = 0;
    item_group rows;
    shift_rows(group, offset, &rows, is_rounded);
    find_stayers(limits, &rows, stays);
    for (uint32_t slot = 0; slot < count; slot++) {
        left |= (1 - stays[slot]) << slot;
        sum += stays[slot] & is_rounded[slot];
    }
    *rounded += sum;
    for (uint32_t slot = 0; slot < GROUP_SLOTS && (left || count < GROUP_SLOTS); slot++) {
        const item_group *const from = left >> slot & 1 ? group : &rows;
        const uint32_t at = slot < count ? slot : 0; // slots behind the last item repeat the first
        for (int i = 0; i < ROW_COUNT; i++) {
            rows.row[i][slot] = from->row[i][at];
        }
    }
    *group = rows;
    if (left == 0) {
        bounds_of_rows(group, bounds);
    }
    return left;
}

static uint64_t shift_block(block_header *header, const double *offset, uint32_t count,
                            block_boxes *boxes, uint32_t *rounded)
{
    uint64_t left = 0;
    ACRE_INVARIANT(header->node != NONE && count > 0 && count <= BLOCK_SLOTS);
    for (uint32_t group = 0; group * GROUP_SLOTS < count; group++) {
        const uint32_t rest = count - group * GROUP_SLOTS;
        const uint32_t in_group = rest < GROUP_SLOTS ? rest : GROUP_SLOTS;
        left |= (uint64_t)shift_group(&header->limits, offset, in_group, &boxes->groups[group],
                                      &header->bounds.row[0][group], rounded)
                << group * GROUP_SLOTS;
    }
    return left;
}

#define REFRESH_KERNEL(set)                                                                        \
    const refresh_kernel acre_refresh_kernel_##set = {                                             \
        .refresh_block = refresh_block, .shift_block = shift_block, .refresh_rows = refresh_rows}

#endif
