// SPDX-License-Identifier: MIT
// test_divided_calls_threads.c - every call that takes tasks, in one world: frame by frame it finds
// what one thread finds, and the failure of any of its allocations leaves the state as it was.
#include "divided_calls.h"
#include "task_scheduler.h"

#include <string.h>

// Entities. A commit of many has two blocks of rows; set_locals and refresh_all claim blocks of
// 4,096.
enum { FEW = 200, MANY = 1500 };

static task_scheduler *scheduler;
static acre_tasks tasks;

static bool open_tasks(uint32_t workers, task_order order)
{
    scheduler = task_scheduler_create(workers, order, test_seed);
    if (!scheduler) {
        return false;
    }
    tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    return true;
}

static void every_call_of_the_table_is_divided(void)
{
    static divided_world world;
    uint32_t undivided = 0;
    CHECK(open_tasks(4, TASKS_IN_REVERSE));
    CHECK(divided_world_create(&world, MANY, test_seed, &tasks));
    for (uint32_t i = 0; i < DIVIDED_CALLS; i++) {
        const uint32_t runs = task_scheduler_runs(scheduler);
        const acre_result result = divided_calls[i].run(&world);
        if (result != ACRE_OK || task_scheduler_runs(scheduler) == runs) {
            printf("%s: result %d, %u tasks\n", divided_calls[i].name, (int)result,
                   (unsigned)(task_scheduler_runs(scheduler) - runs));
        }
        undivided += result != ACRE_OK || task_scheduler_runs(scheduler) == runs;
    }
    CHECK(undivided == 0);
    divided_world_destroy(&world);
    task_scheduler_destroy(scheduler);
    CHECK(failing_allocator_verdict(&world.memory) == NULL);
}

// ---- frames ----

// The scene, the tree and the view of each frame; the other calls take turns.
static bool is_of_frame(uint32_t call, uint32_t frame)
{
    const char *const name = divided_calls[call].name;
    return strcmp(name, "set_locals") == 0 || strcmp(name, "commit") == 0 ||
           strcmp(name, "refresh_all") == 0 || strcmp(name, "find_visible") == 0 ||
           (call + frame) % 6 == 0;
}

// @return a hash of all frames; 0 if a call failed.
static uint64_t hash_of_frames(uint32_t frames, const acre_tasks *workers)
{
    static divided_world world;
    uint64_t hash = 1;
    bool is_good = divided_world_create(&world, MANY, test_seed, workers);
    for (uint32_t frame = 0; frame < frames && is_good; frame++) {
        for (uint32_t i = 0; i < DIVIDED_CALLS && is_good; i++) {
            is_good = !is_of_frame(i, frame) || divided_calls[i].run(&world) == ACRE_OK;
        }
        if (frame % 25 == 24) {
            is_good = is_good && divided_world_fault(&world) == NULL;
            hash = hash * 31 + divided_world_hash(&world, true);
        }
        divided_world_move(&world);
    }
    hash = hash * 31 + divided_world_hash(&world, true);
    divided_world_destroy(&world);
    return is_good && failing_allocator_verdict(&world.memory) == NULL ? hash : 0;
}

static void four_workers_run_frames_as_one_does(void)
{
    const uint32_t frames = 100 * test_scale;
    const uint64_t serial = hash_of_frames(frames, NULL);
    CHECK(serial != 0);
    CHECK(open_tasks(4, TASKS_ALL_AT_ONCE));
    CHECK(hash_of_frames(frames, &tasks) == serial);
    CHECK(task_scheduler_runs(scheduler) > 20 * frames);
    task_scheduler_destroy(scheduler);
}

// ---- memory ----

// One call, made in a world after some frames and after all calls before it in the table.
typedef struct call_case {
    uint32_t call, frames_before;
    failing_mode mode;
    uint64_t at;
    bool has_failed; // an allocation
    bool was_refused;
    uint64_t hash; // in the end; 0: something is wrong
} call_case;

static bool make_calls_before(divided_world *world, const call_case *one)
{
    bool is_good = true;
    for (uint32_t frame = 0; frame < one->frames_before && is_good; frame++) {
        for (uint32_t i = 0; i < DIVIDED_CALLS && is_good; i++) {
            is_good = divided_calls[i].run(world) == ACRE_OK;
        }
        divided_world_move(world);
    }
    for (uint32_t i = 0; i < one->call && is_good; i++) {
        is_good = divided_calls[i].run(world) == ACRE_OK;
    }
    return is_good;
}

static void make_call(call_case *one, const acre_tasks *workers)
{
    static divided_world world;
    const divided_call *const call = &divided_calls[one->call];
    bool is_good =
        divided_world_create(&world, FEW, test_seed, workers) && make_calls_before(&world, one);
    const uint64_t before = divided_world_hash(&world, true);
    failing_allocator_arm(&world.memory, one->mode, one->at);
    acre_result result = is_good ? call->run(&world) : ACRE_OK;
    one->has_failed = world.memory.failed > 0;
    one->was_refused = result != ACRE_OK;
    failing_allocator_arm(&world.memory, FAIL_NEVER, 0);
    if (one->was_refused) {
        is_good = is_good && one->has_failed && result == ACRE_ERROR_OUT_OF_MEMORY &&
                  (call->changes_what_fits || divided_world_hash(&world, true) == before) &&
                  divided_world_fault(&world) == NULL;
        result = call->run(&world);
    }
    is_good = is_good && result == ACRE_OK && divided_world_fault(&world) == NULL;
    one->hash = divided_world_hash(&world, false);
    divided_world_destroy(&world);
    one->hash = is_good && failing_allocator_verdict(&world.memory) == NULL ? one->hash : 0;
}

// @return how often a call was refused for want of memory, or UINT32_MAX where it went wrong.
static uint32_t fail_each_allocation(uint32_t call, uint32_t frames_before, failing_mode mode)
{
    call_case serial = {.call = call, .frames_before = frames_before, .mode = FAIL_NEVER};
    make_call(&serial, NULL);
    uint32_t refused = 0;
    bool has_failed = serial.hash != 0;
    for (uint64_t at = 1; has_failed; at++) {
        call_case one = serial;
        one.mode = mode;
        one.at = at;
        make_call(&one, &tasks);
        if (one.hash != serial.hash) {
            printf("%s, frame %u, mode %d, allocation %u\n", divided_calls[call].name,
                   (unsigned)frames_before, (int)mode, (unsigned)at);
            return UINT32_MAX;
        }
        has_failed = one.has_failed;
        refused += one.was_refused;
    }
    return serial.hash != 0 ? refused : UINT32_MAX;
}

// The allocator counts without atomics, so that a thread sanitizer sees a call from a task.
static void each_allocation_that_fails_leaves_the_state_as_before(void)
{
    CHECK(open_tasks(4, TASKS_ALL_AT_ONCE));
    uint32_t refused = 0, refusing = 0;
    for (uint32_t call = 0; call < DIVIDED_CALLS; call++) {
        uint32_t of_call = 0;
        for (uint32_t frame = 0; frame < 2; frame++) {
            const uint32_t once = fail_each_allocation(call, frame, FAIL_ONCE);
            const uint32_t from = fail_each_allocation(call, frame, FAIL_FROM);
            CHECK(once != UINT32_MAX && from != UINT32_MAX);
            of_call += once + from;
        }
        refused += of_call;
        refusing += of_call > 0;
    }
    CHECK(refused > 100 && refusing >= 11);
    task_scheduler_destroy(scheduler);
}

static void a_steady_frame_allocates_nothing(void)
{
    static divided_world world;
    CHECK(open_tasks(4, TASKS_ALL_AT_ONCE));
    CHECK(divided_world_create(&world, MANY, test_seed, &tasks));
    for (uint32_t frame = 0; frame < 64; frame++) {
        if (frame == 40) {
            failing_allocator_arm(&world.memory, FAIL_FROM, 1);
        }
        for (uint32_t i = 0; i < DIVIDED_CALLS; i++) {
            const acre_result result =
                divided_calls[i].is_build ? ACRE_OK : divided_calls[i].run(&world);
            if (result != ACRE_OK || world.memory.failed > 0) {
                printf("%s in frame %u\n", divided_calls[i].name, (unsigned)frame);
            }
            CHECK(result == ACRE_OK && world.memory.failed == 0);
        }
        divided_world_move(&world);
    }
    CHECK(world.memory.requests == 0);
    divided_world_destroy(&world);
    task_scheduler_destroy(scheduler);
    CHECK(failing_allocator_verdict(&world.memory) == NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(every_call_of_the_table_is_divided),
        TEST(four_workers_run_frames_as_one_does),
        TEST(each_allocation_that_fails_leaves_the_state_as_before),
        TEST(a_steady_frame_allocates_nothing),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
