// SPDX-License-Identifier: MIT
// bench_report.c - the figures of `acre bench` as tables.
#include "bench_report.h"

#include "bench_measure.h"
#include "bench_table.h"
#include "bench_work.h"

#include <inttypes.h>
#include <string.h>

const char *bench_compiler(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown compiler";
#endif
}

// "model name : ..." of the first processor, as Linux tells it.
const char *bench_processor(void)
{
    static char line[256];
    FILE *const file = fopen("/proc/cpuinfo", "r");
    const char *name = "unknown processor";
    while (file && fgets(line, sizeof line, file)) {
        char *const colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon && colon[1]) {
            line[strcspn(line, "\n")] = '\0';
            name = colon + 2;
            break;
        }
    }
    if (file) {
        fclose(file);
    }
    return name;
}

void bench_report_header(const bench_options *options, FILE *out)
{
    const bench_contender *const loop = bench_simd_loop(options->kernel);
    fprintf(out, "processor  %s\n", bench_processor());
    fprintf(out, "compiler   %s\n", bench_compiler());
    if (!options->is_alone) {
        fprintf(out, "yardstick  %s\n", loop ? loop->name : bench_scalar.name);
    }
    if (options->is_tiled) {
        fprintf(out, "numbers    tile by tile\n");
    }
}

static void print_queries(const bench_race *race, const char *state, FILE *out)
{
    fprintf(out, "\n%-8s us per query  ", state);
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        fprintf(out, " %8s        ", view_kind_name((view_kind)kind));
    }
    fprintf(out, "\n");
    for (uint32_t i = 0; i < race->entrant_count; i++) {
        const char *const name = race->entrants[i].what->name;
        if (!table_find(race, name, "query", view_kind_name(VIEW_GROUND), state)) {
            continue;
        }
        fprintf(out, "%-22s", name);
        for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
            const char *const detail = view_kind_name((view_kind)kind);
            table_cell(table_find(race, name, "query", detail, state),
                       table_find(race, bench_acre.name, "query", detail, state), out);
        }
        fprintf(out, "\n");
    }
}

typedef struct report_column {
    const char *title, *measure, *detail;
} report_column;

static const report_column columns[] = {
    {"insert", "insert", ""},
    {"build", "build", ""},
    {"remove", "remove", ""},
    {"2 % move", "refresh", "2 % moving"},
    {"10 % move", "refresh", "10 % moving"},
    {"all move", "refresh", "100 % moving"},
};
enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

static void print_edits(const bench_race *race, FILE *out)
{
    fprintf(out, "\nns per item, or mover ");
    for (int k = 0; k < COLUMN_COUNT; k++) {
        fprintf(out, " %9s       ", columns[k].title);
    }
    fprintf(out, "   B/item\n");
    for (uint32_t i = 0; i < race->entrant_count; i++) {
        const char *const name = race->entrants[i].what->name;
        const bench_row *const bytes = table_find(race, name, "memory", "", "");
        const bool has_any = bytes || table_find(race, name, "refresh", "100 % moving", "");
        if (!has_any) {
            continue;
        }
        fprintf(out, "%-22s", name);
        for (int k = 0; k < COLUMN_COUNT; k++) {
            table_cell(table_find(race, name, columns[k].measure, columns[k].detail, ""),
                       table_find(race, bench_acre.name, columns[k].measure, columns[k].detail, ""),
                       out);
        }
        if (bytes) {
            fprintf(out, " %8.1f", bytes->value.median);
        }
        fprintf(out, "\n");
    }
}

static void print_spread_row(const bench_row *row, FILE *out)
{
    if (row) {
        char title[64];
        snprintf(title, sizeof title, "%s %s %s", row->measure, row->detail, row->state);
        table_spread(title, row, out);
    }
}

static void print_spread(const bench_race *race, FILE *out)
{
    static const char *const details[] = {"100 % moving", "spawning", "teleporting", "churn"};
    fprintf(out, "\n%-22s %10s %10s %10s %10s\n", "acre", "minimum", "median", "p99.9", "maximum");
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        print_spread_row(
            table_find(race, bench_acre.name, "query", view_kind_name((view_kind)kind), "hot"),
            out);
    }
    for (int k = 3; k < COLUMN_COUNT; k++) {
        print_spread_row(table_find(race, bench_acre.name, "refresh", columns[k].detail, ""), out);
    }
    for (int k = 0; k < 4 * WORK_COUNT; k++) {
        print_spread_row(table_find(race, bench_acre.name, work_names[k % WORK_COUNT],
                                    details[k / WORK_COUNT], ""),
                         out);
    }
}

static void print_counters(const bench_race *race, FILE *out)
{
    static const char *const counters[] = {"items visible", "nodes tested", "items tested",
                                           "items accepted"};
    fprintf(out, "\n%-22s", "acre, mean of a query");
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        fprintf(out, " %10s", view_kind_name((view_kind)kind));
    }
    fprintf(out, "\n");
    for (int k = 0; k < 4; k++) {
        fprintf(out, "%-22s", counters[k]);
        for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
            const bench_row *const row =
                table_find(race, bench_acre.name, counters[k], view_kind_name((view_kind)kind), "");
            fprintf(out, " %10.1f", row ? row->value.median : 0.0);
        }
        fprintf(out, "\n");
    }
}

void report_checks(const bench_race *race, FILE *out)
{
    uint64_t sets = 0;
    for (uint32_t i = 0; i < race->entrant_count; i++) {
        const race_entrant *const entrant = &race->entrants[i];
        const set_faults *const faults = &entrant->faults;
        sets += faults->sets - faults->different;
        if (faults->different) {
            fprintf(out,
                    "%-22s %" PRIu64 " of %" PRIu64 " sets differ from the reference: %" PRIu64
                    " items missing, %" PRIu64 " of them truly in view; %" PRIu64 " too many\n",
                    entrant->what->name, faults->different, faults->sets, faults->missing,
                    faults->missing_seen, faults->extra);
        }
    }
    fprintf(out, "%" PRIu64 " sets were compared with the reference and are equal to it\n", sets);
}

void bench_report_race(const bench_race *race, FILE *out)
{
    const bench_workload *const workload = &race->workload;
    const double side = 2e-3 * (double)workload->half_size;
    fprintf(out, "\n%u boxes on %.2f km x %.2f km, %u views of a kind, %u of the whole\n",
            (unsigned)workload->count, side, side, (unsigned)workload->view_count,
            (unsigned)race_view_count(race, VIEW_WHOLE));
    print_queries(race, "hot", out);
    if (race->options->has_cold) {
        print_queries(race, "cold L2", out);
        print_queries(race, "cold L3", out);
    }
    print_edits(race, out);
    report_bursts(race, out);
    report_churn(race, out);
    print_spread(race, out);
    print_counters(race, out);
    fprintf(out, "\n");
    report_checks(race, out);
}
