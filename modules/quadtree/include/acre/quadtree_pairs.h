// SPDX-License-Identifier: MIT
// quadtree_pairs.h - who overlaps whom: all pairs of a tree, of one item, or between two trees, and
// what began and ended since the last time.
//
// The broad phase of a collision detection, or of anything else that asks who is near whom.
//
// Words used here:
//     pair      two different items whose boxes overlap
//     meet      layers decide whether two items can be a pair at all
//     contact   a pair that a tracker follows from call to call
//
// Typical use:
//     acre_contacts_create(NULL, &contacts);
//     acre_quadtree_refresh_all(tree, boxes, count);             // every step
//     acre_contacts_update(contacts, tree, NULL, NULL);
//     acre_contacts_lists lists = acre_contacts_get(contacts);   // now, began, ended
//
// Threading: functions on const trees may run from many threads at a time, while nobody edits the
// trees; a tracker belongs to one thread at a time.
#ifndef ACRE_QUADTREE_PAIRS_H
#define ACRE_QUADTREE_PAIRS_H

#include <acre/quadtree.h>

ACRE_EXTERN_C_BEGIN

/// Two items. Of pairs in one tree a < b; between two trees a is of the first, b of the second.
typedef struct acre_pair {
    uint32_t a, b;
} acre_pair;

enum {
    ACRE_PAIRS_ON_GROUND = 1u << 0,   ///< boxes overlap if they do seen from above; y is ignored
    ACRE_PAIRS_NOT_TOUCHING = 1u << 1 ///< boxes that share a face, edge or corner alone are no pair
};

/// What counts as a pair. Zero: boxes in space, touching counts, items that share a layer meet.
typedef struct acre_pairs_rules {
    uint32_t flags; ///< ACRE_PAIRS_...
    /// NULL: items meet if their layers share a bit. Else 32 masks: layer i meets the layers in
    /// meets[i]; two items meet if some layer of one meets some layer of the other. It should be
    /// symmetric: where meets[i] has bit j, or meets[j] bit i, they meet.
    const uint32_t *meets;
} acre_pairs_rules;

/// All pairs of a tree, each once. In time that grows with the items and the pairs, also where a
/// few items are as large as the world; only items that lie on top of each other without
/// overlapping, in towers of thousands, cost more.
/// The order follows from the tree and is the same for all kernels.
/// @param rules NULL: zero.
/// @param total receives how many pairs there are, also when capacity is smaller; may be NULL.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_quadtree_pairs(const acre_quadtree *tree, const acre_pairs_rules *rules,
                                         acre_pair *pairs, size_t capacity, size_t *total);

/// All pairs of an item of the first tree and one of the second, which may not be the same tree.
/// Item numbers of the two are independent.
/// @return as acre_quadtree_pairs.
ACRE_API acre_result acre_quadtree_pairs_between(const acre_quadtree *first,
                                                 const acre_quadtree *second,
                                                 const acre_pairs_rules *rules, acre_pair *pairs,
                                                 size_t capacity, size_t *total);

/// The items that make a pair with one item, without itself.
/// @return as acre_quadtree_pairs; ACRE_ERROR_NOT_FOUND.
ACRE_API acre_result acre_quadtree_item_pairs(const acre_quadtree *tree, uint32_t item,
                                              const acre_pairs_rules *rules, uint32_t *items,
                                              size_t capacity, size_t *total);

/// Follows the pairs of a tree, or between two, from call to call. Its memory grows to what the
/// most pairs needed, 40 bytes a pair and at most twice that, and then stays.
typedef struct acre_contacts acre_contacts;

/// @param allocator NULL: the C library's heap.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT; ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_API acre_result acre_contacts_create(const acre_allocator *allocator, acre_contacts **out);

/// Frees everything. NULL is allowed.
ACRE_API void acre_contacts_destroy(acre_contacts *contacts);

/// Finds the pairs now and compares them with those of the last update.
/// @param second NULL: pairs of the first tree.
/// @return as acre_quadtree_pairs; ACRE_ERROR_OUT_OF_MEMORY. On error the lists are as before.
ACRE_API acre_result acre_contacts_update(acre_contacts *contacts, const acre_quadtree *first,
                                          const acre_quadtree *second,
                                          const acre_pairs_rules *rules);

/// Lists of pairs, each sorted by a, then b.
typedef struct acre_contacts_lists {
    const acre_pair *now, *began, *ended;
    size_t now_count, began_count, ended_count;
    size_t bytes; ///< that the tracker holds
} acre_contacts_lists;

/// What the last update found; valid until the next one. Of NULL: nothing.
ACRE_API acre_contacts_lists acre_contacts_get(const acre_contacts *contacts);

ACRE_EXTERN_C_END

#endif
