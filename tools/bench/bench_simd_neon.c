// SPDX-License-Identifier: MIT
// bench_simd_neon.c - the yardstick of bench_simd.h, 4 boxes a vector, on 64-bit ARM.
#include "bench_simd.h"

#include <arm_neon.h>

enum { LANES = 4 };

// For each mask of visible lanes, the numbers of the lanes that are set, pressed to the front.
static const uint16_t press_table[16][4] = {
    {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0},
    {1, 2, 0, 0}, {0, 1, 2, 0}, {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0},
    {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3},
};

// One bit a lane.
static inline uint32_t mask_of(uint32x4_t lanes)
{
    static const uint32_t bits[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(lanes, vld1q_u32(bits)));
}

size_t simd_query_neon(const simd_query *query, uint32_t *items)
{
    size_t found = 0;
    for (size_t base = 0; base < query->count; base += LANES * SIMD_VECTORS) {
        uint32x4_t hidden[SIMD_VECTORS];
        for (size_t v = 0; v < SIMD_VECTORS; v++) {
            hidden[v] = vdupq_n_u32(0);
        }
        for (uint32_t i = 0; i < query->plane_count; i++) {
            const simd_plane *const p = &query->planes[i];
            const float32x4_t d = vdupq_n_f32(p->plane[3]);
            for (size_t v = 0; v < SIMD_VECTORS; v++) {
                const size_t at = base + v * LANES;
                const float32x4_t x = vmulq_n_f32(vld1q_f32(p->edges[0] + at), p->plane[0]);
                const float32x4_t y = vmulq_n_f32(vld1q_f32(p->edges[1] + at), p->plane[1]);
                const float32x4_t z = vmulq_n_f32(vld1q_f32(p->edges[2] + at), p->plane[2]);
                const float32x4_t distance = vaddq_f32(vaddq_f32(vaddq_f32(x, y), z), d);
                hidden[v] = vorrq_u32(hidden[v], vcltq_f32(distance, vdupq_n_f32(0.0f)));
            }
        }
        for (size_t v = 0; v < SIMD_VECTORS; v++) {
            const uint32_t visible =
                ~mask_of(hidden[v]) & simd_present(query->count, base + v * LANES, LANES);
            const uint32x4_t lanes = vmovl_u16(vld1_u16(press_table[visible]));
            vst1q_u32(items + found, vaddq_u32(lanes, vdupq_n_u32((uint32_t)(base + v * LANES))));
            found += (size_t)__builtin_popcount(visible);
        }
    }
    return found;
}
