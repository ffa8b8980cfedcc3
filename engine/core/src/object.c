// SPDX-License-Identifier: MIT
// object.c - the memory of an object: of itself, and of its columns.
#include "object_internal.h"

#include "compiler_internal.h"

#include <string.h>

void *acre_object_make(const acre_allocator *allocator, size_t size)
{
    const acre_allocator own = allocator ? *allocator : (acre_allocator){NULL, NULL};
    ACRE_INVARIANT(size >= sizeof own);
    void *const object = acre_resize(&own, NULL, 0, size, NATURAL_ALIGNMENT);
    if (object) {
        memset(object, 0, size);
        memcpy(object, &own, sizeof own);
    }
    return object;
}

size_t acre_object_bytes(const void *object, size_t size, column_visits *visit)
{
    column_visitor visitor = {.allocator = NULL}; // so that nothing changes
    ACRE_INVARIANT(object && visit);
    visit(&visitor, (void *)(uintptr_t)object);
    return visitor.bytes + size;
}

void acre_object_free(void *object, size_t size, column_visits *visit)
{
    if (object) {
        acre_allocator own;
        memcpy(&own, object, sizeof own);
        visit(&(column_visitor){.allocator = &own}, object);
        (void)acre_resize(&own, object, size, 0, NATURAL_ALIGNMENT);
    }
}
