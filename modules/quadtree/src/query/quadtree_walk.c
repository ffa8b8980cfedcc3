// SPDX-License-Identifier: MIT
// quadtree_walk.c - the walk: descends from the root, drops planes on the way, writes items out.
//
// Kernels list nodes; then the groups of the blocks whose nodes intersect the volume; then they
// test the items of the groups that intersect it. The order of results depends only on the lengths
// of the lists, so it is the same for all kernels: outliers first, then quads depth first, in
// portions. Each portion holds items of nodes inside, then of groups inside, then tested items.
#include "quadtree_walk.h"

#include <string.h>

enum { GROUPS_APART = 8 }; // groups that are tested at once into a local buffer, or prefetched

bool acre_passes_hull(const acre_quadtree *tree, const acre_frustum_hull *hull, uint32_t item)
{
    const row_box rows = location_box(tree, tree->locations[item]);
    acre_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = rows.row[axis * 2];
        box.max[axis] = rows.row[axis * 2 + 1];
    }
    return acre_frustum_hull_test_aabb(hull, &box);
}

static bool visits_items(const query_walk *walk)
{
    return walk->visit && walk->visit->visit_items;
}

static bool visits_groups(const query_walk *walk)
{
    return walk->visit && walk->visit->visit_group;
}

static size_t room_left(const query_walk *walk)
{
    return walk->total < walk->capacity ? walk->capacity - walk->total : 0;
}

// Copies the items that are in one of the layers. The mask test is unpredictable, so it is
// branchless. to may be from.
static uint32_t keep_layers(const query_walk *walk, const uint32_t *from, uint32_t count,
                            uint32_t *to)
{
    const uint32_t *const layers = walk->tree->layers;
    ACRE_INVARIANT(layers && walk->layers);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t item = from[i];
        to[kept] = item;
        kept += (layers[item] & walk->layers) != 0;
    }
    return kept;
}

// Removes the excepted item, which is there once at most. Returns how many are left. The search
// does not stop at the item, so that compilers vectorize it.
static size_t drop_excepted(const query_walk *walk, uint32_t *ids, size_t count)
{
    size_t at = count;
    for (size_t i = 0; i < count; i++) {
        at = ids[i] == walk->except ? i : at;
    }
    if (at == count) {
        return count;
    }
    memmove(ids + at, ids + at + 1, (count - at - 1) * sizeof *ids);
    return count - 1;
}

// Counts ids that were written behind the results, without the excepted item.
static void add_written(query_walk *walk, size_t count)
{
    const bool drops = walk->except != NONE;
    walk->total += drops ? drop_excepted(walk, walk->items + walk->total, count) : count;
}

// Writes out ids that passed the volume, if the query takes them.
static void emit_ids(query_walk *walk, const uint32_t *ids, uint32_t count)
{
    const size_t room = room_left(walk);
    if (room >= count && count > 0) {
        uint32_t *const end = walk->items + walk->total;
        if (walk->layers) {
            add_written(walk, keep_layers(walk, ids, count, end));
        } else {
            memcpy(end, ids, count * sizeof *ids);
            add_written(walk, count);
        }
        return;
    }
    if (walk_takes_all(walk)) {
        for (uint32_t i = 0; i < room && i < count; i++) {
            walk->items[walk->total + i] = ids[i];
        }
        walk->total += count;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (walk_takes_item(walk, ids[i])) {
            if (walk->total < walk->capacity) {
                walk->items[walk->total] = ids[i];
            }
            walk->total++;
        }
    }
}

// Passes results to the visitor, unless it has stopped the walk.
static void visit_ids(query_walk *walk, const uint32_t *ids, size_t count)
{
    if (count > 0 && !walk->is_stopped) {
        walk->visit->items_visited += count;
        walk->is_stopped = !walk->visit->visit_items(walk->visit->user, ids, count);
    }
}

// Adds the items copied since `begin` to the spans. If the last span is of copies, too, it grows.
static void span_copies(query_walk *walk, size_t begin)
{
    walk_spans *const out = walk->spans;
    const size_t end = walk->total < walk->capacity ? walk->total : walk->capacity;
    if (walk->total == begin) {
        return;
    }
    if (!out->last_was_copied) {
        if (out->count < out->capacity) {
            uint32_t *const items = begin < end ? walk->items + begin : NULL;
            out->spans[out->count] = (acre_item_span){items, 0};
        }
        out->count++;
        out->last_was_copied = true;
    }
    if (begin < end && out->count <= out->capacity) {
        out->spans[out->count - 1].count += end - begin;
    }
}

// Delivers the items copied since `begin` to the spans or to the visitor.
static void deliver_copies(query_walk *walk, size_t begin)
{
    if (walk->spans) {
        span_copies(walk, begin);
    } else if (walk->visit) {
        ACRE_INVARIANT(walk->visit->visit_items);
        visit_ids(walk, walk->items, walk->total);
        walk->total = 0;
    } else if (walk->stops_when_full) {
        walk->is_stopped = walk->total >= walk->capacity;
    }
}

static_assert(GROUP_SLOTS == ACRE_GROUP_ITEMS && ROW_X_MIN == 0 && ROW_X_MAX == 1 &&
                  ROW_Y_MIN == 2 && ROW_Y_MAX == 3 && ROW_Z_MIN == 4 && ROW_Z_MAX == 5,
              "rows as acre_item_group has them");

// The number of lanes in a set of a group's.
static uint32_t count_lanes(uint32_t set)
{
    ACRE_INVARIANT(set < UINT32_C(1) << GROUP_SLOTS);
    set -= set >> 1 & 0x5555u; // sums of two bits, then of four, of eight, of all
    set = (set & 0x3333u) + (set >> 2 & 0x3333u);
    set = (set + (set >> 4)) & 0x0f0fu;
    return (set + (set >> 8)) & 0x1fu;
}

// Passes a group to the visitor, with those items of the set `found` that the query takes.
static void visit_one_group(query_walk *walk, size_t group, uint32_t found)
{
    const item_group *const groups = walk->tree->boxes->groups; // of all blocks
    const uint32_t *const all_ids = walk->tree->ids->id, *const ids = all_ids + group * GROUP_SLOTS;
    for (uint32_t i = 0; !walk_takes_all(walk) && i < GROUP_SLOTS; i++) {
        if ((found >> i & 1) && !walk_takes_item(walk, ids[i])) {
            found &= ~(UINT32_C(1) << i);
        }
    }
    if (found && !walk->is_stopped) {
        const acre_item_group shown = {ids, groups[group].row[0], found};
        walk->visit->items_visited += count_lanes(found);
        walk->is_stopped = !walk->visit->visit_group(walk->visit->user, &shown);
    }
}

static uint32_t first_lanes(uint32_t count)
{
    return count < GROUP_SLOTS ? (UINT32_C(1) << count) - 1 : (UINT32_C(1) << GROUP_SLOTS) - 1;
}

static void visit_groups_of_ids(query_walk *walk, const uint32_t *ids, uint32_t count)
{
    const size_t first = (size_t)(ids - walk->tree->ids->id) / GROUP_SLOTS;
    for (uint32_t i = 0; i < count; i += GROUP_SLOTS) {
        visit_one_group(walk, first + i / GROUP_SLOTS, first_lanes(count - i));
    }
}

// Passes the tested groups to the visitor. The ids found stand in the order of the groups and their
// slots, so comparing them with each group's ids tells which slots were found.
static void visit_tested_groups(query_walk *walk)
{
    const group_lists *const groups = walk->groups;
    const uint32_t *const all_ids = walk->tree->ids->id, *next = walk->items;
    ACRE_INVARIANT(walk->total < walk->capacity);
    walk->items[walk->total] = NONE; // ends the ids found
    for (uint32_t i = 0; i < groups->intersecting_count; i++) {
        const size_t group = group_number(groups->intersecting[i]);
        const uint32_t *const ids = all_ids + group * GROUP_SLOTS;
        uint32_t found = 0;
        for (uint32_t lane = 0; lane < group_count(groups->intersecting[i]); lane++) {
            const uint32_t is_found = ids[lane] == *next;
            found |= is_found << lane;
            next += is_found;
        }
        visit_one_group(walk, group, found);
    }
    walk->total = 0;
}

// Accepts ids of which all are found.
static void accept_ids(query_walk *walk, const uint32_t *ids, uint32_t count)
{
    walk->stats.items_accepted += count;
    if (walk->only_copies) {
        emit_ids(walk, ids, count);
    } else if (visits_groups(walk)) {
        visit_groups_of_ids(walk, ids, count);
    } else if (walk->visit && walk_takes_all(walk)) {
        visit_ids(walk, ids, count);
    } else {
        const size_t begin = walk->total;
        emit_ids(walk, ids, count);
        deliver_copies(walk, begin);
    }
}

// Copies groups of the inside list until the next one might not fit. Returns how many.
static uint32_t copy_inside_groups(query_walk *walk)
{
    const size_t room = room_left(walk);
    if (room < GROUP_SLOTS || walk->groups->inside_count == 0) {
        return 0; // perhaps there is no array
    }
    const volume_kernel *const kernel = volume_kernel_of(walk->tree);
    size_t copied = 0;
    const uint32_t count = kernel->copy_groups(walk->tree->ids->id, walk->groups,
                                               walk->items + walk->total, room, &copied);
    add_written(walk, copied);
    walk->stats.items_accepted += copied;
    return count;
}

// Accepts the groups inside. Groups are too small for spans of their own: they are always copied.
static void accept_groups(query_walk *walk)
{
    const group_lists *const groups = walk->groups;
    const uint32_t *const ids = walk->tree->ids->id;
    for (uint32_t i = walk->layers ? 0 : copy_inside_groups(walk); i < groups->inside_count; i++) {
        const uint32_t word = groups->inside[i], count = group_count(word);
        walk->stats.items_accepted += count;
        emit_ids(walk, ids + (size_t)group_number(word) * GROUP_SLOTS, count);
    }
}

// Tests the items of `count` intersecting groups, starting at `first`. Returns how many were found.
static uint32_t select_intersecting(const query_walk *walk, uint32_t first, uint32_t count,
                                    uint32_t *out)
{
    const acre_quadtree *const tree = walk->tree;
    const group_lists *const groups = walk->groups;
    return walk->kernel->select_groups(walk->volume, tree->boxes->groups, tree->ids->id,
                                       groups->intersecting + first,
                                       groups->intersecting_masks + first, count, out);
}

// Tests groups into a local buffer: when there is an exact test, when the output may overflow, or
// when there is none.
static void test_groups_apart(query_walk *walk, uint32_t first, uint32_t count)
{
    ACRE_INVARIANT(count <= GROUPS_APART);
    uint32_t selected[(GROUPS_APART + 1) * GROUP_SLOTS], kept = 0;
    const uint32_t found = select_intersecting(walk, first, count, selected);
    for (uint32_t i = 0; walk->hull && i < found; i++) {
        selected[kept] = selected[i];
        kept += acre_passes_hull(walk->tree, walk->hull, selected[i]);
    }
    emit_ids(walk, selected, walk->hull ? kept : found);
}

// Tests as many groups per call as are guaranteed to fit the output; one at a time if the walk
// stops when full.
static void test_groups(query_walk *walk)
{
    group_lists *const groups = walk->groups;
    for (uint32_t i = 0; i < groups->intersecting_count; i++) {
        walk->stats.items_tested += group_count(groups->intersecting[i]);
    }
    for (uint32_t i = 0; i < GROUPS_AHEAD; i++) {
        groups->intersecting[groups->intersecting_count + i] = 0;
    }
    const uint32_t most_apart = walk->stops_when_full ? 1 : GROUPS_APART;
    for (uint32_t at = 0, count; at < groups->intersecting_count; at += count) {
        const uint32_t left = groups->intersecting_count - at;
        const size_t fitting = walk->hull ? 0 : room_left(walk) / GROUP_SLOTS;
        if (fitting > 1) { // kernels may write one group more
            uint32_t *const end = walk->items + walk->total;
            count = left < fitting - 1 ? left : (uint32_t)(fitting - 1);
            const uint32_t found = select_intersecting(walk, at, count, end);
            add_written(walk, walk->layers ? keep_layers(walk, end, found, end) : found);
        } else {
            count = left < most_apart ? left : most_apart;
            test_groups_apart(walk, at, count);
            if (walk->stops_when_full && walk->total >= walk->capacity) {
                return;
            }
        }
    }
}

// What a visitor reads that tests boxes on the ground; few test heights.
static void prefetch_ground(const acre_quadtree *tree, uint32_t word)
{
    const item_group *const groups = tree->boxes->groups; // of all blocks
    const uint32_t *const ids = tree->ids->id;
    const size_t group = group_number(word);
    const item_group *const boxes = &groups[group];
    prefetch_line(boxes->row[ROW_X_MIN]);
    prefetch_line(boxes->row[ROW_X_MAX]);
    prefetch_line(boxes->row[ROW_Z_MIN]);
    prefetch_line(boxes->row[ROW_Z_MAX]);
    prefetch_line(ids + group * GROUP_SLOTS);
}

// Passes the intersecting groups to the visitor without a test of their items.
static void visit_untested_groups(query_walk *walk)
{
    const group_lists *const groups = walk->groups;
    for (uint32_t i = 0; i < GROUPS_APART && i < groups->intersecting_count; i++) {
        prefetch_ground(walk->tree, groups->intersecting[i]);
    }
    for (uint32_t i = 0; i < groups->intersecting_count; i++) {
        const uint32_t word = groups->intersecting[i], ahead = i + GROUPS_APART;
        if (ahead < groups->intersecting_count) {
            prefetch_ground(walk->tree, groups->intersecting[ahead]);
        }
        walk->stats.items_accepted += group_count(word);
        visit_one_group(walk, group_number(word), first_lanes(group_count(word)));
    }
}

// Passes the listed groups to the visitor: those inside, then the others.
static void visit_listed_groups(query_walk *walk)
{
    const group_lists *const groups = walk->groups;
    for (uint32_t i = 0; i < groups->inside_count; i++) {
        const uint32_t word = groups->inside[i], count = group_count(word);
        walk->stats.items_accepted += count;
        visit_one_group(walk, group_number(word), first_lanes(count));
    }
    if (walk->visit->takes_whole_groups) {
        visit_untested_groups(walk);
    } else {
        test_groups(walk);
        visit_tested_groups(walk);
    }
}

static void finish_groups(query_walk *walk)
{
    group_lists *const groups = walk->groups;
    if (groups->inside_count + groups->intersecting_count == 0) {
        return; // a tree without blocks has no arrays
    }
    if (visits_groups(walk)) {
        visit_listed_groups(walk);
    } else {
        const size_t begin = walk->total;
        accept_groups(walk);
        test_groups(walk);
        if (!walk->only_copies) {
            deliver_copies(walk, begin);
        }
    }
    groups->inside_count = groups->intersecting_count = 0;
}

// Copies chains of the inside list until the next one might not fit. Returns how many.
static uint32_t copy_inside_chains(query_walk *walk)
{
    const size_t room = room_left(walk);
    if (room < BLOCK_SLOTS || walk->nodes->inside_count == 0) {
        return 0; // perhaps there is no array
    }
    const volume_kernel *const kernel = volume_kernel_of(walk->tree);
    size_t copied = 0;
    const uint32_t count =
        kernel->copy_chains(walk->tree, walk->nodes, walk->items + walk->total, room, &copied);
    add_written(walk, copied);
    walk->stats.items_accepted += copied;
    return count;
}

// The end of the caller's spans, while chains are added.
typedef struct span_list {
    acre_item_span *next;
    size_t room;             // spans that still fit
    size_t beyond;           // spans that did not fit
    const uint32_t *all_ids; // of location 0, if spans are split
    size_t excepted;         // location of the excepted item
} span_list;

static inline void add_span(span_list *list, const uint32_t *ids, size_t count)
{
    if (list->room > 0) {
        *list->next++ = (acre_item_span){ids, count};
        list->room--;
    } else {
        list->beyond++;
    }
}

// Adds ids of the tree as a span, or what is before the excepted item and what is behind it.
// Returns how many items the spans have.
static size_t add_split_span(span_list *list, const uint32_t *ids, size_t count)
{
    const size_t first = (size_t)(ids - list->all_ids), before = list->excepted - first;
    if (list->excepted < first || before >= count) {
        add_span(list, ids, count);
        return count;
    }
    if (before > 0) {
        add_span(list, ids, before);
    }
    if (before + 1 < count) {
        add_span(list, ids + before + 1, count - before - 1);
    }
    return count - 1;
}

// Adds the chains of the inside list to the spans: a run as one span, other chains block by block.
// splits: an item of the tree is left out. Returns how many items the spans have.
ACRE_ALWAYS_INLINE size_t list_spans(query_walk *walk, span_list *list, bool splits)
{
    const block_ids *const ids = walk->tree->ids;
    const uint32_t *const next = walk->tree->next;
    const node_lists *const nodes = walk->nodes;
    size_t listed = 0, accepted = 0;
    for (uint32_t i = 0; i < nodes->inside_count; i++) {
        const uint32_t word = nodes->inside[i];
        uint32_t block = chain_block(word);
        size_t count = chain_count(word);
        if (chain_is_run(word)) {
            const uint32_t begin = run_begin(next, word);
            count += (size_t)(block - begin) * BLOCK_SLOTS;
            block = begin;
        }
        for (; block != NONE; block = chain_is_run(word) ? NONE : next[block]) {
            if (splits) {
                listed += add_split_span(list, ids[block].id, count);
            } else {
                add_span(list, ids[block].id, count);
            }
            accepted += count;
            count = BLOCK_SLOTS;
        }
    }
    walk->stats.items_accepted += accepted;
    return splits ? listed : accepted;
}

// Never inlined, so that the loop over the chains keeps its registers.
ACRE_NEVER_INLINE static void span_chains(query_walk *walk)
{
    walk_spans *const out = walk->spans;
    const bool splits = walk->except != NONE && has_item(walk->tree, walk->except);
    const size_t room = out->count < out->capacity ? out->capacity - out->count : 0;
    span_list list = {.next = room > 0 ? out->spans + out->count : NULL, .room = room};
    if (splits) {
        list.all_ids = walk->tree->ids->id;
        list.excepted = walk->tree->locations[walk->except];
        out->items_in_tree += list_spans(walk, &list, true);
    } else {
        out->items_in_tree += list_spans(walk, &list, false);
    }
    const size_t added = room - list.room + list.beyond;
    out->last_was_copied &= added == 0;
    out->count += added;
}

// Accepts a chain of which all items are found: a run in memory order, others in chain order.
static void accept_chain(query_walk *walk, uint32_t word)
{
    const acre_quadtree *const tree = walk->tree;
    uint32_t block = chain_block(word), count = chain_count(word);
    if (chain_is_run(word)) {
        for (uint32_t i = run_begin(tree->next, word); i < block; i++) {
            accept_ids(walk, tree->ids[i].id, BLOCK_SLOTS);
        }
        accept_ids(walk, tree->ids[block].id, count);
        return;
    }
    for (; block != NONE; block = tree->next[block], count = BLOCK_SLOTS) {
        accept_ids(walk, tree->ids[block].id, count);
    }
}

static void accept_nodes(query_walk *walk)
{
    if (walk->spans && !walk->layers) {
        span_chains(walk);
        return;
    }
    uint32_t i = walk->only_copies && !walk->layers ? copy_inside_chains(walk) : 0;
    for (; i < walk->nodes->inside_count && !walk->is_stopped; i++) {
        accept_chain(walk, walk->nodes->inside[i]);
    }
}

// Processes the nodes listed so far: copies the items of those inside, tests those of the others.
static void finish_nodes(query_walk *walk)
{
    const acre_quadtree *const tree = walk->tree;
    node_lists *const nodes = walk->nodes;
    const uint32_t most_listed = walk->stops_when_full ? 0 : MOST_LISTED;
    chain_position position = {.node = 0, .block = NONE};
    for (uint32_t i = 0; i < NODES_AHEAD && i < nodes->intersecting_count; i++) {
        prefetch_line(tree->headers[chain_block(nodes->intersecting[i])].bounds.row[0]);
        prefetch_line(tree->headers[chain_block(nodes->intersecting[i])].bounds.row[4]);
    }
    accept_nodes(walk);
    while (position.node < nodes->intersecting_count && !walk->is_stopped) {
        walk->kernel->visit_chains(walk->volume, tree, nodes, most_listed, &position, walk->groups);
        finish_groups(walk);
    }
    nodes->inside_count = nodes->intersecting_count = 0;
}

// Whether what is left at the end of a portion is left to the caller.
static bool leaves_rest(query_walk *walk, const node_lists *nodes)
{
    return walk->visit && walk->visit->rest && walk->tree->tasks.worker_count > 1 &&
           !walk->is_undivided && acre_leave_rest(walk, nodes);
}

void acre_walk(query_walk *walk, node_lists *nodes)
{
    ACRE_INVARIANT(walk->volume && walk->kernel);
    ACRE_INVARIANT(!walk->spans || !walk->visit); // results go to one of them, or to the array
    group_lists group_room;                       // not zeroed: most queries use little of it
    quad_descent descent = {
        .quads = walk->tree->quads,
        .cold = walk->tree->cold,
        .layers = walk->layers,
        // A walk that may stop early processes the lists after each quad.
        .most_listed = walk->stops_when_full || visits_items(walk) ? 0 : portion_nodes(walk),
        .quads_left = SIZE_MAX,
    };
    walk->nodes = nodes;
    walk->groups = &group_room;
    walk->only_copies = !walk->spans && !walk->visit && !walk->stops_when_full;
    group_room.inside_count = group_room.intersecting_count = 0;
    do {
        walk->kernel->descend(walk->volume, &descent, nodes);
        finish_nodes(walk);
    } while (nodes->stack_count > 0 && !walk->is_stopped && --walk->portions > 0 &&
             !leaves_rest(walk, nodes));
    walk->stats.nodes_tested += descent.nodes_tested;
    walk->nodes = NULL;
    walk->groups = NULL;
}

void acre_list_chain(node_lists *nodes, uint32_t word, uint32_t mask)
{
    ACRE_INVARIANT(nodes->inside_count < LISTED_NODES + LIST_STEP &&
                   nodes->intersecting_count < LISTED_NODES + LIST_STEP);
    nodes->intersecting[nodes->intersecting_count] = nodes->inside[nodes->inside_count] = word;
    nodes->intersecting_masks[nodes->intersecting_count] = mask;
    nodes->intersecting_count += word && mask;
    nodes->inside_count += word && !mask;
}

void acre_begin_walk(const acre_quadtree *tree, node_lists *nodes, uint32_t mask)
{
    const quad *const top = &tree->quads[0];
    // If the root has children and no items of its own, testing them says as much as testing it.
    nodes->stack[0] = top->items[ROOT_NODE] ? 0 : top->child[ROOT_NODE];
    nodes->stack_masks[0] = mask;
    nodes->stack_count = 1;
    nodes->intersecting_count = nodes->inside_count = 0;
    acre_list_chain(nodes, tree->quads[0].items[OUTLIER_NODE], mask);
}

// The deepest node whose cell holds the middle of a box. NONE: the middle is outside the root.
static uint32_t middle_node(const acre_quadtree *tree, const row_box *box)
{
    const float middle[2] = {box_center(box->row[ROW_X_MIN], box->row[ROW_X_MAX]),
                             box_center(box->row[ROW_Z_MIN], box->row[ROW_Z_MAX])};
    const cell root = node_cell(tree, ROOT_NODE);
    const int32_t x = grid_index(&tree->grid, 0, middle[0]);
    const int32_t z = grid_index(&tree->grid, 1, middle[1]);
    if (!cell_holds(&root, x, z)) {
        return NONE;
    }
    const uint32_t east = (uint32_t)x - (uint32_t)root.x, south = (uint32_t)z - (uint32_t)root.z;
    uint32_t node = ROOT_NODE, level = root.level;
    for (uint32_t child; (child = node_child(tree, node)) != 0;) {
        level--;
        node = child * 4 + ((east >> level & 1) | (south >> level & 1) << 1);
    }
    return node;
}

// If any few results will do, most volumes are answered by the cell in their middle, which is found
// without testing nodes. Returns false if that cell did not have enough; then nothing was found.
static bool walk_middle(query_walk *walk, node_lists *nodes, uint32_t mask)
{
    group_lists group_room; // not zeroed, as in acre_walk
    const uint32_t node = middle_node(walk->tree, &walk->volume->box);
    const uint32_t word = node == NONE ? 0 : *node_items(walk->tree, node);
    if (!word) {
        return false;
    }
    group_room.inside_count = group_room.intersecting_count = 0;
    nodes->inside_count = 0;
    nodes->intersecting_count = 1;
    nodes->intersecting[0] = word;
    nodes->intersecting_masks[0] = mask;
    walk->nodes = nodes;
    walk->groups = &group_room;
    walk->only_copies = false;
    finish_nodes(walk);
    walk->nodes = NULL;
    walk->groups = NULL;
    walk->total = walk->is_stopped ? walk->total : 0;
    return walk->is_stopped;
}

void acre_walk_all(query_walk *walk, uint32_t mask)
{
    node_lists nodes; // not zeroed, as in acre_walk
    if (walk->stops_when_full && walk->capacity <= FEW_RESULTS && (mask & MASK_BOX) &&
        walk_middle(walk, &nodes, mask)) {
        return;
    }
    acre_begin_walk(walk->tree, &nodes, mask);
    acre_walk(walk, &nodes);
}
