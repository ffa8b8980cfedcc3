// SPDX-License-Identifier: MIT
// query_shapes.h - every shape that a query can have, between two points.
#ifndef ACRE_TOOLS_QUERY_SHAPES_H
#define ACRE_TOOLS_QUERY_SHAPES_H

#include "stage.h"

#include <acre/quadtree.h>

typedef enum query_shape {
    SHAPE_BOX,    // the points are opposite corners
    SHAPE_SPHERE, // the points are the ends of a diameter
    SHAPE_CIRCLE,
    SHAPE_CAPSULE, // along the line between the points, as all that follow
    SHAPE_CONE,
    SHAPE_ORIENTED_BOX,
    SHAPE_RAY,
    SHAPE_SWEPT_BOX,
    SHAPE_COUNT_
} query_shape;

extern const char *const query_shape_names[SHAPE_COUNT_];

// One of each kind; a query points to them.
typedef struct query_shapes {
    float from[3], to[3], width;
    acre_aabb box;
    acre_sphere sphere;
    acre_circle circle;
    acre_capsule capsule;
    acre_cone cone;
    acre_oriented_box oriented;
    acre_ray ray, swept;
} query_shapes;

// width: across the line between the points; the height of the box. Meters.
void query_shapes_make(query_shapes *out, const float *from, const float *to, float width);

// The query has no results yet; it lives as long as *shapes.
acre_query query_shapes_ask(const query_shapes *shapes, query_shape shape);

// Its outline on the ground, or the line that it goes along.
void query_shapes_draw(const query_shapes *shapes, query_shape shape, stage *s, uint32_t rgba);

#endif
