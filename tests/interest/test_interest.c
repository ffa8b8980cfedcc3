// SPDX-License-Identifier: MIT
// test_interest.c - the contract of an interest, case by case: borders, bands, limits, rooms,
// forgetting, refused arguments, kernels.
#include "test.h"

#include <acre/interest.h>
#include <acre/quadtree_calls.h>

#include "told_calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const acre_result invalid = ACRE_ERROR_INVALID_ARGUMENT;

// A tree with an interest.
typedef struct small_world {
    acre_quadtree *tree;
    acre_interest *interest;
} small_world;

static bool open_world(small_world *world)
{
    const acre_quadtree_def def = {.half_size = 256};
    *world = (small_world){NULL, NULL};
    return acre_quadtree_create(&def, &world->tree) == ACRE_OK &&
           acre_interest_create(world->tree, NULL, &world->interest) == ACRE_OK;
}

static void close_world(small_world *world)
{
    acre_interest_destroy(world->interest);
    acre_quadtree_destroy(world->tree);
}

// Puts a box of no size on the x axis.
static bool put(small_world *world, uint32_t item, float x)
{
    const acre_aabb box = {{x, 0, 0}, {x, 0, 0}};
    return (acre_quadtree_contains(world->tree, item)
                ? acre_quadtree_refresh(world->tree, item, &box)
                : acre_quadtree_insert(world->tree, item, &box)) == ACRE_OK;
}

// Updates. @return whether an observer sees exactly these items; they ascend.
static bool sees(small_world *world, acre_observer observer, const uint32_t *items, size_t count)
{
    uint32_t seen[64];
    size_t total = 0;
    if (acre_interest_update(world->interest) != ACRE_OK ||
        acre_interest_list_seen(world->interest, observer, seen, NULL, 64, &total) != ACRE_OK ||
        total != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        size_t found = 0;
        for (size_t k = 0; k < total; k++) {
            found += seen[k] == items[i];
        }
        if (found != 1) {
            return false;
        }
    }
    return true;
}

#define SEES(world, observer, ...)                                                                 \
    sees((world), (observer), (const uint32_t[]){__VA_ARGS__},                                     \
         sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define SEES_NOTHING(world, observer) sees((world), (observer), NULL, 0)

static void a_thing_enters_at_one_radius_and_leaves_beyond_another(void)
{
    small_world world;
    CHECK(open_world(&world));
    const acre_observer_def def = {.enter_radius = 10, .leave_radius = 12};
    acre_observer observer;
    CHECK(acre_interest_add(world.interest, &def, &observer) == ACRE_OK);
    CHECK(put(&world, 5, nextafterf(10, 11)) && SEES_NOTHING(&world, observer));
    CHECK(put(&world, 5, 10) && SEES(&world, observer, 5));
    CHECK(put(&world, 5, 12) && SEES(&world, observer, 5));
    CHECK(put(&world, 5, nextafterf(12, 13)) && SEES_NOTHING(&world, observer));
    CHECK(put(&world, 5, 11) && SEES_NOTHING(&world, observer));
    CHECK(put(&world, 5, -10) && SEES(&world, observer, 5));
    CHECK(put(&world, 5, nextafterf(-12, -13)) && SEES_NOTHING(&world, observer));
    close_world(&world);
}

static void bands_change_while_a_thing_stays(void)
{
    small_world world;
    CHECK(open_world(&world));
    const acre_observer_def def = {.enter_radius = 50, .band_limits = {10, 20, 30}};
    acre_observer observer;
    CHECK(acre_interest_add(world.interest, &def, &observer) == ACRE_OK);
    const float places[] = {10, nextafterf(10, 11), 20, 25, 30, 31, 50};
    const uint8_t bands[] = {0, 1, 1, 2, 2, 3, 3};
    for (size_t i = 0; i < sizeof bands; i++) {
        CHECK(put(&world, 0, places[i]) && SEES(&world, observer, 0));
        const acre_interest_changes changes = acre_interest_get_changes(world.interest);
        const bool has_changed = i > 0 && bands[i] != bands[i - 1];
        CHECK(changes.row_count == 1 && changes.changed.count == has_changed);
        CHECK(!has_changed || changes.changed.bands[0] == bands[i]);
        CHECK(changes.entered.count == (i == 0) && changes.left.count == 0);
        CHECK(i > 0 || changes.entered.bands[0] == bands[i]);
    }
    close_world(&world);
}

static void an_insider_yields_only_to_one_nearer_by_the_share(void)
{
    small_world world;
    CHECK(open_world(&world));
    const acre_observer_def def = {.enter_radius = 100, .limit = 2, .limit_share = 0.5f};
    acre_observer observer;
    CHECK(acre_interest_add(world.interest, &def, &observer) == ACRE_OK);
    CHECK(put(&world, 1, 8) && put(&world, 2, 16) && put(&world, 3, 16));
    CHECK(SEES(&world, observer, 1, 2)); // of equal ones the smaller number
    CHECK(put(&world, 3, nextafterf(8, 9)) && SEES(&world, observer, 1, 2));
    CHECK(put(&world, 3, nextafterf(8, 7)) && SEES(&world, observer, 1, 3));
    CHECK(put(&world, 0, nextafterf(8, 7)) && SEES(&world, observer, 1, 3));
    close_world(&world);
}

static void an_observer_of_an_endless_item_stays_and_says_so(void)
{
    small_world world;
    CHECK(open_world(&world));
    const acre_observer_def def = {.follows_item = true, .item = 7, .enter_radius = 10};
    const acre_aabb endless = {{-INFINITY, 0, 0}, {INFINITY, 0, 0}};
    acre_observer observer;
    acre_observer_state state;
    CHECK(put(&world, 7, 20) && put(&world, 1, 25));
    CHECK(acre_interest_add(world.interest, &def, &observer) == ACRE_OK);
    CHECK(SEES(&world, observer, 1));
    CHECK(acre_quadtree_refresh(world.tree, 7, &endless) == ACRE_OK && SEES(&world, observer, 1));
    CHECK(acre_interest_get_observer(world.interest, observer, &state) == ACRE_OK);
    CHECK(state.place[0] == 20 && state.keeps_place && !state.is_lost);
    CHECK(put(&world, 7, 50) && SEES_NOTHING(&world, observer));
    CHECK(acre_interest_get_observer(world.interest, observer, &state) == ACRE_OK);
    CHECK(state.place[0] == 50 && !state.keeps_place);
    close_world(&world);
}

static void a_room_is_one_reason_among_others(void)
{
    small_world world;
    CHECK(open_world(&world));
    const acre_observer_def def = {.enter_radius = 10, .layers = 2, .limit = 1};
    acre_observer observer;
    acre_interest *const interest = world.interest;
    CHECK(acre_interest_add(interest, &def, &observer) == ACRE_OK);
    CHECK(put(&world, 4, 200) && SEES_NOTHING(&world, observer));
    CHECK(acre_quadtree_set_layers(world.tree, 4, 1) == ACRE_OK);
    CHECK(acre_interest_join_item(interest, 4, 0) == ACRE_OK &&
          acre_interest_join_item(interest, 4, 9) == ACRE_OK &&
          acre_interest_join_item(interest, 4, 9) == ACRE_ERROR_EXISTS);
    CHECK(SEES_NOTHING(&world, observer));
    CHECK(acre_interest_join(interest, observer, 0) == ACRE_OK && SEES(&world, observer, 4));
    CHECK(acre_interest_join(interest, observer, 9) == ACRE_OK && SEES(&world, observer, 4));
    CHECK(acre_interest_reasons(interest, observer, 4) == 2);
    CHECK(acre_interest_leave(interest, observer, 0) == ACRE_OK && SEES(&world, observer, 4));
    CHECK(acre_quadtree_set_layers(world.tree, 4, 3) == ACRE_OK);
    CHECK(put(&world, 4, 10) && SEES(&world, observer, 4));
    CHECK(acre_interest_reasons(interest, observer, 4) == 2); // a room and its distance
    CHECK(acre_interest_leave_item(interest, 4, 9) == ACRE_OK && SEES(&world, observer, 4));
    CHECK(put(&world, 4, 11) && SEES_NOTHING(&world, observer));
    CHECK(acre_interest_leave(interest, observer, 0) == ACRE_ERROR_NOT_FOUND &&
          acre_interest_leave_item(interest, 4, 9) == ACRE_ERROR_NOT_FOUND);
    CHECK(acre_interest_join(interest, observer, ACRE_INTEREST_ROOMS) == ACRE_ERROR_CAPACITY &&
          acre_interest_join_item(interest, 4, UINT32_MAX) == ACRE_ERROR_CAPACITY &&
          acre_interest_join_item(interest, UINT32_MAX, 4) == ACRE_ERROR_CAPACITY);
    close_world(&world);
}

static void a_number_that_is_another_thing_leaves_and_enters(void)
{
    small_world world;
    CHECK(open_world(&world));
    const acre_observer_def def = {.enter_radius = 10},
                            follower = {.follows_item = true, .item = 3};
    acre_observer observer, other;
    acre_observer_state state;
    uint32_t generations[8] = {0, 0, 0, 7};
    CHECK(acre_interest_add(world.interest, &def, &observer) == ACRE_OK &&
          acre_interest_add(world.interest, &follower, &other) == ACRE_OK);
    CHECK(acre_interest_set_generations(world.interest, generations, 8) == ACRE_OK);
    CHECK(put(&world, 3, 5) && SEES(&world, observer, 3));
    CHECK(acre_quadtree_remove(world.tree, 3) == ACRE_OK && put(&world, 3, 6));
    CHECK(SEES(&world, observer, 3)); // nobody said that it is another one
    CHECK(acre_interest_get_changes(world.interest).entered.count == 0);
    CHECK(acre_interest_get_observer(world.interest, other, &state) == ACRE_OK && !state.is_lost &&
          state.place[0] == 6.0f);
    generations[3]++;
    CHECK(put(&world, 3, 8) && SEES(&world, observer, 3));
    const acre_interest_changes changes = acre_interest_get_changes(world.interest);
    CHECK(changes.entered.count == 1 && changes.left.count == 1 && changes.left.items[0] == 3);
    CHECK(acre_interest_get_observer(world.interest, other, &state) == ACRE_OK && state.is_lost &&
          state.place[0] == 6.0f); // it stays where it was
    CHECK(acre_interest_set(world.interest, other, &follower) == ACRE_OK &&
          SEES_NOTHING(&world, other));
    CHECK(acre_interest_get_observer(world.interest, other, &state) == ACRE_OK && !state.is_lost &&
          state.place[0] == 8.0f);
    close_world(&world);
}

static void rows_out_of_range_are_refused_and_the_others_count(void)
{
    small_world world;
    CHECK(open_world(&world));
    const acre_observer_def def = {.enter_radius = 10};
    const uint32_t rows[] = {3, UINT32_MAX, 5, 1u << 26, 5};
    acre_observer observer;
    acre_interest_stats before, after;
    CHECK(acre_interest_add(world.interest, &def, &observer) == ACRE_OK);
    CHECK(put(&world, 3, 50) && put(&world, 5, 50) && SEES_NOTHING(&world, observer));
    CHECK(put(&world, 3, 9) && put(&world, 5, 9));
    CHECK(acre_interest_update_changed(world.interest, rows, 1) == ACRE_OK); // 5 is unknown
    CHECK(acre_interest_get_changes(world.interest).entered.count == 1);
    CHECK(acre_interest_last_report(world.interest).refused == 0);
    acre_interest_get_stats(world.interest, &before);
    CHECK(acre_interest_update_changed(world.interest, rows, 5) == ACRE_ERROR_CAPACITY);
    const acre_quadtree_report report = acre_interest_last_report(world.interest);
    CHECK(report.refused == 2 && report.first_row == 1);
    CHECK(report.first_result == ACRE_ERROR_CAPACITY);
    const acre_interest_changes changes = acre_interest_get_changes(world.interest);
    CHECK(changes.entered.count == 1 && changes.entered.items[0] == 5);
    acre_interest_get_stats(world.interest, &after);
    CHECK(after.bytes < before.bytes + 4096); // a bit for each number up to 2^26 were 8 MB
    CHECK(acre_interest_update(world.interest) == ACRE_OK);
    CHECK(acre_interest_last_report(world.interest).refused == 0);
    CHECK(acre_interest_last_report(NULL).refused == 0);
    close_world(&world);
}

static void memory_follows_what_is_there_and_not_the_highest_number(void)
{
    enum { HIGH = 1 << 20 };
    small_world world;
    CHECK(open_world(&world));
    acre_interest *interest;
    const acre_interest_def with_inverse = {.flags = ACRE_INTEREST_INVERSE};
    const acre_observer_def def = {.enter_radius = 10};
    acre_observer observer;
    acre_interest_stats stats;
    CHECK(acre_interest_create(world.tree, &with_inverse, &interest) == ACRE_OK);
    CHECK(acre_interest_add(interest, &def, &observer) == ACRE_OK);
    CHECK(put(&world, HIGH, 5) && put(&world, 0, 5));
    CHECK(acre_interest_update(interest) == ACRE_OK);
    acre_interest_get_stats(interest, &stats);
    CHECK(stats.seen == 2 && stats.bytes < 32768);
    const acre_observer *who;
    CHECK(acre_interest_observers_of(interest, HIGH, &who) == 1);
    CHECK(who->index1 == observer.index1 && who->generation == observer.generation);
    CHECK(acre_interest_observers_of(interest, HIGH - 1, &who) == 0 && !who);
    CHECK(acre_interest_observers_of(interest, UINT32_MAX, NULL) == 0);
    CHECK(acre_interest_observers_of(NULL, 0, &who) == 0);
    CHECK(acre_interest_observers_of(world.interest, 0, &who) == 0 && !who); // no updates
    const uint32_t last_item = (1u << 26) - 1, last_room = ACRE_INTEREST_ROOMS - 1;
    CHECK(acre_interest_join(interest, observer, last_room) == ACRE_OK);
    CHECK(acre_interest_join_item(interest, last_item, last_room) == ACRE_OK);
    acre_interest_get_stats(interest, &stats);
    CHECK(stats.bytes < 65536);
    CHECK(acre_interest_forget(interest, last_item) == ACRE_OK);
    CHECK(acre_interest_leave_item(interest, last_item, last_room) == ACRE_ERROR_NOT_FOUND);
    acre_interest_get_stats(interest, &stats);
    CHECK(stats.bytes < 65536 + (1u << 26) / 8); // a bit for each item
    acre_interest_destroy(interest);
    close_world(&world);
}

// A dragon is noticed from 500 m, a mouse from 30, whatever the observer's radii, which other
// things follow; both go out of range as far behind as the radii differ.
static void a_thing_with_a_range_is_noticed_by_that(void)
{
    enum { DRAGON, MOUSE, MAN };
    small_world world;
    CHECK(open_world(&world));
    const uint32_t items[] = {DRAGON, MOUSE};
    const float ranges[] = {500, 30}, none[] = {0, 0};
    acre_range_batch batch = {.items = items, .ranges = ranges, .count = 2};
    acre_observer player, spectator;
    const acre_observer_def def = {.enter_radius = 60, .leave_radius = 66, .band_limits = {50}};
    acre_observer_def ignoring = def;
    ignoring.ignores_ranges = true;
    CHECK(acre_interest_add(world.interest, &def, &player) == ACRE_OK &&
          acre_interest_add(world.interest, &ignoring, &spectator) == ACRE_OK &&
          acre_interest_set_ranges(world.interest, &batch) == ACRE_OK);
    CHECK(put(&world, DRAGON, 500) && put(&world, MOUSE, 30) && put(&world, MAN, 60));
    CHECK(SEES(&world, player, DRAGON, MOUSE, MAN) && SEES(&world, spectator, MOUSE, MAN));
    CHECK(put(&world, DRAGON, 506) && put(&world, MOUSE, 36) && put(&world, MAN, 66));
    CHECK(SEES(&world, player, DRAGON, MOUSE, MAN));
    CHECK(put(&world, DRAGON, nextafterf(506, 507)) && put(&world, MOUSE, nextafterf(36, 37)));
    CHECK(SEES(&world, player, MAN) && SEES(&world, spectator, MOUSE, MAN));
    CHECK(put(&world, DRAGON, nextafterf(500, 501)) && put(&world, MOUSE, nextafterf(30, 31)));
    CHECK(SEES(&world, player, MAN));
    const uint32_t near[] = {DRAGON};
    CHECK(put(&world, DRAGON, -40) &&
          acre_interest_update_changed(world.interest, near, 1) == ACRE_OK);
    const acre_interest_changes changes = acre_interest_get_changes(world.interest);
    CHECK(changes.entered.count == 2 && changes.entered.bands[0] == 0);
    batch.ranges = none;
    CHECK(put(&world, DRAGON, 500) && acre_interest_set_ranges(world.interest, &batch) == ACRE_OK);
    CHECK(SEES(&world, player, MOUSE, MAN)); // the radii decide again
    close_world(&world);
}

static void wrong_batches_are_refused_as_a_whole(void)
{
    small_world world;
    CHECK(open_world(&world));
    const uint32_t item = 3;
    const acre_entity entity = {1, 0, 1};
    const acre_observer observer = {1, 1};
    acre_room_batch batch = {.items = &item, .count = 1};
    CHECK(acre_interest_change_room(NULL, &batch) == invalid);
    CHECK(acre_interest_change_room(world.interest, NULL) == invalid);
    batch.observers = &observer;
    CHECK(acre_interest_change_room(world.interest, &batch) == invalid);
    batch.observers = NULL;
    batch.entities = &entity;
    CHECK(acre_interest_change_room(world.interest, &batch) == invalid);
    batch.items = NULL;
    CHECK(acre_interest_change_room(world.interest, &batch) == invalid);
    batch.entities = NULL;
    CHECK(acre_interest_change_room(world.interest, &batch) == invalid);
    batch.count = 0;
    CHECK(acre_interest_change_room(world.interest, &batch) == ACRE_OK);
    batch.room = ACRE_INTEREST_ROOMS;
    CHECK(acre_interest_change_room(world.interest, &batch) == ACRE_ERROR_CAPACITY);
    const float range = 7;
    acre_range_batch ranges = {.items = &item, .count = 1};
    CHECK(acre_interest_set_ranges(NULL, &ranges) == invalid);
    CHECK(acre_interest_set_ranges(world.interest, NULL) == invalid);
    CHECK(acre_interest_set_ranges(world.interest, &ranges) == invalid);
    ranges = (acre_range_batch){.ranges = &range, .count = 1};
    CHECK(acre_interest_set_ranges(world.interest, &ranges) == invalid);
    ranges.entities = &entity;
    CHECK(acre_interest_set_ranges(world.interest, &ranges) == invalid);
    close_world(&world);
}

static void what_is_wrong_is_refused(void)
{
    small_world world;
    CHECK(open_world(&world));
    acre_interest *interest = world.interest;
    acre_observer observer = {1, 1};
    acre_observer_def def = {.enter_radius = 1};
    CHECK(acre_interest_create(NULL, NULL, &interest) == invalid && !interest);
    CHECK(acre_interest_create(world.tree, NULL, NULL) == invalid);
    CHECK(acre_interest_create(world.tree, &(acre_interest_def){.flags = 4}, &interest) ==
              invalid &&
          !interest);
    interest = world.interest;
    CHECK(acre_interest_add(NULL, &def, &observer) == invalid && observer.index1 == 0);
    CHECK(acre_interest_add(interest, NULL, &observer) == invalid);
    CHECK(acre_interest_add(interest, &def, NULL) == invalid);
    def.enter_radius = 0x1p51f;
    CHECK(acre_interest_add(interest, &def, &observer) == invalid);
    CHECK(acre_interest_update(NULL) == invalid);
    CHECK(acre_interest_update_changed(interest, NULL, 1) == invalid);
    CHECK(acre_interest_update_changed(interest, NULL, 0) == ACRE_OK);
    const uint32_t beyond[2] = {UINT32_MAX, 1u << 26};
    CHECK(acre_interest_update_changed(interest, beyond, 2) == ACRE_ERROR_CAPACITY);
    CHECK(acre_interest_remove(interest, (acre_observer){0, 0}) == ACRE_ERROR_STALE_HANDLE);
    CHECK(acre_interest_forget(interest, UINT32_MAX) == ACRE_ERROR_CAPACITY);
    CHECK(acre_interest_join_entity(interest, (acre_entity){1, 0, 1}, 0) == invalid);
    CHECK(acre_interest_get_changes(NULL).row_count == 0);
    CHECK(acre_interest_reasons(NULL, observer, 0) == 0);
    CHECK(acre_interest_validate(NULL, NULL, 0) == invalid);
    acre_interest_destroy(NULL);
    close_world(&world);
}

// ---- busy trees ----

#if ACRE_CHECK >= 1
typedef struct busy_answers {
    acre_interest *interest;
    acre_result result;
} busy_answers;

static void update_in_listener(void *context, const acre_quadtree_call *call)
{
    busy_answers *const answers = context;
    if (call->kind == ACRE_QUADTREE_CALL_REFRESH) {
        answers->result = acre_interest_update(answers->interest);
    }
}

static void an_update_while_the_tree_is_edited_is_busy(void)
{
    small_world world;
    CHECK(open_world(&world));
    const acre_observer_def def = {.enter_radius = 10};
    acre_observer observer;
    busy_answers answers = {world.interest, ACRE_OK};
    CHECK(acre_interest_add(world.interest, &def, &observer) == ACRE_OK);
    CHECK(put(&world, 1, 5) && SEES(&world, observer, 1));
    CHECK(acre_quadtree_set_listener(world.tree, update_in_listener, &answers) == ACRE_OK);
    CHECK(put(&world, 1, 50));
    CHECK(answers.result == ACRE_ERROR_BUSY);
    size_t total = 0;
    CHECK(acre_interest_list_seen(world.interest, observer, NULL, NULL, 0, &total) == ACRE_OK &&
          total == 1);
    CHECK(SEES_NOTHING(&world, observer));
    close_world(&world);
}
#endif

// ---- long lists ----

// Updates. @return whether an observer sees so many items, which ascend up to a last one.
static bool sees_rising(small_world *world, acre_observer observer, size_t count, uint32_t last)
{
    static uint32_t items[4096];
    size_t total = 0;
    if (acre_interest_update(world->interest) != ACRE_OK ||
        acre_interest_list_seen(world->interest, observer, items, NULL, 4096, &total) != ACRE_OK ||
        total != count || acre_interest_validate(world->interest, NULL, 0) != ACRE_OK) {
        return false;
    }
    bool rises = items[count - 1] == last;
    for (size_t i = 1; i < count; i++) {
        rises &= items[i - 1] < items[i];
    }
    return rises;
}

// A long list becomes a set, which ascends and takes some bytes an item; it learns of a number
// above all before, and becomes a list again once it is short.
static void a_long_list_is_a_set(void)
{
    enum { MANY = 3000, WATCHERS = 50, HIGH = 200000, FEW = 90 };
    small_world world;
    acre_observer observers[WATCHERS];
    acre_interest_stats stats;
    CHECK(open_world(&world));
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK(put(&world, i, (float)(i * 7 % MANY) / 100));
    }
    for (uint32_t i = 0; i < WATCHERS; i++) {
        const acre_observer_def def = {.enter_radius = 100, .band_limits = {10}};
        CHECK(acre_interest_add(world.interest, &def, &observers[i]) == ACRE_OK);
    }
    for (uint32_t update = 0; update < 16; update++) {
        CHECK(sees_rising(&world, observers[0], MANY, MANY - 1));
    }
    acre_interest_get_stats(world.interest, &stats);
    CHECK(stats.seen == MANY * WATCHERS && stats.bytes < 8 * stats.seen + (2 << 20));
    CHECK(put(&world, HIGH, 5));
    CHECK(sees_rising(&world, observers[WATCHERS - 1], MANY + 1, HIGH));
    const acre_interest_changes changes = acre_interest_get_changes(world.interest);
    CHECK(changes.entered.count == WATCHERS && changes.entered.items[0] == HIGH &&
          changes.entered.bands[0] == 0 && changes.left.count == 0 && changes.changed.count == 0);
    for (uint32_t i = FEW; i < MANY; i++) {
        CHECK(put(&world, i, 200));
    }
    CHECK(acre_interest_update(world.interest) == ACRE_OK);
    CHECK(acre_interest_get_changes(world.interest).left.count == (MANY - FEW) * WATCHERS);
    acre_interest_get_stats(world.interest, &stats);
    CHECK(stats.seen == (FEW + 1) * WATCHERS);
    for (uint32_t update = 0; update < 8; update++) {
        CHECK(acre_interest_update(world.interest) == ACRE_OK);
    }
    acre_interest_get_stats(world.interest, &stats);
    CHECK(stats.bytes < 3 << 20); // as every update may take
    close_world(&world);
}

// A list becomes a set in the update in which a thing with a high number leaves it. That number is
// far beyond the words that what is seen now needs.
static void a_list_with_a_high_number_becomes_a_set(void)
{
    enum { MANY = 600, HIGH = 2000000 };
    small_world world;
    acre_observer observer;
    const acre_observer_def def = {.enter_radius = 100};
    CHECK(open_world(&world) && acre_interest_add(world.interest, &def, &observer) == ACRE_OK);
    CHECK(put(&world, HIGH, 5) && sees_rising(&world, observer, 1, HIGH));
    CHECK(put(&world, HIGH, 200));
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK(put(&world, i, (float)(i * 7 % MANY) / 10));
    }
    CHECK(acre_interest_update(world.interest) == ACRE_OK);
    const acre_interest_changes changes = acre_interest_get_changes(world.interest);
    CHECK(changes.entered.count == MANY && changes.left.count == 1 &&
          changes.left.items[0] == HIGH);
    CHECK(acre_interest_validate(world.interest, NULL, 0) == ACRE_OK);
    CHECK(sees_rising(&world, observer, MANY, MANY - 1)); // it is a set by now
    close_world(&world);
}

// One high number makes sets wide. Once that is gone, they have room for what is left and no more.
static void a_wide_set_becomes_narrow(void)
{
    enum { MANY = 4000, WATCHERS = 50, HIGH = 900000, KEPT = 1000 };
    small_world world;
    acre_observer observer;
    acre_interest_stats stats;
    const acre_observer_def def = {.enter_radius = 100};
    CHECK(open_world(&world));
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK(put(&world, i, (float)(i * 7 % MANY) / 100));
    }
    for (uint32_t i = 0; i < WATCHERS; i++) {
        CHECK(acre_interest_add(world.interest, &def, &observer) == ACRE_OK);
    }
    CHECK(put(&world, HIGH, 5) && acre_interest_update(world.interest) == ACRE_OK);
    CHECK(sees_rising(&world, observer, MANY + 1, HIGH));
    acre_interest_get_stats(world.interest, &stats);
    CHECK(stats.bytes > WATCHERS * HIGH / 8);
    CHECK(put(&world, HIGH, 200) && sees_rising(&world, observer, MANY, MANY - 1));
    for (uint32_t i = KEPT; i < MANY; i++) {
        CHECK(put(&world, i, 200));
    }
    for (uint32_t update = 0; update < 8; update++) {
        CHECK(acre_interest_update(world.interest) == ACRE_OK);
    }
    CHECK(sees_rising(&world, observer, KEPT, KEPT - 1)); // a set again
    acre_interest_get_stats(world.interest, &stats);
    CHECK(stats.bytes < 3 << 20); // as every update may take
    close_world(&world);
}

// ---- kernels ----

static uint64_t add_to_hash(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *const bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint64_t add_list(uint64_t hash, const acre_interest_list *list, size_t rows)
{
    hash = add_to_hash(hash, list->offsets, (rows + 1) * sizeof *list->offsets);
    return list->count > 0 ? add_to_hash(hash, list->items, list->count * sizeof *list->items)
                           : hash;
}

enum { KERNEL_ITEMS = 3000, KERNEL_OBSERVERS = 40 };

static bool fill_kernel_world(acre_quadtree *tree, acre_interest *interest, test_random *random)
{
    for (uint32_t i = 0; i < KERNEL_OBSERVERS; i++) {
        acre_observer observer;
        const bool sees_far = i % 8 == 7; // so that it has a set
        const acre_observer_def def = {.follows_item = true,
                                       .item = i,
                                       .enter_radius = sees_far ? 150 : 8 + (float)(i % 5) * 4,
                                       .leave_radius = sees_far ? 155 : 30,
                                       .in_space = i % 3 == 0,
                                       .limit = i % 4 == 0 ? 9 : 0,
                                       .band_limits = {i % 2 ? 5.0f : 0.0f}};
        if (acre_interest_add(interest, &def, &observer) != ACRE_OK) {
            return false;
        }
    }
    for (uint32_t i = 0; i < KERNEL_ITEMS; i++) {
        const float x = random_float(random, -200, 200), z = random_float(random, -200, 200);
        const acre_aabb box = {{x, 0, z}, {x + 1, 2, z + 1}};
        if (acre_quadtree_insert(tree, i, &box) != ACRE_OK) {
            return false;
        }
    }
    return true;
}

// The hash of all lists, in their order, of some updates with a kernel. @return 0: no such kernel.
static uint64_t hash_of_kernel(acre_kernel kernel)
{
    const acre_quadtree_def def = {.half_size = 256, .kernel = kernel};
    const acre_interest_def flags = {.flags = ACRE_INTEREST_STAYED, .kernel = kernel};
    small_world world = {NULL, NULL};
    test_random random = {test_seed};
    uint64_t hash = 0;
    if (acre_quadtree_create(&def, &world.tree) != ACRE_OK) {
        return 0;
    }
    bool goes_on = acre_interest_create(world.tree, &flags, &world.interest) == ACRE_OK &&
                   fill_kernel_world(world.tree, world.interest, &random);
    for (uint32_t tick = 0; tick < 12 && goes_on; tick++) {
        for (uint32_t i = 0; i < KERNEL_ITEMS; i++) {
            acre_aabb box;
            EXPECT(acre_quadtree_get_box(world.tree, i, &box) == ACRE_OK);
            const float dx = random_float(&random, -3, 3);
            box.min[0] += dx;
            box.max[0] += dx;
            goes_on &= acre_quadtree_refresh(world.tree, i, &box) == ACRE_OK;
        }
        goes_on &= acre_quadtree_maintain(world.tree) == ACRE_OK &&
                   acre_interest_update(world.interest) == ACRE_OK;
        const acre_interest_changes changes = acre_interest_get_changes(world.interest);
        hash = add_list(hash, &changes.entered, changes.row_count);
        hash = add_list(hash, &changes.left, changes.row_count);
        hash = add_list(hash, &changes.changed, changes.row_count);
        hash = add_list(hash, &changes.stayed, changes.row_count);
    }
    close_world(&world);
    return goes_on ? hash : 1;
}

static void every_kernel_gives_the_same_lists(void)
{
    const uint64_t scalar = hash_of_kernel(ACRE_KERNEL_SCALAR);
    CHECK(scalar > 1);
    for (int kernel = ACRE_KERNEL_SSE4; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        const uint64_t hash = hash_of_kernel((acre_kernel)kernel);
        CHECK(hash == 0 || hash == scalar);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_thing_enters_at_one_radius_and_leaves_beyond_another),
        TEST(bands_change_while_a_thing_stays),
        TEST(an_insider_yields_only_to_one_nearer_by_the_share),
        TEST(an_observer_of_an_endless_item_stays_and_says_so),
        TEST(a_room_is_one_reason_among_others),
        TEST(a_number_that_is_another_thing_leaves_and_enters),
        TEST(rows_out_of_range_are_refused_and_the_others_count),
        TEST(memory_follows_what_is_there_and_not_the_highest_number),
        TEST(a_thing_with_a_range_is_noticed_by_that),
        TEST(wrong_batches_are_refused_as_a_whole),
        TEST(what_is_wrong_is_refused),
#if ACRE_CHECK >= 1
        TEST(an_update_while_the_tree_is_edited_is_busy),
#endif
        TEST(a_long_list_is_a_set),
        TEST(a_list_with_a_high_number_becomes_a_set),
        TEST(a_wide_set_becomes_narrow),
        TEST(every_kernel_gives_the_same_lists),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
