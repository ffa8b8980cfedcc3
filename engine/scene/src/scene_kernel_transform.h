// SPDX-License-Identifier: MIT
// scene_kernel_transform.h - whether a transform is valid, with four lanes where the target has
// them.
//
// Setting transforms that lie apart in memory waits for lines. A processor waits for those of
// several calls at a time, of more calls the shorter each is: a call of 64 instructions instead of
// 75 takes four fifths of the time.
#ifndef ACRE_SCENE_KERNEL_TRANSFORM_H
#define ACRE_SCENE_KERNEL_TRANSFORM_H

#include <acre/scene.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef ACRE_HAS_LANES_FOUR
#include "exact_lanes.h"
#endif

_Static_assert(sizeof(acre_transform) == 40, "ten floats without a gap");

/// @return whether all ten numbers are finite, and the quaternion is not zero in all four of them,
/// of either sign.
static inline bool transform_is_valid(const acre_transform *local)
{
    const char *const at = (const char *)local;
#ifdef ACRE_HAS_LANES_FOUR
    const simde__m128i top = simde_mm_set1_epi32(0x7f800000), zero = simde_mm_setzero_si128();
    simde__m128i are_huge = zero;
    for (size_t i = 0; i < 3; i++) { // numbers 0 to 3, 4 to 7, and 6 to 9
        simde__m128i four;
        memcpy(&four, at + (i < 2 ? 16 * i : 24), sizeof four);
        are_huge =
            simde_mm_or_si128(are_huge, simde_mm_cmpeq_epi32(simde_mm_and_si128(four, top), top));
    }
    simde__m128i rotation;
    memcpy(&rotation, local->rotation, sizeof rotation);
    const simde__m128i twice = simde_mm_add_epi32(rotation, rotation); // the sign falls off
    const simde__m128i are_zero = simde_mm_cmpeq_epi32(twice, zero);
    return signs_of_floats(simde_mm_castsi128_ps(are_huge)) == 0 &&
           signs_of_floats(simde_mm_castsi128_ps(are_zero)) != 0xf;
#else
    // Two at a time: adding one to an exponent of ones carries into the sign's place.
    uint64_t carries = 0;
    for (size_t i = 0; i < 5; i++) {
        uint64_t pair;
        memcpy(&pair, at + 8 * i, sizeof pair);
        carries |= (pair & 0x7f8000007f800000u) + 0x0080000000800000u;
    }
    uint64_t rotation[2];
    memcpy(rotation, local->rotation, sizeof rotation);
    return (carries & 0x8000000080000000u) == 0 &&
           ((rotation[0] | rotation[1]) & 0x7fffffff7fffffffu) != 0;
#endif
}

#endif
