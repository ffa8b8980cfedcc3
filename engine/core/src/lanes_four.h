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

static inline floats floats_add(floats a, floats b)
{
    return simde_mm_add_ps(a, b);
}

static inline floats floats_sub(floats a, floats b)
{
    return simde_mm_sub_ps(a, b);
}

static inline floats floats_mul(floats a, floats b)
{
    return simde_mm_mul_ps(a, b);
}

static inline floats floats_div(floats a, floats b)
{
    return simde_mm_div_ps(a, b);
}

static inline choice floats_less(floats a, floats b)
{
    return simde_mm_cmplt_ps(a, b);
}

static inline choice floats_not_above(floats a, floats b)
{
    return simde_mm_cmple_ps(a, b);
}

static inline floats floats_choose(choice which, floats yes, floats no)
{
    return simde_mm_blendv_ps(no, yes, which);
}

// b where either is NaN: instructions of other processors than x86 answer otherwise.
static inline floats floats_min(floats a, floats b)
{
    return least_floats(a, b);
}

static inline floats floats_max(floats a, floats b)
{
    return most_floats(a, b);
}

static inline floats floats_sqrt(floats v)
{
    return simde_mm_sqrt_ps(v);
}

static inline choice choice_and(choice a, choice b)
{
    return simde_mm_and_ps(a, b);
}

static inline choice choice_or(choice a, choice b)
{
    return simde_mm_or_ps(a, b);
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
