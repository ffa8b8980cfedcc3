// SPDX-License-Identifier: MIT
// bench_city.h - a scene file with traffic from end to end: set, commit, five views; beside it the
// contenders on the culler's boxes.
//
// Words used here:
//     culler   modules/culling on the scene of `acre run`
//     five views   the flying camera and its four shadow cascades
#ifndef ACRE_TOOLS_BENCH_CITY_H
#define ACRE_TOOLS_BENCH_CITY_H

#include "bench_race.h"
#include "run_world.h"

#include <stdio.h>

// What a frame of a program is made of, microseconds.
typedef enum city_stage {
    CITY_SET,     // new places of all cars
    CITY_COMMIT,  // the scene's part of a commit
    CITY_REFRESH, // the culler's part of it
    CITY_VIEWS,   // five views, planes made from cameras on the way
    CITY_FRAME,   // their sum
    CITY_STAGE_COUNT_
} city_stage;

typedef struct bench_city {
    const char *name; // the file's, without its folder
    run_world world;
    bench_race race; // items are the entities with a box, views those of the present frame
    uint32_t *items; // by slot; UINT32_MAX: none
    uint32_t *slots; // of a query
    sample_list stages[CITY_STAGE_COUNT_];
    set_faults faults;     // of the culler
    uint32_t frames, cars; // done; there
} bench_city;

// The name of the culler's rows.
extern const char city_culler_name[];
extern const char *const city_stage_names[CITY_STAGE_COUNT_];

// Adds rows: of the culler each stage; of it and every contender "city refresh" and "city views",
// microseconds a frame. Sets of some frames are compared with the reference. Returns false with
// out->race.message; *out is then to be freed all the same.
bool city_measure(bench_city *out, const bench_options *options, const char *path,
                  bench_rows *rows);
void city_free(bench_city *city);

void city_report(const bench_city *city, FILE *out);

#endif
