// SPDX-License-Identifier: MIT
// bench_near.h - `acre bench --near yes`: the first hit of rays among boxes, and neighbors among
// points, beside libraries that are made for them.
#ifndef ACRE_TOOLS_BENCH_NEAR_H
#define ACRE_TOOLS_BENCH_NEAR_H

#include "bench_options.h"
#include "measure_rows.h"

// Rows of each kind of question, and of the update where all move. Every answer is compared with
// the definition. Returns false and a message where one of Acre's or of the loop's differs.
bool near_measure(const bench_options *options, uint32_t count, measure_rows *rows, char *message,
                  size_t message_size);

// The table of what was measured.
void near_report(const bench_options *options, uint32_t count, const measure_rows *rows, FILE *out);

#endif
