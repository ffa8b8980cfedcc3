// SPDX-License-Identifier: MIT
// quadtree_kernel_walk_part.h - the loops of a walk: down the quads, and along the chains of
// blocks.
//
// Must be defined before: what a set defines.
#ifndef ACRE_QUADTREE_KERNEL_WALK_PART_H
#define ACRE_QUADTREE_KERNEL_WALK_PART_H

#ifndef LANES
#error "the parts of volume and shape include this, behind quadtree_kernel_SET.h"
#endif

#include "quadtree_kernel_volume.h"

typedef uint32_t four_test(const query_volume *volume, const four_boxes *bounds, uint32_t mask,
                           four_masks *left);

// The same for two times four boxes. The second four have the higher bits.
typedef uint32_t two_fours_test(const query_volume *volume, const four_boxes *first,
                                const four_boxes *second, uint32_t mask, four_masks left[2]);

// Tests and lists the siblings of a quad, and stacks their children. Returns the next quad: the
// first child, or the top of the stack. Few quads have children, which the processor predicts, so
// the next quad does not wait for the test of this one.
ACRE_ALWAYS_INLINE uint32_t visit_siblings(four_test *test, const query_volume *volume,
                                           const quad *quads, uint32_t q, uint32_t mask,
                                           uint32_t wanted, node_lists *lists, node_ends *ends)
{
    const quad *const siblings = &quads[q];
    ACRE_INVARIANT(q != NONE && ends->stack <= STACK_DEPTH);
    four_masks left = no_planes();
    if (mask) {
        wanted &= test(volume, &siblings->bounds, mask, &left);
        list_siblings(siblings, wanted, left, lists, ends);
    } else {
        list_inside(siblings, wanted, lists, ends);
    }
    uint32_t parents = wanted & parents_of(siblings);
    if (!parents) {
        return lists->stack[ends->stack - (ends->stack > 0)];
    }
    for (uint32_t slot = 0; slot < 4; slot++) { // outside or not: that takes no branch
        prefetch_line(&quads[siblings->child[slot]]);
        prefetch_line(quads[siblings->child[slot]].child);
    }
    stack_children(siblings, parents, left, lists, ends);
    return siblings->child[take_lowest(&parents)];
}

ACRE_ALWAYS_INLINE void descend(four_test *test, const query_volume *volume, quad_descent *walk,
                                node_lists *lists)
{
    node_ends ends = get_ends(lists);
    size_t left = walk->quads_left, tested = 0;
    uint32_t next = ends.stack > 0 ? lists->stack[ends.stack - 1] : 0;
    while (ends.stack > 0 && left > 0 && ends.inside + ends.intersecting <= walk->most_listed) {
        const uint32_t q = next;
        const uint32_t mask = lists->stack_masks[--ends.stack];
        const uint32_t wanted = wanted_siblings(walk->cold, walk->layers, q);
        left--;
        tested += mask ? (q == 0 ? 1 : 4) : 0;
        next = visit_siblings(test, volume, walk->quads, q, mask, wanted, lists, &ends);
    }
    walk->quads_left = left;
    walk->nodes_tested += tested;
    set_ends(lists, ends);
}

static inline void prefetch_bounds(const block_header *headers, uint32_t block)
{
    prefetch_line(headers[block].bounds.row[0]);
    prefetch_line(headers[block].bounds.row[4]);
}

// Tests the blocks of a chain two at a time; all but the first are full. Tests them one by one if
// the walk stops as soon as something is listed.
ACRE_ALWAYS_INLINE void visit_chains(four_test *test, two_fours_test *test_two,
                                     const query_volume *volume, const acre_quadtree *tree,
                                     const node_lists *nodes, uint32_t most_listed,
                                     chain_position *position, group_lists *lists)
{
    const block_header *const headers = tree->headers;
    const uint32_t *const next = tree->next;
    const uint32_t node_count = nodes->intersecting_count;
    group_ends ends = {lists->inside_count, lists->intersecting_count};
    uint32_t block = position->block, node = position->node;
    while (node < node_count && ends.inside + ends.intersecting <= most_listed) {
        const uint32_t word = nodes->intersecting[node], mask = nodes->intersecting_masks[node];
        const bool is_first = block == NONE;
        block = is_first ? chain_block(word) : block;
        ACRE_INVARIANT(block < tree->block_count);
        if (is_first && node + NODES_AHEAD < node_count) {
            prefetch_bounds(headers, chain_block(nodes->intersecting[node + NODES_AHEAD]));
        }
        const uint32_t count = is_first ? chain_count(word) : BLOCK_SLOTS;
        const uint32_t second = !is_first || chain_more(word) ? next[block] : NONE;
        const four_boxes *const bounds = &headers[block].bounds;
        four_masks left[2];
        if (second == NONE || most_listed == 0) {
            const uint32_t seen = test(volume, bounds, mask, &left[0]);
            list_groups(block, count, seen & present_groups(count), left[0], lists, &ends);
            block = second;
        } else {
            const uint32_t seen = test_two(volume, bounds, &headers[second].bounds, mask, left);
            const uint32_t blocks[2] = {block, second}, present = present_groups(count) | 0xf0;
            list_two_blocks(blocks, count, seen & present, left, lists, &ends);
            block = next[second];
        }
        node += block == NONE;
    }
    position->block = block;
    position->node = node;
    lists->inside_count = ends.inside;
    lists->intersecting_count = ends.intersecting;
}

// Defines the two functions of a query_kernel that need a test of boxes.
#define LISTING_FUNCTIONS(kind, test, test_two)                                                    \
    static void descend_##kind(const query_volume *volume, quad_descent *walk, node_lists *lists)  \
    {                                                                                              \
        descend(test, volume, walk, lists);                                                        \
    }                                                                                              \
    static void visit_chains_##kind(const query_volume *volume, const acre_quadtree *tree,         \
                                    const node_lists *nodes, uint32_t most_listed,                 \
                                    chain_position *position, group_lists *lists)                  \
    {                                                                                              \
        visit_chains(test, test_two, volume, tree, nodes, most_listed, position, lists);           \
    }

// The set of those items of a group that the parts of a mask do not exclude, of the first `count`.
typedef uint32_t slots_test(const query_volume *volume, const item_group *group, uint32_t mask,
                            uint32_t count);

ACRE_ALWAYS_INLINE uint32_t select_groups(slots_test *test, const query_volume *volume,
                                          const item_group *groups, const uint32_t *ids,
                                          const uint32_t *words, const uint32_t *masks,
                                          uint32_t count, uint32_t *out)
{
    uint32_t found = 0, room = GROUP_SLOTS; // that the caller promises for the groups so far
    for (uint32_t i = 0; i < count; i++) {
        const size_t group = group_number(words[i]);
        room += group_count(words[i]);
        expect_room_for_ids(found, room);
        prefetch_group(groups, ids, group_number(words[i + GROUPS_AHEAD]));
        const uint32_t seen = test(volume, &groups[group], masks[i], group_count(words[i]));
        found += append_ids(seen, ids + group * GROUP_SLOTS, out + found);
    }
    return found;
}

ACRE_ALWAYS_INLINE void select_slots(slots_test *test, const query_volume *volume,
                                     const item_group *groups, const uint32_t *ids,
                                     const uint32_t *words, const uint32_t *masks, uint32_t count,
                                     uint32_t *found)
{
    for (uint32_t i = 0; i < count; i++) {
        prefetch_group(groups, ids, group_number(words[i + GROUPS_AHEAD]));
        found[i] = test(volume, &groups[group_number(words[i])], masks[i], group_count(words[i]));
    }
}

// Defines the two functions of a query_kernel that test items.
#define SELECTING_IDS(kind, test)                                                                  \
    static uint32_t select_##kind(const query_volume *volume, const item_group *groups,            \
                                  const uint32_t *ids, const uint32_t *words,                      \
                                  const uint32_t *masks, uint32_t count, uint32_t *out)            \
    {                                                                                              \
        return select_groups(test, volume, groups, ids, words, masks, count, out);                 \
    }
#define SELECTING_SLOTS(kind, test)                                                                \
    static void select_slots_##kind(const query_volume *volume, const item_group *groups,          \
                                    const uint32_t *ids, const uint32_t *words,                    \
                                    const uint32_t *masks, uint32_t count, uint32_t *found)        \
    {                                                                                              \
        select_slots(test, volume, groups, ids, words, masks, count, found);                       \
    }

#define QUERY_KERNEL(kind)                                                                         \
    {                                                                                              \
        descend_##kind, visit_chains_##kind, select_##kind, select_slots_##kind                    \
    }

#endif
