// SPDX-License-Identifier: MIT
// bench_workers.h - what more workers gain: a copy, a refresh, a commit, views, a frame.
#ifndef ACRE_BENCH_WORKERS_H
#define ACRE_BENCH_WORKERS_H

#include "bench_options.h"
#include "measure_rows.h"

#include <stdio.h>

// Adds rows of one size. For each number of workers all views are compared with the definition, and
// everything else with what one worker finds. Returns false with a message.
bool workers_measure(const bench_options *options, uint32_t count, measure_rows *rows,
                     char *message, size_t message_size);

void workers_report(const bench_options *options, uint32_t count, const measure_rows *rows,
                    FILE *out);

#endif
