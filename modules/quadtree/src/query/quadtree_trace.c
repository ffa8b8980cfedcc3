// SPDX-License-Identifier: MIT
// quadtree_trace.c - a trace of one query: what became of every node, group and item.
//
// The walk of a query keeps no record, so that it loses no time. This one visits the whole tree and
// has the query's own kernel decide about one quad, one block or one group at a time; what the
// kernel listed tells what became of it. So its results, and the work that it counts, are those of
// acre_quadtree_query.
#include "quadtree_tree.h"
#include "quadtree_walk.h"

#include <acre/quadtree_inspect.h>

// What became of four siblings or four groups, and the parts that those kept still intersect.
typedef struct four_fates {
    acre_trace_state state[4];
    uint32_t mask[4];
} four_fates;

typedef struct query_trace {
    query_walk walk; // first, so that a walk leads to its trace
    acre_trace_visitor visit;
    void *user;
    acre_quadtree_place place;       // of the node that is being visited
    four_fates quads[MAX_LEVEL + 1]; // by steps from the root: of the quad on the way to a node
    node_lists nodes;                // of one quad or one block
    group_lists groups;              // of one block
} query_trace;
static_assert(offsetof(query_trace, walk) == 0, "a walk is cast to its trace");

static void show(query_trace *trace, const acre_trace_step *step)
{
    if (!trace->walk.is_stopped) {
        trace->walk.is_stopped = !trace->visit(trace->user, step);
    }
}

static bool is_out(acre_trace_state state)
{
    return state == ACRE_TRACE_DROPPED || state == ACRE_TRACE_SKIPPED;
}

static four_fates same_fates(acre_trace_state state)
{
    return (four_fates){{state, state, state, state}, {0, 0, 0, 0}};
}

static void set_fate(four_fates *fates, uint32_t slot, uint32_t mask)
{
    fates->state[slot] = mask ? ACRE_TRACE_KEPT : ACRE_TRACE_INSIDE;
    fates->mask[slot] = mask;
}

// What became of a node that is not dropped is told by the chain of its items or by its children:
// the kernel has listed one and stacked the other. A node that has neither counts as dropped.
static four_fates fates_of_listed(const quad *siblings, const node_lists *nodes)
{
    four_fates fates = same_fates(ACRE_TRACE_DROPPED);
    for (uint32_t slot = 0; slot < 4; slot++) {
        const uint32_t word = siblings->items[slot], child = siblings->child[slot];
        for (uint32_t i = 0; word && i < nodes->inside_count; i++) {
            if (nodes->inside[i] == word) {
                set_fate(&fates, slot, 0);
            }
        }
        for (uint32_t i = 0; word && i < nodes->intersecting_count; i++) {
            if (nodes->intersecting[i] == word) {
                set_fate(&fates, slot, nodes->intersecting_masks[i]);
            }
        }
        for (uint32_t i = 0; child && i < nodes->stack_count; i++) {
            if (nodes->stack[i] == child) {
                set_fate(&fates, slot, nodes->stack_masks[i]);
            }
        }
    }
    return fates;
}

// Decides about the children of a node that is kept or inside, or about the root.
static four_fates descend_once(query_trace *trace, uint32_t q, uint32_t mask)
{
    query_walk *const walk = &trace->walk;
    node_lists *const nodes = &trace->nodes;
    quad_descent descent = descent_through(walk->tree, walk->filter.layers, PORTION_NODES);
    descent.quads_left = 1;
    nodes->stack[0] = q;
    nodes->stack_masks[0] = mask;
    nodes->stack_count = 1;
    nodes->inside_count = nodes->intersecting_count = 0;
    walk->kernel->descend(walk->volume, &descent, nodes);
    walk->stats.nodes_tested += descent.nodes_tested;
    return fates_of_listed(&walk->tree->quads[q], nodes);
}

// Decides about the groups of a block whose node is kept, as if the block were the whole chain.
static four_fates test_block(query_trace *trace, uint32_t block, uint32_t count, uint32_t mask)
{
    query_walk *const walk = &trace->walk;
    group_lists *const groups = &trace->groups;
    four_fates fates = same_fates(ACRE_TRACE_DROPPED);
    chain_position position = {.node = 0, .block = NONE};
    trace->nodes.inside_count = 0;
    trace->nodes.intersecting_count = 1;
    trace->nodes.intersecting[0] = chain_word(block, false, count);
    trace->nodes.intersecting_masks[0] = mask;
    groups->inside_count = groups->intersecting_count = 0;
    walk->kernel->visit_chains(walk->volume, walk->tree, &trace->nodes, MOST_LISTED, &position,
                               groups);
    ACRE_INVARIANT(position.node == 1);
    for (uint32_t i = 0; i < groups->inside_count; i++) {
        set_fate(&fates, group_number(groups->inside[i]) % BLOCK_GROUPS, 0);
    }
    for (uint32_t i = 0; i < groups->intersecting_count; i++) {
        set_fate(&fates, group_number(groups->intersecting[i]) % BLOCK_GROUPS,
                 groups->intersecting_masks[i]);
    }
    return fates;
}

// The set of items of a group that the query finds, if the group is not dropped.
static uint32_t find_items(query_trace *trace, size_t group, uint32_t count, acre_trace_state state,
                           uint32_t mask)
{
    query_walk *const walk = &trace->walk;
    const acre_quadtree *const tree = walk->tree;
    const bool is_tested = state == ACRE_TRACE_KEPT;
    const uint32_t words[1 + GROUPS_AHEAD] = {group_word((uint32_t)group, count)};
    uint32_t found = present_slots(count);
    if (is_tested) {
        walk->kernel->select_slots(walk->volume, tree->boxes->groups, tree->ids->id, words, &mask,
                                   1, &found);
    }
    walk->stats.items_tested += is_tested ? count : 0;
    walk->stats.items_accepted += is_tested ? 0 : count;
    return acre_filter_slots(walk, group, found, is_tested);
}

static void trace_items(query_trace *trace, size_t group, uint32_t count, acre_trace_state state,
                        uint32_t mask)
{
    const acre_quadtree *const tree = trace->walk.tree;
    const item_group *const groups = tree->boxes->groups; // of all blocks
    const uint32_t *const all_ids = tree->ids->id, *const ids = all_ids + group * GROUP_SLOTS;
    const uint32_t found = is_out(state) ? 0 : find_items(trace, group, count, state, mask);
    const acre_trace_state missed = is_out(state) ? ACRE_TRACE_SKIPPED : ACRE_TRACE_DROPPED;
    for (uint32_t slot = 0; slot < count; slot++) {
        const row_box box = group_rows(&groups[group], slot);
        const acre_trace_state fate = found >> slot & 1 ? state : missed;
        show(trace, &(acre_trace_step){ACRE_TRACE_ITEM, fate, ids[slot], 1, aabb_of_rows(&box),
                                       &trace->place});
    }
}

static four_fates fates_of_groups(query_trace *trace, uint32_t block, uint32_t count,
                                  acre_trace_state state, uint32_t mask)
{
    return state == ACRE_TRACE_KEPT
               ? test_block(trace, block, count, mask)
               : same_fates(is_out(state) ? ACRE_TRACE_SKIPPED : ACRE_TRACE_INSIDE);
}

static void trace_block(query_trace *trace, uint32_t block, uint32_t count, acre_trace_state state,
                        uint32_t mask)
{
    const four_boxes *const bounds = &trace->walk.tree->headers[block].bounds;
    const four_fates fates = fates_of_groups(trace, block, count, state, mask);
    for (uint32_t group = 0; group * GROUP_SLOTS < count; group++) {
        const uint32_t rest = count - group * GROUP_SLOTS;
        const uint32_t items = rest < GROUP_SLOTS ? rest : GROUP_SLOTS;
        const row_box box = lane_box(bounds, group);
        show(trace, &(acre_trace_step){ACRE_TRACE_GROUP, fates.state[group], UINT32_MAX, items,
                                       aabb_of_rows(&box), &trace->place});
        trace_items(trace, (size_t)block * BLOCK_GROUPS + group, items, fates.state[group],
                    fates.mask[group]);
    }
}

static void trace_node(query_trace *trace, uint32_t node, acre_trace_state state, uint32_t mask)
{
    const acre_quadtree *const tree = trace->walk.tree;
    trace->place = acre_place_of_node(tree, node);
    show(trace, &(acre_trace_step){ACRE_TRACE_NODE, state, UINT32_MAX, trace->place.items,
                                   trace->place.bounds, &trace->place});
    for (chain_walk at = chain_first(tree, node); at.count && !trace->walk.is_stopped;
         at = chain_next(tree, at)) {
        trace_block(trace, at.block, at.count, state, mask);
    }
}

// A root that has children and no items of its own is not tested (acre_begin_walk).
static four_fates test_root(query_trace *trace, uint32_t mask)
{
    const quad *const top = &trace->walk.tree->quads[0];
    if (top->items[ROOT_NODE] || !top->child[ROOT_NODE]) {
        return descend_once(trace, 0, mask);
    }
    four_fates fates = same_fates(ACRE_TRACE_SKIPPED);
    set_fate(&fates, ROOT_NODE, mask);
    return fates;
}

// The number of nodes above a node.
static uint32_t steps_from_root(const acre_quadtree *tree, uint32_t node)
{
    return node_level(tree, ROOT_NODE) - node_level(tree, node) + acre_band_range(tree, node).count;
}

static void trace_nodes(query_walk *walk, uint32_t mask)
{
    query_trace *const trace = (query_trace *)(void *)walk; // the walk is its first member
    const acre_quadtree *const tree = walk->tree;
    const acre_trace_state all = mask ? ACRE_TRACE_KEPT : ACRE_TRACE_INSIDE;
    if (node_count(tree, OUTLIER_NODE) > 0) {
        trace_node(trace, OUTLIER_NODE, all, mask);
    }
    trace->quads[0] = test_root(trace, mask);
    for (uint32_t node = ROOT_NODE; node != NONE && !walk->is_stopped;
         node = next_preorder(tree, node)) {
        const uint32_t steps = steps_from_root(tree, node);
        ACRE_INVARIANT(steps <= MAX_LEVEL); // I4
        const four_fates *const fates = &trace->quads[steps];
        const acre_trace_state state = fates->state[node & 3];
        const uint32_t left = fates->mask[node & 3];
        trace_node(trace, node, state, left);
        const uint32_t child = node_child(tree, node);
        if (child) {
            trace->quads[steps + 1] =
                is_out(state) ? same_fates(ACRE_TRACE_SKIPPED) : descend_once(trace, child, left);
        }
    }
}

acre_result acre_quadtree_trace(const acre_quadtree *tree, const acre_query *query,
                                acre_trace_visitor visit, void *user)
{
    if (!tree || !visit || !acre_query_is_valid(query, QUERY_FLAGS)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    query_trace trace;
    trace.visit = visit;
    trace.user = user;
    trace.walk = array_walk(tree, NULL, 0);
    tree_callback callback;
    begin_callback(&callback, tree);
    acre_run_query(&trace.walk, query, trace_nodes);
    end_callback(&callback);
    access_end_read(&tree->access);
    return ACRE_OK;
}

// ---- pictures ----

static uint32_t color_of(acre_trace_state state)
{
    switch (state) {
    case ACRE_TRACE_INSIDE:
        return 0x009e73ff; // green
    case ACRE_TRACE_KEPT:
        return 0xe6b800ff; // yellow
    case ACRE_TRACE_DROPPED:
        return 0xd55e00ff; // red
    case ACRE_TRACE_SKIPPED:
        break;
    }
    return 0x9a9a9a80; // gray
}

void acre_debug_draw_trace_step(const acre_debug_draw *draw, const acre_trace_step *step)
{
    ACRE_ASSERT(draw != NULL && step != NULL);
    if (!draw || !step) {
        return;
    }
    const uint32_t rgba = color_of(step->state);
    const acre_quadtree_place *const node = step->node;
    if (step->part == ACRE_TRACE_ITEM) {
        acre_debug_draw_box(draw, ACRE_DEBUG_ITEMS, &step->bounds, rgba);
    } else if (step->part == ACRE_TRACE_GROUP) {
        acre_debug_draw_box(draw, ACRE_DEBUG_GROUPS, &step->bounds, rgba);
    } else if (node && !node->is_outlier) {
        const acre_aabb flat = {{node->cell_min[0], 0.0f, node->cell_min[1]},
                                {node->cell_max[0], 0.0f, node->cell_max[1]}};
        acre_debug_draw_box(draw, ACRE_DEBUG_STRICT_CELLS, &flat, rgba);
        acre_debug_draw_box(draw, ACRE_DEBUG_STORED_BOUNDS, &step->bounds, rgba);
    }
}
