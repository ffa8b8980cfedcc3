// SPDX-License-Identifier: MIT
// bits_internal.h - words as sets of bits.
#ifndef ACRE_BITS_INTERNAL_H
#define ACRE_BITS_INTERNAL_H

#include "assert_internal.h"

#include <stdint.h>

// The position of the lowest bit that is set. At least one bit must be set.
static inline uint32_t lowest_bit(uint64_t bits)
{
    ACRE_INVARIANT(bits != 0);
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(bits);
#else
    uint32_t position = 0;
    while (!(bits >> position & 1)) {
        position++;
    }
    return position;
#endif
}

#endif
