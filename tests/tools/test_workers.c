// SPDX-License-Identifier: MIT
// test_workers.c - the programs' workers: each task runs once, and who waits sleeps.
#include "test.h"

#include "workers.h"

#include <stdatomic.h>
#include <time.h>

enum { SHARES = WORKERS_MOST, GAPS = 200 };

static atomic_uint runs[SHARES];

static void count_run(void *context)
{
    atomic_fetch_add((atomic_uint *)context, 1);
}

// One call: a task for each worker but this one.
static void call_once(const acre_tasks *tasks)
{
    void *handles[SHARES] = {NULL};
    for (uint32_t i = 1; tasks && i < tasks->worker_count; i++) {
        handles[i] = tasks->enqueue(tasks->user, count_run, &runs[i], "test");
    }
    count_run(&runs[0]);
    for (uint32_t i = 1; tasks && i < tasks->worker_count; i++) {
        if (handles[i]) {
            tasks->finish(tasks->user, handles[i]);
        }
    }
}

static bool call_often(void *context, const acre_tasks *tasks)
{
    for (unsigned i = 0; i < *(const unsigned *)context; i++) {
        call_once(tasks);
    }
    return true;
}

static void each_task_runs_once(void)
{
    static const uint32_t counts[] = {1, 2, 4, 2, 64, 3, 1, 64};
    unsigned calls = 300;
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        for (uint32_t i = 0; i < SHARES; i++) {
            atomic_store(&runs[i], 0);
        }
        CHECK(workers_run(counts[k], call_often, &calls));
        for (uint32_t i = 0; i < SHARES; i++) {
            CHECK(atomic_load(&runs[i]) == (i < counts[k] ? calls : 0));
        }
    }
}

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Calls with a pause between them, as frames have.
static bool call_now_and_then(void *context, const acre_tasks *tasks)
{
    const struct timespec pause = {0, 1000000};
    const double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID), wall = seconds_of(CLOCK_MONOTONIC);
    for (int i = 0; i < GAPS; i++) {
        nanosleep(&pause, NULL);
        call_once(tasks);
    }
    *(double *)context =
        (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu) / (seconds_of(CLOCK_MONOTONIC) - wall);
    return true;
}

// Workers that spin take a processor each, whatever else could run there.
static void who_waits_takes_no_processor(void)
{
    double share = 1;
    CHECK(workers_run(2, call_now_and_then, &share));
    if (share >= 0.25) {
        printf("     %.2f of a processor\n", share);
    }
    CHECK(share < 0.25);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {TEST(each_task_runs_once),
                                      TEST(who_waits_takes_no_processor)};
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
