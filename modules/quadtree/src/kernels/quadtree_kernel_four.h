// SPDX-License-Identifier: MIT
// quadtree_kernel_four.h - four lanes at a time: what all vector sets share.
//
// Written with SIMDe's names of SSE4.1 intrinsics. Each kernel file compiles it anew for its own
// instruction set. Operations and their order are those of quadtree_kernel_scalar.h.
#ifndef ACRE_QUADTREE_KERNEL_FOUR_H
#define ACRE_QUADTREE_KERNEL_FOUR_H

#include "quadtree_kernel.h"

#include "compiler_internal.h"
#include "lanes_four.h"

#include <string.h>

typedef simde__m128 four;

// Loads 16 bytes from any address; compilers make one instruction of it.
static inline simde__m128i four_load(const void *from)
{
    simde__m128i value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline void four_store(void *to, simde__m128i value)
{
    memcpy(to, &value, sizeof value);
}

static inline four four_distance(const query_plane *plane, four x, four y, four z)
{
    const four nx = simde_mm_set1_ps(plane->normal[0]), ny = simde_mm_set1_ps(plane->normal[1]);
    const four nz = simde_mm_set1_ps(plane->normal[2]), d = simde_mm_set1_ps(plane->d);
    const four xy = simde_mm_add_ps(simde_mm_mul_ps(nx, x), simde_mm_mul_ps(ny, y));
    return simde_mm_add_ps(simde_mm_add_ps(xy, simde_mm_mul_ps(nz, z)), d);
}

static inline four four_sum(four x, four y, four z, four d)
{
    return simde_mm_add_ps(simde_mm_add_ps(simde_mm_add_ps(x, y), z), d);
}

typedef simde__m128i four_masks;

static inline four_masks no_planes(void)
{
    return simde_mm_setzero_si128();
}

static inline uint32_t zero_lanes(simde__m128i lanes)
{
    const simde__m128i is_zero = simde_mm_cmpeq_epi32(lanes, simde_mm_setzero_si128());
    return choice_bits(simde_mm_castsi128_ps(is_zero));
}

static inline four_masks join_masks(four_masks a, four_masks b)
{
    return simde_mm_or_si128(a, b);
}

// Adds bits to the masks of the lanes in a set.
static inline void add_bits(four_masks *masks, uint32_t set, uint32_t bits)
{
    const simde__m128i lanes = simde_mm_setr_epi32(1, 2, 4, 8);
    const simde__m128i in_set =
        simde_mm_cmpeq_epi32(simde_mm_and_si128(simde_mm_set1_epi32((int32_t)set), lanes), lanes);
    *masks =
        simde_mm_or_si128(*masks, simde_mm_and_si128(in_set, simde_mm_set1_epi32((int32_t)bits)));
}

// Tests four boxes against the planes of a mask, one plane at a time. Bit i of a lane's mask is
// cleared if the corner nearest to the outside is inside plane i.
static inline uint32_t frustum_few(const query_volume *volume, const four_boxes *bounds,
                                   uint32_t mask, four_masks *left)
{
    const four zero = simde_mm_setzero_ps();
    const four x_min = simde_mm_loadu_ps(bounds->row[0]), x_max = simde_mm_loadu_ps(bounds->row[1]);
    const four y_min = simde_mm_loadu_ps(bounds->row[2]), y_max = simde_mm_loadu_ps(bounds->row[3]);
    const four z_min = simde_mm_loadu_ps(bounds->row[4]), z_max = simde_mm_loadu_ps(bounds->row[5]);
    four outside = zero;
    *left = simde_mm_set1_epi32((int32_t)mask);
    while (mask) {
        const uint32_t i = take_lowest(&mask);
        const query_plane *const plane = &volume->planes[i];
        const four nx = simde_mm_set1_ps(plane->normal[0]), ny = simde_mm_set1_ps(plane->normal[1]);
        const four nz = simde_mm_set1_ps(plane->normal[2]), d = simde_mm_set1_ps(plane->bounds_d);
        const four x_low = simde_mm_mul_ps(nx, x_min), x_high = simde_mm_mul_ps(nx, x_max);
        const four y_low = simde_mm_mul_ps(ny, y_min), y_high = simde_mm_mul_ps(ny, y_max);
        const four z_low = simde_mm_mul_ps(nz, z_min), z_high = simde_mm_mul_ps(nz, z_max);
        const four far_distance =
            four_sum(simde_mm_max_ps(x_low, x_high), simde_mm_max_ps(y_low, y_high),
                     simde_mm_max_ps(z_low, z_high), d);
        const four near_distance =
            four_sum(simde_mm_min_ps(x_low, x_high), simde_mm_min_ps(y_low, y_high),
                     simde_mm_min_ps(z_low, z_high), d);
        const simde__m128i bit = simde_mm_set1_epi32((int32_t)(1u << i));
        const simde__m128i is_inside =
            simde_mm_castps_si128(simde_mm_cmpge_ps(near_distance, zero));
        outside = simde_mm_or_ps(outside, simde_mm_cmplt_ps(far_distance, zero));
        *left = simde_mm_andnot_si128(simde_mm_and_si128(is_inside, bit), *left);
    }
    return choice_bits(outside) ^ 15u;
}

static inline uint32_t box_four(const query_volume *volume, const four_boxes *bounds, uint32_t mask,
                                four_masks *left)
{
    four outside = simde_mm_setzero_ps(), not_inside = outside;
    for (int low = 0; low < ROW_COUNT; low += 2) {
        const four node_low = simde_mm_loadu_ps(bounds->row[low]);
        const four node_high = simde_mm_loadu_ps(bounds->row[low + 1]);
        const four box_low = simde_mm_set1_ps(volume->box.row[low]);
        const four box_high = simde_mm_set1_ps(volume->box.row[low + 1]);
        outside = simde_mm_or_ps(outside, simde_mm_cmplt_ps(node_high, box_low));
        outside = simde_mm_or_ps(outside, simde_mm_cmplt_ps(box_high, node_low));
        not_inside = simde_mm_or_ps(not_inside, simde_mm_cmpnle_ps(box_low, node_low));
        not_inside = simde_mm_or_ps(not_inside, simde_mm_cmpnle_ps(node_high, box_high));
    }
    *left =
        simde_mm_and_si128(simde_mm_castps_si128(not_inside), simde_mm_set1_epi32((int32_t)mask));
    return choice_bits(outside) ^ 15u;
}

// Tests four boxes against a sphere, or against a circle if the axes are those of the ground. With
// n = min - center and m = center - max, a box is max(n, m, 0) away along an axis, and its farther
// edge is -min(n, m) away.
ACRE_ALWAYS_INLINE uint32_t round_four(const query_volume *volume, const four_boxes *bounds,
                                       uint32_t axes, uint32_t mask, four_masks *left)
{
    const four zero = simde_mm_setzero_ps();
    four nearest = zero, farthest = zero;
    for (int axis = 0; axis < 3; axis++) {
        if (!(axes >> axis & 1)) {
            continue;
        }
        const four center = simde_mm_set1_ps(volume->round.center[axis]);
        const four below = simde_mm_sub_ps(simde_mm_loadu_ps(bounds->row[axis * 2]), center);
        const four above = simde_mm_sub_ps(center, simde_mm_loadu_ps(bounds->row[axis * 2 + 1]));
        const four gap = simde_mm_max_ps(simde_mm_max_ps(below, above), zero);
        const four far_edge = simde_mm_min_ps(below, above);
        nearest = simde_mm_add_ps(nearest, simde_mm_mul_ps(gap, gap));
        farthest = simde_mm_add_ps(farthest, simde_mm_mul_ps(far_edge, far_edge));
    }
    const four is_inside = simde_mm_cmple_ps(farthest, simde_mm_set1_ps(volume->round.hold));
    const four touches = simde_mm_cmple_ps(nearest, simde_mm_set1_ps(volume->round.touch));
    *left =
        simde_mm_andnot_si128(simde_mm_castps_si128(is_inside), simde_mm_set1_epi32((int32_t)mask));
    return choice_bits(touches);
}

// ---- ends of lists ----

// For each set of lanes, the shuffle that brings its members to the front.
#define LANE(n) (n) * 4, (n)*4 + 1, (n)*4 + 2, (n)*4 + 3
#define NO_LANE 128, 128, 128, 128
static const uint8_t to_front[16][16] = {
    {NO_LANE, NO_LANE, NO_LANE, NO_LANE}, {LANE(0), NO_LANE, NO_LANE, NO_LANE},
    {LANE(1), NO_LANE, NO_LANE, NO_LANE}, {LANE(0), LANE(1), NO_LANE, NO_LANE},
    {LANE(2), NO_LANE, NO_LANE, NO_LANE}, {LANE(0), LANE(2), NO_LANE, NO_LANE},
    {LANE(1), LANE(2), NO_LANE, NO_LANE}, {LANE(0), LANE(1), LANE(2), NO_LANE},
    {LANE(3), NO_LANE, NO_LANE, NO_LANE}, {LANE(0), LANE(3), NO_LANE, NO_LANE},
    {LANE(1), LANE(3), NO_LANE, NO_LANE}, {LANE(0), LANE(1), LANE(3), NO_LANE},
    {LANE(2), LANE(3), NO_LANE, NO_LANE}, {LANE(0), LANE(2), LANE(3), NO_LANE},
    {LANE(1), LANE(2), LANE(3), NO_LANE}, {LANE(0), LANE(1), LANE(2), LANE(3)}};

// How many of four lanes are in a set.
static inline uint32_t set_size(uint32_t set)
{
    ACRE_INVARIANT(set < 16);
#if defined(__POPCNT__)
    return lane_count(set);
#else
    static const uint8_t sizes[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return sizes[set];
#endif
}

// Writes four rows at the end of a list, the lanes of the set first.
static inline void list_lanes(simde__m128i lanes, uint32_t set, uint32_t *end)
{
    ACRE_INVARIANT(set < 16);
    four_store(end, pick_bytes(lanes, four_load(to_front[set])));
}

static inline simde__m128i reversed(simde__m128i lanes)
{
    return simde_mm_shuffle_epi32(lanes, 0x1b);
}

// The set of siblings that have children.
static inline uint32_t parents_of(const quad *siblings)
{
    return ~zero_lanes(four_load(siblings->child)) & 15u;
}

static inline void list_siblings(const quad *siblings, uint32_t seen, four_masks left,
                                 node_lists *lists, node_ends *ends)
{
    expect_room_for_nodes(ends);
    const simde__m128i words = four_load(siblings->items);
    const uint32_t listed = seen & ~zero_lanes(words), is_inside = zero_lanes(left);
    const uint32_t inside = listed & is_inside, intersecting = listed & ~is_inside;
    list_lanes(words, inside, lists->inside + ends->inside);
    list_lanes(words, intersecting, lists->intersecting + ends->intersecting);
    list_lanes(left, intersecting, lists->intersecting_masks + ends->intersecting);
    ends->inside += set_size(inside);
    ends->intersecting += set_size(intersecting);
}

// list_siblings for siblings that are all wholly inside.
static inline void list_inside(const quad *siblings, uint32_t wanted, node_lists *lists,
                               node_ends *ends)
{
    expect_room_for_nodes(ends);
    const simde__m128i words = four_load(siblings->items);
    const uint32_t listed = wanted & ~zero_lanes(words);
    list_lanes(words, listed, lists->inside + ends->inside);
    ends->inside += set_size(listed);
}

// The first sibling's children end up on top.
static inline void stack_children(const quad *siblings, uint32_t parents, four_masks left,
                                  node_lists *lists, node_ends *ends)
{
    expect_room_on_stack(ends);
    static const uint8_t reversed_set[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
    const uint32_t set = reversed_set[parents];
    list_lanes(reversed(four_load(siblings->child)), set, lists->stack + ends->stack);
    list_lanes(reversed(left), set, lists->stack_masks + ends->stack);
    ends->stack += set_size(parents);
}

static inline void list_groups(uint32_t block, uint32_t count, uint32_t seen, four_masks left,
                               group_lists *lists, group_ends *ends)
{
    expect_room_for_groups(ends);
    const simde__m128i lane = simde_mm_setr_epi32(0, 1, 2, 3);
    const simde__m128i group =
        simde_mm_add_epi32(simde_mm_set1_epi32((int32_t)(block * BLOCK_GROUPS)), lane);
    const simde__m128i rest =
        simde_mm_sub_epi32(simde_mm_set1_epi32((int32_t)count), simde_mm_slli_epi32(lane, 4));
    const simde__m128i words =
        simde_mm_or_si128(simde_mm_slli_epi32(group, GROUP_COUNT_BITS),
                          simde_mm_min_epi32(rest, simde_mm_set1_epi32(GROUP_SLOTS)));
    const uint32_t is_inside = zero_lanes(left);
    const uint32_t inside = seen & is_inside, intersecting = seen & ~is_inside;
    list_lanes(words, inside, lists->inside + ends->inside);
    list_lanes(words, intersecting, lists->intersecting + ends->intersecting);
    list_lanes(left, intersecting, lists->intersecting_masks + ends->intersecting);
    ends->inside += set_size(inside);
    ends->intersecting += set_size(intersecting);
}
static_assert(GROUP_SLOTS == 1 << 4, "the shift in list_groups");

// Writes the ids of a set of slots, four at a time. Never writes beyond 16 rows.
static inline uint32_t four_append(uint32_t seen, const uint32_t *ids, uint32_t *out)
{
    uint32_t found = 0;
    for (uint32_t part = 0; part < GROUP_SLOTS / 4; part++, seen >>= 4) {
        const simde__m128i from = four_load(ids + part * 4);
        const simde__m128i order = four_load(to_front[seen & 15]);
        four_store(out + found, pick_bytes(from, order));
        found += set_size(seen & 15);
    }
    return found;
}

#endif
