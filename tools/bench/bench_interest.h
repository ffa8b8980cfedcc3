// SPDX-License-Identifier: MIT
// bench_interest.h - observers among movers (acre/interest.h) beside a uniform grid and
// Boost's R-tree: what is seen, and what of it is new, in each tick.
#ifndef ACRE_TOOLS_BENCH_INTEREST_H
#define ACRE_TOOLS_BENCH_INTEREST_H

#include "bench_options.h"
#include "measure_rows.h"

// `count` movers and an observer for every hundredth of them. All lists are compared in each tick.
// Returns false and a message where one differs.
bool interest_measure(const bench_options *options, uint32_t count, measure_rows *rows,
                      char *message, size_t message_size);

// A table of what was measured.
void interest_report(const bench_options *options, uint32_t count, const measure_rows *rows,
                     FILE *out);

#endif
