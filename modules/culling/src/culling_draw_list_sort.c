// SPDX-License-Identifier: MIT
// culling_draw_list_sort.c - stable sorts of 32-bit numbers, each with the position it came from.
//
// Least significant digit first (Knuth 1973, section 5.2.5), over the bits between the lowest and
// the highest in which any two numbers differ: keys of a small range take one pass, which is a
// counting sort. Distances have many bits, of which the highest tell nearly all apart: two passes
// sort by those, and the short runs that are left are sorted by insertion.
#include "culling_draw_list_internal.h"

#include <string.h>

enum {
    // Up to so many records insertion is faster than one pass over a table of counts.
    FEW = 40,
    // Digits are smaller where clearing and adding up the counts would take most of the time.
    MANY = 4096,
    SMALL_DIGIT = 8,
    LARGE_DIGIT = 11,
    HIGH_DIGITS = 2
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

// By so many digits from the highest bit that differs downwards, or by all bits that differ.
// @return the lowest bit that counted.
static uint32_t sort_by_digits(draw_records *records, uint32_t most)
{
    const uint32_t differ = differing_bits(records);
    const uint32_t digit = records->count < MANY ? SMALL_DIGIT : LARGE_DIGIT;
    uint32_t low = 0, high = 32;
    if (differ == 0) {
        return 0;
    }
    while (!(differ >> low & 1)) {
        low++;
    }
    while (!(differ >> (high - 1) & 1)) {
        high--;
    }
    low = high - low > most * digit ? high - most * digit : low;
    const uint32_t lowest = low, passes = (high - low + digit - 1) / digit;
    for (uint32_t i = 0; i < passes; i++) {
        // Digits of nearly the same size: the last is not a full pass for a bit or two.
        const uint32_t bits = (high - low + passes - i - 1) / (passes - i);
        pass(records, 32 + low, bits);
        low += bits;
    }
    return lowest;
}

void acre_draw_records_sort(draw_records *records)
{
    if (records->count <= FEW) {
        insert_each(records->now, records->count);
    } else {
        (void)sort_by_digits(records, 32);
    }
}

static bool is_before(uint64_t a, uint64_t b, const uint32_t *slots)
{
    const uint32_t value_a = draw_record_value(a), value_b = draw_record_value(b);
    return value_a < value_b ||
           (value_a == value_b && slots[draw_record_position(a)] < slots[draw_record_position(b)]);
}

static void insert_each_with_slots(uint64_t *records, size_t count, const uint32_t *slots)
{
    for (size_t i = 1; i < count; i++) {
        const uint64_t record = records[i];
        size_t hole = i;
        for (; hole > 0 && is_before(record, records[hole - 1], slots); hole--) {
            records[hole] = records[hole - 1];
        }
        records[hole] = record;
    }
}

// How many records from the first on are the same from bit shift on.
static size_t run_length(const uint64_t *records, size_t count, uint32_t shift)
{
    size_t length = 1;
    while (length < count && (records[length] ^ records[0]) >> shift == 0) {
        length++;
    }
    return length;
}

// The result stands where the records stood.
static void sort_in_place(uint64_t *now, uint64_t *other, size_t count)
{
    draw_records run = {now, other, count};
    acre_draw_records_sort(&run);
    if (run.now != now) {
        memcpy(now, run.now, count * sizeof *now);
    }
}

// A long run: by all bits of the values, then those of the same value by their slots.
static void sort_long_run(uint64_t *now, uint64_t *other, size_t count, const uint32_t *slots)
{
    sort_in_place(now, other, count);
    for (size_t first = 0, length; first < count; first += length) {
        length = run_length(now + first, count - first, 32);
        for (size_t i = first; length > 1 && i < first + length; i++) {
            const uint32_t position = draw_record_position(now[i]);
            now[i] = draw_record(slots[position], position);
        }
        sort_in_place(now + first, other + first, length);
    }
}

void acre_draw_records_sort_with_slots(draw_records *records, const uint32_t *slots)
{
    if (records->count <= FEW) {
        insert_each_with_slots(records->now, records->count, slots);
        return;
    }
    const uint32_t shift = 32 + sort_by_digits(records, HIGH_DIGITS);
    uint64_t *const now = records->now;
    for (size_t first = 0, length; first < records->count; first += length) {
        length = 1;
        if (first + 1 < records->count && (now[first] ^ now[first + 1]) >> shift != 0) {
            continue; // nearly all are alone
        }
        length = run_length(now + first, records->count - first, shift);
        if (length > FEW) {
            sort_long_run(now + first, records->other + first, length, slots);
        } else {
            insert_each_with_slots(now + first, length, slots);
        }
    }
}
