// SPDX-License-Identifier: MIT
// quadtree_kernel_refresh.h - the kernel for refreshes of many items, and what a refresh fetches
// ahead.
#ifndef ACRE_QUADTREE_KERNEL_REFRESH_H
#define ACRE_QUADTREE_KERNEL_REFRESH_H

#include "quadtree_kernel.h"
#include "quadtree_source.h"

// Refreshes of many items.
typedef struct refresh_kernel {
    // Stores the caller's boxes of a block's items, and the bounds of its groups. Slots behind the
    // last item repeat the first item of the group. A group of which some item might leave the cell
    // is left as it is.
    // next: ids of the following block, whose boxes it prefetches; NULL: none.
    // Returns the set of groups that were left.
    uint32_t (*refresh_block)(block_header *header, const box_source *source, const uint32_t *ids,
                              uint32_t count, const uint32_t *next, block_boxes *boxes);
    // Moves the boxes of a block's items by an offset, rounded outward, and makes the bounds of
    // those groups in which all items stay in the cell. An item that might leave it keeps its box.
    // rounded: counts boxes that were stored and are not exact.
    // Returns a bit for each slot that was left.
    uint64_t (*shift_block)(block_header *header, const double *offset, uint32_t count,
                            block_boxes *boxes, uint32_t *rounded);
    // Stores boxes, starting at row, as long as each one stays in its cell and in the bounds of its
    // group.
    // Returns the first row whose box does not, or count.
    size_t (*refresh_rows)(acre_quadtree *tree, const uint32_t *items, const box_source *source,
                           size_t row, size_t count);
} refresh_kernel;

DECLARE_TREE_KERNELS(refresh)

// Pads the ids of a group of fewer than 16 items to 16. Returns false, and writes nothing, if it
// has 16.
static inline bool pad_group(const uint32_t *ids, uint32_t count, uint32_t *padded)
{
    ACRE_INVARIANT(count > 0);
    for (uint32_t slot = 0; count < GROUP_SLOTS && slot < GROUP_SLOTS; slot++) {
        padded[slot] = ids[slot < count ? slot : 0];
    }
    return count < GROUP_SLOTS;
}

// Whether the tree's boxes exceed the caches near a core.
static inline bool is_large_tree(const acre_quadtree *tree)
{
    return tree->live_blocks >= PREFETCH_BLOCKS;
}

// How many refreshes ahead to prefetch; 0: not worth it.
static inline uint32_t refreshes_ahead(const acre_quadtree *tree)
{
    return tree->live_blocks >= FAR_BLOCKS        ? FAR_ROWS
           : tree->live_blocks >= PREFETCH_BLOCKS ? PREFETCH_ROWS
                                                  : 0;
}

// Prefetches what the refresh of an item needs: its header and a line of each row of boxes.
static inline void prefetch_item(const acre_quadtree *tree, uint32_t item)
{
    if (has_item(tree, item)) {
        const uint32_t block = location_block(tree->locations[item]);
        const item_group *const group = location_group(tree, tree->locations[item]);
        prefetch_line(&tree->headers[block]);
        prefetch_line(&tree->headers[block].node);
        for (int i = 0; i < ROW_COUNT; i++) {
            prefetch_line(group->row[i]);
        }
    }
}

// Before the refresh of a row: prefetches for the row that is so many rows ahead, and where the
// item of one twice as far stands. Not inlined: in small trees, which do not prefetch, a refresh
// would take two instructions more.
void acre_prefetch_refreshes(const acre_quadtree *tree, const uint32_t *items, size_t row,
                             size_t count, size_t ahead);

#endif
