// SPDX-License-Identifier: MIT
// streets_cut.h - splits line segments where they cross or touch, so that they meet at end points.
#ifndef ACRE_TOOLS_STREETS_CUT_H
#define ACRE_TOOLS_STREETS_CUT_H

#include "streets.h"

// *pieces is a new array of *piece_count segments; the caller frees it. Segments with NaN or
// infinite points are left out. Returns false when memory is short.
bool streets_cut(const street_segment *segments, size_t count, float weld, street_segment **pieces,
                 size_t *piece_count);

#endif
