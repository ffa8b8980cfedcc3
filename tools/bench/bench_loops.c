// SPDX-License-Identifier: MIT
// bench_loops.c - the plainest contenders: one box after the other, and a copy of the answer.
#include "bench_contender.h"
#include "bench_order.h"

#include <math.h>
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

static size_t answer_scalar(void *state, const asked_question *question, uint32_t *items)
{
    const loop_state *const self = state;
    const size_t enough = question->capacity ? question->capacity : SIZE_MAX;
    size_t found = 0;
    if (question->prepare) {
        question->prepare(question);
    }
    for (uint32_t item = 0; item < self->count && found < enough; item++) {
        if (question->is_found(question, item, &self->boxes[item])) {
            items[found++] = item;
        }
    }
    return found;
}

static int compare_hits(const void *a, const void *b)
{
    return hit_is_before(a, b) ? -1 : hit_is_before(b, a);
}

static size_t sort_all(const loop_state *self, const asked_question *question, acre_query_hit *hits)
{
    size_t found = 0;
    for (uint32_t item = 0; item < self->count; item++) {
        if (question->is_found(question, item, &self->boxes[item])) {
            hits[found++] =
                (acre_query_hit){item, question->distance(question, &self->boxes[item])};
        }
    }
    qsort(hits, found, sizeof *hits, compare_hits);
    return found < question->capacity ? found : question->capacity;
}

// A nearer box is rarer than one that belongs to the answer, but for rays.
static size_t nearest_scalar(void *state, const asked_question *question, acre_query_hit *hits)
{
    const loop_state *const self = state;
    const bool is_ray = !question->query->origin;
    best_hits best = {.hits = hits, .capacity = question->capacity};
    float limit = INFINITY;
    if (question->capacity > MOST_ORDERED) {
        return sort_all(self, question, hits);
    }
    for (uint32_t item = 0; item < self->count; item++) {
        const acre_aabb *const box = &self->boxes[item];
        if (is_ray && !question->is_found(question, item, box)) {
            continue;
        }
        const float distance = question->distance(question, box);
        if (distance <= limit && (is_ray || question->is_found(question, item, box))) {
            best_offer(&best, item, distance);
            limit = best_limit(&best);
        }
    }
    return best.count;
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
                                      .answer = answer_scalar,
                                      .nearest = nearest_scalar,
                                      .bytes = bytes_scalar};

typedef struct copy_state {
    acre_aabb *boxes; // by item
} copy_state;

static void destroy_copy(void *state)
{
    copy_state *const self = state;
    if (self) {
        free(self->boxes);
    }
    free(self);
}

static void *create_copy(const contender_world *world)
{
    copy_state *const self = calloc(1, sizeof *self);
    if (self) {
        self->boxes = calloc((size_t)world->count + 1, sizeof *self->boxes);
    }
    if (self && !self->boxes) {
        destroy_copy(self);
        return NULL;
    }
    return self;
}

static bool insert_copies(void *state, const uint32_t *items, uint32_t count,
                          const acre_aabb *boxes)
{
    const copy_state *const self = state;
    for (uint32_t i = 0; i < count; i++) {
        self->boxes[items[i]] = boxes[items[i]];
    }
    return true;
}

static bool refresh_copies(void *state, const uint32_t *movers, size_t mover_count,
                           const acre_aabb *boxes, uint32_t count)
{
    const copy_state *const self = state;
    if (mover_count == count) {
        memcpy(self->boxes, boxes, mover_count * sizeof *boxes);
        return true;
    }
    return insert_copies(state, movers, (uint32_t)mover_count, boxes);
}

static size_t copy_answer(void *state, const contender_query *query, uint32_t *items)
{
    (void)state;
    memcpy(items, query->visible, query->visible_count * sizeof *items);
    return query->visible_count;
}

const bench_contender bench_memcpy = {.name = "memcpy",
                                      .is_exact = true,
                                      .is_measured_cold = true,
                                      .create = create_copy,
                                      .destroy = destroy_copy,
                                      .insert = insert_copies,
                                      .refresh = refresh_copies,
                                      .query = copy_answer};
