// SPDX-License-Identifier: MIT
// filter_kernel.h - a test of boxes beside a query's volume, as of what stands behind something
// else: a kernel that stands before the tree's own.
//
// All that a query finds passes its kernel, so this is the one place where such a test goes in. It
// is asked of siblings when their quad is taken off the stack, of the groups of each block, and of
// the items that have passed all else; of those wholly inside the volume too. Portions have one
// quad, and near boxes come first, so that far ones are asked after everything nearer was kept.
#ifndef FILTER_KERNEL_H
#define FILTER_KERNEL_H

#include "quadtree_walk.h"

// What it has kept may change what it drops from then on.
typedef struct box_filter {
    // The boxes that may hold results, of a set of four.
    uint32_t (*keep_boxes)(void *user, const four_boxes *boxes, uint32_t set);
    // The results, of a set of slots of a group.
    uint32_t (*keep_items)(void *user, const item_group *group, uint32_t set);
    void *user;
} box_filter;

typedef struct filtered_walk {
    query_walk walk; // first: acre_run_query hands it on
    box_filter filter;
    const float *near_to; // boxes near this point come first; NULL: by slot
} filtered_walk;

// Runs a query of any sink through the filter.
void run_filtered(filtered_walk *run, const acre_query *query);

#endif
