// SPDX-License-Identifier: MIT
// interest_find.c - the things near an observer: a box query of the tree, then distances.
//
// Distances are computed in floats for a group of the tree at once. Floats decide unless the result
// is within 2^-20 of a limit; then doubles do. The error of the floats is below 2^-22, so that the
// result is always that of the doubles.
#include "interest_internal.h"

#include "bits_internal.h"
#include "sort_internal.h"

#include <math.h>
#include <string.h>

// How far a box is from a place along one axis.
static double gap(double min, double max, double at)
{
    return min > at ? min - at : at > max ? at - max : 0;
}

double acre_interest_distance2(const acre_aabb *box, const float *place, bool in_space)
{
    double gaps[3];
    for (int axis = 0; axis < 3; axis++) {
        gaps[axis] = gap((double)box->min[axis], (double)box->max[axis], (double)place[axis]);
    }
    const double ground = gaps[0] * gaps[0] + gaps[2] * gaps[2];
    return in_space ? ground + gaps[1] * gaps[1] : ground;
}

static double square(float value)
{
    return (double)value * (double)value;
}

uint8_t acre_interest_band(const acre_observer_def *def, double distance2)
{
    uint32_t band = 0;
    for (int i = 0; i < ACRE_OBSERVER_BAND_LIMITS; i++) {
        band += def->band_limits[i] > 0 && distance2 > square(def->band_limits[i]);
    }
    return (uint8_t)band;
}

// A float that is surely above a double, or for a negative sign surely below it.
static float rounded_outward(double value, double sign)
{
    return (float)(value + sign * (fabs(value) * 0x1p-22 + 0x1p-100));
}

acre_aabb acre_interest_reach(const observer_row *row)
{
    acre_aabb box;
    const double radius = (double)row->def.leave_radius;
    for (int axis = 0; axis < 3; axis++) {
        const double at = (double)row->place[axis];
        box.min[axis] = rounded_outward(at - radius, -1);
        box.max[axis] = rounded_outward(at + radius, 1);
    }
    if (!row->def.in_space) {
        box.min[1] = -INFINITY;
        box.max[1] = INFINITY;
    }
    return box;
}

acre_result acre_interest_box(const interest_world *world, uint32_t item, acre_aabb *out)
{
    acre_result result = ACRE_ERROR_NOT_FOUND;
    for (size_t i = 0; i < world->count && result == ACRE_ERROR_NOT_FOUND; i++) {
        result = acre_quadtree_get_box(world->trees[i], item, out);
    }
    return result;
}

bool acre_interest_follows(const acre_interest *interest, const observer_row *row, uint32_t item)
{
    if (row->is_lost) {
        return false;
    }
    return interest->front ? row->def.entity.index1 != 0 && row->def.entity.index1 - 1 == item
                           : row->def.follows_item && row->def.item == item;
}

// ---- the search of one observer ----

// Squares of floats below `low` are surely within a limit; those above `high` surely are not.
typedef struct limit_range {
    float low, high;
} limit_range;

typedef struct near_search {
    const acre_allocator *allocator;
    interest_candidates *near;
    const observer_row *row;
    double enter2, leave2;
    limit_range enter, leave;
    uint32_t hidden;     // the item that the observer is; INTEREST_NONE: none
    bool needs_distance; // bands or a limit
    bool has_failed;     // no memory
} near_search;

static limit_range range_of(double limit2)
{
    if (limit2 < 0x1p-60) {
        return (limit_range){-1, 0x1p-59f}; // floats may underflow
    }
    return (limit_range){(float)(limit2 * (1 - 0x1p-20)), (float)(limit2 * (1 + 0x1p-20))};
}

// The squared distances of a group's boxes, in floats.
static void group_distances(const float *edges, const float *place, bool in_space, float *out)
{
    const float x = place[0], y = place[1], z = place[2];
    const float *const rows = edges;
    for (int i = 0; i < ACRE_GROUP_ITEMS; i++) {
        const float x_below = rows[i] - x, x_above = x - rows[ACRE_GROUP_ITEMS + i];
        const float z_below = rows[4 * ACRE_GROUP_ITEMS + i] - z,
                    z_above = z - rows[5 * ACRE_GROUP_ITEMS + i];
        const float x_gap = x_below > x_above ? x_below : x_above;
        const float z_gap = z_below > z_above ? z_below : z_above;
        const float dx = x_gap > 0 ? x_gap : 0, dz = z_gap > 0 ? z_gap : 0;
        out[i] = dx * dx + dz * dz;
    }
    for (int i = 0; in_space && i < ACRE_GROUP_ITEMS; i++) {
        const float y_below = rows[2 * ACRE_GROUP_ITEMS + i] - y,
                    y_above = y - rows[3 * ACRE_GROUP_ITEMS + i];
        const float y_gap = y_below > y_above ? y_below : y_above;
        const float dy = y_gap > 0 ? y_gap : 0;
        out[i] += dy * dy;
    }
}

static double exact_distance2(const near_search *search, const acre_item_group *group, uint32_t i)
{
    acre_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = group->edges[(size_t)axis * 2 * ACRE_GROUP_ITEMS + i];
        box.max[axis] = group->edges[((size_t)axis * 2 + 1) * ACRE_GROUP_ITEMS + i];
    }
    return acre_interest_distance2(&box, search->row->place, search->row->def.in_space);
}

static bool is_in_doubt(float value, limit_range range)
{
    return value >= range.low && value <= range.high;
}

// Adds the things of a group whose distances are needed, or are in doubt.
static void take_exactly(const near_search *search, const acre_item_group *group, uint32_t bits)
{
    interest_candidates *const near = search->near;
    for (; bits; bits &= bits - 1) {
        const uint32_t i = lowest_bit(bits), item = group->items[i];
        const double distance2 = exact_distance2(search, group, i);
        if (distance2 <= search->leave2 && item != search->hidden) {
            const uint8_t inside = distance2 <= search->enter2 ? MARK_INSIDE : 0;
            *COLUMN_AT(near->items, near->count) = item;
            *COLUMN_AT(near->marks, near->count) =
                inside | acre_interest_band(&search->row->def, distance2);
            if (search->row->def.limit > 0) {
                *COLUMN_AT(near->distances, near->count) = distance2;
            }
            near->count++;
        }
    }
}

static bool reserve_candidates(const acre_allocator *allocator, interest_candidates *near,
                               size_t count, bool with_distances)
{
    return COLUMN_RESERVE(allocator, near->items, count) &&
           COLUMN_RESERVE(allocator, near->marks, count) &&
           (!with_distances || COLUMN_RESERVE(allocator, near->distances, count));
}

// A group's visitor: adds what is within the leave radius.
static bool take_near_group(void *user, const acre_item_group *group)
{
    near_search *const search = user;
    interest_candidates *const near = search->near;
    const observer_row *const row = search->row;
    if (!reserve_candidates(search->allocator, near, near->count + ACRE_GROUP_ITEMS,
                            row->def.limit > 0)) {
        search->has_failed = true;
        return false;
    }
    float distances[ACRE_GROUP_ITEMS];
    group_distances(group->edges, row->place, row->def.in_space, distances);
    if (search->needs_distance) {
        uint32_t bits = 0;
        for (uint32_t i = 0; i < ACRE_GROUP_ITEMS; i++) {
            bits |= (uint32_t)(distances[i] <= search->leave.high) << i;
        }
        take_exactly(search, group, bits & group->found);
        return true;
    }
    uint32_t *const items = near->items.data;
    uint8_t *const marks = near->marks.data;
    size_t count = near->count;
    uint32_t doubtful = 0;
    for (uint32_t bits = group->found; bits; bits &= bits - 1) {
        const uint32_t i = lowest_bit(bits), item = group->items[i];
        const float distance = distances[i];
        const uint32_t is_doubtful = (uint32_t)is_in_doubt(distance, search->enter) |
                                     (uint32_t)is_in_doubt(distance, search->leave);
        items[count] = item;
        marks[count] = distance < search->enter.low ? MARK_INSIDE : 0;
        count += (distance < search->leave.low) & !is_doubtful & (item != search->hidden);
        doubtful |= is_doubtful << i;
    }
    near->count = count;
    if (doubtful) {
        take_exactly(search, group, doubtful);
    }
    return true;
}

acre_result acre_interest_find_near(const acre_interest *interest, const interest_world *world,
                                    const observer_row *row, interest_candidates *near)
{
    const acre_observer_def *const def = &row->def;
    const acre_aabb reach = acre_interest_reach(row);
    near_search search = {.allocator = &interest->allocator,
                          .near = near,
                          .row = row,
                          .enter2 = square(def->enter_radius),
                          .leave2 = square(def->leave_radius),
                          .hidden = INTEREST_NONE,
                          .needs_distance = def->limit > 0 || def->band_limits[0] > 0};
    search.enter = range_of(search.enter2);
    search.leave = range_of(search.leave2);
    if (!def->sees_itself && !row->is_lost) {
        search.hidden = interest->front     ? def->entity.index1 - 1
                        : def->follows_item ? def->item
                                            : INTEREST_NONE;
    }
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &reach, .layers = def->layers};
    near->count = 0;
    acre_result result = ACRE_OK;
    for (size_t i = 0; result == ACRE_OK && i < world->count; i++) {
        result =
            acre_quadtree_query_visit_groups(world->trees[i], &query, take_near_group, &search);
    }
    return search.has_failed ? ACRE_ERROR_OUT_OF_MEMORY : result;
}

// ---- rooms ----

// Lists the items in an observer's rooms, ascending, each once, in ranked.
static bool list_room_items(const acre_interest *interest, const observer_row *row,
                            interest_candidates *near, size_t *count)
{
    size_t total = 0;
    for (size_t i = 0; i < row->rooms.count; i++) {
        total += interest->rooms.data[row->rooms.numbers.data[i]].items.count;
    }
    if (!COLUMN_RESERVE(&interest->allocator, near->ranked, total)) {
        return false;
    }
    uint32_t *const items = near->ranked.data;
    size_t listed = 0, unique = 0;
    for (size_t i = 0; i < row->rooms.count; i++) {
        const number_set *const set = &interest->rooms.data[row->rooms.numbers.data[i]].items;
        if (set->count > 0) {
            memcpy(items + listed, set->numbers.data, set->count * sizeof *items);
        }
        listed += set->count;
    }
    ACRE_INVARIANT(listed == total);
    if (row->rooms.count > 1) {
        sort_ascending(items, listed);
    }
    for (size_t i = 0; i < listed; i++) {
        if (unique == 0 || items[unique - 1] != items[i]) {
            items[unique++] = items[i];
        }
    }
    *count = unique;
    return true;
}

// Adds an item of a room that is not near, if it is in the tree.
static acre_result add_room_item(const acre_interest *interest, const interest_world *world,
                                 const observer_row *row, interest_candidates *near, uint32_t item)
{
    acre_aabb box;
    const acre_result result = acre_interest_box(world, item, &box);
    if (result != ACRE_OK) {
        return result == ACRE_ERROR_NOT_FOUND ? ACRE_OK : result;
    }
    if (!reserve_candidates(&interest->allocator, near, near->count + 1, row->def.limit > 0)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    const double distance2 = acre_interest_distance2(&box, row->place, row->def.in_space);
    *COLUMN_AT(near->items, near->count) = item;
    *COLUMN_AT(near->marks, near->count) =
        MARK_ROOM | MARK_FAR | acre_interest_band(&row->def, distance2);
    if (row->def.limit > 0) {
        *COLUMN_AT(near->distances, near->count) = distance2;
    }
    near->count++;
    return ACRE_OK;
}

acre_result acre_interest_add_rooms(const acre_interest *interest, const interest_world *world,
                                    const observer_row *row, interest_candidates *near)
{
    size_t room_items = 0;
    const size_t count = near->count;
    if (!list_room_items(interest, row, near, &room_items) ||
        !COLUMN_RESERVE(&interest->allocator, near->scratch, 4 * count)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    uint32_t *pairs = near->scratch.data; // an item and its position
    for (size_t i = 0; i < count; i++) {
        pairs[2 * i] = near->items.data[i];
        pairs[2 * i + 1] = (uint32_t)i;
    }
    pairs = count > 0 ? acre_sort_number_pairs(pairs, pairs + 2 * count, count) : pairs;
    size_t at = 0;
    acre_result result = ACRE_OK;
    for (size_t i = 0; result == ACRE_OK && i < room_items; i++) {
        const uint32_t item = near->ranked.data[i];
        while (at < count && pairs[2 * at] < item) {
            at++;
        }
        if (at < count && pairs[2 * at] == item) {
            near->marks.data[pairs[2 * at + 1]] |= MARK_ROOM;
        } else if (row->def.sees_itself || !acre_interest_follows(interest, row, item)) {
            result = add_room_item(interest, world, row, near, item);
        }
    }
    return result;
}
