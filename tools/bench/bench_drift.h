// SPDX-License-Identifier: MIT
// bench_drift.h - Acre beside refitted, rebuilt and newly sorted hierarchies over 2,000 frames.
#ifndef ACRE_TOOLS_BENCH_DRIFT_H
#define ACRE_TOOLS_BENCH_DRIFT_H

#include "bench_options.h"
#include "measure_rows.h"

// Moves 1, 10 and 100 % of `count` boxes: rows of each update, and of queries at some frames. Fewer
// frames where the options have fewer rounds than usual. Returns false and a message where a set
// differs.
bool drift_measure(const bench_options *options, uint32_t count, measure_rows *rows, char *message,
                   size_t message_size);

// The tables of what was measured.
void drift_report(const bench_options *options, uint32_t count, const measure_rows *rows,
                  FILE *out);

#endif
