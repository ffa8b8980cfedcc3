// SPDX-License-Identifier: MIT
// culling_memory.c - the culler's growable arrays.
#include "culling_internal.h"

#include <string.h>

#define ARRAY_ALIGNMENT 64
#define FIRST_CAPACITY 64

bool acre_culling_reserve(acre_culling *culling, culling_array *array, size_t count, size_t element)
{
    if (count <= array->capacity) {
        return true;
    }
    size_t capacity = array->capacity < FIRST_CAPACITY / 2 ? FIRST_CAPACITY : 2 * array->capacity;
    if (capacity < count) {
        capacity = count;
    }
    const size_t old_size = array->capacity * element;
    unsigned char *const grown = acre_resize(&culling->allocator, array->data, old_size,
                                             capacity * element, ARRAY_ALIGNMENT);
    if (!grown) {
        return false;
    }
    memset(grown + old_size, 0, capacity * element - old_size);
    array->data = grown;
    array->capacity = capacity;
    return true;
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

static void free_array(acre_culling *culling, culling_array *array, size_t element)
{
    if (array->data) {
        (void)acre_resize(&culling->allocator, array->data, array->capacity * element, 0,
                          ARRAY_ALIGNMENT);
    }
    *array = (culling_array){NULL, 0};
}

void acre_culling_free_arrays(acre_culling *culling)
{
    free_array(culling, &culling->slots, sizeof(culling_slot));
    free_array(culling, &culling->never, sizeof(uint64_t));
    free_array(culling, &culling->never_summary, sizeof(uint64_t));
    free_array(culling, &culling->own_boxes, sizeof(acre_aabb));
    free_array(culling, &culling->refreshed, sizeof(uint32_t));
}
