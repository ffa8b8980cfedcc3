// SPDX-License-Identifier: MIT
// quadtree_batch.c - refresh of many items (push) and of all items (pull).
//
// A pull walks the blocks in the order of memory and reads the caller's boxes by item. Items that
// leave their cell move at once. Growth of the root, splits, collapses and bounds of nodes follow
// at the end, because they could move an item from a block that is not yet visited into one that
// was.
#include "quadtree_kernel.h"

#include <string.h>

// Refreshes rows in order. The kernel stores rows for as long as nothing else changes with them,
// and answers the first row that needs more. call: what the listener is notified of.
static acre_result push(acre_quadtree *tree, const uint32_t *items, const box_source *source,
                        acre_quadtree_call *call)
{
    if (!begin_edit(tree)) {
        return ACRE_ERROR_BUSY;
    }
    acre_quadtree_report report = {.first_result = ACRE_OK};
    for (size_t i = 0; i < call->count; i++) {
        i = refresh_kernel_of(tree)->refresh_rows(tree, items, source, i, call->count);
        ACRE_INVARIANT(i <= call->count);
        if (i < call->count) {
            const row_box rows = source_rows(source, i);
            const acre_result result = acre_refresh_item(tree, items[i], &rows);
            if (result != ACRE_OK) {
                refuse_row(&report, i, result);
            }
        }
    }
    report_batch(tree, &report, call);
    end_edit(tree);
    return report.first_result;
}

acre_result acre_quadtree_refresh_many(acre_quadtree *tree, const uint32_t *items,
                                       const acre_aabb *boxes, size_t count)
{
    if (!tree || (count > 0 && (!items || !boxes))) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const box_source source = source_from_aabbs(boxes);
    return push(tree, items, &source,
                &(acre_quadtree_call){.kind = ACRE_QUADTREE_CALL_REFRESH_MANY,
                                      .count = count,
                                      .items = items,
                                      .boxes = boxes});
}

acre_result acre_quadtree_refresh_many_from(acre_quadtree *tree, const uint32_t *items,
                                            const acre_box_array *boxes, size_t count)
{
    if (!tree || !has_boxes(boxes, count) || (count > 0 && !items)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const box_source source = source_from_array(boxes);
    return push(tree, items, &source,
                &(acre_quadtree_call){.kind = ACRE_QUADTREE_CALL_REFRESH_MANY_FROM,
                                      .count = count,
                                      .items = items,
                                      .array = boxes});
}

// The state of a pull.
typedef struct pull {
    acre_quadtree *tree;
    const box_source *source;
    size_t count;
    bool has_all;    // there is a box for every item
    bool has_movers; // an item moved to another node, or is an outlier
    acre_quadtree_report report;
} pull;

// Handles one item: stores its new box, moves it, or refuses the box. True if the slot now holds an
// item from a block that is not yet visited.
static bool pull_item(pull *state, uint32_t location)
{
    acre_quadtree *const tree = state->tree;
    const uint32_t block = location_block(location);
    const uint32_t item = tree->ids[block].id[location_slot(location)];
    ACRE_INVARIANT(tree->locations[item] == location); // I2
    if (item >= state->count) {
        return false;
    }
    const row_box box = source_rows(state->source, item);
    if (stays_in_cell(&tree->headers[block].limits, box.row[ROW_X_MIN], box.row[ROW_X_MAX],
                      box.row[ROW_Y_MIN], box.row[ROW_Y_MAX], box.row[ROW_Z_MIN],
                      box.row[ROW_Z_MAX])) {
        set_location_box(tree, location, &box);
        return false;
    }
    if (!rows_are_valid(&box)) {
        refuse_row(&state->report, item, ACRE_ERROR_INVALID_ARGUMENT);
        return false;
    }
    const uint32_t node = tree->headers[block].node;
    const placement place = acre_grid_place(&tree->grid, &box);
    const uint32_t target = acre_find_node(tree, node, &place);
    state->has_movers |= target == OUTLIER_NODE || target != node;
    if (target == OUTLIER_NODE) {
        tree->reachable_outliers = UINT32_MAX; // not known until it is counted
    }
    if (target == node) {
        set_location_box(tree, location, &box);
        return false;
    }
    const uint32_t filled_from = chain_block(*node_items(tree, node));
    prefetch_line(node_items(tree, target)); // while the hole is filled
    acre_detach_item(tree, location);
    acre_attach_item(tree, target, item, &box);
    tree->work.moves++;
    return filled_from > block;
}

// Handles a block. Groups in which the kernel could not store every box go slot by slot, from the
// last to the first, so that an item of this block which fills a hole is one that was visited
// already.
static void pull_block(pull *state, uint32_t block)
{
    acre_quadtree *const tree = state->tree;
    const uint32_t count = block_items(tree, block);
    uint32_t left = ALL_GROUPS;
    if (state->has_all) {
        const bool is_ahead = is_large_tree(tree) && block + 1 < tree->block_count;
        if (is_ahead) { // the chain word says how many items the next block has
            prefetch_element(tree->quads->items, tree->headers[block + 1].node >> 2, sizeof(quad));
        }
        left = refresh_kernel_of(tree)->refresh_block(
            &tree->headers[block], state->source, tree->ids[block].id, count,
            is_ahead ? tree->ids[block + 1].id : NULL, &tree->boxes[block]);
    }
    if (!left) {
        return;
    }
    for (uint32_t slot = count; slot-- > 0;) {
        const bool is_left = left >> slot / GROUP_SLOTS & 1;
        while (is_left && pull_item(state, location_of(block, slot))) {
        }
    }
    acre_group_bounds_from_items(tree, block, block_items(tree, block), left);
}

// Grows the root for outliers that a larger root can hold. A growth may move outliers, so the walk
// starts again after each; there are at most MAX_LEVEL growths.
static void grow_for_outliers(acre_quadtree *tree)
{
    chain_walk walk = chain_first(tree, OUTLIER_NODE);
    for (uint32_t slot = 0; walk.count;) {
        const row_box box = location_box(tree, location_of(walk.block, slot));
        const placement place = acre_grid_place(&tree->grid, &box);
        if (!place.is_outlier && acre_grow_root(tree, &place)) {
            walk = chain_first(tree, OUTLIER_NODE);
            slot = 0;
        } else if (++slot == walk.count) {
            walk = chain_next(tree, walk);
            slot = 0;
        }
    }
}

// Grows the root, splits and collapses cells after a pull has moved items.
static void finish_moves(acre_quadtree *tree)
{
    grow_for_outliers(tree);
    for (uint32_t q = 0; q < tree->quad_count; q++) {
        for (uint32_t slot = 0; tree->cold[q].level != NONE && slot < 4; slot++) {
            acre_split_if_full(tree, q * 4 + slot);
        }
    }
    for (uint32_t q = 1; q < tree->quad_count; q++) {
        if (tree->cold[q].level != NONE) {
            acre_collapse_upward(tree, q * 4);
        }
    }
}

// Prefetches the bounds that acre_quad_bounds_from_groups is about to read.
static void prefetch_headers(const acre_quadtree *tree, uint32_t q)
{
    for (uint32_t node = q * 4; node < q * 4 + 4; node++) {
        for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
            const float *const bounds = tree->headers[walk.block].bounds.row[0];
            prefetch_line(&bounds[0]);
            prefetch_line(&bounds[ROW_COUNT * BLOCK_GROUPS - 1]);
        }
    }
}

// Makes the bounds of all nodes from their groups, children before parents.
static void all_bounds_from_groups(acre_quadtree *tree)
{
    const bool is_large = is_large_tree(tree);
    for (uint32_t q = acre_first_postorder(tree, 0); q != NONE;) {
        const uint32_t next = acre_next_postorder(tree, q);
        if (is_large && next != NONE) {
            prefetch_headers(tree, next);
        }
        acre_quad_bounds_from_groups(tree, q);
        q = next;
    }
}

// Refreshes all items. call: what the listener is notified of.
static acre_result pull_all(acre_quadtree *tree, const box_source *source, acre_quadtree_call *call)
{
    if (!begin_edit(tree)) {
        return ACRE_ERROR_BUSY;
    }
    pull state = {.tree = tree,
                  .source = source,
                  .count = call->count,
                  .has_all = call->count >= tree->item_limit};
    for (uint32_t block = 0; block < tree->block_count; block++) {
        if (tree->headers[block].node != NONE) {
            pull_block(&state, block);
        }
    }
    if (state.has_movers) {
        finish_moves(tree);
    }
    all_bounds_from_groups(tree);
    report_batch(tree, &state.report, call);
    end_edit(tree);
    return state.report.first_result;
}

acre_result acre_quadtree_refresh_all(acre_quadtree *tree, const acre_aabb *boxes, size_t count)
{
    if (!tree || (count > 0 && !boxes)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const box_source source = source_from_aabbs(boxes);
    return pull_all(tree, &source,
                    &(acre_quadtree_call){
                        .kind = ACRE_QUADTREE_CALL_REFRESH_ALL, .count = count, .boxes = boxes});
}

acre_result acre_quadtree_refresh_all_from(acre_quadtree *tree, const acre_box_array *boxes,
                                           size_t count)
{
    if (!tree || !has_boxes(boxes, count)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const box_source source = source_from_array(boxes);
    return pull_all(tree, &source,
                    &(acre_quadtree_call){.kind = ACRE_QUADTREE_CALL_REFRESH_ALL_FROM,
                                          .count = count,
                                          .array = boxes});
}

acre_quadtree_report acre_quadtree_last_report(const acre_quadtree *tree)
{
    ACRE_ASSERT(tree != NULL);
    return tree ? tree->report : (acre_quadtree_report){.first_result = ACRE_OK};
}
