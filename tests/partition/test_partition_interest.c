// SPDX-License-Identifier: MIT
// test_partition_interest.c - what observers of several parts see, against a look at each thing.
#include "failing_allocator.h"
#include "sight_oracle.h"

#include "interest_internal.h"
#include "partition_interest_internal.h"

enum { TICKS = 20 };

// ---- a tick ----

static bool run_tick(sight_world *w, uint32_t tick)
{
    const acre_recut_def recut = {.tolerance = 1, .most_moved = 60};
    bool is_good = true;
    for (uint32_t i = 0; i < w->count && is_good && tick > 0; i++) {
        const stream_part part = sight_world_part(w, i);
        is_good = stream_move(&w->stream, &part, tick) == ACRE_OK;
    }
    is_good = is_good && acre_partition_exchange(w->parts, w->count) == ACRE_OK;
    return is_good && sight_world_watch(w) &&
           acre_partition_recut(w->parts, w->count, &recut, NULL) == ACRE_OK;
}

// From here on observers ask for what is near their limits alone, wherever they can.
static void ask_rings(sight_world *w)
{
    for (uint32_t i = 0; i < w->count; i++) {
        w->interests[i]->interest->least_set = 1;
        w->interests[i]->interest->rings.price = 0;
    }
}

static size_t rows_with_rings(const sight_world *w)
{
    size_t rows = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        rows += w->interests[i]->interest->share.rows_with_rings;
    }
    return rows;
}

// with_rings: receives how many observers asked rings alone; NULL: searches, as worlds of this size
// do.
static void run_world(bool is_periodic, bool has_ranges, uint32_t count, size_t *with_rings)
{
    sight_world *const w = sight_world_open(test_seed, is_periodic, count, SIGHT_ITEMS);
    CHECK(w != NULL);
    w->has_ranges = has_ranges;
    bool is_good = true;
    uint32_t tick = 0;
    size_t rings = 0;
    if (with_rings) {
        ask_rings(w);
    }
    for (; tick < TICKS * test_scale && is_good; tick++) {
        is_good = run_tick(w, tick);
        rings += rows_with_rings(w);
    }
    const size_t events = w->events, by_range = w->by_range;
    sight_world_close(w);
    if (!is_good) {
        printf("%u parts: after tick %u\n", (unsigned)count, (unsigned)tick);
    }
    CHECK(is_good && events > 100 && (by_range > 100) == has_ranges);
    if (with_rings) {
        *with_rings += rings;
    }
}

// ---- the seam ----

static acre_aabb box_at(float x)
{
    return (acre_aabb){{x - 0.5f, 0, 0}, {x + 0.5f, 1, 1}};
}

static bool put_at(sight_world *w, uint64_t number, float x)
{
    uint32_t part, slot;
    acre_aabb *const box = sight_world_find(w, number, &part, &slot);
    if (box) {
        *box = box_at(x);
    }
    return box;
}

// One exchange and one update, after which the only observer has these numbers in its lists.
static bool tick_says(sight_world *w, size_t seen, size_t entered, size_t left, size_t changed)
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

static bool walk_to(sight_world *w, float x, float between, const size_t *says)
{
    return put_at(w, 1, x) && put_at(w, 2, x + between) &&
           tick_says(w, says[0], says[1], says[2], says[3]);
}

// Item 1 observes item 2 from 1.3 m away, between its two radii, while both cross the seam at 64,
// the one that is ahead first.
static bool walk_over_the_seam(sight_world *w, float sign)
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
    for (uint32_t count = 1; count <= SIGHT_PARTS; count += count) {
        for (int back = 0; back < 2; back++) {
            sight_world *const w = sight_world_open(test_seed, true, count, 0);
            CHECK(w != NULL);
            const bool is_good = walk_over_the_seam(w, back ? -1 : 1);
            sight_world_close(w);
            CHECK(is_good);
        }
    }
}

static void observers_see_what_one_list_says(void)
{
    for (uint32_t count = 1; count <= SIGHT_PARTS; count += count) {
        run_world(false, false, count, NULL);
        run_world(false, true, count, NULL);
    }
}

static void observers_on_periodic_ground_see_what_one_list_says(void)
{
    for (uint32_t count = 1; count <= SIGHT_PARTS; count += count) {
        run_world(true, false, count, NULL);
        run_world(true, true, count, NULL);
    }
}

static void observers_that_ask_rings_see_what_one_list_says(void)
{
    size_t with_rings = 0;
    for (uint32_t count = 2; count <= SIGHT_PARTS; count += 3) {
        run_world(false, false, count, &with_rings);
        run_world(true, true, count, &with_rings);
    }
    CHECK(with_rings > 100);
}

// A part of one tile with some items in a row, of which the first observes.
static acre_partition *open_row(failing_allocator *memory, acre_partition_interest **interest)
{
    const parts_stream stream = {test_seed, SIGHT_ITEMS, false};
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
    sight_world *const w = sight_world_open(test_seed, false, SIGHT_PARTS, SIGHT_ITEMS);
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
    while (number < SIGHT_ITEMS && acre_partition_find(w->parts[0], number, &slot) != ACRE_OK) {
        number++;
    }
    is_good =
        is_good &&
        acre_partition_interest_add(interest, number, &far) == ACRE_ERROR_INVALID_ARGUMENT &&
        acre_partition_interest_add(interest, number, &limited) == ACRE_ERROR_INVALID_ARGUMENT &&
        acre_partition_interest_add(interest, number, &placed) == ACRE_ERROR_INVALID_ARGUMENT &&
        acre_partition_interest_add(interest, SIGHT_ITEMS, &def) == ACRE_ERROR_NOT_FOUND &&
        acre_partition_interest_add(interest, number, &def) == ACRE_OK &&
        acre_partition_interest_add(interest, number, &def) == ACRE_ERROR_EXISTS &&
        acre_partition_interest_remove(interest, number) == ACRE_OK &&
        acre_partition_interest_remove(interest, number) == ACRE_ERROR_NOT_FOUND &&
        acre_partition_begin(w->parts[0]) == ACRE_OK &&
        acre_partition_interest_add(interest, number, &def) == ACRE_ERROR_BUSY &&
        acre_partition_interest_update(interest) == ACRE_ERROR_BUSY &&
        acre_partition_apply(w->parts[0]) == ACRE_OK &&
        acre_partition_interest_update(NULL) == ACRE_ERROR_INVALID_ARGUMENT;
    const float none[SIGHT_SLOTS] = {0};
    float wide[SIGHT_SLOTS] = {0};
    for (uint32_t i = 0; i < SIGHT_SLOTS; i++) {
        wide[i] = 1.6f; // beyond ghost_range
    }
    is_good = is_good &&
              acre_partition_interest_set_ranges(NULL, none) == ACRE_ERROR_INVALID_ARGUMENT &&
              acre_partition_interest_set_ranges(interest, wide) == ACRE_OK &&
              acre_partition_interest_update(interest) == ACRE_ERROR_INVALID_ARGUMENT &&
              acre_partition_interest_set_ranges(interest, none) == ACRE_OK &&
              acre_partition_interest_update(interest) == ACRE_OK &&
              acre_partition_begin(w->parts[0]) == ACRE_OK &&
              acre_partition_interest_set_ranges(interest, NULL) == ACRE_ERROR_BUSY &&
              acre_partition_apply(w->parts[0]) == ACRE_OK;
    sight_world_close(w);
    CHECK(is_good);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(observers_see_what_one_list_says),
        TEST(observers_that_ask_rings_see_what_one_list_says),
        TEST(observers_on_periodic_ground_see_what_one_list_says),
        TEST(what_is_seen_stays_seen_over_the_seam),
        TEST(an_item_that_is_removed_and_added_again_observes_once),
        TEST(an_update_that_fails_leaves_no_counts),
        TEST(wrong_calls_are_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
