// SPDX-License-Identifier: MIT
// bench_sweep.h - the yardstick of pairs: boxes in the order of their smallest x, each tested
// against those that begin before it ends.
#ifndef ACRE_TOOLS_BENCH_SWEEP_H
#define ACRE_TOOLS_BENCH_SWEEP_H

#include <acre/quadtree_pairs.h>

enum { SWEEP_LANES = 8 };

// Sorted by edges[0]; behind the last box stand SWEEP_LANES more that begin at infinity.
typedef struct sweep_boxes {
    size_t count;
    float *edges[6]; // min x y z, max x y z; finite
    uint32_t *items;
} sweep_boxes;

static inline acre_pair sweep_pair(uint32_t a, uint32_t b)
{
    return a < b ? (acre_pair){a, b} : (acre_pair){b, a};
}

// Every pair once; writes as many as there is room for. Returns how many there are.
size_t sweep_pairs_avx2(const sweep_boxes *boxes, acre_pair *pairs, size_t capacity);

#endif
