// SPDX-License-Identifier: MIT
// bench_sweep_avx2.c - the sweep of bench_sweep.h, eight boxes a vector.
#include "bench_sweep.h"

#include <immintrin.h>

// One box as vectors of eight equal edges.
typedef struct sweep_one {
    __m256 least[3], most[3];
} sweep_one;

static sweep_one spread(const sweep_boxes *boxes, size_t at)
{
    sweep_one one;
    for (int k = 0; k < 3; k++) {
        one.least[k] = _mm256_set1_ps(boxes->edges[k][at]);
        one.most[k] = _mm256_set1_ps(boxes->edges[k + 3][at]);
    }
    return one;
}

static __m256 overlaps(const sweep_boxes *boxes, const sweep_one *one, size_t at, int axis)
{
    const __m256 begins =
        _mm256_cmp_ps(_mm256_loadu_ps(boxes->edges[axis] + at), one->most[axis], _CMP_LE_OQ);
    const __m256 ends =
        _mm256_cmp_ps(_mm256_loadu_ps(boxes->edges[axis + 3] + at), one->least[axis], _CMP_GE_OQ);
    return _mm256_and_ps(begins, ends);
}

size_t sweep_pairs_avx2(const sweep_boxes *boxes, acre_pair *pairs, size_t capacity)
{
    const int all = (1 << SWEEP_LANES) - 1;
    size_t found = 0;
    for (size_t i = 0; i < boxes->count; i++) {
        const sweep_one one = spread(boxes, i);
        int run = all;
        for (size_t j = i + 1; run == all && j < boxes->count; j += SWEEP_LANES) {
            const __m256 in_run =
                _mm256_cmp_ps(_mm256_loadu_ps(boxes->edges[0] + j), one.most[0], _CMP_LE_OQ);
            const __m256 in_both =
                _mm256_and_ps(overlaps(boxes, &one, j, 1), overlaps(boxes, &one, j, 2));
            run = _mm256_movemask_ps(in_run);
            uint32_t hits = (uint32_t)_mm256_movemask_ps(_mm256_and_ps(in_run, in_both));
            for (; hits; hits &= hits - 1) {
                if (found < capacity) {
                    const size_t other = j + (size_t)__builtin_ctz(hits);
                    pairs[found] = sweep_pair(boxes->items[i], boxes->items[other]);
                }
                found++;
            }
        }
    }
    return found;
}
