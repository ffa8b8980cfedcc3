// SPDX-License-Identifier: MIT
// quadtree_kernel_pair_part.h - pairs of the items of one group with those of others.
//
// Must be defined before: what a set defines, repeat_group and overlapping_behind.
//
// repeat_group: fills the rows of the axes that count.
//
// overlapping_behind: the slots of half a group whose boxes share a point with those that stand
// `turn` slots behind them, 1 to HALF_SLOTS, as a set; free slots may be in it. Else as
// overlapping_half.
//
// Hardly any of its steps branch on a single item, since most items meet none of the others and
// which ones do cannot be foretold: the groups that meet, the items to be tested and those that met
// some are listed, one list after the other.
#ifndef ACRE_QUADTREE_KERNEL_PAIR_PART_H
#define ACRE_QUADTREE_KERNEL_PAIR_PART_H

#include "quadtree_pairing.h"

// A box among others in rows: its edges are GROUP_SLOTS floats apart.
static inline const float *slot_edges(const item_group *group, uint32_t slot)
{
    return &group->row[0][slot];
}

// Whether two boxes share more than a face, an edge or a corner, along all axes that count.
static inline bool overlap_inside(const float *a, const float *b, uint32_t axes)
{
    bool overlaps = true;
    for (int low = 0; low < ROW_COUNT; low += axes == AXES_ALL ? 2 : 4) {
        overlaps &= a[low * GROUP_SLOTS] < b[(low + 1) * GROUP_SLOTS];
        overlaps &= b[low * GROUP_SLOTS] < a[(low + 1) * GROUP_SLOTS];
    }
    return overlaps;
}

// Items of some group, in a set.
typedef struct slot_set {
    const item_group *group;
    uint32_t number, slots;
} slot_set;

// Items of two groups; each one of the first set is to be tested against all of the second, or the
// other way round.
typedef struct group_meeting {
    slot_set sets[2];
    uint32_t tested; // which of the two
} group_meeting;

// Meetings, the items that are tested in them, and those of them that meet some of the others. A
// word is meeting * GROUP_SLOTS + slot. The lists' ends are kept apart: what is written to the
// lists cannot change them.
typedef struct pair_lists {
    group_meeting meetings[MEETINGS_AT_ONCE];
    uint32_t tests[(MEETINGS_AT_ONCE + 1) * GROUP_SLOTS];
    uint32_t hits[(MEETINGS_AT_ONCE + 1) * GROUP_SLOTS];
    uint32_t sets[(MEETINGS_AT_ONCE + 1) * GROUP_SLOTS]; // of the others, a hit each
} pair_lists;

static inline uint32_t list_hit(pair_lists *lists, uint32_t hits, uint32_t word, uint32_t set)
{
    lists->hits[hits] = word;
    lists->sets[hits] = set;
    return hits + (set != 0);
}

// Of two groups the items of each that reach into the other's bounds can make pairs. Those of the
// smaller set will be tested; of its size a set's highest bit says enough.
// @return how many tests there are.
static inline uint32_t list_tests(const pair_task *task, pair_lists *lists, uint32_t meeting,
                                  uint32_t tests, const group_run *run, uint32_t at, uint32_t axes)
{
    const uint32_t number = group_number(run->word);
    const uint32_t other = group_number(task->near.groups[at].word);
    slot_set mine = {task->first_groups + number, number, present_slots(group_count(run->word))};
    slot_set others = {task->second_groups + other, other, task->near.groups[at].present};
    const float *const bounds = slot_edges(&task->near.bounds[at / GROUP_SLOTS], at % GROUP_SLOTS);
    mine.slots &= overlapping_slots(mine.group, bounds, GROUP_SLOTS, axes);
    others.slots &= overlapping_slots(others.group, run->bounds, BLOCK_GROUPS, axes);
    const uint32_t tested = mine.slots > others.slots;
    lists->meetings[meeting] = (group_meeting){{mine, others}, tested};
    return tests + append_ids(tested ? others.slots : mine.slots,
                              task->numbers + meeting * GROUP_SLOTS, lists->tests + tests);
}

// @return how many hits there are.
static inline uint32_t run_tests(pair_lists *lists, uint32_t tests, uint32_t axes)
{
    uint32_t hits = 0;
    for (uint32_t i = 0; i < tests; i++) {
        const uint32_t word = lists->tests[i];
        const group_meeting *const meeting = &lists->meetings[word / GROUP_SLOTS];
        const slot_set *const others = &meeting->sets[meeting->tested ^ 1];
        const float *const edges =
            slot_edges(meeting->sets[meeting->tested].group, word % GROUP_SLOTS);
        hits = list_hit(lists, hits, word,
                        overlapping_slots(others->group, edges, GROUP_SLOTS, axes) & others->slots);
    }
    return hits;
}

// The items of two slots that share a point. The locations stand for them until their ids are
// there.
// @return where the next pair goes.
static inline acre_pair *write_pair(const pair_task *task, const slot_set sets[2],
                                    const uint32_t slots[2], uint32_t axes, acre_pair *out)
{
    if (task->drops_touching && !overlap_inside(slot_edges(sets[0].group, slots[0]),
                                                slot_edges(sets[1].group, slots[1]), axes)) {
        return out;
    }
    *out = (acre_pair){sets[0].number * GROUP_SLOTS + slots[0],
                       sets[1].number * GROUP_SLOTS + slots[1]};
    prefetch_line(&task->first_ids[out->a]);
    prefetch_line(&task->second_ids[out->b]);
    return out + 1;
}

static inline size_t write_hits(const pair_task *task, const pair_lists *lists, uint32_t hits,
                                uint32_t axes, acre_pair *out)
{
    acre_pair *end = out;
    for (uint32_t i = 0; i < hits; i++) {
        const group_meeting *const meeting = &lists->meetings[lists->hits[i] / GROUP_SLOTS];
        uint32_t set = lists->sets[i];
        while (set) {
            uint32_t slots[2];
            slots[meeting->tested] = lists->hits[i] % GROUP_SLOTS;
            slots[meeting->tested ^ 1] = take_lowest(&set);
            end = write_pair(task, meeting->sets, slots, axes, end);
        }
    }
    return (size_t)(end - out);
}

// Pairs within a group: all items are tested at once against those a few slots behind them, around
// the end. Most groups have none.
static inline acre_pair *pair_itself(const pair_task *task, slot_set mine, const group_twice *twice,
                                     uint32_t axes, acre_pair *out)
{
    uint32_t sets[HALF_SLOTS + 1], any = 0;
    for (uint32_t turn = 1; turn < HALF_SLOTS; turn++) {
        sets[turn] = overlapping_behind(twice, turn, axes, 0) |
                     overlapping_behind(twice, turn, axes, 1) << HALF_SLOTS;
        any |= sets[turn];
    }
    sets[HALF_SLOTS] = overlapping_behind(twice, HALF_SLOTS, axes, 0);
    any |= sets[HALF_SLOTS];
    for (uint32_t turn = 1; any && turn <= HALF_SLOTS; turn++) {
        uint32_t set = sets[turn] & mine.slots;
        while (set) {
            const uint32_t slot = take_lowest(&set), other = (slot + turn) % GROUP_SLOTS;
            if (mine.slots >> other & 1) {
                out = write_pair(task, (slot_set[2]){mine, mine}, (uint32_t[2]){slot, other}, axes,
                                 out);
            }
        }
    }
    return out;
}

static inline size_t pair_block_axes(const pair_task *task, uint32_t block, uint32_t count,
                                     uint32_t axes, acre_pair *out)
{
    group_twice twice[BLOCK_GROUPS];
    acre_pair *end = out;
    const uint32_t first = block * BLOCK_GROUPS;
    // All of them before the first one is read: what was written just now is slow to read in parts.
    for (uint32_t i = 0; i * GROUP_SLOTS < count; i++) {
        repeat_group(&task->first_groups[first + i], axes, &twice[i]);
    }
    for (uint32_t i = 0; i * GROUP_SLOTS < count; i++) {
        const slot_set mine = {&task->first_groups[first + i], first + i,
                               present_slots(count - i * GROUP_SLOTS)};
        end = pair_itself(task, mine, &twice[i], axes, end);
    }
    return (size_t)(end - out);
}

static inline uint32_t list_meetings_axes(const pair_task *task, const float *bounds,
                                          uint32_t first, uint32_t axes, uint32_t *out)
{
    const near_groups *const near = &task->near;
    uint32_t count = 0;
    for (uint32_t part = first / GROUP_SLOTS; part * GROUP_SLOTS < near->count; part++) {
        uint32_t met = overlapping_slots(&near->bounds[part], bounds, BLOCK_GROUPS, axes) &
                       present_slots(near->count - part * GROUP_SLOTS);
        met &= ~0u << (part == first / GROUP_SLOTS ? first % GROUP_SLOTS : 0);
        count += append_ids(met, task->numbers + part * GROUP_SLOTS, out + count);
    }
    return count;
}

static inline size_t pair_meetings_axes(const pair_task *task, uint32_t first, uint32_t end,
                                        uint32_t axes, acre_pair *out)
{
    const meeting_list *const list = &task->meetings;
    const group_run *run = list->runs;
    pair_lists lists;
    size_t found = 0;
    while (run->end <= first) {
        run++;
    }
    while (first < end) {
        uint32_t tests = 0;
        const uint32_t count = end - first < MEETINGS_AT_ONCE ? end - first : MEETINGS_AT_ONCE;
        for (uint32_t i = 0; i < count; i++, first++) {
            run += run->end == first;
            tests = list_tests(task, &lists, i, tests, run, list->near[first], axes);
        }
        const uint32_t hits = run_tests(&lists, tests, axes);
        found += write_hits(task, &lists, hits, axes, out + found);
    }
    return found;
}

static size_t pair_block(const pair_task *task, uint32_t block, uint32_t count, acre_pair *out)
{
    return task->is_on_ground ? pair_block_axes(task, block, count, AXES_GROUND, out)
                              : pair_block_axes(task, block, count, AXES_ALL, out);
}

static uint32_t list_meetings(const pair_task *task, const float *bounds, uint32_t first,
                              uint32_t *out)
{
    return task->is_on_ground ? list_meetings_axes(task, bounds, first, AXES_GROUND, out)
                              : list_meetings_axes(task, bounds, first, AXES_ALL, out);
}

static size_t pair_meetings(const pair_task *task, uint32_t first, uint32_t end, acre_pair *out)
{
    return task->is_on_ground ? pair_meetings_axes(task, first, end, AXES_GROUND, out)
                              : pair_meetings_axes(task, first, end, AXES_ALL, out);
}

#define PAIR_KERNEL(set)                                                                           \
    const pair_kernel acre_pair_kernel_##set = {                                                   \
        .pair_block = pair_block, .list_meetings = list_meetings, .pair_meetings = pair_meetings}

#endif
