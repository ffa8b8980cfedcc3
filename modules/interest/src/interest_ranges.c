// SPDX-License-Identifier: MIT
// interest_ranges.c - things with ranges of their own: told, dropped, and filed by the ground from
// which they may be noticed.
//
// A thing with a range stands in a tree of the interest, as a box around every place from which it
// is noticed. So an observer asks that tree what is around its own place, and a dragon with a wide
// range costs nothing where mice are looked for. An update first files what has moved.
#include "interest_internal.h"

#include "distances_internal.h"

#include <math.h>
#include <string.h>

// ---- what other files do with ranges ----

const ranged_thing *acre_interest_ranged_thing(const acre_interest *interest, uint32_t item)
{
    const uint32_t place = acre_number_map_find(&interest->ranges.map, item);
    return place == INTEREST_NONE ? NULL : COLUMN_AT(interest->ranges.things, place);
}

// Whether an item has a range is also a bit, which a search looks at for each thing it finds.
static void set_range(interest_ranges *ranges, uint32_t place, float range)
{
    const uint32_t item = *COLUMN_AT(ranges->map.numbers, place);
    const uint64_t bit = UINT64_C(1) << (item & 63);
    uint64_t *const word = COLUMN_AT(ranges->bits, item / 64);
    COLUMN_AT(ranges->things, place)->range = range;
    ranges->count -= (*word & bit) != 0;
    ranges->count += range > 0;
    *word = range > 0 ? *word | bit : *word & ~bit;
}

void acre_interest_drop_range(acre_interest *interest, uint32_t item)
{
    const uint32_t place = acre_number_map_find(&interest->ranges.map, item);
    if (place != INTEREST_NONE) {
        set_range(&interest->ranges, place, 0);
    }
}

void acre_interest_see_to_leave(acre_interest *interest, double most_reach)
{
    ACRE_INVARIANT(interest->row_count == 0 && most_reach > 0);
    interest->sees_to_leave = true;
    interest->most_reach = most_reach;
}

// ---- told ----

static acre_result read_range(const acre_interest *interest, const acre_range_batch *batch,
                              size_t row, uint32_t *item)
{
    *item = batch->items ? batch->items[row] : batch->entities[row].index1 - 1;
    if (batch->entities &&
        !interest->front->is_alive(interest->front_state, batch->entities[row])) {
        return ACRE_ERROR_STALE_HANDLE;
    }
    return *item >= INTEREST_ITEMS               ? ACRE_ERROR_CAPACITY
           : radius_is_valid(batch->ranges[row]) ? ACRE_OK
                                                 : ACRE_ERROR_INVALID_ARGUMENT;
}

// Makes room for a thing with a range, which the next update decides anew. @return false: no
// memory.
static bool reserve_range(acre_interest *interest, uint32_t item)
{
    const acre_allocator *const allocator = &interest->allocator;
    interest_ranges *const ranges = &interest->ranges;
    const acre_quadtree_def def = {.allocator = allocator};
    return (ranges->tree || acre_quadtree_create(&def, &ranges->tree) == ACRE_OK) &&
           COLUMN_RESERVE(allocator, ranges->bits, (size_t)item / 64 + 1) &&
           NUMBER_MAP_TAKE(allocator, &ranges->map, ranges->things, item) != INTEREST_NONE &&
           acre_item_marks_add(allocator, &ranges->anew, item);
}

static acre_result set_ranges(acre_interest *interest, const acre_range_batch *batch)
{
    uint32_t item;
    for (size_t row = 0; row < batch->count; row++) {
        if (read_range(interest, batch, row, &item) == ACRE_OK && !reserve_range(interest, item)) {
            return ACRE_ERROR_OUT_OF_MEMORY;
        }
    }
    for (size_t row = 0; row < batch->count; row++) {
        const acre_result result = read_range(interest, batch, row, &item);
        if (result != ACRE_OK) {
            acre_interest_refuse_row(interest, row, result);
            continue;
        }
        const uint32_t place = acre_number_map_find(&interest->ranges.map, item);
        COLUMN_AT(interest->ranges.things, place)->generation =
            batch->entities ? batch->entities[row].generation
                            : acre_interest_generation(interest, item);
        set_range(&interest->ranges, place, batch->ranges[row]);
    }
    return ACRE_OK;
}

acre_result acre_interest_set_ranges(acre_interest *interest, const acre_range_batch *batch)
{
    if (!interest || !batch || (batch->items && interest->front) ||
        (batch->entities && !interest->front) ||
        (batch->count > 0 && (!batch->ranges || (!batch->items && !batch->entities)))) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    interest->report = (acre_quadtree_report){0, 0, ACRE_OK};
    const acre_result result = set_ranges(interest, batch);
    if (result != ACRE_OK) { // nothing has changed
        interest->report = (acre_quadtree_report){batch->count, 0, result};
    }
    access_end_write(&interest->access);
    return interest->report.first_result;
}

// ---- filed ----

void acre_interest_boxes(const interest_world *world, const uint32_t *items, size_t count,
                         acre_aabb *boxes)
{
    for (size_t i = 0; i < count; i++) {
        boxes[i].min[0] = NAN;
    }
    for (size_t i = 0; i < world->count; i++) {
        (void)acre_quadtree_get_boxes(world->trees[i], items, count, boxes);
    }
}

// A little wider, since the squares that decide are rounded.
void acre_interest_noticed_from(const ranged_thing *thing, acre_aabb *box)
{
    const double wider = (double)thing->range * (1 + 0x1p-20);
    for (int axis = 0; axis < 3; axis++) {
        box->min[axis] = rounded_outward((double)box->min[axis] - wider, -1);
        box->max[axis] = rounded_outward((double)box->max[axis] + wider, 1);
    }
}

enum { FILED_TOGETHER = 128 };

// Things that are filed already and have moved, or have another range.
typedef struct moved_things {
    uint32_t places[FILED_TOGETHER];
    acre_aabb around[FILED_TOGETHER];
    size_t count;
} moved_things;

// Files a thing where it stands now, or lists it among the moved ones. @param box with a NaN:
// nowhere. @return false: no memory.
static bool file_thing(interest_ranges *ranges, uint32_t place, const acre_aabb *box,
                       moved_things *moved)
{
    ranged_thing *const thing = COLUMN_AT(ranges->things, place);
    acre_result result = ACRE_OK;
    if (thing->range <= 0 || float_is_nan(box->min[0])) {
        result = thing->is_filed ? acre_quadtree_remove(ranges->tree, place) : ACRE_OK;
        thing->is_filed = false;
    } else if (!thing->is_filed || memcmp(&thing->filed_range, &thing->range, sizeof(float)) != 0 ||
               memcmp(&thing->box, box, sizeof *box) != 0) {
        acre_aabb *const around = &moved->around[moved->count];
        *around = *box;
        acre_interest_noticed_from(thing, around);
        if (thing->is_filed) {
            moved->places[moved->count++] = place;
        } else {
            result = acre_quadtree_insert(ranges->tree, place, around);
            ranges->newcomers++;
        }
        thing->is_filed = result == ACRE_OK;
        thing->filed_range = thing->range;
        thing->box = *box;
    }
    ACRE_INVARIANT(result == ACRE_OK || result == ACRE_ERROR_OUT_OF_MEMORY);
    return result == ACRE_OK;
}

// Files things by their places. @return false: no memory.
static bool file_things(interest_ranges *ranges, const interest_world *world,
                        const uint32_t *places, size_t count)
{
    uint32_t items[FILED_TOGETHER];
    acre_aabb boxes[FILED_TOGETHER];
    moved_things moved;
    bool has_room = true;
    moved.count = 0;
    ACRE_INVARIANT(count <= FILED_TOGETHER);
    if (count == 0) {
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        items[i] = *COLUMN_AT(ranges->map.numbers, places[i]);
    }
    acre_interest_boxes(world, items, count, boxes);
    for (size_t i = 0; i < count && has_room; i++) {
        has_room = file_thing(ranges, places[i], &boxes[i], &moved);
    }
    const acre_result result =
        acre_quadtree_refresh_many(ranges->tree, moved.places, moved.around, moved.count);
    ACRE_INVARIANT(result == ACRE_OK); // it needs no memory
    return has_room && result == ACRE_OK;
}

bool acre_interest_file_ranges(acre_interest *interest, const interest_world *world, bool are_all)
{
    interest_ranges *const ranges = &interest->ranges;
    const size_t total = ranges->map.count == 0 ? 0
                         : are_all              ? ranges->map.count
                                                : interest->touched.count;
    uint32_t places[FILED_TOGETHER];
    size_t listed = 0;
    bool has_room = true;
    for (size_t i = 0; i < total && has_room; i++) {
        const uint32_t place =
            are_all ? (uint32_t)i
                    : acre_number_map_find(&ranges->map, *COLUMN_AT(interest->touched.items, i));
        places[listed] = place;
        listed += place != INTEREST_NONE;
        if (listed == FILED_TOGETHER || i + 1 == total) {
            has_room = file_things(ranges, world, places, listed);
            listed = 0;
        }
    }
    if (total > 0 && has_room) { // what came one by one is in no good order
        const bool are_many = 2 * ranges->newcomers > ranges->count;
        ACRE_IGNORE(are_many ? acre_quadtree_optimize(ranges->tree)
                             : acre_quadtree_maintain(ranges->tree)); // else the next time
        ranges->newcomers = are_many ? 0 : ranges->newcomers;
    }
    return has_room;
}
