// SPDX-License-Identifier: MIT
// quadtree_items_shared.h - what other modules need of a tree for one item: room before an insert,
// its box, and where it stands; how many items there are; and the limits of an acre_quadtree_def.
//
// Threading: acre_quadtree_reserve_item is an edit, the others read.
#ifndef ACRE_QUADTREE_ITEMS_SHARED_H
#define ACRE_QUADTREE_ITEMS_SHARED_H

#include <acre/quadtree.h>

enum { MOST_TREE_DEPTH = 20, MOST_NODE_CAPACITY = 65536 };

/// Makes room for one more item, so that inserting it next and then setting these layers needs no
/// memory. Nothing else changes, and the listener is not notified.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_CAPACITY for an item >=
/// item_capacity; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY.
ACRE_RESULT acre_quadtree_reserve_item(acre_quadtree *tree, uint32_t item, uint32_t layers);

/// How many items there are, which acre_quadtree_get_stats says with a look at each cell. O(1).
size_t acre_quadtree_item_count(const acre_quadtree *tree);

/// acre_quadtree_get_box where an item that is not there is nothing wrong.
/// @return whether it is there; if not, *out is left alone.
bool acre_quadtree_find_box(const acre_quadtree *tree, uint32_t item, acre_aabb *out);

/// Says where an item stands. The item's box lies in out->bounds, and these lie in the loose
/// bounds. O(1).
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_NOT_FOUND, and *out is left
/// alone; ACRE_ERROR_BUSY.
ACRE_RESULT acre_quadtree_locate(const acre_quadtree *tree, uint32_t item,
                                 acre_quadtree_place *out);

#endif
