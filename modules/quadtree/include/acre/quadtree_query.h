// SPDX-License-Identifier: MIT
// quadtree_query.h - queries of a quadtree: all items in a volume, or the nearest items.
//
// Stable, but for what is marked ACRE_EXPERIMENTAL_API, which may change in any minor
// version.
//
// An acre_query describes a query. The caller's arrays receive the results. A query never changes
// the tree. quadtree.h includes this header and says what items and boxes are.
//
// Typical use:
//     acre_query query = {.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &sphere};
//     acre_quadtree_query(tree, &query, items, capacity, &total);           // all in the sphere
//     query.origin = &eye;                                                  // a box without size
//     acre_quadtree_query_nearest(tree, &query, hits, 8, &count);           // the eight nearest
//
// Threading: these functions may run on one tree on many threads at a time while no thread edits
// the tree. A query runs on the thread that asks, also in a tree with tasks.
#ifndef ACRE_QUADTREE_QUERY_H
#define ACRE_QUADTREE_QUERY_H

#include <acre/bounds.h>
#include <acre/frustum.h>
#include <acre/shapes.h>

ACRE_EXTERN_C_BEGIN

typedef struct acre_quadtree acre_quadtree;

/// Finds the items that acre_frustum_test_aabb calls visible, each once. A NaN plane is ignored.
/// @param items receives at most `capacity` results; what is behind them may be overwritten. NULL:
/// room for none, whatever the capacity; the call counts. Room for 64 more than the items of the
/// tree is fastest.
/// @return how many items there are; 0 for NULL and for a tree that is being edited, which builds
/// with ACRE_CHECK >= 1 also report. acre_quadtree_query says what is wrong.
ACRE_API size_t acre_quadtree_query_frustum(const acre_quadtree *tree, const acre_frustum *frustum,
                                            uint32_t *items, size_t capacity);

/// Finds the items whose boxes share a point with a box; touching counts. An invalid box finds
/// nothing.
/// @param items as in acre_quadtree_query_frustum.
/// @return as acre_quadtree_query_frustum.
ACRE_API size_t acre_quadtree_query_aabb(const acre_quadtree *tree, const acre_aabb *box,
                                         uint32_t *items, size_t capacity);

/// The work that one query did.
typedef struct acre_query_stats {
    size_t nodes_tested;   ///< nodes whose stored bounds were tested
    size_t items_tested;   ///< items whose boxes were tested
    size_t items_accepted; ///< items found without a test: their node or group is wholly inside,
                           ///< or the query takes whole groups
} acre_query_stats;

/// The volume of a query. An item is found if its box touches the volume. Beside each shape stand
/// the field of acre_query that holds the volume, and the function that decides for one box.
typedef enum acre_query_shape {
    ACRE_QUERY_SHAPE_FRUSTUM = 1,  ///< frustum: acre_frustum_test_aabb; 0 to 16 planes
    ACRE_QUERY_SHAPE_AABB,         ///< box: acre_aabb_overlaps
    ACRE_QUERY_SHAPE_ALL,          ///< every item
    ACRE_QUERY_SHAPE_POINT,        ///< point: acre_aabb_overlaps with a box without size
    ACRE_QUERY_SHAPE_GROUND_POINT, ///< point: the same at any height; its y is ignored
    ACRE_QUERY_SHAPE_SPHERE,       ///< sphere: acre_sphere_test_aabb
    ACRE_QUERY_SHAPE_CIRCLE,       ///< circle: acre_circle_test_aabb
    ACRE_QUERY_SHAPE_CAPSULE,      ///< capsule: acre_capsule_test_aabb
    ACRE_QUERY_SHAPE_CONE,         ///< cone: acre_cone_test_aabb
    ACRE_QUERY_SHAPE_ORIENTED_BOX, ///< oriented_box: acre_oriented_box_test_aabb
    ACRE_QUERY_SHAPE_RAY           ///< ray: acre_ray_test_aabb; also a segment or a swept box
} acre_query_shape;

enum {
    ACRE_QUERY_SORTED = 1u << 0, ///< sorts what is written by item number; give room for all
    ACRE_QUERY_EXACT = 1u << 1, ///< frustum, oriented box: drops what separating axes prove outside
    ACRE_QUERY_EXCLUDE_TOUCHING = 1u << 2, ///< exclude drops everything that touches it
    ACRE_QUERY_STOP_WHEN_FULL = 1u << 3, ///< stops when the array is full, with any results; total
                                         ///< is at most capacity
    /// Box and points only: touching does not count. An item is found if item.min < box.max and
    /// item.max > box.min on every axis; on the ground alone for a ground point.
    ACRE_QUERY_NOT_TOUCHING = 1u << 4,
    /// Visits of groups only: does not test items. All items of a visited group are
    /// results, also those outside the volume; the caller tests them.
    ACRE_QUERY_WHOLE_GROUPS = 1u << 5,
    /// Of a view's query: runs on the calling thread alone, also where the culler has tasks.
    /// Without effect on the functions of this header, which always do; they will refuse it.
    ACRE_QUERY_UNDIVIDED = 1u << 6
};

/// The full form of a query. Zero-initialize it, then set shape and the field of its volume.
typedef struct acre_query {
    acre_query_shape shape;
    const acre_frustum *frustum;
    const acre_aabb *box;
    uint32_t layers;         ///< finds only items that share a bit; 0: all items
    uint32_t flags;          ///< ACRE_QUERY_...
    acre_query_stats *stats; ///< receives the work done; NULL: no statistics
    const float *point;      ///< x, y, z
    const acre_sphere *sphere;
    const acre_circle *circle;
    const acre_capsule *capsule;
    const acre_cone *cone;
    const acre_oriented_box *oriented_box;
    const acre_ray *ray;
    /// Drops items whose boxes lie wholly in this frustum (acre_frustum_contains_aabb). With
    /// ACRE_QUERY_EXCLUDE_TOUCHING drops all items that acre_frustum_test_aabb calls visible in it.
    /// NULL: drops nothing.
    const acre_frustum *exclude;
    const acre_aabb *origin; ///< acre_quadtree_query_nearest measures distances from here
    /// acre_quadtree_query_nearest finds nothing farther; 0: no limit. All other queries refuse
    /// what is not 0: a sphere or a circle asks for what is near.
    float max_distance;
    /// The number + 1 of one item that the query leaves out, such as the item that asks; 0: none.
    /// It need not be in the tree.
    uint32_t except_item1;
} acre_query;

/// Runs a query. With ACRE_QUERY_SORTED and more results than capacity, sorts those that were
/// written; they are not the smallest ones.
/// @param total receives how many results there are, even if capacity is smaller; may be NULL.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, NaN, an invalid volume, an unknown shape
/// or flag, ACRE_QUERY_NOT_TOUCHING with a shape that it is not for, or a max_distance;
/// ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_quadtree_query(const acre_quadtree *tree, const acre_query *query,
                                         uint32_t *items, size_t capacity, size_t *total);

/// Consecutive item numbers in memory.
typedef struct acre_item_span {
    const uint32_t *items;
    size_t count;
} acre_item_span;

/// The totals of a span query, whether there was room for all or not.
typedef struct acre_span_totals {
    size_t items;  ///< items that the query found
    size_t copied; ///< items that were copied to the caller's array
    size_t spans;
} acre_span_totals;

/// Runs a query without copying the items of cells that are wholly inside. The spans, one after the
/// other, hold the results of acre_quadtree_query in the same order. For cells wholly inside they
/// point into the tree. For other cells the items found are copied to the caller's array, and the
/// spans point there. With layers, if a layer mask was ever set in the tree, all items are copied.
///
/// A cell wholly inside is one span after acre_quadtree_optimize or a build by
/// acre_quadtree_insert_many. After edits it is up to one span for each 64 items. A span with the
/// item of except_item1 is split into two around it. Items that are copied with no span of the tree
/// between them are one span. No span is empty. Spans are valid until the next edit of the tree.
///
/// The answer is complete if totals->spans <= span_capacity and totals->copied <= capacity.
/// Otherwise the first span_capacity spans are there; spans of copies hold what had room, or are
/// {NULL, 0}. What is behind the copies in items may be overwritten.
///
/// The flags ACRE_QUERY_EXACT, which copies the items of all cells that are not wholly inside,
/// ACRE_QUERY_EXCLUDE_TOUCHING and ACRE_QUERY_NOT_TOUCHING are allowed.
/// @param totals must not be NULL.
/// @return as acre_quadtree_query; ACRE_ERROR_INVALID_ARGUMENT also for other flags.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_quadtree_query_spans(
    const acre_quadtree *tree, const acre_query *query, acre_item_span *spans, size_t span_capacity,
    uint32_t *items, size_t capacity, acre_span_totals *totals);

/// Receives some results of a query. The array is valid during the call.
/// An edit of the tree answers ACRE_ERROR_BUSY meanwhile.
/// @return true to go on, false to stop the query.
typedef bool (*acre_query_visitor)(void *user, const uint32_t *items, size_t count);

/// Runs a query and passes its results to a visitor in portions, each result once, until the
/// visitor returns false. Needs no array. The order differs from acre_quadtree_query.
/// @return as acre_quadtree_query; ACRE_ERROR_INVALID_ARGUMENT also for ACRE_QUERY_SORTED and
/// ACRE_QUERY_STOP_WHEN_FULL. ACRE_OK also if the visitor stopped the query.
ACRE_API ACRE_RESULT acre_quadtree_query_visit(const acre_quadtree *tree, const acre_query *query,
                                               acre_query_visitor visit, void *user);

/// The number of slots of a group. The items of a group are close together in the world.
#define ACRE_GROUP_ITEMS 16

/// A group as the tree stores it, valid during the visitor's call.
typedef struct acre_item_group {
    const uint32_t *items; ///< ACRE_GROUP_ITEMS item numbers
    const float *edges; ///< boxes in six rows of ACRE_GROUP_ITEMS: min x, max x, min y, max y, ...;
                        ///< a zero may be -0
    uint32_t found;     ///< bit i: items[i] is a result; without it, slot i has no meaning
} acre_item_group;

/// Receives a group of which some items are results. An edit of the tree answers ACRE_ERROR_BUSY
/// meanwhile.
/// @return true to go on, false to stop the query.
typedef bool (*acre_group_visitor)(void *user, const acre_item_group *group);

/// acre_quadtree_query_visit by groups, with the boxes of the items as the tree stores them. A
/// caller that tests many boxes at a time need not gather them one by one.
/// @return as acre_quadtree_query_visit.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_quadtree_query_visit_groups(const acre_quadtree *tree,
                                                                   const acre_query *query,
                                                                   acre_group_visitor visit,
                                                                   void *user);

/// An item and its distance.
typedef struct acre_query_hit {
    uint32_t item;
    float distance;
} acre_query_hit;

/// Finds the `capacity` nearest of the items that a query finds, nearest first. Of items at the
/// same distance the smaller number comes first. Distances are measured from query->origin to the
/// items' boxes, as acre_aabb_distance does; the origin is a box, and a point is a box without
/// size. For a ray without an origin they are measured along the ray.
///
///     the k items nearest to a point or box    ACRE_QUERY_SHAPE_ALL, capacity k
///     the nearest items in a view              ACRE_QUERY_SHAPE_FRUSTUM
///     the first hit of a ray                   ACRE_QUERY_SHAPE_RAY, capacity 1
///     all results, sorted by distance          capacity for all of them
///
/// Visits near cells first and skips cells that are farther than the worst hit so far.
/// @param count receives how many hits were written, or with a capacity of 0 how many there are;
/// must not be NULL.
/// @return as acre_quadtree_query; ACRE_ERROR_INVALID_ARGUMENT also for no origin, unless the shape
/// is a ray, for a negative max_distance, and for ACRE_QUERY_SORTED and ACRE_QUERY_STOP_WHEN_FULL.
ACRE_API ACRE_RESULT acre_quadtree_query_nearest(const acre_quadtree *tree, const acre_query *query,
                                                 acre_query_hit *hits, size_t capacity,
                                                 size_t *count);

/// Receives one hit. An edit of the tree answers ACRE_ERROR_BUSY meanwhile.
/// @return true to go on to the next nearest, false to stop the query.
typedef bool (*acre_hit_visitor)(void *user, const acre_query_hit *hit);

/// Passes the hits of acre_quadtree_query_nearest to a visitor one by one, nearest first, until the
/// visitor returns false: the nearest item for which a condition of yours holds, without a guess of
/// how many it takes. Needs no array.
///
/// Searches for eight hits first, then for four times as many each time, at most 1,024, behind
/// those that were visited. So a visitor that stops after a few pays for the nearest few, and one
/// that goes on to a far item has nearer ones measured once for each 1,024. Needs 16 KiB of stack.
/// @return as acre_quadtree_query_nearest; ACRE_OK also if the visitor stopped the query.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_quadtree_query_visit_nearest(const acre_quadtree *tree,
                                                                    const acre_query *query,
                                                                    acre_hit_visitor visit,
                                                                    void *user);

ACRE_EXTERN_C_END

#endif
