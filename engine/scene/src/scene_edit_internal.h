// SPDX-License-Identifier: MIT
// scene_edit_internal.h - checks and steps that creating and editing entities share.
#ifndef ACRE_SCENE_EDIT_INTERNAL_H
#define ACRE_SCENE_EDIT_INTERNAL_H

#include "scene_internal.h"

#include "float_bits.h"

static inline bool entity_is_null(acre_entity entity)
{
    return entity.index1 == 0 && entity.scene == 0 && entity.generation == 0;
}

/// @return whether all ten numbers are finite. Two at a time: adding one to an exponent of ones
/// carries into the sign's place.
static inline bool transform_is_finite(const acre_transform *local)
{
    uint64_t carries = 0;
    for (size_t i = 0; i < 5; i++) {
        uint64_t pair;
        memcpy(&pair, (const char *)local + 8 * i, sizeof pair);
        carries |= (pair & 0x7f8000007f800000u) + 0x0080000000800000u;
    }
    return (carries & 0x8000000080000000u) == 0;
}

_Static_assert(sizeof(acre_transform) == 40, "ten floats without a gap");

/// @return whether the quaternion is zero in all four numbers, of either sign.
static inline bool rotation_is_zero(const acre_transform *local)
{
    uint64_t pair[2];
    memcpy(pair, local->rotation, sizeof pair);
    return ((pair[0] | pair[1]) & 0x7fffffff7fffffffu) == 0;
}

static inline bool transform_is_valid(const acre_transform *local)
{
    return transform_is_finite(local) && !rotation_is_zero(local);
}

static inline bool box_has_nan(const acre_aabb *box)
{
    for (int i = 0; i < 3; i++) {
        if (float_is_nan(box->min[i]) || float_is_nan(box->max[i])) {
            return true;
        }
    }
    return false;
}

/// @return whether all of them are finite and the last row is 0 0 0 1.
bool acre_matrix_is_affine(const float *matrix);

/// Records a transform. The row is dirty by that: the caller records it.
void acre_slot_set_transform(acre_scene *scene, uint32_t slot, const acre_transform *local);

/// Records a matrix, 16 floats by column. @return false: no memory, nothing changed.
bool acre_slot_set_matrix(acre_scene *scene, uint32_t slot, const float *matrix);

/// Records a local box. @param local NULL: none.
void acre_row_set_box(acre_scene *scene, uint32_t row, const acre_aabb *local);

/// Records the entity's own flags.
void acre_slot_set_flags(acre_scene *scene, uint32_t slot, uint32_t flags);

/// Records layers (0: all). @return false: no memory, nothing changed.
bool acre_slot_set_layers(acre_scene *scene, uint32_t slot, uint32_t layers);

/// Records a user value. @return false: no memory, nothing changed.
bool acre_slot_set_user(acre_scene *scene, uint32_t slot, uint64_t user);

/// Puts a root under a parent.
void acre_link_child(acre_scene *scene, uint32_t slot, uint32_t parent);

/// Makes a slot a root.
void acre_unlink_child(acre_scene *scene, uint32_t slot);

#endif
