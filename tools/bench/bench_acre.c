// SPDX-License-Identifier: MIT
// bench_acre.c - Acre's quadtree as a contender, edited in three ways and asked in two.
#include "bench_acre.h"

#include <stdlib.h>
#include <string.h>

// Each contender uses a part of it.
typedef struct acre_state {
    acre_quadtree *tree;
    acre_contacts *contacts;
    uint32_t *items; // the prepared movers
    acre_aabb *boxes;
    acre_aabb *coming; // boxes of one insertion of many, in its order
    size_t prepared;
    size_t room; // of results
    acre_item_span *spans;
    size_t span_room;
} acre_state;

static acre_quadtree *tree_of(void *state)
{
    return ((acre_state *)state)->tree;
}

const acre_quadtree *bench_acre_tree(const void *state)
{
    return ((const acre_state *)state)->tree;
}

static void destroy(void *state)
{
    acre_state *const self = state;
    if (self) {
        acre_quadtree_destroy(self->tree);
        acre_contacts_destroy(self->contacts);
        free(self->items);
        free(self->boxes);
        free(self->coming);
        free(self->spans);
        free(self);
    }
}

static void *create(const contender_world *world)
{
    const acre_quadtree_def def = {.half_size = world->half_size,
                                   .node_capacity = world->node_capacity,
                                   .kernel = world->kernel};
    const size_t room = (size_t)world->count + CONTENDER_SLACK;
    acre_state *const self = calloc(1, sizeof *self);
    if (!self) {
        return NULL;
    }
    *self = (acre_state){.items = calloc(room, sizeof *self->items),
                         .boxes = calloc(room, sizeof *self->boxes),
                         .coming = calloc(room, sizeof *self->coming),
                         .room = room};
    if (!self->items || !self->boxes || !self->coming ||
        acre_quadtree_create(&def, &self->tree) != ACRE_OK ||
        acre_contacts_create(NULL, &self->contacts) != ACRE_OK) {
        destroy(self);
        return NULL;
    }
    return self;
}

static size_t bytes(const void *state)
{
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(bench_acre_tree(state), &stats);
    return stats.bytes;
}

static bool optimize(void *state)
{
    return acre_quadtree_optimize(tree_of(state)) == ACRE_OK;
}

static bool settle(void *state)
{
    bool is_good = true;
    for (int frame = 0; frame < 60 && is_good; frame++) {
        is_good = acre_quadtree_maintain(tree_of(state)) == ACRE_OK;
    }
    return is_good;
}

static bool set_layers(void *state, const uint32_t *layers, uint32_t count)
{
    bool is_good = true;
    for (uint32_t item = 0; item < count && is_good; item++) {
        is_good = acre_quadtree_set_layers(tree_of(state), item, layers[item]) == ACRE_OK;
    }
    return is_good;
}

// ---- one by one ----

static bool insert(void *state, const uint32_t *items, uint32_t count, const acre_aabb *boxes)
{
    acre_quadtree *const tree = tree_of(state);
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < count && result == ACRE_OK; i++) {
        result = acre_quadtree_insert(tree, items[i], &boxes[items[i]]);
    }
    return result == ACRE_OK;
}

static bool refresh(void *state, const uint32_t *movers, size_t mover_count, const acre_aabb *boxes,
                    uint32_t count)
{
    acre_quadtree *const tree = tree_of(state);
    acre_result result = ACRE_OK;
    (void)count;
    for (size_t i = 0; i < mover_count && result == ACRE_OK; i++) {
        result = acre_quadtree_refresh(tree, movers[i], &boxes[movers[i]]);
    }
    return result == ACRE_OK && acre_quadtree_maintain(tree) == ACRE_OK;
}

static bool remove_each(void *state, const uint32_t *items, uint32_t count)
{
    acre_quadtree *const tree = tree_of(state);
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < count && result == ACRE_OK; i++) {
        result = acre_quadtree_remove(tree, items[i]);
    }
    return result == ACRE_OK;
}

// ---- many in a call ----

// The caller's array is by item, a batch's by row: where they are not the same, rows are gathered.
static bool insert_many(void *state, const uint32_t *items, uint32_t count, const acre_aabb *boxes)
{
    const acre_state *const self = state;
    const bool is_all = count > 0 && items[0] == 0 && items[count - 1] == count - 1;
    for (uint32_t i = 0; i < count && !is_all; i++) {
        self->coming[i] = boxes[items[i]];
    }
    return acre_quadtree_insert_many(self->tree, items, is_all ? boxes : self->coming, count) ==
           ACRE_OK;
}

static bool prepare_many(void *state, const uint32_t *movers, size_t mover_count,
                         const acre_aabb *boxes)
{
    acre_state *const self = state;
    for (size_t i = 0; i < mover_count; i++) {
        self->items[i] = movers[i];
        self->boxes[i] = boxes[movers[i]];
    }
    self->prepared = mover_count;
    return true;
}

static bool refresh_many(void *state, const uint32_t *movers, size_t mover_count,
                         const acre_aabb *boxes, uint32_t count)
{
    const acre_state *const self = state;
    (void)movers, (void)boxes, (void)count;
    return self->prepared == mover_count &&
           acre_quadtree_refresh_many(self->tree, self->items, self->boxes, mover_count) ==
               ACRE_OK &&
           acre_quadtree_maintain(self->tree) == ACRE_OK;
}

static bool remove_many(void *state, const uint32_t *items, uint32_t count)
{
    return acre_quadtree_remove_many(tree_of(state), items, count) == ACRE_OK;
}

// ---- all in a call ----

static bool refresh_all(void *state, const uint32_t *movers, size_t mover_count,
                        const acre_aabb *boxes, uint32_t count)
{
    (void)movers, (void)mover_count;
    return acre_quadtree_refresh_all(tree_of(state), boxes, count) == ACRE_OK &&
           acre_quadtree_maintain(tree_of(state)) == ACRE_OK;
}

// ---- views ----

// The slack counts as room, so that a tree may write whole vectors to the very end.
static size_t query(void *state, const contender_query *query, uint32_t *items)
{
    const acre_state *const self = state;
    return acre_quadtree_query_frustum(self->tree, query->frustum, items, self->room);
}

// Room for spans grows where there are more; the query then runs again.
static acre_span_totals find_all_spans(acre_state *self, const contender_query *asked,
                                       uint32_t *items)
{
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = asked->frustum};
    acre_span_totals totals = {0};
    while (acre_quadtree_query_spans(self->tree, &query, self->spans, self->span_room, items,
                                     self->room, &totals) == ACRE_OK) {
        if (totals.spans <= self->span_room) {
            return totals;
        }
        acre_item_span *const grown = realloc(self->spans, 2 * totals.spans * sizeof *grown);
        if (!grown) {
            break;
        }
        self->spans = grown;
        self->span_room = 2 * totals.spans;
    }
    return (acre_span_totals){0};
}

static size_t find_spans(void *state, const contender_query *query, uint32_t *items)
{
    return find_all_spans(state, query, items).items;
}

// From the last span to the first: those that point into `items` lie in order and move back.
static size_t copy_spans(void *state, const contender_query *query, uint32_t *items)
{
    acre_state *const self = state;
    const acre_span_totals totals = find_all_spans(self, query, items);
    size_t end = totals.items;
    for (size_t i = totals.spans; i-- > 0;) {
        const acre_item_span *const span = &self->spans[i];
        end -= span->count;
        memmove(items + end, span->items, span->count * sizeof *items);
    }
    return end == 0 ? totals.items : SIZE_MAX;
}

// ---- questions ----

// What a visitor takes until it has enough.
typedef struct taken_items {
    uint32_t *items;
    size_t count, enough;
} taken_items;

static bool take(void *user, const uint32_t *items, size_t count)
{
    taken_items *const taken = user;
    const size_t rest = taken->enough - taken->count;
    const size_t some = count < rest ? count : rest;
    memcpy(taken->items + taken->count, items, some * sizeof *items);
    taken->count += some;
    return taken->count < taken->enough;
}

static size_t answer(void *state, const asked_question *question, uint32_t *items)
{
    const acre_state *const self = state;
    const acre_query *const query = question->query;
    size_t total = 0;
    if (question->capacity && !(query->flags & ACRE_QUERY_STOP_WHEN_FULL)) {
        taken_items taken = {items, 0, question->capacity};
        return acre_quadtree_query_visit(self->tree, query, take, &taken) == ACRE_OK ? taken.count
                                                                                     : SIZE_MAX;
    }
    const size_t capacity = question->capacity ? question->capacity : self->room;
    return acre_quadtree_query(self->tree, query, items, capacity, &total) == ACRE_OK ? total
                                                                                      : SIZE_MAX;
}

static size_t nearest(void *state, const asked_question *question, acre_query_hit *hits)
{
    size_t count = 0;
    return acre_quadtree_query_nearest(tree_of(state), question->query, hits, question->capacity,
                                       &count) == ACRE_OK
               ? count
               : SIZE_MAX;
}

static size_t pairs(void *state, acre_pair *pairs, size_t capacity)
{
    size_t total = 0;
    return acre_quadtree_pairs(tree_of(state), NULL, pairs, capacity, &total) == ACRE_OK
               ? total
               : CONTENDER_CANNOT;
}

// The list is the tracker's; the copy stands for reading it once.
static size_t contacts(void *state, acre_pair *pairs, size_t capacity)
{
    const acre_state *const self = state;
    if (acre_contacts_update(self->contacts, self->tree, NULL, NULL) != ACRE_OK) {
        return CONTENDER_CANNOT;
    }
    const acre_contacts_lists lists = acre_contacts_get(self->contacts);
    const size_t count = lists.now_count < capacity ? lists.now_count : capacity;
    if (count > 0) {
        memcpy(pairs, lists.now, count * sizeof *pairs);
    }
    return lists.now_count;
}

// ---- the contenders ----

#define OWN_TREE(title, insert_all, prepare_some, refresh_some, remove_some)                       \
    {                                                                                              \
        .name = title, .is_exact = true, .create = create, .destroy = destroy,                     \
        .insert = insert_all, .prepare = prepare_some, .settle = settle, .refresh = refresh_some,  \
        .query = query, .remove = remove_some                                                      \
    }
#define TREE_OF(owner, title, settle_it, query_it, find_it)                                        \
    {                                                                                              \
        .name = title, .host = &(owner), .is_exact = true, .is_measured_cold = true,               \
        .settle = settle_it, .query = query_it, .find = find_it                                    \
    }

const bench_contender bench_acre = {.name = "acre",
                                    .is_exact = true,
                                    .is_measured_cold = true,
                                    .create = create,
                                    .destroy = destroy,
                                    .insert = insert,
                                    .settle = settle,
                                    .refresh = refresh,
                                    .query = query,
                                    .answer = answer,
                                    .nearest = nearest,
                                    .pairs = pairs,
                                    .set_layers = set_layers,
                                    .remove = remove_each,
                                    .bytes = bytes};
const bench_contender bench_acre_contacts = {.name = "acre, contacts",
                                             .is_exact = true,
                                             .create = create,
                                             .destroy = destroy,
                                             .insert = insert,
                                             .settle = settle,
                                             .refresh = refresh,
                                             .pairs = contacts};
const bench_contender bench_acre_many =
    OWN_TREE("acre, in batches", insert_many, prepare_many, refresh_many, remove_many);
const bench_contender bench_acre_all =
    OWN_TREE("acre, refresh_all", insert, NULL, refresh_all, NULL);
const bench_contender bench_acre_spans =
    TREE_OF(bench_acre, "acre, spans", NULL, copy_spans, find_spans);
const bench_contender bench_acre_optimized =
    TREE_OF(bench_acre_many, "acre, optimized", optimize, query, NULL);
