// SPDX-License-Identifier: MIT
// shape_oracle.h - what the tests know of acre/shapes.h in double precision: whether a box touches
// a shape. Shares no code with the library.
//
// Words used here:
//                on one side, and all that the header lets the library make of the shape
//     outside    so far away that the header no longer lets a box count as touching
#ifndef SHAPE_ORACLE_H
#define SHAPE_ORACLE_H

#include "test.h"

#include <acre/shapes.h>

typedef enum shape_kind {
    SHAPE_SPHERE,
    SHAPE_CIRCLE,
    SHAPE_CAPSULE,
    SHAPE_CONE,
    SHAPE_ORIENTED_BOX,
    SHAPE_ORIENTED_BOX_EXACT, // tested by separating axes
    SHAPE_RAY,
    SHAPE_KIND_COUNT
} shape_kind;

typedef struct any_shape {
    shape_kind kind;
    union {
        acre_sphere sphere;
        acre_circle circle;
        acre_capsule capsule;
        acre_cone cone;
        acre_oriented_box oriented;
        acre_ray ray;
    };
} any_shape;

typedef enum shape_verdict {
    SHAPE_TOUCHES, // certainly
    SHAPE_OUTSIDE, // certainly, and the header does not let it count as touching
    SHAPE_DOUBT    // neither is proved
} shape_verdict;

// The library's answers.
bool shape_is_valid(const any_shape *shape);
bool shape_test(const any_shape *shape, const acre_aabb *box);

shape_verdict shape_judge(const any_shape *shape, const acre_aabb *box);

// Between which distances the header lets a ray that touches a box enter it.
void shape_ray_enters(const acre_ray *ray, const acre_aabb *box, double *low, double *high);

// A shape's place: a sphere's center, a cone's apex, a ray's origin, ...; a circle has y = 0.
void shape_base(const any_shape *shape, double *base);

// The direction with length 1, or zero. Returns its length.
double shape_unit(const float *direction, double *out);
double shape_dot(const double *a, const double *b);

// Whether a plane beside the shape does not tell that the box beyond it is outside: planes, those
// of cones and oriented boxes, doubt boxes that are unbounded, or far larger than the shape and its
// place; how a ray passes such a box depends on the last bit of its direction.
bool shape_doubts_box(const any_shape *shape, const acre_aabb *box);

// Share of a shape's size and distance that the header leaves to rounding.
#define SHAPE_SHARE 0x1p-18
// What it leaves at least.
#define SHAPE_LEAST_DOUBT 0x1p-59
// Up to what distance from the side of a cone a box may count as touching.
double shape_cone_doubt(const acre_cone *cone);
// The same for planes, which are seen from the world's origin. Of cones and oriented boxes.
double shape_plane_doubt(const any_shape *shape);

#endif
