// SPDX-License-Identifier: MIT
// column_internal.h - a growable array of elements of one size, as containers keep many of them.
//
// The element's size stands at the calls, not in the column: there it is a constant.
#ifndef ACRE_COLUMN_INTERNAL_H
#define ACRE_COLUMN_INTERNAL_H

#include <acre/alloc.h>

/// Zero is empty. Elements beyond those that its owner uses are zero or stale.
typedef struct column {
    void *data;      ///< aligned to 64 bytes; NULL while capacity is 0
    size_t capacity; ///< elements
} column;

/// Room for count elements, at least doubled where it grows; new ones are zero. On failure the
/// column is as it was.
bool acre_column_reserve(const acre_allocator *allocator, column *c, size_t count, size_t element);

/// Gives back what lies beyond count elements, rounded up to 64 of them. Where the allocator
/// fails, the column stays as it is.
void acre_column_shrink(const acre_allocator *allocator, column *c, size_t count, size_t element);

/// Frees all elements; the column is empty then.
void acre_column_free(const acre_allocator *allocator, column *c, size_t element);

#endif
