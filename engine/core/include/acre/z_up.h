// SPDX-License-Identifier: MIT
// z_up.h - turns the boxes, planes, shapes, rotations and matrices of a world whose z axis points
// up into Acre's y-up world, and back.
//
// Experimental: it may change in any minor version.
//
// Acre's ground is x/z and its y points up. Unreal, Blender, CAD, GIS and robotics have x/y ground
// and z up. If a z-up world enters Acre unturned, boxes, views and rays get correct answers, but
// slowly: the tree divides a wall, not the ground. Circles, ground points and pairs on the ground
// get wrong answers. So turn everything on the way in, and what comes back on the way out:
//
//     right-handed (Blender, CAD, GIS, ROS)   (x, y, z) becomes (x, z, -y): a turn by 90 degrees
//     left-handed (Unreal)                    (x, y, z) becomes (x, z, y): a mirror; inside, the
//                                             world is right-handed
//
// Both only swap and negate numbers, so nothing is rounded and _out undoes _in bit for bit. Item
// numbers, slots, distances and counts need no turning. An entity's local box and local transform
// are turned in the same way: inside, the y axis of every local frame points up, too.
// acre/z_up_scene.h turns acre_transform.
//
// Typical use:
//     const acre_aabb box = acre_z_up_box_in(ACRE_Z_UP_RIGHT_HANDED, &robot_box);
//     acre_z_up_view_projection_in(ACRE_Z_UP_RIGHT_HANDED, inside, view_projection);
//     acre_frustum_from_matrix(&frustum, inside, ACRE_CLIP_ZERO_TO_ONE);
//     const bool is_visible = acre_frustum_test_aabb(&frustum, &box);
//
// Threading: pure functions. NULL is not allowed. Outputs may be the inputs.
#ifndef ACRE_Z_UP_H
#define ACRE_Z_UP_H

#include <acre/shapes.h>

ACRE_EXTERN_C_BEGIN

/// The hand that the outer world's axes follow. Zero is no hand: you must choose.
typedef enum acre_z_up { ACRE_Z_UP_RIGHT_HANDED = 1, ACRE_Z_UP_LEFT_HANDED } acre_z_up;

/// The sign of the outer y axis along the inner z axis.
static inline float acre_z_up_sign(acre_z_up hand)
{
    return hand == ACRE_Z_UP_LEFT_HANDED ? 1.0f : -1.0f;
}

/// Turns a point or a direction; float[3].
static inline void acre_z_up_point_in(acre_z_up hand, float *out, const float *outer)
{
    const float y = outer[1];
    out[0] = outer[0];
    out[1] = outer[2];
    out[2] = acre_z_up_sign(hand) * y;
}

/// Undoes acre_z_up_point_in.
static inline void acre_z_up_point_out(acre_z_up hand, float *out, const float *inner)
{
    const float y = inner[1];
    out[0] = inner[0];
    out[1] = acre_z_up_sign(hand) * inner[2];
    out[2] = y;
}

/// Turns sizes, which have no sign: half sizes of a box, scales of a transform; float[3].
static inline void acre_z_up_size_in(float *out, const float *outer)
{
    acre_z_up_point_in(ACRE_Z_UP_LEFT_HANDED, out, outer);
}

/// Undoes acre_z_up_size_in.
static inline void acre_z_up_size_out(float *out, const float *inner)
{
    acre_z_up_point_out(ACRE_Z_UP_LEFT_HANDED, out, inner);
}

/// Turns a box. Invalid, empty and infinite boxes stay what they are.
static inline acre_aabb acre_z_up_box_in(acre_z_up hand, const acre_aabb *outer)
{
    acre_aabb box;
    acre_z_up_point_in(hand, box.min, outer->min);
    acre_z_up_point_in(hand, box.max, outer->max);
    if (hand == ACRE_Z_UP_RIGHT_HANDED) { // the negated axis swaps its ends
        const float end = box.min[2];
        box.min[2] = box.max[2];
        box.max[2] = end;
    }
    return box;
}

/// Undoes acre_z_up_box_in.
static inline acre_aabb acre_z_up_box_out(acre_z_up hand, const acre_aabb *inner)
{
    acre_aabb box;
    acre_z_up_point_out(hand, box.min, inner->min);
    acre_z_up_point_out(hand, box.max, inner->max);
    if (hand == ACRE_Z_UP_RIGHT_HANDED) {
        const float end = box.min[1];
        box.min[1] = box.max[1];
        box.max[1] = end;
    }
    return box;
}

/// Turns the normals of a frustum's planes; distances stay. Of *out, planes from plane_count on
/// stay as they are.
static inline void acre_z_up_frustum_in(acre_z_up hand, acre_frustum *out,
                                        const acre_frustum *outer)
{
    const float sign = acre_z_up_sign(hand);
    const uint32_t count = outer->plane_count;
    out->plane_count = count;
    for (uint32_t i = 0; i < count && i < ACRE_FRUSTUM_MAX_PLANES; i++) {
        const float *const plane = outer->planes[i];
        const float x = plane[0], y = plane[1], z = plane[2], distance = plane[3];
        out->planes[i][0] = x; // whole planes: one store, as a query has one load
        out->planes[i][1] = z;
        out->planes[i][2] = sign * y;
        out->planes[i][3] = distance;
    }
}

/// Undoes acre_z_up_frustum_in.
static inline void acre_z_up_frustum_out(acre_z_up hand, acre_frustum *out,
                                         const acre_frustum *inner)
{
    const float sign = acre_z_up_sign(hand);
    const uint32_t count = inner->plane_count;
    out->plane_count = count;
    for (uint32_t i = 0; i < count && i < ACRE_FRUSTUM_MAX_PLANES; i++) {
        const float *const plane = inner->planes[i];
        const float x = plane[0], y = plane[1], z = plane[2], distance = plane[3];
        out->planes[i][0] = x;
        out->planes[i][1] = sign * z;
        out->planes[i][2] = y;
        out->planes[i][3] = distance;
    }
}

/// Turns a sphere.
static inline acre_sphere acre_z_up_sphere_in(acre_z_up hand, const acre_sphere *outer)
{
    acre_sphere sphere = *outer;
    acre_z_up_point_in(hand, sphere.center, outer->center);
    return sphere;
}

/// Turns a circle on the outer ground (x, y), whose center has the outer x and y.
static inline acre_circle acre_z_up_circle_in(acre_z_up hand, const acre_circle *outer)
{
    acre_circle circle = *outer;
    circle.center[1] = acre_z_up_sign(hand) * outer->center[1];
    return circle;
}

/// Turns a capsule.
static inline acre_capsule acre_z_up_capsule_in(acre_z_up hand, const acre_capsule *outer)
{
    acre_capsule capsule = *outer;
    acre_z_up_point_in(hand, capsule.from, outer->from);
    acre_z_up_point_in(hand, capsule.to, outer->to);
    return capsule;
}

/// Turns a cone.
static inline acre_cone acre_z_up_cone_in(acre_z_up hand, const acre_cone *outer)
{
    acre_cone cone = *outer;
    acre_z_up_point_in(hand, cone.apex, outer->apex);
    acre_z_up_point_in(hand, cone.direction, outer->direction);
    return cone;
}

/// Turns an oriented box: its axes become the turned directions, in the same order.
static inline acre_oriented_box acre_z_up_oriented_box_in(acre_z_up hand,
                                                          const acre_oriented_box *outer)
{
    acre_oriented_box oriented = *outer;
    acre_z_up_point_in(hand, oriented.center, outer->center);
    for (int i = 0; i < 3; i++) {
        acre_z_up_point_in(hand, oriented.axes[i], outer->axes[i]);
    }
    return oriented;
}

/// Turns a ray, a segment or a swept box.
static inline acre_ray acre_z_up_ray_in(acre_z_up hand, const acre_ray *outer)
{
    acre_ray ray = *outer;
    acre_z_up_point_in(hand, ray.origin, outer->origin);
    acre_z_up_point_in(hand, ray.direction, outer->direction);
    acre_z_up_size_in(ray.half_size, outer->half_size);
    return ray;
}

/// Turns a rotation; quaternion x, y, z, w, float[4]. Its axis is a direction; a mirror reverses
/// the sense of the rotation as well.
static inline void acre_z_up_rotation_in(acre_z_up hand, float *out, const float *outer)
{
    const float sense = -acre_z_up_sign(hand), w = outer[3];
    acre_z_up_point_in(hand, out, outer);
    for (int k = 0; k < 3; k++) {
        out[k] *= sense;
    }
    out[3] = w;
}

/// Undoes acre_z_up_rotation_in.
static inline void acre_z_up_rotation_out(acre_z_up hand, float *out, const float *inner)
{
    const float sense = -acre_z_up_sign(hand), w = inner[3];
    acre_z_up_point_out(hand, out, inner);
    for (int k = 0; k < 3; k++) {
        out[k] *= sense;
    }
    out[3] = w;
}

/// Turns a matrix that takes outer points to somewhere that is not the world, such as a view or a
/// view projection: the result takes inner points there. 16 floats, column-major.
static inline void acre_z_up_view_projection_in(acre_z_up hand, float *out, const float *outer)
{
    const float sign = acre_z_up_sign(hand);
    for (int row = 0; row < 4; row++) {
        const float y = outer[4 + row], z = outer[8 + row];
        out[row] = outer[row];
        out[4 + row] = z;
        out[8 + row] = sign * y;
        out[12 + row] = outer[12 + row];
    }
}

/// Turns an affine matrix that takes points of the world to points of the world, such as the local
/// or world matrix of an entity. 16 floats, column-major.
static inline void acre_z_up_matrix_in(acre_z_up hand, float *out, const float *outer)
{
    acre_z_up_view_projection_in(hand, out, outer); // its columns
    for (int column = 0; column < 4; column++) {
        acre_z_up_point_in(hand, out + 4 * column, out + 4 * column);
    }
}

/// Undoes acre_z_up_matrix_in.
static inline void acre_z_up_matrix_out(acre_z_up hand, float *out, const float *inner)
{
    const float sign = acre_z_up_sign(hand);
    for (int row = 0; row < 4; row++) {
        const float y = inner[4 + row], z = inner[8 + row];
        out[row] = inner[row];
        out[4 + row] = sign * z;
        out[8 + row] = y;
        out[12 + row] = inner[12 + row];
    }
    for (int column = 0; column < 4; column++) {
        acre_z_up_point_out(hand, out + 4 * column, out + 4 * column);
    }
}

ACRE_EXTERN_C_END

#endif
