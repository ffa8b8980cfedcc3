// SPDX-License-Identifier: MIT
// bench.c - `acre bench`: Acre beside loops and trees of others, in one run.
#include "bench.h"

#include "bench_city.h"
#include "bench_engines.h"
#include "bench_interest.h"
#include "bench_measure.h"
#include "bench_movers.h"
#include "bench_pairs.h"
#include "bench_queries.h"
#include "bench_report.h"
#include "bench_view_rules.h"
#include "bench_workers.h"
#include "bench_worlds.h"
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
    bool is_good = options->is_pairs ? pairs_create_contest(&contest, options, count, rows)
                                     : contest_create(&contest, options, count, rows);
    bool (*const measure)(bench_contest *) = options->is_pairs     ? pairs_measure
                                             : options->is_queries ? queries_measure
                                             : options->is_growth  ? growth_measure
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

static bool run_workers(const bench_options *options, uint32_t count, measure_rows *rows)
{
    char message[256] = "";
    const bool is_good =
        end(workers_measure(options, count, rows, message, sizeof message), message);
    if (is_good) {
        workers_report(options, count, rows, stdout);
    }
    return is_good;
}

static bool run_worlds(const bench_options *options, uint32_t count, measure_rows *rows)
{
    char message[256];
    if (!end(worlds_measure(options, count, rows, message, sizeof message), message)) {
        return false;
    }
    worlds_report(options, count, rows, stdout);
    if (count >= MOVERS_LEAST) {
        if (!end(movers_measure(options, count, rows, message, sizeof message), message)) {
            return false;
        }
        movers_report(count, rows, stdout);
    }
    return true;
}

static bool run_interest(const bench_options *options, uint32_t count, measure_rows *rows)
{
    char message[256] = "";
    const bool is_good =
        end(interest_measure(options, count, rows, message, sizeof message), message);
    if (is_good) {
        interest_report(count, rows, stdout);
    }
    return is_good;
}

static bool run_engines(const bench_options *options, uint32_t count, measure_rows *rows)
{
    char message[256] = "";
    const bool is_good =
        end(engines_measure(options, count, rows, message, sizeof message), message);
    if (is_good) {
        engines_report(count, rows, stdout);
    }
    return is_good;
}

static bool run_everything(const bench_options *options, measure_rows *rows)
{
    bool is_good = true;
    report_header(options, stdout);
    for (uint32_t i = 0; i < options->sizes.count && is_good; i++) {
        const uint32_t count = options->sizes.values[i];
        is_good = options->is_view_rules   ? run_views(options, count, NULL, rows)
                  : options->workers.count ? run_workers(options, count, rows)
                  : options->is_worlds     ? run_worlds(options, count, rows)
                  : options->is_interest   ? run_interest(options, count, rows)
                  : options->is_engines    ? run_engines(options, count, rows)
                                           : run_size(options, count, rows);
        fflush(stdout);
    }
    for (uint32_t i = 0; i < options->scenes.count && is_good; i++) {
        const char *const path = options->scenes.paths[i];
        is_good = options->is_view_rules ? run_views(options, 0, path, rows)
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
