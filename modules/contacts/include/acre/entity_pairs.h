// SPDX-License-Identifier: MIT
// entity_pairs.h - which entities overlap: all pairs, those of one entity, and what began and ended
// since the last time.
//
// The broad phase of a game: collisions, triggers, who stands in whose zone. It asks both trees of
// a culler at once: moving with moving entities, and moving with static ones.
//
// Words used here are those of quadtree_pairs.h: pair, meet, contact.
//
// Who can be a pair: what queries can find by its box, that is registered entities as the last
// commit or refresh left them, with their boxes and layers. Edits that are only recorded do not
// count yet; an entity that was destroyed makes pairs until the next commit. Hidden entities make
// none, nor do those without a box and never-cull ones, which have no box for the culler. A zone
// that nobody should see is therefore no hidden entity: it stands in a layer that no camera asks
// for. Rules of visibility (view.h) do not matter. After a commit that was short of memory,
// entities that found no room make no pairs until a commit finds some.
//
// Typical use:
//     acre_entity_contacts_create(NULL, &contacts);
//     ... each step, after acre_scene_commit:
//     acre_entity_contacts_update(contacts, culling, NULL);
//     const acre_entity_contacts_lists lists = acre_entity_contacts_get(contacts);
//     for (size_t i = 0; i < lists.began_count; i++) { ring(lists.began[i].a, lists.began[i].b); }
//
// Threading: functions on a const culler may run from many threads, as its queries, each with a
// tracker of its own. A tracker belongs to one thread at a time.
#ifndef ACRE_ENTITY_PAIRS_H
#define ACRE_ENTITY_PAIRS_H

#include <acre/culling.h>
#include <acre/quadtree_pairs.h>

ACRE_EXTERN_C_BEGIN

/// For acre_pairs_rules.flags, beside those of trees.
enum {
    ACRE_PAIRS_AMONG_STATIC = 1u << 16 ///< two static entities are a pair, too
};

/// All pairs of entities, each once, as slots with a < b: those among the moving ones in the order
/// of acre_quadtree_pairs, those of a moving and a static one in the order of
/// acre_quadtree_pairs_between, those among the static ones if they are asked for, which costs
/// a search of the static tree each time. Costs what these searches cost: 100,000 moving and as
/// many static boxes with 51,600 pairs 5.2 ms (modules/culling/README.md).
/// @param rules as for trees, also with ACRE_PAIRS_AMONG_STATIC; meets speaks of the entities'
/// layers; NULL: zero.
/// @param total receives how many pairs there are, also when capacity is smaller; may be NULL.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL and unknown flags; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_culling_pairs(const acre_culling *culling, const acre_pairs_rules *rules,
                                        acre_pair *pairs, size_t capacity, size_t *total);

/// Slots of the entities that make a pair with one entity, without itself, each once: the moving
/// ones, then the static ones, within them in the order of acre_quadtree_query_visit. One that is
/// in no tree, such as a hidden one, has none. Costs a query of both trees, 0.7 us there.
/// @return as acre_culling_pairs; ACRE_ERROR_STALE_HANDLE if it was not in the last commit;
/// ACRE_ERROR_NOT_FOUND if it is not registered.
ACRE_API acre_result acre_culling_entity_pairs(const acre_culling *culling, acre_entity entity,
                                               const acre_pairs_rules *rules, uint32_t *slots,
                                               size_t capacity, size_t *total);

/// Two entities; the slot of a is the smaller one.
typedef struct acre_entity_pair {
    acre_entity a, b;
} acre_entity_pair;

/// Follows the pairs of entities from call to call. Its memory grows to what the most pairs needed,
/// 48 bytes a pair and 16 for each that began or ended at once, at most twice that, and then stays.
typedef struct acre_entity_contacts acre_entity_contacts;

/// @param allocator copied; NULL: the C library's heap.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT; ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_API acre_result acre_entity_contacts_create(const acre_allocator *allocator,
                                                 acre_entity_contacts **out);

/// Frees everything. NULL is allowed.
ACRE_API void acre_entity_contacts_destroy(acre_entity_contacts *contacts);

/// Finds the pairs now and compares them with those of the last update, by their handles: an entity
/// that took over a slot begins contacts of its own, and those of the old one end, under its old
/// handle. What moves and what is static makes no difference to that: a contact lasts while flags
/// change. An entity that is hidden, unregistered or destroyed ends its contacts, in the first
/// update behind the commit. Nothing of the culler is remembered; it may be edited or destroyed
/// between updates, or be another one: what it does not have ends. (Scenes whose cullers share a
/// tracker should have different numbers, see acre_scene_def.)
/// Costs acre_culling_pairs and some 30 ns for each pair.
/// @return as acre_culling_pairs; ACRE_ERROR_OUT_OF_MEMORY. On error the lists are as before.
ACRE_API acre_result acre_entity_contacts_update(acre_entity_contacts *contacts,
                                                 const acre_culling *culling,
                                                 const acre_pairs_rules *rules);

/// Lists of pairs, each sorted by the slot of a, then of b.
typedef struct acre_entity_contacts_lists {
    const acre_entity_pair *now, *began, *ended;
    size_t now_count, began_count, ended_count;
    size_t bytes; ///< that the tracker holds
} acre_entity_contacts_lists;

/// What the last update found; valid until the next one. Of NULL: nothing.
/// Handles of ended pairs, and of others after a later edit, may be stale: the scene refuses them.
ACRE_API acre_entity_contacts_lists acre_entity_contacts_get(const acre_entity_contacts *contacts);

ACRE_EXTERN_C_END

#endif
