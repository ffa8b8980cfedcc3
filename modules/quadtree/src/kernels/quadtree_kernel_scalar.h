// SPDX-License-Identifier: MIT
// quadtree_kernel_scalar.h - the scalar set in plain C: the reference that every other set must
// equal bit for bit.
//
// Defines what quadtree_kernel.h asks of a set. Most functions are not `inline`: gcc then inlines
// more of them, and pairs take 27 % more instructions.
#ifndef ACRE_QUADTREE_KERNEL_SCALAR_H
#define ACRE_QUADTREE_KERNEL_SCALAR_H

#include "quadtree_kernel.h"

#include "compiler_internal.h"
#include "lanes_one.h"

#include <string.h>

// b where either is NaN.
ACRE_MAY_BE_UNUSED
static float smaller(float a, float b)
{
    return a < b ? a : b;
}

ACRE_MAY_BE_UNUSED
static float larger(float a, float b)
{
    return a > b ? a : b;
}

// ---- four boxes ----

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
ACRE_MAY_BE_UNUSED
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
ACRE_MAY_BE_UNUSED
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

ACRE_MAY_BE_UNUSED
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
ACRE_MAY_BE_UNUSED
static uint32_t parents_of(const quad *siblings)
{
    uint32_t set = 0;
    for (uint32_t slot = 0; slot < 4; slot++) {
        set |= (uint32_t)(siblings->child[slot] != 0) << slot;
    }
    return set;
}

// Writes every row; only those that count move the end.
ACRE_MAY_BE_UNUSED
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
ACRE_MAY_BE_UNUSED
static void list_inside(const quad *siblings, uint32_t wanted, node_lists *lists, node_ends *ends)
{
    expect_room_for_nodes(ends);
    for (uint32_t slot = 0; slot < 4; slot++) {
        lists->inside[ends->inside] = siblings->items[slot];
        ends->inside += (wanted >> slot & 1) & (siblings->items[slot] != 0);
    }
}

// The first sibling's children end up on top.
ACRE_MAY_BE_UNUSED
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

ACRE_MAY_BE_UNUSED
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
LIST_ENTERED_TWICE

// ---- the items of a group ----

static inline uint32_t near_half(const item_group *group, const shape_round *round, uint32_t axes,
                                 int part, float *out)
{
    float sum[HALF_SLOTS] = {0.0f};
    uint32_t near = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (!(axes >> axis & 1)) {
            continue;
        }
        const float at = round->center[axis];
        const float *const lows = group->row[axis * 2] + part * HALF_SLOTS;
        const float *const highs = group->row[axis * 2 + 1] + part * HALF_SLOTS;
        for (uint32_t slot = 0; slot < HALF_SLOTS; slot++) {
            const float below = lows[slot] - at, above = at - highs[slot];
            const float beyond = below > above ? below : above;
            const float gap = beyond > 0.0f ? beyond : 0.0f;
            sum[slot] += gap * gap;
        }
    }
    for (uint32_t slot = 0; slot < HALF_SLOTS; slot++) {
        near |= (uint32_t)(sum[slot] <= round->touch) << slot;
    }
    for (uint32_t slot = 0; out && slot < HALF_SLOTS; slot++) {
        out[slot] = sum[slot];
    }
    return near;
}

static inline uint32_t near_slots(const item_group *group, const shape_round *round, uint32_t axes)
{
    uint32_t slots = 0;
    for (int part = 0; part < 2; part++) {
        slots |= near_half(group, round, axes, part, NULL) << (part * HALF_SLOTS);
    }
    return slots;
}

static inline uint32_t near_squares(const item_group *group, const shape_round *round,
                                    uint32_t axes, float *squares)
{
    uint32_t slots = 0;
    for (int part = 0; part < 2; part++) {
        float *const half = squares + part * HALF_SLOTS;
        slots |= near_half(group, round, axes, part, half) << (part * HALF_SLOTS);
    }
    return slots;
}

ACRE_MAY_BE_UNUSED
static uint32_t append_ids(uint32_t seen, const uint32_t *ids, uint32_t *out)
{
    uint32_t found = 0;
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        out[found] = ids[slot];
        found += seen >> slot & 1;
    }
    return found;
}

ACRE_MAY_BE_UNUSED
static uint32_t overlapping_half(const item_group *group, const float *box, size_t stride,
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

// A loop, not two calls: with two inlined copies box queries take 7 % more time.
ACRE_MAY_BE_UNUSED
static uint32_t overlapping_slots(const item_group *group, const float *box, size_t stride,
                                  uint32_t axes)
{
    uint32_t slots = 0;
    for (int part = 0; part < 2; part++) {
        slots |= overlapping_half(group, box, stride, axes, part) << (part * HALF_SLOTS);
    }
    return slots;
}

// Not by overlapping_slots: compilers leave that out of the loop of box queries once something else
// calls it, which then take 1.5 % more instructions.
ACRE_MAY_BE_UNUSED
static uint32_t slots_in_box(const query_volume *volume, const item_group *group, uint32_t mask,
                             uint32_t count)
{
    const float *const box = volume->box.row;
    uint32_t seen = 0;
    (void)mask; // a box is all there is
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        uint32_t outside = 0;
        for (int low = 0; low < ROW_COUNT; low += 2) {
            outside |=
                (group->row[low + 1][slot] < box[low]) | (box[low + 1] < group->row[low][slot]);
        }
        seen |= (outside ^ 1) << slot;
    }
    return seen & present_slots(count);
}

static inline float distance(const query_plane *plane, float x, float y, float z)
{
    return ((plane->normal[0] * x + plane->normal[1] * y) + plane->normal[2] * z) + plane->d;
}

// Which items are outside is unpredictable, so only whole groups branch.
ACRE_MAY_BE_UNUSED
static uint32_t append_visible(const float *farthest_out, const uint32_t *ids, uint32_t count,
                               uint32_t *out)
{
    uint32_t seen[GROUP_SLOTS], sum = 0, found = 0;
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        seen[slot] = !(farthest_out[slot] < 0.0f) & (slot < count);
        sum += seen[slot];
    }
    if (sum == 0) {
        return 0;
    }
    if (sum == GROUP_SLOTS) {
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            out[slot] = ids[slot];
        }
        return GROUP_SLOTS;
    }
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        out[found] = ids[slot];
        found += seen[slot];
    }
    return found;
}

// Distances from the planes of a mask to the p-vertices of a group, of each item the least.
static inline void farthest_out_of(const query_volume *volume, const item_group *group,
                                   uint32_t mask, float *farthest_out)
{
    while (mask) {
        const query_plane *const plane = &volume->planes[take_lowest(&mask)];
        const float *const x = group->row[plane->far_row[0]];
        const float *const y = group->row[plane->far_row[1]];
        const float *const z = group->row[plane->far_row[2]];
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            farthest_out[slot] =
                smaller(distance(plane, x[slot], y[slot], z[slot]), farthest_out[slot]);
        }
    }
}

ACRE_MAY_BE_UNUSED
static uint32_t frustum_slots(const query_volume *volume, const item_group *group, uint32_t mask,
                              uint32_t count)
{
    float farthest_out[GROUP_SLOTS] = {0.0f};
    uint32_t seen = 0;
    farthest_out_of(volume, group, mask, farthest_out);
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        seen |= (uint32_t) !(farthest_out[slot] < 0.0f) << slot;
    }
    return seen & present_slots(count);
}

// Not by append_ids: most groups are found wholly or not at all.
ACRE_MAY_BE_UNUSED
static uint32_t frustum_group(const query_volume *volume, const item_group *group, uint32_t mask,
                              const uint32_t *ids, uint32_t count, uint32_t *out)
{
    float farthest_out[GROUP_SLOTS] = {0.0f};
    farthest_out_of(volume, group, mask, farthest_out);
    return append_visible(farthest_out, ids, count, out);
}

static inline void copy_group(const uint32_t *from, uint32_t *to)
{
    memcpy(to, from, GROUP_SLOTS * sizeof *to);
}

ACRE_MAY_BE_UNUSED
static void repeat_group(const item_group *group, uint32_t axes, group_twice *twice)
{
    for (int row = 0; row < ROW_COUNT; row++) {
        if (axes >> row / 2 & 1) {
            memcpy(twice->row[row], group->row[row], sizeof group->row[row]);
            memcpy(twice->row[row] + GROUP_SLOTS, group->row[row], HALF_SLOTS * sizeof(float));
        }
    }
}

ACRE_MAY_BE_UNUSED
static uint32_t overlapping_behind(const group_twice *twice, uint32_t offset, uint32_t axes,
                                   int part)
{
    ACRE_INVARIANT(offset > 0 && offset <= HALF_SLOTS);
    uint32_t outside[HALF_SLOTS] = {0}, seen = 0;
    for (int low = 0; low < ROW_COUNT; low += 2) {
        if (!(axes >> low / 2 & 1)) {
            continue;
        }
        const float *const lows = twice->row[low] + part * HALF_SLOTS;
        const float *const highs = twice->row[low + 1] + part * HALF_SLOTS;
        for (uint32_t slot = 0; slot < HALF_SLOTS; slot++) {
            outside[slot] |=
                (highs[slot] < lows[slot + offset]) | (highs[slot + offset] < lows[slot]);
        }
    }
    for (uint32_t slot = 0; slot < HALF_SLOTS; slot++) {
        seen |= (outside[slot] ^ 1) << slot;
    }
    return seen;
}

#include "quadtree_kernel_scalar_refresh.h"

#endif
