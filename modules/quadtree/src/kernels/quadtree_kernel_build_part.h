// SPDX-License-Identifier: MIT
// quadtree_kernel_build_part.h - where items belong, and where they stand on the curve through
// their cell.
//
// Must be defined before: nothing. It is plain C that each kernel file compiles for its own set, so
// that the compiler's vectors are as wide as the set's.
#ifndef ACRE_QUADTREE_KERNEL_BUILD_PART_H
#define ACRE_QUADTREE_KERNEL_BUILD_PART_H

#ifndef LANES
#error "quadtree_kernel_build_SET.c, which CMake makes, include this behind quadtree_kernel_SET.h"
#endif

#include "quadtree_kernel_build.h"

#include "quadtree_curve.h"

// Distances along the curve, for whole groups.
static void list_keys(const row_box *square, const block_boxes *boxes, uint32_t count,
                      uint32_t *keys)
{
    const float x_low = square->row[ROW_X_MIN], z_low = square->row[ROW_Z_MIN];
    const float scale = CURVE_SQUARES / (square->row[ROW_X_MAX] - x_low);
    ACRE_INVARIANT(count <= BLOCK_SLOTS && scale > 0.0f);
    for (uint32_t first = 0; first < count; first += GROUP_SLOTS) {
        const item_group *const group = &boxes->groups[first / GROUP_SLOTS];
        uint32_t *const key = keys + first;
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            const float x = box_center(group->row[ROW_X_MIN][slot], group->row[ROW_X_MAX][slot]);
            const float z = box_center(group->row[ROW_Z_MIN][slot], group->row[ROW_Z_MAX][slot]);
            key[slot] = curve_distance(curve_square((x - x_low) * scale),
                                       curve_square((z - z_low) * scale));
        }
    }
}

// Whether a root can reach this far: the test of acre_grid_place, before rounding.
static inline bool are_near(float x, float z)
{
    const float reach = 1 << MAX_LEVEL;
    return (x >= -reach) & (x < reach) & (z >= -reach) & (z < reach);
}

// Two loops: compilers do not vectorize one in which constants might be rounded.
static void place_group(const ground_grid *grid, const item_group *group, group_places *out)
{
    float x[GROUP_SLOTS], z[GROUP_SLOTS];
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        const row_box box = group_rows(group, slot);
        const float east = grid_offset(grid, 0, box_center(box.row[ROW_X_MIN], box.row[ROW_X_MAX]));
        const float south =
            grid_offset(grid, 1, box_center(box.row[ROW_Z_MIN], box.row[ROW_Z_MAX]));
        const bool has_height = (box.row[ROW_Y_MIN] >= -FLT_MAX) & (box.row[ROW_Y_MAX] <= FLT_MAX);
        const uint32_t is_inlier = (uint32_t)are_near(east, south) & (uint32_t)has_height;
        x[slot] = is_inlier ? east : 0.0f;
        z[slot] = is_inlier ? south : 0.0f;
        out->level[slot] =
            (is_inlier ^ 1) * LEVEL_OUTLIER | (uint32_t)!rows_have_sizes(&box) * LEVEL_UNSURE;
    }
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        const row_box box = group_rows(group, slot);
        out->x[slot] = offset_index(x[slot]);
        out->z[slot] = offset_index(z[slot]);
        out->level[slot] |= level_of_size(grid, box.row[ROW_X_MAX] - box.row[ROW_X_MIN],
                                          box.row[ROW_Z_MAX] - box.row[ROW_Z_MIN]);
    }
}

// restrict: else the loop is compiled twice, and which one runs is asked for each group.
static void note_heights(const item_group *restrict group, float *restrict lowest,
                         float *restrict highest, float *restrict centers)
{
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        const float center = box_center(group->row[ROW_Y_MIN][slot], group->row[ROW_Y_MAX][slot]);
        lowest[slot] = center < lowest[slot] ? center : lowest[slot];
        highest[slot] = center > highest[slot] ? center : highest[slot];
        centers[slot] = center;
    }
}

#define BUILD_KERNEL(set)                                                                          \
    const build_kernel acre_build_kernel_##set = {                                                 \
        .list_keys = list_keys, .place_group = place_group, .note_heights = note_heights}

#endif
