// SPDX-License-Identifier: MIT
// edit_queue.h - edits that many threads record without locks, and one thread applies to a scene.
//
// Experimental: it may change in any minor version.
//
// Each thread has a queue of its own. It records edits there at any time, also while others read
// the scene or record in theirs. Once a frame one thread applies all queues and commits.
//
// Words used here:
//     ticket   names an entity that a queue will create. It has the type of a handle; until the
//              queue is applied, every call on the same queue takes it in place of a handle.
//              Everywhere else, and for ever after, it is ACRE_ERROR_STALE_HANDLE
//
// Typical use:
//     acre_edit_queue_create_entity(queue, &def, &bullet);       // on any thread
//     acre_edit_queue_set_local(queue, bullet, &transform);
//     ...
//     acre_scene_apply_queues(scene, queues, count, &report);    // on one thread
//     acre_entity handle = acre_edit_queue_handle(queue, bullet);
//     acre_scene_commit(scene);
//
// Threading: a queue belongs to one thread at a time. Queues know no scene until they are applied;
// acre_scene_apply_queues is exclusive for the scene and for the queues.
#ifndef ACRE_EDIT_QUEUE_H
#define ACRE_EDIT_QUEUE_H

#include <acre/scene.h>

ACRE_EXTERN_C_BEGIN

typedef struct acre_edit_queue acre_edit_queue;

/// Makes an empty queue.
/// @param allocator copied; NULL: the C library's heap.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL out; ACRE_ERROR_OUT_OF_MEMORY. On error
/// *out is NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_edit_queue_create(const acre_allocator *allocator,
                                                         acre_edit_queue **out);

/// Frees a queue; what it recorded and nobody applied is lost. NULL is allowed.
ACRE_EXPERIMENTAL_API void acre_edit_queue_destroy(acre_edit_queue *queue);

// Recording. Handles and numbers are checked when the queue is applied. Each function answers
// ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_OUT_OF_MEMORY, and then nothing was
// recorded. The edits are those of scene.h.

/// Records a new entity.
/// @param def copied, with its transform and box; its parent may be a ticket of this queue. NULL:
/// zero, so that all defaults hold.
/// @param ticket receives the ticket; null on error.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_edit_queue_create_entity(acre_edit_queue *queue,
                                                                const acre_entity_def *def,
                                                                acre_entity *ticket);

/// Records acre_entity_destroy.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_edit_queue_destroy_entity(acre_edit_queue *queue,
                                                                 acre_entity entity);

/// Records acre_entity_set_local.
/// @param local copied.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_edit_queue_set_local(acre_edit_queue *queue,
                                                            acre_entity entity,
                                                            const acre_transform *local);

/// Records acre_entity_set_parent.
/// @param parent a handle, a ticket of this queue, or null.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_edit_queue_set_parent(acre_edit_queue *queue,
                                                             acre_entity entity,
                                                             acre_entity parent);

/// Records acre_entity_set_bounds.
/// @param local copied; NULL: nothing to cull.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_edit_queue_set_bounds(acre_edit_queue *queue,
                                                             acre_entity entity,
                                                             const acre_aabb *local);

/// Records acre_entity_set_flags.
/// @param flags ACRE_ENTITY_...
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_edit_queue_set_flags(acre_edit_queue *queue,
                                                            acre_entity entity, uint32_t flags);

/// Records acre_entity_set_layers.
/// @param layers 0: all.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_edit_queue_set_layers(acre_edit_queue *queue,
                                                             acre_entity entity, uint32_t layers);

// Applying.

/// The edits that acre_scene_apply_queues applied and refused.
typedef struct acre_edit_report {
    size_t applied;           ///< number of edits that were applied
    size_t refused;           ///< number of edits that were refused
    acre_result first_result; ///< why the first refused edit was refused; ACRE_OK if none was
    size_t first_queue;       ///< position in the array of that edit's queue
    size_t first_edit;        ///< number of that edit in its queue, as recorded, from 0
} acre_edit_report;

/// First creates the entities of all queues, queue by queue; then applies all other edits, queue by
/// queue, each queue in the order in which it was recorded. Empties the queues. Readers see the
/// edits after the next commit. A refused edit changes nothing, and the others are applied. If an
/// entity could not be created, edits of its ticket are refused with ACRE_ERROR_STALE_HANDLE.
/// @param queues each once; none is NULL.
/// @param report receives what was done; may be NULL.
/// @return ACRE_OK; or the error of the first edit that was refused, as in scene.h. If
/// report->applied and report->refused are both 0, ACRE_ERROR_INVALID_ARGUMENT means a NULL and
/// ACRE_ERROR_BUSY means that the scene takes no edits now: the queues are then as they were.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_scene_apply_queues(acre_scene *scene,
                                                          acre_edit_queue *const *queues,
                                                          size_t count, acre_edit_report *report);

/// @return the handle of the entity that a ticket names, from the moment when the queue is applied
/// until it records again; null if the entity was not created, and for what is no ticket of the
/// queue.
ACRE_EXPERIMENTAL_API acre_entity acre_edit_queue_handle(const acre_edit_queue *queue,
                                                         acre_entity ticket);

ACRE_EXTERN_C_END

#endif
