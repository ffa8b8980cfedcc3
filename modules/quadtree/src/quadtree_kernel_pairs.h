// SPDX-License-Identifier: MIT
// quadtree_kernel_pairs.h - pairs of the items of one group with those of others.
//
// No header of its own: a kernel file includes it behind quadtree_kernel_select.h, so that the
// compiler sees both as one.

#include "quadtree_pairing.h"

// A box among others in rows: its edges are GROUP_SLOTS floats apart.
static inline const float *slot_edges(const item_group *group, uint32_t slot)
{
    return &group->row[0][slot];
}

// Those of a set whose boxes share more than a face, an edge or a corner with a box, along all axes
// that count.
static uint32_t drop_touching(uint32_t set, const float *edges, const item_group *group,
                              uint32_t axes)
{
    uint32_t kept = 0;
    while (set) {
        const uint32_t slot = take_lowest(&set);
        bool overlaps = true;
        for (int low = 0; low < ROW_COUNT; low += axes == AXES_ALL ? 2 : 4) {
            overlaps &= edges[low * GROUP_SLOTS] < group->row[low + 1][slot];
            overlaps &= group->row[low][slot] < edges[(low + 1) * GROUP_SLOTS];
        }
        kept |= (uint32_t)overlaps << slot;
    }
    return kept;
}

// Items of some group, in a set.
typedef struct slot_set {
    const item_group *group;
    const uint32_t *ids;
    uint32_t slots;
} slot_set;

// Pairs of each of some items with those of others; of one group with itself: with those behind it.
// The others are those of the first tree where is_turned. Most items meet none of the others: which
// ones do is listed without branches first, by x and z, which tell most apart.
static inline size_t pair_items(const pair_task *task, slot_set some, slot_set others,
                                bool is_turned, uint32_t axes, acre_pair *out)
{
    const bool is_same = some.group == others.group;
    uint32_t slots[GROUP_SLOTS], sets[GROUP_SLOTS], listed = 0;
    while (some.slots) {
        const uint32_t slot = take_lowest(&some.slots);
        const float *const edges = slot_edges(some.group, slot);
        uint32_t set = overlapping_half(others.group, edges, GROUP_SLOTS, AXES_GROUND, 1) << 8;
        if (!is_same || slot < GROUP_SLOTS / 2) {
            set |= overlapping_half(others.group, edges, GROUP_SLOTS, AXES_GROUND, 0);
        }
        set &= others.slots & (is_same ? ~((2u << slot) - 1) : ~0u);
        slots[listed] = slot;
        sets[listed] = set;
        listed += set != 0;
    }
    acre_pair *end = out;
    for (uint32_t i = 0; i < listed; i++) {
        const uint32_t mine = some.ids[slots[i]];
        const float *const edges = slot_edges(some.group, slots[i]);
        uint32_t set = sets[i];
        if (axes == AXES_ALL) {
            set &= overlapping_slots(others.group, edges, GROUP_SLOTS, AXIS_Y);
        }
        if (task->drops_touching) {
            set = drop_touching(set, edges, others.group, axes);
        }
        while (set) {
            const uint32_t other = others.ids[take_lowest(&set)];
            const bool turns = task->is_one_tree ? other < mine : is_turned;
            *end++ = (acre_pair){turns ? other : mine, turns ? mine : other};
        }
    }
    return (size_t)(end - out);
}

// The pairs of two groups: of those items of each that reach into the other's bounds. The smaller
// set has its items tested one after the other.
static inline size_t pair_groups(const pair_task *task, slot_set mine, const row_box *bounds,
                                 const near_group *near, const float *near_edges, uint32_t axes,
                                 acre_pair *out)
{
    const size_t number = group_number(near->word);
    slot_set other = {task->second_groups + number, task->second_ids + number * GROUP_SLOTS,
                      near->present};
    if (mine.group == other.group) {
        return pair_items(task, mine, other, false, axes, out);
    }
    mine.slots &= overlapping_slots(mine.group, near_edges, GROUP_SLOTS, axes);
    other.slots &= overlapping_slots(other.group, bounds->row, 1, axes);
    // Of a set, its highest bit says enough of its size.
    return mine.slots <= other.slots ? pair_items(task, mine, other, false, axes, out)
                                     : pair_items(task, other, mine, true, axes, out);
}

static inline size_t pair_group_axes(const pair_task *task, uint32_t word, const row_box *bounds,
                                     uint32_t first, uint32_t end, uint32_t axes, acre_pair *out)
{
    const size_t number = group_number(word);
    const slot_set mine = {task->first_groups + number, task->first_ids + number * GROUP_SLOTS,
                           present_slots(group_count(word))};
    size_t found = 0;
    for (uint32_t part = first / GROUP_SLOTS; part * GROUP_SLOTS < end; part++) {
        const item_group *const near_bounds = &task->near->bounds[part];
        uint32_t near = overlapping_slots(near_bounds, bounds->row, 1, axes) &
                        present_slots(end - part * GROUP_SLOTS);
        near &= ~0u << (part == first / GROUP_SLOTS ? first % GROUP_SLOTS : 0);
        while (near) {
            const uint32_t lane = take_lowest(&near);
            const near_group *const other = &task->near->groups[part * GROUP_SLOTS + lane];
            if (!task->is_one_tree || group_number(other->word) >= number) {
                found += pair_groups(task, mine, bounds, other, slot_edges(near_bounds, lane), axes,
                                     out + found);
            }
        }
    }
    return found;
}

// Pairs of a group's items with those of the near groups first, first + 1, ... below end. Two
// groups of one tree meet when it is the turn of the one with the smaller number.
static size_t pair_group(const pair_task *task, uint32_t word, const row_box *bounds,
                         uint32_t first, uint32_t end, acre_pair *out)
{
    return task->is_on_ground ? pair_group_axes(task, word, bounds, first, end, AXES_GROUND, out)
                              : pair_group_axes(task, word, bounds, first, end, AXES_ALL, out);
}

#define PAIR_KERNELS .pair_group = pair_group
