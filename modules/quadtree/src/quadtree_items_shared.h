// SPDX-License-Identifier: MIT
// quadtree_items_shared.h - what a culler needs of its trees for one item: room before an insert,
// and where the item stands.
//
// Threading: acre_quadtree_reserve_item is an edit, acre_quadtree_locate reads.
#ifndef ACRE_QUADTREE_ITEMS_SHARED_H
#define ACRE_QUADTREE_ITEMS_SHARED_H

#include <acre/quadtree.h>

/// Makes room for one more item, so that inserting it next and then setting these layers needs no
/// memory. Nothing else changes, and the listener is not notified.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_CAPACITY for an item >=
/// item_capacity; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY.
ACRE_RESULT acre_quadtree_reserve_item(acre_quadtree *tree, uint32_t item, uint32_t layers);

/// Says where an item stands. The item's box lies in out->bounds, and these lie in the loose
/// bounds. O(1).
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_NOT_FOUND, and *out is left
/// alone; ACRE_ERROR_BUSY.
ACRE_RESULT acre_quadtree_locate(const acre_quadtree *tree, uint32_t item,
                                 acre_quadtree_place *out);

#endif
