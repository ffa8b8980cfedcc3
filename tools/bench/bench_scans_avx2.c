// SPDX-License-Identifier: MIT
// bench_scans_avx2.c - the scans of bench_scans.h, 8 boxes a vector.
#include "bench_press.h"

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LANES 8

typedef __m256 lanes;
typedef __m256 choice;

static inline lanes lanes_load(const float *from)
{
    return _mm256_loadu_ps(from);
}

static inline lanes lanes_all(float value)
{
    return _mm256_set1_ps(value);
}

static inline lanes lanes_add(lanes a, lanes b)
{
    return _mm256_add_ps(a, b);
}

static inline lanes lanes_sub(lanes a, lanes b)
{
    return _mm256_sub_ps(a, b);
}

static inline lanes lanes_mul(lanes a, lanes b)
{
    return _mm256_mul_ps(a, b);
}

static inline lanes lanes_min(lanes a, lanes b)
{
    return _mm256_min_ps(a, b);
}

static inline lanes lanes_max(lanes a, lanes b)
{
    return _mm256_max_ps(a, b);
}

static inline choice lanes_below(lanes a, lanes b)
{
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}

static inline choice lanes_up_to(lanes a, lanes b)
{
    return _mm256_cmp_ps(a, b, _CMP_LE_OQ);
}

static inline choice choice_and(choice a, choice b)
{
    return _mm256_and_ps(a, b);
}

static inline choice choice_or(choice a, choice b)
{
    return _mm256_or_ps(a, b);
}

static inline uint32_t choice_bits(choice a)
{
    return (uint32_t)_mm256_movemask_ps(a);
}

static inline uint32_t lanes_share_bit(const uint32_t *from, uint32_t mask)
{
    const __m256i values = _mm256_loadu_si256((const __m256i *)(const void *)from);
    const __m256i shared = _mm256_and_si256(values, _mm256_set1_epi32((int)mask));
    const __m256i none = _mm256_cmpeq_epi32(shared, _mm256_setzero_si256());
    return ~(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(none));
}

static uint64_t press_rows[256];

static inline size_t lanes_press(uint32_t *items, size_t at, uint32_t bits)
{
    if (press_rows[255] == 0) {
        press_fill_eight(press_rows);
    }
    const __m256i pressed = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)press_rows[bits]));
    _mm256_storeu_si256((__m256i *)(void *)items,
                        _mm256_add_epi32(pressed, _mm256_set1_epi32((int)at)));
    return (size_t)__builtin_popcount(bits);
}

#include "bench_scan_lanes.h"

const scan_set scans_avx2 = SCAN_SET;
