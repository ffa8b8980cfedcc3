// SPDX-License-Identifier: MIT
// prefetch_internal.h - asks for a line of memory that a loop needs some turns later.
#ifndef ACRE_PREFETCH_INTERNAL_H
#define ACRE_PREFETCH_INTERNAL_H

#include "compiler_internal.h"

#include <stddef.h>
#include <stdint.h>

// Prefetches the cache line of an address, which may be any address at all.
static inline void prefetch_line(const void *address)
{
    compiler_prefetch(address);
}

// Prefetches an element of an array. The index may lie outside the array: a slot that nobody has
// checked yet may hold any number.
static inline void prefetch_element(const void *array, size_t index, size_t size)
{
    prefetch_line((const void *)((uintptr_t)array + index * size));
}

#endif
