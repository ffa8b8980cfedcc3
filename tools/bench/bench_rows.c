// SPDX-License-Identifier: MIT
// bench_rows.c - what `acre bench` found: a flat list of figures.
#include "bench_rows.h"

#include <stdlib.h>
#include <string.h>

bool rows_add(bench_rows *rows, const bench_row *row)
{
    if (rows->count == rows->capacity) {
        const size_t capacity = rows->capacity ? 2 * rows->capacity : 256;
        bench_row *const grown = realloc(rows->rows, capacity * sizeof *grown);
        if (!grown) {
            return false;
        }
        rows->rows = grown;
        rows->capacity = capacity;
    }
    rows->rows[rows->count++] = *row;
    return true;
}

void rows_free(bench_rows *rows)
{
    free(rows->rows);
    *rows = (bench_rows){0};
}

const bench_row *rows_find(const bench_rows *rows, const bench_row *like)
{
    for (size_t i = 0; i < rows->count; i++) {
        const bench_row *const row = &rows->rows[i];
        if (row->items == like->items && strcmp(row->contender, like->contender) == 0 &&
            strcmp(row->measure, like->measure) == 0 && strcmp(row->detail, like->detail) == 0 &&
            strcmp(row->state, like->state) == 0) {
            return row;
        }
    }
    return NULL;
}

sample_summary single_value(double value)
{
    return (sample_summary){value, value, value, value, value, 1};
}
