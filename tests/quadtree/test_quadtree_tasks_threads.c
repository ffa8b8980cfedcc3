// SPDX-License-Identifier: MIT
// test_quadtree_tasks_threads.c - a tree that refreshes on a host's workers is, bit for bit, the
// tree that one thread refreshes: every kernel, order and number of workers.
#include "box_generator.h"
#include "task_scheduler.h"
#include "test.h"

#include <acre/quadtree_calls.h>

#include <stdlib.h>
#include <string.h>

enum { ITEMS = 6000, MOST_FRAMES = 1000 };

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

// Refreshes frame by frame. @return whether every state is valid; hashes[frame] is the state.
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
        is_good = acre_quadtree_validate(run.tree, NULL, 0) == ACRE_OK;
    }
    acre_quadtree_destroy(run.tree);
    return is_good;
}

static void every_kernel_order_and_worker_count_has_one_result(void)
{
    static const uint32_t worker_counts[] = {1, 2, 3, 4, 7, 8, 16, 64};
    static const acre_kernel kernels[] = {ACRE_KERNEL_SCALAR, ACRE_KERNEL_DEFAULT};
    enum { FRAMES = 6 };
    uint64_t serial[FRAMES], found[FRAMES];
    CHECK(run_frames(ACRE_KERNEL_SCALAR, NULL, FRAMES, serial));
    for (int order = 0; order < TASK_ORDER_COUNT_; order++) {
        for (size_t i = 0; i < sizeof worker_counts / sizeof worker_counts[0]; i++) {
            task_scheduler *const scheduler =
                task_scheduler_create(worker_counts[i], (task_order)order, test_seed);
            CHECK(scheduler);
            acre_tasks tasks = task_scheduler_tasks(scheduler);
            tasks.divides_small_calls = true;
            CHECK(run_frames(kernels[i % 2], &tasks, FRAMES, found));
            CHECK(memcmp(serial, found, sizeof serial) == 0);
            CHECK(task_scheduler_runs(scheduler) == FRAMES * (worker_counts[i] - 1));
            task_scheduler_destroy(scheduler);
        }
    }
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
    CHECK(task_scheduler_runs(scheduler) == 3);
    acre_quadtree_destroy(run.tree);
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
        TEST(four_workers_refresh_many_frames_as_one_does),
        TEST(small_trees_and_trees_with_a_listener_stay_serial),
        TEST(tasks_without_a_function_are_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
