// SPDX-License-Identifier: MIT
// partition_pairs.c - the pairs that a part answers for.
#include "out_internal.h"
#include "partition_internal.h"

#include <stdlib.h>

static bool answers_for(const acre_partition *part, const acre_pair *pair, acre_number_pair *out)
{
    uint32_t first = pair->a, second = pair->b;
    ACRE_INVARIANT(first < part->slots && second < part->slots && first != second);
    if (part->numbers.data[first] > part->numbers.data[second]) {
        first = pair->b;
        second = pair->a;
    }
    *out = (acre_number_pair){part->numbers.data[first], part->numbers.data[second]};
    const uint8_t *const kinds = part->kinds.data;
    if (out->a == out->b || (kinds[first] != ACRE_SLOT_OWN && kinds[second] != ACRE_SLOT_OWN)) {
        return false;
    }
    const bool is_first_giant = part->is_giant.data[first] != 0;
    const bool is_second_giant = part->is_giant.data[second] != 0;
    return kinds[is_first_giant && !is_second_giant ? second : first] == ACRE_SLOT_OWN;
}

static int compare_number_pairs(const void *x, const void *y)
{
    const acre_number_pair *const a = x, *const b = y;
    if (a->a != b->a) {
        return a->a < b->a ? -1 : 1;
    }
    return (a->b > b->b) - (a->b < b->b);
}

// Sorted, each once: an image of a giant may meet what the giant itself meets.
static size_t order_number_pairs(acre_number_pair *pairs, size_t count)
{
    if (count > 1) {
        qsort(pairs, count, sizeof *pairs, compare_number_pairs);
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || compare_number_pairs(&pairs[kept - 1], &pairs[i]) != 0) {
            pairs[kept++] = pairs[i];
        }
    }
    return kept;
}

acre_result acre_partition_pairs(acre_partition *part, const acre_pairs_rules *rules,
                                 acre_number_pair *pairs, size_t capacity, size_t *total)
{
    set_count(total, 0);
    if (!part || (!pairs && capacity > 0)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    size_t found = 0;
    acre_result result =
        acre_quadtree_pairs(part->tree, rules, part->pairs.data, part->pairs.capacity, &found);
    if (result == ACRE_OK && found > part->pairs.capacity) {
        result = COLUMN_RESERVE(&part->allocator, part->pairs, found)
                     ? acre_quadtree_pairs(part->tree, rules, part->pairs.data, found, &found)
                     : ACRE_ERROR_OUT_OF_MEMORY;
    }
    if (result == ACRE_OK && !COLUMN_RESERVE(&part->allocator, part->number_pairs, found + 1)) {
        result = ACRE_ERROR_OUT_OF_MEMORY;
    }
    if (result != ACRE_OK) {
        return result;
    }
    size_t count = 0;
    for (size_t i = 0; i < found; i++) {
        count += answers_for(part, COLUMN_AT(part->pairs, i), COLUMN_AT(part->number_pairs, count));
    }
    ACRE_INVARIANT(count <= found);
    count = order_number_pairs(part->number_pairs.data, count);
    for (size_t i = 0; i < count && i < capacity; i++) {
        pairs[i] = part->number_pairs.data[i];
    }
    set_count(total, count);
    return ACRE_OK;
}
