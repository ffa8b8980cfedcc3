// SPDX-License-Identifier: MIT
// quadtree_volume.h - what a query's walk and its kernels share: the volume, and the lists of nodes
// and groups.
//
// Hardly a step of a query branches on a single node or group. Kernels test four at a time and
// append those found to lists; the walk then processes the lists.
//
// Words used here:
//     part    a plane, the box, or another piece of a volume
//     mask    the parts that a node or group may intersect, a bit each; 0: it is wholly inside
//     word    a chain of blocks (chain_word) or a group (group_word) in 32 bits
#ifndef ACRE_QUADTREE_VOLUME_H
#define ACRE_QUADTREE_VOLUME_H

#include "quadtree_internal.h"

#include "bits_internal.h"
#include "shape_internal.h"

typedef struct query_plane {
    float normal[3];
    float d; // for items
    // For nodes and groups: d, or NaN if the plane is not finite. Products with an infinite normal
    // can be NaN for one corner and not for another, so such a plane decides nothing for them.
    float bounds_d;
    uint8_t far_row[3]; // rows of a box that hold its p-vertex, the corner of largest distance
} query_plane;

// Sets of axes, for tests of boxes.
enum { AXES_GROUND = 5, AXES_ALL = 7 }; // x and z; x, y and z

// Bits of a mask.
enum {
    MASK_PLANES = (1u << ACRE_FRUSTUM_MAX_PLANES) - 1,
    MASK_BOX = 1u << 16,
    MASK_BALL = 1u << 17,
    MASK_SLAB = 1u << 18,
    MASK_EDGES = 1u << 19,    // edges of an oriented box; asked of boxes that intersect its planes
    MASK_EXCLUDED = 1u << 20, // the excluded volume may drop items
    MASK_SMALL = 1u << 21     // nodes and groups are tested against the box alone
};

typedef struct query_volume {
    uint32_t plane_count;
    // Padded to an even count with a plane that rejects and accepts nothing.
    query_plane planes[ACRE_FRUSTUM_MAX_PLANES];
    row_box box;
    shape_ball ball;
    shape_round round; // of a sphere or a circle, which need no ball
    shape_slab slab;
    shape_edges edges;
    const struct query_volume *excluded; // only its planes count; set where MASK_EXCLUDED is
    uint32_t excluded_mask;              // all planes of the excluded volume
    bool excludes_touching;              // drops items that touch it, not only items inside it
    row_box origin;                      // distances are measured from here
} query_volume;
static_assert(ACRE_FRUSTUM_MAX_PLANES % 2 == 0, "there is room for the plane that pads");

enum {
    LIST_STEP = 8, // rows that a kernel writes at once at the end of a list
    // A quad takes one entry off the stack and puts at most four on, one level down.
    STACK_DEPTH = 3 * MAX_LEVEL + 8,
    STACK_ROOM = STACK_DEPTH + LIST_STEP,
    // Nodes that are listed before their items are, and groups before their items are tested.
    LISTED_NODES = 96,
    // A walk tests items when so many nodes are listed.
    PORTION_NODES = LISTED_NODES - 4,
    VISITED_NODES = 24, // of a visit
    LISTED_GROUPS = 256,
    MOST_LISTED = LISTED_GROUPS - 2 * BLOCK_GROUPS, // leaves room for the groups of two blocks
    // How far ahead kernels prefetch: boxes of groups, and bounds or ids of the blocks of nodes.
    GROUPS_AHEAD = 2,
    NODES_AHEAD = 3
};

// The quads still to visit, and the chains of the nodes that were visited and are not outside.
typedef struct node_lists {
    uint32_t stack_count;
    uint32_t inside_count;
    uint32_t intersecting_count;
    uint32_t stack[STACK_ROOM];
    uint32_t stack_masks[STACK_ROOM];
    uint32_t inside[LISTED_NODES + LIST_STEP]; // chain words
    uint32_t intersecting[LISTED_NODES + LIST_STEP], intersecting_masks[LISTED_NODES + LIST_STEP];
} node_lists;

// The counts of a node_lists while a kernel appends. They are kept apart from the lists, so that
// the compiler knows that writing rows does not change them.
typedef struct node_ends {
    uint32_t stack;
    uint32_t inside;
    uint32_t intersecting;
} node_ends;

// Kernels write up to LIST_STEP rows at each end, whether they count or not.
static inline void expect_room_for_nodes(const node_ends *ends)
{
    ACRE_INVARIANT(ends->inside <= LISTED_NODES && ends->intersecting <= LISTED_NODES);
}

static inline void expect_room_on_stack(const node_ends *ends)
{
    ACRE_INVARIANT(ends->stack <= STACK_DEPTH);
}

static inline node_ends get_ends(const node_lists *lists)
{
    return (node_ends){lists->stack_count, lists->inside_count, lists->intersecting_count};
}

static inline void set_ends(node_lists *lists, node_ends ends)
{
    ACRE_INVARIANT(ends.stack <= STACK_DEPTH && ends.inside <= LISTED_NODES &&
                   ends.intersecting <= LISTED_NODES);
    lists->stack_count = ends.stack;
    lists->inside_count = ends.inside;
    lists->intersecting_count = ends.intersecting;
}

// The groups of blocks whose nodes intersect the volume.
typedef struct group_lists {
    uint32_t inside_count;
    uint32_t intersecting_count;
    uint32_t inside[LISTED_GROUPS + LIST_STEP];
    uint32_t intersecting[LISTED_GROUPS + LIST_STEP], intersecting_masks[LISTED_GROUPS + LIST_STEP];
} group_lists;

// As node_ends.
typedef struct group_ends {
    uint32_t inside;
    uint32_t intersecting;
} group_ends;

static inline void expect_room_for_groups(const group_ends *ends)
{
    ACRE_INVARIANT(ends->inside <= LISTED_GROUPS && ends->intersecting <= LISTED_GROUPS);
}

// append_ids and copy_group write a whole group of rows, whether they count or not. `found` rows
// are there already; the caller has room for so many.
static inline void expect_room_for_ids(size_t found, size_t room)
{
    ACRE_INVARIANT(found + GROUP_SLOTS <= room);
}

// Bits 0..4 of a group's word count its items. The bits above number the group: block *
// BLOCK_GROUPS + group in the block.
enum { GROUP_COUNT_BITS = 5 };
static inline uint32_t group_word(uint32_t group, uint32_t count)
{
    ACRE_INVARIANT(count <= GROUP_SLOTS);
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

// Moves the edges of a box inward by one float each, along a set of axes: what the moved
// box touches is what the box overlaps without touching. The moved box may be inverted, and finds
// what reaches beyond both of its edges.
// Returns false if no item can overlap the box: it begins at INFINITY or ends at -INFINITY.
bool acre_open_box(row_box *box, uint32_t axes);

// The axes along which a query with ACRE_QUERY_NOT_TOUCHING is open.
static inline uint32_t query_open_axes(const acre_query *query)
{
    return query->shape == ACRE_QUERY_SHAPE_GROUND_POINT ? AXES_GROUND : AXES_ALL;
}

// Sets the planes of a volume, and nothing else of it.
// @return the mask of all planes.
uint32_t acre_prepare_planes(query_volume *volume, const acre_frustum *frustum);

// Sets the volume of a valid query. excluded receives the planes of query->exclude, if it has some.
// @return the mask of all parts.
uint32_t acre_prepare_volume(query_volume *volume, query_volume *excluded, const acre_query *query);

// Sets the round of a valid query for a sphere or a circle, and nothing else.
void acre_prepare_round(query_volume *volume, const acre_query *query);

static inline bool is_round_shape(acre_query_shape shape)
{
    return shape == ACRE_QUERY_SHAPE_SPHERE || shape == ACRE_QUERY_SHAPE_CIRCLE;
}

// Removes the lowest member from a set and returns it.
static inline uint32_t take_lowest(uint32_t *set)
{
    ACRE_INVARIANT(*set != 0);
    const uint32_t lowest = lowest_bit(*set);
    *set &= *set - 1;
    return lowest;
}

// The set of the first `count` slots of a group.
static inline uint32_t present_slots(uint32_t count)
{
    return count < GROUP_SLOTS ? (1u << count) - 1 : 0xffffu;
}

// The set of the groups that hold the first `count` items of a block.
static inline uint32_t present_groups(uint32_t count)
{
    ACRE_INVARIANT(count > 0 && count <= BLOCK_SLOTS);
    return (1u << (count + GROUP_SLOTS - 1) / GROUP_SLOTS) - 1;
}

#endif
