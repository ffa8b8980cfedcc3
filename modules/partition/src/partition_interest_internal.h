// SPDX-License-Identifier: MIT
// partition_interest_internal.h - the inside of a part's interest: observers, their lists, and what
// an update writes.
//
// Invariants:
//   1  an observer's list ascends by number, each number once
//   2  rows[slot] - 1 is the observer of the item in a slot, or the slot has none
#ifndef ACRE_PARTITION_INTEREST_INTERNAL_H
#define ACRE_PARTITION_INTEREST_INTERNAL_H

#include <acre/partition_interest.h>

#include "partition_internal.h"

/// A thing that an observer sees, as it also goes with the observer to another part.
typedef struct part_sight {
    uint64_t number;
    uint8_t band, unused[7];
} part_sight;

/// A thing, or an image of it, that is within the leave radius of an observer.
typedef struct near_sight {
    uint64_t number;
    uint32_t slot, band;
} near_sight;

typedef struct part_observer {
    uint64_t number;
    uint32_t slot;
    acre_observer handle;
    acre_observer_def def;       ///< as the caller gave it
    size_t first, count;         ///< of its list in sights
    size_t new_first, new_count; ///< in new_sights
} part_observer;

enum { SIGHT_SEEN, SIGHT_ENTERED, SIGHT_LEFT, SIGHT_CHANGED, SIGHT_KINDS };

typedef struct sight_output {
    COLUMN_OF(size_t) offsets;
    COLUMN_OF(uint64_t) numbers;
    COLUMN_OF(uint8_t) bands;
    size_t count;
} sight_output;

struct acre_partition_interest {
    acre_allocator allocator;
    acre_partition *part;
    acre_interest *interest;
    size_t arrived; ///< how many of the part's arrived were taken over by an apply that failed
    COLUMN_OF(part_observer) observers;
    size_t observer_count;
    COLUMN_OF(uint32_t) rows; ///< by slot: the row + 1 of its observer
    COLUMN_OF(part_sight) sights;
    size_t sight_count;
    COLUMN_OF(part_sight) new_sights; ///< while an update runs
    COLUMN_OF(uint32_t) items;        ///< scratch
    COLUMN_OF(uint8_t) bands;         ///< scratch
    COLUMN_OF(near_sight) near;       ///< scratch
    const float *ranges;              ///< the caller's, by slot; NULL: none
    COLUMN_OF(float) given;           ///< to the interest, by slot
    COLUMN_OF(uint32_t) given_slots;  ///< scratch
    COLUMN_OF(float) given_ranges;    ///< scratch
    size_t row_count;                 ///< of the outputs
    COLUMN_OF(uint64_t) numbers;      ///< of their observers
    sight_output outputs[SIGHT_KINDS];
};

/// @return the row of the observer that the item in a slot is; SLOT_NONE if it is none.
uint32_t acre_sights_row(const acre_partition_interest *interest, uint32_t slot);

/// Whether an observer's def is one that a part can keep.
bool acre_sights_def_is_good(const acre_partition_interest *interest, const acre_observer_def *def);
acre_result acre_sights_add(acre_partition_interest *interest, uint64_t number, uint32_t slot,
                            const acre_observer_def *def);
acre_result acre_sights_drop(acre_partition_interest *interest, uint32_t row);

// partition_travel.c

/// The rider of a part: an observer with its list. `end` drops the observer of an item that is
/// removed. `arrive` drops the observers whose items went and takes over those that came.
size_t acre_sights_rider_size(void *user, uint32_t slot);
void acre_sights_pack_rider(void *user, uint32_t slot, unsigned char *bytes);
bool acre_sights_check_rider(void *user, const unsigned char *bytes, size_t size);
void acre_sights_end(void *user, uint32_t slot);
acre_result acre_sights_arrive(void *user);

#endif
