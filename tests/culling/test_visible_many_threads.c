// SPDX-License-Identifier: MIT
// test_visible_many_threads.c - many views found side by side on a host's workers: in every order
// each set is what the oracle says, and the bits that one thread finds.
#include "failing_allocator.h"
#include "task_scheduler.h"
#include "view_world.h"

#include <string.h>

#define VIEWS 9
#define ALL_FLAGS (ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES | ACRE_VISIBLE_BITS | ACRE_VISIBLE_SUM)

typedef struct views_run {
    view_world world;
    view_rig rigs[VIEWS];
    acre_view views[VIEWS];
    acre_visible_set *sets[VIEWS];
} views_run;

static bool begin_run(views_run *run, int entities, const acre_allocator *allocator)
{
    const view_world_def def = {.seed = test_seed, .entities = entities, .register_all = true};
    if (!view_world_create(&run->world, &def)) {
        return false;
    }
    for (uint32_t i = 0; i < VIEWS; i++) {
        if (!view_rig_create(&run->rigs[i], test_seed + i, i & 1 ? ALL_FLAGS : i, allocator)) {
            return false;
        }
        run->sets[i] = run->rigs[i].set;
    }
    return true;
}

static void end_run(views_run *run)
{
    for (int i = 0; i < VIEWS; i++) {
        view_rig_destroy(&run->rigs[i]);
    }
    view_world_destroy(&run->world);
}

// Moves the world and the cameras by a frame. @return whether that went well.
static bool next_frame(views_run *run)
{
    if (view_world_frame(&run->world)) {
        return false;
    }
    for (int i = 0; i < VIEWS; i++) {
        view_rig_move(&run->rigs[i], &run->world);
        run->views[i] = run->rigs[i].view;
    }
    return true;
}

// Frames of a world with these tasks, each compared with the oracle. @return a hash of all that was
// found; 0 if something is wrong.
static uint64_t hash_of_frames(const acre_tasks *tasks, int entities, int frames)
{
    static views_run run;
    uint64_t hash = 0;
    if (begin_run(&run, entities, NULL) &&
        acre_culling_set_tasks(run.world.culling, tasks) == ACRE_OK) {
        hash = 1;
        for (int frame = 0; frame < frames && hash; frame++) {
            bool is_good =
                next_frame(&run) && acre_culling_find_visible_many(run.world.culling, run.views,
                                                                   run.sets, VIEWS) == ACRE_OK;
            for (int i = 0; i < VIEWS && is_good; i++) {
                is_good = view_rig_compare(&run.rigs[i], &run.world) == NULL;
            }
            hash = is_good ? hash : 0;
        }
        for (int i = 0; i < VIEWS && hash; i++) {
            hash = hash * UINT64_C(0x9e3779b97f4a7c15) + run.rigs[i].hash;
        }
    }
    end_run(&run);
    return hash;
}

static uint64_t serial_hash;

static bool has_serial_hash(const acre_tasks *tasks, uint32_t number)
{
    (void)number;
    return hash_of_frames(tasks, 150, 8) == serial_hash;
}

static void every_order_and_worker_count_finds_the_same_bits(void)
{
    serial_hash = hash_of_frames(NULL, 150, 8);
    CHECK(serial_hash != 0);
    CHECK(task_scheduler_try_all(has_serial_hash));
}

static void four_workers_find_a_thousand_frames_as_one_does(void)
{
    const int frames = (int)(60 * test_scale);
    const uint64_t serial = hash_of_frames(NULL, 500, frames);
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(scheduler && serial != 0);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    CHECK(hash_of_frames(&tasks, 500, frames) == serial);
    task_scheduler_destroy(scheduler);
}

static void small_calls_are_not_divided(void)
{
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(scheduler);
    const acre_tasks tasks = task_scheduler_tasks(scheduler);
    CHECK(hash_of_frames(&tasks, 150, 4) != 0);
    CHECK(task_scheduler_runs(scheduler) == 0);
    task_scheduler_destroy(scheduler);
}

// A set that stands twice is found twice, in order, by one thread; NULL is refused as without
// tasks.
static void sets_that_cannot_be_found_side_by_side_are_found_in_order(void)
{
    static views_run run;
    CHECK(begin_run(&run, 150, NULL));
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(scheduler);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    acre_culling *const culling = run.world.culling;
    CHECK(acre_culling_set_tasks(culling, &tasks) == ACRE_OK);
    CHECK(next_frame(&run));
    acre_visible_set *twice[3] = {run.sets[0], run.sets[1], run.sets[0]};
    CHECK(acre_culling_find_visible_many(culling, run.views, twice, 3) == ACRE_OK);
    CHECK(acre_visible_set_view(run.sets[0])->eye[0] == run.views[2].eye[0]);
    acre_visible_set *missing[3] = {run.sets[0], NULL, run.sets[1]};
    CHECK(acre_culling_find_visible_many(culling, run.views, missing, 3) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_visible_set_view(run.sets[1])->eye[0] == run.views[2].eye[0]);
    CHECK(task_scheduler_runs(scheduler) == 0);
    task_scheduler_destroy(scheduler);
    end_run(&run);
}

static void tasks_without_a_function_are_refused(void)
{
    static views_run run;
    CHECK(begin_run(&run, 20, NULL));
    const acre_tasks bad = {.worker_count = 2};
    CHECK(acre_culling_set_tasks(run.world.culling, &bad) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_culling_set_tasks(NULL, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_culling_set_tasks(run.world.culling, NULL) == ACRE_OK);
    end_run(&run);
}

// The allocator is not for several threads: it counts without atomics, and the thread sanitizer
// sees a call from a task.
static void no_task_calls_an_allocator_and_short_memory_is_told(void)
{
    static views_run run;
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    CHECK(begin_run(&run, 300, &memory.allocator));
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(scheduler);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    CHECK(acre_culling_set_tasks(run.world.culling, &tasks) == ACRE_OK);
    CHECK(next_frame(&run));
    failing_allocator_arm(&memory, FAIL_FROM, 1);
    CHECK(acre_culling_find_visible_many(run.world.culling, run.views, run.sets, VIEWS) ==
          ACRE_ERROR_OUT_OF_MEMORY);
    for (int i = 0; i < VIEWS; i++) {
        CHECK(acre_visible_set_get(run.sets[i]).count == 0);
    }
    failing_allocator_arm(&memory, FAIL_NEVER, 0);
    CHECK(acre_culling_find_visible_many(run.world.culling, run.views, run.sets, VIEWS) == ACRE_OK);
    for (int i = 0; i < VIEWS; i++) {
        CHECK(view_rig_compare(&run.rigs[i], &run.world) == NULL);
    }
    task_scheduler_destroy(scheduler);
    end_run(&run);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(every_order_and_worker_count_finds_the_same_bits),
        TEST(four_workers_find_a_thousand_frames_as_one_does),
        TEST(small_calls_are_not_divided),
        TEST(sets_that_cannot_be_found_side_by_side_are_found_in_order),
        TEST(tasks_without_a_function_are_refused),
        TEST(no_task_calls_an_allocator_and_short_memory_is_told),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
