// SPDX-License-Identifier: MIT
// quadtree_kernel_neighbor_part.h - the items of listed groups that a round touches; the nearest.
//
// Must be defined before: near_slots, near_squares and append_ids of a set.
#ifndef ACRE_QUADTREE_KERNEL_NEIGHBOR_PART_H
#define ACRE_QUADTREE_KERNEL_NEIGHBOR_PART_H

#ifndef LANES
#error                                                                                             \
    "quadtree_kernel_neighbor_SET.c, which CMake makes, include this behind quadtree_kernel_SET.h"
#endif

#include "float_bits.h"
#include "quadtree_neighboring.h"

#include <math.h>
#include <string.h>

// Lists the words of the groups whose bounds the round touches, and, unless NULL, the slots of
// theirs that count. Returns how many.
ACRE_ALWAYS_INLINE uint32_t list_touched(const neighbor_task *task, const shape_round *round,
                                         uint32_t axes, uint32_t *words, uint32_t *slots)
{
    uint32_t count = 0;
    ACRE_INVARIANT(task->count <= MOST_NEAR_GROUPS);
    for (uint32_t first = 0; first < task->count; first += GROUP_SLOTS) {
        expect_room_for_ids(count, MOST_NEAR_GROUPS + GROUP_SLOTS);
        const uint32_t touched = near_slots(&task->bounds[first / GROUP_SLOTS], round, axes) &
                                 present_slots(task->count - first);
        if (slots) {
            (void)append_ids(touched, task->slots + first, slots + count);
        }
        count += append_ids(touched, task->words + first, words + count);
    }
    return count;
}

ACRE_ALWAYS_INLINE uint32_t find_near_axes(const neighbor_task *task, const shape_round *round,
                                           uint32_t own, uint32_t axes, uint32_t *out)
{
    uint32_t words[MOST_NEAR_GROUPS + GROUP_SLOTS], found = 0;
    uint32_t room = GROUP_SLOTS;     // that the caller promises for the groups so far
    const shape_round here = *round; // hoisted: stores of ids do not change it
    const uint32_t own_group = own / GROUP_SLOTS, own_slot = 1u << own % GROUP_SLOTS;
    const uint32_t count = list_touched(task, &here, axes, words, NULL);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t group = group_number(words[i]);
        room += group_count(words[i]);
        expect_room_for_ids(found, room);
        const item_group *const items = &task->groups[group];
        const uint32_t others =
            present_slots(group_count(words[i])) & ~(group == own_group ? own_slot : 0);
        const uint32_t near = near_slots(items, &here, axes) & others;
        found += append_ids(near, task->ids + (size_t)group * GROUP_SLOTS, out + found);
    }
    return found;
}

ACRE_ALWAYS_INLINE uint32_t measure_near_axes(const neighbor_task *task, const shape_round *round,
                                              uint32_t own, uint32_t axes, uint32_t *out,
                                              uint32_t *squares)
{
    uint32_t words[MOST_NEAR_GROUPS + GROUP_SLOTS], slots[MOST_NEAR_GROUPS + GROUP_SLOTS];
    uint32_t found = 0;
    const shape_round here = *round; // hoisted, as above
    const uint32_t own_group = own / GROUP_SLOTS, own_slot = 1u << own % GROUP_SLOTS;
    const uint32_t count = list_touched(task, &here, axes, words, slots);
    for (uint32_t i = 0; i < count; i++) {
        float distances[GROUP_SLOTS];
        uint32_t bits[GROUP_SLOTS];
        const uint32_t group = group_number(words[i]);
        const uint32_t others = slots[i] & ~(group == own_group ? own_slot : 0);
        const uint32_t near = near_squares(&task->groups[group], &here, axes, distances) & others;
        expect_room_for_ids(found, (MOST_NEAR_GROUPS + 1) * GROUP_SLOTS);
        memcpy(bits, distances, sizeof bits);
        (void)append_ids(near, bits, squares + found);
        found += append_ids(near, task->ids + (size_t)group * GROUP_SLOTS, out + found);
    }
    return found;
}

static uint32_t find_near(const neighbor_task *task, const shape_round *round, uint32_t own,
                          uint32_t *out)
{
    return task->is_on_ground ? find_near_axes(task, round, own, AXES_GROUND, out)
                              : find_near_axes(task, round, own, AXES_ALL, out);
}

static uint32_t measure_near(const neighbor_task *task, const shape_round *round, uint32_t own,
                             uint32_t *out, uint32_t *squares)
{
    return task->is_on_ground ? measure_near_axes(task, round, own, AXES_GROUND, out, squares)
                              : measure_near_axes(task, round, own, AXES_ALL, out, squares);
}

// The place of each hit is how many come before it, so there is no branch that nobody could
// foretell. Of equal distances the earlier hit comes first here.
ACRE_ALWAYS_INLINE void count_nearer(const float *distances, uint32_t count, float *ranks)
{
    const floats one = floats_all(1.0f), zero = floats_all(0.0f);
    for (uint32_t first = 0; first < count; first += LANES) {
        const floats here = floats_load(distances + first);
        floats rank = zero;
        for (uint32_t i = 0; i < first; i++) {
            const choice is_before = floats_not_above(floats_all(distances[i]), here);
            rank = floats_add(rank, floats_choose(is_before, one, zero));
        }
        for (uint32_t i = first; i < count; i++) {
            const choice is_before = floats_less(floats_all(distances[i]), here);
            rank = floats_add(rank, floats_choose(is_before, one, zero));
        }
        floats_store(ranks + first, rank);
        for (uint32_t a = 0; a < LANES; a++) {
            for (uint32_t b = a + 1; b < LANES; b++) {
                ranks[first + b] += distances[first + a] == distances[first + b] ? 1.0f : 0.0f;
            }
        }
    }
}

static void rank_near(const uint32_t *items, const uint32_t *squares, uint32_t count,
                      acre_query_hit *hits)
{
    float distances[MOST_RANKED], ranks[MOST_RANKED];
    ACRE_INVARIANT(count <= MOST_RANKED && MOST_RANKED % LANES == 0);
    for (uint32_t i = 0; i < count; i++) {
        distances[i] = sqrtf(float_of_bits(squares[i]));
    }
    for (uint32_t i = count; i % LANES > 0; i++) {
        distances[i] = INFINITY;
    }
    count_nearer(distances, count, ranks);
    for (uint32_t i = 0; i < count; i++) {
        hits[(uint32_t)ranks[i]] = (acre_query_hit){items[i], distances[i]};
    }
    for (uint32_t i = 1; i < count; i++) { // equal distances by number
        const acre_query_hit hit = hits[i];
        uint32_t at = i;
        for (; at > 0 && hits[at - 1].distance == hit.distance && hits[at - 1].item > hit.item;
             at--) {
            hits[at] = hits[at - 1];
        }
        hits[at] = hit;
    }
}

// Squared distances of the boxes of a group from the points of the rows' box: the least of any
// point, and the greatest. Rounding is monotone, so a row's own distance lies between them.
ACRE_ALWAYS_INLINE void bound_squares(const item_group *group, const row_box *rows, uint32_t axes,
                                      float *least, float *greatest)
{
    memset(least, 0, GROUP_SLOTS * sizeof *least);
    memset(greatest, 0, GROUP_SLOTS * sizeof *greatest);
    for (int axis = 0; axis < 3; axis++) {
        if (!(axes >> axis & 1)) {
            continue;
        }
        const float low = rows->row[axis * 2], high = rows->row[axis * 2 + 1];
        const float *const lows = group->row[axis * 2], *const highs = group->row[axis * 2 + 1];
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            const float below = lows[slot] - high, above = low - highs[slot];
            const float far_below = lows[slot] - low, far_above = high - highs[slot];
            const float beyond = below > above ? below : above;
            const float far_beyond = far_below > far_above ? far_below : far_above;
            const float gap = beyond > 0.0f ? beyond : 0.0f;
            const float far_gap = far_beyond > 0.0f ? far_beyond : 0.0f;
            least[slot] += gap * gap;
            greatest[slot] += far_gap * far_gap;
        }
    }
}

// Adds candidates of a group. all->near may have become smaller since they were added.
static void add_candidates(const item_group *group, const uint32_t *ids, uint32_t slots,
                           near_candidates *all)
{
    while (slots) {
        const uint32_t slot = take_lowest(&slots), at = all->count++;
        item_group *const to = &all->groups[at / GROUP_SLOTS];
        ACRE_INVARIANT(at < MOST_NEAR_ITEMS);
        all->ids[at] = ids[slot];
        for (int row = 0; row < ROW_COUNT; row++) {
            to->row[row][at % GROUP_SLOTS] = group->row[row][slot];
        }
    }
}

// An item that is no nearer to any row than the `wanted` witnesses are, and comes behind them by
// its number, is none of the nearest.
ACRE_ALWAYS_INLINE uint32_t sift_groups_axes(const neighbor_task *task, const uint32_t *words,
                                             const uint32_t *slots, uint32_t count,
                                             near_candidates *all, uint32_t axes)
{
    const row_box rows = all->rows;
    const float near = all->near, touch = all->touch;
    const uint32_t last_id = all->last_id;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t group = group_number(words[i]);
        const uint32_t *const ids = task->ids + (size_t)group * GROUP_SLOTS;
        float *const witness = all->witness + i % (WITNESS_LANES / GROUP_SLOTS) * GROUP_SLOTS;
        uint32_t *const witness_ids =
            all->witness_ids + i % (WITNESS_LANES / GROUP_SLOTS) * GROUP_SLOTS;
        float least[GROUP_SLOTS], greatest[GROUP_SLOTS], limits[GROUP_SLOTS];
        uint32_t kept = 0;
        if (all->count > MOST_NEAR_ITEMS - GROUP_SLOTS) {
            return i;
        }
        bound_squares(&task->groups[group], &rows, axes, least, greatest);
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            limits[slot] = ids[slot] <= last_id ? touch : -1.0f;
        }
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot += LANES) {
            const floats here = floats_load(least + slot);
            const choice comes = choice_or(floats_less(here, floats_all(near)),
                                           floats_not_above(here, floats_load(limits + slot)));
            kept |= choice_bits(comes) << slot;
        }
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            const bool is_before =
                (greatest[slot] < witness[slot]) |
                ((greatest[slot] == witness[slot]) & (ids[slot] < witness_ids[slot]));
            const bool is_nearer = is_before & (slots[i] >> slot & 1);
            witness[slot] = is_nearer ? greatest[slot] : witness[slot];
            witness_ids[slot] = is_nearer ? ids[slot] : witness_ids[slot];
        }
        add_candidates(&task->groups[group], ids, kept & slots[i], all);
    }
    return count;
}

static uint32_t sift_groups(const neighbor_task *task, const uint32_t *words, const uint32_t *slots,
                            uint32_t count, near_candidates *all)
{
    return task->is_on_ground ? sift_groups_axes(task, words, slots, count, all, AXES_GROUND)
                              : sift_groups_axes(task, words, slots, count, all, AXES_ALL);
}

static void learn_layers(const neighbor_task *task, uint32_t at, near_layers *near)
{
    const uint32_t *const ids = task->ids + (size_t)group_number(task->words[at]) * GROUP_SLOTS;
    const uint32_t count = group_count(task->words[at]);
    uint32_t all = 0;
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        const uint32_t layers = slot >= count    ? 0
                                : near->of_items ? near->of_items[ids[slot]]
                                                 : UINT32_MAX;
        near->of_slots[at][slot] = layers;
        all |= layers;
    }
    near->of_groups[at] = all;
}

// Returns what is left of `left` after a listed group.
ACRE_ALWAYS_INLINE uint32_t look_at_group(const neighbor_task *task, uint32_t at,
                                          const shape_round *round, uint32_t own, uint32_t axes,
                                          near_layers *near, uint32_t left)
{
    const uint32_t group = group_number(task->words[at]);
    if (!near->of_groups[at]) {
        learn_layers(task, at, near);
    }
    if (!(near->of_groups[at] & left)) {
        return left;
    }
    const uint32_t own_slot = group == own / GROUP_SLOTS ? 1u << own % GROUP_SLOTS : 0;
    const uint32_t slots = near_slots(&task->groups[group], round, axes) & ~own_slot;
    uint32_t seen = 0;
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) { // without a branch
        seen |= near->of_slots[at][slot] & (0u - (slots >> slot & 1));
    }
    return left & ~seen;
}

ACRE_ALWAYS_INLINE uint32_t miss_layers_axes(const neighbor_task *task, const shape_round *round,
                                             uint32_t own, uint32_t left, near_layers *near,
                                             uint32_t axes)
{
    const shape_round here = *round; // hoisted, as above
    if (near->first < task->count) {
        left = look_at_group(task, near->first, &here, own, axes, near, left);
    }
    for (uint32_t first = 0; first < task->count && left; first += GROUP_SLOTS) {
        uint32_t touched = near_slots(&task->bounds[first / GROUP_SLOTS], &here, axes) &
                           present_slots(task->count - first);
        while (touched && left) {
            left = look_at_group(task, first + take_lowest(&touched), &here, own, axes, near, left);
        }
    }
    return left;
}

static uint32_t miss_layers(const neighbor_task *task, const shape_round *round, uint32_t own,
                            uint32_t left, near_layers *near)
{
    return task->is_on_ground ? miss_layers_axes(task, round, own, left, near, AXES_GROUND)
                              : miss_layers_axes(task, round, own, left, near, AXES_ALL);
}

#define NEIGHBOR_KERNEL(set)                                                                       \
    const neighbor_kernel acre_neighbor_kernel_##set = {.find_near = find_near,                    \
                                                        .measure_near = measure_near,              \
                                                        .rank_near = rank_near,                    \
                                                        .sift_groups = sift_groups,                \
                                                        .miss_layers = miss_layers}

#endif
