// SPDX-License-Identifier: MIT
// scene_edit_internal.h - checks and steps that creating and editing entities share.
#ifndef ACRE_SCENE_EDIT_INTERNAL_H
#define ACRE_SCENE_EDIT_INTERNAL_H

#include "scene_internal.h"

#include "box_array_internal.h"
#include "float_bits.h"
#include "scene_kernel_transform.h"

static inline bool entity_is_null(acre_entity entity)
{
    return entity.index1 == 0 && entity.scene == 0 && entity.generation == 0;
}

/// The rows of a batch that were refused so far, and why the first one was.
typedef struct refused_rows {
    size_t count, first;
    acre_result result;
} refused_rows;

static inline void count_row(refused_rows *refused, size_t row, acre_result result)
{
    if (result != ACRE_OK && refused->count++ == 0) {
        refused->first = row;
        refused->result = result;
    }
}

/// Records a transform. The row is dirty by that: the caller records it.
void acre_slot_set_transform(acre_scene *scene, uint32_t slot, const acre_transform *local);

/// Records a local box. @param local NULL: none.
void acre_row_set_box(acre_scene *scene, uint32_t row, const acre_aabb *local);

/// The translation of a row: three numbers that lie `*stride` floats apart.
static inline float *row_translation(const acre_scene *scene, uint32_t row, uint32_t bits,
                                     int *stride)
{
    local_row *const local = COLUMN_AT(scene->locals, row);
    *stride = bits & ROW_MATRIX ? 4 : 1;
    return bits & ROW_MATRIX ? &COLUMN_AT(scene->matrices, local->matrix)->m[3]
                             : local->transform.translation;
}

/// Moves a number to the nearest float. @return 1 unless it moves by exactly the offset: a two-sum
/// that loses nothing.
static inline uint32_t shift_number(float *number, double offset)
{
    const double value = (double)*number, sum = value + offset;
    *number = (float)sum;
    return (uint32_t)(((double)*number != sum) | (sum - value != offset) | (sum - offset != value));
}

/// Moves the translation of a root with a place in double to where a new origin has it, which is
/// about the offset away. @return 1 unless it is the offset exactly.
uint32_t acre_double_root_shift(acre_scene *scene, uint32_t slot, const double *origin,
                                const double *offset);

/// Records the entity's own flags.
void acre_slot_set_flags(acre_scene *scene, uint32_t slot, uint32_t flags);

/// Records layers (0: all). @return false: no memory, nothing changed.
bool acre_slot_set_layers(acre_scene *scene, uint32_t slot, uint32_t layers);

/// Records a user value. @return false: no memory, nothing changed.
bool acre_slot_set_user(acre_scene *scene, uint32_t slot, uint64_t user);

/// Records the number of a rule. @return false: no memory, nothing changed.
bool acre_slot_set_rule(acre_scene *scene, uint32_t slot, uint32_t rule);

/// Puts a root under a parent.
void acre_link_child(acre_scene *scene, uint32_t slot, uint32_t parent);

/// Makes a slot a root.
void acre_unlink_child(acre_scene *scene, uint32_t slot);

#endif
