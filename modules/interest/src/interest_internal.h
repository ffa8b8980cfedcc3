// SPDX-License-Identifier: MIT
// interest_internal.h - the inside of an interest: rows of observers, their near lists, and what
// one update finds before it is applied.
//
// An update has three steps. The first one finds: it writes a new near list and events of each
// observer, its outcome, into a share. An outcome depends on no other observer, so shares are found
// side by side. The second step reserves memory for all outcomes. The third one applies them: it
// takes over the lists and writes the flat arrays. It cannot fail.
//
// Invariants, as acre_interest_validate numbers them:
//   1  a used row's list lies within the arena: first + count <= first + capacity <= used
//   2  lists do not overlap; `live` is the sum of their counts
//   3  a list has no item twice
//   4  `seen` counts the entries with MARK_SEEN; MARK_RANGE implies MARK_SEEN, bands are below 4
//   5  sets of numbers ascend, each number once; a map finds each of its numbers
//   6  rooms list the same memberships from both sides, and room_members counts those of an item
//   7  a free row has no list, no set and no rooms; its chain holds all rows that are not used
//   8  a row with a set has no list; `seen` counts its bits, and what is not seen is in no band
//   9  things with ranges are those of the bits, and `count` of them; the tree of ranges holds
//   those
//      that are filed
#ifndef ACRE_INTEREST_INTERNAL_H
#define ACRE_INTEREST_INTERNAL_H

#include <acre/interest.h>

#include "access_internal.h"
#include "column_internal.h"
#include "float_bits.h"
#include "interest_kernel.h"
#include "interest_shared.h"
#include "refusal_internal.h"
#include "tasks_internal.h"

#include <acre/tasks.h>

#include <math.h>

/// In the marks of an entry.
enum {
    MARK_BAND = 3u,        ///< its band
    MARK_RANGE = 1u << 2,  ///< in range
    MARK_SEEN = 1u << 3,   ///< in range or in a room
    MARK_INSIDE = 1u << 4, ///< while finding: at most enter_radius away
    MARK_ROOM = 1u << 5,   ///< while finding: in a room with the observer
    MARK_FAR = 1u << 6     ///< while finding: in a room, and not near
};
#define MARKS_KEPT ((uint8_t)(MARK_BAND | MARK_RANGE | MARK_SEEN))

#define INTEREST_NONE UINT32_MAX
enum { INTEREST_ITEMS = 1u << 26 }; ///< items are below it, as the tree's
enum { FIRST_OBSERVERS = 4 };       ///< for which an interest makes room at first
enum { LEAST_SET = 512 };           ///< things seen, from which on a set is worth it
enum { RING_PRICE = 12 }; ///< what a thing of a ring costs beside one of a search: interest_rings.c
enum { FIRST_ROOMS = 4 }; ///< for which an observer makes room at first

/// Marked items: a bit for each item up to the highest one, and those that have it. What is done
/// with them takes time for those alone.
typedef struct item_marks {
    COLUMN_OF(uint64_t) bits; ///< zero where no item is marked
    COLUMN_OF(uint32_t) items;
    size_t count;
} item_marks;

/// A set of numbers, ascending.
typedef struct number_set {
    COLUMN_OF(uint32_t) numbers;
    size_t count;
} number_set;

/// Gives each of its numbers a place in other columns, from 0 on, for good.
typedef struct number_map {
    COLUMN_OF(uint32_t) numbers; ///< by place
    COLUMN_OF(uint32_t) table;   ///< place + 1, by a hash of the number; 0: none. A power of two
    uint32_t count;
} number_map;

/// The members of a room.
typedef struct interest_room {
    number_set items;
    number_set rows; ///< of observers
} interest_room;

/// Of an item that is or was in rooms.
typedef struct room_member {
    uint32_t generation; ///< of the thing that joined
    uint32_t rooms;      ///< how many it is in
} room_member;

enum { LIST_SLACK = 16 }; ///< entries behind the last list that kernels may read

/// Near lists of many observers, one after the other. A list has what is within the leave radius or
/// in a room, also what is not seen: then the next list has nearly the same entries in the same
/// order.
typedef struct interest_lists {
    COLUMN_OF(uint32_t) items;
    COLUMN_OF(uint8_t) marks; ///< MARK_... of each item
    size_t used;              ///< entries, gaps between lists included
} interest_lists;

/// Adds an entry behind the last one. There is room.
static inline void interest_lists_add(interest_lists *lists, uint32_t item, uint32_t marks)
{
    ACRE_INVARIANT(item < INTEREST_ITEMS && marks <= UINT8_MAX);
    *COLUMN_AT(lists->items, lists->used) = item;
    *COLUMN_AT(lists->marks, lists->used) = (uint8_t)marks;
    lists->used++;
}

/// An observer.
typedef struct observer_row {
    uint32_t generation; ///< of its handle; never 0
    uint32_t next_free;  ///< of a free row: the next one
    bool is_used;
    bool is_lost;
    bool keeps_place; ///< what it follows stands nowhere
    bool is_dirty;    ///< edited since the last update
    bool is_edited;   ///< and more than its place is another
    bool is_new;      ///< in no update so far
    bool is_found;    ///< while an update is applied: it has an outcome
    acre_observer_def def;
    float place[3];
    bool is_moved;              ///< within an update: place or these are not what they were
    bool was_lost, kept_place;  ///< before the update
    float old_place[3];         ///< before the update
    uint32_t follow_epoch;      ///< of the item that it follows, when the def was given
    uint32_t follow_generation; ///< of that item, when the def was given
    size_t first;               ///< entry of its list
    uint32_t count;             ///< entries of its list
    uint32_t capacity;          ///< entries that its list has room for
    uint32_t seen;              ///< entries with MARK_SEEN, or bits of its set
    number_set rooms;           ///< places of them
    COLUMN_OF(uint64_t)
    set;                  ///< instead of a long list: planes of bits by item. The first one
                          ///< says what it sees, two more in which band
    uint32_t set_words;   ///< of a plane; 0: it has a list
    uint32_t set_planes;  ///< 1, or 3 with bands
    float found_place[3]; ///< where it stood when it was last decided
} observer_row;

/// What happened to an item: item << 32 | band.
typedef uint64_t interest_event;

enum { EVENT_ENTERED, EVENT_LEFT, EVENT_CHANGED, EVENT_STAYED, EVENT_KINDS };

/// What was found for one observer.
typedef struct interest_outcome {
    uint32_t row;
    bool is_set;                     ///< it has a set from now on, and no list
    uint32_t set_words;              ///< of that
    uint32_t count;                  ///< entries of its new list
    uint32_t seen;                   ///< entries with MARK_SEEN
    size_t first;                    ///< entry of its new list, in the share's lists
    size_t event_first[EVENT_KINDS]; ///< in the share's events
    uint32_t event_count[EVENT_KINDS];
} interest_outcome;

/// Things near one observer, while they are found. They stand in the share's lists, behind those of
/// the observers before.
typedef struct interest_candidates {
    const acre_allocator *allocator; ///< of the share; in a task one that refuses
    COLUMN_OF(interest_run) runs;
    COLUMN_OF(uint32_t) was;     ///< position of each candidate in the old list, or INTEREST_NONE
    COLUMN_OF(double) distances; ///< squares; only of observers with a limit
    COLUMN_OF(uint32_t)
    fresh; ///< positions of candidates that are not in the old list, as far as is known
    COLUMN_OF(uint32_t) gone;         ///< positions in the old list of what is no candidate
    COLUMN_OF(uint64_t) kept;         ///< a bit for each position in the old list: a run has it
    COLUMN_OF(uint32_t) scratch;      ///< for sorts
    COLUMN_OF(uint32_t) ranked;       ///< positions of candidates, nearest first
    COLUMN_OF(uint32_t) touched_sets; ///< a bit for each of 16 entries: it changed
    COLUMN_OF(uint32_t) touched_at;   ///< positions of changed entries
    interest_lists old;               ///< a set that becomes a list
    size_t touched_count;
    size_t first; ///< entry of the first candidate, in the share's lists
    size_t count; ///< candidates
    size_t run_count;
    size_t fresh_count;
    size_t gone_count;
} interest_candidates;

enum { PLANE_NEAR, PLANE_BETWEEN, PLANE_BANDS, NEAR_PLANES = PLANE_BANDS + 2 };

/// What is near one observer, as planes of bits by item, one after the other. Between observers
/// all bits are 0.
typedef struct near_planes {
    COLUMN_OF(uint64_t) words;
    uint32_t count;   ///< words of a plane
    uint32_t used;    ///< the first so many have bits
    uint32_t highest; ///< item that was marked, or had no place
    size_t found;     ///< items marked
    bool has_between; ///< else all that is near is inside
    bool has_bands;
} near_planes;

static inline uint64_t *plane_of(const near_planes *planes, uint32_t plane)
{
    ACRE_INVARIANT((size_t)NEAR_PLANES * planes->count <= planes->words.capacity);
    return planes->words.data + (size_t)plane * planes->count;
}

/// One that is near an observer.
typedef struct met_item {
    double distance2; ///< the square of its distance
    uint32_t item;
    bool is_inside; ///< at most as far away as things come into range
} met_item;

/// The work of an update for some of the observers.
typedef struct interest_share {
    _Alignas(SHARE_ALIGNMENT) interest_candidates near;
    near_planes planes;
    COLUMN_OF(met_item) ring; ///< things near the limits of one observer
    size_t ring_count;
    size_t rows_with_rings, rows_with_sets; ///< how many were found so
    interest_lists lists;                   ///< new lists
    bool has_sets;                          ///< some observer has a set, before or after
    size_t taken_at;                        ///< where they go in the lists of the interest
    acre_result result;                     ///< of finding
    COLUMN_OF(interest_outcome) outcomes;
    size_t outcome_count;
    COLUMN_OF(interest_event) events[EVENT_KINDS];
    size_t event_counts[EVENT_KINDS];
} interest_share;
ASSERT_OWN_LINES(interest_share);

/// One of the flat arrays that the caller reads.
typedef struct interest_output {
    COLUMN_OF(size_t) offsets; ///< rows + 1
    COLUMN_OF(uint32_t) items;
    COLUMN_OF(uint8_t) bands;
    COLUMN_OF(acre_entity) entities;
} interest_output;

/// A thing that has a range of its own, or had one.
typedef struct ranged_thing {
    uint32_t generation; ///< of the thing that was given the range
    float range;         ///< 0: none
    bool is_filed;       ///< it is in the tree, with these two:
    float filed_range;
    acre_aabb box;
} ranged_thing;

/// Things with ranges, each at a place of its own.
typedef struct interest_ranges {
    number_map map; ///< places of items
    COLUMN_OF(ranged_thing) things;
    COLUMN_OF(uint64_t) bits; ///< a bit for each item that has a range
    size_t count;             ///< of them
    item_marks anew;          ///< items whose range was set since the last update
    acre_quadtree *tree;      ///< places, with boxes around all from where a thing is noticed
    size_t newcomers;         ///< filed since the tree was last put in order
} interest_ranges;

/// Where things stood in the last update, and how far they have moved since. An observer with a set
/// then asks only for what is near one of its limits, and for the jumpers.
typedef struct interest_rings {
    COLUMN_OF(acre_aabb) boxes;      ///< by item
    COLUMN_OF(uint64_t) present;     ///< a bit for each item that was in a tree
    COLUMN_OF(uint64_t) present_now; ///< scratch: the same of this update
    bool are_noted;                  ///< boxes and `present` are those of the last update
    bool are_known;                  ///< within an update: they were, so that these hold:
    double moved[2];                 ///< how far all but the jumpers moved at most, on the ground
                                     ///< and in space
    item_marks jumpers;              ///< came, went, moved far, or are other things now
    COLUMN_OF(acre_aabb) jumper_boxes;
    float far2;     ///< the square of how far a jumper moves; 0: nobody knows yet
    uint32_t pause; ///< so many updates do without
    uint32_t price; ///< of a thing near a limit, in things seen that a whole search compares; 0:
                    ///< rings serve wherever they may
} interest_rings;

/// An item that changed.
typedef struct touched_item {
    acre_aabb box; ///< of one with a range: around all from where it is noticed
    uint32_t item;
} touched_item;

/// The items that changed, by where they are.
typedef struct touched_grid {
    double cell;                   ///< width of a cell
    double cells_in_meter;         ///< 1 / cell
    double widest;                 ///< width of the widest box that is no wider than a cell
    acre_aabb bounds;              ///< of all boxes, on the ground
    uint32_t side;                 ///< the grid has side * side buckets; a power of 2. One more
                                   ///< bucket has the boxes that are wider than a cell
    COLUMN_OF(uint32_t) begins;    ///< first item of each bucket, then the number of items
    COLUMN_OF(touched_item) items; ///< bucket after bucket
    size_t count;
} touched_grid;

enum { GRID_PLAIN, GRID_RANGED, TOUCHED_GRIDS };

/// How many widths there are between each two powers of 2.
typedef struct width_counts {
    uint32_t counts[256]; ///< by exponent
} width_counts;

static inline uint32_t width_class(float width)
{
    return float_magnitude_bits(width) >> 23;
}

/// The power of 2 that is above so many of the widths, at least 3 cm and at most 2^52 m.
static inline double width_above(const width_counts *widths, size_t count)
{
    enum { LEAST = 121, MOST = 178, ONE = 126 }; // 2^(exponent - ONE) is above it
    uint32_t exponent = 0;
    for (size_t sum = widths->counts[0]; sum < count && exponent < MOST; exponent++) {
        sum += widths->counts[exponent + 1];
    }
    const uint32_t bounded = exponent < LEAST ? LEAST : exponent;
    return bounded < ONE ? 1 / (double)(UINT64_C(1) << (ONE - bounded))
                         : (double)(UINT64_C(1) << (bounded - ONE));
}

/// What an update takes is counted in comparisons of a changed item with an observer, some 1.5 ns
/// each. So what it does is the same on every machine.
enum {
    COST_OF_SEARCH = 144, ///< of a search for all that is near an observer
    COST_OF_ENTRY = 3,    ///< and of each entry of its list
    COST_OF_LOOK = 24,    ///< of an observer that nothing concerns
    COST_OF_MET = 9,      ///< of each changed item that is near it
    COST_OF_TOUCH = 9     ///< of marking and filing a changed item
};

/// What an update of what changed has spent, and what a search for everything would have cost.
typedef struct update_cost {
    uint64_t spent, searches;
} update_cost;

/// The trees of an update.
typedef struct interest_world {
    const acre_quadtree *trees[2];
    size_t count;
} interest_world;

/// What differs between items and entities. A bare tree has none of these.
typedef struct interest_front {
    /// @return false while the culler is being edited.
    bool (*open)(void *state, interest_world *world);
    void (*close)(void *state);
    /// Within open and close: calls acre_interest_note_generation for each slot that needs it.
    /// @return false: no memory.
    bool (*note_generations)(void *state, acre_interest *interest);
    size_t (*slot_count)(const void *state);
    uint32_t (*generation)(const void *state, uint32_t slot);
    acre_entity (*handle)(const void *state, uint32_t slot, uint32_t generation);
    /// Where an entity stands whose box is in no tree, or has no finite center. @return false: it
    /// is not known, as while the entity is hidden.
    bool (*place)(const void *state, acre_entity entity, float *place);
    /// Outside of open and close, too.
    bool (*is_alive)(const void *state, acre_entity entity);
    size_t state_size, state_alignment;
} interest_front;

struct acre_interest {
    acre_allocator allocator;
    acre_access access;
    const interest_kernel *kernel;
    uint32_t flags;
    const acre_quadtree *tree; ///< the bare one; NULL over a culler
    const interest_front *front;
    void *front_state; ///< owned

    COLUMN_OF(observer_row) rows;
    size_t row_count;  ///< rows ever used
    uint32_t free_row; ///< INTEREST_NONE: none
    size_t observers;

    interest_lists lists;
    size_t live;          ///< entries of all lists
    uint32_t least_set;   ///< with fewer things an observer has no set
    uint64_t sets_cost;   ///< of searches for the observers with sets, beside COST_OF_SEARCH
    acre_tasks tasks;     ///< without workers: serial
    interest_share share; ///< the first share of an update
    COLUMN_OF(interest_share) more_shares;
    uint32_t share_count; ///< of the last update, the first one included
    bool takes_all;       ///< the lists of one share replace those of the interest

    COLUMN_OF(uint32_t) order; ///< pairs of a place on a curve and a row, with room to sort them
    const uint32_t *ordered;   ///< where in it the sorted pairs are
    uint32_t order_updates;    ///< how many more updates use this order; 0 after observers came,
                               ///< went or got another radius
    double usual_reach;        ///< a power of 2 above twice the leave radius of half of the
                               ///< observers, when the order was made

    number_map room_map; ///< places of rooms
    COLUMN_OF(interest_room) rooms;
    number_map member_map; ///< places of items
    COLUMN_OF(room_member) room_members;

    const uint32_t *generations; ///< the caller's
    size_t generation_count;
    bool has_generations;
    COLUMN_OF(uint32_t) noted;  ///< generation of each item in the last update
    number_map epoch_map;       ///< places of items that were forgotten
    COLUMN_OF(uint32_t) epochs; ///< how often
    item_marks reused;          ///< items whose number stands for another thing now

    interest_ranges ranges;
    interest_rings rings;
    bool sees_to_leave; ///< the leave radius alone decides
    double most_reach;  ///< of things with ranges

    item_marks touched;                 ///< items that changed; none between updates
    COLUMN_OF(acre_aabb) touched_boxes; ///< of each of them
    touched_grid grids[TOUCHED_GRIDS];  ///< those without a range, and those with one
    size_t compared;         ///< items compared with the observer that was asked about last
    COLUMN_OF(met_item) met; ///< those near that observer
    update_cost cost;        ///< of the last acre_interest_update_changed

    uint32_t trim_updates;                         ///< updates since memory was given back
    size_t peak_entries, peak_events[EVENT_KINDS]; ///< the most that one of them needed
    size_t least_entries, least_events;            ///< at least these, since room was made for them
    bool keeps_sets;                               ///< so was room for sets, which rows keep
    interest_output outputs[EVENT_KINDS];
    COLUMN_OF(uint32_t) inverse_items;
    COLUMN_OF(acre_observer) inverse; ///< who sees each of them
    size_t inverse_count;
    COLUMN_OF(size_t) inverse_places; ///< scratch: of the blocks of workers, in each range of items
    size_t updated;
    size_t listed_rows;          ///< rows of the outputs
    acre_quadtree_report report; ///< what the last batch refused
};

static inline interest_share *share_at(acre_interest *interest, uint32_t i)
{
    ACRE_INVARIANT(i < interest->share_count);
    return i == 0 ? &interest->share : COLUMN_AT(interest->more_shares, i - 1);
}

static inline const interest_share *const_share_at(const acre_interest *interest, uint32_t i)
{
    ACRE_INVARIANT(i < interest->share_count);
    return i == 0 ? &interest->share : COLUMN_AT(interest->more_shares, i - 1);
}

/// The outcome that was begun last.
static inline interest_outcome *last_outcome(interest_share *share)
{
    ACRE_INVARIANT(share->outcome_count > 0);
    return COLUMN_AT(share->outcomes, share->outcome_count - 1);
}

static inline bool item_is_marked(const item_marks *marks, uint32_t item)
{
    return item / 64 < marks->bits.capacity && (marks->bits.data[item / 64] >> (item & 63) & 1);
}

static inline bool item_is_reused(const acre_interest *interest, uint32_t item)
{
    return interest->reused.count > 0 && item_is_marked(&interest->reused, item);
}

static inline bool item_has_range(const acre_interest *interest, uint32_t item)
{
    const interest_ranges *const ranges = &interest->ranges;
    return ranges->count > 0 && item / 64 < ranges->bits.capacity &&
           (ranges->bits.data[item / 64] >> (item & 63) & 1);
}

/// Whether an observer notices things with ranges by these.
static inline bool row_minds_ranges(const acre_interest *interest, const observer_row *row)
{
    return interest->ranges.count > 0 && !row->def.ignores_ranges;
}

/// How much farther away than it came in a thing goes out of range.
static inline double acre_interest_margin(const observer_row *row)
{
    return (double)row->def.leave_radius - (double)row->def.enter_radius;
}

/// Squares of the distances at which a thing comes in and goes out.
typedef struct limit_squares {
    double enter, leave;
} limit_squares;

/// Those of an observer's radii.
static inline limit_squares acre_interest_limits(const acre_interest *interest,
                                                 const observer_row *row)
{
    const double leave2 = square_of_radius(row->def.leave_radius);
    return (limit_squares){
        interest->sees_to_leave ? leave2 : square_of_radius(row->def.enter_radius), leave2};
}

/// Those of a thing with a range, for an observer who minds it.
static inline limit_squares acre_interest_limits_of(const acre_interest *interest,
                                                    const observer_row *row,
                                                    const ranged_thing *thing)
{
    const double enter = (double)thing->range, wide = enter + acre_interest_margin(row);
    const double leave = wide < interest->most_reach ? wide : interest->most_reach;
    return (limit_squares){interest->sees_to_leave ? leave * leave : enter * enter, leave * leave};
}

/// A float that is surely above a double, or for a negative sign surely below it; an endless one
/// stays.
static inline float rounded_outward(double value, double sign)
{
    return isinf(value) ? (float)value : (float)(value + sign * (fabs(value) * 0x1p-22 + 0x1p-100));
}

/// What a search takes for an observer with a set, beside COST_OF_SEARCH.
static inline uint64_t acre_interest_set_cost(const observer_row *row)
{
    return row->set_words > 0 ? (uint64_t)row->set_words + row->seen : 0;
}

/// What a search for all that is near an observer takes.
static inline uint64_t acre_interest_search_cost(const observer_row *row)
{
    return COST_OF_SEARCH + COST_OF_ENTRY * (uint64_t)row->count + acre_interest_set_cost(row);
}

/// The same of all observers.
static inline uint64_t acre_interest_searches_cost(const acre_interest *interest)
{
    return COST_OF_SEARCH * (uint64_t)interest->observers +
           COST_OF_ENTRY * (uint64_t)interest->live + interest->sets_cost;
}

/// The generation that an item has now.
static inline uint32_t acre_interest_generation(const acre_interest *interest, uint32_t item)
{
    if (interest->front) {
        return interest->front->generation(interest->front_state, item);
    }
    return item < interest->generation_count ? interest->generations[item] : 0;
}

/// @return the row of an observer; NULL for a stale handle.
static inline observer_row *acre_interest_row(const acre_interest *interest, acre_observer observer)
{
    if (observer.index1 == 0 || observer.index1 > interest->row_count) {
        return NULL;
    }
    observer_row *const row = COLUMN_AT(interest->rows, observer.index1 - 1);
    return row->is_used && row->generation == observer.generation ? row : NULL;
}

/// The center of a box. @return false where it is not finite.
static inline bool center_of_box(const acre_aabb *box, float *center)
{
    bool is_finite = true;
    for (int axis = 0; axis < 3; axis++) {
        center[axis] = 0.5f * box->min[axis] + 0.5f * box->max[axis];
        is_finite &= float_is_finite(center[axis]);
    }
    return is_finite;
}

// The functions of each file, from the bottom up: a file calls only files that stand above it here.

// interest_memory.c

/// Makes an interest; bare or with a front, whose state is zero. On error *out is NULL.
/// @param over the tree or the culler, which may not be NULL.
acre_result acre_interest_make(const acre_interest_def *def, const void *over,
                               const interest_front *front, acre_interest **out);

void acre_interest_free(acre_interest *interest);
/// All memory of an interest. A look at each observer and each room.
size_t acre_interest_bytes(const acre_interest *interest);
/// After an update: gives back what a peak of some updates ago has left.
void acre_interest_shrink(acre_interest *interest);
/// Makes room in lists for so many entries in all.
bool acre_interest_reserve_lists(const acre_allocator *allocator, interest_lists *lists,
                                 size_t entries);

// interest_numbers.c

/// Marks an item, once. @return false: no memory.
bool acre_item_marks_add(const acre_allocator *allocator, item_marks *marks, uint32_t item);
void acre_item_marks_clear(item_marks *marks);
/// The position of the first of some ascending numbers that is not smaller.
static inline size_t acre_number_position(const uint32_t *numbers, size_t count, uint32_t number)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (numbers[middle] < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
bool acre_number_set_has(const number_set *set, uint32_t number);
/// Adds numbers, which ascend and are not in the set. There is room. Moves each number once at
/// most.
void acre_number_set_add(number_set *set, const uint32_t *numbers, size_t count);
/// Removes numbers, which ascend and are in the set.
void acre_number_set_remove(number_set *set, const uint32_t *numbers, size_t count);
/// @return the place of a number; INTEREST_NONE: it is not there.
uint32_t acre_number_map_find(const number_map *map, uint32_t number);
/// The same, and gives it a place if it has none, also in a column. @return INTEREST_NONE: no
/// memory.
uint32_t acre_number_map_take(const acre_allocator *allocator, number_map *map, column *data,
                              size_t element, uint32_t number);
#define NUMBER_MAP_TAKE(allocator, map, c, number)                                                 \
    acre_number_map_take((allocator), (map), &(c).any, sizeof *(c).data, (number))
/// How often an item was forgotten.
uint32_t acre_interest_epoch(const acre_interest *interest, uint32_t item);
/// Counts a refused row of a batch.
void acre_interest_refuse_row(acre_interest *interest, size_t row, acre_result result);

// interest_ranges.c

/// The boxes of many items; those of items that are in no tree have a NaN as min[0].
void acre_interest_boxes(const interest_world *world, const uint32_t *items, size_t count,
                         acre_aabb *boxes);
/// @return a thing that has or had a range; NULL: it never had.
const ranged_thing *acre_interest_ranged_thing(const acre_interest *interest, uint32_t item);
/// Widens the box of a thing to one around all places from which it is noticed.
void acre_interest_noticed_from(const ranged_thing *thing, acre_aabb *box);
/// The item has no range any more. The next update decides it anew, as another thing.
void acre_interest_drop_range(acre_interest *interest, uint32_t item);
/// Files the things with ranges where they stand now: all, or the touched ones. @return false: no
/// memory.
bool acre_interest_file_ranges(acre_interest *interest, const interest_world *world, bool are_all);

// interest_rooms.c

/// The next update decides the observers of a room anew.
void acre_interest_touch_room(acre_interest *interest, const interest_room *room);
void acre_interest_leave_all_rooms(acre_interest *interest, uint32_t row);
void acre_interest_drop_item(acre_interest *interest, uint32_t item);
/// The rooms that an observer and an item are both in.
uint32_t acre_interest_shared_rooms(const acre_interest *interest, const observer_row *row,
                                    uint32_t item);

// interest_generations.c

/// Says which generation an item has now, within an update. @return false: no memory.
bool acre_interest_note_generation(acre_interest *interest, uint32_t item, uint32_t generation);
/// Finds the items that are other things now: all, or the given ones.
bool acre_interest_find_reused(acre_interest *interest, const uint32_t *items, size_t count,
                               bool are_all);
/// After an update: nothing is another thing any more.
void acre_interest_accept_generations(acre_interest *interest);

// interest_outcomes.c

/// Begins an outcome of a row, whose list begins at `first`, and makes room for events of so many
/// entries.
bool acre_interest_begin_outcome(const acre_allocator *allocator, interest_share *share,
                                 uint32_t row, size_t first, size_t entries);
/// Sorts its events, and counts them.
void acre_interest_end_outcome(interest_share *share);
/// The same where events ascend.
void acre_interest_close_outcome(interest_share *share);
/// Takes back the last outcome, with its list and its events.
void acre_interest_drop_outcome(interest_share *share);
/// Adds an event to the last outcome. There is room.
void acre_interest_add_event(interest_share *share, int kind, uint32_t item, uint32_t marks);
/// Adds the events of an entry whose marks were old_marks, and counts it if it is seen.
void acre_interest_compare_marks(const acre_interest *interest, interest_share *share,
                                 uint32_t item, uint32_t old_marks, uint32_t marks);

// interest_sets.c

/// Words of a plane with this item and all below it.
uint32_t acre_interest_set_words(uint32_t highest);
/// The planes that an observer's set will have: those that it has, or three for bands.
static inline uint32_t acre_interest_set_planes(const observer_row *row)
{
    return row->set_planes > 1 || row->def.band_limits[0] > 0 ? 3 : 1;
}
/// Whether a set is for an observer who sees so many things, up to the highest number.
bool acre_interest_wants_set(const acre_interest *interest, const observer_row *row, uint32_t seen,
                             uint32_t highest);
/// Whether an observer has a set and nothing but distances decides (no limit, no rooms).
static inline bool acre_interest_has_plain_set(const observer_row *row)
{
    return row->set_words > 0 && row->def.limit == 0 && row->rooms.count == 0;
}
/// The most words of a plane that the set of an observer has who sees so many things.
size_t acre_interest_most_set_words(size_t seen, uint32_t highest);
/// Room for what is near an observer, up to a number of words or as many as its set has.
bool acre_interest_reserve_planes(const acre_allocator *allocator, near_planes *planes,
                                  const observer_row *row, uint32_t words);
void acre_interest_mark_near(const interest_kernel *kernel, near_planes *planes,
                             const uint32_t *items, const uint8_t *marks, uint32_t count);
void acre_interest_clear_planes(near_planes *planes);
/// Writes the outcome of an observer with a set, and clears the planes.
/// @param is_partial only touched items may differ.
bool acre_interest_compare_set(const acre_interest *interest, interest_share *share, uint32_t index,
                               bool is_partial);
/// Whether an observer sees so little that its set is to become a list.
bool acre_interest_set_is_short(const acre_interest *interest, const interest_outcome *outcome);
static inline bool acre_interest_set_has(const observer_row *row, uint32_t item)
{
    return item / 64 < row->set_words && (row->set.data[item / 64] >> (item & 63) & 1);
}
static inline uint8_t acre_interest_set_band(const observer_row *row, uint32_t item)
{
    uint32_t band = 0;
    for (uint32_t plane = 1; plane < row->set_planes; plane++) {
        const size_t word = (size_t)plane * row->set_words + item / 64;
        band |= (uint32_t)(row->set.data[word] >> (item & 63) & 1) << (plane - 1);
    }
    return (uint8_t)band;
}
/// Writes what is seen, ascending, with bands unless these are NULL. @return how many there are.
uint32_t acre_interest_set_items(const observer_row *row, uint32_t *items, uint8_t *bands,
                                 size_t capacity);
/// Room for the sets of the outcomes.
bool acre_interest_reserve_sets(acre_interest *interest);
/// Makes the sets what the outcomes say, before the lists are taken over. Cannot fail.
void acre_interest_write_sets(acre_interest *interest);
void acre_interest_drop_set(acre_interest *interest, observer_row *row);

// interest_match.c

/// Compares candidates with the old list: runs of those that are in both, fresh and gone ones.
/// Nearly all stand in the same order in both. There is room.
void acre_interest_match(const interest_kernel *kernel, interest_candidates *near,
                         const uint32_t *items, const uint32_t *old, size_t old_count);
bool acre_interest_reserve_match(const acre_allocator *allocator, interest_candidates *near,
                                 size_t old_count);

// interest_find.c

uint8_t acre_interest_band(const acre_observer_def *def, double distance2);
/// Whether a tree has the item in one of these layers.
bool acre_interest_has_layers(const interest_world *world, uint32_t item, uint32_t layers);
/// The item that an observer is and does not see; INTEREST_NONE: none.
uint32_t acre_interest_hidden_item(const acre_interest *interest, const observer_row *row);
/// Lists in the share's ring what is at most `change` nearer or farther than a limit of an
/// observer.
acre_result acre_interest_find_rings(const acre_interest *interest, interest_share *share,
                                     const interest_world *world, const observer_row *row,
                                     double change);
/// Adds what is near an observer to the share's lists, as candidates. @return ACRE_OK; an error of
/// a tree; ACRE_ERROR_OUT_OF_MEMORY.
acre_result acre_interest_find_near(const acre_interest *interest, interest_share *share,
                                    const interest_world *world, const observer_row *row);
/// Marks what is near an observer in the share's planes.
acre_result acre_interest_mark_all_near(const acre_interest *interest, interest_share *share,
                                        const interest_world *world, const observer_row *row);
/// Marks the candidates that are in a room with the observer and adds the others of its rooms.
acre_result acre_interest_add_rooms(const acre_interest *interest, interest_share *share,
                                    const interest_world *world, const observer_row *row);

// interest_rings.c

/// Notes where all things stand, if it pays, and how far they have moved since the last update.
/// @return ACRE_OK; an error of a tree; ACRE_ERROR_OUT_OF_MEMORY.
acre_result acre_interest_note_boxes(acre_interest *interest, const interest_world *world);
/// After a search for everything: whether the next updates note boxes.
void acre_interest_weigh_rings(acre_interest *interest);
/// Whether what is near an observer's limits is all that may be seen otherwise than before, and
/// asking for it costs less than a search.
bool acre_interest_takes_rings(const acre_interest *interest, const observer_row *row);
/// Decides what one such observer sees and writes its outcome.
acre_result acre_interest_decide_rings(const acre_interest *interest, interest_share *share,
                                       const interest_world *world, uint32_t index);

// interest_decide.c

/// Decides what one observer sees and writes its outcome.
acre_result acre_interest_decide(const acre_interest *interest, interest_share *share,
                                 const interest_world *world, uint32_t row);

// interest_place.c

enum { PLACED_ROWS = 64 }; ///< at most, in one call
/// Moves observers to where what they follow stands.
void acre_interest_place_rows(acre_interest *interest, const interest_world *world,
                              const uint32_t *rows, size_t count);
/// Moves the observers whose item was touched, and those that were edited.
void acre_interest_place_touched(acre_interest *interest, const interest_world *world);
/// After an update that failed: observers stand where they stood before.
void acre_interest_move_back(acre_interest *interest);

// interest_touched.c

/// Refuses the rows of items that no tree may have.
void acre_interest_refuse_items(acre_interest *interest, const uint32_t *items, size_t count);
/// Marks the other items as changed, and those that are other things now. @return false: no memory.
bool acre_interest_touch(acre_interest *interest, const uint32_t *items, size_t count);
/// Reads the boxes of the touched items and files them.
acre_result acre_interest_file_touched(acre_interest *interest, const interest_world *world);
#define MET_TOO_MANY SIZE_MAX
/// Lists in `met` the touched items that are near enough to an observer to stay in range, and in
/// its layers. @return how many they are; MET_TOO_MANY: more than `most` comparisons would not do.
size_t acre_interest_meet(acre_interest *interest, const interest_world *world,
                          const observer_row *row, uint64_t most);

// interest_order.c

/// Lists the observers so that neighbors on the ground are neighbors in the list: they look at the
/// same things, which the caches then have. What is found does not depend on the order.
/// @return pairs, of which the second numbers are the rows; NULL: no memory.
const uint32_t *acre_interest_order(acre_interest *interest, size_t *count);
/// How far ahead rows and lists are prefetched.
enum { OBSERVERS_AHEAD = 8, LISTS_AHEAD = 4 };
/// The processor does not foresee which row and which list come next in that order.
void acre_interest_prefetch_row(const acre_interest *interest, uint32_t index);
/// Prefetches the row and the list of observers that come soon after the i-th pair of the order.
void acre_interest_prefetch(const acre_interest *interest, const uint32_t *order, size_t count,
                            size_t i);

// interest_shares.c

void acre_interest_begin_share(interest_share *share, const acre_allocator *allocator);
/// How many workers a search for everything runs on.
uint32_t acre_interest_workers(const acre_interest *interest, const interest_world *world);
/// Finds what all observers see, on the host's workers where there are any.
acre_result acre_interest_find_all(acre_interest *interest, const interest_world *world);
/// Calls `work` once for each block below `blocks`, on the workers that have searched.
typedef void interest_block_work(void *context, uint32_t block);
void acre_interest_run_blocks(const acre_interest *interest, uint32_t blocks,
                              interest_block_work *work, void *context);

// interest_changed.c

/// How many changed items are marked at most: filing them takes a tenth of what a search for
/// everything takes.
static inline size_t interest_most_changes(uint64_t searches)
{
    return (size_t)(searches / 10 / COST_OF_TOUCH);
}

/// Whether so many changed items are known to be dearer than a search for everything.
bool acre_interest_changes_are_many(const acre_interest *interest, const interest_world *world,
                                    size_t count);
/// Finds what the touched items change, for the observers that they concern.
acre_result acre_interest_find_changed(acre_interest *interest, const interest_world *world);

// interest_inverse.c

bool acre_interest_reserve_inverse(acre_interest *interest);
void acre_interest_write_inverse(acre_interest *interest);

// interest_take.c

/// With more entries, gaps included, all lists are written anew.
static inline size_t acre_interest_most_entries(size_t entries)
{
    return 2 * entries + 1024;
}
bool acre_interest_reserve_new_lists(acre_interest *interest);
/// Takes over the new lists and what else an outcome says about its row. Cannot fail.
void acre_interest_take_lists(acre_interest *interest);

// interest_apply.c

/// Makes room for the outcomes of the shares.
bool acre_interest_reserve_outcomes(acre_interest *interest);
/// Takes over the new lists and writes what the caller reads. Cannot fail.
void acre_interest_apply(acre_interest *interest);

#endif
