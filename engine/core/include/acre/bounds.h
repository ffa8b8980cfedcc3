// SPDX-License-Identifier: MIT
// bounds.h - axis-aligned boxes: how to make one, what a valid box is, and the tests of two.
//
// Stable.
//
// Units are yours (meters by convention), y is up, the ground is the x/z plane.
//
// Words used here:
//     valid     no edge is NaN, and min <= max on every axis; infinite edges are valid
//     empty     min > max on some axis: the box contains nothing and adds nothing to a merge
//     denormal  smaller than FLT_MIN in size, but not 0
//
// Typical use:
//     acre_aabb box = acre_aabb_from_points(vertices, vertex_count, sizeof(vertex));
//     if (!acre_aabb_is_valid(&box)) { report_broken_mesh(); }
//
// Denormal edges. Whether a box with denormal edges is valid is decided by the bits of the edges,
// so that the answer is the same in every float mode of the program (-ffast-math makes many
// programs read denormals as 0). Trees refuse an invalid box. A scene stores a denormal edge of a
// local box as +0. A tree stores it as it is, and a query compares it as the float mode says. Both
// give back +0 for -0. Half sizes smaller than FLT_MIN are compared in the float mode, too.
//
// NaN. A function that makes a box from NaN makes an invalid one, which trees and scenes refuse.
// If one of two boxes is invalid and not empty, the answer of a function of both means nothing.
//
// All functions but acre_aabb_from_points take constant time.
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

/// How a row gives a box: by two corners, or by its center and half its size.
typedef enum acre_box_form {
    ACRE_BOX_FORM_MIN_MAX = 0,  ///< the smallest and the largest corner
    ACRE_BOX_FORM_CENTER_EXTENT ///< the center c and half the size e: the box is c - e to c + e, in
                                ///< floats; a negative or NaN e is refused
} acre_box_form;

/// Boxes as a program keeps them. Row i has two parts of three floats x, y, z each: the first part
/// is i * first_stride bytes behind `first`, the second part i * second_stride bytes behind
/// `second`. The parts may lie in one array of records or in two arrays, at any address and any
/// stride. A stride of 0 is no gap, as elsewhere, but one part for all rows, as where all boxes
/// have one half size: the parts may be 12 or 24 bytes apart without a gap.
typedef struct acre_box_array {
    const void *first;    ///< smallest corner or center of row 0
    const void *second;   ///< largest corner or half size of row 0
    size_t first_stride;  ///< bytes from a row's first part to the next row's; 0: one for all rows
    size_t second_stride; ///< bytes from a row's second part to the next row's; 0: one for all rows
    acre_box_form form;
} acre_box_array;

/// What a shift of a world did: of a tree, of a culler's objects, of a scene.
typedef struct acre_shift_report {
    bool is_exact;  ///< no box was rounded
    size_t rounded; ///< boxes whose new edges are not the old ones plus the offset, exactly
    size_t moved;   ///< items that went to other cells of a tree; none for whole cells
} acre_shift_report;

/// @param center float[3].
/// @param half_size float[3]; a negative one gives an empty box.
/// @return the box from center - half_size to center + half_size, each edge rounded once.
ACRE_API acre_aabb acre_aabb_from_center(const float *center, const float *half_size);

/// The smallest box around points. O(count).
/// @param points float[3] each. An axis on which a point is NaN gets NaN edges.
/// @param stride bytes from point to point, at least 12 and a multiple of 4; 0: 12.
/// @return the box; without points, acre_aabb_empty.
ACRE_API acre_aabb acre_aabb_from_points(const float *points, size_t count, size_t stride);

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
