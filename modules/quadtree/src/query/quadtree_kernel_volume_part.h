// SPDX-License-Identifier: MIT
// quadtree_kernel_volume_part.h - queries of planes and of a box, and copies of what is wholly
// inside.
//
// Must be defined before: what a set defines, and
//     frustum_slots(volume, group, mask, count)    the set of items that the planes do not exclude
//     frustum_group(volume, group, mask, ids, count, out)    writes their ids
//     slots_in_box(volume, group, mask, count)     the set of items that share a point with the box
//     copy_group(from, to)                         copies 16 ids
#ifndef ACRE_QUADTREE_KERNEL_VOLUME_PART_H
#define ACRE_QUADTREE_KERNEL_VOLUME_PART_H

#ifndef LANES
#error "quadtree_kernel_volume_SET.c, which CMake makes, include this behind quadtree_kernel_SET.h"
#endif

#include "quadtree_kernel_walk_part.h"

#include <string.h>

TEST_TWICE(box_two, box_four)
LISTING_FUNCTIONS(frustum, frustum_four, frustum_two)
LISTING_FUNCTIONS(box, box_four, box_two)

ACRE_ALWAYS_INLINE uint32_t box_slots(const query_volume *volume, const item_group *group,
                                      uint32_t mask, uint32_t count)
{
    (void)mask; // a box is all there is
    return overlapping_slots(group, volume->box.row, 1, AXES_ALL) & present_slots(count);
}

static uint32_t select_frustum(const query_volume *volume, const item_group *groups,
                               const uint32_t *ids, const uint32_t *words, const uint32_t *masks,
                               uint32_t count, uint32_t *out)
{
    uint32_t found = 0, room = GROUP_SLOTS; // that the caller promises for the groups so far
    for (uint32_t i = 0; i < count; i++) {
        const size_t group = group_number(words[i]);
        room += group_count(words[i]);
        expect_room_for_ids(found, room);
        prefetch_group(groups, ids, group_number(words[i + GROUPS_AHEAD]));
        found += frustum_group(volume, &groups[group], masks[i], ids + group * GROUP_SLOTS,
                               group_count(words[i]), out + found);
    }
    return found;
}

SELECTING_SLOTS(frustum, frustum_slots)
SELECTING_IDS(box, box_slots)
SELECTING_SLOTS(box, slots_in_box)

// ---- copies of ids ----
//
// Groups and blocks are copied as if they were full: copies of a constant length are twice as fast.
// The next copy overwrites what is too much.

static inline void copy_block(const acre_quadtree *tree, uint32_t block, uint32_t *out)
{
    const uint32_t *const ids = tree->ids[block].id;
    for (uint32_t slot = 0; slot < BLOCK_SLOTS; slot += GROUP_SLOTS) {
        copy_group(ids + slot, out + slot);
    }
}

// Copies the items of a chain. Returns how many, or 0 if they might not fit.
static inline size_t copy_chain(const acre_quadtree *tree, uint32_t word, uint32_t *out,
                                size_t room)
{
    uint32_t block = chain_block(word), count = chain_count(word);
    bool more = chain_more(word);
    size_t copied = 0;
    if (chain_is_run(word)) {
        const uint32_t begin = run_begin(tree->next, word);
        const size_t before = (size_t)(block - begin) * BLOCK_SLOTS;
        if (before + BLOCK_SLOTS > room) {
            return 0;
        }
        ACRE_INVARIANT(begin <= block && block < tree->block_count);
        for (uint32_t i = begin; i <= block; i++, copied += BLOCK_SLOTS) {
            copy_block(tree, i, out + copied);
        }
        return before + count;
    }
    while (copied + BLOCK_SLOTS <= room) {
        ACRE_INVARIANT(block < tree->block_count && count <= BLOCK_SLOTS);
        copy_block(tree, block, out + copied);
        copied += count;
        if (!more) {
            return copied;
        }
        block = tree->next[block];
        more = tree->next[block] != NONE;
        count = BLOCK_SLOTS;
    }
    return 0;
}

static uint32_t copy_chains(const acre_quadtree *tree, const node_lists *nodes, uint32_t *out,
                            size_t room, size_t *copied)
{
    size_t total = 0;
    uint32_t i = 0;
    ACRE_INVARIANT(nodes->inside_count <= LISTED_NODES);
    for (; i < nodes->inside_count && total < room; i++) {
        if (i + NODES_AHEAD < nodes->inside_count) {
            const uint32_t block = chain_block(nodes->inside[i + NODES_AHEAD]);
            for (uint32_t slot = 0; slot < BLOCK_SLOTS; slot += GROUP_SLOTS) {
                prefetch_line(&tree->ids[block].id[slot]);
            }
            prefetch_line(&tree->next[block]);
        }
        const size_t count = copy_chain(tree, nodes->inside[i], out + total, room - total);
        if (count == 0) {
            break;
        }
        total += count;
        ACRE_INVARIANT(total <= room);
    }
    *copied = total;
    return i;
}

static uint32_t copy_groups(const uint32_t *ids, const group_lists *groups, uint32_t *out,
                            size_t room, size_t *copied)
{
    size_t total = 0;
    uint32_t i = 0;
    ACRE_INVARIANT(groups->inside_count <= LISTED_GROUPS);
    for (; i < groups->inside_count && total + GROUP_SLOTS <= room; i++) {
        const uint32_t word = groups->inside[i];
        ACRE_INVARIANT(group_count(word) <= GROUP_SLOTS);
        copy_group(ids + (size_t)group_number(word) * GROUP_SLOTS, out + total);
        total += group_count(word);
    }
    *copied = total;
    return i;
}

// ---- all items in one function ----
//
// Most queries want all items of a box or of a view, and bring an array for them. For these the
// walk, the array and the kernel are one function: a query of 25 items takes half the time.

typedef uint32_t select_function(const query_volume *volume, const item_group *groups,
                                 const uint32_t *ids, const uint32_t *words, const uint32_t *masks,
                                 uint32_t count, uint32_t *out);

// The caller's array. `found` also counts what had no room.
typedef struct found_items {
    uint32_t *items;
    size_t capacity, found;
} found_items;

// Kernels write more than counts. Where that might not fit, ids are written one by one.
enum { TESTED_APART = 8 }; // groups that are then tested at once

static inline size_t room_behind(const found_items *out)
{
    return out->found < out->capacity ? out->capacity - out->found : 0;
}

static inline uint32_t *end_of_found(const found_items *out, bool has_room)
{
    const size_t behind = has_room || out->found < out->capacity ? out->found : out->capacity;
    return behind > 0 ? out->items + behind : out->items; // perhaps there is no array
}

static void write_apart(found_items *out, const uint32_t *ids, uint32_t count)
{
    const size_t room = room_behind(out), fitting = count < room ? count : room;
    if (fitting > 0) { // perhaps there is no array
        memcpy(out->items + out->found, ids, fitting * sizeof *ids);
    }
    out->found += count;
}

// The chains of the inside list from `first` on, in the order of acre_take_chains.
static void write_chains_apart(found_items *out, const acre_quadtree *tree, const node_lists *nodes,
                               uint32_t first)
{
    for (uint32_t i = first; i < nodes->inside_count; i++) {
        const uint32_t word = nodes->inside[i];
        uint32_t block = chain_block(word), count = chain_count(word);
        if (chain_is_run(word)) { // all of it in one piece
            const uint32_t begin = run_begin(tree->next, word);
            write_apart(out, tree->ids[begin].id, (block - begin) * BLOCK_SLOTS + count);
            continue;
        }
        for (; block != NONE; block = tree->next[block], count = BLOCK_SLOTS) {
            write_apart(out, tree->ids[block].id, count);
        }
    }
}

ACRE_ALWAYS_INLINE void find_inside_chains(found_items *out, const acre_quadtree *tree,
                                           const node_lists *nodes, bool has_room)
{
    size_t copied;
    const uint32_t count = copy_chains(tree, nodes, end_of_found(out, has_room),
                                       has_room ? SIZE_MAX : room_behind(out), &copied);
    out->found += copied;
    if (!has_room && count < nodes->inside_count) {
        write_chains_apart(out, tree, nodes, count);
    }
}

ACRE_ALWAYS_INLINE void find_inside_groups(found_items *out, const acre_quadtree *tree,
                                           const group_lists *groups, bool has_room)
{
    const uint32_t *const ids = tree->ids->id; // of all blocks
    size_t copied;
    uint32_t i = copy_groups(ids, groups, end_of_found(out, has_room),
                             has_room ? SIZE_MAX : room_behind(out), &copied);
    out->found += copied;
    for (; !has_room && i < groups->inside_count; i++) {
        const uint32_t word = groups->inside[i];
        write_apart(out, ids + (size_t)group_number(word) * GROUP_SLOTS, group_count(word));
    }
}

// Tests the items of the intersecting groups: of all at once where their ids are sure to fit.
ACRE_ALWAYS_INLINE void find_in_groups(select_function *select, const query_volume *volume,
                                       const acre_quadtree *tree, const group_lists *groups,
                                       found_items *out, bool has_room)
{
    uint32_t apart[(TESTED_APART + 1) * GROUP_SLOTS]; // kernels may write one group more
    const uint32_t all = groups->intersecting_count;
    for (uint32_t at = 0, count; has_room ? at == 0 : at < all; at += count) {
        const bool fits = has_room || room_behind(out) >= ((size_t)(all - at) + 1) * GROUP_SLOTS;
        count = fits || all - at < TESTED_APART ? all - at : TESTED_APART;
        const uint32_t found = select(volume, tree->boxes->groups, tree->ids->id,
                                      groups->intersecting + at, groups->intersecting_masks + at,
                                      count, fits ? end_of_found(out, has_room) : apart);
        if (fits) {
            out->found += found;
        } else {
            write_apart(out, apart, found);
        }
        if (has_room) {
            break;
        }
    }
}

// The items of the chains whose nodes intersect the volume.
ACRE_ALWAYS_INLINE void find_in_chains(four_test *test, two_fours_test *test_two,
                                       select_function *select, const query_volume *volume,
                                       const acre_quadtree *tree, const node_lists *nodes,
                                       found_items *out, bool has_room)
{
    group_lists groups; // not zeroed: most queries use little of it
    chain_position position = {.node = 0, .block = NONE};
    for (uint32_t i = 0; i < NODES_AHEAD && i < nodes->intersecting_count; i++) {
        prefetch_bounds(tree->headers, chain_block(nodes->intersecting[i]));
    }
    while (position.node < nodes->intersecting_count) {
        groups.inside_count = groups.intersecting_count = 0;
        visit_chains(test, test_two, volume, tree, nodes, MOST_LISTED, &position, &groups);
        for (uint32_t i = 0; i < GROUPS_AHEAD; i++) {
            groups.intersecting[groups.intersecting_count + i] = 0;
        }
        find_inside_groups(out, tree, &groups, has_room);
        find_in_groups(select, volume, tree, &groups, out, has_room);
    }
}

ACRE_ALWAYS_INLINE size_t find_all(four_test *test, two_fours_test *test_two,
                                   select_function *select, const query_volume *volume,
                                   const acre_quadtree *tree, node_lists *nodes, found_items out,
                                   bool has_room)
{
    quad_descent descent = {.quads = tree->quads,
                            .cold = tree->cold,
                            .most_listed = PORTION_NODES,
                            .quads_left = SIZE_MAX};
    do {
        descend(test, volume, &descent, nodes);
        find_inside_chains(&out, tree, nodes, has_room);
        find_in_chains(test, test_two, select, volume, tree, nodes, &out, has_room);
        nodes->inside_count = nodes->intersecting_count = 0;
        ACRE_INVARIANT(out.found <= tree->item_count);
    } while (nodes->stack_count > 0);
    return out.found;
}

// find_KIND: for an array with room for all items and a block more, since kernels copy whole
// blocks; fill_KIND: for any array, or none.
#define FINDING_ALL(kind)                                                                          \
    static size_t find_##kind(const query_volume *volume, const acre_quadtree *tree,               \
                              node_lists *nodes, uint32_t *out, size_t capacity)                   \
    {                                                                                              \
        return find_all(kind##_four, kind##_two, select_##kind, volume, tree, nodes,               \
                        (found_items){out, capacity, 0}, true);                                    \
    }                                                                                              \
    static size_t fill_##kind(const query_volume *volume, const acre_quadtree *tree,               \
                              node_lists *nodes, uint32_t *out, size_t capacity)                   \
    {                                                                                              \
        return find_all(kind##_four, kind##_two, select_##kind, volume, tree, nodes,               \
                        (found_items){out, capacity, 0}, false);                                   \
    }

FINDING_ALL(frustum)
FINDING_ALL(box)

// All items of a tree that is one block: of the groups that are wholly inside, then of the others,
// as a walk orders them. Every group is looked at for both: how many there are is the same for each
// query, so that the processor predicts it, while which of them are seen is not.
ACRE_ALWAYS_INLINE size_t find_all_in_block(four_test *test, slots_test *test_slots,
                                            const query_volume *volume, uint32_t mask,
                                            const acre_quadtree *tree, uint32_t word, uint32_t *out)
{
    const uint32_t block = chain_block(word), count = chain_count(word);
    const item_group *const groups = tree->boxes[block].groups;
    const uint32_t *const ids = tree->ids[block].id;
    four_masks left;
    uint32_t masks[BLOCK_GROUPS], slots[BLOCK_GROUPS], found = 0, group = 0;
    const uint32_t seen = test(volume, &tree->headers[block].bounds, mask, &left);
    const uint32_t inside = seen & zero_lanes(left);
    memcpy(masks, &left, sizeof masks);
    ACRE_INVARIANT(!chain_more(word) && count <= tree->item_count);
    for (uint32_t i = 0; i < count; i += GROUP_SLOTS, group++) {
        slots[group] = test_slots(volume, &groups[group], masks[group], count - i);
        found += append_ids(inside >> group & 1 ? slots[group] : 0, ids + i, out + found);
    }
    for (uint32_t i = 0; i < group; i++) {
        found += append_ids(inside >> i & 1 ? 0 : slots[i], ids + i * GROUP_SLOTS, out + found);
    }
    ACRE_INVARIANT(found <= count);
    return found;
}

static size_t box_in_block(const query_volume *volume, uint32_t mask, const acre_quadtree *tree,
                           uint32_t word, uint32_t *out)
{
    return find_all_in_block(box_four, box_slots, volume, mask, tree, word, out);
}

static size_t frustum_in_block(const query_volume *volume, uint32_t mask, const acre_quadtree *tree,
                               uint32_t word, uint32_t *out)
{
    return find_all_in_block(frustum_four, frustum_slots, volume, mask, tree, word, out);
}

#define VOLUME_KERNEL(set)                                                                         \
    const volume_kernel acre_volume_kernel_##set = {                                               \
        .frustum = QUERY_KERNEL(frustum),                                                          \
        .box = QUERY_KERNEL(box),                                                                  \
        .all_in_frustum = {find_frustum, fill_frustum, frustum_in_block},                          \
        .all_in_box = {find_box, fill_box, box_in_block},                                          \
        .copy_chains = copy_chains,                                                                \
        .copy_groups = copy_groups}

#endif
