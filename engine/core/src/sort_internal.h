// SPDX-License-Identifier: MIT
// sort_internal.h - sorts numbers in place, without recursion or memory.
#ifndef ACRE_SORT_INTERNAL_H
#define ACRE_SORT_INTERNAL_H

#include <acre/base.h>

/// By heapsort (Williams 1964).
static inline void sort_ascending(uint32_t *numbers, size_t count)
{
    size_t start = count / 2;
    for (size_t end = count; end > 1;) {
        uint32_t value;
        if (start > 0) {
            value = numbers[--start];
        } else {
            value = numbers[--end];
            numbers[end] = numbers[0];
        }
        size_t hole = start;
        for (size_t child; (child = hole * 2 + 1) < end; hole = child) {
            child += child + 1 < end && numbers[child + 1] > numbers[child];
            if (numbers[child] <= value) {
                break;
            }
            numbers[hole] = numbers[child];
        }
        numbers[hole] = value;
    }
}

#endif
