// SPDX-License-Identifier: MIT
// bounds.h - axis-aligned boxes: what a valid box is, and the tests of one box.
//
// Units are the caller's (metres by convention), y is up, the ground is the x/z plane.
//
// Words used here:
//     valid   no NaN, and min <= max on every axis; infinite and denormal edges are valid
//     empty   min > max on an axis; the identity of acre_aabb_merge, contains nothing
//
// Functions of two boxes expect each to be valid or what acre_aabb_empty gives: NaN has no order,
// so that their answer to it means nothing. All take constant time.
//
// Threading: pure functions.
#ifndef ACRE_BOUNDS_H
#define ACRE_BOUNDS_H

#include <acre/base.h>

ACRE_EXTERN_C_BEGIN

/// A closed box: all points p with min <= p <= max on every axis.
typedef struct acre_aabb {
    float min[3];
    float max[3];
} acre_aabb;

/// @return whether no edge is NaN and min <= max on every axis. Works on the bits, so that the
/// answer holds even if the caller's program was compiled with -ffast-math.
ACRE_API bool acre_aabb_is_valid(const acre_aabb *box);

/// @return whether all six edges are finite (no NaN, no infinity).
ACRE_API bool acre_aabb_is_finite(const acre_aabb *box);

/// @return the box that contains nothing: min = FLT_MAX, max = -FLT_MAX.
ACRE_API acre_aabb acre_aabb_empty(void);

/// @return whether min > max on any axis. A box with a NaN edge is not empty, it is invalid.
ACRE_API bool acre_aabb_is_empty(const acre_aabb *box);

/// @return the smallest box that contains both; an empty box adds nothing.
ACRE_API acre_aabb acre_aabb_merge(const acre_aabb *a, const acre_aabb *b);

/// @return whether the two boxes share a point; touching counts.
ACRE_API bool acre_aabb_overlaps(const acre_aabb *a, const acre_aabb *b);

/// @return whether every point of inner is in outer; the empty box is in every box.
ACRE_API bool acre_aabb_contains(const acre_aabb *outer, const acre_aabb *inner);

ACRE_EXTERN_C_END

#endif
