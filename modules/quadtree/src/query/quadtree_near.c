// SPDX-License-Identifier: MIT
// quadtree_near.c - a visit near first, whose caller says on the way what is hidden.
#include "quadtree_nearing.h"

#include "quadtree_near_shared.h"

typedef struct near_visit {
    query_walk walk; // first, so that a walk leads to its visit
    const acre_near_visitor *visitor;
} near_visit;
static_assert(offsetof(near_visit, walk) == 0, "a walk is cast to its visit");
static_assert(GROUP_SLOTS == 2 * ACRE_NEAR_BLOCK, "a group is two blocks");

// ---- what is hidden ----

// Asks about a node or a group. What the origin is in is not asked about: it is not hidden.
static bool near_is_hidden(const near_visit *visit, const four_boxes *bounds, uint32_t lane,
                           float distance, uint32_t items)
{
    float edges[ROW_COUNT][ACRE_NEAR_BLOCK];
    if (!(distance > 0)) {
        return false;
    }
    for (int row = 0; row < ROW_COUNT; row++) {
        for (int i = 0; i < ACRE_NEAR_BLOCK; i++) {
            edges[row][i] = bounds->row[row][lane];
        }
    }
    const acre_near_boxes asked = {edges[0], ACRE_NEAR_BLOCK, 1, items};
    return visit->visitor->hide(visit->visitor->user, &asked) != 0;
}

// ---- items ----

// Those items of a group that are in the volume.
static uint32_t near_items(near_visit *visit, uint32_t word, uint32_t mask)
{
    query_walk *const walk = &visit->walk;
    const acre_quadtree *const tree = walk->tree;
    const uint32_t words[1 + GROUPS_AHEAD] = {word};
    uint32_t found = present_slots(group_count(word));
    if (mask) {
        walk->stats.items_tested += group_count(word);
        walk->kernel->select_slots(walk->volume, tree->boxes->groups, tree->ids->id, words, &mask,
                                   1, &found);
    } else {
        walk->stats.items_accepted += group_count(word);
    }
    return acre_filter_slots(walk, group_number(word), found, mask != 0);
}

static void show_near_group(near_visit *visit, uint32_t word, uint32_t mask)
{
    const acre_near_visitor *const visitor = visit->visitor;
    const acre_quadtree *const tree = visit->walk.tree;
    const item_group *const groups = tree->boxes->groups; // of all blocks
    const float *const edges = groups[group_number(word)].row[0];
    uint32_t left = near_items(visit, word, mask);
    for (uint32_t first = 0; left && !visit->walk.is_stopped; first += ACRE_NEAR_BLOCK) {
        const uint32_t block = (1u << ACRE_NEAR_BLOCK) - 1, lanes = left >> first & block;
        left &= ~(block << first);
        if (!lanes) {
            continue;
        }
        const acre_near_boxes asked = {edges + first, GROUP_SLOTS, lanes, 1};
        const uint32_t seen = lanes & ~visitor->hide(visitor->user, &asked);
        const acre_item_group shown = {group_ids(tree, group_number(word)), edges, seen << first};
        visit->walk.is_stopped = seen && !visitor->take(visitor->user, &shown);
    }
}

// ---- groups and nodes ----

// Sorts by distance; those as far stay in order.
static void sort_groups(nearest_groups *groups)
{
    for (uint32_t i = 1; i < groups->count; i++) {
        const uint32_t word = groups->words[i], mask = groups->masks[i];
        const float distance = groups->distances[i];
        uint32_t at = i;
        for (; at > 0 && groups->distances[at - 1] > distance; at--) {
            groups->words[at] = groups->words[at - 1];
            groups->masks[at] = groups->masks[at - 1];
            groups->distances[at] = groups->distances[at - 1];
        }
        groups->words[at] = word;
        groups->masks[at] = mask;
        groups->distances[at] = distance;
    }
}

static void show_near_groups(near_visit *visit, nearest_groups *groups)
{
    const block_header *const headers = visit->walk.tree->headers;
    sort_groups(groups);
    for (uint32_t i = 0; i < groups->count && !visit->walk.is_stopped; i++) {
        const uint32_t number = group_number(groups->words[i]);
        if (!near_is_hidden(visit, &headers[number / BLOCK_GROUPS].bounds, number % BLOCK_GROUPS,
                            groups->distances[i], ACRE_GROUP_ITEMS)) {
            show_near_group(visit, groups->words[i], groups->masks[i]);
        }
    }
    groups->count = 0;
}

static void show_near_chain(near_visit *visit, uint32_t node, uint32_t mask)
{
    nearest_groups groups;
    groups.count = 0;
    const acre_quadtree *const tree = visit->walk.tree;
    for (chain_walk at = chain_first(tree, node); at.count; at = chain_next(tree, at)) {
        if (groups.count > NEAREST_GROUPS - BLOCK_GROUPS) {
            show_near_groups(visit, &groups);
        }
        list_near_groups(&visit->walk, &groups, at.block, at.count, mask);
    }
    show_near_groups(visit, &groups);
}

static void visit_near_nodes(query_walk *walk, uint32_t mask)
{
    near_visit *const visit = (near_visit *)(void *)walk; // the walk is its first member
    const acre_quadtree *const tree = walk->tree;
    nearest_stack stack;
    stack.count = 0;
    show_near_chain(visit, OUTLIER_NODE, mask);
    push_near(walk, INFINITY, &stack, 0, mask);
    while (stack.count > 0 && !walk->is_stopped) {
        const uint32_t top = --stack.count, node = stack.nodes[top], node_mask = stack.masks[top];
        if (near_is_hidden(visit, &tree->quads[node >> 2].bounds, node & 3, stack.distances[top],
                           ACRE_NEAR_NODE_ITEMS)) {
            continue;
        }
        show_near_chain(visit, node, node_mask);
        if (node_child(tree, node)) {
            push_near(walk, INFINITY, &stack, node_child(tree, node), node_mask);
        }
    }
}

acre_result acre_quadtree_visit_near(const acre_quadtree *tree, const acre_query *query,
                                     const acre_near_visitor *visitor)
{
    const acre_result result =
        start_read(tree, visitor && acre_nearest_is_valid(query) && query->origin);
    if (result != ACRE_OK) {
        return result;
    }
    near_visit visit = {.walk = array_walk(tree, NULL, 0), .visitor = visitor};
    tree_callback callback;
    begin_callback(&callback, tree);
    acre_run_query(&visit.walk, query, visit_near_nodes);
    end_callback(&callback);
    acre_notify_of_part(tree, query);
    access_end_read(&tree->access);
    return ACRE_OK;
}
