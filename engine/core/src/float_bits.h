// SPDX-License-Identifier: MIT
// float_bits.h - questions about floats that are answered by their bits, so that the answer is the
// same whatever float mode the program has set: rounding, flush-to-zero, denormals-are-zero.
#ifndef ACRE_FLOAT_BITS_H
#define ACRE_FLOAT_BITS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
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

// The largest float that is at most edge + offset; exact for every float and every offset up to
// 2^1000, without a branch. The error of the sum is that of Knuth's two-sum. For an infinite edge
// it is NaN, and the edge stays.
static inline float float_add_down(float edge, double offset, uint32_t *is_rounded)
{
    const double value = (double)edge, sum = value + offset;
    const double offset_used = sum - value;
    const double error = (value - (sum - offset_used)) + (offset - offset_used);
    const float nearest = (float)sum;
    const double excess = (double)nearest - sum; // exact: the float is next to the sum
    const bool is_above = (excess > 0.0) | ((excess == 0.0) & (error < 0.0));
    const bool is_below = (excess < 0.0) | (error > 0.0);
    const uint32_t bits = bits_of_float(nearest);
    const bool is_negative = (bits >> 31) != 0;
    *is_rounded |= (uint32_t)(is_above | is_below);
    // Below +0 stands the smallest negative number.
    const uint32_t below = is_negative ? bits + 1 : bits == 0 ? 0x80000001u : bits - 1;
    return float_of_bits(is_above ? below : bits);
}

// The smallest float that is at least edge + offset.
static inline float float_add_up(float edge, double offset, uint32_t *is_rounded)
{
    return -float_add_down(-edge, -offset, is_rounded);
}

// Moves a box, rounded outward. An empty one stays empty.
static inline void float_shift_box(float *min, float *max, const double *offset,
                                   uint32_t *is_rounded)
{
    const bool is_empty = (min[0] > max[0]) | (min[1] > max[1]) | (min[2] > max[2]);
    for (int axis = 0; !is_empty && axis < 3; axis++) {
        min[axis] = float_add_down(min[axis], offset[axis], is_rounded);
        max[axis] = float_add_up(max[axis], offset[axis], is_rounded);
    }
}

// Whether a world can shift by three numbers: beyond, a sum with the largest floats might be none.
static inline bool can_shift_by(const double *offset)
{
    bool can = offset != NULL;
    for (int axis = 0; offset && axis < 3; axis++) {
        can &= (offset[axis] >= -0x1p+100) & (offset[axis] <= 0x1p+100); // NaN fails
    }
    return can;
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
