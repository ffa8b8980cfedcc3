// SPDX-License-Identifier: MIT
// bench_table.c - cells of the tables of `acre bench`.
#include "bench_table.h"

const bench_row *table_find(const bench_race *race, const char *contender, const char *measure,
                            const char *detail, const char *state)
{
    return rows_find(race->rows, &(bench_row){.items = race->workload.count,
                                              .contender = contender,
                                              .measure = measure,
                                              .detail = detail,
                                              .state = state});
}

void table_number(char *out, size_t size, double value)
{
    snprintf(out, size, "%.*f", value < 1.0 ? 3 : value < 10.0 ? 2 : value < 100.0 ? 1 : 0, value);
}

void table_cell(const bench_row *row, const bench_row *own, FILE *out)
{
    char number[32] = "-", ratio[32] = "";
    if (row) {
        table_number(number, sizeof number, row->value.median);
    }
    if (row && own && row != own && own->value.median > 0.0) {
        char factor[24];
        table_number(factor, sizeof factor, row->value.median / own->value.median);
        snprintf(ratio, sizeof ratio, "x%s", factor);
    }
    fprintf(out, " %8s %-7s", number, ratio);
}

void table_spread(const char *title, const bench_row *row, FILE *out)
{
    const double values[] = {row->value.least, row->value.median, row->value.p999, row->value.most};
    fprintf(out, "%-22s", title);
    for (int k = 0; k < 4; k++) {
        char number[32];
        table_number(number, sizeof number, values[k]);
        fprintf(out, " %10s", number);
    }
    fprintf(out, " %s\n", row->unit);
}
