// SPDX-License-Identifier: MIT
// draw_list_sort.c - stable sorts of 32-bit numbers, each with the position it came from.
//
// Least significant digit first (Knuth 1973, section 5.2.5), over the bits between the lowest and
// the highest in which any two numbers differ: keys of a small range take one pass, which is a
// counting sort, and distances three. Two passes over their highest bits and insertion for what is
// left took 19 ns in place of 21 for each of 50,000, but 29 in place of 24 where the eye is in a
// box: a distance of 0 makes the bits of all exponents differ.
#include "draw_list_internal.h"

#include "bits_internal.h"

#include <string.h>

enum {
    // Up to so many records insertion is faster than one pass over a table of counts.
    FEW = 40,
    // Digits are smaller where clearing and adding up the counts would take most of the time.
    MANY = 1024,
    SMALL_DIGIT = 8,
    LARGE_DIGIT = DRAW_LARGEST_DIGIT
};

static void insert_each(uint64_t *records, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const uint64_t record = records[i];
        size_t hole = i;
        for (; hole > 0 && records[hole - 1] >> 32 > record >> 32; hole--) {
            records[hole] = records[hole - 1];
        }
        records[hole] = record;
    }
}

static void swap_sides(draw_records *records)
{
    uint64_t *const now = records->now;
    records->now = records->other;
    records->other = now;
}

// One pass: by the digit of that many bits from bit shift on.
static void pass(draw_records *records, uint32_t shift, uint32_t bits)
{
    ACRE_INVARIANT(bits <= LARGE_DIGIT);
    if (records->shares > 1) {
        if (acre_draw_sort_digit(records, shift, bits)) {
            swap_sides(records);
        }
        return;
    }
    uint32_t starts[1u << LARGE_DIGIT];
    const uint32_t mask = (1u << bits) - 1;
    const uint64_t *const from = records->now;
    uint64_t *const to = records->other;
    const size_t count = records->count;
    memset(starts, 0, sizeof *starts << bits);
    for (size_t i = 0; i < count; i++) {
        starts[from[i] >> shift & mask]++;
    }
    if (starts[from[0] >> shift & mask] == count) {
        return; // all alike
    }
    uint32_t start = 0;
    for (uint32_t digit = 0; digit <= mask; digit++) {
        const uint32_t digit_count = starts[digit];
        starts[digit] = start;
        start += digit_count;
    }
    for (size_t i = 0; i < count; i++) {
        to[starts[from[i] >> shift & mask]++] = from[i];
    }
    swap_sides(records);
}

// The bits of upper halves that are not the same in all records.
static uint32_t differing_bits(const draw_records *records)
{
    uint64_t differ = 0;
    for (size_t i = 1; i < records->count; i++) {
        differ |= records->now[i] ^ records->now[0];
    }
    return (uint32_t)(differ >> 32);
}

void acre_draw_records_sort(draw_records *records)
{
    if (records->count <= FEW) {
        insert_each(records->now, records->count);
        return;
    }
    const uint32_t differ = differing_bits(records);
    const uint32_t digit = records->count < MANY ? SMALL_DIGIT : LARGE_DIGIT;
    uint32_t low = differ ? lowest_bit(differ) : 32, high = 32;
    while (high > low && !(differ >> (high - 1) & 1)) {
        high--;
    }
    const uint32_t passes = (high - low + digit - 1) / digit;
    for (uint32_t i = 0; i < passes; i++) {
        // Digits of nearly the same size: the last is not a full pass for a bit or two.
        const uint32_t bits = (high - low + passes - i - 1) / (passes - i);
        pass(records, 32 + low, bits);
        low += bits;
    }
}

// Records of one value, by their slots. The result stands where they stood.
static void sort_by_slots(uint64_t *now, uint64_t *other, size_t count, const uint32_t *slots)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t position = draw_record_position(now[i]);
        now[i] = draw_record(slots[position], position);
    }
    draw_records run = {.now = now, .other = other, .count = count, .shares = 1};
    acre_draw_records_sort(&run);
    if (run.now != now) {
        memcpy(now, run.now, count * sizeof *now);
    }
}

void acre_draw_records_sort_with_slots(draw_records *records, const uint32_t *slots)
{
    acre_draw_records_sort(records);
    uint64_t *const now = records->now;
    for (size_t first = 0, end; first < records->count; first = end) {
        end = first + 1;
        while (end < records->count && (now[end] ^ now[first]) >> 32 == 0) {
            end++;
        }
        if (end - first > 1) {
            sort_by_slots(now + first, records->other + first, end - first, slots);
        }
    }
}
