// SPDX-License-Identifier: MIT
// sort.c - a radix sort of pairs of numbers.
#include "sort_internal.h"

#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, NUMBER_BITS = 32 };

static uint32_t bit_length(uint32_t number)
{
    uint32_t bits = 0;
    while (bits < NUMBER_BITS && number >> bits) {
        bits++;
    }
    return bits;
}

// Keys are in the order of pairs, whatever number of bits is enough for the second number.
static uint64_t key_of(const uint32_t *pair, uint32_t second_bits)
{
    return (uint64_t)pair[0] << second_bits | pair[1];
}

// A digit after the other from the lowest one. Digits begin where the numbers do: the second has as
// many bits as its largest value.
uint32_t *acre_sort_number_pairs(uint32_t *pairs, uint32_t *other, size_t count)
{
    uint32_t any_first = 0, any_second = 0;
    for (size_t i = 0; i < count; i++) {
        any_first |= pairs[2 * i];
        any_second |= pairs[2 * i + 1];
    }
    const uint32_t second_bits = bit_length(any_second);
    const uint32_t bits = second_bits + bit_length(any_first);
    for (uint32_t shift = 0; shift < bits; shift += DIGIT_BITS) {
        size_t starts[DIGITS] = {0}, sum = 0; // pairs may be more than 32 bits count
        for (size_t i = 0; i < count; i++) {
            starts[key_of(pairs + 2 * i, second_bits) >> shift & (DIGITS - 1)]++;
        }
        for (uint32_t digit = 0; digit < DIGITS; digit++) {
            const size_t here = starts[digit];
            starts[digit] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++) {
            const uint32_t *const pair = pairs + 2 * i;
            const size_t to = starts[key_of(pair, second_bits) >> shift & (DIGITS - 1)]++;
            memcpy(other + 2 * to, pair, 2 * sizeof *pair);
        }
        uint32_t *const sorted = other;
        other = pairs;
        pairs = sorted;
    }
    return pairs;
}
