// SPDX-License-Identifier: MIT
// quadtree_query.c - the walk: from the root down, planes dropped on the way, items written out.
//
// The order of results is part of the contract: outliers first, then quads depth first; of each
// quad the own items of its visible cells by slot, then their children by slot.
#include "quadtree_kernel.h"

#include "float_bits.h"

// A block to be looked at. Between finding it and looking at it there is time to fetch it: with the
// tree in the third cache, queries take a fifth less time than without.
typedef struct visit {
    uint32_t block, count;
    uint32_t mask; // planes that may cut it; 0: all its items are found
} visit;

enum { MAX_VISITS = 128 };

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
    uint32_t visit_count;
    visit visits[MAX_VISITS];
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
    if (!walk->layers && count > 0 && room_left(walk) >= count) {
        uint32_t *const out = walk->items + walk->total;
        for (uint32_t i = 0; i < count; i++) {
            out[i] = ids[i];
        }
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

// Tests a block's boxes. Ids go straight to the caller where nothing else is asked and room is
// sure.
static void test_block(query_walk *walk, const visit *at)
{
    const query_kernel *const kernel = walk->kernel;
    const block_boxes *const boxes = &walk->tree->boxes[at->block];
    const uint32_t *const ids = walk->tree->ids[at->block].id;
    walk->stats.items_tested += at->count;
    if (!walk->layers && !walk->hull && room_left(walk) >= BLOCK_SLOTS) {
        walk->total += kernel->select_block(walk->volume, boxes, at->mask, ids, at->count,
                                            walk->items + walk->total);
        return;
    }
    uint32_t selected[BLOCK_SLOTS];
    uint32_t found = kernel->select_block(walk->volume, boxes, at->mask, ids, at->count, selected);
    if (walk->hull) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < found; i++) {
            selected[kept] = selected[i];
            kept += passes_hull(walk, selected[i]);
        }
        found = kept;
    }
    emit_ids(walk, selected, found);
}

// What a test will read. Ids that are taken without one come fast enough by themselves.
static void prefetch_visit(const acre_quadtree *tree, const visit *at)
{
    for (uint32_t first = 0; first < at->count; first += GROUP_SLOTS) {
        PREFETCH(&tree->ids[at->block].id[first]);
        const item_group *const group = &tree->boxes[at->block].groups[first / GROUP_SLOTS];
        for (int i = 0; i < ROW_COUNT; i++) {
            PREFETCH(group->row[i]);
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

// One block: its items tested, taken, or pointed to.
static void run_visit(query_walk *walk, const visit *at)
{
    const uint32_t *const ids = walk->tree->ids[at->block].id;
    const size_t begin = walk->total;
    if (at->mask) {
        test_block(walk, at);
    } else {
        walk->stats.items_accepted += at->count;
        if (walk->wants_spans && !walk->layers) {
            point_to_ids(walk, ids, at->count);
            return;
        }
        emit_ids(walk, ids, at->count);
    }
    if (walk->wants_spans) {
        point_to_copies(walk, begin);
    }
}

static void run_visits(query_walk *walk)
{
    for (uint32_t i = 0; i < walk->visit_count; i++) {
        const visit *const at = &walk->visits[i];
        if (i + 1 < walk->visit_count && at[1].mask) {
            prefetch_visit(walk->tree, at + 1);
        }
        run_visit(walk, at);
    }
    walk->visit_count = 0;
}

static void visit_items(query_walk *walk, uint32_t node, uint32_t mask)
{
    const acre_quadtree *const tree = walk->tree;
    for (chain_walk chain = chain_first(tree, node); chain.count; chain = chain_next(tree, chain)) {
        if (walk->visit_count == MAX_VISITS) {
            run_visits(walk);
        }
        walk->visits[walk->visit_count++] = (visit){chain.block, chain.count, mask};
    }
}

// Bits of the siblings worth a visit; masks receives the planes that still cut each.
static uint32_t visible_siblings(query_walk *walk, uint32_t quad_index, uint32_t mask,
                                 uint32_t *masks)
{
    const quad *const siblings = &walk->tree->quads[quad_index];
    const uint32_t *const layers = walk->tree->cold[quad_index].layers;
    uint32_t alive = 0;
    for (uint32_t slot = 0; slot < 4; slot++) {
        const bool is_wanted = !walk->layers || (layers[slot] & walk->layers);
        const bool has_content = (siblings->items[slot] | siblings->child[slot]) != 0;
        masks[slot] = mask;
        alive |= (uint32_t)(has_content && is_wanted) << slot;
    }
    alive &= quad_index == 0 ? 1u << ROOT_NODE : 15u;
    if (mask && alive) {
        walk->stats.nodes_tested +=
            (alive & 1) + (alive >> 1 & 1) + (alive >> 2 & 1) + (alive >> 3);
        alive &= walk->kernel->test_quad(walk->volume, siblings, mask, masks);
    }
    return alive;
}

static void run_walk(query_walk *walk, uint32_t mask)
{
    // A quad takes one entry off and puts at most four on, one level down.
    struct {
        uint32_t quad, mask;
    } stack[3 * MAX_LEVEL + 8];
    uint32_t depth = 0;
    visit_items(walk, OUTLIER_NODE, mask);
    stack[depth].quad = 0;
    stack[depth++].mask = mask;
    while (depth > 0) {
        depth--;
        const uint32_t q = stack[depth].quad;
        uint32_t masks[4];
        const uint32_t alive = visible_siblings(walk, q, stack[depth].mask, masks);
        for (uint32_t slot = 0; slot < 4; slot++) {
            if (alive >> slot & 1) {
                visit_items(walk, q * 4 + slot, masks[slot]);
            }
        }
        for (uint32_t slot = 4; slot-- > 0;) {
            const uint32_t child = walk->tree->quads[q].child[slot];
            if (child && (alive >> slot & 1)) {
                PREFETCH(&walk->tree->quads[child]);
                PREFETCH(walk->tree->quads[child].child);
                stack[depth].quad = child;
                stack[depth++].mask = masks[slot];
            }
        }
    }
    run_visits(walk);
}

// @return the mask of all planes.
static uint32_t prepare_planes(query_volume *volume, const acre_frustum *frustum)
{
    const uint32_t count = frustum->plane_count < ACRE_FRUSTUM_MAX_PLANES ? frustum->plane_count
                                                                          : ACRE_FRUSTUM_MAX_PLANES;
    volume->plane_count = count;
    for (uint32_t i = 0; i < count; i++) {
        query_plane *const plane = &volume->planes[i];
        for (uint32_t axis = 0; axis < 3; axis++) {
            const bool is_positive = frustum->planes[i][axis] >= 0.0f;
            plane->normal[axis] = frustum->planes[i][axis];
            plane->far_row[axis] = (uint8_t)(axis * 2 + is_positive);
            plane->near_row[axis] = (uint8_t)(axis * 2 + !is_positive);
        }
        plane->d = frustum->planes[i][3];
    }
    return (1u << count) - 1;
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
    run_walk(walk, prepare_planes(&volume, frustum));
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
