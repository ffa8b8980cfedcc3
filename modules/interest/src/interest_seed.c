// SPDX-License-Identifier: MIT
// interest_seed.c - what an observer saw elsewhere, as though the last update had found it here.
#include "interest_shared.h"

#include "interest_internal.h"

static bool seed_is_good(const uint32_t *items, const uint8_t *bands, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if ((i > 0 && items[i] <= items[i - 1]) || bands[i] > ACRE_OBSERVER_BAND_LIMITS) {
            return false;
        }
    }
    return true;
}

// Writes the list behind all others; the next update gives it a place of its own.
static bool write_seed(acre_interest *interest, observer_row *row, const uint32_t *items,
                       const uint8_t *bands, size_t count)
{
    interest_lists *const lists = &interest->lists;
    if (!acre_interest_reserve_lists(&interest->allocator, lists, lists->used + count + 1)) {
        return false;
    }
    ACRE_INVARIANT(interest->live >= row->count);
    interest->live += count;
    interest->live -= row->count;
    row->first = lists->used;
    row->count = row->capacity = row->seen = (uint32_t)count;
    row->is_dirty = true;
    for (size_t i = 0; i < count; i++) {
        interest_lists_add(lists, items[i], bands[i] | MARK_RANGE | MARK_SEEN);
    }
    return true;
}

acre_result acre_interest_seed(acre_interest *interest, acre_observer observer,
                               const uint32_t *items, const uint8_t *bands, size_t count)
{
    if (!interest || (count > 0 && (!items || !bands)) || !seed_is_good(items, bands, count)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (count > 0 && items[count - 1] >= INTEREST_ITEMS) {
        return ACRE_ERROR_CAPACITY;
    }
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    observer_row *const row = acre_interest_row(interest, observer);
    acre_result result = ACRE_ERROR_STALE_HANDLE;
    if (row) {
        result =
            write_seed(interest, row, items, bands, count) ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
    }
    access_end_write(&interest->access);
    return result;
}
