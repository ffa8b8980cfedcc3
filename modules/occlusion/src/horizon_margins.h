// SPDX-License-Identifier: MIT
// horizon_margins.h - by how much a horizon rounds towards "visible". The README derives each.
#ifndef ACRE_HORIZON_MARGINS_H
#define ACRE_HORIZON_MARGINS_H

/// Of a line a + b u: a share of |a| + |b|.
#define EDGE_LINE_MARGIN 0x1p-19
/// Of a slope, and of 1 / depth of a box: a share of it.
#define SLOPE_MARGIN 0x1p-20
/// Of the columns that a box touches, in columns.
#define COLUMN_MARGIN (1.0f / 256)
/// Of the columns that an occluder covers, in columns.
#define COVER_MARGIN 0x1p-12
/// Of numbers of a region, and of the near radius: a share of them.
#define REGION_MARGIN 0x1p-20
/// An edge whose cross product is a smaller share of the product of its ends' distances is seen
/// from its end: it is neither front nor back.
#define LEAST_CROSS 1e-8
/// A box with an edge farther away than this is visible: no 1 / depth becomes denormal.
#define FARTHEST_TARGET 1e18f

#endif
