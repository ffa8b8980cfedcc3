// SPDX-License-Identifier: MIT
// bench_rows.h - what `acre bench` found: a flat list of figures, which tables and files are made
// of.
#ifndef ACRE_TOOLS_BENCH_ROWS_H
#define ACRE_TOOLS_BENCH_ROWS_H

#include "run_statistics.h"

#include <stdint.h>

// Texts are of constant storage.
typedef struct bench_row {
    uint32_t items;        // in the world
    const char *contender; // whose figure
    const char *measure;   // "insert", "query", "nodes tested"
    const char *detail;    // "100 % moving", "ground"; empty: none
    const char *state;     // "hot", "cold L2"; empty: none
    const char *unit;
    sample_summary value;
} bench_row;

typedef struct bench_rows {
    bench_row *rows;
    size_t count, capacity;
} bench_rows;

// Returns false when memory is short.
bool rows_add(bench_rows *rows, const bench_row *row);
void rows_free(bench_rows *rows);

// The row with the same items and texts (but for the unit); NULL where there is none.
const bench_row *rows_find(const bench_rows *rows, const bench_row *like);

// A single value as a summary.
sample_summary single_value(double value);

#endif
