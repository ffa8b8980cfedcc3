// SPDX-License-Identifier: MIT
// quadtree_query.c - the queries that a program calls: checks their arguments, directs results.
#include "out_internal.h"
#include "quadtree_walk.h"

#include "float_bits.h"
#include "sort_internal.h"

#include <math.h>

enum { ARRAY_FLAGS = QUERY_FLAGS | ACRE_QUERY_SORTED | ACRE_QUERY_STOP_WHEN_FULL };
static_assert(QUERY_FLAGS == 86 && ARRAY_FLAGS == 95 && ACRE_QUERY_SHAPE_RAY == 11 &&
                  ACRE_QUERY_SHAPE_GROUND_POINT == 5,
              "refusal_text.c has these figures in its list");

// The chain word of a tree that is one block, or 0: its root alone has items, in one block.
static uint32_t only_block(const acre_quadtree *tree)
{
    const quad *const top = &tree->quads[0];
    const uint32_t word = top->items[ROOT_NODE];
    return top->child[ROOT_NODE] || top->items[OUTLIER_NODE] || chain_more(word) ? 0 : word;
}

// Not inlined: its frame would cost small trees, which go without, a sixth of a query for a box.
ACRE_NEVER_INLINE
static size_t find_by_walk(const acre_quadtree *tree, find_all_function *find,
                           const query_volume *volume, uint32_t mask, uint32_t *items,
                           size_t capacity)
{
    node_lists nodes; // not zeroed: most queries use little of it
    acre_begin_walk(tree, &nodes, mask);
    return find(volume, tree, &nodes, items, capacity);
}

// Finds all items of a volume that is planes or a box.
static size_t find_plain(const acre_quadtree *tree, const find_all_kernel *find,
                         const query_volume *volume, uint32_t mask, uint32_t *items,
                         size_t capacity)
{
    const bool has_room = capacity >= (size_t)tree->item_count + BLOCK_SLOTS;
    const uint32_t word = has_room ? only_block(tree) : 0;
    return word ? find->in_block(volume, mask, tree, word, items)
                : find_by_walk(tree, has_room ? find->find : find->fill, volume, mask, items,
                               capacity);
}

size_t acre_quadtree_query_frustum(const acre_quadtree *tree, const acre_frustum *frustum,
                                   uint32_t *items, size_t capacity)
{
    const acre_result result = start_read(tree, frustum != NULL);
    if (result != ACRE_OK) {
        return ACRE_MISUSED(result, "op", tree, frustum);
    }
    const size_t room = items ? capacity : 0;
    query_volume volume;
    const uint32_t mask = acre_prepare_planes(&volume, frustum);
    const size_t total =
        find_plain(tree, &volume_kernel_of(tree)->all_in_frustum, &volume, mask, items, room);
    NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_QUERY_FRUSTUM, .frustum = frustum, .capacity = room,
           .total = total, .found = items);
    access_end_read(&tree->access);
    return total;
}

size_t acre_quadtree_query_aabb(const acre_quadtree *tree, const acre_aabb *box, uint32_t *items,
                                size_t capacity)
{
    const acre_result result = start_read(tree, box != NULL);
    if (result != ACRE_OK) {
        return ACRE_MISUSED(result, "oB", tree, box);
    }
    const size_t room = items ? capacity : 0;
    query_volume volume; // only its box is set
    const bool is_valid = rows_from_aabb(&volume.box, box);
    const size_t total = is_valid ? find_plain(tree, &volume_kernel_of(tree)->all_in_box, &volume,
                                               MASK_BOX, items, room)
                                  : 0;
    NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_QUERY_AABB, .boxes = box, .capacity = room,
           .total = total, .found = items);
    access_end_read(&tree->access);
    return is_valid ? total : ACRE_NOTHING(ACRE_ERROR_INVALID_ARGUMENT, "oB", tree, box);
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

static bool is_point(const float *point)
{
    return point && !float_is_nan(point[0]) && !float_is_nan(point[1]) && !float_is_nan(point[2]);
}

static bool is_valid_shape(const acre_query *query)
{
    switch (query->shape) {
    case ACRE_QUERY_SHAPE_FRUSTUM:
        return query->frustum && !has_nan(query->frustum);
    case ACRE_QUERY_SHAPE_AABB:
        return query->box && acre_aabb_is_valid(query->box);
    case ACRE_QUERY_SHAPE_ALL:
        return true;
    case ACRE_QUERY_SHAPE_POINT:
    case ACRE_QUERY_SHAPE_GROUND_POINT:
        return is_point(query->point);
#define X(SHAPE, name, type, layout)                                                               \
    case ACRE_QUERY_SHAPE_##SHAPE:                                                                 \
        return acre_##name##_is_valid(query->name);
        SHAPE_LIST(X)
#undef X
    }
    return false;
}

static bool has_plain_box(acre_query_shape shape)
{
    return shape == ACRE_QUERY_SHAPE_AABB || shape == ACRE_QUERY_SHAPE_POINT ||
           shape == ACRE_QUERY_SHAPE_GROUND_POINT;
}

bool acre_query_is_valid(const acre_query *query, uint32_t allowed_flags)
{
    return acre_volume_is_valid(query, allowed_flags) && query->max_distance == 0.0f;
}

bool acre_volume_is_valid(const acre_query *query, uint32_t allowed_flags)
{
    return query && !(query->flags & ~allowed_flags) && is_valid_shape(query) &&
           (!query->exclude || !has_nan(query->exclude)) &&
           (!(query->flags & ACRE_QUERY_NOT_TOUCHING) || has_plain_box(query->shape));
}

// Whether a shape's box holds so few items that testing nodes against more than the box costs more
// than it saves.
static bool is_small(const acre_quadtree *tree, const row_box *box)
{
    const row_box world = node_bounds(tree, ROOT_NODE);
    const float area =
        (box->row[ROW_X_MAX] - box->row[ROW_X_MIN]) * (box->row[ROW_Z_MAX] - box->row[ROW_Z_MIN]);
    const float all = (world.row[ROW_X_MAX] - world.row[ROW_X_MIN]) *
                      (world.row[ROW_Z_MAX] - world.row[ROW_Z_MIN]);
    return area * (float)tree->item_count < (float)SMALL_SHAPE_ITEMS * all;
}

static const query_kernel *kernel_of_round(const acre_quadtree *tree, acre_query_shape shape)
{
    ACRE_INVARIANT(is_round_shape(shape));
    const shape_kernel *const kernel = shape_kernel_of(tree);
    return shape == ACRE_QUERY_SHAPE_SPHERE ? &kernel->sphere : &kernel->circle;
}

// mask: all parts of the volume.
static const query_kernel *kernel_of_query(const acre_quadtree *tree, const acre_query *query,
                                           uint32_t mask)
{
    if (is_round_shape(query->shape) && !(mask & MASK_EXCLUDED)) {
        return kernel_of_round(tree, query->shape);
    }
    return !(mask & ~(uint32_t)MASK_PLANES) ? &volume_kernel_of(tree)->frustum
           : mask == MASK_BOX               ? &volume_kernel_of(tree)->box
                                            : &shape_kernel_of(tree)->shape;
}

void acre_run_query(query_walk *walk, const acre_query *query,
                    void (*run)(query_walk *walk, uint32_t mask))
{
    ACRE_ASSERT(walk->tree && !walk->filter.hull && walk->total == 0);
    acre_frustum_hull hull;
    query_volume volume, excluded;
    uint32_t mask = acre_prepare_volume(&volume, &excluded, query);
    if ((mask & MASK_BOX) && mask != MASK_BOX && is_small(walk->tree, &volume.box)) {
        mask |= MASK_SMALL;
    }
    if ((query->flags & ACRE_QUERY_EXACT) && query->shape == ACRE_QUERY_SHAPE_FRUSTUM) {
        acre_frustum_hull_prepare(&hull, query->frustum);
        walk->filter.hull = &hull;
    }
    walk->filter.layers = walk->tree->layers ? query->layers : 0;
    walk->filter.except = excepted_item(query);
    walk->volume = &volume;
    walk->kernel = kernel_of_query(walk->tree, query, mask);
    run(walk, mask);
    walk->filter.hull = NULL; // it lives here
    walk->volume = NULL;
    if (query->stats) {
        *query->stats = walk->stats;
    }
}

// Gets the box of a query for a box or a point. Returns false if it has no valid one.
static bool get_plain_box(const acre_query *query, row_box *out)
{
    const bool is_open = query->flags & ACRE_QUERY_NOT_TOUCHING;
    if (query->shape == ACRE_QUERY_SHAPE_AABB) {
        return query->box && rows_from_aabb(out, query->box) &&
               (!is_open || acre_open_box(out, query_open_axes(query)));
    }
    const bool is_on_ground = query->shape == ACRE_QUERY_SHAPE_GROUND_POINT;
    if ((query->shape != ACRE_QUERY_SHAPE_POINT && !is_on_ground) || !is_point(query->point)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        out->row[axis * 2] = out->row[axis * 2 + 1] = query->point[axis];
    }
    if (is_on_ground) {
        out->row[ROW_Y_MIN] = -INFINITY;
        out->row[ROW_Y_MAX] = INFINITY;
    }
    return !is_open || acre_open_box(out, query_open_axes(query));
}

// Gets the round of a query for a sphere or a circle. Returns false if it has no valid one. The
// volume's box is the center alone: a walk that begins in the middle looks at it.
static bool get_plain_round(const acre_query *query, query_volume *out)
{
    if (!is_round_shape(query->shape) || !is_valid_shape(query) ||
        (query->flags & ACRE_QUERY_NOT_TOUCHING)) {
        return false;
    }
    acre_prepare_round(out, query);
    for (int axis = 0; axis < 3; axis++) {
        out->box.row[axis * 2] = out->box.row[axis * 2 + 1] = out->round.center[axis];
    }
    return true;
}

// The kernel for a valid query that asks for nothing but a box, a point, a sphere or a circle, and
// *out receives what it tests; NULL for other queries. Small queries of these are frequent, and
// preparing a full query takes as long as a quarter of answering one.
static const query_kernel *plain_kernel(const acre_quadtree *tree, const acre_query *query,
                                        uint32_t allowed_flags, query_volume *out)
{
    if (!query || query->exclude || (query->flags & ~allowed_flags) ||
        query->max_distance != 0.0f) {
        return NULL;
    }
    return get_plain_box(query, &out->box) ? &volume_kernel_of(tree)->box
           : get_plain_round(query, out)   ? kernel_of_round(tree, query->shape)
                                           : NULL;
}

// Runs a started walk with what plain_kernel gave.
static void run_plainly(query_walk *walk, const acre_query *query, const query_kernel *kernel,
                        const query_volume *volume)
{
    walk->filter.layers = walk->tree->layers ? query->layers : 0;
    walk->filter.except = excepted_item(query);
    walk->kernel = kernel;
    walk->volume = volume;
    acre_walk_all(walk, MASK_BOX);
    if (query->stats) {
        *query->stats = walk->stats;
    }
}

// Whether a query that plain_kernel has a kernel for is a box whose items go to an array, all of
// them, and nothing is counted.
static bool wants_all_in_box(const acre_quadtree *tree, const acre_query *query,
                             const query_kernel *plain)
{
    return plain == &volume_kernel_of(tree)->box && !(query->flags & ACRE_QUERY_STOP_WHEN_FULL) &&
           !(query->layers && tree->layers) && !query->except_item1 && !query->stats;
}

acre_result acre_quadtree_query(const acre_quadtree *tree, const acre_query *query, uint32_t *items,
                                size_t capacity, size_t *total)
{
    set_count(total, 0);
    query_volume volume;
    const query_kernel *const plain = tree ? plain_kernel(tree, query, ARRAY_FLAGS, &volume) : NULL;
    const bool is_valid = plain || acre_query_is_valid(query, ARRAY_FLAGS);
    const acre_result result = start_read(tree, (capacity == 0 || items) && is_valid);
    if (result != ACRE_OK) {
        return ACRE_ANSWER(result, "oQ[-n-", tree, query, items, capacity, total);
    }
    query_walk walk = array_walk(tree, items, capacity);
    const bool stops_when_full = query->flags & ACRE_QUERY_STOP_WHEN_FULL;
    if (stops_when_full) { // looks after each quad and each group
        walk.sink = &acre_first_array_sink;
        walk.most_nodes = walk.most_groups = 0;
    }
    if (plain && wants_all_in_box(tree, query, plain)) {
        walk.total = find_plain(tree, &volume_kernel_of(tree)->all_in_box, &volume, MASK_BOX, items,
                                items ? capacity : 0);
    } else if (plain) {
        run_plainly(&walk, query, plain, &volume);
    } else {
        acre_run_query(&walk, query, acre_walk_all);
    }
    if (stops_when_full && walk.total > capacity) {
        walk.total = capacity; // what is beyond was found by chance
    }
    if (query->flags & ACRE_QUERY_SORTED) {
        sort_ascending(items, walk.total < capacity ? walk.total : capacity);
    }
    set_count(total, walk.total);
    NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_QUERY, .query = query, .capacity = capacity,
           .total = walk.total, .found = items);
    access_end_read(&tree->access);
    return ACRE_OK;
}

acre_result acre_quadtree_query_spans(const acre_quadtree *tree, const acre_query *query,
                                      acre_item_span *spans, size_t span_capacity, uint32_t *items,
                                      size_t capacity, acre_span_totals *totals)
{
    if (totals) {
        *totals = (acre_span_totals){0};
    }
    if (!tree || !totals || (span_capacity > 0 && !spans) || (capacity > 0 && !items) ||
        !acre_query_is_valid(query, QUERY_FLAGS)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    span_receiver found = {.spans = spans, .capacity = span_capacity};
    query_walk walk = array_walk(tree, items, capacity);
    walk.sink = &acre_span_sink;
    walk.receiver = &found;
    acre_run_query(&walk, query, acre_walk_all);
    ACRE_INVARIANT(!found.last_was_copied || walk.total > 0);
    *totals = (acre_span_totals){
        .items = walk.total + found.items_in_tree, .copied = walk.total, .spans = found.count};
    NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_QUERY, .query = query, .total = totals->items);
    access_end_read(&tree->access);
    return ACRE_OK;
}

// ---- visits ----

// Runs the walk of a query whose visitor is set. What the visitor may not call is refused until
// this returns.
static acre_result visit_results(query_walk *walk, const acre_query *query, uint32_t flags)
{
    const acre_quadtree *const tree = walk->tree;
    query_volume volume;
    const query_kernel *const plain = tree ? plain_kernel(tree, query, flags, &volume) : NULL;
    const acre_result result = start_read(tree, plain || acre_query_is_valid(query, flags));
    if (result != ACRE_OK) {
        return result;
    }
    tree_callback callback;
    begin_callback(&callback, tree);
    if (plain) {
        run_plainly(walk, query, plain, &volume);
    } else {
        acre_run_query(walk, query, acre_walk_all);
    }
    end_callback(&callback);
    return ACRE_OK;
}

static acre_result visit_items(const acre_quadtree *tree, const acre_query *query,
                               acre_query_visitor visit, void *user, bool notifies)
{
    uint32_t buffer[WALK_BUFFER];
    item_receiver out = {.visit = visit, .user = user};
    query_walk walk = array_walk(tree, buffer, WALK_BUFFER);
    walk.sink = &acre_item_sink;
    walk.receiver = &out;
    walk.most_nodes = 0; // a visitor may stop after each quad
    const acre_result result =
        visit ? visit_results(&walk, query, QUERY_FLAGS) : ACRE_ERROR_INVALID_ARGUMENT;
    if (result != ACRE_OK) {
        return result;
    }
    if (notifies) {
        NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_QUERY, .query = query,
               .total = walk.is_stopped ? SIZE_MAX : out.visited);
    }
    access_end_read(&tree->access);
    return ACRE_OK;
}

acre_result acre_quadtree_query_visit(const acre_quadtree *tree, const acre_query *query,
                                      acre_query_visitor visit, void *user)
{
    const acre_result result = visit_items(tree, query, visit, user, true);
    return ACRE_ANSWER(result, "oXi", tree, query, visit != NULL);
}

acre_result acre_visit_unrecorded(const acre_quadtree *tree, const acre_query *query,
                                  acre_query_visitor visit, void *user)
{
    return visit_items(tree, query, visit, user, false);
}

// A walk whose groups go to a visitor. It needs no array.
static query_walk group_walk(const acre_quadtree *tree, const acre_query *query,
                             group_receiver *out)
{
    query_walk walk = array_walk(tree, NULL, 0);
    walk.sink = &acre_group_sink;
    walk.receiver = out;
    walk.most_nodes = VISITED_NODES;
    out->takes_whole_groups = query && (query->flags & ACRE_QUERY_WHOLE_GROUPS);
    return walk;
}

enum { GROUP_FLAGS = QUERY_FLAGS | ACRE_QUERY_WHOLE_GROUPS };

static acre_result visit_groups(query_walk *walk, const acre_query *query)
{
    const group_receiver *const out = walk->receiver;
    const acre_result result =
        out->visit ? visit_results(walk, query, GROUP_FLAGS) : ACRE_ERROR_INVALID_ARGUMENT;
    if (result == ACRE_OK) {
        acre_query told = *query;
        told.flags &= ~(uint32_t)ACRE_QUERY_WHOLE_GROUPS; // only visitors can be asked so
        NOTIFY(walk->tree, .kind = ACRE_QUADTREE_CALL_QUERY, .query = &told,
               .total = walk->is_stopped || out->takes_whole_groups ? SIZE_MAX : out->visited);
        access_end_read(&walk->tree->access);
    }
    return result;
}

acre_result acre_quadtree_query_visit_groups(const acre_quadtree *tree, const acre_query *query,
                                             acre_group_visitor visit, void *user)
{
    group_receiver out = {.visit = visit, .user = user};
    query_walk walk = group_walk(tree, query, &out);
    return visit_groups(&walk, query);
}

acre_result acre_quadtree_visit_first(const acre_quadtree *tree, const acre_query *query,
                                      size_t least, acre_group_visitor visit, void *user,
                                      acre_query_pieces *rest)
{
    if (!rest) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    rest->count = 0;
    if (!tree || !query || least == 0) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    group_receiver out = {.visit = visit, .user = user, .rest = rest, .least = least};
    query_walk walk = group_walk(tree, query, &out);
    if (tree->tasks.worker_count > 1 && !tree->listener && !(query->flags & ACRE_QUERY_UNDIVIDED)) {
        walk.sink = &acre_first_group_sink;
    }
    return visit_groups(&walk, query);
}

static void walk_piece(query_walk *walk, uint32_t mask)
{
    const group_receiver *const out = walk->receiver;
    (void)mask; // the piece has one for each of its quads
    acre_walk_piece(walk, out->piece);
}

acre_result acre_quadtree_visit_piece(const acre_quadtree *tree, const acre_query *query,
                                      const acre_query_piece *piece, acre_group_visitor visit,
                                      void *user)
{
    if (!tree || !piece || !visit || !acre_query_is_valid(query, GROUP_FLAGS)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    group_receiver out = {.visit = visit, .user = user, .piece = piece};
    query_walk walk = group_walk(tree, query, &out);
    tree_callback callback;
    begin_callback(&callback, tree);
    acre_run_query(&walk, query, walk_piece);
    end_callback(&callback);
    access_end_read(&tree->access);
    return ACRE_OK;
}
