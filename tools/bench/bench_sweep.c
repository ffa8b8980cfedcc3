// SPDX-License-Identifier: MIT
// bench_sweep.c - the yardstick of pairs as a contender: boxes in the order of their smallest x,
// each tested against those that begin before it ends. Sorts in each call, keeps nothing.
#include "bench_order.h"
#include "bench_contender.h"
#include "bench_scans.h"

#include <math.h>
#include <stdlib.h>

typedef struct sweep_state {
    sweep_boxes sorted;
    uint64_t *keys, *spare;
    const acre_aabb *boxes; // the caller's
} sweep_state;

static void destroy(void *state)
{
    sweep_state *const self = state;
    if (self) {
        free(self->sorted.edges[0]);
        free(self->sorted.items);
        free(self->keys);
        free(self->spare);
        free(self);
    }
}

static void *create(const contender_world *world)
{
    sweep_state *const self = calloc(1, sizeof *self);
    const size_t room = (size_t)world->count + SWEEP_LANES;
    if (!self) {
        return NULL;
    }
    self->sorted.count = world->count;
    self->sorted.edges[0] = calloc(6 * room, sizeof *self->sorted.edges[0]);
    self->sorted.items = calloc(room, sizeof *self->sorted.items);
    self->keys = calloc(room, sizeof *self->keys);
    self->spare = calloc(room, sizeof *self->spare);
    if (!self->sorted.edges[0] || !self->sorted.items || !self->keys || !self->spare) {
        destroy(self);
        return NULL;
    }
    for (size_t k = 1; k < 6; k++) {
        self->sorted.edges[k] = self->sorted.edges[0] + k * room;
    }
    for (size_t i = world->count; i < room; i++) {
        self->sorted.edges[0][i] = INFINITY;
    }
    return self;
}

static bool insert(void *state, const uint32_t *items, uint32_t count, const acre_aabb *boxes)
{
    (void)items, (void)count;
    ((sweep_state *)state)->boxes = boxes;
    return true;
}

// Sorted, then gathered in six arrays.
static void sort_boxes(sweep_state *self)
{
    const size_t count = self->sorted.count;
    for (size_t item = 0; item < count; item++) {
        self->keys[item] = order_key(self->boxes[item].min[0], (uint32_t)item);
    }
    order_sort(self->keys, self->spare, count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t item = (uint32_t)self->spare[i];
        const acre_aabb *const box = &self->boxes[item];
        for (int k = 0; k < 3; k++) {
            self->sorted.edges[k][i] = box->min[k];
            self->sorted.edges[k + 3][i] = box->max[k];
        }
        self->sorted.items[i] = item;
    }
}

static size_t pairs_scalar(void *state, acre_pair *pairs, size_t capacity)
{
    sweep_state *const self = state;
    float *const *const edges = self->sorted.edges;
    const size_t count = self->sorted.count;
    size_t found = 0;
    sort_boxes(self);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count && edges[0][j] <= edges[3][i]; j++) {
            if (edges[1][j] > edges[4][i] || edges[4][j] < edges[1][i] ||
                edges[2][j] > edges[5][i] || edges[5][j] < edges[2][i]) {
                continue;
            }
            if (found < capacity) {
                pairs[found] = sweep_pair(self->sorted.items[i], self->sorted.items[j]);
            }
            found++;
        }
    }
    return found;
}

#if defined(ACRE_BENCH_X86)
static size_t pairs_avx2(void *state, acre_pair *pairs, size_t capacity)
{
    sweep_state *const self = state;
    sort_boxes(self);
    return scans_avx2.pairs(&self->sorted, pairs, capacity);
}
#else
#define pairs_avx2 pairs_scalar
#endif

#define SWEEP(title, find)                                                                         \
    {                                                                                              \
        .name = title, .is_exact = true, .create = create, .destroy = destroy, .insert = insert,   \
        .pairs = find                                                                              \
    }

const bench_contender *bench_sweep(acre_kernel kernel)
{
    static const bench_contender scalar = SWEEP("sweep, scalar", pairs_scalar);
    static const bench_contender avx2 = SWEEP("sweep, AVX2", pairs_avx2);
    const bool is_wide = kernel != ACRE_KERNEL_SCALAR && kernel != ACRE_KERNEL_SSE4;
    return is_wide && bench_simd_loop(ACRE_KERNEL_AVX2) ? &avx2 : &scalar;
}
