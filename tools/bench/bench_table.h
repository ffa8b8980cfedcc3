// SPDX-License-Identifier: MIT
// bench_table.h - cells of the tables of `acre bench`: a median, and how it compares.
#ifndef ACRE_TOOLS_BENCH_TABLE_H
#define ACRE_TOOLS_BENCH_TABLE_H

#include "bench_race.h"

#include <stdio.h>

// The row of a race's size; NULL where there is none.
const bench_row *table_find(const bench_race *race, const char *contender, const char *measure,
                            const char *detail, const char *state);

// Three digits that count: 0.123, 1.23, 12.3, 123, 1234.
void table_number(char *out, size_t size, double value);

// A median and how many times as long as `own` it is; "-" for NULL. 17 characters wide.
void table_cell(const bench_row *row, const bench_row *own, FILE *out);

// A line: the title, minimum, median, p99.9, maximum, the unit.
void table_spread(const char *title, const bench_row *row, FILE *out);

#endif
