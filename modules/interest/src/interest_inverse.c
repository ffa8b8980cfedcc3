// SPDX-License-Identifier: MIT
// interest_inverse.c - the observers of each thing: a counting sort of what all observers see.
#include "interest_internal.h"

#include <string.h>

// The entries of the lists of all observers, those that an update found and those that stay. It
// counts what is seen and finds the largest item.
static void measure_list(const interest_lists *lists, size_t first, uint32_t count, size_t *seen,
                         size_t *most)
{
    for (size_t i = first; i < first + count; i++) {
        if (lists->marks.data[i] & MARK_SEEN) {
            ++*seen;
            *most = lists->items.data[i] + 1u > *most ? lists->items.data[i] + 1u : *most;
        }
    }
}

// Room for what is seen now and for what will be seen: more than enough for either.
bool acre_interest_reserve_inverse(acre_interest *interest)
{
    size_t seen = 0, most = 0, outcomes = 0;
    for (uint32_t k = 0; k < interest->share_count; k++) {
        const interest_share *const share = const_share_at(interest, k);
        for (size_t i = 0; i < share->outcome_count; i++) {
            const interest_outcome *const outcome = COLUMN_AT(share->outcomes, i);
            measure_list(&share->lists, outcome->first, outcome->count, &seen, &most);
        }
        outcomes += share->outcome_count;
    }
    for (size_t i = 0; i < interest->row_count && outcomes < interest->observers; i++) {
        const observer_row *const row = COLUMN_AT(interest->rows, i);
        measure_list(&interest->lists, row->first, row->count, &seen, &most);
    }
    return COLUMN_RESERVE(&interest->allocator, interest->inverse_offsets, most + 2) &&
           COLUMN_RESERVE(&interest->allocator, interest->inverse, seen);
}

// Calls with each thing that is seen, by row.
#define FOR_EACH_SEEN(interest, row, item)                                                         \
    for (size_t row = 0; row < (interest)->row_count; row++)                                       \
        for (size_t at_ = (interest)->rows.data[row].first,                                        \
                    end_ = at_ + (interest)->rows.data[row].count, item = 0;                       \
             at_ < end_; at_++)                                                                    \
            if (((interest)->lists.marks.data[at_] & MARK_SEEN) &&                                 \
                ((item = (interest)->lists.items.data[at_]), true))

void acre_interest_write_inverse(acre_interest *interest)
{
    size_t *const offsets = interest->inverse_offsets.data;
    size_t most = 0;
    memset(offsets, 0, interest->inverse_offsets.capacity * sizeof *offsets);
    FOR_EACH_SEEN(interest, row, item)
    {
        ACRE_INVARIANT(item + 2 <= interest->inverse_offsets.capacity);
        offsets[item + 1]++;
        most = item + 1 > most ? item + 1 : most;
    }
    // offsets[i + 1] becomes where item i begins; filling moves it to where it ends.
    size_t sum = 0;
    for (size_t i = 0; i < most; i++) {
        const size_t here = offsets[i + 1];
        offsets[i + 1] = sum;
        sum += here;
    }
    ACRE_INVARIANT(sum <= interest->inverse.capacity);
    FOR_EACH_SEEN(interest, row, item)
    {
        interest->inverse.data[offsets[item + 1]++] =
            (acre_observer){(uint32_t)row + 1, interest->rows.data[row].generation};
    }
    ACRE_INVARIANT(most == 0 || offsets[most] == sum);
    interest->inverse_count = most;
}
