// SPDX-License-Identifier: MIT
// quadtree_parts.h - a large query cut into parts, which several threads visit side by side.
//
// Experimental: it may change in any minor version.
//
// acre_quadtree_query divides itself on the tree's tasks. A caller that looks at boxes, and not
// only at numbers, divides a query with these functions: the first call visits what one thread does
// sooner alone, and cuts the rest into parts. The groups of the first call, then those of each part
// in order, are the groups of acre_quadtree_query_visit_groups in the same order.
//
// Typical use:
//     acre_quadtree_query_visit_first(tree, &query, 10000, visit, &results, &rest);
//     ... on any threads, for each part with results of its own:
//     acre_quadtree_query_visit_part(tree, &query, &rest.parts[i], visit, &results_of_part[i]);
//
// Threading: as the queries of quadtree_query.h. The parts hold until the next edit of the tree.
#ifndef ACRE_QUADTREE_PARTS_H
#define ACRE_QUADTREE_PARTS_H

#include <acre/quadtree_query.h>

ACRE_EXTERN_C_BEGIN

/// A query is cut into at most so many parts.
#define ACRE_QUERY_MOST_PARTS 64

/// A part of a query. It has at most inside + tested results. Only the library uses the other
/// fields.
typedef struct acre_query_part {
    size_t inside; ///< items of cells that are wholly in the volume
    size_t tested; ///< items of the other cells
    uint32_t portions;
    uint32_t quad_count;
    uint32_t quads[80];
    uint32_t masks[80];
} acre_query_part;

/// 43 KB.
typedef struct acre_query_parts {
    uint32_t count;
    size_t inside; ///< of all parts
    size_t tested; ///< of all parts
    acre_query_part parts[ACRE_QUERY_MOST_PARTS];
} acre_query_parts;

/// acre_quadtree_query_visit_groups that ends early in a tree with tasks, if what is left is worth
/// dividing: that is 50 us of work for a visitor that takes two nanoseconds an item. Needs 100 KiB
/// of stack with *rest.
/// @param rest receives the parts that were not visited; count is 0 if all groups were visited, if
/// the visitor stopped the query, for a tree with a listener and for ACRE_QUERY_UNDIVIDED.
/// @return as acre_quadtree_query_visit_groups. On error rest->count is 0.
ACRE_EXPERIMENTAL_API ACRE_RESULT
acre_quadtree_query_visit_first(const acre_quadtree *tree, const acre_query *query, size_t least,
                                acre_group_visitor visit, void *user, acre_query_parts *rest);

/// Visits the groups of one part, until the visitor returns false. query->stats receives the work
/// of the part.
/// @param query the one that was cut: the same volume, layers and flags.
/// @param part of a query of this tree, which was not edited since.
/// @return as acre_quadtree_query_visit_groups.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_quadtree_query_visit_part(const acre_quadtree *tree,
                                                                 const acre_query *query,
                                                                 const acre_query_part *part,
                                                                 acre_group_visitor visit,
                                                                 void *user);

ACRE_EXTERN_C_END

#endif
