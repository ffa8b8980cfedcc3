// SPDX-License-Identifier: MIT
// quadtree_neighbor_groups.c - lists the groups near rows that are searched together.
#include "quadtree_neighboring.h"

#include <math.h>

// A box around the spheres of some rows, with radii of at most `widest`. It reaches beyond
// everything that their tests accept, as acre_prepare_sphere says, and is rounded outward.
static row_box box_around(const neighbor_search *search, uint32_t first, uint32_t end, float widest)
{
    row_box box = {{0}};
    double reach = 0.0;
    for (uint32_t i = first; i < end; i++) {
        const float radius = search->taken[i].place.sphere.radius;
        const float own = radius < widest ? radius : widest;
        reach = (double)own > reach ? (double)own : reach;
    }
    reach += 2.0 * (reach * SHAPE_SLACK_SHARE + LEAST_SLACK);
    for (int axis = 0; axis < 3; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (uint32_t i = first; i < end; i++) {
            const float center = search->taken[i].place.sphere.center[axis];
            low = center < low ? center : low;
            high = center > high ? center : high;
        }
        const double least = (double)low - reach, most = (double)high + reach;
        box.row[axis * 2] = (float)(least - fabs(least) * 0x1p-23 - 0x1p-148);
        box.row[axis * 2 + 1] = (float)(most + fabs(most) * 0x1p-23 + 0x1p-148);
    }
    if (is_on_ground(search)) {
        box.row[ROW_Y_MIN] = -INFINITY;
        box.row[ROW_Y_MAX] = INFINITY;
    }
    return box;
}

// Hands over the groups of the nodes listed so far.
static bool take_groups_of_nodes(neighbor_search *search, node_lists *nodes, take_near_groups take)
{
    group_lists groups;
    chain_position position = {.node = 0, .block = NONE};
    bool goes_on = true;
    for (uint32_t i = 0; i < nodes->inside_count; i++) {
        acre_list_chain(nodes, nodes->inside[i], MASK_BOX);
    }
    while (goes_on && position.node < nodes->intersecting_count) {
        groups.inside_count = groups.intersecting_count = 0;
        search->box->visit_chains(&search->volume, search->tree, nodes, MOST_LISTED, &position,
                                  &groups);
        goes_on = take(search, groups.inside, groups.inside_count) &&
                  take(search, groups.intersecting, groups.intersecting_count);
    }
    nodes->inside_count = nodes->intersecting_count = 0;
    return goes_on;
}

bool acre_walk_near_rows(neighbor_search *search, uint32_t first, uint32_t end, float widest,
                         take_near_groups take)
{
    quad_descent descent = descent_through(search->tree, search->layers, PORTION_NODES);
    node_lists nodes;
    bool goes_on = true;
    search->volume.box = box_around(search, first, end, widest);
    acre_begin_walk(search->tree, &nodes, MASK_BOX);
    do {
        search->box->descend(&search->volume, &descent, &nodes);
        goes_on = take_groups_of_nodes(search, &nodes, take);
    } while (goes_on && nodes.stack_count > 0);
    return goes_on;
}

bool acre_add_near_groups(neighbor_search *search, const uint32_t *words, uint32_t count)
{
    neighbor_task *const task = &search->task;
    const uint32_t room = task->most - task->count, fitting = count < room ? count : room;
    for (uint32_t i = 0; i < fitting; i++) {
        const uint32_t group = group_number(words[i]), at = task->count++;
        const four_boxes *const bounds = &search->tree->headers[group / BLOCK_GROUPS].bounds;
        ACRE_INVARIANT(at < MOST_NEAR_GROUPS);
        task->words[at] = words[i];
        for (int row = 0; row < ROW_COUNT; row++) {
            task->bounds[at / GROUP_SLOTS].row[row][at % GROUP_SLOTS] =
                bounds->row[row][group % BLOCK_GROUPS];
        }
    }
    return fitting == count;
}

bool acre_list_groups_near(neighbor_search *search, uint32_t first, uint32_t end, float widest,
                           uint32_t most)
{
    search->task.count = 0;
    search->task.most = most;
    return acre_walk_near_rows(search, first, end, widest, acre_add_near_groups);
}
