// SPDX-License-Identifier: MIT
// object_internal.h - objects of Acre: made, counted and freed by one list of their columns.
//
// The first member of an object is its allocator.
//
//     static void visit_thing(column_visitor *visitor, void *object)
//     {
//         acre_thing *const thing = object;
//         COLUMN_VISIT(visitor, thing->slots);
//     }
//     acre_thing *thing = acre_object_make(allocator, sizeof *thing);
//     size_t bytes = acre_object_bytes(thing, sizeof *thing, visit_thing);
//     acre_object_free(thing, sizeof *thing, visit_thing);
#ifndef ACRE_OBJECT_INTERNAL_H
#define ACRE_OBJECT_INTERNAL_H

#include "column_internal.h"

typedef struct column_visitor {
    const acre_allocator *allocator; ///< columns are freed; NULL: they stay as they are
    size_t bytes;                    ///< of all columns visited so far
} column_visitor;

/// Visits all columns of an object.
typedef void column_visits(column_visitor *visitor, void *object);

#define COLUMN_VISIT(visitor, c) column_visit((visitor), &(c).any, sizeof *(c).data)

static inline void column_visit(column_visitor *visitor, column *c, size_t element)
{
    ACRE_INVARIANT((c->capacity == 0) == (c->data == NULL));
    visitor->bytes += c->capacity * element;
    if (visitor->allocator) {
        acre_column_free(visitor->allocator, c, element);
    }
}

/// Makes an object of zeros.
/// @param allocator copied; NULL: the C library's heap.
/// @return NULL: no memory.
void *acre_object_make(const acre_allocator *allocator, size_t size);

/// @return the bytes of an object and its columns.
size_t acre_object_bytes(const void *object, size_t size, column_visits *visit);

/// Frees an object and its columns. NULL is allowed.
void acre_object_free(void *object, size_t size, column_visits *visit);

#endif
