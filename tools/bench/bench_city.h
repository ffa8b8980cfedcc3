// SPDX-License-Identifier: MIT
// bench_city.h - a scene file with traffic from end to end: set, commit, five views; beside it the
// contenders on the culler's boxes.
//
// Words used here:
//     culler       modules/culling on the scene of `acre run`
//     five views   the flying camera and its four shadow cascades
#ifndef ACRE_TOOLS_BENCH_CITY_H
#define ACRE_TOOLS_BENCH_CITY_H

#include "bench_city_scene.h"
#include "bench_race.h"

#include <stdio.h>

// As the file says; and with all but the cars marked as static.
enum { CITY_SCENE_COUNT = 2 };

typedef struct bench_city {
    const char *name; // the file's, without its folder
    city_scene scenes[CITY_SCENE_COUNT];
    bench_race race;       // items are the entities with a box, views those of the present frame
    uint32_t *items;       // by slot; UINT32_MAX: none
    set_faults faults;     // of the cullers
    uint32_t frames, cars; // done; there
} bench_city;

// Adds rows: of the cullers each stage; of them and every contender "city refresh" and "city
// views", microseconds a frame. Sets of some frames are compared with the reference. Returns false
// with out->race.message; *out is then to be freed all the same.
bool city_measure(bench_city *out, const bench_options *options, const char *path,
                  bench_rows *rows);
void city_free(bench_city *city);

void city_report(const bench_city *city, FILE *out);

#endif
