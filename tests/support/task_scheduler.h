// SPDX-License-Identifier: MIT
// task_scheduler.h - a host's workers for tests: runs tasks in every order that acre/tasks.h
// allows.
//
// It uses a mutex and condition variables of pthreads alone, which the thread sanitizer and
// helgrind see into.
#ifndef TASK_SCHEDULER_H
#define TASK_SCHEDULER_H

#include <acre/tasks.h>

#include <stdbool.h>

typedef enum task_order {
    TASKS_AT_ONCE,     ///< enqueue runs the task and answers NULL
    TASKS_LATE,        ///< no worker comes: each task runs when it is finished
    TASKS_IN_ORDER,    ///< the first finish runs all waiting tasks, also of other calls
    TASKS_IN_REVERSE,  ///< so, the last one first
    TASKS_AT_RANDOM,   ///< finish runs waiting tasks of any call at random until its own has run
    TASKS_ONE_BY_ONE,  ///< one worker thread
    TASKS_ALL_AT_ONCE, ///< a worker thread for each share but the caller's
    TASK_ORDER_COUNT_
} task_order;

typedef struct task_scheduler task_scheduler;

/// @param worker_count 1 to ACRE_TASKS_MAX_WORKERS. @param seed of TASKS_AT_RANDOM.
/// @return NULL if there is no memory or no thread.
task_scheduler *task_scheduler_create(uint32_t worker_count, task_order order, uint64_t seed);

/// Every task has been finished.
void task_scheduler_destroy(task_scheduler *scheduler);

/// @return what to give to acre_..._set_tasks.
acre_tasks task_scheduler_tasks(task_scheduler *scheduler);

/// @return the number of tasks that have run.
uint32_t task_scheduler_runs(task_scheduler *scheduler);

/// @return how many of them a worker thread has run.
uint32_t task_scheduler_worker_runs(task_scheduler *scheduler);

/// @return how many of them ran in the finish of another thread's call.
uint32_t task_scheduler_foreign_runs(task_scheduler *scheduler);

const char *task_order_name(task_order order);

/// Runs `run` with tasks of 1, 2, 3, 4, 7, 8, 16 and 64 workers in every order; they divide small
/// calls too. @param number counts the runs. @return false, and prints the order, where run did, or
/// where no task ran though there were workers.
bool task_scheduler_try_all(bool (*run)(const acre_tasks *tasks, uint32_t number));

#endif
