// SPDX-License-Identifier: MIT
// interest_find.c - the things near an observer: a circle query of the tree, then distances.
//
// The tree finds groups whose bounds touch the circle. A kernel computes the distances
// of all items of a group in floats. They decide unless the square is within 2^-20 of a limit's;
// then doubles do. The error of the floats is below 2^-22, so that the result is always that of the
// doubles.
#include "interest_internal.h"

#include "bits_internal.h"
#include "prefetch_internal.h"
#include "shape_internal.h"
#include "sort_internal.h"

#include <math.h>
#include <string.h>

uint8_t acre_interest_band(const acre_observer_def *def, double distance2)
{
    uint32_t band = 0;
    for (int i = 0; i < ACRE_OBSERVER_BAND_LIMITS && def->band_limits[i] > 0; i++) {
        band += distance2 > square_of_radius(def->band_limits[i]);
    }
    return (uint8_t)band;
}

// A box around all that is within a radius.
static acre_aabb reach_of_row(const observer_row *row, double radius)
{
    acre_aabb box;
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

bool acre_interest_has_layers(const interest_world *world, uint32_t item, uint32_t layers)
{
    uint32_t own = 0;
    for (size_t i = 0; i < world->count; i++) {
        own |= acre_quadtree_get_layers(world->trees[i], item);
    }
    return (own & layers) != 0;
}

uint32_t acre_interest_hidden_item(const acre_interest *interest, const observer_row *row)
{
    if (row->def.sees_itself || row->is_lost) {
        return INTEREST_NONE;
    }
    return interest->front         ? row->def.entity.index1 - 1
           : row->def.follows_item ? row->def.item
                                   : INTEREST_NONE;
}

// ---- the search of one observer ----

typedef struct near_search {
    const acre_allocator *allocator;
    const acre_interest *interest;
    const interest_world *world;
    const interest_kernel *kernel;
    interest_share *share;
    const observer_row *row;
    double enter2, leave2;
    bool minds_ranges; // things with ranges are not found by the radii
    bool is_of_ranges; // groups are of places of things with ranges
    near_limits limits;
    bool has_failed; // no memory
} near_search;

static limit_range range_of(double limit2)
{
    if (limit2 < 0x1p-60) {
        return (limit_range){-1, 0x1p-59f}; // floats may underflow
    }
    return (limit_range){(float)(limit2 * (1 - 0x1p-20)), (float)(limit2 * (1 + 0x1p-20))};
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

// Writes the things of a group whose distances floats leave in doubt. @return how many there are.
static uint32_t take_exactly(const near_search *search, const acre_item_group *group, uint32_t bits,
                             uint32_t *items, uint8_t *marks)
{
    uint32_t count = 0;
    for (; bits; bits &= bits - 1) {
        const uint32_t i = lowest_bit(bits);
        const double distance2 = exact_distance2(search, group, i);
        if (distance2 <= search->leave2) {
            const uint32_t inside = distance2 <= search->enter2 ? MARK_INSIDE : 0;
            items[count] = group->items[i];
            marks[count++] = (uint8_t)(inside | acre_interest_band(&search->row->def, distance2));
        }
    }
    return count;
}

// Writes what of a group of things with ranges is near enough. @return how many there are.
static uint32_t take_ranged(const near_search *search, const acre_item_group *group,
                            uint32_t *items, uint8_t *marks)
{
    const interest_ranges *const ranges = &search->interest->ranges;
    const acre_observer_def *const def = &search->row->def;
    const bool has_all_layers = def->layers == 0 || def->layers == UINT32_MAX;
    uint32_t count = 0;
    for (uint32_t bits = group->found; bits; bits &= bits - 1) {
        const uint32_t place = group->items[lowest_bit(bits)];
        const ranged_thing *const thing = COLUMN_AT(ranges->things, place);
        const uint32_t item = *COLUMN_AT(ranges->map.numbers, place);
        const limit_squares limits = acre_interest_limits_of(search->interest, search->row, thing);
        const double distance2 =
            acre_interest_distance2(&thing->box, search->row->place, def->in_space);
        if (distance2 <= limits.leave && item != search->limits.hidden &&
            (has_all_layers || acre_interest_has_layers(search->world, item, def->layers))) {
            const uint32_t inside = distance2 <= limits.enter ? MARK_INSIDE : 0;
            items[count] = item;
            marks[count++] = (uint8_t)(inside | acre_interest_band(def, distance2));
        }
    }
    return count;
}

// Drops things with ranges. @return how many are left.
static uint32_t drop_ranged(const acre_interest *interest, uint32_t *items, uint8_t *marks,
                            uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        items[kept] = items[i];
        marks[kept] = marks[i];
        kept += !item_has_range(interest, items[i]);
    }
    return kept;
}

// Writes what of a group is within the leave radius. There is room for two groups.
// @return how many there are.
static uint32_t take_near(const near_search *search, const acre_item_group *group, uint32_t *items,
                          uint8_t *marks)
{
    if (search->is_of_ranges) {
        return take_ranged(search, group, items, marks);
    }
    uint32_t doubtful;
    uint32_t count = search->kernel->sift(&search->limits, group, items, marks, &doubtful);
    if (doubtful) {
        count += take_exactly(search, group, doubtful, items + count, marks + count);
    }
    ACRE_INVARIANT(count <= ACRE_GROUP_ITEMS);
    return search->minds_ranges ? drop_ranged(search->interest, items, marks, count) : count;
}

// Writes the distances of the candidates from `first` on, which are of this group.
static bool measure_exactly(const near_search *search, const acre_item_group *group, size_t first)
{
    const interest_lists *const lists = &search->share->lists;
    interest_candidates *const near = &search->share->near;
    const size_t count = lists->used - near->first;
    if (!COLUMN_RESERVE(search->allocator, near->distances, count)) {
        return false;
    }
    for (size_t i = first; i < lists->used; i++) {
        uint32_t slot = 0;
        if (search->is_of_ranges) {
            const ranged_thing *const thing =
                acre_interest_ranged_thing(search->interest, lists->items.data[i]);
            *COLUMN_AT(near->distances, i - near->first) =
                acre_interest_distance2(&thing->box, search->row->place, search->row->def.in_space);
            continue;
        }
        while (!(group->found >> slot & 1) || group->items[slot] != lists->items.data[i]) {
            slot++;
            ACRE_INVARIANT(slot < ACRE_GROUP_ITEMS);
        }
        *COLUMN_AT(near->distances, i - near->first) = exact_distance2(search, group, slot);
    }
    return true;
}

// A group's visitor: marks what is within the leave radius.
static bool mark_near_group(void *user, const acre_item_group *group)
{
    const near_search *const search = user;
    uint32_t items[2 * ACRE_GROUP_ITEMS];
    uint8_t marks[2 * ACRE_GROUP_ITEMS];
    acre_interest_mark_near(search->kernel, &search->share->planes, items, marks,
                            take_near(search, group, items, marks));
    return true;
}

// A group's visitor: adds what is within the leave radius.
static bool take_near_group(void *user, const acre_item_group *group)
{
    near_search *const search = user;
    interest_lists *const lists = &search->share->lists;
    const size_t first = lists->used;
    if (!acre_interest_reserve_lists(search->allocator, lists, first + 2 * ACRE_GROUP_ITEMS)) {
        search->has_failed = true;
        return false;
    }
    lists->used += take_near(search, group, lists->items.data + first, lists->marks.data + first);
    if (search->row->def.limit > 0 && !measure_exactly(search, group, first)) {
        search->has_failed = true;
    }
    return !search->has_failed;
}

// A group's visitor: lists what is in a ring.
static bool take_ring_group(void *user, const acre_item_group *group)
{
    near_search *const search = user;
    interest_share *const share = search->share;
    uint32_t bits = search->kernel->sift_rings(&search->limits, group);
    if (!bits) {
        return true;
    }
    search->has_failed =
        !COLUMN_RESERVE(search->allocator, share->ring, share->ring_count + ACRE_GROUP_ITEMS);
    for (; bits && !search->has_failed; bits &= bits - 1) {
        const uint32_t i = lowest_bit(bits);
        prefetch_element(search->row->set.data, group->items[i] / 64, sizeof(uint64_t));
        *COLUMN_AT(share->ring, share->ring_count++) =
            (met_item){.distance2 = exact_distance2(search, group, i), .item = group->items[i]};
    }
    return !search->has_failed;
}

static void set_limits(near_search *search)
{
    near_limits *const limits = &search->limits;
    const acre_observer_def *const def = &search->row->def;
    memcpy(limits->place, search->row->place, sizeof limits->place);
    limits->in_space = def->in_space;
    limits->limits[LIMIT_LEAVE] = range_of(search->leave2);
    limits->limits[LIMIT_ENTER] = range_of(search->enter2);
    limits->count = LIMIT_BANDS;
    for (int i = 0; i < ACRE_OBSERVER_BAND_LIMITS && def->band_limits[i] > 0; i++) {
        limits->limits[limits->count++] = range_of(square_of_radius(def->band_limits[i]));
    }
}

// The volumes of a query; one of them is used.
typedef struct reach_shapes {
    acre_circle circle;
    acre_sphere sphere;
    acre_aabb box;
} reach_shapes;

// Asks for the groups that a circle or a sphere touches; for a box where coordinates are too large
// for these. The radius is larger than the observer's: what is asked for must be found surely.
static acre_query query_of(const observer_row *row, double reach, reach_shapes *shapes)
{
    const float *const at = row->place;
    const float radius = rounded_outward(reach, 1);
    *shapes = (reach_shapes){.circle = {{at[0], at[2]}, radius},
                             .sphere = {{at[0], at[1], at[2]}, radius}};
    acre_query query = {.shape = ACRE_QUERY_SHAPE_CIRCLE,
                        .circle = &shapes->circle,
                        .sphere = &shapes->sphere,
                        .box = &shapes->box,
                        .layers = row->def.layers,
                        .flags = ACRE_QUERY_WHOLE_GROUPS};
    if (!acre_sphere_is_valid(&shapes->sphere)) {
        shapes->box = reach_of_row(row, reach);
        query.shape = ACRE_QUERY_SHAPE_AABB;
    } else if (row->def.in_space) {
        query.shape = ACRE_QUERY_SHAPE_SPHERE;
    }
    return query;
}

static acre_result visit_near(const acre_interest *interest, interest_share *share,
                              const interest_world *world, const observer_row *row,
                              acre_group_visitor visit)
{
    near_search search = {.allocator = share->near.allocator,
                          .interest = interest,
                          .world = world,
                          .kernel = interest->kernel,
                          .share = share,
                          .row = row,
                          .enter2 = acre_interest_limits(interest, row).enter,
                          .leave2 = acre_interest_limits(interest, row).leave,
                          .minds_ranges = row_minds_ranges(interest, row)};
    set_limits(&search);
    if (visit == mark_near_group && !share->planes.has_between && !share->planes.has_bands) {
        search.limits.count = LIMIT_ENTER;
    }
    search.limits.hidden = acre_interest_hidden_item(interest, row);
    reach_shapes shapes;
    acre_query query = query_of(row, (double)row->def.leave_radius, &shapes);
    acre_result result = ACRE_OK;
    ACRE_INVARIANT(search.enter2 <= search.leave2);
    for (size_t i = 0; result == ACRE_OK && i < world->count; i++) {
        result = acre_quadtree_query_visit_groups(world->trees[i], &query, visit, &search);
    }
    if (search.minds_ranges && result == ACRE_OK) {
        search.is_of_ranges = true;
        query = query_of(row, acre_interest_margin(row), &shapes);
        query.layers = 0; // the tree of ranges knows none
        query.flags = 0;  // and few boxes of a group are around the observer
        result = acre_quadtree_query_visit_groups(interest->ranges.tree, &query, visit, &search);
    }
    return search.has_failed ? ACRE_ERROR_OUT_OF_MEMORY : result;
}

acre_result acre_interest_find_near(const acre_interest *interest, interest_share *share,
                                    const interest_world *world, const observer_row *row)
{
    share->near.first = share->lists.used;
    const acre_result result = visit_near(interest, share, world, row, take_near_group);
    share->near.count = share->lists.used - share->near.first;
    return result;
}

// Makes the range of each limit one of what is at most `change` nearer or farther.
static void widen_limits(near_search *search, double change)
{
    const acre_observer_def *const def = &search->row->def;
    for (uint32_t i = 0; i < search->limits.count; i++) {
        const float limit_of_def = i == LIMIT_LEAVE   ? def->leave_radius
                                   : i == LIMIT_ENTER ? def->enter_radius
                                                      : def->band_limits[i - LIMIT_BANDS];
        const double limit = (double)limit_of_def;
        const double low = limit - change, high = limit + change;
        search->limits.limits[i] =
            (limit_range){low > 0 ? range_of(low * low).low : -1, range_of(high * high).high};
    }
}

acre_result acre_interest_find_rings(const acre_interest *interest, interest_share *share,
                                     const interest_world *world, const observer_row *row,
                                     double change)
{
    near_search search = {.allocator = share->near.allocator,
                          .interest = interest,
                          .kernel = interest->kernel,
                          .share = share,
                          .row = row};
    reach_shapes shapes;
    const acre_query query = query_of(row, (double)row->def.leave_radius + change, &shapes);
    acre_result result = ACRE_OK;
    set_limits(&search);
    widen_limits(&search, change);
    search.limits.hidden = acre_interest_hidden_item(interest, row);
    share->ring_count = 0;
    for (size_t i = 0; result == ACRE_OK && i < world->count; i++) {
        result =
            acre_quadtree_query_visit_groups(world->trees[i], &query, take_ring_group, &search);
    }
    return search.has_failed ? ACRE_ERROR_OUT_OF_MEMORY : result;
}

acre_result acre_interest_mark_all_near(const acre_interest *interest, interest_share *share,
                                        const interest_world *world, const observer_row *row)
{
    near_planes *const planes = &share->planes;
    acre_result result = ACRE_OK;
    uint32_t words = 0;
    do { // once more where a number is higher than those before
        if (!acre_interest_reserve_planes(share->near.allocator, planes, row, words)) {
            return ACRE_ERROR_OUT_OF_MEMORY;
        }
        result = visit_near(interest, share, world, row, mark_near_group);
        words = acre_interest_set_words(planes->highest);
        if (result != ACRE_OK || words > planes->count) {
            acre_interest_clear_planes(planes);
        }
    } while (result == ACRE_OK && words > planes->count);
    return result;
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
    if (!COLUMN_RESERVE(near->allocator, near->ranked, total)) {
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
    ACRE_INVARIANT(unique <= listed);
    *count = unique;
    return true;
}

// Adds an item of a room that is not near, if it is in the tree. @return false: no memory.
static bool add_room_item(interest_share *share, const interest_world *world,
                          const observer_row *row, uint32_t item)
{
    acre_aabb box;
    interest_lists *const lists = &share->lists;
    interest_candidates *const near = &share->near;
    acre_interest_boxes(world, &item, 1, &box);
    if (float_is_nan(box.min[0])) {
        return true;
    }
    if (!acre_interest_reserve_lists(near->allocator, lists, lists->used + 1) ||
        (row->def.limit > 0 &&
         !COLUMN_RESERVE(near->allocator, near->distances, near->count + 1))) {
        return false;
    }
    const double distance2 = acre_interest_distance2(&box, row->place, row->def.in_space);
    interest_lists_add(lists, item,
                       MARK_ROOM | MARK_FAR | acre_interest_band(&row->def, distance2));
    if (row->def.limit > 0) {
        *COLUMN_AT(near->distances, near->count) = distance2;
    }
    near->count++;
    return true;
}

acre_result acre_interest_add_rooms(const acre_interest *interest, interest_share *share,
                                    const interest_world *world, const observer_row *row)
{
    interest_candidates *const near = &share->near;
    const uint32_t hidden = acre_interest_hidden_item(interest, row);
    size_t room_items = 0;
    if (!list_room_items(interest, row, near, &room_items) ||
        !COLUMN_RESERVE(near->allocator, near->scratch, room_items + 1)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    uint32_t *const is_near = near->scratch.data; // by item of the rooms
    memset(is_near, 0, room_items * sizeof *is_near);
    for (size_t i = near->first; i < near->first + near->count; i++) {
        const uint32_t item = share->lists.items.data[i];
        const size_t at = acre_number_position(near->ranked.data, room_items, item);
        if (at < room_items && near->ranked.data[at] == item) {
            share->lists.marks.data[i] |= MARK_ROOM;
            is_near[at] = 1;
        }
    }
    bool has_room = true;
    for (size_t i = 0; i < room_items && has_room; i++) {
        const uint32_t item = near->ranked.data[i];
        has_room = is_near[i] || item == hidden || add_room_item(share, world, row, item);
    }
    return has_room ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
}
