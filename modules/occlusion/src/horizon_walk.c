// SPDX-License-Identifier: MIT
// horizon_walk.c - a horizon within a query: what it is asked, what it did, and when it gives up.
//
// Work is counted and time is not measured, so that the same view of the same tree has the same
// answer everywhere.
#include "horizon_internal.h"

#include "occluder_internal.h"

#include <assert.h>
#include <math.h>

enum {
    MOST_OWNERS_BELOW = 16, // kept objects with occluders, of which none rises,
    MOST_BELOW = 256,       // or kept objects
    HIDDEN_WORTH = 20,      // an object that is not drawn is worth as many questions about a box,
    OCCLUDER_COST = 10,     // and an occluder takes as long, whether it is taken or not
    MOST_LOST = 2048,       // what may be paid beyond what is won, in questions
    LEAST_WAIT = 15,        // plain queries between two that ask, once it has given up,
    MOST_WAIT = 127         // and at most, where it gives up again and again
};
static_assert((int)ACRE_HORIZON_BLOCK == (int)HORIZON_BLOCK,
              "a block of a walk is one of a kernel");

// An object rises if its top is above the height of the eye less this share of the distance.
#define RISE_SLOPE 0.1

horizon_place acre_horizon_place(const acre_horizon *horizon)
{
    horizon_place out = {.near_radius = (float)horizon->near_radius, .is_begun = horizon->is_begun};
    for (int axis = 0; axis < 3; axis++) {
        out.eye[axis] = horizon->columns.eye[axis];
        out.region[axis] = horizon->region[axis];
    }
    return out;
}

static bool is_in_region(const acre_horizon *horizon, const float *eye)
{
    bool is_inside = true;
    for (int axis = 0; axis < 3; axis++) {
        is_inside &= fabs((double)eye[axis] - horizon->eye[axis]) <= (double)horizon->region[axis];
    }
    return is_inside;
}

// Whether a horizon that has given up stays off in this query.
static bool stays_off(acre_horizon *horizon, const float *eye)
{
    horizon_walk *const walk = &horizon->walk;
    return walk->is_off && eye[1] >= walk->off_height && walk->plain_queries++ < walk->wait;
}

acre_result acre_horizon_begin_walk(acre_horizon *horizon, const float *eye)
{
    horizon_walk *const walk = &horizon->walk;
    if (!access_begin_write(&horizon->access)) {
        return ACRE_ERROR_BUSY;
    }
    const acre_result result = !horizon->is_begun            ? ACRE_ERROR_NOT_FOUND
                               : !is_in_region(horizon, eye) ? ACRE_ERROR_INVALID_ARGUMENT
                               : stays_off(horizon, eye)     ? ACRE_ERROR_NOT_FOUND
                                                             : ACRE_OK;
    if (result != ACRE_ERROR_INVALID_ARGUMENT) {
        walk->stats = (acre_horizon_stats){.gave_up = horizon->is_begun && result != ACRE_OK};
    }
    if (result != ACRE_OK) {
        access_end_write(&horizon->access);
        return result;
    }
    acre_horizon_clear(horizon);
    walk->is_off = walk->goes_on = walk->rises = false;
    walk->owners = 0;
    walk->questions = 0;
    walk->least_sink = (double)INFINITY;
    return ACRE_OK;
}

// Where nothing rose, the eye must sink by `least_sink` until one does. Where something did, the
// eye is among the tops already, and to sink further changes little.
static float height_to_ask_below(const acre_horizon *horizon)
{
    const horizon_walk *const walk = &horizon->walk;
    const double sink = walk->rises ? (double)INFINITY : walk->owners > 0 ? walk->least_sink : 0;
    return (float)(horizon->eye[1] - sink);
}

void acre_horizon_end_walk(acre_horizon *horizon)
{
    horizon_walk *const walk = &horizon->walk;
    walk->stats.occluders = horizon->taken;
    walk->is_off = walk->stats.gave_up;
    walk->off_height = height_to_ask_below(horizon);
    walk->wait = !walk->is_off                ? 0
                 : walk->wait < LEAST_WAIT    ? LEAST_WAIT
                 : 2 * walk->wait > MOST_WAIT ? MOST_WAIT
                                              : 2 * walk->wait + 1;
    walk->plain_queries = 0;
    access_end_write(&horizon->access);
}

// The number of bits of a block.
static uint32_t count_lanes(uint32_t lanes)
{
    ACRE_INVARIANT(lanes < 1u << HORIZON_BLOCK);
    lanes -= lanes >> 1 & 0x55;
    lanes = (lanes & 0x33) + (lanes >> 2 & 0x33);
    return (lanes + (lanes >> 4)) & 0x0f;
}

// Boxes that are seen and stand for many are asked about again, one by one: only those that are
// hidden count as many.
uint32_t acre_horizon_ask(acre_horizon *horizon, const float *edges, size_t stride, uint32_t lanes,
                          uint32_t objects)
{
    horizon_walk *const walk = &horizon->walk;
    acre_horizon_stats *const stats = &walk->stats;
    if (stats->gave_up) {
        return lanes;
    }
    const uint32_t hidden = horizon->taken > 0 ? horizon_hidden(horizon, edges, stride, lanes) : 0;
    const size_t asked = count_lanes(lanes), dropped = count_lanes(hidden);
    stats->asked += objects == 1 ? asked : dropped * objects;
    stats->dropped += dropped * objects;
    walk->questions += horizon->taken > 0 ? asked : 0;
    const size_t paid = walk->questions + (size_t)OCCLUDER_COST * horizon->tried;
    stats->gave_up = !walk->goes_on && paid > MOST_LOST + HIDDEN_WORTH * stats->dropped;
    return stats->gave_up ? lanes : hidden;
}

// Whether a footprint, given by the least and the greatest x and z from the eye, may cover a column
// wholly. Only where it lies on one side of the horizon is that looked at.
static bool may_cover_column(const acre_horizon *horizon, const double *min, const double *max)
{
    const int along = greater_of(min[0], -max[0]) > greater_of(min[1], -max[1]) ? 0 : 1;
    const bool is_backward = max[along] < 0;
    const double near = is_backward ? -max[along] : min[along],
                 far = is_backward ? -min[along] : max[along];
    const double from = min[1 - along], to = max[1 - along];
    if (!(near > 0 && from >= -near && to <= near)) {
        return true;
    }
    const double half = 0.5 * horizon->columns.count;
    const double first = (from / (from > 0 ? far : near) + 1) * half,
                 end = (to / (to > 0 ? near : far) + 1) * half;
    const uint32_t whole = (uint32_t)first;
    return whole + (whole < first) < (uint32_t)end;
}

bool acre_horizon_wants(acre_horizon *horizon, const acre_aabb *object)
{
    double square = 0, min[2], max[2];
    for (int i = 0; i < 2; i++) {
        min[i] = (double)object->min[2 * i] - horizon->eye[2 * i];
        max[i] = (double)object->max[2 * i] - horizon->eye[2 * i];
        const double away = greater_of(greater_of(min[i], -max[i]), 0);
        square += away * away;
    }
    const double top = (double)object->max[1] - horizon->eye[1] + RISE_SLOPE * sqrt(square);
    const bool rises = top > 0;
    horizon_walk *const walk = &horizon->walk;
    walk->rises = walk->rises || rises;
    walk->least_sink = -top < walk->least_sink ? -top : walk->least_sink;
    return square == 0 || (rises && may_cover_column(horizon, min, max));
}

void acre_horizon_count_kept(acre_horizon *horizon, bool is_occluder)
{
    horizon_walk *const walk = &horizon->walk;
    walk->stats.kept++;
    walk->owners += is_occluder;
    walk->stats.gave_up |=
        !walk->rises && (walk->owners >= MOST_OWNERS_BELOW || walk->stats.kept >= MOST_BELOW);
}

horizon_walk acre_horizon_get_walk(const acre_horizon *horizon)
{
    return horizon->walk;
}

void acre_horizon_set_walk(acre_horizon *horizon, const horizon_walk *walk)
{
    horizon->walk = *walk;
}

bool acre_horizon_gave_up(const acre_horizon *horizon)
{
    return horizon->walk.stats.gave_up;
}

uint32_t *acre_horizon_reserve_kept(acre_horizon *horizon, size_t count)
{
    return COLUMN_RESERVE(&horizon->allocator, horizon->kept, count) ? horizon->kept.data : NULL;
}

void acre_horizon_get_stats(const acre_horizon *horizon, acre_horizon_stats *out)
{
    if (!out) {
        return;
    }
    *out = (acre_horizon_stats){0};
    if (horizon && access_begin_read(&horizon->access)) {
        *out = horizon->walk.stats;
        access_end_read(&horizon->access);
    }
}
