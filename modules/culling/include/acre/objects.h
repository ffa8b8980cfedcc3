// SPDX-License-Identifier: MIT
// objects.h - a culler over objects that the host keeps: their boxes, flags and layers, by slot.
//
// Experimental: it may change in any minor version.
//
// For programs with transforms, jobs or an entity system of their own. Nothing is mirrored: the
// trees keep the boxes, and the culler has 4 bytes a slot beside them, 4 more where objects differ
// in layers, 2 where they have rules and 4 where any has occluders. An update takes the place of
// acre_scene_commit. Views, rules, LODs, visible sets, casters, draw lists, pairs, contacts,
// interest and explain are those of culling.h and its neighbors; where these speak of an entity of
// the last commit, an object of the last update is meant.
//
// Words used here:
//     slot    the host's small dense number of an object
//     object  what is in a slot from the update that adds it to the one that removes it
//
// Typical use:
//     acre_culling_create_for_objects(&(acre_culling_def){.tree.half_size = 2048}, &culling);
//     acre_objects objects = {.slot_count = n, .boxes = boxes, .added = all, .added_count = n};
//     acre_culling_update(culling, &objects, NULL);
//     ... each frame: objects = (acre_objects){.slot_count = n, .boxes = boxes,
//                                              .moved_count = ACRE_ALL_MOVED};
//     acre_culling_update(culling, &objects, NULL);
//
// The culler keeps no boxes beside those in its trees. A never-culled object stands in no tree, so
// it has no box: its LOD is 0, and it is infinitely far away. A hidden object stands in no tree
// either: when it is shown again, its box is read anew.
//
// Threading: acre_culling_update and acre_culling_set_rule_numbers are exclusive, as a commit is.
// When they return, nothing of the host's is read any more.
#ifndef ACRE_OBJECTS_H
#define ACRE_OBJECTS_H

#include <acre/culling.h>

ACRE_EXTERN_C_BEGIN

/// In acre_objects.moved_count: every object may have another box. `moved` is not read.
#define ACRE_ALL_MOVED SIZE_MAX

/// The host's arrays, and what changed since the last update. The changes are applied in this
/// order: removed, added, relabeled, moved. Boxes are read of slots that are added, relabeled or
/// moved, and of an object that waits for room after a shortage of memory (acre_culling_update);
/// flags, layers and rules of slots that are added or relabeled; and nothing else is read.
typedef struct acre_objects {
    uint32_t slot_count;  ///< rows of the arrays by slot. Objects in slots at or above it stay as
                          ///< they are; they can be removed
    acre_box_array boxes; ///< world boxes, by slot. An empty box, or a negative half size: there is
                          ///< nothing to cull. NaN: that row is refused, and the object keeps its
                          ///< box. May be zero where no object is added, moved, shown, or no longer
                          ///< never-culled
    const uint32_t *box_slots; ///< NULL: row i of boxes is that of slot i. Else row i is the new
                               ///< box of slot box_slots[i], as a chunk of an entity system has it:
                               ///< one update for each chunk. Of two rows of a slot the last one
                               ///< holds. moved, moved_count and moved_bits are 0 then. An object
                               ///< that is added, shown, or no longer never-culled has nothing to
                               ///< cull until a row has its box
    size_t box_count;          ///< rows of box_slots; 0 without
    const uint32_t *flags;     ///< ACRE_ENTITY_..., by slot; NULL: 0. Other bits mean nothing here
    const uint32_t *layers;    ///< by slot; NULL, and a mask of 0: all
    const uint32_t *removed;   ///< slots. What came and went since the last update is in no list
    size_t removed_count;
    const uint32_t *added; ///< slots. One that is in removed as well, or there already, has another
                           ///< object from now on
    size_t added_count;
    const uint32_t *relabeled; ///< slots whose flags, layers or rules changed
    size_t relabeled_count;
    const uint32_t *moved;      ///< slots with another box
    size_t moved_count;         ///< or ACRE_ALL_MOVED
    const uint64_t *moved_bits; ///< instead of moved: bit (slot & 63) of word slot / 64. Bits of
                                ///< slots without an object mean nothing
    const uint16_t *rules; ///< numbers of rules (view.h) by slot, read of slots that are added or
                           ///< relabeled; 0: none. NULL: an added object has none, and a
                           ///< relabeled one keeps its own
} acre_objects;

/// Creates a culler over objects of the host: none yet. acre_culling_register,
/// acre_culling_unregister, acre_culling_refresh and acre_culling_refresh_bounds, which are for
/// entities of a scene, answer ACRE_ERROR_INVALID_ARGUMENT.
/// @param def NULL: zero, so that all defaults hold. register_all is not read.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL out and as acre_quadtree_create;
/// ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_create_for_objects(const acre_culling_def *def,
                                                                  acre_culling **out);

/// Applies what changed, and keeps the trees up, as a commit does. A bad row is refused, and the
/// others are applied.
/// Cost: where all moved, that of acre_quadtree_refresh_all_from; with box_slots, that of
/// acre_quadtree_refresh_many_from; a list of slots that lie apart takes a third more than
/// gathering their boxes for acre_quadtree_refresh_many.
/// @param report receives how many rows were refused, and of the first one: its row, its result,
/// its rule, and as `field` the number of the list in acre_objects that has the row: removed 7,
/// added 9, relabeled 11, moved 13, box_slots 3; with ACRE_ALL_MOVED and moved_bits boxes, 2, and
/// the row is the slot. May be NULL.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, a culler of a scene, an unknown form, a
/// list without its pointer, boxes without their second part, and what box_slots excludes;
/// ACRE_ERROR_BUSY: somebody uses the culler, or reads a tree of it, and then changes may be lost;
/// ACRE_ERROR_OUT_OF_MEMORY: without room for the slots nothing has changed. An object that found
/// no room in its tree waits: every query finds it until an update that has its box finds room.
/// Each update looks at all objects until none waits, and with boxes by slot it reads the row of
/// one that waits although no list names it. Or the first refused row's error:
/// ACRE_ERROR_INVALID_ARGUMENT for NaN and for an added slot at or above slot_count,
/// ACRE_ERROR_CAPACITY for one at or above the tree's item_capacity, ACRE_ERROR_NOT_FOUND for
/// another slot that has no object, and for one in relabeled or moved that is at or above
/// slot_count.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_update(acre_culling *culling,
                                                      const acre_objects *objects,
                                                      acre_batch_report *report);

/// Moves the world, at once: what stood at p stands at p + offset, as acre_quadtree_shift moves a
/// tree. Move your own arrays, too, and call this before the next update. Slots, rules, layers,
/// contacts and LODs stay; occluders move along, and those of an object that floats
/// cannot hold exactly there are dropped. Visible sets and interests have calls of their own.
/// @param offset double[3]; each at most 2^100 in size.
/// @param boxes where each object stands from now on, by slot, for all slots of the last update.
/// NULL: each keeps its box, moved and rounded outward.
/// @param report may be NULL. Does not count boxes of yours as rounded.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, a culler of a scene (its commit shifts
/// it), an offset out of its range, an unknown form, and a NaN or inverted box of an object that a
/// tree has: then nothing has changed; ACRE_ERROR_BUSY.
/// Threading: exclusive.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_shift(acre_culling *culling, const double *offset,
                                                     const acre_box_array *boxes,
                                                     acre_shift_report *report);

/// Gives the objects of the last update, or the entities of the last commit, in the slots below
/// count their rules at once (view.h): where all change, or where they stand in records. What is
/// new brings its rule along, in acre_objects.rules or acre_entity_def.rule. Slots with nothing in
/// them are passed over, and what comes into them later has the rule that it brings. O(count).
/// @param rules the number of the rule of slot i stands i * stride bytes behind it; 0: none. NULL:
/// no slot has a rule, whatever the count.
/// @param stride in bytes; 0: 2.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for a NULL culler; ACRE_ERROR_OUT_OF_MEMORY:
/// nothing has changed; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_set_rule_numbers(acre_culling *culling,
                                                                const uint16_t *rules,
                                                                size_t stride, size_t count);

/// @return the handle of what is in a slot, for acre_culling_explain, acre_culling_set_rule,
/// contacts and interest: an object of the last update, or an entity of the last commit; null if
/// the slot is free. A handle fits again after 65,535 further objects in its slot.
ACRE_EXPERIMENTAL_API acre_entity acre_culling_object(const acre_culling *culling, uint32_t slot);

ACRE_EXTERN_C_END

#endif
