// SPDX-License-Identifier: MIT
// distances_internal.h - distances that a caller gives: radii, and limits of bands that rise.
#ifndef ACRE_DISTANCES_INTERNAL_H
#define ACRE_DISTANCES_INTERNAL_H

#include "assert_internal.h"

#include <stdbool.h>

/// 0 to 2^50, whose square a float holds.
static inline bool radius_is_valid(float radius)
{
    return radius >= 0 && radius <= 0x1p50f; // false for NaN
}

/// Whether a thing may come in at one radius and go out at the other; leave 0: at the same.
static inline bool radii_are_valid(float enter, float leave)
{
    return radius_is_valid(enter) && radius_is_valid(leave) && !(leave > 0 && leave < enter);
}

/// Whether limits of bands rise; the first 0 ends them.
static inline bool band_limits_are_valid(const float *limits, int count)
{
    ACRE_INVARIANT(limits && count > 0);
    bool has_ended = false;
    for (int i = 0; i < count; i++) {
        if (!radius_is_valid(limits[i]) || (has_ended && limits[i] > 0) ||
            (i > 0 && limits[i] > 0 && limits[i] <= limits[i - 1])) {
            return false;
        }
        has_ended = limits[i] <= 0;
    }
    return true;
}

#endif
