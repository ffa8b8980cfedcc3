// SPDX-License-Identifier: MIT
// bench_workers_rows.h - the rows of the table of workers: what each is compared with, and what
// limits it.
#ifndef ACRE_BENCH_WORKERS_ROWS_H
#define ACRE_BENCH_WORKERS_ROWS_H

#include "bench_options.h"
#include "bench_workers_drawn.h"
#include "measure_rows.h"

#include <stdio.h>

typedef enum worker_task {
    FORK, // a copy of nothing
    COPY_REFRESH,
    REFRESH,
    COPY_COMMIT,
    COMMIT,
    FIND,
    FIND_WIDE,
    NEIGHBORS,
    PAIRS,
    FRAME,
    COPY_BUILD,
    DRAWN, // those of bench_workers_drawn.h
    CHAINS = DRAWN + DRAWN_CHAINS,
    WIDE_VIEW = DRAWN + DRAWN_VIEW,
    DRAW_LIST = DRAWN + DRAWN_LIST,
    CASTERS = DRAWN + DRAWN_CASTERS,
    BUILD = DRAWN + DRAWN_BUILD,
    OPTIMIZE = DRAWN + DRAWN_OPTIMIZE,
    TASK_COUNT_ = DRAWN + DRAWN_TASK_COUNT_
} worker_task;

typedef struct worker_row {
    const char *name;
    worker_task copy;  // of as many bytes as the call's arrays have; FORK: none
    const char *limit; // NULL: of a copy
} worker_row;

extern const worker_row worker_rows[TASK_COUNT_];

// Bytes that a copy reads and writes for each item; a call's are counted where it is defined. 0:
// the task is no copy.
uint32_t worker_copy_bytes(worker_task task);
// Bytes an item by which a copy begins farther on in every other frame: those of the caller's other
// array.
uint32_t worker_copy_shift(worker_task task);

enum { WORKER_COPY_MOST = 236, WORKER_SHIFT_MOST = 40 }; // bytes an item

const char *worker_name(uint32_t workers);

// Prints for each row how much the most workers gain, that gain as a share of its copy's, and its
// limit.
void workers_print_limits(const bench_options *options, uint32_t count, const measure_rows *rows,
                          FILE *out);

#endif
