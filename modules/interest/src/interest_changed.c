// SPDX-License-Identifier: MIT
// interest_changed.c - updates at a cost that follows the number of changed items.
//
// An observer is concerned by an item that is in its list, which a scan of the lists against a bit
// for each item finds, or that is near it now (interest_touched.c).
#include "interest_internal.h"

#include "bits_internal.h"
#include "prefetch_internal.h"

// Entries of a list in a cache line; lists that are prefetched; entries that are looked up at once.
enum { LINE_ITEMS = 16, LISTS_AHEAD = 4, LOOKED_UP = 256 };

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
    const uint8_t *const marks = row->count ? interest->lists.marks.data + row->first : NULL;
    for (size_t i = 0; i < row->count; i++) {
        if (item_is_touched(interest, items[i])) {
            revise_entry(interest, share, world, row, items[i], marks[i]);
        } else {
            add_near_entry(interest, share, items[i], marks[i], marks[i]);
        }
    }
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
    uint32_t sets[LOOKED_UP / LINE_ITEMS];
    for (uint32_t i = 0; i < row->count; i += LOOKED_UP) {
        const size_t first = row->first + i;
        const uint32_t left = row->count - i, count = left < LOOKED_UP ? left : LOOKED_UP;
        interest->kernel->look_up(interest->lists.items.data + first, count, interest->touched.data,
                                  interest->touched.capacity, sets);
        for (uint32_t k = 0; k < count; k += LINE_ITEMS) {
            const uint32_t here = count - k < LINE_ITEMS ? count - k : LINE_ITEMS;
            const uint32_t set = sets[k / LINE_ITEMS] & ((1u << here) - 1);
            if (set && set_concerns(interest, world, row, first + k, set)) {
                return true;
            }
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

// Lists of observers that follow each other are anywhere in memory.
static void prefetch_list(const acre_interest *interest, const observer_row *row)
{
    for (uint32_t i = 0; i < row->count; i += LINE_ITEMS) {
        prefetch_element(interest->lists.items.data, row->first + i, sizeof(uint32_t));
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
    touch_rooms(interest);
    acre_result result = acre_interest_file_touched(interest, world);
    for (size_t i = 0; i < interest->row_count && result == ACRE_OK; i++) {
        if (i + LISTS_AHEAD < interest->row_count) {
            prefetch_list(interest, &interest->rows.data[i + LISTS_AHEAD]);
        }
        if (interest->rows.data[i].is_used) {
            result = find_for_row(interest, world, (uint32_t)i);
        }
    }
    return result;
}
