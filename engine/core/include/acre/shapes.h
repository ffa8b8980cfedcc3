// SPDX-License-Identifier: MIT
// shapes.h - spheres, circles, capsules, cones, oriented boxes and rays, and the test of each
// against a box.
//
// Experimental: it may change in any minor version.
//
// Units are those of the boxes (meters by convention), y is up, the ground is the x/z plane.
// Directions need not have length 1. A shape may be degenerate: a radius of 0, a capsule from a
// point to itself, or a direction of length 0, with which the shape is its origin.
//
// Words used here:
//     valid    every number is finite (a ray's length may be infinite) and at most 2^50 in size;
//              radii, lengths and half sizes are not negative; an angle is in its range
//     touches  the box and the shape have a point in common; they are closed, so touching counts
//
// Typical use:
//     const acre_sphere blast = {.center = {x, y, z}, .radius = 8};
//     if (acre_sphere_test_aabb(&blast, &box)) { damage(); }
//
// No test misses a box that touches its shape. Where rounding leaves doubt the answer is true: a
// box may count as touching if it is farther away than it should be by no more than 2^-18 of the
// shape's size and of its distance from the box, or by 2^-59. A cone and an oriented box take in
// more; their tests say what.
//
// Tests expect a valid shape and a valid box. They prepare the shape each time; a query prepares it
// once, and refuses one that is not valid.
//
// Threading: pure functions.
#ifndef ACRE_SHAPES_H
#define ACRE_SHAPES_H

#include <acre/bounds.h>
#include <acre/frustum.h>

ACRE_EXTERN_C_BEGIN

typedef struct acre_sphere {
    float center[3];
    float radius;
} acre_sphere;

/// A circle on the ground; a vertical cylinder of infinite height.
typedef struct acre_circle {
    float center[2]; ///< x, z
    float radius;
} acre_circle;

/// All points no farther than radius from the segment between two points.
typedef struct acre_capsule {
    float from[3];
    float to[3];
    float radius;
} acre_capsule;

/// A right circular cone, from its tip to its flat base.
typedef struct acre_cone {
    float apex[3];
    float direction[3]; ///< from the apex to the middle of the base
    float length;       ///< from the apex to the base
    float angle;        ///< between direction and side, radians, 0 to 1.4 (80 degrees)
} acre_cone;

/// A box that is turned.
typedef struct acre_oriented_box {
    float center[3];
    float half_size[3]; ///< along each of the axes
    float axes[3][3];   ///< axes[0] is the direction of the box's own x axis: the columns of a
                        ///< rotation matrix, with lengths 1 and right angles within 10^-3
} acre_oriented_box;

/// A ray; with a finite length, a segment; with a half size, a box that moves along it without
/// turning.
typedef struct acre_ray {
    float origin[3]; ///< where the ray starts, or the middle of the box that moves
    float direction[3];
    float length;       ///< INFINITY: no end
    float half_size[3]; ///< of the box that moves; zero: a thin ray
} acre_ray;

/// @return whether the box touches the sphere.
ACRE_EXPERIMENTAL_API bool acre_sphere_test_aabb(const acre_sphere *sphere, const acre_aabb *box);

/// @return whether the box touches the circle as seen from above.
ACRE_EXPERIMENTAL_API bool acre_circle_test_aabb(const acre_circle *circle, const acre_aabb *box);

/// @return whether the box touches the capsule.
ACRE_EXPERIMENTAL_API bool acre_capsule_test_aabb(const acre_capsule *capsule,
                                                  const acre_aabb *box);

/// A cone is tested as spheres that grow along its axis, the plane of its base, and its bounds. A
/// box beyond the rim of the base that touches all three may count as touching the cone. Doubt
/// grows with the angle, up to 2^-13 of the length; at the base it also grows by 2^-18 of the
/// distance from the world's origin, and a box with infinite edges is always in doubt there.
/// @return whether the box touches the cone.
ACRE_EXPERIMENTAL_API bool acre_cone_test_aabb(const acre_cone *cone, const acre_aabb *box);

/// Tests the bounds of the oriented box and its six sides, as acre_frustum_test_aabb does. A box
/// outside, near an edge, may count as touching; a query with ACRE_QUERY_EXACT excludes it.
/// @return whether the box touches the oriented box.
ACRE_EXPERIMENTAL_API bool acre_oriented_box_test_aabb(const acre_oriented_box *oriented,
                                                       const acre_aabb *box);

/// The test by slabs (Kay and Kajiya 1986). A ray reaches nothing that begins infinitely far away.
/// @param distance receives where along the ray it enters the box, 0 if it starts inside, INFINITY
/// without a hit; may be NULL.
/// @return whether the ray touches the box.
ACRE_EXPERIMENTAL_API bool acre_ray_test_aabb(const acre_ray *ray, const acre_aabb *box,
                                              float *distance);

/// For the distance of a point, give a box of no size.
/// @return the least distance between two boxes, 0 if they touch; INFINITY from 2^64 on, and if one
/// of them is acre_aabb_empty. Its error is at most 2^-22 of it, or 2^-70.
ACRE_EXPERIMENTAL_API float acre_aabb_distance(const acre_aabb *a, const acre_aabb *b);

ACRE_EXTERN_C_END

#endif
