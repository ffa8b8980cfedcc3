// SPDX-License-Identifier: MIT
// draw_list_internal.h - a draw list's arrays, and the sort that its order is made of.
#ifndef ACRE_DRAW_LIST_INTERNAL_H
#define ACRE_DRAW_LIST_INTERNAL_H

#include <acre/draw_list.h>

#include "column_internal.h"
#include "tasks_internal.h"

struct acre_draw_list {
    acre_allocator allocator;
    // The result of the last build.
    size_t count, range_count;
    acre_matrix_form form;
    int front; ///< the array of slots that was handed out; the next build writes the other
               ///< one, so that a list can be built from its own slots
    COLUMN_OF(uint32_t) slots[2];
    COLUMN_OF(acre_draw_range) ranges;
    COLUMN_OF(float) matrices;
    // Scratch of a build.
    COLUMN_OF(uint64_t) records[2]; ///< what is sorted by << 32 | position in the input
    COLUMN_OF(uint64_t) groups;     ///< by position in the input: key << 8 | LOD
    COLUMN_OF(uint32_t) counts;     ///< digits of each range, where workers sort
};

// draw_list_shares.c

enum {
    DRAW_SHARE = 8192,      // slots that are worth a share: a build forks some 14 times
    DRAW_SORT_RANGES = 16,  // of records, at most
    DRAW_LARGEST_DIGIT = 11 // bits by which a pass sorts
};

/// Runs a function for positions first to end - 1 of a call; ranges do not overlap.
typedef void draw_range_function(void *call, size_t first, size_t end);

/// Runs it for all positions below count: on this thread, or in blocks of a multiple of 64 on
/// several workers.
void acre_draw_run(const acre_tasks *tasks, uint32_t shares, size_t count, draw_range_function *run,
                   void *call);

// draw_list_sort.c

/// Records to sort, and an array of the same length, with which a sort swaps them.
typedef struct draw_records {
    uint64_t *now, *other;
    size_t count;
    const acre_tasks *tasks; ///< used if shares is above 1
    uint32_t shares;
    uint32_t *counts; ///< DRAW_SORT_RANGES << DRAW_LARGEST_DIGIT; used as tasks is
} draw_records;

/// Sorts by the digit of that many bits from bit shift on, into the other array, in shares. The two
/// arrays are not exchanged. @return false if all records have the same digit: then nothing is
/// done.
bool acre_draw_sort_digit(const draw_records *records, uint32_t shift, uint32_t bits);

/// Sorts by the upper halves, ascending; equal records keep their order. O(count).
void acre_draw_records_sort(draw_records *records);

/// Sorts by the upper halves, then by slots[lower half]. Overwrites the upper halves. O(count).
void acre_draw_records_sort_with_slots(draw_records *records, const uint32_t *slots);

// draw_list_gather.c

/// Writes the matrices of slots from an array of the caller's that has a row for each.
void acre_draw_gather(const acre_matrix_array *worlds, const uint32_t *slots, size_t count,
                      acre_matrix_form form, float *out);

static inline uint64_t draw_record(uint32_t value, uint32_t position)
{
    return (uint64_t)value << 32 | position;
}

static inline uint32_t draw_record_position(uint64_t record)
{
    return (uint32_t)record;
}

#endif
