// SPDX-License-Identifier: MIT
// quadtree_kernel.h - what a tree does with many boxes at a time, for each instruction set.
//
// There is a kernel for each question: volumes, shapes, neighbors, refreshes, pairs, builds. A
// kernel is a struct of functions, with one instance for each instruction set.
// volume_kernel_of(tree) and its siblings return the instance for the tree's set. A program links
// only the kernels of the questions that it asks.
//
// All sets return the same bits: the order of operations is that of acre_frustum_test_aabb, without
// FMA. Rounding is monotone. So along a plane's normal the far corner of a node is never nearer
// than that of a box inside it: a plane that rejects the node rejects the box. And the near corner
// of the node is never farther than that of the box: a plane that accepts all of the node accepts
// all of the box. Both answers are exact, without an epsilon.
//
// Files. quadtree_kernel_QUESTION_SET.c defines one instance; CMake makes it (cmake/kernels.cmake).
// It includes the set's header, quadtree_kernel_SET.h, and then its question's part,
// quadtree_kernel_QUESTION_part.h, which is written in terms of what the set's header defines:
//
//     LANES, floats, choice and what shape_lanes.h asks for         one to eight boxes side by side
//     four_masks, no_planes, zero_lanes, join_masks, add_bits       masks of four boxes
//     frustum_four, frustum_two, box_four, round_four, round_two    tests of four or eight boxes
//     parents_of, list_siblings, list_inside, stack_children,
//     list_groups, list_two_blocks, list_entered                    ends of lists
//     append_ids, copy_group                                        ids of a set of slots, of all
//     frustum_group                                                 a group against planes
//     overlapping_slots, slots_in_box                               a group against one box
//     near_half, near_slots, near_squares                           a group against one sphere
//     repeat_group, overlapping_behind                              a group against itself
//     refresh_group, refresh_rows                                   new boxes
//
// A part is text, not an interface: the compiler must see the functions of the set and the loops of
// the part together. Each part says at its top what else must be defined before it.
//
// Names. Static names are the same in every set, so files of two sets never share a translation
// unit. Those of the scalar set are unique in the library: without the wider sets all of it
// compiles as one unit.
#ifndef ACRE_QUADTREE_KERNEL_H
#define ACRE_QUADTREE_KERNEL_H

#include "kernel_internal.h"
#include "quadtree_volume.h"

// Declares a question's instances, and volume_kernel_of(tree) for `volume`.
#define DECLARE_TREE_KERNELS(question)                                                             \
    DECLARE_KERNELS(question)                                                                      \
    static inline const question##_kernel *question##_kernel_of(const acre_quadtree *tree)         \
    {                                                                                              \
        ACRE_INVARIANT(BUILT_KERNELS >> tree->def.kernel & 1);                                     \
        return acre_##question##_kernels[tree->def.kernel];                                        \
    }

// Tests of four boxes are always inlined: as calls they cost queries of 1,000 items 5 %.
// TEST_TWICE defines a test of two times four boxes for a set that tests four at a time. See
// two_fours_test.
#define TEST_TWICE(name, test)                                                                     \
    ACRE_ALWAYS_INLINE uint32_t name(const query_volume *volume, const four_boxes *first,          \
                                     const four_boxes *second, uint32_t mask, four_masks left[2])  \
    {                                                                                              \
        const uint32_t seen = test(volume, first, mask, &left[0]);                                 \
        return seen | test(volume, second, mask, &left[1]) << 4;                                   \
    }

// Defines list_two_blocks for a set that lists the groups of one block at a time: lists the groups
// of two blocks of a chain, of which the second is full. count: items of the first block. The
// second block's groups have the higher bits.
#define LIST_TWICE                                                                                 \
    ACRE_ALWAYS_INLINE void list_two_blocks(const uint32_t blocks[2], uint32_t count,              \
                                            uint32_t seen, const four_masks left[2],               \
                                            group_lists *lists, group_ends *ends)                  \
    {                                                                                              \
        list_groups(blocks[0], count, seen & 15, left[0], lists, ends);                            \
        list_groups(blocks[1], BLOCK_SLOTS, seen >> 4, left[1], lists, ends);                      \
    }

// Defines list_entered for a set that lists the groups of one block at a time.
#define LIST_ENTERED_TWICE                                                                         \
    ACRE_ALWAYS_INLINE void list_entered(const uint32_t blocks[2], uint32_t count, uint32_t seen,  \
                                         const float enters[8], uint32_t *words, float *distances) \
    {                                                                                              \
        for (uint32_t end = 0; seen; end++) {                                                      \
            const uint32_t i = take_lowest(&seen), group = i % BLOCK_GROUPS;                       \
            const uint32_t rest = (i < BLOCK_GROUPS ? count : BLOCK_SLOTS) - group * GROUP_SLOTS;  \
            words[end] = group_word(blocks[i / BLOCK_GROUPS] * BLOCK_GROUPS + group,               \
                                    rest < GROUP_SLOTS ? rest : GROUP_SLOTS);                      \
            distances[end] = enters[i];                                                            \
        }                                                                                          \
    }

// Defines round_two for a set that tests four boxes at a time.
#define ROUND_TWICE                                                                                \
    ACRE_ALWAYS_INLINE uint32_t round_two(const query_volume *volume, const four_boxes *first,     \
                                          const four_boxes *second, uint32_t axes, uint32_t mask,  \
                                          four_masks left[2])                                      \
    {                                                                                              \
        const uint32_t seen = round_four(volume, first, axes, mask, &left[0]);                     \
        return seen | round_four(volume, second, axes, mask, &left[1]) << 4;                       \
    }

// Defines overlapping_slots for a set that tests half a group at a time, by overlapping_half.
#define OVERLAP_TWICE                                                                              \
    static inline uint32_t overlapping_slots(const item_group *group, const float *box,            \
                                             size_t stride, uint32_t axes)                         \
    {                                                                                              \
        return overlapping_half(group, box, stride, axes, 0) |                                     \
               overlapping_half(group, box, stride, axes, 1) << 8;                                 \
    }

// The rows of a group, each followed by its first half again: the slots that come up to HALF_SLOTS
// after a slot, cyclically, stand behind it.
enum { HALF_SLOTS = GROUP_SLOTS / 2 };
typedef struct group_twice {
    float row[ROW_COUNT][GROUP_SLOTS + HALF_SLOTS];
} group_twice;

#endif
