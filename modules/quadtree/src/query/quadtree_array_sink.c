// SPDX-License-Identifier: MIT
// quadtree_array_sink.c - results written to an array, behind those that are there: the sink of
// queries with an array, and what other sinks that write ids use.
#include "quadtree_walk.h"

#include <string.h>

enum { GROUPS_APART = 8 }; // groups that are tested at once into a local buffer

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
    ACRE_INVARIANT(layers && walk->filter.layers);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t item = from[i];
        to[kept] = item;
        kept += (layers[item] & walk->filter.layers) != 0;
    }
    return kept;
}

// Removes the excepted item, which is there once at most. Returns how many are left. The search
// does not stop at the item, so that compilers vectorize it.
static size_t drop_excepted(const query_walk *walk, uint32_t *ids, size_t count)
{
    size_t at = count;
    for (size_t i = 0; i < count; i++) {
        at = ids[i] == walk->filter.except ? i : at;
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
    const bool drops = walk->filter.except != NONE;
    walk->total += drops ? drop_excepted(walk, walk->items + walk->total, count) : count;
}

void acre_write_ids(query_walk *walk, const uint32_t *ids, uint32_t count)
{
    const size_t room = room_left(walk);
    if (room >= count && count > 0) {
        uint32_t *const end = walk->items + walk->total;
        if (walk->filter.layers) {
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

// ---- groups ----

// Copies groups of the inside list until the next one might not fit. Returns how many.
static uint32_t copy_inside_groups(query_walk *walk, const group_lists *groups)
{
    const size_t room = room_left(walk);
    if (room < GROUP_SLOTS || groups->inside_count == 0) {
        return 0; // perhaps there is no array
    }
    const volume_kernel *const kernel = volume_kernel_of(walk->tree);
    size_t copied = 0;
    const uint32_t count =
        kernel->copy_groups(walk->tree->ids->id, groups, walk->items + walk->total, room, &copied);
    add_written(walk, copied);
    walk->stats.items_accepted += copied;
    return count;
}

static void accept_groups(query_walk *walk, const group_lists *groups)
{
    uint32_t i = walk->filter.layers ? 0 : copy_inside_groups(walk, groups);
    for (; i < groups->inside_count; i++) {
        const uint32_t word = groups->inside[i], count = group_count(word);
        walk->stats.items_accepted += count;
        acre_write_ids(walk, group_ids(walk->tree, group_number(word)), count);
    }
}

// Tests the items of `count` intersecting groups, starting at `first`. Returns how many were found.
static uint32_t select_intersecting(const query_walk *walk, const group_lists *groups,
                                    uint32_t first, uint32_t count, uint32_t *out)
{
    const acre_quadtree *const tree = walk->tree;
    return walk->kernel->select_groups(walk->volume, tree->boxes->groups, tree->ids->id,
                                       groups->intersecting + first,
                                       groups->intersecting_masks + first, count, out);
}

// Tests groups into a local buffer: when there is an exact test, when the output may overflow, or
// when there is none.
static void test_groups_apart(query_walk *walk, const group_lists *groups, uint32_t first,
                              uint32_t count)
{
    ACRE_INVARIANT(count <= GROUPS_APART);
    const acre_frustum_hull *const hull = walk->filter.hull;
    uint32_t selected[(GROUPS_APART + 1) * GROUP_SLOTS], kept = 0;
    const uint32_t found = select_intersecting(walk, groups, first, count, selected);
    for (uint32_t i = 0; hull && i < found; i++) {
        selected[kept] = selected[i];
        kept += acre_passes_hull(walk->tree, hull, selected[i]);
    }
    acre_write_ids(walk, selected, hull ? kept : found);
}

// Tests as many groups per call as are guaranteed to fit the output; one at a time if each portion
// is a group.
static void test_groups(query_walk *walk, group_lists *groups)
{
    const bool is_one_by_one = walk->most_groups == 0;
    const uint32_t most_apart = is_one_by_one ? 1 : GROUPS_APART;
    begin_tests(walk, groups);
    for (uint32_t at = 0, count; at < groups->intersecting_count; at += count) {
        const uint32_t left = groups->intersecting_count - at;
        const size_t fitting = walk->filter.hull ? 0 : room_left(walk) / GROUP_SLOTS;
        if (fitting > 1) { // kernels may write one group more
            uint32_t *const end = walk->items + walk->total;
            count = left < fitting - 1 ? left : (uint32_t)(fitting - 1);
            const uint32_t found = select_intersecting(walk, groups, at, count, end);
            add_written(walk, walk->filter.layers ? keep_layers(walk, end, found, end) : found);
        } else {
            count = left < most_apart ? left : most_apart;
            test_groups_apart(walk, groups, at, count);
            if (is_one_by_one && walk->total >= walk->capacity) {
                return;
            }
        }
    }
}

void acre_write_groups(query_walk *walk, group_lists *groups)
{
    accept_groups(walk, groups);
    test_groups(walk, groups);
}

// ---- the array ----

// Copies chains of the inside list until the next one might not fit. Returns how many.
static uint32_t copy_inside_chains(query_walk *walk, const node_lists *nodes)
{
    const size_t room = room_left(walk);
    if (room < BLOCK_SLOTS) {
        return 0; // perhaps there is no array
    }
    const volume_kernel *const kernel = volume_kernel_of(walk->tree);
    size_t copied = 0;
    const uint32_t count =
        kernel->copy_chains(walk->tree, nodes, walk->items + walk->total, room, &copied);
    add_written(walk, copied);
    walk->stats.items_accepted += copied;
    return count;
}

static void write_nodes(query_walk *walk, const node_lists *nodes)
{
    const uint32_t copied = walk->filter.layers ? 0 : copy_inside_chains(walk, nodes);
    acre_take_chains(walk, nodes, copied, acre_write_ids);
}

const query_sink acre_array_sink = {.take_nodes = write_nodes, .take_groups = acre_write_groups};

// ---- the array that is to be filled ----

static void stop_when_full(query_walk *walk)
{
    walk->is_stopped = walk->total >= walk->capacity;
}

static void fill_from_block(query_walk *walk, const uint32_t *ids, uint32_t count)
{
    acre_write_ids(walk, ids, count);
    stop_when_full(walk);
}

static void fill_from_nodes(query_walk *walk, const node_lists *nodes)
{
    acre_take_chains(walk, nodes, 0, fill_from_block);
}

static void fill_from_groups(query_walk *walk, group_lists *groups)
{
    acre_write_groups(walk, groups);
    stop_when_full(walk);
}

const query_sink acre_first_array_sink = {
    .take_nodes = fill_from_nodes, .take_groups = fill_from_groups, .stops_when_full = true};
