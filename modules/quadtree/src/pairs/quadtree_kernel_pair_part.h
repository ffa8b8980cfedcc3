// SPDX-License-Identifier: MIT
// quadtree_kernel_pair_part.h - the pairs of items of a group, and of group pairs.
//
// Must be defined before: what a set defines, and
//     repeat_group(group, axes, twice)             fills the rows of the axes in a group_twice
//     overlapping_behind(twice, offset, axes, part)
//         the set of slots of half a group whose boxes share a point with the box `offset` slots
//         later, cyclically, 1 to HALF_SLOTS; it may contain slots without an item. part: 0 or 1.
//
// Hardly a step branches on a single item: most items overlap none of the others, and which ones do
// is unpredictable. So each step lists what the next one processes: group pairs, items to test,
// items that overlap some of the others.
#ifndef ACRE_QUADTREE_KERNEL_PAIR_PART_H
#define ACRE_QUADTREE_KERNEL_PAIR_PART_H

#ifndef LANES
#error "quadtree_kernel_pair_SET.c, which CMake makes, include this behind quadtree_kernel_SET.h"
#endif

#include "quadtree_pairing.h"

// The edges of a slot's box, GROUP_SLOTS floats apart.
static inline const float *slot_edges(const item_group *group, uint32_t slot)
{
    return &group->row[0][slot];
}

// Whether two boxes share more than a face, an edge or a corner along the axes.
static inline bool overlap_inside(const float *a, const float *b, uint32_t axes)
{
    bool overlaps = true;
    for (int low = 0; low < ROW_COUNT; low += axes == AXES_ALL ? 2 : 4) {
        overlaps &= a[low * GROUP_SLOTS] < b[(low + 1) * GROUP_SLOTS];
        overlaps &= b[low * GROUP_SLOTS] < a[(low + 1) * GROUP_SLOTS];
    }
    return overlaps;
}

// Items of a group.
typedef struct slot_set {
    const item_group *group;
    uint32_t number; // group_number of the group
    uint32_t slots;  // set of the items
} slot_set;

// Items of two groups. Each item of one set is tested against all of the other.
typedef struct group_pair {
    slot_set sets[2]; // of the node's group, and of the candidate
    uint32_t tested;  // index of the set whose items are tested one by one
} group_pair;

// Group pairs, the items to test in them, and hits: tested items that overlap some of the others.
// The counts are kept apart, so that the compiler knows that writing rows does not change them.
typedef struct pair_lists {
    group_pair group_pairs[GROUP_PAIRS_AT_ONCE];
    uint32_t tests[(GROUP_PAIRS_AT_ONCE + 1) * GROUP_SLOTS]; // pair * GROUP_SLOTS + slot
    uint32_t hits[(GROUP_PAIRS_AT_ONCE + 1) * GROUP_SLOTS];  // tests that found something
    uint32_t sets[(GROUP_PAIRS_AT_ONCE + 1) * GROUP_SLOTS];  // for each hit, the items it overlaps
} pair_lists;

// Returns how many hits there are then.
static inline uint32_t list_hit(pair_lists *lists, uint32_t hits, uint32_t word, uint32_t set)
{
    ACRE_INVARIANT(hits < sizeof lists->hits / sizeof *lists->hits);
    lists->hits[hits] = word;
    lists->sets[hits] = set;
    return hits + (set != 0);
}

// Selects the items of two groups that overlap the other group's bounds; only these can make pairs.
// Lists the tests of the set that is smaller as a number: that says enough about its size.
// Returns how many tests there are then.
static inline uint32_t list_tests(const pair_task *task, pair_lists *lists, uint32_t pair,
                                  uint32_t tests, const node_group *run, uint32_t at, uint32_t axes)
{
    const uint32_t number = group_number(run->word);
    const uint32_t other = group_number(task->candidates.groups[at].word);
    slot_set mine = {task->first_groups + number, number, present_slots(group_count(run->word))};
    slot_set others = {task->second_groups + other, other, task->candidates.groups[at].present};
    const float *const bounds =
        slot_edges(&task->candidates.bounds[at / GROUP_SLOTS], at % GROUP_SLOTS);
    mine.slots &= overlapping_slots(mine.group, bounds, GROUP_SLOTS, axes);
    others.slots &= overlapping_slots(others.group, run->bounds, BLOCK_GROUPS, axes);
    const uint32_t tested = mine.slots > others.slots;
    ACRE_INVARIANT(pair < GROUP_PAIRS_AT_ONCE);
    expect_room_for_ids(tests, sizeof lists->tests / sizeof *lists->tests);
    lists->group_pairs[pair] = (group_pair){{mine, others}, tested};
    return tests + append_ids(tested ? others.slots : mine.slots,
                              task->numbers + pair * GROUP_SLOTS, lists->tests + tests);
}

// Returns how many hits there are.
static inline uint32_t run_tests(pair_lists *lists, uint32_t tests, uint32_t axes)
{
    uint32_t hits = 0;
    for (uint32_t i = 0; i < tests; i++) {
        const uint32_t word = lists->tests[i];
        const group_pair *const pair = &lists->group_pairs[word / GROUP_SLOTS];
        const slot_set *const others = &pair->sets[pair->tested ^ 1];
        const float *const edges = slot_edges(pair->sets[pair->tested].group, word % GROUP_SLOTS);
        hits = list_hit(lists, hits, word,
                        overlapping_slots(others->group, edges, GROUP_SLOTS, axes) & others->slots);
    }
    return hits;
}

// Writes the pair of two items that share a point, by their locations, and prefetches their ids.
// Returns where the next pair goes.
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
        const group_pair *const pair = &lists->group_pairs[lists->hits[i] / GROUP_SLOTS];
        uint32_t set = lists->sets[i];
        while (set) {
            uint32_t slots[2];
            slots[pair->tested] = lists->hits[i] % GROUP_SLOTS;
            slots[pair->tested ^ 1] = take_lowest(&set);
            end = write_pair(task, pair->sets, slots, axes, end);
        }
    }
    return (size_t)(end - out);
}

// Finds the pairs within a group: tests all items at once against those a few slots later,
// cyclically. Most groups have no pair. Returns where the next pair goes.
static inline acre_pair *find_in_group(const pair_task *task, slot_set mine,
                                       const group_twice *twice, uint32_t axes, acre_pair *out)
{
    uint32_t sets[HALF_SLOTS + 1], any = 0;
    for (uint32_t offset = 1; offset < HALF_SLOTS; offset++) {
        sets[offset] = overlapping_behind(twice, offset, axes, 0) |
                       overlapping_behind(twice, offset, axes, 1) << HALF_SLOTS;
        any |= sets[offset];
    }
    sets[HALF_SLOTS] = overlapping_behind(twice, HALF_SLOTS, axes, 0);
    any |= sets[HALF_SLOTS];
    for (uint32_t offset = 1; any && offset <= HALF_SLOTS; offset++) {
        uint32_t set = sets[offset] & mine.slots;
        while (set) {
            const uint32_t slot = take_lowest(&set), other = (slot + offset) % GROUP_SLOTS;
            if (mine.slots >> other & 1) {
                out = write_pair(task, (slot_set[2]){mine, mine}, (uint32_t[2]){slot, other}, axes,
                                 out);
            }
        }
    }
    return out;
}

static inline size_t find_in_block_axes(const pair_task *task, uint32_t block, uint32_t count,
                                        uint32_t axes, acre_pair *out)
{
    group_twice twice[BLOCK_GROUPS];
    acre_pair *end = out;
    const uint32_t first = block * BLOCK_GROUPS;
    ACRE_INVARIANT(count > 0 && count <= BLOCK_SLOTS);
    // All groups are written before the first one is read: loads that differ from a recent store's
    // size or address must wait for it.
    for (uint32_t i = 0; i * GROUP_SLOTS < count; i++) {
        repeat_group(&task->first_groups[first + i], axes, &twice[i]);
    }
    for (uint32_t i = 0; i * GROUP_SLOTS < count; i++) {
        const slot_set mine = {&task->first_groups[first + i], first + i,
                               present_slots(count - i * GROUP_SLOTS)};
        end = find_in_group(task, mine, &twice[i], axes, end);
        ACRE_INVARIANT((size_t)(end - out) <= (i + 1) * (size_t)PAIRS_IN_GROUP);
    }
    return (size_t)(end - out);
}

static inline uint32_t list_group_pairs_axes(const pair_task *task, const float *bounds,
                                             uint32_t first, uint32_t axes, uint32_t *out)
{
    const candidate_groups *const candidates = &task->candidates;
    uint32_t count = 0;
    ACRE_INVARIANT(first < candidates->count && candidates->count <= MOST_CANDIDATES);
    for (uint32_t part = first / GROUP_SLOTS; part * GROUP_SLOTS < candidates->count; part++) {
        uint32_t met = overlapping_slots(&candidates->bounds[part], bounds, BLOCK_GROUPS, axes) &
                       present_slots(candidates->count - part * GROUP_SLOTS);
        met &= ~0u << (part == first / GROUP_SLOTS ? first % GROUP_SLOTS : 0);
        expect_room_for_ids(count, candidates->count - first + GROUP_SLOTS);
        count += append_ids(met, task->numbers + part * GROUP_SLOTS, out + count);
    }
    return count;
}

static inline size_t find_in_group_pairs_axes(const pair_task *task, uint32_t first, uint32_t end,
                                              uint32_t axes, acre_pair *out)
{
    const group_pair_list *const list = &task->group_pairs;
    const node_group *run = list->node_groups;
    pair_lists lists;
    size_t found = 0;
    ACRE_INVARIANT(first < end && end <= list->count);
    while (run->end <= first) {
        run++;
    }
    while (first < end) {
        uint32_t tests = 0;
        const uint32_t count =
            end - first < GROUP_PAIRS_AT_ONCE ? end - first : GROUP_PAIRS_AT_ONCE;
        for (uint32_t i = 0; i < count; i++, first++) {
            run += run->end == first;
            tests = list_tests(task, &lists, i, tests, run, list->candidates[first], axes);
        }
        const uint32_t hits = run_tests(&lists, tests, axes);
        const size_t written = write_hits(task, &lists, hits, axes, out + found);
        ACRE_INVARIANT(written <= (size_t)count * PAIRS_OF_GROUPS);
        found += written;
    }
    return found;
}

static size_t find_in_block(const pair_task *task, uint32_t block, uint32_t count, acre_pair *out)
{
    return task->is_on_ground ? find_in_block_axes(task, block, count, AXES_GROUND, out)
                              : find_in_block_axes(task, block, count, AXES_ALL, out);
}

static uint32_t list_group_pairs(const pair_task *task, const float *bounds, uint32_t first,
                                 uint32_t *out)
{
    return task->is_on_ground ? list_group_pairs_axes(task, bounds, first, AXES_GROUND, out)
                              : list_group_pairs_axes(task, bounds, first, AXES_ALL, out);
}

static size_t find_in_group_pairs(const pair_task *task, uint32_t first, uint32_t end,
                                  acre_pair *out)
{
    return task->is_on_ground ? find_in_group_pairs_axes(task, first, end, AXES_GROUND, out)
                              : find_in_group_pairs_axes(task, first, end, AXES_ALL, out);
}

#define PAIR_KERNEL(set)                                                                           \
    const pair_kernel acre_pair_kernel_##set = {.find_in_block = find_in_block,                    \
                                                .list_group_pairs = list_group_pairs,              \
                                                .find_in_group_pairs = find_in_group_pairs}

#endif
