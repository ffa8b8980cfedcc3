// SPDX-License-Identifier: MIT
// test_interest_changed.c - updates that are given what changed list the same as updates that
// search for everything, in a world that is many times as wide as observers reach: the grid of
// changed items repeats itself there, and some items are wider than its cells or far away.
#include "test.h"

#include "interest_internal.h"

#include <math.h>
#include <string.h>

enum { ITEMS = 1500, OBSERVERS = 120, ROUNDS = 40 };

static acre_aabb boxes[ITEMS];
static uint32_t changed[ITEMS];

static float random_place(test_random *random, float half)
{
    return (float)random_below(random, 20001) / 10000 * half - half;
}

static acre_aabb random_box(test_random *random)
{
    const uint32_t kind = random_below(random, 100);
    const float half = kind == 0 ? 0x1p40f : kind < 10 ? 20000 : 2000;
    const float width = kind < 3 ? 900 : kind < 50 ? 2 : 0;
    const float x = random_place(random, half), z = random_place(random, half);
    acre_aabb box = {{x, 0, z}, {x + width, 1, z + width}};
    if (kind == 99) {
        box.min[0] = -INFINITY;
    }
    return box;
}

// Moves some items, most of them by less than an observer reaches, and counts them.
static bool move_some(acre_quadtree *tree, test_random *random, uint32_t share, size_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < ITEMS; i++) {
        if (random_below(random, 100) >= share) {
            continue;
        }
        if (random_below(random, 3) == 0) {
            boxes[i] = random_box(random);
        } else {
            const float step = random_place(random, 30);
            boxes[i].min[0] += step;
            boxes[i].max[0] += step;
        }
        if (acre_quadtree_refresh(tree, i, &boxes[i]) != ACRE_OK) {
            return false;
        }
        changed[(*count)++] = i;
    }
    return true;
}

static bool add_observers(acre_interest *interest, test_random random)
{
    static const float radii[] = {0, 15, 60, 250, 3000};
    for (uint32_t i = 0; i < OBSERVERS; i++) {
        const float radius = radii[random_below(&random, i < 4 ? 5 : 4)];
        acre_observer_def def = {
            .follows_item = i % 2 == 0,
            .item = i,
            .place = {random_place(&random, 2000), 0, random_place(&random, 2000)},
            .enter_radius = radius,
            .leave_radius = radius * 1.1f,
            .in_space = i % 7 == 0,
            .limit = i % 11 == 0 ? 3 : 0};
        acre_observer observer;
        if (acre_interest_add(interest, &def, &observer) != ACRE_OK) {
            return false;
        }
    }
    return true;
}

static bool lists_are_equal(const acre_interest_list *a, const acre_interest_list *b)
{
    return a->count == b->count &&
           memcmp(a->offsets, b->offsets, (OBSERVERS + 1) * sizeof *a->offsets) == 0 &&
           (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

static void check_shares(uint32_t share)
{
    acre_quadtree *tree;
    acre_interest *by_change, *by_search;
    test_random random = {test_seed + share};
    const acre_quadtree_def def = {.half_size = 2048};
    size_t entered = 0, left = 0;
    CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
    CHECK(acre_interest_create(tree, NULL, &by_change) == ACRE_OK &&
          acre_interest_create(tree, NULL, &by_search) == ACRE_OK);
    CHECK(add_observers(by_change, random) && add_observers(by_search, random));
    for (uint32_t i = 0; i < ITEMS; i++) {
        boxes[i] = random_box(&random);
        changed[i] = i;
        CHECK(acre_quadtree_insert(tree, i, &boxes[i]) == ACRE_OK);
    }
    size_t count = ITEMS;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        CHECK(acre_interest_update_changed(by_change, changed, count) == ACRE_OK &&
              acre_interest_update(by_search) == ACRE_OK);
        const acre_interest_changes a = acre_interest_get_changes(by_change);
        const acre_interest_changes b = acre_interest_get_changes(by_search);
        CHECK(lists_are_equal(&a.entered, &b.entered) && lists_are_equal(&a.left, &b.left));
        entered += a.entered.count;
        left += a.left.count;
        CHECK(move_some(tree, &random, share, &count));
    }
    CHECK(entered > 100 && left > 50);
    acre_interest_destroy(by_change);
    acre_interest_destroy(by_search);
    acre_quadtree_destroy(tree);
}

static void a_few_changed_items_are_found(void)
{
    check_shares(1);
}

static void many_changed_items_are_found(void)
{
    check_shares(10);
    check_shares(100);
}

// A radius may differ from the mean of before by any factor.
static void radii_change_between_updates(void)
{
    enum { FEW = 64 };
    static const float radii[] = {0.001f, 0.001f, 5e6f, 0, 1, 1000, 0x1p50f, 0, 0x1p-140f, 60};
    acre_quadtree *tree;
    acre_interest *interest;
    acre_observer observer;
    acre_observer_def def = {.enter_radius = radii[0], .leave_radius = radii[0]};
    CHECK(acre_quadtree_create(&(acre_quadtree_def){.half_size = 0}, &tree) == ACRE_OK &&
          acre_interest_create(tree, NULL, &interest) == ACRE_OK &&
          acre_interest_add(interest, &def, &observer) == ACRE_OK);
    for (uint32_t i = 0; i < FEW; i++) {
        const float x = 100 * (float)i;
        changed[i] = i;
        boxes[i] = (acre_aabb){{x, 0, 0}, {x + 1, 1, 1}};
        CHECK(acre_quadtree_insert(tree, i, &boxes[i]) == ACRE_OK);
    }
    for (uint32_t round = 0; round < sizeof radii / sizeof *radii; round++) {
        def.enter_radius = def.leave_radius = radii[round];
        CHECK(acre_interest_set(interest, observer, &def) == ACRE_OK);
        for (uint32_t again = 0; again < 3; again++) {
            CHECK(acre_interest_update_changed(interest, changed, FEW) == ACRE_OK);
            size_t expected = 0, seen = 0;
            for (uint32_t i = 0; i < FEW; i++) {
                expected += boxes[i].min[0] <= radii[round];
            }
            CHECK(acre_interest_list_seen(interest, observer, NULL, NULL, 0, &seen) == ACRE_OK &&
                  seen == expected);
        }
    }
    acre_interest_destroy(interest);
    acre_quadtree_destroy(tree);
}

// Items that are wider than what observers reach are near nobody's corner: each is compared with
// each observer, so that searching for everything costs less.
static void an_update_of_wide_items_searches_for_everything(void)
{
    enum { WIDE = 200, FEW = 2, WATCHERS = 50 };
    acre_quadtree *tree;
    acre_interest *interest;
    acre_observer observer;
    CHECK(acre_quadtree_create(NULL, &tree) == ACRE_OK &&
          acre_interest_create(tree, NULL, &interest) == ACRE_OK);
    for (uint32_t i = 0; i < WIDE; i++) {
        const float x = 4 * (float)(i % 100), z = i < 100 ? 0.0f : 4.0f;
        changed[i] = i;
        boxes[i] = (acre_aabb){{x, 0, z}, {x + 3, 1, z + 3}};
        CHECK(acre_quadtree_insert(tree, i, &boxes[i]) == ACRE_OK);
    }
    for (uint32_t i = 0; i < WATCHERS; i++) {
        const acre_observer_def def = {.place = {4 * (float)i + 3.5f, 0, 1}, .enter_radius = 0.6f};
        CHECK(acre_interest_add(interest, &def, &observer) == ACRE_OK);
    }
    CHECK(acre_interest_update(interest) == ACRE_OK);
    CHECK(acre_interest_update_changed(interest, changed, FEW) == ACRE_OK);
    CHECK(acre_interest_get_changes(interest).updated == 0);
    boxes[0].max[0] -= 1;
    CHECK(acre_quadtree_refresh(tree, 0, &boxes[0]) == ACRE_OK);
    CHECK(acre_interest_update_changed(interest, changed, WIDE) == ACRE_OK);
    const acre_interest_changes changes = acre_interest_get_changes(interest);
    CHECK(changes.updated == WATCHERS && changes.left.count == 1 && changes.left.items[0] == 0);
    acre_interest_destroy(interest);
    acre_quadtree_destroy(tree);
}

// ---- what it costs, in counts ----

typedef struct cost_world {
    const char *name;
    uint32_t observers;
    float side, size, radius;
    float spectator;  // the radius of the first observer; 0: as the others
    uint32_t crowd;   // this share of 100 things, the first ones, is in one place,
    uint32_t watched; // and this share of the observers
    uint32_t cheap;   // so many changed things take at most half of what searches do
} cost_world;

static void fill_cost_world(const cost_world *world, acre_quadtree *tree, acre_interest *interest)
{
    test_random random = {test_seed};
    acre_observer observer;
    for (uint32_t i = 0; i < ITEMS; i++) {
        const float half = i * 100 < world->crowd * ITEMS ? world->side / 50 : world->side / 2;
        const float x = random_place(&random, half), z = random_place(&random, half);
        boxes[i] = (acre_aabb){{x, 0, z}, {x + world->size, 1, z + world->size}};
        CHECK(acre_quadtree_insert(tree, i, &boxes[i]) == ACRE_OK);
    }
    for (uint32_t i = 0; i < world->observers; i++) {
        const float half =
            i * 100 < world->watched * world->observers ? world->side / 50 : world->side / 2;
        const acre_observer_def def = {
            .place = {random_place(&random, half), 0, random_place(&random, half)},
            .enter_radius = i == 0 && world->spectator > 0 ? world->spectator : world->radius};
        CHECK(acre_interest_add(interest, &def, &observer) == ACRE_OK);
    }
}

// Moves the first so many, and tells an update.
static void update_first(acre_quadtree *tree, acre_interest *interest, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        changed[i] = i;
        boxes[i].min[0] += 0.125f;
        boxes[i].max[0] += 0.125f;
        CHECK(acre_quadtree_refresh(tree, i, &boxes[i]) == ACRE_OK);
    }
    CHECK(acre_interest_update_changed(interest, changed, count) == ACRE_OK);
}

static void check_cost(const cost_world *world)
{
    static const uint32_t counts[] = {1, 5, 15, 50, 150, 500, 1500};
    acre_quadtree *tree;
    acre_interest *interest;
    uint32_t known = 0; // updates that were not searches for everything
    CHECK(acre_quadtree_create(&(acre_quadtree_def){.half_size = world->side / 2}, &tree) ==
              ACRE_OK &&
          acre_interest_create(tree, NULL, &interest) == ACRE_OK);
    fill_cost_world(world, tree, interest);
    CHECK(acre_interest_update(interest) == ACRE_OK && acre_interest_update(interest) == ACRE_OK);
    for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        update_first(tree, interest, counts[i]);
        const size_t updated = acre_interest_get_changes(interest).updated;
        const update_cost cost = interest->cost;
        if (cost.spent * 100 > cost.searches * 115 ||
            (counts[i] <= world->cheap && cost.spent * 2 > cost.searches) ||
            (cost.searches == 0 && updated != world->observers)) {
            printf("%s, %u changed: %zu, where searches take %zu\n", world->name, counts[i],
                   (size_t)cost.spent, (size_t)cost.searches);
            CHECK(false);
        }
        known += cost.searches > 0;
    }
    CHECK(known > 0);
    update_first(tree, interest, 1);
    CHECK(acre_interest_get_changes(interest).updated < world->observers);
    acre_interest_destroy(interest);
    acre_quadtree_destroy(tree);
}

// Whatever the world and the share that changes: what an update counts is never more than 1.15 of
// what searches for all observers would count.
static void an_update_never_costs_more_than_a_search(void)
{
    static const cost_world worlds[] = {
        {"usual", 300, 2000, 1, 60, 0, 0, 0, 500},
        {"things as wide as a reach", 300, 2000, 2, 1, 0, 0, 0, 150},
        {"wide things", 300, 2000, 60, 2, 0, 0, 0, 150},
        {"a spectator", 300, 2000, 1, 30, 1500, 0, 0, 150},
        {"one who sees all", 300, 2000, 1, 30, 1e9f, 0, 0, 150},
        {"points and places", 300, 2000, 0, 0, 0, 0, 0, 150},
        {"a crowd", 300, 2000, 1, 30, 0, 60, 60, 50},
        {"a crowd and a spectator", 300, 2000, 1, 30, 1500, 60, 60, 50},
        {"all watch what changes", 300, 2000, 1, 60, 0, 10, 100, 5},
        {"few observers", 20, 2000, 1, 60, 0, 0, 0, 15},
        {"all is near", 300, 100, 1, 30, 0, 0, 0, 50},
        {"all have sets", 300, 100, 1, 60, 0, 0, 0, 15}};
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        check_cost(&worlds[i]);
    }
}

// Nobody was near the observers, so a search costs little, and then hundreds of things are at once.
// Comparing them all, or telling all of them to one of the observers that share a ledger, would
// cost as much as half the searches.
static void a_crowd_that_appears_costs_no_more_than_a_search(void)
{
    enum { WATCHERS = 300, APPEARING = 400 };
    acre_quadtree *tree;
    acre_interest *interest;
    acre_observer observer;
    CHECK(acre_quadtree_create(NULL, &tree) == ACRE_OK &&
          acre_interest_create(tree, NULL, &interest) == ACRE_OK);
    for (uint32_t i = 0; i < APPEARING; i++) {
        const float x = 2 * (float)(i % 20), z = 2 * (float)(i / 20);
        changed[i] = i;
        boxes[i] = (acre_aabb){{x + 5000, 0, z}, {x + 5001, 1, z + 1}};
        CHECK(acre_quadtree_insert(tree, i, &boxes[i]) == ACRE_OK);
        boxes[i] = (acre_aabb){{x, 0, z}, {x + 1, 1, z + 1}};
    }
    for (uint32_t i = 0; i < WATCHERS; i++) {
        const acre_observer_def def = {.place = {20, 0, 20}, .enter_radius = 60};
        CHECK(acre_interest_add(interest, &def, &observer) == ACRE_OK);
    }
    CHECK(acre_interest_update(interest) == ACRE_OK);
    CHECK(acre_quadtree_refresh_all(tree, boxes, APPEARING) == ACRE_OK);
    CHECK(acre_interest_update_changed(interest, changed, APPEARING) == ACRE_OK);
    CHECK(acre_interest_get_changes(interest).entered.count == WATCHERS * APPEARING);
    const update_cost cost = interest->cost;
    CHECK(cost.searches > 0 && cost.spent * 100 <= cost.searches * 115);
    acre_interest_destroy(interest);
    acre_quadtree_destroy(tree);
}

// Nobody is searched for where one thing changes, though everybody has a set.
static void a_few_changed_things_revise_sets(void)
{
    enum { WATCHERS = 40, SEEN = 800, FAR = SEEN };
    acre_quadtree *tree;
    acre_interest *interest;
    acre_observer observer;
    const acre_observer_def def = {.enter_radius = 60};
    CHECK(acre_quadtree_create(NULL, &tree) == ACRE_OK &&
          acre_interest_create(tree, NULL, &interest) == ACRE_OK);
    for (uint32_t i = 0; i <= SEEN; i++) {
        const float x = i == FAR ? 900 : (float)(i % 40), z = (float)(i / 40);
        boxes[i] = (acre_aabb){{x, 0, z}, {x + 1, 1, z + 1}};
        CHECK(acre_quadtree_insert(tree, i, &boxes[i]) == ACRE_OK);
    }
    for (uint32_t i = 0; i < WATCHERS; i++) {
        CHECK(acre_interest_add(interest, &def, &observer) == ACRE_OK);
    }
    CHECK(acre_interest_update(interest) == ACRE_OK && interest->sets_cost > 0);
    const struct {
        uint32_t item;
        float x; // where it goes
        size_t entered, left;
    } steps[] = {{FAR, 910, 0, 0}, {7, 910, 0, WATCHERS}, {FAR, 10, WATCHERS, 0}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        boxes[0] = (acre_aabb){{steps[i].x, 0, 0}, {steps[i].x + 1, 1, 1}};
        CHECK(acre_quadtree_refresh(tree, steps[i].item, &boxes[0]) == ACRE_OK);
        CHECK(acre_interest_update_changed(interest, &steps[i].item, 1) == ACRE_OK);
        const acre_interest_changes changes = acre_interest_get_changes(interest);
        const update_cost cost = interest->cost;
        CHECK(changes.entered.count == steps[i].entered && changes.left.count == steps[i].left);
        CHECK(changes.updated == (i == 0 ? 0 : WATCHERS));
        CHECK(cost.searches > 0 && cost.spent * 2 <= cost.searches);
        CHECK(acre_interest_validate(interest, NULL, 0) == ACRE_OK);
    }
    acre_interest_destroy(interest);
    acre_quadtree_destroy(tree);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {TEST(a_few_changed_items_are_found),
                                      TEST(many_changed_items_are_found),
                                      TEST(radii_change_between_updates),
                                      TEST(an_update_of_wide_items_searches_for_everything),
                                      TEST(an_update_never_costs_more_than_a_search),
                                      TEST(a_crowd_that_appears_costs_no_more_than_a_search),
                                      TEST(a_few_changed_things_revise_sets)};
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
