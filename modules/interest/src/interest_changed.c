// SPDX-License-Identifier: MIT
// interest_changed.c - updates at a cost that follows the number of changed items.
//
// A touched item concerns an observer if it stands in the observer's list or is near the observer
// now. A scan of the list against a bit for each item finds the former, interest_touched.c the
// latter.
#include "interest_internal.h"

#include "bits_internal.h"
#include "quadtree_items_shared.h"

#include <string.h>

enum { SET_ITEMS = 16 }; // entries of a list for which there is a set

// ---- one observer ----

// An observer and the touched items that concern it: `met` are near it now, and those at
// `touched_at` in its list were near it in the last update.
typedef struct row_meeting {
    const observer_row *row;
    const met_item *met;
    size_t met_count;
    const uint32_t *touched_at;
    size_t touched_count;
} row_meeting;

// The marks of a touched item that is near, for an observer with neither limit nor rooms. Not 0.
static uint32_t marks_of_met(const observer_row *row, const met_item *met, uint32_t before)
{
    const bool in_range = (before & MARK_RANGE) || met->is_inside;
    return MARK_FAR | acre_interest_band(&row->def, met->distance2) |
           (in_range ? MARK_RANGE | MARK_SEEN : 0);
}

// A touched item's marks; 0: it is not near.
static uint32_t marks_now(const row_meeting *meeting, uint32_t item, uint32_t before)
{
    for (size_t i = 0; i < meeting->met_count; i++) {
        if (meeting->met[i].item == item) {
            return marks_of_met(meeting->row, &meeting->met[i], before);
        }
    }
    return 0;
}

// Adds an entry to the new list. There is room.
static void add_near_entry(const acre_interest *interest, interest_share *share, uint32_t item,
                           uint32_t old_marks, uint32_t marks)
{
    interest_lists_add(&share->lists, item, marks & MARKS_KEPT);
    acre_interest_compare_marks(interest, share, item, old_marks, marks);
}

// Decides anew about a touched entry of the old list, or about a new one.
static void revise_entry(const acre_interest *interest, interest_share *share,
                         const row_meeting *meeting, uint32_t item, uint32_t before)
{
    if (item_is_reused(interest, item)) {
        if (before & MARK_SEEN) {
            acre_interest_add_event(share, EVENT_LEFT, item, 0);
        }
        before = 0;
    }
    const uint32_t marks = marks_now(meeting, item, before);
    if (marks) {
        add_near_entry(interest, share, item, before, marks);
    } else if (before & MARK_SEEN) {
        acre_interest_add_event(share, EVENT_LEFT, item, 0);
    }
}

// Whether a touched item is in the old list.
static bool is_listed(const acre_interest *interest, const row_meeting *meeting, uint32_t item)
{
    for (size_t i = 0; i < meeting->touched_count; i++) {
        const size_t at = meeting->row->first + meeting->touched_at[i];
        if (*COLUMN_AT(interest->lists.items, at) == item) {
            return true;
        }
    }
    return false;
}

// A bit for each of the 64 entries of a list from the first of some sets on.
static uint64_t join_sets(const uint32_t *sets)
{
    ACRE_INVARIANT(((sets[0] | sets[1] | sets[2] | sets[3]) >> SET_ITEMS) == 0);
    return sets[0] | (uint64_t)sets[1] << SET_ITEMS | (uint64_t)sets[2] << 2 * SET_ITEMS |
           (uint64_t)sets[3] << 3 * SET_ITEMS;
}

// Lists where the entries of a row's list stand that are touched.
static bool list_touched_entries(acre_interest *interest, const observer_row *row)
{
    enum { JOINED_ITEMS = 4 * SET_ITEMS };
    interest_candidates *const near = &interest->share.near;
    near->touched_count = 0;
    if (row->count == 0) {
        return true;
    }
    const uint32_t joined = (row->count + JOINED_ITEMS - 1) / JOINED_ITEMS;
    if (!COLUMN_RESERVE(near->allocator, near->touched_sets, 4 * (size_t)joined) ||
        !COLUMN_RESERVE(near->allocator, near->touched_at, row->count)) {
        return false;
    }
    interest->kernel->look_up(interest->lists.items.data + row->first, row->count,
                              interest->touched.bits.data, interest->touched.bits.capacity,
                              near->touched_sets.data);
    for (uint32_t i = 0; i < joined; i++) {
        const uint32_t first = i * JOINED_ITEMS, left = row->count - first;
        uint64_t set = join_sets(near->touched_sets.data + 4 * (size_t)i);
        // Behind the end of the list another one begins, whose bits do not count.
        set &= left < JOINED_ITEMS ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
        for (; set; set &= set - 1) {
            *COLUMN_AT(near->touched_at, near->touched_count++) = first + lowest_bit(set);
        }
    }
    return true;
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
                        const row_meeting *meeting)
{
    const observer_row *const row = meeting->row;
    interest_outcome *const outcome = last_outcome(share);
    uint32_t kept = 0;
    outcome->seen = row->seen;
    for (size_t i = 0; i < meeting->touched_count; i++) {
        const uint32_t at = meeting->touched_at[i];
        const uint32_t item = *COLUMN_AT(interest->lists.items, row->first + at);
        const uint32_t before = *COLUMN_AT(interest->lists.marks, row->first + at);
        ACRE_INVARIANT(at < row->count && item_is_marked(&interest->touched, item));
        keep_entries(interest, share, row, kept, at);
        outcome->seen -= (before & MARK_SEEN) != 0;
        revise_entry(interest, share, meeting, item, before);
        kept = at + 1;
    }
    if (kept < row->count) {
        keep_entries(interest, share, row, kept, row->count);
    }
}

// Writes the outcome of an observer: its old list, and the touched items that it met.
static acre_result revise_row(const acre_interest *interest, interest_share *share,
                              const row_meeting *meeting, uint32_t index)
{
    const observer_row *const row = meeting->row;
    const size_t most = row->count + meeting->met_count;
    if (!acre_interest_reserve_lists(share->near.allocator, &share->lists,
                                     share->lists.used + most) ||
        !acre_interest_begin_outcome(share->near.allocator, share, index, share->lists.used,
                                     most)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    revise_list(interest, share, meeting);
    for (size_t i = 0; i < meeting->met_count; i++) {
        const uint32_t item = meeting->met[i].item;
        if (!is_listed(interest, meeting, item) &&
            item != acre_interest_hidden_item(interest, row)) {
            revise_entry(interest, share, meeting, item, 0);
        }
    }
    acre_interest_end_outcome(share);
    return ACRE_OK;
}

// Whether an observer sees a touched entry otherwise than before.
static bool entry_changes(const acre_interest *interest, const row_meeting *meeting, size_t at)
{
    const uint32_t item = *COLUMN_AT(interest->lists.items, at);
    const uint32_t before = *COLUMN_AT(interest->lists.marks, at);
    const uint32_t kept = before & MARK_SEEN && item_is_reused(interest, item) ? 0 : before;
    const uint32_t now = marks_now(meeting, item, kept), marks = now & MARKS_KEPT;
    return (((marks | before) & MARK_SEEN) && (marks != before || kept != before)) ||
           (now == 0 &&
            interest->least_entries > 0); // lists keep to the room made for what is near
}

// Whether touched items change what an observer sees. For one with a limit or rooms each of them
// may; for another it is compared. What is not seen need not be kept up to date.
static bool is_concerned(const acre_interest *interest, const row_meeting *meeting)
{
    const observer_row *const row = meeting->row;
    if (row->def.limit > 0 || row->rooms.count > 0) {
        return meeting->touched_count > 0 || meeting->met_count > 0;
    }
    for (size_t i = 0; i < meeting->touched_count; i++) {
        if (entry_changes(interest, meeting, row->first + meeting->touched_at[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < meeting->met_count; i++) {
        if ((marks_of_met(row, &meeting->met[i], 0) & MARK_SEEN) &&
            !is_listed(interest, meeting, meeting->met[i].item)) {
            return true;
        }
    }
    return false;
}

// The observers of the rooms that touched items are in are decided anew.
static void touch_rooms(acre_interest *interest)
{
    for (uint32_t i = 0; i < interest->room_map.count; i++) {
        const interest_room *const room = COLUMN_AT(interest->rooms, i);
        bool is_touched = false;
        for (size_t k = 0; k < room->items.count && room->rows.count > 0 && !is_touched; k++) {
            is_touched = item_is_marked(&interest->touched, room->items.numbers.data[k]);
        }
        if (is_touched) {
            acre_interest_touch_room(interest, room);
        }
    }
}

// revise_row for an observer with a set. Of the touched items only those that were met are near.
// @param spent what a search takes is added, where there is one.
static acre_result revise_set(acre_interest *interest, const interest_world *world, uint32_t index,
                              size_t met_count, uint64_t *spent)
{
    const observer_row *const row = COLUMN_AT(interest->rows, index);
    interest_share *const share = &interest->share;
    const met_item *const met = interest->met.data;
    const uint32_t hidden = acre_interest_hidden_item(interest, row);
    uint32_t highest = 0;
    for (size_t i = 0; i < met_count; i++) {
        highest = met[i].item > highest ? met[i].item : highest;
    }
    if (!acre_interest_reserve_planes(share->near.allocator, &share->planes, row,
                                      acre_interest_set_words(highest))) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < met_count; i++) {
        const double distance2 = met[i].distance2;
        const uint32_t inside = met[i].is_inside ? MARK_INSIDE : 0;
        const uint8_t marks = (uint8_t)(inside | acre_interest_band(&row->def, distance2));
        acre_interest_mark_near(interest->kernel, &share->planes, &met[i].item, &marks,
                                met[i].item != hidden);
    }
    if (!acre_interest_compare_set(interest, share, index, true)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    const interest_outcome *const outcome = last_outcome(share);
    const bool is_short = acre_interest_set_is_short(interest, outcome);
    uint32_t events = 0;
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        events += outcome->event_count[kind];
    }
    if (events > 0 && !is_short) {
        return ACRE_OK;
    }
    acre_interest_drop_outcome(share);
    if (events == 0) {
        return ACRE_OK;
    }
    *spent += acre_interest_search_cost(row);
    return acre_interest_decide(interest, share, world, index);
}

enum {
    STEP_WORDS = 8,   // of a set, which are compared together
    COST_OF_STEP = 12 // of so many words with touched items
};

// The estimated cost of revise_set, in the units of the ledger.
static uint64_t revision_cost(const acre_interest *interest, const observer_row *row, size_t met)
{
    const size_t steps = row->set_words / STEP_WORDS, touched = interest->touched.count;
    const uint64_t compared = touched < steps ? touched : steps;
    return row->set_words / 2 + COST_OF_STEP * compared + COST_OF_MET * (uint64_t)met;
}

enum { MANY_MET = 64 }; // with more of them, comparing costs more than a new search

// Decides about an observer from what touched items say, unless they are so many that a new search
// costs less. @param spent what it took.
static acre_result revise_or_decide(acre_interest *interest, const interest_world *world,
                                    uint32_t index, uint64_t *spent)
{
    const observer_row *const row = COLUMN_AT(interest->rows, index);
    interest_share *const share = &interest->share;
    const uint64_t search = acre_interest_search_cost(row);
    const size_t met = acre_interest_meet(interest, world, row, search);
    *spent += COST_OF_LOOK + interest->compared;
    if (met != MET_TOO_MANY && acre_interest_has_plain_set(row)) {
        *spent += revision_cost(interest, row, met);
        return revise_set(interest, world, index, met, spent);
    }
    if (met == MET_TOO_MANY || row->set_words > 0) {
        *spent += search;
        return acre_interest_decide(interest, share, world, index);
    }
    if (!list_touched_entries(interest, row)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    const row_meeting meeting = {row, interest->met.data, met, share->near.touched_at.data,
                                 share->near.touched_count};
    const bool are_many = met > MANY_MET && meeting.touched_count > MANY_MET;
    *spent += COST_OF_ENTRY * (uint64_t)row->count / SET_ITEMS + COST_OF_MET * (uint64_t)met;
    if (!are_many && !is_concerned(interest, &meeting)) {
        return interest->flags & ACRE_INTEREST_STAYED ? revise_row(interest, share, &meeting, index)
                                                      : ACRE_OK;
    }
    *spent += search;
    return are_many || row->def.limit > 0 || row->rooms.count > 0
               ? acre_interest_decide(interest, share, world, index)
               : revise_row(interest, share, &meeting, index);
}

// ---- all observers ----

// Observers that are near each other share a ledger, which is balanced anew for each of them: once
// they have spent more than searches would have taken, and a little, the rest of them is
// searched for.
enum { LEDGER_OBSERVERS = 64, LEDGER_SHARE = 32 };

static void add_cost(update_cost *to, update_cost more)
{
    to->spent += more.spent;
    to->searches += more.searches;
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
    const uint64_t credit =
        acre_interest_searches_cost(interest) * LEDGER_OBSERVERS / (LEDGER_SHARE * (count + 1));
    update_cost ledger = {0, 0};
    for (size_t i = 0; i < count && result == ACRE_OK; i++) {
        const uint32_t index = order[2 * i + 1];
        if (i % LEDGER_OBSERVERS == 0) {
            add_cost(&interest->cost, ledger);
            ledger = (update_cost){0, 0};
        }
        acre_interest_prefetch(interest, order, count, i);
        const observer_row *const row = COLUMN_AT(interest->rows, index);
        ACRE_INVARIANT(row->is_used);
        const uint64_t search = acre_interest_search_cost(row);
        if (row->is_dirty || ledger.spent > ledger.searches + credit) {
            ledger.spent += search;
            result = acre_interest_decide(interest, &interest->share, world, index);
        } else {
            result = revise_or_decide(interest, world, index, &ledger.spent);
        }
        ledger.searches += search;
    }
    add_cost(&interest->cost, ledger);
    return result;
}

enum { COST_OF_NEAR = 24 }; // of a changed item near an observer, and of the items beside it

// Whether marking and filing so many items would take a good part of what a search for everything
// takes, or so many would be near each observer that it is searched for anyway.
bool acre_interest_changes_are_many(const acre_interest *interest, const interest_world *world,
                                    size_t count)
{
    const uint64_t searches =
        acre_interest_searches_cost(interest) / acre_interest_workers(interest, world);
    const uint64_t filing = COST_OF_TOUCH * (uint64_t)count;
    if (count > interest_most_changes(searches)) {
        return true;
    }
    size_t items = 1;
    for (size_t i = 0; i < world->count; i++) {
        items += acre_quadtree_item_count(world->trees[i]);
    }
    // Where things are alike.
    const uint64_t listed = interest->live * (uint64_t)count / items;
    const uint64_t met = listed + interest->sets_cost * (uint64_t)count / items;
    const uint64_t looks = COST_OF_LOOK * interest->observers +
                           COST_OF_ENTRY * interest->live / SET_ITEMS + COST_OF_NEAR * met +
                           interest->sets_cost / 4;
    return filing + looks > searches - searches / 8 || listed > 40 * interest->observers;
}
