// SPDX-License-Identifier: MIT
// partition_volume.h - the volume of a question: a copy of a query, moved over a periodic ground,
// and the part of the ground that it may touch. Pure functions.
#ifndef ACRE_PARTITION_VOLUME_H
#define ACRE_PARTITION_VOLUME_H

#include "quadtree_shapes_shared.h"

typedef struct partition_volume {
    acre_query_shape shape;
    uint32_t flags;
    float max_distance;
    bool has_origin, has_exclude;
    acre_aabb origin;
    volume_values data;
    acre_frustum exclude;
} partition_volume;

/// Copies a query with its volume, which may be invalid. @return false for an unknown shape and for
/// NULL where a volume is needed.
bool acre_volume_copy(partition_volume *out, const acre_query *query);

/// @return the query of a volume, whose pointers lead into it.
acre_query acre_volume_query(const partition_volume *volume);

/// @return the bytes of `data` that a shape has; SIZE_MAX for an unknown one.
size_t acre_volume_size(acre_query_shape shape);

/// @return the volume, its origin and what it excludes, moved by x and z.
partition_volume acre_volume_moved(const partition_volume *volume, float x, float z);

/// @return a box whose ground holds that of every box that the query finds; y has no meaning.
/// Infinite where that is not known.
acre_aabb acre_volume_bounds(const partition_volume *volume);

/// @return the ground of all boxes that are at most so far from another one.
acre_aabb acre_volume_within(const acre_aabb *origin, float distance);

#endif
