// SPDX-License-Identifier: MIT
// occluder_shared.h - occluders of objects that move, for the culler that has them.
#ifndef ACRE_OCCLUDER_SHARED_H
#define ACRE_OCCLUDER_SHARED_H

#include <acre/occluder.h>

/// Makes an occluder that lies within what an affine matrix makes of another. A matrix that keeps y
/// upright takes nothing but rounding away; under a tilt a smaller prism remains.
/// @param matrix float[16] by column, as acre_entity_world_matrix.
/// @param height of the object in the world. What has no bottom reaches down so far at least; it
/// stands no tilt beyond that of rounding.
/// @return false: nothing surely remains.
bool acre_occluder_move(acre_occluder *out, const acre_occluder *in, const float *matrix,
                        double height);

#endif
