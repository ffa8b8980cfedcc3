// SPDX-License-Identifier: MIT
// prefetch_internal.h - starts to bring a line of memory that a loop needs some turns later.
#ifndef ACRE_PREFETCH_INTERNAL_H
#define ACRE_PREFETCH_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

// The address need not be one of an object: a slot that nobody checked yet may lead anywhere.
static inline void prefetch_element(const void *array, size_t index, size_t size)
{
    const void *const address = (const void *)((uintptr_t)array + index * size);
#if defined(__GNUC__)
    __builtin_prefetch(address);
    __asm__ volatile(""); // without it GCC 12 leaves out calls that do nothing but this
#else
    (void)address;
#endif
}

#endif
