// SPDX-License-Identifier: MIT
// sort.c - a radix sort of pairs of numbers.
#include "sort_internal.h"

#include "assert_internal.h"

#include <string.h>

enum { MOST_DIGIT_BITS = 11, MOST_DIGITS = 1 << MOST_DIGIT_BITS, NUMBER_BITS = 32 };

static uint32_t bit_length(uint32_t number)
{
    uint32_t bits = 0;
    while (bits < NUMBER_BITS && number >> bits) {
        bits++;
    }
    return bits;
}

// A key is a pair's first number above the bits that the second one needs: keys have the order of
// pairs.
typedef struct pair_keys {
    uint32_t bits;        // in a key
    uint32_t second_bits; // in it, of the second number
    uint32_t second_mask; // 0: a key has the first number alone
    uint32_t digit_bits;
} pair_keys;

static uint64_t pair_key(const pair_keys *keys, const uint32_t *pair)
{
    return (uint64_t)pair[0] << keys->second_bits | (pair[1] & keys->second_mask);
}

// All digits have the same number of bits, the fewest that do: four digits of 9 bits in place of
// three of 11 and one of 3.
static pair_keys read_keys(const uint32_t *pairs, size_t count, uint32_t second_mask)
{
    uint32_t any_first = 0, any_second = 0;
    for (size_t i = 0; i < count; i++) {
        any_first |= pairs[2 * i];
        any_second |= pairs[2 * i + 1] & second_mask;
    }
    const uint32_t second_bits = bit_length(any_second);
    const uint32_t bits = second_bits + bit_length(any_first);
    const uint32_t digits = (bits + MOST_DIGIT_BITS - 1) / MOST_DIGIT_BITS;
    uint32_t digit_bits = 1;
    while (digit_bits < MOST_DIGIT_BITS && digit_bits * digits < bits) {
        digit_bits++;
    }
    ACRE_INVARIANT(digit_bits * digits >= bits);
    return (pair_keys){bits, second_bits, second_mask, digit_bits};
}

// Turns the counts of digits into the places where each digit begins.
static void add_up(size_t *counts, uint32_t digits)
{
    size_t sum = 0; // there may be more than 2^32 pairs
    for (uint32_t digit = 0; digit < digits; digit++) {
        const size_t here = counts[digit];
        counts[digit] = sum;
        sum += here;
    }
}

// Sorts by one digit after the other, from the lowest. Each pass also counts the digits of the
// next.
static uint32_t *sort_by_keys(uint32_t *pairs, uint32_t *other, size_t count, uint32_t second_mask)
{
    const pair_keys keys = read_keys(pairs, count, second_mask);
    ACRE_ASSERT(count == 0 || (pairs && other && pairs != other));
    const uint32_t digits = 1u << keys.digit_bits;
    size_t starts[MOST_DIGITS], next[MOST_DIGITS];
    memset(starts, 0, digits * sizeof *starts);
    for (size_t i = 0; i < count; i++) {
        starts[pair_key(&keys, pairs + 2 * i) & (digits - 1)]++;
    }
    for (uint32_t shift = 0; shift < keys.bits; shift += keys.digit_bits) {
        add_up(starts, digits);
        ACRE_INVARIANT(starts[0] == 0 && starts[digits - 1] <= count);
        memset(next, 0, digits * sizeof *next);
        for (size_t i = 0; i < count; i++) {
            const uint32_t *const pair = pairs + 2 * i;
            const uint64_t key = pair_key(&keys, pair) >> shift;
            memcpy(other + 2 * starts[key & (digits - 1)]++, pair, 2 * sizeof *pair);
            next[key >> keys.digit_bits & (digits - 1)]++;
        }
        memcpy(starts, next, digits * sizeof *next);
        uint32_t *const sorted = other;
        other = pairs;
        pairs = sorted;
    }
    return pairs;
}

uint32_t *acre_sort_number_pairs(uint32_t *pairs, uint32_t *other, size_t count)
{
    return sort_by_keys(pairs, other, count, UINT32_MAX);
}

uint32_t *acre_sort_pairs_by_first(uint32_t *pairs, uint32_t *other, size_t count)
{
    return sort_by_keys(pairs, other, count, 0);
}
