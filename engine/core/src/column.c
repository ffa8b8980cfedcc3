// SPDX-License-Identifier: MIT
// column.c - growable arrays on the caller's allocator.
#include "column_internal.h"

#include <string.h>

#define COLUMN_ALIGNMENT 64
#define FIRST_CAPACITY 64

// From so many bytes on a column grows by an eighth. Doubled, it would touch as many new pages
// within one frame as it has, and half of them might stay empty.
#define LARGE_COLUMN ((size_t)1 << 20)

static size_t roomier_capacity(size_t capacity, size_t element, size_t first)
{
    if (capacity < first / 2 + first % 2) {
        return first;
    }
    return capacity + (capacity < LARGE_COLUMN / element ? capacity : capacity / 8);
}

bool acre_column_reserve(const acre_allocator *allocator, column *c, size_t count, size_t element)
{
    return acre_column_reserve_from(allocator, c, count, element, FIRST_CAPACITY);
}

bool acre_column_reserve_from(const acre_allocator *allocator, column *c, size_t count,
                              size_t element, size_t first)
{
    ACRE_ASSERT(element > 0 && first > 0);
    ACRE_INVARIANT((c->data == NULL) == (c->capacity == 0));
    if (count <= c->capacity) {
        return true;
    }
    size_t capacity = roomier_capacity(c->capacity, element, first);
    if (capacity < count) {
        capacity = count;
    }
    if (capacity > SIZE_MAX / 2 / element) {
        return false;
    }
    const size_t old_size = c->capacity * element;
    unsigned char *const grown =
        acre_resize(allocator, c->data, old_size, capacity * element, COLUMN_ALIGNMENT);
    if (!grown) {
        return false;
    }
    ACRE_ASSERT(((uintptr_t)grown & (COLUMN_ALIGNMENT - 1)) == 0);
    memset(grown + old_size, 0, capacity * element - old_size);
    c->data = grown;
    c->capacity = capacity;
    return true;
}

void acre_column_shrink(const acre_allocator *allocator, column *c, size_t count, size_t element)
{
    ACRE_ASSERT(element > 0);
    if (count >= c->capacity) {
        return;
    }
    const size_t capacity = (count + FIRST_CAPACITY - 1) / FIRST_CAPACITY * FIRST_CAPACITY;
    if (capacity == 0) {
        acre_column_free(allocator, c, element);
    } else if (capacity < c->capacity) {
        void *const data = acre_resize(allocator, c->data, c->capacity * element,
                                       capacity * element, COLUMN_ALIGNMENT);
        if (data) {
            *c = (column){data, capacity};
        }
    }
}

void acre_column_free(const acre_allocator *allocator, column *c, size_t element)
{
    if (c->data) {
        (void)acre_resize(allocator, c->data, c->capacity * element, 0, COLUMN_ALIGNMENT);
    }
    *c = (column){NULL, 0};
}
