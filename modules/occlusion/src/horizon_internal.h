// SPDX-License-Identifier: MIT
// horizon_internal.h - the object behind acre_horizon, and what a walk over a tree asks of it.
#ifndef ACRE_HORIZON_INTERNAL_H
#define ACRE_HORIZON_INTERNAL_H

#include "horizon_shared.h"

#include "access_internal.h"
#include "column_internal.h"
#include "horizon_kernel.h"

/// The eye is the middle of the region. Numbers of the region have their margin already.
struct acre_horizon {
    acre_allocator allocator;
    acre_access access;
    const horizon_kernel *kernel;
    horizon_columns columns;
    COLUMN_OF(float) rows; ///< what the pointers of `columns` point into
    double eye[3];
    float region[3];    ///< half sizes, rounded up
    double near_radius; ///< rounded up
    double clearance;   ///< farther than this from the middle, along the ground, is beyond the near
                        ///< radius of every eye
    float least_angle;
    uint32_t max_occluders, taken;
    uint32_t tried; ///< occluders, taken or not
    bool has_region, is_begun;
    bool is_clear;                ///< no column knows anything
    acre_occluder floor, ceiling; ///< as they were added; where columns have them
    horizon_walk walk;
    COLUMN_OF(uint32_t) kept; ///< for walks whose results have no array that grows
};

/// Nothing is hidden, and no occluder was taken.
void acre_horizon_clear(acre_horizon *horizon);

/// Which of a block of boxes are hidden: bit i, box i. `edges` has rows min x, max x, min y, ...,
/// `stride` floats apart, of which HORIZON_BLOCK can be read. `lanes`: the boxes to ask about.
static inline uint32_t horizon_hidden(const acre_horizon *horizon, const float *edges,
                                      size_t stride, uint32_t lanes)
{
    return horizon->kernel->ask(&horizon->columns, edges, stride, lanes);
}

#endif
