// SPDX-License-Identifier: MIT
// entity_pairs.h - which entities overlap: all pairs, the partners of one entity, and the pairs
// that began and ended since the last update.
//
// Experimental: it may change in any minor version.
//
// This is the broad phase of a game: collisions, triggers, zones. It searches both trees of a
// culler: moving entities against moving ones, and moving entities against static ones.
//
// quadtree_pairs.h explains the words pair, meet and contact.
//
// An entity makes pairs if queries can find it by its box: it is registered, and it has the box and
// layers of the last commit or refresh. Edits that are only recorded do not count yet: a destroyed
// entity makes pairs until the next commit. Hidden entities, entities without a box and never-cull
// entities make none. So a zone that nobody should see is not a hidden entity but an entity in a
// layer that no camera asks for. Rules of visibility (view.h) do not matter. If a commit runs out
// of memory, the entities that found no room make no pairs until a later commit succeeds.
//
// Typical use:
//     acre_entity_contacts_create(NULL, &contacts);
//     ... each step, after acre_scene_commit:
//     acre_entity_contacts_update(contacts, culling, NULL);
//     const acre_entity_contacts_lists lists = acre_entity_contacts_get(contacts);
//     for (size_t i = 0; i < lists.began_count; i++) { ring(lists.began[i].a, lists.began[i].b); }
//
// Threading: these functions only read the culler, so many threads may call them at a time, each
// with a tracker of its own. In a culler with tasks (acre_culling_set_tasks) the search for many
// pairs is divided; pairs and their order stay the same.
#ifndef ACRE_ENTITY_PAIRS_H
#define ACRE_ENTITY_PAIRS_H

#include <acre/culling.h>
#include <acre/quadtree_pairs.h>

ACRE_EXTERN_C_BEGIN

/// More values for acre_pairs_rules.flags.
enum {
    ACRE_PAIRS_AMONG_STATIC = 1u << 16 ///< also list pairs of two static entities
};

/// Lists all pairs of entities, each once, as slots with a < b: first the pairs of two moving
/// entities in the order of acre_quadtree_pairs, then those of a moving and a static entity in the
/// order of acre_quadtree_pairs_between, then, if asked for, those of two static entities. Each of
/// the three is one search of the trees.
/// @param rules as for trees, also with ACRE_PAIRS_AMONG_STATIC; meets is about the entities'
/// layers; NULL: zero.
/// @param total receives the number of pairs, also when capacity is smaller; may be NULL.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL and unknown flags; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_pairs(const acre_culling *culling,
                                                     const acre_pairs_rules *rules,
                                                     acre_pair *pairs, size_t capacity,
                                                     size_t *total);

/// Lists the entities that make a pair with one entity, as slots, each once: first the moving ones,
/// then the static ones, each in the order of acre_quadtree_query_visit. An entity that is in no
/// tree, such as a hidden one, has no partners. Costs a box query of both trees.
/// @return as acre_culling_pairs; ACRE_ERROR_STALE_HANDLE if the entity was not in the last commit;
/// ACRE_ERROR_NOT_FOUND if it is not registered.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_entity_pairs(const acre_culling *culling,
                                                            acre_entity entity,
                                                            const acre_pairs_rules *rules,
                                                            uint32_t *slots, size_t capacity,
                                                            size_t *total);

/// Two entities; the slot of a is the smaller one.
typedef struct acre_entity_pair {
    acre_entity a, b;
} acre_entity_pair;

/// Follows the pairs of entities from update to update. Its memory grows with the largest number of
/// pairs so far: 48 bytes a pair and 16 for each that began or ended in one update, at most twice
/// that. It does not shrink.
typedef struct acre_entity_contacts acre_entity_contacts;

/// Makes a tracker without pairs.
/// @param allocator copied; NULL: the C library's heap.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL out; ACRE_ERROR_OUT_OF_MEMORY. On error
/// *out is NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_entity_contacts_create(const acre_allocator *allocator,
                                                              acre_entity_contacts **out);

/// Frees everything. NULL is allowed.
ACRE_EXPERIMENTAL_API void acre_entity_contacts_destroy(acre_entity_contacts *contacts);

/// Finds the pairs and compares them with those of the last update, by handle: when a new entity
/// takes over a slot, the old entity's contacts end under its old handle and the new one's begin. A
/// contact goes on while its entities change between moving and static. When an entity is hidden,
/// unregistered or destroyed, its contacts end in the first update after the commit. The tracker
/// remembers handles only, so the culler may be edited, destroyed or replaced by another between
/// updates: pairs that the given culler does not have end. (If cullers of several scenes share a
/// tracker, give the scenes different numbers, see acre_scene_def.)
/// Costs acre_culling_pairs and a sort of the pairs.
/// @return as acre_culling_pairs; ACRE_ERROR_OUT_OF_MEMORY. On error the lists are as before.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_entity_contacts_update(acre_entity_contacts *contacts,
                                                              const acre_culling *culling,
                                                              const acre_pairs_rules *rules);

/// Lists of pairs, each sorted by the slot of a, then of b.
typedef struct acre_entity_contacts_lists {
    const acre_entity_pair *now;   ///< all pairs of the last update
    const acre_entity_pair *began; ///< pairs that the update before did not have
    const acre_entity_pair *ended; ///< pairs that only the update before had
    size_t now_count;
    size_t began_count;
    size_t ended_count;
    size_t bytes; ///< memory of the tracker
} acre_entity_contacts_lists;

/// @return the lists of the last update, valid until the next one; empty lists for NULL. Handles of
/// ended pairs may be stale, and so may others after later edits: the scene refuses them.
ACRE_EXPERIMENTAL_API acre_entity_contacts_lists
acre_entity_contacts_get(const acre_entity_contacts *contacts);

ACRE_EXTERN_C_END

#endif
