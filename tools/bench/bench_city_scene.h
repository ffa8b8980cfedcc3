// SPDX-License-Identifier: MIT
// bench_city_scene.h - a scene file and its culler, and what a program's frame costs there.
#ifndef ACRE_TOOLS_BENCH_CITY_SCENE_H
#define ACRE_TOOLS_BENCH_CITY_SCENE_H

#include "run_statistics.h"
#include "run_world.h"

// What a frame of a program is made of, microseconds.
typedef enum city_stage {
    CITY_SET,     // new places of all cars
    CITY_COMMIT,  // the scene's part of a commit
    CITY_REFRESH, // the culler's part of it
    CITY_PREPARE, // views from five cameras
    CITY_VIEWS,   // what they see, in frames of even numbers
    CITY_FRAME,   // the sum of all these, in frames of even numbers
    CITY_SPANS,   // what they see as spans, in frames of odd numbers
    CITY_STAGE_COUNT_
} city_stage;

typedef struct city_scene {
    const char *name; // of its rows
    run_world world;
    run_view view; // of the present frame
    acre_view views[RUN_CAMERA_COUNT];
    uint32_t *slots; // of a query
    acre_item_span *spans;
    size_t span_room;
    sample_list stages[CITY_STAGE_COUNT_];
} city_scene;

extern const char *const city_stage_names[CITY_STAGE_COUNT_];

// Reads the file, with cars and seed as `acre run` has them. Static: all but the cars is marked so.
// Returns false and a message; *out is then to be freed all the same.
bool city_scene_create(city_scene *out, const char *path, bool is_static, size_t frames,
                       char *message, size_t message_size);
void city_scene_free(city_scene *scene);

// A frame: cars drive, commit, five views. Returns false if something fails.
bool city_scene_run(city_scene *scene, uint32_t frame);

// The slots that camera k sees, in scene->slots, asked as in this frame.
size_t city_scene_query(city_scene *scene, uint32_t frame, int k);

#endif
