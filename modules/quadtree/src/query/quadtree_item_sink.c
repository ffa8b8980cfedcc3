// SPDX-License-Identifier: MIT
// quadtree_item_sink.c - results passed to a visitor of items: whole blocks as they stand in the
// tree, all else through the walk's array.
#include "quadtree_walk.h"

// Passes results to the visitor, unless it has stopped the walk.
static void visit_ids(query_walk *walk, const uint32_t *ids, size_t count)
{
    item_receiver *const out = walk->receiver;
    if (count > 0 && !walk->is_stopped) {
        out->visited += count;
        walk->is_stopped = !out->visit(out->user, ids, count);
    }
}

static void visit_written(query_walk *walk)
{
    ACRE_INVARIANT(walk->total <= walk->capacity);
    visit_ids(walk, walk->items, walk->total);
    walk->total = 0;
}

static void visit_ids_of_block(query_walk *walk, const uint32_t *ids, uint32_t count)
{
    if (walk_takes_all(walk)) {
        visit_ids(walk, ids, count);
    } else {
        acre_write_ids(walk, ids, count);
        visit_written(walk);
    }
}

static void visit_ids_of_nodes(query_walk *walk, const node_lists *nodes)
{
    acre_take_chains(walk, nodes, 0, visit_ids_of_block);
}

static void visit_ids_of_groups(query_walk *walk, group_lists *groups)
{
    acre_write_groups(walk, groups);
    visit_written(walk);
}

const query_sink acre_item_sink = {.take_nodes = visit_ids_of_nodes,
                                   .take_groups = visit_ids_of_groups};
