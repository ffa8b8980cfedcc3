// SPDX-License-Identifier: MIT
// quadtree_kernel.h - what a tree does with many boxes at a time, for each instruction set.
//
// There is a kernel for each question: volumes, shapes, neighbors, refreshes, pairs, builds. A
// kernel is a struct of functions, with one instance for each instruction set.
// volume_kernel_of(tree) and its siblings return the instance for the tree's set. A program links
// only the kernels of the questions that it asks.
//
// All sets return the same bits: the order of operations is that of acre_frustum_test_aabb, without
// FMA. Because rounding is monotone, the distance from a plane to a node is never below that to a
// box inside it. So rejecting or wholly accepting a node is exact, without an epsilon.
//
// Files. quadtree_kernel_QUESTION_SET.c defines one instance. It includes the set's header,
// quadtree_kernel_SET.h, and then the parts of its question, quadtree_kernel_..._part.h, which are
// written in terms of what the set's header defines:
//
//     four_masks, no_planes, zero_lanes, join_masks, add_bits       masks of four boxes
//     frustum_four, frustum_two, box_four, round_four, round_two    tests of four or eight boxes
//     parents_of, list_siblings, list_inside, stack_children,
//     list_groups, list_two_blocks                                  ends of lists
//     append_ids                                                    ids of a set of slots
//     overlapping_half, overlapping_slots                           a group against one box
//     near_half, near_slots                                         a group against one sphere
//
// A part is text, not an interface: the compiler must see the functions of the set and the loops of
// the part together. Each part says at its top what else must be defined before it.
//
// Names. Static names are the same in every set, so files of two sets never share a translation
// unit. Those of the scalar set are unique in the library: without the wider sets all of it
// compiles as one unit.
#ifndef ACRE_QUADTREE_KERNEL_H
#define ACRE_QUADTREE_KERNEL_H

#include "assert_internal.h"
#include "quadtree_source.h"
#include "quadtree_volume.h"

struct neighbor_task; // quadtree_neighboring.h
struct pair_task;     // quadtree_pairing.h
struct acre_pair;

// The sets that are compiled in, as acre_kernel_pick takes them.
enum {
    BUILT_KERNELS = 1 << ACRE_KERNEL_SCALAR
#ifdef ACRE_HAS_KERNEL_SSE4
                    | 1 << ACRE_KERNEL_SSE4
#endif
#ifdef ACRE_HAS_KERNEL_AVX2
                    | 1 << ACRE_KERNEL_AVX2
#endif
#ifdef ACRE_HAS_KERNEL_AVX512
                    | 1 << ACRE_KERNEL_AVX512
#endif
};

// ---- queries ----

// The state of a descent through the quads. It pauses when the lists are long enough to be
// processed.
typedef struct quad_descent {
    const quad *quads;
    const quad_cold *cold;
    uint32_t layers;      // only nodes that share a bit; 0: all
    uint32_t most_listed; // pauses when more nodes than this are listed
    size_t quads_left;    // pauses after this many quads
    size_t nodes_tested;  // so far
} quad_descent;

// The block to test next, in the chains of the nodes that intersect the volume.
typedef struct chain_position {
    uint32_t node;  // index into the list of nodes
    uint32_t block; // NONE: the first block of the node's chain
} chain_position;

typedef struct query_kernel {
    // Takes quads off the stack until the stack is empty or the walk pauses. Tests four siblings
    // against the parts of the volume in their mask. Lists the chains of the siblings that are not
    // outside, and stacks their children, both in slot order; the child to visit first comes last.
    void (*descend)(const query_volume *volume, quad_descent *walk, node_lists *lists);
    // Tests the groups of blocks, starting at *position, and lists those that are not outside, in
    // order. Stops when more than most_listed groups are listed, or when no block is left: then
    // position->node is nodes->intersecting_count.
    void (*visit_chains)(const query_volume *volume, const acre_quadtree *tree,
                         const node_lists *nodes, uint32_t most_listed, chain_position *position,
                         group_lists *lists);
    // Tests the items of the groups in words and writes the ids of those not outside, in order.
    // groups and ids start at block 0. words must be readable for GROUPS_AHEAD more rows; out must
    // have room for every item of the groups and one group more.
    // Returns how many ids were written.
    uint32_t (*select_groups)(const query_volume *volume, const item_group *groups,
                              const uint32_t *ids, const uint32_t *words, const uint32_t *masks,
                              uint32_t count, uint32_t *out);
} query_kernel;

// Queries of planes or of a box, and copies of what is wholly inside.
typedef struct volume_kernel {
    query_kernel frustum; // planes alone
    query_kernel box;     // a box alone
    // Copies the items of chains in the inside list to out, until the next chain might not fit: a
    // chain needs room for full blocks. *copied receives the number of items.
    // Returns how many chains were copied.
    uint32_t (*copy_chains)(const acre_quadtree *tree, const node_lists *nodes, uint32_t *out,
                            size_t room, size_t *copied);
    // The same for groups in the inside list. ids starts at block 0.
    uint32_t (*copy_groups)(const uint32_t *ids, const group_lists *groups, uint32_t *out,
                            size_t room, size_t *copied);
} volume_kernel;

// Queries of any volume, and distances.
typedef struct shape_kernel {
    query_kernel shape;
    query_kernel sphere; // a sphere alone
    query_kernel circle; // a circle alone
    // Tests four siblings or four groups. masks receives the parts of the volume that each still
    // intersects, distances how far away each is.
    // Returns the set of those not outside.
    uint32_t (*measure_boxes)(const query_volume *volume, const four_boxes *bounds, uint32_t mask,
                              float *distances, uint32_t *masks);
    // The same for the items of a group.
    uint32_t (*measure_items)(const query_volume *volume, const item_group *group, uint32_t mask,
                              uint32_t count, float *distances);
} shape_kernel;

// Neighbors of many places.
typedef struct neighbor_kernel {
    // Writes the ids of the items that a round touches, in the order of the listed groups, but for
    // the item at the location `own` (ABSENT: none). out has room for every item of the listed
    // groups and one group more.
    // Returns how many.
    uint32_t (*find_near)(const struct neighbor_task *task, const shape_round *round, uint32_t own,
                          uint32_t *out);
    // The same, and the bits of their squared distances from the round's center.
    uint32_t (*measure_near)(const struct neighbor_task *task, const shape_round *round,
                             uint32_t own, uint32_t *out, uint32_t *squares);
} neighbor_kernel;

// ---- edits ----

// Refreshes of many items.
typedef struct refresh_kernel {
    // Stores the caller's boxes of a block's items, and the bounds of its groups. Slots behind the
    // last item repeat the first item of the group. A group of which some item might leave the cell
    // is left as it is.
    // next: ids of the following block, whose boxes it prefetches; NULL: none.
    // Returns the set of groups that were left.
    uint32_t (*refresh_block)(block_header *header, const box_source *source, const uint32_t *ids,
                              uint32_t count, const uint32_t *next, block_boxes *boxes);
    // Stores boxes, starting at row, as long as each one stays in its cell and in the bounds of its
    // group.
    // Returns the first row whose box does not, or count.
    size_t (*refresh_rows)(acre_quadtree *tree, const uint32_t *items, const box_source *source,
                           size_t row, size_t count);
} refresh_kernel;

// What place_group finds out about the items of a group: the finest cell, and the level with flags
// beside it.
enum {
    LEVEL_OUTLIER = 1 << 9, // no root reaches it
    LEVEL_UNSURE = 1 << 10  // the box has no size along some axis, or is not valid
};
typedef struct group_places {
    int32_t x[GROUP_SLOTS];
    int32_t z[GROUP_SLOTS];
    uint32_t level[GROUP_SLOTS];
} group_places;

// Builds and upkeep.
typedef struct build_kernel {
    // Distances along the curve through a square of a block's first `count` items. keys has room
    // for whole groups.
    void (*list_keys)(const row_box *square, const block_boxes *boxes, uint32_t count,
                      uint32_t *keys);
    // Where the items of a group belong. Slots without an item are placed, too.
    void (*place_group)(const ground_grid *grid, const item_group *group, group_places *out);
    // Writes the heights of the centers of a full group, and notes between which heights they lie,
    // for each slot: the least and the largest of those noted before and the group's.
    void (*note_heights)(const item_group *group, float *lowest, float *highest, float *centers);
} build_kernel;

// ---- pairs ----

// Pairs of items. A pair names two locations here; the search looks up the ids for a whole node.
typedef struct pair_kernel {
    // Writes the pairs within each group of a block, at most PAIRS_IN_GROUP a group.
    // Returns how many.
    size_t (*find_in_block)(const struct pair_task *task, uint32_t block, uint32_t count,
                            struct acre_pair *out);
    // Lists the candidates from `first` on whose bounds overlap a group's bounds, as indices. out
    // has room for all of them and GROUP_SLOTS more.
    // Returns how many.
    uint32_t (*list_group_pairs)(const struct pair_task *task, const float *bounds, uint32_t first,
                                 uint32_t *out);
    // Writes the pairs of items of the listed group pairs first to end - 1, at most PAIRS_OF_GROUPS
    // each.
    // Returns how many.
    size_t (*find_in_group_pairs)(const struct pair_task *task, uint32_t first, uint32_t end,
                                  struct acre_pair *out);
} pair_kernel;

// ---- the kernel of a tree ----

// Declares a question's instances, and volume_kernel_of(tree) for `volume`.
#define DECLARE_KERNEL(question)                                                                   \
    extern const question##_kernel acre_##question##_kernel_scalar;                                \
    extern const question##_kernel acre_##question##_kernel_sse4;                                  \
    extern const question##_kernel acre_##question##_kernel_avx2;                                  \
    extern const question##_kernel acre_##question##_kernel_avx512;                                \
    extern const question##_kernel *const acre_##question##_kernels[ACRE_KERNEL_COUNT_];           \
    static inline const question##_kernel *question##_kernel_of(const acre_quadtree *tree)         \
    {                                                                                              \
        ACRE_INVARIANT(BUILT_KERNELS >> tree->def.kernel & 1);                                     \
        return acre_##question##_kernels[tree->def.kernel];                                        \
    }

DECLARE_KERNEL(volume)
DECLARE_KERNEL(shape)
DECLARE_KERNEL(neighbor)
DECLARE_KERNEL(refresh)
DECLARE_KERNEL(build)
DECLARE_KERNEL(pair)

#ifdef ACRE_HAS_KERNEL_SSE4
#define KERNEL_SSE4(question) [ACRE_KERNEL_SSE4] = &acre_##question##_kernel_sse4,
#else
#define KERNEL_SSE4(question)
#endif
#ifdef ACRE_HAS_KERNEL_AVX2
#define KERNEL_AVX2(question) [ACRE_KERNEL_AVX2] = &acre_##question##_kernel_avx2,
#else
#define KERNEL_AVX2(question)
#endif
#ifdef ACRE_HAS_KERNEL_AVX512
#define KERNEL_AVX512(question) [ACRE_KERNEL_AVX512] = &acre_##question##_kernel_avx512,
#else
#define KERNEL_AVX512(question)
#endif

// Defines a question's instances by set.
#define KERNEL_TABLE(question)                                                                     \
    const question##_kernel *const acre_##question##_kernels[ACRE_KERNEL_COUNT_] = {               \
        [ACRE_KERNEL_SCALAR] = &acre_##question##_kernel_scalar,                                   \
        KERNEL_SSE4(question) KERNEL_AVX2(question) KERNEL_AVX512(question)}

// ---- what kernels of every set share ----

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

// Defines round_two for a set that tests four boxes at a time.
#define ROUND_TWICE                                                                                \
    ACRE_ALWAYS_INLINE uint32_t round_two(const query_volume *volume, const four_boxes *first,     \
                                          const four_boxes *second, uint32_t axes, uint32_t mask,  \
                                          four_masks left[2])                                      \
    {                                                                                              \
        const uint32_t seen = round_four(volume, first, axes, mask, &left[0]);                     \
        return seen | round_four(volume, second, axes, mask, &left[1]) << 4;                       \
    }

// Pads the ids of a group of fewer than 16 items to 16. Returns false, and writes nothing, if it
// has 16.
static inline bool pad_group(const uint32_t *ids, uint32_t count, uint32_t *padded)
{
    for (uint32_t slot = 0; count < GROUP_SLOTS && slot < GROUP_SLOTS; slot++) {
        padded[slot] = ids[slot < count ? slot : 0];
    }
    return count < GROUP_SLOTS;
}

// The set of siblings that exist and have items in one of the layers. layers 0: all.
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

// How many refreshes ahead to prefetch; 0: not worth it.
static inline uint32_t refreshes_ahead(const acre_quadtree *tree)
{
    return tree->live_blocks >= FAR_BLOCKS        ? FAR_ROWS
           : tree->live_blocks >= PREFETCH_BLOCKS ? PREFETCH_ROWS
                                                  : 0;
}

// Prefetches what the refresh of an item needs: its header and a line of each row of boxes.
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

// Before the refresh of a row: prefetches for the row that is so many rows ahead, and where the
// item of one twice as far stands. Not inlined: in small trees, which do not prefetch, a refresh
// would take two instructions more.
void acre_prefetch_refreshes(const acre_quadtree *tree, const uint32_t *items, size_t row,
                             size_t count, size_t ahead);

// Prefetches what the test of a group reads.
static inline void prefetch_group(const item_group *groups, const uint32_t *ids, uint32_t group)
{
    for (int i = 0; i < ROW_COUNT; i++) {
        prefetch_line(groups[group].row[i]);
    }
    prefetch_line(ids + (size_t)group * GROUP_SLOTS);
}

// The rows of a group, each followed by its first half again: the slots that come up to HALF_SLOTS
// after a slot, cyclically, stand behind it.
enum { HALF_SLOTS = GROUP_SLOTS / 2 };
typedef struct group_twice {
    float row[ROW_COUNT][GROUP_SLOTS + HALF_SLOTS];
} group_twice;

#endif
