// SPDX-License-Identifier: MIT
// quadtree_kernel.h - what a tree does with many boxes at a time: queries test four siblings, four
// groups of a block, and a group's 16 items; a refresh of all stores 16 boxes.
//
// A kernel implements them for one instruction set. All kernels return the same bits: the order of
// operations is that of acre_frustum_test_aabb, without FMA. Because rounding is monotone, a plane
// distance of a node is never below that of a box inside it: rejecting and wholly accepting a node
// is exact, without an epsilon.
#ifndef ACRE_QUADTREE_KERNEL_H
#define ACRE_QUADTREE_KERNEL_H

#include "quadtree_volume.h"

#include <string.h>

typedef struct query_kernel {
    // Tests four siblings, of which `wanted` is a set, against the planes of the mask; lists the
    // chains and the children of those seen, in the order of their slots; the child that is taken
    // first comes last.
    void (*visit_quad)(const query_volume *volume, const quad *siblings, uint32_t mask,
                       uint32_t wanted, node_lists *lists);
    // Tests the groups of a block and lists those seen, in order.
    void (*visit_block)(const query_volume *volume, const four_boxes *bounds, uint32_t block,
                        uint32_t count, uint32_t mask, group_lists *lists);
    // Writes the ids of the items of the groups that are cut which are not outside, in order, and
    // returns their number. groups and ids are those of block 0. out has room for all of them and
    // one group more; the lists are valid for GROUPS_AHEAD rows more.
    uint32_t (*select_groups)(const query_volume *volume, const item_group *groups,
                              const uint32_t *ids, const uint32_t *words, const uint32_t *masks,
                              uint32_t count, uint32_t *out);
} query_kernel;

// The caller's boxes, as acre_box_array. Parts that follow each other are read as one.
typedef struct box_source {
    const unsigned char *first, *second;
    size_t first_stride, second_stride;
    bool is_centered; // middle and half size
    bool is_joined;   // each second part begins where its first part ends
} box_source;

static inline box_source source_from_array(const acre_box_array *boxes)
{
    const unsigned char *const first = boxes->first, *const second = boxes->second;
    return (box_source){.first = first,
                        .second = second,
                        .first_stride = boxes->first_stride,
                        .second_stride = boxes->second_stride,
                        .is_centered = boxes->form == ACRE_BOX_FORM_CENTER_EXTENT,
                        .is_joined = first && second == first + 3 * sizeof(float) &&
                                     boxes->first_stride == boxes->second_stride};
}

static inline box_source source_from_aabbs(const acre_aabb *boxes)
{
    return source_from_array(&(acre_box_array){.first = boxes,
                                               .second = boxes ? boxes->max : NULL,
                                               .first_stride = sizeof *boxes,
                                               .second_stride = sizeof *boxes});
}

// One row. A half size that is none makes the box invalid.
static inline row_box source_rows(const box_source *source, size_t row)
{
    float first[3], second[3];
    memcpy(first, source->first + row * source->first_stride, sizeof first);
    memcpy(second, source->second + row * source->second_stride, sizeof second);
    row_box box;
    for (int axis = 0; axis < 3; axis++) {
        const float low = first[axis] - second[axis], high = first[axis] + second[axis];
        const bool is_size = second[axis] >= 0.0f;
        box.row[axis * 2] = !source->is_centered ? first[axis] : is_size ? low : FLT_MAX;
        box.row[axis * 2 + 1] = !source->is_centered ? second[axis] : is_size ? high : -FLT_MAX;
    }
    return box;
}

// The ids of a group with less than 16 items, made 16. False: it has 16.
static inline bool is_group_padded(const uint32_t *ids, uint32_t count, uint32_t *padded)
{
    for (uint32_t slot = 0; count < GROUP_SLOTS && slot < GROUP_SLOTS; slot++) {
        padded[slot] = ids[slot < count ? slot : 0];
    }
    return count < GROUP_SLOTS;
}

// Starts to bring the rows of 16 items. Some may be none: slots beyond a block's items.
static inline void prefetch_rows(const box_source *source, const uint32_t *ids)
{
    const uintptr_t first = (uintptr_t)source->first, second = (uintptr_t)source->second;
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        PREFETCH((const void *)(first + ids[slot] * source->first_stride));
    }
    for (uint32_t slot = 0; !source->is_joined && slot < GROUP_SLOTS; slot++) {
        PREFETCH((const void *)(second + ids[slot] * source->second_stride));
    }
}

// Whether the tree's boxes exceed the caches near a core.
static inline bool is_large_tree(const acre_quadtree *tree)
{
    return tree->live_blocks >= PREFETCH_BLOCKS;
}

// Starts to bring what a row further on needs: its item's header and a line of each row of
// boxes.
static inline void prefetch_item(const acre_quadtree *tree, const uint32_t *items, size_t row,
                                 size_t count)
{
    if (row + PREFETCH_ROWS < count && has_item(tree, items[row + PREFETCH_ROWS])) {
        const uint32_t location = tree->locations[items[row + PREFETCH_ROWS]];
        const uint32_t block = location_block(location), slot = location_slot(location);
        PREFETCH(&tree->headers[block]);
        PREFETCH(&tree->headers[block].node);
        for (int i = 0; i < ROW_COUNT; i++) {
            PREFETCH(tree->boxes[block].groups[slot / GROUP_SLOTS].row[i]);
        }
    }
}

// What a test of a group will read.
static inline void prefetch_group(const item_group *groups, const uint32_t *ids, uint32_t group)
{
    for (int i = 0; i < ROW_COUNT; i++) {
        PREFETCH(groups[group].row[i]);
    }
    PREFETCH(ids + (size_t)group * GROUP_SLOTS);
}

// What a tree does with many boxes at a time, for one instruction set.
typedef struct tree_kernel {
    query_kernel frustum, box;
    // Stores the caller's boxes of a block's items and the bounds of its groups, group after group.
    // Answers those left alone, a bit each: some item of theirs may not stay in the cell. Slots
    // beyond the items repeat the first one of the group.
    // next: the ids of the block that follows, whose rows it starts to bring; NULL: none.
    uint32_t (*refresh_block)(block_header *header, const box_source *source, const uint32_t *ids,
                              uint32_t count, const uint32_t *next, block_boxes *boxes);
    // Stores the boxes of items that may stay in their cells and lie in their groups' bounds, from
    // a row on. Answers the first row that needs a closer look; count: none does.
    size_t (*refresh_rows)(acre_quadtree *tree, const uint32_t *items, const box_source *source,
                           size_t row, size_t count);
} tree_kernel;

extern const tree_kernel acre_kernel_scalar, acre_kernel_sse4, acre_kernel_avx2, acre_kernel_avx512;

// The kernel that a def asks for, or else the environment variable ACRE_KERNEL, or else the widest
// that this processor runs. NULL if it was not built or the processor lacks it.
const tree_kernel *acre_kernel_choose(acre_kernel wanted, acre_kernel *chosen);

#endif
