// SPDX-License-Identifier: MIT
// interest_shared.h - what modules/partition needs of an interest beside acre/interest.h.
#ifndef ACRE_INTEREST_SHARED_H
#define ACRE_INTEREST_SHARED_H

#include <acre/interest.h>

/// Gives an observer a list, as though the last update had found it: for an observer that was in
/// another interest and brings what acre_interest_list_seen said there. What is in the list counts
/// as in range, so the next update lists what entered and left since then. The list replaces the
/// one that the observer has.
/// @param items ascending.
/// @param bands of each item, 0 to 3.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, items that do not ascend and other bands;
/// ACRE_ERROR_CAPACITY for an item at or above 2^26; ACRE_ERROR_STALE_HANDLE;
/// ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY. On error nothing changed.
ACRE_RESULT acre_interest_seed(acre_interest *interest, acre_observer observer,
                               const uint32_t *items, const uint8_t *bands, size_t count);

#endif
