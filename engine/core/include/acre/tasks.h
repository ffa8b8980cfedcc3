// SPDX-License-Identifier: MIT
// tasks.h - the host's workers: how Acre's large calls run on many threads.
//
// Acre starts no thread. A host that has a job system fills in acre_tasks and gives it to a scene,
// a tree or a culler; large calls then divide their work. Results are the same bits as without.
//
// Words used here: a call is divided into shares, one for each worker at most. Share 0 runs on the
// thread that made the call. Each other share is one task, which the host runs on any thread.
//
// Typical use:
//     const acre_tasks tasks = {8, enqueue, finish, pool};
//     acre_scene_set_tasks(scene, &tasks);
//
// Threading: enqueue and finish are called on the thread that makes a call of Acre, and on no
// other. Several threads may make calls at a time, so both must be safe to call from several
// threads.
#ifndef ACRE_TASKS_H
#define ACRE_TASKS_H

#include <acre/base.h>

ACRE_EXTERN_C_BEGIN

/// The most shares that a call is divided into.
#define ACRE_TASKS_MAX_WORKERS 64

/// One share of a call. The host runs it exactly once, on any thread. It enqueues nothing, waits
/// for nothing, holds no lock and allocates nothing.
typedef void acre_task(void *context);

typedef struct acre_tasks {
    /// Shares that run side by side, the caller's included; 0 and 1: serial. More than
    /// ACRE_TASKS_MAX_WORKERS count as that many.
    uint32_t worker_count;
    /// Hands a task to the host. @param name what the call does, for profilers; a string that lives
    /// forever. @return a handle for finish; NULL: the task has run already, and is not finished.
    void *(*enqueue)(void *user, acre_task *task, void *context, const char *name);
    /// Returns when the task has run; runs it on this thread if no worker has begun it, so that a
    /// call ends even if no worker ever comes. Meanwhile it may run any other task, also of other
    /// calls of Acre. Called once for each handle.
    void (*finish)(void *user, void *handle);
    void *user; ///< handed to both
    /// Divides also calls that one thread would end sooner: for tests.
    bool divides_small_calls;
} acre_tasks;

ACRE_EXTERN_C_END

#endif
