// SPDX-License-Identifier: MIT
// culling_internal.h - what the culler knows about each slot, and the steps its files share.
//
// A registered entity has one place: one of the two trees (it has a box), the never-cull set (it is
// visible to every query), or nowhere (hidden, without box, or not yet committed).
// acre_culling_update_place brings one slot to the place that the scene's last commit asks for;
// everything else decides for which slots to call it.
//
// Invariants, after any call that answered ACRE_OK:
//     1 SLOT_IN_MOVING and SLOT_IN_STATIC say whether that tree has the slot as an item;
//       SLOT_IN_NEVER, whether the never-cull set has it; at most one of the three is set
//     2 an entity that is in a place is registered, published and not hidden
//     3 an item's box in its tree is the entity's own box where SLOT_OWN_BOX is set, else its
//       world box of the last commit or refresh; its layers are those of the last commit
//     4 tree_counts, never_count and own_box_count count slots with SLOT_IN_MOVING and
//       SLOT_IN_STATIC, SLOT_IN_NEVER, SLOT_OWN_BOX
//     5 an entity that is static in the last commit is not in the moving tree, and one that is not
//       static is not in the static tree
//     6 is_behind is false
// While is_behind is true, memory was short or a commit was missed; the next commit looks at every
// slot. An item that found no room in its tree stays in the other, or else waits in the never-cull
// set.
#ifndef ACRE_CULLING_INTERNAL_H
#define ACRE_CULLING_INTERNAL_H

#include "access_internal.h"
#include "column_internal.h"
#include "culling_reader.h"

struct acre_culling {
    acre_allocator allocator;
    acre_access access;
    acre_scene *scene;                ///< NULL once the scene is gone
    acre_quadtree *trees[TREE_COUNT]; ///< the static one is NULL until something is static
    acre_quadtree_def tree_def;
    acre_culling_tree_hook tree_hook; ///< NULL: none
    void *tree_hook_context;
    acre_module module;
    uint32_t item_capacity; ///< slots at or above it cannot be registered
    uint16_t scene_number;  ///< in its entities' handles, once it has any
    bool register_all;
    bool is_behind;
    uint64_t seen_commit; ///< number of the last commit that was applied
    uint64_t visits;      ///< slots that commits looked at
    uint32_t tree_counts[TREE_COUNT], never_count, own_box_count;
    uint32_t static_edits;     ///< of the static tree, since its upkeep began last
    uint32_t static_edits_now; ///< of them, those since the last commit
    uint32_t static_upkeep;    ///< commits that still maintain the static tree
    column slots;              ///< culling_slot, by slot
    column never;              ///< uint64_t: a bit a slot
    column never_summary;      ///< uint64_t: a bit for each word of never that is not zero
    column own_boxes;          ///< acre_aabb, by slot; empty until a caller gives a box
    column refreshed;          ///< uint32_t: scratch of acre_culling_refresh
    column rules;              ///< acre_visibility_rule: the caller's table
    column slot_rules;         ///< uint16_t, by slot: number of its rule; empty until one is given
    uint32_t rule_count;
    bool rules_hide;   ///< one of them has a limit beside those between LODs
    uint64_t revision; ///< changes whenever query results may change
};

// culling_memory.c

/// Room for count elements; new ones are zero. On failure the array is as it was.
bool acre_culling_reserve(acre_culling *culling, column *array, size_t count, size_t element);

/// Room for that many slots in all that settling needs.
bool acre_culling_reserve_slots(acre_culling *culling, size_t count);
void acre_culling_free_arrays(acre_culling *culling);

// culling_trees.c

/// The tree, made if it is the static one and nothing was static yet.
/// @return ACRE_OK; ACRE_ERROR_OUT_OF_MEMORY.
acre_result acre_culling_need_tree(acre_culling *culling, int tree);

/// The last step of a commit: what both trees put off.
acre_result acre_culling_maintain(acre_culling *culling);

// culling_place.c

/// Brings one slot below slots.capacity to its place, with the box and layers it should have.
/// @return ACRE_OK; ACRE_ERROR_OUT_OF_MEMORY, and the culler is behind: an item without room in its
/// tree is in the other, or in the never-cull set.
acre_result acre_culling_update_place(acre_culling *culling, const acre_scene_view *view,
                                      uint32_t slot);

/// The bit of the place where a slot belongs; 0: nowhere. It need not be there.
uint32_t acre_culling_wanted_place(const acre_culling *culling, const acre_scene_view *view,
                                   uint32_t slot);

/// The box that a slot has in a tree.
const acre_aabb *acre_culling_box(const acre_culling *culling, const acre_scene_view *view,
                                  uint32_t slot);

/// Tells the tree that has the slot of its layers. There may be no such tree.
acre_result acre_culling_update_layers(acre_culling *culling, uint32_t slot, uint32_t layers);

/// Takes a slot out of its place.
void acre_culling_leave(acre_culling *culling, uint32_t slot);

/// Never-cull slots that share a layer (0: any), ascending: at most capacity are written.
/// @return how many there are.
size_t acre_culling_list_never(const acre_culling *culling, uint32_t layers, uint32_t *slots,
                               size_t capacity);

/// The scene's box counts again.
void acre_culling_drop_own_box(acre_culling *culling, uint32_t slot);

/// Where register_all is set: registers the entity in the slot if it has bounds.
/// @return ACRE_OK; ACRE_ERROR_CAPACITY.
acre_result acre_culling_register_if_all(acre_culling *culling, uint32_t slot);

/// What the slot holds is this entity's from now on. What stood there under another generation was
/// never committed, so it is in no place. The slot is below slots.capacity.
void acre_culling_bind_slot(acre_culling *culling, acre_entity entity);

/// The slot is nobody's.
void acre_culling_release_slot(acre_culling *culling, uint32_t slot);

// culling_load.c

/// Puts those of the slots that are in no place into the trees where they belong, if a batch is
/// worth while and there is memory for it; the others are left for acre_culling_update_place.
/// @param slots NULL: all below count
/// @return ACRE_OK; ACRE_ERROR_OUT_OF_MEMORY if layers found no room, and the culler is behind.
acre_result acre_culling_load(acre_culling *culling, const acre_scene_view *view,
                              const uint32_t *slots, size_t count);

// culling_commit.c

/// Brings every slot of the scene to its place, whatever was missed. O(slots).
acre_result acre_culling_synchronize(acre_culling *culling);

/// The module's commit hook.
acre_result acre_culling_commit(void *user, const acre_scene *scene,
                                const acre_scene_changes *changes);

// Shared small steps.

static inline culling_slot *culling_slot_at(const acre_culling *culling, uint32_t slot)
{
    return (culling_slot *)culling->slots.data + slot;
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
    return slot < culling->slot_rules.capacity ? ((uint16_t *)culling->slot_rules.data)[slot] : 0;
}

/// The rule of a number. NULL: none.
static inline const acre_visibility_rule *culling_rule(const acre_culling *culling, uint32_t number)
{
    return number - 1u < culling->rule_count
               ? (const acre_visibility_rule *)culling->rules.data + (number - 1u)
               : NULL;
}

static inline bool culling_box_is_empty(const acre_aabb *box)
{
    return (box->min[0] > box->max[0]) | (box->min[1] > box->max[1]) | (box->min[2] > box->max[2]);
}

static inline void culling_first_error(acre_result *first, acre_result result)
{
    if (*first == ACRE_OK) {
        *first = result;
    }
}

#endif
