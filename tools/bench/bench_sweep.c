// SPDX-License-Identifier: MIT
// bench_sweep.c - the sweep along x as a contender: sorts in each call, keeps nothing.
#include "bench_pairs.h"
#include "bench_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

typedef struct sweep_key {
    uint32_t bits; // in the order of the floats
    uint32_t item;
} sweep_key;

typedef struct sweep_state {
    sweep_boxes sorted;
    sweep_key *keys, *spare;
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
    for (int k = 1; k < 6; k++) {
        self->sorted.edges[k] = self->sorted.edges[0] + (size_t)k * room;
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

// The sign's bit turns the order round.
static uint32_t ordered_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static void sort_digit(const sweep_key *from, sweep_key *to, size_t count, int shift)
{
    size_t places[DIGITS] = {0};
    for (size_t i = 0; i < count; i++) {
        places[from[i].bits >> shift & (DIGITS - 1)]++;
    }
    size_t sum = 0;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        const size_t size = places[digit];
        places[digit] = sum;
        sum += size;
    }
    for (size_t i = 0; i < count; i++) {
        to[places[from[i].bits >> shift & (DIGITS - 1)]++] = from[i];
    }
}

// By radix, then gathered in six arrays.
static void sort_boxes(sweep_state *self)
{
    const size_t count = self->sorted.count;
    for (size_t item = 0; item < count; item++) {
        self->keys[item] = (sweep_key){ordered_bits(self->boxes[item].min[0]), (uint32_t)item};
    }
    sort_digit(self->keys, self->spare, count, 0);
    sort_digit(self->spare, self->keys, count, DIGIT_BITS);
    sort_digit(self->keys, self->spare, count, 2 * DIGIT_BITS);
    for (size_t i = 0; i < count; i++) {
        const uint32_t item = self->spare[i].item;
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

static const bench_contender scalar = {.name = "sweep, scalar",
                                       .is_exact = true,
                                       .create = create,
                                       .destroy = destroy,
                                       .insert = insert,
                                       .pairs = pairs_scalar};

#if defined(ACRE_BENCH_X86)

static size_t pairs_avx2(void *state, acre_pair *pairs, size_t capacity)
{
    sweep_state *const self = state;
    sort_boxes(self);
    return sweep_pairs_avx2(&self->sorted, pairs, capacity);
}

static const bench_contender avx2 = {.name = "sweep, AVX2",
                                     .is_exact = true,
                                     .create = create,
                                     .destroy = destroy,
                                     .insert = insert,
                                     .pairs = pairs_avx2};

const bench_contender *bench_sweep(acre_kernel kernel)
{
    const bool is_wide = kernel != ACRE_KERNEL_SCALAR && kernel != ACRE_KERNEL_SSE4;
    return is_wide && bench_simd_loop(ACRE_KERNEL_AVX2) ? &avx2 : &scalar;
}

#else

const bench_contender *bench_sweep(acre_kernel kernel)
{
    (void)kernel;
    return &scalar;
}

#endif
