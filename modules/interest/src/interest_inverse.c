// SPDX-License-Identifier: MIT
// interest_inverse.c - the observers of each thing: a counting sort of what all observers see.
//
// Items are divided into ranges, one for each worker and no more, since all lists are read for each
// range. The result does not depend on the number of ranges.
#include "interest_internal.h"

#include "prefetch_internal.h"

// ---- room ----

// Finds what is above all items in the lists of a share.
static void bound_share(void *context, uint32_t index)
{
    interest_share *const share = share_at(context, index);
    const uint32_t *const items = share->lists.items.data;
    uint32_t most = 0;
    for (size_t i = 0; i < share->lists.used; i++) {
        most = items[i] > most ? items[i] : most;
    }
    share->item_bound = share->lists.used > 0 ? (size_t)most + 1 : 0;
}

// Lists without an outcome have items below the bound of before.
bool acre_interest_reserve_inverse(acre_interest *interest)
{
    size_t outcomes = 0, entries = 0, bound = 0;
    acre_interest_run_blocks(interest, interest->share_count, bound_share, interest);
    for (uint32_t i = 0; i < interest->share_count; i++) {
        const interest_share *const share = const_share_at(interest, i);
        bound = share->item_bound > bound ? share->item_bound : bound;
        entries += share->lists.used;
        outcomes += share->outcome_count;
    }
    if (outcomes < interest->observers) {
        bound = interest->item_bound > bound ? interest->item_bound : bound;
        entries += interest->live;
    }
    ACRE_INVARIANT(bound <= INTEREST_ITEMS);
    if (!COLUMN_RESERVE(&interest->allocator, interest->inverse_offsets, bound + 2) ||
        !COLUMN_RESERVE(&interest->allocator, interest->inverse, entries)) {
        return false;
    }
    interest->item_bound = bound;
    return true;
}

// ---- the sort ----

// Items that are sorted together.
typedef struct item_range {
    _Alignas(SHARE_ALIGNMENT) size_t begin;
    size_t end;
    size_t count; // of what is seen of them
    size_t most;  // behind the last one that is seen; begin: none is
} item_range;
ASSERT_OWN_LINES(item_range);

typedef struct inverse_call {
    acre_interest *interest;
    uint32_t range_count;
    item_range ranges[ACRE_TASKS_MAX_WORKERS];
} inverse_call;

enum { ENTRIES_AHEAD = LIST_SLACK }; // items are anywhere among the offsets

static bool is_in_range(const item_range *range, size_t item)
{
    return item - range->begin < range->end - range->begin;
}

static void count_list(const acre_interest *interest, const observer_row *row, item_range *range,
                       size_t *counts)
{
    const interest_lists *const lists = &interest->lists;
    for (size_t at = row->first; at < row->first + row->count; at++) {
        const size_t item = lists->items.data[at];
        prefetch_element(counts, lists->items.data[at + ENTRIES_AHEAD], sizeof *counts);
        if (is_in_range(range, item) && (lists->marks.data[at] & MARK_SEEN)) {
            counts[item]++;
            range->count++;
            range->most = item + 1 > range->most ? item + 1 : range->most;
        }
    }
}

// Counts the observers of each item of a range.
static void count_range(void *context, uint32_t block)
{
    inverse_call *const call = context;
    const acre_interest *const interest = call->interest;
    item_range *const range = &call->ranges[block];
    size_t *const counts = interest->inverse_offsets.data + 1;
    range->begin = block_begin(interest->item_bound, block, call->range_count);
    range->end = block_begin(interest->item_bound, block + 1, call->range_count);
    ACRE_INVARIANT(range->begin <= range->end && range->end <= interest->item_bound);
    range->count = 0;
    range->most = range->begin;
    for (size_t i = range->begin; i < range->end; i++) {
        counts[i] = 0;
    }
    for (size_t row = 0; row < interest->row_count; row++) {
        if (row + LISTS_AHEAD < interest->row_count) {
            acre_interest_prefetch_list(interest, (uint32_t)row + LISTS_AHEAD);
        }
        count_list(interest, COLUMN_AT(interest->rows, row), range, counts);
    }
}

static void fill_list(const acre_interest *interest, uint32_t index, const item_range *range,
                      size_t *begins)
{
    const interest_lists *const lists = &interest->lists;
    const observer_row *const row = COLUMN_AT(interest->rows, index);
    const acre_observer observer = {index + 1, row->generation};
    for (size_t at = row->first; at < row->first + row->count; at++) {
        const size_t item = lists->items.data[at];
        prefetch_element(begins, lists->items.data[at + ENTRIES_AHEAD], sizeof *begins);
        if (is_in_range(range, item) && (lists->marks.data[at] & MARK_SEEN)) {
            interest->inverse.data[begins[item]++] = observer;
        }
    }
}

// Turns the counts into where each item begins, and fills from there. That moves it to where the
// item ends.
static void fill_range(void *context, uint32_t block)
{
    const inverse_call *const call = context;
    const acre_interest *const interest = call->interest;
    const item_range *const range = &call->ranges[block];
    size_t *const begins = interest->inverse_offsets.data + 1;
    size_t sum = 0;
    for (uint32_t i = 0; i < block; i++) {
        sum += call->ranges[i].count;
    }
    for (size_t i = range->begin; i < range->end; i++) {
        const size_t here = begins[i];
        begins[i] = sum;
        sum += here;
    }
    ACRE_INVARIANT(sum <= interest->inverse.capacity);
    for (size_t row = 0; row < interest->row_count; row++) {
        if (row + LISTS_AHEAD < interest->row_count) {
            acre_interest_prefetch_list(interest, (uint32_t)row + LISTS_AHEAD);
        }
        fill_list(interest, (uint32_t)row, range, begins);
    }
}

void acre_interest_write_inverse(acre_interest *interest)
{
    inverse_call call = {.interest = interest, .range_count = acre_interest_workers(interest)};
    interest->inverse_offsets.data[0] = 0;
    acre_interest_run_blocks(interest, call.range_count, count_range, &call);
    acre_interest_run_blocks(interest, call.range_count, fill_range, &call);
    interest->inverse_count = 0;
    for (uint32_t i = 0; i < call.range_count; i++) {
        if (call.ranges[i].most > call.ranges[i].begin) {
            interest->inverse_count = call.ranges[i].most;
        }
    }
}
