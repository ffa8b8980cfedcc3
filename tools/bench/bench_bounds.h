// SPDX-License-Identifier: MIT
// bench_bounds.h - the box around a convex volume, for peers that know no planes.
#ifndef ACRE_TOOLS_BENCH_BOUNDS_H
#define ACRE_TOOLS_BENCH_BOUNDS_H

#include <acre/frustum.h>

// Around the corners where three planes meet, 0.1 m wider. A volume without corners has an empty
// box.
acre_aabb frustum_bounds(const acre_frustum *frustum);

#endif
