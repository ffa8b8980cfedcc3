// SPDX-License-Identifier: MIT
// z_up_occluder.h - turns acre_occluder for programs whose z axis points up; acre/z_up.h has the
// rest.
//
// Experimental: it may change in any minor version.
//
// Typical use:
//     const acre_occluder inside = acre_z_up_occluder_in(ACRE_Z_UP_RIGHT_HANDED, &house);
//     acre_horizon_add(horizon, &inside);
//
// Threading: pure functions. NULL is not allowed.
#ifndef ACRE_Z_UP_OCCLUDER_H
#define ACRE_Z_UP_OCCLUDER_H

#include <acre/occluder.h>
#include <acre/z_up.h>

ACRE_EXTERN_C_BEGIN

/// Turns an occluder whose points are x, y and whose bottom and top are z. Points beyond
/// point_count are turned as well.
static inline acre_occluder acre_z_up_occluder_in(acre_z_up hand, const acre_occluder *outer)
{
    acre_occluder occluder = *outer;
    for (int k = 0; k < ACRE_OCCLUDER_MAX_POINTS; k++) {
        occluder.points[k][1] = acre_z_up_sign(hand) * outer->points[k][1];
    }
    return occluder;
}

/// Undoes acre_z_up_occluder_in: the same sign again.
static inline acre_occluder acre_z_up_occluder_out(acre_z_up hand, const acre_occluder *inner)
{
    return acre_z_up_occluder_in(hand, inner);
}

ACRE_EXTERN_C_END

#endif
