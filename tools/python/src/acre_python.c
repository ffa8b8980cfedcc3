// SPDX-License-Identifier: MIT
// acre_python.c - many rays at once, workers that live as long as the process, and
// which instruction set to load.
#include "acre_python.h"

#include "workers.h"

#include <math.h>
#include <pthread.h>

acre_result acre_python_cast_rays(const acre_quadtree *tree, const acre_query *query,
                                  const acre_ray *rays, size_t count, acre_query_hit *hits,
                                  size_t *first_refused)
{
    acre_result first = ACRE_OK;
    acre_query row = *query;
    row.shape = ACRE_QUERY_SHAPE_RAY;
    for (size_t i = 0; i < count; i++) {
        size_t found = 0;
        row.ray = &rays[i];
        const acre_result result = acre_quadtree_query_nearest(tree, &row, &hits[i], 1, &found);
        if (found == 0 || result != ACRE_OK) {
            hits[i] = (acre_query_hit){UINT32_MAX, INFINITY};
        }
        if (result != ACRE_OK && first == ACRE_OK) {
            first = result;
            *first_refused = i;
        }
    }
    return first;
}

const char *acre_python_instruction_set(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("x86-64-v4")) {
        return "avx512";
    }
    if (__builtin_cpu_supports("x86-64-v3")) {
        return "avx2";
    }
#endif
    return "base";
}

// ---- workers ----

static bool copy_tasks(void *context, const acre_tasks *tasks)
{
    *(acre_tasks *)context = *tasks;
    return true;
}

acre_result acre_python_set_workers(acre_quadtree *tree, uint32_t count)
{
    // One thread at a time may ask for workers.
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    const uint32_t most = workers_of_machine();
    acre_tasks tasks = {0};
    if (count > most) {
        count = most;
    }
    if (count > 1) {
        (void)pthread_mutex_lock(&mutex);
        (void)workers_run(most, copy_tasks, &tasks);
        (void)pthread_mutex_unlock(&mutex);
        tasks.worker_count = count;
    }
    return acre_quadtree_set_tasks(tree, count > 1 ? &tasks : NULL);
}
