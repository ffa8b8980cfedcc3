// SPDX-License-Identifier: MIT
// quadtree_neighbors_layers.c - which layers are within reach of many rows: whom each unit sees.
//
// Rows that are near each other share a walk, as for neighbors. Each has the layers that are left:
// those that it wants and has not seen. Groups of nodes whose items are in none of these are not
// looked at, and the walk ends when no row has any left.
//
// Rows of all items come in the groups of the tree, whose items are near each other, so they need
// no order.
#include "quadtree_neighboring.h"

#include <string.h>

enum {
    BLOCKS_A_CLAIM = 64,
    ROWS_IN_ORDER = 1024, // rows of a list that are sorted together
    SHARE_LAYER_ROWS = 4096
};

typedef struct layers_call {
    block_claim claim; // of `blocks_a_claim` blocks of the tree, or of ROWS_IN_ORDER rows of a list
    uint32_t blocks_a_claim;
    uint32_t refuses; // not 0: some rows of a list
    const acre_quadtree *tree;
    const acre_neighbors_query *query;
    uint32_t *layers;
} layers_call;

// Lists the groups of nodes that have layers which a row has left.
static void list_groups_with_layers(neighbor_search *search, const uint32_t *words, uint32_t count)
{
    const acre_quadtree *const tree = search->tree;
    near_layers *const near = &search->near_layers;
    const uint32_t own = search->taken[0].place.own / GROUP_SLOTS;
    uint32_t listed[MOST_NEAR_GROUPS], kept = 0;
    ACRE_INVARIANT(count <= MOST_NEAR_GROUPS);
    near->first = NONE;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t group = group_number(words[i]);
        const uint32_t node = tree->headers[group / BLOCK_GROUPS].node;
        listed[kept] = words[i];
        near->of_groups[kept] = 0;
        near->first = group == own ? kept : near->first;
        kept += !tree->layers || (tree->cold[node >> 2].layers[node & 3] & near->left_of_any);
    }
    search->task.count = 0;
    (void)acre_add_near_groups(search, listed, kept);
}

// Takes from each row what the groups have. Returns false when no row has any layers left.
static bool see_groups(neighbor_search *search, const uint32_t *words, uint32_t count)
{
    near_layers *const near = &search->near_layers;
    uint32_t any = 0;
    list_groups_with_layers(search, words, count);
    for (uint32_t i = 0; i < near->count; i++) {
        const taken_row *const row = &search->taken[i];
        near->left[i] = search->kernel->miss_layers(&search->task, &row->round, row->place.own,
                                                    near->left[i], near);
        any |= near->left[i];
    }
    near->left_of_any = any;
    return any != 0;
}

// The layers that a row can see: those that it asks for and the tree has.
static uint32_t layers_to_see(const neighbor_search *search, uint32_t row)
{
    const quad_cold *const top = &search->tree->cold[0];
    const uint32_t asked = layers_of_row(search->query, row);
    const uint32_t wanted = asked ? asked : UINT32_MAX;
    return search->tree->layers ? wanted & (top->layers[ROOT_NODE] | top->layers[OUTLIER_NODE])
                                : wanted;
}

// Writes what the taken rows see. layers: by row.
static void see_together(neighbor_search *search, uint32_t count, uint32_t *layers)
{
    near_layers *const near = &search->near_layers;
    near->of_items = search->tree->layers;
    near->count = count;
    near->left_of_any = 0;
    for (uint32_t i = 0; i < count; i++) {
        near->left[i] = search->taken[i].layers;
        near->left_of_any |= near->left[i];
    }
    if (near->left_of_any == 0) {
        return;
    }
    search->layers = search->tree->layers ? near->left_of_any : 0;
    search->task.most = MOST_NEAR_GROUPS;
    (void)acre_walk_near_rows(search, 0, count, INFINITY, see_groups);
    for (uint32_t i = 0; i < count; i++) {
        const taken_row *const row = &search->taken[i];
        layers[row->row] = row->layers & ~near->left[i];
    }
}

// ---- rows of all items ----

static void see_from_block(neighbor_search *search, uint32_t block, uint32_t *layers)
{
    const uint32_t items = block_items(search->tree, block);
    for (uint32_t first = 0; first < items; first += GROUP_SLOTS) {
        uint32_t count = 0;
        for (uint32_t slot = first; slot < items && slot < first + GROUP_SLOTS; slot++) {
            const uint32_t item = search->tree->ids[block].id[slot];
            if (item < search->query->count) {
                count = take_near_row(search, count, item, layers_to_see(search, item));
            }
        }
        see_together(search, count, layers);
    }
}
static_assert((int)GROUP_SLOTS <= (int)ROWS_TOGETHER, "the rows of a group are searched together");

// ---- rows of a list ----

static void see_from_list(layers_call *call, neighbor_search *search, size_t first)
{
    acre_neighbor_row rows[ROWS_IN_ORDER];
    acre_neighbor_lists lists = {.rows = rows};
    acre_neighbors_query part = *call->query;
    const size_t rest = call->query->count - first;
    part.count = rest < ROWS_IN_ORDER ? rest : ROWS_IN_ORDER;
    part.items = part.items ? part.items + first : NULL;
    part.spheres = part.spheres ? part.spheres + first : NULL;
    part.row_layers = part.row_layers ? part.row_layers + first : NULL;
    const size_t placed = acre_order_rows(call->tree, &part, &lists);
    if (lists.refused.refused > 0) {
        atomic_write_relaxed(&call->refuses, 1);
    }
    search->query = &part;
    for (size_t at = call->tree->item_count > 0 ? 0 : placed; at < placed;) {
        uint32_t count = 0;
        for (; at < placed && count < ROWS_TOGETHER; at++) {
            const uint32_t row = rows[at].order;
            count = take_near_row(search, count, row, layers_to_see(search, row));
        }
        see_together(search, count, call->layers + first);
    }
}

static bool is_of_list(const layers_call *call)
{
    return call->query->items || call->query->spheres;
}

static void see_share(void *context, uint32_t share)
{
    (void)share;
    layers_call *const call = context;
    neighbor_search search;           // not zeroed: its lists are large
    if (call->tree->item_count > 0) { // or the tree may have no arrays
        acre_begin_search(&search, call->tree, call->query);
    }
    for (uint32_t claim; claim_block(&call->claim, &claim);) {
        if (is_of_list(call)) {
            see_from_list(call, &search, (size_t)claim * ROWS_IN_ORDER);
            continue;
        }
        ACRE_INVARIANT(call->tree->item_count > 0); // see_all gives no blocks of an empty tree
        const uint32_t begin = claim * call->blocks_a_claim, rest = call->tree->block_count - begin;
        for (uint32_t i = 0; i < call->blocks_a_claim && i < rest; i++) {
            see_from_block(&search, begin + i, call->layers);
        }
    }
}

// ---- what a program calls ----

// How many claims there are. The blocks of a tree without items may stay, but nobody stands there.
static uint32_t claim_count(const layers_call *call)
{
    if (is_of_list(call)) {
        return (uint32_t)((call->query->count + ROWS_IN_ORDER - 1) / ROWS_IN_ORDER);
    }
    const uint32_t blocks = call->tree->item_count > 0 ? call->tree->block_count : 0;
    return (blocks + call->blocks_a_claim - 1) / call->blocks_a_claim;
}

static void see_all(layers_call *call)
{
    const acre_quadtree *const tree = call->tree;
    const size_t count = call->query->count;
    const uint32_t shares =
        tree->listener ? 1 : share_count_for(&tree->tasks, count, SHARE_LAYER_ROWS);
    call->blocks_a_claim = block_size_for(&tree->tasks, BLOCKS_A_CLAIM, 1);
    call->claim.count = claim_count(call);
    acre_run_shares(&tree->tasks, "acre layers", shares, see_share, call);
}

acre_result acre_quadtree_layers_within(const acre_quadtree *tree,
                                        const acre_neighbors_query *query, uint32_t *layers)
{
    if (!tree || !acre_neighbors_query_is_valid(query) || query->nearest > 0 ||
        (query->count > 0 && !layers)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    layers_call call = {.tree = tree, .query = query, .layers = layers};
    if (query->count > 0) {
        memset(layers, 0, query->count * sizeof *layers);
        see_all(&call);
    }
    access_end_read(&tree->access);
    return !call.refuses    ? ACRE_OK
           : query->spheres ? ACRE_ERROR_INVALID_ARGUMENT
                            : ACRE_ERROR_NOT_FOUND;
}
