// SPDX-License-Identifier: MIT
// quadtree_root.c - grows the root toward items outside it, shrinks it back, and places outliers.
//
// Nothing is renumbered: the content of the old root moves into the child of the new root that
// covers the same ground, and everything below stays where it is.
#include "quadtree_tree.h"

// A cell one level higher that holds the root, grown toward the finest cell (x, z).
static cell grown_toward(cell root, int32_t x, int32_t z)
{
    const int32_t size = (int32_t)(1u << root.level);
    return (cell){x < root.x ? root.x - size : root.x, z < root.z ? root.z - size : root.z,
                  root.level + 1};
}

// Moves the content of a node, with its subtree, to an empty node.
static void move_node(acre_quadtree *tree, uint32_t from, uint32_t to)
{
    quad *const source = &tree->quads[from >> 2], *const target = &tree->quads[to >> 2];
    quad_cold *const source_cold = &tree->cold[from >> 2], *const target_cold =
                                                               &tree->cold[to >> 2];
    const row_box bounds = node_bounds(tree, from), empty = rows_empty();
    set_node_bounds(tree, to, &bounds);
    set_node_bounds(tree, from, &empty);
    target->child[to & 3] = source->child[from & 3];
    target->items[to & 3] = source->items[from & 3];
    target_cold->count[to & 3] = source_cold->count[from & 3];
    target_cold->retry[to & 3] = source_cold->retry[from & 3];
    target_cold->layers[to & 3] = source_cold->layers[from & 3];
    source->child[from & 3] = source->items[from & 3] = 0;
    source_cold->count[from & 3] = source_cold->retry[from & 3] = source_cold->layers[from & 3] = 0;
    if (target->child[to & 3]) {
        ACRE_INVARIANT(tree->cold[target->child[to & 3]].parent == from); // I4
        tree->cold[target->child[to & 3]].parent = to;
    }
    acre_write_headers(tree, to);
}

// Makes the root one level larger. There is room for a quad.
static void grow_once(acre_quadtree *tree, cell grown)
{
    const cell old = node_cell(tree, ROOT_NODE);
    const row_box bounds = node_bounds(tree, ROOT_NODE);
    const uint32_t layers = tree->cold[0].layers[ROOT_NODE];
    const uint32_t child = acre_take_quad(tree, ROOT_NODE, (cell){grown.x, grown.z, old.level});
    const uint32_t slot = (uint32_t)(old.x != grown.x) | (uint32_t)(old.z != grown.z) << 1;
    ACRE_INVARIANT(grown.level == old.level + 1 && cell_holds(&grown, old.x, old.z));
    move_node(tree, ROOT_NODE, child * 4 + slot);
    tree->cold[0].x = grown.x;
    tree->cold[0].z = grown.z;
    tree->cold[0].level = grown.level;
    tree->cold[0].layers[ROOT_NODE] = layers;
    tree->quads[0].child[ROOT_NODE] = child;
    set_node_bounds(tree, ROOT_NODE, &bounds);
    tree->work.grows++;
}

// Moves the outliers that the root can hold now into cells (I9).
static void place_outliers(acre_quadtree *tree)
{
    chain_walk walk = chain_first(tree, OUTLIER_NODE);
    while (walk.count) {
        const chain_walk next = chain_next(tree, walk);
        for (uint32_t slot = walk.count; slot-- > 0;) {
            const uint32_t location = location_of(walk.block, slot);
            const row_box box = location_box(tree, location);
            const placement place = acre_grid_place(&tree->grid, &box);
            if (!acre_root_covers(tree, &place)) {
                continue;
            }
            const uint32_t item = tree->ids[walk.block].id[slot];
            const uint32_t node = acre_find_node(tree, ROOT_NODE, &place, &box);
            acre_detach_item(tree, location);
            acre_attach_item(tree, node, item, &box);
            acre_split_if_full(tree, node);
        }
        walk = next;
    }
}

// The smallest root that holds this one and covers the placement; the same root if none does.
cell acre_grown_root(cell root, const placement *place)
{
    cell grown = root;
    while (!cell_holds(&grown, place->x, place->z) && grown.level < MAX_LEVEL) {
        grown = grown_toward(grown, place->x, place->z);
    }
    const bool covers =
        !place->is_outlier && place->level <= grown.level && cell_holds(&grown, place->x, place->z);
    return covers ? grown : root;
}

// Grows the root until it covers the placement, if a root can and memory allows it.
bool acre_grow_root(acre_quadtree *tree, const placement *place)
{
    const cell root = node_cell(tree, ROOT_NODE);
    uint32_t steps = acre_grown_root(root, place).level - root.level;
    if (steps == 0 || !acre_make_room(tree, steps)) {
        return false;
    }
    while (steps-- > 0) {
        grow_once(tree, grown_toward(node_cell(tree, ROOT_NODE), place->x, place->z));
    }
    ACRE_INVARIANT(acre_root_covers(tree, place));
    tree->shrink_wait = 0;
    place_outliers(tree);
    return true;
}

// The slot of the only child that may become the root: the one that covers the home square (I10).
static uint32_t inner_slot(const acre_quadtree *tree)
{
    const cell root = node_cell(tree, ROOT_NODE);
    const int32_t half = (int32_t)(1u << (root.level - 1));
    const uint32_t east = tree->home.x >= root.x + half;
    const uint32_t south = tree->home.z >= root.z + half;
    return east | south << 1;
}

// Whether all items of the tree but outliers are in one child of the root.
static bool only_child_is(const acre_quadtree *tree, uint32_t slot)
{
    const uint32_t q = tree->quads[0].child[ROOT_NODE];
    bool is_alone = tree->cold[0].count[ROOT_NODE] == 0;
    for (uint32_t other = 0; other < 4; other++) {
        const bool is_empty = !tree->quads[q].child[other] && !tree->cold[q].count[other];
        is_alone &= other == slot || is_empty;
    }
    return is_alone;
}

// Whether every item of a leaf root fits the smaller root.
static bool leaf_fits(const acre_quadtree *tree, const cell *smaller)
{
    if (is_too_full(tree, node_count(tree, ROOT_NODE), tree->item_count)) {
        return false; // the work has a bound
    }
    for (chain_walk walk = chain_first(tree, ROOT_NODE); walk.count;
         walk = chain_next(tree, walk)) {
        for (uint32_t slot = 0; slot < walk.count; slot++) {
            const row_box box = location_box(tree, location_of(walk.block, slot));
            const placement place = acre_grid_place(&tree->grid, &box);
            if (place.level > smaller->level || !cell_holds(smaller, place.x, place.z)) {
                return false;
            }
        }
    }
    return true;
}

// Makes the root one level smaller if everything in it fits there.
bool acre_shrink_root(acre_quadtree *tree)
{
    const cell root = node_cell(tree, ROOT_NODE);
    if (root.level <= tree->home.level) {
        return false;
    }
    const uint32_t slot = inner_slot(tree);
    const int32_t half = (int32_t)(1u << (root.level - 1));
    const cell smaller = {root.x + (int32_t)(slot & 1) * half, root.z + (int32_t)(slot >> 1) * half,
                          root.level - 1};
    const uint32_t child = tree->quads[0].child[ROOT_NODE];
    if (child && is_banded(tree, child)) {
        return false; // bands do not say which quarters are empty
    }
    if (child ? !only_child_is(tree, slot) : !leaf_fits(tree, &smaller)) {
        return false;
    }
    ACRE_INVARIANT(cell_holds(&smaller, tree->home.x, tree->home.z)); // I10
    tree->cold[0].x = smaller.x;
    tree->cold[0].z = smaller.z;
    tree->cold[0].level = smaller.level;
    if (child) {
        move_node(tree, child * 4 + slot, ROOT_NODE);
        acre_free_quad(tree, child);
    } else {
        tree->cold[0].retry[ROOT_NODE] = 0;
        acre_write_headers(tree, ROOT_NODE);
    }
    acre_quad_bounds_from_items(tree, 0);
    tree->work.shrinks++;
    return true;
}

bool acre_has_many_outliers(const acre_quadtree *tree, size_t outliers)
{
    return outliers > STRAYS_LEAST && outliers * STRAYS_DIVISOR > tree->item_count;
}
