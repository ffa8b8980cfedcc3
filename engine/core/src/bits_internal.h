// SPDX-License-Identifier: MIT
// bits_internal.h - words as sets of bits; bits spread apart and mixed.
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

// Moves 16 bits apart, to every second place: two such words make a place on Morton's curve.
static inline uint32_t spread_bits(uint32_t bits)
{
    ACRE_INVARIANT(bits < 0x10000u);
    bits = (bits | bits << 8) & 0x00ff00ffu;
    bits = (bits | bits << 4) & 0x0f0f0f0fu;
    bits = (bits | bits << 2) & 0x33333333u;
    return (bits | bits << 1) & 0x55555555u;
}

#define MIX_STEP UINT64_C(0x9e3779b97f4a7c15) // between the numbers that splitmix64 mixes

// The finalizer of splitmix64 (Steele, Lea and Flood 2014): every bit depends on all bits.
static inline uint64_t mix_bits(uint64_t bits)
{
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

#endif
