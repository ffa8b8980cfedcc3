// SPDX-License-Identifier: MIT
// quadtree_nodes.c - where an item goes, and how cells split and collapse.
#include "quadtree_internal.h"

bool acre_root_covers(const acre_quadtree *tree, const placement *place)
{
    const cell root = node_cell(tree, ROOT_NODE);
    return !place->is_outlier && place->level <= root.level &&
           cell_holds(&root, place->x, place->z);
}

// The deepest existing node that may hold the placement: up from the start to the first cell that
// holds it, then down.
uint32_t acre_find_node(const acre_quadtree *tree, uint32_t start, const placement *place)
{
    if (!acre_root_covers(tree, place)) {
        return OUTLIER_NODE;
    }
    uint32_t node = start == OUTLIER_NODE ? ROOT_NODE : start;
    cell square = node_cell(tree, node);
    while (square.level < place->level || !cell_holds(&square, place->x, place->z)) {
        node = node_parent(tree, node);
        square = node_cell(tree, node);
    }
    for (uint32_t child; (child = node_child(tree, node)) != 0 && square.level > place->level;) {
        square.level--;
        const uint32_t east = (uint32_t)(place->x - square.x) >> square.level;
        const uint32_t south = (uint32_t)(place->z - square.z) >> square.level;
        node = child * 4 + (east | south << 1);
        square.x += (int32_t)(east << square.level);
        square.z += (int32_t)(south << square.level);
    }
    return node;
}

// Whether an item of this box belongs into cells of this level, each so wide. Float subtraction is
// monotone, so only an extent that rounds to the width itself needs the exact answer.
static bool belongs_deeper(const acre_quadtree *tree, const row_box *box, uint32_t level,
                           float width)
{
    const float x = box->row[ROW_X_MAX] - box->row[ROW_X_MIN];
    const float z = box->row[ROW_Z_MAX] - box->row[ROW_Z_MIN];
    const float extent = x > z ? x : z;
    return extent == width ? acre_grid_fits_level(&tree->grid, box, level) : extent < width;
}

// level: of the cells below the node.
static uint32_t count_movers(const acre_quadtree *tree, uint32_t node, uint32_t level)
{
    const float width = acre_grid_cell_size(&tree->grid, level);
    uint32_t movers = 0;
    for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
        for (uint32_t slot = 0; slot < walk.count; slot++) {
            const row_box box = location_box(tree, location_of(walk.block, slot));
            movers += belongs_deeper(tree, &box, level, width);
        }
    }
    return movers;
}

// Which of four siblings holds a box's center. Comparisons name one of them even if the program has
// changed how floats are rounded, and the center is now in none of them.
static uint32_t sibling_of(const acre_quadtree *tree, const cell *first, const row_box *box)
{
    const int32_t side = (int32_t)1 << first->level;
    const float x = box_center(box->row[ROW_X_MIN], box->row[ROW_X_MAX]);
    const float z = box_center(box->row[ROW_Z_MIN], box->row[ROW_Z_MAX]);
    const uint32_t east = grid_index(&tree->grid, 0, x) >= first->x + side;
    const uint32_t south = grid_index(&tree->grid, 1, z) >= first->z + side;
    return east | south << 1;
}

// Moves what fits from a node into its new children. Slots are taken from the last to the first:
// the hole that an item leaves is filled by one that was looked at already.
static void hand_some_down(acre_quadtree *tree, uint32_t node, uint32_t child)
{
    const cell first = node_cell(tree, child * 4);
    const float width = acre_grid_cell_size(&tree->grid, first.level);
    chain_walk walk = chain_first(tree, node);
    while (walk.count) {
        const chain_walk next = chain_next(tree, walk);
        for (uint32_t slot = walk.count; slot-- > 0;) {
            const uint32_t location = location_of(walk.block, slot);
            const row_box box = location_box(tree, location);
            if (belongs_deeper(tree, &box, first.level, width)) {
                const uint32_t item = tree->ids[walk.block].id[slot];
                acre_detach_item(tree, location);
                acre_attach_item(tree, child * 4 + sibling_of(tree, &first, &box), item, &box);
            }
        }
        walk = next;
    }
}

// The same where everything moves, block by block: bounds are fitted once, at the end.
static void hand_all_down(acre_quadtree *tree, uint32_t node, uint32_t child)
{
    const cell first = node_cell(tree, child * 4);
    chain_walk walk = chain_first(tree, node);
    while (walk.count) {
        const chain_walk next = chain_next(tree, walk);
        for (uint32_t slot = walk.count; slot-- > 0;) {
            const uint32_t item = tree->ids[walk.block].id[slot];
            const row_box box = location_box(tree, location_of(walk.block, slot));
            if (slot == 0) {
                acre_free_block(tree, walk.block); // there may be none for the last item
            }
            acre_append_item(tree, child * 4 + sibling_of(tree, &first, &box), item, &box);
        }
        walk = next;
    }
    *node_items(tree, node) = 0;
    tree->cold[node >> 2].count[node & 3] = 0;
    tree->cold[node >> 2].retry[node & 3] = 0;
    for (uint32_t slot = 0; slot < 4; slot++) {
        acre_node_groups_from_items(tree, child * 4 + slot);
    }
    acre_quad_bounds_from_groups(tree, child);
}

// Splits a leaf into four, if depth and memory allow it and enough items would move.
static bool split_node(acre_quadtree *tree, uint32_t node)
{
    const uint32_t level = node_level(tree, node);
    const uint32_t count = node_count(tree, node);
    if (node == OUTLIER_NODE || level == 0 || node_child(tree, node)) {
        return false;
    }
    const uint32_t movers = count_movers(tree, node, level - 1);
    if (movers * (uint64_t)SPLIT_MOVERS_DIVISOR < count) {
        tree->cold[node >> 2].retry[node & 3] = 2 * count;
        return false;
    }
    if (!acre_ensure_blocks(tree, (size_t)tree->item_count + tree->expected_items,
                            acre_tree_nodes(tree) + 4) ||
        !acre_ensure_quads(tree, 1)) {
        tree->cold[node >> 2].retry[node & 3] = count + BLOCK_SLOTS;
        return false;
    }
    const cell square = node_cell(tree, node);
    const uint32_t child = acre_take_quad(tree, node, (cell){square.x, square.z, level - 1});
    tree->quads[node >> 2].child[node & 3] = child;
    (movers < count ? hand_some_down : hand_all_down)(tree, node, child);
    acre_write_headers(tree, node);
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
            !split_node(tree, node)) {
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
                const row_box box = location_box(tree, tree->locations[item]);
                acre_detach_item(tree, tree->locations[item]);
                acre_attach_item(tree, parent, item, &box);
            }
        }
        tree->quads[parent >> 2].child[parent & 3] = 0;
        tree->cold[parent >> 2].retry[parent & 3] = 0;
        acre_free_quad(tree, q);
        acre_write_headers(tree, parent);
        if (node_count(tree, parent) == 0) {
            const row_box empty = rows_empty();
            set_node_bounds(tree, parent, &empty);
        }
        tree->work.collapses++;
        q = parent >> 2;
    }
}
