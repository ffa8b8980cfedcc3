// SPDX-License-Identifier: MIT
// country_random.h - numbers drawn for the country, the same bits everywhere.
#ifndef COUNTRY_RANDOM_H
#define COUNTRY_RANDOM_H

#include <math.h>
#include <stdint.h>

// splitmix64 (Steele, Lea and Flood 2014).
static inline uint64_t draw_bits(uint64_t *state)
{
    uint64_t bits = *state += 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

// In [0, 1): 24 bits, exact.
static inline float draw_unit(uint64_t *state)
{
    return (float)(draw_bits(state) >> 40) * 0x1p-24f;
}

// A direction on the ground, by rejection: no sine.
static inline void draw_direction(uint64_t *state, float *out)
{
    float square;
    do {
        out[0] = 2.0f * draw_unit(state) - 1.0f;
        out[1] = 2.0f * draw_unit(state) - 1.0f;
        square = out[0] * out[0] + out[1] * out[1];
    } while (square > 1.0f || square < 0x1p-20f);
    const float length = sqrtf(square);
    out[0] /= length;
    out[1] /= length;
}

#endif
