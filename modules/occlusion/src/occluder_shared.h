// SPDX-License-Identifier: MIT
// occluder_shared.h - occluders of objects that move, for the culler that has them.
#ifndef ACRE_OCCLUDER_SHARED_H
#define ACRE_OCCLUDER_SHARED_H

#include <acre/occluder.h>

/// What is known of an occluder in its own space, so that it is moved in few steps.
typedef struct occluder_facts {
    float middle[2]; ///< of its corners
    float reach;     ///< no coordinate is larger
    float pull; ///< the most of each edge: |x| + |z| / cross product with what leads to the middle
    float turn; ///< the least of each corner: cross product of its edges / their |x| + |z|
} occluder_facts;

/// Puts the corners of a valid occluder in one direction, and measures it.
void acre_occluder_turn(acre_occluder *occluder);
bool acre_occluder_is_turned(const acre_occluder *occluder);
occluder_facts acre_occluder_measure(const acre_occluder *occluder);

/// Makes an occluder that lies within what an affine matrix makes of another. A matrix that keeps y
/// upright takes nothing but rounding away; under a tilt a smaller prism remains.
/// @param matrix float[16] by column, as acre_entity_world_matrix.
/// @param in its corners stand as acre_occluder_turn puts them; so do those of `out`.
/// @param facts of `in`. NULL: takes longer, and pulls corners inward by less.
/// @param height of the object in the world. What has no bottom reaches down so far at least; it
/// stands no tilt beyond that of rounding.
/// @return false: nothing surely remains.
bool acre_occluder_move(acre_occluder *out, const acre_occluder *in, const occluder_facts *facts,
                        const float *matrix, double height);

#endif
