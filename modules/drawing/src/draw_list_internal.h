// SPDX-License-Identifier: MIT
// draw_list_internal.h - a draw list's arrays, and the sort that its order is made of.
#ifndef ACRE_DRAW_LIST_INTERNAL_H
#define ACRE_DRAW_LIST_INTERNAL_H

#include <acre/draw_list.h>

#include "column_internal.h"

struct acre_draw_list {
    acre_allocator allocator;
    // The result of the last build.
    size_t count, range_count;
    acre_matrix_form form;
    int front;       ///< the array of slots that was handed out; the next build writes the other
                     ///< one, so that a list can be built from its own slots
    column slots[2]; ///< uint32_t
    column ranges;   ///< acre_draw_range
    column matrices; ///< float
    // Scratch of a build.
    column records[2]; ///< uint64_t: what is sorted by << 32 | position in the input
    column groups;     ///< uint64_t, by position in the input: key << 8 | LOD
};

// draw_list_sort.c

/// Records to sort, and an array of the same length, with which a sort swaps them.
typedef struct draw_records {
    uint64_t *now, *other;
    size_t count;
} draw_records;

/// Sorts by the upper halves, ascending; equal records keep their order. O(count).
void acre_draw_records_sort(draw_records *records);

/// Sorts by the upper halves, then by slots[lower half]. Overwrites the upper halves. O(count).
void acre_draw_records_sort_with_slots(draw_records *records, const uint32_t *slots);

static inline uint64_t draw_record(uint32_t value, uint32_t position)
{
    return (uint64_t)value << 32 | position;
}

static inline uint32_t draw_record_value(uint64_t record)
{
    return (uint32_t)(record >> 32);
}

static inline uint32_t draw_record_position(uint64_t record)
{
    return (uint32_t)record;
}

#endif
