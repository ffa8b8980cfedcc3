// SPDX-License-Identifier: MIT
// interest_inverse.c - the observers of each thing: what all observers see, sorted by thing.
//
// Pairs of an item and a row are listed row after row and sorted by item. On workers each block
// lists some of the rows and deals the pairs to ranges of items; then each block sorts one range.
// Pairs of an item stay in the order of rows, so the result is the same for any number of blocks.
#include "interest_internal.h"

#include "bits_internal.h"
#include "sort_internal.h"
#include "tasks_internal.h"

#include <string.h>

enum { MOST_BLOCKS = 64 };

static uint32_t inverse_blocks(const acre_interest *interest)
{
    return interest->share_count < MOST_BLOCKS ? interest->share_count : MOST_BLOCKS;
}

// Pairs stand in scratch, with a gap behind those of each block, and are dealt to the memory of the
// inverse, in which they are sorted.
bool acre_interest_reserve_inverse(acre_interest *interest)
{
    const acre_allocator *const allocator = &interest->allocator;
    const uint32_t blocks = inverse_blocks(interest);
    size_t entries = 0;
    for (uint32_t i = 0; i < interest->row_count; i++) {
        entries += COLUMN_AT(interest->rows, i)->seen;
    }
    for (uint32_t i = 0; i < interest->share_count; i++) {
        const interest_share *const share = const_share_at(interest, i);
        for (size_t k = 0; k < share->outcome_count; k++) {
            const interest_outcome *const outcome = COLUMN_AT(share->outcomes, k);
            entries += outcome->seen;
            entries -= COLUMN_AT(interest->rows, outcome->row)->seen;
        }
    }
    return COLUMN_RESERVE(allocator, interest->share.near.scratch,
                          2 * (entries + blocks) + interest->row_count + 1) &&
           COLUMN_RESERVE(allocator, interest->inverse_items, entries + 1) &&
           COLUMN_RESERVE(allocator, interest->inverse, entries + 1) &&
           COLUMN_RESERVE(allocator, interest->inverse_places, (size_t)blocks * blocks);
}

typedef struct inverse_call {
    acre_interest *interest;
    uint32_t *generations; // of rows, which lie far apart; these stand side by side
    uint32_t *pairs;       // listed
    uint32_t *dealt;
    uint32_t blocks;
    uint32_t shift;                 // of an item: which range it is in
    size_t begins[MOST_BLOCKS + 1]; // of the rows of each block: the first of their pairs
    uint32_t highest[MOST_BLOCKS];  // bits that their items have
    size_t ranges[MOST_BLOCKS + 1]; // the first dealt pair of each range
} inverse_call;

static size_t list_row(const inverse_call *call, uint32_t index, size_t count, uint32_t *bits)
{
    const interest_lists *const lists = &call->interest->lists;
    const observer_row *const row = COLUMN_AT(call->interest->rows, index);
    uint32_t *const pairs = call->pairs;
    for (size_t word = 0; word < row->set_words; word++) {
        for (uint64_t set = row->set.data[word]; set; set &= set - 1, count++) {
            pairs[2 * count] = (uint32_t)word * 64 + lowest_bit(set);
            pairs[2 * count + 1] = index;
            *bits |= pairs[2 * count];
        }
    }
    for (size_t at = row->first; at < row->first + row->count; at++) {
        pairs[2 * count] = lists->items.data[at];
        pairs[2 * count + 1] = index;
        *bits |= pairs[2 * count];
        count += (lists->marks.data[at] & MARK_SEEN) != 0;
    }
    return count;
}

static void list_pairs_of_block(void *context, uint32_t block)
{
    inverse_call *const call = context;
    const size_t rows = call->interest->row_count;
    size_t count = call->begins[block];
    uint32_t bits = 0;
    for (size_t i = block_begin(rows, block, call->blocks);
         i < block_begin(rows, block + 1, call->blocks); i++) {
        call->generations[i] = COLUMN_AT(call->interest->rows, i)->generation;
        count = list_row(call, (uint32_t)i, count, &bits);
    }
    ACRE_INVARIANT(count + 1 == call->begins[block + 1]);
    call->highest[block] = bits;
}

// How many pairs of this block are in each range.
static size_t *places_of_block(const inverse_call *call, uint32_t block)
{
    return COLUMN_AT(call->interest->inverse_places, (size_t)block * call->blocks);
}

static void count_block(void *context, uint32_t block)
{
    const inverse_call *const call = context;
    size_t *const places = places_of_block(call, block);
    memset(places, 0, call->blocks * sizeof *places);
    for (size_t i = call->begins[block]; i + 1 < call->begins[block + 1]; i++) {
        places[call->pairs[2 * i] >> call->shift]++;
    }
}

static void deal_block(void *context, uint32_t block)
{
    const inverse_call *const call = context;
    size_t *const places = places_of_block(call, block);
    for (size_t i = call->begins[block]; i + 1 < call->begins[block + 1]; i++) {
        const size_t place = places[call->pairs[2 * i] >> call->shift]++;
        memcpy(call->dealt + 2 * place, call->pairs + 2 * i, 2 * sizeof *call->pairs);
    }
}

// Sorts the pairs of a range, and writes what the caller reads.
static void sort_range(void *context, uint32_t range)
{
    const inverse_call *const call = context;
    acre_interest *const interest = call->interest;
    const size_t first = call->ranges[range], count = call->ranges[range + 1] - first;
    const bool is_dealt = call->blocks > 1;
    uint32_t *const begin = (is_dealt ? call->dealt : call->pairs) + 2 * first;
    uint32_t *const other = (is_dealt ? call->pairs : call->dealt) + 2 * first;
    const uint32_t *const sorted = acre_sort_pairs_by_first(begin, other, count);
    ACRE_INVARIANT(first + count < interest->inverse.capacity);
    for (size_t i = 0; i < count; i++) {
        const uint32_t row = sorted[2 * i + 1];
        interest->inverse_items.data[first + i] = sorted[2 * i];
        interest->inverse.data[first + i] = (acre_observer){row + 1, call->generations[row]};
    }
}

// Where each block begins its pairs of each range: behind those of the blocks before.
static void place_ranges(inverse_call *call)
{
    uint32_t bits = 0;
    size_t sum = 0;
    for (uint32_t i = 0; i < call->blocks; i++) {
        bits |= call->highest[i];
    }
    while (bits >> call->shift >= call->blocks) {
        call->shift++;
    }
    acre_interest_run_blocks(call->interest, call->blocks, count_block, call);
    for (uint32_t range = 0; range < call->blocks; range++) {
        call->ranges[range] = sum;
        for (uint32_t block = 0; block < call->blocks; block++) {
            size_t *const place = &places_of_block(call, block)[range];
            const size_t here = *place;
            *place = sum;
            sum += here;
        }
    }
    call->ranges[call->blocks] = sum;
}

void acre_interest_write_inverse(acre_interest *interest)
{
    uint32_t *const generations = interest->share.near.scratch.data;
    _Static_assert(sizeof(acre_observer) == 2 * sizeof(uint32_t), "pairs are sorted in its place");
    inverse_call call = {.interest = interest,
                         .generations = generations,
                         .pairs = generations + interest->row_count + interest->row_count % 2,
                         .dealt = (uint32_t *)(void *)interest->inverse.data,
                         .blocks = inverse_blocks(interest)};
    size_t count = 0;
    for (uint32_t block = 0; block < call.blocks; block++) {
        for (size_t i = block_begin(interest->row_count, block, call.blocks);
             i < block_begin(interest->row_count, block + 1, call.blocks); i++) {
            count += COLUMN_AT(interest->rows, i)->seen;
        }
        call.begins[block + 1] = count + block + 1;
    }
    acre_interest_run_blocks(interest, call.blocks, list_pairs_of_block, &call);
    if (call.blocks > 1) {
        place_ranges(&call);
        acre_interest_run_blocks(interest, call.blocks, deal_block, &call);
    } else {
        call.ranges[1] = count;
    }
    acre_interest_run_blocks(interest, call.blocks, sort_range, &call);
    interest->inverse_count = count;
}

size_t acre_interest_observers_of(const acre_interest *interest, uint32_t item,
                                  const acre_observer **observers)
{
    const uint32_t *const items = interest ? interest->inverse_items.data : NULL;
    const size_t count = interest ? interest->inverse_count : 0;
    const size_t begin = acre_number_position(items, count, item);
    const size_t end = item < INTEREST_ITEMS ? acre_number_position(items, count, item + 1) : begin;
    if (observers) {
        *observers = end > begin ? interest->inverse.data + begin : NULL;
    }
    return end - begin;
}
