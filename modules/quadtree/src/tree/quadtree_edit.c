// SPDX-License-Identifier: MIT
// quadtree_edit.c - insert, refresh, remove, clear, layers: one item at a time.
#ifdef ACRE_HAS_LANES_FOUR
#include "quadtree_kernel_four_refresh.h"
#else
#include "quadtree_kernel_refresh.h"
#endif
#include "quadtree_tree.h"

#include "quadtree_items_shared.h"

#include <string.h>

// Grows the root if it must to cover a placement.
// @return whether it does; if not, the outliers that another root would reach are to be counted
// anew.
static bool reach(acre_quadtree *tree, const placement *place)
{
    if (acre_root_covers(tree, place)) {
        return true;
    }
    acre_grow_root(tree, place);
    if (acre_root_covers(tree, place)) {
        return true;
    }
    tree->reachable_outliers = UINT32_MAX; // one more, not known until it is counted
    return false;
}

// Gives an item a box with which it may have to leave its node; then cells collapse and split.
// Never needs memory: where there is none, the root does not grow and cells do not split.
static void move_item(acre_quadtree *tree, uint32_t item, const row_box *box)
{
    ACRE_INVARIANT(acre_has_blocks_for_refresh(tree)); // I12
    const placement place = acre_grid_place(&tree->grid, box);
    const bool is_reached = reach(tree, &place);
    const uint32_t location = tree->locations[item];
    const uint32_t source = item_node(tree, item);
    const uint32_t target =
        is_reached ? acre_find_covered_node(tree, source, &place, box) : OUTLIER_NODE;
    if (target == source) {
        acre_store_box(tree, location, box);
        return;
    }
    acre_detach_item(tree, location);
    acre_attach_item(tree, target, item, box);
    tree->work.moves++;
    acre_collapse_upward(tree, source);
    acre_split_if_full(tree, item_node(tree, item));
}

// Gives an item a new box. The tree is being edited.
acre_result acre_refresh_item(acre_quadtree *tree, uint32_t item, const row_box *rows)
{
    if (!has_item(tree, item)) {
        return ACRE_ERROR_NOT_FOUND;
    }
    const uint32_t location = tree->locations[item];
    if (rows_stay_in_cell(&tree->headers[location_block(location)].limits, rows)) {
        acre_store_box(tree, location, rows);
    } else if (rows_are_valid(rows)) {
        move_item(tree, item, rows);
    } else {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    return ACRE_OK;
}

// fits_in_place, with vectors that every processor of the target has.
static inline bool aabb_fits(const acre_quadtree *tree, uint32_t location, const acre_aabb *box)
{
#ifdef ACRE_HAS_LANES_FOUR
    return four_fits(&tree->headers[location_block(location)],
                     location_slot(location) / GROUP_SLOTS,
                     four_load_box((const unsigned char *)box));
#else
    const row_box rows = rows_of_aabb(box);
    return fits_in_place(tree, location, &rows);
#endif
}

// Stores a box if nothing else changes with it. Reads the box a second time, as words: taking it
// from the vectors would go through memory, while a processor copies words beside the test.
static inline bool store_aabb(acre_quadtree *tree, uint32_t location, const acre_aabb *box)
{
    if (!aabb_fits(tree, location, box)) {
        return false;
    }
    float *const to = &location_group(tree, location)->row[0][location % GROUP_SLOTS];
    for (int axis = 0; axis < 3; axis++) {
        uint32_t low, high;
        memcpy(&low, &box->min[axis], sizeof low);
        memcpy(&high, &box->max[axis], sizeof high);
        memcpy(to + axis * 2 * GROUP_SLOTS, &low, sizeof low);
        memcpy(to + (axis * 2 + 1) * GROUP_SLOTS, &high, sizeof high);
    }
    return true;
}

// Prefetches the item of a later refresh. If the last two refreshes had the same stride, the next
// ones are assumed to have it too.
static inline void foresee_refreshes(acre_quadtree *tree, uint32_t item)
{
    const uint32_t step = item - tree->last_item;
    if (step == tree->last_step) {
        prefetch_item(tree, item + FAR_ROWS * step);
    }
    tree->last_item = item;
    tree->last_step = step;
}

// Ends a refresh that is more than a store, or that a listener hears of. Never inlined: it would
// make the path without it save registers.
ACRE_NEVER_INLINE
static acre_result end_refresh(acre_quadtree *tree, uint32_t item, const acre_aabb *box)
{
    const row_box rows = rows_of_aabb(box);
    const acre_result result = acre_refresh_item(tree, item, &rows);
    NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_REFRESH, .result = result, .item = item, .boxes = box);
    end_edit(tree);
    return ACRE_ANSWER_OF("acre_quadtree_refresh", result, "o#B", tree, item, box);
}

// A refresh that a listener hears of, that is called in a callback of some tree, or that is refused
// for its arguments.
ACRE_NEVER_INLINE
static acre_result refresh_carefully(acre_quadtree *tree, uint32_t item, const acre_aabb *box)
{
    const acre_result begun = box ? start_edit(tree) : ACRE_ERROR_INVALID_ARGUMENT;
    if (begun != ACRE_OK) {
        return ACRE_ANSWER_OF("acre_quadtree_refresh", begun, "o#B", tree, item, box);
    }
    return end_refresh(tree, item, box);
}

// The tree is being edited.
ACRE_ALWAYS_INLINE acre_result store_or_refresh(acre_quadtree *tree, uint32_t item,
                                                const acre_aabb *box)
{
    if (!has_item(tree, item) || !store_aabb(tree, tree->locations[item], box)) {
        return end_refresh(tree, item, box);
    }
    end_edit(tree);
    return ACRE_OK;
}

// In a tree that is larger than the caches.
ACRE_NEVER_INLINE
static acre_result refresh_far(acre_quadtree *tree, uint32_t item, const acre_aabb *box)
{
    foresee_refreshes(tree, item);
    return store_or_refresh(tree, item, box);
}

// Nearly every refresh only stores the box, and makes no call: a call costs as much as the rest.
acre_result acre_quadtree_refresh(acre_quadtree *tree, uint32_t item, const acre_aabb *box)
{
    if (!tree || !box ||
        ((acre_innermost_callback != NULL) | (tree->listener != NULL)) || // one branch for both
        !access_begin_write(&tree->access)) {
        return refresh_carefully(tree, item, box);
    }
    return tree->live_blocks >= FAR_BLOCKS ? refresh_far(tree, item, box)
                                           : store_or_refresh(tree, item, box);
}

// Where the search for a new item's node begins. Items inserted one after the other are often
// neighbors, so it begins at the last one's node, unless that node is gone or may stand in a band,
// which the search would not leave.
static inline uint32_t first_guess(const acre_quadtree *tree, const placement *place)
{
    const uint32_t node = tree->insert_node;
    if (!tree->inserts_are_near || tree->banded_quads > 0 || !is_live_quad(tree, node >> 2)) {
        return ROOT_NODE;
    }
    const cell square = quarter_cell(tree, node);
    return cell_holds(&square, place->x, place->z) ? node : ROOT_NODE;
}

// Adds an item. The tree is being edited. Always inlined: as a call it takes 2 % more instructions.
ACRE_ALWAYS_INLINE acre_result insert_rows_of(acre_quadtree *tree, uint32_t item,
                                              const row_box *rows, uint32_t layers)
{
    if (!rows_are_valid(rows)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (item >= tree->def.item_capacity) {
        return ACRE_ERROR_CAPACITY;
    }
    if (has_item(tree, item)) {
        return ACRE_ERROR_EXISTS;
    }
    const size_t expected = tree->expected_items > 0 ? tree->expected_items : 1;
    if (!acre_ensure_locations(tree, (size_t)item + 1) ||
        !acre_ensure_blocks(tree, tree->item_count + expected, acre_tree_nodes(tree))) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    tree->item_limit = item < tree->item_limit ? tree->item_limit : item + 1;
    tree->item_count++; // before the root grows: room for its new cells counts this item
    tree->expected_items = (uint32_t)expected - 1;
    const placement place = acre_grid_place(&tree->grid, rows);
    const bool is_reached = reach(tree, &place);
    ACRE_INVARIANT(tree->layers || layers == UINT32_MAX);
    if (tree->layers) {
        tree->layers[item] = layers;
    }
    ACRE_INVARIANT(acre_has_blocks_for_refresh(tree)); // I12
    const uint32_t node =
        is_reached ? acre_find_covered_node(tree, first_guess(tree, &place), &place, rows)
                   : OUTLIER_NODE;
    tree->inserts_are_near = node == tree->insert_node && node > OUTLIER_NODE;
    tree->insert_node = node;
    acre_attach_item(tree, node, item, rows);
    acre_split_if_full(tree, node);
    return ACRE_OK;
}

acre_result acre_insert_item(acre_quadtree *tree, uint32_t item, const row_box *rows,
                             uint32_t layers)
{
    return insert_rows_of(tree, item, rows, layers);
}

acre_result acre_quadtree_reserve_item(acre_quadtree *tree, uint32_t item, uint32_t layers)
{
    if (!tree) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (item >= tree->def.item_capacity) {
        return ACRE_ERROR_CAPACITY;
    }
    if (!begin_edit(tree)) {
        return ACRE_ERROR_BUSY;
    }
    const size_t expected = tree->expected_items > 0 ? tree->expected_items : 1;
    const bool has_room =
        acre_ensure_locations(tree, (size_t)item + 1) &&
        acre_ensure_blocks(tree, tree->item_count + expected, acre_tree_nodes(tree)) &&
        (layers == 0 || layers == UINT32_MAX || acre_create_layers(tree));
    access_end_write(&tree->access);
    return has_room ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
}

acre_result acre_quadtree_insert(acre_quadtree *tree, uint32_t item, const acre_aabb *box)
{
    acre_result result = box ? start_edit(tree) : ACRE_ERROR_INVALID_ARGUMENT;
    if (result == ACRE_OK) {
        const row_box rows = rows_of_aabb(box);
        result = insert_rows_of(tree, item, &rows, UINT32_MAX);
        NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_INSERT, .result = result, .item = item,
               .boxes = box);
        end_edit(tree);
    }
    return ACRE_ANSWER(result, "o#B", tree, item, box);
}

// Removes an item. The tree is being edited.
acre_result acre_remove_item(acre_quadtree *tree, uint32_t item, bool may_collapse)
{
    if (!has_item(tree, item)) {
        return ACRE_ERROR_NOT_FOUND;
    }
    const uint32_t node = item_node(tree, item);
    acre_detach_item(tree, tree->locations[item]);
    ACRE_INVARIANT(tree->item_count > 0); // I14
    tree->item_count--;
    tree->work.removals++;
    if (may_collapse) {
        acre_collapse_upward(tree, node);
    }
    return ACRE_OK;
}

acre_result acre_quadtree_remove(acre_quadtree *tree, uint32_t item)
{
    acre_result result = start_edit(tree);
    if (result == ACRE_OK) {
        result = acre_remove_item(tree, item, true);
        NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_REMOVE, .result = result, .item = item);
        end_edit(tree);
    }
    return ACRE_ANSWER(result, "o#", tree, item);
}

void acre_quadtree_clear(acre_quadtree *tree)
{
    const acre_result result = start_edit(tree);
    if (result != ACRE_OK) {
        (void)ACRE_MISUSED(result, "o", tree);
        return;
    }
    acre_reset_tree(tree);
    NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_CLEAR);
    end_edit(tree);
}

bool acre_quadtree_contains(const acre_quadtree *tree, uint32_t item)
{
    return tree ? has_item(tree, item) : ACRE_MISUSED(ACRE_ERROR_INVALID_ARGUMENT, "o", tree);
}

bool acre_quadtree_find_box(const acre_quadtree *tree, uint32_t item, acre_aabb *out)
{
    ACRE_ASSERT(tree && out);
    if (!has_item(tree, item)) {
        return false;
    }
    const row_box box = location_box(tree, tree->locations[item]);
    *out = aabb_of_rows(&box);
    return true;
}

acre_result acre_quadtree_get_box(const acre_quadtree *tree, uint32_t item, acre_aabb *out)
{
    const acre_result result = !tree || !out ? ACRE_ERROR_INVALID_ARGUMENT
                               : acre_quadtree_find_box(tree, item, out) ? ACRE_OK
                                                                         : ACRE_ERROR_NOT_FOUND;
    return ACRE_ANSWER(result, "o#p", tree, item, out);
}

// How many boxes ahead lines are prefetched; locations twice as far.
enum { PREFETCHED_BOXES = 8 };

static void prefetch_boxes(const acre_quadtree *tree, const uint32_t *items, size_t count, size_t i)
{
    if (i + 2 * PREFETCHED_BOXES < count) {
        prefetch_element(tree->locations, items[i + 2 * PREFETCHED_BOXES], sizeof *tree->locations);
    }
    if (i + PREFETCHED_BOXES < count && has_item(tree, items[i + PREFETCHED_BOXES])) {
        const uint32_t location = tree->locations[items[i + PREFETCHED_BOXES]];
        const item_group *const group = location_group(tree, location);
        for (int row = 0; row < ROW_COUNT; row++) {
            prefetch_line(group->row[row]);
        }
    }
}

size_t acre_quadtree_get_boxes(const acre_quadtree *tree, const uint32_t *items, size_t count,
                               acre_aabb *boxes)
{
    if (!tree || !items || !boxes) {
        return !tree ? ACRE_MISUSED(ACRE_ERROR_INVALID_ARGUMENT, "o[#np", tree, items, count, boxes)
               : count == 0
                   ? 0
                   : ACRE_NOTHING(ACRE_ERROR_INVALID_ARGUMENT, "o[#np", tree, items, count, boxes);
    }
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        prefetch_boxes(tree, items, count, i);
        if (has_item(tree, items[i])) {
            const row_box box = location_box(tree, tree->locations[items[i]]);
            boxes[i] = aabb_of_rows(&box);
            found++;
        }
    }
    return found;
}

acre_result acre_set_item_layers(acre_quadtree *tree, uint32_t item, uint32_t layers)
{
    if (!has_item(tree, item)) {
        return ACRE_ERROR_NOT_FOUND;
    }
    const uint32_t mask = layers ? layers : UINT32_MAX;
    if (!tree->layers && mask == UINT32_MAX) {
        return ACRE_OK;
    }
    if (!acre_create_layers(tree)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    tree->layers[item] = mask;
    acre_grow_node_layers(tree, item_node(tree, item), mask);
    return ACRE_OK;
}

acre_result acre_quadtree_set_layers(acre_quadtree *tree, uint32_t item, uint32_t layers)
{
    acre_result result = start_edit(tree);
    if (result == ACRE_OK) {
        result = acre_set_item_layers(tree, item, layers);
        NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_SET_LAYERS, .result = result, .item = item,
               .layers = layers);
        end_edit(tree);
    }
    return ACRE_ANSWER(result, "o#u", tree, item, layers);
}

uint32_t acre_quadtree_get_layers(const acre_quadtree *tree, uint32_t item)
{
    if (!tree) {
        return (uint32_t)ACRE_MISUSED(ACRE_ERROR_INVALID_ARGUMENT, "o", tree);
    }
    return !has_item(tree, item) ? 0 : tree->layers ? tree->layers[item] : UINT32_MAX;
}
