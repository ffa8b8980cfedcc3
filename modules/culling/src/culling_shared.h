// SPDX-License-Identifier: MIT
// culling_shared.h - what a module that stands on culling reads of a culler, and nothing else.
//
// Shadows, draw lists, contacts and interest ask a culler where its entities are. They do so
// through a reader: a read that has begun, with pointers into the culler that stay valid until it
// ends.
//
//     culling_reader reader;
//     if (!acre_culling_begin_reading(culling, &reader)) {
//         return ACRE_ERROR_BUSY;
//     }
//     ... culling_box(&reader.table, slot) ...
//     acre_culling_end_reading(&reader);
#ifndef ACRE_CULLING_SHARED_H
#define ACRE_CULLING_SHARED_H

#include <acre/culling.h>
#include <acre/tasks.h>

#include "assert_internal.h"

#include <assert.h>

/// Defined in scene_shared.h.
struct published_slot;

/// In culling_slot.bits.
enum {
    SLOT_REGISTERED = 1u << 0,
    SLOT_PUBLISHED = 1u << 1, ///< the entity was in the last commit that the culler saw
    SLOT_IN_MOVING = 1u << 2,
    SLOT_IN_STATIC = 1u << 3,
    SLOT_IN_NEVER = 1u << 4,
    SLOT_EXCLUDED = 1u << 5 ///< unregistered by the caller: register_all leaves it alone
};

/// The bits of a slot of a host from here on are its ACRE_ENTITY_ flags.
#define SLOT_FLAGS_SHIFT 8
#define SLOT_FLAGS ((uint32_t)(ACRE_ENTITY_HIDDEN | ACRE_ENTITY_STATIC | ACRE_ENTITY_NEVER_CULL))
static_assert((SLOT_FLAGS << SLOT_FLAGS_SHIFT) <= UINT16_MAX &&
                  SLOT_EXCLUDED < 1u << SLOT_FLAGS_SHIFT,
              "flags stand above the bits of a slot");

#define CULLING_TREES ((uint32_t)(SLOT_IN_MOVING | SLOT_IN_STATIC))
#define CULLING_PLACES ((uint32_t)(SLOT_IN_MOVING | SLOT_IN_STATIC | SLOT_IN_NEVER))

/// Positions in acre_culling.trees. SLOT_IN_MOVING << position is the tree's bit.
enum { TREE_MOVING, TREE_STATIC, TREE_COUNT };

typedef struct culling_slot {
    uint16_t generation; ///< of the entity that bits speak of; 0: none yet
    uint16_t bits;       ///< SLOT_...
} culling_slot;

/// The objects that are culled, as arrays by slot. All that culling knows of an object beside its
/// place stands here, so that it need not know who keeps the objects: acre_culling_table fills the
/// table from the scene, or from what the culler keeps of a host's objects. The pointers hold until
/// the next commit, update or edit of the culler.
typedef struct culling_table {
    size_t slot_count;      ///< of the arrays; 0 while the scene is committed
    const acre_aabb *boxes; ///< world boxes; an empty one: there is nothing to cull. NULL: the
                            ///< objects are a host's, and the trees have their boxes
    const uint32_t *flags; ///< ACRE_ENTITY_...; HIDDEN is inherited. NULL: those in the slots' bits
    const uint32_t *layers; ///< masks; NULL: all layers
    const uint64_t *user;   ///< for the keys of draw lists; NULL: there are none
    /// Which entity a slot has, and whether it has bounds. NULL: the slots' own generations.
    const struct published_slot *published;
    uint64_t commit;       ///< number of the commit, or update, that the arrays are of
    uint16_t scene_number; ///< in the handles of the entities
    bool has_host;         ///< the objects are a host's
    size_t known_count;    ///< of slots
    const culling_slot *slots;
    const acre_quadtree *trees[TREE_COUNT];
} culling_table;

culling_table acre_culling_table(const acre_culling *culling);

/// The box of a host's object, from the tree that has it; empty where none has.
acre_aabb acre_culling_kept_box(const culling_table *table, uint32_t slot);

/// The box that a slot has in its tree.
/// @param room for the box of a host's object; that of an entity needs no copy
static inline const acre_aabb *culling_find_box(const culling_table *table, uint32_t slot,
                                                acre_aabb *room)
{
    ACRE_ASSERT(slot < table->slot_count && slot < table->known_count);
    ACRE_INVARIANT(table->has_host == !table->boxes);
    if (!table->boxes) {
        *room = acre_culling_kept_box(table, slot);
        return room;
    }
    return table->boxes + slot;
}

static inline acre_aabb culling_box(const culling_table *table, uint32_t slot)
{
    acre_aabb room;
    return *culling_find_box(table, slot, &room);
}

/// ACRE_ENTITY_...
static inline uint32_t culling_flags(const culling_table *table, uint32_t slot)
{
    ACRE_ASSERT(slot < table->slot_count && (!table->has_host || slot < table->known_count));
    return table->flags ? table->flags[slot]
                        : (uint32_t)table->slots[slot].bits >> SLOT_FLAGS_SHIFT & SLOT_FLAGS;
}

static inline uint32_t culling_layers(const culling_table *table, uint32_t slot)
{
    ACRE_ASSERT(slot < table->slot_count && (!table->has_host || slot < table->known_count));
    return table->layers ? table->layers[slot] : UINT32_MAX;
}

/// The culler's state of a slot: bits, all 0 for a slot that it does not know.
static inline culling_slot culling_slot_of(const culling_table *table, uint32_t slot)
{
    return slot < table->known_count ? table->slots[slot] : (culling_slot){0, 0};
}

/// A read of a culler.
typedef struct culling_reader {
    const acre_culling *culling;
    const acre_scene *scene; ///< NULL once the scene is gone, and over a host's objects
    culling_table table;
    const acre_quadtree *trees[TREE_COUNT]; ///< the static one may be NULL
    uint32_t tree_counts[TREE_COUNT];       ///< items of each
    uint32_t never_count;                   ///< entities of the never-cull set
    uint16_t scene_number;                  ///< in the handles of its entities
    const acre_tasks *tasks;                ///< of the culler
} culling_reader;

/// @return false while somebody edits the culler; the read has not begun then.
bool acre_culling_begin_reading(const acre_culling *culling, culling_reader *out);
void acre_culling_end_reading(const culling_reader *reader);

/// Never-cull slots that share a layer (0: any), ascending: at most capacity are written.
/// Cost: a summary word for 4096 slots, and the members.
/// @param except a slot that is left out; UINT32_MAX: none.
/// @return how many there are.
size_t acre_culling_list_never(const acre_culling *culling, uint32_t layers, uint32_t except,
                               uint32_t *slots, size_t capacity);

/// Whether the handle names an entity of the last commit.
bool acre_culling_is_published(const acre_culling *culling, acre_entity entity);

/// The tree that has the slot. @return TREE_COUNT if none has.
static inline int culling_tree_of(culling_slot own)
{
    return own.bits & SLOT_IN_MOVING   ? TREE_MOVING
           : own.bits & SLOT_IN_STATIC ? TREE_STATIC
                                       : TREE_COUNT;
}

/// The box of an item of a group.
static inline acre_aabb culling_group_box(const acre_item_group *group, uint32_t i)
{
    acre_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        const float *const min = group->edges + 2 * axis * ACRE_GROUP_ITEMS;
        box.min[axis] = min[i];
        box.max[axis] = min[i + ACRE_GROUP_ITEMS];
    }
    return box;
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
