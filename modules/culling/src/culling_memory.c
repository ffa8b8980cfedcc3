// SPDX-License-Identifier: MIT
// culling_memory.c - the culler's arrays, by slot.
#include "culling_internal.h"

#define FIRST_CAPACITY 64

// Rules for all slots, once entities are created with some.
static bool reserve_created_rules(acre_culling *culling)
{
    const uint32_t *rules;
    return acre_scene_rules(culling->scene, &rules) == 0 ||
           acre_culling_reserve_rules(culling, culling->slots.capacity);
}

bool acre_culling_reserve_slots(acre_culling *culling, size_t count)
{
    const size_t now = culling->slots.capacity;
    if (count <= now) {
        return reserve_created_rules(culling);
    }
    // With room for an eighth more: else a world that was loaded at once, and then has one entity
    // replaced, would double its arrays within that frame.
    const size_t roomy = count + count / 8;
    // All for the same number of slots, slots last: its capacity speaks for all of them.
    const size_t wanted = roomy < 2 * now ? 2 * now : roomy;
    const size_t slots = wanted < FIRST_CAPACITY ? FIRST_CAPACITY : wanted;
    const size_t words = (slots + 63) / 64;
    const acre_allocator *const allocator = &culling->allocator;
    return COLUMN_RESERVE(allocator, culling->never, words) &&
           COLUMN_RESERVE(allocator, culling->never_summary, (words + 63) / 64) &&
           COLUMN_RESERVE(allocator, culling->slots, slots) && reserve_created_rules(culling);
}

// Room for what the trees will hold. A static tree is only made where something is static.
static acre_result reserve_items(acre_culling *culling, const size_t *items)
{
    acre_result first = ACRE_OK;
    for (int i = 0; i < TREE_COUNT && first == ACRE_OK; i++) {
        first = items[i] > 0 ? acre_culling_need_tree(culling, i) : ACRE_OK;
        if (first == ACRE_OK && items[i] > 0) {
            first = acre_quadtree_reserve(culling->trees[i], items[i]);
        }
    }
    return first;
}

acre_result acre_culling_reserve(acre_culling *culling, size_t slots, size_t moving, size_t still)
{
    const size_t items[TREE_COUNT] = {[TREE_MOVING] = moving, [TREE_STATIC] = still};
    acre_result result = culling_begin_edit(culling, true);
    if (result != ACRE_OK) {
        return result;
    }
    if (slots > culling->item_capacity || moving > slots || still > slots) {
        result = ACRE_ERROR_CAPACITY;
    } else if (!acre_culling_reserve_slots(culling, slots)) {
        result = ACRE_ERROR_OUT_OF_MEMORY;
    } else {
        result = reserve_items(culling, items);
    }
    return culling_end_edit(culling, result);
}

acre_result acre_culling_trim(acre_culling *culling)
{
    acre_result first = culling_begin_edit(culling, true);
    if (first != ACRE_OK) {
        return first;
    }
    for (int i = 0; i < TREE_COUNT; i++) {
        if (culling->trees[i]) {
            culling_first_error(&first, acre_quadtree_trim(culling->trees[i]));
        }
    }
    COLUMN_FREE(&culling->allocator, culling->refreshed);
    return culling_end_edit(culling, first);
}

void acre_culling_visit_arrays(column_visitor *visitor, void *object)
{
    acre_culling *const culling = object;
    COLUMN_VISIT(visitor, culling->slots);
    COLUMN_VISIT(visitor, culling->never);
    COLUMN_VISIT(visitor, culling->never_summary);
    COLUMN_VISIT(visitor, culling->refreshed);
    COLUMN_VISIT(visitor, culling->object_layers);
    COLUMN_VISIT(visitor, culling->rules);
    COLUMN_VISIT(visitor, culling->slot_rules);
    COLUMN_VISIT(visitor, culling->occluders);
    COLUMN_VISIT(visitor, culling->slot_occluders);
}

void acre_culling_free_arrays(acre_culling *culling)
{
    acre_culling_visit_arrays(&(column_visitor){.allocator = &culling->allocator}, culling);
    culling->rule_count = 0;
    culling->rules_hide = false;
    culling->occluder_count = culling->occluders_used = culling->free_occluders = 0;
    culling->revision++;
}
