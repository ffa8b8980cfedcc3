// SPDX-License-Identifier: MIT
// bits_internal.h - words as sets of bits.
#ifndef ACRE_BITS_INTERNAL_H
#define ACRE_BITS_INTERNAL_H

#include "assert_internal.h"
#include "compiler_internal.h"

#include <stdint.h>

// The position of the lowest bit that is set. At least one bit must be set.
static inline uint32_t lowest_bit(uint64_t bits)
{
    ACRE_INVARIANT(bits != 0);
    return compiler_lowest_bit(bits);
}

// The number of bits that are set. Compilers call a function where the processor may lack the
// instruction.
static inline uint32_t count_bits(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

#endif
