// SPDX-License-Identifier: MIT
// bench_worst.h - a scripted game whose worst frames count, not its usual ones.
#ifndef ACRE_TOOLS_BENCH_WORST_H
#define ACRE_TOOLS_BENCH_WORST_H

#include "bench_options.h"
#include "measure_rows.h"

// Plays the game with `count` entities: rows of each call in each phase. The visible sets of some
// frames are compared with a loop over all entities. Returns false and a message where one differs.
bool worst_measure(const bench_options *options, uint32_t count, measure_rows *rows, char *message,
                   size_t message_size);

// The table of what was measured.
void worst_report(const bench_options *options, uint32_t count, const measure_rows *rows,
                  FILE *out);

#endif
