// SPDX-License-Identifier: MIT
// scene_shift.c - moves the world of a scene, as programs with a floating origin do.
//
// What is recorded moves at once: roots by their local transforms, and the world boxes that were
// set. What is published moves with the next commit, which computes every row anew from its root.
#include "scene_edit_internal.h"

// Moves the numbers of a place, which lie so many floats apart, to the nearest floats.
static uint32_t shift_place(float *place, int stride, const double *offset)
{
    uint32_t is_rounded = 0;
    for (int axis = 0; axis < 3; axis++) {
        float *const number = &place[axis * stride];
        (void)float_add_down(*number, offset[axis], &is_rounded);
        *number = (float)((double)*number + offset[axis]);
    }
    return is_rounded;
}

static uint32_t shift_row(const acre_scene *scene, uint32_t row, row_head head,
                          const double *offset)
{
    const uint32_t bits = head_bits(head);
    local_row *const local = COLUMN_AT(scene->locals, row);
    uint32_t is_rounded = 0;
    if (!head_has_parent(head)) {
        is_rounded |= bits & ROW_MATRIX
                          ? shift_place(&COLUMN_AT(scene->matrices, local->matrix)->m[3], 4, offset)
                          : shift_place(local->transform.translation, 1, offset);
    }
    if ((bits & ROW_BOX_MASK) == ROW_BOX_WORLD) {
        float_shift_box(local->box.min, local->box.max, offset, &is_rounded);
        floats_flush_denormals(local->box.min, 3);
        floats_flush_denormals(local->box.max, 3);
    }
    return is_rounded;
}

acre_result acre_scene_shift_origin(acre_scene *scene, const double *offset)
{
    const acre_result result =
        can_shift_by(offset) ? scene_begin_edit(scene) : ACRE_ERROR_INVALID_ARGUMENT;
    if (result != ACRE_OK) {
        return result;
    }
    for (uint32_t word = 0; word * 64 < scene->row_count; word++) {
        const uint32_t rest = scene->row_count - word * 64;
        uint64_t rows = 0;
        for (uint32_t i = 0; i < 64 && i < rest; i++) {
            const row_head head = *COLUMN_AT(scene->heads, word * 64 + i);
            if (head_slot(head) != NONE) {
                scene->shift_rounded += shift_row(scene, word * 64 + i, head, offset);
                rows |= (uint64_t)1 << i;
            }
        }
        row_set_add_word(&scene->dirty, word, rows);
    }
    scene->has_shift = true;
    for (int axis = 0; axis < 3; axis++) {
        scene->shift[axis] += offset[axis];
    }
    return scene_end_edit(scene, ACRE_OK);
}

acre_shift_report acre_scene_shift_report(const acre_scene *scene)
{
    return scene ? scene->shift_report : (acre_shift_report){.is_exact = false};
}

acre_result acre_scene_tell_shift(acre_scene *scene)
{
    acre_result first = ACRE_OK;
    scene->shift_report = (acre_shift_report){scene->shift_rounded == 0, scene->shift_rounded, 0};
    if (!scene->has_shift) {
        return ACRE_OK;
    }
    for (size_t i = 0; i < scene->module_count; i++) {
        const acre_module *const module = *COLUMN_AT(scene->modules, i);
        if (module->shift) {
            const acre_result result =
                module->shift(module->user, scene, scene->shift, &scene->shift_report);
            first = first == ACRE_OK ? result : first;
        }
    }
    scene->has_shift = false;
    scene->shift_rounded = 0;
    memset(scene->shift, 0, sizeof scene->shift);
    return first;
}
