// SPDX-License-Identifier: MIT
// random_numbers.h - numbers drawn by the programs: splitmix64, the same everywhere.
#ifndef ACRE_TOOLS_RANDOM_NUMBERS_H
#define ACRE_TOOLS_RANDOM_NUMBERS_H

#include <stdint.h>

#define RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15) // between the numbers that are mixed

// The finalizer of splitmix64 (Steele, Lea and Flood 2014): every bit depends on all bits.
static inline uint64_t random_mix(uint64_t bits)
{
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

static inline uint64_t random_next(uint64_t *state)
{
    return random_mix(*state += RANDOM_STEP);
}

// In [0, 1): 24 bits, exact.
static inline float random_next_unit(uint64_t *state)
{
    return (float)(random_next(state) >> 40) * 0x1p-24f;
}

#endif
