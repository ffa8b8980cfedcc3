// SPDX-License-Identifier: MIT
// interest_numbers.c - numbers that may lie far apart: marked items, and the rows of a batch.
#include "interest_internal.h"

bool acre_item_marks_add(const acre_allocator *allocator, item_marks *marks, uint32_t item)
{
    if (item_is_marked(marks, item)) {
        return true;
    }
    if (!COLUMN_RESERVE(allocator, marks->bits, (size_t)item / 64 + 1) ||
        !COLUMN_RESERVE(allocator, marks->items, marks->count + 1)) {
        return false;
    }
    *COLUMN_AT(marks->bits, item / 64) |= UINT64_C(1) << (item & 63);
    *COLUMN_AT(marks->items, marks->count++) = item;
    return true;
}

void acre_item_marks_clear(item_marks *marks)
{
    for (size_t i = 0; i < marks->count; i++) {
        *COLUMN_AT(marks->bits, *COLUMN_AT(marks->items, i) / 64) = 0;
    }
    marks->count = 0;
}

void acre_interest_refuse_row(acre_interest *interest, size_t row, acre_result result)
{
    acre_quadtree_report *const report = &interest->report;
    ACRE_INVARIANT(result != ACRE_OK);
    if (report->refused++ == 0 || row < report->first_row) {
        report->first_row = row;
        report->first_result = result;
    }
}
