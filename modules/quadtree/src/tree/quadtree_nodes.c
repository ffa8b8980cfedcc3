// SPDX-License-Identifier: MIT
// quadtree_nodes.c - finds the node for an item; splits cells, and collapses them.
#include "quadtree_tree.h"

// Whether a cell of the root can hold the placement.
bool acre_root_covers(const acre_quadtree *tree, const placement *place)
{
    const cell root = quarter_cell(tree, ROOT_NODE);
    return !place->is_outlier && place->level <= root.level &&
           cell_holds(&root, place->x, place->z);
}

// acre_find_covered_node in a tree that has bands. The root covers the placement.
ACRE_NEVER_INLINE
static uint32_t find_among_bands(const acre_quadtree *tree, uint32_t node, const placement *place,
                                 const row_box *box)
{
    cell square = node_cell(tree, node);
    while (square.level < place->level || !cell_holds(&square, place->x, place->z)) {
        node = node_parent(tree, node);
        ACRE_INVARIANT(node != NONE); // the root covers the placement
        square = node_cell(tree, node);
    }
    for (uint32_t child; (child = node_child(tree, node)) != 0;) {
        if (is_banded(tree, child)) {
            node = child * 4 + band_of(&tree->cold[child].bands, center_height(box));
            continue;
        }
        if (square.level == place->level) {
            break;
        }
        const uint32_t level = square.level - 1;
        const uint32_t east = (uint32_t)(place->x - square.x) >> level;
        const uint32_t south = (uint32_t)(place->z - square.z) >> level;
        node = child * 4 + (east | south << 1);
        square = quarter_cell(tree, node);
        ACRE_INVARIANT(cell_holds(&square, place->x, place->z) && (east | south) <= 1);
    }
    ACRE_INVARIANT(square.level >= place->level); // I5
    return node;
}

// The deepest existing node that can hold the placement of a box, which the root covers. The search
// goes up from the start to the first cell that holds it, then down. So it keeps to the bands
// around the start for as long as the box stays in the cell.
uint32_t acre_find_covered_node(const acre_quadtree *tree, uint32_t start, const placement *place,
                                const row_box *box)
{
    ACRE_INVARIANT(acre_root_covers(tree, place));
    uint32_t node = start == OUTLIER_NODE ? ROOT_NODE : start;
    if (tree->banded_quads > 0) {
        return find_among_bands(tree, node, place, box);
    }
    cell square = quarter_cell(tree, node);
    while (square.level < place->level || !cell_holds(&square, place->x, place->z)) {
        node = node_parent(tree, node);
        ACRE_INVARIANT(node != NONE); // the root covers the placement
        square = quarter_cell(tree, node);
    }
    for (uint32_t child; (child = node_child(tree, node)) != 0 && square.level > place->level;) {
        square.level--;
        const uint32_t east = (uint32_t)(place->x - square.x) >> square.level;
        const uint32_t south = (uint32_t)(place->z - square.z) >> square.level;
        node = child * 4 + (east | south << 1);
        square.x += (int32_t)(east << square.level);
        square.z += (int32_t)(south << square.level);
        ACRE_INVARIANT(cell_holds(&square, place->x, place->z) && (east | south) <= 1);
    }
    ACRE_INVARIANT(square.level >= place->level); // I5
    return node;
}

// As acre_find_covered_node, for a placement that the root may not cover: OUTLIER_NODE then.
uint32_t acre_find_node(const acre_quadtree *tree, uint32_t start, const placement *place,
                        const row_box *box)
{
    return acre_root_covers(tree, place) ? acre_find_covered_node(tree, start, place, box)
                                         : OUTLIER_NODE;
}

// The bands that a node stands in, on its way up to the root.
band_range acre_band_range(const acre_quadtree *tree, uint32_t node)
{
    band_range range = {.low = -INFINITY, .end = INFINITY, .top = node};
    for (uint32_t parent; tree->banded_quads > 0 && node != NONE; node = parent) {
        const uint32_t q = node >> 2, slot = node & 3;
        parent = tree->cold[q].parent;
        if (!is_banded(tree, q)) {
            continue;
        }
        const height_bands *const bands = &tree->cold[q].bands;
        const float low = slot > 0 ? band_low(bands, slot) : -INFINITY;
        const float end = slot < 3 ? band_low(bands, slot + 1) : INFINITY;
        range.low = low > range.low ? low : range.low;
        range.end = end < range.end ? end : range.end;
        range.count++;
        range.top = parent;
    }
    return range;
}

// Gives a node children: quarters, or these bands. The caller has made room for a quad.
uint32_t acre_make_children(acre_quadtree *tree, uint32_t node, const height_bands *bands)
{
    const cell square = node_cell(tree, node);
    ACRE_INVARIANT(node_child(tree, node) == 0 && square.level > 0);
    const uint32_t child =
        bands ? acre_take_bands(tree, node, bands)
              : acre_take_quad(tree, node, (cell){square.x, square.z, square.level - 1});
    tree->quads[node >> 2].child[node & 3] = child;
    return child;
}

// Whether a box belongs into cells of a level. width: the size of these cells. Float subtraction is
// monotone, so only a size that rounds to the width itself needs the exact answer.
static bool belongs_deeper(const acre_quadtree *tree, const row_box *box, uint32_t level,
                           float width)
{
    const float x = box->row[ROW_X_MAX] - box->row[ROW_X_MIN];
    const float z = box->row[ROW_Z_MAX] - box->row[ROW_Z_MIN];
    const float size = x > z ? x : z;
    return size == width ? acre_grid_fits_level(&tree->grid, box, level) : size < width;
}

// The number of a node's items that would move into children of a level.
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

// The slot of the sibling that holds a box's center. Compares instead of shifting so that the
// result is always 0..3, even if the program has changed the rounding mode since the insert.
ACRE_ALWAYS_INLINE uint32_t sibling_of(const acre_quadtree *tree, const cell *first,
                                       const row_box *box)
{
    const int32_t side = (int32_t)1 << first->level;
    const float x = box_center(box->row[ROW_X_MIN], box->row[ROW_X_MAX]);
    const float z = box_center(box->row[ROW_Z_MIN], box->row[ROW_Z_MAX]);
    const uint32_t east = grid_index(&tree->grid, 0, x) >= first->x + side;
    const uint32_t south = grid_index(&tree->grid, 1, z) >= first->z + side;
    return east | south << 1;
}

// Moves the items that fit from a node into its new quarters. The slots are visited from the last
// to the first, so that the item which fills a hole is one that was visited already.
static void move_some_down(acre_quadtree *tree, uint32_t node, uint32_t child)
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

// Moves all items of a node into its new children, block by block. Bounds are made once, at the
// end.
static void move_all_down(acre_quadtree *tree, uint32_t node, uint32_t child)
{
    const cell first = node_cell(tree, child * 4);
    const bool is_high = is_banded(tree, child);
    const height_bands bands = tree->cold[child].bands; // read only if is_high
    chain_walk walk = chain_first(tree, node);
    while (walk.count) {
        const chain_walk next = chain_next(tree, walk);
        for (uint32_t slot = walk.count; slot-- > 0;) {
            const uint32_t item = tree->ids[walk.block].id[slot];
            const row_box box = location_box(tree, location_of(walk.block, slot));
            if (slot == 0) {
                acre_free_block(tree, walk.block); // its last item may need this very block
            }
            const uint32_t to =
                is_high ? band_of(&bands, center_height(&box)) : sibling_of(tree, &first, &box);
            acre_append_item(tree, child * 4 + to, item, &box);
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

// Whether all items of a leaf that fit its quarters belong into the same one.
static bool is_in_one_quarter(const acre_quadtree *tree, uint32_t node)
{
    cell first = node_cell(tree, node);
    first.level--;
    const float width = acre_grid_cell_size(&tree->grid, first.level);
    uint32_t quarters = 0;
    for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
        for (uint32_t slot = 0; slot < walk.count; slot++) {
            const row_box box = location_box(tree, location_of(walk.block, slot));
            if (belongs_deeper(tree, &box, first.level, width)) {
                quarters |= 1u << sibling_of(tree, &first, &box);
            }
        }
    }
    return (quarters & (quarters - 1)) == 0;
}

// Whether a leaf splits into bands, and into which. count: of the bands that it stands in. Items
// that all stand in one quarter go there first: in each band the other three would be empty.
static bool choose_bands(const acre_quadtree *tree, uint32_t node, uint32_t count,
                         height_bands *out)
{
    return count < MAX_BANDS && may_have_bands(node_count(tree, node), tree->item_count) &&
           acre_bands_from_items(tree, node, out) && !is_in_one_quarter(tree, node);
}

// Splits a leaf into four, if depth and memory allow it and enough items would move. Answers
// whether it did.
static bool split_node(acre_quadtree *tree, uint32_t node)
{
    const uint32_t level = node_level(tree, node);
    const uint32_t count = node_count(tree, node);
    if (node == OUTLIER_NODE || node_child(tree, node)) {
        return false;
    }
    const uint32_t band_count = acre_band_range(tree, node).count;
    if (band_count >= level) {
        return false; // I4
    }
    height_bands bands;
    const bool has_bands = choose_bands(tree, node, band_count, &bands);
    const uint32_t movers = has_bands ? count : count_movers(tree, node, level - 1);
    if (movers * (uint64_t)SPLIT_MOVERS_DIVISOR < count) {
        tree->cold[node >> 2].retry[node & 3] = 2 * count;
        return false;
    }
    if (!acre_make_room(tree, 1)) {
        tree->cold[node >> 2].retry[node & 3] = count + BLOCK_SLOTS;
        return false;
    }
    const uint32_t child = acre_make_children(tree, node, has_bands ? &bands : NULL);
    ACRE_INVARIANT(movers <= count);
    (movers < count ? move_some_down : move_all_down)(tree, node, child);
    ACRE_INVARIANT(node_count(tree, node) == count - movers);
    acre_write_headers(tree, node);
    tree->work.splits++;
    return true;
}

// A split takes one node off the stack and puts four on, one step down. I4 bounds the steps.
enum { SPLIT_STACK = 3 * MAX_LEVEL + 4 };

// Splits a node that has more items than a leaf may have, and then its children in turn.
void acre_split_if_full(acre_quadtree *tree, uint32_t node)
{
    uint32_t stack[SPLIT_STACK];
    uint32_t depth = 0;
    stack[depth++] = node;
    while (depth > 0) {
        node = stack[--depth];
        const uint32_t count = node_count(tree, node);
        if (!is_too_full(tree, count, tree->item_count) ||
            count < tree->cold[node >> 2].retry[node & 3] || !split_node(tree, node)) {
            continue;
        }
        const uint32_t child = node_child(tree, node);
        ACRE_INVARIANT(depth + 4 <= SPLIT_STACK);
        for (uint32_t slot = 4; slot-- > 0 && depth < SPLIT_STACK;) {
            stack[depth++] = child * 4 + slot;
        }
    }
}

// Whether four childless siblings and their parent together hold so little that they are to be one
// node.
static bool is_collapsible(const acre_quadtree *tree, uint32_t quad_index)
{
    const quad *const siblings = &tree->quads[quad_index];
    uint64_t sum = node_count(tree, tree->cold[quad_index].parent);
    uint32_t children = 0;
    for (uint32_t slot = 0; slot < 4; slot++) {
        children |= siblings->child[slot];
        sum += tree->cold[quad_index].count[slot];
    }
    return children == 0 && !is_too_full(tree, sum * COLLAPSE_DIVISOR, tree->item_count);
}

// Moves all items of four siblings into their parent, and frees the siblings.
static void collapse_quad(acre_quadtree *tree, uint32_t q)
{
    const uint32_t parent = tree->cold[q].parent;
    ACRE_INVARIANT(q != 0 && node_child(tree, parent) == q); // I4
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
}

// Collapses cells after a node has lost an item: the node's children, or else the node with its
// siblings, then its ancestors in turn, for as long as they hold little.
void acre_collapse_upward(acre_quadtree *tree, uint32_t node)
{
    const uint32_t child = node_child(tree, node);
    for (uint32_t q = child ? child : node >> 2; q != 0 && is_collapsible(tree, q);) {
        const uint32_t parent = tree->cold[q].parent;
        collapse_quad(tree, q);
        q = parent >> 2;
    }
}

// Whether a node is a finest cell with more items than a leaf should hold: it cannot split.
bool acre_is_crowded(const acre_quadtree *tree, uint32_t node)
{
    return is_live_quad(tree, node >> 2) && node_level(tree, node) == 0 && node != OUTLIER_NODE &&
           is_too_full(tree, node_count(tree, node), tree->item_count);
}

// The number of items that stand in such cells.
size_t acre_crowded_items(const acre_quadtree *tree)
{
    size_t items = 0;
    for (uint32_t node = 0; node < tree->quad_count * 4; node++) {
        items += acre_is_crowded(tree, node) ? node_count(tree, node) : 0;
    }
    return items;
}

// Whether so many items in crowded cells are too many.
bool acre_are_crowded(const acre_quadtree *tree, size_t items)
{
    return items * CROWDED_DIVISOR > tree->item_count;
}
