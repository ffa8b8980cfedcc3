// SPDX-License-Identifier: MIT
// bench_simd_avx2.c - the yardstick of bench_simd.h, 8 boxes at a time.
#include "bench_simd.h"

#include <immintrin.h>

// For each mask of visible lanes, the numbers of the lanes that are set, pressed to the front:
// eight numbers of a byte each.
static uint64_t press_table[256];

static void fill_press_table(void)
{
    for (uint32_t mask = 0; mask < 256; mask++) {
        uint64_t row = 0;
        uint32_t at = 0;
        for (uint32_t lane = 0; lane < 8; lane++) {
            if (mask >> lane & 1u) {
                row |= (uint64_t)lane << (8 * at++);
            }
        }
        press_table[mask] = row;
    }
}

size_t simd_query_avx2(const simd_query *query, uint32_t *items)
{
    if (press_table[255] == 0) {
        fill_press_table();
    }
    size_t found = 0;
    for (size_t base = 0; base < query->count; base += 8) {
        const size_t rest = query->count - base;
        __m256 hidden = _mm256_setzero_ps();
        for (uint32_t i = 0; i < query->plane_count; i++) {
            const simd_plane *const p = &query->planes[i];
            const __m256 x =
                _mm256_mul_ps(_mm256_set1_ps(p->plane[0]), _mm256_loadu_ps(p->edges[0] + base));
            const __m256 y =
                _mm256_mul_ps(_mm256_set1_ps(p->plane[1]), _mm256_loadu_ps(p->edges[1] + base));
            const __m256 z =
                _mm256_mul_ps(_mm256_set1_ps(p->plane[2]), _mm256_loadu_ps(p->edges[2] + base));
            const __m256 distance =
                _mm256_add_ps(_mm256_add_ps(_mm256_add_ps(x, y), z), _mm256_set1_ps(p->plane[3]));
            hidden = _mm256_or_ps(hidden, _mm256_cmp_ps(distance, _mm256_setzero_ps(), _CMP_LT_OQ));
        }
        uint32_t visible = ~(uint32_t)_mm256_movemask_ps(hidden) & 0xffu;
        visible &= rest < 8 ? (1u << rest) - 1u : 0xffu;
        const __m256i lanes =
            _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)press_table[visible]));
        _mm256_storeu_si256((__m256i *)(void *)(items + found),
                            _mm256_add_epi32(lanes, _mm256_set1_epi32((int)base)));
        found += (size_t)__builtin_popcount(visible);
    }
    return found;
}
