// SPDX-License-Identifier: MIT
// bench_textbook.c - the loose quadtree of textbooks as a contender: tests/support has it.
#include "bench_contender.h"

#include "textbook_quadtree.h"

#include <stdlib.h>

static void *create(const contender_world *world)
{
    const textbook_def def = {.half_size = world->half_size};
    return textbook_create(&def, world->count);
}

static void destroy(void *state)
{
    textbook_destroy(state);
}

static bool insert(void *state, const uint32_t *items, uint32_t count, const acre_aabb *boxes)
{
    bool is_good = true;
    for (uint32_t i = 0; i < count && is_good; i++) {
        is_good = textbook_insert(state, items[i], &boxes[items[i]]);
    }
    return is_good;
}

static bool refresh(void *state, const uint32_t *movers, size_t mover_count, const acre_aabb *boxes,
                    uint32_t count)
{
    bool is_good = true;
    (void)count;
    for (size_t i = 0; i < mover_count && is_good; i++) {
        is_good = textbook_refresh(state, movers[i], &boxes[movers[i]]);
    }
    return is_good;
}

static size_t query(void *state, const contender_query *query, uint32_t *items)
{
    const textbook_quadtree *const tree = state;
    return textbook_query_frustum(tree, query->frustum, items, tree->item_capacity);
}

static bool remove_each(void *state, const uint32_t *items, uint32_t count)
{
    bool is_good = true;
    for (uint32_t i = 0; i < count && is_good; i++) {
        is_good = textbook_remove(state, items[i]);
    }
    return is_good;
}

static size_t bytes(const void *state)
{
    const textbook_quadtree *const tree = state;
    return sizeof *tree + tree->item_capacity * sizeof *tree->items +
           tree->node_count * sizeof *tree->root;
}

const bench_contender bench_textbook = {.name = "textbook quadtree",
                                        .is_exact = true,
                                        .create = create,
                                        .destroy = destroy,
                                        .insert = insert,
                                        .refresh = refresh,
                                        .query = query,
                                        .remove = remove_each,
                                        .bytes = bytes};
