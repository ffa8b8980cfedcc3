// SPDX-License-Identifier: MIT
// lanes_four.h - the operations of shape_lanes.h on four boxes: SSE4.1, and through SIMDe NEON and
// WebAssembly.
#ifndef ACRE_LANES_FOUR_H
#define ACRE_LANES_FOUR_H

#include "exact_lanes.h"

#include <stdbool.h>
#include <stdint.h>

#define LANES 4

typedef simde__m128 floats;
typedef simde__m128 choice; // all bits of a lane, or none

// A function of two vectors that is one instruction.
#define LANES_OPERATION(result, name, instruction)                                                 \
    static inline result name(floats a, floats b)                                                  \
    {                                                                                              \
        return instruction(a, b);                                                                  \
    }
LANES_OPERATION(floats, floats_add, simde_mm_add_ps)
LANES_OPERATION(floats, floats_sub, simde_mm_sub_ps)
LANES_OPERATION(floats, floats_mul, simde_mm_mul_ps)
LANES_OPERATION(floats, floats_div, simde_mm_div_ps)
LANES_OPERATION(choice, floats_less, simde_mm_cmplt_ps)
LANES_OPERATION(choice, floats_not_above, simde_mm_cmple_ps)
LANES_OPERATION(choice, choice_and, simde_mm_and_ps)
LANES_OPERATION(choice, choice_or, simde_mm_or_ps)
// b where either is NaN: instructions of other processors than x86 answer otherwise.
LANES_OPERATION(floats, floats_min, least_floats)
LANES_OPERATION(floats, floats_max, most_floats)
#undef LANES_OPERATION

static inline floats floats_load(const float *from)
{
    return simde_mm_loadu_ps(from);
}

static inline void floats_store(float *to, floats v)
{
    simde_mm_storeu_ps(to, v);
}

static inline floats floats_all(float value)
{
    return simde_mm_set1_ps(value);
}

static inline floats floats_sqrt(floats v)
{
    return simde_mm_sqrt_ps(v);
}

static inline floats floats_choose(choice which, floats yes, floats no)
{
    return simde_mm_blendv_ps(no, yes, which);
}

static inline choice choice_of(bool all)
{
    return simde_mm_castsi128_ps(simde_mm_set1_epi32(-(int32_t)all));
}

static inline choice choice_not(choice which)
{
    return simde_mm_xor_ps(which, choice_of(true));
}

// Bit i: lane i.
static inline uint32_t choice_bits(choice which)
{
    return signs_of_floats(which);
}

#endif
