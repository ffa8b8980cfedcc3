// SPDX-License-Identifier: MIT
// quadtree_kernel_neighbor_part.h - the items of listed groups that a round touches.
//
// Must be defined before: near_slots, near_squares and append_ids of a set.
#ifndef ACRE_QUADTREE_KERNEL_NEIGHBOR_PART_H
#define ACRE_QUADTREE_KERNEL_NEIGHBOR_PART_H

#ifndef LANES
#error                                                                                             \
    "quadtree_kernel_neighbor_SET.c, which CMake makes, include this behind quadtree_kernel_SET.h"
#endif

#include "quadtree_neighboring.h"

#include <string.h>

// Lists the words of the groups whose bounds the round touches. Returns how many.
ACRE_ALWAYS_INLINE uint32_t list_touched(const neighbor_task *task, const shape_round *round,
                                         uint32_t axes, uint32_t *words)
{
    uint32_t count = 0;
    ACRE_INVARIANT(task->count <= MOST_NEAR_GROUPS);
    for (uint32_t first = 0; first < task->count; first += GROUP_SLOTS) {
        expect_room_for_ids(count, MOST_NEAR_GROUPS + GROUP_SLOTS);
        const uint32_t touched = near_slots(&task->bounds[first / GROUP_SLOTS], round, axes) &
                                 present_slots(task->count - first);
        count += append_ids(touched, task->words + first, words + count);
    }
    return count;
}

// squares: NULL, or receives the bits of the squared distances.
ACRE_ALWAYS_INLINE uint32_t find_near_axes(const neighbor_task *task, const shape_round *round,
                                           uint32_t own, uint32_t axes, uint32_t *out,
                                           uint32_t *squares)
{
    uint32_t words[MOST_NEAR_GROUPS + GROUP_SLOTS], found = 0;
    uint32_t room = GROUP_SLOTS;     // that the caller promises for the groups so far
    const shape_round here = *round; // hoisted: stores of ids do not change it
    const uint32_t own_group = own / GROUP_SLOTS, own_slot = 1u << own % GROUP_SLOTS;
    const uint32_t count = list_touched(task, &here, axes, words);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t group = group_number(words[i]);
        room += group_count(words[i]);
        expect_room_for_ids(found, room);
        const item_group *const items = &task->groups[group];
        const uint32_t others =
            present_slots(group_count(words[i])) & ~(group == own_group ? own_slot : 0);
        if (squares) {
            float distances[GROUP_SLOTS];
            uint32_t bits[GROUP_SLOTS];
            const uint32_t near = near_squares(items, &here, axes, distances) & others;
            memcpy(bits, distances, sizeof bits);
            (void)append_ids(near, bits, squares + found);
            found += append_ids(near, task->ids + (size_t)group * GROUP_SLOTS, out + found);
        } else {
            const uint32_t near = near_slots(items, &here, axes) & others;
            found += append_ids(near, task->ids + (size_t)group * GROUP_SLOTS, out + found);
        }
    }
    return found;
}

static uint32_t find_near(const neighbor_task *task, const shape_round *round, uint32_t own,
                          uint32_t *out)
{
    return task->is_on_ground ? find_near_axes(task, round, own, AXES_GROUND, out, NULL)
                              : find_near_axes(task, round, own, AXES_ALL, out, NULL);
}

static uint32_t measure_near(const neighbor_task *task, const shape_round *round, uint32_t own,
                             uint32_t *out, uint32_t *squares)
{
    return task->is_on_ground ? find_near_axes(task, round, own, AXES_GROUND, out, squares)
                              : find_near_axes(task, round, own, AXES_ALL, out, squares);
}

#define NEIGHBOR_KERNEL(set)                                                                       \
    const neighbor_kernel acre_neighbor_kernel_##set = {.find_near = find_near,                    \
                                                        .measure_near = measure_near}

#endif
