// SPDX-License-Identifier: MIT
// scene_doubles.c - places of roots in double, in scenes that were created with them.
//
// A setter of floats does not know of them: a scene without doubles pays nothing there. So a place
// counts as long as the root's floats are what it makes of them, and the floats name the place as
// soon as they are others.
#include "scene_edit_internal.h"

static void read_place(const acre_scene *scene, uint32_t slot, double *out)
{
    const uint32_t row = scene_row(scene, slot);
    const double *const place = COLUMN_AT(scene->places, slot)->at;
    int stride;
    const float *const floats = row_translation(scene, row, row_bits(scene, row), &stride);
    bool counts = true;
    for (int axis = 0; axis < 3; axis++) {
        counts &= (float)(place[axis] - scene->origin[axis]) == floats[axis * stride];
    }
    for (int axis = 0; axis < 3; axis++) {
        const double named = scene->origin[axis] + (double)floats[axis * stride];
        out[axis] = counts ? place[axis] : named;
    }
}

uint32_t acre_double_root_shift(acre_scene *scene, uint32_t slot, const double *origin,
                                const double *offset)
{
    const uint32_t row = scene_row(scene, slot);
    double *const place = COLUMN_AT(scene->places, slot)->at;
    int stride;
    float *const floats = row_translation(scene, row, row_bits(scene, row), &stride);
    uint32_t is_rounded = 0;
    read_place(scene, slot, place);
    for (int axis = 0; axis < 3; axis++) {
        float moved = floats[axis * stride];
        is_rounded |= shift_number(&moved, offset[axis]);
        floats[axis * stride] = (float)(place[axis] - origin[axis]);
        is_rounded |= (uint32_t)(floats[axis * stride] != moved);
    }
    return is_rounded;
}

static bool has_place(const acre_scene *scene, uint32_t slot)
{
    return scene->has_doubles && COLUMN_AT(scene->links, slot)->parent == NONE;
}

acre_result acre_entity_set_translation(acre_scene *scene, acre_entity entity,
                                        const double *translation)
{
    uint32_t slot;
    const acre_result result = scene_begin_edit_of(scene, entity, &slot);
    if (result != ACRE_OK) {
        return result;
    }
    if (!has_place(scene, slot) || !can_shift_by(translation)) {
        return scene_end_edit(scene, ACRE_ERROR_INVALID_ARGUMENT);
    }
    const uint32_t row = scene_row(scene, slot);
    double *const place = COLUMN_AT(scene->places, slot)->at;
    int stride;
    float *const floats = row_translation(scene, row, row_bits(scene, row), &stride);
    for (int axis = 0; axis < 3; axis++) {
        place[axis] = translation[axis];
        floats[axis * stride] = (float)(translation[axis] - scene->origin[axis]);
    }
    row_set_add(&scene->dirty, row);
    return scene_end_edit(scene, ACRE_OK);
}

acre_result acre_entity_get_translation(const acre_scene *scene, acre_entity entity, double *out)
{
    if (!scene || !out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const uint32_t slot = scene_live_slot(scene, entity);
    if (slot == NONE) {
        return ACRE_ERROR_STALE_HANDLE;
    }
    if (!has_place(scene, slot)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    read_place(scene, slot, out);
    return ACRE_OK;
}
