// SPDX-License-Identifier: MIT
// quadtree_kernel_pairs.h - pairs of the items of one group with those of others.
//
// No header of its own: a kernel file includes it behind its overlapping_slots, so that the
// compiler sees both as one.

#include "quadtree_pairing.h"

static inline row_box slot_box(const item_group *group, uint32_t slot)
{
    row_box box;
    for (int i = 0; i < ROW_COUNT; i++) {
        box.row[i] = group->row[i][slot];
    }
    return box;
}

// Whether boxes share more than a face, an edge or a corner, along all axes that count.
static inline bool overlaps_inside(const row_box *box, const item_group *group, uint32_t slot,
                                   int step)
{
    bool overlaps = true;
    for (int low = 0; low < ROW_COUNT; low += step) {
        overlaps &= box->row[low] < group->row[low + 1][slot];
        overlaps &= group->row[low][slot] < box->row[low + 1];
    }
    return overlaps;
}

static inline uint32_t drop_touching(uint32_t set, const row_box *box, const item_group *group,
                                     int step)
{
    uint32_t kept = 0;
    while (set) {
        const uint32_t slot = take_lowest(&set);
        kept |= (uint32_t)overlaps_inside(box, group, slot, step) << slot;
    }
    return kept;
}

// Pairs of some of a group's items with those of another, or with those behind them in the same
// one.
static inline size_t pair_items(const pair_task *task, const item_group *group, uint32_t slots,
                                const uint32_t *ids, const near_group *other, acre_pair *out)
{
    const size_t number = group_number(other->word);
    const item_group *const others = task->second_groups + number;
    const uint32_t *const other_ids = task->second_ids + number * GROUP_SLOTS;
    const bool is_same = group == others;
    size_t found = 0;
    while (slots) {
        const uint32_t slot = take_lowest(&slots);
        const row_box box = slot_box(group, slot);
        uint32_t set = overlapping_slots(others, &box, task->step) & other->present;
        set &= is_same ? ~((2u << slot) - 1) : ~0u; // those behind this one
        set = task->drops_touching ? drop_touching(set, &box, others, task->step) : set;
        while (set) {
            const uint32_t a = ids[slot], b = other_ids[take_lowest(&set)];
            const bool is_turned = task->is_one_tree && b < a;
            out[found++] = (acre_pair){is_turned ? b : a, is_turned ? a : b};
        }
    }
    return found;
}

// Pairs of a group's items with those of the near groups first, first + 1, ... below count.
static size_t pair_group(const pair_task *task, uint32_t word, const row_box *bounds,
                         uint32_t first, uint32_t end, acre_pair *out)
{
    const size_t number = group_number(word);
    const item_group *const group = task->first_groups + number;
    const uint32_t *const ids = task->first_ids + number * GROUP_SLOTS;
    const uint32_t present = present_slots(group_count(word));
    size_t found = 0;
    for (uint32_t part = first / GROUP_SLOTS; part * GROUP_SLOTS < end; part++) {
        const uint32_t rest = end - part * GROUP_SLOTS;
        uint32_t near =
            overlapping_slots(&task->near->bounds[part], bounds, task->step) & present_slots(rest);
        near &= ~0u << (part == first / GROUP_SLOTS ? first % GROUP_SLOTS : 0);
        while (near) {
            const uint32_t lane = take_lowest(&near);
            const near_group *const other = &task->near->groups[part * GROUP_SLOTS + lane];
            if (task->is_one_tree && group_number(other->word) < number) {
                continue; // its turn is with the other one
            }
            const row_box other_bounds = slot_box(&task->near->bounds[part], lane);
            const uint32_t slots = overlapping_slots(group, &other_bounds, task->step) & present;
            found += pair_items(task, group, slots, ids, other, out + found);
        }
    }
    return found;
}

#define PAIR_KERNELS .pair_group = pair_group
