// SPDX-License-Identifier: MIT
// bench_pairs.h - `acre bench --pairs yes`: all overlapping pairs of a crowd, Acre beside a sweep
// and the trees of others.
#ifndef ACRE_TOOLS_BENCH_PAIRS_H
#define ACRE_TOOLS_BENCH_PAIRS_H

#include "bench_contest.h"

// A contest on a crowd of count agents: boxes of 0.5 to 1.5 m, one on 6 m2 of ground. Returns false
// and a message; *out is then to be freed all the same.
bool pairs_create_contest(bench_contest *out, const bench_options *options, uint32_t count,
                          measure_rows *rows);

// "pairs" in milliseconds a call, "pairs found" by each; of those whose pairs are not Acre's also
// "pairs missing" and "pairs extra". Returns false with contest.message, also where an exact
// contender differs.
bool pairs_measure(bench_contest *contest);

#endif
