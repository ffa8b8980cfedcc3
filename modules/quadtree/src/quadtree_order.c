// SPDX-License-Identifier: MIT
// quadtree_order.c - the items of a node along a curve, so that groups of 16 stand close together.
//
// Queries test a block's groups before their items: small groups are rejected or taken whole.
#include "quadtree_curve.h"
#include "quadtree_internal.h"

enum {
    MAX_PIECE_BLOCKS = 16, // longer chains are ordered piece by piece
    MAX_PIECE_ITEMS = MAX_PIECE_BLOCKS * BLOCK_SLOTS
};

// Some items of a chain, in chain order.
typedef struct chain_piece {
    uint32_t count, key[MAX_PIECE_ITEMS + GROUP_SLOTS], location[MAX_PIECE_ITEMS + GROUP_SLOTS];
} chain_piece;

static uint32_t curve_square(float offset)
{
    const float limit = CURVE_SQUARES - 1;
    offset = offset > 0.0f ? offset : 0.0f; // NaN becomes 0
    return (uint32_t)(int32_t)(offset < limit ? offset : limit);
}

// A block's items with their keys, 16 at a time, as compilers make vectors of.
static void list_block(const acre_quadtree *tree, const row_box *square, uint32_t block,
                       uint32_t count, chain_piece *piece)
{
    const float scale = CURVE_SQUARES / (square->row[ROW_X_MAX] - square->row[ROW_X_MIN]);
    for (uint32_t first = 0; first < count; first += GROUP_SLOTS) {
        const item_group *const group = &tree->boxes[block].groups[first / GROUP_SLOTS];
        uint32_t *const key = piece->key + piece->count, *const at = piece->location + piece->count;
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            const float x = box_centre(group->row[ROW_X_MIN][slot], group->row[ROW_X_MAX][slot]);
            const float z = box_centre(group->row[ROW_Z_MIN][slot], group->row[ROW_Z_MAX][slot]);
            key[slot] = curve_distance(curve_square((x - square->row[ROW_X_MIN]) * scale),
                                       curve_square((z - square->row[ROW_Z_MIN]) * scale));
            at[slot] = location_of(block, first + slot);
        }
        piece->count += count - first < GROUP_SLOTS ? count - first : GROUP_SLOTS;
    }
}

// Whether items stand close enough together as they are: few come behind one that is farther on the
// curve, by squares twice as wide.
static bool is_ordered(const chain_piece *piece)
{
    uint32_t descents = 0;
    for (uint32_t i = 1; i < piece->count; i++) {
        descents += piece->key[i] >> 2 < piece->key[i - 1] >> 2;
    }
    return descents <= piece->count / ORDER_TOLERANCE_DIVISOR;
}

// The places of the piece in the order of their keys: a radix sort, stable, two digits.
static void sort_places(const chain_piece *piece, uint32_t *places)
{
    uint32_t other[MAX_PIECE_ITEMS];
    for (uint32_t i = 0; i < piece->count; i++) {
        places[i] = i;
    }
    for (uint32_t pass = 0; pass < 2; pass++) {
        const uint32_t shift = pass * CURVE_LEVELS;
        uint32_t *const from = pass == 0 ? places : other, *const to = pass == 0 ? other : places;
        uint32_t start[CURVE_SQUARES + 1] = {0};
        for (uint32_t i = 0; i < piece->count; i++) {
            start[(piece->key[i] >> shift & (CURVE_SQUARES - 1)) + 1]++;
        }
        for (uint32_t digit = 0; digit < CURVE_SQUARES; digit++) {
            start[digit + 1] += start[digit];
        }
        for (uint32_t i = 0; i < piece->count; i++) {
            to[start[piece->key[from[i]] >> shift & (CURVE_SQUARES - 1)]++] = from[i];
        }
    }
}

static void put_item(acre_quadtree *tree, uint32_t location, uint32_t item, const row_box *box)
{
    write_rows(tree, location, box);
    tree->ids[location_block(location)].id[location_slot(location)] = item;
    tree->locations[item] = location;
}

static uint32_t item_at(const acre_quadtree *tree, uint32_t location)
{
    return tree->ids[location_block(location)].id[location_slot(location)];
}

// Brings the item of places[i] to place i, for all i, cycle by cycle.
static void permute(acre_quadtree *tree, const chain_piece *piece, uint32_t *places)
{
    for (uint32_t start = 0; start < piece->count; start++) {
        if (places[start] == start) {
            continue;
        }
        const uint32_t item = item_at(tree, piece->location[start]);
        const row_box box = read_rows(tree, piece->location[start]);
        uint32_t place = start;
        for (uint32_t from; (from = places[place]) != start; place = from) {
            const row_box moved = read_rows(tree, piece->location[from]);
            put_item(tree, piece->location[place], item_at(tree, piece->location[from]), &moved);
            places[place] = place;
        }
        places[place] = place;
        put_item(tree, piece->location[place], item, &box);
    }
}

void acre_order_node(acre_quadtree *tree, uint32_t node)
{
    if (node == OUTLIER_NODE || node_count(tree, node) <= GROUP_SLOTS) {
        return;
    }
    const cell square = node_cell(tree, node);
    const row_box bounds = acre_grid_strict_bounds(&tree->grid, &square);
    for (chain_walk walk = chain_first(tree, node); walk.count;) {
        chain_piece piece;
        piece.count = 0;
        for (uint32_t i = 0; walk.count && i < MAX_PIECE_BLOCKS; i++) {
            list_block(tree, &bounds, walk.block, walk.count, &piece);
            walk = chain_next(tree, walk);
        }
        if (!is_ordered(&piece)) {
            uint32_t places[MAX_PIECE_ITEMS];
            sort_places(&piece, places);
            permute(tree, &piece, places);
        }
    }
}
