// SPDX-License-Identifier: MIT
// bench_view_rules.c - what each rule adds to a view: the cases, in turns.
#include "bench_view_rules.h"

#include <stdlib.h>
#include <unistd.h>

enum { LEAST_SAMPLES = 3, MANY_ENTITIES = 300000 };

bool view_bench_fail(view_bench *bench, const char *what, const char *why)
{
    snprintf(bench->message, sizeof bench->message, "%s%s%u entities: %s: %s", bench->world.name,
             bench->world.name[0] ? ", " : "", (unsigned)bench->world.item_count, what, why);
    return false;
}

static bench_row describe(const view_bench *bench, const char *contender, const char *measure,
                          const char *detail)
{
    return (bench_row){.items = bench->world.item_count,
                       .contender = contender,
                       .measure = measure,
                       .detail = detail,
                       .state = "",
                       .unit = "us"};
}

bool view_bench_add(view_bench *bench, const char *contender, const char *measure,
                    const char *detail, sample_summary value)
{
    bench_row row = describe(bench, contender, measure, detail);
    row.value = value;
    return rows_add(bench->rows, &row) || view_bench_fail(bench, "figures", "out of memory");
}

bool view_bench_count(view_bench *bench, const char *contender, const char *measure,
                      const char *detail, double number)
{
    bench_row row = describe(bench, contender, measure, detail);
    row.unit = "a view";
    row.value = single_value(number);
    return rows_add(bench->rows, &row) || view_bench_fail(bench, "figures", "out of memory");
}

const bench_row *view_bench_find(const view_bench *bench, const char *contender,
                                 const char *measure, const char *detail)
{
    const bench_row row = describe(bench, contender, measure, detail);
    return rows_find(bench->rows, &row);
}

uint32_t view_bench_checked_tracks(const view_bench *bench, const track_kind *kind)
{
    return bench->world.item_count < MANY_ENTITIES ? kind->track_count : 1;
}

void view_bench_progress(const view_bench *bench, const char *what, const char *detail)
{
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r\033[K");
        if (what[0]) {
            fprintf(stderr, "%u entities: %s %s", (unsigned)bench->world.item_count, what, detail);
        }
        fflush(stderr);
    }
}

// The samples of a case on all tracks of a kind.
typedef struct case_samples {
    sample_list passes;                             // microseconds a view
    double least[WORKLOAD_MAX_VIEWS][TRACK_FRAMES]; // seconds of a view; 0: none yet
    double spent;                                   // seconds
    double found;                                   // entities of all views of the last pass
} case_samples;

void view_bench_keep_least(double *least, double value)
{
    if (*least == 0.0 || value < *least) {
        *least = value;
    }
}

// Views differ: the least of all is the mean of the least of each.
static sample_summary summarise(const track_kind *kind, case_samples *samples)
{
    sample_summary summary = samples_summarise(&samples->passes);
    double least = 0.0;
    for (uint32_t track = 0; track < kind->track_count; track++) {
        for (int f = 0; f < TRACK_FRAMES; f++) {
            least += samples->least[track][f];
        }
    }
    summary.least = 1e6 * least / (double)(kind->track_count * TRACK_FRAMES);
    return summary;
}

// A pass: on each track one view to begin with, then the others, which are timed.
static bool run_pass(view_bench *bench, const track_kind *kind, uint32_t number, case_samples *out)
{
    case_runner *const runner = &bench->runner;
    double seconds = 0.0;
    out->found = 0.0;
    for (uint32_t track = 0; track < kind->track_count; track++) {
        case_track views; // 8 KiB
        if (!case_track_make(&views, kind, track, view_cases[number].asks) ||
            !case_begin(runner, number) || case_ask(runner, number, &views.views[0]) == SIZE_MAX) {
            return false;
        }
        double begin = clock_seconds();
        for (int f = 1; f < TRACK_LENGTH; f++) {
            out->found += (double)case_ask(runner, number, &views.views[f]);
            const double end = clock_seconds();
            view_bench_keep_least(&out->least[track][f - 1], end - begin);
            seconds += end - begin;
            begin = end;
        }
    }
    out->spent += seconds;
    samples_add(&out->passes, 1e6 * seconds / (double)(kind->track_count * TRACK_FRAMES));
    return true;
}

static bool take_turns(view_bench *bench, const track_kind *kind, case_samples *samples)
{
    for (uint32_t round = 0; round < bench->options->rounds; round++) {
        for (uint32_t i = 0; i < VIEW_CASES; i++) {
            const bool has_time = samples[i].passes.count < LEAST_SAMPLES ||
                                  samples[i].spent < bench->options->seconds;
            if (has_time && !run_pass(bench, kind, i, &samples[i])) {
                return view_bench_fail(bench, view_cases[i].name, "finding failed");
            }
        }
    }
    return true;
}

static bool measure_kind(view_bench *bench, const track_kind *kind)
{
    case_samples *const samples = calloc(VIEW_CASES, sizeof *samples);
    bool is_good = samples || view_bench_fail(bench, kind->name, "out of memory");
    for (uint32_t i = 0; i < VIEW_CASES && is_good; i++) {
        is_good = samples_reserve(&samples[i].passes, bench->options->rounds) ||
                  view_bench_fail(bench, kind->name, "out of memory");
    }
    is_good = is_good && take_turns(bench, kind, samples);
    for (uint32_t i = 0; i < VIEW_CASES && samples; i++) {
        const double views = (double)(kind->track_count * TRACK_FRAMES);
        is_good = is_good &&
                  view_bench_add(bench, view_cases[i].name, "view", kind->name,
                                 summarise(kind, &samples[i])) &&
                  view_bench_count(bench, view_cases[i].name, "view entities", kind->name,
                                   samples[i].found / views);
        samples_free(&samples[i].passes);
    }
    free(samples);
    return is_good;
}

bool measure_view_cases(view_bench *bench)
{
    bool is_good = true;
    for (uint32_t k = 0; k < bench->world.kind_count && is_good; k++) {
        const track_kind *const kind = &bench->world.kinds[k];
        const uint32_t tracks = view_bench_checked_tracks(bench, kind);
        view_bench_progress(bench, "views of kind", kind->name);
        for (uint32_t track = 0; track < tracks && is_good; track++) {
            char what[256];
            is_good =
                cases_check(&bench->runner, kind, track, &bench->checked, what, sizeof what) ||
                view_bench_fail(bench, "check", what);
        }
        is_good = is_good && measure_kind(bench, kind);
    }
    return is_good;
}

bool view_rules_measure(view_bench *out, const bench_options *options, uint32_t count,
                        const char *scene, bench_rows *rows)
{
    char what[256] = "";
    *out = (view_bench){.options = options, .rows = rows, .world = {.name = ""}};
    const bool is_made =
        scene ? view_world_create_city(&out->world, options, scene, what, sizeof what)
              : view_world_create(&out->world, options, count, what, sizeof what);
    if (!is_made) {
        return view_bench_fail(out, "world", what);
    }
    if (!case_runner_create(&out->runner, &out->world, options->kernel)) {
        return view_bench_fail(out, "world", "out of memory");
    }
    const bool is_good = measure_view_cases(out) && measure_view_frames(out);
    view_bench_progress(out, "", "");
    return is_good;
}

void view_rules_free(view_bench *bench)
{
    case_runner_free(&bench->runner);
    view_world_free(&bench->world);
}
