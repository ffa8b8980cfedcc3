// SPDX-License-Identifier: MIT
// quadtree_kernel_curve.h - where a block's items stand on the curve through their cell.
//
// No header of its own: each kernel file includes it, so that the compiler makes vectors of it that
// are as wide as the kernel's.

#include "quadtree_curve.h"

static inline uint32_t curve_square(float offset)
{
    const float limit = CURVE_SQUARES - 1;
    offset = offset > 0.0f ? offset : 0.0f; // NaN becomes 0
    return (uint32_t)(int32_t)(offset < limit ? offset : limit);
}

// The distances along the curve of the items of whole groups, the first ones of a block.
static void list_keys(const row_box *square, const block_boxes *boxes, uint32_t count,
                      uint32_t *keys)
{
    const float x_low = square->row[ROW_X_MIN], z_low = square->row[ROW_Z_MIN];
    const float scale = CURVE_SQUARES / (square->row[ROW_X_MAX] - x_low);
    for (uint32_t first = 0; first < count; first += GROUP_SLOTS) {
        const item_group *const group = &boxes->groups[first / GROUP_SLOTS];
        uint32_t *const key = keys + first;
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            const float x = box_centre(group->row[ROW_X_MIN][slot], group->row[ROW_X_MAX][slot]);
            const float z = box_centre(group->row[ROW_Z_MIN][slot], group->row[ROW_Z_MAX][slot]);
            key[slot] = curve_distance(curve_square((x - x_low) * scale),
                                       curve_square((z - z_low) * scale));
        }
    }
}

#define CURVE_KERNEL .list_keys = list_keys
