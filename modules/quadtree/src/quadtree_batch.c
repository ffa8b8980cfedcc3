// SPDX-License-Identifier: MIT
// quadtree_batch.c - refresh of many items (push) and of all items (pull).
//
// The pull walks the blocks in the order of memory and reads the caller's boxes by item. Items that
// changed cell move at once; growth of the root, splits, collapses and node bounds follow at the
// end, so that no item slips from a block not yet visited into one that was.
#include "quadtree_internal.h"

static void refuse(acre_quadtree_report *report, size_t row, acre_result result)
{
    if (report->refused++ == 0) {
        report->first_row = row;
        report->first_result = result;
    }
}

acre_result acre_quadtree_refresh_many(acre_quadtree *tree, const uint32_t *items,
                                       const acre_aabb *boxes, size_t count)
{
    if (!tree || (count > 0 && (!items || !boxes))) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    acre_quadtree_report report = {.first_result = ACRE_OK};
    for (size_t i = 0; i < count; i++) {
        const acre_result result = refresh_item(tree, items[i], &boxes[i]);
        if (result != ACRE_OK) {
            refuse(&report, i, result);
        }
    }
    tree->report = report;
    access_end_write(&tree->access);
    return report.first_result;
}

static uint32_t block_items(const acre_quadtree *tree, uint32_t block)
{
    const uint32_t node = tree->headers[block].node;
    if (node == NONE) {
        return 0;
    }
    const uint32_t word = *node_items(tree, node);
    return chain_block(word) == block ? chain_count(word) : BLOCK_SLOTS;
}

// What a pull knows while it walks.
typedef struct pull {
    acre_quadtree *tree;
    const acre_aabb *boxes;
    size_t count;
    acre_quadtree_report report;
    bool has_movers;
} pull;

// Stores the item's new box if it stays in its node, else moves it. True if the slot now holds an
// item that was not looked at yet.
static bool pull_mover(pull *state, uint32_t location, const row_box *box)
{
    acre_quadtree *const tree = state->tree;
    const uint32_t block = location_block(location);
    const uint32_t node = tree->headers[block].node;
    const placement place = grid_place(&tree->grid, box);
    const uint32_t target = find_node(tree, node, &place);
    state->has_movers |= target == OUTLIER_NODE;
    if (target == node) {
        write_rows(tree, location, box);
        return false;
    }
    const uint32_t item = tree->ids[block].id[location_slot(location)];
    const uint32_t filled_from = chain_block(*node_items(tree, node));
    detach_item(tree, location);
    attach_item(tree, target, item, box);
    tree->work.moves++;
    state->has_movers = true;
    return filled_from >= block;
}

static void pull_block(pull *state, uint32_t block)
{
    acre_quadtree *const tree = state->tree;
    row_box bounds = rows_empty();
    for (uint32_t slot = 0; slot < block_items(tree, block);) {
        const uint32_t item = tree->ids[block].id[slot];
        const uint32_t location = location_of(block, slot);
        row_box box;
        if (item < state->count) {
            if (!rows_from_aabb(&box, &state->boxes[item])) {
                refuse(&state->report, item, ACRE_ERROR_INVALID_ARGUMENT);
            } else if (stays_in_cell(tree, &tree->headers[block], &box)) {
                write_rows(tree, location, &box);
            } else if (pull_mover(state, location, &box)) {
                continue;
            }
        }
        if (slot < block_items(tree, block)) {
            box = read_rows(tree, location);
            rows_merge(&bounds, &box);
        }
        slot++;
    }
    if (tree->headers[block].node != NONE && tree->headers[block].node != OUTLIER_NODE) {
        tree->headers[block].bounds = bounds;
    }
}

// Grows the root for outliers that it could hold then. Each growth may move outliers, so the walk
// starts again; there are at most MAX_LEVEL growths.
static void grow_for_outliers(acre_quadtree *tree)
{
    chain_walk walk = chain_first(tree, OUTLIER_NODE);
    for (uint32_t slot = 0; walk.count;) {
        const row_box box = read_rows(tree, location_of(walk.block, slot));
        const placement place = grid_place(&tree->grid, &box);
        if (!place.is_outlier && grow_root(tree, &place)) {
            walk = chain_first(tree, OUTLIER_NODE);
            slot = 0;
        } else if (++slot == walk.count) {
            walk = chain_next(tree, walk);
            slot = 0;
        }
    }
}

static void settle_movers(acre_quadtree *tree)
{
    grow_for_outliers(tree);
    for (uint32_t q = 0; q < tree->quad_count; q++) {
        for (uint32_t slot = 0; tree->cold[q].level != NONE && slot < 4; slot++) {
            split_if_full(tree, q * 4 + slot);
        }
    }
    for (uint32_t q = 1; q < tree->quad_count; q++) {
        if (tree->cold[q].level != NONE) {
            collapse_upward(tree, q * 4);
        }
    }
}

acre_result acre_quadtree_refresh_all(acre_quadtree *tree, const acre_aabb *boxes, size_t count)
{
    if (!tree || (count > 0 && !boxes)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    pull state = {.tree = tree, .boxes = boxes, .count = count};
    for (uint32_t block = 0; block < tree->block_count; block++) {
        if (tree->headers[block].node != NONE) {
            pull_block(&state, block);
        }
    }
    if (state.has_movers) {
        settle_movers(tree);
    }
    for (uint32_t q = first_postorder(tree, 0); q != NONE; q = next_postorder(tree, q)) {
        gather_quad(tree, q);
    }
    tree->report = state.report;
    access_end_write(&tree->access);
    return state.report.first_result;
}

acre_quadtree_report acre_quadtree_last_report(const acre_quadtree *tree)
{
    return tree ? tree->report : (acre_quadtree_report){.first_result = ACRE_OK};
}
