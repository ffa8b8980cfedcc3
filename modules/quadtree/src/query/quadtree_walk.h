// SPDX-License-Identifier: MIT
// quadtree_walk.h - the walk of a query through the tree, and what it does with results.
#ifndef ACRE_QUADTREE_WALK_H
#define ACRE_QUADTREE_WALK_H

#include "quadtree_kernel.h"

enum { WALK_BUFFER = (LISTED_GROUPS + 1) * GROUP_SLOTS }; // items of all listed groups, and room

typedef struct query_walk {
    const acre_quadtree *tree;
    const query_volume *volume;
    const query_kernel *kernel;
    const acre_frustum_hull *hull; // NULL: the volume alone decides
    uint32_t layers;               // 0: all

    // Where results go: to an array; or runs of them to spans, some of them left in the tree; or
    // through the array, which has WALK_BUFFER items, to a visitor of items or of groups.
    uint32_t *items;
    size_t capacity;
    size_t total; // copied to items, or what would be with more room
    acre_item_span *spans;
    size_t span_capacity, span_count;
    size_t spanned; // items that stay where they are
    bool wants_spans, last_was_copied;
    acre_query_visitor visit;
    acre_group_visitor visit_group;
    void *visitor;
    size_t handed; // to the visitor

    bool stops_when_full;
    bool only_copies;          // set by the walk: results go to the array, to the last one
    bool is_stopped;           // by the visitor, or by a full array
    size_t budget;             // nodes to look at before the walk pauses; 0: all of them
    acre_query_cursor *cursor; // of a walk in steps

    acre_query_stats stats;
    node_lists *nodes;
    group_lists *groups;
} query_walk;

// A walk with nothing but an array. Each field by itself: compilers zero a struct of this size with
// an instruction that takes as long as two quads do.
static inline void start_walk(query_walk *walk, const acre_quadtree *tree, uint32_t *items,
                              size_t capacity)
{
    walk->tree = tree;
    walk->volume = NULL;
    walk->kernel = NULL;
    walk->hull = NULL;
    walk->layers = 0;
    walk->items = items;
    walk->capacity = capacity;
    walk->total = 0;
    walk->spans = NULL;
    walk->span_capacity = walk->span_count = 0;
    walk->spanned = 0;
    walk->wants_spans = walk->last_was_copied = false;
    walk->visit = NULL;
    walk->visit_group = NULL;
    walk->visitor = NULL;
    walk->handed = 0;
    walk->stops_when_full = walk->only_copies = walk->is_stopped = false;
    walk->budget = 0;
    walk->cursor = NULL;
    walk->stats.nodes_tested = walk->stats.items_tested = walk->stats.items_accepted = 0;
    walk->nodes = NULL;
    walk->groups = NULL;
}

// The flags that every query knows.
enum { QUERY_FLAGS = ACRE_QUERY_EXACT | ACRE_QUERY_EXCLUDE_TOUCHING };

// quadtree_walk.c

// Visits the quads in the lists' stack and all below them, and the items of the chains that are
// listed. Where a budget ends the walk, the stack has the quads that are left.
void acre_walk(query_walk *walk, node_lists *nodes);

// The lists of a walk through the whole tree. mask: all parts of the volume.
void acre_begin_walk(const acre_quadtree *tree, node_lists *nodes, uint32_t mask);
void acre_list_chain(node_lists *nodes, uint32_t word, uint32_t mask);
void acre_walk_all(query_walk *walk, uint32_t mask);

// The siblings of a quad that have items in some layer that is asked for, as a set.
uint32_t acre_wanted_siblings(const query_walk *walk, uint32_t q);

// Whether an item is not outside by separating axes.
bool acre_passes_hull(const acre_quadtree *tree, const acre_frustum_hull *hull, uint32_t item);

// quadtree_query.c

// acre_quadtree_query_visit, without a word to the listener: for calls that tell of themselves.
acre_result acre_visit_untold(const acre_quadtree *tree, const acre_query *query,
                              acre_query_visitor visit, void *user);

// Whether a query has a valid volume, and no flags but these. NULL is not valid.
bool acre_query_is_valid(const acre_query *query, uint32_t allowed_flags);

// Prepares a valid query for a walk, of which the caller has said where results go, and runs it.
void acre_run_query(query_walk *walk, const acre_query *query,
                    void (*run)(query_walk *walk, uint32_t mask));

#endif
