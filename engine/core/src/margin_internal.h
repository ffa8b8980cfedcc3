// SPDX-License-Identifier: MIT
// margin_internal.h - limits of planes that are moved outwards, so that float tests lose nothing.
#ifndef ACRE_MARGIN_INTERNAL_H
#define ACRE_MARGIN_INTERNAL_H

#include <float.h>

// More than what results in the denormal range lose, also where they are flushed to zero.
#define UNDERFLOW_MARGIN (8.0 * (double)FLT_MIN)
// Half of the float range, so that no distance of a point near the volume overflows.
#define FARTHEST (0.5 * (double)FLT_MAX)

#endif
