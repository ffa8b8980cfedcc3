// SPDX-License-Identifier: MIT
// float_bits.h - NaN and finiteness as integer questions about a float's bits.
#ifndef ACRE_FLOAT_BITS_H
#define ACRE_FLOAT_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "Acre needs NaN and infinity: compile its .c files without -ffast-math or -ffinite-math-only"
#endif

static inline uint32_t float_magnitude_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & 0x7fffffffu;
}

static inline bool float_is_nan(float value)
{
    return float_magnitude_bits(value) > 0x7f800000u;
}

static inline bool float_is_finite(float value)
{
    return float_magnitude_bits(value) < 0x7f800000u;
}

static inline bool floats_are_finite(const float *values, int count)
{
    for (int i = 0; i < count; i++) {
        if (!float_is_finite(values[i])) {
            return false;
        }
    }
    return true;
}

#endif
