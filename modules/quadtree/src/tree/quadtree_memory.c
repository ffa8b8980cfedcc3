// SPDX-License-Identifier: MIT
// quadtree_memory.c - the tree's arrays: create, room, free lists, trim, destroy.
//
// Room for blocks is reserved when an item is inserted or a cell split, so that a refresh, which
// only moves items between nodes, never needs memory.
#include "kernel_internal.h"
#include "quadtree_kernel.h"

#include <string.h>

enum { ARRAY_ALIGNMENT = 64, MAX_ITEMS = 1 << 26, MAX_QUADS = 1 << 28 };

static void *resize_array(acre_quadtree *tree, array_index index, void *array, size_t bytes)
{
    if (array && bytes == tree->bytes[index]) {
        return array;
    }
    void *const resized =
        acre_resize(&tree->allocator, array, tree->bytes[index], bytes, ARRAY_ALIGNMENT);
    if (resized) {
        tree->bytes[index] = bytes;
    }
    return resized;
}

static void free_array(acre_quadtree *tree, array_index index, void *array)
{
    if (array) {
        acre_resize(&tree->allocator, array, tree->bytes[index], 0, ARRAY_ALIGNMENT);
        tree->bytes[index] = 0;
    }
}

// Arrays that hold one row per quad. If one of them cannot be resized, the capacity is what all of
// them have room for.
bool acre_resize_quads(acre_quadtree *tree, uint32_t capacity)
{
    if (capacity > MAX_QUADS) {
        return false;
    }
    tree->quad_capacity = capacity < tree->quad_capacity ? capacity : tree->quad_capacity;
    quad *const quads =
        resize_array(tree, ARRAY_QUADS, tree->quads, capacity * sizeof *tree->quads);
    tree->quads = quads ? quads : tree->quads;
    quad_cold *const cold =
        resize_array(tree, ARRAY_COLD, tree->cold, capacity * sizeof *tree->cold);
    tree->cold = cold ? cold : tree->cold;
    if (quads && cold) {
        tree->quad_capacity = capacity;
    }
    return quads && cold;
}

bool acre_resize_blocks(acre_quadtree *tree, size_t blocks)
{
    if (blocks > MAX_BLOCKS) {
        return false;
    }
    const uint32_t capacity = (uint32_t)blocks;
    tree->block_capacity = capacity < tree->block_capacity ? capacity : tree->block_capacity;
    block_boxes *const boxes =
        resize_array(tree, ARRAY_BOXES, tree->boxes, capacity * sizeof *tree->boxes);
    tree->boxes = boxes ? boxes : tree->boxes;
    block_ids *const ids = resize_array(tree, ARRAY_IDS, tree->ids, capacity * sizeof *tree->ids);
    tree->ids = ids ? ids : tree->ids;
    block_header *const headers =
        resize_array(tree, ARRAY_HEADERS, tree->headers, capacity * sizeof *tree->headers);
    tree->headers = headers ? headers : tree->headers;
    uint32_t *const next =
        resize_array(tree, ARRAY_NEXT, tree->next, capacity * sizeof *tree->next);
    tree->next = next ? next : tree->next;
    if (boxes && ids && headers && next) {
        tree->block_capacity = capacity;
    }
    return boxes && ids && headers && next;
}

// Geometric growth by a twentieth, within a limit: large arrays grow without being copied where the
// system can map them anew, and an eighth took no less time to insert but 3 bytes an item more. 0
// if needed is above the limit.
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

// The most blocks that so many items in so many nodes can take: full ones, and one partly filled
// for each node that has items; one more while an item is on its way.
size_t acre_blocks_needed(size_t items, size_t nodes)
{
    return items / BLOCK_SLOTS + (items < nodes ? items : nodes) + 1;
}

size_t acre_tree_nodes(const acre_quadtree *tree)
{
    return (size_t)tree->live_quads * 4 - 3; // quad 0 counts once for the root
}

bool acre_ensure_blocks(acre_quadtree *tree, size_t items, size_t nodes)
{
    const size_t needed = acre_blocks_needed(items, nodes + 1); // the outliers' list is a node here
    if (needed <= tree->block_capacity) {
        return true;
    }
    const uint32_t capacity = grown_capacity(tree->block_capacity, needed, MAX_BLOCKS);
    return capacity && acre_resize_blocks(tree, capacity);
}

bool acre_ensure_locations(acre_quadtree *tree, size_t items)
{
    if (items <= tree->location_count) {
        return true;
    }
    const uint32_t count = grown_capacity(tree->location_count, items, tree->def.item_capacity);
    if (!count) {
        return false;
    }
    // Layers first: rows beyond location_count do no harm.
    if (tree->layers) {
        uint32_t *const layers =
            resize_array(tree, ARRAY_LAYERS, tree->layers, count * sizeof *layers);
        if (!layers) {
            return false;
        }
        tree->layers = layers;
    }
    uint32_t *const locations =
        resize_array(tree, ARRAY_LOCATIONS, tree->locations, count * sizeof *locations);
    if (!locations) {
        return false;
    }
    tree->locations = locations;
    memset(locations + tree->location_count, 0xff,
           (count - tree->location_count) * sizeof *locations);
    tree->location_count = count;
    return true;
}

// The array of masks, with every item in all layers.
bool acre_create_layers(acre_quadtree *tree)
{
    if (tree->layers) {
        return true;
    }
    const size_t bytes = tree->location_count * sizeof *tree->layers;
    tree->layers = resize_array(tree, ARRAY_LAYERS, NULL, bytes);
    if (!tree->layers) {
        return false;
    }
    memset(tree->layers, 0xff, bytes);
    for (uint32_t q = 0; q < tree->quad_count; q++) {
        memset(tree->cold[q].layers, 0xff, sizeof tree->cold[q].layers);
    }
    return true;
}

static void clear_quad(acre_quadtree *tree, uint32_t quad_index, uint32_t parent, cell first)
{
    const row_box empty = rows_empty();
    tree->quads[quad_index] = (quad){.child = {0}};
    tree->cold[quad_index] =
        (quad_cold){.parent = parent, .level = first.level, .x = first.x, .z = first.z};
    for (uint32_t slot = 0; slot < 4; slot++) {
        set_node_bounds(tree, quad_index * 4 + slot, &empty);
    }
}

// The caller has ensured that there is room. first: the cell of slot 0.
uint32_t acre_take_quad(acre_quadtree *tree, uint32_t parent, cell first)
{
    uint32_t taken = tree->free_quad;
    if (taken) {
        tree->free_quad = tree->cold[taken].parent;
    } else {
        assert(tree->quad_count < tree->quad_capacity);
        taken = tree->quad_count++;
    }
    tree->live_quads++;
    clear_quad(tree, taken, parent, first);
    return taken;
}

void acre_free_quad(acre_quadtree *tree, uint32_t quad_index)
{
    tree->cold[quad_index].level = NONE;
    tree->cold[quad_index].parent = tree->free_quad;
    tree->free_quad = quad_index;
    tree->live_quads--;
}

// Of a block without items, last of its chain.
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

uint32_t acre_take_block(acre_quadtree *tree)
{
    uint32_t taken = tree->free_block;
    if (taken != NONE) {
        tree->free_block = tree->next[taken];
    } else {
        assert(tree->block_count < tree->block_capacity);
        taken = tree->block_count++;
    }
    tree->live_blocks++;
    memset(&tree->boxes[taken], 0, sizeof tree->boxes[taken]);
    memset(&tree->ids[taken], 0, sizeof tree->ids[taken]);
    acre_clear_header(tree, taken);
    return taken;
}

void acre_free_block(acre_quadtree *tree, uint32_t block)
{
    tree->headers[block].node = NONE;
    tree->next[block] = tree->free_block;
    tree->free_block = block;
    tree->live_blocks--;
}

// No quads but the root's and no blocks. What locations say is the caller's business.
void acre_reset_rows(acre_quadtree *tree, cell root)
{
    tree->free_quad = 0;
    tree->quad_count = tree->live_quads = 1;
    tree->free_block = NONE;
    tree->block_count = tree->live_blocks = 0;
    tree->maintain_cursor = 0;
    clear_quad(tree, 0, NONE, root);
}

// An empty tree, as after create; the arrays stay.
void acre_reset_tree(acre_quadtree *tree)
{
    acre_reset_rows(tree, tree->create_root);
    tree->item_limit = tree->item_count = 0;
    tree->shrink_wait = 0;
    if (tree->location_count) {
        memset(tree->locations, 0xff, tree->location_count * sizeof *tree->locations);
    }
}

// The arrays of quads and blocks out of the tree, which then has none.
tree_rows acre_take_rows(acre_quadtree *tree)
{
    tree_rows rows = {.quads = tree->quads,
                      .cold = tree->cold,
                      .boxes = tree->boxes,
                      .ids = tree->ids,
                      .headers = tree->headers,
                      .next = tree->next,
                      .quad_capacity = tree->quad_capacity,
                      .block_capacity = tree->block_capacity};
    memcpy(rows.bytes, tree->bytes, sizeof rows.bytes);
    memset(tree->bytes, 0, sizeof rows.bytes);
    tree->quads = NULL;
    tree->cold = NULL;
    tree->boxes = NULL;
    tree->ids = NULL;
    tree->headers = NULL;
    tree->next = NULL;
    tree->quad_capacity = tree->block_capacity = 0;
    return rows;
}

static void free_row_array(acre_quadtree *tree, const tree_rows *rows, array_index index,
                           void *array)
{
    if (array) {
        acre_resize(&tree->allocator, array, rows->bytes[index], 0, ARRAY_ALIGNMENT);
    }
}

void acre_free_rows(acre_quadtree *tree, const tree_rows *rows)
{
    free_row_array(tree, rows, ARRAY_QUADS, rows->quads);
    free_row_array(tree, rows, ARRAY_COLD, rows->cold);
    free_row_array(tree, rows, ARRAY_BOXES, rows->boxes);
    free_row_array(tree, rows, ARRAY_IDS, rows->ids);
    free_row_array(tree, rows, ARRAY_HEADERS, rows->headers);
    free_row_array(tree, rows, ARRAY_NEXT, rows->next);
}

// The other way round; what the tree has meanwhile is freed.
void acre_put_rows(acre_quadtree *tree, const tree_rows *rows)
{
    const tree_rows others = acre_take_rows(tree);
    acre_free_rows(tree, &others);
    tree->quads = rows->quads;
    tree->cold = rows->cold;
    tree->boxes = rows->boxes;
    tree->ids = rows->ids;
    tree->headers = rows->headers;
    tree->next = rows->next;
    tree->quad_capacity = rows->quad_capacity;
    tree->block_capacity = rows->block_capacity;
    memcpy(tree->bytes, rows->bytes, sizeof rows->bytes);
}

acre_result acre_quadtree_create(const acre_quadtree_def *def, acre_quadtree **out)
{
    if (out) {
        *out = NULL;
    }
    if (!def || !out || def->max_depth > 20 || def->node_capacity > 65536 ||
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
        !acre_grid_create(&made.grid, &made.create_root, def->center, made.def.half_size,
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

void acre_quadtree_destroy(acre_quadtree *tree)
{
    if (!tree) {
        return;
    }
    const tree_rows rows = acre_take_rows(tree);
    acre_free_rows(tree, &rows);
    free_array(tree, ARRAY_LOCATIONS, tree->locations);
    free_array(tree, ARRAY_LAYERS, tree->layers);
    const acre_allocator allocator = tree->allocator;
    acre_resize(&allocator, tree, sizeof *tree, 0, _Alignof(acre_quadtree));
}

acre_result acre_quadtree_reserve(acre_quadtree *tree, size_t items)
{
    if (!tree) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (items > tree->def.item_capacity) {
        return ACRE_ERROR_CAPACITY;
    }
    if (!access_begin_write(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    // A cell that splits leaves four with a quarter of its items each, so that leaves hold a bit
    // less than half their capacity on average: four siblings hold 1.3 of it.
    const size_t quads = 1 + items / tree->def.node_capacity;
    const bool is_done = acre_ensure_locations(tree, items) &&
                         (quads <= tree->live_quads ||
                          acre_ensure_quads(tree, (uint32_t)(quads - tree->live_quads))) &&
                         acre_ensure_blocks(tree, items, quads * 4);
    const acre_result result = is_done ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
    NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_RESERVE, .result = result, .count = items);
    end_edit(tree);
    return result;
}

static void trim_locations(acre_quadtree *tree)
{
    uint32_t count = tree->location_count;
    while (count > 0 && tree->locations[count - 1] == ABSENT) {
        count--;
    }
    if (count == 0) {
        free_array(tree, ARRAY_LOCATIONS, tree->locations);
        free_array(tree, ARRAY_LAYERS, tree->layers);
        tree->locations = tree->layers = NULL;
        tree->location_count = 0;
        return;
    }
    uint32_t *const locations =
        resize_array(tree, ARRAY_LOCATIONS, tree->locations, count * sizeof *locations);
    if (!locations) {
        return;
    }
    tree->locations = locations;
    tree->location_count = count;
    if (tree->layers) {
        uint32_t *const layers =
            resize_array(tree, ARRAY_LAYERS, tree->layers, count * sizeof *layers);
        tree->layers = layers ? layers : tree->layers;
    }
}

// Gives back what lies behind the last row in use. Where that fails, the arrays stay.
void acre_fit_arrays(acre_quadtree *tree)
{
    acre_resize_quads(tree, tree->quad_count);
    if (tree->block_capacity) {
        acre_resize_blocks(tree, acre_blocks_needed(tree->item_count, acre_tree_nodes(tree) + 1));
    }
    trim_locations(tree);
}
