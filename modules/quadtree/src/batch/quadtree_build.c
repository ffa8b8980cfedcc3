// SPDX-License-Identifier: MIT
// quadtree_build.c - the tree built anew in Morton order.
//
// A build sorts items along the Morton curve of their cells, larger items before smaller ones. Each
// cell is then one range of the sorted items: first those too large for its children, then each
// child's. Nodes are made depth first and their blocks with them, so that a query reads both arrays
// forwards. See Morton, "A Computer Oriented Geodetic Data Base" (1966).
//
// What is sorted stands where the boxes will be: a build needs no memory but the tree's. An entry
// is smaller than a box, so the sorted entries stand at the end of the array of boxes; while boxes
// fill it from its first block on, they reach no entry before its turn.
#include "quadtree_curve.h"
#include "quadtree_kernel.h"

#include <string.h>

#define TAKEN (ABSENT - 1) // location of an item that a build holds, but no block yet

enum {
    LEVEL_BITS = 5,
    LEVEL_MASK = (1 << LEVEL_BITS) - 1,
    SORT_LEVELS = 5,        // at most, that one pass sorts by
    SORTED_CELL_ITEMS = 256 // on average in a cell that is sorted no further
};

// The key is the cell's place on the curve, at the item's own level, then 31 - level. An outlier's
// is 0, below all others. Before the root is known it holds the finest cell's x and z.
typedef struct bulk_entry {
    uint64_t key;
    uint32_t source; // row of the batch; or where the item stood in the old blocks
    uint32_t item : 26;
    uint32_t level : LEVEL_BITS; // LEVEL_MASK: no cell can hold it
    uint32_t is_old : 1;
} bulk_entry;

typedef struct bulk_build {
    acre_quadtree *tree;
    const box_source *source; // rows of the batch
    bulk_entry *entries;      // in front of the array of boxes; once sorted, at its end
    size_t count;
    cell root;
    uint32_t limit; // above the largest item
    size_t blocks;  // of the chains so far
    size_t room;    // bytes that the array of boxes needs, so that no entry is written over
    tree_rows old;  // what old items are read from; none if the tree was empty
} bulk_build;

// A node's items that belong below it.
typedef struct bulk_range {
    uint32_t node, level; // of the children
    uint32_t sorted;      // level of the cells by which these entries are sorted so far
    size_t begin, end;
} bulk_range;

// ---- collecting ----

// The array of boxes from a block on, as room for entries.
static bulk_entry *entries_at(const acre_quadtree *tree, size_t block)
{
    return (bulk_entry *)(void *)(tree->boxes + block);
}

static_assert(sizeof(block_boxes) * 3 / 2 >= 2 * sizeof(bulk_entry) * BLOCK_SLOTS,
              "the guess in open_build");

// Room for entries, and for as many others to sort them into: half as many blocks again as items
// fill, which is what most trees need in the end.
static bool open_build(bulk_build *build, acre_quadtree *tree, const box_source *source,
                       size_t capacity)
{
    *build = (bulk_build){.tree = tree,
                          .source = source,
                          .root = node_cell(tree, ROOT_NODE),
                          .limit = tree->item_limit};
    if (tree->item_count > 0) {
        build->old = acre_take_rows(tree);
    }
    const size_t kept = tree->block_capacity + (size_t)build->old.block_capacity;
    const size_t guess = capacity / BLOCK_SLOTS * 3 / 2 + 2;
    const bool is_open = acre_resize_blocks(tree, guess > kept ? guess : kept);
    build->entries = entries_at(tree, 0);
    return is_open;
}

// The tree as it was.
static void cancel_build(bulk_build *build)
{
    for (size_t i = 0; i < build->count; i++) {
        if (!build->entries[i].is_old) {
            build->tree->locations[build->entries[i].item] = ABSENT;
        }
    }
    if (build->old.quads) {
        acre_put_rows(build->tree, &build->old);
    }
}

// Adds an item, the one in a slot of a group.
static void add_entry(bulk_build *build, uint32_t item, const item_group *group,
                      const group_places *places, uint32_t slot, uint32_t source, bool is_old)
{
    placement place = {places->x[slot], places->z[slot], places->level[slot],
                       places->level[slot] > MAX_LEVEL};
    if (place.level & LEVEL_CLOSE) {
        const row_box box = group_rows(group, slot);
        place = acre_grid_place(&build->tree->grid, &box);
    }
    if (!cell_holds(&build->root, place.x, place.z) && !place.is_outlier) {
        build->root = acre_grown_root(build->root, &place);
    }
    build->entries[build->count++] =
        (bulk_entry){.key = (uint64_t)(uint32_t)place.x | (uint64_t)(uint32_t)place.z << 32,
                     .source = source,
                     .item = item & ((1u << 26) - 1),
                     .level = (place.is_outlier ? LEVEL_MASK : place.level) & LEVEL_MASK,
                     .is_old = is_old};
}

// Room for the location of an item; all rows are likely to be numbered from 0, so it is tried to
// make room for them at once.
static bool reach_location(acre_quadtree *tree, uint32_t item, size_t count)
{
    if (item < tree->location_count) {
        return true;
    }
    const size_t all = count < tree->def.item_capacity ? count : tree->def.item_capacity;
    return (item < all && acre_ensure_locations(tree, all)) ||
           acre_ensure_locations(tree, (size_t)item + 1);
}

// Up to 16 rows.
static bool collect_group(bulk_build *build, const uint32_t *items, size_t first, uint32_t rows,
                          size_t count, acre_quadtree_report *report)
{
    acre_quadtree *const tree = build->tree;
    item_group group = {{{0}}};
    group_places places;
    for (uint32_t slot = 0; slot < rows; slot++) {
        const row_box box = source_rows(build->source, first + slot);
        for (int i = 0; i < ROW_COUNT; i++) {
            group.row[i][slot] = box.row[i];
        }
    }
    build_kernel_of(tree)->place_group(&tree->grid, &group, &places);
    for (uint32_t slot = 0; slot < rows; slot++) {
        const uint32_t item = items[first + slot];
        const acre_result result =
            check_new_item(tree, item, !(places.level[slot] & LEVEL_INVALID));
        if (result != ACRE_OK) {
            refuse_row(report, first + slot, result);
            continue;
        }
        if (!reach_location(tree, item, count)) {
            return false;
        }
        tree->locations[item] = TAKEN;
        build->limit = item < build->limit ? build->limit : item + 1;
        add_entry(build, item, &group, &places, slot, (uint32_t)(first + slot), false);
    }
    return true;
}

// Entries for the good rows; their items are marked, so that a second row of one is seen. False:
// no memory.
static bool collect_rows(bulk_build *build, const uint32_t *items, size_t count,
                         acre_quadtree_report *report)
{
    bool is_good = true;
    for (size_t first = 0; first < count && is_good; first += GROUP_SLOTS) {
        const size_t rows = count - first < GROUP_SLOTS ? count - first : GROUP_SLOTS;
        is_good = collect_group(build, items, first, (uint32_t)rows, count, report);
    }
    return is_good;
}

static void collect_block(bulk_build *build, const acre_quadtree *tree, uint32_t block,
                          uint32_t count)
{
    for (uint32_t first = 0; first < count; first += GROUP_SLOTS) {
        const item_group *const group = &tree->boxes[block].groups[first / GROUP_SLOTS];
        group_places places;
        build_kernel_of(tree)->place_group(&tree->grid, group, &places);
        for (uint32_t slot = 0; slot < GROUP_SLOTS && first + slot < count; slot++) {
            add_entry(build, tree->ids[block].id[first + slot], group, &places, slot,
                      location_of(block, first + slot), true);
        }
    }
}

// tree: as it was, with the old rows.
static void collect_tree(bulk_build *build, const acre_quadtree *tree)
{
    for (uint32_t q = 0; q < tree->quad_count; q++) {
        for (uint32_t slot = 0; tree->cold[q].level != NONE && slot < 4; slot++) {
            for (chain_walk walk = chain_first(tree, q * 4 + slot); walk.count;
                 walk = chain_next(tree, walk)) {
                collect_block(build, tree, walk.block, walk.count);
            }
        }
    }
}

// ---- sorting ----

// Bits of two numbers below 2^16 in turn, those of the lower half of the word first.
static uint32_t interleave(uint32_t halves)
{
    uint64_t bits = (halves & 0xffffu) | (uint64_t)(halves >> 16) << 32;
    bits = (bits | bits << 8) & UINT64_C(0x00ff00ff00ff00ff);
    bits = (bits | bits << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    bits = (bits | bits << 2) & UINT64_C(0x3333333333333333);
    bits = (bits | bits << 1) & UINT64_C(0x5555555555555555);
    return (uint32_t)(bits | bits >> 31);
}

// The place on Morton's curve of a column and a row below 2^25.
static uint64_t curve_place(uint32_t x, uint32_t z)
{
    return interleave((x & 0xffffu) | z << 16) | (uint64_t)interleave(x >> 16 | (z & 0xffff0000u))
                                                     << 32;
}

// Keys along the curve, now that the root is known.
static void make_keys(bulk_build *build)
{
    const cell *const root = &build->root;
    for (size_t i = 0; i < build->count; i++) {
        bulk_entry *const entry = &build->entries[i];
        const uint32_t x = (uint32_t)entry->key, z = (uint32_t)(entry->key >> 32);
        const uint32_t level = entry->level;
        const bool is_inside = level <= root->level && cell_holds(root, (int32_t)x, (int32_t)z);
        if (is_inside) {
            const uint64_t place = curve_place(x - (uint32_t)root->x, z - (uint32_t)root->z);
            entry->key = (place >> 2 * level << 2 * level) << LEVEL_BITS | (LEVEL_MASK - level);
        } else {
            entry->key = 0;
        }
    }
}

// Where a sort puts an entry: by how many levels it is above the sorted one, then by its cell.
static uint32_t sort_class(uint64_t key, uint32_t sorted, uint32_t levels)
{
    const uint32_t level = LEVEL_MASK - (uint32_t)(key & LEVEL_MASK);
    const uint32_t above = level > sorted ? level - sorted : 0;
    const uint32_t at = (uint32_t)(key >> LEVEL_BITS >> 2 * sorted) & ((1u << 2 * levels) - 1);
    return (above < levels + 1 ? above : levels + 1) << 2 * levels | at;
}

// Sorts the entries of a cell, from an array to another, by its cells of a level some levels below;
// those too large for them come first, the largest first of all. Outliers come before all others.
static void sort_cell(const bulk_entry *from, bulk_entry *to, size_t count, uint32_t level,
                      uint32_t sorted)
{
    uint32_t place[(SORT_LEVELS + 2) << 2 * SORT_LEVELS];
    const uint32_t levels = level - sorted, cells = 1u << 2 * levels;
    memset(place, 0, (levels + 2) * cells * sizeof *place);
    for (size_t i = 0; i < count; i++) {
        place[sort_class(from[i].key, sorted, levels)]++;
    }
    uint32_t sum = 0;
    for (uint32_t at = 0; at < cells; at++) {
        for (uint32_t above = levels + 2; above-- > 0;) {
            uint32_t *const here = &place[above * cells + at];
            const uint32_t begin = sum;
            sum += *here;
            *here = begin;
        }
    }
    for (size_t i = 0; i < count; i++) {
        to[place[sort_class(from[i].key, sorted, levels)]++] = from[i];
    }
}

// The level of cells by which so many entries of a cell are sorted at a time: few of these cells
// will have children.
static uint32_t sorted_level(uint32_t level, size_t count)
{
    uint32_t levels = level > 0;
    while (levels < SORT_LEVELS && levels < level && count >> 2 * levels > SORTED_CELL_ITEMS) {
        levels++;
    }
    return level - levels;
}

// What is in a cell of the sorted level has no order yet. If it may have children, it is sorted by
// itself.
static uint32_t sort_further(const bulk_build *build, size_t begin, size_t end, uint32_t level,
                             uint32_t sorted)
{
    const size_t count = end - begin;
    if (level == sorted && count > build->tree->def.node_capacity) {
        bulk_entry *const scratch = entries_at(build->tree, 0);
        sorted = sorted_level(level, count);
        sort_cell(build->entries + begin, scratch, count, level, sorted);
        memcpy(build->entries + begin, scratch, count * sizeof *scratch);
    }
    return sorted;
}

// The last entries that the array of boxes has room for.
static bulk_entry *last_entries(const acre_quadtree *tree, size_t count)
{
    return entries_at(tree, tree->block_capacity) - count;
}

// Sorts all entries once; answers the level of the cells by which they are sorted.
static uint32_t sort_all(bulk_build *build)
{
    const uint32_t level = build->root.level, sorted = sorted_level(level, build->count);
    bulk_entry *const entries = last_entries(build->tree, build->count);
    sort_cell(build->entries, entries, build->count, level, sorted);
    build->entries = entries;
    return sorted;
}

// ---- nodes ----

// The first entry of a range whose key, shifted, is at least this.
static size_t first_at_least(const bulk_build *build, size_t begin, size_t end, uint32_t shift,
                             uint64_t least)
{
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (build->entries[middle].key >> shift < least) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

// Where a cell's own items end: all of them, or those too large for its children if it has some. It
// has under the rules of a split.
static size_t own_end(const bulk_build *build, size_t begin, size_t end, uint32_t level)
{
    const size_t count = end - begin;
    if (count <= build->tree->def.node_capacity || level == 0) {
        return end;
    }
    const uint64_t first = build->entries[begin].key;
    const bool has_large = (first & LEVEL_MASK) == LEVEL_MASK - level;
    const size_t own = has_large ? first_at_least(build, begin, end, 0, first + 1) : begin;
    return (uint64_t)(end - own) * SPLIT_MOVERS_DIVISOR < count ? end : own;
}

// The ranges of four children.
static void split_range(const bulk_build *build, const bulk_range *range, size_t bounds[5])
{
    const uint32_t shift = LEVEL_BITS + 2 * range->level;
    const uint64_t first = build->entries[range->begin].key >> shift >> 2 << 2;
    bounds[0] = range->begin;
    for (uint64_t slot = 1; slot < 4; slot++) {
        bounds[slot] = first_at_least(build, bounds[slot - 1], range->end, shift, first + slot);
    }
    bounds[4] = range->end;
}

static row_box entry_rows(const bulk_build *build, const bulk_entry *entry)
{
    row_box box;
    if (!entry->is_old) {
        const box_source *const source = build->source;
        if (source->is_centered || !source->is_joined) {
            return source_rows(source, entry->source);
        }
        acre_aabb row;
        memcpy(&row, source->first + entry->source * source->first_stride, sizeof row);
        rows_from_aabb(&box, &row);
        return box;
    }
    const uint32_t slot = location_slot(entry->source);
    return group_rows(&build->old.boxes[location_block(entry->source)].groups[slot / GROUP_SLOTS],
                      slot % GROUP_SLOTS);
}

static void prefetch_entry(const bulk_build *build, size_t at)
{
    if (at < build->count) {
        const bulk_entry *const entry = &build->entries[at];
        prefetch_line(&build->tree->locations[entry->item]);
        if (!entry->is_old) {
            prefetch_row(build->source, entry->source);
        }
    }
}

// Moves entries to the other array, stably sorted by a digit of their places on the curve.
static void sort_places(const bulk_entry *from, bulk_entry *to, size_t count, uint32_t shift,
                        uint32_t *start)
{
    uint32_t sum = 0;
    for (uint32_t digit = 0; digit < CURVE_SQUARES; digit++) {
        const uint32_t here = start[digit];
        start[digit] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++) {
        to[start[(uint32_t)(from[i].key >> shift) & (CURVE_SQUARES - 1)]++] = from[i];
    }
}

// Sorts the own items of a cell as acre_order_node does. Their keys are needed no more; they become
// places on the cell's curve.
static void order_entries(bulk_entry *entries, bulk_entry *scratch, size_t count, uint32_t level)
{
    uint32_t low[CURVE_SQUARES] = {0}, high[CURVE_SQUARES] = {0};
    const uint32_t drop = LEVEL_BITS + (level > CURVE_LEVELS ? 2 * (level - CURVE_LEVELS) : 0);
    const uint32_t raise = level < CURVE_LEVELS ? 2 * (CURVE_LEVELS - level) : 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t square = (uint32_t)(entries[i].key >> drop) << raise;
        const uint32_t place = curve_distance_from_morton(square);
        entries[i].key = place;
        low[place & (CURVE_SQUARES - 1)]++;
        high[place >> CURVE_LEVELS]++;
    }
    sort_places(entries, scratch, count, 0, low);
    sort_places(scratch, entries, count, CURVE_LEVELS, high);
}

// A group of up to 16 entries; slots behind them are zero.
static void fill_group(const bulk_build *build, uint32_t location, size_t begin, uint32_t count)
{
    acre_quadtree *const tree = build->tree;
    const uint32_t first = location_slot(location);
    item_group *const group = &tree->boxes[location_block(location)].groups[first / GROUP_SLOTS];
    uint32_t *const ids = &tree->ids[location_block(location)].id[first];
    row_box bounds = rows_empty();
    if (count < GROUP_SLOTS) {
        memset(group, 0, sizeof *group);
        memset(ids, 0, GROUP_SLOTS * sizeof *ids);
    }
    for (uint32_t slot = 0; slot < count; slot++) {
        prefetch_entry(build, begin + slot + BULK_AHEAD);
        const bulk_entry *const entry = &build->entries[begin + slot];
        const row_box box = entry_rows(build, entry);
        for (int i = 0; i < ROW_COUNT; i++) {
            group->row[i][slot] = box.row[i];
        }
        rows_merge(&bounds, &box);
        ids[slot] = entry->item;
        tree->locations[entry->item] = location + slot;
    }
    set_group_bounds(tree, location, &bounds);
}

static void fill_block(const bulk_build *build, uint32_t block, size_t begin, uint32_t count)
{
    acre_clear_header(build->tree, block);
    for (uint32_t slot = 0; slot < BLOCK_SLOTS; slot += GROUP_SLOTS) {
        const uint32_t rest = count > slot ? count - slot : 0;
        fill_group(build, location_of(block, slot), begin + slot,
                   rest < GROUP_SLOTS ? rest : GROUP_SLOTS);
    }
}

// A node's chain, as a run: its first block, which may be partly filled, is the last in memory.
static void fill_chain(const bulk_build *build, uint32_t node, size_t begin, size_t end)
{
    acre_quadtree *const tree = build->tree;
    const size_t all = end - begin;
    const uint32_t second = tree->block_count;
    if (all == 0) {
        return;
    }
    if (node != OUTLIER_NODE && all > GROUP_SLOTS) {
        order_entries(build->entries + begin, entries_at(tree, second), all,
                      node_level(tree, node));
    }
    const uint32_t count = (uint32_t)((all - 1) % BLOCK_SLOTS) + 1;
    const uint32_t first = second + (uint32_t)((all - 1) / BLOCK_SLOTS);
    *node_items(tree, node) = chain_word(first, first != second, count) | CHAIN_RUN;
    tree->cold[node >> 2].count[node & 3] = (uint32_t)all;
    fill_block(build, first, begin, count);
    begin += count;
    for (uint32_t block = second; block < first; block++, begin += BLOCK_SLOTS) {
        fill_block(build, block, begin, BLOCK_SLOTS);
        tree->next[block] = block + 1 < first ? block + 1 : NONE;
    }
    tree->next[first] = first != second ? second : NONE;
    tree->live_blocks = tree->block_count = first + 1;
}

// A chain's boxes end before its entries begin.
static void count_chain(bulk_build *build, size_t begin, size_t end)
{
    build->blocks += (end - begin + BLOCK_SLOTS - 1) / BLOCK_SLOTS;
    const size_t room =
        build->blocks * sizeof(block_boxes) + (build->count - begin) * sizeof(bulk_entry);
    build->room = room > build->room ? room : build->room;
}

static void add_chain(bulk_build *build, uint32_t node, size_t begin, size_t end, bool makes_it)
{
    if (makes_it) {
        fill_chain(build, node, begin, end);
    } else {
        count_chain(build, begin, end);
    }
}

static uint32_t make_children(acre_quadtree *tree, uint32_t node)
{
    const cell square = node_cell(tree, node);
    const uint32_t q = acre_take_quad(tree, node, (cell){square.x, square.z, square.level - 1});
    tree->quads[node >> 2].child[node & 3] = q;
    return q;
}

// Goes through the cells depth first, as a query does, and counts their quads. The first time it
// sorts where needed and counts blocks, the second time it makes them.
static uint32_t walk_cells(bulk_build *build, bool makes_them)
{
    acre_quadtree *const tree = build->tree;
    bulk_range stack[3 * MAX_LEVEL + 8]; // a quad takes one off and puts at most four on
    uint32_t depth = 0, quads = 1, sorted = 0;
    if (!makes_them) {
        sorted = sort_all(build);
    }
    const size_t outliers = first_at_least(build, 0, build->count, 0, 1);
    const size_t own = own_end(build, outliers, build->count, build->root.level);
    add_chain(build, OUTLIER_NODE, 0, outliers, makes_them);
    add_chain(build, ROOT_NODE, outliers, own, makes_them);
    if (own < build->count) {
        stack[depth++] = (bulk_range){ROOT_NODE, build->root.level - 1, sorted, own, build->count};
    }
    while (depth > 0) {
        const bulk_range range = stack[--depth];
        const uint32_t q = makes_them ? make_children(tree, range.node) : quads;
        size_t bounds[5], own_ends[4];
        uint32_t sorted_by[4] = {0};
        split_range(build, &range, bounds);
        for (uint32_t slot = 0; slot < 4; slot++) {
            if (!makes_them) {
                sorted_by[slot] =
                    sort_further(build, bounds[slot], bounds[slot + 1], range.level, range.sorted);
            }
            own_ends[slot] = own_end(build, bounds[slot], bounds[slot + 1], range.level);
            add_chain(build, q * 4 + slot, bounds[slot], own_ends[slot], makes_them);
        }
        for (uint32_t slot = 4; slot-- > 0;) {
            if (own_ends[slot] < bounds[slot + 1]) {
                stack[depth++] = (bulk_range){q * 4 + slot, range.level - 1, sorted_by[slot],
                                              own_ends[slot], bounds[slot + 1]};
            }
        }
        quads++;
    }
    return quads;
}

// Headers, bounds and layers, children before parents: quads stand depth first.
static void finish_nodes(acre_quadtree *tree)
{
    for (uint32_t q = tree->quad_count; q-- > 0;) {
        for (uint32_t slot = 0; slot < 4; slot++) {
            acre_label_chain(tree, q * 4 + slot);
        }
        acre_gather_quad(tree, q);
    }
}

// ---- the build ----

// Room for the tree as it will be, with the entries at its end. *blocks: that it needs.
static bool ensure_rows(bulk_build *build, uint32_t quads, size_t *blocks)
{
    acre_quadtree *const tree = build->tree;
    const uint32_t kept = tree->quad_capacity + build->old.quad_capacity; // one of them is none
    const size_t end = tree->block_capacity;
    const size_t room = (build->room + sizeof(block_boxes) - 1) / sizeof(block_boxes);
    *blocks = acre_blocks_needed(build->count, (size_t)quads * 4 - 2);
    const size_t wanted = *blocks > room ? *blocks : room;
    if (!acre_resize_quads(tree, quads > kept ? quads : kept)) {
        return false;
    }
    if (wanted <= end) {
        return true;
    }
    const bool has_grown = acre_resize_blocks(tree, wanted);
    build->entries = entries_at(tree, end) - build->count; // the array may have moved
    if (has_grown) {
        bulk_entry *const entries = last_entries(tree, build->count);
        memmove(entries, build->entries, build->count * sizeof *entries);
        build->entries = entries;
    }
    return has_grown;
}

// New items are in all layers; the outliers' list knows its items' layers, as no cell does for it.
static void give_layers(const bulk_build *build)
{
    acre_quadtree *const tree = build->tree;
    for (size_t i = 0; tree->layers && i < build->count; i++) {
        const bulk_entry *const entry = &build->entries[i];
        if (!entry->is_old) {
            tree->layers[entry->item] = UINT32_MAX;
        }
        if (entry->key == 0) {
            acre_grow_node_layers(tree, OUTLIER_NODE, tree->layers[entry->item]);
        }
    }
}

static void fill_tree(bulk_build *build, uint32_t root_growth)
{
    acre_quadtree *const tree = build->tree;
    tree->item_count = (uint32_t)build->count;
    tree->item_limit = build->limit;
    tree->work.grows += root_growth;
    tree->shrink_wait = root_growth > 0 ? 0 : tree->shrink_wait;
    acre_reset_rows(tree, build->root);
    give_layers(build);
    walk_cells(build, true);
    finish_nodes(tree);
}

bool acre_build_tree(acre_quadtree *tree, const uint32_t *items, const box_source *source,
                     size_t count, acre_quadtree_report *report)
{
    bulk_build build;
    const acre_quadtree was = *tree;
    const uint32_t root_level = node_level(tree, ROOT_NODE);
    const size_t free_numbers = tree->def.item_capacity - tree->item_count;
    const size_t rows = count < free_numbers ? count : free_numbers;
    size_t blocks = 0;
    bool is_done = open_build(&build, tree, source, was.item_count + rows);
    if (is_done) {
        collect_tree(&build, &was);
        is_done = collect_rows(&build, items, count, report);
    }
    const bool has_work = is_done && (count == 0 || build.count > was.item_count);
    if (has_work) {
        make_keys(&build);
        is_done = ensure_rows(&build, walk_cells(&build, false), &blocks);
    }
    if (has_work && is_done) {
        fill_tree(&build, build.root.level - root_level);
        acre_free_rows(tree, &build.old);
        acre_resize_blocks(tree, blocks > was.block_capacity ? blocks : was.block_capacity);
    } else {
        cancel_build(&build);
    }
    return is_done;
}
