// SPDX-License-Identifier: MIT
// quadtree_kernel_scalar.h - the scalar set in plain C: the reference that every other set must
// equal bit for bit.
//
// Defines what quadtree_kernel.h asks of a set.
#ifndef ACRE_QUADTREE_KERNEL_SCALAR_H
#define ACRE_QUADTREE_KERNEL_SCALAR_H

#include "quadtree_kernel.h"

static inline float smaller(float a, float b)
{
    return a < b ? a : b;
}

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

static inline float distance(const query_plane *plane, float x, float y, float z)
{
    return ((plane->normal[0] * x + plane->normal[1] * y) + plane->normal[2] * z) + plane->d;
}

typedef struct four_masks {
    uint32_t lane[4];
} four_masks;

static inline four_masks no_planes(void)
{
    return (four_masks){{0, 0, 0, 0}};
}

// The lanes whose mask is 0, as a set.
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

// Distances of the p-vertices and of the opposite corners of four boxes. The corner that is farther
// along an axis is the one with the larger product, whatever the normal's sign.
static inline void four_distances(const query_plane *plane, const four_boxes *bounds,
                                  float *far_distance, float *near_distance)
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

// Four boxes, or 16 items, at a time: loops without branches, which compilers make vectors of.
// A NaN distance is not below another one: such a plane decides nothing.
static inline uint32_t frustum_four(const query_volume *volume, const four_boxes *bounds,
                                    uint32_t mask, four_masks *left)
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

static inline uint32_t box_four(const query_volume *volume, const four_boxes *bounds, uint32_t mask,
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

// The siblings that have children, as a set.
static inline uint32_t parents_of(const quad *siblings)
{
    uint32_t set = 0;
    for (uint32_t slot = 0; slot < 4; slot++) {
        set |= (uint32_t)(siblings->child[slot] != 0) << slot;
    }
    return set;
}

// Every row is written; those that count are followed by the next one.
static inline void list_siblings(const quad *siblings, uint32_t seen, four_masks left,
                                 node_lists *lists, node_ends *ends)
{
    for (uint32_t slot = 0; slot < 4; slot++) {
        const uint32_t word = siblings->items[slot], mask = left.lane[slot];
        const uint32_t is_listed = (seen >> slot & 1) & (word != 0);
        lists->inside[ends->inside] = word;
        lists->cut[ends->cut] = word;
        lists->cut_masks[ends->cut] = mask;
        ends->inside += is_listed & (mask == 0);
        ends->cut += is_listed & (mask != 0);
    }
}

// The same of siblings that are wholly inside.
static inline void list_inside(const quad *siblings, uint32_t wanted, node_lists *lists,
                               node_ends *ends)
{
    for (uint32_t slot = 0; slot < 4; slot++) {
        lists->inside[ends->inside] = siblings->items[slot];
        ends->inside += (wanted >> slot & 1) & (siblings->items[slot] != 0);
    }
}

// The first sibling's children come to lie on top.
static inline void stack_children(const quad *siblings, uint32_t parents, four_masks left,
                                  node_lists *lists, node_ends *ends)
{
    for (uint32_t slot = 4; slot-- > 0;) {
        lists->stack[ends->stack] = siblings->child[slot];
        lists->stack_masks[ends->stack] = left.lane[slot];
        ends->stack += parents >> slot & 1;
    }
}

static inline void list_groups(uint32_t block, uint32_t count, uint32_t seen, four_masks left,
                               group_lists *lists, group_ends *ends)
{
    for (uint32_t group = 0; group < BLOCK_GROUPS; group++) {
        const uint32_t is_seen = seen >> group & 1, mask = left.lane[group];
        const uint32_t rest = is_seen ? count - group * GROUP_SLOTS : 0;
        const uint32_t word =
            group_word(block * BLOCK_GROUPS + group, rest < GROUP_SLOTS ? rest : GROUP_SLOTS);
        lists->inside[ends->inside] = word;
        lists->cut[ends->cut] = word;
        lists->cut_masks[ends->cut] = mask;
        ends->inside += is_seen & (mask == 0);
        ends->cut += is_seen & (mask != 0);
    }
}

static inline uint32_t overlapping_half(const item_group *group, const float *box, size_t stride,
                                        uint32_t axes, int part)
{
    uint32_t outside[HALF_SLOTS] = {0}, seen = 0;
    for (int low = 0; low < ROW_COUNT; low += 2) {
        if (!(axes >> low / 2 & 1)) {
            continue;
        }
        const float box_low = box[(size_t)low * stride], box_high = box[(size_t)(low + 1) * stride];
        const float *const lows = group->row[low] + part * HALF_SLOTS;
        const float *const highs = group->row[low + 1] + part * HALF_SLOTS;
        for (uint32_t slot = 0; slot < HALF_SLOTS; slot++) {
            outside[slot] |= (highs[slot] < box_low) | (box_high < lows[slot]);
        }
    }
    for (uint32_t slot = 0; slot < HALF_SLOTS; slot++) {
        seen |= (outside[slot] ^ 1) << slot;
    }
    return seen;
}

static inline uint32_t append_ids(uint32_t seen, const uint32_t *ids, uint32_t *out)
{
    uint32_t found = 0;
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        out[found] = ids[slot];
        found += seen >> slot & 1;
    }
    return found;
}

TEST_TWICE(frustum_two, frustum_four)
LIST_TWICE

#include "quadtree_kernel_overlap_part.h"

#endif
