// SPDX-License-Identifier: MIT
// culling_internal.h - what the culler knows about each slot, and the steps its files share.
//
// A registered entity is in one place: one of the two trees if it has a box, the never-cull set if
// every query finds it, or nowhere if it is hidden, has no box or is not yet committed.
// acre_culling_update_place brings one slot to the place that the last commit asks for; the other
// files decide for which slots to call it.
//
// Invariants, as acre_culling_validate names them:
//     1 every array has room for what is counted in it
//     2 a summary bit is set where the never-cull set has members
//     3 a slot is in one place at most
//     4 a slot's bits say which place has it: SLOT_IN_MOVING, SLOT_IN_STATIC or SLOT_IN_NEVER
//     5 an entity in a place is registered, in the last commit and not hidden
//     6 an entity is in the place that its flags and box ask for
//     7 an item's box is the world box of the last commit or refresh
//     8 an item's layers are the entity's, as of the last commit
//     9 tree_counts, never_count and a host's object_count are those of the slots
//     10 each slot's list of occluders ends, and the lists have occluder_count in all
// Rules 5 to 8 hold while is_behind is false. It is true after a shortage of memory or a missed
// commit; the next commit, or update, then visits every slot. Meanwhile an item that found no room
// in its tree stays in the other tree, or else in the never-cull set.
#ifndef ACRE_CULLING_INTERNAL_H
#define ACRE_CULLING_INTERNAL_H

#include "access_internal.h"
#include "column_internal.h"
#include "culling_shared.h"
#include "object_internal.h"
#include "occluder_shared.h"
#include "refusal_internal.h"
#include "scene_shared.h"

struct acre_horizon;
struct acre_objects;

/// An occluder in a list.
typedef struct culling_occluder {
    acre_occluder shape;  ///< in the space of the entity; of a host's object in the world
    occluder_facts facts; ///< of its shape
    uint32_t next1;       ///< in its list, counted from 1; 0: it is the last
} culling_occluder;

struct acre_culling {
    acre_allocator allocator;
    acre_access access;
    acre_scene *scene;                ///< NULL once the scene is gone, and over a host's objects
    acre_quadtree *trees[TREE_COUNT]; ///< the static one is NULL until something is static
    acre_quadtree_def tree_def;
    acre_culling_tree_hook tree_hook; ///< NULL: none
    void *tree_hook_context;
    acre_module module;
    acre_tasks tasks;        ///< without workers: serial
    acre_result edit_result; ///< the first error of the edit that goes on, or of the last one
    uint32_t item_capacity;  ///< slots at or above it cannot be registered
    uint16_t scene_number;   ///< in its entities' handles, once it has any
    bool register_all;
    bool is_behind;
    bool has_host;         ///< the objects are a host's: there never is a scene
    bool is_shifted;       ///< within a commit: the trees were shifted, every box is new
    bool has_new_boxes;    ///< within a commit: the trees have those boxes already
    uint32_t object_slots; ///< the most slots that the host had
    uint32_t object_count; ///< objects of the host
    size_t object_rows;    ///< rows of boxes since the trees were maintained
    uint64_t seen_commit;  ///< number of the last commit, or update, that was applied
    uint64_t visits;       ///< slots that commits looked at
    uint32_t tree_counts[TREE_COUNT], never_count;
    uint32_t static_edits;                 ///< of the static tree, since its upkeep began last
    uint32_t static_edits_now;             ///< of them, those since the last commit
    uint32_t static_upkeep;                ///< commits that still maintain the static tree
    COLUMN_OF(culling_slot) slots;         ///< by slot
    COLUMN_OF(uint64_t) never;             ///< the never-cull set: a bit for each slot
    COLUMN_OF(uint64_t) never_summary;     ///< a bit for each word of never that is not zero
    COLUMN_OF(uint32_t) refreshed;         ///< scratch of acre_culling_refresh
    COLUMN_OF(uint32_t) object_layers;     ///< a host's masks, by slot; empty until one is given
    COLUMN_OF(acre_visibility_rule) rules; ///< the caller's table
    COLUMN_OF(uint16_t) slot_rules; ///< by slot: number of its rule; empty until one is given
    COLUMN_OF(culling_occluder) occluders; ///< in lists: those of slots, and the free ones
    COLUMN_OF(uint32_t)
    slot_occluders;          ///< by slot: its first one, counted from 1; 0: none.
                             ///< Empty until one is given
    uint32_t occluder_count; ///< in the lists of slots
    uint32_t occluders_used; ///< of the column, so far
    uint32_t free_occluders; ///< the first free one, counted from 1
    uint32_t rule_count;
    bool rules_hide;   ///< one of them has a limit beside those between LODs
    uint64_t revision; ///< changes whenever query results may change
};

// culling_memory.c

/// Room for that many slots in all that settling needs.
bool acre_culling_reserve_slots(acre_culling *culling, size_t count);
void acre_culling_free_arrays(acre_culling *culling);

/// @param culling an acre_culling.
void acre_culling_visit_arrays(column_visitor *visitor, void *culling);

// culling_trees.c

/// The tree, made if it is the static one and nothing was static yet.
/// @return ACRE_OK; ACRE_ERROR_OUT_OF_MEMORY.
acre_result acre_culling_need_tree(acre_culling *culling, int tree);

/// Room for the slot in the tree, so that its insertion cannot fail for want of memory; makes the
/// tree if there is none. On failure there is no new tree, and nobody heard of one.
acre_result acre_culling_reserve_item(acre_culling *culling, int tree, uint32_t slot,
                                      uint32_t layers);

/// Whether someone listens to a tree: such a culler's calls stay on one thread.
bool acre_culling_has_listener(const acre_culling *culling);

/// The last step of a commit: what both trees put off.
void acre_culling_maintain(acre_culling *culling);

// culling_place.c

/// Brings one slot below slots.capacity to its place, with the box and layers it should have.
/// Without memory the culler is behind: an item without room in its tree is in the other, or in the
/// never-cull set.
void acre_culling_update_place(acre_culling *culling, const culling_table *table, uint32_t slot);

/// Brings a slot to a place with a box and layers, as acre_culling_update_place.
void acre_culling_settle(acre_culling *culling, uint32_t slot, uint32_t place, const acre_aabb *box,
                         uint32_t layers);

/// Tells the tree that has the slot of its layers. There may be no such tree.
void acre_culling_update_layers(acre_culling *culling, uint32_t slot, uint32_t layers);

/// Takes a slot out of its place.
void acre_culling_leave(acre_culling *culling, uint32_t slot);

/// Where register_all is set: registers the entity in the slot if it has bounds or is never culled.
/// Slots above the capacity are refused.
void acre_culling_register_if_all(acre_culling *culling, const culling_table *table, uint32_t slot);

/// Room for that many rules by slot. Slots that come into the column have the rules that their
/// entities were created with.
bool acre_culling_reserve_rules(acre_culling *culling, size_t slots);

/// What the slot holds is this entity's from now on. What stood there under another generation was
/// never committed, so it is in no place. The slot is below slots.capacity.
void acre_culling_bind_slot(acre_culling *culling, acre_entity entity);

/// The slot is nobody's.
void acre_culling_release_slot(acre_culling *culling, uint32_t slot);

// culling_occluder_lists.c

/// Gives a slot that has none a list of occluders, for which there is room.
void acre_culling_list_occluders(acre_culling *culling, uint32_t slot,
                                 const acre_occluder *occluders, size_t count);

/// Takes the occluders of a slot away.
void acre_culling_drop_occluders(acre_culling *culling, uint32_t slot);

/// Takes those away whose objects have a box in an update of their host.
void acre_culling_drop_moved_occluders(acre_culling *culling, const struct acre_objects *in);

/// Whether any slot has occluders: without them a horizon hides nothing.
static inline bool acre_culling_has_occluders(const acre_culling *culling)
{
    return culling->occluder_count > 0;
}

static inline bool acre_culling_is_occluder(const acre_culling *culling, uint32_t slot)
{
    return slot < culling->slot_occluders.capacity && culling->slot_occluders.data[slot] != 0;
}

// culling_occluders.c

/// Adds the occluders of a slot to a horizon that has begun, as the last commit places them. What
/// reaches out of the object's box sideways is left out: so no object hides itself, and none that
/// has a box of its own hides with a matrix that is not true any more. The caller has begun to
/// read.
/// @param table of the culler, fetched once for all slots.
/// @return how many changed the horizon.
size_t acre_culling_add_occluders(const acre_culling *culling, const culling_table *table,
                                  uint32_t slot, struct acre_horizon *horizon);

// culling_validate.c

/// Checks the numbered invariants, not those of the trees. The caller has begun to read or write.
bool acre_culling_check(const acre_culling *culling, char *message, size_t size);

/// At the end of each call that edits: all invariants, where ACRE_CHECK asks for that.
static inline void culling_check_edit(const acre_culling *culling)
{
#if ACRE_CHECK >= 3
    char rule[128];
    if (!acre_culling_check(culling, rule, sizeof rule)) {
        acre_assert_failed(rule, ACRE_FILE_NAME, __LINE__);
    }
#else
    (void)culling;
#endif
}

// culling_load.c

/// Puts those of the slots that are in no place into the trees where they belong, if a batch is
/// worth while and there is memory for it; the others are left for acre_culling_update_place.
/// @param slots known ones below the table's slot_count; NULL: all below count
/// @param rows the boxes of a host: row i is that of slots[i], or with by_slot row slots[i]; NULL:
/// the table's boxes
void acre_culling_load(acre_culling *culling, const culling_table *table, const uint32_t *slots,
                       size_t count, const acre_box_array *rows, bool by_slot);

/// Fewer new objects than this are inserted one by one, and so is a batch smaller than its tree,
/// because the tree would not be built anew for it. At a million entities a batch costs 320 ns an
/// entity, single inserts 370 ns, and queries cost 5 to 9 % less after a batch.
#define LOAD_LEAST 64

// culling_commit.c

/// Brings every slot of the scene to its place, whatever was missed. O(slots).
void acre_culling_synchronize(acre_culling *culling);

/// The module's shift hook: moves both trees. What goes wrong costs time alone, as the commit
/// refreshes every box.
acre_result acre_culling_shift_trees(void *user, const acre_scene *scene, const double *offset,
                                     acre_shift_report *report);

/// The module's commit hook.
acre_result acre_culling_commit(void *user, const acre_scene *scene,
                                const acre_scene_changes *changes);

// Shared small steps.

static inline culling_slot *culling_slot_at(const acre_culling *culling, uint32_t slot)
{
    return COLUMN_AT(culling->slots, slot);
}

/// What is known of a live entity. NULL: nothing is.
static inline culling_slot *culling_find_slot(const acre_culling *culling, acre_entity entity)
{
    const uint32_t slot = entity.index1 - 1u;
    if (slot >= culling->slots.capacity) {
        return NULL;
    }
    culling_slot *const own = culling_slot_at(culling, slot);
    return own->generation == entity.generation ? own : NULL;
}

static inline bool culling_is_registered(const acre_culling *culling, acre_entity entity)
{
    const culling_slot *const own = culling_find_slot(culling, entity);
    return own && (own->bits & SLOT_REGISTERED);
}

/// The entity that the last commit has in a slot; zeros: none.
static inline published_slot culling_published(const culling_table *table, uint32_t slot)
{
    if (table->published && slot < table->slot_count) {
        return table->published[slot];
    }
    const culling_slot own = culling_slot_of(table, slot);
    const bool is_object = table->has_host && (own.bits & SLOT_PUBLISHED);
    return is_object ? (published_slot){0, own.generation, 1} : (published_slot){0, 0, 0};
}

/// Whether a handle names an entity of the scene, perhaps one that no commit has seen, or an object
/// of the host.
static inline bool culling_is_alive(const acre_culling *culling, acre_entity entity)
{
    return culling->has_host ? acre_culling_is_published(culling, entity)
                             : acre_entity_is_alive(culling->scene, entity);
}

/// Whether an object in the moving tree needs only a refresh when it moves, unless its box is
/// empty.
static inline bool culling_is_plain(culling_slot own)
{
    return own.bits == (SLOT_REGISTERED | SLOT_PUBLISHED | SLOT_IN_MOVING);
}

/// The same within a commit that has shifted the trees: it refreshes all items of both.
static inline bool culling_is_plain_shifted(culling_slot own)
{
    return culling_is_plain(own) || own.bits == (SLOT_REGISTERED | SLOT_PUBLISHED | SLOT_IN_STATIC);
}

/// The bit of a tree's items.
static inline uint32_t culling_tree_bit(int tree)
{
    return (uint32_t)SLOT_IN_MOVING << tree;
}

/// One more edit of a tree.
static inline void culling_count_edit(acre_culling *culling, int tree)
{
    culling->static_edits_now += tree == TREE_STATIC;
}

/// The number of a slot's rule; 0: none.
static inline uint32_t culling_rule_number(const acre_culling *culling, uint32_t slot)
{
    return slot < culling->slot_rules.capacity ? culling->slot_rules.data[slot] : 0;
}

/// The rule of a number. NULL: none.
static inline const acre_visibility_rule *culling_rule(const acre_culling *culling, uint32_t number)
{
    return number - 1u < culling->rule_count ? COLUMN_AT(culling->rules, number - 1u) : NULL;
}

static inline bool culling_box_is_empty(const acre_aabb *box)
{
    return (box->min[0] > box->max[0]) | (box->min[1] > box->max[1]) | (box->min[2] > box->max[2]);
}

/// The bit of the place where a slot belongs; 0: nowhere. It need not be there.
static inline uint32_t culling_wanted_place(uint32_t bits, uint32_t flags, const acre_aabb *box)
{
    const uint32_t needed = SLOT_REGISTERED | SLOT_PUBLISHED;
    if ((bits & needed) != needed || (flags & ACRE_ENTITY_HIDDEN)) {
        return 0;
    }
    if (flags & ACRE_ENTITY_NEVER_CULL) {
        return SLOT_IN_NEVER;
    }
    if (culling_box_is_empty(box)) {
        return 0;
    }
    return flags & ACRE_ENTITY_STATIC ? SLOT_IN_STATIC : SLOT_IN_MOVING;
}

static inline void culling_first_error(acre_result *first, acre_result result)
{
    if (*first == ACRE_OK) {
        *first = result;
    }
}

/// Notes how a step of an edit went. The edit goes on, and answers the first error.
static inline void culling_note(acre_culling *culling, acre_result result)
{
    culling_first_error(&culling->edit_result, result);
}

/// The same for a step that leaves an item other than it should be if it fails.
static inline void culling_note_item(acre_culling *culling, acre_result result)
{
    culling_note(culling, result);
    culling->is_behind |= result != ACRE_OK;
}

/// Begins an edit. can: whether the arguments are good. @return why not, or ACRE_OK:
/// culling_end_edit ends it. Until then only the culler's own answer is told, not the trees'.
static inline acre_result culling_begin_edit(acre_culling *culling, bool can)
{
    if (!culling || !can) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&culling->access)) {
        return ACRE_ERROR_BUSY;
    }
    acre_hold_refusals();
    culling->edit_result = ACRE_OK;
    return ACRE_OK;
}

/// @param result of the last step. @return the first error of all.
static inline acre_result culling_end_edit(acre_culling *culling, acre_result result)
{
    culling_note(culling, result);
    result = culling->edit_result;
    access_end_write(&culling->access);
    return acre_release_refusals(result);
}

/// Begins a read. @return why not, or ACRE_OK: access_end_read(&culling->access) ends it.
static inline acre_result culling_begin_read(const acre_culling *culling, bool can)
{
    return !culling || !can                      ? ACRE_ERROR_INVALID_ARGUMENT
           : access_begin_read(&culling->access) ? ACRE_OK
                                                 : ACRE_ERROR_BUSY;
}

#endif
