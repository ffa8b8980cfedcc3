// SPDX-License-Identifier: MIT
// quadtree_memory.c - the tree's arrays: create, room, free lists, trim, destroy.
//
// Why a refresh needs no memory is proven above acre_blocks_needed.
#include "kernel_internal.h"
#include "quadtree_items_shared.h"
#include "quadtree_tree.h"

#include <string.h>

enum { ARRAY_ALIGNMENT = 64, MAX_ITEMS = 1 << 26, MAX_QUADS = 1 << 28 };

static_assert(MAX_ITEMS == 67108864 && MOST_TREE_DEPTH == 20 && MOST_NODE_CAPACITY == 65536,
              "refusal_text.c has these figures in its list");

typedef struct array_place {
    size_t member; // of the tree: its pointer to the array
    size_t row;    // size of an element
} array_place;

static const array_place places[ARRAY_COUNT_] = {
    [ARRAY_QUADS] = {offsetof(acre_quadtree, quads), sizeof(quad)},
    [ARRAY_COLD] = {offsetof(acre_quadtree, cold), sizeof(quad_cold)},
    [ARRAY_BOXES] = {offsetof(acre_quadtree, boxes), sizeof(block_boxes)},
    [ARRAY_IDS] = {offsetof(acre_quadtree, ids), sizeof(block_ids)},
    [ARRAY_HEADERS] = {offsetof(acre_quadtree, headers), sizeof(block_header)},
    [ARRAY_NEXT] = {offsetof(acre_quadtree, next), sizeof(uint32_t)},
    [ARRAY_LEAVING] = {offsetof(acre_quadtree, leaving), sizeof(uint64_t)},
    [ARRAY_LOCATIONS] = {offsetof(acre_quadtree, locations), sizeof(uint32_t)},
    [ARRAY_LAYERS] = {offsetof(acre_quadtree, layers), sizeof(uint32_t)}};

// Pointers are copied as bytes, because they are of different types.
static void *get_array(const acre_quadtree *tree, array_index index)
{
    void *array;
    static_assert(sizeof array == sizeof tree->quads, "pointers to all types are alike");
    memcpy(&array, (const char *)tree + places[index].member, sizeof array);
    return array;
}

static void set_array(acre_quadtree *tree, array_index index, void *array)
{
    memcpy((char *)tree + places[index].member, &array, sizeof array);
}

// False: no memory, and the array is as it was.
static bool resize_array(acre_quadtree *tree, array_index index, size_t rows)
{
    void *const array = get_array(tree, index);
    const size_t bytes = rows * places[index].row;
    ACRE_INVARIANT(index < ARRAY_COUNT_ && (array != NULL || tree->bytes[index] == 0));
    if (array && bytes == tree->bytes[index]) {
        return true;
    }
    void *const resized =
        acre_resize(&tree->allocator, array, tree->bytes[index], bytes, ARRAY_ALIGNMENT);
    if (resized) {
        tree->bytes[index] = bytes;
        set_array(tree, index, resized);
    }
    return resized != NULL;
}

static void free_array(acre_quadtree *tree, array_index index)
{
    void *const array = get_array(tree, index);
    if (array) {
        acre_resize(&tree->allocator, array, tree->bytes[index], 0, ARRAY_ALIGNMENT);
        tree->bytes[index] = 0;
        set_array(tree, index, NULL);
    }
}

// Resizes arrays first to end - 1. If one of them cannot be resized, the capacity is what all of
// them have room for. Never inlined: where there is room already, which every insert asks, callers
// then save no registers.
ACRE_NEVER_INLINE
static bool resize_rows(acre_quadtree *tree, array_index first, array_index end, uint32_t rows,
                        uint32_t *capacity)
{
    bool have_resized = true;
    *capacity = rows < *capacity ? rows : *capacity;
    for (uint32_t index = first; index < (uint32_t)end; index++) {
        have_resized &= resize_array(tree, (array_index)index, rows);
    }
    *capacity = have_resized ? rows : *capacity;
    return have_resized;
}

bool acre_resize_quads(acre_quadtree *tree, uint32_t capacity)
{
    return capacity <= MAX_QUADS &&
           resize_rows(tree, ARRAY_QUADS, ARRAY_BOXES, capacity, &tree->quad_capacity);
}

bool acre_resize_blocks(acre_quadtree *tree, size_t blocks)
{
    return blocks <= MAX_BLOCKS &&
           resize_rows(tree, ARRAY_BOXES, ROW_ARRAY_COUNT, (uint32_t)blocks, &tree->block_capacity);
}

// The capacity that an array grows to: a twentieth more, at least what is needed, at most the
// limit; 0 if more is needed than the limit. A twentieth suffices because systems remap large
// arrays without a copy: growth by an eighth was no faster and took 3 bytes an item more.
static uint32_t grown_capacity(uint32_t capacity, size_t needed, size_t limit)
{
    const size_t grown = (size_t)capacity + capacity / 20 + 6;
    const size_t wanted = needed > grown ? needed : grown;
    return needed > limit ? 0 : (uint32_t)(wanted < limit ? wanted : limit);
}

bool acre_ensure_quads(acre_quadtree *tree, uint32_t more)
{
    const size_t needed = (size_t)tree->live_quads + more;
    if (needed <= tree->quad_capacity) {
        return true;
    }
    const uint32_t capacity = grown_capacity(tree->quad_capacity, needed, MAX_QUADS);
    return capacity && acre_resize_quads(tree, capacity);
}

// Why a refresh needs no memory (I12).
//
// All blocks of a chain but one are full. So n items in m nodes fill at most n / 64 blocks and
// leave at most min(n, m) more partly filled, however the items are spread over the nodes: a move
// between nodes never needs more. One more block serves a moment in which a chain has lost its
// place for an item that has not arrived yet. The tree always has that many blocks:
// - an insert makes room for one item more before it adds the item (acre_insert_item);
// - a split or a growth of the root makes room for the new nodes before it makes them, and does not
//   happen where there is no memory (split_node, acre_grow_root);
// - removal, collapse and shrinking lower n and m, and trim leaves what n and m need.
// So acre_take_block finds a block whenever a refresh moves an item. Asserts: end_edit after each
// edit, acre_refresh_item before each refresh, acre_take_block at each block.
size_t acre_blocks_needed(size_t items, size_t nodes)
{
    return items / BLOCK_SLOTS + (items < nodes ? items : nodes) + 1;
}

size_t acre_tree_nodes(const acre_quadtree *tree)
{
    ACRE_INVARIANT(tree->live_quads > 0);
    return (size_t)tree->live_quads * 4 - 3; // of quad 0 the root alone is a node
}

// Whether I12 holds.
bool acre_has_blocks_for_refresh(const acre_quadtree *tree)
{
    return tree->item_count == 0 ||
           acre_blocks_needed(tree->item_count, acre_tree_nodes(tree) + 1) <= tree->block_capacity;
}

bool acre_ensure_blocks(acre_quadtree *tree, size_t items, size_t nodes)
{
    const size_t needed = acre_blocks_needed(items, nodes + 1); // one more: the outliers' list
    if (needed <= tree->block_capacity) {
        return true;
    }
    const uint32_t capacity = grown_capacity(tree->block_capacity, needed, MAX_BLOCKS);
    return capacity && acre_resize_blocks(tree, capacity);
}

static bool ensure_nodes(acre_quadtree *tree, size_t items, size_t nodes, uint32_t quads)
{
    return acre_ensure_blocks(tree, items, nodes) && acre_ensure_quads(tree, quads);
}

// Makes room for so many more quads and the blocks of their nodes. Where arrays grow they get a
// quarter more cells if they can, so that the splits of later refreshes find room.
bool acre_make_room(acre_quadtree *tree, uint32_t quads)
{
    const size_t items = (size_t)tree->item_count + tree->expected_items;
    const size_t nodes = acre_tree_nodes(tree) + 4 * (size_t)quads;
    const bool has_room = acre_blocks_needed(items, nodes + 1) <= tree->block_capacity &&
                          quads <= tree->quad_capacity - tree->live_quads;
    const uint32_t spare = tree->live_quads / 4;
    return has_room || ensure_nodes(tree, items, nodes + 4 * (size_t)spare, quads + spare) ||
           ensure_nodes(tree, items, nodes, quads);
}

// A 32nd more than is needed: the first item with a number of its own after a load finds room.
bool acre_ensure_locations(acre_quadtree *tree, size_t items)
{
    if (items <= tree->location_count) {
        return true;
    }
    const size_t limit = tree->def.item_capacity, more = items + items / 32;
    const size_t wanted = more < limit || items > limit ? more : limit;
    const uint32_t count = grown_capacity(tree->location_count, wanted, limit);
    if (!count) {
        return false;
    }
    // Layers first: a longer array of layers does no harm if the locations then fail to grow.
    if ((tree->layers && !resize_array(tree, ARRAY_LAYERS, count)) ||
        !resize_array(tree, ARRAY_LOCATIONS, count)) {
        return false;
    }
    memset(tree->locations + tree->location_count, 0xff,
           (count - tree->location_count) * sizeof *tree->locations);
    tree->location_count = count;
    return true;
}

// Makes the array of layers, with every item in all of them.
bool acre_create_layers(acre_quadtree *tree)
{
    if (tree->layers) {
        return true;
    }
    if (!resize_array(tree, ARRAY_LAYERS, tree->location_count)) {
        return false;
    }
    memset(tree->layers, 0xff, tree->location_count * sizeof *tree->layers);
    for (uint32_t q = 0; q < tree->quad_count; q++) {
        memset(tree->cold[q].layers, 0xff, sizeof tree->cold[q].layers);
    }
    return true;
}

static void clear_quad(acre_quadtree *tree, uint32_t quad_index, uint32_t parent, cell first)
{
    const row_box empty = rows_empty();
    ACRE_INVARIANT(quad_index < tree->quad_capacity && first.level <= MAX_LEVEL);
    tree->quads[quad_index] = (quad){.child = {0}};
    tree->cold[quad_index] =
        (quad_cold){.parent = parent, .level = first.level, .x = first.x, .z = first.z};
    for (uint32_t slot = 0; slot < 4; slot++) {
        set_node_bounds(tree, quad_index * 4 + slot, &empty);
    }
}

// Takes a quad for the children of a node. The caller has made room. first: the cell of slot 0.
uint32_t acre_take_quad(acre_quadtree *tree, uint32_t parent, cell first)
{
    uint32_t taken = tree->free_quad;
    ACRE_INVARIANT(is_live_quad(tree, parent >> 2));
    if (taken) {
        ACRE_INVARIANT(taken < tree->quad_count && tree->cold[taken].level == NONE);
        tree->free_quad = tree->cold[taken].parent;
    } else {
        ACRE_INVARIANT(tree->quad_count < tree->quad_capacity); // acre_ensure_quads
        taken = tree->quad_count++;
    }
    tree->live_quads++;
    clear_quad(tree, taken, parent, first);
    return taken;
}

// Takes a quad for the bands of a node, as acre_take_quad does for the quarters.
uint32_t acre_take_bands(acre_quadtree *tree, uint32_t parent, const height_bands *bands)
{
    const uint32_t taken = acre_take_quad(tree, parent, node_cell(tree, parent));
    tree->cold[taken].level |= BANDED;
    tree->cold[taken].bands = *bands;
    tree->banded_quads++;
    return taken;
}

// Frees a quad that has neither items nor children and that its parent no longer names.
void acre_free_quad(acre_quadtree *tree, uint32_t quad_index)
{
    ACRE_INVARIANT(quad_index > 0 && quad_index < tree->quad_count);
    ACRE_INVARIANT(tree->cold[quad_index].level != NONE && tree->live_quads > 1);
    if (is_banded(tree, quad_index)) {
        ACRE_INVARIANT(tree->banded_quads > 0);
        tree->banded_quads--;
    }
    for (uint32_t slot = 0; slot < 4; slot++) {
        ACRE_INVARIANT(tree->quads[quad_index].items[slot] == 0);
        ACRE_INVARIANT(tree->quads[quad_index].child[slot] == 0);
    }
    tree->cold[quad_index].level = NONE;
    tree->cold[quad_index].parent = tree->free_quad;
    tree->free_quad = quad_index;
    tree->live_quads--;
}

// Makes the header of a block without items that is the last one of its chain.
void acre_clear_header(acre_quadtree *tree, uint32_t block)
{
    block_header *const header = &tree->headers[block];
    const row_box empty = rows_empty();
    *header = (block_header){.tidy_width = 0.0f};
    for (uint32_t group = 0; group < BLOCK_GROUPS; group++) {
        set_lane_box(&header->bounds, group, &empty);
    }
    tree->next[block] = NONE;
}

// Takes a block. There always is one: see acre_blocks_needed.
uint32_t acre_take_block(acre_quadtree *tree)
{
    uint32_t taken = tree->free_block;
    if (taken != NONE) {
        ACRE_INVARIANT(taken < tree->block_count && tree->headers[taken].node == NONE);
        tree->free_block = tree->next[taken];
    } else {
        ACRE_INVARIANT(tree->block_count < tree->block_capacity); // I12
        taken = tree->block_count++;
    }
    tree->live_blocks++;
    memset(&tree->boxes[taken], 0, sizeof tree->boxes[taken]);
    memset(&tree->ids[taken], 0, sizeof tree->ids[taken]);
    acre_clear_header(tree, taken);
    return taken;
}

// Frees a block that no chain names any more.
void acre_free_block(acre_quadtree *tree, uint32_t block)
{
    ACRE_INVARIANT(block < tree->block_count && tree->headers[block].node != NONE);
    ACRE_INVARIANT(tree->live_blocks > 0);
    tree->headers[block].node = NONE;
    tree->next[block] = tree->free_block;
    tree->free_block = block;
    tree->live_blocks--;
}

// Leaves the root's quad alone and no blocks. The caller must set the locations.
void acre_reset_rows(acre_quadtree *tree, cell root)
{
    tree->free_quad = 0;
    tree->quad_count = tree->live_quads = 1;
    tree->banded_quads = 0;
    tree->free_block = NONE;
    tree->block_count = tree->live_blocks = 0;
    tree->maintain_cursor = 0;
    clear_quad(tree, 0, NONE, root);
}

// Makes the tree empty, as after create; the arrays stay.
void acre_reset_tree(acre_quadtree *tree)
{
    const bool is_known = acre_grid_create(&tree->grid, &tree->home, tree->def.center,
                                           tree->def.half_size, tree->def.max_depth);
    ACRE_INVARIANT(is_known); // acre_quadtree_create tried it
    (void)is_known;
    tree->def_cell = tree->grid.cell;
    tree->has_other_lattice = tree->was_refined = false;
    tree->reachable_outliers = tree->reach_misses = tree->reach_countdown = 0;
    tree->finer_wait = tree->finer_delay = tree->finer_countdown = 0;
    acre_reset_rows(tree, tree->home);
    tree->item_limit = tree->item_count = 0;
    tree->shrink_wait = 0;
    if (tree->location_count) {
        memset(tree->locations, 0xff, tree->location_count * sizeof *tree->locations);
    }
}

// Takes the arrays of quads and blocks out of the tree, which then has none.
tree_rows acre_take_rows(acre_quadtree *tree)
{
    tree_rows rows = {.quad_capacity = tree->quad_capacity, .block_capacity = tree->block_capacity};
    for (uint32_t index = 0; index < ROW_ARRAY_COUNT; index++) {
        rows.arrays[index] = get_array(tree, (array_index)index);
        rows.bytes[index] = tree->bytes[index];
        set_array(tree, (array_index)index, NULL);
        tree->bytes[index] = 0;
    }
    tree->quad_capacity = tree->block_capacity = 0;
    return rows;
}

void acre_free_rows(acre_quadtree *tree, const tree_rows *rows)
{
    for (uint32_t index = 0; index < ROW_ARRAY_COUNT; index++) {
        if (rows->arrays[index]) {
            acre_resize(&tree->allocator, rows->arrays[index], rows->bytes[index], 0,
                        ARRAY_ALIGNMENT);
        }
    }
}

// Puts arrays back into the tree; those that it has meanwhile are freed.
void acre_put_rows(acre_quadtree *tree, const tree_rows *rows)
{
    const tree_rows others = acre_take_rows(tree);
    acre_free_rows(tree, &others);
    for (uint32_t index = 0; index < ROW_ARRAY_COUNT; index++) {
        set_array(tree, (array_index)index, rows->arrays[index]);
        tree->bytes[index] = rows->bytes[index];
    }
    tree->quad_capacity = rows->quad_capacity;
    tree->block_capacity = rows->block_capacity;
}

static acre_result create_tree(const acre_quadtree_def *def, acre_quadtree **out)
{
    const acre_quadtree_def defaults = {.half_size = 0.0f};
    *out = NULL;
    def = def ? def : &defaults;
    if (def->max_depth > MOST_TREE_DEPTH || def->node_capacity > MOST_NODE_CAPACITY ||
        def->item_capacity > MAX_ITEMS) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    acre_quadtree made = {.def = *def};
    made.def.half_size = def->half_size != 0.0f ? def->half_size : DEFAULT_HALF_SIZE;
    made.def.max_depth = def->max_depth ? def->max_depth : DEFAULT_MAX_DEPTH;
    made.def.node_capacity = def->node_capacity ? def->node_capacity : DEFAULT_NODE_CAPACITY;
    made.def.item_capacity = def->item_capacity ? def->item_capacity : MAX_ITEMS;
    made.def.allocator = NULL;
    made.def.kernel = acre_kernel_pick(def->kernel, BUILT_KERNELS);
    if (def->allocator) {
        made.allocator = *def->allocator;
    }
    if (made.def.kernel == ACRE_KERNEL_DEFAULT ||
        !acre_grid_create(&made.grid, &made.home, def->center, made.def.half_size,
                          made.def.max_depth)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    acre_quadtree *const tree =
        acre_resize(&made.allocator, NULL, 0, sizeof *tree, _Alignof(acre_quadtree));
    if (!tree) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    *tree = made;
    if (!acre_ensure_quads(tree, 1)) {
        acre_quadtree_destroy(tree);
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    acre_reset_tree(tree);
    *out = tree;
    return ACRE_OK;
}

acre_result acre_quadtree_create(const acre_quadtree_def *def, acre_quadtree **out)
{
    const acre_result result = out ? create_tree(def, out) : ACRE_ERROR_INVALID_ARGUMENT;
    return ACRE_ANSWER(result, "?Dp", def, out);
}

void acre_quadtree_destroy(acre_quadtree *tree)
{
    if (!tree) {
        return;
    }
    const acre_result result = start_edit(tree);
    if (result != ACRE_OK) {
        (void)ACRE_MISUSED(result, "o", tree);
        return;
    }
    for (uint32_t index = 0; index < ARRAY_COUNT_; index++) {
        free_array(tree, (array_index)index);
    }
    const acre_allocator allocator = tree->allocator;
    acre_resize(&allocator, tree, sizeof *tree, 0, _Alignof(acre_quadtree));
}

static bool make_room(acre_quadtree *tree, size_t items)
{
    // Leaves hold a little less than half of their capacity on average, as a split leaves four
    // cells with a quarter of the items each. So four siblings hold 1.3 times the capacity.
    const size_t least = large_tree_capacity(items), own = tree->def.node_capacity;
    const size_t quads = 1 + items / (own > least ? own : least);
    return acre_ensure_locations(tree, items) &&
           (quads <= tree->live_quads ||
            acre_ensure_quads(tree, (uint32_t)(quads - tree->live_quads))) &&
           acre_ensure_blocks(tree, items, quads * 4);
}

acre_result acre_quadtree_reserve(acre_quadtree *tree, size_t items)
{
    acre_result result =
        tree && items > tree->def.item_capacity ? ACRE_ERROR_CAPACITY : start_edit(tree);
    if (result == ACRE_OK) {
        result = make_room(tree, items) ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
        NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_RESERVE, .result = result, .count = items);
        end_edit(tree);
    }
    return ACRE_ANSWER(result, "o!n", tree, items);
}

static void trim_locations(acre_quadtree *tree)
{
    uint32_t count = tree->location_count;
    while (count > 0 && tree->locations[count - 1] == ABSENT) {
        count--;
    }
    if (count == 0) {
        free_array(tree, ARRAY_LOCATIONS);
        free_array(tree, ARRAY_LAYERS);
        tree->location_count = 0;
    } else if (resize_array(tree, ARRAY_LOCATIONS, count)) {
        tree->location_count = count;
        if (tree->layers) {
            (void)resize_array(tree, ARRAY_LAYERS, count); // it may stay longer
        }
    }
}

// Gives back the rows behind the last one in use. An array that cannot be made smaller stays as it
// is.
void acre_fit_arrays(acre_quadtree *tree)
{
    ACRE_INVARIANT(tree->quad_count == tree->live_quads && tree->free_quad == 0);
    acre_resize_quads(tree, tree->quad_count);
    if (tree->block_capacity) {
        acre_resize_blocks(tree, acre_blocks_needed(tree->item_count, acre_tree_nodes(tree) + 1));
    }
    trim_locations(tree);
}
