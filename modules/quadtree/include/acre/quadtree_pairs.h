// SPDX-License-Identifier: MIT
// quadtree_pairs.h - pairs of items that overlap: in a tree, with one item, or between two trees,
// and which pairs began and ended since the last call.
//
// Experimental: it may change in any minor version.
//
// This is the broad phase of collision detection, and of everything else that depends on which
// things are near each other.
//
// Words used here:
//     pair      two different items whose boxes overlap
//     meet      two layers meet if items of them can be pairs
//     contact   a pair that a tracker follows from call to call
//
// Typical use:
//     acre_contacts_create(NULL, &contacts);
//     acre_quadtree_refresh_all(tree, boxes, count);             // every step
//     acre_contacts_update(contacts, tree, NULL, NULL);
//     acre_contacts_lists lists = acre_contacts_get(contacts);   // now, began, ended
//
// Threading: functions on const trees may run on many threads at a time while no thread edits the
// trees. One thread at a time may use a tracker. In a tree with tasks (acre_quadtree_set_tasks) the
// search for many pairs is divided; pairs and their order stay the same.
#ifndef ACRE_QUADTREE_PAIRS_H
#define ACRE_QUADTREE_PAIRS_H

#include <acre/quadtree.h>

ACRE_EXTERN_C_BEGIN

/// Two items. In one tree a < b. Between two trees a is an item of the first and b of the second.
typedef struct acre_pair {
    uint32_t a;
    uint32_t b;
} acre_pair;

enum {
    ACRE_PAIRS_ON_GROUND = 1u << 0,   ///< ignores y: boxes overlap if they do as seen from above
    ACRE_PAIRS_NOT_TOUCHING = 1u << 1 ///< boxes that share only a face, edge or corner are no pair
};

/// Which boxes are a pair. Zero: those that overlap or touch and share a layer.
typedef struct acre_pairs_rules {
    uint32_t flags; ///< ACRE_PAIRS_...
    /// NULL: each layer meets itself. Otherwise 32 masks: layers i and j meet if meets[i] has bit j
    /// or meets[j] has bit i. Two items can be a pair if some layer of one meets some layer of the
    /// other.
    const uint32_t *meets;
} acre_pairs_rules;

/// Finds all pairs of a tree, each once. The time grows with the number of items and pairs, even if
/// a few items are as large as the world. Only thousands of items stacked on top of each other
/// without overlapping take more.
/// The order of the pairs depends on the tree alone and is the same for all kernels.
/// @param rules NULL: zero.
/// @param total receives how many pairs there are, even if capacity is smaller; may be NULL.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL and for unknown flags; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_quadtree_pairs(const acre_quadtree *tree,
                                                      const acre_pairs_rules *rules,
                                                      acre_pair *pairs, size_t capacity,
                                                      size_t *total);

/// Finds all pairs of an item of the first tree and an item of the second. Their item numbers are
/// independent.
/// @return as acre_quadtree_pairs; ACRE_ERROR_INVALID_ARGUMENT also if both are the same tree.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_quadtree_pairs_between(const acre_quadtree *first,
                                                              const acre_quadtree *second,
                                                              const acre_pairs_rules *rules,
                                                              acre_pair *pairs, size_t capacity,
                                                              size_t *total);

/// Finds the items that make a pair with one item.
/// @return as acre_quadtree_pairs; ACRE_ERROR_NOT_FOUND if the item is not in the tree.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_quadtree_item_pairs(const acre_quadtree *tree, uint32_t item,
                                                           const acre_pairs_rules *rules,
                                                           uint32_t *items, size_t capacity,
                                                           size_t *total);

/// A tracker of the pairs of one tree, or between two. It keeps the memory that the largest number
/// of pairs needed: 40 to 80 bytes a pair.
typedef struct acre_contacts acre_contacts;

/// Makes a tracker without pairs.
/// @param allocator copied; NULL: the C library's heap.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL out; ACRE_ERROR_OUT_OF_MEMORY. On error
/// *out is NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_contacts_create(const acre_allocator *allocator,
                                                       acre_contacts **out);

/// Frees everything. NULL is allowed.
ACRE_EXPERIMENTAL_API void acre_contacts_destroy(acre_contacts *contacts);

/// Finds the pairs and compares them with those of the last update.
/// @param second NULL: finds the pairs of the first tree.
/// @return as acre_quadtree_pairs_between; ACRE_ERROR_OUT_OF_MEMORY. After an error the lists are
/// unchanged.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_contacts_update(acre_contacts *contacts,
                                                       const acre_quadtree *first,
                                                       const acre_quadtree *second,
                                                       const acre_pairs_rules *rules);

/// Lists of pairs, each sorted by a, then b.
typedef struct acre_contacts_lists {
    const acre_pair *now;   ///< pairs found by the last update
    const acre_pair *began; ///< of these, the pairs that the update before did not find
    const acre_pair *ended; ///< pairs that only the update before found
    size_t now_count;
    size_t began_count;
    size_t ended_count;
    size_t bytes; ///< memory that the tracker holds
} acre_contacts_lists;

/// @return the lists of the last update, valid until the next one. For NULL, empty lists.
ACRE_EXPERIMENTAL_API acre_contacts_lists acre_contacts_get(const acre_contacts *contacts);

ACRE_EXTERN_C_END

#endif
