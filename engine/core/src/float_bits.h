// SPDX-License-Identifier: MIT
// float_bits.h - questions about floats that are answered by their bits, so that the answer is the
// same whatever float mode the program has set: rounding, flush-to-zero, denormals-are-zero.
#ifndef ACRE_FLOAT_BITS_H
#define ACRE_FLOAT_BITS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "Acre needs NaN and infinity: compile its .c files without -ffast-math or -ffinite-math-only"
#endif

static inline uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t float_magnitude_bits(float value)
{
    return bits_of_float(value) & 0x7fffffffu;
}

static inline bool float_is_nan(float value)
{
    return float_magnitude_bits(value) > 0x7f800000u;
}

static inline bool float_is_finite(float value)
{
    return float_magnitude_bits(value) < 0x7f800000u;
}

// Orders floats as < does, with -0 equal to +0 and denormals in their places. NaN has no place: ask
// float_is_nan first.
static inline int32_t float_order(float value)
{
    const uint32_t bits = bits_of_float(value);
    const int32_t magnitude = (int32_t)(bits & 0x7fffffffu);
    return bits >> 31 ? -magnitude : magnitude;
}

// The edge that containers store: +0 for -0 and for every value smaller than FLT_MIN. A program
// that has denormals flushed then stores the same boxes as one that has not.
static inline float float_flush_denormal(float value)
{
    return float_magnitude_bits(value) < 0x00800000u ? 0.0f : value;
}

// The largest float that is at most the value; exact, without a branch.
static inline float float_round_down(double value)
{
    const float nearest = (float)value;
    int32_t bits;
    memcpy(&bits, &nearest, sizeof bits);
    // One unit towards minus infinity: the magnitude of a negative number grows.
    bits += (double)nearest > value ? (bits < 0 ? 1 : -1) : 0;
    float result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

// The smallest float that is at least the value.
static inline float float_round_up(double value)
{
    return -float_round_down(-value);
}

static inline void floats_flush_denormals(float *values, int count)
{
    for (int i = 0; i < count; i++) {
        values[i] = float_flush_denormal(values[i]);
    }
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
