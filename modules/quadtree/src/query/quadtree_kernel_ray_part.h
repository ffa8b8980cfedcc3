// SPDX-License-Identifier: MIT
// quadtree_kernel_ray_part.h - the walk of a ray: from near to far, until all that is left lies
// behind the farthest hit that counts.
//
// Must be defined before: shape_group.
#ifndef ACRE_QUADTREE_KERNEL_RAY_PART_H
#define ACRE_QUADTREE_KERNEL_RAY_PART_H

#ifndef LANES
#error "quadtree_kernel_shape_part.h includes this"
#endif

#include "quadtree_kernel_slab_part.h"

// Groups of a chain that are listed before their items are tested; two blocks more have room.
enum { RAY_GROUPS = 56 };

typedef struct ray_groups {
    uint32_t count;
    uint32_t words[RAY_GROUPS + 2 * BLOCK_GROUPS];
    float enters[RAY_GROUPS + 2 * BLOCK_GROUPS]; // where the ray does
} ray_groups;

// The nodes still to visit; the last one is the next.
typedef struct ray_stack {
    uint32_t count;
    float enters[STACK_ROOM];   // where the ray does
    uint32_t items[STACK_ROOM]; // chain words
    uint32_t child[STACK_ROOM]; // quads of children, 0 = none
} ray_stack;

// Tests the items of a group. @return the limit behind what was taken.
ACRE_ALWAYS_INLINE float cast_at_group(ray_cast *cast, const shape_slab *slab, float limit,
                                       uint32_t word)
{
    const uint32_t count = group_count(word);
    const item_group *const groups = cast->tree->boxes->groups; // of all blocks
    const item_group *const group = &groups[group_number(word)];
    float enters[GROUP_SLOTS];
    cast->items_tested += count;
    const uint32_t seen = ray_slots(slab, group, limit, enters) & present_slots(count);
    if (seen == 0) {
        return limit;
    }
    return cast->take(cast, word, seen & shape_group(cast->volume, group, cast->items_mask, count),
                      enters);
}

// Tests the items of listed groups, the nearest group first. @return the limit behind them.
ACRE_ALWAYS_INLINE float cast_at_groups(ray_cast *cast, const shape_slab *slab, float limit,
                                        ray_groups *groups)
{
    for (uint32_t count = groups->count; count > 0; count--) {
        uint32_t nearest = 0;
        for (uint32_t i = 1; i < count; i++) {
            nearest = groups->enters[i] < groups->enters[nearest] ? i : nearest;
        }
        if (groups->enters[nearest] > limit) {
            break;
        }
        limit = cast_at_group(cast, slab, limit, groups->words[nearest]);
        groups->words[nearest] = groups->words[count - 1];
        groups->enters[nearest] = groups->enters[count - 1];
    }
    groups->count = 0;
    return limit;
}

// Tests the items of a chain, two blocks at a time. @return the limit behind them.
ACRE_ALWAYS_INLINE float cast_at_chain(ray_cast *cast, const shape_slab *slab, float limit,
                                       uint32_t word)
{
    const acre_quadtree *const tree = cast->tree;
    ray_groups groups;
    groups.count = 0;
    uint32_t count = chain_count(word), block = chain_block(word);
    uint32_t second = chain_more(word) ? tree->next[block] : NONE;
    while (block != NONE) {
        float enters[2 * BLOCK_GROUPS];
        const uint32_t blocks[2] = {block, second == NONE ? block : second};
        uint32_t seen = ray_two(slab, &tree->headers[blocks[0]].bounds,
                                &tree->headers[blocks[1]].bounds, limit, enters);
        seen &= present_groups(count) | (second == NONE ? 0 : 0xf0);
        list_entered(blocks, count, seen, enters, groups.words + groups.count,
                     groups.enters + groups.count);
        groups.count += lane_count(seen);
        block = second == NONE ? NONE : tree->next[second];
        second = block == NONE ? NONE : tree->next[block];
        count = BLOCK_SLOTS;
        if (block == NONE || groups.count > RAY_GROUPS) {
            limit = cast_at_groups(cast, slab, limit, &groups);
        }
    }
    return limit;
}

// Pushes the siblings that the ray touches, the nearest last.
ACRE_ALWAYS_INLINE void push_touched(ray_cast *cast, const shape_slab *slab, float limit,
                                     ray_stack *stack, uint32_t q)
{
    const acre_quadtree *const tree = cast->tree;
    const quad *const siblings = &tree->quads[q];
    const uint32_t bottom = stack->count;
    float enters[4];
    cast->nodes_tested += q == 0 ? 1 : 4;
    uint32_t seen = wanted_siblings(tree->cold, cast->layers, q) &
                    ray_four(slab, &siblings->bounds, limit, enters);
    while (seen) {
        const uint32_t slot = take_lowest(&seen);
        ACRE_INVARIANT(stack->count < STACK_ROOM);
        uint32_t at = stack->count++;
        for (; at > bottom && stack->enters[at - 1] < enters[slot]; at--) {
            stack->enters[at] = stack->enters[at - 1];
            stack->items[at] = stack->items[at - 1];
            stack->child[at] = stack->child[at - 1];
        }
        stack->enters[at] = enters[slot];
        stack->items[at] = siblings->items[slot];
        stack->child[at] = siblings->child[slot];
        prefetch_line(&tree->quads[siblings->child[slot]]);
        prefetch_line(&tree->headers[chain_block(siblings->items[slot])]);
    }
}

static void cast_ray(ray_cast *cast)
{
    const shape_slab slab = cast->volume->slab; // a copy, which nobody else changes
    float limit = cast->limit;
    ray_stack stack;
    stack.count = 0;
    const uint32_t outliers = *node_items(cast->tree, OUTLIER_NODE);
    if (outliers) {
        limit = cast_at_chain(cast, &slab, limit, outliers);
    }
    push_touched(cast, &slab, limit, &stack, 0);
    while (stack.count > 0) {
        const uint32_t top = --stack.count, items = stack.items[top], child = stack.child[top];
        if (stack.enters[top] > limit) {
            continue;
        }
        if (items) {
            limit = cast_at_chain(cast, &slab, limit, items);
        }
        if (child) {
            push_touched(cast, &slab, limit, &stack, child);
        }
    }
}

#endif
