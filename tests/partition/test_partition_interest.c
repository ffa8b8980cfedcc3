// SPDX-License-Identifier: MIT
// test_partition_interest.c - what observers of several parts see, against a look at each thing
// with two radii and a memory of its own. An image is the thing: the memory is of the thing,
// whichever image was seen.
#include "failing_allocator.h"
#include "parts_stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 300, PARTS = 5, TICKS = 20, PLACES = 9, NONE = 9 }; // PARTS: at most

typedef struct world {
    parts_stream stream;
    uint32_t count; // of parts
    acre_partition *parts[PARTS];
    acre_partition_interest *interests[PARTS];
    acre_aabb boxes[ITEMS]; // as their owners have them
    bool is_there[ITEMS];
    uint8_t bands[ITEMS][ITEMS]; // by observer and thing; NONE: not seen
    uint8_t old_bands[ITEMS][ITEMS];
    size_t events;
} world;

static stream_part part_of(const world *w, uint32_t i)
{
    return (stream_part){w->parts[i], i, w->count, w->interests[i]};
}

static void close_world(world *w)
{
    for (uint32_t i = 0; w && i < w->count; i++) {
        acre_partition_interest_destroy(w->interests[i]);
        acre_partition_destroy(w->parts[i]);
    }
    free(w);
}

static world *open_world(bool is_periodic, uint32_t count, uint32_t items)
{
    world *const w = calloc(1, sizeof *w);
    bool is_good = w != NULL;
    if (is_good) {
        w->stream = (parts_stream){test_seed, items, is_periodic};
        w->count = count;
        memset(w->bands, NONE, sizeof w->bands);
    }
    for (uint32_t i = 0; i < count && is_good; i++) {
        const acre_partition_def def = stream_def(&w->stream, i, count);
        is_good = acre_partition_create(&def, &w->parts[i]) == ACRE_OK &&
                  acre_partition_interest_create(w->parts[i], NULL, &w->interests[i]) == ACRE_OK;
        const stream_part part = part_of(w, i);
        is_good = is_good && stream_fill(&w->stream, &part) == ACRE_OK;
    }
    if (!is_good) {
        close_world(w);
    }
    return is_good ? w : NULL;
}

// ---- the oracle ----

static void list_items(world *w)
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
static double distance2(const world *w, uint32_t observer, uint32_t thing, int place)
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

static void look(world *w, uint32_t observer, uint32_t thing)
{
    const acre_observer_def def = stream_observer();
    uint8_t *const seen = &w->bands[observer][thing];
    const bool is_here = w->is_there[observer] && w->is_there[thing] && observer != thing;
    double at = HUGE_VAL;
    for (int place = 0; place < PLACES && is_here; place++) {
        if (place == 4 || w->stream.is_periodic) {
            at = fmin(at, distance2(w, observer, thing, place));
        }
    }
    const bool in_range = at <= square(*seen != NONE ? def.leave_radius : def.enter_radius);
    uint8_t band = 0;
    for (int i = 0; i < ACRE_OBSERVER_BAND_LIMITS; i++) {
        band = (uint8_t)(band + (def.band_limits[i] > 0 && at > square(def.band_limits[i])));
    }
    *seen = in_range ? band : NONE;
}

static void look_around(world *w)
{
    memcpy(w->old_bands, w->bands, sizeof w->bands);
    for (uint32_t observer = 0; observer < ITEMS; observer += STREAM_OBSERVERS_OF) {
        if (!w->is_there[observer]) { // it ends, and sees nothing when it comes back
            memset(w->old_bands[observer], NONE, ITEMS);
        }
        for (uint32_t thing = 0; thing < ITEMS; thing++) {
            look(w, observer, thing);
        }
    }
}

// ---- a tick ----

// Whether a row has exactly the things for which `wants` holds, in ascending order.
static bool row_is(const world *w, const acre_sight_list *list, size_t row, uint64_t observer,
                   bool (*wants)(uint8_t before, uint8_t now))
{
    size_t at = list->offsets[row];
    bool is_good = true;
    for (uint32_t thing = 0; thing < ITEMS && is_good; thing++) {
        const uint8_t before = w->old_bands[observer][thing], now = w->bands[observer][thing];
        if (wants(before, now)) {
            is_good = at < list->offsets[row + 1] && list->numbers[at] == thing &&
                      list->bands[at] == (now != NONE ? now : before);
            at++;
        }
    }
    return is_good && at == list->offsets[row + 1];
}

static bool is_seen(uint8_t before, uint8_t now)
{
    (void)before;
    return now != NONE;
}

static bool has_entered(uint8_t before, uint8_t now)
{
    return before == NONE && now != NONE;
}

static bool has_left(uint8_t before, uint8_t now)
{
    return before != NONE && now == NONE;
}

static bool has_changed(uint8_t before, uint8_t now)
{
    return before != NONE && now != NONE && before != now;
}

static bool sights_are_right(world *w)
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
    for (uint32_t observer = 0; observer < ITEMS; observer += STREAM_OBSERVERS_OF) {
        expected += w->is_there[observer];
    }
    return is_good && rows == expected;
}

static bool run_tick(world *w, uint32_t tick)
{
    const acre_recut_def recut = {.tolerance = 1, .most_moved = 60};
    bool is_good = true;
    for (uint32_t i = 0; i < w->count && is_good && tick > 0; i++) {
        const stream_part part = part_of(w, i);
        is_good = stream_move(&w->stream, &part, tick) == ACRE_OK;
    }
    is_good = is_good && acre_partition_exchange(w->parts, w->count) == ACRE_OK;
    for (uint32_t i = 0; i < w->count && is_good; i++) {
        const stream_part part = part_of(w, i);
        is_good = stream_watch(&part) == ACRE_OK;
    }
    list_items(w);
    look_around(w);
    return is_good && sights_are_right(w) &&
           acre_partition_recut(w->parts, w->count, &recut, NULL) == ACRE_OK;
}

static void run_world(bool is_periodic, uint32_t count)
{
    world *const w = open_world(is_periodic, count, ITEMS);
    CHECK(w != NULL);
    bool is_good = true;
    uint32_t tick = 0;
    for (; tick < TICKS * test_scale && is_good; tick++) {
        is_good = run_tick(w, tick);
    }
    const size_t events = w->events;
    close_world(w);
    if (!is_good) {
        printf("%u parts: after tick %u\n", (unsigned)count, (unsigned)tick);
    }
    CHECK(is_good && events > 100);
}

// ---- the seam ----

static acre_aabb box_at(float x)
{
    return (acre_aabb){{x - 0.5f, 0, 0}, {x + 0.5f, 1, 1}};
}

static bool put_at(world *w, uint64_t number, float x)
{
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t slot;
        if (acre_partition_find(w->parts[i], number, &slot) == ACRE_OK &&
            acre_partition_get_slots(w->parts[i]).kinds[slot] == ACRE_SLOT_OWN) {
            acre_partition_get_slots(w->parts[i]).boxes[slot] = box_at(x);
            return true;
        }
    }
    return false;
}

// One exchange and one update, after which the only observer has these numbers in its lists.
static bool tick_says(world *w, size_t seen, size_t entered, size_t left, size_t changed)
{
    bool is_good = acre_partition_exchange(w->parts, w->count) == ACRE_OK;
    size_t rows = 0;
    for (uint32_t i = 0; i < w->count && is_good; i++) {
        is_good = acre_partition_interest_update(w->interests[i]) == ACRE_OK;
        const acre_sights sights = acre_partition_interest_get_sights(w->interests[i]);
        rows += sights.row_count;
        is_good = is_good && (sights.row_count == 0 ||
                              (sights.seen.count == seen && sights.entered.count == entered &&
                               sights.left.count == left && sights.changed.count == changed));
    }
    return is_good && rows == 1;
}

static bool walk_to(world *w, float x, float between, const size_t *says)
{
    return put_at(w, 1, x) && put_at(w, 2, x + between) &&
           tick_says(w, says[0], says[1], says[2], says[3]);
}

// Item 1 observes item 2 from 1.3 m away, between its two radii, while both cross the seam at 64,
// the one that is ahead first.
static bool walk_over_the_seam(world *w, float sign)
{
    const acre_aabb boxes[] = {box_at(60), box_at(60 + sign)};
    const acre_observer_def def = stream_observer();
    uint32_t slot;
    static const size_t seen[] = {1, 0, 0, 0}, entered[] = {1, 1, 0, 0}, left[] = {0, 0, 1, 0},
                        changed[] = {1, 0, 0, 1}, nothing[] = {0, 0, 0, 0};
    return acre_partition_add(w->parts[0], 1, &boxes[0], &slot) == ACRE_OK &&
           acre_partition_add(w->parts[0], 2, &boxes[1], &slot) == ACRE_OK &&
           acre_partition_interest_add(w->interests[0], 1, &def) == ACRE_OK &&
           walk_to(w, 60, sign, entered) && walk_to(w, 62, 1.8f * sign, changed) &&
           walk_to(w, 63, 1.8f * sign, seen) && walk_to(w, 64.5f, 1.8f * sign, seen) &&
           walk_to(w, -63, 1.8f * sign, seen) && walk_to(w, -61, 1.8f * sign, seen) &&
           walk_to(w, 64, 2.2f * sign, left) && walk_to(w, 65, 1.8f * sign, nothing) &&
           walk_to(w, 63, 1.2f * sign, entered);
}

static void what_is_seen_stays_seen_over_the_seam(void)
{
    for (uint32_t count = 1; count <= PARTS; count += count) {
        for (int back = 0; back < 2; back++) {
            world *const w = open_world(true, count, 0);
            CHECK(w != NULL);
            const bool is_good = walk_over_the_seam(w, back ? -1 : 1);
            close_world(w);
            CHECK(is_good);
        }
    }
}

static void observers_see_what_one_list_says(void)
{
    for (uint32_t count = 1; count <= PARTS; count += count) {
        run_world(false, count);
    }
}

static void observers_on_periodic_ground_see_what_one_list_says(void)
{
    for (uint32_t count = 1; count <= PARTS; count += count) {
        run_world(true, count);
    }
}

// A part of one tile with some items in a row, of which the first observes.
static acre_partition *open_row(failing_allocator *memory, acre_partition_interest **interest)
{
    const parts_stream stream = {test_seed, ITEMS, false};
    const acre_partition_def def = stream_def(&stream, 0, 1);
    const acre_interest_def interest_def = {.allocator = &memory->allocator};
    acre_partition *part = NULL;
    bool is_good = acre_partition_create(&def, &part) == ACRE_OK &&
                   acre_partition_interest_create(part, &interest_def, interest) == ACRE_OK;
    for (uint32_t i = 0; i < 40 && is_good; i++) {
        uint32_t slot;
        const float at = 0.02f * (float)i;
        const acre_aabb box = {{at, 0, 0}, {at + 0.01f, 1, 0.01f}};
        is_good = acre_partition_add(part, i, &box, &slot) == ACRE_OK;
    }
    const acre_observer_def observer = stream_observer();
    is_good = is_good && acre_partition_exchange(&part, 1) == ACRE_OK &&
              acre_partition_interest_add(*interest, 0, &observer) == ACRE_OK;
    if (!is_good) {
        acre_partition_interest_destroy(*interest);
        acre_partition_destroy(part);
        *interest = NULL;
    }
    return is_good ? part : NULL;
}

static void an_item_that_is_removed_and_added_again_observes_once(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    acre_partition_interest *interest = NULL;
    acre_partition *part = open_row(&memory, &interest);
    CHECK(part != NULL);
    const acre_observer_def def = stream_observer();
    bool is_good = acre_partition_interest_update(interest) == ACRE_OK;
    for (int i = 0; i < 3 && is_good; i++) { // the item gets its slot back, or another one
        uint32_t slot, other;
        const acre_aabb box = {{0, 0, 0}, {0.01f, 1, 0.01f}};
        is_good =
            acre_partition_find(part, 0, &slot) == ACRE_OK &&
            acre_partition_remove(part, slot) == ACRE_OK &&
            acre_partition_interest_remove(interest, 0) == ACRE_ERROR_NOT_FOUND &&
            (i == 0 || acre_partition_add(part, 1000 + (uint64_t)i, &box, &other) == ACRE_OK) &&
            acre_partition_add(part, 0, &box, &slot) == ACRE_OK &&
            acre_partition_interest_remove(interest, 0) == ACRE_ERROR_NOT_FOUND &&
            acre_partition_interest_add(interest, 0, &def) == ACRE_OK &&
            acre_partition_interest_add(interest, 0, &def) == ACRE_ERROR_EXISTS;
    }
    is_good = is_good && acre_partition_interest_update(interest) == ACRE_OK &&
              acre_partition_interest_get_sights(interest).row_count == 1 &&
              acre_partition_exchange(&part, 1) == ACRE_OK &&
              acre_partition_interest_update(interest) == ACRE_OK;
    const acre_sights sights = acre_partition_interest_get_sights(interest);
    is_good = is_good && sights.row_count == 1 && sights.observers[0] == 0 &&
              sights.left.count == 0 && sights.seen.count > 0;
    acre_partition_interest_destroy(interest);
    acre_partition_destroy(part);
    CHECK(is_good && failing_allocator_verdict(&memory) == NULL);
}

static void an_update_that_fails_leaves_no_counts(void)
{
    size_t failures = 0, empty = 0;
    bool is_good = true;
    for (uint64_t at = 1; is_good && failures + 1 == at; at++) {
        failing_allocator memory;
        failing_allocator_init(&memory, FAIL_NEVER, 0);
        acre_partition_interest *interest = NULL;
        acre_partition *part = open_row(&memory, &interest);
        is_good = part != NULL;
        failing_allocator_arm(&memory, FAIL_ONCE, at);
        if (is_good && acre_partition_interest_update(interest) != ACRE_OK) {
            const acre_sights sights = acre_partition_interest_get_sights(interest);
            failures++;
            empty += sights.row_count == 0;
            is_good = sights.row_count == 0 && sights.seen.count == 0 &&
                      sights.entered.count == 0 && sights.left.count == 0 &&
                      sights.changed.count == 0 &&
                      acre_partition_interest_update(interest) == ACRE_OK &&
                      acre_partition_interest_get_sights(interest).entered.count > 0;
        }
        acre_partition_interest_destroy(interest);
        acre_partition_destroy(part);
        is_good = is_good && failing_allocator_verdict(&memory) == NULL;
    }
    CHECK(is_good && failures > 10 && empty == failures);
}

static void wrong_calls_are_refused(void)
{
    world *const w = open_world(false, PARTS, ITEMS);
    CHECK(w != NULL);
    acre_partition_interest *const interest = w->interests[0], *other = interest;
    acre_observer_def def = stream_observer(), far = def, limited = def, placed = def;
    far.leave_radius = 1.6f; // beyond ghost_range
    limited.limit = 3;
    placed.place[0] = 1;
    const acre_interest_def flags = {.flags = ACRE_INTEREST_STAYED};
    uint32_t slot;
    // Part 0 has each fifth number.
    bool is_good =
        acre_partition_interest_create(w->parts[0], NULL, &other) == ACRE_ERROR_EXISTS && !other &&
        acre_partition_interest_create(w->parts[0], &flags, &other) ==
            ACRE_ERROR_INVALID_ARGUMENT &&
        acre_partition_interest_create(NULL, NULL, &other) == ACRE_ERROR_INVALID_ARGUMENT;
    uint64_t number = 0;
    while (number < ITEMS && acre_partition_find(w->parts[0], number, &slot) != ACRE_OK) {
        number++;
    }
    is_good =
        is_good &&
        acre_partition_interest_add(interest, number, &far) == ACRE_ERROR_INVALID_ARGUMENT &&
        acre_partition_interest_add(interest, number, &limited) == ACRE_ERROR_INVALID_ARGUMENT &&
        acre_partition_interest_add(interest, number, &placed) == ACRE_ERROR_INVALID_ARGUMENT &&
        acre_partition_interest_add(interest, ITEMS, &def) == ACRE_ERROR_NOT_FOUND &&
        acre_partition_interest_add(interest, number, &def) == ACRE_OK &&
        acre_partition_interest_add(interest, number, &def) == ACRE_ERROR_EXISTS &&
        acre_partition_interest_remove(interest, number) == ACRE_OK &&
        acre_partition_interest_remove(interest, number) == ACRE_ERROR_NOT_FOUND &&
        acre_partition_begin(w->parts[0]) == ACRE_OK &&
        acre_partition_interest_add(interest, number, &def) == ACRE_ERROR_BUSY &&
        acre_partition_interest_update(interest) == ACRE_ERROR_BUSY &&
        acre_partition_apply(w->parts[0]) == ACRE_OK &&
        acre_partition_interest_update(NULL) == ACRE_ERROR_INVALID_ARGUMENT;
    close_world(w);
    CHECK(is_good);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(observers_see_what_one_list_says),
        TEST(observers_on_periodic_ground_see_what_one_list_says),
        TEST(what_is_seen_stays_seen_over_the_seam),
        TEST(an_item_that_is_removed_and_added_again_observes_once),
        TEST(an_update_that_fails_leaves_no_counts),
        TEST(wrong_calls_are_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
