// SPDX-License-Identifier: MIT
// bench_view_world.h - what `acre bench --view-rules yes` looks at: a scene in a culler, cameras
// that move, entities that move.
//
// Words used here:
//     track    a camera in TRACK_LENGTH frames that follow each other
//     kind     tracks of cameras of one sort, and the limits that are asked of them
//     item     an entity with a box
#ifndef ACRE_TOOLS_BENCH_VIEW_WORLD_H
#define ACRE_TOOLS_BENCH_VIEW_WORLD_H

#include "bench_options.h"
#include "country.h"
#include "run_world.h"

enum { TRACK_FRAMES = 8, TRACK_LENGTH = TRACK_FRAMES + 1, WORLD_KINDS = 5, WORLD_RULES = 4 };

// What is asked of a kind of views.
typedef struct track_limits {
    float max_distance; // meters
    float focus;        // meters ahead of the eye where volumes stand
    float exclude_half; // half the side of a box that is asked to be left out
    float include_half; // of one that is to be touched
    bool flies;         // a camera as players have it: also for cascades and eyes
} track_limits;

typedef struct track_kind {
    const char *name; // of a scene file's: the file
    track_limits limits;
    acre_camera cameras[COUNTRY_MAX_VIEWS][TRACK_LENGTH];
    uint32_t track_count;
} track_kind;

typedef struct view_world {
    const char *name; // of a scene file; empty: the workload
    acre_scene *scene;
    acre_culling *culling;
    uint32_t slot_count;
    uint32_t *items;  // slots of the entities with a box, ascending
    acre_aabb *boxes; // by item, before anything moved
    uint32_t item_count;
    uint16_t *rules; // by slot: the number of its rule, as a program keeps it itself
    acre_aabb ground;
    track_kind *kinds;
    uint32_t kind_count;
    uint32_t mover_count; // entities that are not static
    country workload;
    run_world city;
} view_world;

// count boxes of the workload, nine of ten static. Returns false and a message; *out is then to be
// freed all the same.
bool view_world_create(view_world *out, const bench_options *options, uint32_t count, char *message,
                       size_t size);

// A scene file whose entities are static, with options->cars cars that are not.
bool view_world_create_city(view_world *out, const bench_options *options, const char *path,
                            char *message, size_t size);
void view_world_free(view_world *world);

#endif
