// SPDX-License-Identifier: MIT
// quadtree_kernel_refresh_part.h - refreshes of many items: the loop over the groups of a block.
//
// Must be defined before, by the set's header: refresh_rows of refresh_kernel, and
//     refresh_group(limits, source, ids, group, bounds)
//         stores the caller's boxes of a group's 16 items, and their bounds, BLOCK_GROUPS floats
//         apart. Returns false, and stores nothing, if some item might leave the cell.
#ifndef ACRE_QUADTREE_KERNEL_REFRESH_PART_H
#define ACRE_QUADTREE_KERNEL_REFRESH_PART_H

#ifndef LANES
#error "quadtree_kernel_refresh_SET.c, which CMake makes, include this behind quadtree_kernel_SET.h"
#endif

#include "quadtree_kernel_refresh.h"

static uint32_t refresh_block(block_header *header, const box_source *source, const uint32_t *ids,
                              uint32_t count, const uint32_t *next, block_boxes *boxes)
{
    // Hoisted: stores of boxes do not change them, which the compiler cannot know.
    const box_source from = *source;
    const cell_limits limits = header->limits;
    uint32_t left = 0;
    ACRE_INVARIANT(header->node != NONE && count > 0 && count <= BLOCK_SLOTS);
    for (uint32_t group = 0; group * GROUP_SLOTS < count; group++) {
        const uint32_t *const own = ids + group * GROUP_SLOTS;
        uint32_t padded[GROUP_SLOTS];
        if (next) {
            prefetch_rows(&from, next + group * GROUP_SLOTS);
            for (int i = 0; i < ROW_COUNT; i++) {
                prefetch_line(boxes[1].groups[group].row[i]);
            }
        }
        const bool is_part = pad_group(own, count - group * GROUP_SLOTS, padded);
        left |= (uint32_t)!refresh_group(&limits, &from, is_part ? padded : own,
                                         &boxes->groups[group], &header->bounds.row[0][group])
                << group;
    }
    return left;
}

#define REFRESH_KERNEL(set)                                                                        \
    const refresh_kernel acre_refresh_kernel_##set = {.refresh_block = refresh_block,              \
                                                      .refresh_rows = refresh_rows}

#endif
