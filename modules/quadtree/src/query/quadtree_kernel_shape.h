// SPDX-License-Identifier: MIT
// quadtree_kernel_shape.h - the kernel for queries of any volume, and for distances.
#ifndef ACRE_QUADTREE_KERNEL_SHAPE_H
#define ACRE_QUADTREE_KERNEL_SHAPE_H

#include "quadtree_kernel_volume.h"

// The search of a ray for the nearest of what it touches.
typedef struct ray_cast {
    const acre_quadtree *tree;
    const query_volume *volume;
    uint32_t items_mask; // what items are asked beside the slab
    uint32_t layers;     // only nodes that share a bit; 0: all
    float limit;         // what the ray enters farther away is dropped; at most the ray's length
    size_t nodes_tested, items_tested;
    // Takes a set of items of a group, and where the ray enters their boxes. Returns the limit for
    // what follows.
    float (*take)(struct ray_cast *cast, uint32_t word, uint32_t found, const float *enters);
    void *receiver; // of what is taken
} ray_cast;

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
    // Takes all that a ray touches within the limit, near groups first.
    void (*cast_ray)(ray_cast *cast);
} shape_kernel;

DECLARE_TREE_KERNELS(shape)

#endif
