// SPDX-License-Identifier: MIT
// test_quadtree_tasks_threads.c - a tree that refreshes on a host's workers is, bit for bit, the
// tree that one thread refreshes: every kernel, order and number of workers.
#include "box_generator.h"
#include "task_scheduler.h"
#include "test.h"

#include <acre/quadtree_calls.h>
#include <acre/quadtree_pairs.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 3000, MOST_FRAMES = 1000 };

static const box_world world = {{0, 0}, 256, 0.5f};

// A world of boxes that move, the same for every tree that follows it.
typedef struct boxes_run {
    test_random random;
    acre_quadtree *tree;
    acre_aabb boxes[ITEMS];
} boxes_run;

static bool begin_run(boxes_run *run, acre_kernel kernel, const acre_tasks *tasks)
{
    const acre_quadtree_def def = {.half_size = 256, .node_capacity = 16, .kernel = kernel};
    run->random.state = test_seed;
    if (acre_quadtree_create(&def, &run->tree) != ACRE_OK ||
        acre_quadtree_set_tasks(run->tree, tasks) != ACRE_OK) {
        return false;
    }
    for (uint32_t i = 0; i < ITEMS; i++) {
        run->boxes[i] = box_valid(&run->random, &world);
        // Every seventh is absent; rows of absent items are ignored.
        if (i % 7 != 0 && acre_quadtree_insert(run->tree, i, &run->boxes[i]) != ACRE_OK) {
            return false;
        }
    }
    return true;
}

// Most boxes move a little, some far away, some become invalid and are refused.
static void move_boxes(boxes_run *run)
{
    for (uint32_t i = 0; i < ITEMS; i++) {
        const uint32_t chance = random_below(&run->random, 100);
        acre_aabb box = run->boxes[i];
        if (chance < 70) {
            box = box_moved(&run->random, &world, &box);
        } else if (chance < 80) {
            box = box_any(&run->random, &world);
        }
        run->boxes[i] = box;
    }
}

// Refreshes and maintains frame by frame. @return whether every state is valid; hashes[frame] is
// the state.
static bool run_frames(acre_kernel kernel, const acre_tasks *tasks, uint32_t frames,
                       uint64_t *hashes)
{
    static boxes_run run;
    bool is_good = begin_run(&run, kernel, tasks);
    for (uint32_t frame = 0; frame < frames && is_good; frame++) {
        move_boxes(&run);
        const size_t count = frame % 4 == 3 ? ITEMS / 2 : ITEMS;
        const acre_result result = acre_quadtree_refresh_all(run.tree, run.boxes, count);
        const acre_quadtree_report report = acre_quadtree_last_report(run.tree);
        hashes[frame] = acre_quadtree_state_hash(run.tree) + report.refused * 31 +
                        (uint64_t)result * 1009 + report.first_row * 10007;
        if (acre_quadtree_maintain_budget(run.tree, 200) != ACRE_OK) {
            hashes[frame] = 0;
        }
        hashes[frame] = hashes[frame] * 31 + acre_quadtree_state_hash(run.tree);
        is_good = acre_quadtree_validate(run.tree, NULL, 0) == ACRE_OK;
    }
    acre_quadtree_destroy(run.tree);
    return is_good;
}

enum { FRAMES = 4 };
static uint64_t wanted[FRAMES];

static bool has_wanted_hashes(const acre_tasks *tasks, uint32_t number)
{
    const acre_kernel kernel = (number + number / 8) % 2 ? ACRE_KERNEL_DEFAULT : ACRE_KERNEL_SCALAR;
    uint64_t found[FRAMES];
    return run_frames(kernel, tasks, FRAMES, found) && memcmp(wanted, found, sizeof wanted) == 0;
}

static void every_kernel_order_and_worker_count_has_one_result(void)
{
    CHECK(run_frames(ACRE_KERNEL_SCALAR, NULL, FRAMES, wanted));
    CHECK(task_scheduler_try_all(has_wanted_hashes));
}

// A tree that is built: from a batch, with a second batch, after items have gone, with layers. Some
// items are outliers, some stand above each other. @return a hash of all states; 0 is a failure.
static uint64_t build_trees(acre_kernel kernel, const acre_tasks *tasks)
{
    static acre_aabb boxes[ITEMS];
    static uint32_t items[ITEMS];
    const acre_quadtree_def def = {.half_size = 256, .node_capacity = 16, .kernel = kernel};
    test_random random = {.state = test_seed};
    acre_quadtree *tree = NULL;
    uint64_t hash = 1;
    bool is_good = acre_quadtree_create(&def, &tree) == ACRE_OK &&
                   acre_quadtree_set_tasks(tree, tasks) == ACRE_OK;
    for (uint32_t i = 0; i < ITEMS; i++) {
        items[i] = (i * 7919u) % ITEMS;
        boxes[i] = i % 97 == 0 ? box_any(&random, &world) : box_valid(&random, &world);
        if (i % 3 == 0) { // a tower
            const float height = random_float(&random, 0, 2000);
            boxes[i] = (acre_aabb){{20, height, 20}, {20.5f, height + 1, 20.5f}};
        }
    }
    for (uint32_t step = 0; step < 4 && is_good; step++) {
        if (step < 2) { // invalid boxes are refused
            ACRE_IGNORE(
                acre_quadtree_insert_many(tree, items + step * ITEMS / 3, boxes, ITEMS / 2));
        } else if (step == 2) {
            is_good = acre_quadtree_set_layers(tree, items[1], 5) == ACRE_OK &&
                      acre_quadtree_remove_many(tree, items + ITEMS / 4, ITEMS / 8) == ACRE_OK &&
                      acre_quadtree_optimize(tree) == ACRE_OK;
        } else {
            is_good =
                acre_quadtree_maintain(tree) == ACRE_OK && acre_quadtree_optimize(tree) == ACRE_OK;
        }
        is_good = is_good && acre_quadtree_validate(tree, NULL, 0) == ACRE_OK;
        hash = hash * 31 + acre_quadtree_state_hash(tree);
    }
    acre_quadtree_destroy(tree);
    return is_good ? hash : 0;
}

static uint64_t built;

static bool builds_the_same(const acre_tasks *tasks, uint32_t number)
{
    return build_trees((number + number / 8) % 2 ? ACRE_KERNEL_DEFAULT : ACRE_KERNEL_SCALAR,
                       tasks) == built;
}

static void every_kernel_order_and_worker_count_builds_one_tree(void)
{
    built = build_trees(ACRE_KERNEL_SCALAR, NULL);
    CHECK(built != 0);
    CHECK(task_scheduler_try_all(builds_the_same));
}

static void four_workers_refresh_many_frames_as_one_does(void)
{
    static uint64_t serial[MOST_FRAMES], found[MOST_FRAMES];
    const uint32_t frames = 50 * test_scale < MOST_FRAMES ? 50 * test_scale : MOST_FRAMES;
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(scheduler);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    CHECK(run_frames(ACRE_KERNEL_DEFAULT, NULL, frames, serial));
    CHECK(run_frames(ACRE_KERNEL_DEFAULT, &tasks, frames, found));
    CHECK(memcmp(serial, found, frames * sizeof *serial) == 0);
    task_scheduler_destroy(scheduler);
}

// Pairs of a tree with tasks and without, with room for some of them. @return whether they are the
// same, in the same order, and nothing beyond the array is written.
static bool pairs_are_equal(acre_quadtree *tree, acre_quadtree *other, const acre_tasks *tasks,
                            size_t capacity, acre_pair *serial, acre_pair *shared)
{
    const acre_pairs_rules rules = {.flags = ACRE_PAIRS_ON_GROUND};
    size_t total[2] = {0, 0};
    acre_pair *const arrays[2] = {serial, shared};
    for (int k = 0; k < 2; k++) {
        memset(arrays[k], 0xa5, (capacity + 1) * sizeof(acre_pair));
        if (acre_quadtree_set_tasks(tree, k == 0 ? NULL : tasks) != ACRE_OK ||
            (other
                 ? acre_quadtree_pairs_between(tree, other, NULL, arrays[k], capacity, &total[k])
                 : acre_quadtree_pairs(tree, &rules, arrays[k], capacity, &total[k])) != ACRE_OK) {
            return false;
        }
    }
    const size_t written = total[0] < capacity ? total[0] : capacity;
    return total[0] == total[1] && total[0] > 0 &&
           memcmp(serial, shared, written * sizeof(acre_pair)) == 0 &&
           memcmp(&serial[capacity], &shared[capacity], sizeof(acre_pair)) == 0;
}

static void pairs_are_found_in_the_same_order(void)
{
    static const uint32_t worker_counts[] = {2, 3, 4, 7, 8, 16, 64};
    static boxes_run run, other;
    CHECK(begin_run(&run, ACRE_KERNEL_DEFAULT, NULL));
    CHECK(begin_run(&other, ACRE_KERNEL_SCALAR, NULL));
    const acre_pairs_rules rules = {.flags = ACRE_PAIRS_ON_GROUND};
    size_t total = 0, between = 0;
    CHECK(acre_quadtree_pairs(run.tree, &rules, NULL, 0, &total) == ACRE_OK);
    CHECK(acre_quadtree_pairs_between(run.tree, other.tree, NULL, NULL, 0, &between) == ACRE_OK);
    const size_t most = total > between ? total : between;
    acre_pair *const serial = malloc((2 * most + 1) * sizeof *serial);
    acre_pair *const shared = malloc((2 * most + 1) * sizeof *shared);
    CHECK(serial && shared);
    for (int order = 0; order < TASK_ORDER_COUNT_; order++) {
        const uint32_t workers = worker_counts[order % 7];
        task_scheduler *const scheduler =
            task_scheduler_create(workers, (task_order)order, test_seed);
        CHECK(scheduler);
        acre_tasks tasks = task_scheduler_tasks(scheduler);
        tasks.divides_small_calls = true;
        const size_t rooms[] = {2 * total, total, total / 2, total / 50, 1, 0};
        for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
            CHECK(pairs_are_equal(run.tree, NULL, &tasks, rooms[i], serial, shared));
        }
        CHECK(pairs_are_equal(run.tree, other.tree, &tasks, 2 * between, serial, shared));
        CHECK(pairs_are_equal(run.tree, other.tree, &tasks, between / 3, serial, shared));
        CHECK(task_scheduler_runs(scheduler) == 8 * (workers - 1));
        task_scheduler_destroy(scheduler);
    }
    free(serial);
    free(shared);
    acre_quadtree_destroy(run.tree);
    acre_quadtree_destroy(other.tree);
}

// Two parallel calls on one tree at a time, on one host.
typedef struct pairs_caller {
    const acre_quadtree *tree;
    acre_pair *pairs;
    size_t room, total;
    uint32_t rounds, wrong;
    uint64_t sum;
} pairs_caller;

static void *find_pairs_again_and_again(void *user)
{
    pairs_caller *const own = user;
    for (uint32_t i = 0; i < own->rounds; i++) {
        uint64_t sum = 0;
        size_t total = 0;
        const acre_result result =
            acre_quadtree_pairs(own->tree, NULL, own->pairs, own->room, &total);
        for (size_t k = 0; k < total && k < own->room; k++) {
            sum = sum * 31 + own->pairs[k].a * UINT64_C(65537) + own->pairs[k].b;
        }
        own->wrong += result != ACRE_OK || (i > 0 && (sum != own->sum || total != own->total));
        own->sum = sum;
        own->total = total;
    }
    return NULL;
}

static void two_threads_ask_one_tree_at_a_time(void)
{
    static boxes_run run;
    CHECK(begin_run(&run, ACRE_KERNEL_DEFAULT, NULL));
    for (int order = 0; order < TASK_ORDER_COUNT_; order++) {
        task_scheduler *const scheduler = task_scheduler_create(3, (task_order)order, test_seed);
        CHECK(scheduler);
        acre_tasks tasks = task_scheduler_tasks(scheduler);
        tasks.divides_small_calls = true;
        CHECK(acre_quadtree_set_tasks(run.tree, &tasks) == ACRE_OK);
        pairs_caller callers[2];
        for (int i = 0; i < 2; i++) {
            callers[i] = (pairs_caller){.tree = run.tree, .room = 100000, .rounds = 3 * test_scale};
            callers[i].pairs = calloc(callers[i].room, sizeof(acre_pair));
            CHECK(callers[i].pairs);
        }
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, find_pairs_again_and_again, &callers[1]) == 0);
        find_pairs_again_and_again(&callers[0]);
        CHECK(pthread_join(thread, NULL) == 0);
        CHECK(callers[0].wrong == 0 && callers[1].wrong == 0);
        CHECK(callers[0].sum == callers[1].sum && callers[0].total == callers[1].total);
        free(callers[0].pairs);
        free(callers[1].pairs);
        CHECK(acre_quadtree_set_tasks(run.tree, NULL) == ACRE_OK);
        task_scheduler_destroy(scheduler);
    }
    acre_quadtree_destroy(run.tree);
}

static void count_call(void *context, const acre_quadtree_call *call)
{
    (void)call;
    ++*(uint32_t *)context;
}

static void small_trees_and_trees_with_a_listener_stay_serial(void)
{
    static boxes_run run;
    uint32_t calls = 0;
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_LATE, test_seed);
    CHECK(scheduler);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    CHECK(begin_run(&run, ACRE_KERNEL_DEFAULT, &tasks));
    CHECK(acre_quadtree_refresh_all(run.tree, run.boxes, ITEMS) == ACRE_OK);
    CHECK(task_scheduler_runs(scheduler) == 0);
    tasks.divides_small_calls = true;
    CHECK(acre_quadtree_set_tasks(run.tree, &tasks) == ACRE_OK);
    CHECK(acre_quadtree_set_listener(run.tree, count_call, &calls) == ACRE_OK);
    calls = 0;
    CHECK(acre_quadtree_refresh_all(run.tree, run.boxes, ITEMS) == ACRE_OK);
    CHECK(task_scheduler_runs(scheduler) == 0 && calls == 1);
    CHECK(acre_quadtree_set_listener(run.tree, NULL, NULL) == ACRE_OK);
    CHECK(acre_quadtree_refresh_all(run.tree, run.boxes, ITEMS) == ACRE_OK);
    CHECK(task_scheduler_runs(scheduler) == 6); // two forks
    acre_quadtree_destroy(run.tree);
    task_scheduler_destroy(scheduler);
}

// A batch stays in order, with tasks too: of an item in two rows the last one wins.
static void rows_of_a_batch_are_applied_in_order(void)
{
    static boxes_run runs[2];
    static uint32_t items[2 * ITEMS];
    static acre_aabb boxes[2 * ITEMS];
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(scheduler);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    CHECK(begin_run(&runs[0], ACRE_KERNEL_DEFAULT, NULL));
    CHECK(begin_run(&runs[1], ACRE_KERNEL_DEFAULT, &tasks));
    test_random random = {.state = test_seed};
    for (uint32_t i = 0; i < 2 * ITEMS; i++) { // most items twice, and near each other some
        items[i] = random_below(&random, i % 9 ? ITEMS : 5);
        boxes[i] = box_valid(&random, &world);
        ACRE_IGNORE(acre_quadtree_refresh(runs[0].tree, items[i], &boxes[i]));
    }
    CHECK(acre_quadtree_refresh_many(runs[1].tree, items, boxes, 2 * ITEMS) ==
          ACRE_ERROR_NOT_FOUND); // every seventh item is absent
    CHECK(acre_quadtree_state_hash(runs[0].tree) == acre_quadtree_state_hash(runs[1].tree));
    CHECK(acre_quadtree_validate(runs[1].tree, NULL, 0) == ACRE_OK);
    acre_quadtree_destroy(runs[0].tree);
    acre_quadtree_destroy(runs[1].tree);
    task_scheduler_destroy(scheduler);
}

static void tasks_without_a_function_are_refused(void)
{
    static boxes_run run;
    CHECK(begin_run(&run, ACRE_KERNEL_DEFAULT, NULL));
    const acre_tasks bad = {.worker_count = 2};
    CHECK(acre_quadtree_set_tasks(run.tree, &bad) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_quadtree_set_tasks(NULL, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    acre_quadtree_destroy(run.tree);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(every_kernel_order_and_worker_count_has_one_result),
        TEST(every_kernel_order_and_worker_count_builds_one_tree),
        TEST(four_workers_refresh_many_frames_as_one_does),
        TEST(pairs_are_found_in_the_same_order),
        TEST(two_threads_ask_one_tree_at_a_time),
        TEST(small_trees_and_trees_with_a_listener_stay_serial),
        TEST(rows_of_a_batch_are_applied_in_order),
        TEST(tasks_without_a_function_are_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
