// SPDX-License-Identifier: MIT
// horizon_shared.h - what a walk over trees does with a horizon: it asks, adds, and may give up.
//
//     result = acre_horizon_begin_walk(horizon, view->eye);
//     if (result == ACRE_ERROR_NOT_FOUND) { ... the plain query, which hides nothing ... }
//     ... near first: acre_horizon_ask, acre_horizon_count_kept, acre_horizon_add_of ...
//     acre_horizon_end_walk(horizon);
//     if (acre_horizon_gave_up(horizon)) { ... all over, as the plain query ... }
#ifndef ACRE_HORIZON_SHARED_H
#define ACRE_HORIZON_SHARED_H

#include <acre/horizon.h>

enum { ACRE_HORIZON_BLOCK = 8 }; ///< boxes that are asked about at a time

/// What a horizon knows of the queries that walk with it.
typedef struct horizon_walk {
    acre_horizon_stats stats;
    uint32_t owners;        ///< kept objects with occluders
    bool rises;             ///< one of them does
    size_t questions;       ///< boxes asked about, whatever they stand for
    bool goes_on;           ///< whatever that costs
    bool is_off;            ///< it gave up
    uint32_t plain_queries; ///< since then
    uint32_t wait;          ///< plain queries until it is asked again
    float off_height;       ///< it is asked at once where the eye is lower
    double least_sink;      ///< by which the eye must sink until one of the owners rises
} horizon_walk;

/// For a walk that is to leave no trace. No walk runs.
horizon_walk acre_horizon_get_walk(const acre_horizon *horizon);
void acre_horizon_set_walk(acre_horizon *horizon, const horizon_walk *walk);

/// Where a horizon was begun, for comparing. Padding is zero.
typedef struct horizon_place {
    float eye[3], region[3], near_radius;
    uint32_t is_begun;
} horizon_place;

horizon_place acre_horizon_place(const acre_horizon *horizon);

/// Empties the horizon at the eye of its last begin, and uses it alone until acre_horizon_end_walk.
/// @param eye of the view.
/// @return ACRE_OK: the walk has begun; ACRE_ERROR_NOT_FOUND: there is none, as the horizon was not
/// begun, or gave up before; ACRE_ERROR_INVALID_ARGUMENT where the eye is outside of its region;
/// ACRE_ERROR_BUSY.
acre_result acre_horizon_begin_walk(acre_horizon *horizon, const float *eye);
void acre_horizon_end_walk(acre_horizon *horizon);

/// Which of a block of boxes are hidden: bit i, box i. All of them once the horizon gives up: then
/// the walk ends sooner.
/// @param edges rows min x, max x, min y, ..., of which ACRE_HORIZON_BLOCK can be read.
/// @param stride floats between rows.
/// @param lanes the boxes to ask about.
/// @param objects for which each box stands.
uint32_t acre_horizon_ask(acre_horizon *horizon, const float *edges, size_t stride, uint32_t lanes,
                          uint32_t objects);

/// Counts an object that the walk keeps, which may make the horizon give up.
void acre_horizon_count_kept(acre_horizon *horizon, bool is_occluder);

/// Whether the occluders of an object that is drawn are worth adding: those whose object rises
/// above the height of the eye less a tenth of the distance and is as wide as a column, and those
/// over and under the eye.
bool acre_horizon_wants(acre_horizon *horizon, const acre_aabb *object);

/// Whether the horizon has found, in this walk or the last one, that it does not pay.
bool acre_horizon_gave_up(const acre_horizon *horizon);

/// Adds a valid occluder of an object with that box, within a walk; see acre_horizon_add. Its
/// corners stand as acre_occluder_turn puts them.
bool acre_horizon_add_of(acre_horizon *horizon, const acre_occluder *occluder,
                         const acre_aabb *object);

/// Room in the horizon's own memory for what a walk keeps. Those that are there stay.
/// @return NULL: out of memory.
uint32_t *acre_horizon_reserve_kept(acre_horizon *horizon, size_t count);

#endif
