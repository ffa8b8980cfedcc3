// SPDX-License-Identifier: MIT
// workers.c - threads that take tasks from a queue. One that has nothing to do sleeps.
#if defined(__linux__)
#define _GNU_SOURCE // sched_setaffinity
#endif

#include "workers.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#if defined(_WIN32)
#include <windows.h>
#else
#include <unistd.h>
#endif

// Who waits looks some microseconds long whether what it waits for comes, as the parts of a call
// follow each other, and then sleeps until it is woken: another program has the core. Bound threads
// have their cores for themselves, and look some milliseconds long: to wake one takes 50 us and
// more.
enum { LOOKS = 20000, LOOKS_WHERE_BOUND = 10000000, TASKS_MOST = 256 };

typedef struct queued_task {
    acre_task *run;
    void *context;
    struct queued_task *next; // in the queue, or of those that are free
    atomic_bool is_done;
} queued_task;

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t work;        // a task was enqueued, or other threads may take some
    pthread_cond_t rest;        // other threads may take tasks
    pthread_cond_t end;         // a task has run
    queued_task *first, **last; // tasks that nobody has begun
    queued_task *free;
    bool is_ready;       // its tasks are in `free` or in use
    atomic_uint waiting; // number of those in the queue
    uint32_t threads;    // that were started; they live as long as the program
    uint32_t active;     // the first of them, which may take tasks
    int looks;           // see LOOKS
    queued_task tasks[TASKS_MOST];
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER,
          .work = PTHREAD_COND_INITIALIZER,
          .rest = PTHREAD_COND_INITIALIZER,
          .end = PTHREAD_COND_INITIALIZER,
          .last = &pool.first};

// ---- processors ----

#if defined(__linux__)

static cpu_set_t processors; // that the program may use, as before a thread was bound

static void list_processors(void)
{
    if (CPU_COUNT(&processors) == 0) {
        (void)sched_getaffinity(0, sizeof processors, &processors);
    }
}

uint32_t workers_of_machine(void)
{
    list_processors();
    const int count = CPU_COUNT(&processors);
    return count < 1 ? 1 : count > WORKERS_MOST ? WORKERS_MOST : (uint32_t)count;
}

// Keeps this thread on the processor of a number.
static void bind_thread(uint32_t number)
{
    const int count = CPU_COUNT(&processors);
    uint32_t left = count > 0 ? number % (uint32_t)count : 0;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &processors) && left-- == 0) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            (void)sched_setaffinity(0, sizeof one, &one);
            return;
        }
    }
}

#else

uint32_t workers_of_machine(void)
{
#if defined(_WIN32)
    const long count = (long)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
#else
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return count < 1 ? 1 : count > WORKERS_MOST ? WORKERS_MOST : (uint32_t)count;
}

static void list_processors(void)
{
}

static void bind_thread(uint32_t number)
{
    (void)number;
}

#endif

static bool are_bound(void)
{
    const char *const bind = getenv("ACRE_BIND");
    return bind && bind[0] == '1';
}

// ---- tasks ----

// Runs the first task of the queue. The mutex is held before and after, but not while it runs.
static void run_first(void)
{
    queued_task *const task = pool.first;
    assert(task && !atomic_load_explicit(&task->is_done, memory_order_relaxed));
    pool.first = task->next;
    pool.last = pool.first ? pool.last : &pool.first;
    atomic_fetch_sub_explicit(&pool.waiting, 1, memory_order_relaxed);
    pthread_mutex_unlock(&pool.mutex);
    task->run(task->context);
    pthread_mutex_lock(&pool.mutex);
    atomic_store_explicit(&task->is_done, true, memory_order_release);
    pthread_cond_broadcast(&pool.end);
}

static void *work(void *context)
{
    const uint32_t number = (uint32_t)(uintptr_t)context;
    if (are_bound()) {
        bind_thread(number + 1);
    }
    pthread_mutex_lock(&pool.mutex);
    for (;;) {
        if (number >= pool.active) {
            pthread_cond_wait(&pool.rest, &pool.mutex);
            continue;
        }
        if (pool.first) {
            run_first();
            continue;
        }
        pthread_mutex_unlock(&pool.mutex);
        for (int i = 0;
             i < pool.looks && !atomic_load_explicit(&pool.waiting, memory_order_relaxed); i++) {
        }
        pthread_mutex_lock(&pool.mutex);
        if (!pool.first && number < pool.active) {
            pthread_cond_wait(&pool.work, &pool.mutex);
        }
    }
    return NULL;
}

static void *enqueue(void *user, acre_task *run, void *context, const char *name)
{
    (void)user, (void)name;
    pthread_mutex_lock(&pool.mutex);
    queued_task *const task = pool.free;
    if (!task) { // calls of several threads have all
        pthread_mutex_unlock(&pool.mutex);
        run(context);
        return NULL;
    }
    pool.free = task->next;
    task->run = run;
    task->context = context;
    task->next = NULL;
    atomic_store_explicit(&task->is_done, false, memory_order_relaxed);
    *pool.last = task;
    pool.last = &task->next;
    atomic_fetch_add_explicit(&pool.waiting, 1, memory_order_relaxed);
    pthread_cond_signal(&pool.work);
    pthread_mutex_unlock(&pool.mutex);
    return task;
}

// While its own task waits in the queue, the caller takes the first ones, which are as old or
// older.
static void finish(void *user, void *handle)
{
    (void)user;
    queued_task *const own = handle;
    pthread_mutex_lock(&pool.mutex);
    while (!atomic_load_explicit(&own->is_done, memory_order_acquire)) {
        if (pool.first) {
            run_first();
            continue;
        }
        pthread_mutex_unlock(&pool.mutex);
        for (int i = 0;
             i < pool.looks && !atomic_load_explicit(&own->is_done, memory_order_acquire); i++) {
        }
        pthread_mutex_lock(&pool.mutex);
        if (!pool.first && !atomic_load_explicit(&own->is_done, memory_order_acquire)) {
            pthread_cond_wait(&pool.end, &pool.mutex);
        }
    }
    own->next = pool.free;
    pool.free = own;
    pthread_mutex_unlock(&pool.mutex);
}

// Where no more threads can be started, those that are there do the work.
static void start_threads(uint32_t count)
{
    pthread_mutex_lock(&pool.mutex);
    if (!pool.is_ready) {
        pool.is_ready = true;
        list_processors();
        pool.looks = are_bound() ? LOOKS_WHERE_BOUND : LOOKS;
        pool.free = NULL;
        for (int i = 0; i < TASKS_MOST; i++) {
            pool.tasks[i].next = pool.free;
            pool.free = &pool.tasks[i];
        }
    }
    pthread_t thread;
    while (pool.threads < count &&
           pthread_create(&thread, NULL, work, (void *)(uintptr_t)pool.threads) == 0) {
        pthread_detach(thread);
        pool.threads++;
    }
    pool.active = count;
    pthread_cond_broadcast(&pool.rest);
    pthread_cond_broadcast(&pool.work);
    pthread_mutex_unlock(&pool.mutex);
}

bool workers_run(uint32_t count, bool (*run)(void *context, const acre_tasks *tasks), void *context)
{
    const acre_tasks tasks = {
        .worker_count = count, .enqueue = enqueue, .finish = finish, .user = &pool};
    if (count < 2) {
        return run(context, NULL);
    }
    start_threads(count - 1);
    if (are_bound()) {
        bind_thread(0);
    }
    return run(context, &tasks);
}
