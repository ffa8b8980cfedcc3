// SPDX-License-Identifier: MIT
// test_tasks_threads.c - shares and blocks on a host's workers (acre/tasks.h), in every order.
#include "task_scheduler.h"
#include "test.h"

#include <tasks_internal.h>

#include <pthread.h>
#include <string.h>

#define BLOCKS 500

static const uint32_t worker_counts[] = {1, 2, 3, 4, 7, 8, 16, 64};
enum { WORKER_COUNTS = sizeof worker_counts / sizeof worker_counts[0] };

// A call that writes each block's square once.
typedef struct squares {
    block_claim claim;
    uint32_t square[BLOCKS];
    uint32_t writes[BLOCKS];
    uint32_t share_runs[ACRE_TASKS_MAX_WORKERS];
} squares;

static void write_squares(void *context, uint32_t share)
{
    squares *const call = context;
    call->share_runs[share]++;
    for (uint32_t block; claim_block(&call->claim, &block);) {
        call->square[block] = block * block;
        call->writes[block]++;
    }
}

static void write_near_squares(void *context, uint32_t share)
{
    squares *const call = context;
    call->share_runs[share]++;
    for (uint32_t block; claim_near_block(&call->claim, share, &block);) {
        call->square[block] = block * block;
        call->writes[block]++;
    }
}

static bool squares_are_right(const squares *call, uint32_t shares)
{
    for (uint32_t i = 0; i < BLOCKS; i++) {
        if (call->square[i] != i * i || call->writes[i] != 1) {
            return false;
        }
    }
    for (uint32_t i = 0; i < ACRE_TASKS_MAX_WORKERS; i++) {
        if (call->share_runs[i] != (i < shares)) {
            return false;
        }
    }
    return true;
}

static void every_share_and_every_block_runs_once_in_every_order(void)
{
    for (int order = 0; order < TASK_ORDER_COUNT_; order++) {
        for (int i = 0; i < WORKER_COUNTS; i++) {
            const uint32_t workers = worker_counts[i];
            task_scheduler *const scheduler =
                task_scheduler_create(workers, (task_order)order, test_seed);
            CHECK(scheduler);
            const acre_tasks tasks = task_scheduler_tasks(scheduler);
            share_function *const writers[] = {write_squares, write_near_squares};
            for (int k = 0; k < 2; k++) {
                static squares call;
                memset(&call, 0, sizeof call);
                call.claim.count = BLOCKS;
                acre_run_shares(&tasks, "test", workers, writers[k], &call);
                CHECK(squares_are_right(&call, workers));
            }
            CHECK(task_scheduler_runs(scheduler) == 2 * (workers - 1));
            task_scheduler_destroy(scheduler);
        }
    }
}

static void odd_shares_claim_from_the_last_block(void)
{
    block_claim claim = {.count = 3};
    uint32_t block;
    CHECK(claim_near_block(&claim, 0, &block) && block == 0);
    CHECK(claim_near_block(&claim, 1, &block) && block == 2);
    CHECK(claim_near_block(&claim, 3, &block) && block == 1);
    CHECK(!claim_near_block(&claim, 2, &block));
    CHECK(!claim_near_block(&claim, 1, &block));
}

// Without any tasks there is share 0.
static void one_share_needs_no_tasks(void)
{
    static squares call;
    memset(&call, 0, sizeof call);
    call.claim.count = BLOCKS;
    acre_run_shares(NULL, "test", 1, write_squares, &call);
    CHECK(squares_are_right(&call, 1));
}

// Two callers on one host: a finish may run the other's task.
typedef struct caller {
    const acre_tasks *tasks;
    squares call;
    uint32_t rounds;
    uint32_t wrong;
} caller;

static void *call_again_and_again(void *user)
{
    caller *const own = user;
    for (uint32_t i = 0; i < own->rounds; i++) {
        memset(&own->call, 0, sizeof own->call);
        own->call.claim.count = BLOCKS;
        acre_run_shares(own->tasks, "test", 4, write_squares, &own->call);
        own->wrong += !squares_are_right(&own->call, 4);
    }
    return NULL;
}

static void two_threads_call_at_a_time(void)
{
    for (int order = 0; order < TASK_ORDER_COUNT_; order++) {
        task_scheduler *const scheduler = task_scheduler_create(4, (task_order)order, test_seed);
        CHECK(scheduler);
        const acre_tasks tasks = task_scheduler_tasks(scheduler);
        static caller callers[2];
        for (int i = 0; i < 2; i++) {
            callers[i] = (caller){.tasks = &tasks, .rounds = 50 * test_scale};
        }
        pthread_t other;
        CHECK(pthread_create(&other, NULL, call_again_and_again, &callers[1]) == 0);
        call_again_and_again(&callers[0]);
        CHECK(pthread_join(other, NULL) == 0);
        CHECK(callers[0].wrong == 0 && callers[1].wrong == 0);
        task_scheduler_destroy(scheduler);
    }
}

static void no_share_has_less_work_than_a_fork_is_worth(void)
{
    const acre_tasks serial = {.worker_count = 0};
    acre_tasks eight = {.worker_count = 8};
    const acre_tasks many = {.worker_count = 1000};
    CHECK(share_count_for(&serial, UINT64_MAX, 1) == 1);
    CHECK(share_count_for(&eight, 0, 100) == 1);
    CHECK(share_count_for(&eight, 199, 100) == 1);
    CHECK(share_count_for(&eight, 200, 100) == 2);
    CHECK(share_count_for(&eight, 799, 100) == 7);
    CHECK(share_count_for(&eight, UINT64_MAX, 100) == 8);
    CHECK(share_count_for(&many, UINT64_MAX, 100) == ACRE_TASKS_MAX_WORKERS);
    eight.divides_small_calls = true;
    CHECK(share_count_for(&eight, 0, 100) == 8);
}

static void tasks_without_functions_are_serial_alone(void)
{
    task_scheduler *const scheduler = task_scheduler_create(2, TASKS_LATE, test_seed);
    CHECK(scheduler);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    CHECK(acre_tasks_are_valid(NULL) && acre_tasks_are_valid(&tasks));
    CHECK(acre_tasks_are_valid(&(acre_tasks){.worker_count = 1}));
    CHECK(!acre_tasks_are_valid(&(acre_tasks){.worker_count = 2}));
    tasks.finish = NULL;
    CHECK(!acre_tasks_are_valid(&tasks));
    task_scheduler_destroy(scheduler);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(every_share_and_every_block_runs_once_in_every_order),
        TEST(odd_shares_claim_from_the_last_block),
        TEST(one_share_needs_no_tasks),
        TEST(two_threads_call_at_a_time),
        TEST(no_share_has_less_work_than_a_fork_is_worth),
        TEST(tasks_without_functions_are_serial_alone),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
