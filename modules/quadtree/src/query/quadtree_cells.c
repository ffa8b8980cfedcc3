// SPDX-License-Identifier: MIT
// quadtree_cells.c - the cells that a box meets.
#include "quadtree_tree.h"

#include <acre/quadtree_inspect.h>

// What is asked of each cell.
typedef struct cell_search {
    const acre_quadtree *tree;
    acre_cell_bounds bounds;
    row_box box;
    int32_t first[2], last[2]; // the finest cells that own the box's corners, along x and z
} cell_search;

static bool overlap_on(const row_box *a, const row_box *b, int low)
{
    return a->row[low] <= b->row[low + 1] && b->row[low] <= a->row[low + 1];
}

// Whether a square holds one of the finest cells from the first to the last.
static bool meets_square(const cell_search *search, const cell *square)
{
    ACRE_INVARIANT(square->level <= MAX_LEVEL);
    const int32_t size = (int32_t)(1u << square->level);
    return search->first[0] < square->x + size && search->last[0] >= square->x &&
           search->first[1] < square->z + size && search->last[1] >= square->z;
}

// What a cell does not meet, no cell below it meets: bounds of each kind lie in those of the
// parent.
static bool meets_cell(const cell_search *search, uint32_t node)
{
    const acre_quadtree *const tree = search->tree;
    const cell square = node_cell(tree, node);
    if (search->bounds == ACRE_CELL_BOUNDS_STRICT) {
        return meets_square(search, &square);
    }
    if (search->bounds == ACRE_CELL_BOUNDS_LOOSE) {
        const row_box loose = acre_grid_loose_bounds(&tree->grid, &square);
        return overlap_on(&loose, &search->box, ROW_X_MIN) &&
               overlap_on(&loose, &search->box, ROW_Z_MIN);
    }
    const row_box stored = node_bounds(tree, node);
    return rows_are_valid(&stored) && overlap_on(&stored, &search->box, ROW_X_MIN) &&
           overlap_on(&stored, &search->box, ROW_Y_MIN) &&
           overlap_on(&stored, &search->box, ROW_Z_MIN);
}

static void visit_cells(const cell_search *search, acre_cell_visitor visit, void *user)
{
    const acre_quadtree *const tree = search->tree;
    bool goes_on = true;
    for (uint32_t node = ROOT_NODE; node != NONE && goes_on;) {
        if (!meets_cell(search, node)) {
            node = node_behind(tree, node);
            continue;
        }
        const acre_quadtree_place place = acre_place_of_node(tree, node);
        goes_on = visit(user, &place);
        node = next_preorder(tree, node);
    }
}

acre_result acre_quadtree_visit_cells(const acre_quadtree *tree, const acre_aabb *box,
                                      acre_cell_bounds bounds, acre_cell_visitor visit, void *user)
{
    if (!tree || !visit || !box || !acre_aabb_is_valid(box) ||
        (uint32_t)bounds > ACRE_CELL_BOUNDS_STORED) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    cell_search search = {.tree = tree, .bounds = bounds};
    (void)rows_from_aabb(&search.box, box);
    for (int axis = 0; axis < 2; axis++) {
        search.first[axis] = grid_index(&tree->grid, axis, box->min[axis * 2]);
        search.last[axis] = grid_index(&tree->grid, axis, box->max[axis * 2]);
    }
    tree_callback callback;
    begin_callback(&callback, tree);
    visit_cells(&search, visit, user);
    end_callback(&callback);
    access_end_read(&tree->access);
    return ACRE_OK;
}
