// SPDX-License-Identifier: MIT
// interest_kernel_loops.h - what kernels do slot by slot where vectors do not help.
#ifndef ACRE_INTEREST_KERNEL_LOOPS_H
#define ACRE_INTEREST_KERNEL_LOOPS_H

#include "interest_internal.h"

#include "bits_internal.h"

static inline uint32_t same_bits(const uint32_t *items, uint32_t item)
{
    uint32_t same = 0;
    for (uint32_t i = 0; i < ACRE_GROUP_ITEMS; i++) {
        same |= (uint32_t)(items[i] == item) << i;
    }
    return same;
}

static inline uint32_t equal_bits(const uint32_t *a, const uint32_t *b)
{
    uint32_t equal = 0;
    for (uint32_t i = 0; i < ACRE_GROUP_ITEMS; i++) {
        equal |= (uint32_t)(a[i] == b[i]) << i;
    }
    return equal;
}

static inline uint32_t set_of_words(const uint32_t *numbers, const uint64_t *words,
                                    size_t word_count)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < ACRE_GROUP_ITEMS; i++) {
        const size_t word = numbers[i] / 64; // a branch for each number would wait for its bit
        const uint64_t bits = words[word < word_count ? word : 0] >> (numbers[i] & 63);
        set |= (uint32_t)(bits & (word < word_count)) << i;
    }
    return set;
}

static inline void append_set_items(const uint32_t *items, uint32_t set, uint32_t *out)
{
    for (; set; set &= set - 1) {
        *out++ = items[lowest_bit(set)];
    }
}

static inline void append_marks(uint32_t set, const uint32_t *below, uint32_t limits, uint8_t *out)
{
    for (; set; set &= set - 1) {
        const uint32_t i = lowest_bit(set);
        uint32_t marks = (below[LIMIT_ENTER] >> i & 1) * MARK_INSIDE;
        for (uint32_t limit = LIMIT_BANDS; limit < limits; limit++) {
            marks += ~below[limit] >> i & 1;
        }
        *out++ = (uint8_t)marks;
    }
}

#endif
