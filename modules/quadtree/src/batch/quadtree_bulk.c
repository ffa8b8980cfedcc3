// SPDX-License-Identifier: MIT
// quadtree_bulk.c - many items at once: insert and remove of many, layers of many, optimize.
#include "quadtree_batch.h"

// Makes room for every row that will not be refused, so that none of them fails for memory.
static bool ensure_batch(acre_quadtree *tree, const uint32_t *items, const box_source *source,
                         size_t count)
{
    size_t rows = 0, limit = 0;
    bool has_masks = false;
    for (size_t i = 0; i < count; i++) {
        const row_box box = source_rows(source, i);
        if (check_new_item(tree, items[i], rows_are_valid(&box)) == ACRE_OK) {
            limit = items[i] < limit ? limit : (size_t)items[i] + 1;
            has_masks |= source_layers(source, i) != UINT32_MAX;
            rows++;
        }
    }
    const size_t free_numbers = tree->def.item_capacity - tree->item_count;
    rows = rows < free_numbers ? rows : free_numbers; // an item may be in several rows
    tree->expected_items = (uint32_t)rows;
    return rows == 0 ||
           (acre_ensure_locations(tree, limit) && (!has_masks || acre_create_layers(tree)) &&
            acre_ensure_blocks(tree, tree->item_count + rows, acre_tree_nodes(tree)));
}

// Inserts rows one by one.
static acre_quadtree_report insert_rows(acre_quadtree *tree, const uint32_t *items,
                                        const box_source *source, size_t count)
{
    acre_quadtree_report report = {.first_result = ACRE_OK};
    if (ensure_batch(tree, items, source, count)) {
        for (size_t row = 0; row < count; row++) {
            const row_box box = source_rows(source, row);
            const acre_result result =
                acre_insert_item(tree, items[row], &box, source_layers(source, row));
            if (result != ACRE_OK) {
                refuse_row(&report, row, result);
            }
        }
    } else {
        report = (acre_quadtree_report){count, 0, ACRE_ERROR_OUT_OF_MEMORY};
    }
    tree->expected_items = 0;
    return report;
}

// Builds the tree anew with a large batch; inserts a small one row by row. call: what the listener
// is notified of. report: receives what was refused.
static acre_result insert_batch(acre_quadtree *tree, const box_source *source,
                                acre_quadtree_call *call, acre_quadtree_report *report)
{
    const acre_result started = start_edit(tree);
    if (started != ACRE_OK) {
        return started;
    }
    const size_t count = call->count;
    const bool is_large = count >= BULK_LEAST && count <= UINT32_MAX && count >= tree->item_count;
    const bool is_built = is_large && acre_build_tree(tree, call->items, source, count, report);
    if (!is_built) {
        *report = insert_rows(tree, call->items, source, count);
    }
    acre_renew_lattice(tree, is_built);
    if (is_built) {
        acre_fit_lattice(tree);
    }
    report_batch(tree, report, call);
    end_edit(tree);
    return report->first_result;
}

acre_result acre_quadtree_insert_many(acre_quadtree *tree, const uint32_t *items,
                                      const acre_aabb *boxes, size_t count)
{
    const box_source source = source_from_aabbs(boxes);
    acre_quadtree_call call = {
        .kind = ACRE_QUADTREE_CALL_INSERT_MANY, .count = count, .items = items, .boxes = boxes};
    acre_quadtree_report report = {.first_result = ACRE_OK};
    const acre_result result = count == 0 || (items && boxes)
                                   ? insert_batch(tree, &source, &call, &report)
                                   : ACRE_ERROR_INVALID_ARGUMENT;
    return ACRE_ANSWER(result, "ro[#[Bn", report.refused, report.first_row, tree, items, boxes,
                       count);
}

acre_result acre_quadtree_insert_many_from(acre_quadtree *tree, const uint32_t *items,
                                           const acre_box_array *boxes, size_t count)
{
    box_source source = {0};
    acre_quadtree_call call = {.kind = ACRE_QUADTREE_CALL_INSERT_MANY_FROM,
                               .count = count,
                               .items = items,
                               .array = boxes};
    acre_quadtree_report report = {.first_result = ACRE_OK};
    acre_result result = ACRE_ERROR_INVALID_ARGUMENT;
    if (box_array_is_valid(boxes, count) && (count == 0 || items)) {
        source = source_from_array(boxes);
        result = insert_batch(tree, &source, &call, &report);
    }
    const acre_aabb box = refused_box(&source, &report);
    return ACRE_ANSWER(result, "ro[#An", report.refused, report.first_row, tree, items, boxes, &box,
                       count);
}

acre_result acre_quadtree_insert_many_in_layers(acre_quadtree *tree, const uint32_t *items,
                                                const acre_aabb *boxes, const uint32_t *layers,
                                                size_t count)
{
    box_source source = source_from_aabbs(boxes);
    source.layers = layers;
    acre_quadtree_call call = {.kind = ACRE_QUADTREE_CALL_INSERT_MANY_IN_LAYERS,
                               .count = count,
                               .items = items,
                               .boxes = boxes,
                               .row_layers = layers};
    acre_quadtree_report report = {.first_result = ACRE_OK};
    return count == 0 || (items && boxes && layers) ? insert_batch(tree, &source, &call, &report)
                                                    : ACRE_ERROR_INVALID_ARGUMENT;
}

static void set_layers_of_rows(acre_quadtree *tree, const uint32_t *items, const uint32_t *layers,
                               size_t count, acre_quadtree_report *report)
{
    for (size_t row = 0; row < count; row++) {
        const acre_result result = acre_set_item_layers(tree, items[row], layers[row]);
        if (result == ACRE_ERROR_OUT_OF_MEMORY) { // no row before this one has changed anything
            *report = (acre_quadtree_report){count, 0, result};
            return;
        }
        if (result != ACRE_OK) {
            refuse_row(report, row, result);
        }
    }
}

acre_result acre_quadtree_set_layers_many(acre_quadtree *tree, const uint32_t *items,
                                          const uint32_t *layers, size_t count)
{
    acre_quadtree_report report = {.first_result = ACRE_OK};
    const acre_result started =
        count == 0 || (items && layers) ? start_edit(tree) : ACRE_ERROR_INVALID_ARGUMENT;
    if (started != ACRE_OK) {
        return started;
    }
    set_layers_of_rows(tree, items, layers, count, &report);
    report_batch(tree, &report,
                 &(acre_quadtree_call){.kind = ACRE_QUADTREE_CALL_SET_LAYERS_MANY,
                                       .count = count,
                                       .items = items,
                                       .row_layers = layers});
    end_edit(tree);
    return report.first_result;
}

static void prefetch_slot(const acre_quadtree *tree, uint32_t block, uint32_t slot)
{
    const item_group *const group = &tree->boxes[block].groups[slot / GROUP_SLOTS];
    prefetch_line(&tree->ids[block].id[slot]);
    for (int i = 0; i < ROW_COUNT; i++) {
        prefetch_line(group->row[i]);
    }
}

// The location of a later row's item; ABSENT if there is no such row or item.
static uint32_t row_location(const acre_quadtree *tree, const uint32_t *items, size_t count,
                             size_t row)
{
    return row < count && has_item(tree, items[row]) ? tree->locations[items[row]] : ABSENT;
}

// Prefetches, step by step, what the removal of later rows will read: first the location, then the
// item and its block's header, then the node, then the item that fills the hole.
static void prefetch_removal(const acre_quadtree *tree, const uint32_t *items, size_t count,
                             size_t row)
{
    const size_t first = row + 4 * REMOVE_AHEAD;
    if (first < count && items[first] < tree->location_count) {
        prefetch_line(&tree->locations[items[first]]);
    }
    const uint32_t second = row_location(tree, items, count, row + 3 * REMOVE_AHEAD);
    if (second != ABSENT) {
        prefetch_line(&tree->headers[location_block(second)]);
        prefetch_slot(tree, location_block(second), location_slot(second));
    }
    const uint32_t third = row_location(tree, items, count, row + 2 * REMOVE_AHEAD);
    if (third != ABSENT) {
        const uint32_t node = tree->headers[location_block(third)].node;
        prefetch_line(node_items(tree, node));
        prefetch_line(&tree->cold[node >> 2]);
    }
    const uint32_t last = row_location(tree, items, count, row + REMOVE_AHEAD);
    if (last != ABSENT) {
        const uint32_t word = *node_items(tree, tree->headers[location_block(last)].node);
        prefetch_slot(tree, chain_block(word), chain_count(word) - 1);
    }
}

static void remove_rows(acre_quadtree *tree, const uint32_t *items, size_t count,
                        acre_quadtree_report *report)
{
    const bool collapses_late = count >= tree->item_count / LATE_COLLAPSE_DIVISOR;
    for (size_t row = 0; row < count; row++) {
        prefetch_removal(tree, items, count, row);
        const acre_result result = acre_remove_item(tree, items[row], !collapses_late);
        if (result != ACRE_OK) {
            refuse_row(report, row, result);
        }
    }
    for (uint32_t q = 1; collapses_late && q < tree->quad_count; q++) {
        if (tree->cold[q].level != NONE) {
            acre_collapse_upward(tree, q * 4);
        }
    }
}

acre_result acre_quadtree_remove_many(acre_quadtree *tree, const uint32_t *items, size_t count)
{
    acre_quadtree_report report = {.first_result = ACRE_OK};
    const acre_result started =
        count == 0 || items ? start_edit(tree) : ACRE_ERROR_INVALID_ARGUMENT;
    if (started == ACRE_OK) {
        remove_rows(tree, items, count, &report);
        report_batch(tree, &report,
                     &(acre_quadtree_call){
                         .kind = ACRE_QUADTREE_CALL_REMOVE_MANY, .count = count, .items = items});
        end_edit(tree);
    }
    const acre_result result = started == ACRE_OK ? report.first_result : started;
    return ACRE_ANSWER(result, "ro[#n", report.refused, report.first_row, tree, items, count);
}

acre_result acre_quadtree_optimize(acre_quadtree *tree)
{
    acre_result result = start_edit(tree);
    if (result == ACRE_OK) {
        acre_quadtree_report none = {.first_result = ACRE_OK};
        if (tree->item_count == 0 || acre_build_tree(tree, NULL, NULL, 0, &none)) {
            acre_renew_lattice(tree, true);
            acre_fit_lattice(tree);
        } else {
            result = ACRE_ERROR_OUT_OF_MEMORY;
        }
        NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_OPTIMIZE, .result = result);
        end_edit(tree);
    }
    return ACRE_ANSWER(result, "o", tree);
}
