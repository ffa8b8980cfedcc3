// SPDX-License-Identifier: MIT
// scene_kernel_avx512.c - sixteen rows at a time.
//
// Names without simde are those that SIMDe lacks; it includes the compiler's own header.
#include "scene_kernel_internal.h"

#include <simde/x86/avx512.h>

#define LANES 16
#define HAS_STREAMS true

typedef simde__m512 floats;
typedef simde__m512d doubles;
typedef simde__mmask16 choice;

#define SIMD(name) simde_mm512_##name

static inline floats floats_load(const float *const *at, int offset)
{
    simde__m512 v = simde_mm512_castps128_ps512(simde_mm_loadu_ps(at[0] + offset));
    v = simde_mm512_insertf32x4(v, simde_mm_loadu_ps(at[4] + offset), 1);
    v = simde_mm512_insertf32x4(v, simde_mm_loadu_ps(at[8] + offset), 2);
    return simde_mm512_insertf32x4(v, simde_mm_loadu_ps(at[12] + offset), 3);
}

static inline void floats_store(float *const *at, int offset, floats v)
{
    simde_mm_storeu_ps(at[0] + offset, simde_mm512_castps512_ps128(v));
    simde_mm_storeu_ps(at[4] + offset, simde_mm512_extractf32x4_ps(v, 1));
    simde_mm_storeu_ps(at[8] + offset, simde_mm512_extractf32x4_ps(v, 2));
    simde_mm_storeu_ps(at[12] + offset, simde_mm512_extractf32x4_ps(v, 3));
}

static inline void floats_store_two(float *const *at, int offset, floats v)
{
    simde_mm_storel_pi((simde__m64 *)(void *)(at[0] + offset), simde_mm512_castps512_ps128(v));
    simde_mm_storel_pi((simde__m64 *)(void *)(at[4] + offset), simde_mm512_extractf32x4_ps(v, 1));
    simde_mm_storel_pi((simde__m64 *)(void *)(at[8] + offset), simde_mm512_extractf32x4_ps(v, 2));
    simde_mm_storel_pi((simde__m64 *)(void *)(at[12] + offset), simde_mm512_extractf32x4_ps(v, 3));
}

static inline void floats_load_eight(const float *from, int stride, floats *v)
{
    const floats low =
        simde_mm512_insertf32x8(simde_mm512_castps256_ps512(simde_mm256_loadu_ps(from)),
                                simde_mm256_loadu_ps(from + stride), 1);
    const floats high = simde_mm512_insertf32x8(
        simde_mm512_castps256_ps512(simde_mm256_loadu_ps(from + 2 * stride)),
        simde_mm256_loadu_ps(from + 3 * stride), 1);
    v[0] = simde_mm512_shuffle_f32x4(low, high, 0x88);
    v[1] = simde_mm512_shuffle_f32x4(low, high, 0xdd);
}

static inline void store_half(float *to, simde__m256 v, bool streams)
{
    if (streams) {
        simde_mm256_stream_ps(to, v);
    } else {
        simde_mm256_storeu_ps(to, v);
    }
}

static inline void floats_store_eight(float *to, int stride, const floats *v, bool streams)
{
    const floats first = simde_mm512_shuffle_f32x4(v[0], v[1], 0x44);
    const floats last = simde_mm512_shuffle_f32x4(v[0], v[1], 0xee);
    const floats low = simde_mm512_shuffle_f32x4(first, first, 0xd8);
    const floats high = simde_mm512_shuffle_f32x4(last, last, 0xd8);
    store_half(to, simde_mm512_castps512_ps256(low), streams);
    store_half(to + stride, _mm512_extractf32x8_ps(low, 1), streams);
    store_half(to + 2 * stride, simde_mm512_castps512_ps256(high), streams);
    store_half(to + 3 * stride, _mm512_extractf32x8_ps(high, 1), streams);
}

static inline bool choice_is_all(choice c)
{
    return c == 0xffff;
}

static inline choice choice_from_bits(uint32_t bits)
{
    return (choice)bits;
}

static inline floats floats_choose(choice c, floats yes, floats no)
{
    return simde_mm512_mask_blend_ps(c, no, yes);
}

static inline doubles doubles_from(floats v, int half)
{
    return half ? _mm512_cvtps_pd(_mm512_extractf32x8_ps(v, 1))
                : _mm512_cvtps_pd(simde_mm512_castps512_ps256(v));
}

static inline uint32_t doubles_not_finite(doubles v)
{
    const doubles limit = simde_mm512_set1_pd(1.7976931348623157e308);
    return simde_mm512_cmp_pd_mask(simde_mm512_abs_pd(v), limit, SIMDE_CMP_NLE_UQ);
}

static inline floats join_halves(simde__m256 low, simde__m256 high)
{
    return simde_mm512_insertf32x8(simde_mm512_castps256_ps512(low), high, 1);
}

// The conversion itself rounds down, or up.
static inline floats floats_below(const doubles *v)
{
    return join_halves(_mm512_cvt_roundpd_ps(v[0], _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC),
                       _mm512_cvt_roundpd_ps(v[1], _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
}

static inline floats floats_above(const doubles *v)
{
    return join_halves(_mm512_cvt_roundpd_ps(v[0], _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC),
                       _mm512_cvt_roundpd_ps(v[1], _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC));
}

#include "scene_kernel_vector_part.h"

#include "scene_kernel_rows_part.h"

const scene_kernel acre_scene_kernel_avx512 = {compute_rows, compute_word};
