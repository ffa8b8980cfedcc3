// SPDX-License-Identifier: MIT
// lanes_eight.h - the operations of lanes_one.h on eight boxes: AVX2, and AVX-512 where eight are
// enough.
#ifndef ACRE_LANES_EIGHT_H
#define ACRE_LANES_EIGHT_H

#include <simde/x86/avx2.h>

#include <stdbool.h>
#include <stdint.h>

#define LANES 8

typedef simde__m256 floats;
typedef simde__m256 choice; // all bits of a lane, or none

// A function of two vectors that is one instruction. Least and most are b where either is NaN.
#define LANES_OPERATION(result, name, instruction)                                                 \
    static inline result name(floats a, floats b)                                                  \
    {                                                                                              \
        return instruction(a, b);                                                                  \
    }
LANES_OPERATION(floats, floats_add, simde_mm256_add_ps)
LANES_OPERATION(floats, floats_sub, simde_mm256_sub_ps)
LANES_OPERATION(floats, floats_mul, simde_mm256_mul_ps)
LANES_OPERATION(floats, floats_div, simde_mm256_div_ps)
LANES_OPERATION(floats, floats_min, simde_mm256_min_ps)
LANES_OPERATION(floats, floats_max, simde_mm256_max_ps)
LANES_OPERATION(choice, choice_and, simde_mm256_and_ps)
LANES_OPERATION(choice, choice_or, simde_mm256_or_ps)
#undef LANES_OPERATION

#define floats_less(a, b) simde_mm256_cmp_ps((a), (b), SIMDE_CMP_LT_OQ)
#define floats_not_above(a, b) simde_mm256_cmp_ps((a), (b), SIMDE_CMP_LE_OQ)

static inline floats floats_load(const float *from)
{
    return simde_mm256_loadu_ps(from);
}

static inline void floats_store(float *to, floats v)
{
    simde_mm256_storeu_ps(to, v);
}

static inline floats floats_all(float value)
{
    return simde_mm256_set1_ps(value);
}

static inline floats floats_choose(choice which, floats yes, floats no)
{
    return simde_mm256_blendv_ps(no, yes, which);
}

static inline choice choice_of(bool all)
{
    return simde_mm256_castsi256_ps(simde_mm256_set1_epi32(-(int32_t)all));
}

// Bit i: lane i.
static inline uint32_t choice_bits(choice which)
{
    return (uint32_t)simde_mm256_movemask_ps(which);
}

#endif
