// SPDX-License-Identifier: MIT
// sight_oracle.c - what observers of several parts see, by a look at each thing.
#include "sight_oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 9 }; // of an image

stream_part sight_world_part(const sight_world *w, uint32_t i)
{
    return (stream_part){w->parts[i], i, w->count, w->interests[i]};
}

void sight_world_close(sight_world *w)
{
    for (uint32_t i = 0; w && i < w->count; i++) {
        acre_partition_interest_destroy(w->interests[i]);
        acre_partition_destroy(w->parts[i]);
    }
    free(w);
}

sight_world *sight_world_open(uint64_t seed, bool is_periodic, uint32_t count, uint32_t items)
{
    sight_world *const w = calloc(1, sizeof *w);
    bool is_good = w != NULL;
    if (is_good) {
        w->stream = (parts_stream){seed, items, is_periodic};
        w->count = count;
        memset(w->bands, NOT_SEEN, sizeof w->bands);
    }
    for (uint32_t i = 0; i < count && is_good; i++) {
        const acre_partition_def def = stream_def(&w->stream, i, count);
        is_good = acre_partition_create(&def, &w->parts[i]) == ACRE_OK &&
                  acre_partition_interest_create(w->parts[i], NULL, &w->interests[i]) == ACRE_OK;
        const stream_part part = sight_world_part(w, i);
        is_good = is_good && stream_fill(&w->stream, &part) == ACRE_OK;
    }
    if (!is_good) {
        sight_world_close(w);
    }
    return is_good ? w : NULL;
}

// ---- the oracle ----

static void list_items(sight_world *w)
{
    memset(w->is_there, 0, sizeof w->is_there);
    for (uint32_t i = 0; i < w->count; i++) {
        const acre_partition_slots slots = acre_partition_get_slots(w->parts[i]);
        for (uint32_t slot = 0; slot < slots.count; slot++) {
            if (slots.kinds[slot] == ACRE_SLOT_OWN) {
                w->boxes[slots.numbers[slot]] = acre_partition_get_slots(w->parts[i]).boxes[slot];
                w->is_there[slots.numbers[slot]] = true;
            }
        }
    }
}

static double gap(float low, float high, float at)
{
    return low > at ? (double)low - (double)at : at > high ? (double)at - (double)high : 0;
}

// The square of the distance on the ground from an observer to an image of a thing.
static double distance2(const sight_world *w, uint32_t observer, uint32_t thing, int place)
{
    const float step[2] = {(float)(place / 3 - 1) * 128, (float)(place % 3 - 1) * 128};
    double sum = 0;
    for (int axis = 0; axis < 2; axis++) {
        const acre_aabb *const from = &w->boxes[observer], *const to = &w->boxes[thing];
        const float at = 0.5f * from->min[2 * axis] + 0.5f * from->max[2 * axis];
        const double along =
            gap(to->min[2 * axis] + step[axis], to->max[2 * axis] + step[axis], at);
        sum += along * along;
    }
    return sum;
}

static double square(float radius)
{
    return (double)radius * (double)radius;
}

// Some things are noticed from far away, others only when they are near; one in two has no range
// of its own. Ranges change from tick to tick.
static float range_of(const sight_world *w, uint64_t thing)
{
    static const float ranges[] = {0, 1.4f, 0, 0.2f, 0, 0, 1, 0.05f};
    const uint64_t which = thing % 8 + (thing % 16 == 9 ? w->looks : 0);
    return w->has_ranges ? ranges[which % 8] : 0;
}

static void look(sight_world *w, uint32_t observer, uint32_t thing)
{
    const acre_observer_def def = stream_observer();
    const float range = observer % 3 == 0 ? 0 : range_of(w, thing);
    uint8_t *const seen = &w->bands[observer][thing];
    const bool is_here = w->is_there[observer] && w->is_there[thing] && observer != thing;
    double at = HUGE_VAL;
    for (int place = 0; place < PLACES && is_here; place++) {
        if (place == 4 || w->stream.is_periodic) {
            at = fmin(at, distance2(w, observer, thing, place));
        }
    }
    // No farther than the ghosts, which are known up to leave_radius.
    const double wide = (double)range + ((double)def.leave_radius - (double)def.enter_radius);
    const double leave = wide < (double)def.leave_radius ? wide : (double)def.leave_radius;
    const double reach = *seen == NOT_SEEN ? (double)(range > 0 ? range : def.enter_radius)
                                           : (range > 0 ? leave : (double)def.leave_radius);
    const bool in_range = at <= reach * reach;
    w->by_range += range > 0 && in_range;
    uint8_t band = 0;
    for (int i = 0; i < ACRE_OBSERVER_BAND_LIMITS; i++) {
        band = (uint8_t)(band + (def.band_limits[i] > 0 && at > square(def.band_limits[i])));
    }
    *seen = in_range ? band : NOT_SEEN;
}

static void look_around(sight_world *w)
{
    memcpy(w->old_bands, w->bands, sizeof w->bands);
    for (uint32_t observer = 0; observer < w->stream.items; observer += STREAM_OBSERVERS_OF) {
        if (!w->is_there[observer]) { // it ends, and sees nothing when it comes back
            memset(w->old_bands[observer], NOT_SEEN, SIGHT_ITEMS);
        }
        for (uint32_t thing = 0; thing < w->stream.items; thing++) {
            look(w, observer, thing);
        }
    }
}

// ---- a tick ----

// Whether a row has exactly the things for which `wants` holds, in ascending order.
static bool row_is(const sight_world *w, const acre_sight_list *list, size_t row, uint64_t observer,
                   bool (*wants)(uint8_t before, uint8_t now))
{
    size_t at = list->offsets[row];
    bool is_good = true;
    for (uint32_t thing = 0; thing < w->stream.items && is_good; thing++) {
        const uint8_t before = w->old_bands[observer][thing], now = w->bands[observer][thing];
        if (wants(before, now)) {
            is_good = at < list->offsets[row + 1] && list->numbers[at] == thing &&
                      list->bands[at] == (now != NOT_SEEN ? now : before);
            at++;
        }
    }
    return is_good && at == list->offsets[row + 1];
}

static bool is_seen(uint8_t before, uint8_t now)
{
    (void)before;
    return now != NOT_SEEN;
}

static bool has_entered(uint8_t before, uint8_t now)
{
    return before == NOT_SEEN && now != NOT_SEEN;
}

static bool has_left(uint8_t before, uint8_t now)
{
    return before != NOT_SEEN && now == NOT_SEEN;
}

static bool has_changed(uint8_t before, uint8_t now)
{
    return before != NOT_SEEN && now != NOT_SEEN && before != now;
}

static bool sights_are_right(sight_world *w)
{
    size_t rows = 0, expected = 0;
    bool is_good = true;
    for (uint32_t i = 0; i < w->count && is_good; i++) {
        const acre_sights sights = acre_partition_interest_get_sights(w->interests[i]);
        for (size_t row = 0; row < sights.row_count && is_good; row++) {
            const uint64_t observer = sights.observers[row];
            is_good = row_is(w, &sights.seen, row, observer, is_seen) &&
                      row_is(w, &sights.entered, row, observer, has_entered) &&
                      row_is(w, &sights.left, row, observer, has_left) &&
                      row_is(w, &sights.changed, row, observer, has_changed);
        }
        rows += sights.row_count;
        w->events += sights.left.count + sights.changed.count;
    }
    for (uint32_t observer = 0; observer < w->stream.items; observer += STREAM_OBSERVERS_OF) {
        expected += w->is_there[observer];
    }
    return is_good && rows == expected;
}

acre_aabb *sight_world_find(sight_world *w, uint64_t number, uint32_t *part, uint32_t *slot)
{
    for (*part = 0; *part < w->count; ++*part) {
        if (acre_partition_find(w->parts[*part], number, slot) == ACRE_OK) {
            const acre_partition_slots slots = acre_partition_get_slots(w->parts[*part]);
            if (slots.kinds[*slot] == ACRE_SLOT_OWN) {
                return &slots.boxes[*slot];
            }
        }
    }
    return NULL;
}

// The program fills in the ranges of all slots, from the numbers in them. Some observers do not
// mind them.
static bool give_ranges(sight_world *w, uint32_t part)
{
    const acre_partition_slots slots = acre_partition_get_slots(w->parts[part]);
    acre_observer_def def = stream_observer();
    acre_result result = slots.count <= SIGHT_SLOTS ? ACRE_OK : ACRE_ERROR_CAPACITY;
    def.ignores_ranges = true;
    for (uint32_t slot = 0; slot < slots.count && result == ACRE_OK; slot++) {
        const uint64_t number = slots.numbers[slot];
        w->ranges[part][slot] = range_of(w, number);
        if (slots.kinds[slot] == ACRE_SLOT_OWN && number % (3 * STREAM_OBSERVERS_OF) == 0) {
            result = acre_partition_interest_add(w->interests[part], number, &def);
            result = result == ACRE_ERROR_EXISTS ? ACRE_OK : result;
        }
    }
    return result == ACRE_OK &&
           acre_partition_interest_set_ranges(w->interests[part], w->ranges[part]) == ACRE_OK;
}

bool sight_world_watch(sight_world *w)
{
    bool is_good = true;
    w->looks++;
    for (uint32_t i = 0; i < w->count && is_good; i++) {
        const stream_part part = sight_world_part(w, i);
        is_good = give_ranges(w, i) && stream_watch(&part) == ACRE_OK;
    }
    list_items(w);
    look_around(w);
    return is_good && sights_are_right(w);
}
