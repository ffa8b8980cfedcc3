// SPDX-License-Identifier: MIT
// quadtree_kernel_shape.h - the kernel for queries of any volume, and for distances.
#ifndef ACRE_QUADTREE_KERNEL_SHAPE_H
#define ACRE_QUADTREE_KERNEL_SHAPE_H

#include "quadtree_kernel_volume.h"

// Queries of any volume, and distances.
typedef struct shape_kernel {
    query_kernel shape;
    query_kernel sphere; // a sphere alone
    query_kernel circle; // a circle alone
    // Tests four siblings or four groups. masks receives the parts of the volume that each still
    // intersects, distances how far away each is.
    // Returns the set of those not outside.
    uint32_t (*measure_boxes)(const query_volume *volume, const four_boxes *bounds, uint32_t mask,
                              float *distances, uint32_t *masks);
    // The same for the items of a group.
    uint32_t (*measure_items)(const query_volume *volume, const item_group *group, uint32_t mask,
                              uint32_t count, float *distances);
} shape_kernel;

DECLARE_TREE_KERNELS(shape)

#endif
