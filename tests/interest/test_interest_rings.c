// SPDX-License-Identifier: MIT
// test_interest_rings.c - in near-still worlds observers ask for what is near their limits alone.
// An interest that does so lists the same as one that searches for everything, also with workers,
// and the same with every kernel.
#include "failing_allocator.h"
#include "task_scheduler.h"
#include "test.h"

#include "interest_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 300, OBSERVERS = 16, SIDE = 60, WORKERS = 3 };
enum { BY_RINGS, BY_SEARCH, IN_SHARES, WAYS }; // in shares: by rings, with workers

typedef struct still_world {
    test_random random;
    acre_quadtree *tree;
    acre_interest *interests[WAYS];
    failing_allocator memory; // of the first one
    task_scheduler *scheduler;
    acre_observer observers[WAYS][OBSERVERS];
    acre_observer_def defs[OBSERVERS];
    acre_aabb boxes[ITEMS];
    bool is_there[ITEMS];
    uint32_t touched[4 * ITEMS];
    size_t touched_count;
    bool by_change; // the next update is told what changed
    size_t by_rings[WAYS], events, failures;
    uint64_t told; // hash of all lists
} still_world;

static float step(still_world *w, float most)
{
    return ((float)random_below(&w->random, 2001) / 1000 - 1) * most;
}

static void touch(still_world *w, uint32_t item)
{
    if (w->touched_count < sizeof w->touched / sizeof *w->touched) {
        w->touched[w->touched_count++] = item;
    }
}

static void shift(acre_aabb *box, int axis, float by)
{
    box->min[axis] += by;
    box->max[axis] += by;
}

static acre_aabb anywhere(still_world *w)
{
    const float x = step(w, SIDE), y = step(w, SIDE / 2), z = step(w, SIDE);
    acre_aabb box = {{x, y, z}, {x + 1, y + 1, z + 0.5f}};
    if (random_below(&w->random, 50) == 0) {
        box.max[random_below(&w->random, 3)] = INFINITY;
    }
    return box;
}

static acre_observer_def any_observer(still_world *w)
{
    test_random *const random = &w->random;
    acre_observer_def def = {.place = {step(w, SIDE), step(w, 3), step(w, SIDE)},
                             .follows_item = random_below(random, 2),
                             .item = random_below(random, ITEMS),
                             .enter_radius = 15 + (float)random_below(random, 40),
                             .in_space = random_below(random, 2),
                             .sees_itself = random_below(random, 3) == 0,
                             .ignores_ranges = random_below(random, 2),
                             .layers = random_below(random, 4) == 0 ? 1 : 0};
    def.leave_radius = random_below(random, 2) ? def.enter_radius * 1.05f : 0;
    for (uint32_t i = 0; i < 3 && random_below(random, 2); i++) {
        def.band_limits[i] = def.enter_radius * (float)(i + 1) / 4;
    }
    return def;
}

// ---- edits, of both interests alike ----

static void set_observer(still_world *w, uint32_t i, const acre_observer_def *def)
{
    w->defs[i] = *def;
    for (int k = 0; k < WAYS; k++) {
        CHECK(acre_interest_set(w->interests[k], w->observers[k][i], def) == ACRE_OK);
    }
}

static void edit_observer(still_world *w)
{
    const uint32_t i = random_below(&w->random, OBSERVERS);
    acre_observer_def def = any_observer(w);
    if (random_below(&w->random, 2)) { // one field alone
        const acre_observer_def other = def;
        def = w->defs[i];
        switch (random_below(&w->random, 4)) {
        case 0:
            def.in_space = !def.in_space;
            break;
        case 1:
            def.ignores_ranges = other.ignores_ranges;
            break;
        case 2:
            def.band_limits[0] = def.band_limits[0] > 0 ? 0 : def.enter_radius / 2;
            def.band_limits[1] = def.band_limits[2] = 0;
            break;
        default:
            def.enter_radius = other.enter_radius;
            def.leave_radius = other.leave_radius;
            break;
        }
    }
    set_observer(w, i, &def);
}

static void edit_range(still_world *w)
{
    const uint32_t item = random_below(&w->random, 2); // so that at times nothing has a range
    const float range = (float)random_below(&w->random, 2) * 70;
    const acre_range_batch batch = {.items = &item, .ranges = &range, .count = 1};
    for (int k = 0; k < WAYS; k++) {
        acre_result result;
        do { // once more where memory has failed
            result = acre_interest_set_ranges(w->interests[k], &batch);
        } while (result == ACRE_ERROR_OUT_OF_MEMORY && k == 0);
        CHECK(result == ACRE_OK);
    }
}

static void forget(still_world *w, uint32_t item)
{
    for (int k = 0; k < WAYS; k++) {
        acre_result result;
        do {
            result = acre_interest_forget(w->interests[k], item);
        } while (result == ACRE_ERROR_OUT_OF_MEMORY && k == 0);
        CHECK(result == ACRE_OK);
    }
}

// What happens beside small steps: once in a while, to one item or observer.
static void edit_world(still_world *w)
{
    const uint32_t item = random_below(&w->random, ITEMS);
    const uint32_t kind = random_below(&w->random, 8);
    touch(w, item);
    if (!w->is_there[item]) {
        CHECK(acre_quadtree_insert(w->tree, item, &w->boxes[item]) == ACRE_OK);
        w->is_there[item] = true;
    } else if (kind == 0) {
        CHECK(acre_quadtree_remove(w->tree, item) == ACRE_OK);
        w->is_there[item] = false;
    } else if (kind == 1) {
        w->boxes[item] = anywhere(w);
        CHECK(acre_quadtree_refresh(w->tree, item, &w->boxes[item]) == ACRE_OK);
    } else if (kind == 2) {
        const uint32_t layers = 1 + random_below(&w->random, 2);
        CHECK(acre_quadtree_set_layers(w->tree, item, layers) == ACRE_OK);
    } else if (kind == 3) {
        forget(w, item);
    } else if (kind == 4) {
        edit_range(w);
    } else {
        edit_observer(w);
    }
}

// Nearly all, or few where the update is told what changed.
static void move_items(still_world *w)
{
    for (uint32_t i = 0; i < ITEMS; i++) {
        acre_aabb *const box = &w->boxes[i];
        if (!w->is_there[i] || random_below(&w->random, 3) == 0 || (w->by_change && i % 60 > 0)) {
            continue;
        }
        shift(box, 0, step(w, 0.1f));
        shift(box, 1, step(w, 1.5f));
        shift(box, 2, step(w, 0.1f));
        if (box->max[0] < INFINITY && random_below(&w->random, 4) == 0) { // grows or shrinks
            box->max[0] = box->min[0] + 0.5f + (float)random_below(&w->random, 2) / 4;
        }
        CHECK(acre_quadtree_refresh(w->tree, i, box) == ACRE_OK);
        touch(w, i);
    }
    for (uint32_t i = 0; i < OBSERVERS; i++) {
        if (random_below(&w->random, 4) == 0) {
            acre_observer_def def = w->defs[i];
            for (int axis = 0; axis < 3; axis++) {
                def.place[axis] += step(w, axis == 1 ? 3 : 0.3f);
            }
            set_observer(w, i, &def);
        }
    }
}

// ---- both updated and compared ----

static bool lists_are_equal(const acre_interest_list *a, const acre_interest_list *b, size_t rows)
{
    return a->count == b->count &&
           memcmp(a->offsets, b->offsets, (rows + 1) * sizeof *a->offsets) == 0 &&
           (a->count == 0 || (memcmp(a->items, b->items, a->count * sizeof *a->items) == 0 &&
                              (!a->bands || memcmp(a->bands, b->bands, a->count) == 0)));
}

static uint64_t mix_list(uint64_t hash, const acre_interest_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        hash = (hash ^ list->items[i]) * 0x100000001b3u;
        hash = (hash ^ (list->bands ? list->bands[i] : 0)) * 0x100000001b3u;
    }
    return hash ^ list->count;
}

static size_t rows_with_rings(const acre_interest *interest)
{
    size_t rows = 0;
    for (uint32_t i = 0; i < interest->share_count; i++) {
        rows += const_share_at(interest, i)->rows_with_rings;
    }
    return rows;
}

static void refresh(still_world *w, uint32_t item, const acre_aabb *box)
{
    CHECK(acre_quadtree_refresh(w->tree, item, box) == ACRE_OK);
    touch(w, item);
}

// An item that is elsewhere during an update by change is back in the next one.
static void update_both(still_world *w)
{
    const uint32_t guest = random_below(&w->random, ITEMS);
    const bool has_guest = w->by_change && w->is_there[guest];
    if (has_guest) {
        const acre_aabb box = anywhere(w);
        refresh(w, guest, &box);
    }
    for (int k = 0; k < WAYS; k++) {
        acre_result result;
        do {
            result = w->by_change ? acre_interest_update_changed(w->interests[k], w->touched,
                                                                 w->touched_count)
                                  : acre_interest_update(w->interests[k]);
            w->failures += result == ACRE_ERROR_OUT_OF_MEMORY;
        } while (result == ACRE_ERROR_OUT_OF_MEMORY && k == 0);
        CHECK(result == ACRE_OK);
    }
    const acre_interest_changes a = acre_interest_get_changes(w->interests[BY_SEARCH]);
    for (int k = 0; k < WAYS; k++) {
        char message[100];
        const acre_interest_changes b = acre_interest_get_changes(w->interests[k]);
        CHECK(lists_are_equal(&a.entered, &b.entered, a.row_count));
        CHECK(lists_are_equal(&a.left, &b.left, a.row_count));
        CHECK(lists_are_equal(&a.changed, &b.changed, a.row_count));
        CHECK(acre_interest_validate(w->interests[k], message, sizeof message) == ACRE_OK);
        w->by_rings[k] += rows_with_rings(w->interests[k]);
    }
    w->events += a.entered.count + a.left.count + a.changed.count;
    w->told = mix_list(mix_list(mix_list(w->told, &a.entered), &a.left), &a.changed);
    w->touched_count = 0;
    if (has_guest) {
        refresh(w, guest, &w->boxes[guest]);
    }
}

// @return false: no such kernel.
static bool open_world(still_world *w, uint64_t seed, acre_kernel kernel)
{
    memset(w, 0, sizeof *w);
    w->random = (test_random){seed};
    const acre_quadtree_def tree_def = {.half_size = SIDE, .node_capacity = 16, .kernel = kernel};
    if (acre_quadtree_create(&tree_def, &w->tree) != ACRE_OK) {
        return false;
    }
    failing_allocator_init(&w->memory, FAIL_NEVER, 0);
    for (int k = 0; k < WAYS; k++) {
        const acre_interest_def def = {.allocator = k == BY_RINGS ? &w->memory.allocator : NULL,
                                       .kernel = kernel};
        EXPECT(acre_interest_create(w->tree, &def, &w->interests[k]) == ACRE_OK);
        w->interests[k]->least_set = 4;
        w->interests[k]->rings.price = k == BY_SEARCH ? UINT32_MAX : 0;
    }
    w->scheduler = task_scheduler_create(WORKERS, TASKS_AT_RANDOM, seed);
    EXPECT(w->scheduler != NULL);
    acre_tasks tasks = task_scheduler_tasks(w->scheduler);
    tasks.divides_small_calls = true;
    EXPECT(acre_interest_set_tasks(w->interests[IN_SHARES], &tasks) == ACRE_OK);
    for (uint32_t i = 0; i < ITEMS; i++) {
        w->boxes[i] = anywhere(w);
        w->is_there[i] = true;
        EXPECT(acre_quadtree_insert(w->tree, i, &w->boxes[i]) == ACRE_OK);
    }
    for (uint32_t i = 0; i < OBSERVERS; i++) {
        w->defs[i] = any_observer(w);
        for (int k = 0; k < WAYS; k++) {
            EXPECT(acre_interest_add(w->interests[k], &w->defs[i], &w->observers[k][i]) == ACRE_OK);
        }
    }
    return true;
}

static void run_world(still_world *w)
{
    for (uint32_t tick = 0; tick < 150; tick++) {
        failing_allocator_arm(&w->memory, FAIL_ONCE, 1 + random_below(&w->random, 12));
        w->by_change = random_below(&w->random, 4) == 0;
        for (uint32_t i = random_below(&w->random, 4); i-- > 1;) {
            edit_world(w);
        }
        move_items(w);
        update_both(w);
    }
}

static void close_world(still_world *w)
{
    failing_allocator_arm(&w->memory, FAIL_NEVER, 0);
    for (int k = 0; k < WAYS; k++) {
        acre_interest_destroy(w->interests[k]);
    }
    acre_quadtree_destroy(w->tree);
    CHECK(task_scheduler_runs(w->scheduler) > 0);
    task_scheduler_destroy(w->scheduler);
    CHECK(failing_allocator_verdict(&w->memory) == NULL);
}

static void rings_list_what_searches_list(void)
{
    size_t by_rings = 0, in_shares = 0, events = 0, failures = 0;
    still_world *const w = malloc(sizeof *w);
    CHECK(w != NULL);
    for (uint64_t world = 0; world < 3 * test_scale; world++) {
        uint64_t told = 0; // with the first kernel
        for (int kernel = ACRE_KERNEL_SCALAR; kernel < ACRE_KERNEL_COUNT_; kernel++) {
            if (!open_world(w, test_seed + world, (acre_kernel)kernel)) {
                CHECK(kernel != ACRE_KERNEL_SCALAR);
                continue;
            }
            run_world(w);
            close_world(w);
            told = told ? told : w->told;
            CHECK(w->told == told);
            CHECK(w->by_rings[BY_SEARCH] == 0);
            by_rings += w->by_rings[BY_RINGS];
            in_shares += w->by_rings[IN_SHARES];
            events += w->events;
            failures += w->failures;
        }
    }
    free(w);
    CHECK(by_rings > 400 && in_shares > 400 && events > 1000 && failures > 4);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {TEST(rings_list_what_searches_list)};
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
