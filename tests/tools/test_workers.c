// SPDX-License-Identifier: MIT
// test_workers.c - the programs' workers: each task runs once, and who waits sleeps.
#if defined(__linux__)
#define _GNU_SOURCE // pthread_setattr_default_np
#endif

#include "test.h"

#include "workers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { SHARES = WORKERS_MOST, GAPS = 100 };

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

typedef struct run_time {
    long pause; // nanoseconds between calls, as frames have some
    double cpu, wall;
} run_time;

static bool call_now_and_then(void *context, const acre_tasks *tasks)
{
    run_time *const run = context;
    const struct timespec pause = {0, run->pause};
    const double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID), wall = seconds_of(CLOCK_MONOTONIC);
    for (int i = 0; i < GAPS; i++) {
        nanosleep(&pause, NULL);
        call_once(tasks);
    }
    run->cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    run->wall = seconds_of(CLOCK_MONOTONIC) - wall;
    return true;
}

// Workers that spin take a processor each, whatever else could run there. A call costs what it
// costs, a lot where a sanitizer watches: so it is longer pauses that must not take more time.
static void who_waits_takes_no_processor(void)
{
    run_time brief = {.pause = 1000000}, longer = {.pause = 4000000};
    CHECK(workers_run(2, call_now_and_then, &brief) && workers_run(2, call_now_and_then, &longer));
    const double share = (longer.cpu - brief.cpu) / (longer.wall - brief.wall);
    if (share >= 0.25) {
        printf("     %.2f of a processor\n", share);
    }
    CHECK(longer.wall > brief.wall && share < 0.25);
}

// A thread's stack of 64 TiB finds no room.
static void forbid_threads(bool are_forbidden)
{
#if defined(__GLIBC__)
    static pthread_attr_t before;
    pthread_attr_t huge;
    if (!are_forbidden) {
        CHECK(pthread_setattr_default_np(&before) == 0);
        return;
    }
    CHECK(pthread_getattr_default_np(&before) == 0 && pthread_attr_init(&huge) == 0);
    CHECK(pthread_attr_setstacksize(&huge, (size_t)1 << 46) == 0);
    CHECK(pthread_setattr_default_np(&huge) == 0);
    pthread_attr_destroy(&huge);
#else
    (void)are_forbidden;
#endif
}

static bool call_inside(void *context, const acre_tasks *tasks)
{
    (void)context;
    void *const outer = tasks->enqueue(tasks->user, count_run, &runs[1], "outer");
    unsigned calls = 1;
    const bool is_good = workers_run(3, call_often, &calls);
    tasks->finish(tasks->user, outer);
    return is_good;
}

// A run inside another takes none of its tasks.
static void a_machine_without_threads_runs_each_task_once(void)
{
    for (uint32_t i = 0; i < SHARES; i++) {
        atomic_store(&runs[i], 0);
    }
    forbid_threads(true);
    CHECK(workers_run(2, call_inside, NULL));
    forbid_threads(false);
    CHECK(atomic_load(&runs[0]) == 1 && atomic_load(&runs[1]) == 2 && atomic_load(&runs[2]) == 1);
}

int main(int argc, char **argv)
{
    // The first case meets workers that have never been set up.
    static const test_case cases[] = {TEST(a_machine_without_threads_runs_each_task_once),
                                      TEST(each_task_runs_once),
                                      TEST(who_waits_takes_no_processor)};
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
