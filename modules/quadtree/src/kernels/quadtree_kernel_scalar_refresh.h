// SPDX-License-Identifier: MIT
// quadtree_kernel_scalar_refresh.h - refreshes of many items, scalar.
#ifndef ACRE_QUADTREE_KERNEL_SCALAR_REFRESH_H
#define ACRE_QUADTREE_KERNEL_SCALAR_REFRESH_H

#include "quadtree_kernel_refresh.h"

// The caller's boxes in two arrays whose strides are powers of two, so that compilers vectorize the
// transposition.
typedef struct gathered_boxes {
    float first[GROUP_SLOTS][4]; // x min, y min, z min, x max
    float last[GROUP_SLOTS][2];  // y max, z max
} gathered_boxes;
static_assert(sizeof(acre_aabb) == 6 * sizeof(float), "min and max without padding");

static inline void gather_joined(const box_source *source, const uint32_t *ids, gathered_boxes *out)
{
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        const unsigned char *const box = source->first + ids[slot] * source->first_stride;
        memcpy(out->first[slot], box, sizeof out->first[slot]);
        memcpy(out->last[slot], box + sizeof out->first[slot], sizeof out->last[slot]);
    }
}

static inline void gather_boxes(const box_source *source, const uint32_t *ids, gathered_boxes *out)
{
    if (source->is_joined && !source->is_centered) {
        gather_joined(source, ids, out);
        return;
    }
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        const row_box box = source_rows(source, ids[slot]);
        const float *const row = box.row;
        const float first[4] = {row[ROW_X_MIN], row[ROW_Y_MIN], row[ROW_Z_MIN], row[ROW_X_MAX]};
        memcpy(out->first[slot], first, sizeof first);
        out->last[slot][0] = row[ROW_Y_MAX];
        out->last[slot][1] = row[ROW_Z_MAX];
    }
}

// Transposes boxes into rows. Returns whether all of them stay in the cell and have a size along
// all axes, so that they are valid; others are left to be looked at one by one.
static inline bool transpose_boxes(const cell_limits *of_cell, const gathered_boxes *boxes,
                                   item_group *rows)
{
    const cell_limits limits = *of_cell; // hoisted: stores of rows do not change it
    uint32_t others = 0;                 // that move on, are flat or not valid
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        const float x_min = boxes->first[slot][0], y_min = boxes->first[slot][1];
        const float z_min = boxes->first[slot][2], x_max = boxes->first[slot][3];
        const float y_max = boxes->last[slot][0], z_max = boxes->last[slot][1];
        rows->row[ROW_X_MIN][slot] = x_min;
        rows->row[ROW_X_MAX][slot] = x_max;
        rows->row[ROW_Y_MIN][slot] = y_min;
        rows->row[ROW_Y_MAX][slot] = y_max;
        rows->row[ROW_Z_MIN][slot] = z_min;
        rows->row[ROW_Z_MAX][slot] = z_max;
        const float side = smaller(y_max - y_min, smaller(x_max - x_min, z_max - z_min));
        others |=
            !(stays_in_cell(&limits, x_min, x_max, y_min, y_max, z_min, z_max) & (side > 0.0f));
    }
    return others == 0;
}

static inline void store_group(const item_group *restrict rows, item_group *restrict group,
                               float *restrict bounds)
{
    enum { PARTS = 4 };
    // Reduces all rows in step, so that compilers vectorize it.
    float part[ROW_COUNT][PARTS];
    for (int i = 0; i < ROW_COUNT; i++) {
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            group->row[i][slot] = rows->row[i][slot];
        }
    }
    for (int i = 0; i < ROW_COUNT; i += 2) {
        const float *const low = rows->row[i], *const high = rows->row[i + 1];
        for (uint32_t lane = 0; lane < PARTS; lane++) {
            part[i][lane] =
                smaller(smaller(low[lane], low[lane + 4]), smaller(low[lane + 8], low[lane + 12]));
            part[i + 1][lane] =
                larger(larger(high[lane], high[lane + 4]), larger(high[lane + 8], high[lane + 12]));
        }
    }
    for (int i = 0; i < ROW_COUNT; i += 2) {
        const float *const low = part[i], *const high = part[i + 1];
        bounds[i * BLOCK_GROUPS] = smaller(smaller(low[0], low[1]), smaller(low[2], low[3]));
        bounds[(i + 1) * BLOCK_GROUPS] = larger(larger(high[0], high[1]), larger(high[2], high[3]));
    }
}

static inline bool refresh_group(const cell_limits *limits, const box_source *source,
                                 const uint32_t *ids, item_group *group, float *bounds)
{
    gathered_boxes gathered;
    item_group rows;
    gather_boxes(source, ids, &gathered);
    if (!transpose_boxes(limits, &gathered, &rows)) {
        return false;
    }
    store_group(&rows, group, bounds);
    return true;
}

static inline size_t refresh_rows(acre_quadtree *tree, const uint32_t *items,
                                  const box_source *source, size_t row, size_t count)
{
    const size_t ahead = refreshes_ahead(tree);
    ACRE_INVARIANT(row <= count);
    for (; row < count; row++) {
        if (ahead > 0) {
            acre_prefetch_refreshes(tree, items, row, count, ahead);
        }
        const row_box box = source_rows(source, row);
        if (!has_item(tree, items[row]) ||
            !fits_in_place(tree, tree->locations[items[row]], &box)) {
            break;
        }
        set_location_box(tree, tree->locations[items[row]], &box);
    }
    return row;
}

#endif
