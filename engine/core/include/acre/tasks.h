// SPDX-License-Identifier: MIT
// tasks.h - the host's workers: how Acre's large calls run on many threads.
//
// Stable.
//
// Acre starts no thread. A host that has a job system fills in acre_tasks and gives it to a scene,
// a tree or a culler; large calls then divide their work. Results are the same bits as without.
//
// Words used here:
//     share   a part of the work of one call. Share 0 runs on the thread that makes the call
//     task    any other share; the host runs it on a thread of its choice
//
// Typical use:
//     const acre_tasks tasks = {8, enqueue, finish, pool};
//     acre_scene_set_tasks(scene, &tasks);
//
// Threading: Acre calls enqueue and finish on the thread that made the call of Acre, and on no
// other. Several threads may make calls at a time, so both functions must be safe to call from
// several threads.
//
// Let workers that wait sleep, after a few microseconds of looking at most: Acre's calls are short,
// and workers that spin between them take their cores from each other and from other programs. Two
// that spun beside a busy program took 1.6 to 1.8 times as long as one.
#ifndef ACRE_TASKS_H
#define ACRE_TASKS_H

#include <acre/base.h>

ACRE_EXTERN_C_BEGIN

/// A call is divided into at most so many shares.
#define ACRE_TASKS_MAX_WORKERS 64

/// One share of a call. The host runs it exactly once, on any thread. It enqueues nothing, waits
/// for nothing, holds no lock and allocates nothing.
typedef void acre_task(void *context);

typedef struct acre_tasks {
    /// How many shares may run side by side, share 0 included; 0 and 1: calls are not divided. A
    /// larger number than ACRE_TASKS_MAX_WORKERS counts as ACRE_TASKS_MAX_WORKERS.
    uint32_t worker_count;
    /// Hands a task to the host.
    /// @param name what the call does, for profilers; a string that lives forever.
    /// @return a handle for finish; NULL if the task has run already: Acre then does not call
    /// finish for it.
    void *(*enqueue)(void *user, acre_task *task, void *context, const char *name);
    /// Returns when the task has run. If no worker has begun the task, finish runs it on this
    /// thread, so that the call ends even if all workers are busy elsewhere. While finish waits, it
    /// may run any other task, also one of another call of Acre. Called once for each handle.
    void (*finish)(void *user, void *handle);
    void *user; ///< passed to enqueue and finish
    /// Also divides small calls, which one thread would end sooner: for tests.
    bool divides_small_calls;
} acre_tasks;

ACRE_EXTERN_C_END

#endif
