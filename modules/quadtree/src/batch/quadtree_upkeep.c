// SPDX-License-Identifier: MIT
// quadtree_upkeep.c - work that can wait: tightening, shrinking the root, giving memory back.
#include "quadtree_batch.h"

#include "tasks_internal.h"

enum {
    SHARE_TIDIED = 4096, // items that are worth a share: looking at nodes and ordering some of them
                         // takes 7 ns an item
    NODES_A_CLAIM = 4
};

// Puts a node's items in order and tightens its groups' bounds.
static void tidy_node(acre_quadtree *tree, uint32_t node)
{
    acre_order_node(tree, node);
    acre_node_groups_from_items(tree, node);
    acre_mark_tidy(tree, node);
}

// Moves the items of a node that have left its bands into the bands that they belong to now. The
// slots are visited from the last to the first, so that the item which fills a hole is one that was
// visited already. Afterward the node may be gone: it may have collapsed.
static void put_into_bands(acre_quadtree *tree, uint32_t node)
{
    const band_range range = acre_band_range(tree, node);
    bool has_moved = false;
    if (range.count == 0) {
        return;
    }
    for (chain_walk walk = chain_first(tree, node), next; walk.count; walk = next) {
        next = chain_next(tree, walk);
        for (uint32_t slot = walk.count; slot-- > 0;) {
            const uint32_t location = location_of(walk.block, slot);
            const row_box box = location_box(tree, location);
            const float center = center_height(&box);
            if (center >= range.low && center < range.end) {
                continue;
            }
            const uint32_t item = tree->ids[walk.block].id[slot];
            const placement place = acre_grid_place(&tree->grid, &box);
            const uint32_t target = acre_find_node(tree, range.top, &place, &box);
            ACRE_INVARIANT(target != node);
            acre_detach_item(tree, location);
            acre_attach_item(tree, target, item, &box);
            acre_split_if_full(tree, target);
            tree->work.moves++;
            has_moved = true;
        }
    }
    if (has_moved) {
        acre_collapse_upward(tree, node);
    }
}

acre_result acre_quadtree_tighten(acre_quadtree *tree)
{
    const acre_result result = start_edit(tree);
    if (result == ACRE_OK) {
        for (uint32_t node = 0; tree->banded_quads > 0 && node < tree->quad_count * 4; node++) {
            if (is_live_quad(tree, node >> 2)) {
                put_into_bands(tree, node);
            }
        }
        for (uint32_t q = acre_first_postorder(tree, 0); q != NONE;
             q = acre_next_postorder(tree, q)) {
            for (uint32_t slot = 0; slot < 4; slot++) {
                tidy_node(tree, q * 4 + slot);
                acre_node_bounds_from_groups(tree, q * 4 + slot);
                tree->work.tightened++;
            }
        }
        NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_TIGHTEN);
        end_edit(tree);
    }
    return ACRE_ANSWER(result, "o", tree);
}

// ---- maintenance ----

// The nodes that maintenance looks at next, tidied ahead on several workers.
typedef struct tidy_call {
    block_claim claim; // a block is NODES_A_CLAIM nodes
    acre_quadtree *tree;
    uint32_t begin, count; // nodes; they may go on at node 0
} tidy_call;

static void tidy_some(void *context, uint32_t share)
{
    (void)share;
    tidy_call *const call = context;
    acre_quadtree *const tree = call->tree;
    const uint32_t all = tree->quad_count * 4;
    for (uint32_t claimed; claim_block(&call->claim, &claimed);) {
        const uint32_t first = claimed * NODES_A_CLAIM, rest = call->count - first;
        for (uint32_t i = first; i < first + (rest < NODES_A_CLAIM ? rest : NODES_A_CLAIM); i++) {
            const uint32_t node = call->begin + i < all ? call->begin + i : call->begin + i - all;
            if (tree->cold[node >> 2].level != NONE && acre_is_spread(tree, node)) {
                tidy_node(tree, node);
            }
        }
    }
}

// Tidies the nodes that maintain_nodes will tidy, up to the first one that may split: as they hold
// only items of their own, it does not matter when, and maintain_nodes finds them in order. Bands
// are another matter: there one node's items go into others.
static void tidy_ahead(acre_quadtree *tree, size_t budget)
{
    tidy_call call = {.tree = tree, .begin = tree->maintain_cursor};
    const uint32_t all = tree->quad_count * 4;
    uint64_t items = 0;
    if (tree->tasks.worker_count < 2 || tree->banded_quads > 0 || tree->listener) {
        return;
    }
    for (; call.count < all && budget > 0; call.count++) {
        const uint32_t at = call.begin + call.count, node = at < all ? at : at - all;
        const quad_cold *const cold = &tree->cold[node >> 2];
        if (cold->level != NONE) {
            if (is_too_full(tree, cold->count[node & 3], tree->item_count)) {
                break;
            }
            items += cold->count[node & 3];
            budget--;
        }
    }
    call.claim.count = (call.count + NODES_A_CLAIM - 1) / NODES_A_CLAIM;
    uint32_t shares = share_count_for(&tree->tasks, items, SHARE_TIDIED);
    shares = shares < call.claim.count ? shares : call.claim.count;
    if (shares > 1) {
        acre_run_shares(&tree->tasks, "acre maintain", shares, tidy_some, &call);
    }
}

// Tightens the next nodes in turn, and splits leaves whose split had to wait for memory.
static void maintain_nodes(acre_quadtree *tree, size_t budget)
{
    for (uint32_t seen = tree->quad_count * 4; budget > 0 && seen > 0; seen--) {
        const uint32_t node = tree->maintain_cursor, q = node >> 2, slot = node & 3;
        tree->maintain_cursor = node + 1 < tree->quad_count * 4 ? node + 1 : 0;
        if (tree->cold[q].level == NONE) {
            continue;
        }
        budget--;
        ACRE_INVARIANT(q < tree->quad_count);
        if (acre_is_spread(tree, node)) {
            put_into_bands(tree, node);
            if (!is_live_quad(tree, q)) {
                continue;
            }
            tidy_node(tree, node);
        }
        acre_node_bounds_from_groups(tree, node);
        tree->work.tightened++;
        if (is_too_full(tree, tree->cold[q].count[slot], tree->item_count)) {
            tree->cold[q].retry[slot] = 0;
            acre_split_if_full(tree, node);
        }
    }
}

static void maintain(acre_quadtree *tree, size_t nodes)
{
    acre_renew_lattice(tree, false);
    tidy_ahead(tree, nodes);
    maintain_nodes(tree, nodes);
    if (tree->shrink_wait < SHRINK_DELAY) {
        tree->shrink_wait++;
    } else if (acre_shrink_root(tree)) {
        tree->shrink_wait = 0;
    }
}

acre_result acre_quadtree_maintain(acre_quadtree *tree)
{
    const acre_result result = start_edit(tree);
    if (result == ACRE_OK) {
        maintain(tree, (size_t)tree->live_quads * 4 / MAINTAIN_DIVISOR + 1);
        NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_MAINTAIN);
        end_edit(tree);
    }
    return ACRE_ANSWER(result, "o", tree);
}

acre_result acre_quadtree_maintain_budget(acre_quadtree *tree, size_t nodes)
{
    const acre_result result = start_edit(tree);
    if (result == ACRE_OK) {
        maintain(tree, nodes);
        NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_MAINTAIN_BUDGET, .count = nodes);
        end_edit(tree);
    }
    return ACRE_ANSWER(result, "on", tree, nodes);
}

// Moves a block of a chain to a free row. The caller must correct the link to it.
static void relocate_block(acre_quadtree *tree, uint32_t from, uint32_t to, uint32_t count)
{
    ACRE_INVARIANT(to < from && tree->headers[to].node == NONE);
    tree->boxes[to] = tree->boxes[from];
    tree->ids[to] = tree->ids[from];
    tree->headers[to] = tree->headers[from];
    tree->next[to] = tree->next[from];
    for (uint32_t slot = 0; slot < count; slot++) {
        tree->locations[tree->ids[to].id[slot]] = location_of(to, slot);
    }
}

// Moves the blocks of a chain that lie at or behind an end into free rows before it.
static void pack_chain(acre_quadtree *tree, uint32_t node, uint32_t end, uint32_t *hole)
{
    uint32_t previous = NONE;
    for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
        if (walk.block >= end) {
            while (tree->headers[*hole].node != NONE) {
                ++*hole;
                ACRE_INVARIANT(*hole <
                               end); // as many rows are free before the end as in use behind it
            }
            relocate_block(tree, walk.block, *hole, walk.count);
            walk.block = *hole;
            if (previous == NONE) {
                *node_items(tree, node) = chain_word(*hole, walk.next != NONE, walk.count);
            } else {
                tree->next[previous] = *hole;
                *node_items(tree, node) &= ~(uint32_t)CHAIN_RUN;
            }
        }
        previous = walk.block;
    }
}

// Moves all blocks to the front of the arrays.
static void pack_blocks(acre_quadtree *tree)
{
    uint32_t hole = 0;
    for (uint32_t q = 0; q < tree->quad_count; q++) {
        for (uint32_t slot = 0; tree->cold[q].level != NONE && slot < 4; slot++) {
            pack_chain(tree, q * 4 + slot, tree->live_blocks, &hole);
        }
    }
    tree->block_count = tree->live_blocks;
    tree->free_block = NONE;
}

// Moves a quad to a free row.
static void relocate_quad(acre_quadtree *tree, uint32_t from, uint32_t to)
{
    const uint32_t parent = tree->cold[from].parent;
    ACRE_INVARIANT(tree->cold[to].level == NONE && node_child(tree, parent) == from); // I4
    tree->quads[parent >> 2].child[parent & 3] = to;
    tree->quads[to] = tree->quads[from];
    tree->cold[to] = tree->cold[from];
    for (uint32_t slot = 0; slot < 4; slot++) {
        const uint32_t child = tree->quads[to].child[slot];
        if (child) {
            tree->cold[child].parent = to * 4 + slot;
        }
        acre_write_headers(tree, to * 4 + slot);
    }
}

// Moves all quads to the front of the arrays.
static void pack_quads(acre_quadtree *tree)
{
    uint32_t hole = 1;
    uint32_t end = tree->quad_count;
    for (;;) {
        while (end > 1 && tree->cold[end - 1].level == NONE) {
            end--;
        }
        while (hole < end && tree->cold[hole].level != NONE) {
            hole++;
        }
        if (hole >= end) {
            break;
        }
        relocate_quad(tree, --end, hole);
    }
    ACRE_INVARIANT(end == tree->live_quads);
    tree->quad_count = end;
    tree->free_quad = 0;
    tree->maintain_cursor = 0;
}

acre_result acre_quadtree_trim(acre_quadtree *tree)
{
    const acre_result result = start_edit(tree);
    if (result == ACRE_OK) {
        while (acre_shrink_root(tree)) {
        }
        pack_blocks(tree);
        pack_quads(tree);
        acre_fit_arrays(tree);
        NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_TRIM);
        end_edit(tree);
    }
    return ACRE_ANSWER(result, "o", tree);
}
