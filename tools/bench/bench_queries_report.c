// SPDX-License-Identifier: MIT
// bench_queries_report.c - tables of bench_queries.c: a line for each kind of question.
#include "bench_queries.h"

#include "bench_table.h"

#include <string.h>

#define NOISE 0.95 // of Acre's time: what others have to stay below to be called faster

static const bench_row *find(const bench_race *race, const char *contender, const char *measure,
                             uint32_t kind)
{
    return table_find(race, contender, measure, question_kind_at(kind)->name, "");
}

// The minimum in the place of the median, for cells that print the latter.
static bench_row least_of(const bench_row *row)
{
    bench_row least = *row;
    least.value.median = row->value.least;
    return least;
}

static void print_line(const bench_race *race, uint32_t kind, bool is_least, FILE *out)
{
    const bench_row *const items = find(race, bench_acre.name, "answer items", kind);
    const bench_row *const own = find(race, bench_acre.name, "answer", kind);
    char number[32] = "-";
    bench_row least_own = {0};
    if (items) {
        table_number(number, sizeof number, items->value.median);
    }
    if (own && is_least) {
        least_own = least_of(own);
    }
    fprintf(out, "%-24s %8s", question_kind_at(kind)->name, number);
    for (uint32_t i = 0; i < race->entrant_count; i++) {
        const bench_row *const row = find(race, race->entrants[i].what->name, "answer", kind);
        fprintf(out, "  ");
        if (!row || !is_least || row == own) {
            const bench_row *const shown = row && is_least ? &least_own : row;
            table_cell(shown, row && is_least ? &least_own : own, out);
        } else {
            const bench_row least = least_of(row);
            table_cell(&least, &least_own, out);
        }
    }
    fprintf(out, "\n");
}

// The names in two lines, parted behind the comma.
static void print_names(const bench_race *race, const char *title, FILE *out)
{
    fprintf(out, "\n%-24s %8s", title, "results");
    for (uint32_t i = 0; i < race->entrant_count; i++) {
        const char *const name = race->entrants[i].what->name;
        fprintf(out, "  %17.*s", (int)strcspn(name, ","), name);
    }
    fprintf(out, "\n%-24s %8s", "", "a query");
    for (uint32_t i = 0; i < race->entrant_count; i++) {
        const char *const name = race->entrants[i].what->name;
        const char *const rest = name + strcspn(name, ",");
        fprintf(out, "  %17s", *rest ? rest + 2 : "");
    }
    fprintf(out, "\n");
}

static void print_table(const bench_race *race, bool is_least, FILE *out)
{
    print_names(race, is_least ? "us a query, minimum" : "us a query, median", out);
    for (uint32_t kind = 0; kind < question_kind_count(); kind++) {
        print_line(race, kind, is_least, out);
    }
}

static void print_steps(const bench_race *race, FILE *out)
{
    for (uint32_t kind = 0; kind < question_kind_count(); kind++) {
        const bench_row *const row = find(race, bench_acre.name, "answer step", kind);
        if (row) {
            fprintf(out, "\n%-22s %10s %10s %10s %10s\n", "acre", "minimum", "median", "p99.9",
                    "maximum");
            table_spread("one of the steps", row, out);
        }
    }
}

// By the least of all repetitions, which a busy machine disturbs least.
static void print_losses(const bench_race *race, FILE *out)
{
    uint32_t losses = 0;
    for (uint32_t kind = 0; kind < question_kind_count(); kind++) {
        const bench_row *const own = find(race, bench_acre.name, "answer", kind);
        for (uint32_t i = 1; i < race->entrant_count; i++) {
            const char *const name = race->entrants[i].what->name;
            const bench_row *const other = find(race, name, "answer", kind);
            if (own && other && other->value.least < NOISE * own->value.least) {
                fprintf(out, "%s is faster: %u boxes, %s: x%.2f\n", name,
                        (unsigned)race->workload.count, question_kind_at(kind)->name,
                        other->value.least / own->value.least);
                losses++;
            }
        }
    }
    if (losses == 0) {
        fprintf(out, "nothing is faster than Acre at any of these queries\n");
    }
}

static void print_faults(const bench_race *race, FILE *out)
{
    for (uint32_t i = 0; i < race->entrant_count; i++) {
        const char *const name = race->entrants[i].what->name;
        for (uint32_t kind = 0; kind < question_kind_count(); kind++) {
            const bench_row *const missing = find(race, name, "answer missing", kind);
            const bench_row *const extra = find(race, name, "answer extra", kind);
            if (missing && extra) {
                fprintf(out, "%s, %s: %.0f results missing, %.0f too many\n", name,
                        question_kind_at(kind)->name, missing->value.median, extra->value.median);
            }
        }
    }
    fprintf(out,
            "%u questions of %u kinds were asked; the answers of Acre and of the loops are equal "
            "to the definition\n",
            (unsigned)(question_kind_count() * race->workload.view_count),
            (unsigned)question_kind_count());
}

void queries_report(const bench_race *race, FILE *out)
{
    const bench_workload *const workload = &race->workload;
    const double side = 2e-3 * (double)workload->half_size;
    fprintf(out, "\n%u boxes on %.2f km x %.2f km, %u questions of a kind\n",
            (unsigned)workload->count, side, side, (unsigned)workload->view_count);
    print_table(race, false, out);
    print_table(race, true, out);
    print_steps(race, out);
    fprintf(out, "\n");
    print_losses(race, out);
    print_faults(race, out);
}
