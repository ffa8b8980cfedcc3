// SPDX-License-Identifier: MIT
// bench_simd_sse41.c - the yardstick of bench_simd.h, 4 boxes a vector.
#include "bench_press.h"
#include "bench_simd.h"

#include <smmintrin.h>

enum { LANES = 4 };

size_t simd_query_sse41(const simd_query *query, uint32_t *items)
{
    size_t found = 0;
    for (size_t base = 0; base < query->count; base += LANES * SIMD_VECTORS) {
        __m128 hidden[SIMD_VECTORS];
        for (size_t v = 0; v < SIMD_VECTORS; v++) {
            hidden[v] = _mm_setzero_ps();
        }
        for (uint32_t i = 0; i < query->plane_count; i++) {
            const simd_plane *const p = &query->planes[i];
            const __m128 a = _mm_set1_ps(p->plane[0]), b = _mm_set1_ps(p->plane[1]);
            const __m128 c = _mm_set1_ps(p->plane[2]), d = _mm_set1_ps(p->plane[3]);
            for (size_t v = 0; v < SIMD_VECTORS; v++) {
                const size_t at = base + v * LANES;
                const __m128 x = _mm_mul_ps(a, _mm_loadu_ps(p->edges[0] + at));
                const __m128 y = _mm_mul_ps(b, _mm_loadu_ps(p->edges[1] + at));
                const __m128 z = _mm_mul_ps(c, _mm_loadu_ps(p->edges[2] + at));
                const __m128 distance = _mm_add_ps(_mm_add_ps(_mm_add_ps(x, y), z), d);
                hidden[v] = _mm_or_ps(hidden[v], _mm_cmplt_ps(distance, _mm_setzero_ps()));
            }
        }
        for (size_t v = 0; v < SIMD_VECTORS; v++) {
            const uint32_t visible = ~(uint32_t)_mm_movemask_ps(hidden[v]) &
                                     simd_present(query->count, base + v * LANES, LANES);
            const __m128i lanes = _mm_cvtepu8_epi32(_mm_cvtsi32_si128((int)press_four(visible)));
            _mm_storeu_si128((__m128i *)(void *)(items + found),
                             _mm_add_epi32(lanes, _mm_set1_epi32((int)(base + v * LANES))));
            found += (size_t)__builtin_popcount(visible);
        }
    }
    return found;
}
