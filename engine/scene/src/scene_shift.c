// SPDX-License-Identifier: MIT
// scene_shift.c - moves the world of a scene, as programs with a floating origin do.
//
// What is recorded moves at once: roots by their local transforms, and the world boxes that were
// set. What is published moves with the next commit, which computes every row anew from its root.
#include "scene_edit_internal.h"

#ifdef ACRE_HAS_LANES_FOUR
#include "lanes_four.h"
#else
#include "lanes_one.h"
#endif

// A shift: how far, and where a scene with doubles has its origin from then on.
typedef struct world_shift {
    double offset[3], origin[3];
    float numbers[4];   // the offset; the fourth number changes nothing
    bool needs_doubles; // the scene has them, or the offset is of no floats
} world_shift;

// Moves a translation by an offset of floats, to the floats that shift_number finds, too: a double
// has room for twice a float and two bits. @return 1 unless it moves by exactly the offset.
static inline uint32_t shift_by_floats(acre_transform *local, const world_shift *shift)
{
    const float next = local->rotation[0]; // four lanes reach one number too far
    float *const place = local->translation;
    uint32_t is_rounded = 0;
    for (int axis = 0; axis < 3; axis += LANES) {
        const floats by = floats_load(&shift->numbers[axis]), old = floats_load(&place[axis]);
        const floats sum = floats_add(old, by);
        const floats used = floats_sub(sum, old), left = floats_sub(sum, by);
        const choice low = choice_or(floats_less(used, by), floats_less(left, old));
        const choice high = choice_or(floats_less(by, used), floats_less(old, left));
        is_rounded |= choice_bits(choice_or(low, high));
        floats_store(&place[axis], sum);
    }
    local->rotation[0] = next;
    return (is_rounded & 7u) != 0;
}

// A row that is no plain root. @return 1 if it was rounded.
static uint32_t shift_unusual(acre_scene *scene, uint32_t row, row_head head,
                              const world_shift *shift)
{
    const uint32_t bits = head_bits(head);
    uint32_t is_rounded = 0;
    if (!head_has_parent(head) && scene->has_doubles) {
        is_rounded = acre_double_root_shift(scene, head_slot(head), shift->origin, shift->offset);
    } else if (!head_has_parent(head)) {
        int stride;
        float *const place = row_translation(scene, row, bits, &stride);
        for (int axis = 0; axis < 3; axis++) {
            is_rounded |= shift_number(&place[axis * stride], shift->offset[axis]);
        }
    }
    if ((bits & ROW_BOX_MASK) == ROW_BOX_WORLD) {
        acre_aabb *const box = &COLUMN_AT(scene->locals, row)->box;
        float_shift_box(box->min, box->max, shift->offset, &is_rounded);
        floats_flush_denormals(box->min, 3);
        floats_flush_denormals(box->max, 3);
    }
    return is_rounded;
}

// Moves 64 rows. @return those that are rows of entities.
static uint64_t shift_word(acre_scene *scene, uint32_t word, const world_shift *shift)
{
    const uint32_t first = word * 64, rest = scene->row_count - first;
    uint64_t rows = 0;
    for (uint32_t i = 0; i < 64 && i < rest; i++) {
        const row_head head = *COLUMN_AT(scene->heads, first + i);
        if (head_slot(head) == NONE) {
            continue;
        }
        rows |= (uint64_t)1 << i;
        if (shift->needs_doubles || head_has_parent(head) ||
            (head_bits(head) & (ROW_MATRIX | ROW_BOX_WORLD))) {
            scene->shift_rounded += shift_unusual(scene, first + i, head, shift);
            continue;
        }
        acre_transform *const local = &COLUMN_AT(scene->locals, first + i)->transform;
        scene->shift_rounded += shift_by_floats(local, shift);
    }
    return rows;
}

acre_result acre_scene_shift_origin(acre_scene *scene, const double *offset)
{
    const acre_result result =
        can_shift_by(offset) ? scene_begin_edit(scene) : ACRE_ERROR_INVALID_ARGUMENT;
    if (result != ACRE_OK) {
        return result;
    }
    world_shift shift = {.numbers = {0, 0, 0, -0.0f}, .needs_doubles = scene->has_doubles};
    for (int axis = 0; axis < 3; axis++) {
        shift.offset[axis] = offset[axis];
        shift.numbers[axis] = (float)offset[axis];
        shift.needs_doubles |= (double)shift.numbers[axis] != offset[axis];
        shift.origin[axis] = scene->origin[axis] - offset[axis];
        scene->shift[axis] += offset[axis];
    }
    for (uint32_t word = 0; word * 64 < scene->row_count; word++) {
        row_set_add_word(&scene->dirty, word, shift_word(scene, word, &shift));
    }
    memcpy(scene->origin, shift.origin, sizeof shift.origin);
    scene->has_shift = true;
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
