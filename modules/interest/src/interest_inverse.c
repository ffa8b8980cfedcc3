// SPDX-License-Identifier: MIT
// interest_inverse.c - the observers of each thing: what all observers see, sorted by thing.
#include "interest_internal.h"

#include "bits_internal.h"
#include "sort_internal.h"

// Pairs of an item and a row are sorted to and fro between scratch and the memory of the inverse.
bool acre_interest_reserve_inverse(acre_interest *interest)
{
    const acre_allocator *const allocator = &interest->allocator;
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
                          2 * (entries + 1) + interest->row_count + 1) &&
           COLUMN_RESERVE(allocator, interest->inverse_items, entries + 1) &&
           COLUMN_RESERVE(allocator, interest->inverse, entries + 1);
}

// Rows lie far apart; their generations stand side by side here.
static size_t list_pairs(const acre_interest *interest, uint32_t *pairs, uint32_t *generations)
{
    const uint32_t *const items = interest->lists.items.data;
    const uint8_t *const marks = interest->lists.marks.data;
    size_t count = 0;
    for (uint32_t i = 0; i < interest->row_count; i++) {
        const observer_row *const row = COLUMN_AT(interest->rows, i);
        generations[i] = row->generation;
        for (size_t word = 0; word < row->set_words; word++) {
            for (uint64_t bits = row->set.data[word]; bits; bits &= bits - 1, count++) {
                pairs[2 * count] = (uint32_t)word * 64 + lowest_bit(bits);
                pairs[2 * count + 1] = i;
            }
        }
        for (size_t at = row->first; at < row->first + row->count; at++) {
            pairs[2 * count] = items[at];
            pairs[2 * count + 1] = i;
            count += (marks[at] & MARK_SEEN) != 0;
        }
    }
    return count;
}

void acre_interest_write_inverse(acre_interest *interest)
{
    uint32_t *const generations = interest->share.near.scratch.data;
    uint32_t *const pairs = generations + interest->row_count + interest->row_count % 2;
    _Static_assert(sizeof(acre_observer) == 2 * sizeof *pairs, "pairs are sorted in their place");
    const size_t count = list_pairs(interest, pairs, generations);
    ACRE_INVARIANT(count < interest->inverse.capacity);
    const uint32_t *const sorted =
        acre_sort_pairs_by_first(pairs, (uint32_t *)(void *)interest->inverse.data, count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t row = sorted[2 * i + 1];
        interest->inverse_items.data[i] = sorted[2 * i];
        interest->inverse.data[i] = (acre_observer){row + 1, generations[row]};
    }
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
