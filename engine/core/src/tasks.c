// SPDX-License-Identifier: MIT
// tasks.c - forks a call into shares and joins them.
#include "tasks_internal.h"

#include "refusal_internal.h"

// The context of a task. It stands on the stack of the call, which returns after all tasks have
// run.
typedef struct share_task {
    share_function *run;
    void *context;
    uint32_t share;
} share_task;

// A share calls public functions of Acre. The handler is not told what these refuse: it hears of
// the call that is divided.
static void run_share(void *context)
{
    const share_task *const task = context;
    acre_hold_refusals();
    task->run(task->context, task->share);
    (void)acre_release_refusals(ACRE_OK);
}

static void *refuse_memory(void *user, void *block, size_t old_size, size_t new_size,
                           size_t alignment)
{
    (void)user, (void)block, (void)old_size, (void)new_size, (void)alignment;
    return NULL;
}

const acre_allocator acre_refusing_allocator = {refuse_memory, NULL};

bool acre_tasks_are_valid(const acre_tasks *tasks)
{
    return !tasks || tasks->worker_count < 2 || (tasks->enqueue && tasks->finish);
}

void acre_run_shares(const acre_tasks *tasks, const char *name, uint32_t share_count,
                     share_function *run, void *context)
{
    ACRE_INVARIANT(share_count >= 1 && share_count <= ACRE_TASKS_MAX_WORKERS);
    ACRE_INVARIANT(share_count == 1 || (tasks && acre_tasks_are_valid(tasks)));
    share_task shares[ACRE_TASKS_MAX_WORKERS];
    void *handles[ACRE_TASKS_MAX_WORKERS];
    for (uint32_t i = 1; i < share_count; i++) {
        shares[i] = (share_task){run, context, i};
        handles[i] = tasks->enqueue(tasks->user, run_share, &shares[i], name);
    }
    shares[0] = (share_task){run, context, 0};
    run_share(&shares[0]);
    for (uint32_t i = 1; i < share_count; i++) {
        if (handles[i]) {
            tasks->finish(tasks->user, handles[i]);
        }
    }
}
