// SPDX-License-Identifier: MIT
// quadtree_pieces_shared.h - what Acre's own modules ask a tree beside its public queries: a visit
// cut into pieces that several threads visit side by side, and the nearest of several trees.
//
// The first call visits what one thread does sooner alone, and cuts the rest into pieces. The
// groups of the first call, then those of each piece in order, are the groups of
// acre_quadtree_query_visit_groups in the same order.
//
//     acre_quadtree_visit_first(tree, &query, 10000, visit, &results, &rest);
//     ... on any threads, for each piece with results of its own:
//     acre_quadtree_visit_piece(tree, &query, &rest.pieces[i], visit, &results_of_piece[i]);
//
// Threading: as the queries of quadtree_query.h. The pieces hold until the next edit of the tree.
#ifndef ACRE_QUADTREE_PIECES_SHARED_H
#define ACRE_QUADTREE_PIECES_SHARED_H

#include <acre/quadtree_query.h>

/// A visit is cut into at most so many pieces.
#define ACRE_QUERY_MOST_PIECES 64

/// A piece of a visit. It has at most inside + tested results. Only the tree uses the other fields.
typedef struct acre_query_piece {
    size_t inside; ///< items of cells that are wholly in the volume
    size_t tested; ///< items of the other cells
    uint32_t portions;
    uint32_t quad_count;
    uint32_t quads[80];
    uint32_t masks[80];
} acre_query_piece;

/// 43 KB.
typedef struct acre_query_pieces {
    uint32_t count;
    size_t inside; ///< of all pieces
    size_t tested; ///< of all pieces
    acre_query_piece pieces[ACRE_QUERY_MOST_PIECES];
} acre_query_pieces;

/// acre_quadtree_query_visit_groups that ends early in a tree with tasks, if what is left is worth
/// dividing: that is 50 us of work for a visitor that takes two nanoseconds an item. Needs 100 KiB
/// of stack with *rest.
/// @param least items of a share of the rest, so that a smaller rest is not left; above 0.
/// @param rest receives the pieces that were not visited; count is 0 if all groups were visited, if
/// the visitor stopped the query, for a tree with a listener and for ACRE_QUERY_UNDIVIDED.
/// @return as acre_quadtree_query_visit_groups; ACRE_ERROR_INVALID_ARGUMENT also for a least of 0
/// and where rest is NULL. On error rest->count is 0.
ACRE_RESULT acre_quadtree_visit_first(const acre_quadtree *tree, const acre_query *query,
                                      size_t least, acre_group_visitor visit, void *user,
                                      acre_query_pieces *rest);

/// Visits the groups of one piece, until the visitor returns false. query->stats receives the work
/// of the piece.
/// @param query the one that was cut: the same volume, layers and flags.
/// @param piece of a query of this tree, which was not edited since.
/// @return as acre_quadtree_query_visit_groups.
ACRE_RESULT acre_quadtree_visit_piece(const acre_quadtree *tree, const acre_query *query,
                                      const acre_query_piece *piece, acre_group_visitor visit,
                                      void *user);

/// acre_quadtree_query_nearest that starts with the hits of another call, for the nearest items of
/// several trees, whose items must have different numbers.
/// @param hits the first *count are hits of earlier calls, nearest first.
/// @param count receives how many hits there are in all, at most capacity; with a capacity of 0 it
/// grows by how many this tree has.
/// @return as acre_quadtree_query_nearest; ACRE_ERROR_INVALID_ARGUMENT also if *count is above
/// a capacity other than 0.
ACRE_RESULT acre_quadtree_add_nearest(const acre_quadtree *tree, const acre_query *query,
                                      acre_query_hit *hits, size_t capacity, size_t *count);

#endif
