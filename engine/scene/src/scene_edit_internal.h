// SPDX-License-Identifier: MIT
// scene_edit_internal.h - steps that creating and editing entities share. All of them succeed.
#ifndef ACRE_SCENE_EDIT_INTERNAL_H
#define ACRE_SCENE_EDIT_INTERNAL_H

#include "scene_internal.h"

#include "float_bits.h"

#define KNOWN_FLAGS ((uint32_t)(ACRE_ENTITY_HIDDEN | ACRE_ENTITY_STATIC | ACRE_ENTITY_NEVER_CULL))

static inline bool entity_equals(acre_entity a, acre_entity b)
{
    return a.index1 == b.index1 && a.scene == b.scene && a.generation == b.generation;
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

static inline bool box_has_nan(const acre_aabb *box)
{
    for (int i = 0; i < 3; i++) {
        if (float_is_nan(box->min[i]) || float_is_nan(box->max[i])) {
            return true;
        }
    }
    return false;
}

/// Records a transform; the row is dirty by that, which the caller records.
static inline void local_row_set(local_row *stored, const acre_transform *local)
{
    stored->transform = *local;
    stored->mark = LOCAL_IS_TRANSFORM;
}

/// Records a local box. @param local NULL: none.
void acre_row_set_box(acre_scene *scene, uint32_t row, const acre_aabb *local);

/// Records user, layers (0: all) and the entity's own flags.
void acre_slot_set_labels(acre_scene *scene, uint32_t slot, const slot_labels *labels);

/// Puts a slot without parent under one. @param parent NONE: it stays a root.
void acre_link_child(acre_scene *scene, uint32_t slot, uint32_t parent);

/// Makes a slot a root.
void acre_unlink_child(acre_scene *scene, uint32_t slot);

#endif
