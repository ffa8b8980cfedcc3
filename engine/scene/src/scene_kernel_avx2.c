// SPDX-License-Identifier: MIT
// scene_kernel_avx2.c - eight rows at a time.
#include "scene_kernel_internal.h"

#include <simde/x86/avx2.h>

#define LANES 8
#define HAS_STREAMS true

typedef simde__m256 floats;
typedef simde__m256d doubles;
typedef simde__m256 choice;
typedef simde__m256i ints;

#define SIMD(name) simde_mm256_##name
#define INTS(name) simde_mm256_##name##_si256
#define TO_INTS(v) simde_mm256_castps_si256(v)
#define TO_FLOATS(v) simde_mm256_castsi256_ps(v)

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

static inline void floats_store_eight(float *to, int stride, const floats *v, bool streams)
{
    const floats low = simde_mm256_permute2f128_ps(v[0], v[1], 0x20);
    const floats high = simde_mm256_permute2f128_ps(v[0], v[1], 0x31);
    if (streams) {
        simde_mm256_stream_ps(to, low);
        simde_mm256_stream_ps(to + stride, high);
    } else {
        simde_mm256_storeu_ps(to, low);
        simde_mm256_storeu_ps(to + stride, high);
    }
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

static inline doubles doubles_from(floats v, int half)
{
    return half ? simde_mm256_cvtps_pd(simde_mm256_extractf128_ps(v, 1))
                : simde_mm256_cvtps_pd(simde_mm256_castps256_ps128(v));
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

static inline doubles doubles_are_less(doubles a, doubles b)
{
    return simde_mm256_cmp_pd(a, b, SIMDE_CMP_LT_OQ);
}

static inline ints choice_masks(doubles wrong0, doubles wrong1)
{
    const floats mixed =
        simde_mm256_shuffle_ps(simde_mm256_castpd_ps(wrong0), simde_mm256_castpd_ps(wrong1), 0x88);
    return simde_mm256_permute4x64_epi64(TO_INTS(mixed), 0xd8);
}

#include "scene_kernel_vector_part.h"

#include "scene_kernel_rows_part.h"

const scene_kernel acre_scene_kernel_avx2 = {compute_rows, compute_word};
