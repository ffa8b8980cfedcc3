// SPDX-License-Identifier: MIT
// edit_queue.h - edits that many threads record without locks, and one thread applies to a scene.
//
// Each thread has a queue of its own. It records edits there at any time, also while others read
// the scene or record in theirs. Once a frame one thread applies all queues and commits.
//
// Words used here:
//     ticket   names an entity that a queue creates, until the queue is applied. It has the type of
//              a handle, and stands wherever a call on the same queue takes an entity.
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

/// @param allocator copied; NULL: the C library's heap.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT; ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_API acre_result acre_edit_queue_create(const acre_allocator *allocator, acre_edit_queue **out);

/// NULL is allowed.
ACRE_API void acre_edit_queue_destroy(acre_edit_queue *queue);

// Recording. What an edit asks for is checked when it is applied. Each function answers ACRE_OK;
// ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_OUT_OF_MEMORY, and then nothing was recorded.

/// Records a new entity.
/// @param def copied, with its transform and box; its parent may be a ticket of this queue. NULL:
/// zero.
/// @param ticket receives the name of the entity in this queue; null on error.
ACRE_API acre_result acre_edit_queue_create_entity(acre_edit_queue *queue,
                                                   const acre_entity_def *def, acre_entity *ticket);

ACRE_API acre_result acre_edit_queue_destroy_entity(acre_edit_queue *queue, acre_entity entity);

/// @param local copied.
ACRE_API acre_result acre_edit_queue_set_local(acre_edit_queue *queue, acre_entity entity,
                                               const acre_transform *local);

/// @param parent a handle, a ticket of this queue, or null.
ACRE_API acre_result acre_edit_queue_set_parent(acre_edit_queue *queue, acre_entity entity,
                                                acre_entity parent);

/// @param local copied; NULL: nothing to cull.
ACRE_API acre_result acre_edit_queue_set_bounds(acre_edit_queue *queue, acre_entity entity,
                                                const acre_aabb *local);

/// @param flags ACRE_ENTITY_...
ACRE_API acre_result acre_edit_queue_set_flags(acre_edit_queue *queue, acre_entity entity,
                                               uint32_t flags);

/// @param layers 0: all
ACRE_API acre_result acre_edit_queue_set_layers(acre_edit_queue *queue, acre_entity entity,
                                                uint32_t layers);

// Applying.

/// What acre_scene_apply_queues did.
typedef struct acre_edit_report {
    size_t applied;           ///< edits
    size_t refused;           ///< edits
    acre_result first_result; ///< why the first refused edit was refused; ACRE_OK if none was
    size_t first_queue;       ///< its queue's position in the array
    size_t first_edit;        ///< its number in the queue, as recorded, from 0
} acre_edit_report;

/// Applies the creates of all queues, queue by queue, then all other edits, queue by queue, each in
/// the order in which they were recorded, and empties the queues. Edits show with the next commit.
/// A refused edit changes nothing, and the others are applied. An edit of a refused create's ticket
/// is refused with ACRE_ERROR_STALE_HANDLE.
/// @param queues each once; none is NULL.
/// @param report may be NULL.
/// @return ACRE_OK; the first refused edit's error. ACRE_ERROR_INVALID_ARGUMENT for NULL and
/// ACRE_ERROR_BUSY also if nothing was applied: report->applied and refused are then 0, and the
/// queues are as they were.
ACRE_API acre_result acre_scene_apply_queues(acre_scene *scene, acre_edit_queue *const *queues,
                                             size_t count, acre_edit_report *report);

/// @return the handle of an entity that the queue created, after the queue was applied and until
/// its next recording; null if it was refused, or for what is no ticket of the queue.
ACRE_API acre_entity acre_edit_queue_handle(const acre_edit_queue *queue, acre_entity ticket);

ACRE_EXTERN_C_END

#endif
