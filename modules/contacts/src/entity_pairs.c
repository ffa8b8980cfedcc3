// SPDX-License-Identifier: MIT
// entity_pairs.c - all pairs of entities from both trees, and the partners of one entity.
#include "out_internal.h"
#include "entity_pairs_internal.h"

#include "quadtree_items_shared.h"

#include <math.h>

// The rules without the flags that only entities have.
static acre_pairs_rules rules_of_trees(const acre_pairs_rules *rules)
{
    acre_pairs_rules part = rules ? *rules : (acre_pairs_rules){0};
    part.flags &= ~(uint32_t)ACRE_PAIRS_AMONG_STATIC;
    return part;
}

static bool has_pairs_among(const acre_pairs_rules *rules, int tree)
{
    return tree != TREE_STATIC || (rules && (rules->flags & ACRE_PAIRS_AMONG_STATIC));
}

// The smaller slot stands first.
static void order_pairs(acre_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const acre_pair pair = pairs[i];
        pairs[i].a = pair.a < pair.b ? pair.a : pair.b;
        pairs[i].b = pair.a < pair.b ? pair.b : pair.a;
    }
}

// Adds the pairs with static entities. The static tree is not empty.
static acre_result add_static_pairs(const culling_reader *reader, const acre_pairs_rules *rules,
                                    acre_pair *pairs, size_t capacity, size_t *total)
{
    const acre_pairs_rules part = rules_of_trees(rules);
    const acre_quadtree *const still = reader->trees[TREE_STATIC];
    ACRE_INVARIANT(still && reader->tree_counts[TREE_STATIC] > 0);
    size_t room = culling_room(*total, capacity), found = 0;
    acre_result result = acre_quadtree_pairs_between(reader->trees[TREE_MOVING], still, &part,
                                                     room ? pairs + *total : NULL, room, &found);
    if (result != ACRE_OK) {
        return result;
    }
    if (room > 0) {
        order_pairs(pairs + *total, found < room ? found : room);
    }
    *total += found;
    if (has_pairs_among(rules, TREE_STATIC)) {
        room = culling_room(*total, capacity);
        found = 0;
        result = acre_quadtree_pairs(still, &part, room ? pairs + *total : NULL, room, &found);
        *total += found;
    }
    return result;
}

// An empty moving tree is asked, too, because the tree is what refuses invalid rules.
acre_result acre_entity_pairs_find(const culling_reader *reader, const acre_pairs_rules *rules,
                                   acre_pair *pairs, size_t capacity, size_t *total)
{
    const acre_pairs_rules part = rules_of_trees(rules);
    size_t found = 0;
    acre_result result =
        acre_quadtree_pairs(reader->trees[TREE_MOVING], &part, pairs, capacity, &found);
    if (result == ACRE_OK && reader->tree_counts[TREE_STATIC] > 0) {
        result = add_static_pairs(reader, rules, pairs, capacity, &found);
    }
    if (result == ACRE_OK && total) {
        *total = found;
    }
    return result;
}

acre_result acre_culling_pairs(const acre_culling *culling, const acre_pairs_rules *rules,
                               acre_pair *pairs, size_t capacity, size_t *total)
{
    set_count(total, 0);
    if (!culling || (capacity > 0 && !pairs)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    culling_reader reader;
    if (!acre_culling_begin_reading(culling, &reader)) {
        return ACRE_ERROR_BUSY;
    }
    const acre_result result = acre_entity_pairs_find(&reader, rules, pairs, capacity, total);
    acre_culling_end_reading(&reader);
    return result;
}

// ---- one entity ----

typedef struct entity_partner_search {
    const acre_quadtree *tree; // the tree that is searched
    acre_aabb box;             // of the entity
    uint32_t slot;             // of the entity
    uint32_t flags;            // ACRE_PAIRS_...
    uint32_t *slots;
    size_t capacity, count;
} entity_partner_search;

// Layers that the rules pair with any of these layers, from either side.
static uint32_t layers_that_meet(const acre_pairs_rules *rules, uint32_t layers)
{
    if (!rules || !rules->meets) {
        return layers;
    }
    uint32_t met = 0;
    for (uint32_t layer = 0; layer < 32; layer++) {
        met |= layers >> layer & 1 ? rules->meets[layer] : 0;
        met |= rules->meets[layer] & layers ? UINT32_C(1) << layer : 0;
    }
    return met;
}

static bool boxes_overlap_inside(const entity_partner_search *search, uint32_t slot)
{
    acre_aabb box;
    if (!acre_quadtree_find_box(search->tree, slot, &box)) {
        return false;
    }
    bool overlaps = true;
    for (int axis = 0; axis < 3; axis += search->flags & ACRE_PAIRS_ON_GROUND ? 2 : 1) {
        overlaps &= box.min[axis] < search->box.max[axis] && search->box.min[axis] < box.max[axis];
    }
    return overlaps;
}

// A query's visitor.
static bool take_entity_partners(void *user, const uint32_t *slots, size_t count)
{
    entity_partner_search *const search = user;
    for (size_t i = 0; i < count; i++) {
        if (slots[i] == search->slot || ((search->flags & ACRE_PAIRS_NOT_TOUCHING) &&
                                         !boxes_overlap_inside(search, slots[i]))) {
            continue;
        }
        if (search->count < search->capacity) {
            search->slots[search->count] = slots[i];
        }
        search->count++;
    }
    return true;
}

// Searches both trees for the partners of an item of one of them.
static acre_result search_both_trees(const culling_reader *reader, int own,
                                     const acre_pairs_rules *rules, entity_partner_search *search)
{
    acre_result result = acre_quadtree_get_box(reader->trees[own], search->slot, &search->box);
    ACRE_INVARIANT(result == ACRE_OK);
    acre_aabb box = search->box;
    if (search->flags & ACRE_PAIRS_ON_GROUND) {
        box.min[1] = -INFINITY;
        box.max[1] = INFINITY;
    }
    const uint32_t met =
        layers_that_meet(rules, acre_quadtree_get_layers(reader->trees[own], search->slot));
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &box, .layers = met};
    for (int i = 0; result == ACRE_OK && met && i < TREE_COUNT; i++) {
        if (reader->tree_counts[i] > 0 && (i != own || has_pairs_among(rules, i))) {
            search->tree = reader->trees[i];
            result = acre_quadtree_query_visit(search->tree, &query, take_entity_partners, search);
        }
    }
    return result;
}

static acre_result find_entity_partners(const culling_reader *reader, acre_entity entity,
                                        const acre_pairs_rules *rules,
                                        entity_partner_search *search)
{
    if (!acre_culling_is_published(reader->culling, entity)) {
        return ACRE_ERROR_STALE_HANDLE;
    }
    const culling_slot own = culling_slot_of(&reader->table, search->slot);
    if (own.generation != entity.generation || !(own.bits & SLOT_REGISTERED)) {
        return ACRE_ERROR_NOT_FOUND;
    }
    const int tree = culling_tree_of(own);
    return tree == TREE_COUNT ? ACRE_OK : search_both_trees(reader, tree, rules, search);
}

acre_result acre_culling_entity_pairs(const acre_culling *culling, acre_entity entity,
                                      const acre_pairs_rules *rules, uint32_t *slots,
                                      size_t capacity, size_t *total)
{
    set_count(total, 0);
    const uint32_t known = ACRE_PAIRS_ON_GROUND | ACRE_PAIRS_NOT_TOUCHING | ACRE_PAIRS_AMONG_STATIC;
    const uint32_t flags = rules ? rules->flags : 0;
    if (!culling || (capacity > 0 && !slots) || (flags & ~known)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    culling_reader reader;
    if (!acre_culling_begin_reading(culling, &reader)) {
        return ACRE_ERROR_BUSY;
    }
    entity_partner_search search = {
        .slot = entity.index1 - 1u, .flags = flags, .slots = slots, .capacity = capacity};
    const acre_result result = find_entity_partners(&reader, entity, rules, &search);
    acre_culling_end_reading(&reader);
    if (result == ACRE_OK) {
        set_count(total, search.count);
    }
    return result;
}
