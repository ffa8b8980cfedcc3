// SPDX-License-Identifier: MIT
// test_interest_seed.c - an observer that moves to another interest with its list sees the same
// come and go as one that stays.
#include "failing_allocator.h"
#include "interest_shared.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS = 400, OBSERVERS = 20, ROOM = ITEMS };

static acre_quadtree *tree;
static acre_aabb boxes[ITEMS];
static test_random choices;

static acre_aabb box_at(float x, float z)
{
    return (acre_aabb){{x - 0.5f, 0, z - 0.5f}, {x + 0.5f, 1, z + 0.5f}};
}

static bool open_tree(void)
{
    static const acre_quadtree_def def = {.half_size = 64};
    choices.state = test_seed;
    bool is_good = acre_quadtree_create(&def, &tree) == ACRE_OK;
    for (uint32_t item = 0; item < ITEMS && is_good; item++) {
        const float x = random_float(&choices, -60, 60), z = random_float(&choices, -60, 60);
        boxes[item] = box_at(x, z);
        is_good = acre_quadtree_insert(tree, item, &boxes[item]) == ACRE_OK;
    }
    return is_good;
}

static bool move_items(void)
{
    for (uint32_t item = 0; item < ITEMS; item++) {
        const float x = random_float(&choices, -9, 9), z = random_float(&choices, -9, 9);
        boxes[item].min[0] += x, boxes[item].max[0] += x;
        boxes[item].min[2] += z, boxes[item].max[2] += z;
    }
    return acre_quadtree_refresh_all(tree, boxes, ITEMS) == ACRE_OK;
}

static acre_observer_def observer_def(uint32_t i)
{
    return (acre_observer_def){.follows_item = true,
                               .item = i,
                               .enter_radius = 10,
                               .leave_radius = 18,
                               .band_limits = {4, 9}};
}

static bool add_observers(acre_interest *interest, acre_observer *observers)
{
    bool is_good = true;
    for (uint32_t i = 0; i < OBSERVERS; i++) {
        const acre_observer_def def = observer_def(i);
        is_good = is_good && acre_interest_add(interest, &def, &observers[i]) == ACRE_OK;
    }
    return is_good;
}

static int compare_seen(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

// Lists what an observer sees, ascending.
static size_t list_seen(const acre_interest *interest, acre_observer observer, uint32_t *items,
                        uint8_t *bands)
{
    uint32_t keys[ROOM];
    size_t count = 0;
    if (acre_interest_list_seen(interest, observer, items, bands, ROOM, &count) != ACRE_OK) {
        return SIZE_MAX;
    }
    for (size_t i = 0; i < count; i++) {
        keys[i] = items[i] << 2 | bands[i];
    }
    qsort(keys, count, sizeof *keys, compare_seen);
    for (size_t i = 0; i < count; i++) {
        items[i] = keys[i] >> 2;
        bands[i] = keys[i] & 3;
    }
    return count;
}

static bool lists_are_equal(const acre_interest_list *a, const acre_interest_list *b)
{
    bool is_equal = a->count == b->count &&
                    memcmp(a->offsets, b->offsets, (OBSERVERS + 1) * sizeof *a->offsets) == 0;
    for (size_t i = 0; i < a->count && is_equal; i++) {
        is_equal = a->items[i] == b->items[i] && (!a->bands || a->bands[i] == b->bands[i]);
    }
    return is_equal;
}

// Gives each observer of one interest, as the last update left it, to a fresh one.
static bool hand_over(const acre_interest *from, const acre_observer *old, acre_interest *to,
                      acre_observer *observers)
{
    bool is_good = add_observers(to, observers);
    for (uint32_t i = 0; i < OBSERVERS && is_good; i++) {
        uint32_t items[ROOM];
        uint8_t bands[ROOM];
        const size_t count = list_seen(from, old[i], items, bands);
        is_good =
            count <= ROOM && acre_interest_seed(to, observers[i], items, bands, count) == ACRE_OK;
    }
    char message[128];
    return is_good && acre_interest_validate(to, message, sizeof message) == ACRE_OK;
}

static bool run_hand_over(bool with_changed, size_t *left)
{
    acre_interest *from = NULL, *to = NULL;
    acre_observer old[OBSERVERS], observers[OBSERVERS];
    bool is_good = acre_interest_create(tree, NULL, &from) == ACRE_OK &&
                   acre_interest_create(tree, NULL, &to) == ACRE_OK && add_observers(from, old) &&
                   acre_interest_update(from) == ACRE_OK && move_items() &&
                   acre_interest_update(from) == ACRE_OK && hand_over(from, old, to, observers) &&
                   move_items() && acre_interest_update(from) == ACRE_OK;
    const acre_result result =
        with_changed ? acre_interest_update_changed(to, NULL, 0) : acre_interest_update(to);
    const acre_interest_changes a = acre_interest_get_changes(from);
    const acre_interest_changes b = acre_interest_get_changes(to);
    is_good = is_good && result == ACRE_OK && lists_are_equal(&a.entered, &b.entered) &&
              lists_are_equal(&a.left, &b.left) && lists_are_equal(&a.changed, &b.changed);
    *left = a.left.count;
    acre_interest_destroy(from);
    acre_interest_destroy(to);
    return is_good;
}

static void an_observer_that_moves_sees_the_same_come_and_go(void)
{
    size_t left = 0, left_changed = 0;
    CHECK(open_tree());
    const bool is_good = run_hand_over(false, &left) && run_hand_over(true, &left_changed);
    acre_quadtree_destroy(tree);
    CHECK(is_good && left + left_changed > 0);
}

static void wrong_lists_are_refused(void)
{
    CHECK(open_tree());
    acre_interest *interest = NULL;
    acre_observer observers[OBSERVERS];
    static const uint32_t twice[] = {3, 3}, falling[] = {4, 3}, high[] = {1u << 26},
                          good[] = {3, 4};
    static const uint8_t bands[] = {0, 3}, wrong_bands[] = {0, 4};
    bool is_good = acre_interest_create(tree, NULL, &interest) == ACRE_OK &&
                   add_observers(interest, observers);
    const acre_observer one = observers[0], stale = {1, 77};
    is_good =
        is_good && acre_interest_seed(NULL, one, good, bands, 2) == ACRE_ERROR_INVALID_ARGUMENT &&
        acre_interest_seed(interest, one, NULL, bands, 2) == ACRE_ERROR_INVALID_ARGUMENT &&
        acre_interest_seed(interest, one, twice, bands, 2) == ACRE_ERROR_INVALID_ARGUMENT &&
        acre_interest_seed(interest, one, falling, bands, 2) == ACRE_ERROR_INVALID_ARGUMENT &&
        acre_interest_seed(interest, one, good, wrong_bands, 2) == ACRE_ERROR_INVALID_ARGUMENT &&
        acre_interest_seed(interest, one, high, bands, 1) == ACRE_ERROR_CAPACITY &&
        acre_interest_seed(interest, stale, good, bands, 2) == ACRE_ERROR_STALE_HANDLE &&
        acre_interest_seed(interest, one, good, bands, 2) == ACRE_OK &&
        acre_interest_seed(interest, one, NULL, NULL, 0) == ACRE_OK;
    acre_observer_state state;
    is_good = is_good && acre_interest_get_observer(interest, one, &state) == ACRE_OK &&
              state.seen == 0 && acre_interest_validate(interest, NULL, 0) == ACRE_OK;
    acre_interest_destroy(interest);
    acre_quadtree_destroy(tree);
    CHECK(is_good);
}

static void without_memory_a_list_stays(void)
{
    static const uint32_t one[] = {3};
    static uint32_t many[300];
    static uint8_t bands[300];
    for (uint32_t i = 0; i < 300; i++) {
        many[i] = i;
    }
    CHECK(open_tree());
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    const acre_interest_def def = {.allocator = &memory.allocator};
    acre_interest *interest = NULL;
    acre_observer observers[OBSERVERS];
    bool is_good = acre_interest_create(tree, &def, &interest) == ACRE_OK &&
                   add_observers(interest, observers) &&
                   acre_interest_seed(interest, observers[0], one, bands, 1) == ACRE_OK;
    failing_allocator_arm(&memory, FAIL_FROM, 1);
    is_good = is_good && acre_interest_seed(interest, observers[0], many, bands, 300) ==
                             ACRE_ERROR_OUT_OF_MEMORY;
    uint32_t items[ROOM];
    uint8_t seen_bands[ROOM];
    is_good = is_good && list_seen(interest, observers[0], items, seen_bands) == 1 && items[0] == 3;
    acre_interest_destroy(interest);
    acre_quadtree_destroy(tree);
    CHECK(is_good && failing_allocator_verdict(&memory) == NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(an_observer_that_moves_sees_the_same_come_and_go),
        TEST(wrong_lists_are_refused),
        TEST(without_memory_a_list_stays),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
