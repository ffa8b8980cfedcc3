// SPDX-License-Identifier: MIT
// bench.c - `acre bench`: Acre beside loops and trees of others, in one run.
#include "bench.h"

#include "bench_city.h"
#include "bench_growth.h"
#include "bench_measure.h"
#include "bench_pairs.h"
#include "bench_queries.h"
#include "bench_report.h"
#include "bench_view_rules.h"

#include <stdio.h>

enum { EXIT_GOOD = 0, EXIT_BAD = 1, EXIT_USAGE = 2 };

static int complain(const char *message, int status)
{
    fprintf(stderr, "acre bench: %s\n", message);
    if (status == EXIT_USAGE) {
        fprintf(stderr, "`acre bench --help` lists the options.\n");
    }
    return status;
}

// Builds are measured first, queries last: a tree that has been running for a while is what games
// ask.
static bool measure_all(bench_race *race)
{
    return race_check(race) && measure_building(race) && measure_churn(race) &&
           measure_refresh(race) && measure_bursts(race) && race_settle(race) && race_check(race) &&
           measure_hot_queries(race) && (!race->options->has_cold || measure_cold_queries(race));
}

// What is measured of a size, and how it is told.
typedef struct bench_mode {
    bool (*create)(bench_race *race, const bench_options *options, uint32_t count,
                   bench_rows *rows);
    bool (*measure)(bench_race *race);
    void (*report)(const bench_race *race, FILE *out);
} bench_mode;

static bench_mode mode_of(const bench_options *options)
{
    if (options->is_pairs) {
        return (bench_mode){pairs_create_race, pairs_measure, pairs_report};
    }
    if (options->is_queries) {
        return (bench_mode){race_create, queries_measure, queries_report};
    }
    return options->is_growth ? (bench_mode){race_create, growth_measure, growth_report}
                              : (bench_mode){race_create, measure_all, bench_report_race};
}

static bool run_size(const bench_options *options, uint32_t count, bench_rows *rows)
{
    const bench_mode mode = mode_of(options);
    bench_race race;
    const bool is_good = mode.create(&race, options, count, rows) && mode.measure(&race);
    race_progress(&race, "", "");
    if (is_good) {
        mode.report(&race, stdout);
        fflush(stdout);
    } else {
        complain(race.message, EXIT_BAD);
    }
    race_free(&race);
    return is_good;
}

static bool run_scene(const bench_options *options, const char *path, bench_rows *rows)
{
    bench_city city;
    const bool is_good = city_measure(&city, options, path, rows);
    race_progress(&city.race, "", "");
    if (is_good) {
        city_report(&city, stdout);
        fflush(stdout);
    } else {
        complain(city.race.message, EXIT_BAD);
    }
    city_free(&city);
    return is_good;
}

static bool run_views(const bench_options *options, uint32_t count, const char *scene,
                      bench_rows *rows)
{
    view_bench bench;
    const bool is_good = view_rules_measure(&bench, options, count, scene, rows);
    view_bench_progress(&bench, "", "");
    if (is_good) {
        view_rules_report(&bench, stdout);
        fflush(stdout);
    } else {
        complain(bench.message, EXIT_BAD);
    }
    view_rules_free(&bench);
    return is_good;
}

static bool write_files(const bench_options *options, const bench_rows *rows)
{
    char message[512];
    bool is_good = true;
    if (options->json_path && !bench_report_json(options, rows, message, sizeof message)) {
        complain(message, EXIT_BAD);
        is_good = false;
    }
    if (options->csv_path && !bench_report_csv(options, rows, message, sizeof message)) {
        complain(message, EXIT_BAD);
        is_good = false;
    }
    if (options->svg_folder && !bench_report_svg(options, rows, message, sizeof message)) {
        complain(message, EXIT_BAD);
        is_good = false;
    }
    return is_good;
}

int bench_command(int argc, char **argv)
{
    bench_options options;
    bench_rows rows = {0};
    char message[256];
    if (!bench_options_parse(argc, argv, &options, message, sizeof message)) {
        return complain(message, EXIT_USAGE);
    }
    if (options.help) {
        fputs(bench_options_help(), stdout);
        return EXIT_GOOD;
    }
    if (options.kernel > ACRE_KERNEL_SCALAR && !bench_simd_loop(options.kernel)) {
        return complain("this processor, or this program, has no such kernel", EXIT_BAD);
    }
    bool is_good = true;
    bench_report_header(&options, stdout);
    for (uint32_t i = 0; i < options.size_count && is_good; i++) {
        is_good = options.is_view_rules ? run_views(&options, options.sizes[i], NULL, &rows)
                                        : run_size(&options, options.sizes[i], &rows);
    }
    for (uint32_t i = 0; i < options.scene_count && is_good; i++) {
        is_good = options.is_view_rules ? run_views(&options, 0, options.scenes[i], &rows)
                                        : run_scene(&options, options.scenes[i], &rows);
    }
    is_good = write_files(&options, &rows) && is_good;
    rows_free(&rows);
    return is_good ? EXIT_GOOD : EXIT_BAD;
}
