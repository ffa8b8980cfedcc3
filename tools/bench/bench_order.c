// SPDX-License-Identifier: MIT
// bench_order.c - order for what finds without.
#include "bench_order.h"

#include <math.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

bool hit_is_before(const acre_query_hit *a, const acre_query_hit *b)
{
    return a->distance < b->distance || (a->distance == b->distance && a->item < b->item);
}

float best_limit(const best_hits *best)
{
    return best->count < best->capacity ? INFINITY : best->hits[best->count - 1].distance;
}

void best_offer(best_hits *best, uint32_t item, float distance)
{
    const acre_query_hit hit = {item, distance};
    size_t at = best->count;
    if (at == best->capacity) {
        if (!hit_is_before(&hit, &best->hits[at - 1])) {
            return;
        }
        at--;
    } else {
        best->count++;
    }
    for (; at > 0 && hit_is_before(&hit, &best->hits[at - 1]); at--) {
        best->hits[at] = best->hits[at - 1];
    }
    best->hits[at] = hit;
}

// The sign's bit turns the order around.
uint64_t order_key(float value, uint32_t item)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << 32 | item;
}

float order_value(uint64_t key)
{
    const uint32_t bits = (uint32_t)(key >> 32);
    const uint32_t own = bits & 0x80000000u ? bits & 0x7fffffffu : ~bits;
    float value;
    memcpy(&value, &own, sizeof value);
    return value;
}

static void sort_digit(const uint64_t *from, uint64_t *to, size_t count, int shift)
{
    size_t places[DIGITS] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++) {
        places[from[i] >> shift & (DIGITS - 1)]++;
    }
    for (size_t digit = 0; digit < DIGITS; digit++) {
        const size_t size = places[digit];
        places[digit] = sum;
        sum += size;
    }
    for (size_t i = 0; i < count; i++) {
        to[places[from[i] >> shift & (DIGITS - 1)]++] = from[i];
    }
}

void order_sort(uint64_t *keys, uint64_t *spare, size_t count)
{
    sort_digit(keys, spare, count, 32);
    sort_digit(spare, keys, count, 32 + DIGIT_BITS);
    sort_digit(keys, spare, count, 32 + 2 * DIGIT_BITS);
}
