// SPDX-License-Identifier: MIT
// bench.c - `acre bench`: Acre beside loops and trees of others, in one run.
#include "bench.h"

#include "bench_city.h"
#include "bench_drift.h"
#include "bench_engines.h"
#include "bench_interest.h"
#include "bench_measure.h"
#include "bench_near.h"
#include "bench_occlusion.h"
#include "bench_pairs.h"
#include "bench_queries.h"
#include "bench_report.h"
#include "bench_view_rules.h"
#include "bench_workers.h"
#include "bench_worlds.h"
#include "bench_worst.h"
#include "json_writer.h"
#include "output_file.h"

#include <stdio.h>

enum { EXIT_GOOD = 0, EXIT_BAD = 1, EXIT_USAGE = 2 };

static int complain(const char *message, int status)
{
    return options_complain("bench", message, status);
}

// Builds are measured first, queries last: a tree that has been running for a while is what games
// ask.
static bool measure_all(bench_contest *contest)
{
    return contest_check(contest) && measure_building(contest) && measure_churn(contest) &&
           measure_refresh(contest) && measure_bursts(contest) && contest_settle(contest) &&
           contest_check(contest) && measure_hot_queries(contest) &&
           (!contest->options->has_cold || measure_cold_queries(contest));
}

// Ends the line of progress and says why it failed, if it did.
static bool end(bool is_good, const char *message)
{
    measure_progress(0, "", "");
    if (!is_good) {
        complain(message, EXIT_BAD);
    }
    return is_good;
}

static bool run_size(const bench_options *options, uint32_t count, measure_rows *rows)
{
    bench_contest contest;
    bool is_good = options->mode == BENCH_PAIRS
                       ? pairs_create_contest(&contest, options, count, rows)
                       : contest_create(&contest, options, count, rows);
    bool (*const measure)(bench_contest *) = options->mode == BENCH_PAIRS     ? pairs_measure
                                             : options->mode == BENCH_QUERIES ? queries_measure
                                                                              : measure_all;
    is_good = end(is_good && measure(&contest), contest.message);
    if (is_good) {
        report_contest(&contest, stdout);
    }
    contest_free(&contest);
    return is_good;
}

static bool run_scene(const bench_options *options, const char *path, measure_rows *rows)
{
    bench_city city;
    const bool is_good = end(city_measure(&city, options, path, rows), city.contest.message);
    if (is_good) {
        city_report(&city, stdout);
    }
    city_free(&city);
    return is_good;
}

static bool run_views(const bench_options *options, uint32_t count, const char *scene,
                      measure_rows *rows)
{
    view_bench bench;
    const bool is_good =
        end(view_rules_measure(&bench, options, count, scene, rows), bench.message);
    if (is_good) {
        view_rules_report(&bench, stdout);
    }
    view_rules_free(&bench);
    return is_good;
}

// What measures a number of boxes and prints its table.
typedef struct bench_table {
    bool (*measure)(const bench_options *options, uint32_t count, measure_rows *rows, char *message,
                    size_t message_size);
    void (*report)(const bench_options *options, uint32_t count, const measure_rows *rows,
                   FILE *out);
} bench_table;

static const bench_table tables[BENCH_MODE_COUNT_] = {
    [BENCH_WORLDS] = {worlds_measure, worlds_report},
    [BENCH_WORST] = {worst_measure, worst_report},
    [BENCH_DRIFT] = {drift_measure, drift_report},
    [BENCH_NEAR] = {near_measure, near_report},
    [BENCH_INTEREST] = {interest_measure, interest_report},
    [BENCH_ENGINES] = {engines_measure, engines_report},
    [BENCH_WORKERS] = {workers_measure, workers_report},
    [BENCH_OCCLUSION] = {occlusion_measure, occlusion_report}};

static bool run_count(const bench_options *options, uint32_t count, measure_rows *rows)
{
    const bench_table *const table = &tables[options->mode];
    char message[256] = "";
    if (options->mode == BENCH_VIEWS) {
        return run_views(options, count, NULL, rows);
    }
    if (!table->measure) {
        return run_size(options, count, rows);
    }
    const bool is_good =
        end(table->measure(options, count, rows, message, sizeof message), message);
    if (is_good) {
        table->report(options, count, rows, stdout);
    }
    return is_good;
}

static bool run_everything(const bench_options *options, measure_rows *rows)
{
    bool is_good = true;
    report_header(options, stdout);
    for (uint32_t i = 0; i < options->sizes.count && is_good; i++) {
        is_good = run_count(options, options->sizes.values[i], rows);
        fflush(stdout);
    }
    for (uint32_t i = 0; i < options->scenes.count && is_good; i++) {
        const char *const path = options->scenes.paths[i];
        is_good = options->mode == BENCH_VIEWS ? run_views(options, 0, path, rows)
                                               : run_scene(options, path, rows);
    }
    return is_good;
}

static bool write_csv(const bench_options *options, const measure_rows *rows, char *message,
                      size_t size)
{
    output_file file;
    if (!output_open(&file, options->csv_path, message, size)) {
        return false;
    }
    rows_print_csv(rows, bench_mode_name(options), file.stream);
    return output_close(&file, message, size);
}

static bool write_files(const bench_options *options, const measure_rows *rows)
{
    char message[512] = "some figures are missing: out of memory";
    bool is_good = !rows->is_out_of_memory;
    if (options->csv_path && is_good) {
        is_good = write_csv(options, rows, message, sizeof message);
    }
    if (options->json_path && is_good) {
        is_good = json_write_file(rows_make_json(rows, bench_mode_name(options)),
                                  options->json_path, message, sizeof message);
    }
    return is_good || (complain(message, EXIT_BAD), false);
}

int bench_command(int argc, char **argv)
{
    bench_options options;
    measure_rows rows = {0};
    char message[512];
    if (!bench_options_parse(argc, argv, &options, message, sizeof message)) {
        return complain(message, EXIT_USAGE);
    }
    if (options.help) {
        options_print_help(&bench_option_table, stdout);
        return EXIT_GOOD;
    }
    if (options.kernel > ACRE_KERNEL_SCALAR && !bench_simd_loop(options.kernel)) {
        return complain("this processor, or this program, has no such kernel", EXIT_BAD);
    }
    if (!output_check(options.csv_path, message, sizeof message) ||
        !output_check(options.json_path, message, sizeof message)) {
        return complain(message, EXIT_BAD);
    }
    bool is_good = run_everything(&options, &rows);
    is_good = write_files(&options, &rows) && is_good;
    rows_free(&rows);
    return is_good ? EXIT_GOOD : EXIT_BAD;
}
