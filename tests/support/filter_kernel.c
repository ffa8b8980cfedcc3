// SPDX-License-Identifier: MIT
// filter_kernel.c - the kernel asks the tree's own, and then the filter. What is wholly inside the
// volume is listed with what intersects it, with no part of the volume left in its mask: so sinks
// have it tested, too.
#include "filter_kernel.h"

// A volume that knows the rest, too: kernels receive a pointer to it.
typedef struct filtered_volume {
    query_volume volume; // first
    const query_kernel *kernel;
    const filtered_walk *of;
} filtered_volume;

static const filtered_volume *filtered(const query_volume *volume)
{
    return (const filtered_volume *)(const void *)volume;
}

// ---- order ----

// The lanes of a set, nearest first.
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

// Up to four rows of a list: chains, quads or groups, and their masks.
typedef struct rows {
    uint32_t count;
    uint32_t words[4], masks[4];
} rows;

// Takes rows off the end of a list, down to `begin`. masks NULL: nothing is left to test.
static void take_rows(const uint32_t *words, const uint32_t *masks, uint32_t begin, uint32_t *end,
                      rows *out)
{
    for (; *end > begin && out->count < 4; out->count++) {
        --*end;
        out->words[out->count] = words[*end];
        out->masks[out->count] = masks ? masks[*end] : 0;
    }
    ACRE_INVARIANT(*end == begin);
}

// Puts the row with a word at the end of a list, if there is one.
static void put_row(const rows *from, uint32_t word, uint32_t *words, uint32_t *masks,
                    uint32_t *end)
{
    for (uint32_t i = 0; i < from->count; i++) {
        if (from->words[i] == word) {
            words[*end] = word;
            masks[(*end)++] = from->masks[i];
        }
    }
}

// Lists as intersecting what was listed before as inside.
static void list_outliers(node_lists *nodes)
{
    ACRE_INVARIANT(nodes->inside_count <= 1);
    while (nodes->inside_count > 0) {
        nodes->intersecting[nodes->intersecting_count] = nodes->inside[--nodes->inside_count];
        nodes->intersecting_masks[nodes->intersecting_count++] = 0;
    }
}

// Takes one quad off the stack. Lists and stacks those of its nodes that the filter keeps.
static void descend_filtered(const query_volume *volume, quad_descent *descent, node_lists *nodes)
{
    const filtered_walk *const of = filtered(volume)->of;
    ACRE_INVARIANT(nodes->stack_count > 0);
    list_outliers(nodes);
    const uint32_t q = nodes->stack[nodes->stack_count - 1];
    const quad *const siblings = &descent->quads[q];
    const node_ends before = get_ends(nodes);
    uint32_t set = wanted_siblings(descent->cold, descent->layers, q);
    set = set ? of->filter.keep_boxes(of->filter.user, &siblings->bounds, set) : 0;
    descent->quads_left = 1;
    filtered(volume)->kernel->descend(volume, descent, nodes);
    rows chains = {.count = 0}, quads = {.count = 0};
    take_rows(nodes->inside, NULL, before.inside, &nodes->inside_count, &chains);
    take_rows(nodes->intersecting, nodes->intersecting_masks, before.intersecting,
              &nodes->intersecting_count, &chains);
    take_rows(nodes->stack, nodes->stack_masks, before.stack - 1, &nodes->stack_count, &quads);
    const lane_order order = order_lanes(of->near_to, &siblings->bounds, set);
    for (uint32_t i = 0; i < order.count; i++) {
        put_row(&chains, siblings->items[order.lanes[i]], nodes->intersecting,
                nodes->intersecting_masks, &nodes->intersecting_count);
        // The nearest child comes last: it is taken off first.
        put_row(&quads, siblings->child[order.lanes[order.count - 1 - i]], nodes->stack,
                nodes->stack_masks, &nodes->stack_count);
    }
}

// ---- groups and items ----

// Lists groups of one block, near ones first. The next call comes when their items were asked.
static void visit_chains_filtered(const query_volume *volume, const acre_quadtree *tree,
                                  const node_lists *nodes, uint32_t most_listed,
                                  chain_position *position, group_lists *groups)
{
    const filtered_walk *const of = filtered(volume)->of;
    (void)most_listed;
    ACRE_INVARIANT(groups->inside_count == 0 && groups->intersecting_count == 0);
    filtered(volume)->kernel->visit_chains(volume, tree, nodes, 0, position, groups);
    rows listed = {.count = 0};
    take_rows(groups->inside, NULL, 0, &groups->inside_count, &listed);
    take_rows(groups->intersecting, groups->intersecting_masks, 0, &groups->intersecting_count,
              &listed);
    if (listed.count == 0) {
        return;
    }
    const uint32_t block = group_number(listed.words[0]) / BLOCK_GROUPS;
    const four_boxes *const bounds = &tree->headers[block].bounds;
    uint32_t words[BLOCK_GROUPS] = {0}, set = 0;
    for (uint32_t i = 0; i < listed.count; i++) {
        const uint32_t lane = group_number(listed.words[i]) % BLOCK_GROUPS;
        words[lane] = listed.words[i];
        set |= UINT32_C(1) << lane;
    }
    set = of->filter.keep_boxes(of->filter.user, bounds, set);
    const lane_order order = order_lanes(of->near_to, bounds, set);
    for (uint32_t i = 0; i < order.count; i++) {
        put_row(&listed, words[order.lanes[i]], groups->intersecting, groups->intersecting_masks,
                &groups->intersecting_count);
    }
}

// The results of a group. mask 0: all of its items are inside.
static uint32_t slots_of(const query_volume *volume, const item_group *groups, const uint32_t *ids,
                         uint32_t word, uint32_t mask)
{
    const filtered_walk *const of = filtered(volume)->of;
    const size_t group = group_number(word);
    uint32_t found = present_slots(group_count(word));
    if (mask) {
        const uint32_t words[1 + GROUPS_AHEAD] = {word};
        filtered(volume)->kernel->select_slots(volume, groups, ids, words, &mask, 1, &found);
    }
    found = acre_filter_slots(&of->walk, group, found, mask != 0);
    return found ? of->filter.keep_items(of->filter.user, &groups[group], found) : 0;
}

static void select_slots_filtered(const query_volume *volume, const item_group *groups,
                                  const uint32_t *ids, const uint32_t *words, const uint32_t *masks,
                                  uint32_t count, uint32_t *found)
{
    for (uint32_t i = 0; i < count; i++) {
        found[i] = slots_of(volume, groups, ids, words[i], masks[i]);
    }
}

static uint32_t select_filtered(const query_volume *volume, const item_group *groups,
                                const uint32_t *ids, const uint32_t *words, const uint32_t *masks,
                                uint32_t count, uint32_t *out)
{
    uint32_t written = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t found = slots_of(volume, groups, ids, words[i], masks[i]);
        while (found) {
            out[written++] = ids[group_number(words[i]) * GROUP_SLOTS + take_lowest(&found)];
        }
    }
    return written;
}

static const query_kernel filter_kernel = {descend_filtered, visit_chains_filtered, select_filtered,
                                           select_slots_filtered};

// ---- the walk ----

static void walk_filtered(query_walk *walk, uint32_t mask)
{
    const filtered_volume volume = {*walk->volume, walk->kernel,
                                    (const filtered_walk *)(const void *)walk};
    walk->volume = &volume.volume;
    walk->kernel = &filter_kernel;
    walk->most_nodes = PORTION_NODES;
    acre_walk_all(walk, mask);
    walk->volume = NULL; // it lives here
}

void run_filtered(filtered_walk *run, const acre_query *query)
{
    acre_run_query(&run->walk, query, walk_filtered);
}
