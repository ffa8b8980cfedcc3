// SPDX-License-Identifier: MIT
// bench_city.c - two scenes of a file with traffic, and all contenders, frame by frame.
//
// Within a frame all take turns, each on what the others left of the caches, as a game leaves them
// to its culling.
#include "bench_city.h"

#include "bench_bounds.h"
#include "bench_turns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_A_ROUND = 20, CHECK_EVERY = 49, LEAST_FRAMES = 3, CITY_TIME = 60 };

_Static_assert(RUN_CAMERA_COUNT == VIEW_KIND_COUNT_, "five views in the place of five kinds");

static bool fail(bench_city *city, const char *what)
{
    return race_fail(&city->race, city->name, what);
}

// Every entity with a box, in the order of slots.
static bool list_items(bench_city *city, bench_workload *out)
{
    const acre_scene_view view = acre_scene_get_view(city->scenes[0].world.scene);
    *out = (bench_workload){.view_count = 1};
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
                   bench_rows *rows)
{
    const char *const slash = strrchr(path, '/');
    const size_t frames = (size_t)options->rounds * FRAMES_A_ROUND;
    char message[256] = "";
    *city = (bench_city){.name = slash ? slash + 1 : path};
    for (int i = 0; i < CITY_SCENE_COUNT; i++) {
        if (!city_scene_create(&city->scenes[i], path, i > 0, frames, message, sizeof message)) {
            return fail(city, message);
        }
    }
    bench_workload workload;
    city->cars = traffic_car_count(city->scenes[0].world.traffic);
    if (!list_items(city, &workload) ||
        !race_create_on(&city->race, options, &workload, true, rows)) {
        return false;
    }
    bool is_good = true;
    for (uint32_t i = 0; i < city->race.entrant_count; i++) {
        is_good = samples_reserve(&city->race.entrants[i].passes, frames) &&
                  samples_reserve(&city->race.entrants[i].singles, frames) && is_good;
    }
    return is_good || fail(city, "out of memory");
}

void city_free(bench_city *city)
{
    race_free(&city->race);
    for (int i = 0; i < CITY_SCENE_COUNT; i++) {
        city_scene_free(&city->scenes[i]);
    }
    free(city->items);
}

// What the contenders have to know: the cars' boxes and the planes of the views.
static void look(bench_city *city)
{
    const city_scene *const scene = &city->scenes[0];
    bench_workload *const workload = &city->race.workload;
    const acre_scene_view view = acre_scene_get_view(scene->world.scene);
    for (uint32_t car = 0; car < city->cars; car++) {
        const uint32_t slot = scene->world.cars[car].index1 - 1;
        city->race.items[car] = city->items[slot];
        workload->boxes[city->items[slot]] = view.world_bounds[slot];
    }
    for (int k = 0; k < VIEW_KIND_COUNT_; k++) {
        bench_view *const seen = &workload->views[k][0];
        seen->frustum = scene->views[k].frustum;
        seen->bounds = frustum_bounds(&seen->frustum);
    }
}

static bool check_culler(bench_city *city, city_scene *scene)
{
    for (int k = 0; k < VIEW_KIND_COUNT_; k++) {
        const size_t count = city_scene_query(scene, city->frames, k);
        const bool fits = count <= city->race.workload.count;
        for (size_t i = 0; i < count && fits; i++) {
            city->race.found[i] = city->items[scene->slots[i]];
        }
        const contender_query query = race_query(&city->race, k, 0);
        if (!fits || race_count_faults(&city->race, &query, count, &city->faults) > 0) {
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
    bool is_good = true;
    for (int i = 0; i < CITY_SCENE_COUNT && is_good; i++) {
        is_good = city_scene_run(&city->scenes[i], city->frames) || fail(city, "a frame failed");
    }
    if (is_good) {
        look(city);
        is_good = race_find_reference(&city->race); // memcpy copies it
    }
    for (uint32_t i = 0; i < city->race.entrant_count && is_good; i++) {
        is_good = run_entrant(city, &city->race.entrants[i]);
    }
    if (is_good && city->frames % CHECK_EVERY == 0) {
        is_good = race_check(&city->race);
        for (int i = 0; i < CITY_SCENE_COUNT && is_good; i++) {
            is_good = check_culler(city, &city->scenes[i]);
        }
    }
    city->frames++;
    return is_good;
}

static const char refresh_name[] = "city refresh", views_name[] = "city views";

static bool add_stages(bench_city *city, city_scene *scene)
{
    bool is_good = true;
    for (int k = 0; k < CITY_STAGE_COUNT_ && is_good; k++) {
        bench_row row = {.contender = scene->name,
                         .measure = city_stage_names[k],
                         .detail = city->name,
                         .state = "",
                         .unit = "us a frame",
                         .value = samples_summarise(&scene->stages[k])};
        is_good = row.value.count == 0 || race_add(&city->race, &row);
        if (is_good && (k == CITY_REFRESH || k == CITY_VIEWS)) {
            row.measure = k == CITY_REFRESH ? refresh_name : views_name;
            is_good = race_add(&city->race, &row);
        }
    }
    return is_good;
}

static bool add_rows(bench_city *city)
{
    bool is_good = true;
    for (int i = 0; i < CITY_SCENE_COUNT && is_good; i++) {
        is_good = add_stages(city, &city->scenes[i]);
    }
    return is_good &&
           turns_add_passes(&city->race, &(turn_rows){refresh_name, city->name, "us a frame"}) &&
           turns_add_singles(&city->race, &(turn_rows){views_name, city->name, "us a frame"});
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
