// SPDX-License-Identifier: MIT
// planted_race.c - a call whose shares write what only one of them may write: the thread sanitizer
// and helgrind must report it, or their silence about other programs says nothing.
//     planted_race count    shares add to one counter that is not atomic
//     planted_race block    a share writes into the block behind its own
//     planted_race none     nothing is planted
#include "task_scheduler.h"

#include <tasks_internal.h>

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { BLOCKS = 64, CALLS = 5 };

typedef struct racing_call {
    _Atomic uint32_t begun; // shares that workers have begun
    bool counts, writes_behind;
    uint32_t written; // by all shares, where that is planted
    uint32_t blocks[BLOCKS + 1];
} racing_call;

// Each share has blocks of its own. The first waits, as no task of Acre does, until a worker has
// another: else it might run them all.
static void write_blocks(void *context, uint32_t share)
{
    racing_call *const call = context;
    if (share > 0) {
        atomic_fetch_add_explicit(&call->begun, 1, memory_order_relaxed);
    }
    while (share == 0 && atomic_fetch_add_explicit(&call->begun, 0, memory_order_relaxed) == 0) {
        sched_yield();
    }
    for (uint32_t block = share; block < BLOCKS; block += 4) {
        call->blocks[block + call->writes_behind] += block;
        call->blocks[block] += 1;
        if (call->counts) {
            call->written++;
        }
    }
}

int main(int argc, char **argv)
{
    const char *const fault = argc == 2 ? argv[1] : "";
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, 1);
    if (!scheduler || (strcmp(fault, "count") && strcmp(fault, "block") && strcmp(fault, "none"))) {
        fprintf(stderr, "usage: planted_race count|block|none\n");
        task_scheduler_destroy(scheduler);
        return 2;
    }
    const acre_tasks tasks = task_scheduler_tasks(scheduler);
    for (int i = 0; i < CALLS; i++) {
        racing_call call = {.counts = strcmp(fault, "count") == 0,
                            .writes_behind = strcmp(fault, "block") == 0};
        acre_run_shares(&tasks, "race", 4, write_blocks, &call);
    }
    task_scheduler_destroy(scheduler);
    return 0;
}
