// SPDX-License-Identifier: MIT
// exact_lanes.h - operations on 128 bits that give the same bits on all processors, where SIMDe
// 0.7.4 does not or is slow. Its least and most on NEON differ for zeros and NaN. For WebAssembly
// it loops over memory or takes several instructions, where these take one.
#ifndef ACRE_EXACT_LANES_H
#define ACRE_EXACT_LANES_H

#include <simde/x86/sse4.1.h>

#include <stdint.h>

/// @return bit i: the sign of lane i.
static inline uint32_t signs_of_floats(simde__m128 v)
{
#if defined(__wasm_simd128__)
    return (uint32_t)wasm_i32x4_bitmask(v);
#else
    return (uint32_t)simde_mm_movemask_ps(v);
#endif
}

/// The same for two lanes.
static inline uint32_t signs_of_doubles(simde__m128d v)
{
#if defined(__wasm_simd128__)
    return (uint32_t)wasm_i64x2_bitmask(v);
#else
    return (uint32_t)simde_mm_movemask_pd(v);
#endif
}

/// Byte i of the result is byte order[i]; zero where that is 128 or more. Numbers between 15 and
/// 128 stand for different bytes on different processors.
static inline simde__m128i pick_bytes(simde__m128i from, simde__m128i order)
{
#if defined(__wasm_simd128__)
    return wasm_i8x16_swizzle(from, order);
#else
    return simde_mm_shuffle_epi8(from, order);
#endif
}

// One instruction serves where it treats zeros and NaN as `a < b ? a : b` does. NEON's do not.
#if defined(__SSE2__)
#define EXACT_LEAST(a, b, type, wasm_type) simde_mm_min_##type(a, b)
#define EXACT_MOST(a, b, type, wasm_type) simde_mm_max_##type(a, b)
#elif defined(__wasm_simd128__)
#define EXACT_LEAST(a, b, type, wasm_type) wasm_##wasm_type##_pmin(b, a)
#define EXACT_MOST(a, b, type, wasm_type) wasm_##wasm_type##_pmax(b, a)
#else
#define EXACT_LEAST(a, b, type, wasm_type) simde_mm_blendv_##type(b, a, simde_mm_cmplt_##type(a, b))
#define EXACT_MOST(a, b, type, wasm_type) simde_mm_blendv_##type(b, a, simde_mm_cmplt_##type(b, a))
#endif

/// a < b ? a : b
static inline simde__m128 least_floats(simde__m128 a, simde__m128 b)
{
    return EXACT_LEAST(a, b, ps, f32x4);
}

/// b < a ? a : b
static inline simde__m128 most_floats(simde__m128 a, simde__m128 b)
{
    return EXACT_MOST(a, b, ps, f32x4);
}

static inline simde__m128d least_doubles(simde__m128d a, simde__m128d b)
{
    return EXACT_LEAST(a, b, pd, f64x2);
}

static inline simde__m128d most_doubles(simde__m128d a, simde__m128d b)
{
    return EXACT_MOST(a, b, pd, f64x2);
}

#endif
