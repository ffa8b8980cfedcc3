// SPDX-License-Identifier: MIT
// scene_shared.h - what a module of Acre reads of a scene beyond acre/scene.h.
//
// A commit hook looks at many slots. So the scene hands out its arrays once, and the hook reads
// them by slot:
//
//     const scene_columns columns = acre_scene_columns(scene);
//     ... columns.published[slot].generation ... columns.view.world_bounds[slot] ...
#ifndef ACRE_SCENE_SHARED_H
#define ACRE_SCENE_SHARED_H

#include <acre/scene.h>

/// The state of a slot in the last commit. Generation 0: the slot was free.
typedef struct published_slot {
    uint32_t row;
    uint16_t generation;
    uint16_t has_bounds;
} published_slot;

/// The arrays of the last commit. They hold until the next commit or trim.
typedef struct scene_columns {
    acre_scene_view view;
    const published_slot *published; ///< by slot
    uint16_t scene;                  ///< number in the handles
} scene_columns;

/// @return zeros for NULL and while the scene computes a commit.
scene_columns acre_scene_columns(const acre_scene *scene);

/// The rules that entities were created with, by slot. Recorded: they hold until the next create.
/// @param rules receives the array. @return its length: entities in later slots have the rule 0.
size_t acre_scene_rules(const acre_scene *scene, const uint32_t **rules);

/// Computes the world matrices and boxes of an entity and its subtree now, from what is recorded,
/// and calls no hook. A module's own refresh is built on it. Exclusive, as commit.
/// @param slots receives up to capacity slots whose world box was computed; may be NULL.
/// @param count receives the number of those slots, even if capacity is smaller; may be NULL.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for a NULL scene; ACRE_ERROR_STALE_HANDLE;
/// ACRE_ERROR_NOT_COMMITTED; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY.
ACRE_RESULT acre_scene_refresh(acre_scene *scene, acre_entity entity, uint32_t *slots,
                               size_t capacity, size_t *count);

/// Sets an entity's world box as acre_scene_set_world_bounds does, and publishes it now if the
/// entity is in the last commit. Calls no hook: the next commit lists the entity. Exclusive, as
/// commit.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_BUSY.
ACRE_RESULT acre_scene_publish_world_bounds(acre_scene *scene, acre_entity entity,
                                            const acre_aabb *world);

#endif
