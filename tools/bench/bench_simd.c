// SPDX-License-Identifier: MIT
// bench_simd.c - the loops of bench_scans.h as contenders: every query tests every box.
#include "bench_contender.h"
#include "bench_scan_answers.h"

#include <stdlib.h>
#include <string.h>

#if defined(ACRE_BENCH_X86) || defined(ACRE_BENCH_NEON) || defined(ACRE_BENCH_WASM)

#define FAR_AWAY 1e30f // meters; an inverted box of this size is outside of every plane

static void destroy(void *state)
{
    scan_boxes *const self = state;
    if (self) {
        free(self->edges[0]);
        free(self->numbers);
        free(self->keys);
        free(self->spare);
    }
    free(self);
}

// Floats from one array to the next: whole steps, and some lines more, so that no two arrays lie
// at the same place of their pages, where loads wait for stores that they have nothing to do with.
static size_t edge_stride(uint32_t count)
{
    const size_t steps = ((size_t)count + SCAN_STEP - 1) / SCAN_STEP;
    return steps * SCAN_STEP + 5 * 16;
}

static void *create(const contender_world *world)
{
    const size_t stride = edge_stride(world->count);
    scan_boxes *const self = calloc(1, sizeof *self);
    float *const block = aligned_alloc(64, 6 * stride * sizeof *block);
    if (self) {
        self->edges[0] = block;
        self->numbers = calloc(world->count + CONTENDER_SLACK, sizeof *self->numbers);
        self->keys = calloc(world->count + CONTENDER_SLACK, sizeof *self->keys);
        self->spare = calloc(world->count + CONTENDER_SLACK, sizeof *self->spare);
    }
    if (!self || !block || !self->numbers || !self->keys || !self->spare) {
        free(self ? NULL : block);
        destroy(self);
        return NULL;
    }
    memset(block, 0, 6 * stride * sizeof *block);
    for (size_t k = 0; k < 6; k++) {
        self->edges[k] = block + k * stride;
    }
    return self;
}

static void set_row(const scan_boxes *self, uint32_t item, const acre_aabb *box)
{
    for (int k = 0; k < 3; k++) {
        self->edges[k][item] = box->min[k];
        self->edges[3 + k][item] = box->max[k];
    }
}

static bool insert(void *state, const uint32_t *items, uint32_t count, const acre_aabb *boxes)
{
    scan_boxes *const self = state;
    for (uint32_t i = 0; i < count; i++) {
        set_row(self, items[i], &boxes[items[i]]);
        self->count = self->count > items[i] ? self->count : items[i] + 1;
    }
    return true;
}

static bool remove_each(void *state, const uint32_t *items, uint32_t count)
{
    static const acre_aabb nowhere = {{FAR_AWAY, FAR_AWAY, FAR_AWAY},
                                      {-FAR_AWAY, -FAR_AWAY, -FAR_AWAY}};
    for (uint32_t i = 0; i < count; i++) {
        set_row(state, items[i], &nowhere);
    }
    return true;
}

static bool refresh(void *state, const uint32_t *movers, size_t mover_count, const acre_aabb *boxes,
                    uint32_t count)
{
    (void)count;
    for (size_t i = 0; i < mover_count; i++) {
        set_row(state, movers[i], &boxes[movers[i]]);
    }
    return true;
}

static size_t bytes(const void *state)
{
    return 6 * edge_stride(((const scan_boxes *)state)->count) * sizeof(float);
}

#define SIMD_FUNCTIONS(set)                                                                        \
    static size_t query_##set(void *state, const contender_query *query, uint32_t *items)          \
    {                                                                                              \
        scan_planes planes;                                                                        \
        planes.plane_count = scan_set_planes(planes.planes, state, query->frustum, false);         \
        return scans_##set.frustum(state, &planes, items);                                         \
    }                                                                                              \
    static size_t answer_##set(void *state, const asked_question *question, uint32_t *items)       \
    {                                                                                              \
        return scan_answer(&scans_##set, state, question, items);                                  \
    }                                                                                              \
    static size_t nearest_##set(void *state, const asked_question *question, acre_query_hit *hits) \
    {                                                                                              \
        return scan_answer_nearest(&scans_##set, state, question, hits);                           \
    }

#define SIMD_CONTENDER(set, title)                                                                 \
    {                                                                                              \
        .name = title, .is_exact = true, .is_measured_cold = true, .create = create,               \
        .destroy = destroy, .insert = insert, .refresh = refresh, .query = query_##set,            \
        .answer = answer_##set, .nearest = nearest_##set, .remove = remove_each, .bytes = bytes    \
    }

#if defined(ACRE_BENCH_X86)

SIMD_FUNCTIONS(avx512)
SIMD_FUNCTIONS(avx2)
SIMD_FUNCTIONS(sse41)

const bench_contender *bench_simd_loop(acre_kernel kernel)
{
    static const bench_contender avx512 = SIMD_CONTENDER(avx512, "loop, AVX-512");
    static const bench_contender avx2 = SIMD_CONTENDER(avx2, "loop, AVX2");
    static const bench_contender sse41 = SIMD_CONTENDER(sse41, "loop, SSE4.1");
    const bool is_any = kernel == ACRE_KERNEL_DEFAULT, has_bits = __builtin_cpu_supports("popcnt");
    if ((is_any || kernel == ACRE_KERNEL_AVX512) && __builtin_cpu_supports("avx512f") && has_bits) {
        return &avx512;
    }
    if ((is_any || kernel == ACRE_KERNEL_AVX2) && __builtin_cpu_supports("avx2") && has_bits) {
        return &avx2;
    }
    const bool has_sse41 = __builtin_cpu_supports("sse4.1") && has_bits;
    return (is_any || kernel == ACRE_KERNEL_SSE4) && has_sse41 ? &sse41 : NULL;
}

const bench_contender *bench_wide_bvhs(acre_kernel kernel)
{
    const bench_contender *const loop = bench_simd_loop(kernel);
    return !loop                         ? NULL
           : loop->query == query_avx512 ? bench_wide_avx512
           : loop->query == query_avx2   ? bench_wide_avx2
                                         : bench_wide_sse41;
}

#elif defined(ACRE_BENCH_WASM)

// WebAssembly's vectors hold four floats, as those of SSE4.1, whose text is compiled for them.
// Pages ask it for frusta alone.
static size_t query_wasm(void *state, const contender_query *query, uint32_t *items)
{
    scan_planes planes;
    planes.plane_count = scan_set_planes(planes.planes, state, query->frustum, false);
    return scans_sse41.frustum(state, &planes, items);
}

const bench_contender *bench_simd_loop(acre_kernel kernel)
{
    static const bench_contender wasm = {.name = "loop, WebAssembly SIMD",
                                         .is_exact = true,
                                         .create = create,
                                         .destroy = destroy,
                                         .insert = insert,
                                         .refresh = refresh,
                                         .query = query_wasm,
                                         .remove = remove_each,
                                         .bytes = bytes};
    return kernel == ACRE_KERNEL_DEFAULT || kernel == ACRE_KERNEL_SSE4 ? &wasm : NULL;
}

#else

SIMD_FUNCTIONS(neon)

// Acre's kernel of four lanes becomes NEON there, which every 64-bit ARM has.
const bench_contender *bench_simd_loop(acre_kernel kernel)
{
    static const bench_contender neon = SIMD_CONTENDER(neon, "loop, NEON");
    return kernel == ACRE_KERNEL_DEFAULT || kernel == ACRE_KERNEL_SSE4 ? &neon : NULL;
}

const bench_contender *bench_wide_bvhs(acre_kernel kernel)
{
    return bench_simd_loop(kernel) ? bench_wide_neon : NULL;
}

#endif

#else

const bench_contender *bench_simd_loop(acre_kernel kernel)
{
    (void)kernel;
    return NULL;
}

const bench_contender *bench_wide_bvhs(acre_kernel kernel)
{
    return bench_simd_loop(kernel);
}

#endif
