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
