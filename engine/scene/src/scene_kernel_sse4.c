// SPDX-License-Identifier: MIT
// scene_kernel_sse4.c - four rows at a time: SSE4.1, and through SIMDe NEON and WebAssembly.
#include "scene_kernel_internal.h"

#include <simde/x86/sse4.1.h>

#define LANES 4

typedef simde__m128 floats;
typedef simde__m128d doubles;
typedef simde__m128 choice;

static inline floats floats_load(const float *const *at, int offset)
{
    return simde_mm_loadu_ps(at[0] + offset);
}

static inline void floats_store(float *const *at, int offset, floats v)
{
    simde_mm_storeu_ps(at[0] + offset, v);
}

static inline void floats_store_two(float *const *at, int offset, floats v)
{
    simde_mm_storel_pi((simde__m64 *)(void *)(at[0] + offset), v);
}

static inline void floats_load_eight(const float *from, int stride, floats *v)
{
    (void)stride; // there is one part
    v[0] = simde_mm_loadu_ps(from);
    v[1] = simde_mm_loadu_ps(from + 4);
}

static inline void floats_store_eight(float *to, int stride, const floats *v)
{
    (void)stride;
    simde_mm_storeu_ps(to, v[0]);
    simde_mm_storeu_ps(to + 4, v[1]);
}

static inline floats floats_all(float value)
{
    return simde_mm_set1_ps(value);
}

static inline floats floats_add(floats a, floats b)
{
    return simde_mm_add_ps(a, b);
}

static inline floats floats_sub(floats a, floats b)
{
    return simde_mm_sub_ps(a, b);
}

static inline floats floats_mul(floats a, floats b)
{
    return simde_mm_mul_ps(a, b);
}

static inline floats floats_unpack_low(floats a, floats b)
{
    return simde_mm_unpacklo_ps(a, b);
}

static inline floats floats_unpack_high(floats a, floats b)
{
    return simde_mm_unpackhi_ps(a, b);
}

#define floats_shuffle(a, b, from) simde_mm_shuffle_ps(a, b, from)

static inline choice floats_have_mark(floats v)
{
    const simde__m128i mark = simde_mm_set1_epi32(-1);
    return simde_mm_castsi128_ps(simde_mm_cmpeq_epi32(simde_mm_castps_si128(v), mark));
}

static inline bool choice_is_all(choice c)
{
    return simde_mm_movemask_ps(c) == 0xf;
}

static inline choice choice_from_bits(uint32_t bits)
{
    const simde__m128i bit = simde_mm_setr_epi32(1, 2, 4, 8);
    const simde__m128i all = simde_mm_set1_epi32((int32_t)bits);
    return simde_mm_castsi128_ps(simde_mm_cmpeq_epi32(simde_mm_and_si128(all, bit), bit));
}

static inline floats floats_choose(choice c, floats yes, floats no)
{
    return simde_mm_blendv_ps(no, yes, c);
}

static inline doubles doubles_from(floats v, int half)
{
    return simde_mm_cvtps_pd(half ? simde_mm_movehl_ps(v, v) : v);
}

static inline doubles doubles_add(doubles a, doubles b)
{
    return simde_mm_add_pd(a, b);
}

static inline doubles doubles_mul(doubles a, doubles b)
{
    return simde_mm_mul_pd(a, b);
}

// a < b ? a : b, and a > b ? a : b. Other processors' minimum differs for zeros and NaN.
static inline doubles doubles_least(doubles a, doubles b)
{
#if defined(__SSE4_1__)
    return simde_mm_min_pd(a, b);
#else
    return simde_mm_blendv_pd(b, a, simde_mm_cmplt_pd(a, b));
#endif
}

static inline doubles doubles_most(doubles a, doubles b)
{
#if defined(__SSE4_1__)
    return simde_mm_max_pd(a, b);
#else
    return simde_mm_blendv_pd(b, a, simde_mm_cmpgt_pd(a, b));
#endif
}

static inline uint32_t doubles_not_finite(doubles v)
{
    const doubles magnitude = simde_mm_andnot_pd(simde_mm_set1_pd(-0.0), v);
    const doubles limit = simde_mm_set1_pd(1.7976931348623157e308);
    return (uint32_t)simde_mm_movemask_pd(simde_mm_cmple_pd(magnitude, limit)) ^ 3u;
}

static inline floats narrow(const doubles *v)
{
    return simde_mm_movelh_ps(simde_mm_cvtpd_ps(v[0]), simde_mm_cvtpd_ps(v[1]));
}

// The bits of the nearest floats, changed by the steps where the nearest float is on the wrong
// side.
static inline floats step_where(floats nearest, doubles wrong0, doubles wrong1, simde__m128i step)
{
    const floats wrong =
        simde_mm_shuffle_ps(simde_mm_castpd_ps(wrong0), simde_mm_castpd_ps(wrong1), 0x88);
    const simde__m128i change = simde_mm_and_si128(step, simde_mm_castps_si128(wrong));
    return simde_mm_castsi128_ps(simde_mm_add_epi32(simde_mm_castps_si128(nearest), change));
}

static inline floats floats_below(const doubles *v)
{
    const floats nearest = narrow(v);
    const simde__m128i ones = simde_mm_set1_epi32(-1), one = simde_mm_set1_epi32(1);
    const simde__m128i sign = simde_mm_srai_epi32(simde_mm_castps_si128(nearest), 31);
    return step_where(nearest, simde_mm_cmpgt_pd(doubles_from(nearest, 0), v[0]),
                      simde_mm_cmpgt_pd(doubles_from(nearest, 1), v[1]),
                      simde_mm_or_si128(simde_mm_xor_si128(sign, ones), one));
}

static inline floats floats_above(const doubles *v)
{
    const floats nearest = narrow(v);
    const simde__m128i one = simde_mm_set1_epi32(1);
    const simde__m128i sign = simde_mm_srai_epi32(simde_mm_castps_si128(nearest), 31);
    return step_where(nearest, simde_mm_cmplt_pd(doubles_from(nearest, 0), v[0]),
                      simde_mm_cmplt_pd(doubles_from(nearest, 1), v[1]),
                      simde_mm_or_si128(sign, one));
}

#include "scene_kernel_lanes.h"

const scene_kernel acre_scene_kernel_sse4 = {compute_rows, compute_word};
