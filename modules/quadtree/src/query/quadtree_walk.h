// SPDX-License-Identifier: MIT
// quadtree_walk.h - the walk of a query through the tree, and where its results go.
#ifndef ACRE_QUADTREE_WALK_H
#define ACRE_QUADTREE_WALK_H

#include <acre/quadtree_parts.h>

#include "quadtree_kernel_shape.h"

// Items that the buffer of a visiting walk has room for: those of all listed groups, and one group
// more.
enum { WALK_BUFFER = (LISTED_GROUPS + 1) * GROUP_SLOTS };

// Results of a span query: what stays in the tree, and runs of what is copied to the walk's array.
typedef struct walk_spans {
    acre_item_span *spans;
    size_t capacity;
    size_t count;         // also of spans that had no room
    size_t items_in_tree; // items of spans that point into the tree
    bool last_was_copied; // the last span points into the array
} walk_spans;

// Results of a visiting query: they go through the walk's array, which has WALK_BUFFER items, to
// one of the visitors.
typedef struct walk_visit {
    acre_query_visitor visit_items; // NULL: groups are visited
    acre_group_visitor visit_group; // NULL: items are visited
    void *user;
    size_t items_visited;
    bool takes_whole_groups;     // of groups: items are not tested
    acre_query_parts *rest;      // of groups: receives what is worth dividing; NULL: all is visited
    size_t least;                // items of a share of the rest
    const acre_query_part *part; // of groups: all that is visited; NULL: the whole tree
} walk_visit;

typedef struct query_walk {
    const acre_quadtree *tree;
    const acre_frustum_hull *hull; // drops items that separating axes prove outside; NULL: none
    uint32_t layers;               // finds only items that share a bit; 0: all
    uint32_t except;               // an item that is not found; NONE: all are

    // Where results go: to the array, unless one of these says otherwise.
    uint32_t *items;
    size_t capacity;
    size_t total;      // items copied, or that would be with more room
    walk_spans *spans; // NULL: no span query
    walk_visit *visit; // NULL: no visiting query

    uint32_t portions; // the walk ends after so many
    bool is_undivided; // a visit leaves no rest
    bool stops_when_full;
    bool is_stopped; // by the visitor, or by a full array
    acre_query_stats stats;

    // Set by whoever runs the walk.
    const query_volume *volume;
    const query_kernel *kernel;

    // Set by the walk itself.
    bool only_copies; // all results go to the array, and the walk does not stop early
    node_lists *nodes;
    group_lists *groups;
} query_walk;

// A walk whose results go to an array. Each field is set by itself: compilers zero a struct of this
// size by an instruction that takes as long as two quads do.
static inline void start_walk(query_walk *walk, const acre_quadtree *tree, uint32_t *items,
                              size_t capacity)
{
    walk->tree = tree;
    walk->hull = NULL;
    walk->layers = 0;
    walk->except = NONE;
    walk->items = items;
    walk->capacity = capacity;
    walk->total = 0;
    walk->spans = NULL;
    walk->visit = NULL;
    walk->portions = UINT32_MAX;
    walk->is_undivided = false;
    walk->stops_when_full = walk->is_stopped = false;
    walk->stats.nodes_tested = walk->stats.items_tested = walk->stats.items_accepted = 0;
}

// Whether a query wants all items of its volume.
static inline bool walk_takes_all(const query_walk *walk)
{
    return !walk->layers && walk->except == NONE;
}

static inline bool walk_takes_item(const query_walk *walk, uint32_t item)
{
    return item != walk->except && (!walk->layers || (walk->tree->layers[item] & walk->layers));
}

// A walk tests items when so many nodes are listed. Visitors may take long for an item, so that
// their portions are short: parts of a visit are whole portions.
static inline uint32_t portion_nodes(const query_walk *walk)
{
    return walk->visit ? VISITED_NODES : PORTION_NODES;
}

// The flags that every kind of query takes.
enum {
    QUERY_FLAGS = ACRE_QUERY_EXACT | ACRE_QUERY_EXCLUDE_TOUCHING | ACRE_QUERY_NOT_TOUCHING |
                  ACRE_QUERY_UNDIVIDED
};

// quadtree_walk.c

// Visits the quads on the stack and all below them, and the items of the listed chains.
void acre_walk(query_walk *walk, node_lists *nodes);

// Fills the lists for a walk through the whole tree. mask: all parts of the volume.
void acre_begin_walk(const acre_quadtree *tree, node_lists *nodes, uint32_t mask);

// Lists a chain word, unless it is 0, by its mask. The lists must have room.
void acre_list_chain(node_lists *nodes, uint32_t word, uint32_t mask);

// acre_begin_walk and acre_walk.
void acre_walk_all(query_walk *walk, uint32_t mask);

// Whether separating axes do not prove that an item's box is outside the hull.
bool acre_passes_hull(const acre_quadtree *tree, const acre_frustum_hull *hull, uint32_t item);

// quadtree_query_parts.c

// Cuts the rest of a walk into parts. nodes: its stack alone is read.
void acre_cut_walk(const query_walk *walk, const node_lists *nodes, acre_query_parts *out);

// Runs a walk through one part of it. All else of the walk is set.
void acre_walk_part(query_walk *walk, const acre_query_part *part);

// Cuts what is left of a visit of groups into walk->visit->rest, if it is worth dividing. False: it
// is not, and the walk goes on.
bool acre_leave_rest(query_walk *walk, const node_lists *nodes);

// quadtree_query.c

// acre_quadtree_query_visit without notifying the listener, for calls that notify it themselves.
acre_result acre_visit_unrecorded(const acre_quadtree *tree, const acre_query *query,
                                  acre_query_visitor visit, void *user);

// Whether a query has a valid volume and no other flags than these. NULL is not valid.
bool acre_query_is_valid(const acre_query *query, uint32_t allowed_flags);

// The item that a query does not find; NONE: it finds all.
static inline uint32_t excepted_item(const acre_query *query)
{
    return query->except_item1 - 1; // 0 - 1 is NONE
}
static_assert(NONE == UINT32_MAX, "no item, too: items are below 2^26");

// Sets the volume, kernel, hull, layers and excepted item of a started walk from a valid query,
// then runs it.
void acre_run_query(query_walk *walk, const acre_query *query,
                    void (*run)(query_walk *walk, uint32_t mask));

// quadtree_nearest.c

// Sorts hits by distance, then by item.
void acre_sort_hits(acre_query_hit *hits, size_t count);

// acre_quadtree_query_nearest of a valid query. count: the number of hits that the caller has;
// receives the number of hits found.
void acre_find_nearest(const acre_quadtree *tree, const acre_query *query, acre_query_hit *hits,
                       size_t capacity, size_t *count);

#endif
