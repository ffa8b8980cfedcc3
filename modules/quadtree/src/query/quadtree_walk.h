// SPDX-License-Identifier: MIT
// quadtree_walk.h - the walk of a query through the tree, and the sinks that take what it lists.
//
// A walk goes down from the root and lists what the volume meets. It does so in portions, and hands
// each portion to a sink: lists of nodes wholly inside, then lists of groups. Four things describe
// a walk: where it begins and how many portions it makes, how long a portion is, a filter, and the
// kernel, which tests boxes and lists what they leave.
//
// Words used here:
//     portion    what is listed before its items are looked at
//     sink       what becomes of a portion: an array, spans, or one of the visitors
//     filter     what is dropped of all that the volume leaves
#ifndef ACRE_QUADTREE_WALK_H
#define ACRE_QUADTREE_WALK_H

#include "quadtree_pieces_shared.h"

#include "hull_internal.h"
#include "quadtree_kernel_shape.h"

typedef struct query_walk query_walk;

// ---- sinks ----

// What becomes of a portion. Kernels write ids behind those that are there, so a sink gives room
// for them (items, capacity) and takes counts (total).
typedef struct query_sink {
    // Takes the chains of the nodes that are wholly inside.
    void (*take_nodes)(query_walk *walk, const node_lists *nodes);
    // Takes the listed groups: all items of those inside, and of the others those that the kernel
    // finds.
    void (*take_groups)(query_walk *walk, group_lists *groups);
    // Is called between two portions, and may stop the walk. NULL: there is nothing to do.
    void (*end_portion)(query_walk *walk, const node_lists *nodes);
    // It stops the walk when the array is full.
    bool stops_when_full;
} query_sink;

extern const query_sink acre_array_sink;       // quadtree_array_sink.c
extern const query_sink acre_first_array_sink; // the same, stops when the array is full
extern const query_sink acre_span_sink;        // quadtree_span_sink.c
extern const query_sink acre_item_sink;        // quadtree_item_sink.c
extern const query_sink acre_group_sink;       // quadtree_group_sink.c
extern const query_sink acre_first_group_sink; // the same, leaves what is worth dividing

// Results of a span query: what stays in the tree, and runs of what is copied to the walk's array.
typedef struct span_receiver {
    acre_item_span *spans;
    size_t capacity;
    size_t count;         // also of spans that had no room
    size_t items_in_tree; // items of spans that point into the tree
    bool last_was_copied; // the last span points into the array
} span_receiver;

// Items that a visiting walk has room for: those of all listed groups, and one group more.
enum { WALK_BUFFER = (LISTED_GROUPS + 1) * GROUP_SLOTS };

// Results of a visit of items: they go through the walk's array, which has WALK_BUFFER items.
typedef struct item_receiver {
    acre_query_visitor visit;
    void *user;
    size_t visited;
} item_receiver;

typedef struct group_receiver {
    acre_group_visitor visit;
    void *user;
    size_t visited;                // items
    bool takes_whole_groups;       // items are not tested
    acre_query_pieces *rest;       // of a visit that may be divided: receives what is left
    size_t least;                  // items of a share of the rest
    const acre_query_piece *piece; // all that is visited; NULL: the whole tree
} group_receiver;

// ---- filters ----

// What a walk drops of all that its volume leaves.
typedef struct query_filter {
    uint32_t layers;               // keeps items that share a bit; 0: all
    uint32_t except;               // drops this item; NONE: none
    const acre_frustum_hull *hull; // drops tested items that axes prove outside; NULL: none
} query_filter;

// ---- the walk ----

struct query_walk {
    const acre_quadtree *tree;
    const query_volume *volume;
    const query_kernel *kernel;
    const query_sink *sink;
    void *receiver; // of the sink; NULL: it has the array alone

    uint32_t *items;
    size_t capacity;
    size_t total; // items written, or that would be with more room

    query_filter filter;
    uint32_t portions;    // the walk ends after so many
    uint32_t most_nodes;  // a portion is over when more nodes than this are listed,
    uint32_t most_groups; // and its groups are taken when more than this are

    bool is_stopped; // by the sink
    acre_query_stats stats;
};

// A walk whose results go to an array. Change what is to be otherwise, then set volume and kernel.
// All fields are named: if some are not, they are zero, too, but compilers zero a struct of this
// size by an instruction that takes as long as two quads do.
static inline query_walk array_walk(const acre_quadtree *tree, uint32_t *items, size_t capacity)
{
    return (query_walk){.tree = tree,
                        .volume = NULL,
                        .kernel = NULL,
                        .sink = &acre_array_sink,
                        .receiver = NULL,
                        .items = items,
                        .capacity = capacity,
                        .total = 0,
                        .filter = {.layers = 0, .except = NONE, .hull = NULL},
                        .portions = UINT32_MAX,
                        .most_nodes = PORTION_NODES,
                        .most_groups = MOST_LISTED,
                        .is_stopped = false,
                        .stats = {0, 0, 0}};
}

// A descent of a kernel through as many quads as a portion takes.
static inline quad_descent descent_through(const acre_quadtree *tree, uint32_t layers,
                                           uint32_t most_listed)
{
    return (quad_descent){.quads = tree->quads,
                          .cold = tree->cold,
                          .layers = layers,
                          .most_listed = most_listed,
                          .quads_left = SIZE_MAX};
}

// Whether a query wants all items of its volume.
static inline bool walk_takes_all(const query_walk *walk)
{
    return !walk->filter.layers && walk->filter.except == NONE;
}

static inline bool walk_takes_item(const query_walk *walk, uint32_t item)
{
    return item != walk->filter.except &&
           (!walk->filter.layers || (walk->tree->layers[item] & walk->filter.layers));
}

// The ids of a group.
static inline const uint32_t *group_ids(const acre_quadtree *tree, size_t group)
{
    const uint32_t *const ids = tree->ids->id; // of all blocks
    return ids + group * GROUP_SLOTS;
}

// Before the items of the intersecting groups are tested: counts them, and ends the list so that
// kernels can look ahead.
static inline void begin_tests(query_walk *walk, group_lists *groups)
{
    for (uint32_t i = 0; i < groups->intersecting_count; i++) {
        walk->stats.items_tested += group_count(groups->intersecting[i]);
    }
    for (uint32_t i = 0; i < GROUPS_AHEAD; i++) {
        groups->intersecting[groups->intersecting_count + i] = 0;
    }
}
static_assert(GROUPS_AHEAD <= LIST_STEP, "a list has room for what ends it");

// The flags that every kind of query takes.
enum {
    QUERY_FLAGS = ACRE_QUERY_EXACT | ACRE_QUERY_EXCLUDE_TOUCHING | ACRE_QUERY_NOT_TOUCHING |
                  ACRE_QUERY_UNDIVIDED
};

// quadtree_sink.c

// Those items of a set of slots that the filter keeps. is_tested: the group is not wholly inside,
// so that the hull is asked, too.
uint32_t acre_filter_slots(const query_walk *walk, size_t group, uint32_t found, bool is_tested);

// Whether separating axes do not prove that an item's box is outside the hull.
bool acre_passes_hull(const acre_quadtree *tree, const acre_frustum_hull *hull, uint32_t item);

// Hands ids of nodes that are wholly inside, a block at a time, to `take`: of all chains from the
// one at `first` on.
void acre_take_chains(query_walk *walk, const node_lists *nodes, uint32_t first,
                      void (*take)(query_walk *walk, const uint32_t *ids, uint32_t count));

// quadtree_walk.c

// Visits the quads on the stack and all below them, and the items of the listed chains.
void acre_walk(query_walk *walk, node_lists *nodes);

// Fills the lists for a walk through the whole tree. mask: all parts of the volume.
void acre_begin_walk(const acre_quadtree *tree, node_lists *nodes, uint32_t mask);

// Lists a chain word, unless it is 0, by its mask. The lists must have room.
void acre_list_chain(node_lists *nodes, uint32_t word, uint32_t mask);

// acre_begin_walk and acre_walk, or the shortcut for few results.
void acre_walk_all(query_walk *walk, uint32_t mask);

// quadtree_array_sink.c: results behind those that are there, for sinks that have an array.

// Writes ids that passed the volume, if the filter keeps them.
void acre_write_ids(query_walk *walk, const uint32_t *ids, uint32_t count);

// Writes the results of the listed groups.
void acre_write_groups(query_walk *walk, group_lists *groups);

// quadtree_query_pieces.c

// Cuts the rest of a walk into pieces. nodes: its stack alone is read.
void acre_cut_walk(const query_walk *walk, const node_lists *nodes, acre_query_pieces *out);

// Runs a walk through one piece of it. All else of the walk is set.
void acre_walk_piece(query_walk *walk, const acre_query_piece *piece);

// quadtree_query.c

// acre_quadtree_query_visit without notifying the listener, for calls that notify it themselves.
acre_result acre_visit_unrecorded(const acre_quadtree *tree, const acre_query *query,
                                  acre_query_visitor visit, void *user);

// Whether a query has a valid volume and no other flags than these. NULL is not valid.
bool acre_volume_is_valid(const acre_query *query, uint32_t allowed_flags);

// The same of a query that is not for the nearest, which alone have a distance.
bool acre_query_is_valid(const acre_query *query, uint32_t allowed_flags);

// The item that a query does not find; NONE: it finds all.
static inline uint32_t excepted_item(const acre_query *query)
{
    return query->except_item1 - 1; // 0 - 1 is NONE
}
static_assert(NONE == UINT32_MAX, "no item, too: items are below 2^26");

// Sets the volume, kernel and filter of a walk from a valid query, then runs it.
void acre_run_query(query_walk *walk, const acre_query *query,
                    void (*run)(query_walk *walk, uint32_t mask));

// quadtree_nearest.c

// Sorts hits by distance, then by item.
void acre_sort_hits(acre_query_hit *hits, size_t count);

// Brings the `wanted` nearest of some hits, or all of fewer, to the front, nearest first. wanted:
// not 0.
void acre_keep_nearest(acre_query_hit *hits, size_t count, size_t wanted);

// Whether a query for the nearest is valid.
bool acre_nearest_is_valid(const acre_query *query);

// A part of the nearest is recorded as a query that was not searched to its end.
void acre_notify_of_part(const acre_quadtree *tree, const acre_query *query);

// acre_quadtree_query_nearest of a valid query. count: the number of hits that the caller has;
// receives the number of hits found.
void acre_find_nearest(const acre_quadtree *tree, const acre_query *query, acre_query_hit *hits,
                       size_t capacity, size_t *count);

#endif
