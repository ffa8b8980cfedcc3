// SPDX-License-Identifier: MIT
// partition_tally.c - exact sums of doubles (Kulisch 1971): one number of 2176 bits in fixed point,
// whose digits of 32 bits stand in 64, so that 2^28 additions need no carry.
#include <acre/partition_tally.h>

#include "assert_internal.h"

#include <math.h>
#include <string.h>

enum { TALLY_BITS = 32, TALLY_LOWEST = -1074, TALLY_FRACTION = 52 };
#define TALLY_PENDING_MOST (UINT64_C(1) << 28)

static void add_tally_digits(int64_t *digits, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t exponent = (uint32_t)(bits >> TALLY_FRACTION & 0x7ff);
    uint64_t mantissa = bits & ((UINT64_C(1) << TALLY_FRACTION) - 1);
    mantissa |= (uint64_t)(exponent > 0) << TALLY_FRACTION;
    const uint32_t place = exponent > 0 ? exponent - 1 : 0; // bits above the least double
    const uint32_t digit = place / TALLY_BITS, shift = place % TALLY_BITS;
    ACRE_INVARIANT(digit + 2 < ACRE_TALLY_DIGITS);
    const uint64_t low = (mantissa & 0xffffffffu) << shift, high = (mantissa >> 32) << shift;
    const int64_t parts[3] = {(int64_t)(low & 0xffffffffu),
                              (int64_t)((low >> 32) + (high & 0xffffffffu)), (int64_t)(high >> 32)};
    for (uint32_t i = 0; i < 3; i++) {
        digits[digit + i] += bits >> 63 ? -parts[i] : parts[i];
    }
}

void acre_tally_settle(acre_tally *tally)
{
    for (int i = 0; i + 1 < ACRE_TALLY_DIGITS; i++) {
        const int64_t low = tally->digits[i] & INT64_C(0xffffffff);
        tally->digits[i + 1] += (tally->digits[i] - low) / (INT64_C(1) << TALLY_BITS);
        tally->digits[i] = low;
    }
    tally->pending = 0;
}

static void take_tally_extremes(acre_tally *tally, double min, double max)
{
    tally->min = tally->count == 0 || min < tally->min ? min : tally->min;
    tally->max = tally->count == 0 || max > tally->max ? max : tally->max;
}

void acre_tally_add(acre_tally *tally, double value)
{
    if (!isfinite(value)) {
        tally->skipped++;
        return;
    }
    value += 0.0; // +0 for -0
    take_tally_extremes(tally, value, value);
    tally->count++;
    add_tally_digits(tally->digits, value);
    tally->pending++;
    if (tally->pending >= TALLY_PENDING_MOST) {
        acre_tally_settle(tally);
    }
}

void acre_tally_merge(acre_tally *tally, const acre_tally *other)
{
    acre_tally added = *other;
    acre_tally_settle(&added);
    acre_tally_settle(tally);
    for (int i = 0; i < ACRE_TALLY_DIGITS; i++) {
        tally->digits[i] += added.digits[i];
    }
    acre_tally_settle(tally);
    if (added.count > 0) {
        take_tally_extremes(tally, added.min, added.max);
    }
    tally->count += added.count;
    tally->skipped += added.skipped;
}

// A settled number without its sign. @return whether it was negative.
static bool drop_tally_sign(acre_tally *tally)
{
    if (tally->digits[ACRE_TALLY_DIGITS - 1] >= 0) {
        return false;
    }
    for (int i = 0; i < ACRE_TALLY_DIGITS; i++) {
        tally->digits[i] = -tally->digits[i];
    }
    acre_tally_settle(tally);
    ACRE_INVARIANT(tally->digits[ACRE_TALLY_DIGITS - 1] >= 0);
    return true;
}

// The bits of the digits from a place on, at most 64 of them.
static uint64_t tally_bits_from(const int64_t *digits, int place)
{
    uint64_t bits = 0;
    for (int i = 0; i < 3; i++) {
        const int digit = place / TALLY_BITS + i, shift = i * TALLY_BITS - place % TALLY_BITS;
        const uint64_t value = digit < ACRE_TALLY_DIGITS ? (uint64_t)digits[digit] : 0;
        bits |= shift >= 64 ? 0 : shift >= 0 ? value << shift : value >> -shift;
    }
    return bits;
}

static bool tally_has_bits_below(const int64_t *digits, int place)
{
    for (int i = 0; i < place / TALLY_BITS; i++) {
        if (digits[i] != 0) {
            return true;
        }
    }
    const uint64_t mask = (UINT64_C(1) << place % TALLY_BITS) - 1;
    return ((uint64_t)digits[place / TALLY_BITS] & mask) != 0;
}

double acre_tally_sum(const acre_tally *tally)
{
    acre_tally sum = *tally;
    acre_tally_settle(&sum);
    const double sign = drop_tally_sign(&sum) ? -1.0 : 1.0;
    int top = ACRE_TALLY_DIGITS * TALLY_BITS; // place above the highest bit
    while (top > 0 && (sum.digits[(top - 1) / TALLY_BITS] >> (top - 1) % TALLY_BITS & 1) == 0) {
        top--;
    }
    const int least = top > TALLY_FRACTION + 1 ? top - (TALLY_FRACTION + 1) : 0; // bit that is kept
    uint64_t mantissa =
        tally_bits_from(sum.digits, least) & ((UINT64_C(1) << (TALLY_FRACTION + 1)) - 1);
    if (least > 0 && (tally_bits_from(sum.digits, least - 1) & 1)) {
        mantissa += tally_has_bits_below(sum.digits, least - 1) || (mantissa & 1);
    }
    return sign * ldexp((double)mantissa, least + TALLY_LOWEST);
}
