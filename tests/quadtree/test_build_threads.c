// SPDX-License-Identifier: MIT
// test_build_threads.c - builds on a host's workers: collected, sorted and planned in shares, the
// tree is bit for bit the one that one thread builds, and so is the report of refused rows.
#include "box_generator.h"
#include "failing_allocator.h"
#include "task_scheduler.h"

#include <acre/quadtree.h>

#include <string.h>

enum { ITEMS = 16000, WORLDS = 6, STEPS = 3 };

static acre_aabb boxes[ITEMS];
static uint32_t items[ITEMS];

// What a world's rows are. The shares must see each of these, not only the plain one.
typedef struct build_world {
    const char *name;
    float half_size;        // of the tree: small ones grow
    uint32_t item_capacity; // 0: room for all
    float tower;            // height of a tower that half of the items stand in; 0: none
    uint32_t bad_row;       // every so many'th row is invalid; 0: none
    uint32_t twice;         // every so many'th item stands in two rows; 0: none
} build_world;

static const build_world worlds[WORLDS] = {
    {"plain", 256, 0, 0, 0, 0},        {"grows", 4, 0, 0, 0, 0},
    {"low tower", 256, 0, 45, 0, 0},   {"high tower", 256, 0, 3000, 0, 0},
    {"bad rows", 256, 0, 45, 4001, 0}, {"twice", 256, ITEMS - 900, 0, 0, 3999},
};

static void make_rows(const build_world *world)
{
    static const box_world around = {{0, 0}, 256, 0.5f};
    test_random random = {test_seed};
    for (uint32_t i = 0; i < ITEMS; i++) {
        items[i] = (i * 7919u) % ITEMS;
        boxes[i] = box_valid(&random, &around);
        if (world->tower > 0 && i % 2) {
            const float at = random_float(&random, 20, 20.5f);
            const float height = random_float(&random, 0, world->tower);
            boxes[i] = (acre_aabb){{at, height, at}, {at + 0.3f, height + 0.3f, at + 0.3f}};
        }
        if (world->bad_row && i % world->bad_row == 17) {
            boxes[i].min[1] = boxes[i].max[1] + 1;
        }
        if (world->twice && i % world->twice == 100) {
            items[i] = items[i - 50];
        }
    }
}

typedef struct build_result {
    uint64_t hashes[STEPS];
    acre_quadtree_report reports[STEPS];
    size_t bands;
} build_result;

// Builds of a batch, then with a second one, then anew.
static bool build(const build_world *world, acre_kernel kernel, const acre_tasks *tasks,
                  const acre_allocator *allocator, build_result *out)
{
    const acre_quadtree_def def = {.half_size = world->half_size,
                                   .node_capacity = 16,
                                   .item_capacity = world->item_capacity,
                                   .kernel = kernel,
                                   .allocator = allocator};
    acre_quadtree *tree = NULL;
    memset(out, 0, sizeof *out);
    bool is_good = acre_quadtree_create(&def, &tree) == ACRE_OK &&
                   acre_quadtree_set_tasks(tree, tasks) == ACRE_OK;
    for (uint32_t step = 0; step < STEPS && is_good; step++) {
        if (step < 2) {
            ACRE_IGNORE(acre_quadtree_insert_many(tree, items + step * (ITEMS / 2),
                                                  boxes + step * (ITEMS / 2), ITEMS / 2));
            out->reports[step] = acre_quadtree_last_report(tree);
        } else {
            is_good = acre_quadtree_optimize(tree) == ACRE_OK;
        }
        is_good = is_good && acre_quadtree_validate(tree, NULL, 0) == ACRE_OK;
        out->hashes[step] = acre_quadtree_state_hash(tree);
    }
    acre_quadtree_stats stats = {0};
    if (tree) {
        acre_quadtree_get_stats(tree, &stats);
    }
    out->bands = stats.bands;
    acre_quadtree_destroy(tree);
    return is_good;
}

static bool are_same(const build_result *a, const build_result *b)
{
    bool is_same = a->bands == b->bands;
    for (uint32_t i = 0; i < STEPS && is_same; i++) {
        is_same = a->hashes[i] == b->hashes[i] && a->reports[i].refused == b->reports[i].refused &&
                  a->reports[i].first_row == b->reports[i].first_row &&
                  a->reports[i].first_result == b->reports[i].first_result;
    }
    return is_same;
}

static const build_world *tried;
static build_result expected;

static bool builds_in_shares(uint32_t workers, task_order order)
{
    task_scheduler *const scheduler = task_scheduler_create(workers, order, test_seed);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    build_result found;
    const bool is_good = build(tried, ACRE_KERNEL_DEFAULT, &tasks, NULL, &found) &&
                         are_same(&found, &expected) && task_scheduler_runs(scheduler) > 0;
    task_scheduler_destroy(scheduler);
    return is_good;
}

static void every_world_is_built_alike_by_every_number_of_workers(void)
{
    static const uint32_t workers[] = {2, 3, 7, 64};
    size_t refused = 0, bands = 0;
    for (uint32_t i = 0; i < WORLDS; i++) {
        tried = &worlds[i];
        make_rows(tried);
        CHECK(build(tried, ACRE_KERNEL_SCALAR, NULL, NULL, &expected));
        refused += expected.reports[0].refused + expected.reports[1].refused;
        bands = expected.bands > bands ? expected.bands : bands;
        for (uint32_t k = 0; k < 4; k++) {
            CHECK(builds_in_shares(workers[k], (task_order)((i + k) % TASK_ORDER_COUNT_)));
        }
    }
    CHECK(refused > 900);
    CHECK(bands >= 20); // in five cells of one job: more than it has room for
}

static void a_plain_world_is_built_alike_in_every_order(void)
{
    tried = &worlds[0];
    make_rows(tried);
    CHECK(build(tried, ACRE_KERNEL_SCALAR, NULL, NULL, &expected));
    for (int order = 0; order < TASK_ORDER_COUNT_; order++) {
        CHECK(builds_in_shares(4, (task_order)order));
    }
}

// The allocator counts without atomics, so that a thread sanitizer sees a call from a task. Without
// memory for shares one thread builds; without memory for a build rows are inserted one by one or
// refused, and the tree is valid.
static void short_memory_builds_a_tree_or_changes_nothing(void)
{
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(scheduler);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    tried = &worlds[2];
    make_rows(tried);
    CHECK(build(tried, ACRE_KERNEL_DEFAULT, NULL, NULL, &expected));
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    const acre_quadtree_def def = {
        .half_size = 256, .node_capacity = 16, .allocator = &memory.allocator};
    uint32_t same = 0, failures = 0;
    bool has_ended = false;
    for (uint64_t at = 1; !has_ended; at++) {
        acre_quadtree *tree;
        failing_allocator_arm(&memory, FAIL_NEVER, 0);
        CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
        CHECK(acre_quadtree_set_tasks(tree, &tasks) == ACRE_OK);
        CHECK(acre_quadtree_insert_many(tree, items, boxes, ITEMS / 2) == ACRE_OK);
        CHECK(acre_quadtree_insert_many(tree, items + ITEMS / 2, boxes + ITEMS / 2, ITEMS / 2) ==
              ACRE_OK);
        const uint64_t before = acre_quadtree_state_hash(tree);
        failing_allocator_arm(&memory, FAIL_ONCE, at);
        const acre_result result = acre_quadtree_optimize(tree);
        has_ended = memory.failed == 0;
        CHECK(acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);
        const uint64_t after = acre_quadtree_state_hash(tree);
        CHECK(after == (result == ACRE_OK ? expected.hashes[2] : before));
        same += result == ACRE_OK;
        failures += result != ACRE_OK;
        acre_quadtree_destroy(tree);
    }
    CHECK(same > 3 && failures > 2); // three allocations are of shares alone
    task_scheduler_destroy(scheduler);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(every_world_is_built_alike_by_every_number_of_workers),
        TEST(a_plain_world_is_built_alike_in_every_order),
        TEST(short_memory_builds_a_tree_or_changes_nothing),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
