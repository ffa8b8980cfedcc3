// SPDX-License-Identifier: MIT
// bench_growth_report.c - tables of bench_growth.c: a line for each share, a column a contender.
#include "bench_growth.h"

#include "bench_measure.h"
#include "bench_report.h"
#include "bench_table.h"

#define NOISE 0.95 // of Acre's time: what a loop has to stay below to be called faster

// Which rows a line of a table holds.
typedef struct growth_line {
    const char *measure, *detail, *state;
} growth_line;

static const bench_row *find(const bench_race *race, const char *contender, const growth_line *line)
{
    return table_find(race, contender, line->measure, line->detail, line->state);
}

static void print_head(const bench_race *race, const char *title, const growth_line *like,
                       FILE *out)
{
    fprintf(out, "\n%-20s", title);
    for (uint32_t i = 0; i < race->entrant_count; i++) {
        const char *const name = race->entrants[i].what->name;
        if (find(race, name, like)) {
            fprintf(out, " %17s", name);
        }
    }
    fprintf(out, "\n");
}

static void print_line(const bench_race *race, const growth_line *line, FILE *out)
{
    const bench_row *const own = find(race, bench_acre.name, line);
    fprintf(out, "%-20s", line->detail);
    for (uint32_t i = 0; i < race->entrant_count; i++) {
        const bench_row *const row = find(race, race->entrants[i].what->name, line);
        if (row) {
            fprintf(out, " ");
            table_cell(row, own, out);
        }
    }
    fprintf(out, "\n");
}

static growth_line kind_line(int kind)
{
    return (growth_line){"query", view_kind_name((view_kind)kind), "hot"};
}

static growth_line share_line(int share)
{
    return (growth_line){"share query", growth_shares[share].name, "hot"};
}

static growth_line moving_line(int share)
{
    return (growth_line){"frame", measure_shares[share].name, ""};
}

typedef struct growth_table {
    const char *title;
    int line_count;
    growth_line (*line)(int);
} growth_table;

static const growth_table tables[] = {{"us per query", VIEW_KIND_COUNT_, kind_line},
                                      {"us per query", VIEW_SHARE_COUNT, share_line},
                                      {"us a frame", MOVING_SHARE_COUNT, moving_line}};

// By the least of all repetitions, which a busy machine disturbs least. Of queries alone: a loop
// that only writes boxes down is no yardstick of a refresh, which keeps an order for the queries.
static uint32_t print_losses(const bench_race *race, const growth_table *table, FILE *out)
{
    const bench_contender *const loop = bench_simd_loop(race->options->kernel);
    uint32_t losses = 0;
    for (int i = 0; i < table->line_count && loop; i++) {
        const growth_line line = table->line(i);
        const bench_row *const own = find(race, bench_acre.name, &line);
        const bench_row *const other = find(race, loop->name, &line);
        if (own && other && other->value.least < NOISE * own->value.least) {
            fprintf(out, "%s is faster: %u boxes, %s: x%.2f\n", loop->name,
                    (unsigned)race->workload.count, line.detail,
                    other->value.least / own->value.least);
            losses++;
        }
    }
    return losses;
}

void growth_report(const bench_race *race, FILE *out)
{
    const bench_workload *const workload = &race->workload;
    const double side = 2e-3 * (double)workload->half_size;
    fprintf(out, "\n%u boxes on %.2f km x %.2f km\n", (unsigned)workload->count, side, side);
    for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++) {
        const growth_line first = tables[k].line(0);
        print_head(race, tables[k].title, &first, out);
        for (int i = 0; i < tables[k].line_count; i++) {
            const growth_line line = tables[k].line(i);
            print_line(race, &line, out);
        }
    }
    fprintf(out, "\n");
    if (print_losses(race, &tables[0], out) + print_losses(race, &tables[1], out) == 0) {
        fprintf(out, "no loop is faster than Acre at any of these queries\n");
    }
    report_checks(race, out);
}
