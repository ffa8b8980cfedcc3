// SPDX-License-Identifier: MIT
// measure_rows.h - what `acre bench` found: a flat list of figures. Tables and files are made of
// it.
#ifndef ACRE_TOOLS_MEASURE_ROWS_H
#define ACRE_TOOLS_MEASURE_ROWS_H

#include "run_statistics.h"

#include <stdint.h>
#include <stdio.h>

// Which figure. Texts are of constant storage; empty: none.
typedef struct row_name {
    const char *measure; // "insert", "query", "nodes tested"
    const char *detail;  // "100 % moving", "ground"
    const char *state;   // "hot", "cold L2"
    const char *unit;
} row_name;

typedef struct measure_row {
    uint32_t items; // in the world
    const char *contender;
    row_name name;
    sample_summary value;
} measure_row;

typedef struct measure_rows {
    measure_row *rows;
    size_t count, capacity;
    uint32_t items;        // of the rows that are added
    bool is_out_of_memory; // a row is missing
} measure_rows;

void rows_add(measure_rows *rows, const char *contender, row_name name, sample_summary value);
void rows_add_value(measure_rows *rows, const char *contender, row_name name, double value);

// Nothing where the list is empty.
void rows_add_samples(measure_rows *rows, const char *contender, row_name name, sample_list *list);
void rows_free(measure_rows *rows);

// NULL where there is no such row.
const measure_row *rows_find(const measure_rows *rows, uint32_t items, const char *contender,
                             const char *measure, const char *detail, const char *state);

// Comma-separated values, a header line first.
void rows_print_csv(const measure_rows *rows, const char *mode, FILE *out);

// The same as JSON, to be written by json_write_file (json_writer.h). NULL: memory was short.
char *rows_make_json(const measure_rows *rows, const char *mode);

#endif
