// SPDX-License-Identifier: MIT
// quadtree_bounds.c - the stored bounds and layers of nodes: grown at once, tightened in turn.
#include "quadtree_internal.h"

// Grows a node and its ancestors, up to the first that contains the bounds already.
void acre_grow_node_bounds(acre_quadtree *tree, uint32_t node, const row_box *bounds)
{
    for (; node != NONE; node = node_parent(tree, node)) {
        row_box merged = node_bounds(tree, node);
        if (rows_contain(&merged, bounds)) {
            return;
        }
        rows_merge(&merged, bounds);
        set_node_bounds(tree, node, &merged);
    }
}

void acre_grow_node_layers(acre_quadtree *tree, uint32_t node, uint32_t layers)
{
    for (; node != NONE; node = node_parent(tree, node)) {
        uint32_t *const sum = &tree->cold[node >> 2].layers[node & 3];
        if ((*sum & layers) == layers) {
            return;
        }
        *sum |= layers;
    }
}

// Tightens the bounds of the group at a location to its items, whose number is given.
static void refit_group(acre_quadtree *tree, uint32_t location, uint32_t count)
{
    row_box bounds = rows_empty();
    for (uint32_t slot = 0; slot < count; slot++) {
        const row_box box = location_box(tree, location + slot);
        rows_merge(&bounds, &box);
    }
    set_group_bounds(tree, location, &bounds);
}

// Tightens the bounds of some of a block's groups, a set, to its items, whose number is given.
void acre_group_bounds_from_items(acre_quadtree *tree, uint32_t block, uint32_t count,
                                  uint32_t groups)
{
    if (tree->headers[block].node == OUTLIER_NODE) {
        return;
    }
    for (uint32_t first = 0; first < count; first += GROUP_SLOTS) {
        const uint32_t rest = count - first;
        if (groups >> first / GROUP_SLOTS & 1) {
            refit_group(tree, location_of(block, first), rest < GROUP_SLOTS ? rest : GROUP_SLOTS);
        }
    }
}

// Grows bounds by those of a block's groups; groups without items have empty ones.
static void merge_block(const acre_quadtree *tree, uint32_t block, row_box *into)
{
    for (uint32_t group = 0; group < BLOCK_GROUPS; group++) {
        const row_box bounds = lane_box(&tree->headers[block].bounds, group);
        rows_merge(into, &bounds);
    }
}

static uint32_t chain_layers(const acre_quadtree *tree, uint32_t node)
{
    uint32_t sum = 0;
    for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
        for (uint32_t slot = 0; slot < walk.count; slot++) {
            sum |= tree->layers[tree->ids[walk.block].id[slot]];
        }
    }
    return sum;
}

// A node's bounds and layers from its own blocks and its children's stored ones. Those of outliers
// are not kept.
void acre_node_bounds_from_groups(acre_quadtree *tree, uint32_t node)
{
    row_box bounds = rows_empty();
    if (node == OUTLIER_NODE) {
        return;
    }
    for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
        merge_block(tree, walk.block, &bounds);
    }
    const uint32_t child = node_child(tree, node);
    for (uint32_t slot = 0; child && slot < 4; slot++) {
        const row_box part = node_bounds(tree, child * 4 + slot);
        rows_merge(&bounds, &part);
    }
    set_node_bounds(tree, node, &bounds);
    if (tree->layers) {
        uint32_t sum = chain_layers(tree, node);
        for (uint32_t slot = 0; child && slot < 4; slot++) {
            sum |= tree->cold[child].layers[slot];
        }
        tree->cold[node >> 2].layers[node & 3] = sum;
    }
}

void acre_quad_bounds_from_groups(acre_quadtree *tree, uint32_t quad_index)
{
    for (uint32_t slot = 0; slot < 4; slot++) {
        acre_node_bounds_from_groups(tree, quad_index * 4 + slot);
    }
}

// Tightens the bounds of a node's groups to their items.
void acre_node_groups_from_items(acre_quadtree *tree, uint32_t node)
{
    for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
        acre_group_bounds_from_items(tree, walk.block, walk.count, ALL_GROUPS);
    }
}

// Tightens the bounds of four siblings to their items and their children's bounds.
void acre_quad_bounds_from_items(acre_quadtree *tree, uint32_t quad_index)
{
    for (uint32_t slot = 0; slot < 4; slot++) {
        acre_node_groups_from_items(tree, quad_index * 4 + slot);
    }
    acre_quad_bounds_from_groups(tree, quad_index);
    tree->work.tightened += 4;
}

uint32_t acre_first_postorder(const acre_quadtree *tree, uint32_t quad_index)
{
    for (uint32_t slot = 0; slot < 4; slot++) {
        if (tree->quads[quad_index].child[slot]) {
            quad_index = tree->quads[quad_index].child[slot];
            slot = UINT32_MAX; // starts again in the child
        }
    }
    return quad_index;
}

uint32_t acre_next_postorder(const acre_quadtree *tree, uint32_t quad_index)
{
    const uint32_t parent = tree->cold[quad_index].parent;
    if (parent == NONE) {
        return NONE;
    }
    for (uint32_t slot = (parent & 3) + 1; slot < 4; slot++) {
        const uint32_t child = tree->quads[parent >> 2].child[slot];
        if (child) {
            return acre_first_postorder(tree, child);
        }
    }
    return parent >> 2;
}
