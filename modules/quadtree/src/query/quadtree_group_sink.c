// SPDX-License-Identifier: MIT
// quadtree_group_sink.c - results passed to a visitor of groups, with the boxes as the tree stores
// them; and what of a large visit is left for several threads.
#include "quadtree_walk.h"

#include "tasks_internal.h"

// A visit of less than a share's least, divided by this, goes on alone.
enum { SERIAL_SHARE = 3 };
enum { GROUPS_FETCHED = 8 }; // groups whose boxes are prefetched for a visitor

static_assert(GROUP_SLOTS == ACRE_GROUP_ITEMS && ROW_X_MIN == 0 && ROW_X_MAX == 1 &&
                  ROW_Y_MIN == 2 && ROW_Y_MAX == 3 && ROW_Z_MIN == 4 && ROW_Z_MAX == 5,
              "rows as acre_item_group has them");

static void show_items(query_walk *walk, size_t group, uint32_t found)
{
    const item_group *const groups = walk->tree->boxes->groups; // of all blocks
    group_receiver *const out = walk->receiver;
    if (found && !walk->is_stopped) {
        const acre_item_group shown = {group_ids(walk->tree, group), groups[group].row[0], found};
        out->visited += count_bits(found);
        walk->is_stopped = !out->visit(out->user, &shown);
    }
}

// Visits the first items of a group, which are not tested.
static void show_untested(query_walk *walk, size_t group, uint32_t count)
{
    show_items(walk, group, acre_filter_slots(walk, group, present_slots(count), false));
}

static void show_block(query_walk *walk, const uint32_t *ids, uint32_t count)
{
    const size_t first = (size_t)(ids - walk->tree->ids->id) / GROUP_SLOTS;
    for (uint32_t i = 0; i < count; i += GROUP_SLOTS) {
        show_untested(walk, first + i / GROUP_SLOTS, count - i);
    }
}

static void show_nodes(query_walk *walk, const node_lists *nodes)
{
    acre_take_chains(walk, nodes, 0, show_block);
}

// What a visitor reads that tests boxes on the ground; few test heights.
static void prefetch_ground(const acre_quadtree *tree, uint32_t word)
{
    const item_group *const groups = tree->boxes->groups; // of all blocks
    const item_group *const boxes = &groups[group_number(word)];
    prefetch_line(boxes->row[ROW_X_MIN]);
    prefetch_line(boxes->row[ROW_X_MAX]);
    prefetch_line(boxes->row[ROW_Z_MIN]);
    prefetch_line(boxes->row[ROW_Z_MAX]);
    prefetch_line(group_ids(tree, group_number(word)));
}

static void show_whole_groups(query_walk *walk, const group_lists *groups)
{
    for (uint32_t i = 0; i < GROUPS_FETCHED && i < groups->intersecting_count; i++) {
        prefetch_ground(walk->tree, groups->intersecting[i]);
    }
    for (uint32_t i = 0; i < groups->intersecting_count; i++) {
        const uint32_t word = groups->intersecting[i], ahead = i + GROUPS_FETCHED;
        if (ahead < groups->intersecting_count) {
            prefetch_ground(walk->tree, groups->intersecting[ahead]);
        }
        walk->stats.items_accepted += group_count(word);
        show_untested(walk, group_number(word), group_count(word));
    }
}

static void show_tested_groups(query_walk *walk, group_lists *groups)
{
    const acre_quadtree *const tree = walk->tree;
    uint32_t found[LISTED_GROUPS];
    begin_tests(walk, groups);
    walk->kernel->select_slots(walk->volume, tree->boxes->groups, tree->ids->id,
                               groups->intersecting, groups->intersecting_masks,
                               groups->intersecting_count, found);
    for (uint32_t i = 0; i < groups->intersecting_count; i++) {
        const size_t group = group_number(groups->intersecting[i]);
        show_items(walk, group, acre_filter_slots(walk, group, found[i], true));
    }
}

// Those inside, then the others.
static void show_groups(query_walk *walk, group_lists *groups)
{
    const group_receiver *const out = walk->receiver;
    for (uint32_t i = 0; i < groups->inside_count; i++) {
        const uint32_t word = groups->inside[i], count = group_count(word);
        walk->stats.items_accepted += count;
        show_untested(walk, group_number(word), count);
    }
    if (out->takes_whole_groups) {
        show_whole_groups(walk, groups);
    } else {
        show_tested_groups(walk, groups);
    }
}

const query_sink acre_group_sink = {.take_nodes = show_nodes, .take_groups = show_groups};

// ---- a visit that may be divided ----

// Cuts what is left into pieces and stops, if it is worth dividing. It is now or never.
static void leave_rest(query_walk *walk, const node_lists *nodes)
{
    const acre_tasks *const tasks = &walk->tree->tasks;
    const group_receiver *const out = walk->receiver;
    ACRE_INVARIANT(out->rest && out->rest->count == 0 && nodes->stack_count > 0);
    const size_t visited = walk->stats.items_accepted + walk->stats.items_tested;
    if (visited < out->least / SERIAL_SHARE && !tasks->divides_small_calls) {
        return;
    }
    walk->sink = &acre_group_sink;
    acre_cut_walk(walk, nodes, out->rest);
    if (out->rest->count < 2 ||
        share_count_for(tasks, out->rest->inside + out->rest->tested, out->least) < 2) {
        out->rest->count = 0;
    }
    walk->is_stopped = out->rest->count > 0;
}

const query_sink acre_first_group_sink = {
    .take_nodes = show_nodes, .take_groups = show_groups, .end_portion = leave_rest};
