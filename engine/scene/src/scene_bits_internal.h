// SPDX-License-Identifier: MIT
// scene_bits_internal.h - a set of row numbers as a bitset with a summary, scanned in order.
//
// One bit a row, and one summary bit for each 64 rows: a scan of a million rows of which few are
// set looks at 245 summary words. A summary bit may stay behind over an empty word; the scan
// clears it. A word that is not zero always has its summary bit.
#ifndef ACRE_SCENE_BITS_INTERNAL_H
#define ACRE_SCENE_BITS_INTERNAL_H

#include "bits_internal.h"
#include "column_internal.h"

#define NONE UINT32_MAX

typedef struct row_set {
    COLUMN_OF(uint64_t) words;
    COLUMN_OF(uint64_t) summary;
    bool is_used; ///< a bit may be set
} row_set;

static inline void row_set_add(row_set *set, uint32_t row)
{
    ACRE_INVARIANT(row >> 6 < set->words.capacity && row >> 12 < set->summary.capacity);
    set->words.data[row >> 6] |= (uint64_t)1 << (row & 63);
    set->summary.data[row >> 12] |= (uint64_t)1 << ((row >> 6) & 63);
    set->is_used = true;
}

/// Adds the rows 64 * word + i of the bits i that are set.
static inline void row_set_add_word(row_set *set, uint32_t word, uint64_t bits)
{
    if (bits) {
        ACRE_INVARIANT(word < set->words.capacity && word >> 6 < set->summary.capacity);
        set->words.data[word] |= bits;
        set->summary.data[word >> 6] |= (uint64_t)1 << (word & 63);
        set->is_used = true;
    }
}

static inline void row_set_remove(row_set *set, uint32_t row)
{
    *COLUMN_AT(set->words, row >> 6) &= ~((uint64_t)1 << (row & 63));
}

static inline bool row_set_has(const row_set *set, uint32_t row)
{
    return *COLUMN_AT(set->words, row >> 6) >> (row & 63) & 1;
}

/// @return the first word that is not zero, or SIZE_MAX: the set is empty. A word that is set
/// between two calls is found unless it lies below *cursor * 64. @param cursor 0 at the start.
static inline size_t row_set_first_word(row_set *set, size_t *cursor)
{
    const uint64_t *const words = set->words.data;
    uint64_t *const summary = set->summary.data;
    const size_t count = set->summary.capacity;
    while (*cursor < count) {
        const uint64_t blocks = summary[*cursor];
        if (!blocks) {
            ++*cursor;
            continue;
        }
        const size_t word = *cursor * 64 + lowest_bit(blocks);
        if (words[word]) {
            return word;
        }
        summary[*cursor] = blocks & (blocks - 1);
    }
    set->is_used = false;
    return SIZE_MAX;
}

/// Takes the lowest row out of the set. A row that is added between two calls is found unless it
/// lies below *cursor * 4096. @param cursor 0 at the start. @return NONE when the set is empty.
static inline uint32_t row_set_take(row_set *set, size_t *cursor)
{
    const size_t word = row_set_first_word(set, cursor);
    if (word == SIZE_MAX) {
        return NONE;
    }
    const uint64_t bits = set->words.data[word];
    set->words.data[word] = bits & (bits - 1);
    return (uint32_t)(word * 64 + lowest_bit(bits));
}

/// @return the lowest row >= from, which stays in the set; NONE if there is none.
static inline uint32_t row_set_next(const row_set *set, uint32_t from)
{
    const uint64_t *const words = set->words.data;
    const uint64_t *const summary = set->summary.data;
    const size_t covered = set->summary.capacity * 64;
    const size_t word_count = covered < set->words.capacity ? covered : set->words.capacity;
    size_t word = from >> 6;
    uint64_t mask = UINT64_MAX << (from & 63);
    while (word < word_count) {
        const uint64_t bits = words[word] & mask;
        if (bits) {
            return (uint32_t)(word * 64 + lowest_bit(bits));
        }
        mask = UINT64_MAX;
        word++;
        while (word < word_count && (word & 63) == 0 && summary[word >> 6] == 0) {
            word += 64;
        }
    }
    return NONE;
}

/// @return how many rows are in the set.
static inline size_t row_set_count(const row_set *set)
{
    size_t count = 0;
    for (size_t block = 0; set->is_used && block < set->summary.capacity; block++) {
        for (uint64_t left = set->summary.data[block]; left; left &= left - 1) {
            count += count_bits(set->words.data[block * 64 + lowest_bit(left)]);
        }
    }
    return count;
}

#endif
