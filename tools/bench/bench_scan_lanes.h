// SPDX-License-Identifier: MIT
// bench_scan_lanes.h - the operations that bench_scans.c needs of the instruction set that it is
// compiled for.
//
// LANES; the types `lanes` (floats) and `choice` (a truth value each); lanes_up_to (a <= b);
// choice_unless_below (a, and not v < limit); choice_bits, a bit for each lane; lanes_share_bit,
// whether whole numbers in memory share a bit with a mask, as bits; lanes_append, which writes the
// numbers of the lanes that are set, the first being `at`, and returns how many; lanes_pick, which
// writes the numbers in memory that belong to these lanes; lanes_least and lanes_most of a vector.
#ifndef ACRE_TOOLS_BENCH_SCAN_LANES_H
#define ACRE_TOOLS_BENCH_SCAN_LANES_H

#include <stddef.h>
#include <stdint.h>

// For each mask of four lanes, the numbers of the lanes that are set, moved to the front, a byte
// each: what a processor without such an instruction looks up.
static inline uint32_t front_of_four(uint32_t mask)
{
    static const uint32_t rows[16] = {0,      0x00,     0x01,     0x0100,    0x02,   0x0200,
                                      0x0201, 0x020100, 0x03,     0x0300,    0x0301, 0x030100,
                                      0x0302, 0x030200, 0x030201, 0x03020100};
    return rows[mask];
}

#if defined(__aarch64__)

#include <arm_neon.h>

#define SCAN_SET scans_neon
#define WIDE_SET bench_wide_neon
#define LANES 4
typedef float32x4_t lanes;
typedef uint32x4_t choice;
#define lanes_load(from) vld1q_f32(from)
#define lanes_all(value) vdupq_n_f32(value)
#define lanes_add(a, b) vaddq_f32(a, b)
#define lanes_sub(a, b) vsubq_f32(a, b)
#define lanes_mul(a, b) vmulq_f32(a, b)
#define lanes_min(a, b) vminq_f32(a, b)
#define lanes_max(a, b) vmaxq_f32(a, b)
#define lanes_up_to(a, b) vcleq_f32(a, b)
#define choice_and(a, b) vandq_u32(a, b)
#define choice_unless_below(a, v, limit) vbicq_u32(a, vcltq_f32(v, limit))
#define lanes_least(v) vminvq_f32(v)
#define lanes_most(v) vmaxvq_f32(v)

static inline uint32_t choice_bits(choice a)
{
    static const uint32_t lane_bits[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(a, vld1q_u32(lane_bits)));
}

static inline uint32_t lanes_share_bit(const uint32_t *from, uint32_t mask)
{
    return choice_bits(vtstq_u32(vld1q_u32(from), vdupq_n_u32(mask)));
}

static inline size_t lanes_append(uint32_t *items, size_t at, uint32_t bits)
{
    const uint8x8_t row = vcreate_u8(front_of_four(bits));
    const uint32x4_t front = vmovl_u16(vget_low_u16(vmovl_u8(row)));
    vst1q_u32(items, vaddq_u32(front, vdupq_n_u32((uint32_t)at)));
    return (size_t)__builtin_popcount(bits);
}

#else

#include <immintrin.h>

// The least and the most of four floats.
static inline float four_min(__m128 v)
{
    const __m128 two = _mm_min_ps(v, _mm_movehl_ps(v, v));
    return _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps(two, two, 1)));
}

static inline float four_max(__m128 v)
{
    const __m128 two = _mm_max_ps(v, _mm_movehl_ps(v, v));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
}

// X86(add) is the instruction for floats of this width.
#define lanes_load(from) X86(loadu)(from)
#define lanes_all(value) X86(set1)(value)
#define lanes_add(a, b) X86(add)(a, b)
#define lanes_sub(a, b) X86(sub)(a, b)
#define lanes_mul(a, b) X86(mul)(a, b)
#define lanes_min(a, b) X86(min)(a, b)
#define lanes_max(a, b) X86(max)(a, b)

#if defined(__AVX512F__)

#define SCAN_SET scans_avx512
#define WIDE_SET bench_wide_avx512
#define LANES 16
#define X86(name) _mm512_##name##_ps
typedef __m512 lanes;
typedef __mmask16 choice;
#define lanes_up_to(a, b) _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ)
#define choice_and(a, b) ((choice)((a) & (b)))
#define choice_unless_below(a, v, limit) _mm512_mask_cmp_ps_mask(a, v, limit, _CMP_NLT_UQ)
#define choice_bits(a) ((uint32_t)(a))
#define lanes_least(v) _mm512_reduce_min_ps(v)
#define lanes_most(v) _mm512_reduce_max_ps(v)

static inline uint32_t lanes_share_bit(const uint32_t *from, uint32_t mask)
{
    return _mm512_test_epi32_mask(_mm512_loadu_si512(from), _mm512_set1_epi32((int)mask));
}

static inline size_t lanes_append(uint32_t *items, size_t at, uint32_t bits)
{
    const __m512i numbers = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i shifted = _mm512_add_epi32(numbers, _mm512_set1_epi32((int)at));
    _mm512_storeu_si512(items, _mm512_maskz_compress_epi32((__mmask16)bits, shifted));
    return (size_t)__builtin_popcount(bits);
}

static inline size_t lanes_pick(uint32_t *items, const uint32_t *from, uint32_t bits)
{
    const __m512i numbers = _mm512_loadu_si512(from);
    _mm512_storeu_si512(items, _mm512_maskz_compress_epi32((__mmask16)bits, numbers));
    return (size_t)__builtin_popcount(bits);
}

#elif defined(__AVX2__)

#define SCAN_SET scans_avx2
#define WIDE_SET bench_wide_avx2
#define LANES 8
#define X86(name) _mm256_##name##_ps
typedef __m256 lanes;
typedef __m256 choice;
#define lanes_up_to(a, b) _mm256_cmp_ps(a, b, _CMP_LE_OQ)
#define choice_and(a, b) X86 (and)(a, b)
#define choice_unless_below(a, v, limit) X86(andnot)(_mm256_cmp_ps(v, limit, _CMP_LT_OQ), a)
#define choice_bits(a) ((uint32_t)X86(movemask)(a))

static inline uint32_t lanes_share_bit(const uint32_t *from, uint32_t mask)
{
    const __m256i values = _mm256_loadu_si256((const __m256i *)(const void *)from);
    const __m256i shared = _mm256_and_si256(values, _mm256_set1_epi32((int)mask));
    const __m256i none = _mm256_cmpeq_epi32(shared, _mm256_setzero_si256());
    return ~(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(none)) & 255;
}

// As front_of_four, of eight lanes; filled before the first scan.
static uint64_t front_of_eight[256];

static inline size_t lanes_append(uint32_t *items, size_t at, uint32_t bits)
{
    const __m256i front = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)front_of_eight[bits]));
    _mm256_storeu_si256((__m256i *)(void *)items,
                        _mm256_add_epi32(front, _mm256_set1_epi32((int)at)));
    return (size_t)__builtin_popcount(bits);
}

static inline size_t lanes_pick(uint32_t *items, const uint32_t *from, uint32_t bits)
{
    const __m256i front = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)front_of_eight[bits]));
    const __m256i numbers = _mm256_loadu_si256((const __m256i *)(const void *)from);
    _mm256_storeu_si256((__m256i *)(void *)items, _mm256_permutevar8x32_epi32(numbers, front));
    return (size_t)__builtin_popcount(bits);
}

// The least or the most of the eight, by the same operation on four.
#define lanes_fold(name, v)                                                                        \
    four_##name(_mm_##name##_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1)))
#define lanes_least(v) lanes_fold(min, v)
#define lanes_most(v) lanes_fold(max, v)

__attribute__((constructor)) static void fill_front_of_eight(void)
{
    for (uint32_t mask = 0; mask < 256; mask++) {
        for (uint32_t lane = 0, at = 0; lane < 8; lane++) {
            if (mask >> lane & 1u) {
                front_of_eight[mask] |= (uint64_t)lane << (8 * at++);
            }
        }
    }
}

#else

#define SCAN_SET scans_sse41
#define WIDE_SET bench_wide_sse41
#define LANES 4
#define X86(name) _mm_##name##_ps
#define lanes_least(v) four_min(v)
#define lanes_most(v) four_max(v)
typedef __m128 lanes;
typedef __m128 choice;
#define lanes_up_to(a, b) X86(cmple)(a, b)
#define choice_and(a, b) X86 (and)(a, b)
#define choice_unless_below(a, v, limit) X86(andnot)(X86(cmplt)(v, limit), a)
#define choice_bits(a) ((uint32_t)X86(movemask)(a))

static inline uint32_t lanes_share_bit(const uint32_t *from, uint32_t mask)
{
    const __m128i values = _mm_loadu_si128((const __m128i *)(const void *)from);
    const __m128i shared = _mm_and_si128(values, _mm_set1_epi32((int)mask));
    const __m128i none = _mm_cmpeq_epi32(shared, _mm_setzero_si128());
    return ~(uint32_t)_mm_movemask_ps(_mm_castsi128_ps(none));
}

static inline size_t lanes_append(uint32_t *items, size_t at, uint32_t bits)
{
    const __m128i front = _mm_cvtepu8_epi32(_mm_cvtsi32_si128((int)front_of_four(bits)));
    _mm_storeu_si128((__m128i *)(void *)items, _mm_add_epi32(front, _mm_set1_epi32((int)at)));
    return (size_t)__builtin_popcount(bits);
}

#endif
#endif

#if LANES == 4
static inline size_t lanes_pick(uint32_t *items, const uint32_t *from, uint32_t bits)
{
    size_t count = 0;
    for (uint32_t lane = 0; lane < 4; lane++) {
        items[count] = from[lane];
        count += bits >> lane & 1u;
    }
    return count;
}
#endif
#endif
