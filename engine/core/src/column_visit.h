// SPDX-License-Identifier: MIT
// column_visit.h - one list of an object's columns serves to free them and to count their bytes.
//
//     static void visit_columns(column_visitor *visitor, acre_thing *thing)
//     {
//         COLUMN_VISIT(visitor, thing->slots);
//     }
//     visit_columns(&(column_visitor){.allocator = &allocator}, thing);       // frees all
//     column_visitor visitor = {0};
//     visit_columns(&visitor, thing);                                         // visitor.bytes
#ifndef ACRE_COLUMN_VISIT_H
#define ACRE_COLUMN_VISIT_H

#include "column_internal.h"

typedef struct column_visitor {
    const acre_allocator *allocator; ///< columns are freed; NULL: they stay as they are
    size_t bytes;                    ///< of all columns visited so far
} column_visitor;

#define COLUMN_VISIT(visitor, c) column_visit((visitor), &(c).any, sizeof *(c).data)

static inline void column_visit(column_visitor *visitor, column *c, size_t element)
{
    ACRE_INVARIANT((c->capacity == 0) == (c->data == NULL));
    visitor->bytes += c->capacity * element;
    if (visitor->allocator) {
        acre_column_free(visitor->allocator, c, element);
    }
}

#endif
