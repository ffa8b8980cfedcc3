// SPDX-License-Identifier: MIT
// quadtree_blocks.c - puts items into a node's chain of blocks, takes them out, and moves their
// bounds.
#include "quadtree_tree.h"

#include <math.h>

// Writes into a header what it repeats of its node's cell, so that a refresh need not read the
// node.
static void describe_node(const acre_quadtree *tree, uint32_t node, block_header *out)
{
    out->node = node;
    if (node == OUTLIER_NODE) {
        // No size is below these limits, so every refresh takes a closer look; and no box leaves
        // the endless bounds.
        out->limits = (cell_limits){.end = {0.0f, 0.0f, -1.0f}};
        const row_box endless = {{-INFINITY, INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY}};
        for (uint32_t group = 0; group < BLOCK_GROUPS; group++) {
            set_lane_box(&out->bounds, group, &endless);
        }
        return;
    }
    const float size = acre_grid_cell_size(&tree->grid, node_level(tree, node));
    const cell square = node_cell(tree, node);
    const int32_t corner[2] = {square.x, square.z}, cells = (int32_t)(1u << square.level);
    for (int axis = 0; axis < 2; axis++) {
        out->limits.least[axis] = acre_grid_first_center(&tree->grid, axis, corner[axis]);
        out->limits.end[axis] = acre_grid_first_center(&tree->grid, axis, corner[axis] + cells);
    }
    out->limits.least[LIMIT_SIZE] =
        node_child(tree, node) ? nextafterf(0.5f * size, INFINITY) : 0.0f;
    out->limits.end[LIMIT_SIZE] = size;
}

// Writes the headers of a node's blocks after its cell has changed, or has got children or lost
// them (I13).
void acre_write_headers(acre_quadtree *tree, uint32_t node)
{
    chain_walk walk = chain_first(tree, node);
    block_header written = {.node = node};
    if (walk.count) {
        describe_node(tree, node, &written);
    }
    for (; walk.count; walk = chain_next(tree, walk)) {
        block_header *const header = &tree->headers[walk.block];
        written.tidy_width = header->tidy_width;
        written.bounds = node == OUTLIER_NODE ? written.bounds : header->bounds;
        *header = written;
    }
}

static void grow_group_bounds(acre_quadtree *tree, uint32_t location, const row_box *box)
{
    four_boxes *const boxes = &tree->headers[location_block(location)].bounds;
    const uint32_t group = location_slot(location) / GROUP_SLOTS;
    for (int i = 0; i < ROW_COUNT; i += 2) {
        float *const low = &boxes->row[i][group], *const high = &boxes->row[i + 1][group];
        *low = box->row[i] < *low ? box->row[i] : *low;
        *high = box->row[i + 1] > *high ? box->row[i + 1] : *high;
    }
}

// Adds an item to a node. There is a block for it (I12). The caller must grow bounds and layers.
void acre_append_item(acre_quadtree *tree, uint32_t node, uint32_t item, const row_box *box)
{
    ACRE_INVARIANT(item < tree->location_count && rows_are_valid(box)); // I1
    ACRE_INVARIANT(is_live_quad(tree, node >> 2));
    uint32_t *const word = node_items(tree, node);
    uint32_t slot = chain_count(*word);
    uint32_t block = chain_block(*word);
    if (slot == 0 || slot == BLOCK_SLOTS) {
        const uint32_t taken = acre_take_block(tree);
        const bool more = slot == BLOCK_SLOTS;
        describe_node(tree, node, &tree->headers[taken]);
        tree->next[taken] = more ? block : NONE;
        ACRE_INVARIANT(more || *word == 0);
        *word = chain_word(taken, more, 0);
        block = taken;
        slot = 0;
    }
    ACRE_INVARIANT(slot < BLOCK_SLOTS && tree->headers[block].node == node); // I13
    *word += CHAIN_ITEM;
    tree->cold[node >> 2].count[node & 3]++;
    tree->ids[block].id[slot] = item;
    tree->locations[item] = location_of(block, slot);
    set_location_box(tree, tree->locations[item], box);
}

// Adds an item to a node, and grows bounds and layers as far up as needed. There is a block for it
// (I12).
void acre_attach_item(acre_quadtree *tree, uint32_t node, uint32_t item, const row_box *box)
{
    ACRE_INVARIANT(tree->locations[item] == ABSENT);
    acre_append_item(tree, node, item, box);
    if (node != OUTLIER_NODE) {
        grow_group_bounds(tree, tree->locations[item], box);
        acre_grow_node_bounds(tree, node, box);
    }
    if (tree->layers) {
        acre_grow_node_layers(tree, node, tree->layers[item]);
    }
}

// Removes the item at a location from its node. The last item of the chain's first block fills the
// hole.
void acre_detach_item(acre_quadtree *tree, uint32_t location)
{
    const uint32_t block = location_block(location);
    item_group *const hole = &tree->boxes[block].groups[location_slot(location) / GROUP_SLOTS];
    for (int i = 0; i < ROW_COUNT; i++) {
        prefetch_line(hole->row[i]); // written at the end
    }
    const uint32_t node = tree->headers[block].node;
    ACRE_INVARIANT(block < tree->block_count && node != NONE);
    uint32_t *const word = node_items(tree, node);
    const uint32_t first = chain_block(*word);
    ACRE_INVARIANT(chain_count(*word) > 0);
    const uint32_t count = chain_count(*word) - 1;
    const uint32_t last = location_of(first, count);
    ACRE_INVARIANT(tree->locations[tree->ids[block].id[location_slot(location)]] == location); // I2
    tree->locations[tree->ids[block].id[location_slot(location)]] = ABSENT;
    if (last != location) {
        const uint32_t moved = tree->ids[first].id[count];
        ACRE_INVARIANT(tree->locations[moved] == last); // I2
        const row_box box = location_box(tree, last);
        set_location_box(tree, location, &box);
        tree->ids[block].id[location_slot(location)] = moved;
        tree->locations[moved] = location;
        grow_group_bounds(tree, location, &box);
    }
    if (count > 0) {
        *word -= CHAIN_ITEM;
        if (count % GROUP_SLOTS == 0 && node != OUTLIER_NODE) {
            const row_box empty = rows_empty();
            set_group_bounds(tree, last, &empty);
        }
    } else {
        const uint32_t next = tree->next[first];
        *word = next == NONE ? 0 : chain_word(next, tree->next[next] != NONE, BLOCK_SLOTS);
        acre_free_block(tree, first);
    }
    quad_cold *const cold = &tree->cold[node >> 2];
    ACRE_INVARIANT(cold->count[node & 3] > 0); // I14
    if (!is_too_full(tree, --cold->count[node & 3], tree->item_count)) {
        cold->retry[node & 3] = 0;
    }
    if (*word == 0 && node_child(tree, node) == 0) {
        const row_box empty = rows_empty();
        set_node_bounds(tree, node, &empty);
    }
}

// Whether grown bounds lie in the block's cell, and so in its loose bounds, on each side where they
// grew past the old ones. A limit that is NaN says no.
static bool stay_in_cell(const cell_limits *limits, const row_box *bounds, const row_box *old)
{
    bool stay = true;
    for (int axis = 0; axis < 2; axis++) {
        const int low = axis * 4, high = low + 1;
        stay &= (bounds->row[low] >= limits->least[axis]) | (bounds->row[low] >= old->row[low]);
        stay &= (bounds->row[high] < limits->end[axis]) | (bounds->row[high] <= old->row[high]);
    }
    return stay & (bounds->row[ROW_Y_MIN] >= -FLT_MAX) & (bounds->row[ROW_Y_MAX] <= FLT_MAX);
}

// Grows a group's bounds past a refreshed box that left them, by the slack, but not past the cell's
// loose bounds (I8). Those are only computed where the cell itself does not answer, as that costs
// as much as all the rest.
static void leave_group_bounds(acre_quadtree *tree, uint32_t location, const row_box *bounds,
                               const row_box *box)
{
    const block_header *const header = &tree->headers[location_block(location)];
    const float slack = BOUNDS_SLACK * header->limits.end[LIMIT_SIZE];
    row_box grown = *bounds;
    for (int i = 0; i < ROW_COUNT; i += 2) {
        grown.row[i] = box->row[i] < bounds->row[i] ? box->row[i] - slack : bounds->row[i];
        grown.row[i + 1] =
            box->row[i + 1] > bounds->row[i + 1] ? box->row[i + 1] + slack : bounds->row[i + 1];
    }
    if (!stay_in_cell(&header->limits, &grown, bounds)) {
        const cell square = node_cell(tree, header->node);
        const row_box loose = acre_grid_loose_bounds(&tree->grid, &square);
        for (int i = 0; i < ROW_COUNT; i += 2) {
            grown.row[i] = grown.row[i] > loose.row[i] ? grown.row[i] : loose.row[i];
            grown.row[i + 1] =
                grown.row[i + 1] < loose.row[i + 1] ? grown.row[i + 1] : loose.row[i + 1];
        }
    }
    ACRE_INVARIANT(rows_contain(&grown, box)); // I7: loose bounds hold every box of the cell
    set_group_bounds(tree, location, &grown);
    acre_grow_node_bounds(tree, header->node, &grown);
}

// Gives an item that stays in its node a new box.
void acre_store_box(acre_quadtree *tree, uint32_t location, const row_box *box)
{
    const row_box bounds = group_bounds(tree, location);
    ACRE_INVARIANT(rows_are_valid(box)); // I1
    set_location_box(tree, location, box);
    if (!rows_contain(&bounds, box)) {
        leave_group_bounds(tree, location, &bounds, box);
    }
}
