// SPDX-License-Identifier: MIT
// quadtree_filter.c - what a walk drops of all that its volume leaves: items by layer, by number
// and by separating axes, and boxes by a test that a caller brings.
//
// Sinks that write ids ask for layers and numbers themselves, after the kernel. The test of boxes
// has its one place here: it is asked of siblings when their quad is taken off the stack, of the
// groups of each block, and of the items that have passed all else. So a walk whose near quads come
// first tests far boxes after everything nearer has been kept.
#include "quadtree_walk.h"

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

uint32_t acre_filter_slots(const query_walk *walk, size_t group, uint32_t found, bool is_tested)
{
    const uint32_t *const ids = group_ids(walk->tree, group);
    const acre_frustum_hull *const hull = is_tested ? walk->filter.hull : NULL;
    uint32_t kept = found;
    for (uint32_t left = hull || !walk_takes_all(walk) ? found : 0; left;) {
        const uint32_t slot = take_lowest(&left);
        if (!walk_takes_item(walk, ids[slot]) ||
            (hull && !acre_passes_hull(walk->tree, hull, ids[slot]))) {
            kept &= ~(UINT32_C(1) << slot);
        }
    }
    return kept;
}

// ---- order ----

// The lanes of a set, nearest to a point first; by number without a point.
typedef struct lane_order {
    uint32_t count;
    uint32_t lanes[4];
} lane_order;

static float square_from(const float *point, const row_box *box)
{
    float sum = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        const float below = box->row[axis * 2] - point[axis];
        const float above = point[axis] - box->row[axis * 2 + 1];
        const float gap = below > above ? below : above;
        sum += gap > 0.0f ? gap * gap : 0.0f;
    }
    return sum;
}

static lane_order order_lanes(const float *near_to, const four_boxes *boxes, uint32_t set)
{
    lane_order order = {.count = 0};
    float squares[4];
    while (set) {
        const uint32_t lane = take_lowest(&set);
        const row_box box = lane_box(boxes, lane);
        const float square = near_to ? square_from(near_to, &box) : 0.0f;
        uint32_t at = order.count++;
        for (; at > 0 && squares[at - 1] > square; at--) {
            squares[at] = squares[at - 1];
            order.lanes[at] = order.lanes[at - 1];
        }
        squares[at] = square;
        order.lanes[at] = lane;
    }
    return order;
}

// ---- nodes ----

// The rows that a quad has added to the end of a list.
typedef struct added_rows {
    uint32_t *words;
    uint32_t *masks; // NULL: the list has none
    uint32_t begin;
    uint32_t end;
} added_rows;

// Leaves only the rows whose words are wanted, in the order of those. Returns the list's new end.
static uint32_t arrange_rows(const added_rows *rows, const uint32_t *wanted, uint32_t count)
{
    uint32_t words[4], masks[4], kept = rows->begin;
    const uint32_t added = rows->end - rows->begin;
    ACRE_INVARIANT(added <= 4 && count <= 4);
    for (uint32_t i = 0; i < added; i++) {
        words[i] = rows->words[rows->begin + i];
        masks[i] = rows->masks ? rows->masks[rows->begin + i] : 0;
    }
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t i = 0; i < added; i++) {
            if (words[i] == wanted[k]) {
                rows->words[kept] = words[i];
                if (rows->masks) {
                    rows->masks[kept] = masks[i];
                }
                kept++;
            }
        }
    }
    return kept;
}

void acre_descend_quad(const query_walk *walk, quad_descent *descent, node_lists *nodes)
{
    const node_ends before = get_ends(nodes);
    ACRE_INVARIANT(before.stack > 0);
    const uint32_t q = nodes->stack[before.stack - 1];
    const quad *const siblings = &walk->tree->quads[q];
    const box_filter *const boxes = walk->filter.boxes;
    uint32_t set = wanted_siblings(descent->cold, descent->layers, q);
    set = set && boxes ? boxes->keep_boxes(boxes->user, &siblings->bounds, set) : set;
    if (!set) {
        nodes->stack_count--;
        return;
    }
    descent->quads_left = 1;
    walk->kernel->descend(walk->volume, descent, nodes);
    const lane_order order = order_lanes(walk->near_to, &siblings->bounds, set);
    uint32_t chains[4], children[4]; // the nearest child comes last: it is taken off first
    for (uint32_t i = 0; i < order.count; i++) {
        chains[i] = siblings->items[order.lanes[i]];
        children[order.count - 1 - i] = siblings->child[order.lanes[i]];
    }
    nodes->inside_count =
        arrange_rows(&(added_rows){nodes->inside, NULL, before.inside, nodes->inside_count}, chains,
                     order.count);
    nodes->intersecting_count =
        arrange_rows(&(added_rows){nodes->intersecting, nodes->intersecting_masks,
                                   before.intersecting, nodes->intersecting_count},
                     chains, order.count);
    nodes->stack_count = arrange_rows(
        &(added_rows){nodes->stack, nodes->stack_masks, before.stack - 1, nodes->stack_count},
        children, order.count);
}

// ---- groups and items ----

// Asks of the items of a group, and hands what is left to the sink. word: with the group's items;
// mask 0: all have passed the volume.
static void filter_group(query_walk *walk, uint32_t word, uint32_t mask)
{
    const acre_quadtree *const tree = walk->tree;
    const item_group *const groups = tree->boxes->groups; // of all blocks
    const box_filter *const boxes = walk->filter.boxes;
    const size_t group = group_number(word);
    uint32_t found = present_slots(group_count(word));
    if (mask) {
        const uint32_t words[1 + GROUPS_AHEAD] = {word};
        walk->stats.items_tested += group_count(word);
        walk->kernel->select_slots(walk->volume, groups, tree->ids->id, words, &mask, 1, &found);
    }
    found = acre_filter_slots(walk, group, found, mask != 0);
    found =
        found ? boxes->keep_items(boxes->user, &groups[group], group_ids(tree, group), found) : 0;
    if (found && !walk->is_stopped) {
        walk->sink->take_items(walk, group, found);
    }
}

// Asks of groups of one block, near ones first.
static void filter_block(query_walk *walk, const uint32_t *words, const uint32_t *masks,
                         uint32_t count)
{
    const box_filter *const boxes = walk->filter.boxes;
    const uint32_t block = group_number(words[0]) / BLOCK_GROUPS;
    const four_boxes *const bounds = &walk->tree->headers[block].bounds;
    uint32_t row_of[BLOCK_GROUPS] = {0}, set = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t lane = group_number(words[i]) % BLOCK_GROUPS;
        row_of[lane] = i;
        set |= UINT32_C(1) << lane;
    }
    set = boxes->keep_boxes(boxes->user, bounds, set);
    const lane_order order = order_lanes(walk->near_to, bounds, set);
    for (uint32_t i = 0; i < order.count && !walk->is_stopped; i++) {
        const uint32_t row = row_of[order.lanes[i]];
        filter_group(walk, words[row], masks ? masks[row] : 0);
    }
}

// masks NULL: all groups are inside.
static void filter_listed(query_walk *walk, const uint32_t *words, const uint32_t *masks,
                          uint32_t count)
{
    for (uint32_t first = 0, end; first < count && !walk->is_stopped; first = end) {
        const uint32_t block = group_number(words[first]) / BLOCK_GROUPS;
        for (end = first + 1; end < count && group_number(words[end]) / BLOCK_GROUPS == block;) {
            end++;
        }
        filter_block(walk, words + first, masks ? masks + first : NULL, end - first);
    }
}

static void filter_groups(query_walk *walk, group_lists *groups)
{
    for (uint32_t i = 0; i < groups->inside_count; i++) {
        walk->stats.items_accepted += group_count(groups->inside[i]);
    }
    filter_listed(walk, groups->inside, NULL, groups->inside_count);
    filter_listed(walk, groups->intersecting, groups->intersecting_masks,
                  groups->intersecting_count);
}

static void filter_ids(query_walk *walk, const uint32_t *ids, uint32_t count)
{
    const size_t first = (size_t)(ids - walk->tree->ids->id) / GROUP_SLOTS;
    uint32_t words[BLOCK_GROUPS], listed = 0;
    for (uint32_t left = count; left > 0; listed++) {
        const uint32_t here = left < GROUP_SLOTS ? left : GROUP_SLOTS;
        words[listed] = group_word((uint32_t)first + listed, here);
        left -= here;
    }
    filter_listed(walk, words, NULL, listed);
}

static void filter_nodes(query_walk *walk, const node_lists *nodes)
{
    acre_take_chains(walk, nodes, 0, filter_ids);
}

const query_sink acre_filter_sink = {.take_nodes = filter_nodes, .take_groups = filter_groups};
