// SPDX-License-Identifier: MIT
// horizon_kernel.h - inner loops of horizons: filling columns, and asking them about eight boxes.
//
// Side f of a square around the eye looks along +x, +z, -x or -z. Of a point before it, depth d is
// measured along that direction and v across it. Its column follows from u = v / d, which is -1 to
// 1; its slope is height / d. Lines of the ground are lines in (u, 1 / d) as well, so that nothing
// here needs an angle.
//
// A set defines what lanes_one.h has, for horizon_kernel_part.h. All sets do the same operations in
// the same order on each column and each box, so that the same boxes are hidden.
#ifndef ACRE_HORIZON_KERNEL_H
#define ACRE_HORIZON_KERNEL_H

#include "horizon_margins.h"
#include "kernel_internal.h"

#include <acre/occluder.h>

enum {
    HORIZON_SIDES = 4,
    HORIZON_BLOCK = 8,    ///< boxes are asked by as many, whatever the kernel
    HORIZON_MULTIPLE = 16 ///< of columns: no vector reaches into the next side
};

/// The columns of a horizon.
///
/// 1. Each ray of column i whose slope is in low[i] to high[i] meets something opaque at a depth of
///    at most 1 / inverse[i]. An empty column has low > high and inverse 0.
/// 2. All eyes are over the floor. From the middle, its edge in column i is at a depth of at least
///    1 / floor[i]; with a region, it is the edge of what is left of the floor when it is shrunk
///    along the ground. The same holds for the ceiling, under which all eyes are.
typedef struct horizon_columns {
    float *low, *high, *inverse, *floor, *ceiling; ///< HORIZON_SIDES * count each
    uint32_t count;                                ///< of one side
    float eye[3];
    float floor_top, ceiling_bottom;    ///< y in the world; -INFINITY, INFINITY: there is none
    float floor_height, ceiling_height; ///< times 1 / depth of the edge: a slope that surely meets
                                        ///< the slab from every eye
} horizon_columns;

/// A line in (u, 1 / depth). Over one column it lies between least + slope * u and
/// most + slope * u, where u is the middle of the column.
typedef struct horizon_line {
    float least, most, slope;
} horizon_line;

/// An occluder as one side of the horizon sees it.
typedef struct horizon_part {
    uint32_t side, first, end;        ///< the columns that it covers wholly: first <= i < end
    uint32_t front_count, back_count; ///< back_count 0: only its front stops rays
    horizon_line front[ACRE_OCCLUDER_MAX_POINTS]; ///< 1 / depth of entry: the least of these
    horizon_line back[ACRE_OCCLUDER_MAX_POINTS];  ///< 1 / depth of exit: the greatest of these
    float bottom, top;                            ///< heights above the eye, rounded inward
    bool is_on_floor;                             ///< its bottom is not above the floor
    bool is_to_ceiling;                           ///< its top is not below the ceiling
} horizon_part;

/// Raises the columns of a part. @return whether any of them has another interval now.
typedef bool horizon_raise(const horizon_columns *columns, const horizon_part *part);

/// Writes 1 / depth of the exit, rounded up, to the columns of a part.
typedef void horizon_lay(const horizon_columns *columns, const horizon_part *part, float *row);

/// Which of eight boxes are hidden. `edges` has rows min x, max x, min y, ..., `stride` floats
/// apart, of which eight can be read. `lanes`: the boxes to ask about.
typedef uint32_t horizon_ask(const horizon_columns *columns, const float *edges, size_t stride,
                             uint32_t lanes);

typedef struct horizon_kernel {
    horizon_raise *raise;
    horizon_lay *lay;
    horizon_ask *ask;
} horizon_kernel;

DECLARE_KERNELS(horizon)

#endif
