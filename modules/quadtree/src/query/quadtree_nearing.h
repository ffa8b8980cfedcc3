// SPDX-License-Identifier: MIT
// quadtree_nearing.h - the order of walks that go near first: nodes on a stack, groups of a chain.
//
// The key is the distance from the query's origin to the stored bounds. Of siblings that are as
// near the one with the highest slot comes first.
#ifndef ACRE_QUADTREE_NEARING_H
#define ACRE_QUADTREE_NEARING_H

#include "quadtree_walk.h"

// The nodes still to visit; the last one is the next.
typedef struct nearest_stack {
    uint32_t count;
    uint32_t nodes[STACK_ROOM];
    uint32_t masks[STACK_ROOM];
    float distances[STACK_ROOM];
} nearest_stack;

// How many groups of a chain are listed before their items are tested.
enum { NEAREST_GROUPS = 64 };

typedef struct nearest_groups {
    uint32_t count;
    uint32_t words[NEAREST_GROUPS];
    uint32_t masks[NEAREST_GROUPS];
    float distances[NEAREST_GROUPS];
} nearest_groups;

// Pushes the siblings that are neither outside nor farther than a limit, the nearest last.
static inline void push_near(query_walk *walk, float limit, nearest_stack *stack, uint32_t q,
                             uint32_t mask)
{
    const uint32_t bottom = stack->count;
    float distances[4];
    uint32_t masks[4];
    walk->stats.nodes_tested += q == 0 ? 1 : 4;
    uint32_t seen =
        wanted_siblings(walk->tree->cold, walk->filter.layers, q) &
        shape_kernel_of(walk->tree)
            ->measure_boxes(walk->volume, &walk->tree->quads[q].bounds, mask, distances, masks);
    while (seen) {
        const uint32_t slot = take_lowest(&seen);
        if (!(distances[slot] <= limit)) {
            continue;
        }
        ACRE_INVARIANT(stack->count < STACK_ROOM);
        uint32_t at = stack->count++;
        for (; at > bottom && stack->distances[at - 1] < distances[slot]; at--) {
            stack->nodes[at] = stack->nodes[at - 1];
            stack->masks[at] = stack->masks[at - 1];
            stack->distances[at] = stack->distances[at - 1];
        }
        stack->nodes[at] = q * 4 + slot;
        stack->masks[at] = masks[slot];
        stack->distances[at] = distances[slot];
    }
}

// Lists the groups of a block that are not outside, in order. There is room for a block.
static inline void list_near_groups(const query_walk *walk, nearest_groups *groups, uint32_t block,
                                    uint32_t count, uint32_t mask)
{
    float distances[BLOCK_GROUPS];
    uint32_t masks[BLOCK_GROUPS];
    uint32_t seen = present_groups(count) & shape_kernel_of(walk->tree)
                                                ->measure_boxes(walk->volume,
                                                                &walk->tree->headers[block].bounds,
                                                                mask, distances, masks);
    ACRE_INVARIANT(groups->count <= NEAREST_GROUPS - BLOCK_GROUPS);
    while (seen) {
        const uint32_t group = take_lowest(&seen), rest = count - group * GROUP_SLOTS;
        groups->words[groups->count] =
            group_word(block * BLOCK_GROUPS + group, rest < GROUP_SLOTS ? rest : GROUP_SLOTS);
        groups->masks[groups->count] = masks[group];
        groups->distances[groups->count++] = distances[group];
    }
}

#endif
