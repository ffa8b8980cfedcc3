// SPDX-License-Identifier: MIT
// scene_kernel_avx2.c - eight rows at a time.
#include "scene_kernel_internal.h"

#include <simde/x86/avx2.h>

#define LANES 8

typedef simde__m256 floats;
typedef simde__m256d doubles;
typedef simde__m256 choice;

static inline floats floats_load(const float *const *at, int offset)
{
    const simde__m128 low = simde_mm_loadu_ps(at[0] + offset);
    return simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(low),
                                     simde_mm_loadu_ps(at[4] + offset), 1);
}

static inline void floats_store(float *const *at, int offset, floats v)
{
    simde_mm_storeu_ps(at[0] + offset, simde_mm256_castps256_ps128(v));
    simde_mm_storeu_ps(at[4] + offset, simde_mm256_extractf128_ps(v, 1));
}

static inline void floats_store_two(float *const *at, int offset, floats v)
{
    const simde__m128 high = simde_mm256_extractf128_ps(v, 1);
    simde_mm_storel_pi((simde__m64 *)(void *)(at[0] + offset), simde_mm256_castps256_ps128(v));
    simde_mm_storel_pi((simde__m64 *)(void *)(at[4] + offset), high);
}

static inline void floats_load_eight(const float *from, int stride, floats *v)
{
    const floats low = simde_mm256_loadu_ps(from), high = simde_mm256_loadu_ps(from + stride);
    v[0] = simde_mm256_permute2f128_ps(low, high, 0x20);
    v[1] = simde_mm256_permute2f128_ps(low, high, 0x31);
}

static inline void floats_store_eight(float *to, int stride, const floats *v)
{
    simde_mm256_storeu_ps(to, simde_mm256_permute2f128_ps(v[0], v[1], 0x20));
    simde_mm256_storeu_ps(to + stride, simde_mm256_permute2f128_ps(v[0], v[1], 0x31));
}

static inline floats floats_all(float value)
{
    return simde_mm256_set1_ps(value);
}

static inline floats floats_add(floats a, floats b)
{
    return simde_mm256_add_ps(a, b);
}

static inline floats floats_sub(floats a, floats b)
{
    return simde_mm256_sub_ps(a, b);
}

static inline floats floats_mul(floats a, floats b)
{
    return simde_mm256_mul_ps(a, b);
}

static inline floats floats_unpack_low(floats a, floats b)
{
    return simde_mm256_unpacklo_ps(a, b);
}

static inline floats floats_unpack_high(floats a, floats b)
{
    return simde_mm256_unpackhi_ps(a, b);
}

#define floats_shuffle(a, b, from) simde_mm256_shuffle_ps(a, b, from)

static inline choice floats_have_mark(floats v)
{
    const simde__m256i mark = simde_mm256_set1_epi32(-1);
    return simde_mm256_castsi256_ps(simde_mm256_cmpeq_epi32(simde_mm256_castps_si256(v), mark));
}

static inline bool choice_is_all(choice c)
{
    return simde_mm256_movemask_ps(c) == 0xff;
}

static inline choice choice_from_bits(uint32_t bits)
{
    const simde__m256i bit = simde_mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const simde__m256i all = simde_mm256_set1_epi32((int32_t)bits);
    return simde_mm256_castsi256_ps(simde_mm256_cmpeq_epi32(simde_mm256_and_si256(all, bit), bit));
}

static inline floats floats_choose(choice c, floats yes, floats no)
{
    return simde_mm256_blendv_ps(no, yes, c);
}

static inline doubles doubles_from(floats v, int half)
{
    return half ? simde_mm256_cvtps_pd(simde_mm256_extractf128_ps(v, 1))
                : simde_mm256_cvtps_pd(simde_mm256_castps256_ps128(v));
}

static inline doubles doubles_add(doubles a, doubles b)
{
    return simde_mm256_add_pd(a, b);
}

static inline doubles doubles_mul(doubles a, doubles b)
{
    return simde_mm256_mul_pd(a, b);
}

// a < b ? a : b, and a > b ? a : b.
static inline doubles doubles_least(doubles a, doubles b)
{
    return simde_mm256_min_pd(a, b);
}

static inline doubles doubles_most(doubles a, doubles b)
{
    return simde_mm256_max_pd(a, b);
}

static inline uint32_t doubles_not_finite(doubles v)
{
    const doubles magnitude = simde_mm256_andnot_pd(simde_mm256_set1_pd(-0.0), v);
    const doubles limit = simde_mm256_set1_pd(1.7976931348623157e308);
    return (uint32_t)simde_mm256_movemask_pd(
        simde_mm256_cmp_pd(magnitude, limit, SIMDE_CMP_NLE_UQ));
}

static inline floats narrow(const doubles *v)
{
    return simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(simde_mm256_cvtpd_ps(v[0])),
                                     simde_mm256_cvtpd_ps(v[1]), 1);
}

// The bits of the nearest floats, changed by the steps where the nearest float is on the wrong
// side.
static inline floats step_where(floats nearest, doubles wrong0, doubles wrong1, simde__m256i step)
{
    const floats mixed =
        simde_mm256_shuffle_ps(simde_mm256_castpd_ps(wrong0), simde_mm256_castpd_ps(wrong1), 0x88);
    const simde__m256i wrong = simde_mm256_permute4x64_epi64(simde_mm256_castps_si256(mixed), 0xd8);
    const simde__m256i bits = simde_mm256_castps_si256(nearest);
    return simde_mm256_castsi256_ps(
        simde_mm256_add_epi32(bits, simde_mm256_and_si256(step, wrong)));
}

static inline floats floats_below(const doubles *v)
{
    const floats nearest = narrow(v);
    const simde__m256i ones = simde_mm256_set1_epi32(-1), one = simde_mm256_set1_epi32(1);
    const simde__m256i sign = simde_mm256_srai_epi32(simde_mm256_castps_si256(nearest), 31);
    return step_where(nearest, simde_mm256_cmp_pd(doubles_from(nearest, 0), v[0], SIMDE_CMP_GT_OQ),
                      simde_mm256_cmp_pd(doubles_from(nearest, 1), v[1], SIMDE_CMP_GT_OQ),
                      simde_mm256_or_si256(simde_mm256_xor_si256(sign, ones), one));
}

static inline floats floats_above(const doubles *v)
{
    const floats nearest = narrow(v);
    const simde__m256i one = simde_mm256_set1_epi32(1);
    const simde__m256i sign = simde_mm256_srai_epi32(simde_mm256_castps_si256(nearest), 31);
    return step_where(nearest, simde_mm256_cmp_pd(doubles_from(nearest, 0), v[0], SIMDE_CMP_LT_OQ),
                      simde_mm256_cmp_pd(doubles_from(nearest, 1), v[1], SIMDE_CMP_LT_OQ),
                      simde_mm256_or_si256(sign, one));
}

#include "scene_kernel_lanes.h"

const scene_kernel acre_scene_kernel_avx2 = {compute_rows, compute_word};
