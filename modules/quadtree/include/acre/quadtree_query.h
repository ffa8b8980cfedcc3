// SPDX-License-Identifier: MIT
// quadtree_query.h - what a quadtree can be asked: all items in a volume, the nearest ones, parts
// of an answer.
//
// A query is described by an acre_query; arrays of the caller receive the answer; the tree is not
// changed. quadtree.h includes this header and says what items and boxes are.
//
// Typical use:
//     acre_query query = {.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &sphere};
//     acre_quadtree_query(tree, &query, items, capacity, &total);           // all of them
//     query.origin = &eye;                                                  // a box of no size
//     acre_quadtree_query_nearest(tree, &query, hits, 8, &count);           // the eight nearest
//
// Threading: every function here may run on one tree from many threads at a time, while nobody
// edits it.
#ifndef ACRE_QUADTREE_QUERY_H
#define ACRE_QUADTREE_QUERY_H

#include <acre/bounds.h>
#include <acre/frustum.h>
#include <acre/shapes.h>

ACRE_EXTERN_C_BEGIN

typedef struct acre_quadtree acre_quadtree;

/// Items that acre_frustum_test_aabb calls visible, each once.
/// @param items may be NULL when capacity is 0.
/// @return how many there are; at most capacity are written, and the room behind the results may
/// be overwritten. A NaN plane is ignored.
ACRE_API size_t acre_quadtree_query_frustum(const acre_quadtree *tree, const acre_frustum *frustum,
                                            uint32_t *items, size_t capacity);

/// Items whose box shares a point with box; touching counts. An invalid box finds nothing.
/// @return how many there are; at most capacity are written.
ACRE_API size_t acre_quadtree_query_aabb(const acre_quadtree *tree, const acre_aabb *box,
                                         uint32_t *items, size_t capacity);

/// What one query did.
typedef struct acre_query_stats {
    size_t nodes_tested;   ///< nodes whose stored bounds were tested
    size_t items_tested;   ///< items whose boxes were tested
    size_t items_accepted; ///< items taken without a test, their node being wholly inside
} acre_query_stats;

/// The volume of a query. An item is found if its box touches the volume: the field of acre_query
/// that holds it, and the function of one box that defines the answer, stand beside each.
typedef enum acre_query_shape {
    ACRE_QUERY_SHAPE_FRUSTUM = 1,  ///< frustum: acre_frustum_test_aabb; any 0 to 16 planes
    ACRE_QUERY_SHAPE_AABB,         ///< box: acre_aabb_overlaps
    ACRE_QUERY_SHAPE_ALL,          ///< every item
    ACRE_QUERY_SHAPE_POINT,        ///< point: acre_aabb_overlaps, with a box of no size
    ACRE_QUERY_SHAPE_GROUND_POINT, ///< point, of which y does not matter
    ACRE_QUERY_SHAPE_SPHERE,       ///< sphere: acre_sphere_test_aabb
    ACRE_QUERY_SHAPE_CIRCLE,       ///< circle: acre_circle_test_aabb
    ACRE_QUERY_SHAPE_CAPSULE,      ///< capsule: acre_capsule_test_aabb
    ACRE_QUERY_SHAPE_CONE,         ///< cone: acre_cone_test_aabb
    ACRE_QUERY_SHAPE_ORIENTED_BOX, ///< oriented_box: acre_oriented_box_test_aabb
    ACRE_QUERY_SHAPE_RAY           ///< ray, segment, swept box: acre_ray_test_aabb
} acre_query_shape;

enum {
    ACRE_QUERY_SORTED = 1u << 0, ///< ascending item numbers; needs all results to fit capacity
    ACRE_QUERY_EXACT = 1u << 1,  ///< frustum, oriented box: drop what separating axes prove outside
    ACRE_QUERY_EXCLUDE_TOUCHING = 1u << 2, ///< exclude drops whatever touches it
    ACRE_QUERY_STOP_WHEN_FULL = 1u << 3    ///< stop where capacity ends, with any results that fill
                                           ///< it; total is capacity then
};

/// The full form of a query. Zero-initialise, then set shape and its volume.
typedef struct acre_query {
    acre_query_shape shape;
    const acre_frustum *frustum;
    const acre_aabb *box;
    uint32_t layers;         ///< items that share a bit with it; 0: all
    uint32_t flags;          ///< ACRE_QUERY_...
    acre_query_stats *stats; ///< NULL: not wanted
    const float *point;      ///< three floats
    const acre_sphere *sphere;
    const acre_circle *circle;
    const acre_capsule *capsule;
    const acre_cone *cone;
    const acre_oriented_box *oriented_box;
    const acre_ray *ray;
    /// Inside the shape but not inside this: items whose box lies wholly in it are dropped
    /// (acre_frustum_contains_aabb), or with ACRE_QUERY_EXCLUDE_TOUCHING all that
    /// acre_frustum_test_aabb calls visible there. NULL: nothing is dropped.
    const acre_frustum *exclude;
    const acre_aabb *origin; ///< of acre_quadtree_query_nearest
    float max_distance;      ///< of acre_quadtree_query_nearest; 0: no limit
} acre_query;

/// Runs a query. *total receives how many results there are, also when capacity is smaller.
/// With ACRE_QUERY_SORTED and more results than capacity, the first capacity found are sorted.
/// @param total may be NULL.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, NaN, an invalid volume, or an unknown
/// shape or flag.
ACRE_API acre_result acre_quadtree_query(const acre_quadtree *tree, const acre_query *query,
                                         uint32_t *items, size_t capacity, size_t *total);

/// Item numbers that follow each other in memory.
typedef struct acre_item_span {
    const uint32_t *items;
    size_t count;
} acre_item_span;

/// What a span query found, also what there was no room for.
typedef struct acre_span_totals {
    size_t items;  ///< that the query found
    size_t copied; ///< of them, those written to the caller's array
    size_t spans;
} acre_span_totals;

/// Runs a query without copying what is wholly inside: the spans, one after the other, are what
/// acre_quadtree_query answers, in the same order. They point into the tree for cells wholly
/// inside, and into the caller's array for items of cells that planes cut; with layers, in a tree
/// where some item's mask was set, all items are copied. A cell wholly inside is one span after
/// acre_quadtree_optimize or a build by acre_quadtree_insert_many, and up to one for each 64 items
/// later; copies between two cells are one span. None is empty. The spans are valid until the next
/// edit of the tree.
///
/// The whole answer is there if totals->spans <= span_capacity and totals->copied <= capacity. Else
/// the first span_capacity spans are there, those of copies as far as there was room for them, or
/// {NULL, 0}; the room in items behind the copies may be overwritten. Flags may have
/// ACRE_QUERY_EXACT, which tests and copies all that some plane may cut, and
/// ACRE_QUERY_EXCLUDE_TOUCHING.
/// @param totals must not be NULL.
/// @return as acre_quadtree_query; ACRE_ERROR_INVALID_ARGUMENT also for other flags.
ACRE_API acre_result acre_quadtree_query_spans(const acre_quadtree *tree, const acre_query *query,
                                               acre_item_span *spans, size_t span_capacity,
                                               uint32_t *items, size_t capacity,
                                               acre_span_totals *totals);

/// Takes some of a query's results; the array is valid during the call. It must not edit the tree.
/// @return whether the query should go on.
typedef bool (*acre_query_visitor)(void *user, const uint32_t *items, size_t count);

/// Runs a query and hands its results over in portions, each once, until the visitor answers false.
/// Needs no array of the caller's. The order is not that of acre_quadtree_query, since portions are
/// handed over early.
/// @return as acre_quadtree_query; ACRE_ERROR_INVALID_ARGUMENT also for ACRE_QUERY_SORTED and
/// ACRE_QUERY_STOP_WHEN_FULL. A query that was stopped is ACRE_OK.
ACRE_API acre_result acre_quadtree_query_visit(const acre_quadtree *tree, const acre_query *query,
                                               acre_query_visitor visit, void *user);

/// Items in a group stand close together.
#define ACRE_GROUP_ITEMS 16

/// A group of items as the tree keeps it, valid during the visitor's call.
typedef struct acre_item_group {
    const uint32_t *items; ///< ACRE_GROUP_ITEMS of them
    const float *edges;    ///< their boxes, six rows of ACRE_GROUP_ITEMS: min x, max x, min y, ..;
                           ///< a zero may be -0
    uint32_t found;        ///< bit i: items[i] is a result; the others mean nothing
} acre_item_group;

/// Takes a group of which some items are results. It must not edit the tree.
/// @return whether the query should go on.
typedef bool (*acre_group_visitor)(void *user, const acre_item_group *group);

/// As acre_quadtree_query_visit, with the boxes of the results where they stand: for tests of the
/// caller's own, many boxes at a time, that would otherwise gather each item's box.
/// @return as acre_quadtree_query_visit.
ACRE_API acre_result acre_quadtree_query_visit_groups(const acre_quadtree *tree,
                                                      const acre_query *query,
                                                      acre_group_visitor visit, void *user);

/// An item and how far away it is.
typedef struct acre_query_hit {
    uint32_t item;
    float distance;
} acre_query_hit;

/// The `capacity` nearest of the items that a query finds, nearest first, of equally distant ones
/// the smaller number first. Distances are measured from query->origin, a box (a point is a box of
/// no size), to the items' boxes as acre_aabb_distance does; of a ray without an origin, along the
/// ray. Items farther than query->max_distance are left out. So k nearest to a point or to a box
/// are a query of ACRE_QUERY_SHAPE_ALL, the nearest in a view one of its frustum, the closest hit
/// of a ray a capacity of 1, all results from near to far a capacity for all of them. Cells are
/// visited near ones first, and those farther than the farthest hit so far are left out.
/// @param count receives how many hits were written; must not be NULL.
/// @return as acre_quadtree_query; ACRE_ERROR_INVALID_ARGUMENT also without an origin, unless the
/// shape is a ray, for a max_distance that is negative, and for ACRE_QUERY_SORTED and
/// ACRE_QUERY_STOP_WHEN_FULL.
ACRE_API acre_result acre_quadtree_query_nearest(const acre_quadtree *tree, const acre_query *query,
                                                 acre_query_hit *hits, size_t capacity,
                                                 size_t *count);

/// As acre_quadtree_query_nearest, where *count hits, nearest first, are there already and take
/// part: the nearest of several trees whose items have different numbers. What is farther than all
/// of them is not looked at.
/// @param count receives how many hits there are then, at most capacity.
/// @return as acre_quadtree_query_nearest; ACRE_ERROR_INVALID_ARGUMENT also for more hits than
/// capacity.
ACRE_API acre_result acre_quadtree_query_add_nearest(const acre_quadtree *tree,
                                                     const acre_query *query, acre_query_hit *hits,
                                                     size_t capacity, size_t *count);

/// Where a query that runs in steps goes on. Zero-initialise; what is inside is the tree's affair.
/// No memory is held: a cursor may be dropped at any time.
typedef struct acre_query_cursor {
    bool is_done; ///< all results were given out
    uint32_t cell_count, state;
    struct {
        uint32_t level;
        int32_t x, z;
    } cells[96]; ///< those that the query has not looked at
} acre_query_cursor;

/// Runs a query in steps: tests about as many nodes as the budget says, at least four, and writes
/// the results found on the way. Call it with the same query until cursor->is_done. Each result is
/// given out once if nobody edits the tree between the steps. The tree may be edited between them:
/// then an item that stays where it is and in the tree all the time is still never missed, but may
/// be given out again; one that moves may be missed.
/// @param total receives how many results this step has. If there are more than capacity, the
/// cursor has not moved: give more room or a smaller budget.
/// @return as acre_quadtree_query; ACRE_ERROR_INVALID_ARGUMENT also for no cursor or total, and for
/// ACRE_QUERY_STOP_WHEN_FULL.
ACRE_API acre_result acre_quadtree_query_step(const acre_quadtree *tree, const acre_query *query,
                                              acre_query_cursor *cursor, size_t budget,
                                              uint32_t *items, size_t capacity, size_t *total);

ACRE_EXTERN_C_END

#endif
