// SPDX-License-Identifier: MIT
// hull_internal.h - a frustum prepared for the exact test, once for many boxes.
#ifndef ACRE_HULL_INTERNAL_H
#define ACRE_HULL_INTERNAL_H

#include <acre/frustum.h>

/// An outline of a volume of n planes has at most (n / 2)^2 lines.
#define ACRE_FRUSTUM_HULL_MAX_LINES 64

/// The planes of the frustum, its outline as seen along each axis of the world, and its bounds.
/// 4.9 KiB, no pointers.
typedef struct acre_frustum_hull {
    acre_frustum frustum;
    acre_aabb bounds;       ///< contains the volume; infinite where the volume is unbounded
    uint32_t line_count[3]; ///< lines of the outline as seen along each axis
    /// A point p is inside where line[0] * p[(axis + 1) % 3] + line[1] * p[(axis + 2) % 3] +
    /// line[2] is >= 0.
    double lines[3][ACRE_FRUSTUM_HULL_MAX_LINES][3];
} acre_frustum_hull;

/// The volume may be unbounded. Planes with NaN or infinite elements count in
/// acre_frustum_test_aabb only. O(planes^4).
void acre_frustum_hull_prepare(acre_frustum_hull *hull, const acre_frustum *frustum);

/// @param box a valid box.
/// @return as acre_frustum_test_aabb_exact of the frustum.
bool acre_frustum_hull_test_aabb(const acre_frustum_hull *hull, const acre_aabb *box);

#endif
