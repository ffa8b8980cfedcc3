// SPDX-License-Identifier: MIT
// bench_engines.h - whole frames of engines: movers set, all updated, five cameras asked.
#ifndef ACRE_BENCH_ENGINES_H
#define ACRE_BENCH_ENGINES_H

#include "bench_options.h"
#include "measure_rows.h"

#include <stdio.h>

// Acre, a plain loop, and the engines of others that were built in. Whatever a camera's answer has
// or lacks is compared with the camera's planes in doubles. Returns false with a message.
bool engines_measure(const bench_options *options, uint32_t count, measure_rows *rows,
                     char *message, size_t message_size);

void engines_report(const bench_options *options, uint32_t count, const measure_rows *rows,
                    FILE *out);

#endif
