// SPDX-License-Identifier: MIT
// interest_changed.c - updates at a cost that follows the number of changed items.
//
// An observer is concerned by an item that is in its list, which a scan of the lists against a bit
// for each item finds, or that is near it now (interest_touched.c).
#include "interest_internal.h"

#include "bits_internal.h"
#include "prefetch_internal.h"

#include <string.h>

// Entries of a list in a cache line, for which there is a set; lists that are prefetched.
enum { LINE_ITEMS = 16, LINE_MARKS = 64, LISTS_AHEAD = 4 };

// ---- one observer ----

// A touched item's marks for an observer with neither limit nor rooms; 0: it is not near.
static uint8_t marks_now(const acre_interest *interest, const interest_world *world,
                         const observer_row *row, uint32_t item, uint32_t before)
{
    acre_aabb box;
    if (!acre_interest_get_touched_box(interest, item, &box)) {
        return 0;
    }
    const double distance2 = acre_interest_distance2(&box, row->place, row->def.in_space);
    if (!acre_interest_is_within(row->def.leave_radius, distance2) ||
        !acre_interest_item_has_layers(world, item, row->def.layers)) {
        return 0;
    }
    const bool in_range =
        (before & MARK_RANGE) || acre_interest_is_within(row->def.enter_radius, distance2);
    return (uint8_t)(MARK_FAR | // so that it is not 0
                     acre_interest_band(&row->def, distance2) |
                     (in_range ? MARK_RANGE | MARK_SEEN : 0));
}

// Adds an entry to the new list. There is room.
static void add_near_entry(const acre_interest *interest, interest_share *share, uint32_t item,
                           uint32_t old_marks, uint32_t marks)
{
    interest_lists *const lists = &share->lists;
    *COLUMN_AT(lists->items, lists->used) = item;
    *COLUMN_AT(lists->marks, lists->used) = (uint8_t)(marks & MARKS_KEPT);
    lists->used++;
    acre_interest_compare_marks(interest, share, item, old_marks, marks);
}

// Decides anew about a touched entry of the old list, or about a new one.
static void revise_entry(const acre_interest *interest, interest_share *share,
                         const interest_world *world, const observer_row *row, uint32_t item,
                         uint32_t before)
{
    if (item_is_reborn(interest, item)) {
        if (before & MARK_SEEN) {
            acre_interest_add_event(share, EVENT_LEFT, item, 0);
        }
        before = 0;
    }
    const uint8_t marks = marks_now(interest, world, row, item, before);
    if (marks) {
        add_near_entry(interest, share, item, before, marks);
    } else if (before & MARK_SEEN) {
        acre_interest_add_event(share, EVENT_LEFT, item, 0);
    }
}

static bool list_has(const uint32_t *items, size_t count, uint32_t item)
{
    uint32_t found = 0;
    for (size_t i = 0; i < count; i++) {
        found |= items[i] == item;
    }
    return found;
}

// Looks up which entries of a row's list are touched.
static bool look_up_list(acre_interest *interest, const observer_row *row)
{
    interest_candidates *const near = &interest->share.near;
    if (!COLUMN_RESERVE(near->allocator, near->touched_sets, row->count / LINE_ITEMS + 1)) {
        return false;
    }
    if (row->count > 0) {
        interest->kernel->look_up(interest->lists.items.data + row->first, row->count,
                                  interest->touched.data, interest->touched.capacity,
                                  near->touched_sets.data);
    }
    return true;
}

// Which of the 16 entries from `first` on are touched, of the row that was looked up last.
static uint32_t touched_set(const interest_share *share, const observer_row *row, uint32_t first)
{
    const uint32_t here = row->count - first < LINE_ITEMS ? row->count - first : LINE_ITEMS;
    return *COLUMN_AT(share->near.touched_sets, first / LINE_ITEMS) & ((1u << here) - 1);
}

// Copies entries of the old list that are not touched.
static void keep_entries(const acre_interest *interest, interest_share *share,
                         const observer_row *row, uint32_t from, uint32_t to)
{
    interest_lists *const lists = &share->lists;
    const uint32_t count = to - from;
    const uint32_t *const items = interest->lists.items.data + row->first + from;
    const uint8_t *const marks = interest->lists.marks.data + row->first + from;
    ACRE_INVARIANT(to <= row->count && lists->used + count <= lists->items.capacity);
    if (count > 0) {
        memcpy(lists->items.data + lists->used, items, count * sizeof *items);
        memcpy(lists->marks.data + lists->used, marks, count);
        lists->used += count;
    }
    for (uint32_t i = 0; i < count && (interest->flags & ACRE_INTEREST_STAYED); i++) {
        if (marks[i] & MARK_SEEN) {
            acre_interest_add_event(share, EVENT_STAYED, items[i], marks[i]);
        }
    }
}

// Writes the old list, in which touched entries are decided anew.
static void revise_list(const acre_interest *interest, interest_share *share,
                        const interest_world *world, const observer_row *row)
{
    interest_outcome *const outcome = &share->outcomes.data[share->outcome_count - 1];
    uint32_t kept = 0;
    outcome->seen = row->seen;
    for (uint32_t first = 0; first < row->count; first += LINE_ITEMS) {
        for (uint32_t set = touched_set(share, row, first); set; set &= set - 1) {
            const uint32_t at = first + lowest_bit(set);
            const uint32_t item = *COLUMN_AT(interest->lists.items, row->first + at);
            const uint32_t before = *COLUMN_AT(interest->lists.marks, row->first + at);
            ACRE_INVARIANT(item_is_touched(interest, item));
            keep_entries(interest, share, row, kept, at);
            outcome->seen -= (before & MARK_SEEN) != 0;
            revise_entry(interest, share, world, row, item, before);
            kept = at + 1;
        }
    }
    if (kept < row->count) {
        keep_entries(interest, share, row, kept, row->count);
    }
}

// Writes the outcome of an observer: its old list, and the touched items that it met.
static acre_result revise_row(acre_interest *interest, const interest_world *world, uint32_t index,
                              size_t met)
{
    interest_share *const share = &interest->share;
    const observer_row *const row = COLUMN_AT(interest->rows, index);
    const size_t most = row->count + met;
    if (!acre_interest_reserve_lists(share->near.allocator, &share->lists, most) ||
        !acre_interest_begin_outcome(share->near.allocator, share, index, share->lists.used,
                                     most)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    const uint32_t *const items = row->count ? interest->lists.items.data + row->first : NULL;
    revise_list(interest, share, world, row);
    for (size_t i = 0; i < met; i++) {
        const uint32_t item = *COLUMN_AT(interest->grid.met, i);
        if (!list_has(items, row->count, item) &&
            (row->def.sees_itself || !acre_interest_follows(interest, row, item))) {
            revise_entry(interest, share, world, row, item, 0);
        }
    }
    acre_interest_end_outcome(share);
    return ACRE_OK;
}

// Whether an observer sees a touched entry otherwise than before.
static bool entry_changes(const acre_interest *interest, const interest_world *world,
                          const observer_row *row, uint32_t item, uint32_t before)
{
    const uint32_t kept = before & MARK_SEEN && item_is_reborn(interest, item) ? 0 : before;
    const uint32_t marks = marks_now(interest, world, row, item, kept) & MARKS_KEPT;
    return ((marks | before) & MARK_SEEN) && (marks != before || kept != before);
}

// Whether an observer is concerned by any of a set of touched entries, from `first` on in the
// lists.
static bool set_concerns(const acre_interest *interest, const interest_world *world,
                         const observer_row *row, size_t first, uint32_t set)
{
    const bool is_plain = row->def.limit == 0 && row->rooms.count == 0;
    for (; set; set &= set - 1) {
        const size_t at = first + lowest_bit(set);
        if (!is_plain || entry_changes(interest, world, row, interest->lists.items.data[at],
                                       interest->lists.marks.data[at])) {
            return true;
        }
    }
    return false;
}

// Whether an observer is concerned by touched items: for one with a limit or rooms, whether there
// are any in its list; for another, whether it sees any otherwise than before. Entries that are not
// seen need not be kept up to date.
static bool list_is_concerned(const acre_interest *interest, const interest_world *world,
                              const observer_row *row)
{
    for (uint32_t first = 0; first < row->count; first += LINE_ITEMS) {
        const uint32_t set = touched_set(&interest->share, row, first);
        if (set && set_concerns(interest, world, row, row->first + first, set)) {
            return true;
        }
    }
    return false;
}

// The same for items that came near it. Those in its list are told by the list.
static bool meetings_concern(const acre_interest *interest, const interest_world *world,
                             const observer_row *row, size_t met)
{
    const bool is_plain = row->def.limit == 0 && row->rooms.count == 0;
    const uint32_t *const items = row->count ? interest->lists.items.data + row->first : NULL;
    for (size_t i = 0; i < met; i++) {
        const uint32_t item = *COLUMN_AT(interest->grid.met, i);
        if (!is_plain || ((marks_now(interest, world, row, item, 0) & MARK_SEEN) &&
                          !list_has(items, row->count, item))) {
            return true;
        }
    }
    return false;
}

// The observers of the rooms that touched items are in are decided anew.
static void touch_rooms(acre_interest *interest)
{
    for (size_t i = 0; i < interest->rooms.capacity; i++) {
        const interest_room *const room = &interest->rooms.data[i];
        bool is_touched = false;
        for (size_t k = 0; k < room->items.count && room->rows.count > 0 && !is_touched; k++) {
            is_touched = item_is_touched(interest, room->items.numbers.data[k]);
        }
        for (size_t k = 0; is_touched && k < room->rows.count; k++) {
            COLUMN_AT(interest->rows, room->rows.numbers.data[k])->is_dirty = true;
        }
    }
}

// What comes soon in the order: a list, and the row of one that comes later.
static void prefetch_rows(const acre_interest *interest, const uint32_t *order, size_t count,
                          size_t i)
{
    if (i + 2 * LISTS_AHEAD < count) {
        acre_interest_prefetch_row(interest, order[2 * (i + 2 * LISTS_AHEAD) + 1]);
    }
    if (i + LISTS_AHEAD < count) {
        const observer_row *const row = &interest->rows.data[order[2 * (i + LISTS_AHEAD) + 1]];
        for (uint32_t k = 0; k < row->count; k += LINE_ITEMS) {
            prefetch_element(interest->lists.items.data, row->first + k, sizeof(uint32_t));
        }
        for (uint32_t k = 0; k < row->count; k += LINE_MARKS) {
            prefetch_element(interest->lists.marks.data, row->first + k, 1);
        }
    }
}

// Decides about an observer, if it is concerned or what stays is wanted.
static acre_result find_for_row(acre_interest *interest, const interest_world *world,
                                uint32_t index)
{
    const observer_row *const row = COLUMN_AT(interest->rows, index);
    if (row->is_dirty) {
        return acre_interest_decide(interest, &interest->share, world, index);
    }
    const size_t met = acre_interest_meet(interest, world, row);
    if (!look_up_list(interest, row)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    if (!list_is_concerned(interest, world, row) && !meetings_concern(interest, world, row, met)) {
        return interest->flags & ACRE_INTEREST_STAYED ? revise_row(interest, world, index, met)
                                                      : ACRE_OK;
    }
    return row->def.limit > 0 || row->rooms.count > 0
               ? acre_interest_decide(interest, &interest->share, world, index)
               : revise_row(interest, world, index, met);
}

acre_result acre_interest_find_changed(acre_interest *interest, const interest_world *world)
{
    size_t count;
    const uint32_t *const order = acre_interest_order(interest, &count); // pairs
    if (!order) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    touch_rooms(interest);
    acre_result result = acre_interest_file_touched(interest, world);
    for (size_t i = 0; i < count && result == ACRE_OK; i++) {
        prefetch_rows(interest, order, count, i);
        result = find_for_row(interest, world, order[2 * i + 1]);
    }
    return result;
}
