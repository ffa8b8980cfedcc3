// SPDX-License-Identifier: MIT
// task_scheduler.c - tasks in a table behind one mutex; worker threads and finish take them from
// it.
#include "task_scheduler.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_TASKS 1024

typedef enum task_state { TASK_UNUSED, TASK_WAITING, TASK_RUNNING, TASK_DONE } task_state;

typedef struct task_entry {
    acre_task *run;
    void *context;
    task_state state;
    uint64_t number;  // in the order of enqueue
    pthread_t caller; // who enqueued it
} task_entry;

struct task_scheduler {
    uint32_t worker_count;
    task_order order;
    uint64_t random;
    pthread_mutex_t mutex;
    pthread_cond_t changed; // a task waits, or is done, or the end has come
    task_entry entries[MAX_TASKS];
    uint64_t next_number;
    uint32_t runs, worker_runs, foreign_runs;
    bool is_ending;
    uint32_t thread_count;
    pthread_t threads[ACRE_TASKS_MAX_WORKERS];
};

static uint64_t next_random(task_scheduler *scheduler)
{
    uint64_t x = scheduler->random += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

// Which of two waiting tasks runs first. The lock is held.
static bool is_before(const task_scheduler *scheduler, const task_entry *a, const task_entry *b)
{
    return scheduler->order == TASKS_IN_REVERSE ? a->number > b->number : a->number < b->number;
}

// @return a task that waits, or NULL. The lock is held.
static task_entry *choose_task(task_scheduler *scheduler)
{
    task_entry *chosen = NULL;
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < MAX_TASKS; i++) {
        task_entry *const entry = &scheduler->entries[i];
        if (entry->state != TASK_WAITING) {
            continue;
        }
        waiting++;
        const bool is_chosen = scheduler->order == TASKS_AT_RANDOM
                                   ? next_random(scheduler) % waiting == 0
                                   : !chosen || is_before(scheduler, entry, chosen);
        chosen = is_chosen ? entry : chosen;
    }
    return chosen;
}

// Runs a task that waits. The lock is held before and after, but not while the task runs.
static void run_task(task_scheduler *scheduler, task_entry *entry)
{
    assert(entry->state == TASK_WAITING);
    entry->state = TASK_RUNNING;
    pthread_mutex_unlock(&scheduler->mutex);
    entry->run(entry->context);
    pthread_mutex_lock(&scheduler->mutex);
    entry->state = TASK_DONE;
    scheduler->runs++;
    pthread_cond_broadcast(&scheduler->changed);
}

static void *work(void *user)
{
    task_scheduler *const scheduler = user;
    pthread_mutex_lock(&scheduler->mutex);
    while (!scheduler->is_ending) {
        task_entry *const entry = choose_task(scheduler);
        if (entry) {
            scheduler->worker_runs++;
            run_task(scheduler, entry);
        } else {
            pthread_cond_wait(&scheduler->changed, &scheduler->mutex);
        }
    }
    pthread_mutex_unlock(&scheduler->mutex);
    return NULL;
}

static void *enqueue(void *user, acre_task *task, void *context, const char *name)
{
    task_scheduler *const scheduler = user;
    assert(name && name[0]);
    (void)name;
    if (scheduler->order == TASKS_AT_ONCE) {
        task(context);
        pthread_mutex_lock(&scheduler->mutex);
        scheduler->runs++;
        pthread_mutex_unlock(&scheduler->mutex);
        return NULL;
    }
    pthread_mutex_lock(&scheduler->mutex);
    uint32_t i = 0;
    while (scheduler->entries[i].state != TASK_UNUSED) {
        i++;
        assert(i < MAX_TASKS);
    }
    task_entry *const entry = &scheduler->entries[i];
    *entry = (task_entry){task, context, TASK_WAITING, scheduler->next_number++, pthread_self()};
    pthread_cond_broadcast(&scheduler->changed);
    pthread_mutex_unlock(&scheduler->mutex);
    return entry;
}

static void finish(void *user, void *handle)
{
    task_scheduler *const scheduler = user;
    task_entry *const own = handle;
    const bool runs_others = scheduler->order == TASKS_IN_ORDER ||
                             scheduler->order == TASKS_IN_REVERSE ||
                             scheduler->order == TASKS_AT_RANDOM;
    pthread_mutex_lock(&scheduler->mutex);
    while (own->state != TASK_DONE) {
        task_entry *const entry = runs_others                  ? choose_task(scheduler)
                                  : own->state == TASK_WAITING ? own
                                                               : NULL;
        if (entry) {
            scheduler->foreign_runs += !pthread_equal(entry->caller, pthread_self());
            run_task(scheduler, entry);
        } else {
            pthread_cond_wait(&scheduler->changed, &scheduler->mutex);
        }
    }
    *own = (task_entry){.state = TASK_UNUSED};
    pthread_mutex_unlock(&scheduler->mutex);
}

task_scheduler *task_scheduler_create(uint32_t worker_count, task_order order, uint64_t seed)
{
    task_scheduler *const scheduler = calloc(1, sizeof *scheduler);
    if (!scheduler) {
        return NULL;
    }
    scheduler->worker_count = worker_count;
    scheduler->order = order;
    scheduler->random = seed;
    pthread_mutex_init(&scheduler->mutex, NULL);
    pthread_cond_init(&scheduler->changed, NULL);
    const uint32_t threads = order == TASKS_ONE_BY_ONE    ? 1
                             : order == TASKS_ALL_AT_ONCE ? worker_count - 1
                                                          : 0;
    for (uint32_t i = 0; i < threads; i++) {
        if (pthread_create(&scheduler->threads[i], NULL, work, scheduler) != 0) {
            task_scheduler_destroy(scheduler);
            return NULL;
        }
        scheduler->thread_count++;
    }
    return scheduler;
}

void task_scheduler_destroy(task_scheduler *scheduler)
{
    if (!scheduler) {
        return;
    }
    pthread_mutex_lock(&scheduler->mutex);
    scheduler->is_ending = true;
    pthread_cond_broadcast(&scheduler->changed);
    pthread_mutex_unlock(&scheduler->mutex);
    for (uint32_t i = 0; i < scheduler->thread_count; i++) {
        pthread_join(scheduler->threads[i], NULL);
    }
    for (uint32_t i = 0; i < MAX_TASKS; i++) {
        assert(scheduler->entries[i].state == TASK_UNUSED);
    }
    pthread_cond_destroy(&scheduler->changed);
    pthread_mutex_destroy(&scheduler->mutex);
    free(scheduler);
}

acre_tasks task_scheduler_tasks(task_scheduler *scheduler)
{
    return (acre_tasks){.worker_count = scheduler->worker_count,
                        .enqueue = enqueue,
                        .finish = finish,
                        .user = scheduler};
}

static uint32_t read_count(task_scheduler *scheduler, const uint32_t *count)
{
    pthread_mutex_lock(&scheduler->mutex);
    const uint32_t value = *count;
    pthread_mutex_unlock(&scheduler->mutex);
    return value;
}

uint32_t task_scheduler_runs(task_scheduler *scheduler)
{
    return read_count(scheduler, &scheduler->runs);
}

uint32_t task_scheduler_worker_runs(task_scheduler *scheduler)
{
    return read_count(scheduler, &scheduler->worker_runs);
}

uint32_t task_scheduler_foreign_runs(task_scheduler *scheduler)
{
    return read_count(scheduler, &scheduler->foreign_runs);
}

static bool try_one(task_order order, uint32_t workers, uint32_t number,
                    bool (*run)(const acre_tasks *tasks, uint32_t number))
{
    task_scheduler *const scheduler = task_scheduler_create(workers, order, number);
    if (!scheduler) {
        return false;
    }
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    const bool is_good =
        run(&tasks, number) && (task_scheduler_runs(scheduler) > 0) == (workers > 1);
    if (!is_good) {
        fprintf(stderr, "%u workers, tasks %s\n", (unsigned)workers, task_order_name(order));
    }
    task_scheduler_destroy(scheduler);
    return is_good;
}

bool task_scheduler_try_all(bool (*run)(const acre_tasks *tasks, uint32_t number))
{
    static const uint32_t worker_counts[] = {1, 2, 3, 4, 7, 8, 16, 64};
    enum { COUNTS = sizeof worker_counts / sizeof worker_counts[0] };
    bool is_good = true;
    for (uint32_t i = 0; i < TASK_ORDER_COUNT_ * COUNTS && is_good; i++) {
        is_good = try_one((task_order)(i / COUNTS), worker_counts[i % COUNTS], i, run);
    }
    return is_good;
}

const char *task_order_name(task_order order)
{
    static const char *const names[] = {"at once",   "late",       "in order",   "in reverse",
                                        "at random", "one by one", "all at once"};
    return (uint32_t)order < TASK_ORDER_COUNT_ ? names[order] : "unknown";
}
