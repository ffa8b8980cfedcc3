// SPDX-License-Identifier: MIT
// quadtree_volume.h - what a query's walk and its kernels share: the volume, and lists of what is
// still to be looked at.
//
// Hardly a step of a query branches on a single node or group. Kernels test four at a time and
// append what they find to lists; the walk works the lists off.
//
// A mask has one bit per plane, and per other part of a volume, that may still cut; 0 means wholly
// inside.
#ifndef ACRE_QUADTREE_VOLUME_H
#define ACRE_QUADTREE_VOLUME_H

#include "quadtree_internal.h"

#include "bits_internal.h"
#include "shape_internal.h"

// A plane with the rows of a box that hold its p-vertex (the corner of largest distance).
typedef struct query_plane {
    float normal[3];
    float d; // for items
    // The same for nodes and groups. NaN, so that the plane decides nothing for them, where it is
    // not finite: its products may be NaN for one corner and not for another.
    float bounds_d;
    uint8_t far_row[3];
} query_plane;

// Bits of a mask. That of the excluded volume says that it may hold some of what is inside.
enum {
    MASK_PLANES = (1u << ACRE_FRUSTUM_MAX_PLANES) - 1,
    MASK_BOX = 1u << 16,
    MASK_BALL = 1u << 17,
    MASK_SLAB = 1u << 18,
    MASK_EDGES = 1u << 19, // of boxes that planes cut
    MASK_EXCLUDED = 1u << 20,
    MASK_SMALL = 1u << 21 // nodes and groups are asked for the box alone
};

typedef struct query_volume {
    uint32_t plane_count;
    query_plane planes[ACRE_FRUSTUM_MAX_PLANES]; // an odd number is followed by one undecided
    row_box box;
    shape_ball ball;
    shape_slab slab;
    shape_edges edges;
    const struct query_volume *excluded; // planes alone; NULL: nothing is
    uint32_t excluded_mask;              // all of its planes
    bool excludes_touching;
    row_box origin;     // from which distances are measured
    bool measures_slab; // along the ray instead
} query_volume;

enum {
    LIST_STEP = 8, // rows that a kernel writes at once behind the end of a list
    // A quad takes one entry off and puts at most four on, one level down.
    STACK_ROOM = 3 * MAX_LEVEL + 8 + LIST_STEP,
    // Nodes listed before their items are written out, and groups of them before they are tested.
    LISTED_NODES = 96,
    LISTED_GROUPS = 256,
    MOST_LISTED = LISTED_GROUPS - 2 * BLOCK_GROUPS, // with room for those of two blocks more
    // Kernels fetch what so many groups later will be tested.
    GROUPS_AHEAD = 2,
    // Bounds of a block's groups, or its ids, are fetched so many nodes ahead.
    NODES_AHEAD = 3
};

// Quads whose turn has not come, and the chains of items of the nodes that were seen.
typedef struct node_lists {
    uint32_t stack_count, inside_count, cut_count;
    uint32_t stack[STACK_ROOM], stack_masks[STACK_ROOM];
    uint32_t inside[LISTED_NODES + LIST_STEP]; // chain words
    uint32_t cut[LISTED_NODES + LIST_STEP], cut_masks[LISTED_NODES + LIST_STEP];
} node_lists;

// The ends of the lists of a node_lists, kept apart while a kernel appends: what is written to the
// lists cannot change them.
typedef struct node_ends {
    uint32_t stack, inside, cut;
} node_ends;

static inline node_ends get_ends(const node_lists *lists)
{
    return (node_ends){lists->stack_count, lists->inside_count, lists->cut_count};
}

static inline void set_ends(node_lists *lists, node_ends ends)
{
    lists->stack_count = ends.stack;
    lists->inside_count = ends.inside;
    lists->cut_count = ends.cut;
}

// Groups of the blocks that planes cut; see group_word.
typedef struct group_lists {
    uint32_t inside_count, cut_count;
    uint32_t inside[LISTED_GROUPS + LIST_STEP];
    uint32_t cut[LISTED_GROUPS + LIST_STEP], cut_masks[LISTED_GROUPS + LIST_STEP];
} group_lists;

typedef struct group_ends {
    uint32_t inside, cut;
} group_ends;

// A group's number, block * BLOCK_GROUPS + group in it, and how many items it has.
enum { GROUP_COUNT_BITS = 5 };
static inline uint32_t group_word(uint32_t group, uint32_t count)
{
    return group << GROUP_COUNT_BITS | count;
}
static inline uint32_t group_number(uint32_t word)
{
    return word >> GROUP_COUNT_BITS;
}
static inline uint32_t group_count(uint32_t word)
{
    return word & ((1u << GROUP_COUNT_BITS) - 1);
}
static_assert(MAX_BLOCKS * (uint64_t)BLOCK_GROUPS << GROUP_COUNT_BITS <= UINT32_MAX + 1ull,
              "a group word holds every group");

// The planes of a frustum; other parts are the caller's business.
// @return the mask of all planes.
uint32_t acre_prepare_planes(query_volume *volume, const acre_frustum *frustum);

// A valid query's volume. excluded: room for that of query->exclude.
// @return the mask of all parts.
uint32_t acre_prepare_volume(query_volume *volume, query_volume *excluded, const acre_query *query);

// Takes a set's lowest member out.
static inline uint32_t take_lowest(uint32_t *set)
{
    const uint32_t lowest = lowest_bit(*set);
    *set &= *set - 1;
    return lowest;
}

// The slots of a group that have items, as a set.
static inline uint32_t present_slots(uint32_t count)
{
    return count < GROUP_SLOTS ? (1u << count) - 1 : 0xffffu;
}

// The groups of a block that have items, as a set.
static inline uint32_t present_groups(uint32_t count)
{
    return (1u << (count + GROUP_SLOTS - 1) / GROUP_SLOTS) - 1;
}

#endif
