// SPDX-License-Identifier: MIT
// bench_view_rules.c - what each rule adds to a view: the cases in turns, and the tables.
#include "bench_view_rules.h"

#include "bench_city.h"
#include "measure_table.h"

#include <stdlib.h>

enum { MANY_ENTITIES = 300000 };

bool view_bench_fail(view_bench *bench, const char *what, const char *why)
{
    snprintf(bench->message, sizeof bench->message, "%s%s%u entities: %s: %s", bench->name,
             bench->name[0] ? ", " : "", (unsigned)bench->world.item_count, what, why);
    return false;
}

uint32_t view_bench_checked_tracks(const view_bench *bench, const track_kind *kind)
{
    return bench->world.item_count < MANY_ENTITIES ? kind->track_count : 1;
}

// ---- the measuring of tasks ----

typedef struct task_least {
    double views[COUNTRY_MAX_VIEWS][TRACK_FRAMES]; // microseconds; 0: none yet
    double found;                                  // entities of all views of the last pass
} task_least;

typedef struct task_timing {
    view_bench *bench;
    const track_kind *kind;
    const view_tasks *tasks;
    task_least *least; // by task
} task_timing;

// On each track one frame to begin with, then the others, which are timed.
static bool take_turn(void *user, uint32_t task, measure_series *series)
{
    const task_timing *const self = user;
    const view_tasks *const tasks = self->tasks;
    const track_kind *const kind = self->kind;
    task_least *const least = &self->least[task];
    double seconds = 0.0;
    bool is_good = true;
    least->found = 0.0;
    for (uint32_t track = 0; track < kind->track_count && is_good; track++) {
        is_good = tasks->begin(tasks->user, task, kind, track);
        for (uint32_t f = 0; f < TRACK_LENGTH && is_good; f++) {
            is_good = !tasks->prepare || tasks->prepare(tasks->user, f);
            const double begin = clock_seconds();
            const size_t found = is_good ? tasks->ask(tasks->user, task, f) : SIZE_MAX;
            const double taken = clock_seconds() - begin;
            is_good = found != SIZE_MAX;
            if (f > 0 && is_good) {
                double *const best = &least->views[track][f - 1];
                *best = *best > 0.0 && *best < 1e6 * taken ? *best : 1e6 * taken;
                least->found += (double)found;
                seconds += taken;
            }
        }
    }
    series->spent += seconds;
    samples_keep(&series->passes, 1e6 * seconds / (double)(kind->track_count * TRACK_FRAMES));
    return is_good || view_bench_fail(self->bench, tasks->name(task), "it failed");
}

// Views differ: the least of all is the mean of the least of each.
static void add_rows(const task_timing *self, measure_series *series)
{
    measure_rows *const rows = self->bench->rows;
    const double views = (double)(self->kind->track_count * TRACK_FRAMES);
    for (uint32_t task = 0; task < self->tasks->count; task++) {
        const char *const name = self->tasks->name(task);
        sample_summary summary = samples_summarise(&series[task].passes);
        summary.least = 0.0;
        for (uint32_t track = 0; track < self->kind->track_count; track++) {
            for (int f = 0; f < TRACK_FRAMES; f++) {
                summary.least += self->least[task].views[track][f] / views;
            }
        }
        rows_add(rows, name, (row_name){self->tasks->measure, self->kind->name, "", "us"}, summary);
        rows_add_value(rows, name, (row_name){self->tasks->found, self->kind->name, "", "a view"},
                       self->least[task].found / views);
    }
}

bool view_measure(view_bench *bench, const track_kind *kind, const view_tasks *tasks)
{
    measure_series *const series = calloc(tasks->count, sizeof *series);
    task_timing self = {bench, kind, tasks, calloc(tasks->count, sizeof *self.least)};
    measure_progress(bench->world.item_count, tasks->measure, kind->name);
    bool is_good = (series && self.least) || view_bench_fail(bench, kind->name, "out of memory");
    is_good = is_good && turns_take(&(measure_turns){.series = series,
                                                     .count = tasks->count,
                                                     .rounds = bench->options->rounds,
                                                     .seconds = bench->options->seconds,
                                                     .take = take_turn,
                                                     .user = &self});
    if (is_good) {
        add_rows(&self, series);
    }
    for (uint32_t i = 0; i < tasks->count && series; i++) {
        series_free(&series[i]);
    }
    free(series);
    free(self.least);
    return is_good;
}

// ---- the cases ----

static const char *case_name(uint32_t task)
{
    return view_cases[task].name;
}

static bool begin_case(void *user, uint32_t task, const track_kind *kind, uint32_t track)
{
    return case_begin(user, task, kind, track);
}

static size_t ask_case(void *user, uint32_t task, uint32_t frame)
{
    return case_ask(user, task, frame);
}

// By minima: for each entity that the plain query finds, and what is beyond that query.
static void add_differences(const view_bench *bench, const track_kind *kind)
{
    measure_rows *const rows = bench->rows;
    const char *const plain = view_cases[0].name;
    const measure_row *const base =
        rows_find(rows, bench->world.item_count, plain, "view", kind->name, "");
    const measure_row *const found =
        rows_find(rows, bench->world.item_count, plain, "view entities", kind->name, "");
    const double own = base ? base->value.least : 0.0;
    const double each = found && found->value.median > 0.0 ? 1e3 / found->value.median : 0.0;
    for (uint32_t i = 0; i < VIEW_CASES; i++) {
        const char *const name = view_cases[i].name;
        const measure_row *const row =
            rows_find(rows, bench->world.item_count, name, "view", kind->name, "");
        const double least = row ? row->value.least : 0.0;
        rows_add_value(rows, name, (row_name){"view ns", kind->name, "", "ns"}, each * least);
        rows_add_value(rows, name, (row_name){"view extra", kind->name, "", "us"}, least - own);
        rows_add_value(rows, name, (row_name){"view extra ns", kind->name, "", "ns"},
                       each * (least - own));
    }
}

static bool measure_cases(view_bench *bench)
{
    bool is_good = true;
    for (uint32_t k = 0; k < bench->world.kind_count && is_good; k++) {
        const track_kind *const kind = &bench->world.kinds[k];
        const uint32_t tracks = view_bench_checked_tracks(bench, kind);
        measure_progress(bench->world.item_count, "check", kind->name);
        for (uint32_t track = 0; track < tracks && is_good; track++) {
            char what[256];
            is_good =
                cases_check(&bench->runner, kind, track, &bench->checked, what, sizeof what) ||
                view_bench_fail(bench, "check", what);
        }
        is_good = is_good && view_measure(bench, kind,
                                          &(view_tasks){.measure = "view",
                                                        .found = "view entities",
                                                        .name = case_name,
                                                        .count = VIEW_CASES,
                                                        .begin = begin_case,
                                                        .ask = ask_case,
                                                        .user = &bench->runner});
        if (is_good) {
            add_differences(bench, kind);
        }
    }
    return is_good;
}

// ---- the world ----

// The camera of `acre run`, in frames that lie equally far apart on its flight; all but the cars is
// static.
static bool create_city(view_bench *bench, const char *path, char *what, size_t size)
{
    const uint32_t views = bench->options->views;
    country_scene *const world = &bench->world;
    run_world *const city = &bench->city;
    world->kinds = calloc(1, sizeof *world->kinds);
    bench->name = city_file_name(path);
    if (!world->kinds || !city_create_world(city, path, bench->options->cars, true, what, size) ||
        !country_scene_list(world, city->scene, city->culling)) {
        return false;
    }
    bool is_good = true;
    world->mover_count = traffic_car_count(city->traffic);
    world->kind_count = 1;
    world->kinds->name = bench->name;
    world->kinds->limits = (track_limits){800.0f, 300.0f, 50.0f, 300.0f, true};
    world->kinds->track_count = views;
    for (uint32_t i = 0; i < views && is_good; i++) {
        for (uint32_t f = 0; f < TRACK_LENGTH && is_good; f++) {
            run_view view;
            is_good = run_view_at(city, i * FLIGHT_FRAMES / views + f, &view);
            world->kinds->cameras[i][f] = view.cameras[0];
        }
    }
    return is_good;
}

static size_t query_all(void *user, const acre_frustum *frustum, uint32_t *items)
{
    const view_bench *const bench = user;
    return bench->loop->query(
        bench->loop_state,
        &(contender_query){.frustum = frustum, .is_visible = acre_frustum_test_aabb}, items);
}

// The fastest loop, with all boxes.
static bool create_loop(view_bench *bench)
{
    const country_scene *const world = &bench->world;
    const bench_contender *const fastest = bench_simd_loop(bench->options->kernel);
    uint32_t *const all = calloc((size_t)world->item_count + 1, sizeof *all);
    bench->loop = fastest ? fastest : &bench_scalar;
    bench->loop_state = bench->loop->create(&(contender_world){.count = world->item_count});
    for (uint32_t i = 0; all && i < world->item_count; i++) {
        all[i] = i;
    }
    const bool is_good =
        all && bench->loop_state &&
        bench->loop->insert(bench->loop_state, all, world->item_count, world->boxes);
    bench->runner.query_all = query_all;
    bench->runner.user = bench;
    free(all);
    return is_good;
}

bool view_rules_measure(view_bench *out, const bench_options *options, uint32_t count,
                        const char *scene, measure_rows *rows)
{
    char what[256] = "the scene cannot be made";
    *out = (view_bench){.options = options, .rows = rows, .name = ""};
    const bool is_made =
        (scene ? create_city(out, scene, what, sizeof what)
               : country_scene_create(&out->world, count, options->views, options->kernel)) &&
        case_runner_create(&out->runner, &out->world) && create_loop(out);
    rows->items = out->world.item_count;
    return (is_made || view_bench_fail(out, "world", what)) && measure_cases(out) &&
           measure_view_frames(out);
}

void view_rules_free(view_bench *bench)
{
    case_runner_free(&bench->runner);
    if (bench->loop_state) {
        bench->loop->destroy(bench->loop_state);
    }
    country_scene_free(&bench->world, bench->name[0] == '\0');
    run_world_free(&bench->city);
}

// ---- the tables ----

static const table_key case_columns[] = {
    {.title = "visible", .measure = "view entities"},
    {.title = "median", .measure = "view"},
    {.title = "minimum", .measure = "view", .part = TABLE_LEAST},
    {.title = "ns each", .measure = "view ns"},
    {.title = "extra us", .measure = "view extra"},
    {.title = "ns each", .measure = "view extra ns"}};
static const table_key task_columns[] = {
    {.title = "found", .measure = "frame entities"},
    {.title = "median", .measure = "frame"},
    {.title = "minimum", .measure = "frame", .part = TABLE_LEAST}};

void view_rules_report(const view_bench *bench, FILE *out)
{
    const country_scene *const world = &bench->world;
    fprintf(out, "\n%s%s%u entities, %u of them move, the others are static%s\n", bench->name,
            bench->name[0] ? ": " : "", (unsigned)world->item_count, (unsigned)world->mover_count,
            bench->city.is_openstreetmap ? "\nmap data (c) OpenStreetMap contributors, ODbL 1.0"
                                         : "");
    for (uint32_t k = 0; k < world->kind_count; k++) {
        const track_kind *const kind = &world->kinds[k];
        table_key cases[VIEW_CASES], tasks[FRAME_TASKS];
        char title[64];
        for (uint32_t i = 0; i < VIEW_CASES; i++) {
            cases[i] = (table_key){.contender = view_cases[i].name, .detail = kind->name};
        }
        for (uint32_t i = 0; i < FRAME_TASKS; i++) {
            tasks[i] = (table_key){.contender = frame_task_name(i), .detail = kind->name};
        }
        snprintf(title, sizeof title, "%.40s, us a view", kind->name);
        measure_table table = {title, cases, case_columns, VIEW_CASES, 6, NULL, world->item_count};
        table_print(bench->rows, &table, out);
        snprintf(title, sizeof title, "%.40s, us a frame", kind->name);
        table =
            (measure_table){title, tasks, task_columns, FRAME_TASKS, 3, NULL, world->item_count};
        table_print(bench->rows, &table, out);
    }
    fprintf(out, "\n%llu answers were compared with the definitions and are equal to them\n",
            (unsigned long long)bench->checked);
}
