// SPDX-License-Identifier: MIT
// shape_generator.h - random shapes of acre/shapes.h, points of them, and boxes that touch them or
// just do not.
//
// Words used here:
//     surface    a point of a shape, relative to its base, with a plane that has the whole shape
//                on one side, and all that the header lets the library make of the shape
#ifndef SHAPE_GENERATOR_H
#define SHAPE_GENERATOR_H

#include "shape_oracle.h"

typedef struct shape_surface {
    double offset[3];
    double normal[3]; // of length 1, away from the shape
    double doubt; // up to what distance from the plane a box may count as touching; can be infinite
} shape_surface;

// A valid shape of about this size, degenerate at times.
any_shape shape_random(test_random *random, shape_kind kind, const float *place, float size);

shape_surface shape_random_surface(test_random *random, const any_shape *shape);

// Any point of the shape: inside, on its surface, an edge, the rim of a cone; relative to its base.
void shape_random_point(test_random *random, const any_shape *shape, double *offset);

// A box that contains the point, at times thin, without extent, or unbounded.
acre_aabb shape_box_around(test_random *random, const any_shape *shape, const double *offset,
                           float size);

// A box beyond the plane of the surface's point, whose nearest corner, edge or face is the point,
// moved away by distance. At distance 0 it contains the point.
acre_aabb shape_box_beyond(test_random *random, const any_shape *shape,
                           const shape_surface *surface, double distance, float size);

#endif
