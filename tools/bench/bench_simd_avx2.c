// SPDX-License-Identifier: MIT
// bench_simd_avx2.c - the yardstick of bench_simd.h, 8 boxes a vector.
#include "bench_press.h"
#include "bench_simd.h"

#include <immintrin.h>

enum { LANES = 8 };

static uint64_t press_rows[256];

size_t simd_query_avx2(const simd_query *query, uint32_t *items)
{
    if (press_rows[255] == 0) {
        press_fill_eight(press_rows);
    }
    size_t found = 0;
    for (size_t base = 0; base < query->count; base += LANES * SIMD_VECTORS) {
        __m256 hidden[SIMD_VECTORS];
        for (size_t v = 0; v < SIMD_VECTORS; v++) {
            hidden[v] = _mm256_setzero_ps();
        }
        for (uint32_t i = 0; i < query->plane_count; i++) {
            const simd_plane *const p = &query->planes[i];
            const __m256 a = _mm256_set1_ps(p->plane[0]), b = _mm256_set1_ps(p->plane[1]);
            const __m256 c = _mm256_set1_ps(p->plane[2]), d = _mm256_set1_ps(p->plane[3]);
            for (size_t v = 0; v < SIMD_VECTORS; v++) {
                const size_t at = base + v * LANES;
                const __m256 x = _mm256_mul_ps(a, _mm256_loadu_ps(p->edges[0] + at));
                const __m256 y = _mm256_mul_ps(b, _mm256_loadu_ps(p->edges[1] + at));
                const __m256 z = _mm256_mul_ps(c, _mm256_loadu_ps(p->edges[2] + at));
                const __m256 distance = _mm256_add_ps(_mm256_add_ps(_mm256_add_ps(x, y), z), d);
                hidden[v] = _mm256_or_ps(hidden[v],
                                         _mm256_cmp_ps(distance, _mm256_setzero_ps(), _CMP_LT_OQ));
            }
        }
        for (size_t v = 0; v < SIMD_VECTORS; v++) {
            const uint32_t visible = ~(uint32_t)_mm256_movemask_ps(hidden[v]) &
                                     simd_present(query->count, base + v * LANES, LANES);
            const __m256i lanes =
                _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)press_rows[visible]));
            _mm256_storeu_si256(
                (__m256i *)(void *)(items + found),
                _mm256_add_epi32(lanes, _mm256_set1_epi32((int)(base + v * LANES))));
            found += (size_t)__builtin_popcount(visible);
        }
    }
    return found;
}
