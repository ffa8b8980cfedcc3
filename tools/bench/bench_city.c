// SPDX-License-Identifier: MIT
// bench_city.c - a scene file with traffic, frame by frame.
//
// Within a frame the culler and all contenders take turns, each on what the others left of the
// caches, as a game leaves them to its culling.
#include "bench_city.h"

#include "bench_bounds.h"
#include "bench_turns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_SECONDS (1.0f / 60.0f)

enum { FRAMES_A_ROUND = 20, CHECK_EVERY = 50, LEAST_FRAMES = 3, CITY_TIME = 60 };

_Static_assert(RUN_CAMERA_COUNT == VIEW_KIND_COUNT_, "five views in the place of five kinds");

const char city_culler_name[] = "acre, in the scene";
const char *const city_stage_names[CITY_STAGE_COUNT_] = {
    "set locals", "commit, scene", "commit, culler", "five views", "all of these"};

static bool fail(bench_city *city, const char *what)
{
    return race_fail(&city->race, city->name, what);
}

// Every entity with a box, in the order of slots.
static bool list_items(bench_city *city, bench_workload *out)
{
    const acre_scene_view view = acre_scene_get_view(city->world.scene);
    *out = (bench_workload){.view_count = 1};
    city->items = calloc((size_t)view.slot_count + 1, sizeof *city->items);
    city->slots = calloc((size_t)view.slot_count + CONTENDER_SLACK, sizeof *city->slots);
    out->boxes = calloc((size_t)view.slot_count + 1, sizeof *out->boxes);
    if (!city->items || !city->slots || !out->boxes) {
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

// Cars and seed as `acre run` has them.
static bool create_world(bench_city *city, const char *path)
{
    char name[] = "run";
    char *argv[] = {name, NULL};
    char message[256] = "";
    run_options run;
    bool is_good = run_options_parse(1, argv, &run, message, sizeof message);
    run.scene_path = path;
    is_good = is_good && run_world_create(&run, &city->world, message, sizeof message);
    city->cars = is_good ? traffic_car_count(city->world.traffic) : 0;
    return is_good || fail(city, message);
}

static bool create(bench_city *city, const bench_options *options, const char *path,
                   bench_rows *rows)
{
    const char *const slash = strrchr(path, '/');
    *city = (bench_city){.name = slash ? slash + 1 : path};
    bench_workload workload;
    if (!create_world(city, path) || !list_items(city, &workload) ||
        !race_create_on(&city->race, options, &workload, rows)) {
        return false;
    }
    const size_t frames = (size_t)options->rounds * FRAMES_A_ROUND;
    bool is_good = true;
    for (int k = 0; k < CITY_STAGE_COUNT_; k++) {
        is_good = samples_reserve(&city->stages[k], frames) && is_good;
    }
    for (uint32_t i = 0; i < city->race.entrant_count; i++) {
        is_good = samples_reserve(&city->race.entrants[i].passes, frames) &&
                  samples_reserve(&city->race.entrants[i].singles, frames) && is_good;
    }
    return is_good || fail(city, "out of memory");
}

void city_free(bench_city *city)
{
    for (int k = 0; k < CITY_STAGE_COUNT_; k++) {
        samples_free(&city->stages[k]);
    }
    race_free(&city->race);
    run_world_free(&city->world);
    free(city->items);
    free(city->slots);
}

// Cars drive, the scene takes their places, the culler follows.
static bool commit(bench_city *city, double *stages)
{
    run_world *const world = &city->world;
    traffic_advance(world->traffic, FRAME_SECONDS);
    const double begin = clock_seconds();
    acre_result result = acre_scene_set_locals(world->scene, world->cars,
                                               traffic_transforms(world->traffic), city->cars);
    const double middle = clock_seconds();
    result = result == ACRE_OK ? acre_scene_commit(world->scene) : result;
    const double end = clock_seconds();
    stages[CITY_SET] = middle - begin;
    stages[CITY_REFRESH] = world->clock.end - world->clock.begin;
    stages[CITY_COMMIT] = end - middle - stages[CITY_REFRESH];
    return result == ACRE_OK || fail(city, "a commit failed");
}

// What the contenders have to know: the cars' boxes and the planes of the views.
static bool look(bench_city *city, run_view *view)
{
    bench_workload *const workload = &city->race.workload;
    const acre_scene_view scene = acre_scene_get_view(city->world.scene);
    for (uint32_t car = 0; car < city->cars; car++) {
        const uint32_t slot = city->world.cars[car].index1 - 1;
        city->race.items[car] = city->items[slot];
        workload->boxes[city->items[slot]] = scene.world_bounds[slot];
    }
    bool is_good = run_view_at(&city->world, city->frames, view);
    for (int k = 0; k < VIEW_KIND_COUNT_ && is_good; k++) {
        bench_view *const seen = &workload->views[k][0];
        is_good = acre_camera_frustum(&view->cameras[k], &seen->frustum) == ACRE_OK;
        seen->bounds = frustum_bounds(&seen->frustum);
    }
    return is_good || fail(city, "a camera makes no volume");
}

static double query_culler(bench_city *city, const run_view *view)
{
    const double begin = clock_seconds();
    for (int k = 0; k < VIEW_KIND_COUNT_; k++) {
        acre_culling_query(city->world.culling, &view->cameras[k], city->slots,
                           city->world.slot_count);
    }
    return clock_seconds() - begin;
}

static bool check_culler(bench_city *city, const run_view *view)
{
    for (int k = 0; k < VIEW_KIND_COUNT_; k++) {
        const size_t count = acre_culling_query(city->world.culling, &view->cameras[k], city->slots,
                                                city->world.slot_count);
        for (size_t i = 0; i < count && count <= city->world.slot_count; i++) {
            city->race.found[i] = city->items[city->slots[i]];
        }
        const contender_query query = race_query(&city->race, k, 0);
        if (count > city->race.workload.count ||
            race_count_faults(&city->race, &query, count, &city->faults) > 0) {
            return fail(city, "the culler's set is not the reference set");
        }
    }
    return true;
}

// A contender's frame: what moved, once-a-frame work, five views.
static bool run_entrant(bench_city *city, race_entrant *entrant)
{
    bench_race *const race = &city->race;
    const bench_contender *const what = entrant->what;
    const bench_workload *const workload = &race->workload;
    bool is_good =
        !what->prepare || what->prepare(entrant->state, race->items, city->cars, workload->boxes);
    if (what->refresh) {
        const double begin = clock_seconds();
        is_good = is_good && what->refresh(entrant->state, race->items, city->cars, workload->boxes,
                                           workload->count);
        samples_add(&entrant->passes, 1e6 * (clock_seconds() - begin));
    }
    contender_query queries[VIEW_KIND_COUNT_];
    for (int k = 0; k < VIEW_KIND_COUNT_; k++) {
        queries[k] = race_query(race, k, 0);
    }
    const double begin = clock_seconds();
    for (int k = 0; k < VIEW_KIND_COUNT_; k++) {
        race_find(race, what, entrant->state, &queries[k]);
    }
    samples_add(&entrant->singles, 1e6 * (clock_seconds() - begin));
    return is_good || fail(city, what->name);
}

static bool run_frame(bench_city *city)
{
    double stages[CITY_STAGE_COUNT_] = {0};
    run_view view;
    bool is_good = commit(city, stages) && look(city, &view) &&
                   race_find_reference(&city->race); // memcpy copies it
    stages[CITY_VIEWS] = query_culler(city, &view);
    for (int k = 0; k < CITY_FRAME; k++) {
        stages[CITY_FRAME] += stages[k];
    }
    for (int k = 0; k < CITY_STAGE_COUNT_; k++) {
        samples_add(&city->stages[k], 1e6 * stages[k]);
    }
    for (uint32_t i = 0; i < city->race.entrant_count && is_good; i++) {
        is_good = run_entrant(city, &city->race.entrants[i]);
    }
    if (is_good && city->frames % CHECK_EVERY == 0) {
        is_good = check_culler(city, &view) && race_check(&city->race);
    }
    city->frames++;
    return is_good;
}

static bool add_rows(bench_city *city)
{
    static const turn_rows both[] = {{"city refresh", "", "us a frame"},
                                     {"city views", "", "us a frame"}};
    bool is_good = true;
    for (int k = 0; k < CITY_STAGE_COUNT_ && is_good; k++) {
        bench_row row = {.contender = city_culler_name,
                         .measure = city_stage_names[k],
                         .detail = city->name,
                         .state = "",
                         .unit = "us a frame",
                         .value = samples_summarise(&city->stages[k])};
        is_good = race_add(&city->race, &row);
        if (k == CITY_REFRESH || k == CITY_VIEWS) {
            row.measure = both[k == CITY_VIEWS].measure;
            is_good = is_good && race_add(&city->race, &row);
        }
    }
    turn_rows passes = both[0], singles = both[1];
    passes.detail = singles.detail = city->name;
    return is_good && turns_add_passes(&city->race, &passes) &&
           turns_add_singles(&city->race, &singles);
}

bool city_measure(bench_city *out, const bench_options *options, const char *path, bench_rows *rows)
{
    bool is_good = create(out, options, path, rows);
    const uint32_t frames = options->rounds * FRAMES_A_ROUND;
    const double begin = clock_seconds();
    while (is_good && out->frames < frames &&
           (out->frames < LEAST_FRAMES || clock_seconds() - begin < CITY_TIME * options->seconds)) {
        race_progress(&out->race, "frames of", out->name);
        is_good = run_frame(out);
    }
    return is_good && add_rows(out);
}
