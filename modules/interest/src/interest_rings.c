// SPDX-License-Identifier: MIT
// interest_rings.c - near-still worlds: an observer with a set asks only for what is near its
// limits.
//
// If no thing moved farther than D since the last update, and the observer moved by d, then the
// distance between them is another one by at most D + d. So whatever was farther than that from
// each limit (enter, leave, each band) is on the side where it was, and is seen as before. What is
// left is a ring around each limit, and the jumpers: things that came, went, moved much farther
// than most, or are other things now. Jumpers are looked at one by one.
//
// D is the largest of all things, so an update first looks at each of them, in the order of the
// tree, and keeps its box for the next time. That pays where observers see far more than there is.
#include "interest_internal.h"

#include "bits_internal.h"
#include "prefetch_internal.h"
#include "quadtree_items_shared.h"

#include <string.h>

enum {
    PAUSED_UPDATES = 16, // where rings served few observers
    FEW_OF_RINGS = 4,    // these are fewer than one in so many
    APART_ITEMS = 4,     // numbers up to so many times the items do not lie far apart
    JUMPERS_OF_ITEMS = 64,
    SEEN_OF_ITEMS = 8 // things seen and words of sets for each item, from which on noting pays
};
// The bounds of a ring are this much wider, in relation to the way that things moved.
static const double ring_slack = 1 + 0x1p-20;

// ---- where things stand, and how far they moved ----

enum { GROUPS_LISTED = 4 }; // whose boxes of before are prefetched

// A group that is looked at a little later.
typedef struct listed_group {
    uint32_t items[ACRE_GROUP_ITEMS];
    float edges[6 * ACRE_GROUP_ITEMS];
    uint32_t found;
} listed_group;

// A look at all groups of the trees.
typedef struct box_scan {
    const acre_allocator *allocator;
    interest_rings *rings;
    size_t most_items; // numbers from here on lie far apart
    size_t most_jumpers;
    float moved2[2];      // the largest squares of those that are no jumpers
    width_counts classes; // of the largest square of each group
    bool has_failed;      // no memory
    bool is_apart;
    listed_group listed[GROUPS_LISTED]; // the last ones, each in the place of its number
    size_t groups;
} box_scan;

// The boxes of a group before, and the squares of how far they moved, on the ground and in space.
typedef struct group_moves {
    float old[6][ACRE_GROUP_ITEMS];
    float ground[ACRE_GROUP_ITEMS], space[ACRE_GROUP_ITEMS];
} group_moves;

static void keep_boxes(acre_aabb *boxes, const listed_group *group, group_moves *moves)
{
    memcpy(moves->old, group->edges, sizeof moves->old); // of slots without an item
    for (uint32_t bits = group->found; bits; bits &= bits - 1) {
        const uint32_t i = lowest_bit(bits);
        acre_aabb *const box = &boxes[group->items[i]];
        for (uint32_t axis = 0; axis < 3; axis++) {
            moves->old[2 * axis][i] = box->min[axis];
            moves->old[2 * axis + 1][i] = box->max[axis];
            box->min[axis] = group->edges[2 * axis * ACRE_GROUP_ITEMS + i];
            box->max[axis] = group->edges[(2 * axis + 1) * ACRE_GROUP_ITEMS + i];
        }
    }
}

// The square of how far a box moved along an axis. An endless edge that stays has not moved.
static inline float square_of_move(const group_moves *moves, const float *edges, int axis, int i)
{
    const float low = fabsf(edges[2 * axis * ACRE_GROUP_ITEMS + i] - moves->old[2 * axis][i]);
    const float high =
        fabsf(edges[(2 * axis + 1) * ACRE_GROUP_ITEMS + i] - moves->old[2 * axis + 1][i]);
    const float above_zero = low > 0 ? low : 0; // a NaN is not
    const float most = high > above_zero ? high : above_zero;
    return most * most;
}

static void measure_moves(const float *edges, group_moves *moves)
{
    for (int i = 0; i < ACRE_GROUP_ITEMS; i++) {
        moves->ground[i] = square_of_move(moves, edges, 0, i) + square_of_move(moves, edges, 2, i);
        moves->space[i] = moves->ground[i] + square_of_move(moves, edges, 1, i);
    }
}

// Lists the jumpers of a group, whose way counts no more.
static void take_jumpers(box_scan *scan, const listed_group *group, group_moves *moves)
{
    interest_rings *const rings = scan->rings;
    for (int i = 0; i < ACRE_GROUP_ITEMS; i++) {
        if (moves->space[i] > rings->far2) {
            moves->ground[i] = moves->space[i] = 0;
            scan->has_failed |=
                rings->jumpers.count <= scan->most_jumpers &&
                !acre_item_marks_add(scan->allocator, &rings->jumpers, group->items[i]);
        }
    }
}

static void add_moves(box_scan *scan, const listed_group *group, group_moves *moves)
{
    const float far2 = scan->rings->far2;
    float most = 0;
    for (int i = 0; i < ACRE_GROUP_ITEMS; i++) {
        most = moves->space[i] > most ? moves->space[i] : most;
    }
    scan->classes.counts[width_class(most)]++;
    if (far2 > 0 && most > far2) {
        take_jumpers(scan, group, moves);
    }
    float ground = scan->moved2[0], space = scan->moved2[1];
    for (int i = 0; i < ACRE_GROUP_ITEMS; i++) {
        ground = moves->ground[i] > ground ? moves->ground[i] : ground;
        space = moves->space[i] > space ? moves->space[i] : space;
    }
    scan->moved2[0] = ground;
    scan->moved2[1] = space;
}

// Room for an item in the boxes and the bits.
static bool reserve_item(box_scan *scan, size_t item)
{
    interest_rings *const rings = scan->rings;
    const size_t words = item / 64 + 1;
    return (item < rings->boxes.capacity && words <= rings->present.capacity &&
            words <= rings->present_now.capacity) ||
           (COLUMN_RESERVE(scan->allocator, rings->boxes, item + 1) &&
            COLUMN_RESERVE(scan->allocator, rings->present, words) &&
            COLUMN_RESERVE(scan->allocator, rings->present_now, words));
}

static void note_group(box_scan *scan, const listed_group *group)
{
    interest_rings *const rings = scan->rings;
    group_moves moves;
    keep_boxes(rings->boxes.data, group, &moves);
    if (rings->are_known) {
        measure_moves(group->edges, &moves);
        add_moves(scan, group, &moves);
    }
}

// A group's visitor: lists it, and looks at the one in whose place it is listed.
static bool list_group(void *user, const acre_item_group *group)
{
    box_scan *const scan = user;
    interest_rings *const rings = scan->rings;
    listed_group *const listed = &scan->listed[scan->groups % GROUPS_LISTED];
    if (scan->groups++ >= GROUPS_LISTED) {
        note_group(scan, listed);
    }
    uint32_t highest = 0;
    for (uint32_t bits = group->found; bits; bits &= bits - 1) {
        const uint32_t item = group->items[lowest_bit(bits)];
        highest = item > highest ? item : highest;
    }
    scan->is_apart |= highest >= scan->most_items;
    if (scan->is_apart || !reserve_item(scan, highest)) {
        scan->has_failed |= !scan->is_apart;
        return false;
    }
    memcpy(listed->items, group->items, sizeof listed->items);
    memcpy(listed->edges, group->edges, sizeof listed->edges);
    listed->found = group->found;
    for (uint32_t bits = group->found; bits; bits &= bits - 1) {
        const uint32_t item = group->items[lowest_bit(bits)];
        prefetch_element(rings->boxes.data, item, sizeof(acre_aabb));
        *COLUMN_AT(rings->present_now, item / 64) |= UINT64_C(1) << (item & 63);
    }
    return !scan->has_failed;
}

// Those that came or went are jumpers. @return false: no memory.
static bool add_comers(const acre_allocator *allocator, interest_rings *rings)
{
    const size_t then = rings->present.capacity, now = rings->present_now.capacity;
    bool has_room = true;
    for (size_t word = 0; word < (then > now ? then : now) && has_room; word++) {
        uint64_t bits = (word < then ? rings->present.data[word] : 0) ^
                        (word < now ? rings->present_now.data[word] : 0);
        for (; bits && has_room; bits &= bits - 1) {
            has_room = acre_item_marks_add(allocator, &rings->jumpers,
                                           (uint32_t)word * 64 + lowest_bit(bits));
        }
    }
    return has_room;
}

static bool add_marked(const acre_allocator *allocator, interest_rings *rings,
                       const item_marks *marks)
{
    bool has_room = true;
    for (size_t i = 0; i < marks->count && has_room; i++) {
        has_room = acre_item_marks_add(allocator, &rings->jumpers, *COLUMN_AT(marks->items, i));
    }
    return has_room;
}

// Lists who else is a jumper, and where all of them are now. @return false: no memory.
static bool list_jumpers(acre_interest *interest, const interest_world *world)
{
    const acre_allocator *const allocator = &interest->allocator;
    interest_rings *const rings = &interest->rings;
    if (!add_comers(allocator, rings) || !add_marked(allocator, rings, &interest->reused) ||
        !add_marked(allocator, rings, &interest->ranges.anew) ||
        !COLUMN_RESERVE(allocator, rings->jumper_boxes, rings->jumpers.count)) {
        return false;
    }
    acre_interest_boxes(world, rings->jumpers.items.data, rings->jumpers.count,
                        rings->jumper_boxes.data);
    return true;
}

// Things that move more than twice as far as the largest of nearly each group that moves.
static float choose_far2(const width_counts *classes, float before)
{
    enum { MOST_OF_GROUPS = 32 };
    uint32_t total = 0, sum = 0, exponent = 1;
    for (uint32_t i = 1; i < 256; i++) {
        total += classes->counts[i];
    }
    while (exponent < 252 && sum + classes->counts[exponent] < total - total / MOST_OF_GROUPS) {
        sum += classes->counts[exponent++];
    }
    return total == 0 ? before : float_of_bits((exponent + 3) << 23);
}

static acre_result scan_boxes(acre_interest *interest, const interest_world *world, size_t items)
{
    interest_rings *const rings = &interest->rings;
    box_scan scan = {.allocator = &interest->allocator,
                     .rings = rings,
                     .most_items = APART_ITEMS * items + 64,
                     .most_jumpers = items / JUMPERS_OF_ITEMS + 64};
    const acre_query all = {.shape = ACRE_QUERY_SHAPE_ALL};
    acre_result result = ACRE_OK;
    acre_item_marks_clear(&rings->jumpers);
    column_swap(&rings->present.any, &rings->present_now.any);
    if (rings->present_now.capacity > 0) {
        memset(rings->present_now.data, 0,
               rings->present_now.capacity * sizeof *rings->present_now.data);
    }
    for (size_t i = 0; i < world->count && result == ACRE_OK; i++) {
        result = acre_quadtree_query_visit_groups(world->trees[i], &all, list_group, &scan);
    }
    const bool is_whole = result == ACRE_OK && !scan.has_failed && !scan.is_apart;
    for (size_t i = 0; i < GROUPS_LISTED && i < scan.groups && is_whole; i++) {
        note_group(&scan, &scan.listed[i]);
    }
    rings->are_noted = is_whole && !scan.has_failed;
    rings->are_known &= rings->are_noted;
    if (rings->are_known) {
        scan.has_failed |= !list_jumpers(interest, world);
        for (int i = 0; i < 2; i++) {
            rings->moved[i] = sqrt((double)scan.moved2[i]) * ring_slack;
        }
        rings->are_known &= rings->jumpers.count <= scan.most_jumpers;
        rings->far2 = choose_far2(&scan.classes, rings->far2);
    }
    return scan.has_failed ? ACRE_ERROR_OUT_OF_MEMORY : result;
}

acre_result acre_interest_note_boxes(acre_interest *interest, const interest_world *world)
{
    interest_rings *const rings = &interest->rings;
    size_t items = 0;
    for (size_t i = 0; i < world->count; i++) {
        items += acre_quadtree_item_count(world->trees[i]);
    }
    rings->are_known = rings->are_noted;
    rings->are_noted = false; // until all is noted
    rings->pause -= rings->pause > 0;
    if (rings->pause > 0 || (interest->flags & ACRE_INTEREST_STAYED) ||
        interest->sets_cost < (uint64_t)SEEN_OF_ITEMS * items * (rings->price > 0) + 1) {
        rings->are_known = false;
        return ACRE_OK;
    }
    return scan_boxes(interest, world, items);
}

void acre_interest_weigh_rings(acre_interest *interest)
{
    interest_rings *const rings = &interest->rings;
    size_t with_rings = 0, with_sets = 0;
    for (uint32_t i = 0; i < interest->share_count; i++) {
        with_rings += const_share_at(interest, i)->rows_with_rings;
        with_sets += const_share_at(interest, i)->rows_with_sets;
    }
    const bool is_far = rings->moved[1] * rings->moved[1] > (double)rings->far2;
    if (rings->are_known && !is_far && with_rings * FEW_OF_RINGS < with_sets) {
        rings->pause = PAUSED_UPDATES;
    }
}

// ---- one observer ----

// By how much the distance to a thing that is no jumper may be another one now.
static double most_change(const acre_interest *interest, const observer_row *row)
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double step = (double)row->place[axis] - (double)row->found_place[axis];
        sum += axis == 1 && !row->def.in_space ? 0 : step * step;
    }
    return (sqrt(sum) + interest->rings.moved[row->def.in_space]) * ring_slack;
}

// Things near limits, if things are alike everywhere, cost their price and jumpers two; the rest of
// a search is in the words of the set and in what is seen.
static bool rings_are_cheap(const acre_interest *interest, const observer_row *row)
{
    const interest_rings *const rings = &interest->rings;
    const double enter = (double)row->def.enter_radius, leave = (double)row->def.leave_radius;
    double limits = enter < leave ? enter + leave : leave; // their sum
    for (uint32_t i = 0; i < ACRE_OBSERVER_BAND_LIMITS; i++) {
        const double band = (double)row->def.band_limits[i];
        limits += band < leave ? band : 0;
    }
    const double things = 4 * most_change(interest, row) * limits * (double)row->seen;
    const double other = 2 * (double)rings->jumpers.count;
    return rings->price == 0 || things * (double)rings->price <
                                    leave * leave * ((double)acre_interest_set_cost(row) - other);
}

bool acre_interest_takes_rings(const acre_interest *interest, const observer_row *row)
{
    const uint32_t layers = row->def.layers;
    return interest->rings.are_known && !row->is_new && !row->is_edited &&
           (layers == 0 || layers == UINT32_MAX) && !row_minds_ranges(interest, row) &&
           rings_are_cheap(interest, row);
}

// Adds the events of a thing, which is as far away as this; INFINITY: it is nowhere.
static void decide_thing(const acre_interest *interest, interest_share *share,
                         const observer_row *row, uint32_t item, double distance2)
{
    interest_outcome *const outcome = last_outcome(share);
    const limit_squares limits = acre_interest_limits(interest, row);
    bool was_seen = acre_interest_set_has(row, item);
    if (was_seen && item_is_reused(interest, item)) {
        acre_interest_add_event(share, EVENT_LEFT, item, 0);
        outcome->seen--;
        was_seen = false;
    }
    const bool is_seen = distance2 <= (was_seen ? limits.leave : limits.enter);
    const uint32_t band = acre_interest_band(&row->def, distance2);
    if (is_seen && !was_seen) {
        const uint32_t words = acre_interest_set_words(item);
        outcome->set_words = words > outcome->set_words ? words : outcome->set_words;
        acre_interest_add_event(share, EVENT_ENTERED, item, band);
        outcome->seen++;
    } else if (was_seen && !is_seen) {
        acre_interest_add_event(share, EVENT_LEFT, item, 0);
        outcome->seen--;
    } else if (is_seen && band != acre_interest_set_band(row, item)) {
        acre_interest_add_event(share, EVENT_CHANGED, item, band);
    }
}

acre_result acre_interest_decide_rings(const acre_interest *interest, interest_share *share,
                                       const interest_world *world, uint32_t index)
{
    const interest_rings *const rings = &interest->rings;
    const observer_row *const row = COLUMN_AT(interest->rows, index);
    const uint32_t hidden = acre_interest_hidden_item(interest, row);
    const acre_result result =
        acre_interest_find_rings(interest, share, world, row, most_change(interest, row));
    if (result != ACRE_OK) {
        return result;
    }
    if (!acre_interest_begin_outcome(share->near.allocator, share, index, share->lists.used,
                                     share->ring_count + rings->jumpers.count)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    interest_outcome *const outcome = last_outcome(share);
    outcome->is_set = true;
    outcome->seen = row->seen;
    outcome->set_words = row->set_words;
    for (size_t i = 0; i < share->ring_count; i++) {
        const met_item *const thing = COLUMN_AT(share->ring, i);
        if (!item_is_marked(&rings->jumpers, thing->item)) {
            decide_thing(interest, share, row, thing->item, thing->distance2);
        }
    }
    for (size_t i = 0; i < rings->jumpers.count; i++) {
        const uint32_t item = *COLUMN_AT(rings->jumpers.items, i);
        const acre_aabb *const box = COLUMN_AT(rings->jumper_boxes, i);
        if (item != hidden) {
            decide_thing(interest, share, row, item,
                         float_is_nan(box->min[0])
                             ? (double)INFINITY
                             : acre_interest_distance2(box, row->place, row->def.in_space));
        }
    }
    acre_interest_end_outcome(share);
    return ACRE_OK;
}
