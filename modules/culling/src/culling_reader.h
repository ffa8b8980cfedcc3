// SPDX-License-Identifier: MIT
// culling_reader.h - what a module that stands on culling reads of a culler, and nothing else.
//
// Shadows, draw lists and contacts ask a culler where its entities are. They do so through a
// reader: a read that has begun, with pointers into the culler that stay valid until it ends.
//
//     culling_reader reader;
//     if (!acre_culling_begin_reading(culling, &reader)) {
//         return ACRE_ERROR_BUSY;
//     }
//     ... culling_reader_box(&reader, slot) ...
//     acre_culling_end_reading(&reader);
#ifndef ACRE_CULLING_READER_H
#define ACRE_CULLING_READER_H

#include <acre/culling.h>
#include <acre/tasks.h>

#include "assert_internal.h"

/// In culling_slot.bits.
enum {
    SLOT_REGISTERED = 1u << 0,
    SLOT_PUBLISHED = 1u << 1, ///< the entity was in the last commit that the culler saw
    SLOT_IN_MOVING = 1u << 2,
    SLOT_IN_STATIC = 1u << 3,
    SLOT_IN_NEVER = 1u << 4,
    SLOT_OWN_BOX = 1u << 5,  ///< the caller's box holds, not the scene's
    SLOT_EXCLUDED = 1u << 6, ///< unregistered by the caller: register_all leaves it alone
    SLOT_MARKED = 1u << 7    ///< within commit
};

#define CULLING_TREES ((uint32_t)(SLOT_IN_MOVING | SLOT_IN_STATIC))
#define CULLING_PLACES ((uint32_t)(SLOT_IN_MOVING | SLOT_IN_STATIC | SLOT_IN_NEVER))

/// Positions in acre_culling.trees. SLOT_IN_MOVING << position is the tree's bit.
enum { TREE_MOVING, TREE_STATIC, TREE_COUNT };

typedef struct culling_slot {
    uint16_t generation; ///< of the entity that bits speak of; 0: none yet
    uint16_t bits;       ///< SLOT_...
} culling_slot;

/// A read of a culler.
typedef struct culling_reader {
    const acre_culling *culling;
    const acre_scene *scene_object;         ///< NULL once the scene is gone
    acre_scene_view scene;                  ///< empty while the scene is committed
    const acre_quadtree *trees[TREE_COUNT]; ///< the static one may be NULL
    uint32_t tree_counts[TREE_COUNT];       ///< items of each
    uint32_t never_count;                   ///< entities of the never-cull set
    uint16_t scene_number;                  ///< in the handles of its entities
    size_t slot_count;                      ///< length of slots
    const culling_slot *slots;
    const acre_aabb *own_boxes;    ///< by slot; NULL: no caller gave a box
    const uint64_t *never;         ///< the never-cull set: a bit a slot
    const uint64_t *never_summary; ///< a bit for each word of never that is not zero
    size_t never_blocks;           ///< length of never_summary
    const acre_tasks *tasks;       ///< of the culler
} culling_reader;

/// @return false while somebody edits the culler; the read has not begun then.
bool acre_culling_begin_reading(const acre_culling *culling, culling_reader *out);
void acre_culling_end_reading(const culling_reader *reader);

/// Visits the entities of the never-cull set that are in some of the layers, ascending.
/// Cost: a summary word for 4096 slots, and the members.
/// @param visit false: no more
void acre_culling_visit_never(const culling_reader *reader, uint32_t layers,
                              bool (*visit)(void *user, uint32_t slot), void *user);

/// Whether the handle names an entity of the last commit.
bool acre_culling_is_published(const acre_culling *culling, acre_entity entity);

/// The box that a slot has in its tree: the caller's where it gave one, else the world box.
static inline const acre_aabb *culling_reader_box(const culling_reader *reader, uint32_t slot)
{
    ACRE_ASSERT(slot < reader->slot_count && slot < reader->scene.slot_count);
    return reader->slots[slot].bits & SLOT_OWN_BOX ? reader->own_boxes + slot
                                                   : &reader->scene.world_bounds[slot];
}

/// What the culler knows of a slot; all bits are 0 where it knows nothing.
static inline culling_slot culling_reader_slot(const culling_reader *reader, uint32_t slot)
{
    return slot < reader->slot_count ? reader->slots[slot] : (culling_slot){0, 0};
}

/// The tree that has the slot. @return TREE_COUNT if none has.
static inline int culling_tree_of(culling_slot own)
{
    return own.bits & SLOT_IN_MOVING   ? TREE_MOVING
           : own.bits & SLOT_IN_STATIC ? TREE_STATIC
                                       : TREE_COUNT;
}

/// The mask that a query of a tree takes: every item is in some layer, so that all layers are asked
/// for with 0, which costs nothing.
static inline uint32_t culling_asked_layers(uint32_t layers)
{
    return layers == UINT32_MAX ? 0 : layers;
}

/// Room that is left in an array behind what is there.
static inline size_t culling_room(size_t count, size_t capacity)
{
    return count < capacity ? capacity - count : 0;
}

#endif
