// SPDX-License-Identifier: MIT
// interest_changed.c - updates at a cost that follows the number of changed items.
//
// An observer is concerned by an item that is in its list, which a scan of the lists against a bit
// for each item finds, or that may have come near it: the circles of all observers stand in a
// quadtree of their own, which is asked with the item's box.
#include "interest_internal.h"

#include "bits_internal.h"
#include "float_bits.h"
#include "prefetch_internal.h"
#include "sort_internal.h"

#include <math.h>
#include <string.h>

// Entries of a list in a cache line; lists that are prefetched.
enum { LINE_ITEMS = 16, LISTS_AHEAD = 4 };

bool acre_interest_touch(acre_interest *interest, const uint32_t *items, size_t count)
{
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        most = items[i] > most ? items[i] : most;
    }
    if (most >= INTEREST_ITEMS) {
        most = INTEREST_ITEMS - 1; // no tree has the items above it
    }
    size_t words = interest->has_reborn ? interest->reborn.capacity : 0;
    words = most / 64 + 1 > words ? most / 64 + 1 : words;
    if (!COLUMN_RESERVE(&interest->allocator, interest->touched, words)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (items[i] < INTEREST_ITEMS) {
            *COLUMN_AT(interest->touched, items[i] / 64) |= UINT64_C(1) << (items[i] & 63);
        }
    }
    for (size_t i = 0; interest->has_reborn && i < interest->reborn.capacity; i++) {
        interest->touched.data[i] |= interest->reborn.data[i];
    }
    return true;
}

void acre_interest_end_touch(acre_interest *interest)
{
    if (interest->touched.data) {
        memset(interest->touched.data, 0,
               interest->touched.capacity * sizeof *interest->touched.data);
    }
}

// ---- the tree of observers ----

// The same box at height 0: endless boxes would be outliers of the tree.
static acre_aabb on_ground(acre_aabb box)
{
    box.min[1] = box.max[1] = 0;
    return box;
}

// So few observers are tested one by one.
enum { FEW_OBSERVERS = 8 };

// Puts the circles of observers that moved or changed into the tree of observers.
static acre_result watch_rows(acre_interest *interest)
{
    if (!interest->watchers && interest->row_count <= FEW_OBSERVERS) {
        return ACRE_OK;
    }
    if (!interest->watchers) {
        const acre_quadtree_def def = {.allocator = &interest->allocator};
        const acre_result result = acre_quadtree_create(&def, &interest->watchers);
        if (result != ACRE_OK) {
            return result;
        }
    }
    for (size_t i = 0; i < interest->row_count; i++) {
        observer_row *const row = COLUMN_AT(interest->rows, i);
        if (!row->is_used || row->is_watched) {
            continue;
        }
        const acre_aabb reach = on_ground(acre_interest_reach(row));
        const uint32_t index = (uint32_t)i;
        const acre_result result = acre_quadtree_contains(interest->watchers, index)
                                       ? acre_quadtree_refresh(interest->watchers, index, &reach)
                                       : acre_quadtree_insert(interest->watchers, index, &reach);
        if (result != ACRE_OK) {
            return result;
        }
        row->is_watched = true;
    }
    return acre_quadtree_maintain(interest->watchers);
}

static acre_result list_few_rows(acre_interest *interest, size_t *count)
{
    ACRE_INVARIANT(interest->row_count <= FEW_OBSERVERS);
    *count = 0;
    if (!COLUMN_RESERVE(&interest->allocator, interest->found, FEW_OBSERVERS)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < interest->row_count; i++) {
        if (interest->rows.data[i].is_used) {
            *COLUMN_AT(interest->found, (*count)++) = i;
        }
    }
    return ACRE_OK;
}

// The rows whose circle an item's box may touch. They are listed in found.
static acre_result find_watching_rows(acre_interest *interest, const acre_aabb *box, size_t *count)
{
    if (!interest->watchers) {
        return list_few_rows(interest, count);
    }
    const acre_aabb ground = on_ground(*box);
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &ground};
    for (;;) {
        const acre_result result = acre_quadtree_query(
            interest->watchers, &query, interest->found.data, interest->found.capacity, count);
        if (result != ACRE_OK || *count <= interest->found.capacity) {
            return result;
        }
        if (!COLUMN_RESERVE(&interest->allocator, interest->found, *count)) {
            return ACRE_ERROR_OUT_OF_MEMORY;
        }
    }
}

static bool item_has_layers(const interest_world *world, uint32_t item, uint32_t layers)
{
    if (layers == 0 || layers == UINT32_MAX) {
        return true;
    }
    uint32_t own = 0;
    for (size_t i = 0; i < world->count; i++) {
        own |= acre_quadtree_get_layers(world->trees[i], item);
    }
    return (own & layers) != 0;
}

static bool is_within(float radius, double distance2)
{
    return distance2 <= (double)radius * (double)radius;
}

// Adds a meeting of an item with each observer that it is near.
static acre_result meet_rows(acre_interest *interest, const interest_world *world, uint32_t item,
                             const acre_aabb *box, size_t *meetings)
{
    size_t rows = 0;
    const acre_result result = find_watching_rows(interest, box, &rows);
    if (result != ACRE_OK) {
        return result;
    }
    if (!COLUMN_RESERVE(&interest->allocator, interest->meetings, 4 * (*meetings + rows))) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < rows; i++) {
        const uint32_t index = interest->found.data[i];
        const observer_row *const row = COLUMN_AT(interest->rows, index);
        const double distance2 = acre_interest_distance2(box, row->place, row->def.in_space);
        if (!row->is_dirty && is_within(row->def.leave_radius, distance2) &&
            item_has_layers(world, item, row->def.layers)) {
            interest->meetings.data[2 * *meetings] = index;
            interest->meetings.data[2 * *meetings + 1] = item;
            ++*meetings;
        }
    }
    return ACRE_OK;
}

// Gets the box of the next touched item. One that is in no tree gets a NaN.
static acre_result add_touched_box(acre_interest *interest, const interest_world *world,
                                   uint32_t item, size_t rank)
{
    if (!COLUMN_RESERVE(&interest->allocator, interest->touched_boxes, rank + 1)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    acre_aabb *const box = COLUMN_AT(interest->touched_boxes, rank);
    const acre_result result = acre_interest_box(world, item, box);
    if (result == ACRE_ERROR_NOT_FOUND) {
        box->min[0] = NAN;
        return ACRE_OK;
    }
    return result;
}

// The box of a touched item. @return false if it is in no tree.
static bool get_touched_box(const acre_interest *interest, uint32_t item, acre_aabb *out)
{
    ACRE_ASSERT(item_is_touched(interest, item));
    uint64_t before = interest->touched.data[item / 64] & ((UINT64_C(1) << (item & 63)) - 1);
    uint32_t rank = *COLUMN_AT(interest->touched_ranks, item / 64);
    for (; before; before &= before - 1) {
        rank++;
    }
    *out = *COLUMN_AT(interest->touched_boxes, rank);
    return !float_is_nan(out->min[0]);
}

// Lists the boxes of all touched items. They are anywhere in memory: a loop that does nothing else
// waits for many of them at a time.
static acre_result list_touched_boxes(acre_interest *interest, const interest_world *world,
                                      size_t *count)
{
    acre_result result = ACRE_OK;
    size_t rank = 0;
    if (!COLUMN_RESERVE(&interest->allocator, interest->touched_ranks,
                        interest->touched.capacity)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    for (size_t word = 0; word < interest->touched.capacity && result == ACRE_OK; word++) {
        interest->touched_ranks.data[word] = (uint32_t)rank;
        for (uint64_t bits = interest->touched.data[word]; bits && result == ACRE_OK;
             bits &= bits - 1) {
            result =
                add_touched_box(interest, world, (uint32_t)(word * 64) + lowest_bit(bits), rank++);
        }
    }
    *count = rank;
    return result;
}

// Lists the meetings of all touched items, sorted by row, then by item.
static acre_result list_meetings(acre_interest *interest, const interest_world *world,
                                 const uint32_t **sorted, size_t *count)
{
    size_t rank = 0, boxes = 0;
    acre_result result = list_touched_boxes(interest, world, &boxes);
    *count = 0;
    for (size_t word = 0; rank < boxes && result == ACRE_OK; word++) {
        for (uint64_t bits = *COLUMN_AT(interest->touched, word); bits && result == ACRE_OK;
             bits &= bits - 1) {
            const acre_aabb box = *COLUMN_AT(interest->touched_boxes, rank++);
            if (!float_is_nan(box.min[0])) {
                const uint32_t item = (uint32_t)(word * 64) + lowest_bit(bits);
                result = meet_rows(interest, world, item, &box, count);
            }
        }
    }
    uint32_t *const pairs = interest->meetings.data;
    *sorted = *count > 0 ? acre_sort_number_pairs(pairs, pairs + 2 * *count, *count) : pairs;
    return result;
}

// ---- one observer ----

// A touched item's marks for an observer with neither limit nor rooms; 0: it is not near.
static uint8_t marks_now(const acre_interest *interest, const interest_world *world,
                         const observer_row *row, uint32_t item, uint32_t before)
{
    acre_aabb box;
    if (!get_touched_box(interest, item, &box)) {
        return 0;
    }
    const double distance2 = acre_interest_distance2(&box, row->place, row->def.in_space);
    if (!is_within(row->def.leave_radius, distance2) ||
        !item_has_layers(world, item, row->def.layers)) {
        return 0;
    }
    const bool in_range = (before & MARK_RANGE) || is_within(row->def.enter_radius, distance2);
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
                              const uint32_t *meetings, size_t meeting_count)
{
    interest_share *const share = &interest->share;
    const observer_row *const row = COLUMN_AT(interest->rows, index);
    const size_t most = row->count + meeting_count;
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
    for (size_t i = 0; i < meeting_count; i++) {
        const uint32_t item = meetings[2 * i + 1];
        if (!list_has(items, row->count, item) &&
            (row->def.sees_itself || !acre_interest_follows(interest, row, item))) {
            revise_entry(interest, share, world, row, item, 0);
        }
    }
    acre_interest_end_outcome(share);
    return ACRE_OK;
}

// Which of some entries are touched, up to 16: a bit for each.
static uint32_t touched_entries(const acre_interest *interest, const uint32_t *items, size_t count)
{
    const uint64_t *const words = interest->touched.data;
    const size_t word_count = interest->touched.capacity;
    uint32_t are_touched = 0;
    ACRE_ASSERT(count <= LINE_ITEMS && word_count > 0);
    for (size_t i = 0; i < count; i++) {
        const size_t word = items[i] / 64; // a branch for each item would wait for its bit
        const uint64_t bits = words[word < word_count ? word : 0] >> (items[i] & 63);
        are_touched |= (uint32_t)(bits & (word < word_count)) << i;
    }
    return are_touched;
}

// Whether an observer sees a touched entry otherwise than before.
static bool entry_changes(const acre_interest *interest, const interest_world *world,
                          const observer_row *row, uint32_t item, uint32_t before)
{
    const uint32_t kept = before & MARK_SEEN && item_is_reborn(interest, item) ? 0 : before;
    const uint32_t marks = marks_now(interest, world, row, item, kept) & MARKS_KEPT;
    return ((marks | before) & MARK_SEEN) && (marks != before || kept != before);
}

// Whether an observer is concerned by touched items: for one with a limit or rooms, whether there
// are any in its list; for another, whether it sees any otherwise than before. Entries that are not
// seen need not be kept up to date.
static bool list_is_concerned(const acre_interest *interest, const interest_world *world,
                              const observer_row *row)
{
    const bool is_plain = row->def.limit == 0 && row->rooms.count == 0;
    for (uint32_t i = 0; i < row->count; i += LINE_ITEMS) {
        const size_t left = row->count - i < LINE_ITEMS ? row->count - i : LINE_ITEMS;
        const size_t first = row->first + i;
        uint32_t touched = touched_entries(interest, interest->lists.items.data + first, left);
        for (; touched; touched &= touched - 1) {
            const size_t at = first + lowest_bit(touched);
            if (!is_plain || entry_changes(interest, world, row, interest->lists.items.data[at],
                                           interest->lists.marks.data[at])) {
                return true;
            }
        }
    }
    return false;
}

// The same for items that came near it. Those in its list are told by the list.
static bool meetings_concern(const acre_interest *interest, const interest_world *world,
                             const observer_row *row, const uint32_t *meetings, size_t count)
{
    const bool is_plain = row->def.limit == 0 && row->rooms.count == 0;
    const uint32_t *const items = row->count ? interest->lists.items.data + row->first : NULL;
    for (size_t i = 0; i < count; i++) {
        const uint32_t item = meetings[2 * i + 1];
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

acre_result acre_interest_find_changed(acre_interest *interest, const interest_world *world)
{
    touch_rooms(interest);
    const uint32_t *meetings = NULL;
    size_t meeting_count = 0, next = 0;
    acre_result result = watch_rows(interest);
    if (result == ACRE_OK) {
        result = list_meetings(interest, world, &meetings, &meeting_count);
    }
    for (size_t i = 0; i < interest->row_count && result == ACRE_OK; i++) {
        const observer_row *const row = COLUMN_AT(interest->rows, i);
        const size_t first = next;
        if (i + LISTS_AHEAD < interest->row_count) {
            prefetch_list(interest, &interest->rows.data[i + LISTS_AHEAD]);
        }
        while (next < meeting_count && meetings[2 * next] == i) {
            next++;
        }
        if (!row->is_used) {
            continue;
        }
        const uint32_t *const mine = next > first ? meetings + 2 * first : NULL;
        const bool is_concerned = row->is_dirty || list_is_concerned(interest, world, row) ||
                                  meetings_concern(interest, world, row, mine, next - first);
        if (row->is_dirty || (is_concerned && (row->def.limit > 0 || row->rooms.count > 0))) {
            result = acre_interest_decide(interest, &interest->share, world, (uint32_t)i);
        } else if (is_concerned || (interest->flags & ACRE_INTEREST_STAYED)) {
            result = revise_row(interest, world, (uint32_t)i, mine, next - first);
        }
    }
    return result;
}
