// SPDX-License-Identifier: MIT
// z_up_scene.h - turns acre_transform for programs whose z axis points up; acre/z_up.h has the
// rest.
//
// Experimental: it may change in any minor version.
//
// Typical use:
//     const acre_transform inside = acre_z_up_transform_in(ACRE_Z_UP_RIGHT_HANDED, &robot_pose);
//     acre_entity_set_local(scene, robot, &inside);
//
// Threading: pure functions. NULL is not allowed.
#ifndef ACRE_Z_UP_SCENE_H
#define ACRE_Z_UP_SCENE_H

#include <acre/scene.h>
#include <acre/z_up.h>

ACRE_EXTERN_C_BEGIN

/// Turns a transform; its scale only changes places.
static inline acre_transform acre_z_up_transform_in(acre_z_up hand, const acre_transform *outer)
{
    acre_transform transform;
    acre_z_up_point_in(hand, transform.translation, outer->translation);
    acre_z_up_rotation_in(hand, transform.rotation, outer->rotation);
    acre_z_up_size_in(transform.scale, outer->scale);
    return transform;
}

/// Undoes acre_z_up_transform_in.
static inline acre_transform acre_z_up_transform_out(acre_z_up hand, const acre_transform *inner)
{
    acre_transform transform;
    acre_z_up_point_out(hand, transform.translation, inner->translation);
    acre_z_up_rotation_out(hand, transform.rotation, inner->rotation);
    acre_z_up_size_out(transform.scale, inner->scale);
    return transform;
}

ACRE_EXTERN_C_END

#endif
