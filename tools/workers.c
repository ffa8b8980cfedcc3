// SPDX-License-Identifier: MIT
// workers.c - a share of Acre's is an OpenMP task; finish is a taskwait.
#include "workers.h"

#ifdef _OPENMP

#include <omp.h>

bool workers_are_there(void)
{
    return true;
}

uint32_t workers_of_machine(void)
{
    const int count = omp_get_num_procs();
    return count < 1 ? 1 : count > WORKERS_MOST ? WORKERS_MOST : (uint32_t)count;
}

static void *enqueue(void *user, acre_task *task, void *context, const char *name)
{
    (void)name;
#pragma omp task firstprivate(task, context)
    task(context);
    return user; // not NULL: the task has yet to be waited for
}

// Waits for all tasks that this thread has enqueued: of one call of Acre.
static void finish(void *user, void *handle)
{
    (void)user, (void)handle;
#pragma omp taskwait
}

bool workers_run(uint32_t count, bool (*run)(void *context, const acre_tasks *tasks), void *context)
{
    static char anything;
    const acre_tasks tasks = {
        .worker_count = count, .enqueue = enqueue, .finish = finish, .user = &anything};
    bool is_good = false;
    if (count < 2) {
        return run(context, NULL);
    }
#pragma omp parallel num_threads((int)count)
#pragma omp single
    is_good = run(context, &tasks);
    return is_good;
}

#else

bool workers_are_there(void)
{
    return false;
}

uint32_t workers_of_machine(void)
{
    return 1;
}

bool workers_run(uint32_t count, bool (*run)(void *context, const acre_tasks *tasks), void *context)
{
    (void)count;
    return run(context, NULL);
}

#endif
