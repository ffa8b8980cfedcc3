// SPDX-License-Identifier: MIT
// interest_shared.h - how far a thing is from an observer, as interest.h defines it. For
// modules/partition, too.
#ifndef ACRE_INTEREST_SHARED_H
#define ACRE_INTEREST_SHARED_H

#include <acre/interest.h>

/// From now on all that is within an observer's leave radius is in range, and things with ranges at
/// the most so far away. For a caller with hysteresis of its own, before the first observer.
void acre_interest_see_to_leave(acre_interest *interest, double most_reach);

/// How far a box is from a place along one axis, with a sign. A maximum and a minimum: no branches.
static inline double gap_to_box(const acre_aabb *box, const float *place, int axis)
{
    const float at = place[axis], min = box->min[axis], max = box->max[axis];
    const float above_min = min > at ? min : at;
    const float nearest = above_min < max ? above_min : max;
    return (double)nearest - (double)at;
}

static inline double square_of_radius(float value)
{
    return (double)value * (double)value;
}

/// The square of the distance from a place to a box.
static inline double acre_interest_distance2(const acre_aabb *box, const float *place,
                                             bool in_space)
{
    const double x = gap_to_box(box, place, 0), z = gap_to_box(box, place, 2);
    const double y = in_space ? gap_to_box(box, place, 1) : 0;
    return x * x + z * z + y * y;
}

#endif
