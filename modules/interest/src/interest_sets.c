// SPDX-License-Identifier: MIT
// interest_sets.c - long lists as sets: a bit for each item instead of 28 bytes for each entry.
//
// What is near an observer is marked in planes of the share, whatever the order of the tree. One
// pass compares them with the observer's set, eight words at a time, and lists what differs. So
// nothing is matched and nothing is sorted. An update changes sets only once it cannot fail, by
// what it lists as entered, left and changed.
#include "interest_internal.h"

#include "bits_internal.h"
#include "prefetch_internal.h"

#include <string.h>

enum {
    STEP = 8, // words that are compared at a time; sets and planes have a multiple of it
    WORDS_AHEAD = 24 * STEP // a set is in no cache
};

// With more than an item in 256 seen a set takes less time and memory than a list, and with less
// than one in 512 more.
enum { WORDS_OF_SEEN = 4, WORDS_OF_FEW = 8 };

uint32_t acre_interest_set_words(uint32_t highest)
{
    return (highest / 64 / STEP + 1) * STEP;
}

size_t acre_interest_most_set_words(size_t seen, uint32_t highest)
{
    const size_t words = acre_interest_set_words(highest), most = WORDS_OF_FEW * seen;
    return words < most ? words : most;
}

bool acre_interest_wants_set(const acre_interest *interest, const observer_row *row, uint32_t seen,
                             uint32_t highest)
{
    const uint32_t words = acre_interest_set_words(highest);
    return row->def.limit == 0 && row->rooms.count == 0 && seen >= interest->least_set &&
           seen > words / WORDS_OF_SEEN;
}

// ---- planes ----

bool acre_interest_reserve_planes(const acre_allocator *allocator, near_planes *planes,
                                  const observer_row *row, uint32_t words)
{
    planes->count = words > row->set_words ? words : row->set_words;
    planes->highest = 0;
    planes->found = 0;
    planes->has_between = row->def.leave_radius > row->def.enter_radius;
    planes->has_bands = row->def.band_limits[0] > 0 || row->set_planes > 1;
    planes->used = planes->has_bands     ? NEAR_PLANES
                   : planes->has_between ? PLANE_BANDS
                                         : PLANE_BETWEEN;
    return COLUMN_RESERVE(allocator, planes->words, (size_t)NEAR_PLANES * planes->count);
}

enum { ALL_ITEMS, NO_ITEMS, SOME_ITEMS };

// Of how many items a bit of the marks is `value`. Nearly all groups are whole.
static int share_of_marks(const uint8_t *marks, uint32_t count, uint32_t bit, uint32_t value)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t halves[2];
    if (count != ACRE_GROUP_ITEMS) {
        return SOME_ITEMS;
    }
    memcpy(halves, marks, sizeof halves);
    const uint64_t low = (halves[0] >> bit & ones) ^ (value ? 0 : ones);
    const uint64_t high = (halves[1] >> bit & ones) ^ (value ? 0 : ones);
    return (low & high) == ones ? ALL_ITEMS : (low | high) == 0 ? NO_ITEMS : SOME_ITEMS;
}

// Marks the items of which a bit of the marks is `value`.
static void mark_some_items(const interest_kernel *kernel, const near_planes *planes,
                            uint32_t plane, const uint32_t *items, const uint8_t *marks,
                            uint32_t count, uint32_t bit, uint32_t value)
{
    const int share = share_of_marks(marks, count, bit, value);
    uint32_t chosen[ACRE_GROUP_ITEMS], some = 0;
    ACRE_INVARIANT(count <= ACRE_GROUP_ITEMS);
    for (uint32_t i = 0; i < count && share == SOME_ITEMS; i++) {
        chosen[some] = items[i];
        some += (marks[i] >> bit & 1u) == value;
    }
    if (share != NO_ITEMS) {
        (void)kernel->mark_planes(plane_of(planes, plane), planes->count,
                                  share == ALL_ITEMS ? items : chosen,
                                  share == ALL_ITEMS ? count : some);
    }
}

_Static_assert(MARK_BAND == 3 && MARK_INSIDE == 1 << 4, "bits 0, 1 and 4 below");

void acre_interest_mark_near(const interest_kernel *kernel, near_planes *planes,
                             const uint32_t *items, const uint8_t *marks, uint32_t count)
{
    planes->found += count;
    if (!kernel->mark_planes(plane_of(planes, PLANE_NEAR), planes->count, items, count)) {
        for (uint32_t i = 0; i < count; i++) {
            planes->highest = items[i] > planes->highest ? items[i] : planes->highest;
        }
        return; // the planes are too short: all is found anew
    }
    if (planes->has_between) {
        mark_some_items(kernel, planes, PLANE_BETWEEN, items, marks, count, 4, 0);
    }
    for (uint32_t band = 0; band < 2 && planes->has_bands; band++) {
        mark_some_items(kernel, planes, PLANE_BANDS + band, items, marks, count, band, 1);
    }
}

void acre_interest_clear_planes(near_planes *planes)
{
    memset(planes->words.data, 0, (size_t)planes->used * planes->count * sizeof(uint64_t));
}

// ---- comparing ----

// Eight words of an observer before and now.
typedef struct set_step {
    uint64_t was[STEP], now[STEP]; // in range
    uint64_t reused[STEP];         // of those before: they are other things now
    uint64_t bands[2][STEP], old_bands[2][STEP];
} set_step;

static const uint64_t no_words[STEP];

// Eight words of some marks, which may end before.
static void load_marks(const item_marks *marks, size_t first, uint64_t *words)
{
    for (size_t k = 0; k < STEP; k++) {
        words[k] =
            marks->count > 0 && first + k < marks->bits.capacity ? marks->bits.data[first + k] : 0;
    }
}

// Leaves what is not touched as it was.
static void keep_untouched(const acre_interest *interest, size_t first, set_step *step)
{
    uint64_t touched[STEP];
    load_marks(&interest->touched, first, touched);
    for (size_t k = 0; k < STEP; k++) {
        step->now[k] = (step->now[k] & touched[k]) | (step->was[k] & ~touched[k]);
        for (int band = 0; band < 2; band++) {
            step->bands[band][k] =
                (step->bands[band][k] & touched[k]) | (step->old_bands[band][k] & ~touched[k]);
        }
    }
}

// Eight words of a plane of bands of an observer's set.
static const uint64_t *old_band(const observer_row *row, uint32_t band, size_t first)
{
    return row->set_planes > 1 && first < row->set_words
               ? row->set.data + (size_t)(1 + band) * row->set_words + first
               : no_words;
}

static void compare_bands(const near_planes *planes, const observer_row *row, size_t first,
                          set_step *step)
{
    for (uint32_t band = 0; band < 2; band++) {
        memcpy(step->bands[band], plane_of(planes, PLANE_BANDS + band) + first,
               sizeof step->bands[band]);
        memcpy(step->old_bands[band], old_band(row, band, first), sizeof step->old_bands[band]);
    }
}

static void compare_step(const acre_interest *interest, const near_planes *planes,
                         const observer_row *row, size_t first, bool is_partial, set_step *step)
{
    const uint64_t *const near = plane_of(planes, PLANE_NEAR) + first;
    const uint64_t *const between =
        planes->has_between ? plane_of(planes, PLANE_BETWEEN) + first : no_words;
    const uint64_t *const old = first < row->set_words ? row->set.data + first : no_words;
    if (interest->reused.count > 0) {
        load_marks(&interest->reused, first, step->reused);
    }
    for (size_t k = 0; k < STEP; k++) {
        step->reused[k] &= old[k];
        step->was[k] = old[k] & ~step->reused[k];
        step->now[k] = near[k] & (step->was[k] | ~between[k]);
    }
    if (planes->has_bands) {
        compare_bands(planes, row, first, step);
    }
    if (is_partial) {
        keep_untouched(interest, first, step);
    }
}

// Whether eight words differ from those before, where nothing stands for another thing. Nearly all
// are as they were, which this finds out without writing anything.
// @param mask the bits that count; NULL: all.
static inline bool step_differs(const near_planes *planes, const observer_row *row, size_t first,
                                const uint64_t *mask)
{
    const uint64_t *const near = plane_of(planes, PLANE_NEAR) + first;
    const uint64_t *const between =
        planes->has_between ? plane_of(planes, PLANE_BETWEEN) + first : no_words;
    const uint64_t *const old = first < row->set_words ? row->set.data + first : no_words;
    uint64_t differs = 0;
    for (size_t k = 0; k < STEP; k++) {
        differs |= ((near[k] & (old[k] | ~between[k])) ^ old[k]) & (mask ? mask[k] : UINT64_MAX);
    }
    for (uint32_t band = 0; band < 2 && planes->has_bands; band++) {
        const uint64_t *const now = plane_of(planes, PLANE_BANDS + band) + first;
        const uint64_t *const was = old_band(row, band, first);
        for (size_t k = 0; k < STEP; k++) {
            differs |= (now[k] ^ was[k]) & old[k] & (mask ? mask[k] : UINT64_MAX);
        }
    }
    return differs != 0;
}

// The same where only touched items may differ. Most words have none.
static bool touched_step_differs(const acre_interest *interest, const near_planes *planes,
                                 const observer_row *row, size_t first)
{
    uint64_t touched[STEP], any = 0;
    load_marks(&interest->touched, first, touched);
    for (size_t k = 0; k < STEP; k++) {
        any |= touched[k];
    }
    return any != 0 && step_differs(planes, row, first, touched);
}

static void append_bits(interest_share *share, int kind, const set_step *step, size_t first,
                        size_t k, uint64_t bits)
{
    for (; bits; bits &= bits - 1) {
        const uint32_t at = lowest_bit(bits);
        const uint32_t band =
            (uint32_t)(step->bands[0][k] >> at & 1) | (uint32_t)(step->bands[1][k] >> at & 1) << 1;
        acre_interest_add_event(share, kind, (uint32_t)(first + k) * 64 + at, band);
    }
}

static void add_step(const acre_interest *interest, interest_share *share, const set_step *step,
                     size_t first)
{
    interest_outcome *const outcome = last_outcome(share);
    for (size_t k = 0; k < STEP; k++) {
        const uint64_t was = step->was[k], now = step->now[k], stayed = was & now;
        const uint64_t other_bands = (step->bands[0][k] ^ step->old_bands[0][k]) |
                                     (step->bands[1][k] ^ step->old_bands[1][k]);
        const uint64_t left = (was & ~now) | step->reused[k];
        append_bits(share, EVENT_ENTERED, step, first, k, now & ~was);
        append_bits(share, EVENT_LEFT, step, first, k, left);
        append_bits(share, EVENT_CHANGED, step, first, k, stayed & other_bands);
        if (interest->flags & ACRE_INTEREST_STAYED) {
            append_bits(share, EVENT_STAYED, step, first, k, stayed);
        }
        outcome->seen += count_bits(now & ~was);
        outcome->seen -= count_bits(left);
    }
}

bool acre_interest_compare_set(const acre_interest *interest, interest_share *share, uint32_t index,
                               bool is_partial)
{
    const observer_row *const row = COLUMN_AT(interest->rows, index);
    near_planes *const planes = &share->planes;
    const bool are_all = (interest->flags & ACRE_INTEREST_STAYED) ||
                         interest->reused.count > 0; // are listed, or may differ
    set_step step = {.was = {0}};
    ACRE_INVARIANT(row->set_words % STEP == 0 && planes->count % STEP == 0);
    if (!acre_interest_begin_outcome(share->near.allocator, share, index, share->lists.used,
                                     planes->found + row->seen)) {
        acre_interest_clear_planes(planes);
        return false;
    }
    interest_outcome *const outcome = last_outcome(share);
    outcome->is_set = true;
    outcome->seen = row->seen;
    outcome->set_words = planes->count;
    for (size_t first = 0; first < planes->count; first += STEP) {
        prefetch_element(row->set.data, first + WORDS_AHEAD, sizeof *row->set.data);
        if (are_all || (is_partial ? touched_step_differs(interest, planes, row, first)
                                   : step_differs(planes, row, first, NULL))) {
            compare_step(interest, planes, row, first, is_partial, &step);
            add_step(interest, share, &step, first);
        }
    }
    acre_interest_clear_planes(planes);
    acre_interest_close_outcome(share);
    return true;
}

bool acre_interest_set_is_short(const acre_interest *interest, const interest_outcome *outcome)
{
    return outcome->seen < interest->least_set / 2 ||
           outcome->seen < outcome->set_words / WORDS_OF_FEW;
}

// ---- a set read ----

uint32_t acre_interest_set_items(const observer_row *row, uint32_t *items, uint8_t *bands,
                                 size_t capacity)
{
    const size_t words = row->set_words;
    uint32_t count = 0;
    for (size_t word = 0; word < words; word++) {
        for (uint64_t bits = row->set.data[word]; bits; bits &= bits - 1, count++) {
            const uint32_t at = lowest_bit(bits);
            if (count < capacity) {
                items[count] = (uint32_t)word * 64 + at;
            }
            if (count < capacity && bands) {
                bands[count] = acre_interest_set_band(row, (uint32_t)word * 64 + at);
            }
        }
    }
    ACRE_INVARIANT(count == row->seen);
    return count;
}

// ---- a set written ----

static bool reserve_sets(const acre_allocator *allocator, observer_row *row,
                         const interest_outcome *outcome)
{
    const size_t planes = acre_interest_set_planes(row);
    const size_t words = outcome->set_words > row->set_words ? outcome->set_words : row->set_words;
    return COLUMN_RESERVE(allocator, row->set, planes * words);
}

bool acre_interest_reserve_sets(acre_interest *interest)
{
    bool has_room = true;
    for (uint32_t i = 0; i < interest->share_count && has_room; i++) {
        const interest_share *const share = const_share_at(interest, i);
        for (size_t k = 0; k < share->outcome_count && has_room && share->has_sets; k++) {
            const interest_outcome *const outcome = COLUMN_AT(share->outcomes, k);
            has_room =
                !outcome->is_set || reserve_sets(&interest->allocator,
                                                 COLUMN_AT(interest->rows, outcome->row), outcome);
        }
    }
    return has_room;
}

// Planes of more words, or more planes: from the last one on, so that none is written over.
static void widen_set(observer_row *row, uint32_t words)
{
    const uint32_t old_words = row->set_words, old_planes = row->set_planes;
    uint64_t *const data = row->set.data;
    row->set_planes = acre_interest_set_planes(row);
    row->set_words = words > old_words ? words : old_words;
    ACRE_INVARIANT((size_t)row->set_planes * row->set_words <= row->set.capacity);
    for (uint32_t plane = row->set_planes; plane-- > 0;) {
        uint64_t *const to = data + (size_t)plane * row->set_words;
        const uint32_t kept = plane < old_planes ? old_words : 0;
        if (kept > 0) {
            memmove(to, data + (size_t)plane * old_words, kept * sizeof *to);
        }
        memset(to + kept, 0, (row->set_words - kept) * sizeof *to);
    }
}

static void write_bit(observer_row *row, uint32_t item, bool is_seen, uint32_t band)
{
    const uint64_t bit = UINT64_C(1) << (item & 63);
    ACRE_INVARIANT(item / 64 < row->set_words);
    for (uint32_t plane = 0; plane < row->set_planes; plane++) {
        uint64_t *const word = COLUMN_AT(row->set, (size_t)plane * row->set_words + item / 64);
        const bool is_one = is_seen && (plane == 0 || (band >> (plane - 1) & 1));
        *word = is_one ? *word | bit : *word & ~bit;
    }
}

// Makes a list a set.
static void take_list(const acre_interest *interest, observer_row *row)
{
    for (size_t i = row->first; i < row->first + row->count; i++) {
        const uint8_t marks = *COLUMN_AT(interest->lists.marks, i);
        if (marks & MARK_SEEN) {
            write_bit(row, *COLUMN_AT(interest->lists.items, i), true, marks & MARK_BAND);
        }
    }
}

static void write_set(acre_interest *interest, const interest_share *share,
                      const interest_outcome *outcome)
{
    static const int kinds[] = {EVENT_LEFT, EVENT_ENTERED, EVENT_CHANGED};
    observer_row *const row = COLUMN_AT(interest->rows, outcome->row);
    widen_set(row, outcome->set_words);
    take_list(interest, row);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const int kind = kinds[k]; // what stands for another thing left, then entered
        for (size_t i = 0; i < outcome->event_count[kind]; i++) {
            const interest_event event =
                *COLUMN_AT(share->events[kind], outcome->event_first[kind] + i);
            write_bit(row, (uint32_t)(event >> 32), kind != EVENT_LEFT, event & MARK_BAND);
        }
    }
}

void acre_interest_drop_set(acre_interest *interest, observer_row *row)
{
    if (!interest->keeps_sets) {
        COLUMN_FREE(&interest->allocator, row->set);
    }
    row->set_words = row->set_planes = 0;
}

void acre_interest_write_sets(acre_interest *interest)
{
    for (uint32_t i = 0; i < interest->share_count; i++) {
        const interest_share *const share = const_share_at(interest, i);
        for (size_t k = 0; k < share->outcome_count && share->has_sets; k++) {
            const interest_outcome *const outcome = COLUMN_AT(share->outcomes, k);
            observer_row *const row = COLUMN_AT(interest->rows, outcome->row);
            interest->sets_cost -= acre_interest_set_cost(row);
            if (outcome->is_set) {
                write_set(interest, share, outcome);
            } else if (row->set_words > 0) {
                acre_interest_drop_set(interest, row);
            }
            row->seen = outcome->seen;
            interest->sets_cost += acre_interest_set_cost(row);
        }
    }
}
