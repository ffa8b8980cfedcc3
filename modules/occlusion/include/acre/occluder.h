// SPDX-License-Identifier: MIT
// occluder.h - what hides other things: a vertical prism that is solid inside.
//
// Experimental: it may change in any minor version.
//
// An occluder must lie within what is drawn opaque: within the walls of a house, not around them.
// A smaller one hides less; a larger one hides what is visible.
//
// Words used here:
//     footprint  the convex polygon on the ground, in x and z, over which the prism stands
//     region     the box of places where an eye may be, around its middle
//
// Typical use:
//     acre_occluder occluder;
//     acre_result result = acre_occluder_from_box(&occluder, &wall);
//
// Threading: pure functions.
#ifndef ACRE_OCCLUDER_H
#define ACRE_OCCLUDER_H

#include <acre/bounds.h>

ACRE_EXTERN_C_BEGIN

#define ACRE_OCCLUDER_MAX_POINTS 8

enum {
    /// What it stands for is drawn from inside, too. Without the flag a renderer may leave out back
    /// faces, so that an eye inside the object sees through it. What has the flag must be solid
    /// itself, such as a wall: of a hollow shell an eye within the shell sees the inside.
    ACRE_OCCLUDER_TWO_SIDED = 1u
};

/// A vertical prism. It is valid if acre_occluder_is_valid says so.
typedef struct acre_occluder {
    float points[ACRE_OCCLUDER_MAX_POINTS]
                [2];      ///< corners of the footprint: x, z; in either direction
    uint32_t point_count; ///< 3 to ACRE_OCCLUDER_MAX_POINTS
    float bottom;   ///< y; -INFINITY: nothing shows below it, as where a house stands on the ground
    float top;      ///< y, above the bottom
    uint32_t flags; ///< ACRE_OCCLUDER_ values
} acre_occluder;

/// @return whether the footprint is convex, has an area and no corner twice, the bottom is below
/// the top, no number but the bottom is infinite or beyond 1e12, and no other flag is set. Corners
/// on a straight edge are allowed. Corners that rounding has moved inward of such an edge are not:
/// leave them out. Costs some 10 ns for each corner.
ACRE_EXPERIMENTAL_API bool acre_occluder_is_valid(const acre_occluder *occluder);

/// Makes an occluder of a box that is solid everywhere, such as a wall. The bounds of an object are
/// no occluder: one sees past the object through their corners.
/// @return ACRE_ERROR_INVALID_ARGUMENT for a box that makes no valid occluder: flat, NaN, inverted
/// or with edges beyond 1e12; the lowest edge may be -INFINITY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_occluder_from_box(acre_occluder *out, const acre_aabb *box);

/// Makes the occluder that hides from the middle of a region only what the given one hides from
/// each eye of that region: all points around which the whole region lies within `in`. Rounded
/// inward, with up to as many corners.
/// @param out may be `in`.
/// @param half float[3], finite, >= 0: half the size of the region.
/// @return ACRE_ERROR_NOT_FOUND where nothing is left, ACRE_ERROR_INVALID_ARGUMENT for an occluder
/// that is not valid and for other half sizes.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_occluder_shrink(acre_occluder *out, const acre_occluder *in,
                                                       const float *half);

ACRE_EXTERN_C_END

#endif
