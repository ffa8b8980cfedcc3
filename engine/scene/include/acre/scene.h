// SPDX-License-Identifier: MIT
// scene.h - entities, their hierarchy, transforms and world boxes; changes handed to modules.
//
// Knows no module by name. Setters, create and destroy only record; acre_scene_commit, once a
// frame, computes what changed and hands each attached module one batch of changes.
//
// Words used here:
//     slot     an entity's stable index: the row of per-slot arrays, the item number in the culler
//     local    an entity's transform relative to its parent
//     world    parent's world x local; an affine 3x4 matrix
//     commit   the step that makes recorded edits visible to readers
//
// Typical use:
//     acre_entity_create(scene, &(acre_entity_def){.local = &at, .bounds = &box}, &entity);
//     acre_entity_set_local(scene, entity, &moved);
//     acre_scene_commit(scene);
//     acre_entity_world_bounds(scene, entity, &world);
//
// Threading: functions on a const scene read the last commit and may run from many threads, also
// while one thread records edits. Those that see edits (parent, is_alive, validate) belong to the
// recording thread. commit, refresh, trim, attach, detach, destroy need the scene for themselves.
// Builds with ACRE_CHECK >= 1 detect misuse and answer ACRE_ERROR_BUSY; every build answers it to
// edits from within a commit hook.
#ifndef ACRE_SCENE_H
#define ACRE_SCENE_H

#include <acre/alloc.h>
#include <acre/bounds.h>
#include <acre/debug_draw.h>
#include <acre/kernel.h>

ACRE_EXTERN_C_BEGIN

typedef struct acre_scene acre_scene;

/// A handle; zero is null. slot = index1 - 1. A stale or foreign handle is refused everywhere.
typedef struct acre_entity {
    uint32_t index1;
    uint16_t scene;
    uint16_t generation;
} acre_entity;

/// local = translation x rotation x scale.
typedef struct acre_transform {
    float translation[3];
    float rotation[4]; ///< unit quaternion x y z w; it is used as given, not normalised
    float scale[3];    ///< may be zero or negative
} acre_transform;

enum {
    ACRE_ENTITY_HIDDEN = 1u << 0,    ///< it and its subtree leave the culler and are not computed:
                                     ///< world matrix and box stay until shown again or refreshed
    ACRE_ENTITY_STATIC = 1u << 1,    ///< a promise: it rarely moves
    ACRE_ENTITY_NEVER_CULL = 1u << 2 ///< visible to every query while it is not hidden
};

typedef struct acre_scene_def {
    uint32_t entity_capacity;        ///< hard limit, up to 2^26; 0 = 2^26
    uint16_t scene;                  ///< number in every handle of this scene
    const acre_allocator *allocator; ///< copied; NULL: the C library's heap
    acre_kernel kernel;              ///< refused where it was not built or the processor lacks it
} acre_scene_def;

typedef struct acre_entity_def {
    acre_entity parent;          ///< null: a root
    const acre_transform *local; ///< NULL: identity
    const acre_aabb *bounds;     ///< local box; NULL: nothing to cull
    uint32_t layers;             ///< 0: all
    uint32_t flags;              ///< ACRE_ENTITY_...
    uint64_t user;               ///< the caller's value
} acre_entity_def;

/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT; ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_API acre_result acre_scene_create(const acre_scene_def *def, acre_scene **out);

/// Detaches every module and frees everything. NULL is allowed.
ACRE_API void acre_scene_destroy(acre_scene *scene);

// Recording edits. All of them refuse stale handles with ACRE_ERROR_STALE_HANDLE and non-finite
// numbers with ACRE_ERROR_INVALID_ARGUMENT, and change nothing then. Readers see the effect after
// the next commit; edits see each other at once.

/// @return ACRE_OK; ACRE_ERROR_CAPACITY; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_INVALID_ARGUMENT
/// (bounds may be infinite or empty, not NaN); ACRE_ERROR_STALE_HANDLE for a stale parent.
/// On error *out is null.
ACRE_API acre_result acre_entity_create(acre_scene *scene, const acre_entity_def *def,
                                        acre_entity *out);

/// Destroys an entity with its subtree. Its handle is refused from now on; its slot is used again
/// after the next commit at the earliest.
ACRE_API acre_result acre_entity_destroy(acre_scene *scene, acre_entity entity);

/// Moves an entity with its subtree under another parent (null: makes it a root); its local
/// transform is kept. @return also ACRE_ERROR_INVALID_ARGUMENT if that would close a cycle.
ACRE_API acre_result acre_entity_set_parent(acre_scene *scene, acre_entity entity,
                                            acre_entity parent);

ACRE_API acre_result acre_entity_set_local(acre_scene *scene, acre_entity entity,
                                           const acre_transform *local);

/// @param matrix 16 floats, column-major, affine: the last row must be 0 0 0 1.
ACRE_API acre_result acre_entity_set_local_matrix(acre_scene *scene, acre_entity entity,
                                                  const float *matrix);

/// locals[i] for entities[i], in order. Bad rows are refused, the others applied.
/// @return ACRE_OK, or the first refused row's error.
ACRE_API acre_result acre_scene_set_locals(acre_scene *scene, const acre_entity *entities,
                                           const acre_transform *locals, size_t count);

/// @param local NULL: nothing to cull. An empty box stays empty and is never visible.
ACRE_API acre_result acre_entity_set_bounds(acre_scene *scene, acre_entity entity,
                                            const acre_aabb *local);

/// Replaces all flags. @return also ACRE_ERROR_INVALID_ARGUMENT for unknown bits.
ACRE_API acre_result acre_entity_set_flags(acre_scene *scene, acre_entity entity, uint32_t flags);

/// @param layers 0: all.
ACRE_API acre_result acre_entity_set_layers(acre_scene *scene, acre_entity entity, uint32_t layers);

ACRE_API acre_result acre_entity_set_user(acre_scene *scene, acre_entity entity, uint64_t user);

/// The state as edits see it. @return null for a root or a stale handle.
ACRE_API acre_entity acre_entity_parent(const acre_scene *scene, acre_entity entity);

/// @return whether the handle names an entity that was not destroyed.
ACRE_API bool acre_entity_is_alive(const acre_scene *scene, acre_entity entity);

/// Applies everything recorded: world matrices and boxes of dirty subtrees, then each module's
/// commit hook, in the order of attachment. Cost follows the number of changed entities. A world
/// box contains the local box under the world matrix (rounded outwards, exact where that is
/// possible); a matrix that overflows gives the infinite box, which is always visible.
/// @return ACRE_OK; ACRE_ERROR_OUT_OF_MEMORY, and the recorded edits stay for the next commit;
/// ACRE_ERROR_BUSY; or the first error of a module.
ACRE_API acre_result acre_scene_commit(acre_scene *scene);

/// Gives memory that is not used back to the allocator; what the allocator refuses to shrink stays.
/// Most comes back right after a commit: of a destroyed entity only its slot is left, 92 bytes that
/// keep stale handles refused. Ends views.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_scene_trim(acre_scene *scene);

// Reading the last commit.

/// @param matrix receives 16 floats, column-major.
/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE if the entity was not in the last commit.
ACRE_API acre_result acre_entity_world_matrix(const acre_scene *scene, acre_entity entity,
                                              float *matrix);

/// How a gathered matrix lies in memory. Zero is no form: it must be chosen.
typedef enum acre_matrix_form {
    ACRE_MATRIX_COLUMNS = 1, ///< 16 floats, as acre_entity_world_matrix: column by column,
                             ///< translation in 12 13 14, 0 0 0 1 in 3 7 11 15
    ACRE_MATRIX_ROWS         ///< 12 floats: the first three rows, row by row, translation in
                             ///< 3 7 11; the fourth row is always 0 0 0 1 and is left out
} acre_matrix_form;

/// @return 16 or 12; 0 for a value that is no form.
static inline size_t acre_matrix_floats(acre_matrix_form form)
{
    return form == ACRE_MATRIX_COLUMNS ? 16 : form == ACRE_MATRIX_ROWS ? 12 : 0;
}

/// World matrices of many slots, as an instance buffer wants them: the floats are those of
/// acre_entity_world_matrix, bit for bit. Every byte is written once and in rising order, so that
/// the array may be mapped memory of a graphics driver. A slot that had no entity in the last
/// commit gets zeros, which draw nothing.
/// @param stride bytes from matrix to matrix, at least the form's size; 0: one behind the other.
/// @return ACRE_OK; ACRE_ERROR_NOT_FOUND if there were such slots, the others are filled all the
/// same; ACRE_ERROR_INVALID_ARGUMENT; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_scene_gather_matrices(const acre_scene *scene, const uint32_t *slots,
                                                size_t count, acre_matrix_form form,
                                                float *matrices, size_t stride);

/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_NOT_FOUND if it has no bounds.
ACRE_API acre_result acre_entity_world_bounds(const acre_scene *scene, acre_entity entity,
                                              acre_aabb *out);

/// @return the handle of the entity in a slot; null if the slot is free.
ACRE_API acre_entity acre_scene_entity(const acre_scene *scene, uint32_t slot);

/// One row per slot, valid until the next commit or trim.
typedef struct acre_scene_view {
    uint32_t slot_count;           ///< rows; free slots included
    uint32_t entity_count;         ///< entities in the last commit
    const acre_aabb *world_bounds; ///< empty where there are none
    const uint32_t *flags;         ///< ACRE_ENTITY_..., HIDDEN inherited from the ancestors
    const uint32_t *layers;
    const uint64_t *user;
    uint64_t commit; ///< how many commits there were
} acre_scene_view;

ACRE_API acre_scene_view acre_scene_get_view(const acre_scene *scene);

// Modules.

/// What one commit changed, as slots; each list is in ascending order of the transforms.
/// destroyed: were in the last commit and are gone (their slots may stand in created as well).
/// created: new. moved: not new, and world matrix and box were computed anew. relabelled: not new,
/// and flags (HIDDEN inherited) or layers changed; such an entity may stand in moved as well.
typedef struct acre_scene_changes {
    const uint32_t *destroyed, *created, *moved;
    size_t destroyed_count, created_count, moved_count;
    const uint32_t *relabelled;
    size_t relabelled_count;
} acre_scene_changes;

/// A module: hooks that the scene calls. NULL hooks are not called. The struct and user stay the
/// caller's and must outlive the attachment.
typedef struct acre_module {
    const char *name;
    uint32_t version;
    acre_result (*attach)(void *user, acre_scene *scene);
    acre_result (*commit)(void *user, const acre_scene *scene, const acre_scene_changes *changes);
    void (*debug_draw)(const void *user, const acre_debug_draw *draw);
    size_t (*stats)(const void *user, char *text, size_t size); ///< as snprintf
    void (*detach)(void *user, acre_scene *scene);
    void *user;
} acre_module;

/// @return ACRE_OK; ACRE_ERROR_EXISTS; ACRE_ERROR_OUT_OF_MEMORY; or what the attach hook answers.
ACRE_API acre_result acre_scene_attach(acre_scene *scene, const acre_module *module);
/// @return ACRE_OK; ACRE_ERROR_NOT_FOUND.
ACRE_API acre_result acre_scene_detach(acre_scene *scene, const acre_module *module);

/// Calls every module's debug_draw hook.
ACRE_API void acre_scene_debug_draw(const acre_scene *scene, const acre_debug_draw *draw);

/// Recomputes now, from recorded edits, the world matrices and boxes of an entity and its subtree,
/// without the modules' hooks: what a module's own refresh stands on. Exclusive, as commit.
/// @param slots receives up to capacity slots whose world box is new; may be NULL.
/// @return ACRE_OK and the number of slots in *count; ACRE_ERROR_STALE_HANDLE;
/// ACRE_ERROR_NOT_COMMITTED.
ACRE_API acre_result acre_scene_refresh(acre_scene *scene, acre_entity entity, uint32_t *slots,
                                        size_t capacity, size_t *count);

/// Checks every numbered invariant (scene_internal.h) without tolerance. O(entities).
/// @param message receives the broken rule; may be NULL.
/// @return ACRE_OK, or ACRE_ERROR_FORMAT if a rule is broken.
ACRE_API acre_result acre_scene_validate(const acre_scene *scene, char *message, size_t size);

ACRE_EXTERN_C_END

#endif
