// SPDX-License-Identifier: MIT
// bench_loops.c - the plainest contenders: one box after the other, and a copy of the answer.
#include "bench_contender.h"

#include <stdlib.h>
#include <string.h>

typedef struct loop_state {
    const acre_aabb *boxes; // the caller's, read in place
    uint32_t count;
} loop_state;

static void *create_scalar(const contender_world *world)
{
    (void)world;
    return calloc(1, sizeof(loop_state));
}

static bool insert_scalar(void *state, const uint32_t *items, uint32_t count,
                          const acre_aabb *boxes)
{
    (void)items;
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
                                      .destroy = free,
                                      .insert = insert_scalar,
                                      .query = query_scalar,
                                      .bytes = bytes_scalar};

static void *create_nothing(const contender_world *world)
{
    (void)world;
    return calloc(1, 1);
}

static bool insert_nothing(void *state, const uint32_t *items, uint32_t count,
                           const acre_aabb *boxes)
{
    (void)state, (void)items, (void)count, (void)boxes;
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
