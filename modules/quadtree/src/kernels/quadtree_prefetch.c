// SPDX-License-Identifier: MIT
// quadtree_prefetch.c - what kernels of refreshes fetch ahead, in a call of its own.
#include "quadtree_kernel_refresh.h"

void acre_prefetch_refreshes(const acre_quadtree *tree, const uint32_t *items, size_t row,
                             size_t count, size_t ahead)
{
    ACRE_INVARIANT(ahead > 0 && row < count);
    if (row + ahead < count) {
        prefetch_item(tree, items[row + ahead]);
    }
    if (row + 2 * ahead < count) {
        prefetch_element(tree->locations, items[row + 2 * ahead], sizeof *tree->locations);
    }
}
