// SPDX-License-Identifier: MIT
// quadtree_shift.c - moves the world: the lattice by whole cells, then every box.
//
// A cell is where the lattice's origin says, and a band where its base says. So when these move
// along with the items, nearly every item is where it belongs, and what is left is a refresh of
// small moves. The origin stays a multiple of a cell (I15) and a base one of a band's height (I4):
// each moves by the nearest whole number of them. Far away, where floats cannot hold that place,
// it goes to the nearest float, which is a multiple too, and the items move the farther.
#include "quadtree_batch.h"

#include "float_bits.h"

// The nearest multiple of a power of two; halves go away from zero, so that the way back is the
// way there.
static double whole_steps(double distance, float step)
{
    return round(distance / (double)step) * (double)step;
}

// What a shift does to the ground, found before anything changes.
typedef struct ground_shift {
    float origin[2]; // of the lattice
    float center[2]; // of the def
} ground_shift;

// False: floats cannot hold the shifted ground.
static bool shift_ground(const acre_quadtree *tree, const double *offset, ground_shift *out)
{
    ground_grid grid;
    cell home;
    for (int axis = 0; axis < 2; axis++) {
        const double by = offset[axis * 2];
        out->origin[axis] =
            (float)((double)tree->grid.origin[axis] + whole_steps(by, tree->grid.cell));
        out->center[axis] = (float)((double)tree->def.center[axis] + by);
    }
    return floats_are_finite(out->origin, 2) &&
           acre_grid_create(&grid, &home, out->center, tree->def.half_size, tree->def.max_depth);
}

// Moves the lattice and the bands, and gives the blocks the new limits of their cells.
static void move_ground(acre_quadtree *tree, const ground_shift *to, double height)
{
    memcpy(tree->grid.origin, to->origin, sizeof to->origin);
    memcpy(tree->def.center, to->center, sizeof to->center);
    for (uint32_t q = 0; q < tree->quad_count; q++) {
        if (!is_live_quad(tree, q)) {
            continue;
        }
        if (is_banded(tree, q)) {
            height_bands *const bands = &tree->cold[q].bands;
            const float base = (float)((double)bands->base + whole_steps(height, bands->height));
            bands->base =
                float_is_finite(base) ? base : 0.0f; // where there is nothing but outliers
        }
        for (uint32_t slot = 0; slot < 4; slot++) {
            acre_write_headers(tree, q * 4 + slot);
        }
    }
}

// Whether every row of an item of the tree is valid.
static bool rows_of_items_are_valid(const acre_quadtree *tree, const acre_aabb *boxes, size_t count)
{
    const size_t limit = count < tree->item_limit ? count : tree->item_limit;
    for (size_t item = 0; item < limit; item++) {
        const float *const low = boxes[item].min, *const high = boxes[item].max;
        if ((low[0] < high[0]) & (low[1] < high[1]) & (low[2] < high[2])) {
            continue;
        }
        const row_box box = rows_of_aabb(&boxes[item]);
        if (has_item(tree, (uint32_t)item) && !acre_rows_are_ordered(&box)) {
            return false;
        }
    }
    return true;
}

// Shifts a tree that is being edited. False: an argument is out of its range, and nothing changed.
static bool shift_tree(acre_quadtree *tree, const double *offset, const acre_aabb *boxes,
                       size_t count, acre_shift_report *report)
{
    const box_source source = source_from_aabbs(boxes);
    const uint64_t moves = tree->work.moves;
    ground_shift ground;
    if (!shift_ground(tree, offset, &ground) || !rows_of_items_are_valid(tree, boxes, count)) {
        return false;
    }
    move_ground(tree, &ground, offset[1]);
    report->rounded = acre_pull_shifted(tree, &source, count, offset);
    report->is_exact = report->rounded == 0;
    report->moved = (size_t)(tree->work.moves - moves);
    if (report->moved > tree->item_count / 2) {
        acre_quadtree_report none = {.first_result = ACRE_OK};
        if (acre_build_tree(tree, NULL, NULL, 0, &none)) {
            acre_renew_lattice(tree, true);
        }
    }
    return true;
}

acre_result acre_quadtree_shift(acre_quadtree *tree, const double *offset, const acre_aabb *boxes,
                                size_t count, acre_shift_report *report)
{
    acre_shift_report unused, *const out = report ? report : &unused;
    *out = (acre_shift_report){.is_exact = false};
    if (!can_shift_by(offset)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    count = boxes ? count : 0;
    acre_result result = start_edit(tree);
    if (result == ACRE_OK) {
        result =
            shift_tree(tree, offset, boxes, count, out) ? ACRE_OK : ACRE_ERROR_INVALID_ARGUMENT;
        NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_SHIFT, .result = result, .count = count,
               .boxes = boxes, .offset = offset);
        end_edit(tree);
    }
    return result;
}
