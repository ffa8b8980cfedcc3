// SPDX-License-Identifier: MIT
// scene.h - entities, their hierarchy, transforms and world boxes; changes handed to modules.
//
// Stable, but for what is marked ACRE_EXPERIMENTAL_API, which may change in any minor
// version.
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
// Threading: functions that read the last commit may run from many threads, also while one thread
// records edits; in a scene with tasks several threads may call acre_scene_set_locals at a time.
// Functions that read what is recorded (is_alive, parent, get_..., validate) belong to the
// recording thread. commit, trim, attach, detach and destroy need the scene for themselves. Builds
// with ACRE_CHECK >= 1 detect misuse and answer ACRE_ERROR_BUSY. Every build answers
// ACRE_ERROR_BUSY to an edit from within a commit hook.
#ifndef ACRE_SCENE_H
#define ACRE_SCENE_H

#include <acre/alloc.h>
#include <acre/bounds.h>
#include <acre/debug_draw.h>
#include <acre/kernel.h>
#include <acre/tasks.h>

ACRE_EXTERN_C_BEGIN

typedef struct acre_scene acre_scene;

/// A handle; zero is null. slot = index1 - 1. A stale or foreign handle is refused everywhere.
typedef struct acre_entity {
    uint32_t index1;
    uint16_t scene;
    uint16_t generation;
} acre_entity;

/// local = translation x rotation x scale. Begin with ACRE_TRANSFORM_IDENTITY: in a transform of
/// zeros the rotation is no quaternion, and Acre refuses it.
typedef struct acre_transform {
    float translation[3];
    /// A unit quaternion x y z w; used as given, not normalized; 0 0 0 0 is refused.
    float rotation[4];
    float scale[3]; ///< may be zero or negative
} acre_transform;

/// Not moved, not turned, not scaled: acre_transform at = ACRE_TRANSFORM_IDENTITY;
// clang-format off
#define ACRE_TRANSFORM_IDENTITY {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}
// clang-format on

enum {
    /// The entity and its subtree leave the culler and are not computed: world matrix and box stay
    /// as they were until the entity is shown again or refreshed.
    ACRE_ENTITY_HIDDEN = 1u << 0,
    ACRE_ENTITY_STATIC = 1u << 1,    ///< a promise: it rarely moves
    ACRE_ENTITY_NEVER_CULL = 1u << 2 ///< visible to every query while it is not hidden
};

enum {
    /// Roots have a place in double, and the scene an origin: acre_entity_set_translation. Each
    /// slot takes 24 bytes more.
    ACRE_SCENE_DOUBLES = 1u << 0
};

typedef struct acre_scene_def {
    uint32_t entity_capacity;        ///< hard limit, up to 2^26; 0 = 2^26
    uint16_t scene;                  ///< number in every handle of this scene
    const acre_allocator *allocator; ///< copied; NULL: the C library's heap
    acre_kernel kernel;              ///< refused where it was not built or the processor lacks it
    uint32_t flags;                  ///< ACRE_SCENE_...
} acre_scene_def;

typedef struct acre_entity_def {
    acre_entity parent;          ///< null: a root
    const acre_transform *local; ///< NULL: ACRE_TRANSFORM_IDENTITY
    const acre_aabb *bounds;     ///< local box; NULL: nothing to cull
    uint32_t layers;             ///< 0: all
    uint32_t flags;              ///< ACRE_ENTITY_...
    uint64_t user;               ///< the caller's value
    uint32_t rule;               ///< a number that the scene keeps as it is, for modules: that of
                                 ///< the limits and LODs of the entity; 0: none
} acre_entity_def;

/// @param def NULL: zero, so that all defaults hold.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT; ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_API ACRE_RESULT acre_scene_create(const acre_scene_def *def, acre_scene **out);

/// Detaches every module and frees everything. NULL is allowed.
ACRE_API void acre_scene_destroy(acre_scene *scene);

// Recording edits.
//
// Every edit answers ACRE_OK; ACRE_ERROR_STALE_HANDLE for a stale handle;
// ACRE_ERROR_INVALID_ARGUMENT for NULL and for numbers that are not finite; ACRE_ERROR_BUSY from
// within a commit hook, and where threads are misused. The edits below that can answer more say
// "also". A refused edit changes nothing. Edits see each other at once; readers see them after the
// next commit.

/// Creates an entity. Bounds may be infinite or empty, but not NaN.
/// @param def NULL: zero, so that all defaults hold.
/// @return also ACRE_ERROR_CAPACITY at entity_capacity; ACRE_ERROR_OUT_OF_MEMORY;
/// ACRE_ERROR_INVALID_ARGUMENT for unknown flags, bounds with NaN and a rotation of length zero
/// (begin with ACRE_TRANSFORM_IDENTITY). A stale parent is a stale handle. On error *out is null.
ACRE_API ACRE_RESULT acre_entity_create(acre_scene *scene, const acre_entity_def *def,
                                        acre_entity *out);

/// Creates count entities, in order, as that many calls of acre_entity_create would.
/// @param parent_rows parent_rows[i] < i makes entity i a child of entity parent_rows[i] of this
/// call; UINT32_MAX: of defs[i].parent. NULL: UINT32_MAX for all.
/// @param out receives count handles. A refused row's handle is null, and the rows that name it as
/// their parent are refused with ACRE_ERROR_STALE_HANDLE; all others are created.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for a NULL array; ACRE_ERROR_BUSY; or the first
/// refused row's error, as acre_entity_create.
ACRE_API ACRE_RESULT acre_entity_create_many(acre_scene *scene, const acre_entity_def *defs,
                                             const uint32_t *parent_rows, size_t count,
                                             acre_entity *out);

/// Destroys an entity with its subtree. Its handle is refused from now on; its slot is used again
/// after the next commit at the earliest.
ACRE_API ACRE_RESULT acre_entity_destroy(acre_scene *scene, acre_entity entity);

/// Destroys count entities with their subtrees. An entity may stand in the array together with its
/// descendants, and more than once. Handles that were stale before the call are skipped.
/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE if there were such handles; ACRE_ERROR_INVALID_ARGUMENT
/// for a NULL array; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_entity_destroy_many(acre_scene *scene, const acre_entity *entities,
                                              size_t count);

/// Moves an entity with its subtree under another parent (null: makes it a root). The local
/// transform stays.
/// @return also ACRE_ERROR_INVALID_ARGUMENT if that would close a cycle.
ACRE_API ACRE_RESULT acre_entity_set_parent(acre_scene *scene, acre_entity entity,
                                            acre_entity parent);

/// Gives an entity another local transform.
/// @return also ACRE_ERROR_INVALID_ARGUMENT for a rotation of length zero: begin with
/// ACRE_TRANSFORM_IDENTITY.
ACRE_API ACRE_RESULT acre_entity_set_local(acre_scene *scene, acre_entity entity,
                                           const acre_transform *local);

/// Gives an entity a local matrix in place of its local transform.
/// @param matrix 16 floats, column-major, affine: the last row must be 0 0 0 1.
/// @return also ACRE_ERROR_INVALID_ARGUMENT for another last row; ACRE_ERROR_OUT_OF_MEMORY.
ACRE_API ACRE_RESULT acre_entity_set_local_matrix(acre_scene *scene, acre_entity entity,
                                                  const float *matrix);

/// Gives entities[i] the transform locals[i], in order. Bad rows are refused, the others applied.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for a NULL array; ACRE_ERROR_BUSY; or the first
/// refused row's error, as acre_entity_set_local.
/// Threading: exclusive. In a scene with tasks (acre_scene_set_tasks) many threads may call it at a
/// time with entities of their own; a large call whose slots ascend runs on all workers.
ACRE_API ACRE_RESULT acre_scene_set_locals(acre_scene *scene, const acre_entity *entities,
                                           const acre_transform *locals, size_t count);

/// Gives an entity another local box. Infinite edges are allowed, NaN is not. An empty box stays
/// empty and is never visible. Edges that are smaller than FLT_MIN are stored as +0, so that a
/// scaled box is the same in every float mode.
/// @param local NULL: nothing to cull.
ACRE_API ACRE_RESULT acre_entity_set_bounds(acre_scene *scene, acre_entity entity,
                                            const acre_aabb *local);

/// Gives entities[i] the local box in row i, in order, as acre_entity_set_bounds: a posed box that
/// stays relative to its entity. Bad rows are refused, the others applied. An empty row, or a
/// negative half size, is an empty box.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, an unknown form and a NULL part where
/// there are rows; ACRE_ERROR_BUSY; or the first refused row's error: ACRE_ERROR_STALE_HANDLE,
/// ACRE_ERROR_INVALID_ARGUMENT for NaN.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_scene_set_bounds(acre_scene *scene,
                                                        const acre_entity *entities,
                                                        const acre_box_array *local, size_t count);

/// Gives entities[i] the world box in row i (skinned mesh, own physics). From the next commit on it
/// is the entity's world box, whatever moves, until the entity's bounds are set again, by this or
/// another call. acre_entity_get_bounds answers it meanwhile. The commit lists the entity as moved,
/// but not its descendants, and computes no matrix for it.
/// @return as acre_scene_set_bounds.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_scene_set_world_bounds(acre_scene *scene,
                                                              const acre_entity *entities,
                                                              const acre_box_array *world,
                                                              size_t count);

/// Replaces all flags.
/// @return also ACRE_ERROR_INVALID_ARGUMENT for unknown bits.
ACRE_API ACRE_RESULT acre_entity_set_flags(acre_scene *scene, acre_entity entity, uint32_t flags);

/// Replaces the layers. They need memory once the first entity is not in all of them.
/// @param layers 0: all.
/// @return also ACRE_ERROR_OUT_OF_MEMORY.
ACRE_API ACRE_RESULT acre_entity_set_layers(acre_scene *scene, acre_entity entity, uint32_t layers);

/// Replaces the user value. Values need memory once the first entity has one.
/// @return also ACRE_ERROR_OUT_OF_MEMORY.
ACRE_API ACRE_RESULT acre_entity_set_user(acre_scene *scene, acre_entity entity, uint64_t user);

// Reading what is recorded, as edits see it: also what no commit has applied yet.

/// @return whether the handle names an entity that was not destroyed.
ACRE_API bool acre_entity_is_alive(const acre_scene *scene, acre_entity entity);

/// @return null for a root or a stale handle.
ACRE_API acre_entity acre_entity_parent(const acre_scene *scene, acre_entity entity);

/// With acre_entity_next_sibling: for (c = first_child(e); c.index1 != 0; c = next_sibling(c)).
/// The order of siblings has no meaning.
/// @return null for an entity without children and for a stale handle.
ACRE_API acre_entity acre_entity_first_child(const acre_scene *scene, acre_entity entity);

/// @return null for the last sibling, a root or a stale handle.
ACRE_API acre_entity acre_entity_next_sibling(const acre_scene *scene, acre_entity entity);

/// The transform as it was given.
/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_INVALID_ARGUMENT for NULL, and where a
/// matrix was set: use acre_entity_get_local_matrix.
ACRE_API ACRE_RESULT acre_entity_get_local(const acre_scene *scene, acre_entity entity,
                                           acre_transform *out);

/// The matrix as it was given, or the one that the transform makes.
/// @param matrix receives 16 floats, column-major.
/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_INVALID_ARGUMENT for NULL.
ACRE_API ACRE_RESULT acre_entity_get_local_matrix(const acre_scene *scene, acre_entity entity,
                                                  float *matrix);

/// The local box as it is stored; the world box where acre_scene_set_world_bounds set one.
/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_NOT_FOUND if it has none;
/// ACRE_ERROR_INVALID_ARGUMENT for NULL.
ACRE_API ACRE_RESULT acre_entity_get_bounds(const acre_scene *scene, acre_entity entity,
                                            acre_aabb *out);

/// The entity's own flags: HIDDEN is not inherited here.
/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_INVALID_ARGUMENT for NULL.
ACRE_API ACRE_RESULT acre_entity_get_flags(const acre_scene *scene, acre_entity entity,
                                           uint32_t *out);

/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_INVALID_ARGUMENT for NULL.
ACRE_API ACRE_RESULT acre_entity_get_layers(const acre_scene *scene, acre_entity entity,
                                            uint32_t *out);

/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_INVALID_ARGUMENT for NULL.
ACRE_API ACRE_RESULT acre_entity_get_user(const acre_scene *scene, acre_entity entity,
                                          uint64_t *out);

// Commit.

/// Applies everything recorded: world matrices and boxes of changed subtrees, then each module's
/// commit hook, in the order of attachment. The cost follows the number of changed entities.
/// A world box encloses the local box as the world matrix places it. Its edges are sums of
/// doubles, rounded outward to floats: exact where they are floats, and never farther inside than
/// 2^-51 of the sum of the magnitudes of an edge's four terms. A matrix that overflows gives the
/// infinite box, which is always visible.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_OUT_OF_MEMORY, and the
/// recorded edits stay for the next commit; ACRE_ERROR_BUSY; or the first error of a module.
ACRE_API ACRE_RESULT acre_scene_commit(acre_scene *scene);

/// Makes room, so that frames with no more entities than this allocate nothing in the scene,
/// neither in edits nor in commits. Count those that a frame destroys, too, as their slots come
/// free at its commit, and twice those that it puts under other parents. Not made here: room for
/// local matrices that are no transforms, for edit queues, and for rules before an entity has had
/// one. A scene view is invalid afterward. O(entities).
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_CAPACITY above the scene's
/// entity_capacity; ACRE_ERROR_OUT_OF_MEMORY: what found room keeps it; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_scene_reserve(acre_scene *scene, size_t entities);

/// Gives unused memory back to the allocator. An array that the allocator does not shrink stays as
/// it is. Most memory comes back right after a commit: of a destroyed entity only its slot is left,
/// about 76 bytes, so that stale handles are still refused. An acre_scene_view is invalid
/// afterward.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_scene_trim(acre_scene *scene);

/// What a scene holds now. engine/scene/README.md says where the bytes of an entity are.
typedef struct acre_scene_stats {
    size_t entities;         ///< entities alive, as recorded
    size_t slots;            ///< rows of the view after the next commit
    size_t free_slots;       ///< slots that wait for a new entity
    size_t retired_slots;    ///< slots that had 65,535 entities and get no more
    size_t matrices;         ///< local matrices that are no transforms
    size_t bytes;            ///< all memory of the scene: the sum of the fields below
    size_t bytes_entities;   ///< handles, hierarchy, flags, layers, user values
    size_t bytes_transforms; ///< local transforms, local matrices, local boxes
    size_t bytes_worlds;     ///< world matrices and world boxes
    size_t bytes_changes;    ///< marks of edits and lists of what a commit changed
    size_t bytes_other;      ///< the scene itself and its modules
} acre_scene_stats;

/// Writes zeros for a NULL scene. Belongs to the recording thread.
ACRE_API void acre_scene_get_stats(const acre_scene *scene, acre_scene_stats *out);

// Reading the last commit.

/// @param matrix receives 16 floats, column-major.
/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE if the entity was not in the last commit;
/// ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_entity_world_matrix(const acre_scene *scene, acre_entity entity,
                                              float *matrix);

/// How a gathered matrix lies in memory. Zero is no form: choose one.
typedef enum acre_matrix_form {
    /// 16 floats, column by column, as acre_entity_world_matrix: the translation in 12 13 14, and
    /// 0 0 0 1 in 3 7 11 15.
    ACRE_MATRIX_COLUMNS = 1,
    /// 12 floats: the first three rows, row by row, the translation in 3 7 11. The fourth row is
    /// always 0 0 0 1 and is left out.
    ACRE_MATRIX_ROWS
} acre_matrix_form;

/// @return 16 or 12; 0 for a value that is no form.
static inline size_t acre_matrix_floats(acre_matrix_form form)
{
    return form == ACRE_MATRIX_COLUMNS ? 16 : form == ACRE_MATRIX_ROWS ? 12 : 0;
}

/// Writes the world matrices of many slots, as an instance buffer wants them. The floats are those
/// of acre_entity_world_matrix, bit for bit. Every byte is written once and in rising order, so the
/// array may be mapped memory of a graphics driver. A slot that had no entity in the last commit
/// gets zeros, which draw nothing.
/// @param stride bytes from matrix to matrix, at least the form's size; 0: the form's size.
/// @return ACRE_OK; ACRE_ERROR_NOT_FOUND if a slot had no entity, and the others are written;
/// ACRE_ERROR_INVALID_ARGUMENT for NULL, an unknown form and a stride below the form's size;
/// ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_scene_gather_matrices(const acre_scene *scene,
                                                             const uint32_t *slots, size_t count,
                                                             acre_matrix_form form, float *matrices,
                                                             size_t stride);

/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE if the entity was not in the last commit;
/// ACRE_ERROR_NOT_FOUND if it has no bounds; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_entity_world_bounds(const acre_scene *scene, acre_entity entity,
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

/// @return the rows of the last commit; zeros for NULL and while the scene computes a commit.
ACRE_API acre_scene_view acre_scene_get_view(const acre_scene *scene);

// A world that moves.

/// Moves the world: what stands at p stands at p + offset from the next commit on. All that was
/// recorded so far moves; what comes after, edits in queues that are not yet applied too, is in the
/// new coordinates. Several calls add up. Until the commit every reader of the last commit, such as
/// a query, a world matrix or a view, is in the old coordinates. World boxes that were set move,
/// too, rounded outward. Where offset is exact in floats at the places of all roots, as a power of
/// two at or above the float step in use is, nothing but the places changes. Only roots are
/// rounded, by at most half a float step; acre_scene_shift_report says how many. The commit
/// computes every entity. A hidden entity keeps its world matrix and box until it is shown.
/// O(entities). Needs no memory.
/// @param offset double[3]; each at most 2^100 in size.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL and an offset out of its range, and
/// nothing has changed; ACRE_ERROR_BUSY. Threading: exclusive.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_scene_shift_origin(acre_scene *scene, const double *offset);

/// @return what the shifts of the last commit did: rounded counts roots and world boxes that were
/// set, moved the items that went to other cells of its modules' trees. Exact and zeros if there
/// was none; zeros for NULL.
ACRE_EXPERIMENTAL_API acre_shift_report acre_scene_shift_report(const acre_scene *scene);

// Places in double, in a scene with ACRE_SCENE_DOUBLES.
//
// The scene has an origin, a double[3] that begins at zero, and each root a place, a double[3]. The
// root's float translation is its place relative to the origin, rounded to the nearest floats; that
// is all that a commit, and what comes after it, reads. acre_scene_shift_origin subtracts its
// offset from the origin, leaves the places alone, and makes all translations anew from both: so
// nothing drifts, whatever the offsets. The report calls a root rounded where its floats are not
// exactly where they were plus the offset. World boxes that were set have no place: they move as
// they do without the flag.
//
// All other calls know floats, relative to the origin of their time: acre_entity_create and _many,
// set_local, set_locals, set_local_matrix and edit queues set a root's place to the origin plus
// their translation. Where those are the three floats that the root has already, its place stays:
// a program may read a local transform, turn it and set it again, and the doubles live on. Getters
// of locals, worlds and boxes answer floats. A child has no place: under another parent its local
// transform stays, and without a parent again its place is the origin plus its translation.

/// Gives a root a place in double; rotation and scale, or the rest of its matrix, stay.
/// @param translation double[3]; each at most 2^100 in size.
/// @return also ACRE_ERROR_INVALID_ARGUMENT for a child, a scene without ACRE_SCENE_DOUBLES, NULL
/// and numbers out of their range.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_entity_set_translation(acre_scene *scene, acre_entity entity,
                                                              const double *translation);

/// A root's place as it is recorded, also before a commit. Belongs to the recording thread.
/// @param out receives double[3].
/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_INVALID_ARGUMENT for a child, a scene
/// without ACRE_SCENE_DOUBLES and NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_entity_get_translation(const acre_scene *scene,
                                                              acre_entity entity, double *out);

// Modules.

/// What one commit changed: lists of slots, each in the order of the transforms.
typedef struct acre_scene_changes {
    const uint32_t *destroyed; ///< gone since the commit before; a slot may be in created as well
    const uint32_t *created;   ///< new since the commit before
    const uint32_t *moved;     ///< not created; world matrix and box are new, or the box alone
    size_t destroyed_count;
    size_t created_count;
    size_t moved_count;
    /// Not created; flags (HIDDEN inherited) or layers changed. A slot may be in moved as well.
    const uint32_t *relabeled;
    size_t relabeled_count;
    /// Hidden entities that were edited; their worlds were not computed. Their descendants moved
    /// too, but are listed only if they were not hidden before.
    const uint32_t *moved_hidden;
    size_t moved_hidden_count;
} acre_scene_changes;

/// Gives the scene workers: a commit in which many entities changed then computes and lists them on
/// all workers, parents before their children; a large acre_scene_set_locals whose slots ascend
/// runs on them too, and several threads may call that function at a time. Worlds, boxes and the
/// order of all lists are the same bits as without. Labels (flags, layers, users) and new places of
/// subtrees stay serial.
/// @param tasks copied; NULL: serial again.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, or for tasks without a function;
/// ACRE_ERROR_BUSY.
/// Threading: exclusive.
ACRE_API ACRE_RESULT acre_scene_set_tasks(acre_scene *scene, const acre_tasks *tasks);

/// A module: hooks that the scene calls. A NULL hook is not called. The struct and user belong to
/// the caller and must outlive the attachment.
typedef struct acre_module {
    const char *name;
    uint32_t version;
    /// Called by acre_scene_attach; after an error the module is not attached.
    acre_result (*attach)(void *user, acre_scene *scene);
    /// Called by each commit, with what it changed.
    acre_result (*commit)(void *user, const acre_scene *scene, const acre_scene_changes *changes);
    /// Called by acre_scene_debug_draw.
    void (*debug_draw)(const void *user, const acre_debug_draw *draw);
    size_t (*stats)(const void *user, char *text, size_t size); ///< as snprintf
    /// Called by acre_scene_detach and acre_scene_destroy.
    void (*detach)(void *user, acre_scene *scene);
    void *user;
    /// Called by a commit after acre_scene_shift_origin, before the commit hooks, when worlds and
    /// boxes are new already. The commit hook then sees every shown entity in moved, as each has
    /// moved; a module that moves what it keeps here has little left to do there. It adds to
    /// report->moved.
    acre_result (*shift)(void *user, const acre_scene *scene, const double *offset,
                         acre_shift_report *report);
} acre_module;

/// Attaches a module. It sees the commits from now on.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_EXISTS;
/// ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY; or what the attach hook answers.
ACRE_API ACRE_RESULT acre_scene_attach(acre_scene *scene, const acre_module *module);

/// Detaches a module.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_NOT_FOUND; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_scene_detach(acre_scene *scene, const acre_module *module);

/// Calls every module's debug_draw hook.
ACRE_EXPERIMENTAL_API void acre_scene_debug_draw(const acre_scene *scene,
                                                 const acre_debug_draw *draw);

/// Checks every numbered invariant (scene_internal.h) without tolerance. O(entities).
/// @param message receives the broken rule; may be NULL.
/// @return ACRE_OK; ACRE_ERROR_FORMAT if a rule is broken; ACRE_ERROR_INVALID_ARGUMENT for NULL.
ACRE_API ACRE_RESULT acre_scene_validate(const acre_scene *scene, char *message, size_t size);

ACRE_EXTERN_C_END

#endif
