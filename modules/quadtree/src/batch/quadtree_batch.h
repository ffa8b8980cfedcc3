// SPDX-License-Identifier: MIT
// quadtree_batch.h - what edits of many items, builds and upkeep share: rows that are refused, the
// report, and builds.
#ifndef ACRE_QUADTREE_BATCH_H
#define ACRE_QUADTREE_BATCH_H

#include "quadtree_source.h"
#include "quadtree_tree.h"

#include "box_array_internal.h"

// The box of the first refused row; any box if none was refused.
static inline acre_aabb refused_box(const box_source *source, const acre_quadtree_report *report)
{
    if (report->refused == 0) {
        return acre_aabb_empty();
    }
    const row_box box = source_rows(source, report->first_row);
    return aabb_of_rows(&box);
}

// Whether an item can be inserted, and if not, why. is_valid: its box is valid.
static inline acre_result check_new_item(const acre_quadtree *tree, uint32_t item, bool is_valid)
{
    return !is_valid                         ? ACRE_ERROR_INVALID_ARGUMENT
           : item >= tree->def.item_capacity ? ACRE_ERROR_CAPACITY
           : has_item(tree, item)            ? ACRE_ERROR_EXISTS
                                             : ACRE_OK;
}

// Counts a refused row. The report names the smallest one, whatever the order of the calls.
static inline void refuse_row(acre_quadtree_report *report, size_t row, acre_result result)
{
    ACRE_INVARIANT(result != ACRE_OK);
    if (report->refused++ == 0 || row < report->first_row) {
        report->first_row = row;
        report->first_result = result;
    }
}

// Keeps a batch's report and notifies the listener of the call.
static inline void report_batch(acre_quadtree *tree, const acre_quadtree_report *report,
                                acre_quadtree_call *call)
{
    ACRE_INVARIANT((report->refused == 0) == (report->first_result == ACRE_OK));
    tree->report = *report;
    if (tree->listener) {
        call->result = report->first_result;
        acre_call_listener(tree, call);
    }
}

// The least items of a worker's share: some 40 us of a refresh.
enum { SHARE_ITEMS = 16384 };

// quadtree_batch.c: makes the bounds and layers of all nodes from their groups, in shares if they
// are many.
void acre_all_bounds_from_groups(acre_quadtree *tree);

// quadtree_batch.c: gives each item its new box: those below count the source's row, the others
// their own one moved by the offset and rounded outward. Every row of an item of the tree is valid.
// @return how many boxes were rounded.
size_t acre_pull_shifted(acre_quadtree *tree, const box_source *source, size_t count,
                         const double *offset);

// quadtree_build.c: builds the tree anew from its items and the rows of a batch. A batch without a
// good row changes nothing. False: there is not enough memory, and nothing has changed.
bool acre_build_tree(acre_quadtree *tree, const uint32_t *items, const box_source *source,
                     size_t count, acre_quadtree_report *report);

// quadtree_build.c: builds the tree anew from its items on another lattice. False: there is not
// enough memory, and nothing has changed.
bool acre_build_on_lattice(acre_quadtree *tree, const ground_lattice *to);

// quadtree_lattice.c: another lattice for items that this one cannot hold, or holds too coarsely.
void acre_renew_lattice(acre_quadtree *tree, bool at_once);

// quadtree_lattice.c: finer cells, where a build has found that most items share a few of them.
void acre_fit_lattice(acre_quadtree *tree);

#endif
