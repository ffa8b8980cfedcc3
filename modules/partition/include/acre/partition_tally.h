// SPDX-License-Identifier: MIT
// partition_tally.h - counts, least and largest values and exact sums, for statistics of a world.
//
// A sum of doubles depends on the order in which they are added, so it would differ with the number
// of parts. A tally keeps the exact sum as one long number in fixed point and rounds it once, when
// it is asked for. So it is the same for any order and for any number of parts.
//
// Typical use:
//     acre_tally speed = {0};                              // zero is empty
//     for (...) acre_tally_add(&speed, length(velocity));
//     acre_partition_mpi_reduce(world, &speed, 1);         // or acre_tally_merge over parts
//     mean = acre_tally_sum(&speed) / (double)speed.count;
//
// Threading: pure functions of their arguments.
#ifndef ACRE_PARTITION_TALLY_H
#define ACRE_PARTITION_TALLY_H

#include <acre/base.h>

ACRE_EXTERN_C_BEGIN

/// From 2^-1074, the least double, over 2^1024 to what 2^64 of the largest ones sum up to.
#define ACRE_TALLY_DIGITS 68

/// All fields but digits and pending are for the caller to read.
typedef struct acre_tally {
    uint64_t count;                    ///< values
    uint64_t skipped;                  ///< NaN and infinite values, which count for nothing else
    double min, max;                   ///< of the values; 0 without any
    int64_t digits[ACRE_TALLY_DIGITS]; ///< digit i stands for 2^(32 i - 1074)
    uint64_t pending;                  ///< additions since the digits were brought below 2^32
} acre_tally;

/// Adds a value; -0 as +0.
ACRE_API void acre_tally_add(acre_tally *tally, double value);

/// Adds all values of another tally. They may be the same one.
ACRE_API void acre_tally_merge(acre_tally *tally, const acre_tally *other);

/// @return the sum of all values, rounded once to the nearest double, ties to even; INFINITY of its
/// sign beyond all doubles.
ACRE_API double acre_tally_sum(const acre_tally *tally);

/// Brings all digits but the last into 0 to 2^32 - 1. Two tallies of the same values have the same
/// digits then, so that up to 2^31 of them can be added digit by digit.
ACRE_API void acre_tally_settle(acre_tally *tally);

ACRE_EXTERN_C_END

#endif
