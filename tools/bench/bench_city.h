// SPDX-License-Identifier: MIT
// bench_city.h - a scene file with traffic from end to end: set, commit, five views; beside it the
// contenders on the culler's boxes.
//
// Words used here:
//     culler       modules/culling on the scene of `acre run`
//     five views   the flying camera and its four shadow cascades
#ifndef ACRE_TOOLS_BENCH_CITY_H
#define ACRE_TOOLS_BENCH_CITY_H

#include "bench_contest.h"
#include "run_world.h"

// What a frame of a program is made of, microseconds.
typedef enum city_stage {
    CITY_SET,     // new places of all cars
    CITY_COMMIT,  // the scene's part of a commit
    CITY_REFRESH, // the culler's part of it
    CITY_PREPARE, // views from five cameras
    CITY_VIEWS,   // what they see
    CITY_FRAME,   // the sum of all these
    CITY_STAGE_COUNT_
} city_stage;

// A scene file and its culler.
typedef struct city_scene {
    const char *name; // of its rows
    run_world world;
    run_view view; // of the present frame
    acre_view views[RUN_CAMERA_COUNT];
    uint32_t *slots; // of a query
    size_t room;
    sample_list stages[CITY_STAGE_COUNT_];
} city_scene;

// As the file says; and with all but the cars marked as static.
enum { CITY_SCENE_COUNT = 2 };

typedef struct bench_city {
    const char *name; // the file's, without its folder
    city_scene scenes[CITY_SCENE_COUNT];
    bench_contest contest; // items are the entities with a box, views those of the present frame
    uint32_t *items;       // by slot; UINT32_MAX: none
    set_faults faults;     // of the cullers
    uint32_t frames, cars; // done; there
} bench_city;

// Adds rows: of the cullers each stage; of them and every contender "city refresh" and "city
// views", microseconds a frame. Sets of some frames are compared with the reference. Returns false
// with out->contest.message; *out is then to be freed all the same.
bool city_measure(bench_city *out, const bench_options *options, const char *path,
                  measure_rows *rows);
void city_free(bench_city *city);

void city_report(const bench_city *city, FILE *out);

// The world of `acre run` with this file and as many cars (UINT32_MAX: as it has them);
// is_static: all but the cars is marked so. Returns false and a message; *out is then to be freed
// all the same.
bool city_create_world(run_world *out, const char *path, uint32_t cars, bool is_static,
                       char *message, size_t message_size);

// A path without its folders.
const char *city_file_name(const char *path);

#endif
