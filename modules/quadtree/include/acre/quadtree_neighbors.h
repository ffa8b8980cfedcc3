// SPDX-License-Identifier: MIT
// quadtree_neighbors.h - the neighbors of many items or points in one call: all within a radius,
// the nearest of them, or only which layers they are in.
//
// Experimental: it may change in any minor version.
//
// One call for all is faster than a query for each: rows that are near each other share their way
// through the tree.
//
// Words used here:
//     row         one item or point whose neighbors are wanted, with a sphere around it
//     neighbor    an item whose box touches the row's sphere
//     distance    from the sphere's center to the nearest point of the neighbor's box
//
// Typical use:
//     acre_neighbors_query query = {.count = unit_count, .radius = 30};   // items 0, 1, ...
//     acre_neighbor_lists lists = {.rows = rows, .items = room, .capacity = 2000000};
//     acre_quadtree_neighbors(tree, &query, &lists);
//     for (size_t i = 0; i < rows[unit].count; i++) {
//         avoid(unit, room[rows[unit].first + i]);
//     }
//
// Threading: may run on one tree on many threads at a time while no thread edits the tree. In a
// tree with tasks (acre_quadtree_set_tasks) a call for many rows is divided; its answer stays the
// same, and each task needs the stack that the call does.
#ifndef ACRE_QUADTREE_NEIGHBORS_H
#define ACRE_QUADTREE_NEIGHBORS_H

#include <acre/quadtree.h>

ACRE_EXTERN_C_BEGIN

enum {
    ACRE_NEIGHBORS_ON_GROUND = 1u << 0 ///< ignores y: circles on the ground instead of spheres
};

/// The largest `nearest` of acre_neighbors_query.
#define ACRE_NEIGHBORS_MOST_NEAREST 1024

/// Whose neighbors are wanted, and which. Zero-initialize it, then set count and, without spheres,
/// radius.
typedef struct acre_neighbors_query {
    size_t count; ///< rows, at most 2^32 - 1
    /// Row i is about items[i], which is not its own neighbor. NULL, and no spheres: row i is about
    /// item i, and rows of absent items are empty.
    const uint32_t *items;
    /// Row i is about this sphere; its radius may be INFINITY. NULL: the sphere's center is the
    /// middle of the item's box. With spheres and items, items[i] is only left out of row i, and
    /// may be absent.
    const acre_sphere *spheres;
    float radius;     ///< of all rows without spheres, 0 to 2^50; INFINITY: no limit
    uint32_t nearest; ///< finds at most so many for each row, the nearest first; 0: all
    uint32_t layers;  ///< finds only items that share a bit; 0: all items
    uint32_t flags;   ///< ACRE_NEIGHBORS_...
    /// Row i finds only items that share a bit with row_layers[i], 0: all items; `layers` has no
    /// effect then. NULL: all rows find the items in `layers`.
    const uint32_t *row_layers;
} acre_neighbors_query;

/// Where the neighbors of a row stand.
typedef struct acre_neighbor_row {
    size_t first;   ///< index of the first one
    uint32_t count; ///< how many there are, whether they had room or not
    uint32_t order; ///< of another row: rows[0].order is the row whose neighbors come first in
                    ///< the array, rows[1].order the next one, and so on; rows that were refused
                    ///< or are about absent items come last
} acre_neighbor_row;

/// The caller's arrays, and what the call found.
typedef struct acre_neighbor_lists {
    acre_neighbor_row *rows;      ///< room for query->count rows; receives all of them
    uint32_t *items;              ///< receives the neighbors; NULL if capacity is 0
    size_t capacity;              ///< room in items
    size_t total;                 ///< receives how many there are, even if capacity is smaller
    acre_quadtree_report refused; ///< receives which rows were refused
    /// Receives beside each neighbor how far it is; room for `capacity` as well. NULL: not wanted.
    float *distances;
} acre_neighbor_lists;

/// Finds the neighbors of many items or points. Row i has the items that acre_quadtree_query finds
/// with ACRE_QUERY_SHAPE_SPHERE (ACRE_QUERY_SHAPE_CIRCLE on the ground) at its place, or, with
/// query->nearest, the first hits of acre_quadtree_query_nearest with this shape and its center as
/// the origin, but for the item that the row is about.
///
/// Neighbors of a row stand side by side, and rows one after the other without gaps. A row has all
/// its neighbors in the array if first + count <= capacity; what the array has of other rows means
/// nothing. The order of rows, and of neighbors in a row, depends on the tree and the query alone
/// and is the same for all kernels. With `nearest`, the smaller number comes first of two neighbors
/// at the same distance.
///
/// A bad row is refused and empty, the others are answered. An item whose box has no middle, since
/// it is endless or farther than 2^50 away, has no neighbors and is not refused.
///
/// The time grows with the number of neighbors. Rows may be given in any order: the call sorts
/// them, in place, into the order of the tree. It allocates nothing and needs 64 KiB of
/// stack, 80 KiB in a tree with tasks.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT, and only lists->total is changed, to 0, for NULL,
/// an invalid radius, an unknown flag, and a `nearest` or count that is too large; ACRE_ERROR_BUSY;
/// or the first refused row's error: ACRE_ERROR_NOT_FOUND for an item that is not in the tree,
/// ACRE_ERROR_INVALID_ARGUMENT for an invalid sphere.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_quadtree_neighbors(const acre_quadtree *tree,
                                                          const acre_neighbors_query *query,
                                                          acre_neighbor_lists *lists);

/// Finds which layers are within reach of many items or points: which teams a unit sees. Row i is
/// as for acre_quadtree_neighbors, and layers[i] receives the layers that its neighbors are in, of
/// those that query->layers or query->row_layers[i] asks for (0: of all 32). Neighbors in a layer
/// that nobody asks for do not count. An item that was never given layers is in all of them.
///
/// A bad row is refused and has 0; the others are answered. The answers are the same for all
/// kernels and any number of workers.
///
/// Ask for no more layers than there are: a row is done as soon as it has all. Rows of all items
/// (query->items and spheres are NULL) are the fastest. Others are sorted, but only 1,024 at a
/// time: 20,000 in random order take two to seven times as long, so asking for all items is faster
/// than listing a third of them. The call allocates nothing and needs 80 KiB of stack.
/// @param layers room for query->count masks.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT, and nothing is written, for NULL, an invalid
/// radius, an unknown flag, a `nearest` that is not 0, and a count that is too large;
/// ACRE_ERROR_BUSY; or a refused row's error: ACRE_ERROR_NOT_FOUND for an item that is not in the
/// tree, ACRE_ERROR_INVALID_ARGUMENT for an invalid sphere.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_quadtree_layers_within(const acre_quadtree *tree,
                                                              const acre_neighbors_query *query,
                                                              uint32_t *layers);

ACRE_EXTERN_C_END

#endif
