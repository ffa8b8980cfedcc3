// SPDX-License-Identifier: MIT
// quadtree_kernel_pairs.h - pairs of the items of one group with those of others.
//
// No header of its own: a kernel file includes it behind quadtree_kernel_select.h, so that the
// compiler sees both as one.
//
// Hardly any of its steps branch on a single item, since most items meet none of the others and
// which ones do cannot be foretold: the groups that meet, the items to be tested and those that met
// some are listed, one list after the other.

#include "quadtree_pairing.h"

enum { MEETINGS_MAX = NEAR_GROUPS_MAX / GROUP_SLOTS };

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
    group_meeting meetings[MEETINGS_MAX];
    uint32_t tests[(MEETINGS_MAX + 1) * GROUP_SLOTS], hits[(MEETINGS_MAX + 1) * GROUP_SLOTS];
    uint32_t sets[(MEETINGS_MAX + 1) * GROUP_SLOTS]; // of the others, a hit each
} pair_lists;

static inline uint32_t list_hit(pair_lists *lists, uint32_t hits, uint32_t word, uint32_t set)
{
    lists->hits[hits] = word;
    lists->sets[hits] = set;
    return hits + (set != 0);
}

// Pairs within a group, as the first meeting: of each item with those behind it.
// @return how many hits there are.
static inline uint32_t list_itself(pair_lists *lists, slot_set mine, uint32_t count, uint32_t axes)
{
    enum { HALF = GROUP_SLOTS / 2 };
    uint32_t hits = 0;
    for (uint32_t slot = 0; slot < count; slot++) {
        const float *const edges = slot_edges(mine.group, slot);
        uint32_t set = overlapping_half(mine.group, edges, GROUP_SLOTS, axes, 1) << HALF;
        if (slot < HALF) {
            set |= overlapping_half(mine.group, edges, GROUP_SLOTS, axes, 0);
        }
        hits = list_hit(lists, hits, slot, set & mine.slots & ~((2u << slot) - 1));
    }
    lists->meetings[0] = (group_meeting){{mine, mine}, 0};
    return hits;
}

// Of two groups the items of each that reach into the other's bounds can make pairs. Those of the
// smaller set will be tested; of its size a set's highest bit says enough.
// @return how many tests there are.
static inline uint32_t list_meeting(pair_lists *lists, const uint32_t *numbers, uint32_t meeting,
                                    uint32_t tests, slot_set mine, const row_box *bounds,
                                    slot_set other, const float *other_edges, uint32_t axes)
{
    mine.slots &= overlapping_slots(mine.group, other_edges, GROUP_SLOTS, axes);
    other.slots &= overlapping_slots(other.group, bounds->row, 1, axes);
    const uint32_t tested = mine.slots > other.slots;
    lists->meetings[meeting] = (group_meeting){{mine, other}, tested};
    const uint32_t set = tested ? other.slots : mine.slots;
    return tests + append_ids(set, numbers + meeting * GROUP_SLOTS, lists->tests + tests);
}

// @return how many hits there are then.
static inline uint32_t run_tests(pair_lists *lists, uint32_t tests, uint32_t hits, uint32_t axes)
{
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

static inline size_t write_pairs(const pair_task *task, const pair_lists *lists, uint32_t hits,
                                 uint32_t axes, acre_pair *out)
{
    acre_pair *end = out;
    for (uint32_t i = 0; i < hits; i++) {
        const uint32_t slot = lists->hits[i] % GROUP_SLOTS;
        const group_meeting *const meeting = &lists->meetings[lists->hits[i] / GROUP_SLOTS];
        const slot_set *const some = &meeting->sets[meeting->tested];
        const slot_set *const others = &meeting->sets[meeting->tested ^ 1];
        const uint32_t mine = some->ids[slot];
        uint32_t set = lists->sets[i];
        if (task->drops_touching) {
            set = drop_touching(set, slot_edges(some->group, slot), others->group, axes);
        }
        while (set) {
            const uint32_t other = others->ids[take_lowest(&set)];
            const bool turns = task->is_one_tree ? other < mine : meeting->tested;
            *end++ = (acre_pair){turns ? other : mine, turns ? mine : other};
        }
    }
    return (size_t)(end - out);
}

// The near groups first, first + 1, ... below end whose bounds meet a group's, as numbers in the
// list.
static inline uint32_t list_overlapping(const near_groups *near, const row_box *bounds,
                                        uint32_t first, uint32_t end, uint32_t axes, uint32_t *out)
{
    uint32_t count = 0;
    for (uint32_t part = first / GROUP_SLOTS; part * GROUP_SLOTS < end; part++) {
        uint32_t met = overlapping_slots(&near->bounds[part], bounds->row, 1, axes) &
                       present_slots(end - part * GROUP_SLOTS);
        met &= ~0u << (part == first / GROUP_SLOTS ? first % GROUP_SLOTS : 0);
        count += append_ids(met, near->numbers + part * GROUP_SLOTS, out + count);
    }
    return count;
}

static inline size_t pair_group_axes(const pair_task *task, uint32_t word, const row_box *bounds,
                                     uint32_t first, uint32_t end, uint32_t axes, acre_pair *out)
{
    const size_t number = group_number(word);
    const slot_set mine = {task->first_groups + number, task->first_ids + number * GROUP_SLOTS,
                           present_slots(group_count(word))};
    // A tree's group stands in the list before those that it meets.
    const bool is_itself = task->is_one_tree && task->near->groups[first].word == word;
    uint32_t near[NEAR_GROUPS_MAX + GROUP_SLOTS];
    const uint32_t count = list_overlapping(task->near, bounds, first + is_itself, end, axes, near);
    pair_lists lists;
    size_t found = 0;
    uint32_t next = 0;
    do {
        uint32_t meetings = 0, tests = 0, hits = 0;
        if (is_itself && next == 0) {
            hits = list_itself(&lists, mine, group_count(word), axes);
            meetings = 1;
        }
        for (; next < count && meetings < MEETINGS_MAX; next++, meetings++) {
            const uint32_t at = near[next];
            const near_group *const group = &task->near->groups[at];
            const size_t other = group_number(group->word);
            tests = list_meeting(
                &lists, task->near->numbers, meetings, tests, mine, bounds,
                (slot_set){task->second_groups + other, task->second_ids + other * GROUP_SLOTS,
                           group->present},
                slot_edges(&task->near->bounds[at / GROUP_SLOTS], at % GROUP_SLOTS), axes);
        }
        hits = run_tests(&lists, tests, hits, axes);
        found += write_pairs(task, &lists, hits, axes, out + found);
    } while (next < count);
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
