// SPDX-License-Identifier: MIT
// bench_worlds.h - views of worlds as they come (tests/support/worlds.h) beside loops: none may be
// faster than Acre.
#ifndef ACRE_TOOLS_BENCH_WORLDS_H
#define ACRE_TOOLS_BENCH_WORLDS_H

#include "bench_contest.h"

// Every kind of world with `count` boxes; the town alone where these are fewer than 1,000. All sets
// are compared. Returns false and a message where one differs.
bool worlds_measure(const bench_options *options, uint32_t count, measure_rows *rows, char *message,
                    size_t message_size);

// Tables of what was measured.
void worlds_report(const bench_options *options, uint32_t count, const measure_rows *rows,
                   FILE *out);

#endif
