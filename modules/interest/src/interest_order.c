// SPDX-License-Identifier: MIT
// interest_order.c - the order in which observers are updated: along a curve over the ground.
#include "interest_internal.h"

#include "bits_internal.h"
#include "prefetch_internal.h"
#include "sort_internal.h"

enum { LINE_BYTES = 64 }; // of the caches

// A rectangle on the ground.
typedef struct ground_range {
    double low[2], factor[2]; // of x and z; factor: 2^16 / size
} ground_range;

static ground_range range_of_observers(const acre_interest *interest)
{
    ground_range range = {{0, 0}, {0, 0}};
    double low[2] = {0, 0}, high[2] = {0, 0};
    bool has_any = false;
    for (size_t i = 0; i < interest->row_count; i++) {
        const observer_row *const row = COLUMN_AT(interest->rows, i);
        for (int axis = 0; axis < 2 && row->is_used; axis++) {
            const double at = (double)row->place[2 * axis];
            low[axis] = !has_any || at < low[axis] ? at : low[axis];
            high[axis] = !has_any || at > high[axis] ? at : high[axis];
        }
        has_any |= row->is_used;
    }
    for (int axis = 0; axis < 2; axis++) {
        range.low[axis] = low[axis];
        range.factor[axis] = high[axis] > low[axis] ? 65535.0 / (high[axis] - low[axis]) : 0;
    }
    return range;
}

// The place on a Z-shaped curve (Morton 1966).
static uint32_t place_on_curve(const ground_range *range, const float *place)
{
    uint32_t steps[2];
    for (int axis = 0; axis < 2; axis++) {
        steps[axis] =
            (uint32_t)(((double)place[2 * axis] - range->low[axis]) * range->factor[axis]) &
            0xffffu;
    }
    return spread_bits(steps[0]) | spread_bits(steps[1]) << 1;
}

// Observers walk: an order serves for some updates. Where a new observer stands that follows an
// item is known only after its first update: an order with it serves for that alone.
enum { ORDER_UPDATES = 16 };

static bool make_order(acre_interest *interest)
{
    if (!COLUMN_RESERVE(&interest->allocator, interest->order, 4 * interest->observers + 1)) {
        return false;
    }
    const ground_range range = range_of_observers(interest);
    uint32_t *const pairs = interest->order.data;
    size_t listed = 0;
    width_counts reaches = {{0}};
    bool has_new = false;
    for (size_t i = 0; i < interest->row_count; i++) {
        const observer_row *const row = COLUMN_AT(interest->rows, i);
        if (row->is_used) {
            has_new |= row->is_new;
            reaches.counts[width_class(2 * row->def.leave_radius)]++;
            pairs[2 * listed] = place_on_curve(&range, row->place);
            pairs[2 * listed++ + 1] = (uint32_t)i;
        }
    }
    ACRE_INVARIANT(listed == interest->observers);
    interest->ordered =
        listed > 1 ? acre_sort_number_pairs(pairs, pairs + 2 * listed, listed) : pairs;
    interest->usual_reach = width_above(&reaches, (listed + 1) / 2);
    interest->order_updates = has_new ? 1 : ORDER_UPDATES;
    return true;
}

const uint32_t *acre_interest_order(acre_interest *interest, size_t *count)
{
    *count = interest->observers;
    if (interest->order_updates == 0 && !make_order(interest)) {
        return NULL;
    }
    interest->order_updates--;
    return interest->ordered;
}

void acre_interest_prefetch_row(const acre_interest *interest, uint32_t index)
{
    const char *const row = (const char *)&interest->rows.data[index];
    for (size_t at = 0; at < sizeof(observer_row); at += LINE_BYTES) {
        prefetch_line(row + at);
    }
}

static void prefetch_list(const acre_interest *interest, uint32_t index)
{
    const observer_row *const row = COLUMN_AT(interest->rows, index);
    for (uint32_t i = 0; i < row->count; i += LINE_BYTES / sizeof(uint32_t)) {
        prefetch_element(interest->lists.items.data, row->first + i, sizeof(uint32_t));
    }
    for (uint32_t i = 0; i < row->count; i += LINE_BYTES) {
        prefetch_element(interest->lists.marks.data, row->first + i, 1);
    }
}

void acre_interest_prefetch(const acre_interest *interest, const uint32_t *order, size_t count,
                            size_t i)
{
    if (i + OBSERVERS_AHEAD < count) {
        acre_interest_prefetch_row(interest, order[2 * (i + OBSERVERS_AHEAD) + 1]);
    }
    if (i + LISTS_AHEAD < count) {
        prefetch_list(interest, order[2 * (i + LISTS_AHEAD) + 1]);
    }
}
