// SPDX-License-Identifier: MIT
// bench_scan_answers.c - which scan answers which question, and what is left to be tested.
#include "bench_scan_answers.h"

#include "bench_order.h"

#include <math.h>
#include <string.h>

// By what slabs are thicker than a ray: meters, and a share of its length; more than what floats
// lose.
#define SLAB_MARGIN 0.01f
#define SLAB_SHARE 0x1p-18f

static acre_aabb box_of(const scan_boxes *boxes, uint32_t item)
{
    acre_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = boxes->edges[axis][item];
        box.max[axis] = boxes->edges[3 + axis][item];
    }
    return box;
}

static size_t keep_found(const scan_boxes *boxes, const asked_question *question, uint32_t *items,
                         size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t item = items[i];
        const acre_aabb box = box_of(boxes, item);
        if (question->is_found(question, item, &box)) {
            items[kept++] = item;
        }
    }
    return kept;
}

// The planes are tested already; what touches the core needs no more.
static size_t keep_touching(const scan_boxes *boxes, const asked_question *question,
                            uint32_t *items, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t item = items[i];
        const acre_aabb box = box_of(boxes, item);
        if (acre_aabb_overlaps(&question->core, &box) || question->is_found(question, item, &box)) {
            items[kept++] = item;
        }
    }
    return kept;
}

uint32_t scan_set_planes(scan_plane *out, const scan_boxes *boxes, const acre_frustum *from,
                         bool is_opposite)
{
    for (uint32_t i = 0; i < from->plane_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            const bool is_high = (from->planes[i][axis] >= 0.0f) != is_opposite;
            out[i].edges[axis] = boxes->edges[is_high ? 3 + axis : axis];
        }
        memcpy(out[i].plane, from->planes[i], sizeof out[i].plane);
    }
    return from->plane_count;
}

static size_t answer_planes(const scan_set *scans, const scan_boxes *boxes,
                            const asked_question *question, uint32_t *items)
{
    const acre_query *const query = question->query;
    scan_planes planes;
    planes.plane_count = scan_set_planes(planes.planes, boxes, question->planes, false);
    planes.excluded_count = 0;
    if (query->exclude) {
        planes.excluded_count = scan_set_planes(planes.excluded, boxes, query->exclude, true);
    }
    planes.layers = question->layers;
    planes.mask = query->layers;
    const size_t enough = question->capacity ? question->capacity : SIZE_MAX;
    const size_t found = scans->planes(boxes, &planes, enough, items);
    if (question->prepare) {
        question->prepare(question);
        return keep_found(boxes, question, items, found);
    }
    const bool is_oriented = query->shape == ACRE_QUERY_SHAPE_ORIENTED_BOX;
    return is_oriented ? keep_touching(boxes, question, items, found) : found;
}

static size_t answer_round(const scan_set *scans, const scan_boxes *boxes,
                           const asked_question *question, uint32_t *items)
{
    const acre_query *const query = question->query;
    scan_round round;
    round.is_flat = query->shape == ACRE_QUERY_SHAPE_CIRCLE;
    if (round.is_flat) {
        round.radius = query->circle->radius;
        round.center[0] = query->circle->center[0];
        round.center[1] = 0.0f;
        round.center[2] = query->circle->center[1];
    } else {
        round.radius = query->sphere->radius;
        memcpy(round.center, query->sphere->center, sizeof round.center);
    }
    size_t doubts;
    const size_t found = scans->round(boxes, &round, items, boxes->numbers, &doubts);
    doubts = keep_found(boxes, question, boxes->numbers, doubts);
    memcpy(items + found, boxes->numbers, doubts * sizeof *items);
    return found + doubts;
}

// Of a capsule, or of a ray and what moves along it.
static scan_slab slab_of(const asked_question *question)
{
    const acre_query *const query = question->query;
    const bool is_ray = query->shape == ACRE_QUERY_SHAPE_RAY;
    const float length = is_ray ? question->reach : 1.0f;
    const float margin = SLAB_MARGIN + SLAB_SHARE * length;
    scan_slab slab = {.least = -margin, .most = length + margin};
    for (int axis = 0; axis < 3; axis++) {
        const float along = is_ray ? query->ray->direction[axis]
                                   : query->capsule->to[axis] - query->capsule->from[axis];
        const float thickness = is_ray ? query->ray->half_size[axis] : query->capsule->radius;
        slab.origin[axis] = is_ray ? query->ray->origin[axis] : query->capsule->from[axis];
        slab.inverse[axis] = along != 0.0f ? 1.0f / along : 1e30f;
        slab.reach[axis] = thickness + margin;
    }
    return slab;
}

static size_t answer_slab(const scan_set *scans, const scan_boxes *boxes,
                          const asked_question *question, uint32_t *items)
{
    const scan_slab slab = slab_of(question);
    return keep_found(boxes, question, items, scans->slab(boxes, &slab, items));
}

size_t scan_answer(const scan_set *scans, const scan_boxes *boxes, const asked_question *question,
                   uint32_t *items)
{
    const size_t enough = question->capacity ? question->capacity : SIZE_MAX;
    size_t found;
    switch (question->query->shape) {
    case ACRE_QUERY_SHAPE_FRUSTUM:
    case ACRE_QUERY_SHAPE_ORIENTED_BOX:
        found = answer_planes(scans, boxes, question, items);
        break;
    case ACRE_QUERY_SHAPE_SPHERE:
    case ACRE_QUERY_SHAPE_CIRCLE:
        found = answer_round(scans, boxes, question, items);
        break;
    case ACRE_QUERY_SHAPE_CAPSULE:
    case ACRE_QUERY_SHAPE_RAY:
        found = answer_slab(scans, boxes, question, items);
        break;
    case ACRE_QUERY_SHAPE_CONE:
        found = scans->boxes(boxes, &question->bounds, SIZE_MAX, items);
        found = keep_found(boxes, question, items, found);
        break;
    default: // boxes, points, all
        found = scans->boxes(boxes, &question->bounds, enough, items);
        break;
    }
    return found < enough ? found : enough;
}

typedef struct offered {
    const asked_question *question;
    const scan_boxes *boxes;
    best_hits best;
} offered;

static float offer(void *user, uint32_t item)
{
    offered *const self = user;
    const asked_question *const question = self->question;
    const acre_aabb box = box_of(self->boxes, item);
    if (question->query->origin && !question->is_found(question, item, &box)) {
        return best_limit(&self->best);
    }
    const float distance = question->distance(question, &box); // INFINITY: the ray misses it
    if (distance < INFINITY) {
        best_offer(&self->best, item, distance);
    }
    return best_limit(&self->best);
}

static size_t answer_all_in_order(const scan_set *scans, const scan_boxes *boxes,
                                  const asked_question *question, acre_query_hit *hits)
{
    asked_question all = *question;
    all.capacity = 0;
    const size_t found = scan_answer(scans, boxes, &all, boxes->numbers);
    for (size_t i = 0; i < found; i++) {
        const acre_aabb box = box_of(boxes, boxes->numbers[i]);
        boxes->keys[i] = order_key(question->distance(question, &box), boxes->numbers[i]);
    }
    order_sort(boxes->keys, boxes->spare, found);
    const size_t count = found < question->capacity ? found : question->capacity;
    for (size_t i = 0; i < count; i++) {
        hits[i] = (acre_query_hit){(uint32_t)boxes->spare[i], order_value(boxes->spare[i])};
    }
    return count;
}

size_t scan_answer_nearest(const scan_set *scans, const scan_boxes *boxes,
                           const asked_question *question, acre_query_hit *hits)
{
    if (question->capacity > MOST_ORDERED) {
        return answer_all_in_order(scans, boxes, question, hits);
    }
    offered offers = {.question = question,
                      .boxes = boxes,
                      .best = {.hits = hits, .capacity = question->capacity}};
    const scan_hits taken = {.offer = offer, .user = &offers, .limit = INFINITY};
    if (question->query->origin) {
        scans->nearest(boxes, question->query->origin, &taken);
    } else {
        const scan_slab slab = slab_of(question);
        scans->nearest_on_slab(boxes, &slab, &taken);
    }
    return offers.best.count;
}
