// SPDX-License-Identifier: MIT
// test_interest_shift.c - two interests over one life, one with rings in a world that shifts by
// exact offsets: at a shift nothing enters, leaves or changes its band, and after every step both
// list the same.
#include "test.h"

#include "interest_internal.h"

#include <string.h>

enum { ITEMS = 400, OBSERVERS = 24, RANGED = 20, TICKS = 120 };

typedef struct twin {
    acre_quadtree *tree;
    acre_interest *interest;
    acre_observer observers[OBSERVERS];
    double away[3]; // how far this world is from where it began
} twin;

typedef struct twins {
    test_random random;
    twin still, shifted;
    acre_aabb boxes[ITEMS]; // of the world that stays
    acre_observer_def defs[OBSERVERS];
    size_t events, by_rings;
} twins;

static float on_grid(test_random *random, int range)
{
    return (float)((int)random_below(random, (uint32_t)(512 * range)) - 256 * range) / 256.0f;
}

static acre_aabb box_in(const twin *t, const acre_aabb *box)
{
    acre_aabb there = *box;
    for (int axis = 0; axis < 3; axis++) {
        there.min[axis] += (float)t->away[axis];
        there.max[axis] += (float)t->away[axis];
    }
    return there;
}

static void open_twin(twins *w, twin *t)
{
    uint32_t items[RANGED];
    float ranges[RANGED];
    CHECK(acre_quadtree_create(NULL, &t->tree) == ACRE_OK);
    CHECK(acre_interest_create(t->tree, NULL, &t->interest) == ACRE_OK);
    t->interest->least_set = 4; // few things have sets and rings, too
    t->interest->rings.price = t == &w->still ? UINT32_MAX : 0;
    for (uint32_t i = 0; i < ITEMS; i++) {
        CHECK(acre_quadtree_insert(t->tree, i, &w->boxes[i]) == ACRE_OK);
    }
    for (uint32_t i = 0; i < OBSERVERS; i++) {
        CHECK(acre_interest_add(t->interest, &w->defs[i], &t->observers[i]) == ACRE_OK);
    }
    for (uint32_t i = 0; i < RANGED; i++) {
        items[i] = i * 7;
        ranges[i] = 20.0f + 4.0f * (float)i;
    }
    CHECK(acre_interest_set_ranges(
              t->interest,
              &(acre_range_batch){.items = items, .ranges = ranges, .count = RANGED}) == ACRE_OK);
    CHECK(acre_interest_update(t->interest) == ACRE_OK);
}

static void open_twins(twins *w)
{
    for (uint32_t i = 0; i < ITEMS; i++) {
        for (int axis = 0; axis < 3; axis++) {
            w->boxes[i].min[axis] = on_grid(&w->random, axis == 1 ? 10 : 100);
            w->boxes[i].max[axis] = w->boxes[i].min[axis] + 1.5f;
        }
    }
    for (uint32_t i = 0; i < OBSERVERS; i++) {
        w->defs[i] = (acre_observer_def){
            .place = {on_grid(&w->random, 100), on_grid(&w->random, 10), on_grid(&w->random, 100)},
            .follows_item = i % 2 == 0,
            .item = i,
            .enter_radius = 70,
            .leave_radius = i % 3 ? 73 : 0,
            .in_space = i % 4 == 1,
            .band_limits = {25, i % 5 ? 50 : 0},
            .ignores_ranges = i % 6 != 5};
    }
    open_twin(w, &w->still);
    open_twin(w, &w->shifted);
}

static void close_twin(twin *t)
{
    acre_interest_destroy(t->interest);
    acre_quadtree_destroy(t->tree);
}

static void shift_twin(twins *w)
{
    twin *const t = &w->shifted;
    double offset[3];
    for (int axis = 0; axis < 3; axis++) {
        const bool is_back = random_below(&w->random, 3) == 0;
        offset[axis] = is_back ? -t->away[axis] : 0.25 * random_below(&w->random, 8192) - 1024.0;
        t->away[axis] += offset[axis];
    }
    acre_shift_report report;
    CHECK(acre_quadtree_shift(t->tree, offset, NULL, 0, &report) == ACRE_OK && report.is_exact);
    CHECK(acre_interest_shift(t->interest, offset) == ACRE_OK);
    CHECK(acre_interest_update(t->interest) == ACRE_OK);
    const acre_interest_changes changes = acre_interest_get_changes(t->interest);
    CHECK(changes.entered.count + changes.left.count + changes.changed.count == 0);
    acre_observer_state state;
    CHECK(acre_interest_get_observer(t->interest, t->observers[1], &state) == ACRE_OK);
    for (int axis = 0; axis < 3; axis++) { // it follows nothing
        CHECK(state.place[axis] == w->defs[1].place[axis] + (float)t->away[axis]);
        CHECK(state.def.place[axis] == state.place[axis]);
    }
}

// Small steps, and now and then a long way.
static void move_items(twins *w)
{
    for (uint32_t i = 0; i < ITEMS; i++) {
        if (random_below(&w->random, 10)) {
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            const bool is_far = random_below(&w->random, 200) == 0;
            const float by = is_far ? on_grid(&w->random, 50) : on_grid(&w->random, 1) / 4;
            w->boxes[i].min[axis] += by;
            w->boxes[i].max[axis] += by;
        }
        const acre_aabb there = box_in(&w->shifted, &w->boxes[i]);
        CHECK(acre_quadtree_refresh(w->still.tree, i, &w->boxes[i]) == ACRE_OK);
        CHECK(acre_quadtree_refresh(w->shifted.tree, i, &there) == ACRE_OK);
    }
}

static bool lists_equal(const acre_interest_list *a, const acre_interest_list *b)
{
    return a->count == b->count &&
           (a->count == 0 || (memcmp(a->items, b->items, a->count * sizeof *a->items) == 0 &&
                              (!a->bands || memcmp(a->bands, b->bands, a->count) == 0)));
}

// What both see of an item: its band, or none.
static void read_seen(const twin *t, uint32_t observer, uint8_t *bands)
{
    uint32_t items[ITEMS];
    uint8_t listed[ITEMS];
    size_t count = 0;
    memset(bands, 0xff, ITEMS);
    CHECK(acre_interest_list_seen(t->interest, t->observers[observer], items, listed, ITEMS,
                                  &count) == ACRE_OK);
    for (size_t i = 0; i < count; i++) {
        bands[items[i]] = listed[i];
    }
}

static void compare(twins *w)
{
    CHECK(acre_interest_update(w->still.interest) == ACRE_OK);
    CHECK(acre_interest_update(w->shifted.interest) == ACRE_OK);
    const acre_interest_changes a = acre_interest_get_changes(w->still.interest);
    const acre_interest_changes b = acre_interest_get_changes(w->shifted.interest);
    CHECK(lists_equal(&a.entered, &b.entered) && lists_equal(&a.left, &b.left) &&
          lists_equal(&a.changed, &b.changed));
    w->events += a.entered.count + a.left.count + a.changed.count;
    w->by_rings += w->shifted.interest->share.rows_with_rings;
    for (uint32_t i = 0; i < OBSERVERS; i++) {
        uint8_t seen[2][ITEMS];
        read_seen(&w->still, i, seen[0]);
        read_seen(&w->shifted, i, seen[1]);
        CHECK(memcmp(seen[0], seen[1], ITEMS) == 0);
    }
}

static void exact_shifts_change_no_list(void)
{
    static twins w;
    memset(&w, 0, sizeof w);
    w.random.state = test_seed;
    open_twins(&w);
    for (int tick = 0; tick < TICKS; tick++) {
        if (tick % 4 == 3) {
            shift_twin(&w);
        }
        move_items(&w);
        compare(&w);
    }
    CHECK(w.events > 400 && w.by_rings > 500);
    close_twin(&w.still);
    close_twin(&w.shifted);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {TEST(exact_shifts_change_no_list)};
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
