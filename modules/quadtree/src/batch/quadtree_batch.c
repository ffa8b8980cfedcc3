// SPDX-License-Identifier: MIT
// quadtree_batch.c - refresh of many items (push) and of all items (pull).
//
// A pull has three steps. The first walks the blocks in the order of memory, reads the caller's
// boxes by item, stores those of items that stay in their cell, and marks the other items; blocks
// are independent, so that workers share them. The second moves the marked items, block by block.
// Growth of the root, splits and collapses follow. Bounds of nodes come last, children before
// parents: workers share the subtrees of a level of the tree, and the caller makes the bounds
// above.
#include "quadtree_batch.h"
#include "quadtree_kernel_refresh.h"

#include "bits_internal.h"
#include "tasks_internal.h"

#include <string.h>

// Blocks that a worker claims at a time: some 12 us.
#define CLAIMED_BLOCKS 64

// Workers share the subtrees of the first level that has some for each of them, and at most
// MOST_SUBTREES. A walk within a subtree fetches ahead, the first quads of a subtree wait: two
// workers take 280 us for a million items in 64 subtrees, 370 in 256, 520 in 1,024; one takes 430.
enum {
    SUBTREES_OF_SHARE = 16,
    MOST_SUBTREES = 1024,
    SHARE_BLOCKS = 512 // the least blocks of a share: some 5 us, when the workers are awake
};

// Refreshes rows in order. The kernel stores rows for as long as nothing else changes with them,
// and answers the first row that needs more. call: what the listener is notified of. report:
// receives what was refused.
static acre_result push(acre_quadtree *tree, const uint32_t *items, const box_source *source,
                        acre_quadtree_call *call, acre_quadtree_report *report)
{
    const acre_result started = start_edit(tree);
    if (started != ACRE_OK) {
        return started;
    }
    for (size_t i = 0; i < call->count; i++) {
        i = refresh_kernel_of(tree)->refresh_rows(tree, items, source, i, call->count);
        ACRE_INVARIANT(i <= call->count);
        if (i < call->count) {
            const row_box rows = source_rows(source, i);
            const acre_result result = acre_refresh_item(tree, items[i], &rows);
            if (result != ACRE_OK) {
                refuse_row(report, i, result);
            }
        }
    }
    report_batch(tree, report, call);
    end_edit(tree);
    return report->first_result;
}

acre_result acre_quadtree_refresh_many(acre_quadtree *tree, const uint32_t *items,
                                       const acre_aabb *boxes, size_t count)
{
    const box_source source = source_from_aabbs(boxes);
    acre_quadtree_call call = {
        .kind = ACRE_QUADTREE_CALL_REFRESH_MANY, .count = count, .items = items, .boxes = boxes};
    acre_quadtree_report report = {.first_result = ACRE_OK};
    const acre_result result = count == 0 || (items && boxes)
                                   ? push(tree, items, &source, &call, &report)
                                   : ACRE_ERROR_INVALID_ARGUMENT;
    return ACRE_ANSWER(result, "ro[#[Bn", report.refused, report.first_row, tree, items, boxes,
                       count);
}

acre_result acre_quadtree_refresh_many_from(acre_quadtree *tree, const uint32_t *items,
                                            const acre_box_array *boxes, size_t count)
{
    box_source source = {0};
    acre_quadtree_call call = {.kind = ACRE_QUADTREE_CALL_REFRESH_MANY_FROM,
                               .count = count,
                               .items = items,
                               .array = boxes};
    acre_quadtree_report report = {.first_result = ACRE_OK};
    acre_result result = ACRE_ERROR_INVALID_ARGUMENT;
    if (box_array_is_valid(boxes, count) && (count == 0 || items)) {
        source = source_from_array(boxes);
        result = push(tree, items, &source, &call, &report);
    }
    const acre_aabb box = refused_box(&source, &report);
    return ACRE_ANSWER(result, "ro[#An", report.refused, report.first_row, tree, items, boxes, &box,
                       count);
}

// The state of a pull.
typedef struct pull {
    block_claim claim; // a block of the claim is `claimed` of the tree's
    uint32_t claimed;
    acre_quadtree *tree;
    const box_source *source;
    size_t count;
    uint32_t block_count; // blocks when the pull began
    bool has_all;         // there is a box for every item
    bool has_movers;      // an item moved to another node, or is an outlier
    const double *offset; // of a shift; NULL: items without a row keep their boxes
    uint32_t rounded;     // boxes that a shift rounded
    acre_quadtree_report report;
} pull;

// The box of an item without a row, which has its old one still, moved by a shift. is_rounded: is
// set where that cannot be exact.
static row_box moved_box(const pull *state, uint32_t location, uint32_t *is_rounded)
{
    row_box box = location_box(state->tree, location);
    for (int i = 0; i < ROW_COUNT; i += 2) {
        box.row[i] = float_add_down(box.row[i], state->offset[i / 2], is_rounded);
        box.row[i + 1] = float_add_up(box.row[i + 1], state->offset[i / 2], is_rounded);
    }
    return box;
}

// @return false if the box is not valid, or leaves the cell that its item is in.
static inline bool store_box_if_it_stays(acre_quadtree *tree, uint32_t location, const row_box *box)
{
    const bool stays = rows_stay_in_cell(&tree->headers[location_block(location)].limits, box);
    if (stays) {
        set_location_box(tree, location, box);
    }
    return stays;
}

static bool store_moved_if_it_stays(const pull *state, uint32_t location, uint32_t *rounded)
{
    uint32_t is_rounded = 0;
    const row_box box = moved_box(state, location, &is_rounded);
    const bool stays = store_box_if_it_stays(state->tree, location, &box);
    *rounded += is_rounded & stays;
    return stays;
}

// Stores the new box of an item that stays in its cell. @return as store_box_if_it_stays.
static bool store_if_it_stays(const pull *state, uint32_t location, uint32_t *rounded)
{
    acre_quadtree *const tree = state->tree;
    const uint32_t item = tree->ids[location_block(location)].id[location_slot(location)];
    ACRE_INVARIANT(tree->locations[item] == location); // I2
    if (item >= state->count) {
        return !state->offset || store_moved_if_it_stays(state, location, rounded);
    }
    const row_box box = source_rows(state->source, item);
    return store_box_if_it_stays(tree, location, &box);
}

// Makes the bounds of groups from the items that stay. A leaver has its old box still, which a
// shift may have put far from the cell.
static void bounds_of_stayers(acre_quadtree *tree, uint32_t block, uint32_t count, uint32_t groups,
                              uint64_t leaving)
{
    for (uint32_t first = 0; first < count && tree->headers[block].node != OUTLIER_NODE;
         first += GROUP_SLOTS) {
        row_box bounds = rows_empty();
        for (uint32_t slot = first; slot < count && slot < first + GROUP_SLOTS; slot++) {
            const row_box box = location_box(tree, location_of(block, slot));
            if (!(leaving >> slot & 1)) {
                rows_merge(&bounds, &box);
            }
        }
        if (groups >> first / GROUP_SLOTS & 1) {
            set_group_bounds(tree, location_of(block, first), &bounds);
        }
    }
}

// Moves the boxes of a block's items that stay. @return as store_stayers.
static uint64_t shift_stayers(const pull *state, uint32_t block, uint32_t count, uint32_t *rounded)
{
    acre_quadtree *const tree = state->tree;
    const uint64_t leaving = refresh_kernel_of(tree)->shift_block(
        &tree->headers[block], state->offset, count, &tree->boxes[block], rounded);
    uint32_t groups = 0;
    for (uint32_t group = 0; group < BLOCK_GROUPS; group++) {
        groups |= (uint32_t)((leaving >> group * GROUP_SLOTS & 0xffff) != 0) << group;
    }
    if (groups) {
        bounds_of_stayers(tree, block, count, groups, leaving);
    }
    return leaving;
}

// Stores the boxes of those groups slot by slot. @return as store_stayers.
static uint64_t store_slots(const pull *state, uint32_t block, uint32_t count, uint32_t groups,
                            uint32_t *rounded)
{
    uint64_t leaving = 0;
    for (uint32_t slot = 0; slot < count; slot++) {
        const bool is_left = groups >> slot / GROUP_SLOTS & 1;
        if (is_left && !store_if_it_stays(state, location_of(block, slot), rounded)) {
            leaving |= (uint64_t)1 << slot;
        }
    }
    if (state->offset) {
        bounds_of_stayers(state->tree, block, count, groups, leaving);
    } else {
        acre_group_bounds_from_items(state->tree, block, count, groups);
    }
    return leaving;
}

// The first step for a block: stores the boxes of all items that stay in their cell. Groups in
// which the kernel could not store every box go slot by slot. Touches nothing but this block.
// @return a bit for each slot whose item has yet to be moved.
static uint64_t store_stayers(const pull *state, uint32_t block, uint32_t *rounded)
{
    acre_quadtree *const tree = state->tree;
    const uint32_t count = block_items(tree, block);
    uint32_t left = ALL_GROUPS;
    if (count == 0) {
        return 0;
    }
    if (state->has_all) {
        const bool is_ahead = is_large_tree(tree) && block + 1 < state->block_count;
        if (is_ahead) { // the chain word says how many items the next block has
            prefetch_element(tree->quads->items, tree->headers[block + 1].node >> 2, sizeof(quad));
        }
        left = refresh_kernel_of(tree)->refresh_block(
            &tree->headers[block], state->source, tree->ids[block].id, count,
            is_ahead ? tree->ids[block + 1].id : NULL, &tree->boxes[block]);
    } else if (state->offset && state->count == 0) {
        return shift_stayers(state, block, count, rounded);
    }
    return left ? store_slots(state, block, count, left, rounded) : 0;
}

// One share of the first step.
static void store_share(void *context, uint32_t share)
{
    pull *const state = context;
    uint32_t rounded = 0;
    for (uint32_t claimed; claim_near_block(&state->claim, share, &claimed);) {
        const uint32_t begin = claimed * state->claimed;
        const uint32_t rest = state->block_count - begin;
        const uint32_t end = begin + (rest < state->claimed ? rest : state->claimed);
        for (uint32_t block = begin; block < end; block++) {
            state->tree->leaving[block] = store_stayers(state, block, &rounded);
        }
    }
    if (rounded > 0) {
        atomic_add_relaxed(&state->rounded, rounded);
    }
}

// Clears the mark of a slot. @return whether there was one.
static bool take_mark(const pull *state, uint32_t location)
{
    const uint32_t block = location_block(location);
    const uint64_t bit = (uint64_t)1 << location_slot(location);
    if (block >= state->block_count || !(state->tree->leaving[block] & bit)) {
        return false;
    }
    state->tree->leaving[block] &= ~bit;
    return true;
}

// The second step for an item: moves it to its new cell, or refuses the box. The item that fills
// the hole brings its mark along.
static void move_leaver(pull *state, uint32_t location)
{
    acre_quadtree *const tree = state->tree;
    const uint32_t block = location_block(location), slot = location_slot(location);
    const uint32_t item = tree->ids[block].id[slot];
    ACRE_INVARIANT(tree->locations[item] == location); // I2
    uint32_t is_rounded = 0;
    const row_box box = item < state->count ? source_rows(state->source, item)
                                            : moved_box(state, location, &is_rounded);
    if (!rows_are_valid(&box)) {
        refuse_row(&state->report, item, ACRE_ERROR_INVALID_ARGUMENT);
        return;
    }
    state->rounded += is_rounded;
    const uint32_t node = tree->headers[block].node;
    const placement place = acre_grid_place(&tree->grid, &box);
    const uint32_t target = acre_find_node(tree, node, &place, &box);
    state->has_movers |= target == OUTLIER_NODE || target != node;
    if (target == OUTLIER_NODE) {
        tree->reachable_outliers = UINT32_MAX; // not known until it is counted
    }
    if (target == node) {
        set_location_box(tree, location, &box);
        return;
    }
    const uint32_t word = *node_items(tree, node);
    const uint32_t filler = location_of(chain_block(word), chain_count(word) - 1);
    prefetch_line(node_items(tree, target)); // while the hole is filled
    acre_detach_item(tree, location);
    acre_attach_item(tree, target, item, &box);
    tree->work.moves++;
    if (filler != location && take_mark(state, filler)) {
        tree->leaving[block] |= (uint64_t)1 << slot;
    }
}

// The second step: moves the items that leave their cells, in the order of blocks, so that the
// order is the same however many workers ran the first step.
static void move_leavers(pull *state)
{
    acre_quadtree *const tree = state->tree;
    for (uint32_t block = 0; block < state->block_count; block++) {
        uint32_t groups = 0;
        while (tree->leaving[block]) {
            const uint32_t slot = lowest_bit(tree->leaving[block]);
            tree->leaving[block] &= tree->leaving[block] - 1;
            groups |= 1u << slot / GROUP_SLOTS;
            move_leaver(state, location_of(block, slot));
        }
        if (groups && tree->headers[block].node != NONE) {
            acre_group_bounds_from_items(tree, block, block_items(tree, block), groups);
        }
    }
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

// Makes the bounds of all nodes below a quad's parent from their groups, children before parents.
static void bounds_below(acre_quadtree *tree, uint32_t top)
{
    const bool is_large = is_large_tree(tree);
    for (uint32_t q = acre_first_postorder(tree, top); q != NONE;) {
        const uint32_t next = q == top ? NONE : acre_next_postorder(tree, q);
        if (is_large && next != NONE) {
            prefetch_headers(tree, next);
        }
        acre_quad_bounds_from_groups(tree, q);
        q = next;
    }
}

// Whole levels of the tree: the quads of the lowest one are the tops of subtrees.
typedef struct bounds_call {
    block_claim claim; // of subtrees
    acre_quadtree *tree;
    uint32_t above; // quads above them, which are listed first, parents before children
    uint32_t quads[2 * MOST_SUBTREES];
} bounds_call;

// Lists the children of the lowest level. @return how many.
static uint32_t list_next_level(bounds_call *call, uint32_t begin, uint32_t end)
{
    uint32_t count = 0;
    for (uint32_t i = begin; i < end; i++) {
        for (uint32_t slot = 0; slot < 4; slot++) {
            const uint32_t child = call->tree->quads[call->quads[i]].child[slot];
            if (child) {
                ACRE_INVARIANT(end + count < 2 * MOST_SUBTREES);
                call->quads[end + count++] = child;
            }
        }
    }
    return count;
}

// Lists level after level until one has enough subtrees, or the next one might have too many.
static void list_subtrees(bounds_call *call, uint32_t shares)
{
    const uint32_t wanted = shares * SUBTREES_OF_SHARE, most = MOST_SUBTREES / 4;
    const uint32_t enough = wanted < most ? wanted : most;
    uint32_t begin = 0, end = 1;
    call->quads[0] = 0;
    while (end - begin < enough && end <= MOST_SUBTREES) {
        const uint32_t count = list_next_level(call, begin, end);
        if (count == 0) {
            break;
        }
        begin = end;
        end += count;
    }
    call->above = begin;
    call->claim.count = end - begin;
}

static void bounds_share(void *context, uint32_t share)
{
    bounds_call *const call = context;
    for (uint32_t claimed; claim_near_block(&call->claim, share, &claimed);) {
        bounds_below(call->tree, call->quads[call->above + claimed]);
    }
}

void acre_all_bounds_from_groups(acre_quadtree *tree)
{
    const uint32_t shares =
        tree->listener ? 1 : share_count_for(&tree->tasks, tree->block_count, SHARE_BLOCKS);
    if (shares == 1) {
        bounds_below(tree, 0);
        return;
    }
    bounds_call call = {.tree = tree};
    list_subtrees(&call, shares);
    acre_run_shares(&tree->tasks, "acre bounds", shares, bounds_share, &call);
    for (uint32_t i = call.above; i-- > 0;) {
        acre_quad_bounds_from_groups(tree, call.quads[i]);
    }
}

// Runs all steps of a pull, whose tree, source, count and offset are set.
static void run_pull(pull *state)
{
    acre_quadtree *const tree = state->tree;
    const uint32_t shares =
        tree->listener ? 1 : share_count_for(&tree->tasks, tree->item_count, SHARE_ITEMS);
    state->claimed = block_size_for(&tree->tasks, CLAIMED_BLOCKS, 1);
    state->claim.count = (tree->block_count + state->claimed - 1) / state->claimed;
    state->block_count = tree->block_count;
    state->has_all = state->count >= tree->item_limit && state->count > 0;
    acre_run_shares(&tree->tasks, "acre refresh all", shares, store_share, state);
    move_leavers(state);
    if (state->has_movers) {
        finish_moves(tree);
    }
    acre_all_bounds_from_groups(tree);
}

size_t acre_pull_shifted(acre_quadtree *tree, const box_source *source, size_t count,
                         const double *offset)
{
    pull state = {.tree = tree, .source = source, .count = count, .offset = offset};
    run_pull(&state);
    ACRE_INVARIANT(state.report.refused == 0);
    return state.rounded;
}

// Refreshes all items. call: what the listener is notified of. report: receives what was refused.
static acre_result pull_all(acre_quadtree *tree, const box_source *source, acre_quadtree_call *call,
                            acre_quadtree_report *report)
{
    const acre_result started = start_edit(tree);
    if (started != ACRE_OK) {
        return started;
    }
    pull state = {.tree = tree, .source = source, .count = call->count};
    run_pull(&state);
    report_batch(tree, &state.report, call);
    end_edit(tree);
    *report = state.report;
    return report->first_result;
}

acre_result acre_quadtree_refresh_all(acre_quadtree *tree, const acre_aabb *boxes, size_t count)
{
    const box_source source = source_from_aabbs(boxes);
    acre_quadtree_call call = {
        .kind = ACRE_QUADTREE_CALL_REFRESH_ALL, .count = count, .boxes = boxes};
    acre_quadtree_report report = {.first_result = ACRE_OK};
    const acre_result result =
        count == 0 || boxes ? pull_all(tree, &source, &call, &report) : ACRE_ERROR_INVALID_ARGUMENT;
    return ACRE_ANSWER(result, "ro[Bn", report.refused, report.first_row, tree, boxes, count);
}

acre_result acre_quadtree_refresh_all_from(acre_quadtree *tree, const acre_box_array *boxes,
                                           size_t count)
{
    box_source source = {0};
    acre_quadtree_call call = {
        .kind = ACRE_QUADTREE_CALL_REFRESH_ALL_FROM, .count = count, .array = boxes};
    acre_quadtree_report report = {.first_result = ACRE_OK};
    acre_result result = ACRE_ERROR_INVALID_ARGUMENT;
    if (box_array_is_valid(boxes, count)) {
        source = source_from_array(boxes);
        result = pull_all(tree, &source, &call, &report);
    }
    const acre_aabb box = refused_box(&source, &report);
    return ACRE_ANSWER(result, "roAn", report.refused, report.first_row, tree, boxes, &box, count);
}

acre_result acre_quadtree_set_tasks(acre_quadtree *tree, const acre_tasks *tasks)
{
    const acre_result result =
        acre_tasks_are_valid(tasks) ? start_edit(tree) : ACRE_ERROR_INVALID_ARGUMENT;
    if (result == ACRE_OK) {
        tree->tasks = tasks ? *tasks : (acre_tasks){.worker_count = 1};
        end_edit(tree);
    }
    return ACRE_ANSWER(result, "o?W", tree, tasks);
}

acre_quadtree_report acre_quadtree_last_report(const acre_quadtree *tree)
{
    if (!tree) {
        (void)ACRE_MISUSED(ACRE_ERROR_INVALID_ARGUMENT, "o", tree);
        return (acre_quadtree_report){.first_result = ACRE_OK};
    }
    return tree->report;
}
