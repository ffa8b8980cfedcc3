// SPDX-License-Identifier: MIT
// bounds.h - axis-aligned boxes: what a valid box is, and the tests of one box.
//
// Units are the caller's (metres by convention), y is up, the ground is the x/z plane.
//
// Words used here:
//     valid     no edge is NaN, and min <= max on every axis; infinite edges are valid
//     empty     min > max on some axis: the box contains nothing and adds nothing to a merge
//     denormal  smaller than FLT_MIN in size, but not 0
//
// Denormal edges. A box with denormal edges is valid if min <= max, in every float mode of the
// program (-ffast-math makes many programs read denormals as 0). Trees and scenes store a denormal
// edge as +0, and -0 as +0.
//
// Functions of two boxes expect boxes that are valid or empty. Their answer to a NaN edge means
// nothing. All functions take constant time.
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

/// @return whether no edge is NaN and min <= max on every axis. The edges are compared by their
/// bits, so the answer is the same in a program that was compiled with -ffast-math.
ACRE_API bool acre_aabb_is_valid(const acre_aabb *box);

/// @return whether all six edges are finite (no NaN, no infinity).
ACRE_API bool acre_aabb_is_finite(const acre_aabb *box);

/// @return the box that contains nothing: min = FLT_MAX, max = -FLT_MAX.
ACRE_API acre_aabb acre_aabb_empty(void);

/// @return whether min > max on some axis, compared by bits. NaN is neither above nor below.
ACRE_API bool acre_aabb_is_empty(const acre_aabb *box);

/// @return the smallest box that contains both; an empty box adds nothing.
ACRE_API acre_aabb acre_aabb_merge(const acre_aabb *a, const acre_aabb *b);

/// @return whether the two boxes share a point; touching counts.
ACRE_API bool acre_aabb_overlaps(const acre_aabb *a, const acre_aabb *b);

/// @return whether every point of inner is in outer; the empty box is in every box.
ACRE_API bool acre_aabb_contains(const acre_aabb *outer, const acre_aabb *inner);

ACRE_EXTERN_C_END

#endif
