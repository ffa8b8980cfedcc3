// SPDX-License-Identifier: MIT
// shapes.h - the volumes that queries ask for beside boxes and frusta, and the test of one box that
// defines each.
//
// Units are those of the boxes (metres by convention), y is up, the ground is the x/z plane.
// Directions need not have length 1. A shape may be degenerate: a radius of 0, a capsule from a
// point to itself, a direction of length 0 (the shape is then its origin).
//
// Words used here:
//     valid    every number is finite (a ray's length may be infinite) and at most 2^50 in size;
//              radii, lengths and half sizes are not negative; an angle is in its range
//     touches  the box and the shape have a point in common; they are closed, so touching counts
//
// No test loses a box that touches its shape. Where rounding leaves doubt the answer is true: a box
// that is a little farther away, by 2^-18 of the shape's size and of its distance from the box, or
// by 2^-59, may count as touching. What a cone and an oriented box take in beyond that is said
// there.
//
// Tests expect a valid shape and a valid box; infinite edges are valid. They prepare the shape anew
// each time; a query prepares it once.
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

/// A circle on the ground: a vertical cylinder without ends.
typedef struct acre_circle {
    float center[2]; ///< x, z
    float radius;
} acre_circle;

/// All points no farther than radius from the segment between two points.
typedef struct acre_capsule {
    float from[3], to[3];
    float radius;
} acre_capsule;

/// A right circular cone: its tip, and the direction to the middle of its flat base.
typedef struct acre_cone {
    float apex[3];
    float direction[3];
    float length; ///< from the apex to the base
    float angle;  ///< between the direction and the side, in radians: 0 to 1.4 (80 degrees)
} acre_cone;

/// A box that is turned: orthogonal axes of length 1, as the columns of a rotation matrix.
typedef struct acre_oriented_box {
    float center[3];
    float half_size[3]; ///< along each of the axes
    float axes[3][3];   ///< axes[0] is where the box's own x axis points; lengths 1 and right
                        ///< angles within 10^-3
} acre_oriented_box;

/// A ray, a segment (a ray of finite length), or with a half size a box that moves along it without
/// turning.
typedef struct acre_ray {
    float origin[3]; ///< of a swept box: its middle
    float direction[3];
    float length;       ///< INFINITY: a ray
    float half_size[3]; ///< zero: a thin ray
} acre_ray;

/// Whether a shape is valid. NULL is not.
ACRE_API bool acre_sphere_is_valid(const acre_sphere *sphere);
ACRE_API bool acre_circle_is_valid(const acre_circle *circle);
ACRE_API bool acre_capsule_is_valid(const acre_capsule *capsule);
ACRE_API bool acre_cone_is_valid(const acre_cone *cone);
ACRE_API bool acre_oriented_box_is_valid(const acre_oriented_box *oriented);
ACRE_API bool acre_ray_is_valid(const acre_ray *ray);

/// @return whether the box touches the sphere.
ACRE_API bool acre_sphere_test_aabb(const acre_sphere *sphere, const acre_aabb *box);

/// @return whether the box, seen from above, touches the circle.
ACRE_API bool acre_circle_test_aabb(const acre_circle *circle, const acre_aabb *box);

/// @return whether the box touches the capsule. Exact: the least distance of segment and box.
ACRE_API bool acre_capsule_test_aabb(const acre_capsule *capsule, const acre_aabb *box);

/// @return whether the box touches the cone. A cone is seen as spheres that grow along its axis,
/// cut off by the plane of its base and by its bounds: a box beyond the rim of the base that
/// touches each of the three may count as touching the cone. Doubt grows with the angle, up to
/// 2^-13 of the length; that of the base's plane, with the distance from the world's origin, by
/// 2^-18 of it. The plane is in doubt where a box has infinite edges.
ACRE_API bool acre_cone_test_aabb(const acre_cone *cone, const acre_aabb *box);

/// @return whether the box touches the oriented box's bounds, and is not outside of one of its six
/// sides: what acre_frustum_test_aabb answers for its planes. Boxes outside near an edge may count
/// as touching; acre_oriented_box_test_aabb_exact excludes them.
ACRE_API bool acre_oriented_box_test_aabb(const acre_oriented_box *oriented, const acre_aabb *box);

/// The exact test, by separating axes (Gottschalk, Lin and Manocha 1996). Doubt
/// grows with the box, too, by 2^-18 of its size; one with infinite edges gets the answer of
/// acre_oriented_box_test_aabb.
/// @return whether the box touches the oriented box.
ACRE_API bool acre_oriented_box_test_aabb_exact(const acre_oriented_box *oriented,
                                                const acre_aabb *box);

/// Slabs (Kay and Kajiya 1986).
/// @param distance receives how far along the ray it enters the box, 0 where it starts inside; may
/// be NULL. Without a hit it is INFINITY.
/// @return whether the ray touches the box.
ACRE_API bool acre_ray_test_aabb(const acre_ray *ray, const acre_aabb *box, float *distance);

/// The least distance between two boxes; 0 where they touch. A point is a box of no size.
/// INFINITY where its square exceeds all floats, from 2^64 on. Good to 2^-22 of it, or to 2^-70.
ACRE_API float acre_aabb_distance(const acre_aabb *a, const acre_aabb *b);

/// The planes of an oriented box, inwards, moved outwards by 2^-20 of its size and distance from
/// the origin.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL or an invalid oriented box: *out has 0
/// planes then.
ACRE_API acre_result acre_oriented_box_frustum(acre_frustum *out,
                                               const acre_oriented_box *oriented);

ACRE_EXTERN_C_END

#endif
