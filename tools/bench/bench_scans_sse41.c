// SPDX-License-Identifier: MIT
// bench_scans_sse41.c - the scans of bench_scans.h, 4 boxes a vector.
#include "bench_press.h"

#include <smmintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LANES 4

typedef __m128 lanes;
typedef __m128 choice;

static inline lanes lanes_load(const float *from)
{
    return _mm_loadu_ps(from);
}

static inline lanes lanes_all(float value)
{
    return _mm_set1_ps(value);
}

static inline lanes lanes_add(lanes a, lanes b)
{
    return _mm_add_ps(a, b);
}

static inline lanes lanes_sub(lanes a, lanes b)
{
    return _mm_sub_ps(a, b);
}

static inline lanes lanes_mul(lanes a, lanes b)
{
    return _mm_mul_ps(a, b);
}

static inline lanes lanes_min(lanes a, lanes b)
{
    return _mm_min_ps(a, b);
}

static inline lanes lanes_max(lanes a, lanes b)
{
    return _mm_max_ps(a, b);
}

static inline choice lanes_below(lanes a, lanes b)
{
    return _mm_cmplt_ps(a, b);
}

static inline choice lanes_up_to(lanes a, lanes b)
{
    return _mm_cmple_ps(a, b);
}

static inline choice choice_and(choice a, choice b)
{
    return _mm_and_ps(a, b);
}

static inline choice choice_or(choice a, choice b)
{
    return _mm_or_ps(a, b);
}

static inline uint32_t choice_bits(choice a)
{
    return (uint32_t)_mm_movemask_ps(a);
}

static inline uint32_t lanes_share_bit(const uint32_t *from, uint32_t mask)
{
    const __m128i values = _mm_loadu_si128((const __m128i *)(const void *)from);
    const __m128i shared = _mm_and_si128(values, _mm_set1_epi32((int)mask));
    const __m128i none = _mm_cmpeq_epi32(shared, _mm_setzero_si128());
    return ~(uint32_t)_mm_movemask_ps(_mm_castsi128_ps(none));
}

static inline size_t lanes_press(uint32_t *items, size_t at, uint32_t bits)
{
    const __m128i pressed = _mm_cvtepu8_epi32(_mm_cvtsi32_si128((int)press_four(bits)));
    _mm_storeu_si128((__m128i *)(void *)items, _mm_add_epi32(pressed, _mm_set1_epi32((int)at)));
    return (size_t)__builtin_popcount(bits);
}

#include "bench_scan_lanes.h"

const scan_set scans_sse41 = SCAN_SET;
