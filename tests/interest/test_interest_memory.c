// SPDX-License-Identifier: MIT
// test_interest_memory.c - every allocation may fail and nothing is lost; a steady tick allocates
// nothing; rooms hold after a million joins and leaves.
#include "failing_allocator.h"
#include "interest_internal.h"
#include "interest_stream.h"

#include <stdlib.h>
#include <string.h>

#include "told_calls.h"

// ---- allocations that fail ----

static const char *run_failing(interest_stream *stream, failing_allocator *memory,
                               failing_mode mode, uint64_t at, uint32_t updates)
{
    const acre_interest_def def = {.flags = ACRE_INTEREST_STAYED | ACRE_INTEREST_INVERSE,
                                   .allocator = &memory->allocator};
    failing_allocator_init(memory, FAIL_NEVER, 0);
    if (!interest_stream_init(stream, &def, at % 2, test_seed)) {
        return "the beginning";
    }
    stream->may_fail = true;
    failing_allocator_arm(memory, mode, at);
    const char *fault = NULL;
    for (uint32_t update = 0; update < updates && !fault; update++) {
        for (uint32_t i = 0; i < 40 && !fault; i++) {
            fault = interest_stream_edit(stream);
        }
        const size_t failed = stream->failed;
        fault = fault ? fault : interest_stream_update(stream);
        fault = fault                     ? fault
                : stream->failed > failed ? interest_stream_check_seen(stream)
                                          : interest_stream_check(stream);
    }
    return fault;
}

static void whatever_fails_nothing_is_lost(void)
{
    interest_stream *const stream = malloc(sizeof *stream);
    failing_allocator memory;
    CHECK(stream != NULL);
    size_t failures = 0;
    bool has_failed = true;
    for (uint64_t at = 1; has_failed && at < 2000; at++) {
        const char *fault = run_failing(stream, &memory, FAIL_ONCE, at, 8);
        failures += stream->failed;
        has_failed = memory.failed > 0;
        interest_stream_free(stream);
        fault = fault ? fault : failing_allocator_verdict(&memory);
        if (fault) {
            printf("request %u: %s\n", (unsigned)at, fault);
        }
        CHECK(fault == NULL);
    }
    CHECK(!has_failed && failures > 20); // all requests of the stream have failed once
    for (uint64_t seed = 0; seed < 20; seed++) {
        const char *fault = run_failing(stream, &memory, FAIL_ONE_IN_THREE, seed, 30);
        interest_stream_free(stream);
        fault = fault ? fault : failing_allocator_verdict(&memory);
        CHECK(fault == NULL);
    }
    free(stream);
}

static void a_create_without_memory_answers_so(void)
{
    failing_allocator memory;
    acre_quadtree *tree;
    acre_interest *interest;
    CHECK(acre_quadtree_create(&(acre_quadtree_def){.half_size = 8}, &tree) == ACRE_OK);
    failing_allocator_init(&memory, FAIL_FROM, 1);
    const acre_interest_def def = {.allocator = &memory.allocator};
    CHECK(acre_interest_create(tree, &def, &interest) == ACRE_ERROR_OUT_OF_MEMORY && !interest);
    CHECK(failing_allocator_verdict(&memory) == NULL);
    acre_quadtree_destroy(tree);
}

static const uint32_t batch_items[3] = {1, 5, 900};

static acre_result join_room(acre_interest *interest)
{
    const acre_room_batch batch = {.room = 7, .items = batch_items, .count = 3};
    return acre_interest_change_room(interest, &batch);
}

static acre_result give_ranges(acre_interest *interest)
{
    const float ranges[3] = {1, 2, 3};
    const acre_range_batch batch = {.items = batch_items, .ranges = ranges, .count = 3};
    return acre_interest_set_ranges(interest, &batch);
}

// A batch that finds no memory for any of its allocations has changed nothing, and its report says
// so.
static void check_batch_without_memory(acre_result (*give)(acre_interest *interest))
{
    acre_quadtree *tree;
    CHECK(acre_quadtree_create(&(acre_quadtree_def){.half_size = 8}, &tree) == ACRE_OK);
    size_t failures = 0;
    acre_result result = ACRE_ERROR_OUT_OF_MEMORY;
    for (uint64_t at = 1; result != ACRE_OK && at < 100; at++) {
        failing_allocator memory;
        acre_interest *interest;
        failing_allocator_init(&memory, FAIL_NEVER, 0);
        const acre_interest_def def = {.allocator = &memory.allocator};
        CHECK(acre_interest_create(tree, &def, &interest) == ACRE_OK);
        failing_allocator_arm(&memory, FAIL_ONCE, at);
        result = give(interest);
        const acre_quadtree_report report = acre_interest_last_report(interest);
        CHECK(report.first_result == result && report.first_row == 0);
        CHECK(report.refused == (result == ACRE_OK ? 0u : 3u));
        failures += result == ACRE_ERROR_OUT_OF_MEMORY;
        CHECK(acre_interest_validate(interest, NULL, 0) == ACRE_OK);
        acre_interest_destroy(interest);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
    CHECK(result == ACRE_OK && failures > 0);
    acre_quadtree_destroy(tree);
}

static void a_batch_without_memory_is_refused_whole(void)
{
    check_batch_without_memory(join_room);
    check_batch_without_memory(give_ranges);
}

// ---- a steady tick ----

enum { STEADY_ITEMS = 100, STEADY_PERIOD = 25, STEADY_TICKS = ACRE_CHECK >= 2 ? 5000 : 100000 };

// Every item goes to and fro on its own way.
static acre_aabb steady_box(uint32_t item, uint32_t tick)
{
    const uint32_t phase = (tick + item) % (2 * STEADY_PERIOD);
    const float way = (float)(phase < STEADY_PERIOD ? phase : 2 * STEADY_PERIOD - phase);
    const float x = (float)(item % 10) * 10 + way, z = (float)(item / 10) * 10 - way;
    return (acre_aabb){{x, 0, z}, {x + 1, 1, z + 1}};
}

static bool steady_tick(acre_quadtree *tree, acre_interest *interest, uint32_t tick)
{
    static uint32_t items[STEADY_ITEMS];
    for (uint32_t i = 0; i < STEADY_ITEMS; i++) {
        const acre_aabb box = steady_box(i, tick);
        items[i] = i;
        if (acre_quadtree_refresh(tree, i, &box) != ACRE_OK) {
            return false;
        }
    }
    return acre_quadtree_maintain(tree) == ACRE_OK &&
           (tick % 2 ? acre_interest_update(interest)
                     : acre_interest_update_changed(interest, items, STEADY_ITEMS)) == ACRE_OK;
}

static bool add_steady_observers(acre_interest *interest)
{
    for (uint32_t i = 0; i < 4; i++) {
        const acre_observer_def def = {.follows_item = true,
                                       .item = i * 25,
                                       .enter_radius = 25,
                                       .leave_radius = 30,
                                       .band_limits = {8, 16},
                                       .limit = i % 2 ? 0 : 12};
        acre_observer observer;
        if (acre_interest_add(interest, &def, &observer) != ACRE_OK ||
            acre_interest_join(interest, observer, i) != ACRE_OK ||
            acre_interest_join_item(interest, 99 - i, i) != ACRE_OK) {
            return false;
        }
    }
    uint32_t items[STEADY_ITEMS / 3];
    float ranges[STEADY_ITEMS / 3];
    for (uint32_t i = 0; i < STEADY_ITEMS / 3; i++) {
        items[i] = 3 * i;
        ranges[i] = (float)(10 + i);
    }
    const acre_range_batch batch = {.items = items, .ranges = ranges, .count = STEADY_ITEMS / 3};
    return acre_interest_set_ranges(interest, &batch) == ACRE_OK;
}

static void a_steady_tick_allocates_nothing(void)
{
    failing_allocator memory;
    acre_quadtree *tree;
    acre_interest *interest;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    const acre_interest_def def = {.flags = ACRE_INTEREST_STAYED | ACRE_INTEREST_INVERSE,
                                   .allocator = &memory.allocator};
    CHECK(acre_quadtree_create(&(acre_quadtree_def){.half_size = 128}, &tree) == ACRE_OK);
    CHECK(acre_interest_create(tree, &def, &interest) == ACRE_OK);
    for (uint32_t i = 0; i < STEADY_ITEMS; i++) {
        const acre_aabb box = steady_box(i, 0);
        CHECK(acre_quadtree_insert(tree, i, &box) == ACRE_OK);
    }
    CHECK(add_steady_observers(interest));
    uint32_t tick = 0;
    for (; tick < 16 * STEADY_PERIOD; tick++) {
        CHECK(steady_tick(tree, interest, tick));
    }
    const uint64_t calls = memory.total_calls;
    for (; tick < STEADY_TICKS; tick++) {
        CHECK(steady_tick(tree, interest, tick));
    }
    acre_interest_stats stats;
    acre_interest_get_stats(interest, &stats);
    CHECK(memory.total_calls == calls && stats.observers == 4 && stats.seen > 0);
    CHECK(stats.bytes == memory.live_bytes); // the statistics leave nothing out
    acre_interest_destroy(interest);
    CHECK(failing_allocator_verdict(&memory) == NULL);
    acre_quadtree_destroy(tree);
}

// ---- room ahead ----

enum { ROOM_ITEMS = 600, ROOM_OBSERVERS = 24, ROOM_FRAMES = 600, FEW_ITEMS = 40 };

// A world in which things and observers come, move and go.
typedef struct room_world {
    acre_quadtree *tree;
    acre_interest *interest;
    test_random random;
    acre_aabb boxes[ROOM_ITEMS];
    bool is_there[ROOM_ITEMS];
    uint32_t generations[ROOM_ITEMS];
    acre_observer observers[ROOM_OBSERVERS]; // null: none
    uint32_t changed[ROOM_ITEMS];
    size_t changes;
    acre_interest_sizes most; // of all frames so far
    size_t seen;              // of all frames together
} room_world;

static bool open_room_world(room_world *world, failing_allocator *memory, uint32_t least_set)
{
    memset(world, 0, sizeof *world);
    world->random = (test_random){test_seed + least_set};
    failing_allocator_init(memory, FAIL_NEVER, 0);
    const acre_interest_def def = {.flags = ACRE_INTEREST_STAYED * (least_set % 2) |
                                            ACRE_INTEREST_INVERSE,
                                   .allocator = &memory->allocator};
    const acre_quadtree_def tree_def = {.half_size = 128};
    if (acre_quadtree_create(&tree_def, &world->tree) != ACRE_OK ||
        acre_interest_create(world->tree, &def, &world->interest) != ACRE_OK ||
        acre_interest_set_generations(world->interest, world->generations, ROOM_ITEMS) != ACRE_OK) {
        return false;
    }
    world->interest->least_set = least_set;
    return true;
}

static void close_room_world(room_world *world, failing_allocator *memory)
{
    CHECK(acre_interest_validate(world->interest, NULL, 0) == ACRE_OK);
    acre_interest_destroy(world->interest);
    acre_quadtree_destroy(world->tree);
    CHECK(failing_allocator_verdict(memory) == NULL);
}

static bool change_item(room_world *world)
{
    const uint32_t item = random_below(&world->random, ROOM_ITEMS);
    const bool goes = world->is_there[item] && random_below(&world->random, 3) == 0;
    const float x = random_float(&world->random, -90, 90);
    const float z = random_float(&world->random, -90, 90);
    acre_aabb *const box = &world->boxes[item];
    *box = (acre_aabb){{x, 0, z}, {x + 1, 2, z + 1}};
    world->changed[world->changes++] = item;
    world->generations[item] += random_below(&world->random, 4) == 0;
    const bool was_there = world->is_there[item];
    world->is_there[item] = !goes;
    return (goes        ? acre_quadtree_remove(world->tree, item)
            : was_there ? acre_quadtree_refresh(world->tree, item, box)
                        : acre_quadtree_insert(world->tree, item, box)) == ACRE_OK;
}

static bool change_observer(room_world *world, uint32_t widest)
{
    test_random *const random = &world->random;
    acre_observer *const one = &world->observers[random_below(random, ROOM_OBSERVERS)];
    const bool is_there = one->index1 > 0;
    if (is_there && random_below(random, 3) == 0) {
        const acre_observer gone = *one;
        *one = (acre_observer){0, 0};
        return acre_interest_remove(world->interest, gone) == ACRE_OK;
    }
    const float enter = (float)random_below(random, widest);
    const acre_observer_def def = {
        .place = {random_float(random, -90, 90), 0, random_float(random, -90, 90)},
        .enter_radius = enter,
        .leave_radius = enter + (float)random_below(random, 2) * 20,
        .in_space = random_below(random, 2),
        .band_limits = {(float)random_below(random, 2) * 10},
        .limit = random_below(random, 3) == 0 ? 1 + random_below(random, 30) : 0};
    return (is_there ? acre_interest_set(world->interest, *one, &def)
                     : acre_interest_add(world->interest, &def, one)) == ACRE_OK;
}

static size_t count_near(const room_world *world, const acre_observer_state *state)
{
    size_t near = 0;
    for (uint32_t i = 0; i < ROOM_ITEMS; i++) {
        double sum = 0;
        for (int axis = 0; axis < 3; axis++) {
            const float at = state->place[axis];
            const float low = world->boxes[i].min[axis], high = world->boxes[i].max[axis];
            const float gap = at < low ? low - at : at > high ? at - high : 0;
            sum += axis == 1 && !state->def.in_space ? 0 : (double)gap * (double)gap;
        }
        const double leave = (double)state->def.leave_radius;
        near += world->is_there[i] && sum <= leave * leave;
    }
    return near;
}

static void measure_room(room_world *world)
{
    size_t observers = 0, all = 0;
    for (uint32_t i = 0; i < ROOM_OBSERVERS; i++) {
        acre_observer_state state;
        if (world->observers[i].index1 > 0) {
            CHECK(acre_interest_get_observer(world->interest, world->observers[i], &state) ==
                  ACRE_OK);
            const size_t near = count_near(world, &state);
            world->most.near_one = near > world->most.near_one ? near : world->most.near_one;
            world->seen += state.seen;
            all += near;
            observers++;
        }
    }
    world->most.near_all = all > world->most.near_all ? all : world->most.near_all;
    world->most.observers = observers > world->most.observers ? observers : world->most.observers;
    world->most.items = ROOM_ITEMS;
}

// Few changes or many, few observers that see little or many that see all.
static void run_room_frame(room_world *world, uint32_t frame)
{
    const uint32_t period = frame / 40 % 4;
    const uint32_t items = frame % 40 == 0 ? ROOM_ITEMS : period == 1 ? 1 : FEW_ITEMS;
    world->changes = 0;
    for (uint32_t i = 0; i < items; i++) {
        CHECK(change_item(world));
    }
    for (uint32_t i = 0; i < 3 && frame % 2 == 0; i++) {
        CHECK(change_observer(world, period == 2 ? 250 : 60));
    }
    CHECK((frame % 3 ? acre_interest_update_changed(world->interest, world->changed, world->changes)
                     : acre_interest_update(world->interest)) == ACRE_OK);
    measure_room(world);
}

// The sizes are those of a first run; the second one then allocates nothing from its first frame
// on. With sets for all, for those that see much, and for none.
static void an_interest_with_room_allocates_nothing(void)
{
    static const uint32_t least_sets[] = {4, 61, ROOM_ITEMS + 1};
    static room_world world;
    for (size_t run = 0; run < sizeof least_sets / sizeof *least_sets; run++) {
        failing_allocator memory;
        CHECK(open_room_world(&world, &memory, least_sets[run]));
        for (uint32_t frame = 0; frame < ROOM_FRAMES; frame++) {
            run_room_frame(&world, frame);
        }
        const acre_interest_sizes sizes = world.most;
        const size_t seen = world.seen;
        CHECK(memory.requests > 50 && sizes.near_one > 200 && sizes.observers > 12);
        close_room_world(&world, &memory);
        CHECK(open_room_world(&world, &memory, least_sets[run]));
        CHECK(acre_interest_reserve(world.interest, &sizes) == ACRE_OK);
        failing_allocator_arm(&memory, FAIL_FROM, 1);
        for (uint32_t frame = 0; frame < ROOM_FRAMES; frame++) {
            run_room_frame(&world, frame);
        }
        CHECK(memory.requests == 0 && world.seen == seen);
        acre_interest_stats before, after;
        acre_interest_get_stats(world.interest, &before);
        failing_allocator_arm(&memory, FAIL_NEVER, 0);
        CHECK(acre_interest_trim(world.interest) == ACRE_OK);
        acre_interest_get_stats(world.interest, &after);
        CHECK(after.seen == before.seen && after.bytes < before.bytes / 3);
        CHECK(after.bytes == memory.live_bytes);
        CHECK(acre_interest_validate(world.interest, NULL, 0) == ACRE_OK);
        run_room_frame(&world, 1);
        close_room_world(&world, &memory);
    }
}

// Far more than an update needs is kept, however little the updates need.
static void room_stays_until_it_is_given_back(void)
{
    static room_world world;
    failing_allocator memory;
    const acre_interest_sizes sizes = {10, 1000000, 1000000, 1000000};
    CHECK(open_room_world(&world, &memory, ROOM_ITEMS));
    CHECK(acre_interest_reserve(world.interest, &sizes) == ACRE_OK);
    const size_t calls = memory.total_calls;
    for (uint32_t frame = 0; frame < 12; frame++) {
        CHECK(acre_interest_update(world.interest) == ACRE_OK);
    }
    CHECK(memory.total_calls == calls);
    CHECK(acre_interest_trim(world.interest) == ACRE_OK);
    acre_interest_stats stats;
    acre_interest_get_stats(world.interest, &stats);
    CHECK(stats.bytes < 20000 && stats.bytes == memory.live_bytes);
    close_room_world(&world, &memory);
}

static void an_interest_without_room_is_as_it_was(void)
{
    static room_world world;
    bool has_failed = true;
    uint64_t at = 1;
    for (; has_failed; at++) {
        failing_allocator memory;
        const acre_interest_sizes sizes = {ROOM_OBSERVERS, ROOM_ITEMS, 9000, 4 * ROOM_ITEMS};
        CHECK(open_room_world(&world, &memory, 100));
        for (uint32_t frame = 0; frame < 3; frame++) {
            run_room_frame(&world, frame);
        }
        acre_interest_stats before, after;
        acre_interest_get_stats(world.interest, &before);
        failing_allocator_arm(&memory, FAIL_ONCE, at);
        const acre_result result = acre_interest_reserve(world.interest, &sizes);
        has_failed = memory.failed > 0;
        CHECK(result == (has_failed ? ACRE_ERROR_OUT_OF_MEMORY : ACRE_OK));
        acre_interest_get_stats(world.interest, &after);
        CHECK(after.seen == before.seen && after.observers == before.observers);
        CHECK(acre_interest_validate(world.interest, NULL, 0) == ACRE_OK);
        run_room_frame(&world, 1);
        close_room_world(&world, &memory);
    }
    CHECK(at > 40);
}

static void room_beyond_the_limits_is_refused(void)
{
    static room_world world;
    failing_allocator memory;
    const size_t most = (size_t)1 << 26;
    CHECK(open_room_world(&world, &memory, 100));
    const acre_interest_sizes wrong[] = {
        {most + 1, 1, 1, 1}, {1, most + 1, 1, 1}, {1, 1, 1, most + 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(acre_interest_reserve(world.interest, &wrong[i]) == ACRE_ERROR_CAPACITY);
    }
    CHECK(acre_interest_reserve(world.interest, &(acre_interest_sizes){0, 0, 0, 0}) == ACRE_OK);
    CHECK(acre_interest_reserve(world.interest, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_interest_reserve(NULL, &wrong[0]) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_interest_trim(NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_interest_trim(world.interest) == ACRE_OK);
    close_room_world(&world, &memory);
}

// ---- a million joins and leaves ----

enum { CLUB_ITEMS = 64, CLUB_OBSERVERS = 16, CLUB_ROOMS = 24 };

typedef struct club {
    acre_quadtree *tree;
    acre_interest *interest;
    acre_observer observers[CLUB_OBSERVERS];
    uint32_t item_rooms[CLUB_ITEMS], observer_rooms[CLUB_OBSERVERS]; // a bit for each room
} club;

static bool open_club(club *all)
{
    memset(all, 0, sizeof *all);
    if (acre_quadtree_create(&(acre_quadtree_def){.half_size = 128}, &all->tree) != ACRE_OK ||
        acre_interest_create(all->tree, NULL, &all->interest) != ACRE_OK) {
        return false;
    }
    const acre_observer_def def = {.place = {1000, 0, 0}};
    for (uint32_t i = 0; i < CLUB_OBSERVERS; i++) {
        if (acre_interest_add(all->interest, &def, &all->observers[i]) != ACRE_OK) {
            return false;
        }
    }
    for (uint32_t i = 0; i < CLUB_ITEMS; i++) {
        const acre_aabb box = {{0, 0, 0}, {1, 1, 1}};
        if (acre_quadtree_insert(all->tree, i, &box) != ACRE_OK) {
            return false;
        }
    }
    return true;
}

// Joins or leaves at random. @return whether the answer is that of a set.
static bool change_club(club *all, test_random *random)
{
    const uint32_t room = random_below(random, CLUB_ROOMS);
    const bool is_item = random_below(random, 2);
    const uint32_t member = random_below(random, is_item ? CLUB_ITEMS : CLUB_OBSERVERS);
    uint32_t *const rooms = is_item ? &all->item_rooms[member] : &all->observer_rooms[member];
    const bool is_in = *rooms >> room & 1, joins = random_below(random, 3) == 0;
    acre_result result;
    if (is_item) {
        result = joins ? acre_interest_join_item(all->interest, member, room)
                       : acre_interest_leave_item(all->interest, member, room);
    } else {
        result = joins ? acre_interest_join(all->interest, all->observers[member], room)
                       : acre_interest_leave(all->interest, all->observers[member], room);
    }
    *rooms = joins ? *rooms | 1u << room : *rooms & ~(1u << room);
    const acre_result refusal = joins ? ACRE_ERROR_EXISTS : ACRE_ERROR_NOT_FOUND;
    return result == (joins == is_in ? refusal : ACRE_OK);
}

// Whether every observer sees exactly the items with which it shares a room.
static bool club_is_right(const club *all)
{
    for (uint32_t i = 0; i < CLUB_OBSERVERS; i++) {
        uint32_t items[CLUB_ITEMS];
        size_t total = 0, wanted = 0;
        if (acre_interest_list_seen(all->interest, all->observers[i], items, NULL, CLUB_ITEMS,
                                    &total) != ACRE_OK) {
            return false;
        }
        for (uint32_t item = 0; item < CLUB_ITEMS; item++) {
            wanted += (all->item_rooms[item] & all->observer_rooms[i]) != 0;
        }
        bool are_members = total == wanted;
        for (size_t k = 0; k < total; k++) {
            are_members &= (all->item_rooms[items[k]] & all->observer_rooms[i]) != 0;
        }
        if (!are_members) {
            return false;
        }
    }
    return true;
}

static void a_million_joins_and_leaves_are_those_of_a_set(void)
{
    static club all;
    test_random random = {test_seed};
    CHECK(open_club(&all));
    for (uint32_t i = 0; i < 1000000; i++) {
        CHECK(change_club(&all, &random));
        if (i % 1000 == 0) {
            CHECK((i % 2000 ? acre_interest_update(all.interest)
                            : acre_interest_update_changed(all.interest, NULL, 0)) == ACRE_OK);
            CHECK(club_is_right(&all));
        }
    }
    CHECK(acre_interest_validate(all.interest, NULL, 0) == ACRE_OK);
    acre_interest_destroy(all.interest);
    acre_quadtree_destroy(all.tree);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(whatever_fails_nothing_is_lost),
        TEST(a_create_without_memory_answers_so),
        TEST(a_batch_without_memory_is_refused_whole),
        TEST(a_steady_tick_allocates_nothing),
        TEST(an_interest_with_room_allocates_nothing),
        TEST(room_stays_until_it_is_given_back),
        TEST(an_interest_without_room_is_as_it_was),
        TEST(room_beyond_the_limits_is_refused),
        TEST(a_million_joins_and_leaves_are_those_of_a_set),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
