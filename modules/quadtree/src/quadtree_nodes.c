// SPDX-License-Identifier: MIT
// quadtree_nodes.c - split and collapse of cells, and the stored bounds of nodes.
#include "quadtree_internal.h"

row_box acre_node_bounds(const acre_quadtree *tree, uint32_t node)
{
    row_box bounds;
    for (int i = 0; i < ROW_COUNT; i++) {
        bounds.row[i] = tree->quads[node >> 2].bounds[i][node & 3];
    }
    return bounds;
}

void acre_set_node_bounds(acre_quadtree *tree, uint32_t node, const row_box *bounds)
{
    for (int i = 0; i < ROW_COUNT; i++) {
        tree->quads[node >> 2].bounds[i][node & 3] = bounds->row[i];
    }
}

// Grows a node and its ancestors, up to the first that contains the bounds already.
void acre_grow_node_bounds(acre_quadtree *tree, uint32_t node, const row_box *bounds)
{
    for (; node != NONE; node = node_parent(tree, node)) {
        row_box merged = acre_node_bounds(tree, node);
        if (rows_contain(&merged, bounds)) {
            return;
        }
        rows_merge(&merged, bounds);
        acre_set_node_bounds(tree, node, &merged);
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

// A node's bounds and layers from its own blocks and its children's stored ones.
static void gather_node(acre_quadtree *tree, uint32_t node)
{
    row_box bounds = acre_rows_empty();
    for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
        rows_merge(&bounds, &tree->headers[walk.block].bounds);
    }
    const uint32_t child = node_child(tree, node);
    for (uint32_t slot = 0; child && slot < 4; slot++) {
        const row_box part = acre_node_bounds(tree, child * 4 + slot);
        rows_merge(&bounds, &part);
    }
    acre_set_node_bounds(tree, node, &bounds);
    if (tree->layers) {
        uint32_t sum = chain_layers(tree, node);
        for (uint32_t slot = 0; child && slot < 4; slot++) {
            sum |= tree->cold[child].layers[slot];
        }
        tree->cold[node >> 2].layers[node & 3] = sum;
    }
}

void acre_gather_quad(acre_quadtree *tree, uint32_t quad_index)
{
    for (uint32_t slot = 0; slot < 4; slot++) {
        const uint32_t node = quad_index * 4 + slot;
        if (node != OUTLIER_NODE) {
            gather_node(tree, node);
        }
    }
}

// Tightens the bounds of four siblings to their blocks' items and their children's bounds.
void acre_refit_quad(acre_quadtree *tree, uint32_t quad_index)
{
    for (uint32_t slot = 0; slot < 4; slot++) {
        const uint32_t node = quad_index * 4 + slot;
        if (node == OUTLIER_NODE) {
            continue;
        }
        for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
            acre_refit_block(tree, walk.block, walk.count);
        }
    }
    acre_gather_quad(tree, quad_index);
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

// Whether an item of this box belongs below a cell of this level.
static bool belongs_deeper(const acre_quadtree *tree, const row_box *box, uint32_t level)
{
    return level > 0 && acre_grid_fits_level(&tree->grid, box, level - 1);
}

static uint32_t count_movers(const acre_quadtree *tree, uint32_t node)
{
    const uint32_t level = node_level(tree, node);
    uint32_t movers = 0;
    for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
        for (uint32_t slot = 0; slot < walk.count; slot++) {
            const row_box box = read_rows(tree, location_of(walk.block, slot));
            movers += belongs_deeper(tree, &box, level);
        }
    }
    return movers;
}

// Moves what fits from a node into its new children. Slots are taken from the last to the first:
// the hole that an item leaves is filled by one that was looked at already.
static void distribute(acre_quadtree *tree, uint32_t node, uint32_t child)
{
    const uint32_t level = node_level(tree, node);
    chain_walk walk = chain_first(tree, node);
    while (walk.count) {
        const chain_walk next = chain_next(tree, walk);
        for (uint32_t slot = walk.count; slot-- > 0;) {
            const uint32_t location = location_of(walk.block, slot);
            const row_box box = read_rows(tree, location);
            if (!belongs_deeper(tree, &box, level)) {
                continue;
            }
            const placement place = acre_grid_place(&tree->grid, &box);
            const cell first = node_cell(tree, child * 4);
            const uint32_t east = (uint32_t)(place.x - first.x) >> first.level;
            const uint32_t south = (uint32_t)(place.z - first.z) >> first.level;
            const uint32_t item = tree->ids[walk.block].id[slot];
            acre_detach_item(tree, location);
            acre_attach_item(tree, child * 4 + (east | south << 1), item, &box);
        }
        walk = next;
    }
}

// Splits a leaf into four, if depth and memory allow it and enough items would move.
bool acre_split_node(acre_quadtree *tree, uint32_t node)
{
    const uint32_t level = node_level(tree, node);
    const uint32_t count = node_count(tree, node);
    if (node == OUTLIER_NODE || level == 0 || node_child(tree, node)) {
        return false;
    }
    if (count_movers(tree, node) * (uint64_t)SPLIT_MOVERS_DIVISOR < count) {
        tree->cold[node >> 2].retry[node & 3] = 2 * count;
        return false;
    }
    if (!acre_ensure_blocks(tree, tree->item_count, acre_tree_nodes(tree) + 4) ||
        !acre_ensure_quads(tree, 1)) {
        tree->cold[node >> 2].retry[node & 3] = count + BLOCK_SLOTS;
        return false;
    }
    const cell square = node_cell(tree, node);
    const uint32_t child = acre_take_quad(tree, node, (cell){square.x, square.z, level - 1});
    tree->quads[node >> 2].child[node & 3] = child;
    distribute(tree, node, child);
    acre_label_chain(tree, node);
    tree->work.splits++;
    return true;
}

// Splits a node that passed its capacity, and the children that pass it in turn.
void acre_split_if_full(acre_quadtree *tree, uint32_t node)
{
    uint32_t
        stack[3 * MAX_LEVEL + 4]; // a split takes one entry off and puts four on, one level down
    uint32_t depth = 0;
    stack[depth++] = node;
    while (depth > 0) {
        node = stack[--depth];
        const uint32_t count = node_count(tree, node);
        if (count <= tree->def.node_capacity || count < tree->cold[node >> 2].retry[node & 3] ||
            !acre_split_node(tree, node)) {
            continue;
        }
        const uint32_t child = node_child(tree, node);
        for (uint32_t slot = 4; slot-- > 0;) {
            stack[depth++] = child * 4 + slot;
        }
    }
}

static bool is_collapsible(const acre_quadtree *tree, uint32_t quad_index)
{
    const quad *const siblings = &tree->quads[quad_index];
    uint64_t sum = node_count(tree, tree->cold[quad_index].parent);
    uint32_t children = 0;
    for (uint32_t slot = 0; slot < 4; slot++) {
        children |= siblings->child[slot];
        sum += tree->cold[quad_index].count[slot];
    }
    return children == 0 && sum <= tree->def.node_capacity / COLLAPSE_DIVISOR;
}

// Parent collapse, after a node lost an item: its children, or else it with its siblings, go back
// into their parent if they hold little; then the parent's siblings in turn.
void acre_collapse_upward(acre_quadtree *tree, uint32_t node)
{
    const uint32_t child = node_child(tree, node);
    for (uint32_t q = child ? child : node >> 2; q != 0 && is_collapsible(tree, q);) {
        const uint32_t parent = tree->cold[q].parent;
        for (uint32_t slot = 0; slot < 4; slot++) {
            while (tree->cold[q].count[slot] > 0) {
                const uint32_t word = tree->quads[q].items[slot];
                const uint32_t last = chain_count(word) - 1;
                const uint32_t item = tree->ids[chain_block(word)].id[last];
                const row_box box = read_rows(tree, tree->locations[item]);
                acre_detach_item(tree, tree->locations[item]);
                acre_attach_item(tree, parent, item, &box);
            }
        }
        tree->quads[parent >> 2].child[parent & 3] = 0;
        tree->cold[parent >> 2].retry[parent & 3] = 0;
        acre_free_quad(tree, q);
        acre_label_chain(tree, parent);
        if (node_count(tree, parent) == 0) {
            const row_box empty = acre_rows_empty();
            acre_set_node_bounds(tree, parent, &empty);
        }
        tree->work.collapses++;
        q = parent >> 2;
    }
}

acre_result acre_quadtree_tighten(acre_quadtree *tree)
{
    if (!tree) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    for (uint32_t q = acre_first_postorder(tree, 0); q != NONE; q = acre_next_postorder(tree, q)) {
        acre_refit_quad(tree, q);
    }
    TELL(tree, .kind = ACRE_QUADTREE_CALL_TIGHTEN);
    access_end_write(&tree->access);
    return ACRE_OK;
}

// The next quads in turn: bounds, and leaves whose split had to wait.
static void maintain_quads(acre_quadtree *tree)
{
    uint32_t budget = tree->live_quads / MAINTAIN_DIVISOR + 1;
    for (uint32_t seen = tree->quad_count; budget > 0 && seen > 0; seen--) {
        const uint32_t q = tree->maintain_cursor;
        tree->maintain_cursor = q + 1 < tree->quad_count ? q + 1 : 0;
        if (tree->cold[q].level == NONE) {
            continue;
        }
        budget--;
        acre_refit_quad(tree, q);
        for (uint32_t slot = 0; slot < 4; slot++) {
            if (tree->cold[q].count[slot] > tree->def.node_capacity) {
                tree->cold[q].retry[slot] = 0;
                acre_split_if_full(tree, q * 4 + slot);
            }
        }
    }
}

acre_result acre_quadtree_maintain(acre_quadtree *tree)
{
    if (!tree) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    maintain_quads(tree);
    if (tree->shrink_wait < SHRINK_DELAY) {
        tree->shrink_wait++;
    } else if (acre_shrink_root(tree)) {
        tree->shrink_wait = 0;
    }
    TELL(tree, .kind = ACRE_QUADTREE_CALL_MAINTAIN);
    access_end_write(&tree->access);
    return ACRE_OK;
}
