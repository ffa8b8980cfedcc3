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

#include "quadtree_source.h"
#include "quadtree_volume.h"

struct pair_task; // quadtree_pairing.h
struct acre_pair;

// How far a way down goes before the nodes that it listed are worked off.
typedef struct quad_walk {
    const quad *quads;
    const quad_cold *cold;
    uint32_t layers;      // 0: all
    uint32_t most_listed; // more end it
    size_t quads_left;
    size_t nodes_tested; // so far
} quad_walk;

// The next block of the chains of the nodes that are cut. block: NONE at the begin of a chain.
typedef struct chain_place {
    uint32_t node, block;
} chain_place;

typedef struct query_kernel {
    // Takes quads off the stack, until it is empty or as the walk says. Tests four siblings against
    // the planes of the mask; lists the chains and the children of those seen, in the order of
    // their slots; the child that is taken first comes last.
    void (*descend)(const query_volume *volume, quad_walk *walk, node_lists *lists);
    // Tests the groups of blocks, from a place on, and lists those seen, in order, until more than
    // most_listed are listed or no block is left: then place->node is nodes->cut_count.
    void (*visit_chains)(const query_volume *volume, const acre_quadtree *tree,
                         const node_lists *nodes, uint32_t most_listed, chain_place *place,
                         group_lists *lists);
    // Writes the ids of the items of the groups that are cut which are not outside, in order, and
    // returns their number. groups and ids are those of block 0. out has room for all of them and
    // one group more; the lists are valid for GROUPS_AHEAD rows more.
    uint32_t (*select_groups)(const query_volume *volume, const item_group *groups,
                              const uint32_t *ids, const uint32_t *words, const uint32_t *masks,
                              uint32_t count, uint32_t *out);
} query_kernel;

// Which of several boxes are not outside of any volume, and how far away they are.
typedef struct measure_kernel {
    // Four siblings or groups. Answers those seen, as a set; masks receives the parts that are
    // left.
    uint32_t (*boxes)(const query_volume *volume, const four_boxes *bounds, uint32_t mask,
                      float *distances, uint32_t *masks);
    // The items of a group.
    uint32_t (*items)(const query_volume *volume, const item_group *group, uint32_t mask,
                      uint32_t count, float *distances);
} measure_kernel;

// A test of two times four boxes, for a kernel that tests four at a time. See two_fours_test.
// Tests of four boxes are always inlined: as calls they cost queries of 1,000 items 5 %.
#define TEST_TWICE(name, test)                                                                     \
    ACRE_ALWAYS_INLINE uint32_t name(const query_volume *volume, const four_boxes *first,          \
                                     const four_boxes *second, uint32_t mask, four_masks left[2])  \
    {                                                                                              \
        const uint32_t seen = test(volume, first, mask, &left[0]);                                 \
        return seen | test(volume, second, mask, &left[1]) << 4;                                   \
    }

// The groups of two blocks of a chain, of which the second is full, for a kernel that lists those
// of one block at a time. count: the items of the first one. The bits of the second one's groups
// are the higher ones.
#define LIST_TWICE                                                                                 \
    ACRE_ALWAYS_INLINE void list_two_blocks(const uint32_t blocks[2], uint32_t count,              \
                                            uint32_t seen, const four_masks left[2],               \
                                            group_lists *lists, group_ends *ends)                  \
    {                                                                                              \
        list_groups(blocks[0], count, seen & 15, left[0], lists, ends);                            \
        list_groups(blocks[1], BLOCK_SLOTS, seen >> 4, left[1], lists, ends);                      \
    }

// The ids of a group with less than 16 items, made 16. False: it has 16.
static inline bool is_group_padded(const uint32_t *ids, uint32_t count, uint32_t *padded)
{
    for (uint32_t slot = 0; count < GROUP_SLOTS && slot < GROUP_SLOTS; slot++) {
        padded[slot] = ids[slot < count ? slot : 0];
    }
    return count < GROUP_SLOTS;
}

// The siblings of a quad that have items in some layer that is asked for, as a set.
static inline uint32_t wanted_siblings(const quad_cold *cold, uint32_t layers, uint32_t q)
{
    uint32_t wanted = q == 0 ? 1u << ROOT_NODE : 15u;
    for (uint32_t slot = 0; layers && slot < 4; slot++) {
        wanted &= ~((uint32_t) !(cold[q].layers[slot] & layers) << slot);
    }
    return wanted;
}

// Whether the tree's boxes exceed the caches near a core.
static inline bool is_large_tree(const acre_quadtree *tree)
{
    return tree->live_blocks >= PREFETCH_BLOCKS;
}

// How many refreshes ahead memory is asked for what they need; 0: not worth it.
static inline uint32_t refreshes_ahead(const acre_quadtree *tree)
{
    return tree->live_blocks >= FAR_BLOCKS        ? FAR_ROWS
           : tree->live_blocks >= PREFETCH_BLOCKS ? PREFETCH_ROWS
                                                  : 0;
}

// Starts to bring what the refresh of an item needs: its header and a line of each row of boxes.
static inline void prefetch_item(const acre_quadtree *tree, uint32_t item)
{
    if (has_item(tree, item)) {
        const uint32_t block = location_block(tree->locations[item]);
        const item_group *const group = location_group(tree, tree->locations[item]);
        prefetch_line(&tree->headers[block]);
        prefetch_line(&tree->headers[block].node);
        for (int i = 0; i < ROW_COUNT; i++) {
            prefetch_line(group->row[i]);
        }
    }
}

// What a test of a group will read.
static inline void prefetch_group(const item_group *groups, const uint32_t *ids, uint32_t group)
{
    for (int i = 0; i < ROW_COUNT; i++) {
        prefetch_line(groups[group].row[i]);
    }
    prefetch_line(ids + (size_t)group * GROUP_SLOTS);
}

// A group's rows, each followed by its first half once more: behind each slot stand all others.
enum { HALF_SLOTS = GROUP_SLOTS / 2 };
typedef struct group_twice {
    float row[ROW_COUNT][GROUP_SLOTS + HALF_SLOTS];
} group_twice;

// Where the items of a group belong: finest cell, and level with the bits beside it.
enum { LEVEL_OUTLIER = 1 << 9, LEVEL_INVALID = 1 << 10 }; // no root reaches it; no valid box
typedef struct group_places {
    int32_t x[GROUP_SLOTS], z[GROUP_SLOTS];
    uint32_t level[GROUP_SLOTS];
} group_places;

// What a tree does with many boxes at a time, for one instruction set.
typedef struct tree_kernel {
    query_kernel frustum, box, shape; // planes alone; a box alone; any volume
    measure_kernel measure;
    // Copies the items of listed chains, or groups, that are wholly inside, to an array, until one
    // may not find room: a chain needs that of full blocks. ids: those of block 0. Answers how many
    // were copied; *copied receives the number of their items.
    uint32_t (*copy_chains)(const acre_quadtree *tree, const node_lists *nodes, uint32_t *out,
                            size_t room, size_t *copied);
    uint32_t (*copy_groups)(const uint32_t *ids, const group_lists *groups, uint32_t *out,
                            size_t room, size_t *copied);
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
    // Pairs within the groups of a block: PAIRS_IN_GROUP each at most. Answers their number. Here
    // and below a pair is of two locations; whose they are is looked up for a whole node.
    size_t (*pair_block)(const struct pair_task *task, uint32_t block, uint32_t count,
                         struct acre_pair *out);
    // The near groups from `first` on whose bounds meet a group's, as places in their list. out has
    // room for all of them and GROUP_SLOTS more. Answers their number.
    uint32_t (*list_meetings)(const struct pair_task *task, const float *bounds, uint32_t first,
                              uint32_t *out);
    // Pairs of the listed meetings from `first` to below `end`: PAIRS_OF_GROUPS each at most.
    // Answers their number.
    size_t (*pair_meetings)(const struct pair_task *task, uint32_t first, uint32_t end,
                            struct acre_pair *out);
    // Where a block's items stand on the curve through a square. keys has room for whole groups.
    void (*list_keys)(const row_box *square, const block_boxes *boxes, uint32_t count,
                      uint32_t *keys);
    // Where the items of a group belong; also of slots without one.
    void (*place_group)(const ground_grid *grid, const item_group *group, group_places *out);
} tree_kernel;

extern const tree_kernel acre_kernel_scalar, acre_kernel_sse4, acre_kernel_avx2, acre_kernel_avx512;

// The kernel that a def asks for, or else the environment variable ACRE_KERNEL, or else the widest
// that this processor runs. NULL if it was not built or the processor lacks it.
const tree_kernel *acre_kernel_choose(acre_kernel wanted, acre_kernel *chosen);

#endif
