// SPDX-License-Identifier: MIT
// bench_simd_avx512.c - the yardstick of bench_simd.h, 16 boxes a vector.
#include "bench_simd.h"

#include <immintrin.h>

enum { LANES = 16 };

size_t simd_query_avx512(const simd_query *query, uint32_t *items)
{
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    size_t found = 0;
    for (size_t base = 0; base < query->count; base += LANES * SIMD_VECTORS) {
        __mmask16 visible[SIMD_VECTORS];
        for (size_t v = 0; v < SIMD_VECTORS; v++) {
            visible[v] = (__mmask16)simd_present(query->count, base + v * LANES, LANES);
        }
        for (uint32_t i = 0; i < query->plane_count; i++) {
            const simd_plane *const p = &query->planes[i];
            const __m512 a = _mm512_set1_ps(p->plane[0]), b = _mm512_set1_ps(p->plane[1]);
            const __m512 c = _mm512_set1_ps(p->plane[2]), d = _mm512_set1_ps(p->plane[3]);
            for (size_t v = 0; v < SIMD_VECTORS; v++) {
                const size_t at = base + v * LANES;
                const __m512 x = _mm512_mul_ps(a, _mm512_loadu_ps(p->edges[0] + at));
                const __m512 y = _mm512_mul_ps(b, _mm512_loadu_ps(p->edges[1] + at));
                const __m512 z = _mm512_mul_ps(c, _mm512_loadu_ps(p->edges[2] + at));
                const __m512 distance = _mm512_add_ps(_mm512_add_ps(_mm512_add_ps(x, y), z), d);
                visible[v] =
                    _mm512_mask_cmp_ps_mask(visible[v], distance, _mm512_setzero_ps(), _CMP_NLT_UQ);
            }
        }
        for (size_t v = 0; v < SIMD_VECTORS; v++) {
            const __m512i numbers =
                _mm512_add_epi32(lanes, _mm512_set1_epi32((int)(base + v * LANES)));
            _mm512_storeu_si512(items + found, _mm512_maskz_compress_epi32(visible[v], numbers));
            found += (size_t)__builtin_popcount(visible[v]);
        }
    }
    return found;
}
