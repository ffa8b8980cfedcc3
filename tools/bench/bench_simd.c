// SPDX-License-Identifier: MIT
// bench_simd.c - the loops of bench_simd.h as contenders: every query tests every box.
#include "bench_simd.h"

#include "bench_contender.h"
#include "bench_scan_answers.h"

#include <stdlib.h>
#include <string.h>

#if defined(ACRE_BENCH_X86) || defined(ACRE_BENCH_NEON)

#define FAR_AWAY 1e30f // metres; an inverted box of this size is outside of every plane

static void destroy(void *state)
{
    simd_boxes *const self = state;
    if (self) {
        free(self->edges[0]);
        free(self->numbers);
        free(self->hits);
    }
    free(self);
}

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
    simd_boxes *const self = calloc(1, sizeof *self);
    float *const block = aligned_alloc(64, 6 * stride * sizeof *block);
    if (self) {
        self->edges[0] = block;
        self->numbers = calloc(world->count + CONTENDER_SLACK, sizeof *self->numbers);
        self->hits = calloc(world->count + CONTENDER_SLACK, sizeof *self->hits);
    }
    if (!self || !block || !self->numbers || !self->hits) {
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

static void set_row(const simd_boxes *self, uint32_t item, const acre_aabb *box)
{
    for (int k = 0; k < 3; k++) {
        self->edges[k][item] = box->min[k];
        self->edges[3 + k][item] = box->max[k];
    }
}

static bool insert_simd(void *state, const uint32_t *items, uint32_t count, const acre_aabb *boxes)
{
    simd_boxes *const self = state;
    for (uint32_t i = 0; i < count; i++) {
        set_row(self, items[i], &boxes[items[i]]);
        self->count = self->count > items[i] ? self->count : items[i] + 1;
    }
    return true;
}

static bool remove_simd(void *state, const uint32_t *items, uint32_t count)
{
    static const acre_aabb nowhere = {{FAR_AWAY, FAR_AWAY, FAR_AWAY},
                                      {-FAR_AWAY, -FAR_AWAY, -FAR_AWAY}};
    for (uint32_t i = 0; i < count; i++) {
        set_row(state, items[i], &nowhere);
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
    return 6 * edge_stride(((const simd_boxes *)state)->count) * sizeof(float);
}

static void prepare(const simd_boxes *self, const acre_frustum *frustum, simd_query *out)
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

#if defined(ACRE_BENCH_X86)
// Fastest first.
#define SIMD_SETS(SET)                                                                             \
    SET(avx512, "loop, AVX-512", ACRE_KERNEL_AVX512)                                               \
    SET(avx2, "loop, AVX2", ACRE_KERNEL_AVX2)                                                      \
    SET(sse41, "loop, SSE4.1", ACRE_KERNEL_SSE4)

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
#else
// Acre's kernel of four lanes becomes NEON there, which every 64-bit ARM has.
#define SIMD_SETS(SET) SET(neon, "loop, NEON", ACRE_KERNEL_SSE4)

static bool has_neon(void)
{
    return true;
}
#endif

#define SIMD_QUERY(set, title, kernel)                                                             \
    static size_t query_##set(void *state, const contender_query *query, uint32_t *items)          \
    {                                                                                              \
        simd_query prepared;                                                                       \
        prepare(state, query->frustum, &prepared);                                                 \
        return simd_query_##set(&prepared, items);                                                 \
    }                                                                                              \
    static size_t answer_##set(void *state, const contender_question *question, uint32_t *items)   \
    {                                                                                              \
        return scan_answer(&scans_##set, state, question, items);                                  \
    }                                                                                              \
    static size_t nearest_##set(void *state, const contender_question *question,                   \
                                acre_query_hit *hits)                                              \
    {                                                                                              \
        return scan_answer_nearest(&scans_##set, state, question, hits);                           \
    }
SIMD_SETS(SIMD_QUERY)

typedef struct simd_loop {
    acre_kernel kernel;
    bench_contender what;
} simd_loop;

#define SIMD_LOOP(set, title, kernel)                                                              \
    {kernel,                                                                                       \
     {.name = title,                                                                               \
      .is_exact = true,                                                                            \
      .is_measured_cold = true,                                                                    \
      .is_available = has_##set,                                                                   \
      .create = create_simd,                                                                       \
      .destroy = destroy,                                                                          \
      .insert = insert_simd,                                                                       \
      .refresh = refresh_simd,                                                                     \
      .query = query_##set,                                                                        \
      .answer = answer_##set,                                                                      \
      .nearest = nearest_##set,                                                                    \
      .remove = remove_simd,                                                                       \
      .bytes = bytes_simd}},

static const simd_loop loops[] = {SIMD_SETS(SIMD_LOOP)};

const bench_contender *bench_simd_loop(acre_kernel kernel)
{
    for (size_t i = 0; i < sizeof loops / sizeof loops[0]; i++) {
        const bool is_wanted = kernel == ACRE_KERNEL_DEFAULT || kernel == loops[i].kernel;
        if (is_wanted && loops[i].what.is_available()) {
            return &loops[i].what;
        }
    }
    return NULL;
}

#else

const bench_contender *bench_simd_loop(acre_kernel kernel)
{
    (void)kernel;
    return NULL;
}

#endif
