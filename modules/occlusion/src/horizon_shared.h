// SPDX-License-Identifier: MIT
// horizon_shared.h - what a walk over trees does with a horizon.
#ifndef ACRE_HORIZON_SHARED_H
#define ACRE_HORIZON_SHARED_H

#include <acre/horizon.h>

/// Adds a valid occluder of an object with that box; see acre_horizon_add. Whoever calls it uses
/// the horizon alone.
bool acre_horizon_add_of(acre_horizon *horizon, const acre_occluder *occluder,
                         const acre_aabb *object);

#endif
