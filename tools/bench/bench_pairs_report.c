// SPDX-License-Identifier: MIT
// bench_pairs_report.c - the table of bench_pairs.c: a line for each contender.
#include "bench_pairs.h"

#include "bench_table.h"

static double pairs_of(const bench_race *race, const char *name, const char *measure)
{
    const bench_row *const row = table_find(race, name, measure, "", "");
    return row ? row->value.median : 0.0;
}

// A time, and how many times as long as Acre's it is.
static void print_time(double value, double own, FILE *out)
{
    char number[32], factor[24];
    table_number(number, sizeof number, value);
    table_number(factor, sizeof factor, own > 0.0 ? value / own : 0.0);
    fprintf(out, " %10s  x%-7s", number, factor);
}

static void print_line(const bench_race *race, const char *name, FILE *out)
{
    const bench_row *const own = table_find(race, bench_acre.name, "pairs", "", "");
    const bench_row *const row = table_find(race, name, "pairs", "", "");
    if (!own || !row) {
        return;
    }
    fprintf(out, "%-24s %10.0f", name, pairs_of(race, name, "pairs found"));
    print_time(row->value.median, own->value.median, out);
    print_time(row->value.least, own->value.least, out);
    const double missing = pairs_of(race, name, "pairs missing");
    const double extra = pairs_of(race, name, "pairs extra");
    if (missing > 0.0 || extra > 0.0) {
        fprintf(out, " %.0f missing, %.0f too many", missing, extra);
    }
    fprintf(out, "\n");
}

void pairs_report(const bench_race *race, FILE *out)
{
    const double side = 2.0 * (double)race->workload.half_size;
    fprintf(out, "\n%u agents on %.0f m x %.0f m, all pairs\n", (unsigned)race->workload.count,
            side, side);
    fprintf(out, "%-24s %10s %10s %9s %10s\n", "", "pairs", "ms median", "", "ms minimum");
    for (uint32_t i = 0; i < race->entrant_count; i++) {
        print_line(race, race->entrants[i].what->name, out);
    }
    fprintf(out, "the pairs of Acre, of its contacts and of the sweep are equal\n");
}
