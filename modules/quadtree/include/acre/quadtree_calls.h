// SPDX-License-Identifier: MIT
// quadtree_calls.h - a listener that is notified of every call on a tree, for recorders and proofs.
//
// Experimental: it may change in any minor version.
//
// Calls with a NULL argument, and calls that were answered ACRE_ERROR_BUSY, do not reach the tree,
// so the listener is not notified of them. A tree without a listener pays one comparison a call.
//
// Typical use:
//     acre_quadtree_set_listener(tree, on_call, &log);
//
// Threading: a tree with a listener must be called, for queries too, from one thread at a time.
#ifndef ACRE_QUADTREE_CALLS_H
#define ACRE_QUADTREE_CALLS_H

#include <acre/quadtree_pairs.h>

ACRE_EXTERN_C_BEGIN

/// The functions of quadtree.h and quadtree_pairs.h that edit a tree or search it. Recordings hold
/// these numbers. The listener is not notified of a search for neighbors or of one for pairs
/// between two trees. acre_contacts_update in one tree is reported as PAIRS. A span query
/// and a visit are reported as QUERY, without capacity and items; the total of a stopped visit is
/// SIZE_MAX.
typedef enum acre_quadtree_call_kind {
    ACRE_QUADTREE_CALL_INSERT = 1,
    ACRE_QUADTREE_CALL_REFRESH = 2,
    ACRE_QUADTREE_CALL_REFRESH_MANY = 3,
    ACRE_QUADTREE_CALL_REFRESH_ALL = 4,
    ACRE_QUADTREE_CALL_REMOVE = 5,
    ACRE_QUADTREE_CALL_CLEAR = 6,
    ACRE_QUADTREE_CALL_MAINTAIN = 7,
    ACRE_QUADTREE_CALL_TIGHTEN = 8,
    ACRE_QUADTREE_CALL_RESERVE = 9,
    ACRE_QUADTREE_CALL_TRIM = 10,
    ACRE_QUADTREE_CALL_SET_LAYERS = 11,
    ACRE_QUADTREE_CALL_QUERY_FRUSTUM = 12,
    ACRE_QUADTREE_CALL_QUERY_AABB = 13,
    ACRE_QUADTREE_CALL_QUERY = 14,
    ACRE_QUADTREE_CALL_REFRESH_MANY_FROM = 15,
    ACRE_QUADTREE_CALL_REFRESH_ALL_FROM = 16,
    ACRE_QUADTREE_CALL_INSERT_MANY = 17,
    ACRE_QUADTREE_CALL_REMOVE_MANY = 18,
    ACRE_QUADTREE_CALL_OPTIMIZE = 19,
    ACRE_QUADTREE_CALL_MAINTAIN_BUDGET = 20,
    ACRE_QUADTREE_CALL_INSERT_MANY_FROM = 21,
    ACRE_QUADTREE_CALL_QUERY_NEAREST = 22,
    ACRE_QUADTREE_CALL_PAIRS = 23,
    ACRE_QUADTREE_CALL_ITEM_PAIRS = 24,
    ACRE_QUADTREE_CALL_SET_LAYERS_MANY = 25,
    ACRE_QUADTREE_CALL_INSERT_MANY_IN_LAYERS = 26,
    ACRE_QUADTREE_CALL_SHIFT = 27
} acre_quadtree_call_kind;

/// One call with its arguments and its outcome. A field that the function does not have is zero.
typedef struct acre_quadtree_call {
    acre_quadtree_call_kind kind;
    acre_result result;          ///< ACRE_OK also for functions that return none
    uint32_t item;               ///< insert, refresh, remove, set_layers, item_pairs
    uint32_t layers;             ///< set_layers
    size_t count;                ///< rows of a batch, items of reserve, nodes of maintain_budget
    const uint32_t *items;       ///< count items of a batch; NULL for refresh_all
    const acre_aabb *boxes;      ///< count boxes of a batch; one of insert, refresh, query_aabb
    const acre_box_array *array; ///< count rows of a batch from an array
    const acre_frustum *frustum; ///< query_frustum
    const acre_query *query;     ///< query, query_nearest
    size_t capacity;             ///< queries, pairs
    size_t total;               ///< what queries and pairs found; SIZE_MAX: not searched to the end
    const uint32_t *found;      ///< queries, item_pairs: the found items, at most capacity
    const acre_query_hit *hits; ///< query_nearest: total hits, nearest first
    const acre_pairs_rules *rules; ///< pairs, item_pairs; may be NULL
    const acre_pair *pairs;        ///< pairs: the found pairs, at most capacity
    const uint32_t *row_layers;    ///< count masks of a batch
    const double *offset;          ///< shift: three numbers
} acre_quadtree_call;

/// Called at the end of a call, while the tree is still closed to other edits. The call and what it
/// points to are valid until the listener returns. An edit by the listener answers ACRE_ERROR_BUSY,
/// and changes nothing. It may read the tree; but in builds with ACRE_CHECK >= 1 queries and hashes
/// are busy in the listener of an edit.
typedef void (*acre_quadtree_listener)(void *context, const acre_quadtree_call *call);

/// Sets the listener of a tree; NULL: none. A tree has at most one listener: the new one replaces
/// the one before.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for a NULL tree; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_quadtree_set_listener(acre_quadtree *tree,
                                                             acre_quadtree_listener listener,
                                                             void *context);

/// Writes the def that the tree was made with, with defaults filled in. The allocator is NULL.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_quadtree_get_def(const acre_quadtree *tree,
                                                        acre_quadtree_def *out);

ACRE_EXTERN_C_END

#endif
