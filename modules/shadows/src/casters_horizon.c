// SPDX-License-Identifier: MIT
// casters_horizon.c - casters whose shadow falls nowhere but behind what a camera's horizon knows.
//
// A caster's shadow lies in its box, moved along the light up to the last receiver in its columns.
// That way is cut into pieces, of which each has a box: one around the whole way would be much
// larger than the shadow.
#include "casters_internal.h"

#include "float_bits.h"

#include <acre/horizon.h>

#include <math.h>

// Share of depths that covers the rounding of marks.
#define DEPTH_MARGIN 0x1p-22

enum { SHADOW_PIECES = 8 };

acre_result acre_receivers_set_horizon(acre_receivers *receivers, const acre_horizon *horizon,
                                       float filter)
{
    if (!receivers || !receivers->is_begun || receivers->is_light || !float_is_finite(filter) ||
        filter < 0.0f) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    receivers->horizon = horizon;
    receivers->filter = filter;
    return ACRE_OK;
}

// The part of a box inside bounds, moved along an axis by `from` to `to`, grown, and cut off where
// the slice ends: beyond it nothing receives. @return false: nothing is left.
static bool move_along(const acre_receivers *receivers, const acre_aabb *box, double from,
                       double to, acre_aabb *out)
{
    const light_space *const space = &receivers->space;
    const double grown = (double)receivers->filter + space->margin;
    for (int k = 0; k < 3; k++) {
        const double low = (double)depth_max(box->min[k], space->bounds.min[k]);
        const double high = (double)depth_min(box->max[k], space->bounds.max[k]);
        const double first = space->axes[2][k] * from, last = space->axes[2][k] * to;
        out->min[k] = depth_max(float_round_down(low + fmin(first, last) - grown),
                                space->slice_bounds.min[k]);
        out->max[k] =
            depth_min(float_round_up(high + fmax(first, last) + grown), space->slice_bounds.max[k]);
        if (!(out->min[k] <= out->max[k])) {
            return false;
        }
    }
    return true;
}

bool acre_receivers_shadow_is_hidden(const acre_receivers *receivers, const acre_aabb *box,
                                     double begin, double end)
{
    const double way = end - begin + DEPTH_MARGIN * (fabs(begin) + fabs(end));
    for (int i = 0; i < SHADOW_PIECES; i++) {
        acre_aabb piece;
        if (move_along(receivers, box, way * i / SHADOW_PIECES, way * (i + 1) / SHADOW_PIECES,
                       &piece) &&
            !acre_horizon_hides(receivers->horizon, &piece)) {
            return false;
        }
    }
    return true;
}
