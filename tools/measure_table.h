// SPDX-License-Identifier: MIT
// measure_table.h - the writer of all tables of measuring programs, at most 100 columns wide.
//
// A table has lines and columns, and each names a part of a row: contender, measure, detail, state.
// A cell shows the row that both name together. Columns that do not fit go into a second block of
// the same lines. Lines and blocks without any row are left out.
#ifndef ACRE_TOOLS_MEASURE_TABLE_H
#define ACRE_TOOLS_MEASURE_TABLE_H

#include "measure_rows.h"

typedef enum table_part {
    TABLE_MEDIAN,
    TABLE_LEAST,
    TABLE_P999,
    TABLE_MOST,
    TABLE_UNIT,
    TABLE_FACTOR // the median, as a multiple of the row whose state is `over`
} table_part;

// Members that are NULL are left to the other side.
typedef struct table_key {
    const char *title; // NULL: the contender, else the detail
    const char *contender, *measure, *detail, *state;
    table_part part;  // of columns
    bool has_ratio;   // of columns: behind the value, how many times the base's it is
    const char *over; // of TABLE_FACTOR
} table_key;

typedef struct measure_table {
    const char *title;
    const table_key *lines, *columns;
    size_t line_count, column_count;
    const char *base; // the contender with which the others are compared
    uint32_t items;
} measure_table;

void table_print(const measure_rows *rows, const measure_table *table, FILE *out);

// Minimum, median, p99.9, maximum and unit of a row each.
void table_print_spread(const measure_rows *rows, measure_table *table, FILE *out);

// A line for each case where a contender of the columns takes less than 0.95 of the base's time, by
// minima, which a busy machine disturbs least. Returns how many there are.
uint32_t table_print_losses(const measure_rows *rows, const measure_table *table, FILE *out);

// Three digits that count: 0.123, 1.23, 12.3, 123, 1234.
void table_number(char *out, size_t size, double value);

#endif
