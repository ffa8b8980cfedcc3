// SPDX-License-Identifier: MIT
// quadtree_near_shared.h - a visit near first, whose caller says on the way what is hidden.
//
// The outliers come first, then the nodes depth first: of siblings the nearest to query->origin,
// of those as near the one with the highest slot; a node's own items before its children; of a
// chain the nearest group, in portions of 64. The items of a group come in two blocks of eight,
// for every kernel. A node, a group or a block is asked about when its turn comes, so that what
// was taken before may hide it. All of this depends on the tree and the query alone.
//
// Threading: as the queries of quadtree_query.h.
#ifndef ACRE_QUADTREE_NEAR_SHARED_H
#define ACRE_QUADTREE_NEAR_SHARED_H

#include <acre/quadtree_query.h>

enum {
    ACRE_NEAR_BLOCK = 8,
    ACRE_NEAR_NODE_ITEMS = 64 ///< a node and all below it stand for so many items
};

/// Boxes that are asked about.
typedef struct acre_near_boxes {
    const float *edges; ///< rows min x, max x, min y, ..., of which ACRE_NEAR_BLOCK can be read
    size_t stride;      ///< floats between rows
    uint32_t lanes;     ///< bit i: box i is asked about
    uint32_t items;     ///< for which each stands: 1, ACRE_GROUP_ITEMS or ACRE_NEAR_NODE_ITEMS
} acre_near_boxes;

typedef struct acre_near_visitor {
    /// @return which boxes are hidden, with all that they hold.
    uint32_t (*hide)(void *user, const acre_near_boxes *boxes);
    /// Receives the items of a block that are in the volume and not hidden; others of the group are
    /// not found. @return false: stops the visit.
    acre_group_visitor take;
    void *user;
} acre_near_visitor;

/// Visits the items of a query. An edit of the tree answers ACRE_ERROR_BUSY meanwhile.
/// @param query has an origin.
/// @return as acre_quadtree_query_visit_nearest.
ACRE_RESULT acre_quadtree_visit_near(const acre_quadtree *tree, const acre_query *query,
                                     const acre_near_visitor *visitor);

#endif
