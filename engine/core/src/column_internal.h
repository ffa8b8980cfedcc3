// SPDX-License-Identifier: MIT
// column_internal.h - a growable array of elements of one size, as containers keep many of them.
//
// COLUMN_OF(type) is a column whose elements have a type. The macros below take such a column by
// name; the functions take its `any`, and the element's size as a constant at each call.
//
//     COLUMN_OF(uint32_t) slots;
//     if (COLUMN_RESERVE(allocator, slots, 100)) {
//         *COLUMN_AT(slots, 99) = 7;
//     }
#ifndef ACRE_COLUMN_INTERNAL_H
#define ACRE_COLUMN_INTERNAL_H

#include <acre/alloc.h>

#include "assert_internal.h"

/// Zero is empty. Elements beyond those that its owner uses are zero or stale.
typedef struct column {
    void *data;      ///< aligned to 64 bytes; NULL while capacity is 0
    size_t capacity; ///< elements
} column;

/// A column of elements of one type: `data` is a pointer to it.
#define COLUMN_OF(type)                                                                            \
    union {                                                                                        \
        column any;                                                                                \
        struct {                                                                                   \
            type *data;                                                                            \
            size_t capacity;                                                                       \
        };                                                                                         \
    }

/// A pointer to element i, which lies within the column's capacity.
#define COLUMN_AT(c, i) (&(c).data[column_index((i), (c).capacity)])

#define COLUMN_RESERVE(allocator, c, count)                                                        \
    acre_column_reserve((allocator), &(c).any, (count), sizeof *(c).data)
/// The same for columns that are mostly short and whose elements are large.
#define COLUMN_RESERVE_FROM(allocator, c, count, first)                                            \
    acre_column_reserve_from((allocator), &(c).any, (count), sizeof *(c).data, (first))
#define COLUMN_SHRINK(allocator, c, count)                                                         \
    acre_column_shrink((allocator), &(c).any, (count), sizeof *(c).data)
#define COLUMN_FREE(allocator, c) acre_column_free((allocator), &(c).any, sizeof *(c).data)

static inline size_t column_index(size_t i, size_t capacity)
{
    ACRE_INVARIANT(i < capacity);
    (void)capacity;
    return i;
}

static inline void column_swap(column *a, column *b)
{
    const column held = *a;
    *a = *b;
    *b = held;
}

/// Room for count elements; new ones are zero. A column that grows at least doubles, a large one
/// grows by at least an eighth. On failure the column is as it was.
bool acre_column_reserve(const acre_allocator *allocator, column *c, size_t count, size_t element);

/// The same; `first`: the least capacity, above 0.
bool acre_column_reserve_from(const acre_allocator *allocator, column *c, size_t count,
                              size_t element, size_t first);

/// Gives back what lies beyond count elements, rounded up to 64 of them. Where the allocator
/// fails, the column stays as it is.
void acre_column_shrink(const acre_allocator *allocator, column *c, size_t count, size_t element);

/// Frees all elements; the column is empty then.
void acre_column_free(const acre_allocator *allocator, column *c, size_t element);

#endif
