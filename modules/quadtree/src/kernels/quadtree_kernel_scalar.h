// SPDX-License-Identifier: MIT
// quadtree_kernel_scalar.h - the scalar set in plain C: the reference that every other set must
// equal bit for bit.
//
// Defines what quadtree_kernel.h asks of a set.
#ifndef ACRE_QUADTREE_KERNEL_SCALAR_H
#define ACRE_QUADTREE_KERNEL_SCALAR_H

#include "quadtree_kernel_scalar_float.h"
#include "quadtree_kernel_scalar_group.h"

typedef struct four_masks {
    uint32_t lane[4];
} four_masks;

static inline four_masks no_planes(void)
{
    return (four_masks){{0, 0, 0, 0}};
}

// The set of lanes whose mask is 0.
static inline uint32_t zero_lanes(four_masks masks)
{
    uint32_t set = 0;
    for (uint32_t lane = 0; lane < 4; lane++) {
        set |= (uint32_t)(masks.lane[lane] == 0) << lane;
    }
    return set;
}

static inline four_masks join_masks(four_masks a, four_masks b)
{
    for (uint32_t lane = 0; lane < 4; lane++) {
        a.lane[lane] |= b.lane[lane];
    }
    return a;
}

// Adds bits to the masks of the lanes in a set.
static inline void add_bits(four_masks *masks, uint32_t set, uint32_t bits)
{
    for (uint32_t lane = 0; lane < 4; lane++) {
        masks->lane[lane] |= set >> lane & 1 ? bits : 0;
    }
}

// Distances from a plane to the p-vertices and to the opposite corners of four boxes. Along each
// axis the farther corner has the larger product, whatever the sign of the normal.
static void four_distances(const query_plane *plane, const four_boxes *bounds, float *far_distance,
                           float *near_distance)
{
    for (uint32_t lane = 0; lane < 4; lane++) {
        float far_part[3], near_part[3];
        for (int axis = 0; axis < 3; axis++) {
            const float low = plane->normal[axis] * bounds->row[axis * 2][lane];
            const float high = plane->normal[axis] * bounds->row[axis * 2 + 1][lane];
            far_part[axis] = larger(low, high);
            near_part[axis] = smaller(low, high);
        }
        far_distance[lane] = ((far_part[0] + far_part[1]) + far_part[2]) + plane->bounds_d;
        near_distance[lane] = ((near_part[0] + near_part[1]) + near_part[2]) + plane->bounds_d;
    }
}

// Loops over four boxes or 16 items have no branches, so that compilers vectorize them. A
// comparison with a NaN distance is false: such a plane decides nothing.
static uint32_t frustum_four(const query_volume *volume, const four_boxes *bounds, uint32_t mask,
                             four_masks *left)
{
    uint32_t outside[4] = {0, 0, 0, 0};
    *left = (four_masks){{mask, mask, mask, mask}};
    while (mask) {
        const uint32_t plane = take_lowest(&mask);
        float far_distance[4], near_distance[4];
        four_distances(&volume->planes[plane], bounds, far_distance, near_distance);
        for (uint32_t lane = 0; lane < 4; lane++) {
            outside[lane] |= far_distance[lane] < 0.0f;
            left->lane[lane] &= ~((uint32_t)(near_distance[lane] >= 0.0f) << plane);
        }
    }
    return (outside[0] | outside[1] << 1 | outside[2] << 2 | outside[3] << 3) ^ 15u;
}

static uint32_t box_four(const query_volume *volume, const four_boxes *bounds, uint32_t mask,
                         four_masks *left)
{
    uint32_t seen = 0;
    for (uint32_t lane = 0; lane < 4; lane++) {
        bool outside = false, inside = true;
        for (int low = 0; low < ROW_COUNT; low += 2) {
            const float node_low = bounds->row[low][lane], node_high = bounds->row[low + 1][lane];
            const float box_low = volume->box.row[low], box_high = volume->box.row[low + 1];
            outside |= node_high < box_low || box_high < node_low;
            inside &= box_low <= node_low && node_high <= box_high;
        }
        left->lane[lane] = inside ? 0 : mask;
        seen |= (uint32_t)!outside << lane;
    }
    return seen;
}

// Tests four boxes against a sphere, or against a circle if the axes are those of the ground. With
// n = min - center and m = center - max, a box is max(n, m, 0) away along an axis, and its farther
// edge is -min(n, m) away.
static inline uint32_t round_four(const query_volume *volume, const four_boxes *bounds,
                                  uint32_t axes, uint32_t mask, four_masks *left)
{
    const shape_round *const round = &volume->round;
    uint32_t seen = 0;
    for (uint32_t lane = 0; lane < 4; lane++) {
        float nearest = 0.0f, farthest = 0.0f;
        for (int axis = 0; axis < 3; axis++) {
            if (!(axes >> axis & 1)) {
                continue;
            }
            const float below = bounds->row[axis * 2][lane] - round->center[axis];
            const float above = round->center[axis] - bounds->row[axis * 2 + 1][lane];
            const float gap = larger(larger(below, above), 0.0f);
            const float far_edge = smaller(below, above);
            nearest += gap * gap;
            farthest += far_edge * far_edge;
        }
        left->lane[lane] = farthest <= round->hold ? 0 : mask;
        seen |= (uint32_t)(nearest <= round->touch) << lane;
    }
    return seen;
}

// The set of siblings that have children.
static uint32_t parents_of(const quad *siblings)
{
    uint32_t set = 0;
    for (uint32_t slot = 0; slot < 4; slot++) {
        set |= (uint32_t)(siblings->child[slot] != 0) << slot;
    }
    return set;
}

// Writes every row; only those that count move the end.
static void list_siblings(const quad *siblings, uint32_t seen, four_masks left, node_lists *lists,
                          node_ends *ends)
{
    expect_room_for_nodes(ends);
    for (uint32_t slot = 0; slot < 4; slot++) {
        const uint32_t word = siblings->items[slot], mask = left.lane[slot];
        const uint32_t is_listed = (seen >> slot & 1) & (word != 0);
        lists->inside[ends->inside] = word;
        lists->intersecting[ends->intersecting] = word;
        lists->intersecting_masks[ends->intersecting] = mask;
        ends->inside += is_listed & (mask == 0);
        ends->intersecting += is_listed & (mask != 0);
    }
}

// list_siblings for siblings that are all wholly inside.
static void list_inside(const quad *siblings, uint32_t wanted, node_lists *lists, node_ends *ends)
{
    expect_room_for_nodes(ends);
    for (uint32_t slot = 0; slot < 4; slot++) {
        lists->inside[ends->inside] = siblings->items[slot];
        ends->inside += (wanted >> slot & 1) & (siblings->items[slot] != 0);
    }
}

// The first sibling's children end up on top.
static void stack_children(const quad *siblings, uint32_t parents, four_masks left,
                           node_lists *lists, node_ends *ends)
{
    expect_room_on_stack(ends);
    for (uint32_t slot = 4; slot-- > 0;) {
        lists->stack[ends->stack] = siblings->child[slot];
        lists->stack_masks[ends->stack] = left.lane[slot];
        ends->stack += parents >> slot & 1;
    }
}

static void list_groups(uint32_t block, uint32_t count, uint32_t seen, four_masks left,
                        group_lists *lists, group_ends *ends)
{
    expect_room_for_groups(ends);
    for (uint32_t group = 0; group < BLOCK_GROUPS; group++) {
        const uint32_t is_seen = seen >> group & 1, mask = left.lane[group];
        const uint32_t rest = is_seen ? count - group * GROUP_SLOTS : 0;
        const uint32_t word =
            group_word(block * BLOCK_GROUPS + group, rest < GROUP_SLOTS ? rest : GROUP_SLOTS);
        lists->inside[ends->inside] = word;
        lists->intersecting[ends->intersecting] = word;
        lists->intersecting_masks[ends->intersecting] = mask;
        ends->inside += is_seen & (mask == 0);
        ends->intersecting += is_seen & (mask != 0);
    }
}

TEST_TWICE(frustum_two, frustum_four)
ROUND_TWICE
LIST_TWICE

#endif
