// SPDX-License-Identifier: MIT
// quadtree_build.c - the tree built anew in Morton order.
//
// A build sorts items along the Morton curve of their cells, larger items before smaller ones. Each
// cell is then one range of the sorted items: first those too large for its children, then each
// child's. Nodes are made depth first and their blocks with them, so that a query reads both arrays
// forwards. Where a cell gets bands, its range is divided by height; each band keeps the order of
// the curve. See Morton, "A Computer Oriented Geodetic Data Base" (1966).
//
// Workers collect, sort and plan ranges of items and of cells (quadtree_build_shares.c), and fill
// the blocks of nodes. Quads and chains are made by one thread in between.
//
// A build sorts in memory of its own: 32 bytes an item, 4 for each row and each slot of the old
// blocks, and 24 for each cell that gets bands. It takes this memory before it changes anything,
// and gives it back at its end. Until everything is sorted and the new arrays have room, the tree
// stays as it was, so a build that runs out of memory leaves no trace.
#include "quadtree_build.h"
#include "quadtree_curve.h"

#include "tasks_internal.h"

#include <string.h>

// ---- collecting ----

static size_t memory_size(const bulk_build *build)
{
    return 2 * build->capacity * sizeof(bulk_entry) + build->center_count * sizeof(float);
}

// Takes the build's memory, in one piece, for `capacity` items, of which some come from as many
// rows or fewer. False: there is none.
static bool open_build(bulk_build *build, acre_quadtree *tree, const box_source *source,
                       size_t capacity, size_t rows)
{
    const size_t old_slots = (size_t)tree->block_count * BLOCK_SLOTS;
    *build = (bulk_build){
        .tree = tree,
        .source = source,
        .capacity = capacity,
        .old_slots = (uint32_t)old_slots,
        .center_count = old_slots + rows,
        .place_on = {tree->grid, tree->home},
        .root = node_cell(tree, ROOT_NODE),
        .root_level = node_level(tree, ROOT_NODE),
        .limit = tree->item_limit,
        .old_boxes = tree->boxes,
        .shares = tree->listener ? 1 : share_count_for(&tree->tasks, capacity, SHARE_ITEMS)};
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        build->lowest[slot] = FLT_MAX;
        build->highest[slot] = -FLT_MAX;
    }
    ACRE_INVARIANT(old_slots <= UINT32_MAX && rows <= UINT32_MAX);
    if (capacity > SIZE_MAX / (4 * sizeof(bulk_entry)) || rows > SIZE_MAX / (8 * sizeof(float))) {
        return false;
    }
    build->memory =
        acre_resize(&tree->allocator, NULL, 0, memory_size(build), _Alignof(bulk_entry));
    if (!build->memory) {
        return false;
    }
    build->entries = build->memory;
    build->scratch = build->memory + capacity;
    build->centers = (float *)(build->scratch + capacity);
    return true;
}

static void close_build(bulk_build *build)
{
    if (build->bands) {
        acre_resize(&build->tree->allocator, build->bands,
                    build->bands_capacity * sizeof *build->bands, 0, _Alignof(bulk_bands));
    }
    acre_resize(&build->tree->allocator, build->memory, memory_size(build), 0,
                _Alignof(bulk_entry));
}

// The items of the rows are absent again.
static void release_rows(bulk_build *build)
{
    for (size_t i = 0; i < build->count; i++) {
        const bulk_entry *const entry = &build->entries[i];
        if (!entry->is_old) {
            ACRE_INVARIANT(build->tree->locations[entry->item] == TAKEN);
            build->tree->locations[entry->item] = ABSENT;
        }
    }
}

// Where the center's height of a row, or of an item at a location, is kept.
ACRE_ALWAYS_INLINE size_t center_index(const bulk_build *build, uint32_t source, bool is_old)
{
    const size_t index = source + (is_old ? 0 : (size_t)build->old_slots);
    ACRE_INVARIANT(index < build->center_count);
    return index;
}

// Keeps the heights of the centers of a group's first boxes, and between which heights they lie.
// source: of the first of them.
void acre_build_note_group(bulk_build *build, const item_group *group, uint32_t count,
                           uint32_t source, bool is_old)
{
    float *const centers = build->centers + center_index(build, source, is_old);
    if (count == GROUP_SLOTS) {
        build_kernel_of(build->tree)->note_heights(group, build->lowest, build->highest, centers);
        return;
    }
    for (uint32_t slot = 0; slot < count; slot++) {
        const float center = box_center(group->row[ROW_Y_MIN][slot], group->row[ROW_Y_MAX][slot]);
        build->lowest[slot] = center < build->lowest[slot] ? center : build->lowest[slot];
        build->highest[slot] = center > build->highest[slot] ? center : build->highest[slot];
        centers[slot] = center;
    }
}

// Makes room for an item's location. Items are usually 0..count-1, so this first tries to make room
// for all of them in one step.
static bool reach_location(acre_quadtree *tree, uint32_t item, size_t count)
{
    if (item < tree->location_count) {
        return true;
    }
    const size_t all = count < tree->def.item_capacity ? count : tree->def.item_capacity;
    return (item < all && acre_ensure_locations(tree, all)) ||
           acre_ensure_locations(tree, (size_t)item + 1);
}

// Adds entries for the good rows among up to 16. False: no memory.
static bool collect_group(bulk_build *build, const uint32_t *items, size_t first, uint32_t rows,
                          size_t count, acre_quadtree_report *report)
{
    acre_quadtree *const tree = build->tree;
    item_group group;
    group_places places;
    place_rows(build, first, rows, &group, &places);
    acre_build_note_group(build, &group, rows, (uint32_t)first, false);
    for (uint32_t slot = 0; slot < rows; slot++) {
        const uint32_t item = items[first + slot];
        bool is_valid = true;
        if (places.level[slot] & LEVEL_UNSURE) {
            const row_box box = group_rows(&group, slot);
            is_valid = rows_are_valid(&box);
        }
        const acre_result result = check_new_item(tree, item, is_valid);
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

// Adds entries for the good rows. Their items are marked TAKEN, so that a second row of an item is
// refused. False: no memory.
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

static void collect_block(bulk_build *build, uint32_t block, uint32_t count)
{
    const acre_quadtree *const tree = build->tree;
    for (uint32_t first = 0; first < count; first += GROUP_SLOTS) {
        const item_group *const group = &tree->boxes[block].groups[first / GROUP_SLOTS];
        group_places places;
        const uint32_t here = count - first < GROUP_SLOTS ? count - first : GROUP_SLOTS;
        build_kernel_of(tree)->place_group(&build->place_on.grid, group, &places);
        acre_build_note_group(build, group, here, location_of(block, first), true);
        for (uint32_t slot = 0; slot < here; slot++) {
            add_entry(build, tree->ids[block].id[first + slot], group, &places, slot,
                      location_of(block, first + slot), true);
        }
    }
}

void acre_build_collect_quads(bulk_build *build, uint32_t first, uint32_t end)
{
    const acre_quadtree *const tree = build->tree;
    ACRE_INVARIANT(first <= end && end <= tree->quad_count);
    for (uint32_t q = first; q < end; q++) {
        for (uint32_t slot = 0; tree->cold[q].level != NONE && slot < 4; slot++) {
            for (chain_walk walk = chain_first(tree, q * 4 + slot); walk.count;
                 walk = chain_next(tree, walk)) {
                collect_block(build, walk.block, walk.count);
            }
        }
    }
}

// Adds entries for the items of the tree.
static void collect_tree(bulk_build *build)
{
    if (build->shares < 2 || !acre_build_collect_tree_in_shares(build)) {
        acre_build_collect_quads(build, 0, build->tree->quad_count);
    }
    ACRE_INVARIANT(build->count == build->tree->item_count);
}

// ---- sorting ----

// Interleaves the bits of a word's halves: bits of the lower half become the even bits, those of
// the upper half the odd ones.
static uint32_t interleave(uint32_t halves)
{
    uint64_t bits = (halves & 0xffffu) | (uint64_t)(halves >> 16) << 32;
    bits = (bits | bits << 8) & UINT64_C(0x00ff00ff00ff00ff);
    bits = (bits | bits << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    bits = (bits | bits << 2) & UINT64_C(0x3333333333333333);
    bits = (bits | bits << 1) & UINT64_C(0x5555555555555555);
    return (uint32_t)(bits | bits >> 31);
}

// The place of a square on Morton's curve, from its column and row, both below 2^25.
static uint64_t curve_place(uint32_t x, uint32_t z)
{
    const uint32_t low = interleave((x & 0xffffu) | z << 16);
    const uint32_t above = x >> 16 | (z & 0xffff0000u);
    return above == 0 ? low : low | (uint64_t)interleave(above) << 32; // a usual world has no more
}

void acre_build_make_keys(const bulk_build *build, size_t begin, size_t end)
{
    const cell *const root = &build->root;
    for (size_t i = begin; i < end; i++) {
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

// Counting sort of a cell's entries from an array into another, by their cells of a sorted level
// below. Entries too large for those cells come before the cell's others, the largest first.
// Outliers, whose key is 0, come first of all.
static void sort_cell(const bulk_entry *from, bulk_entry *to, size_t count, uint32_t level,
                      uint32_t sorted)
{
    ACRE_INVARIANT(level >= sorted && level - sorted <= SORT_LEVELS && count <= UINT32_MAX);
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

// The level of the cells by which a cell's entries are sorted at a time: deep enough that few of
// these cells will have children of their own.
static uint32_t sorted_level(uint32_t level, size_t count)
{
    uint32_t levels = level > 0;
    while (levels < SORT_LEVELS && levels < level && count >> 2 * levels > SORTED_CELL_ITEMS) {
        levels++;
    }
    return level - levels;
}

// Entries of one cell of the sorted level are in no order yet. If the cell may have children, they
// are sorted now. Answers the level by which they are sorted.
static uint32_t sort_further(const bulk_build *build, size_t begin, size_t end, uint32_t level,
                             uint32_t sorted)
{
    const size_t count = end - begin;
    ACRE_INVARIANT(begin <= end && end <= build->count && level >= sorted);
    if (level == sorted && is_too_full(build->tree, count, build->count)) {
        sorted = sorted_level(level, count);
        bulk_entry *const scratch = build->scratch + begin;
        sort_cell(build->entries + begin, scratch, count, level, sorted);
        memcpy(build->entries + begin, scratch, count * sizeof *scratch);
    }
    return sorted;
}

// Gives all entries their keys and sorts them once. Answers the level by which they are sorted.
static uint32_t sort_all(bulk_build *build)
{
    const uint32_t level = build->root.level, sorted = sorted_level(level, build->count);
    bulk_entry *const unsorted = build->entries;
    if (build->shares < 2 || !acre_build_sort_in_shares(build, sorted)) {
        acre_build_make_keys(build, 0, build->count);
        sort_cell(unsorted, build->scratch, build->count, level, sorted);
    }
    build->entries = build->scratch;
    build->scratch = unsorted;
    return sorted;
}

// The first entry of a sorted range whose key, shifted right, is at least a value.
static size_t first_at_least(const bulk_build *build, size_t begin, size_t end, uint32_t shift,
                             uint64_t least)
{
    ACRE_INVARIANT(begin <= end && end <= build->count);
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

ACRE_ALWAYS_INLINE row_box entry_rows(const bulk_build *build, const bulk_entry *entry)
{
    if (!entry->is_old) {
        const box_source *const source = build->source;
        if (source->is_centered || !source->is_joined) {
            return source_rows(source, entry->source);
        }
        acre_aabb row;
        memcpy(&row, source->first + entry->source * source->first_stride, sizeof row);
        return rows_of_aabb(&row);
    }
    const uint32_t slot = location_slot(entry->source);
    ACRE_INVARIANT(build->old_boxes != NULL);
    return group_rows(&build->old_boxes[location_block(entry->source)].groups[slot / GROUP_SLOTS],
                      slot % GROUP_SLOTS);
}

// end: behind the last entry that no other worker changes meanwhile.
static void prefetch_entry(const bulk_build *build, size_t at, size_t end)
{
    if (at < end) {
        const bulk_entry *const entry = &build->entries[at];
        prefetch_line(&build->tree->locations[entry->item]);
        if (!entry->is_old) {
            prefetch_row(build->source, entry->source);
        }
    }
}

// ---- bands ----

static inline height_span span_with(height_span heights, float center)
{
    return (height_span){center < heights.low ? center : heights.low,
                         center > heights.high ? center : heights.high};
}

// Whether a cell of some width may need bands, of whose items only this is known. In doubles, as
// acre_bands_create asks.
static bool are_higher(height_span heights, float width)
{
    return (double)heights.high - (double)heights.low > (double)width;
}

// The height of an entry's center.
ACRE_ALWAYS_INLINE float entry_center(const bulk_build *build, const bulk_entry *entry)
{
    return build->centers[center_index(build, entry->source, entry->is_old)];
}

// The heights between which the centers of entries lie. Two by two, because a comparison waits for
// the one before.
static height_span measure_heights(const bulk_build *build, size_t begin, size_t end)
{
    height_span even = {FLT_MAX, -FLT_MAX}, odd = even;
    size_t i = begin;
    for (; i + 1 < end; i += 2) {
        even = span_with(even, entry_center(build, &build->entries[i]));
        odd = span_with(odd, entry_center(build, &build->entries[i + 1]));
    }
    even = i < end ? span_with(even, entry_center(build, &build->entries[i])) : even;
    return (height_span){even.low < odd.low ? even.low : odd.low,
                         even.high > odd.high ? even.high : odd.high};
}

// Between which heights the centers lie that were collected.
static height_span collected_heights(const bulk_build *build)
{
    height_span heights = {FLT_MAX, -FLT_MAX};
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        heights.low = build->lowest[slot] < heights.low ? build->lowest[slot] : heights.low;
        heights.high = build->highest[slot] > heights.high ? build->highest[slot] : heights.high;
    }
    return heights;
}

bool acre_build_add_bands(bulk_build *build, const bulk_bands *bands)
{
    if (build->bands_count == build->bands_capacity) {
        const size_t capacity = 2 * build->bands_capacity + 16;
        bulk_bands *const more = build->has_few_bands
                                     ? NULL
                                     : acre_resize(&build->tree->allocator, build->bands,
                                                   build->bands_capacity * sizeof *more,
                                                   capacity * sizeof *more, _Alignof(bulk_bands));
        build->has_no_memory |= !more;
        if (!more) {
            return false;
        }
        build->bands = more;
        build->bands_capacity = capacity;
    }
    build->bands[build->bands_count++] = *bands;
    return true;
}

// Divides entries by their bands, stably.
static void sort_bands(bulk_build *build, const bulk_part *part, bulk_bands *bands)
{
    size_t start[4] = {0}, sum = part->begin;
    for (size_t i = part->begin; i < part->end; i++) {
        const float center = entry_center(build, &build->entries[i]);
        build->entries[i].level = band_of(&bands->bands, center) & LEVEL_MASK;
        start[build->entries[i].level]++;
    }
    for (uint32_t band = 0; band < 4; band++) {
        const size_t count = start[band];
        start[band] = sum - part->begin;
        sum += count;
        if (band < 3) {
            bands->end[band] = (uint32_t)sum;
        }
    }
    ACRE_INVARIANT(sum == part->end);
    bulk_entry *const scratch = build->scratch + part->begin;
    for (size_t i = part->begin; i < part->end; i++) {
        scratch[start[build->entries[i].level]++] = build->entries[i];
    }
    memcpy(build->entries + part->begin, scratch,
           (part->end - part->begin) * sizeof *build->entries);
}

// Where the entries of a cell begin that are not too large for its quarters.
static size_t small_begin(const bulk_build *build, size_t begin, size_t end, uint32_t level)
{
    const uint64_t first = build->entries[begin].key;
    const bool has_large = (first & LEVEL_MASK) == LEVEL_MASK - level;
    return has_large ? first_at_least(build, begin, end, 0, first + 1) : begin;
}

// Whether all entries of a cell that fit its quarters belong into the same one.
static bool are_in_one_quarter(const bulk_build *build, const bulk_part *part)
{
    const size_t begin = small_begin(build, part->begin, part->end, part->level);
    const uint32_t shift = LEVEL_BITS + 2 * (part->level - 1);
    return begin == part->end ||
           build->entries[begin].key >> shift == build->entries[part->end - 1].key >> shift;
}

// Chooses whether a cell gets bands, as choose_bands does for a leaf, and sorts its entries by
// them. Answers the index of the bands; NONE: it gets none.
static uint32_t make_bands(bulk_build *build, bulk_part *part)
{
    const uint32_t number = build->met++;
    const float width = acre_grid_cell_size(&build->place_on.grid, part->level);
    bulk_bands made = {.number = number};
    if (!may_have_bands(part->end - part->begin, build->count) ||
        !are_higher(part->heights, width) || part->bands_above >= MAX_BANDS ||
        are_in_one_quarter(build, part)) {
        return NONE;
    }
    part->heights = measure_heights(build, part->begin, part->end);
    if (!acre_bands_create(&made.bands, part->heights.low, part->heights.high, width) ||
        !acre_build_add_bands(build, &made)) {
        return NONE;
    }
    const uint32_t index = (uint32_t)build->bands_count - 1;
    sort_bands(build, part, &build->bands[index]);
    return index;
}

// The bands that the first walk made for the cell which the second walk meets now.
static uint32_t made_bands(bulk_build *build)
{
    const uint32_t number = build->met++;
    const size_t next = build->bands_met;
    const bool has_bands = next < build->bands_count && build->bands[next].number == number;
    build->bands_met += has_bands;
    return has_bands ? (uint32_t)next : NONE;
}

// ---- nodes ----

// Where the items that stay in a cell with quarters end: those too large for the quarters. All stay
// if too few would move.
static size_t own_end(const bulk_build *build, size_t begin, size_t end, uint32_t level)
{
    const size_t own = small_begin(build, begin, end, level);
    return (uint64_t)(end - own) * SPLIT_MOVERS_DIVISOR < end - begin ? end : own;
}

// Decides what becomes of a cell, by the rules of a split: which of its items stay in it, and
// whether it gets bands.
static void plan_part(bulk_build *build, bool is_first_walk, bulk_part *part)
{
    const size_t count = part->end - part->begin;
    part->bands = NONE;
    part->own_end = part->end;
    if (!is_too_full(build->tree, count, build->count) || part->bands_above >= part->level) {
        return;
    }
    part->bands = is_first_walk ? make_bands(build, part) : made_bands(build);
    part->own_end =
        part->bands != NONE ? part->begin : own_end(build, part->begin, part->end, part->level);
}

// The borders of the four quarters' ranges.
static void split_range(const bulk_build *build, const bulk_part *part, size_t bounds[5])
{
    const uint32_t shift = LEVEL_BITS + 2 * (part->level - 1);
    const uint64_t first = build->entries[part->own_end].key >> shift >> 2 << 2;
    bounds[0] = part->own_end;
    for (uint64_t slot = 1; slot < 4; slot++) {
        bounds[slot] = first_at_least(build, bounds[slot - 1], part->end, shift, first + slot);
    }
    bounds[4] = part->end;
    ACRE_INVARIANT(build->entries[part->end - 1].key >> shift <= first + 3);
}

// The child of a cell in a slot, before it is planned. bounds: the borders of the children's
// ranges.
static bulk_part child_part(const bulk_build *build, const bulk_part *part, uint32_t q,
                            uint32_t slot, const size_t bounds[5])
{
    bulk_part child = {.node = q * 4 + slot,
                       .level = part->level - 1,
                       .sorted = part->sorted,
                       .bands_above = part->bands_above,
                       .begin = bounds[slot],
                       .end = bounds[slot + 1],
                       .heights = part->heights};
    if (part->bands != NONE) {
        const height_bands *const bands = &build->bands[part->bands].bands;
        child.level = part->level;
        child.bands_above++;
        if (slot > 0 && band_low(bands, slot) > child.heights.low) {
            child.heights.low = band_low(bands, slot);
        }
        if (slot < 3 && band_low(bands, slot + 1) < child.heights.high) {
            child.heights.high = band_low(bands, slot + 1);
        }
    }
    return child;
}

// Sorts entries stably into another array, by a digit of their places on the curve. start: how many
// entries have each digit.
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

// Whether the items that stay in a cell are ordered by bands, and by which.
static bool has_order_bands(const bulk_build *build, size_t begin, size_t end, uint32_t level,
                            height_bands *out)
{
    const float width = acre_grid_cell_size(&build->tree->grid, level);
    if (!are_higher(build->heights, width)) {
        return false; // no need to look at the items
    }
    const height_span heights = measure_heights(build, begin, end);
    return acre_bands_create(out, heights.low, heights.high, width);
}

// The square of a cell that an item's middle is in, as a place along Morton's curve.
ACRE_ALWAYS_INLINE uint32_t square_of_middle(const row_box *box, const row_box *bounds, float scale)
{
    const float x = box_center(box->row[ROW_X_MIN], box->row[ROW_X_MAX]) - bounds->row[ROW_X_MIN];
    const float z = box_center(box->row[ROW_Z_MIN], box->row[ROW_Z_MAX]) - bounds->row[ROW_Z_MIN];
    // Both at once: z stands eight bits higher, which are sixteen when bits are spread.
    const uint32_t spread = spread_bits(curve_square(x * scale) | curve_square(z * scale) << 8);
    return spread | spread >> 15;
}

// Writes the places of a node's items in their order instead of their keys, which are no longer
// needed, and counts the digits of these. A key that knows no square as small as the curve's does
// not decide: the box does. bands: NULL where no bands order them.
ACRE_ALWAYS_INLINE void list_places(const bulk_build *build, uint32_t node, size_t begin,
                                    size_t end, const height_bands *bands,
                                    uint32_t low[CURVE_SQUARES], uint32_t high[CURVE_SQUARES])
{
    const uint32_t level = node_level(build->tree, node);
    const uint32_t finer = level > CURVE_LEVELS ? level - CURVE_LEVELS : 0;
    const uint32_t drop = LEVEL_BITS + 2 * finer;
    const cell own = node_cell(build->tree, node);
    const row_box bounds = acre_grid_strict_bounds(&build->tree->grid, &own);
    const float scale = CURVE_SQUARES / (bounds.row[ROW_X_MAX] - bounds.row[ROW_X_MIN]);
    bulk_entry *const entries = build->entries;
    for (size_t i = begin; i < end; i++) {
        prefetch_entry(build, i + BULK_AHEAD, end);
        const uint32_t own_level = LEVEL_MASK - ((uint32_t)entries[i].key & LEVEL_MASK);
        uint32_t square = (uint32_t)(entries[i].key >> drop);
        if (own_level + CURVE_LEVELS > level) {
            const row_box box = entry_rows(build, &entries[i]);
            square = square_of_middle(&box, &bounds, scale);
        }
        uint32_t place = curve_distance_from_morton(square);
        if (bands) {
            place = key_in_band(place, band_of(bands, entry_center(build, &entries[i])));
        }
        entries[i].key = place;
        low[place & (CURVE_SQUARES - 1)]++;
        high[place >> CURVE_LEVELS]++;
    }
}

// Puts the items that stay in a cell in order, as acre_order_node does. Inlined, it would leave too
// few registers to what fills the blocks.
ACRE_NEVER_INLINE
static void order_entries(const bulk_build *build, uint32_t node, size_t begin, size_t end)
{
    bulk_entry *const entries = build->entries + begin, *const scratch = build->scratch + begin;
    const size_t count = end - begin;
    height_bands bands;
    uint32_t low[CURVE_SQUARES] = {0}, high[CURVE_SQUARES] = {0};
    if (has_order_bands(build, begin, end, node_level(build->tree, node), &bands)) {
        list_places(build, node, begin, end, &bands, low, high);
    } else {
        list_places(build, node, begin, end, NULL, low, high);
    }
    sort_places(entries, scratch, count, 0, low);
    sort_places(scratch, entries, count, CURVE_LEVELS, high);
}

// Fills a group with up to 16 entries, and its other slots with zeros. end: as for prefetch_entry.
static void fill_group(const bulk_build *build, uint32_t location, size_t begin, uint32_t count,
                       size_t end)
{
    acre_quadtree *const tree = build->tree;
    const uint32_t first = location_slot(location);
    item_group *const group = &tree->boxes[location_block(location)].groups[first / GROUP_SLOTS];
    uint32_t *const ids = &tree->ids[location_block(location)].id[first];
    uint32_t *const locations = tree->locations;
    row_box bounds = rows_empty();
    ACRE_INVARIANT(count <= GROUP_SLOTS && (count == 0 || begin + count <= build->count));
    if (count < GROUP_SLOTS) {
        memset(group, 0, sizeof *group);
        memset(ids, 0, GROUP_SLOTS * sizeof *ids);
    }
    for (uint32_t slot = 0; slot < count; slot++) {
        prefetch_entry(build, begin + slot + BULK_AHEAD, end);
        const bulk_entry *const entry = &build->entries[begin + slot];
        const row_box box = entry_rows(build, entry);
        ACRE_INVARIANT(rows_are_valid(&box)); // I1
        for (int i = 0; i < ROW_COUNT; i++) {
            group->row[i][slot] = box.row[i];
        }
        rows_merge(&bounds, &box);
        ids[slot] = entry->item;
        locations[entry->item] = location + slot;
    }
    set_group_bounds(tree, location, &bounds);
}

// The caller has cleared the header.
ACRE_NEVER_INLINE
static void fill_block(const bulk_build *build, uint32_t block, size_t begin, uint32_t count,
                       size_t end)
{
    for (uint32_t slot = 0; slot < BLOCK_SLOTS; slot += GROUP_SLOTS) {
        const uint32_t rest = count > slot ? count - slot : 0;
        fill_group(build, location_of(block, slot), begin + slot,
                   rest < GROUP_SLOTS ? rest : GROUP_SLOTS, end);
    }
}

// Makes a node's chain, as a run, for entries that fill_node puts into its blocks. The chain's
// first block, which may be partly filled, is the last one in memory. leaving notes there
// where the entries begin.
static void make_chain(const bulk_build *build, uint32_t node, size_t begin, size_t end)
{
    acre_quadtree *const tree = build->tree;
    const size_t all = end - begin;
    const uint32_t second = tree->block_count;
    ACRE_INVARIANT(begin <= end && end <= build->count);
    if (all == 0) {
        return;
    }
    const uint32_t count = (uint32_t)((all - 1) % BLOCK_SLOTS) + 1;
    const uint32_t first = second + (uint32_t)((all - 1) / BLOCK_SLOTS);
    ACRE_INVARIANT(first < tree->block_capacity); // I12: ensure_rows made the room
    *node_items(tree, node) = chain_word(first, first != second, count) | CHAIN_RUN;
    tree->cold[node >> 2].count[node & 3] = (uint32_t)all;
    for (uint32_t block = second; block <= first; block++) {
        acre_clear_header(tree, block);
        tree->next[block] = block + 1 < first ? block + 1 : NONE;
    }
    tree->next[first] = first != second ? second : NONE;
    tree->leaving[first] = begin;
    tree->live_blocks = tree->block_count = first + 1;
}

// Puts a node's entries in order and into its blocks, and writes their headers.
static void fill_node(const bulk_build *build, uint32_t node)
{
    acre_quadtree *const tree = build->tree;
    const size_t all = node_count(tree, node);
    if (all == 0) {
        return;
    }
    const chain_walk chain = chain_first(tree, node);
    size_t begin = (size_t)tree->leaving[chain.block];
    const size_t end = begin + all;
    ACRE_INVARIANT(end <= build->count);
    if (node != OUTLIER_NODE && all > GROUP_SLOTS) {
        order_entries(build, node, begin, end);
    }
    const size_t known = build->shares > 1 ? end : build->count;
    for (chain_walk walk = chain; walk.count; walk = chain_next(tree, walk)) {
        fill_block(build, walk.block, begin, walk.count, known);
        begin += walk.count;
    }
    ACRE_INVARIANT(begin == end);
    acre_write_headers(tree, node);
    acre_mark_tidy(tree, node);
}

// Divides a cell among its four children. number: of their quad in the first walk.
static void divide_part(bulk_build *build, const bulk_part *part, bool makes_them, uint32_t number,
                        bulk_part children[4])
{
    const bulk_bands *const made = part->bands != NONE ? &build->bands[part->bands] : NULL;
    const uint32_t q = makes_them
                           ? acre_make_children(build->tree, part->node, made ? &made->bands : NULL)
                           : number;
    size_t bounds[5] = {part->begin, 0, 0, 0, part->end};
    if (made) {
        for (uint32_t band = 0; band < 3; band++) {
            bounds[band + 1] = made->end[band];
        }
    } else {
        split_range(build, part, bounds);
    }
    for (uint32_t slot = 0; slot < 4; slot++) {
        bulk_part child = child_part(build, part, q, slot, bounds);
        if (!makes_them) {
            child.sorted = sort_further(build, child.begin, child.end, child.level, child.sorted);
        }
        plan_part(build, !makes_them, &child);
        if (makes_them) {
            make_chain(build, child.node, child.begin, child.own_end);
        }
        children[slot] = child;
    }
}

// Leaves a cell to a worker, if it is one of those that the sort of all entries has separated: what
// is below it is sorted apart. Banded cells are not: their bands are the caller's.
static bool leave_job(const bulk_build *build, const bulk_part *part, plan_jobs *jobs)
{
    if (part->level > part->sorted + 1 || part->bands != NONE || jobs->count == MOST_JOBS) {
        return false;
    }
    plan_job *const job = &jobs->jobs[jobs->count++];
    job->part = *part;
    job->met_before = build->met;
    job->bands_before = build->bands_count;
    return true;
}

// Visits the cells below one that is planned, depth first, as a query does. jobs: of a first walk,
// may be NULL. Returns how many quads there are, with those before.
static uint32_t walk_below(bulk_build *build, const bulk_part *top, bool makes_them, uint32_t quads,
                           plan_jobs *jobs)
{
    bulk_part stack[BUILD_STACK];
    uint32_t depth = 0;
    if (top->own_end < top->end) {
        stack[depth++] = *top;
    }
    while (depth > 0) {
        const bulk_part part = stack[--depth];
        bulk_part children[4];
        if (jobs && leave_job(build, &part, jobs)) {
            continue;
        }
        divide_part(build, &part, makes_them, quads, children);
        if (build->has_few_bands && build->has_no_memory) {
            return 0; // it is done once more, with memory
        }
        for (uint32_t slot = 4; slot-- > 0;) {
            if (children[slot].own_end < children[slot].end) {
                ACRE_INVARIANT(depth < BUILD_STACK && children[slot].level > 0);
                stack[depth++] = children[slot];
            }
        }
        quads++;
    }
    return quads;
}

uint32_t acre_build_plan_below(bulk_build *build, const bulk_part *part, plan_jobs *jobs)
{
    return walk_below(build, part, false, 0, jobs);
}

// Visits all cells and answers the number of their quads. The first time it only sorts entries; the
// second time, makes_them, it makes quads and chains.
static uint32_t walk_cells(bulk_build *build, bool makes_them)
{
    build->met = 0;
    build->heights = collected_heights(build);
    bulk_part root = {.node = ROOT_NODE,
                      .level = build->root.level,
                      .sorted = makes_them ? 0 : sort_all(build),
                      .end = build->count,
                      .heights = build->heights};
    root.begin = first_at_least(build, 0, build->count, 0, 1); // behind the outliers
    plan_part(build, !makes_them, &root);
    if (makes_them) {
        make_chain(build, OUTLIER_NODE, 0, root.begin);
        make_chain(build, ROOT_NODE, root.begin, root.own_end);
    }
    uint32_t quads;
    if (!makes_them && build->shares > 1 && acre_build_plan_in_shares(build, &root, &quads)) {
        return quads + 1;
    }
    return walk_below(build, &root, makes_them, 1, NULL);
}

typedef struct fill_call {
    block_claim claim; // a block is FILLED_QUADS quads
    const bulk_build *build;
} fill_call;

static void fill_share(void *context, uint32_t share)
{
    (void)share;
    fill_call *const call = context;
    const uint32_t quads = call->build->tree->quad_count;
    for (uint32_t claimed; claim_block(&call->claim, &claimed);) {
        const uint32_t begin = claimed * FILLED_QUADS, rest = quads - begin;
        const uint32_t end = begin + (rest < FILLED_QUADS ? rest : FILLED_QUADS);
        for (uint32_t node = begin * 4; node < end * 4; node++) {
            fill_node(call->build, node);
        }
    }
}

// Fills all blocks, then makes bounds and layers of nodes.
static void fill_nodes(bulk_build *build)
{
    acre_quadtree *const tree = build->tree;
    fill_call call = {.claim.count = (tree->quad_count + FILLED_QUADS - 1) / FILLED_QUADS,
                      .build = build};
    acre_run_shares(&tree->tasks, "acre build", build->shares, fill_share, &call);
    acre_all_bounds_from_groups(tree);
}

// ---- the build ----

// Rows for a build that needs so many. An array that must grow gets more, for the cells that moving
// items will need beyond those of the build: `share` and a few, which matter in a small tree.
static size_t with_slack(size_t needed, size_t capacity, size_t share, size_t limit)
{
    const size_t few = needed / 4 < 12 ? needed / 4 : 12, wanted = needed + share + few;
    return needed <= capacity ? capacity : wanted < limit || needed > limit ? wanted : limit;
}

// Makes room for the new tree: in the tree's own arrays if it is empty, else in new ones. There is
// room for a twentieth more blocks and a quarter more quads, which are small: the splits of later
// refreshes find it. False: no memory; the tree has its old rows.
static bool ensure_rows(bulk_build *build, uint32_t quads)
{
    acre_quadtree *const tree = build->tree;
    const size_t needed = acre_blocks_needed(build->count, (size_t)quads * 4 - 2);
    const size_t blocks = with_slack(needed, tree->block_capacity, needed / 20, MAX_BLOCKS);
    const size_t more_quads = with_slack(quads, tree->quad_capacity, quads / 4, UINT32_MAX);
    if (tree->item_count > 0) {
        build->old = acre_take_rows(tree);
    }
    const bool has_room =
        acre_resize_quads(tree, (uint32_t)more_quads) && acre_resize_blocks(tree, blocks);
    if (!has_room && build->old.arrays[ARRAY_QUADS]) {
        acre_put_rows(tree, &build->old);
    }
    return has_room;
}

// Makes the array of masks if a new item needs one. False: no memory.
static bool ensure_masks(const bulk_build *build)
{
    const box_source *const source = build->source;
    bool needs_masks = false;
    for (size_t i = 0; source && source->layers && i < build->count && !needs_masks; i++) {
        const bulk_entry *const entry = &build->entries[i];
        needs_masks = !entry->is_old && source_layers(source, entry->source) != UINT32_MAX;
    }
    return !needs_masks || acre_create_layers(build->tree);
}

// Gives new items their layers. The layers of the outliers' list are grown here, because no bounds
// of children are gathered for it.
static void give_layers(const bulk_build *build)
{
    acre_quadtree *const tree = build->tree;
    for (size_t i = 0; tree->layers && i < build->count; i++) {
        const bulk_entry *const entry = &build->entries[i];
        if (!entry->is_old) {
            tree->layers[entry->item] = source_layers(build->source, entry->source);
        }
        if (entry->key == 0) {
            acre_grow_node_layers(tree, OUTLIER_NODE, tree->layers[entry->item]);
        }
    }
}

static void fill_tree(bulk_build *build, uint32_t quads)
{
    acre_quadtree *const tree = build->tree;
    tree->item_count = (uint32_t)build->count;
    tree->item_limit = build->limit;
    acre_reset_rows(tree, build->root);
    give_layers(build);
    const uint32_t made = walk_cells(build, true);
    ACRE_INVARIANT(made == quads && tree->quad_count == quads);
    (void)made;
    (void)quads;
    fill_nodes(build);
}

// Where more than a quarter of the leaves are nearly full, as in evenly spread worlds, all may be
// about to split, and a twentieth is not enough: makes room for the splits of those leaves, if
// there is memory.
static void leave_room_for_splits(acre_quadtree *tree)
{
    uint32_t leaves = 0, nearly_full = 0;
    for (uint32_t node = ROOT_NODE; node < tree->quad_count * 4; node++) {
        const uint64_t count = node_count(tree, node);
        if (node != OUTLIER_NODE && node_child(tree, node) == 0 && count > 0) {
            leaves++;
            nearly_full += is_too_full(tree, count + count / 5, tree->item_count);
        }
    }
    if (nearly_full > 1 && nearly_full > leaves / 4) { // a single split can ask for memory itself
        (void)acre_make_room(tree, nearly_full);
    }
}

// Builds the tree from the collected entries. False: no memory, and the tree is as it was.
static bool build_from_entries(bulk_build *build)
{
    acre_quadtree *const tree = build->tree;
    const uint32_t quads = walk_cells(build, false);
    if (build->has_no_memory || !ensure_masks(build) || !ensure_rows(build, quads)) {
        return false;
    }
    ACRE_INVARIANT(build->root.level >= build->root_level);
    const uint32_t growth = build->root.level - build->root_level;
    tree->work.grows += growth;
    tree->shrink_wait = growth > 0 ? 0 : tree->shrink_wait;
    if (build->source) {
        tree->reachable_outliers = UINT32_MAX; // not known until it is counted
    }
    tree->grid = build->place_on.grid;
    tree->home = build->place_on.home;
    fill_tree(build, quads);
    acre_free_rows(tree, &build->old);
    leave_room_for_splits(tree);
    return true;
}

bool acre_build_tree(acre_quadtree *tree, const uint32_t *items, const box_source *source,
                     size_t count, acre_quadtree_report *report)
{
    bulk_build build;
    const size_t free_numbers = tree->def.item_capacity - tree->item_count;
    const size_t rows = count < free_numbers ? count : free_numbers;
    if (!open_build(&build, tree, source, tree->item_count + rows, count)) {
        return false;
    }
    collect_tree(&build);
    bool is_done = (build.shares > 1 && acre_build_collect_rows_in_shares(&build, items, count)) ||
                   collect_rows(&build, items, count, report);
    const bool has_work = count == 0 || build.count > tree->item_count;
    if (is_done && has_work) {
        is_done = build_from_entries(&build);
    }
    if (!is_done) {
        release_rows(&build);
    }
    close_build(&build);
    return is_done;
}

bool acre_build_on_lattice(acre_quadtree *tree, const ground_lattice *to)
{
    bulk_build build;
    if (!open_build(&build, tree, NULL, tree->item_count, 0)) {
        return false;
    }
    build.place_on = *to;
    build.root = to->home;
    build.root_level = to->home.level;
    collect_tree(&build);
    const bool is_done = build_from_entries(&build);
    close_build(&build);
    return is_done;
}
