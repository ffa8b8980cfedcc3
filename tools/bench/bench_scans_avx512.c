// SPDX-License-Identifier: MIT
// bench_scans_avx512.c - the scans of bench_scans.h, 16 boxes a vector.
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LANES 16

typedef __m512 lanes;
typedef __mmask16 choice;

static inline lanes lanes_load(const float *from)
{
    return _mm512_loadu_ps(from);
}

static inline lanes lanes_all(float value)
{
    return _mm512_set1_ps(value);
}

static inline lanes lanes_add(lanes a, lanes b)
{
    return _mm512_add_ps(a, b);
}

static inline lanes lanes_sub(lanes a, lanes b)
{
    return _mm512_sub_ps(a, b);
}

static inline lanes lanes_mul(lanes a, lanes b)
{
    return _mm512_mul_ps(a, b);
}

static inline lanes lanes_min(lanes a, lanes b)
{
    return _mm512_min_ps(a, b);
}

static inline lanes lanes_max(lanes a, lanes b)
{
    return _mm512_max_ps(a, b);
}

static inline choice lanes_below(lanes a, lanes b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}

static inline choice lanes_up_to(lanes a, lanes b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

static inline choice choice_and(choice a, choice b)
{
    return (choice)(a & b);
}

static inline choice choice_or(choice a, choice b)
{
    return (choice)(a | b);
}

static inline uint32_t choice_bits(choice a)
{
    return (uint32_t)a;
}

static inline uint32_t lanes_share_bit(const uint32_t *from, uint32_t mask)
{
    return _mm512_test_epi32_mask(_mm512_loadu_si512(from), _mm512_set1_epi32((int)mask));
}

static inline size_t lanes_press(uint32_t *items, size_t at, uint32_t bits)
{
    const __m512i numbers = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i pressed = _mm512_maskz_compress_epi32((__mmask16)bits, numbers);
    _mm512_storeu_si512(items, _mm512_add_epi32(pressed, _mm512_set1_epi32((int)at)));
    return (size_t)__builtin_popcount(bits);
}

#include "bench_scan_lanes.h"

const scan_set scans_avx512 = SCAN_SET;
