// SPDX-License-Identifier: MIT
// quadtree_kernel_build.h - the kernel for places and keys: where items belong, and where they
// stand along a curve.
#ifndef ACRE_QUADTREE_KERNEL_BUILD_H
#define ACRE_QUADTREE_KERNEL_BUILD_H

#include "quadtree_kernel.h"

// What place_group finds out about the items of a group: the finest cell, and the level with flags
// beside it.
enum {
    LEVEL_OUTLIER = 1 << 9, // no root reaches it
    LEVEL_UNSURE = 1 << 10  // the box has no size along some axis, or is not valid
};
typedef struct group_places {
    int32_t x[GROUP_SLOTS];
    int32_t z[GROUP_SLOTS];
    uint32_t level[GROUP_SLOTS];
} group_places;

// Builds and upkeep.
typedef struct build_kernel {
    // Distances along the curve through a square of a block's first `count` items. keys has room
    // for whole groups.
    void (*list_keys)(const row_box *square, const block_boxes *boxes, uint32_t count,
                      uint32_t *keys);
    // Where the items of a group belong. Slots without an item are placed, too.
    void (*place_group)(const ground_grid *grid, const item_group *group, group_places *out);
    // Writes the heights of the centers of a full group, and notes between which heights they lie,
    // for each slot: the least and the largest of those noted before and the group's.
    void (*note_heights)(const item_group *group, float *lowest, float *highest, float *centers);
} build_kernel;

DECLARE_TREE_KERNELS(build)

#endif
