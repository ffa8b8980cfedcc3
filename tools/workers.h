// SPDX-License-Identifier: MIT
// workers.h - the programs' workers: threads that sleep while there is nothing to do.
//
// A worker that waits looks a few microseconds long and then sleeps. Workers that spin would take
// the core from another program that could run there, and the core from each other: two of them
// beside a busy program take longer than one.
//
// With ACRE_BIND=1 in the environment each worker stays on a processor of its own (Linux), whose
// caches keep what it wrote, and looks some milliseconds long before it sleeps: for measurements on
// a machine that does nothing else.
#ifndef ACRE_TOOLS_WORKERS_H
#define ACRE_TOOLS_WORKERS_H

#include <acre/tasks.h>

enum { WORKERS_MOST = ACRE_TASKS_MAX_WORKERS };

// How many the machine runs side by side.
uint32_t workers_of_machine(void);

// Runs `run` with tasks for this many workers, this thread among them; with NULL for one. The
// threads live as long as the program, and a copy of the tasks may be used as long. Returns what
// `run` returns.
bool workers_run(uint32_t count, bool (*run)(void *context, const acre_tasks *tasks),
                 void *context);

#endif
