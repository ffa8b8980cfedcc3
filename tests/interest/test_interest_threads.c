// SPDX-License-Identifier: MIT
// test_interest_threads.c - an update on a host's workers lists what plain loops say: every number
// of workers, and every order of their tasks.
#include "interest_stream.h"
#include "task_scheduler.h"

#include <acre/quadtree_calls.h>

#include <pthread.h>
#include <stdlib.h>

enum { UPDATES = 25, EDITS = 40 };

static const char *run_updates(interest_stream *stream)
{
    const char *fault = NULL;
    for (uint32_t update = 0; update < UPDATES && !fault; update++) {
        for (uint32_t i = 0; i < EDITS && !fault; i++) {
            fault = interest_stream_edit(stream);
        }
        fault = fault ? fault : interest_stream_update(stream);
        fault = fault ? fault : interest_stream_check(stream);
    }
    return fault;
}

static bool run_with_tasks(const acre_tasks *tasks, uint32_t number)
{
    interest_stream *const stream = malloc(sizeof *stream);
    const acre_interest_def def = {.flags = number & 3};
    const char *fault = "memory";
    if (stream && interest_stream_init(stream, &def, number & 4, test_seed + number)) {
        fault = "set_tasks";
        if (acre_interest_set_tasks(stream->interest, tasks) == ACRE_OK) {
            fault = run_updates(stream);
        }
        interest_stream_free(stream);
    }
    free(stream);
    if (fault) {
        printf("run %u: %s\n", number, fault);
    }
    return fault == NULL;
}

static void every_order_of_tasks_lists_what_plain_loops_say(void)
{
    CHECK(task_scheduler_try_all(run_with_tasks));
}

// What a listener of the tree was called by.
typedef struct heard {
    pthread_t thread;
    size_t calls;
    bool is_by_another; // thread
} heard;

static void hear(void *context, const acre_quadtree_call *call)
{
    heard *const all = context;
    (void)call;
    all->is_by_another |= !pthread_equal(all->thread, pthread_self());
    all->calls++;
}

static void a_listener_is_called_by_one_thread(void)
{
    interest_stream *const stream = malloc(sizeof *stream);
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(stream && scheduler && interest_stream_init(stream, NULL, false, test_seed));
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    heard all = {.thread = pthread_self()};
    CHECK(acre_interest_set_tasks(stream->interest, &tasks) == ACRE_OK);
    CHECK(acre_quadtree_set_listener(stream->tree, hear, &all) == ACRE_OK);
    CHECK(run_updates(stream) == NULL);
    CHECK(all.calls > 0 && !all.is_by_another && task_scheduler_runs(scheduler) == 0);
    CHECK(acre_quadtree_set_listener(stream->tree, NULL, NULL) == ACRE_OK);
    CHECK(run_updates(stream) == NULL && task_scheduler_runs(scheduler) > 0);
    interest_stream_free(stream);
    task_scheduler_destroy(scheduler);
    free(stream);
}

// An update of what changed runs on the calling thread; the memory of the workers is looked at,
// too.
static void memory_that_a_peak_of_workers_took_is_given_back(void)
{
    enum { THINGS = 4000, WATCHERS = 1280, ALIKE = 80 }; // twice as many as a share has
    acre_quadtree *tree;
    acre_interest *interest;
    acre_observer observer;
    acre_interest_stats stats;
    task_scheduler *const scheduler = task_scheduler_create(2, TASKS_AT_ONCE, test_seed);
    CHECK(scheduler && acre_quadtree_create(NULL, &tree) == ACRE_OK &&
          acre_interest_create(tree, NULL, &interest) == ACRE_OK);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    CHECK(acre_interest_set_tasks(interest, &tasks) == ACRE_OK);
    for (uint32_t i = 0; i < THINGS; i++) {
        const float x = (float)(i % 80), z = (float)(i / 80);
        const acre_aabb box = {{x, 0, z}, {x, 1, z}};
        CHECK(acre_quadtree_insert(tree, i, &box) == ACRE_OK);
    }
    for (uint32_t i = 0; i < WATCHERS; i++) {
        const bool sees_all = i < ALIKE;
        const acre_observer_def def = {.place = {sees_all ? 40 : 1000 + (float)i, 0, 25},
                                       .enter_radius = sees_all ? 100.0f : 1.0f};
        CHECK(acre_interest_add(interest, &def, &observer) == ACRE_OK);
    }
    CHECK(acre_interest_update(interest) == ACRE_OK && task_scheduler_runs(scheduler) > 0);
    acre_interest_get_stats(interest, &stats);
    CHECK(stats.seen == THINGS * ALIKE && stats.bytes > 5 << 20);
    for (uint32_t update = 0; update < 8; update++) {
        CHECK(acre_interest_update_changed(interest, NULL, 0) == ACRE_OK);
    }
    acre_interest_get_stats(interest, &stats);
    CHECK(stats.bytes < 3 << 20); // as every update may take
    acre_interest_destroy(interest);
    acre_quadtree_destroy(tree);
    task_scheduler_destroy(scheduler);
}

static void tasks_without_a_function_are_refused(void)
{
    interest_stream *const stream = malloc(sizeof *stream);
    CHECK(stream != NULL && interest_stream_init(stream, NULL, false, test_seed));
    const acre_tasks empty = {.worker_count = 2};
    CHECK(acre_interest_set_tasks(stream->interest, &empty) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_interest_set_tasks(NULL, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_interest_set_tasks(stream->interest, NULL) == ACRE_OK);
    interest_stream_free(stream);
    free(stream);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {TEST(every_order_of_tasks_lists_what_plain_loops_say),
                                      TEST(a_listener_is_called_by_one_thread),
                                      TEST(memory_that_a_peak_of_workers_took_is_given_back),
                                      TEST(tasks_without_a_function_are_refused)};
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
