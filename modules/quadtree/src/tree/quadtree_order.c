// SPDX-License-Identifier: MIT
// quadtree_order.c - puts the items of a node in order along a curve, so that groups of 16 are
// small.
//
// Where the items' centers span more height than the cell is wide, the order is by bands of height
// first, as if the cell had such bands. Then the curve is coarser by one level.
//
// Queries test a block's groups before their items; a small group is often rejected or taken whole.
// The order inside a part of a few slots does not matter to them. So an item that comes or leaves
// shifts one item of each part behind it in the chain, not all of them.
#include "quadtree_curve.h"
#include "quadtree_kernel_build.h"
#include "quadtree_tree.h"

enum {
    MAX_PIECE_BLOCKS = 16, // longer chains are ordered piece by piece
    MAX_PIECE_ITEMS = MAX_PIECE_BLOCKS * BLOCK_SLOTS,
    PART_SLOTS = ORDER_PART_SLOTS,
    MAX_PIECE_PARTS = MAX_PIECE_ITEMS / PART_SLOTS
};

// A piece of a chain: its items in chain order, and the parts of a few slots that they stand in.
typedef struct chain_piece {
    uint32_t count;
    uint32_t part_count;
    uint32_t begin[MAX_PIECE_PARTS + 1]; // first item of each part, then the number of items
    uint32_t location[MAX_PIECE_PARTS];  // location of each part's first item
    uint32_t
        key[MAX_PIECE_ITEMS + GROUP_SLOTS]; // place on the curve; list_keys writes whole groups
    uint16_t part[MAX_PIECE_ITEMS];         // part that the item belongs to
} chain_piece;

// Where a node's items are ordered: along a curve over the ground, in bands or not.
typedef struct order_space {
    row_box square;
    height_bands bands;
    bool has_bands;
} order_space;

// Adds a block's items with their keys.
static void list_block(const acre_quadtree *tree, const order_space *space, uint32_t block,
                       uint32_t count, chain_piece *piece)
{
    uint32_t *const keys = piece->key + piece->count;
    ACRE_INVARIANT(piece->count + count <= MAX_PIECE_ITEMS && count <= BLOCK_SLOTS);
    build_kernel_of(tree)->list_keys(&space->square, &tree->boxes[block], count, keys);
    for (uint32_t slot = 0; space->has_bands && slot < count; slot++) {
        const row_box box = location_box(tree, location_of(block, slot));
        keys[slot] = key_in_band(keys[slot], band_of(&space->bands, center_height(&box)));
    }
    for (uint32_t first = 0; first < count; first += PART_SLOTS) {
        piece->location[piece->part_count] = location_of(block, first);
        piece->begin[piece->part_count] = piece->count;
        piece->count += count - first < PART_SLOTS ? count - first : PART_SLOTS;
        piece->begin[++piece->part_count] = piece->count;
    }
    ACRE_INVARIANT(piece->part_count <= MAX_PIECE_PARTS);
}

// Whether the items are well enough in order as they are. Counts the items that stand one part
// behind an item which is farther along the curve, measured in squares twice as wide.
static bool is_ordered(const chain_piece *piece)
{
    uint32_t descents = 0;
    for (uint32_t i = PART_SLOTS; i < piece->count; i++) {
        descents += piece->key[i] >> 2 < piece->key[i - PART_SLOTS] >> 2;
    }
    return descents <= piece->count / ORDER_TOLERANCE_DIVISOR;
}

// Finds the part that each item belongs to, as if all items were sorted by key, stably.
static void find_parts(chain_piece *piece)
{
    uint32_t next[CURVE_SQUARES * CURVE_SQUARES + 1] = {0};
    uint16_t part_at[MAX_PIECE_ITEMS];
    for (uint32_t i = 0; i < piece->count; i++) {
        ACRE_INVARIANT(piece->key[i] < CURVE_SQUARES * CURVE_SQUARES);
        next[piece->key[i] + 1]++;
    }
    uint32_t sum = 0;
    for (uint32_t key = 0; key < CURVE_SQUARES * CURVE_SQUARES; key++) {
        sum += next[key];
        next[key] = sum;
    }
    for (uint32_t part = 0; part < piece->part_count; part++) {
        for (uint32_t i = piece->begin[part]; i < piece->begin[part + 1]; i++) {
            part_at[i] = (uint16_t)part;
        }
    }
    for (uint32_t i = 0; i < piece->count; i++) {
        piece->part[i] = part_at[next[piece->key[i]]++];
    }
}

// The location of item i, which stands in a part.
static uint32_t piece_location(const chain_piece *piece, uint32_t part, uint32_t i)
{
    ACRE_INVARIANT(i >= piece->begin[part] && i < piece->begin[part + 1]);
    return piece->location[part] + i - piece->begin[part];
}

static void put_item(acre_quadtree *tree, uint32_t location, uint32_t item, const row_box *box)
{
    set_location_box(tree, location, box);
    tree->ids[location_block(location)].id[location_slot(location)] = item;
    tree->locations[item] = location;
}

static uint32_t item_at(const acre_quadtree *tree, uint32_t location)
{
    return tree->ids[location_block(location)].id[location_slot(location)];
}

typedef struct item_moves {
    uint32_t count;
    uint32_t from[MAX_PIECE_ITEMS];   // locations to move from, part by part
    uint16_t source[MAX_PIECE_ITEMS]; // index of the location whose item moves to from[i]
} item_moves;

// Lists the items that stand in a part to which they do not belong.
static void list_moves(const chain_piece *piece, item_moves *moves)
{
    uint32_t first[MAX_PIECE_PARTS];
    uint16_t target[MAX_PIECE_ITEMS];
    moves->count = 0;
    for (uint32_t part = 0; part < piece->part_count; part++) {
        first[part] = moves->count;
        for (uint32_t i = piece->begin[part]; i < piece->begin[part + 1]; i++) {
            moves->from[moves->count] = piece_location(piece, part, i);
            target[moves->count] = piece->part[i];
            moves->count += piece->part[i] != part;
        }
    }
    for (uint32_t i = 0; i < moves->count; i++) {
        ACRE_INVARIANT(first[target[i]] < moves->count); // as many come to a part as leave it
        moves->source[first[target[i]]++] = (uint16_t)i;
    }
}

// Moves the item at from[source[i]] to from[i], for all i, cycle by cycle.
static void run_moves(acre_quadtree *tree, item_moves *moves)
{
    for (uint32_t start = 0; start < moves->count; start++) {
        if (moves->source[start] == start) {
            continue;
        }
        const uint32_t item = item_at(tree, moves->from[start]);
        const row_box box = location_box(tree, moves->from[start]);
        uint32_t to = start;
        for (uint32_t from; (from = moves->source[to]) != start; to = from) {
            const row_box moved = location_box(tree, moves->from[from]);
            put_item(tree, moves->from[to], item_at(tree, moves->from[from]), &moved);
            moves->source[to] = (uint16_t)to;
        }
        moves->source[to] = (uint16_t)to;
        put_item(tree, moves->from[to], item, &box);
    }
}

void acre_order_node(acre_quadtree *tree, uint32_t node)
{
    if (node == OUTLIER_NODE || node_count(tree, node) <= GROUP_SLOTS) {
        return;
    }
    const cell square = node_cell(tree, node);
    order_space space = {.square = acre_grid_strict_bounds(&tree->grid, &square)};
    space.has_bands = acre_bands_from_items(tree, node, &space.bands);
    for (chain_walk walk = chain_first(tree, node); walk.count;) {
        chain_piece piece;
        piece.count = piece.part_count = 0;
        for (uint32_t i = 0; walk.count && i < MAX_PIECE_BLOCKS; i++) {
            list_block(tree, &space, walk.block, walk.count, &piece);
            walk = chain_next(tree, walk);
        }
        if (!is_ordered(&piece)) {
            item_moves moves;
            find_parts(&piece);
            list_moves(&piece, &moves);
            run_moves(tree, &moves);
        }
    }
}

// ---- how good the order is ----

// The sum of the widths of a block's groups along all axes. The better the order, the smaller it
// is.
static float block_width(const block_header *header)
{
    float sum = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        const float *const low = header->bounds.row[axis * 2], *const high = low + BLOCK_GROUPS;
        for (int group = 0; group < BLOCK_GROUPS; group++) {
            const float width = high[group] - low[group];
            sum += width > 0.0f ? width : 0.0f; // empty bounds have none
        }
    }
    return sum;
}

bool acre_is_spread(const acre_quadtree *tree, uint32_t node)
{
    float width = 0.0f, tidy_width = 0.0f;
    for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
        width += block_width(&tree->headers[walk.block]);
        tidy_width += tree->headers[walk.block].tidy_width;
    }
    const float limit = (1.0f + SPREAD_SHARE) * tidy_width;
    return !(width <= (limit < FLT_MAX ? limit : FLT_MAX));
}

void acre_mark_tidy(acre_quadtree *tree, uint32_t node)
{
    for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
        tree->headers[walk.block].tidy_width = block_width(&tree->headers[walk.block]);
    }
}
