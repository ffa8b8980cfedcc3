// SPDX-License-Identifier: MIT
// culling_shift.c - moves the world of a culler: its trees, and the views that others keep.
#include "culling_internal.h"

#include "box_array_internal.h"
#include "visible_set_internal.h"

#include <acre/objects.h>

// Moves both trees. boxes: those of their items from now on, by slot; NULL: each is moved, and
// holds until somebody has a better one. Where a tree cannot be moved, as while somebody visits it,
// none is.
static acre_result shift_trees(acre_culling *culling, const double *offset, const acre_aabb *boxes,
                               size_t count, acre_shift_report *report)
{
    const double back[3] = {-offset[0], -offset[1], -offset[2]};
    for (int i = 0; i < TREE_COUNT; i++) {
        acre_quadtree *const tree = culling->trees[i];
        acre_shift_report own = {.is_exact = false};
        const acre_result result =
            tree ? acre_quadtree_shift(tree, offset, boxes, count, &own) : ACRE_OK;
        if (result != ACRE_OK) {
            while (--i >= 0) {
                ACRE_IGNORE(acre_quadtree_shift(culling->trees[i], back, NULL, 0, NULL));
            }
            *report = (acre_shift_report){.is_exact = false};
            return result;
        }
        report->rounded += own.rounded;
        report->moved += own.moved;
    }
    for (int axis = 0; axis < 2; axis++) { // a static tree may be made later
        float *const center = &culling->tree_def.center[axis];
        *center = (float)((double)*center + offset[2 * axis]);
    }
    return ACRE_OK;
}

acre_result acre_culling_shift_trees(void *user, const acre_scene *scene, const double *offset,
                                     acre_shift_report *report)
{
    acre_culling *const culling = user;
    const acre_result result = culling_begin_edit(culling, true);
    if (result != ACRE_OK) {
        return result;
    }
    // A tree refuses the boxes where one of an item is empty: of an entity that is gone, or has
    // none any more. Then the commit hook gives it the boxes of the others.
    acre_shift_report own = {.is_exact = false};
    const acre_scene_view view = acre_scene_get_view(scene);
    acre_result shifted = shift_trees(culling, offset, view.world_bounds, view.slot_count, &own);
    culling->has_new_boxes = shifted == ACRE_OK;
    if (shifted == ACRE_ERROR_INVALID_ARGUMENT) {
        shifted = shift_trees(culling, offset, NULL, 0, &own);
    }
    culling->is_shifted = shifted == ACRE_OK;
    culling->revision++;
    report->moved += own.moved;
    return culling_end_edit(culling, shifted);
}

// Whether a row can be the box of each object that is in a tree.
static bool rows_are_good(const acre_culling *culling, const acre_box_array *boxes)
{
    for (uint32_t slot = 0; boxes && slot < culling->object_slots; slot++) {
        const bool is_in_tree = slot < culling->slots.capacity &&
                                culling_tree_of(*culling_slot_at(culling, slot)) != TREE_COUNT;
        const acre_aabb row = is_in_tree ? box_array_row(boxes, slot) : acre_aabb_empty();
        if (is_in_tree && !acre_aabb_is_valid(&row)) {
            return false;
        }
    }
    return true;
}

// Moves an occluder in the world. @return whether it is exactly as large as before.
static bool shift_occluder(acre_occluder *occluder, const double *offset)
{
    uint32_t is_rounded = 0;
    for (uint32_t k = 0; k < occluder->point_count; k++) {
        for (int axis = 0; axis < 2; axis++) {
            float *const edge = &occluder->points[k][axis];
            *edge = float_add_down(*edge, offset[2 * axis], &is_rounded);
        }
    }
    occluder->bottom = float_add_up(occluder->bottom, offset[1], &is_rounded);
    occluder->top = float_add_down(occluder->top, offset[1], &is_rounded);
    return !is_rounded;
}

// Moves the occluders of objects, which stand in the world. Those of an object that cannot be moved
// exactly are dropped, as they might hide more than before.
static void shift_occluders(acre_culling *culling, const double *offset)
{
    for (uint32_t slot = 0; slot < culling->slot_occluders.capacity; slot++) {
        bool is_exact = true;
        for (uint32_t next1 = culling->slot_occluders.data[slot]; next1;) {
            culling_occluder *const one = COLUMN_AT(culling->occluders, next1 - 1u);
            is_exact &= shift_occluder(&one->shape, offset) && acre_occluder_is_valid(&one->shape);
            next1 = one->next1;
        }
        if (!is_exact) {
            acre_culling_drop_occluders(culling, slot);
        }
    }
}

static acre_result shift_objects(acre_culling *culling, const double *offset,
                                 const acre_box_array *boxes, acre_shift_report *report)
{
    if (!rows_are_good(culling, boxes)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    acre_result first = shift_trees(culling, offset, NULL, 0, report);
    if (first != ACRE_OK) {
        return first;
    }
    shift_occluders(culling, offset);
    for (int i = 0; i < TREE_COUNT && boxes && first == ACRE_OK; i++) {
        if (culling->trees[i]) {
            first = acre_quadtree_refresh_all_from(culling->trees[i], boxes, culling->object_slots);
            report->rounded = 0; // the host knows
        }
    }
    report->is_exact = first == ACRE_OK && report->rounded == 0;
    culling->revision++;
    return first;
}

acre_result acre_culling_shift(acre_culling *culling, const double *offset,
                               const acre_box_array *boxes, acre_shift_report *report)
{
    acre_shift_report unused, *const out = report ? report : &unused;
    *out = (acre_shift_report){.is_exact = false};
    const bool can = culling && culling->has_host && can_shift_by(offset) &&
                     (!boxes || box_array_is_valid(boxes, culling->object_slots));
    const acre_result result = culling_begin_edit(culling, can);
    if (result != ACRE_OK) {
        return result;
    }
    return culling_end_edit(culling, shift_objects(culling, offset, boxes, out));
}

// Moves the planes of a volume by an offset, and outward (1) or inward (-1) by what may be lost in
// floats: there the test of a box rounds each product, by 2^-24 of it.
static void shift_planes(acre_frustum *volume, const double *offset, double outward)
{
    const uint32_t count = frustum_plane_count(volume);
    for (uint32_t i = 0; i < count; i++) {
        float *const plane = volume->planes[i];
        double at = (double)plane[3], size = fabs(at);
        for (int axis = 0; axis < 3; axis++) {
            at -= (double)plane[axis] * offset[axis];
            size += fabs((double)plane[axis] * offset[axis]);
        }
        at += outward * 0x1p-20 * size;
        plane[3] = outward > 0.0 ? float_round_up(at) : float_round_down(at);
    }
}

void acre_view_shift(acre_view *view, const double *offset)
{
    if (!view || !can_shift_by(offset)) {
        return;
    }
    double depth = (double)view->depth[3];
    shift_planes(&view->frustum, offset, 1.0);
    for (int axis = 0; axis < 3; axis++) {
        depth -= (double)view->depth[axis] * offset[axis];
        view->eye[axis] = (float)((double)view->eye[axis] + offset[axis]);
    }
    view->depth[3] = (float)depth;
}

acre_result acre_visible_set_shift(acre_visible_set *set, const double *offset)
{
    if (!set || !can_shift_by(offset)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (set->has_view) {
        uint32_t is_rounded = 0;
        acre_view_shift(&set->view, offset);
        shift_planes(&set->include, offset, 1.0);
        shift_planes(&set->exclude, offset, -1.0);
        float_shift_box(set->last.sum.box.min, set->last.sum.box.max, offset, &is_rounded);
    }
    return ACRE_OK;
}
