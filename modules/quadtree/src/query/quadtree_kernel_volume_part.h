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
    for (; i < nodes->inside_count; i++) {
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

// The items of the chains whose nodes intersect the volume. Returns how many were written.
ACRE_ALWAYS_INLINE size_t find_in_chains(four_test *test, two_fours_test *test_two,
                                         select_function *select, const query_volume *volume,
                                         const acre_quadtree *tree, const node_lists *nodes,
                                         uint32_t *out)
{
    group_lists groups; // not zeroed: most queries use little of it
    chain_position position = {.node = 0, .block = NONE};
    size_t found = 0, copied;
    for (uint32_t i = 0; i < NODES_AHEAD && i < nodes->intersecting_count; i++) {
        prefetch_bounds(tree->headers, chain_block(nodes->intersecting[i]));
    }
    while (position.node < nodes->intersecting_count) {
        groups.inside_count = groups.intersecting_count = 0;
        visit_chains(test, test_two, volume, tree, nodes, MOST_LISTED, &position, &groups);
        (void)copy_groups(tree->ids->id, &groups, out + found, SIZE_MAX, &copied);
        found += copied;
        for (uint32_t i = 0; i < GROUPS_AHEAD; i++) {
            groups.intersecting[groups.intersecting_count + i] = 0;
        }
        found += select(volume, tree->boxes->groups, tree->ids->id, groups.intersecting,
                        groups.intersecting_masks, groups.intersecting_count, out + found);
    }
    return found;
}

ACRE_ALWAYS_INLINE size_t find_all(four_test *test, two_fours_test *test_two,
                                   select_function *select, const query_volume *volume,
                                   const acre_quadtree *tree, node_lists *nodes, uint32_t *out)
{
    quad_descent descent = {.quads = tree->quads,
                            .cold = tree->cold,
                            .most_listed = PORTION_NODES,
                            .quads_left = SIZE_MAX};
    size_t found = 0, copied;
    do {
        descend(test, volume, &descent, nodes);
        (void)copy_chains(tree, nodes, out + found, SIZE_MAX, &copied);
        found += copied;
        found += find_in_chains(test, test_two, select, volume, tree, nodes, out + found);
        nodes->inside_count = nodes->intersecting_count = 0;
        ACRE_INVARIANT(found <= tree->item_count);
    } while (nodes->stack_count > 0);
    return found;
}

#define FINDING_ALL(kind)                                                                          \
    static size_t find_##kind(const query_volume *volume, const acre_quadtree *tree,               \
                              node_lists *nodes, uint32_t *out)                                    \
    {                                                                                              \
        return find_all(kind##_four, kind##_two, select_##kind, volume, tree, nodes, out);         \
    }

FINDING_ALL(frustum)
FINDING_ALL(box)

#define VOLUME_KERNEL(set)                                                                         \
    const volume_kernel acre_volume_kernel_##set = {.frustum = QUERY_KERNEL(frustum),              \
                                                    .box = QUERY_KERNEL(box),                      \
                                                    .all_in_frustum = find_frustum,                \
                                                    .all_in_box = find_box,                        \
                                                    .copy_chains = copy_chains,                    \
                                                    .copy_groups = copy_groups}

#endif
