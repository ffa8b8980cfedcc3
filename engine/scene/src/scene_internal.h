// SPDX-License-Identifier: MIT
// scene_internal.h - the scene's memory: what is recorded, what is published, and the invariants.
//
// The scene has two halves. Setters, create and destroy write the recorded half; commit reads it.
// Commit and refresh alone write the published half. So threads may read the last commit while one
// thread records: no writer of one half resizes an array of the other.
//
// There are two numberings. A slot is an entity's stable index. A row is its place in the order of
// transforms, where parents stand before children. A new entity gets the next row. When a subtree
// moves under a parent with a later row, the next commit appends the whole subtree; its old rows
// become holes. Commits close holes in steps, once there are more than a few. Only commit and trim
// change the row of an existing entity.
//
//     slot --slots[slot].row--> row --head_slot(heads[row])--> slot
//
// A row is 64 bytes of input (local transform and box: one line of the cache), 8 bytes of head
// (slot, parent's row and bits) and 48 bytes of output (world matrix). An entity whose local matrix
// is no transform has its matrix in `matrices`, and the matrix's number in its row.
//
// Invariants, as acre_scene_validate names them:
//      1 every array has room for the elements that are counted
//      2 a live slot and its row name each other; a row without a live or dying slot is a hole, and
//        so is each row between the two ends of what is being closed
//      3 a child is in its parent's list once, both directions agree, and there is no cycle
//      4 a head's parent is the parent's row, which is smaller than the row unless the row is in
//        the set misplaced
//      5 a row's bits agree with links, flags, local box and local matrix
//      6 slots = live + dying + free + retired; the free list holds exactly the free ones
//      7 a row that is not new and in no set is published as recorded: row, generation, flags,
//        layers and user; HIDDEN is inherited from the parent
//      8 if no set is used, worlds and boxes of entities that are not hidden equal those computed
//        from scratch, bit for bit
//      9 a slot that is not published has an empty box, and its flags, layers and user are zero
//     10 a set's word that is not zero has its summary bit; no bit is set beyond row_count, and no
//        summary bit beyond the words
//     11 each matrix is free or belongs to one row
#ifndef ACRE_SCENE_INTERNAL_H
#define ACRE_SCENE_INTERNAL_H

#include "access_internal.h"
#include "object_internal.h"
#include "refusal_internal.h"
#include "scene_bits_internal.h"
#include "scene_shared.h"

#define MAX_ENTITIES (UINT32_C(1) << 26)
#define LAST_GENERATION UINT16_MAX

/// slot_record.state
enum { SLOT_FREE = 0, SLOT_LIVE, SLOT_DYING, SLOT_RETIRED };

/// slot_record.flags: ACRE_ENTITY_... as recorded, and these.
enum {
    SLOT_MATRIX = 1u << 4, ///< the local transform was given as a matrix
    SLOT_MOVING = 1u << 5  ///< within commit: gets a new row
};

#define KNOWN_FLAGS ((uint32_t)(ACRE_ENTITY_HIDDEN | ACRE_ENTITY_STATIC | ACRE_ENTITY_NEVER_CULL))

/// Recorded, by slot.
typedef struct slot_record {
    uint32_t row;        ///< while live or dying
    uint16_t generation; ///< of the living entity, or of the next one
    uint8_t state;       ///< SLOT_...
    uint8_t flags;       ///< KNOWN_FLAGS and SLOT_MATRIX, SLOT_MOVING
} slot_record;

/// Recorded, by slot. Each link is a slot or NONE.
typedef struct slot_links {
    uint32_t parent;
    uint32_t first_child;
    uint32_t next;     ///< next sibling; of a free slot: the next free one
    uint32_t previous; ///< previous sibling
} slot_links;

/// Recorded, by slot: the place of a root whose floats were made of it (scene_doubles.c).
typedef struct double_place {
    double at[3];
} double_place;

/// Recorded, by row. One line of the cache.
typedef struct local_row {
    union {
        acre_transform transform; // 40 bytes
        uint32_t matrix;          ///< with ROW_MATRIX: number in matrices
    };
    acre_aabb box; // 24 bytes
} local_row;

_Static_assert(sizeof(local_row) == 64, "transform and box are sixteen floats without a gap");

/// Three rows of four floats, the translation last.
typedef struct affine {
    float m[12];
} affine;

/// The bits of a row; ROW_HIDDEN and ROW_CREATED change in commit.
enum {
    ROW_HAS_CHILDREN = 1u << 0,
    ROW_OWN_HIDDEN = 1u << 1,
    ROW_HIDDEN = 1u << 2,  ///< itself or an ancestor, as of the last commit
    ROW_CREATED = 1u << 3, ///< not in the last commit
    ROW_BOX_NONE = 0u << 4,
    ROW_BOX_EMPTY = 1u << 4,
    ROW_BOX_FINITE = 2u << 4,
    ROW_BOX_INFINITE = 3u << 4,
    ROW_BOX_WORLD = 4u << 4, ///< the row's box is the world box
    ROW_BOX_MASK = 7u << 4,
    ROW_MATRIX = 1u << 7, ///< its local matrix stands in matrices
    ROW_PENDING = 1u << 8 ///< within commit: has children and waits for being computed
};

/// Recorded, by row: slot, bits and the parent's row in one number.
typedef uint64_t row_head;

#define HEAD_SLOT_WIDTH 27
#define HEAD_BITS_WIDTH 9
#define HEAD_PARENT_SHIFT (HEAD_SLOT_WIDTH + HEAD_BITS_WIDTH)
#define HEAD_NO_SLOT ((UINT32_C(1) << HEAD_SLOT_WIDTH) - 1)
#define HEAD_NO_PARENT ((UINT32_C(1) << (64 - HEAD_PARENT_SHIFT)) - 1)

/// Rows are numbered below it.
#define MAX_ROWS HEAD_NO_PARENT

_Static_assert(MAX_ENTITIES <= HEAD_NO_SLOT, "a slot fits into a head");

/// Within a commit in shares: 64 rows.
typedef struct share_word {
    uint64_t waiting; ///< rows whose parents are to be decided first
    uint64_t done;    ///< of them, those that this round decided
    uint64_t stays;   ///< rows that were hidden and stay so: nothing below them changes
} share_word;

/// Within a commit in shares: a block of words. The first three count rows while rows are decided;
/// then they say where the next such row stands in list_computed.
typedef struct share_block {
    uint32_t created;      ///< new rows
    uint32_t moved;        ///< shown rows that are computed
    uint32_t moved_hidden; ///< hidden rows that were edited; listed downward from the end
    uint32_t waiting;      ///< rows that wait for the next round
    bool has_relabeled;    ///< a row came into the set labeled
    bool has_toggled;      ///< a row came into the set toggled, or left it
    bool is_unusual;       ///< a dirty row is new or hidden
} share_block;

typedef struct scene_kernel scene_kernel;

struct acre_scene {
    acre_allocator allocator;
    const scene_kernel *kernel;
    acre_tasks tasks;      ///< without workers: serial
    acre_access access;    ///< commit against readers of the published half
    acre_access recording; ///< one recorder at a time, and none beside commit
    bool is_committing;    ///< hooks are running: edits are refused in every build
    uint32_t edit_count;   ///< with ACRE_CHECK 3: since the scene was validated
    uint16_t number;
    bool has_doubles; ///< ACRE_SCENE_DOUBLES
    uint32_t entity_capacity;

    // Recorded, by slot.
    uint32_t slot_count;
    uint32_t live_count;
    uint32_t dying_count;
    uint32_t free_count;
    uint32_t retired_count;
    uint32_t free_head; ///< first free slot or NONE
    COLUMN_OF(slot_record) slots;
    COLUMN_OF(slot_links) links;
    COLUMN_OF(uint32_t) absent_layers; ///< ~layers; slots beyond the column are in all layers
    COLUMN_OF(uint64_t) users;         ///< slots beyond the column have the user value 0
    COLUMN_OF(uint32_t) rules;         ///< slots beyond the column have the rule 0
    COLUMN_OF(double_place) places;    ///< empty without ACRE_SCENE_DOUBLES

    // Recorded, by row.
    uint32_t row_count;
    uint32_t hole_count;
    uint32_t created_count; ///< live rows with ROW_CREATED
    uint32_t closed_to;     ///< while holes are being closed: the rows from here to closed_from
    uint32_t closed_from;   ///< are holes; 0: none are being closed
    COLUMN_OF(row_head) heads;
    COLUMN_OF(local_row) locals;
    row_set dirty;   ///< local, local box or parent changed
    row_set boxed;   ///< the world box was set: nothing below the row changes by that
    row_set toggled; ///< own HIDDEN changed; within commit, the dirty rows that did not move
    row_set labeled; ///< flags, layers, user, parent or presence of a box changed
    row_set destroyed;
    row_set misplaced;    ///< perhaps before its parent
    bool may_hide;        ///< HIDDEN or the parent of an entity with children changed
    bool has_shift;       ///< the next commit tells the modules of a shift
    double shift[3];      ///< the sum of its offsets
    double origin[3];     ///< with ACRE_SCENE_DOUBLES
    size_t shift_rounded; ///< roots and world boxes that could not be moved exactly

    // Recorded: local matrices that are no transforms.
    uint32_t matrix_count;
    uint32_t free_matrix_count;
    uint32_t free_matrix; ///< first free one or NONE
    COLUMN_OF(affine) matrices;

    // Published.
    uint32_t published_slots; ///< rows of the view
    uint32_t published_entities;
    uint64_t commit_count;
    acre_shift_report shift_report;      ///< of the last commit
    COLUMN_OF(affine) worlds;            ///< by row
    COLUMN_OF(published_slot) published; ///< by slot
    COLUMN_OF(acre_aabb) world_boxes;    ///< by slot
    COLUMN_OF(uint32_t) world_flags;     ///< by slot
    COLUMN_OF(uint32_t) world_layers;    ///< by slot
    COLUMN_OF(uint64_t) world_user;      ///< by slot

    // The slots that one commit changed. The capacity is kept.
    COLUMN_OF(uint32_t) list_destroyed;
    COLUMN_OF(uint32_t) list_computed; ///< created_count new ones, then those that moved
    COLUMN_OF(uint32_t) list_relabeled;

    // Scratch of a commit in shares: it means nothing between commits. Empty without workers.
    COLUMN_OF(share_word) share_words;   ///< by word of rows
    COLUMN_OF(share_block) share_blocks; ///< by block of words

    size_t module_count;
    COLUMN_OF(const acre_module *) modules;
};

// scene_memory.c

/// Up to so many holes among the rows are left alone (scene_order.c).
enum { SCENE_FEWEST_HOLES = 64 };

/// The rows that so many entities may take, holes counted: what a scene needs that is never to
/// grow.
static inline size_t scene_most_rows(size_t entities)
{
    const size_t rows = entities + entities / 16 + 2 * (size_t)SCENE_FEWEST_HOLES;
    return rows < MAX_ROWS ? rows : MAX_ROWS;
}

/// Room for that many slots, or rows, in the recorded half.
bool acre_scene_reserve_slots(acre_scene *scene, size_t count);
bool acre_scene_reserve_rows(acre_scene *scene, size_t count);

/// Room for the world matrices of that many rows.
bool acre_scene_reserve_worlds(acre_scene *scene, size_t rows);

/// Room for all slots and rows in the published half, and in the list of what a commit computes.
bool acre_scene_reserve_published(acre_scene *scene);

/// @param scene an acre_scene.
void acre_scene_visit_columns(column_visitor *visitor, void *scene);

/// Gives back what lies beyond the elements that are in use.
void acre_scene_shrink_columns(acre_scene *scene);

// scene_matrices.c

/// Room for one more matrix.
bool acre_matrix_reserve(acre_scene *scene);

/// Takes a matrix that acre_matrix_reserve made room for. @return its number.
uint32_t acre_matrix_take(acre_scene *scene);
void acre_matrix_release(acre_scene *scene, uint32_t number);

/// Moves matrices to the front, so that none is free.
void acre_matrix_compact(acre_scene *scene);

// scene_order.c

/// Before a commit: finds which subtrees need new rows, and makes room for all rows that the commit
/// visits. On failure nothing changed.
bool acre_order_prepare(acre_scene *scene);

/// Frees the rows and slots of destroyed entities; fills list_destroyed. @return how many.
size_t acre_order_remove_destroyed(acre_scene *scene);

/// Gives the subtrees that acre_order_prepare found their new rows, and closes holes: more of them
/// where the commit has more changes. @param holes how many there were before this commit
void acre_order_apply(acre_scene *scene, uint32_t holes);

// scene_shift.c

/// Within a commit: tells the modules of the shift, if there was one. @return their first error.
acre_result acre_scene_tell_shift(acre_scene *scene);

// scene_kernel_scalar.c

/// Computes world matrix and box of one row from its parent's world and its local transform.
void acre_scene_compute_row(const acre_scene *scene, uint32_t row, affine *world, acre_aabb *box);

/// World box of a local box of the kind ROW_BOX_...
acre_aabb acre_scene_box(const float *world, uint32_t kind, const acre_aabb *local);

// scene_validate.c

/// What builds with ACRE_CHECK 3 do after each editing call: validates the scene. Scenes of more
/// than 256 slots are validated after each slot_count / 256 calls, so that a call costs 256 slots.
void acre_scene_check_edit(acre_scene *scene);

// Heads.

/// @return the slot, or NONE for a hole.
static inline uint32_t head_slot(row_head head)
{
    const uint32_t slot = (uint32_t)head & HEAD_NO_SLOT;
    return slot == HEAD_NO_SLOT ? NONE : slot;
}

static inline uint32_t head_bits(row_head head)
{
    return (uint32_t)(head >> HEAD_SLOT_WIDTH) & ((1u << HEAD_BITS_WIDTH) - 1);
}

static inline bool head_has_parent(row_head head)
{
    return head >> HEAD_PARENT_SHIFT != HEAD_NO_PARENT;
}

/// @return the parent's row, or NONE.
static inline uint32_t head_parent(row_head head)
{
    return head_has_parent(head) ? (uint32_t)(head >> HEAD_PARENT_SHIFT) : NONE;
}

static inline row_head head_make(uint32_t slot, uint32_t bits, uint32_t parent)
{
    ACRE_INVARIANT(slot == NONE || slot < MAX_ENTITIES);
    ACRE_INVARIANT(parent == NONE || parent < MAX_ROWS);
    ACRE_INVARIANT(bits >> HEAD_BITS_WIDTH == 0);
    return (row_head)(slot & HEAD_NO_SLOT) | (row_head)bits << HEAD_SLOT_WIDTH |
           (row_head)parent << HEAD_PARENT_SHIFT;
}

static inline row_head head_with_parent(row_head head, uint32_t parent)
{
    return head_make(head_slot(head), head_bits(head), parent);
}

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

/// @return the handle of a live slot; null for NONE.
static inline acre_entity scene_handle(const acre_scene *scene, uint32_t slot)
{
    if (slot == NONE) {
        return (acre_entity){0, 0, 0};
    }
    return (acre_entity){slot + 1, scene->number, COLUMN_AT(scene->slots, slot)->generation};
}

static inline uint32_t scene_row(const acre_scene *scene, uint32_t slot)
{
    ACRE_INVARIANT(slot < scene->slot_count);
    return COLUMN_AT(scene->slots, slot)->row;
}

static inline uint32_t row_bits(const acre_scene *scene, uint32_t row)
{
    return head_bits(*COLUMN_AT(scene->heads, row));
}

static inline void row_bits_change(const acre_scene *scene, uint32_t row, uint32_t clear,
                                   uint32_t set)
{
    ACRE_INVARIANT((clear | set) >> HEAD_BITS_WIDTH == 0);
    row_head *const head = COLUMN_AT(scene->heads, row);
    *head = (*head & ~((row_head)clear << HEAD_SLOT_WIDTH)) | (row_head)set << HEAD_SLOT_WIDTH;
}

static inline uint32_t slot_layers(const acre_scene *scene, uint32_t slot)
{
    return slot < scene->absent_layers.capacity ? ~scene->absent_layers.data[slot] : UINT32_MAX;
}

static inline uint64_t slot_user(const acre_scene *scene, uint32_t slot)
{
    return slot < scene->users.capacity ? scene->users.data[slot] : 0;
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
        ACRE_INVARIANT(links[slot].parent != NONE);
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

/// Begins a read of the last commit. out: where the answer goes. @return why not, or ACRE_OK:
/// access_end_read(&scene->access) ends it.
static inline acre_result scene_begin_read(const acre_scene *scene, const void *out)
{
    return !scene || !out                      ? ACRE_ERROR_INVALID_ARGUMENT
           : access_begin_read(&scene->access) ? ACRE_OK
                                               : ACRE_ERROR_BUSY;
}

/// The one end of every editing call.
static inline acre_result scene_end_edit(acre_scene *scene, acre_result result)
{
#if ACRE_CHECK >= 3
    acre_scene_check_edit(scene);
#endif
    access_end_write(&scene->recording);
    return result;
}

/// Turns the parent links from a slot up to its root to point down. @return the root. Whoever goes
/// down turns them back.
static inline uint32_t scene_turn_links_down(slot_links *links, uint32_t slot)
{
    uint32_t below = NONE;
    for (uint32_t at = slot; at != NONE;) {
        const uint32_t above = links[at].parent;
        links[at].parent = below;
        below = at;
        at = above;
    }
    return below;
}

/// scene_begin_edit for an edit of an entity, unless its handle is stale. slot: receives its slot.
static inline acre_result scene_begin_edit_of(acre_scene *scene, acre_entity entity, uint32_t *slot)
{
    const acre_result result = scene_begin_edit(scene);
    if (result != ACRE_OK) {
        return result;
    }
    *slot = scene_live_slot(scene, entity);
    return *slot != NONE ? ACRE_OK : scene_end_edit(scene, ACRE_ERROR_STALE_HANDLE);
}

#endif
