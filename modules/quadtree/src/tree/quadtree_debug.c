// SPDX-License-Identifier: MIT
// quadtree_debug.c - statistics, places of items, hashes and pictures of a tree.
#include "quadtree_tree.h"

#include "float_bits.h"
#include "quadtree_calls_shared.h"
#include "quadtree_items_shared.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The number of levels below the root.
static uint32_t tree_depth(const acre_quadtree *tree)
{
    uint32_t lowest = node_level(tree, ROOT_NODE);
    for (uint32_t q = 1; q < tree->quad_count; q++) {
        if (is_live_quad(tree, q) && node_level(tree, q * 4) < lowest) {
            lowest = node_level(tree, q * 4);
        }
    }
    return node_level(tree, ROOT_NODE) - lowest;
}

void acre_quadtree_get_stats(const acre_quadtree *tree, acre_quadtree_stats *out)
{
    if (!out) {
        return;
    }
    memset(out, 0, sizeof *out);
    const acre_result result = start_read(tree, true);
    if (result != ACRE_OK) {
        (void)ACRE_MISUSED(result, "o", tree);
        return;
    }
    const size_t *const bytes = tree->bytes;
    const cell root = node_cell(tree, ROOT_NODE);
    const row_box bounds = acre_grid_strict_bounds(&tree->grid, &root);
    *out = (acre_quadtree_stats){
        .items = tree->item_count,
        .nodes = acre_tree_nodes(tree),
        .leaves = (size_t)(tree->live_quads - 1) * 3 + 1, // each split makes one leaf four
        .outliers = node_count(tree, OUTLIER_NODE),
        .depth = tree_depth(tree),
        .bytes_nodes = bytes[ARRAY_QUADS] + bytes[ARRAY_COLD],
        .bytes_blocks = bytes[ARRAY_BOXES] + bytes[ARRAY_IDS] + bytes[ARRAY_HEADERS] +
                        bytes[ARRAY_NEXT] + bytes[ARRAY_LEAVING],
        .bytes_locations = bytes[ARRAY_LOCATIONS],
        .bytes_layers = bytes[ARRAY_LAYERS],
        .moves = tree->work.moves,
        .splits = tree->work.splits,
        .collapses = tree->work.collapses,
        .grows = tree->work.grows,
        .shrinks = tree->work.shrinks,
        .tightened = tree->work.tightened,
        .lattices = tree->work.lattices,
        .has_many_outliers = acre_has_many_outliers(tree, node_count(tree, OUTLIER_NODE)),
        .cell_size = tree->grid.cell,
        .root_min = {bounds.row[ROW_X_MIN], bounds.row[ROW_Z_MIN]},
        .root_max = {bounds.row[ROW_X_MAX], bounds.row[ROW_Z_MAX]},
        .bands = (size_t)tree->banded_quads * 4,
        .crowded = acre_crowded_items(tree),
    };
    out->has_wide_cells = acre_are_crowded(tree, out->crowded);
    out->bytes = sizeof *tree + out->bytes_nodes + out->bytes_blocks + out->bytes_locations +
                 out->bytes_layers;
    const row_box stored = node_bounds(tree, ROOT_NODE);
    out->bounds = aabb_of_rows(&stored);
    access_end_read(&tree->access);
}

size_t acre_quadtree_item_count(const acre_quadtree *tree)
{
    return tree->item_count;
}

// The x and z rows of a box.
static void ground_of(const row_box *rows, float *min, float *max)
{
    min[0] = positive_zero(rows->row[ROW_X_MIN]);
    max[0] = positive_zero(rows->row[ROW_X_MAX]);
    min[1] = positive_zero(rows->row[ROW_Z_MIN]);
    max[1] = positive_zero(rows->row[ROW_Z_MAX]);
}

acre_quadtree_place acre_place_of_node(const acre_quadtree *tree, uint32_t node)
{
    acre_quadtree_place place = {.is_outlier = node == OUTLIER_NODE,
                                 .is_leaf = !node_child(tree, node),
                                 .items = node_count(tree, node)};
    const band_range heights = acre_band_range(tree, node);
    place.bands = heights.count;
    place.band_low = heights.low;
    place.band_end = heights.end;
    const float endless = (float)INFINITY;
    row_box strict = {{-endless, endless, -endless, endless, -endless, endless}};
    row_box loose = strict, stored = strict;
    if (!place.is_outlier) {
        const cell square = node_cell(tree, node);
        place.level = square.level;
        place.depth = node_level(tree, ROOT_NODE) - square.level;
        strict = acre_grid_strict_bounds(&tree->grid, &square);
        loose = acre_grid_loose_bounds(&tree->grid, &square);
        stored = node_bounds(tree, node);
    }
    ground_of(&strict, place.cell_min, place.cell_max);
    ground_of(&loose, place.loose_min, place.loose_max);
    place.bounds = aabb_of_rows(&stored);
    return place;
}

acre_result acre_quadtree_locate(const acre_quadtree *tree, uint32_t item, acre_quadtree_place *out)
{
    if (!tree || !out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    const bool is_there = has_item(tree, item);
    if (is_there) {
        *out = acre_place_of_node(tree, item_node(tree, item));
    }
    access_end_read(&tree->access);
    return is_there ? ACRE_OK : ACRE_ERROR_NOT_FOUND;
}

// Mixes a value into a hash: xor, multiply by the golden ratio's bits, fold the high half down.
static uint64_t mix(uint64_t hash, uint32_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
}

// Mixes a box into a hash; -0 and +0 count as the same.
static uint64_t mix_rows(uint64_t hash, const row_box *box)
{
    for (int i = 0; i < ROW_COUNT; i++) {
        hash = mix(hash, bits_of_float(positive_zero(box->row[i])));
    }
    return hash;
}

// Mixes an item, with its box and layers, into a hash.
static uint64_t mix_item(uint64_t hash, const acre_quadtree *tree, uint32_t item)
{
    const row_box box = location_box(tree, tree->locations[item]);
    hash = mix_rows(mix(hash, item), &box);
    return mix(hash, tree->layers ? tree->layers[item] : UINT32_MAX);
}

// Mixes a node's items and its groups' bounds into a hash, in chain order.
static uint64_t mix_node(uint64_t hash, const acre_quadtree *tree, uint32_t node)
{
    const row_box bounds = node_bounds(tree, node);
    hash = mix_rows(mix(hash, node_count(tree, node)), &bounds);
    for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
        for (uint32_t slot = 0; slot < walk.count; slot++) {
            hash = mix_item(hash, tree, tree->ids[walk.block].id[slot]);
        }
        for (uint32_t slot = 0; slot < walk.count; slot += GROUP_SLOTS) {
            const row_box group = group_bounds(tree, location_of(walk.block, slot));
            hash = mix_rows(hash, &group);
        }
    }
    return hash;
}

uint64_t acre_quadtree_state_hash(const acre_quadtree *tree)
{
    const acre_result result = start_read(tree, true);
    if (result != ACRE_OK) {
        return ACRE_MISUSED(result, "o", tree);
    }
    uint64_t hash = mix(tree->item_count, tree->live_quads);
    for (uint32_t q = acre_first_postorder(tree, 0); q != NONE; q = acre_next_postorder(tree, q)) {
        const quad_cold *const cold = &tree->cold[q];
        hash = mix(mix(mix(hash, cold->level), (uint32_t)cold->x), (uint32_t)cold->z);
        for (uint32_t slot = 0; slot < 4; slot++) {
            hash = mix_node(hash, tree, q * 4 + slot);
        }
    }
    access_end_read(&tree->access);
    return hash;
}

uint64_t acre_quadtree_content_hash(const acre_quadtree *tree)
{
    const acre_result result = start_read(tree, true);
    if (result != ACRE_OK) {
        return ACRE_MISUSED(result, "o", tree);
    }
    const uint64_t start = 0x51ed270b27d4eb2fu; // keeps an item of zeros apart from none
    uint64_t sum = 0;
    for (uint32_t item = 0; item < tree->location_count; item++) {
        sum += tree->locations[item] != ABSENT ? mix_item(start, tree, item) : 0;
    }
    access_end_read(&tree->access);
    return sum;
}

static const uint32_t strict_color = 0x3a6ea5ff;
static const uint32_t loose_color = 0xd08a2e66;
static const uint32_t stored_color = 0x4c9a2aff;
static const uint32_t item_color = 0x606060ff;
static const uint32_t count_color = 0x202020ff;

// Rows that hold nothing have no box to draw.
static void draw_rows(const acre_debug_draw *draw, uint32_t kind, row_box rows, uint32_t rgba)
{
    if (rows.row[ROW_X_MIN] <= rows.row[ROW_X_MAX]) {
        const acre_aabb box = aabb_of_rows(&rows);
        acre_debug_draw_box(draw, kind, &box, rgba);
    }
}

acre_result acre_quadtree_set_listener(acre_quadtree *tree, acre_quadtree_listener listener,
                                       void *context)
{
    if (!tree) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!begin_edit(tree)) {
        return ACRE_ERROR_BUSY;
    }
    tree->listener = listener;
    tree->listener_context = context;
    end_edit(tree);
    return ACRE_OK;
}

bool acre_quadtree_has_listener(const acre_quadtree *tree)
{
    return tree && tree->listener;
}

acre_result acre_quadtree_get_def(const acre_quadtree *tree, acre_quadtree_def *out)
{
    if (!tree || !out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = tree->def;
    return ACRE_OK;
}

// Gives a cell's bounds the heights of its band. A band without one end is flat at the other end,
// and a cell that stands in no band is flat on the ground.
static row_box at_band(row_box rows, const band_range *heights)
{
    const bool has_low = heights->low > -INFINITY, has_end = heights->end < INFINITY;
    const float low = has_low ? heights->low : has_end ? heights->end : 0.0f;
    rows.row[ROW_Y_MIN] = low;
    rows.row[ROW_Y_MAX] = has_end && heights->end > low ? heights->end : low;
    return rows;
}

static void draw_count(const acre_quadtree *tree, const acre_debug_draw *draw, uint32_t node)
{
    const cell square = node_cell(tree, node);
    const band_range heights = acre_band_range(tree, node);
    const row_box strict = at_band(acre_grid_strict_bounds(&tree->grid, &square), &heights);
    const float at[3] = {0.5f * strict.row[ROW_X_MIN] + 0.5f * strict.row[ROW_X_MAX],
                         strict.row[ROW_Y_MIN],
                         0.5f * strict.row[ROW_Z_MIN] + 0.5f * strict.row[ROW_Z_MAX]};
    char text[16];
    snprintf(text, sizeof text, "%u", (unsigned)node_count(tree, node));
    if (node_count(tree, node) > 0) {
        acre_debug_draw_text(draw, ACRE_DEBUG_COUNTS, at, text, count_color);
    }
}

static void draw_cell(const acre_quadtree *tree, const acre_debug_draw *draw, uint32_t node)
{
    const cell square = node_cell(tree, node);
    const row_box loose = acre_grid_loose_bounds(&tree->grid, &square);
    const row_box strict = acre_grid_strict_bounds(&tree->grid, &square);
    const band_range heights = acre_band_range(tree, node);
    draw_rows(draw, ACRE_DEBUG_LOOSE_CELLS, at_band(loose, &heights), loose_color);
    draw_rows(draw, ACRE_DEBUG_STRICT_CELLS, at_band(strict, &heights), strict_color);
    draw_rows(draw, ACRE_DEBUG_STORED_BOUNDS, node_bounds(tree, node), stored_color);
}

static void draw_node(const acre_quadtree *tree, const acre_debug_draw *draw, uint32_t node)
{
    if (node != OUTLIER_NODE) {
        draw_cell(tree, draw, node);
    }
    const bool has_items = draw->flags == 0 || (draw->flags & ACRE_DEBUG_ITEMS);
    for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
        for (uint32_t slot = 0; has_items && slot < walk.count; slot++) {
            draw_rows(draw, ACRE_DEBUG_ITEMS, location_box(tree, location_of(walk.block, slot)),
                      item_color);
        }
    }
    if (node != OUTLIER_NODE) {
        draw_count(tree, draw, node);
    }
}

void acre_quadtree_debug_draw(const acre_quadtree *tree, const acre_debug_draw *draw)
{
    const acre_result result = start_read(tree, draw != NULL);
    ACRE_ASSERT(result == ACRE_OK);
    if (result != ACRE_OK) {
        return;
    }
    tree_callback callback;
    begin_callback(&callback, tree);
    for (uint32_t q = acre_first_postorder(tree, 0); q != NONE; q = acre_next_postorder(tree, q)) {
        for (uint32_t slot = 0; slot < 4; slot++) {
            if (q != 0 || slot <= OUTLIER_NODE) {
                draw_node(tree, draw, q * 4 + slot);
            }
        }
    }
    end_callback(&callback);
    access_end_read(&tree->access);
}
