// SPDX-License-Identifier: MIT
// interest_kernel.h - inner loops: which items of a group are near an observer, and which runs of
// its new list were in the old one.
//
// A set defines, for interest_kernel_part.h:
//     LANES, floats, floats_load, floats_all, floats_sub, floats_add, floats_mul, floats_max
//     less_bits, not_above_bits    comparisons, a bit for each lane
//     same_bits                    which of 16 numbers are this one
//     equal_bits                   which of 16 numbers are those of 16 others
//     append_set_items             writes the items of a set of slots, ascending, in full vectors
//     set_of_words                 which of 16 numbers have their bit set in some words
//     append_marks                 writes for each slot of a set a byte: a sum of what its bits say
//
// All sets compute the same floats in the same order, so that the same slots are near, and the same
// are in doubt.
#ifndef ACRE_INTEREST_KERNEL_H
#define ACRE_INTEREST_KERNEL_H

#include <acre/quadtree_query.h>

#include "kernel_internal.h"

/// Squares of floats below `low` are surely within a limit; those above `high` surely are not.
typedef struct limit_range {
    float low, high;
} limit_range;

enum { LIMIT_LEAVE, LIMIT_ENTER, LIMIT_BANDS, MOST_LIMITS = LIMIT_BANDS + 3 };

/// What an observer is for a kernel.
typedef struct near_limits {
    float place[3];
    bool in_space;
    uint32_t hidden; ///< the item that the observer is; UINT32_MAX: none
    uint32_t count;  ///< of limits; LIMIT_ENTER: the leave radius alone
    limit_range limits[MOST_LIMITS];
} near_limits;

/// Writes the items that are surely within the leave radius, with MARK_INSIDE and their bands
/// unless the leave radius is the only limit.
/// There is room for ACRE_GROUP_ITEMS.
/// @param doubtful receives the slots of which a distance is too close to a limit for floats.
/// @return how many were written.
typedef uint32_t interest_sift(const near_limits *limits, const acre_item_group *group,
                               uint32_t *items, uint8_t *marks, uint32_t *doubtful);

/// The slots whose distance is in the range of one of the limits.
typedef uint32_t interest_sift_rings(const near_limits *limits, const acre_item_group *group);

/// Candidates from `first` on that stand in the same order in the old list, from `old` on.
typedef struct interest_run {
    uint32_t first, old, count;
} interest_run;

/// A new list and the one before, both with 16 numbers to read behind their ends.
typedef struct list_pair {
    const uint32_t *items, *old;
    size_t count, old_count;
    interest_run *runs; ///< room for `count`
    uint32_t *fresh;    ///< room for `count`: positions of items in no run
    size_t run_count, fresh_count;
} list_pair;

/// Nearly all of a list stands in the same order in the other. Where a run ends, the next one is
/// searched for. More searches than these cost more than a sort of 100 things.
enum { MOST_SEARCHES = 64, RUN_STEP = 16 };

/// Lists the runs of a pair, and the items that are fresh, as far as few searches tell.
/// @return false if there would have been more searches.
typedef bool interest_list_runs(list_pair *pair);

/// Writes a set for each 16 numbers of a list: those whose bit is set in some words. Of the last
/// set only the bits of numbers in the list have a meaning. Bits from 16 on are 0.
typedef void interest_look_up(const uint32_t *list, size_t count, const uint64_t *words,
                              size_t word_count, uint32_t *sets);

/// Sets the bits of some items in words. @return false: one of them lies beyond the words; nothing
/// was set.
typedef bool interest_mark_planes(uint64_t *words, size_t word_count, const uint32_t *items,
                                  uint32_t count);

typedef struct interest_kernel {
    interest_sift *sift;
    interest_sift_rings *sift_rings;
    interest_list_runs *list_runs;
    interest_look_up *look_up;
    interest_mark_planes *mark_planes;
} interest_kernel;

DECLARE_KERNELS(interest)

#endif
