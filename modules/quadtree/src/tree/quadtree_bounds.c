// SPDX-License-Identifier: MIT
// quadtree_bounds.c - stored bounds and layers of nodes. They grow at once and are tightened in
// turn.
#include "quadtree_tree.h"

// Grows the bounds of a node and its ancestors, up to the first ancestor that already contains the
// box.
void acre_grow_node_bounds(acre_quadtree *tree, uint32_t node, const row_box *bounds)
{
    for (; node != NONE; node = node_parent(tree, node)) {
        ACRE_INVARIANT(is_live_quad(tree, node >> 2));
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
    ACRE_INVARIANT(tree->layers != NULL);
    for (; node != NONE; node = node_parent(tree, node)) {
        uint32_t *const sum = &tree->cold[node >> 2].layers[node & 3];
        if ((*sum & layers) == layers) {
            return;
        }
        *sum |= layers;
    }
}

// Makes the bounds of the group at a location from its `count` items.
static void tighten_group(acre_quadtree *tree, uint32_t location, uint32_t count)
{
    row_box bounds = rows_empty();
    ACRE_INVARIANT(location % GROUP_SLOTS == 0 && count <= GROUP_SLOTS);
    for (uint32_t slot = 0; slot < count; slot++) {
        const row_box box = location_box(tree, location + slot);
        rows_merge(&bounds, &box);
    }
    set_group_bounds(tree, location, &bounds);
}

// Makes the bounds of a set of groups from their items. count: the items of the block.
void acre_group_bounds_from_items(acre_quadtree *tree, uint32_t block, uint32_t count,
                                  uint32_t groups)
{
    ACRE_INVARIANT(block < tree->block_count && count <= BLOCK_SLOTS);
    if (tree->headers[block].node == OUTLIER_NODE) {
        return;
    }
    for (uint32_t first = 0; first < count; first += GROUP_SLOTS) {
        const uint32_t rest = count - first;
        if (groups >> first / GROUP_SLOTS & 1) {
            tighten_group(tree, location_of(block, first), rest < GROUP_SLOTS ? rest : GROUP_SLOTS);
        }
    }
}

// Grows bounds by those of a block's groups. Groups without items have empty bounds.
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

// Makes a node's bounds and layers from its groups' bounds and its children's bounds and layers.
// The outliers' list has no bounds.
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

// The same for four siblings.
void acre_quad_bounds_from_groups(acre_quadtree *tree, uint32_t quad_index)
{
    for (uint32_t slot = 0; slot < 4; slot++) {
        acre_node_bounds_from_groups(tree, quad_index * 4 + slot);
    }
}

// Whether the centers of a node's own items span more height than its cell is wide, and the bands
// that divide them.
bool acre_bands_from_items(const acre_quadtree *tree, uint32_t node, height_bands *out)
{
    const float width = acre_grid_cell_size(&tree->grid, node_level(tree, node));
    const row_box bounds = node_bounds(tree, node);
    if (!(bounds.row[ROW_Y_MAX] - bounds.row[ROW_Y_MIN] > width)) {
        return false; // no need to look at the items
    }
    float low = FLT_MAX, high = -FLT_MAX;
    for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
        for (uint32_t slot = 0; slot < walk.count; slot++) {
            const row_box box = location_box(tree, location_of(walk.block, slot));
            const float center = center_height(&box);
            low = center < low ? center : low;
            high = center > high ? center : high;
        }
    }
    return acre_bands_create(out, low, high, width);
}

// Makes the bounds of a node's groups from their items.
void acre_node_groups_from_items(acre_quadtree *tree, uint32_t node)
{
    for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
        acre_group_bounds_from_items(tree, walk.block, walk.count, ALL_GROUPS);
    }
}

// Makes the bounds of four siblings from their items and their children's bounds.
void acre_quad_bounds_from_items(acre_quadtree *tree, uint32_t quad_index)
{
    for (uint32_t slot = 0; slot < 4; slot++) {
        acre_node_groups_from_items(tree, quad_index * 4 + slot);
    }
    acre_quad_bounds_from_groups(tree, quad_index);
    tree->work.tightened += 4;
}

// The first quad, in postorder, of the subtree of a quad.
uint32_t acre_first_postorder(const acre_quadtree *tree, uint32_t quad_index)
{
    for (uint32_t slot = 0; slot < 4; slot++) {
        if (tree->quads[quad_index].child[slot]) {
            quad_index = tree->quads[quad_index].child[slot];
            ACRE_INVARIANT(quad_index < tree->quad_count);
            slot = UINT32_MAX; // so that the loop starts again in the child
        }
    }
    return quad_index;
}

// The quad after another in postorder: children before parents. NONE after quad 0.
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
