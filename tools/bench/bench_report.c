// SPDX-License-Identifier: MIT
// bench_report.c - the tables of a contest: what stands in their lines and columns.
#include "bench_report.h"

#include "bench_measure.h"
#include "bench_neighbors.h"
#include "bench_queries.h"
#include "measure_table.h"

#include <inttypes.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown compiler"
#endif

void report_header(const bench_options *options, FILE *out)
{
    const bench_contender *const loop = bench_simd_loop(options->kernel);
    FILE *const file = fopen("/proc/cpuinfo", "r");
    const char *name = "unknown";
    char line[256];
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
    fprintf(out, "processor  %s\ncompiler   %s\n", name, COMPILER);
    fprintf(out, "yardstick  %s\n", loop ? loop->name : bench_scalar.name);
}

void report_checks(const bench_contest *contest, FILE *out)
{
    uint64_t sets = 0;
    for (uint32_t i = 0; i < contest->entrant_count; i++) {
        const contest_entrant *const entrant = &contest->entrants[i];
        const set_faults *const faults = &entrant->faults;
        sets += faults->sets - faults->different;
        if (faults->different) {
            fprintf(out,
                    "%-22s %" PRIu64 " of %" PRIu64 " sets differ from the reference:\n"
                    "%-22s %" PRIu64 " items missing, %" PRIu64 " of them truly in view; %" PRIu64
                    " too many\n",
                    entrant->what->name, faults->different, faults->sets, "", faults->missing,
                    faults->missing_seen, faults->extra);
        }
    }
    fprintf(out, "%" PRIu64 " sets were compared with the reference and are equal to it\n", sets);
}

// A line, or a column, for each contender.
static size_t list_entrants(const bench_contest *contest, table_key *out)
{
    for (uint32_t i = 0; i < contest->entrant_count; i++) {
        out[i] = (table_key){.contender = contest->entrants[i].what->name, .has_ratio = true};
    }
    return contest->entrant_count;
}

static void list_kinds(table_key *out, table_key like)
{
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        out[kind] = like;
        out[kind].detail = view_kind_name((view_kind)kind);
        out[kind].title = view_kind_name((view_kind)kind);
    }
}

// Contenders down, columns across, beside Acre.
static void print_contenders(const bench_contest *contest, const char *title,
                             const table_key *columns, size_t count, FILE *out)
{
    table_key lines[CONTEST_MAX_ENTRANTS];
    const measure_table table = {.title = title,
                                 .lines = lines,
                                 .columns = columns,
                                 .line_count = list_entrants(contest, lines),
                                 .column_count = count,
                                 .base = bench_acre.name,
                                 .items = contest->workload.count};
    table_print(contest->rows, &table, out);
}

static void print_queries(const bench_contest *contest, const char *state, FILE *out)
{
    char title[32];
    table_key columns[VIEW_KIND_COUNT_];
    list_kinds(columns, (table_key){.measure = "query", .state = state, .has_ratio = true});
    snprintf(title, sizeof title, "%s, us a query", state);
    print_contenders(contest, title, columns, VIEW_KIND_COUNT_, out);
}

static void print_edits(const bench_contest *contest, FILE *out)
{
    static const table_key columns[] = {{.title = "insert", .measure = "insert", .has_ratio = true},
                                        {.title = "build", .measure = "build", .has_ratio = true},
                                        {.title = "remove", .measure = "remove", .has_ratio = true},
                                        {.title = "B/item", .measure = "memory"}};
    static const table_key moves[] = {
        {.title = "2 % move", .measure = "refresh", .detail = "2 % moving", .has_ratio = true},
        {.title = "10 % move", .measure = "refresh", .detail = "10 % moving", .has_ratio = true},
        {.title = "all move", .measure = "refresh", .detail = "100 % moving", .has_ratio = true}};
    print_contenders(contest, "ns an item", columns, COUNT(columns), out);
    print_contenders(contest, "ns a mover", moves, COUNT(moves), out);
}

// Median and maximum: a burst is felt in its worst frame.
static void print_bursts(const bench_contest *contest, FILE *out)
{
    static const char *const bursts[][2] = {
        {"spawn", "spawning"}, {"despawn", "spawning"}, {"teleport", "teleporting"}};
    char title[48];
    table_key columns[2 * COUNT(bursts)];
    for (size_t i = 0; i < COUNT(bursts); i++) {
        columns[2 * i] = (table_key){.title = bursts[i][0],
                                     .measure = bursts[i][0],
                                     .detail = bursts[i][1],
                                     .has_ratio = true};
        columns[2 * i + 1] = columns[2 * i];
        columns[2 * i + 1].title = "maximum";
        columns[2 * i + 1].part = TABLE_MOST;
        columns[2 * i + 1].has_ratio = false;
    }
    snprintf(title, sizeof title, "us, %u at once",
             (unsigned)measure_burst_items(contest->workload.count));
    print_contenders(contest, title, columns, COUNT(columns), out);
}

static void print_churn(const bench_contest *contest, FILE *out)
{
    static const table_key frames[] = {
        {.title = "operations", .measure = "churn operations"},
        {.title = "us a frame", .measure = "churn"},
        {.title = "p99.9", .measure = "churn", .part = TABLE_P999},
        {.title = "maximum", .measure = "churn", .part = TABLE_MOST}};
    static const struct {
        const char *title, *measure, *state;
    } factors[] = {{"time a query", "churn query", "aged"},
                   {"nodes tested", "churn nodes", "aged"},
                   {"items tested", "churn items", "aged"}};
    print_contenders(contest, "after churn", frames, COUNT(frames), out);
    for (size_t i = 0; i < COUNT(factors) && contest->options->churn; i++) {
        table_key columns[VIEW_KIND_COUNT_];
        list_kinds(columns, (table_key){.measure = factors[i].measure,
                                        .state = factors[i].state,
                                        .part = TABLE_FACTOR,
                                        .over = "fresh"});
        if (i == 0) {
            fprintf(out, "\nafter churn, as a multiple of a fresh build:");
        }
        print_contenders(contest, factors[i].title, columns, VIEW_KIND_COUNT_, out);
    }
}

static void print_spread(const bench_contest *contest, FILE *out)
{
    static const char *const details[] = {"2 % moving", "10 % moving", "100 % moving",
                                          "spawning",   "teleporting", "churn"};
    table_key lines[VIEW_KIND_COUNT_ + 3 + WORK_COUNT * 4];
    char titles[COUNT(lines)][40];
    size_t count = VIEW_KIND_COUNT_;
    list_kinds(lines, (table_key){.measure = "query", .state = "hot"});
    for (size_t i = 0; i < 3; i++) {
        lines[count++] = (table_key){.measure = "refresh", .detail = details[i]};
    }
    for (size_t i = 0; i < 4 * WORK_COUNT; i++) {
        lines[count++] = (table_key){.measure = measure_work_names[i % WORK_COUNT],
                                     .detail = details[2 + i / WORK_COUNT]};
    }
    for (size_t i = 0; i < count; i++) {
        lines[i].contender = bench_acre.name;
        snprintf(titles[i], sizeof titles[i], "%s, %s", lines[i].measure, lines[i].detail);
        lines[i].title = titles[i];
    }
    table_print_spread(contest->rows,
                       &(measure_table){.title = bench_acre.name,
                                        .lines = lines,
                                        .line_count = count,
                                        .items = contest->workload.count},
                       out);
}

static void print_counters(const bench_contest *contest, FILE *out)
{
    static const table_key lines[] = {{.title = "items visible", .measure = "items visible"},
                                      {.title = "nodes tested", .measure = "nodes tested"},
                                      {.title = "items tested", .measure = "items tested"},
                                      {.title = "items accepted", .measure = "items accepted"}};
    table_key columns[VIEW_KIND_COUNT_];
    list_kinds(columns, (table_key){.contender = bench_acre.name});
    table_print(contest->rows,
                &(measure_table){.title = "acre, mean of a query",
                                 .lines = lines,
                                 .columns = columns,
                                 .line_count = COUNT(lines),
                                 .column_count = VIEW_KIND_COUNT_,
                                 .items = contest->workload.count},
                out);
}

static double value_of(const bench_contest *contest, const char *contender, const char *measure,
                       const char *detail)
{
    const measure_row *const row =
        rows_find(contest->rows, contest->workload.count, contender, measure, detail, "");
    return row ? row->value.median : 0.0;
}

static void print_wrong_answers(const bench_contest *contest, uint32_t kind, FILE *out)
{
    const char *const name = question_kind_at(kind)->name;
    for (uint32_t i = 0; i < contest->entrant_count; i++) {
        const char *const who = contest->entrants[i].what->name;
        const double missing = value_of(contest, who, "answer missing", name);
        const double extra = value_of(contest, who, "answer extra", name);
        if (missing + extra > 0.0) {
            fprintf(out, "%s, %s: %.0f results missing, %.0f too many\n", who, name, missing,
                    extra);
        }
    }
}

static void print_neighbors(const bench_contest *contest, FILE *out)
{
    static const table_key columns[] = {
        {.title = "ms median", .measure = "neighbors", .has_ratio = true},
        {.title = "ms minimum", .measure = "neighbors", .part = TABLE_LEAST, .has_ratio = true},
        {.title = "a unit", .measure = "neighbors found"}};
    table_key lines[NEIGHBOR_WAY_COUNT];
    char title[64];
    for (size_t i = 0; i < NEIGHBOR_WAY_COUNT; i++) {
        lines[i] = (table_key){.contender = neighbor_ways[i]};
    }
    snprintf(title, sizeof title, "neighbors of %u units",
             (unsigned)(contest->workload.count / 2 + 1));
    const measure_table table = {.title = title,
                                 .lines = lines,
                                 .columns = columns,
                                 .line_count = NEIGHBOR_WAY_COUNT,
                                 .column_count = COUNT(columns),
                                 .base = neighbor_ways[0],
                                 .items = contest->workload.count};
    table_print(contest->rows, &table, out);
}

static void report_queries(const bench_contest *contest, FILE *out)
{
    const size_t count = question_kind_count();
    table_key kinds[QUESTION_MAX_KINDS];
    table_key columns[CONTEST_MAX_ENTRANTS + 1] = {
        {.title = "results", .contender = bench_acre.name, .measure = "answer items"}};
    const size_t entrants = list_entrants(contest, columns + 1);
    for (uint32_t i = 0; i < count; i++) {
        const char *const name = question_kind_at(i)->name;
        kinds[i] = (table_key){.detail = name};
    }
    for (size_t i = 1; i <= entrants; i++) {
        columns[i].measure = "answer";
    }
    const measure_table table = {.title = "us a query",
                                 .lines = kinds,
                                 .columns = columns,
                                 .line_count = count,
                                 .column_count = entrants + 1,
                                 .base = bench_acre.name,
                                 .items = contest->workload.count};
    table_print(contest->rows, &table, out);
    const uint32_t losses = table_print_losses(contest->rows, &table, out);
    print_neighbors(contest, out);
    fprintf(out, losses ? "\n" : "\nnothing is faster than Acre at any of these queries\n");
    for (uint32_t i = 0; i < count; i++) {
        print_wrong_answers(contest, i, out);
    }
    fprintf(out,
            "%u questions of %u kinds were asked;\n"
            "the answers of Acre and of the loops are equal to the definition\n",
            (unsigned)(count * contest->workload.view_count), (unsigned)count);
}

static void report_pairs(const bench_contest *contest, FILE *out)
{
    static const table_key columns[] = {
        {.title = "pairs", .measure = "pairs found"},
        {.title = "ms median", .measure = "pairs", .has_ratio = true},
        {.title = "ms minimum", .measure = "pairs", .part = TABLE_LEAST, .has_ratio = true},
        {.title = "missing", .measure = "pairs missing"},
        {.title = "too many", .measure = "pairs extra"}};
    print_contenders(contest, "all pairs", columns, COUNT(columns), out);
    fprintf(out, "the pairs of Acre, of its contacts and of the sweep are equal\n");
}

void report_contest(const bench_contest *contest, FILE *out)
{
    const bench_options *const options = contest->options;
    const double side = 2.0 * (double)contest->workload.half_size;
    fprintf(out, "\n%u %s on %.0f m x %.0f m", (unsigned)contest->workload.count,
            options->mode == BENCH_PAIRS ? "agents" : "boxes", side, side);
    if (options->mode != BENCH_PAIRS) {
        fprintf(out, ", %u views or questions of a kind", (unsigned)contest->workload.view_count);
    }
    fprintf(out, "\n");
    if (options->mode == BENCH_PAIRS) {
        report_pairs(contest, out);
    } else if (options->mode == BENCH_QUERIES) {
        report_queries(contest, out);
    } else {
        print_queries(contest, "hot", out);
        print_queries(contest, "cold L2", out);
        print_queries(contest, "cold L3", out);
        print_edits(contest, out);
        print_bursts(contest, out);
        print_churn(contest, out);
        print_spread(contest, out);
        print_counters(contest, out);
        fprintf(out, "\n");
        report_checks(contest, out);
    }
}
