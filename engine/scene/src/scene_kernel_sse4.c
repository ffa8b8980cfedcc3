// SPDX-License-Identifier: MIT
// scene_kernel_sse4.c - four rows at a time: SSE4.1, and through SIMDe NEON and WebAssembly.
#include "scene_kernel_internal.h"

#include "exact_lanes.h"

#define LANES 4
#define HAS_STREAMS false // not used: NEON and WebAssembly have no such stores

typedef simde__m128 floats;
typedef simde__m128d doubles;
typedef simde__m128 choice;
typedef simde__m128i ints;

#define SIMD(name) simde_mm_##name
#define INTS(name) simde_mm_##name##_si128
#define TO_INTS(v) simde_mm_castps_si128(v)
#define TO_FLOATS(v) simde_mm_castsi128_ps(v)

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

static inline void floats_store_eight(float *to, int stride, const floats *v, bool streams)
{
    (void)stride, (void)streams;
    simde_mm_storeu_ps(to, v[0]);
    simde_mm_storeu_ps(to + 4, v[1]);
}

static inline bool choice_is_all(choice c)
{
    return signs_of_floats(c) == 0xf;
}

static inline choice choice_from_bits(uint32_t bits)
{
    const simde__m128i bit = simde_mm_setr_epi32(1, 2, 4, 8);
    const simde__m128i all = simde_mm_set1_epi32((int32_t)bits);
    return simde_mm_castsi128_ps(simde_mm_cmpeq_epi32(simde_mm_and_si128(all, bit), bit));
}

static inline doubles doubles_from(floats v, int half)
{
    return simde_mm_cvtps_pd(half ? simde_mm_movehl_ps(v, v) : v);
}

static inline doubles doubles_least(doubles a, doubles b)
{
    return least_doubles(a, b);
}

static inline doubles doubles_most(doubles a, doubles b)
{
    return most_doubles(a, b);
}

static inline uint32_t doubles_not_finite(doubles v)
{
    const doubles magnitude = simde_mm_andnot_pd(simde_mm_set1_pd(-0.0), v);
    const doubles limit = simde_mm_set1_pd(1.7976931348623157e308);
    return signs_of_doubles(simde_mm_cmple_pd(magnitude, limit)) ^ 3u;
}

static inline floats narrow(const doubles *v)
{
    return simde_mm_movelh_ps(simde_mm_cvtpd_ps(v[0]), simde_mm_cvtpd_ps(v[1]));
}

static inline doubles doubles_are_less(doubles a, doubles b)
{
    return simde_mm_cmplt_pd(a, b);
}

static inline ints choice_masks(doubles wrong0, doubles wrong1)
{
    return TO_INTS(
        simde_mm_shuffle_ps(simde_mm_castpd_ps(wrong0), simde_mm_castpd_ps(wrong1), 0x88));
}

#include "scene_kernel_vector_part.h"

#include "scene_kernel_rows_part.h"

const scene_kernel acre_scene_kernel_sse4 = {compute_rows, compute_word};
