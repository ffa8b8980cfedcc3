// SPDX-License-Identifier: MIT
// quadtree_walk.c - the walk: from the root down, planes dropped on the way, items written out.
//
// Kernels list what they see; nodes come first, then the groups of the blocks that planes cut, then
// the items of the groups that are cut. The order of results follows from the lists' lengths alone
// and is the same for all kernels: outliers first, then quads depth first, in portions; of each
// portion the nodes inside, the groups inside, and the items tested.
#include "quadtree_walk.h"

#include <string.h>

enum { GROUPS_APART = 8 }; // that are tested at once where they have no room in the caller's array

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

static size_t room_left(const query_walk *walk)
{
    return walk->total < walk->capacity ? walk->capacity - walk->total : 0;
}

// Keeps those items that are in a layer that is asked for; which ones nobody can guess, so without
// a branch. to may be from.
static uint32_t keep_layers(const query_walk *walk, const uint32_t *from, uint32_t count,
                            uint32_t *to)
{
    const uint32_t *const layers = walk->tree->layers;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t item = from[i];
        to[kept] = item;
        kept += (layers[item] & walk->layers) != 0;
    }
    return kept;
}

// Writes out ids that passed the volume; layers are asked here.
static void emit_ids(query_walk *walk, const uint32_t *ids, uint32_t count)
{
    const size_t room = room_left(walk);
    if (room >= count && count > 0) {
        uint32_t *const end = walk->items + walk->total;
        if (walk->layers) {
            walk->total += keep_layers(walk, ids, count, end);
        } else {
            memcpy(end, ids, count * sizeof *ids);
            walk->total += count;
        }
        return;
    }
    if (!walk->layers) {
        for (uint32_t i = 0; i < room && i < count; i++) {
            walk->items[walk->total + i] = ids[i];
        }
        walk->total += count;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (walk->tree->layers[ids[i]] & walk->layers) {
            if (walk->total < walk->capacity) {
                walk->items[walk->total] = ids[i];
            }
            walk->total++;
        }
    }
}

// Hands results to the visitor, unless it wants no more.
static void hand_over(query_walk *walk, const uint32_t *ids, size_t count)
{
    if (count > 0 && !walk->is_stopped) {
        walk->handed += count;
        walk->is_stopped = !walk->visit(walk->visitor, ids, count);
    }
}

// What was copied from a position on, as far as there was room: lengthens the last span if that is
// of copies, too.
static void point_to_copies(query_walk *walk, size_t begin)
{
    const size_t end = walk->total < walk->capacity ? walk->total : walk->capacity;
    if (walk->total == begin) {
        return;
    }
    if (!walk->last_was_copied) {
        if (walk->span_count < walk->span_capacity) {
            uint32_t *const items = begin < end ? walk->items + begin : NULL;
            walk->spans[walk->span_count] = (acre_item_span){items, 0};
        }
        walk->span_count++;
        walk->last_was_copied = true;
    }
    if (begin < end && walk->span_count <= walk->span_capacity) {
        walk->spans[walk->span_count - 1].count += end - begin;
    }
}

// What a span query or a visitor does with the items that were copied from a position on.
static void pass_on(query_walk *walk, size_t begin)
{
    if (walk->wants_spans) {
        point_to_copies(walk, begin);
    } else if (walk->visit) {
        hand_over(walk, walk->items, walk->total);
        walk->total = 0;
    } else if (walk->stops_when_full) {
        walk->is_stopped = walk->total >= walk->capacity;
    }
}

static_assert(GROUP_SLOTS == ACRE_GROUP_ITEMS && ROW_X_MIN == 0 && ROW_X_MAX == 1 &&
                  ROW_Y_MIN == 2 && ROW_Y_MAX == 3 && ROW_Z_MIN == 4 && ROW_Z_MAX == 5,
              "rows as acre_item_group has them");

// Shows the visitor those items of a group whose bits are set and that are in the layers.
static void show_group(query_walk *walk, size_t group, uint32_t found)
{
    const item_group *const groups = walk->tree->boxes->groups; // of all blocks, in a row
    const uint32_t *const all_ids = walk->tree->ids->id, *const ids = all_ids + group * GROUP_SLOTS;
    for (uint32_t i = 0; walk->layers && i < GROUP_SLOTS; i++) {
        if ((found >> i & 1) && !(walk->tree->layers[ids[i]] & walk->layers)) {
            found &= ~(UINT32_C(1) << i);
        }
    }
    if (found && !walk->is_stopped) {
        const acre_item_group shown = {ids, groups[group].row[0], found};
        for (uint32_t bits = found; bits; bits &= bits - 1) {
            walk->handed++;
        }
        walk->is_stopped = !walk->visit_group(walk->visitor, &shown);
    }
}

static uint32_t first_lanes(uint32_t count)
{
    return count < GROUP_SLOTS ? (UINT32_C(1) << count) - 1 : (UINT32_C(1) << GROUP_SLOTS) - 1;
}

static void show_ids(query_walk *walk, const uint32_t *ids, uint32_t count)
{
    const size_t first = (size_t)(ids - walk->tree->ids->id) / GROUP_SLOTS;
    for (uint32_t i = 0; i < count; i += GROUP_SLOTS) {
        show_group(walk, first + i / GROUP_SLOTS, first_lanes(count - i));
    }
}

// The ids found in the cut groups, in their order, tell which of each group's lanes they are.
static void show_cut_groups(query_walk *walk)
{
    const group_lists *const groups = walk->groups;
    const uint32_t *const all_ids = walk->tree->ids->id, *next = walk->items;
    walk->items[walk->total] = NONE; // there is room for one more than all of their items
    for (uint32_t i = 0; i < groups->cut_count; i++) {
        const size_t group = group_number(groups->cut[i]);
        const uint32_t *const ids = all_ids + group * GROUP_SLOTS;
        uint32_t found = 0;
        for (uint32_t lane = 0; lane < group_count(groups->cut[i]); lane++) {
            const uint32_t is_found = ids[lane] == *next;
            found |= is_found << lane;
            next += is_found;
        }
        show_group(walk, group, found);
    }
    walk->total = 0;
}

// Ids that are all found: copied, pointed to, or handed over where they stand.
static void take_ids(query_walk *walk, const uint32_t *ids, uint32_t count)
{
    walk->stats.items_accepted += count;
    if (walk->only_copies) {
        emit_ids(walk, ids, count);
    } else if (walk->visit_group) {
        show_ids(walk, ids, count);
    } else if (walk->visit && !walk->layers) {
        hand_over(walk, ids, count);
    } else {
        const size_t begin = walk->total;
        emit_ids(walk, ids, count);
        pass_on(walk, begin);
    }
}

// Copies groups of the inside list until one may not find room. Returns how many.
static uint32_t copy_groups(query_walk *walk)
{
    const size_t room = room_left(walk);
    if (room < GROUP_SLOTS || walk->groups->inside_count == 0) {
        return 0; // perhaps there is no array
    }
    const volume_kernel *const kernel = volume_kernel_of(walk->tree);
    size_t copied = 0;
    const uint32_t count = kernel->copy_groups(walk->tree->ids->id, walk->groups,
                                               walk->items + walk->total, room, &copied);
    walk->total += copied;
    walk->stats.items_accepted += copied;
    return count;
}

// Groups are too small to point to: they are copied, also for spans.
static void take_groups(query_walk *walk)
{
    const group_lists *const groups = walk->groups;
    const uint32_t *const ids = walk->tree->ids->id;
    uint32_t i = walk->visit_group || walk->layers ? 0 : copy_groups(walk);
    for (; i < groups->inside_count; i++) {
        const uint32_t word = groups->inside[i], count = group_count(word);
        walk->stats.items_accepted += count;
        if (walk->visit_group) {
            show_group(walk, group_number(word), first_lanes(count));
        } else {
            emit_ids(walk, ids + (size_t)group_number(word) * GROUP_SLOTS, count);
        }
    }
}

// Of some listed groups that are cut, from one on, the items that the volume does not exclude.
static uint32_t select_cut(const query_walk *walk, uint32_t first, uint32_t count, uint32_t *out)
{
    const acre_quadtree *const tree = walk->tree;
    const group_lists *const groups = walk->groups;
    return walk->kernel->select_groups(walk->volume, tree->boxes->groups, tree->ids->id,
                                       groups->cut + first, groups->cut_masks + first, count, out);
}

// Groups apart from the caller's array: where more is asked than the volume, where room may end, or
// where there is none.
static void test_groups_apart(query_walk *walk, uint32_t first, uint32_t count)
{
    uint32_t selected[(GROUPS_APART + 1) * GROUP_SLOTS], kept = 0;
    const uint32_t found = select_cut(walk, first, count, selected);
    for (uint32_t i = 0; walk->hull && i < found; i++) {
        selected[kept] = selected[i];
        kept += acre_passes_hull(walk->tree, walk->hull, selected[i]);
    }
    emit_ids(walk, selected, walk->hull ? kept : found);
}

// As many groups at a time as there is room for all items of; where a full array ends the walk, and
// it may be, one.
static void test_groups(query_walk *walk)
{
    group_lists *const groups = walk->groups;
    for (uint32_t i = 0; i < groups->cut_count; i++) {
        walk->stats.items_tested += group_count(groups->cut[i]);
    }
    for (uint32_t i = 0; i < GROUPS_AHEAD; i++) {
        groups->cut[groups->cut_count + i] = 0;
    }
    const uint32_t most_apart = walk->stops_when_full ? 1 : GROUPS_APART;
    for (uint32_t at = 0, count; at < groups->cut_count; at += count) {
        const uint32_t left = groups->cut_count - at;
        const size_t fitting = walk->hull ? 0 : room_left(walk) / GROUP_SLOTS;
        if (fitting > 1) { // one is written beyond the last
            uint32_t *const end = walk->items + walk->total;
            count = left < fitting - 1 ? left : (uint32_t)(fitting - 1);
            const uint32_t found = select_cut(walk, at, count, end);
            walk->total += walk->layers ? keep_layers(walk, end, found, end) : found;
        } else {
            count = left < most_apart ? left : most_apart;
            test_groups_apart(walk, at, count);
            if (walk->stops_when_full && walk->total >= walk->capacity) {
                return;
            }
        }
    }
}

static void finish_groups(query_walk *walk)
{
    if (walk->groups->inside_count + walk->groups->cut_count == 0) {
        return; // perhaps there is no block at all
    }
    const size_t begin = walk->total;
    take_groups(walk);
    test_groups(walk);
    if (walk->visit_group) {
        show_cut_groups(walk);
    } else {
        pass_on(walk, begin);
    }
    walk->groups->inside_count = walk->groups->cut_count = 0;
}

// Copies chains of the inside list until one may not find room. Returns how many.
static uint32_t copy_chains(query_walk *walk)
{
    const size_t room = room_left(walk);
    if (room < BLOCK_SLOTS || walk->nodes->inside_count == 0) {
        return 0; // perhaps there is no array
    }
    const volume_kernel *const kernel = volume_kernel_of(walk->tree);
    size_t copied = 0;
    const uint32_t count =
        kernel->copy_chains(walk->tree, walk->nodes, walk->items + walk->total, room, &copied);
    walk->total += copied;
    walk->stats.items_accepted += copied;
    return count;
}

// Where spans of what stays in the tree go; how many find room, and how many did not.
typedef struct span_list {
    acre_item_span *next;
    size_t room, beyond;
} span_list;

static inline void point_to(span_list *list, const uint32_t *ids, size_t count)
{
    if (list->room > 0) {
        *list->next++ = (acre_item_span){ids, count};
        list->room--;
    } else {
        list->beyond++;
    }
}

// Points to the chains of the inside list where they stand: to a run as a whole, to others block by
// block.
static void point_to_chains(query_walk *walk)
{
    const block_ids *const ids = walk->tree->ids;
    const uint32_t *const next = walk->tree->next;
    const node_lists *const nodes = walk->nodes;
    const size_t before = walk->span_count;
    const size_t room = before < walk->span_capacity ? walk->span_capacity - before : 0;
    span_list list = {room > 0 ? walk->spans + before : NULL, room, 0};
    size_t spanned = 0;
    for (uint32_t i = 0; i < nodes->inside_count; i++) {
        const uint32_t word = nodes->inside[i];
        uint32_t block = chain_block(word);
        size_t count = chain_count(word);
        if (chain_is_run(word)) {
            const uint32_t begin = run_begin(next, word);
            count += (size_t)(block - begin) * BLOCK_SLOTS;
            point_to(&list, ids[begin].id, count);
            spanned += count;
            continue;
        }
        for (; block != NONE; block = next[block], count = BLOCK_SLOTS) {
            point_to(&list, ids[block].id, count);
            spanned += count;
        }
    }
    walk->last_was_copied &= nodes->inside_count == 0;
    walk->span_count += room - list.room + list.beyond;
    walk->spanned += spanned;
    walk->stats.items_accepted += spanned;
}

// A chain of which all is found, in the order of chain words.
static void take_chain(query_walk *walk, uint32_t word)
{
    const acre_quadtree *const tree = walk->tree;
    uint32_t block = chain_block(word), count = chain_count(word);
    if (chain_is_run(word)) {
        for (uint32_t i = run_begin(tree->next, word); i < block; i++) {
            take_ids(walk, tree->ids[i].id, BLOCK_SLOTS);
        }
        take_ids(walk, tree->ids[block].id, count);
        return;
    }
    for (; block != NONE; block = tree->next[block], count = BLOCK_SLOTS) {
        take_ids(walk, tree->ids[block].id, count);
    }
}

static void take_nodes(query_walk *walk)
{
    if (walk->wants_spans && !walk->layers) {
        point_to_chains(walk);
        return;
    }
    uint32_t i = walk->only_copies && !walk->layers ? copy_chains(walk) : 0;
    for (; i < walk->nodes->inside_count && !walk->is_stopped; i++) {
        take_chain(walk, walk->nodes->inside[i]);
    }
}

// The items of the nodes listed so far.
static void finish_nodes(query_walk *walk)
{
    const acre_quadtree *const tree = walk->tree;
    node_lists *const nodes = walk->nodes;
    const uint32_t most_listed = walk->stops_when_full ? 0 : MOST_LISTED;
    chain_place place = {.node = 0, .block = NONE};
    for (uint32_t i = 0; i < NODES_AHEAD && i < nodes->cut_count; i++) {
        prefetch_line(tree->headers[chain_block(nodes->cut[i])].bounds.row[0]);
        prefetch_line(tree->headers[chain_block(nodes->cut[i])].bounds.row[4]);
    }
    take_nodes(walk);
    while (place.node < nodes->cut_count && !walk->is_stopped) {
        walk->kernel->visit_chains(walk->volume, tree, nodes, most_listed, &place, walk->groups);
        finish_groups(walk);
    }
    nodes->inside_count = nodes->cut_count = 0;
}

uint32_t acre_wanted_siblings(const query_walk *walk, uint32_t q)
{
    return wanted_siblings(walk->tree->cold, walk->layers, q);
}

void acre_walk(query_walk *walk, node_lists *nodes)
{
    group_lists group_room; // not zeroed: most queries need little of it
    quad_walk way = {
        .quads = walk->tree->quads,
        .cold = walk->tree->cold,
        .layers = walk->layers,
        // A walk that may stop early works the lists off after each quad.
        .most_listed = walk->stops_when_full || walk->visit ? 0 : LISTED_NODES - 4,
        .quads_left = walk->budget > 0 ? walk->budget / 4 + 1 : SIZE_MAX,
    };
    walk->nodes = nodes;
    walk->groups = &group_room;
    walk->only_copies =
        !walk->wants_spans && !walk->visit && !walk->visit_group && !walk->stops_when_full;
    group_room.inside_count = group_room.cut_count = 0;
    do {
        walk->kernel->descend(walk->volume, &way, nodes);
        finish_nodes(walk);
    } while (nodes->stack_count > 0 && !walk->is_stopped && way.quads_left > 0);
    walk->stats.nodes_tested += way.nodes_tested;
    walk->nodes = NULL;
    walk->groups = NULL;
}

void acre_list_chain(node_lists *nodes, uint32_t word, uint32_t mask)
{
    nodes->cut[nodes->cut_count] = nodes->inside[nodes->inside_count] = word;
    nodes->cut_masks[nodes->cut_count] = mask;
    nodes->cut_count += word && mask;
    nodes->inside_count += word && !mask;
}

void acre_begin_walk(const acre_quadtree *tree, node_lists *nodes, uint32_t mask)
{
    const quad *const top = &tree->quads[0];
    // Where the root has children and nothing of its own, asking them says as much as asking it.
    nodes->stack[0] = top->items[ROOT_NODE] ? 0 : top->child[ROOT_NODE];
    nodes->stack_masks[0] = mask;
    nodes->stack_count = 1;
    nodes->cut_count = nodes->inside_count = 0;
    acre_list_chain(nodes, tree->quads[0].items[OUTLIER_NODE], mask);
}

// The deepest node whose cell holds the middle of the volume's box. NONE: outside of the root.
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

// Where any few results will do, most volumes are answered by the cell in their middle, which is
// found without a test of a node. False: nothing was found out.
static bool walk_middle(query_walk *walk, node_lists *nodes, uint32_t mask)
{
    group_lists group_room; // not zeroed, as above
    const uint32_t node = middle_node(walk->tree, &walk->volume->box);
    const uint32_t word = node == NONE ? 0 : *node_items(walk->tree, node);
    if (!word) {
        return false;
    }
    group_room.inside_count = group_room.cut_count = 0;
    nodes->inside_count = 0;
    nodes->cut_count = 1;
    nodes->cut[0] = word;
    nodes->cut_masks[0] = mask;
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
    node_lists nodes; // not zeroed, as above
    if (walk->stops_when_full && walk->capacity <= FEW_RESULTS && (mask & MASK_BOX) &&
        walk_middle(walk, &nodes, mask)) {
        return;
    }
    acre_begin_walk(walk->tree, &nodes, mask);
    acre_walk(walk, &nodes);
}
