// SPDX-License-Identifier: MIT
// scene_internal.h - the scene's memory: what is recorded, what is published, and the invariants.
//
// Two halves. The recorded half is written by setters, create and destroy, and read by commit. The
// published half is written by commit and refresh alone, so readers of the last commit run beside
// one thread that records: no array of one half is ever resized by the other's writers.
//
// Two numberings. A slot is an entity's stable index. A row is its place in the order of
// transforms, in which parents stand before children; rows of new entities are appended, a subtree
// that moves under a later parent is appended anew by the next commit, and the holes that remain
// are closed when they are the larger part. Only commit changes rows of existing entities.
//
//     slot --slots[slot].row--> row --row_slot[row]--> slot
//
// Invariants, as acre_scene_validate names them:
//      1 every array has room for what is counted in it
//      2 a live slot and its row name each other; a row without a live or dying slot is a hole
//      3 links: a child stands in its parent's list once, both directions agree, no cycle
//      4 row_parent is the parent's row; it is smaller than the row, or the row is in misplaced
//      5 ROW_HAS_CHILDREN, ROW_OWN_HIDDEN and the box kind say what links, labels and box say
//      6 slots = live + dying + free + retired; the free list holds exactly the free ones
//      7 a row that is in no set and not new: published row, generation, flags, layers and user are
//        those recorded, HIDDEN inherited from the parent
//      8 if no set is used, worlds and boxes of entities that are not hidden are those computed
//        from scratch, bit for bit
//      9 a slot that is not published has an empty box and zero flags, layers, user
//     10 a set's word that is not zero has its summary bit; no bit stands beyond row_count, and no
//        summary bit over words that are not there
#ifndef ACRE_SCENE_INTERNAL_H
#define ACRE_SCENE_INTERNAL_H

#include <acre/scene.h>

#include "access_internal.h"
#include "scene_bits_internal.h"

#define MAX_ENTITIES (UINT32_C(1) << 26)
#define LAST_GENERATION UINT16_MAX

enum { SLOT_FREE = 0, SLOT_LIVE, SLOT_DYING, SLOT_RETIRED };

/// Recorded, by slot.
typedef struct slot_record {
    uint32_t row;        ///< while live or dying
    uint16_t generation; ///< of the living entity, or of the next one
    uint16_t state;      ///< SLOT_...
} slot_record;

/// Recorded, by slot. All are slots or NONE.
typedef struct slot_links {
    uint32_t parent, first_child, next, previous; ///< next and previous: siblings
    uint32_t scratch; ///< free slot: next free one. Live: next on refresh's path
} slot_links;

/// Recorded, by slot.
typedef struct slot_labels {
    uint64_t user;
    uint32_t layers;
    uint32_t flags; ///< the entity's own
} slot_labels;

/// In local_row.mark: the row is a transform. The bits are a NaN, which no matrix holds.
#define LOCAL_IS_TRANSFORM UINT32_MAX

/// Recorded, by row.
typedef union local_row {
    float matrix[12]; ///< three rows of four
    struct {
        acre_transform transform; // 40 bytes
        uint32_t unused;
        uint32_t mark; ///< LOCAL_IS_TRANSFORM
    };
} local_row;

_Static_assert(sizeof(local_row) == 48, "a local transform is three rows of four floats");

/// Recorded, by row; ROW_HIDDEN and ROW_CREATED change in commit.
enum {
    ROW_HAS_CHILDREN = 1u << 0,
    ROW_OWN_HIDDEN = 1u << 1,
    ROW_HIDDEN = 1u << 2,  ///< itself or an ancestor, as of the last commit
    ROW_CREATED = 1u << 3, ///< not in the last commit
    ROW_BOX_NONE = 0u << 4,
    ROW_BOX_EMPTY = 1u << 4,
    ROW_BOX_FINITE = 2u << 4,
    ROW_BOX_INFINITE = 3u << 4,
    ROW_BOX_MASK = 3u << 4,
    ROW_MOVING = 1u << 6, ///< within commit: gets a new row
    ROW_PENDING = 1u << 7 ///< within commit: has children and waits for being computed
};

/// Published, by row.
typedef struct world_row {
    float m[12]; ///< three rows of four
} world_row;

/// Published, by slot. Generation 0: the slot was free in the last commit.
typedef struct published_slot {
    uint32_t row;
    uint16_t generation;
    uint16_t has_bounds;
} published_slot;

typedef struct scene_kernel scene_kernel;

struct acre_scene {
    acre_allocator allocator;
    const scene_kernel *kernel;
    acre_access access;    ///< commit against readers of the published half
    acre_access recording; ///< one recorder at a time, and none beside commit
    bool is_committing;    ///< hooks are running: edits are refused in every build
    uint16_t number;
    uint32_t entity_capacity;

    // Recorded, by slot.
    uint32_t slot_count, free_count, live_count, dying_count, retired_count;
    uint32_t free_head;
    COLUMN_OF(slot_record) slots;
    COLUMN_OF(slot_links) links;
    COLUMN_OF(slot_labels) labels;

    // Recorded, by row.
    uint32_t row_count, hole_count;
    uint32_t created_count; ///< rows with ROW_CREATED that are live
    COLUMN_OF(local_row) locals;
    COLUMN_OF(acre_aabb) boxes; ///< local
    COLUMN_OF(uint32_t) row_slot;
    COLUMN_OF(uint32_t) row_parent;
    COLUMN_OF(uint8_t) row_bits; ///< ROW_...
    row_set dirty;               ///< local, box, parent or own HIDDEN changed
    row_set labelled;            ///< flags, layers, user or presence of a box changed
    row_set destroyed;
    row_set misplaced; ///< perhaps before its parent

    // Published.
    uint32_t published_slots; ///< rows of the view
    uint32_t published_entities;
    uint64_t commit_count;
    COLUMN_OF(world_row) worlds;         ///< by row
    COLUMN_OF(published_slot) published; ///< by slot
    COLUMN_OF(acre_aabb) world_boxes;    ///< by slot
    COLUMN_OF(uint32_t) world_flags;     ///< by slot
    COLUMN_OF(uint32_t) world_layers;    ///< by slot
    COLUMN_OF(uint64_t) world_user;      ///< by slot

    // One commit's changes; capacity is kept.
    COLUMN_OF(uint32_t) list_destroyed, list_created, list_moved, list_relabelled;

    size_t module_count;
    COLUMN_OF(const acre_module *) modules;
};

// scene_memory.c

/// Room for that many slots and rows in the recorded half.
bool acre_scene_reserve_slots(acre_scene *scene, size_t count);
bool acre_scene_reserve_rows(acre_scene *scene, size_t count);

/// Room for all slots and rows in the published half.
bool acre_scene_reserve_published(acre_scene *scene);
void acre_scene_free_columns(acre_scene *scene);

/// Gives back what lies beyond the elements that are in use.
void acre_scene_shrink_columns(acre_scene *scene);

// scene_order.c

/// Before a commit: finds which subtrees need new rows, and makes room for them. On failure nothing
/// changed.
bool acre_order_prepare(acre_scene *scene);
/// Frees the rows and slots of destroyed entities; fills list_destroyed. @return how many.
size_t acre_order_remove_destroyed(acre_scene *scene);
/// Gives the subtrees that order_prepare found their new rows and closes holes.
void acre_order_apply(acre_scene *scene);

// scene_kernel_scalar.c

/// Computes world matrix and box of one row from its parent's world and its local transform.
void acre_scene_compute_row(const acre_scene *scene, uint32_t row, world_row *world,
                            acre_aabb *box);

/// World box of a local box of the kind ROW_BOX_...
acre_aabb acre_scene_box(const float *world, uint32_t kind, const acre_aabb *local);

// Shared small steps.

/// @return the slot of a live entity, or NONE.
static inline uint32_t scene_live_slot(const acre_scene *scene, acre_entity entity)
{
    const uint32_t slot = entity.index1 - 1u;
    if (slot >= scene->slot_count || entity.scene != scene->number) {
        return NONE;
    }
    const slot_record *const record = COLUMN_AT(scene->slots, slot);
    return record->state == SLOT_LIVE && record->generation == entity.generation ? slot : NONE;
}

static inline uint32_t scene_row(const acre_scene *scene, uint32_t slot)
{
    return COLUMN_AT(scene->slots, slot)->row;
}

static inline void row_bits_change(const acre_scene *scene, uint32_t row, uint32_t clear,
                                   uint32_t set)
{
    uint8_t *const bits = COLUMN_AT(scene->row_bits, row);
    *bits = (uint8_t)((*bits & ~clear) | set);
}

/// Next slot of a subtree in pre-order; visits without a stack. @param descend false: skips the
/// children of slot. @return NONE after the last.
static inline uint32_t scene_subtree_next(const slot_links *links, uint32_t top, uint32_t slot,
                                          bool descend)
{
    if (descend && links[slot].first_child != NONE) {
        return links[slot].first_child;
    }
    while (slot != top) {
        if (links[slot].next != NONE) {
            return links[slot].next;
        }
        slot = links[slot].parent;
    }
    return NONE;
}

static inline acre_result scene_begin_edit(acre_scene *scene)
{
    if (!scene) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (scene->is_committing || !access_begin_write(&scene->recording)) {
        return ACRE_ERROR_BUSY;
    }
    return ACRE_OK;
}

static inline acre_result scene_end_edit(acre_scene *scene, acre_result result)
{
    access_end_write(&scene->recording);
    return result;
}

#endif
