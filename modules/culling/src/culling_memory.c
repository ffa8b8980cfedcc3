// SPDX-License-Identifier: MIT
// culling_memory.c - the culler's arrays, by slot.
#include "culling_internal.h"

#define FIRST_CAPACITY 64

bool acre_culling_reserve(acre_culling *culling, column *array, size_t count, size_t element)
{
    return acre_column_reserve(&culling->allocator, array, count, element);
}

bool acre_culling_reserve_slots(acre_culling *culling, size_t count)
{
    const size_t now = culling->slots.capacity;
    if (count <= now) {
        return true;
    }
    // All for the same number of slots, slots last: its capacity speaks for all of them.
    const size_t wanted = count < 2 * now ? 2 * now : count;
    const size_t slots = wanted < FIRST_CAPACITY ? FIRST_CAPACITY : wanted;
    const size_t words = (slots + 63) / 64;
    return acre_culling_reserve(culling, &culling->never, words, sizeof(uint64_t)) &&
           acre_culling_reserve(culling, &culling->never_summary, (words + 63) / 64,
                                sizeof(uint64_t)) &&
           acre_culling_reserve(culling, &culling->slots, slots, sizeof(culling_slot));
}

void acre_culling_free_arrays(acre_culling *culling)
{
    const acre_allocator *const allocator = &culling->allocator;
    acre_column_free(allocator, &culling->slots, sizeof(culling_slot));
    acre_column_free(allocator, &culling->never, sizeof(uint64_t));
    acre_column_free(allocator, &culling->never_summary, sizeof(uint64_t));
    acre_column_free(allocator, &culling->own_boxes, sizeof(acre_aabb));
    acre_column_free(allocator, &culling->refreshed, sizeof(uint32_t));
    acre_column_free(allocator, &culling->rules, sizeof(acre_visibility_rule));
    acre_column_free(allocator, &culling->slot_rules, sizeof(uint16_t));
    culling->rule_count = 0;
    culling->rules_hide = false;
    culling->revision++;
}
