// SPDX-License-Identifier: MIT
// bench_city_scene.c - a scene file and its culler.
#include "bench_city_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_SECONDS (1.0f / 60.0f)

enum { VECTOR_ROOM = 32 }; // slots behind the last, for whole vectors

const char *const city_stage_names[CITY_STAGE_COUNT_] = {
    "set locals", "commit, scene", "commit, culler",   "views of cameras",
    "five views", "all of these",  "five views, spans"};

static bool mark_static(run_world *world)
{
    acre_result result = ACRE_OK;
    for (uint32_t n = 0; n < world->model->node_count && result == ACRE_OK; n++) {
        result = acre_entity_set_flags(world->scene, world->nodes[n], ACRE_ENTITY_STATIC);
    }
    return result == ACRE_OK && acre_scene_commit(world->scene) == ACRE_OK;
}

static bool reserve(city_scene *scene, size_t frames)
{
    const size_t slots = scene->world.slot_count + (size_t)VECTOR_ROOM;
    scene->slots = calloc(slots, sizeof *scene->slots);
    scene->spans = calloc(slots, sizeof *scene->spans); // no span is empty
    scene->span_room = slots;
    bool is_good = scene->slots && scene->spans;
    for (int k = 0; k < CITY_STAGE_COUNT_ && is_good; k++) {
        is_good = samples_reserve(&scene->stages[k], frames);
    }
    return is_good;
}

bool city_scene_create(city_scene *out, const char *path, bool is_static, size_t frames,
                       char *message, size_t message_size)
{
    char name[] = "run";
    char *argv[] = {name, NULL};
    run_options run;
    *out = (city_scene){.name = is_static ? "acre, static map" : "acre, in the scene"};
    bool is_good = run_options_parse(1, argv, &run, message, message_size);
    run.scene_path = path;
    is_good = is_good && run_world_create(&run, &out->world, message, message_size);
    if (is_good && !((!is_static || mark_static(&out->world)) && reserve(out, frames))) {
        snprintf(message, message_size, "out of memory");
        is_good = false;
    }
    return is_good;
}

void city_scene_free(city_scene *scene)
{
    for (int k = 0; k < CITY_STAGE_COUNT_; k++) {
        samples_free(&scene->stages[k]);
    }
    run_world_free(&scene->world);
    free(scene->slots);
    free(scene->spans);
}

static acre_result commit(run_world *world, double *stages)
{
    traffic_advance(world->traffic, FRAME_SECONDS);
    const double begin = clock_seconds();
    acre_result result =
        acre_scene_set_locals(world->scene, world->cars, traffic_transforms(world->traffic),
                              traffic_car_count(world->traffic));
    const double middle = clock_seconds();
    result = result == ACRE_OK ? acre_scene_commit(world->scene) : result;
    const double end = clock_seconds();
    stages[CITY_SET] = middle - begin;
    stages[CITY_REFRESH] = world->clock.end - world->clock.begin;
    stages[CITY_COMMIT] = end - middle - stages[CITY_REFRESH];
    return result;
}

static bool prepare_views(city_scene *scene, double *stages)
{
    bool is_good = true;
    const double begin = clock_seconds();
    for (int k = 0; k < RUN_CAMERA_COUNT; k++) {
        is_good =
            acre_view_from_camera(&scene->views[k], &scene->view.cameras[k]) == ACRE_OK && is_good;
    }
    stages[CITY_PREPARE] = clock_seconds() - begin;
    return is_good;
}

static size_t find_slots(city_scene *scene, int k)
{
    return acre_culling_query_view(scene->world.culling, &scene->views[k], scene->slots,
                                   scene->world.slot_count + (size_t)VECTOR_ROOM);
}

static acre_span_totals find_spans(city_scene *scene, int k)
{
    acre_span_totals totals = {0};
    const acre_result result = acre_culling_query_view_spans(
        scene->world.culling, &scene->views[k], scene->spans, scene->span_room, scene->slots,
        scene->world.slot_count + (size_t)VECTOR_ROOM, &totals);
    return result == ACRE_OK ? totals : (acre_span_totals){0};
}

static void add_samples(city_scene *scene, uint32_t frame, double *stages)
{
    for (int k = 0; k < CITY_FRAME; k++) {
        stages[CITY_FRAME] += stages[k];
    }
    for (int k = 0; k < CITY_STAGE_COUNT_; k++) {
        const bool is_measured = k < CITY_VIEWS || (k == CITY_SPANS) == (frame % 2 == 1);
        if (is_measured) {
            samples_add(&scene->stages[k], 1e6 * stages[k]);
        }
    }
}

bool city_scene_run(city_scene *scene, uint32_t frame)
{
    double stages[CITY_STAGE_COUNT_] = {0};
    if (commit(&scene->world, stages) != ACRE_OK ||
        !run_view_at(&scene->world, frame, &scene->view) || !prepare_views(scene, stages)) {
        return false;
    }
    const bool has_spans = frame % 2 == 1;
    const double begin = clock_seconds();
    for (int k = 0; k < RUN_CAMERA_COUNT; k++) {
        if (has_spans) {
            find_spans(scene, k);
        } else {
            find_slots(scene, k);
        }
    }
    stages[has_spans ? CITY_SPANS : CITY_VIEWS] = clock_seconds() - begin;
    add_samples(scene, frame, stages);
    return true;
}

// From the last span to the first: those that point into the slots lie in order and move back.
size_t city_scene_query(city_scene *scene, uint32_t frame, int k)
{
    if (frame % 2 == 0) {
        return find_slots(scene, k);
    }
    const acre_span_totals totals = find_spans(scene, k);
    size_t end = totals.items;
    for (size_t i = totals.spans; i-- > 0;) {
        const acre_item_span *const span = &scene->spans[i];
        end -= span->count;
        memmove(scene->slots + end, span->items, span->count * sizeof *scene->slots);
    }
    return totals.items;
}
