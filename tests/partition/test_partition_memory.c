// SPDX-License-Identifier: MIT
// test_partition_memory.c - each request for memory within an exchange fails once; the next call
// goes on, and the world is the one that it would have been.
#include "failing_allocator.h"
#include "parts_stream.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS = 90, PARTS = 3, TICKS = 5 };

typedef struct world {
    failing_allocator memory;
    parts_stream stream;
    acre_partition *parts[PARTS];
    acre_partition_interest *interests[PARTS];
    bool has_failed;
} world;

static stream_part part_of(const world *w, uint32_t i)
{
    return (stream_part){w->parts[i], i, PARTS, w->interests[i]};
}

static bool open_world(world *w, bool is_periodic)
{
    memset(w, 0, sizeof *w);
    failing_allocator_init(&w->memory, FAIL_NEVER, 0);
    w->stream = (parts_stream){test_seed, ITEMS, is_periodic};
    bool is_good = true;
    for (uint32_t i = 0; i < PARTS && is_good; i++) {
        acre_partition_def def = stream_def(&w->stream, i, PARTS);
        def.allocator = &w->memory.allocator;
        is_good = acre_partition_create(&def, &w->parts[i]) == ACRE_OK &&
                  acre_partition_interest_create(w->parts[i], NULL, &w->interests[i]) == ACRE_OK;
        const stream_part part = part_of(w, i);
        is_good = is_good && stream_fill(&w->stream, &part) == ACRE_OK;
    }
    return is_good;
}

static void close_world(world *w)
{
    for (uint32_t i = 0; i < PARTS; i++) {
        acre_partition_interest_destroy(w->interests[i]);
        acre_partition_destroy(w->parts[i]);
    }
}

static bool edit_world(world *w, uint32_t tick)
{
    bool is_good = true;
    for (uint32_t i = 0; i < PARTS && is_good; i++) {
        const stream_part part = part_of(w, i);
        is_good = (tick == 0 || stream_move(&w->stream, &part, tick) == ACRE_OK) &&
                  stream_ask(&w->stream, &part, tick) == ACRE_OK;
    }
    return is_good;
}

// Whether all questions were answered; else they say that there was no memory.
static bool are_answered(const world *w, bool *is_good)
{
    bool are_all = true;
    acre_answer answer;
    for (uint32_t i = 0; i < STREAM_QUESTIONS && *is_good; i++) {
        *is_good = acre_partition_get_answer(w->parts[i % PARTS], i / PARTS, &answer) == ACRE_OK &&
                   (answer.result == ACRE_OK || answer.result == ACRE_ERROR_OUT_OF_MEMORY);
        are_all = are_all && answer.result == ACRE_OK;
    }
    return are_all;
}

// Lets memory be there again. @return whether a request failed.
static bool stop_failing(world *w)
{
    const bool has_failed = w->memory.failed > 0;
    failing_allocator_arm(&w->memory, FAIL_NEVER, 0);
    return has_failed;
}

// A part whose update had no memory updates again; its lists are those that it would have had.
static bool run_watches(world *w)
{
    bool is_good = true;
    for (uint32_t i = 0; i < PARTS && is_good; i++) {
        const stream_part part = part_of(w, i);
        acre_result result = stream_watch(&part);
        if (result == ACRE_ERROR_OUT_OF_MEMORY) {
            w->has_failed |= stop_failing(w);
            result = stream_watch(&part);
        }
        is_good = result == ACRE_OK;
    }
    return is_good;
}

// Runs a tick in which request number `at` fails, and perhaps those after it, until a call has
// told.
// @return whether the world is right afterwards.
static bool run_tick(world *w, uint32_t tick, failing_mode mode, uint64_t at, uint64_t *sums,
                     bool *has_answers)
{
    bool is_good = edit_world(w, tick);
    failing_allocator_arm(&w->memory, mode, at);
    acre_result result = acre_partition_exchange(w->parts, PARTS);
    is_good = is_good && (result == ACRE_OK || result == ACRE_ERROR_OUT_OF_MEMORY);
    if (result != ACRE_OK) {
        w->has_failed |= stop_failing(w);
        is_good = is_good && acre_partition_exchange(w->parts, PARTS) == ACRE_OK;
    }
    *has_answers = are_answered(w, &is_good);
    is_good = is_good && run_watches(w);
    w->has_failed |= stop_failing(w);
    for (uint32_t i = 0; i < PARTS && is_good; i++) {
        char message[128];
        const stream_part part = part_of(w, i);
        is_good = acre_partition_validate(w->parts[i], message, sizeof message) == ACRE_OK &&
                  stream_add_sums(&part, sums) == ACRE_OK;
    }
    return is_good;
}

// Runs ticks to the one after that in which memory fails.
static bool run_world(bool is_periodic, uint32_t short_tick, failing_mode mode, uint64_t at,
                      uint64_t sums[TICKS][STREAM_SUM_COUNT], bool *has_failed)
{
    static world w;
    bool is_good = open_world(&w, is_periodic);
    const uint32_t ticks = mode == FAIL_NEVER ? TICKS : short_tick + 2;
    for (uint32_t tick = 0; tick < ticks && is_good; tick++) {
        const bool is_short = tick == short_tick;
        uint64_t found[STREAM_SUM_COUNT] = {0};
        bool has_answers = false;
        is_good = run_tick(&w, tick, is_short ? mode : FAIL_NEVER, at, found, &has_answers);
        if (mode == FAIL_NEVER) {
            memcpy(sums[tick], found, sizeof found);
        } else if (!has_answers) {
            found[STREAM_ANSWERS] = sums[tick][STREAM_ANSWERS];
        }
        is_good = is_good && memcmp(sums[tick], found, sizeof found) == 0;
    }
    *has_failed = w.has_failed;
    close_world(&w);
    return is_good && failing_allocator_verdict(&w.memory) == NULL;
}

static void fail_each_in_turn(bool is_periodic, uint32_t short_tick, failing_mode mode)
{
    static uint64_t sums[TICKS][STREAM_SUM_COUNT];
    bool has_failed = true;
    CHECK(run_world(is_periodic, 0, FAIL_NEVER, 0, sums, &has_failed) && !has_failed);
    uint64_t at = 0;
    do {
        at++;
        if (!run_world(is_periodic, short_tick, mode, at, sums, &has_failed)) {
            printf("tick %u, request %u fails\n", (unsigned)short_tick, (unsigned)at);
            CHECK(false);
        }
    } while (has_failed);
    CHECK(at > 1);
}

static void the_first_exchange_goes_on(void)
{
    fail_each_in_turn(false, 0, FAIL_ONCE);
    fail_each_in_turn(true, 0, FAIL_FROM);
}

static void a_later_exchange_goes_on(void)
{
    fail_each_in_turn(false, 3, FAIL_FROM);
    fail_each_in_turn(true, 2, FAIL_ONCE);
}

// ---- an observer whose list grows and shrinks ----

enum { CROWD = 300 };

typedef struct watched_crowd {
    failing_allocator memory;
    acre_partition *part;
    acre_partition_interest *interest;
    uint32_t slots[CROWD];
} watched_crowd;

static bool open_crowd(watched_crowd *c)
{
    failing_allocator_init(&c->memory, FAIL_NEVER, 0);
    const acre_partition_def def = {
        .part_count = 1, .half_size = 64, .ghost_range = 16, .allocator = &c->memory.allocator};
    const acre_observer_def observer = {.enter_radius = 10};
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}};
    bool is_good = acre_partition_create(&def, &c->part) == ACRE_OK &&
                   acre_partition_interest_create(c->part, NULL, &c->interest) == ACRE_OK;
    for (uint32_t i = 0; i < CROWD && is_good; i++) {
        is_good = acre_partition_add(c->part, i, &box, &c->slots[i]) == ACRE_OK;
    }
    return is_good && acre_partition_interest_add(c->interest, 0, &observer) == ACRE_OK;
}

// Puts so many items near the observer, item 0, and the others out of its range.
static acre_result show_items(watched_crowd *c, uint32_t count, failing_mode mode, uint64_t at)
{
    acre_aabb *const boxes = acre_partition_get_slots(c->part).boxes;
    for (uint32_t i = 1; i < CROWD; i++) {
        const float x = i <= count ? 2 : 40;
        boxes[c->slots[i]] = (acre_aabb){{x, 0, 0}, {x + 1, 1, 1}};
    }
    acre_result result = acre_partition_exchange(&c->part, 1);
    if (result == ACRE_OK) {
        failing_allocator_arm(&c->memory, mode, at);
        result = acre_partition_interest_update(c->interest);
    }
    return result;
}

static bool sees(watched_crowd *c, uint32_t count)
{
    return show_items(c, count, FAIL_NEVER, 0) == ACRE_OK &&
           acre_partition_interest_get_sights(c->interest).seen.count == count;
}

// Two arrays receive an observer's list, its items and their bands. Where one of them grew alone,
// the smaller one limits what they receive: these counts make either the smaller one.
static void a_list_fits_its_smaller_array(void)
{
    static watched_crowd c;
    bool has_failed = true, is_good = true;
    uint64_t at = 0;
    for (at = 1; has_failed && is_good; at++) {
        c = (watched_crowd){0};
        is_good = open_crowd(&c) && sees(&c, 60);
        const acre_result result = show_items(&c, 190, FAIL_ONCE, at);
        has_failed = c.memory.failed > 0;
        is_good = is_good && result == (has_failed ? ACRE_ERROR_OUT_OF_MEMORY : ACRE_OK) &&
                  sees(&c, 100) && sees(&c, 150) && sees(&c, 230) && sees(&c, 299);
        acre_partition_interest_destroy(c.interest);
        acre_partition_destroy(c.part);
        is_good = is_good && failing_allocator_verdict(&c.memory) == NULL;
    }
    CHECK(is_good);
    CHECK(at > 3);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(the_first_exchange_goes_on),
        TEST(a_later_exchange_goes_on),
        TEST(a_list_fits_its_smaller_array),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
