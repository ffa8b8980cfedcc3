// SPDX-License-Identifier: MIT
// quadtree_kernel_volume.h - the kernel for queries of planes and of a box, and what all kernels of
// queries have.
#ifndef ACRE_QUADTREE_KERNEL_VOLUME_H
#define ACRE_QUADTREE_KERNEL_VOLUME_H

#include "quadtree_kernel.h"

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
    // The same for callers that take whole groups: found[i] receives the set of slots of the items
    // of words[i].
    void (*select_slots)(const query_volume *volume, const item_group *groups, const uint32_t *ids,
                         const uint32_t *words, const uint32_t *masks, uint32_t count,
                         uint32_t *found);
} query_kernel;

// A walk for all items of a volume in one function. nodes: the lists as the walk begins. Writes to
// out what a walk with an array of this capacity writes, in the same order. Returns how many ids
// there are, whether they had room or not.
typedef size_t find_all_function(const query_volume *volume, const acre_quadtree *tree,
                                 node_lists *nodes, uint32_t *out, size_t capacity);

// The same for each kind of array and of tree.
typedef struct find_all_kernel {
    find_all_function *find; // an array with room for every item of the tree and a block more
    find_all_function *fill; // any array
    // An array as for find, and a tree that is one block, which this chain word names.
    size_t (*in_block)(const query_volume *volume, uint32_t mask, const acre_quadtree *tree,
                       uint32_t word, uint32_t *out);
} find_all_kernel;

// Queries of planes or of a box, and copies of what is wholly inside.
typedef struct volume_kernel {
    query_kernel frustum; // planes alone
    query_kernel box;     // a box alone
    find_all_kernel all_in_frustum, all_in_box;
    // Copies the items of chains in the inside list to out, until the next chain might not fit: a
    // chain needs room for full blocks. *copied receives the number of items.
    // Returns how many chains were copied.
    uint32_t (*copy_chains)(const acre_quadtree *tree, const node_lists *nodes, uint32_t *out,
                            size_t room, size_t *copied);
    // The same for groups in the inside list. ids starts at block 0.
    uint32_t (*copy_groups)(const uint32_t *ids, const group_lists *groups, uint32_t *out,
                            size_t room, size_t *copied);
} volume_kernel;

DECLARE_TREE_KERNELS(volume)

// The set of siblings that exist and have items in one of the layers. layers 0: all.
static inline uint32_t wanted_siblings(const quad_cold *cold, uint32_t layers, uint32_t q)
{
    uint32_t wanted = q == 0 ? 1u << ROOT_NODE : 15u;
    for (uint32_t slot = 0; layers && slot < 4; slot++) {
        wanted &= ~((uint32_t) !(cold[q].layers[slot] & layers) << slot);
    }
    return wanted;
}

// Prefetches what the test of a group reads.
static inline void prefetch_group(const item_group *groups, const uint32_t *ids, uint32_t group)
{
    for (int i = 0; i < ROW_COUNT; i++) {
        prefetch_line(groups[group].row[i]);
    }
    prefetch_line(ids + (size_t)group * GROUP_SLOTS);
}

#endif
