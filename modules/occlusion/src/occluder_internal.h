// SPDX-License-Identifier: MIT
// occluder_internal.h - footprints of occluders in doubles, relative to a place.
#ifndef ACRE_OCCLUDER_INTERNAL_H
#define ACRE_OCCLUDER_INTERNAL_H

#include <acre/occluder.h>

#include "assert_internal.h"

/// No number of an occluder is larger, so that products of four fit in a double and its inverse
/// distances in a float.
#define FARTHEST_OCCLUDER 1e12

/// A convex polygon in x and z. Its inside is where cross_2(edge, place - corner) is positive for
/// each edge, which leads from its corner to the next one.
typedef struct footprint {
    double corners[2 * ACRE_OCCLUDER_MAX_POINTS][2]; ///< room for a polygon that is being divided
    uint32_t count;
} footprint;

static inline double greater_of(double a, double b)
{
    return a > b ? a : b;
}

static inline double cross_2(const double *a, const double *b)
{
    return a[0] * b[1] - a[1] * b[0];
}

static inline uint32_t next_corner(const footprint *shape, uint32_t corner)
{
    ACRE_INVARIANT(corner < shape->count);
    return corner + 1 < shape->count ? corner + 1 : 0;
}

/// The vector from a corner to the next one.
static inline void footprint_edge(const footprint *shape, uint32_t corner, double *out)
{
    const uint32_t next = next_corner(shape, corner);
    out[0] = shape->corners[next][0] - shape->corners[corner][0];
    out[1] = shape->corners[next][1] - shape->corners[corner][1];
}

/// Takes the corners of an occluder relative to a place, in the direction that a footprint has.
/// Differences of floats whose sizes differ by less than 2^29 are exact.
/// @return twice the area; 0 or less, or NaN: it has none.
double acre_footprint_take(footprint *out, const acre_occluder *occluder, const double *place);

/// Rounds to floats, and leaves out the corners that are none any more. What the others span lies
/// within the shape that all of them span.
void acre_footprint_round(acre_occluder *out, const footprint *shape);

#endif
