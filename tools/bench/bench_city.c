// SPDX-License-Identifier: MIT
// bench_city.c - two scenes of a file with traffic, and all contenders, frame by frame.
//
// Within a frame all take turns, each on what the others left of the caches, as a game leaves them
// to its culling.
#include "bench_city.h"

#include "bench_report.h"
#include "measure_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_SECONDS (1.0f / 60.0f)

enum {
    FRAMES_A_ROUND = 20,
    CHECK_EVERY = 49,
    LEAST_FRAMES = 3,
    CITY_TIME = 60,  // times options.seconds
    VECTOR_ROOM = 32 // slots behind the last, for whole vectors
};

_Static_assert(RUN_CAMERA_COUNT == VIEW_KIND_COUNT_, "five views in the place of five kinds");

static const char *const stage_names[CITY_STAGE_COUNT_] = {"set locals",     "commit, scene",
                                                           "commit, culler", "views of cameras",
                                                           "five views",     "all of these"};

const char *city_file_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool city_create_world(run_world *out, const char *path, uint32_t cars, bool is_static,
                       char *message, size_t message_size)
{
    char name[] = "run";
    char *argv[] = {name, NULL};
    run_options run;
    *out = (run_world){0};
    if (!run_options_parse(1, argv, &run, message, message_size)) {
        return false;
    }
    run.scene_path = path;
    run.cars = cars == UINT32_MAX ? run.cars : cars;
    if (!run_world_create(&run, out, message, message_size)) {
        return false;
    }
    acre_result result = ACRE_OK;
    for (uint32_t n = 0; n < out->model->node_count && is_static && result == ACRE_OK; n++) {
        result = acre_entity_set_flags(out->scene, out->nodes[n], ACRE_ENTITY_STATIC);
    }
    if (result != ACRE_OK || acre_scene_commit(out->scene) != ACRE_OK) {
        snprintf(message, message_size, "out of memory");
        return false;
    }
    return true;
}

// ---- a scene and its culler ----

static bool create_scene(city_scene *out, const char *path, bool is_static, char *message,
                         size_t message_size)
{
    *out = (city_scene){.name = is_static ? "acre, static map" : "acre, in the scene"};
    if (!city_create_world(&out->world, path, UINT32_MAX, is_static, message, message_size)) {
        return false;
    }
    out->room = out->world.slot_count + (size_t)VECTOR_ROOM;
    out->slots = calloc(out->room, sizeof *out->slots);
    snprintf(message, message_size, "out of memory");
    return out->slots != NULL;
}

static bool commit(city_scene *scene, double *stages)
{
    run_world *const world = &scene->world;
    traffic_advance(world->traffic, FRAME_SECONDS);
    const double begin = clock_seconds();
    bool is_good =
        acre_scene_set_locals(world->scene, world->cars, traffic_transforms(world->traffic),
                              traffic_car_count(world->traffic)) == ACRE_OK;
    const double middle = clock_seconds();
    is_good = is_good && acre_scene_commit(world->scene) == ACRE_OK;
    const double end = clock_seconds();
    stages[CITY_SET] = middle - begin;
    stages[CITY_REFRESH] = world->clock.end - world->clock.begin;
    stages[CITY_COMMIT] = end - middle - stages[CITY_REFRESH];
    return is_good;
}

static size_t find_slots(city_scene *scene, int k)
{
    size_t total = 0;
    const acre_result result = acre_culling_query_view(scene->world.culling, &scene->views[k],
                                                       scene->slots, scene->room, &total);
    return result == ACRE_OK ? total : SIZE_MAX;
}

// A frame: cars drive, commit, five views.
static bool run_scene(city_scene *scene, uint32_t frame)
{
    double stages[CITY_STAGE_COUNT_] = {0};
    bool is_good = commit(scene, stages) && run_view_at(&scene->world, frame, &scene->view);
    double begin = clock_seconds();
    for (int k = 0; k < RUN_CAMERA_COUNT && is_good; k++) {
        is_good = acre_view_from_camera(&scene->views[k], &scene->view.cameras[k]) == ACRE_OK;
    }
    stages[CITY_PREPARE] = clock_seconds() - begin;
    begin = clock_seconds();
    for (int k = 0; k < RUN_CAMERA_COUNT && is_good; k++) {
        (void)find_slots(scene, k);
    }
    stages[CITY_VIEWS] = clock_seconds() - begin;
    for (int k = 0; k < CITY_FRAME; k++) {
        stages[CITY_FRAME] += stages[k];
    }
    for (int k = 0; k < CITY_STAGE_COUNT_; k++) {
        samples_keep(&scene->stages[k], 1e6 * stages[k]);
    }
    return is_good;
}

// ---- both scenes and the contenders ----

static bool fail(bench_city *city, const char *what)
{
    return contest_fail(&city->contest, city->name, what);
}

// Every entity with a box, in the order of slots.
static bool list_items(bench_city *city, country *out)
{
    const acre_scene_view view = acre_scene_get_view(city->scenes[0].world.scene);
    *out = (country){.view_count = 1};
    city->items = calloc((size_t)view.slot_count + 1, sizeof *city->items);
    out->boxes = calloc((size_t)view.slot_count + 1, sizeof *out->boxes);
    if (!city->items || !out->boxes) {
        free(out->boxes);
        return fail(city, "out of memory");
    }
    for (uint32_t slot = 0; slot < view.slot_count; slot++) {
        const acre_aabb *const box = &view.world_bounds[slot];
        city->items[slot] = UINT32_MAX;
        if (acre_aabb_is_empty(box)) {
            continue;
        }
        city->items[slot] = out->count;
        out->boxes[out->count++] = *box;
        for (int k = 0; k < 3; k += 2) {
            out->half_size = fmaxf(out->half_size, fmaxf(-box->min[k], box->max[k]));
        }
    }
    return true;
}

static bool create(bench_city *city, const bench_options *options, const char *path,
                   measure_rows *rows)
{
    char message[256] = "";
    country workload;
    *city = (bench_city){.name = city_file_name(path)};
    for (int i = 0; i < CITY_SCENE_COUNT; i++) {
        if (!create_scene(&city->scenes[i], path, i > 0, message, sizeof message)) {
            return fail(city, message);
        }
    }
    city->cars = traffic_car_count(city->scenes[0].world.traffic);
    return list_items(city, &workload) &&
           contest_create_on(&city->contest, options, &workload, true, rows);
}

void city_free(bench_city *city)
{
    contest_free(&city->contest);
    for (int i = 0; i < CITY_SCENE_COUNT; i++) {
        city_scene *const scene = &city->scenes[i];
        for (int k = 0; k < CITY_STAGE_COUNT_; k++) {
            samples_free(&scene->stages[k]);
        }
        run_world_free(&scene->world);
        free(scene->slots);
    }
    free(city->items);
}

// What the contenders have to know: the cars' boxes and the planes of the views.
static void show_frame(bench_city *city)
{
    const city_scene *const scene = &city->scenes[0];
    country *const workload = &city->contest.workload;
    const acre_scene_view view = acre_scene_get_view(scene->world.scene);
    for (uint32_t car = 0; car < city->cars; car++) {
        const uint32_t slot = scene->world.cars[car].index1 - 1;
        city->contest.items[car] = city->items[slot];
        workload->boxes[city->items[slot]] = view.world_bounds[slot];
    }
    for (int k = 0; k < VIEW_KIND_COUNT_; k++) {
        country_view *const seen = &workload->views[k][0];
        seen->frustum = scene->views[k].frustum;
        seen->bounds = view_bounds(&seen->frustum);
    }
}

static bool check_culler(bench_city *city, city_scene *scene)
{
    for (int k = 0; k < VIEW_KIND_COUNT_; k++) {
        const size_t count = find_slots(scene, k);
        const bool fits = count <= city->contest.workload.count;
        for (size_t i = 0; i < count && fits; i++) {
            city->contest.found[i] = city->items[scene->slots[i]];
        }
        const contender_query query = contest_query(&city->contest, k, 0);
        if (!fits || contest_count_faults(&city->contest, &query, count, &city->faults) > 0) {
            return fail(city, "the culler's set is not the reference set");
        }
    }
    return true;
}

// A contender's frame: what moved, once-a-frame work, five views.
static bool run_entrant(bench_city *city, uint32_t index)
{
    bench_contest *const contest = &city->contest;
    const contest_entrant *const entrant = &contest->entrants[index];
    const bench_contender *const what = entrant->what;
    const acre_aabb *const boxes = contest->workload.boxes;
    bool is_good =
        !what->prepare || what->prepare(entrant->state, contest->items, city->cars, boxes);
    if (what->refresh) {
        const double begin = clock_seconds();
        is_good = is_good && what->refresh(entrant->state, contest->items, city->cars, boxes,
                                           contest->workload.count);
        samples_keep(&contest->series[index].passes, 1e6 * (clock_seconds() - begin));
    }
    contender_query queries[VIEW_KIND_COUNT_];
    for (int k = 0; k < VIEW_KIND_COUNT_; k++) {
        queries[k] = contest_query(contest, k, 0);
    }
    const double begin = clock_seconds();
    for (int k = 0; k < VIEW_KIND_COUNT_; k++) {
        contest_find(contest, what, entrant->state, &queries[k]);
    }
    samples_keep(&contest->series[index].singles, 1e6 * (clock_seconds() - begin));
    return is_good || fail(city, what->name);
}

static bool run_frame(bench_city *city)
{
    bool is_good = true;
    for (int i = 0; i < CITY_SCENE_COUNT && is_good; i++) {
        is_good = run_scene(&city->scenes[i], city->frames) || fail(city, "a frame failed");
    }
    if (is_good) {
        show_frame(city);
        is_good = contest_find_reference(&city->contest); // memcpy copies it
    }
    for (uint32_t i = 0; i < city->contest.entrant_count && is_good; i++) {
        is_good = run_entrant(city, i);
    }
    if (is_good && city->frames % CHECK_EVERY == 0) {
        is_good = contest_check(&city->contest);
        for (int i = 0; i < CITY_SCENE_COUNT && is_good; i++) {
            is_good = check_culler(city, &city->scenes[i]);
        }
    }
    city->frames++;
    return is_good;
}

static void add_rows(bench_city *city)
{
    measure_rows *const rows = city->contest.rows;
    for (int i = 0; i < CITY_SCENE_COUNT; i++) {
        city_scene *const scene = &city->scenes[i];
        for (int k = 0; k < CITY_STAGE_COUNT_; k++) {
            rows_add_samples(rows, scene->name,
                             (row_name){stage_names[k], city->name, "", "us a frame"},
                             &scene->stages[k]);
        }
        rows_add_samples(rows, scene->name,
                         (row_name){"city refresh", city->name, "", "us a frame"},
                         &scene->stages[CITY_REFRESH]);
        rows_add_samples(rows, scene->name, (row_name){"city views", city->name, "", "us a frame"},
                         &scene->stages[CITY_VIEWS]);
    }
    contest_add_passes(&city->contest, (row_name){"city refresh", city->name, "", "us a frame"});
    contest_add_singles(&city->contest, (row_name){"city views", city->name, "", "us a frame"});
}

bool city_measure(bench_city *out, const bench_options *options, const char *path,
                  measure_rows *rows)
{
    bool is_good = create(out, options, path, rows);
    const uint32_t frames = options->rounds * FRAMES_A_ROUND;
    const double begin = clock_seconds();
    while (is_good && out->frames < frames &&
           (out->frames < LEAST_FRAMES || clock_seconds() - begin < CITY_TIME * options->seconds)) {
        contest_progress(&out->contest, "frames of", out->name);
        is_good = run_frame(out);
    }
    if (is_good) {
        add_rows(out);
    }
    return is_good;
}

void city_report(const bench_city *city, FILE *out)
{
    static const table_key columns[] = {
        {.title = "refresh", .measure = "city refresh", .has_ratio = true},
        {.title = "maximum", .measure = "city refresh", .part = TABLE_MOST},
        {.title = "five views", .measure = "city views", .has_ratio = true},
        {.title = "maximum", .measure = "city views", .part = TABLE_MOST}};
    const bench_contest *const contest = &city->contest;
    table_key lines[CITY_SCENE_COUNT + CONTEST_MAX_ENTRANTS], stages[CITY_STAGE_COUNT_];
    measure_table table = {.base = city->scenes[0].name, .items = contest->workload.count};
    fprintf(out, "\n%s: %u boxes, %u of them cars that drive, %u frames%s\n", city->name,
            (unsigned)contest->workload.count, (unsigned)city->cars, (unsigned)city->frames,
            city->scenes[0].world.is_openstreetmap
                ? "\nmap data (c) OpenStreetMap contributors, ODbL 1.0"
                : "");
    for (int i = 0; i < CITY_SCENE_COUNT; i++) {
        table.title = city->scenes[i].name;
        table.lines = stages;
        table.line_count = CITY_STAGE_COUNT_;
        for (int k = 0; k < CITY_STAGE_COUNT_; k++) {
            stages[k] = (table_key){stage_names[k], city->scenes[i].name, stage_names[k],
                                    .detail = city->name};
        }
        table_print_spread(contest->rows, &table, out);
        lines[i] = (table_key){.contender = city->scenes[i].name, .detail = city->name};
    }
    for (uint32_t i = 0; i < contest->entrant_count; i++) {
        lines[CITY_SCENE_COUNT + i] =
            (table_key){.contender = contest->entrants[i].what->name, .detail = city->name};
    }
    table.title = "us a frame";
    table.lines = lines;
    table.line_count = CITY_SCENE_COUNT + contest->entrant_count;
    table.columns = columns;
    table.column_count = sizeof columns / sizeof columns[0];
    table_print(contest->rows, &table, out);
    fprintf(out, "\n%u of the cullers' sets are equal to the reference\n",
            (unsigned)(city->faults.sets - city->faults.different));
    report_checks(contest, out);
}
