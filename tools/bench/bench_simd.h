// SPDX-License-Identifier: MIT
// bench_simd.h - the yardstick: every box against every plane, as fast as an instruction set can.
//
// The boxes are six arrays of floats (min x y z, max x y z), so that a vector holds one edge of
// neighbouring boxes. Per plane and axis the p-vertex comes from one of the two arrays, which is
// chosen once a query. The order of operations is that of acre_frustum_test_aabb: the same bits,
// the same set. Results are appended as whole vectors, pressed together, and the end moves on by
// their number: no branch depends on a box. Four vectors of boxes share each plane's loads, which
// takes a quarter less time than one; to stop where no box is left gains nothing, as neighbours in
// memory are anywhere on the ground.
#ifndef ACRE_TOOLS_BENCH_SIMD_H
#define ACRE_TOOLS_BENCH_SIMD_H

#include <acre/frustum.h>
#include <acre/quadtree_query.h>

enum { SIMD_STEP = 64, SIMD_VECTORS = 4 };

// Readable up to a multiple of SIMD_STEP.
typedef struct simd_boxes {
    uint32_t count;
    float *edges[6];      // min x y z, max x y z; one block of memory
    uint32_t *numbers;    // for an answer's own use: room as of a query's results
    acre_query_hit *hits; // the same
} simd_boxes;

typedef struct simd_plane {
    const float *edges[3]; // of the p-vertices
    float plane[4];
} simd_plane;

typedef struct simd_query {
    simd_plane planes[ACRE_FRUSTUM_MAX_PLANES];
    uint32_t plane_count;
    size_t count; // boxes; the arrays are readable up to a multiple of SIMD_STEP
} simd_query;

// Of the `width` boxes that begin at base, those below count, as a mask.
static inline uint32_t simd_present(size_t count, size_t base, size_t width)
{
    const size_t rest = count > base ? count - base : 0;
    return (1u << (rest < width ? rest : width)) - 1u;
}

// Numbers of the visible boxes, ascending. items has room for all and a vector of 16.
size_t simd_query_sse41(const simd_query *query, uint32_t *items);
size_t simd_query_avx2(const simd_query *query, uint32_t *items);
size_t simd_query_avx512(const simd_query *query, uint32_t *items);
size_t simd_query_neon(const simd_query *query, uint32_t *items);

#endif
