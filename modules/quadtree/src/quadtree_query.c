// SPDX-License-Identifier: MIT
// quadtree_query.c - the walk: from the root down, planes dropped on the way, items written out.
//
// Kernels list what they see; nodes come first, then the groups of the blocks that planes cut, then
// the items of the groups that are cut. The order of results follows from the lists' lengths alone
// and is the same for all kernels: outliers first, then quads depth first, in portions; of each
// portion the nodes inside, the groups inside, and the items tested.
#include "quadtree_kernel.h"

#include "float_bits.h"

#include <string.h>

typedef struct query_walk {
    const acre_quadtree *tree;
    const query_volume *volume;
    const query_kernel *kernel;
    const acre_frustum_hull *hull; // NULL: the planes alone decide
    uint32_t layers;               // 0: all
    uint32_t *items;
    size_t capacity;
    size_t total;          // copied to items, or what would be with more room
    acre_item_span *spans; // of a span query
    size_t span_capacity, span_count;
    size_t spanned; // items that stay where they are
    bool wants_spans, last_was_copied;
    const uint32_t *span_end; // behind the last span, if it is in the tree
    acre_query_stats stats;
    node_lists *nodes;
    group_lists *groups;
} query_walk;

static bool passes_hull(const query_walk *walk, uint32_t item)
{
    const row_box rows = read_rows(walk->tree, walk->tree->locations[item]);
    acre_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = rows.row[axis * 2];
        box.max[axis] = rows.row[axis * 2 + 1];
    }
    return acre_frustum_hull_test_aabb(walk->hull, &box);
}

static size_t room_left(const query_walk *walk)
{
    return walk->total < walk->capacity ? walk->capacity - walk->total : 0;
}

// Writes out ids that passed the volume; layers are asked here.
static void emit_ids(query_walk *walk, const uint32_t *ids, uint32_t count)
{
    if (!walk->layers && room_left(walk) >= count && count > 0) {
        memcpy(walk->items + walk->total, ids, count * sizeof *ids);
        walk->total += count;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!walk->layers || (walk->tree->layers[ids[i]] & walk->layers)) {
            if (walk->total < walk->capacity) {
                walk->items[walk->total] = ids[i];
            }
            walk->total++;
        }
    }
}

// Starts a span, or lengthens the last one if these items follow it. Counts do not depend on room.
static void add_span(query_walk *walk, const uint32_t *items, size_t count, bool follows_last)
{
    if (!follows_last) {
        if (walk->span_count < walk->span_capacity) {
            walk->spans[walk->span_count] = (acre_item_span){items, 0};
        }
        walk->span_count++;
    }
    if (walk->span_count <= walk->span_capacity) {
        walk->spans[walk->span_count - 1].count += count;
    }
}

static void point_to_ids(query_walk *walk, const uint32_t *ids, uint32_t count)
{
    add_span(walk, ids, count, ids == walk->span_end);
    walk->span_end = ids + count;
    walk->last_was_copied = false;
    walk->spanned += count;
}

// What was copied from a position on, as far as there was room.
static void point_to_copies(query_walk *walk, size_t begin)
{
    const size_t end = walk->total < walk->capacity ? walk->total : walk->capacity;
    if (walk->total > begin) {
        const uint32_t *const items = begin < walk->capacity ? walk->items + begin : NULL;
        add_span(walk, items, begin < end ? end - begin : 0, walk->last_was_copied);
        walk->span_end = NULL;
        walk->last_was_copied = true;
    }
}

// Ids that are all found: copied, or pointed to.
static void take_ids(query_walk *walk, const uint32_t *ids, uint32_t count)
{
    walk->stats.items_accepted += count;
    if (walk->wants_spans && !walk->layers) {
        point_to_ids(walk, ids, count);
        return;
    }
    const size_t begin = walk->total;
    emit_ids(walk, ids, count);
    if (walk->wants_spans) {
        point_to_copies(walk, begin);
    }
}

// Groups are too small to point to: they are copied, also for spans.
static void take_groups(query_walk *walk)
{
    const group_lists *const groups = walk->groups;
    const uint32_t *const ids = walk->tree->ids->id;
    const bool is_simple =
        !walk->layers && room_left(walk) >= (size_t)groups->inside_count * GROUP_SLOTS;
    for (uint32_t i = 0; i < groups->inside_count; i++) {
        const uint32_t word = groups->inside[i], count = group_count(word);
        const uint32_t *const from = ids + (size_t)group_number(word) * GROUP_SLOTS;
        walk->stats.items_accepted += count;
        if (is_simple) {
            memcpy(walk->items + walk->total, from, GROUP_SLOTS * sizeof *ids);
            walk->total += count;
        } else {
            emit_ids(walk, from, count);
        }
    }
}

// One by one, where more is asked than the volume, or where room may end.
static void test_groups_singly(query_walk *walk)
{
    const acre_quadtree *const tree = walk->tree;
    const group_lists *const groups = walk->groups;
    for (uint32_t i = 0; i < groups->cut_count; i++) {
        uint32_t selected[2 * GROUP_SLOTS];
        uint32_t found =
            walk->kernel->select_groups(walk->volume, tree->boxes->groups, tree->ids->id,
                                        groups->cut + i, groups->cut_masks + i, 1, selected);
        if (walk->hull) {
            uint32_t kept = 0;
            for (uint32_t k = 0; k < found; k++) {
                selected[kept] = selected[k];
                kept += passes_hull(walk, selected[k]);
            }
            found = kept;
        }
        emit_ids(walk, selected, found);
    }
}

static void test_groups(query_walk *walk)
{
    const acre_quadtree *const tree = walk->tree;
    group_lists *const groups = walk->groups;
    for (uint32_t i = 0; i < groups->cut_count; i++) {
        walk->stats.items_tested += group_count(groups->cut[i]);
    }
    for (uint32_t i = 0; i < GROUPS_AHEAD; i++) {
        groups->cut[groups->cut_count + i] = 0;
    }
    if (walk->layers || walk->hull ||
        room_left(walk) < (size_t)(groups->cut_count + 1) * GROUP_SLOTS) {
        test_groups_singly(walk);
        return;
    }
    walk->total += walk->kernel->select_groups(walk->volume, tree->boxes->groups, tree->ids->id,
                                               groups->cut, groups->cut_masks, groups->cut_count,
                                               walk->items + walk->total);
}

static void finish_groups(query_walk *walk)
{
    if (walk->groups->inside_count + walk->groups->cut_count == 0) {
        return; // perhaps there is no block at all
    }
    const size_t begin = walk->total;
    take_groups(walk);
    test_groups(walk);
    if (walk->wants_spans) {
        point_to_copies(walk, begin);
    }
    walk->groups->inside_count = walk->groups->cut_count = 0;
}

static void take_nodes(query_walk *walk)
{
    const acre_quadtree *const tree = walk->tree;
    for (uint32_t i = 0; i < walk->nodes->inside_count; i++) {
        const uint32_t word = walk->nodes->inside[i];
        uint32_t block = chain_block(word);
        take_ids(walk, tree->ids[block].id, chain_count(word));
        for (bool more = chain_more(word); more; more = tree->next[block] != NONE) {
            block = tree->next[block];
            take_ids(walk, tree->ids[block].id, BLOCK_SLOTS);
        }
    }
}

static void visit_block(query_walk *walk, uint32_t block, uint32_t count, uint32_t mask)
{
    group_lists *const groups = walk->groups;
    if (groups->inside_count + groups->cut_count > LISTED_GROUPS - BLOCK_GROUPS) {
        finish_groups(walk);
    }
    walk->kernel->visit_block(walk->volume, &walk->tree->headers[block].bounds, block, count, mask,
                              groups);
}

static void prefetch_bounds(const acre_quadtree *tree, uint32_t block)
{
    PREFETCH(tree->headers[block].bounds.row[0]);
    PREFETCH(tree->headers[block].bounds.row[4]);
}

// The items of the nodes listed so far.
static void finish_nodes(query_walk *walk)
{
    enum { AHEAD = 3 };
    const acre_quadtree *const tree = walk->tree;
    node_lists *const nodes = walk->nodes;
    for (uint32_t i = 0; i < AHEAD && i < nodes->cut_count; i++) {
        prefetch_bounds(tree, chain_block(nodes->cut[i]));
    }
    take_nodes(walk);
    for (uint32_t i = 0; i < nodes->cut_count; i++) {
        const uint32_t word = nodes->cut[i], mask = nodes->cut_masks[i];
        uint32_t block = chain_block(word);
        if (i + AHEAD < nodes->cut_count) {
            prefetch_bounds(tree, chain_block(nodes->cut[i + AHEAD]));
        }
        visit_block(walk, block, chain_count(word), mask);
        for (bool more = chain_more(word); more; more = tree->next[block] != NONE) {
            block = tree->next[block];
            visit_block(walk, block, BLOCK_SLOTS, mask);
        }
    }
    finish_groups(walk);
    nodes->inside_count = nodes->cut_count = 0;
}

// Siblings in some layer that is asked for.
static uint32_t wanted_siblings(const query_walk *walk, uint32_t quad_index)
{
    const uint32_t *const layers = walk->tree->cold[quad_index].layers;
    uint32_t wanted = quad_index == 0 ? 1u << ROOT_NODE : 15u;
    for (uint32_t slot = 0; walk->layers && slot < 4; slot++) {
        wanted &= ~((uint32_t) !(layers[slot] & walk->layers) << slot);
    }
    return wanted;
}

static void run_walk(query_walk *walk, uint32_t mask)
{
    const quad *const quads = walk->tree->quads;
    node_lists node_room; // not zeroed: most queries need little of it
    group_lists group_room;
    node_lists *const nodes = &node_room;
    walk->nodes = &node_room;
    walk->groups = &group_room;
    nodes->stack[0] = 0;
    nodes->stack_masks[0] = mask;
    nodes->stack_count = 1;
    nodes->cut[0] = nodes->inside[0] = quads[0].items[OUTLIER_NODE];
    nodes->cut_masks[0] = mask;
    nodes->cut_count = quads[0].items[OUTLIER_NODE] && mask;
    nodes->inside_count = quads[0].items[OUTLIER_NODE] && !mask;
    walk->groups->inside_count = walk->groups->cut_count = 0;
    while (nodes->stack_count > 0) {
        const uint32_t q = nodes->stack[--nodes->stack_count];
        const uint32_t quad_mask = nodes->stack_masks[nodes->stack_count];
        if (nodes->inside_count + nodes->cut_count > LISTED_NODES - 4) {
            finish_nodes(walk);
        }
        walk->stats.nodes_tested += quad_mask ? (q == 0 ? 1 : 4) : 0;
        walk->kernel->visit_quad(walk->volume, &quads[q], quad_mask, wanted_siblings(walk, q),
                                 nodes);
        for (uint32_t slot = 0; slot < 4; slot++) {
            PREFETCH(&quads[quads[q].child[slot]]);
            PREFETCH(quads[quads[q].child[slot]].child);
        }
    }
    finish_nodes(walk);
}

// Sorts in place, without recursion or memory (heapsort, Williams 1964).
static void sort_items(uint32_t *items, size_t count)
{
    size_t start = count / 2;
    for (size_t end = count; end > 1;) {
        uint32_t value;
        if (start > 0) {
            value = items[--start];
        } else {
            value = items[--end];
            items[end] = items[0];
        }
        size_t hole = start;
        for (size_t child; (child = hole * 2 + 1) < end; hole = child) {
            child += child + 1 < end && items[child + 1] > items[child];
            if (items[child] <= value) {
                break;
            }
            items[hole] = items[child];
        }
        items[hole] = value;
    }
}

static size_t query_frustum(query_walk *walk, const acre_frustum *frustum)
{
    query_volume volume;
    walk->kernel = &walk->tree->kernel->frustum;
    walk->volume = &volume;
    run_walk(walk, acre_prepare_planes(&volume, frustum));
    return walk->total;
}

static size_t query_box(query_walk *walk, const acre_aabb *box)
{
    query_volume volume;
    if (!rows_from_aabb(&volume.box, box)) {
        return 0;
    }
    walk->kernel = &walk->tree->kernel->box;
    walk->volume = &volume;
    run_walk(walk, 1);
    return walk->total;
}

size_t acre_quadtree_query_frustum(const acre_quadtree *tree, const acre_frustum *frustum,
                                   uint32_t *items, size_t capacity)
{
    if (!tree || !frustum || !access_begin_read(&tree->access)) {
        return 0;
    }
    query_walk walk = {.tree = tree, .items = items, .capacity = items ? capacity : 0};
    const size_t total = query_frustum(&walk, frustum);
    TELL(tree, .kind = ACRE_QUADTREE_CALL_QUERY_FRUSTUM, .frustum = frustum,
         .capacity = walk.capacity, .total = total, .found = items);
    access_end_read(&tree->access);
    return total;
}

size_t acre_quadtree_query_aabb(const acre_quadtree *tree, const acre_aabb *box, uint32_t *items,
                                size_t capacity)
{
    if (!tree || !box || !access_begin_read(&tree->access)) {
        return 0;
    }
    query_walk walk = {.tree = tree, .items = items, .capacity = items ? capacity : 0};
    const size_t total = query_box(&walk, box);
    TELL(tree, .kind = ACRE_QUADTREE_CALL_QUERY_AABB, .boxes = box, .capacity = walk.capacity,
         .total = total, .found = items);
    access_end_read(&tree->access);
    return total;
}

static bool has_nan(const acre_frustum *frustum)
{
    bool found = false;
    for (uint32_t i = 0; i < frustum->plane_count && i < ACRE_FRUSTUM_MAX_PLANES; i++) {
        for (int k = 0; k < 4; k++) {
            found |= float_is_nan(frustum->planes[i][k]);
        }
    }
    return found;
}

static bool is_valid_query(const acre_query *query)
{
    const uint32_t known = ACRE_QUERY_SORTED | ACRE_QUERY_EXACT;
    if (query->flags & ~known) {
        return false;
    }
    switch (query->shape) {
    case ACRE_QUERY_SHAPE_FRUSTUM:
        return query->frustum && !has_nan(query->frustum);
    case ACRE_QUERY_SHAPE_AABB:
        return query->box && acre_aabb_is_valid(query->box);
    }
    return false;
}

// The query proper; the caller has said in the walk where results go.
static void run_query(query_walk *walk, const acre_query *query)
{
    acre_frustum_hull hull;
    walk->layers = walk->tree->layers ? query->layers : 0;
    if (query->shape == ACRE_QUERY_SHAPE_FRUSTUM) {
        if (query->flags & ACRE_QUERY_EXACT) {
            acre_frustum_hull_prepare(&hull, query->frustum);
            walk->hull = &hull;
        }
        query_frustum(walk, query->frustum);
        walk->hull = NULL;
    } else {
        query_box(walk, query->box);
    }
    if (query->stats) {
        *query->stats = walk->stats;
    }
}

acre_result acre_quadtree_query(const acre_quadtree *tree, const acre_query *query, uint32_t *items,
                                size_t capacity, size_t *total)
{
    if (!tree || !query || (capacity > 0 && !items) || !is_valid_query(query)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    query_walk walk = {.tree = tree, .items = items, .capacity = capacity};
    run_query(&walk, query);
    if (query->flags & ACRE_QUERY_SORTED) {
        sort_items(items, walk.total < capacity ? walk.total : capacity);
    }
    if (total) {
        *total = walk.total;
    }
    TELL(tree, .kind = ACRE_QUADTREE_CALL_QUERY, .query = query, .capacity = capacity,
         .total = walk.total, .found = items);
    access_end_read(&tree->access);
    return ACRE_OK;
}

acre_result acre_quadtree_query_spans(const acre_quadtree *tree, const acre_query *query,
                                      acre_item_span *spans, size_t span_capacity, uint32_t *items,
                                      size_t capacity, acre_span_totals *totals)
{
    if (!tree || !query || !totals || (span_capacity > 0 && !spans) || (capacity > 0 && !items) ||
        !is_valid_query(query) || (query->flags & ACRE_QUERY_SORTED)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    query_walk walk = {.tree = tree,
                       .items = items,
                       .capacity = capacity,
                       .spans = spans,
                       .span_capacity = span_capacity,
                       .wants_spans = true};
    run_query(&walk, query);
    *totals = (acre_span_totals){
        .items = walk.total + walk.spanned, .copied = walk.total, .spans = walk.span_count};
    TELL(tree, .kind = ACRE_QUADTREE_CALL_QUERY, .query = query, .total = totals->items);
    access_end_read(&tree->access);
    return ACRE_OK;
}
