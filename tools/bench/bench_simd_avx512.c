// SPDX-License-Identifier: MIT
// bench_simd_avx512.c - the yardstick of bench_simd.h, 16 boxes at a time.
#include "bench_simd.h"

#include <immintrin.h>

size_t simd_query_avx512(const simd_query *query, uint32_t *items)
{
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    size_t found = 0;
    for (size_t base = 0; base < query->count; base += 16) {
        const size_t rest = query->count - base;
        __mmask16 visible = (__mmask16)(rest < 16 ? (1u << rest) - 1u : 0xffffu);
        for (uint32_t i = 0; i < query->plane_count; i++) {
            const simd_plane *const p = &query->planes[i];
            const __m512 x =
                _mm512_mul_ps(_mm512_set1_ps(p->plane[0]), _mm512_loadu_ps(p->edges[0] + base));
            const __m512 y =
                _mm512_mul_ps(_mm512_set1_ps(p->plane[1]), _mm512_loadu_ps(p->edges[1] + base));
            const __m512 z =
                _mm512_mul_ps(_mm512_set1_ps(p->plane[2]), _mm512_loadu_ps(p->edges[2] + base));
            const __m512 distance =
                _mm512_add_ps(_mm512_add_ps(_mm512_add_ps(x, y), z), _mm512_set1_ps(p->plane[3]));
            visible = _mm512_mask_cmp_ps_mask(visible, distance, _mm512_setzero_ps(), _CMP_NLT_UQ);
        }
        const __m512i numbers = _mm512_add_epi32(lanes, _mm512_set1_epi32((int)base));
        _mm512_storeu_si512(items + found, _mm512_maskz_compress_epi32(visible, numbers));
        found += (size_t)__builtin_popcount(visible);
    }
    return found;
}
