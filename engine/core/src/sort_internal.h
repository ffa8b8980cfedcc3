// SPDX-License-Identifier: MIT
// sort_internal.h - sorts of numbers and of pairs of numbers, without recursion or memory.
#ifndef ACRE_SORT_INTERNAL_H
#define ACRE_SORT_INTERNAL_H

#include <acre/base.h>

/// In place, by heapsort (Williams 1964).
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

// sort.c

/// Sorts pairs, two numbers each, by the first, then the second; least significant digit first
/// (Knuth 1973, section 5.2.5). O(count).
/// @param other room for as many.
/// @return where they stand in order: pairs or other.
uint32_t *acre_sort_number_pairs(uint32_t *pairs, uint32_t *other, size_t count);

/// The same by the first number alone: pairs with the same one stay in their order.
uint32_t *acre_sort_pairs_by_first(uint32_t *pairs, uint32_t *other, size_t count);

#endif
