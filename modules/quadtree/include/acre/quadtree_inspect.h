// SPDX-License-Identifier: MIT
// quadtree_inspect.h - what is inside a tree, for tools: the cells that a box meets, a trace of one
// query, and the cells as text.
//
// Experimental: it may change in any minor version.
//
// Words used here:
//     group   up to ACRE_GROUP_ITEMS items of one cell that are close together; it has bounds
//     node    a cell, or the list of outliers, which has no cell
//     trace   what one query did with every node, group and item
//
// Typical use, with a FILE *file that is open for writing:
//     acre_quadtree_dump(tree, 3, write_text, file);                  // three levels as text
//     acre_quadtree_trace(tree, &query, count_step, &counts);         // what one query tests
//
// Threading: these functions may run on one tree on many threads at a time while no thread edits
// the tree.
#ifndef ACRE_QUADTREE_INSPECT_H
#define ACRE_QUADTREE_INSPECT_H

#include <acre/quadtree.h>

ACRE_EXTERN_C_BEGIN

// ---- cells ----

/// Which bounds of a cell a box has to meet.
typedef enum acre_cell_bounds {
    /// The cell itself, half-open, at any height: it owns a point of the box, so that an item whose
    /// center is there could stand in it.
    ACRE_CELL_BOUNDS_STRICT = 0,
    ACRE_CELL_BOUNDS_LOOSE, ///< the loose bounds at any height: an item in it could touch the box
    ACRE_CELL_BOUNDS_STORED ///< the stored bounds, with heights: a query of the box looks into it
} acre_cell_bounds;

/// Receives a cell, valid during the call. An edit of the tree answers ACRE_ERROR_BUSY meanwhile.
/// @return true to go on, false to stop.
typedef bool (*acre_cell_visitor)(void *user, const acre_quadtree_place *cell);

/// Visits the cells that a box meets: the root, then each cell before its children, and siblings in
/// the order of z, then x. A cell without items in it and below it has no stored bounds, which no
/// box meets. The list of outliers is no cell and is not visited. O(cells visited).
/// @param box touching the loose or the stored bounds counts; infinite edges are allowed.
/// @return ACRE_OK, also if the visitor stopped; ACRE_ERROR_INVALID_ARGUMENT for NULL, an invalid
/// box and unknown bounds; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_quadtree_visit_cells(const acre_quadtree *tree,
                                                            const acre_aabb *box,
                                                            acre_cell_bounds bounds,
                                                            acre_cell_visitor visit, void *user);

// ---- a trace of one query ----

/// What a query did with a node, a group or an item.
typedef enum acre_trace_state {
    ACRE_TRACE_INSIDE = 1, ///< wholly inside the volume: its items are results without a test
    ACRE_TRACE_KEPT,       ///< tested and not outside: a node or group is looked into, an item is
                           ///< a result
    ACRE_TRACE_DROPPED,    ///< tested and outside, in other layers, or the excepted item; also a
                           ///< cell without items and children
    ACRE_TRACE_SKIPPED     ///< not looked at, because what holds it was dropped
} acre_trace_state;

typedef enum acre_trace_part {
    ACRE_TRACE_NODE = 1,
    ACRE_TRACE_GROUP,
    ACRE_TRACE_ITEM
} acre_trace_part;

/// One node, group or item of a trace.
typedef struct acre_trace_step {
    acre_trace_part part;
    acre_trace_state state;
    uint32_t item;    ///< the item's number; UINT32_MAX for a node or group
    size_t items;     ///< a node's own items, a group's items; 1 for an item
    acre_aabb bounds; ///< what the query tests: stored bounds, bounds of the group, the item's box.
                      ///< Empty for a node without items; infinite for the list of outliers
    /// The node, or the node that has the group or item. NULL for an entity that stands in no tree
    /// (acre_culling_trace).
    const acre_quadtree_place *node;
} acre_trace_step;

/// Receives a step, valid during the call. An edit of the tree answers ACRE_ERROR_BUSY meanwhile.
/// @return true to go on, false to stop.
typedef bool (*acre_trace_visitor)(void *user, const acre_trace_step *step);

/// Runs a query as acre_quadtree_query does, and visits every node, group and item of the tree
/// once, with what became of it. The results of the query are the items that are inside or kept.
/// The list of outliers comes first, if there are any, then the cells in the order of
/// acre_quadtree_visit_cells. After each node come its groups, each followed by its items.
/// query->stats receives the work of the query itself. The list of outliers, and a root that has
/// children and no items of its own, are kept without a test. O(nodes + items): the query alone is
/// much faster, and a listener is not notified.
/// @return as acre_quadtree_query; ACRE_ERROR_INVALID_ARGUMENT also for ACRE_QUERY_SORTED and
/// ACRE_QUERY_STOP_WHEN_FULL. ACRE_OK also if the visitor stopped.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_quadtree_trace(const acre_quadtree *tree,
                                                      const acre_query *query,
                                                      acre_trace_visitor visit, void *user);

/// Draws a step: a node as its cell and its stored bounds (ACRE_DEBUG_STRICT_CELLS,
/// ACRE_DEBUG_STORED_BOUNDS), a group and an item as their bounds (ACRE_DEBUG_GROUPS,
/// ACRE_DEBUG_ITEMS). The color is that of the state: green inside, yellow kept, red dropped, gray
/// skipped. The visitor of a trace calls it where a picture is wanted.
ACRE_EXPERIMENTAL_API void acre_debug_draw_trace_step(const acre_debug_draw *draw,
                                                      const acre_trace_step *step);

// ---- text ----

/// Receives a piece of text, which no zero ends.
/// @return whether it was written; after false it is not called again.
typedef bool (*acre_text_writer)(void *user, const char *text, size_t length);

/// Writes a tree as text in English: a line about the tree, one about the outliers, then a line for
/// each cell, indented by its depth: level, own items, the cell, its loose bounds, its stored
/// bounds. Numbers have as many digits as tell floats apart, and are the same in every locale.
/// O(cells).
/// @param levels how many levels are listed, the root's first; 0: all.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_IO if write returned false;
/// ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_quadtree_dump(const acre_quadtree *tree, uint32_t levels,
                                                     acre_text_writer write, void *user);

ACRE_EXTERN_C_END

#endif
