// SPDX-License-Identifier: MIT
// bench_loops.c - contenders without a tree: every query tests every box.
#include "bench_contender.h"
#include "bench_simd.h"

#include <stdlib.h>
#include <string.h>

typedef struct loop_state {
    const acre_aabb *boxes; // the caller's, read in place
    uint32_t count;
    float *edges[6]; // of the SIMD loops: min x y z, max x y z; one block of memory
} loop_state;

static void destroy(void *state)
{
    loop_state *const self = state;
    if (self) {
        free(self->edges[0]);
    }
    free(self);
}

static void *create_scalar(const contender_world *world)
{
    (void)world;
    return calloc(1, sizeof(loop_state));
}

static bool insert_scalar(void *state, const acre_aabb *boxes, uint32_t count)
{
    loop_state *const self = state;
    self->boxes = boxes;
    self->count = count;
    return true;
}

static size_t query_scalar(void *state, const contender_query *query, uint32_t *items)
{
    const loop_state *const self = state;
    size_t found = 0;
    for (uint32_t item = 0; item < self->count; item++) {
        if (acre_frustum_test_aabb(query->frustum, &self->boxes[item])) {
            items[found++] = item;
        }
    }
    return found;
}

static size_t bytes_scalar(const void *state)
{
    return ((const loop_state *)state)->count * sizeof(acre_aabb);
}

const bench_contender bench_scalar = {.name = "loop, scalar",
                                      .is_exact = true,
                                      .create = create_scalar,
                                      .destroy = destroy,
                                      .insert = insert_scalar,
                                      .query = query_scalar,
                                      .bytes = bytes_scalar};

static void *create_nothing(const contender_world *world)
{
    (void)world;
    return calloc(1, 1);
}

static bool insert_nothing(void *state, const acre_aabb *boxes, uint32_t count)
{
    (void)state, (void)boxes, (void)count;
    return true;
}

static size_t copy_answer(void *state, const contender_query *query, uint32_t *items)
{
    (void)state;
    memcpy(items, query->visible, query->visible_count * sizeof *items);
    return query->visible_count;
}

const bench_contender bench_memcpy = {.name = "memcpy of the answer",
                                      .is_exact = true,
                                      .is_measured_cold = true,
                                      .create = create_nothing,
                                      .destroy = free,
                                      .insert = insert_nothing,
                                      .query = copy_answer};

#if defined(ACRE_BENCH_X86)

// Floats from one array to the next: whole steps, and some lines more, so that no two arrays lie
// at the same place of their pages, where loads wait for stores that they have nothing to do with.
static size_t edge_stride(uint32_t count)
{
    const size_t steps = ((size_t)count + SIMD_STEP - 1) / SIMD_STEP;
    return steps * SIMD_STEP + 5 * 16;
}

static void *create_simd(const contender_world *world)
{
    const size_t stride = edge_stride(world->count);
    loop_state *const self = calloc(1, sizeof *self);
    float *const block = aligned_alloc(64, 6 * stride * sizeof *block);
    if (!self || !block) {
        free(self);
        free(block);
        return NULL;
    }
    memset(block, 0, 6 * stride * sizeof *block);
    for (size_t k = 0; k < 6; k++) {
        self->edges[k] = block + k * stride;
    }
    return self;
}

static void set_row(const loop_state *self, uint32_t item, const acre_aabb *box)
{
    for (int k = 0; k < 3; k++) {
        self->edges[k][item] = box->min[k];
        self->edges[3 + k][item] = box->max[k];
    }
}

static bool insert_simd(void *state, const acre_aabb *boxes, uint32_t count)
{
    loop_state *const self = state;
    self->count = count;
    for (uint32_t item = 0; item < count; item++) {
        set_row(self, item, &boxes[item]);
    }
    return true;
}

static bool refresh_simd(void *state, const uint32_t *movers, size_t mover_count,
                         const acre_aabb *boxes, uint32_t count)
{
    (void)count;
    for (size_t i = 0; i < mover_count; i++) {
        set_row(state, movers[i], &boxes[movers[i]]);
    }
    return true;
}

static size_t bytes_simd(const void *state)
{
    return 6 * edge_stride(((const loop_state *)state)->count) * sizeof(float);
}

static void prepare(const loop_state *self, const acre_frustum *frustum, simd_query *out)
{
    out->count = self->count;
    out->plane_count = frustum->plane_count;
    for (uint32_t i = 0; i < frustum->plane_count; i++) {
        simd_plane *const p = &out->planes[i];
        for (int k = 0; k < 3; k++) {
            p->edges[k] = self->edges[frustum->planes[i][k] >= 0.0f ? 3 + k : k];
        }
        memcpy(p->plane, frustum->planes[i], sizeof p->plane);
    }
}

static size_t query_sse41(void *state, const contender_query *query, uint32_t *items)
{
    simd_query prepared;
    prepare(state, query->frustum, &prepared);
    return simd_query_sse41(&prepared, items);
}

static size_t query_avx2(void *state, const contender_query *query, uint32_t *items)
{
    simd_query prepared;
    prepare(state, query->frustum, &prepared);
    return simd_query_avx2(&prepared, items);
}

static size_t query_avx512(void *state, const contender_query *query, uint32_t *items)
{
    simd_query prepared;
    prepare(state, query->frustum, &prepared);
    return simd_query_avx512(&prepared, items);
}

static bool has_sse41(void)
{
    return __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("popcnt");
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("popcnt");
}

const bench_contender bench_sse41 = {.name = "loop, SSE4.1",
                                     .is_exact = true,
                                     .is_measured_cold = true,
                                     .is_available = has_sse41,
                                     .create = create_simd,
                                     .destroy = destroy,
                                     .insert = insert_simd,
                                     .refresh = refresh_simd,
                                     .query = query_sse41,
                                     .bytes = bytes_simd};

const bench_contender bench_avx2 = {.name = "loop, AVX2",
                                    .is_exact = true,
                                    .is_available = has_avx2,
                                    .create = create_simd,
                                    .destroy = destroy,
                                    .insert = insert_simd,
                                    .refresh = refresh_simd,
                                    .query = query_avx2,
                                    .bytes = bytes_simd};

const bench_contender bench_avx512 = {.name = "loop, AVX-512",
                                      .is_exact = true,
                                      .is_measured_cold = true,
                                      .is_available = has_avx512,
                                      .create = create_simd,
                                      .destroy = destroy,
                                      .insert = insert_simd,
                                      .refresh = refresh_simd,
                                      .query = query_avx512,
                                      .bytes = bytes_simd};

#endif
