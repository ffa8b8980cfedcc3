// SPDX-License-Identifier: MIT
// workers.h - the programs' workers: OpenMP tasks, which come with the compiler.
#ifndef ACRE_TOOLS_WORKERS_H
#define ACRE_TOOLS_WORKERS_H

#include <acre/tasks.h>

enum { WORKERS_MOST = ACRE_TASKS_MAX_WORKERS };

// Whether the program was built with OpenMP; without, there is one worker.
bool workers_are_there(void);

// How many the machine runs side by side; 1 without OpenMP.
uint32_t workers_of_machine(void);

// Runs `run` with tasks for this many workers, this thread among them; with NULL for one.
// Returns what `run` returns.
bool workers_run(uint32_t count, bool (*run)(void *context, const acre_tasks *tasks),
                 void *context);

#endif
