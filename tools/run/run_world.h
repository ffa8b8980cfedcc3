// SPDX-License-Identifier: MIT
// run_world.h - what `acre run` runs on: a scene file as entities, the culler, streets, cars and
// the way of the camera.
//
// Words used here:
//     solid    an entity with triangles: a building
//     street   an entity with lines or points alone
//     view     the flying camera in one frame and the four shadow cascades fitted to it
#ifndef ACRE_TOOLS_RUN_WORLD_H
#define ACRE_TOOLS_RUN_WORLD_H

#include "flight.h"
#include "run_options.h"
#include "streets.h"
#include "traffic.h"

#include <acre/cascades.h>
#include <acre/culling.h>
#include <acre/import.h>

#define RUN_CASCADE_COUNT 4
#define RUN_CAMERA_COUNT (1 + RUN_CASCADE_COUNT) // 0 is the flying camera

typedef enum entity_kind { KIND_GROUP, KIND_SOLID, KIND_STREET, KIND_CAR, KIND_COUNT_ } entity_kind;

// Two modules, attached before and after the culler: the time between their commit hooks is the
// culler's, the rest of a commit is the scene's.
typedef struct commit_clock {
    acre_module before, after;
    double begin, end; // seconds
    size_t moved;      // in the last commit
} commit_clock;

typedef struct run_world {
    acre_import_model *model;
    acre_scene *scene;
    acre_culling *culling;
    acre_quadtree_def tree_def; // of the culler's tree
    acre_entity *nodes;         // one per node of the model
    acre_entity *cars;
    uint8_t *kinds; // entity_kind per slot
    uint32_t slot_count;
    uint32_t kind_counts[KIND_COUNT_];
    street_graph streets;
    car_traffic *traffic;
    flight path;
    acre_aabb bounds;      // of the file's entities
    bool is_openstreetmap; // then every picture names the source of the data
    commit_clock clock;
} run_world;

typedef struct run_view {
    view_pose pose;
    acre_cascade cascades[RUN_CASCADE_COUNT];
    acre_camera cameras[RUN_CAMERA_COUNT];
} run_view;

// The car's box, meters; it looks along +z.
extern const acre_aabb run_car_box;

// Reads the file, builds the scene, commits it. Without streets there are no cars. Returns false
// and a message that names the file; *out is then to be freed all the same.
bool run_world_create(const run_options *options, run_world *out, char *message,
                      size_t message_size);
void run_world_free(run_world *world);

// Returns false if a camera makes no volume: a world too large for floats.
bool run_view_at(const run_world *world, uint32_t frame, run_view *out);

// "camera", "cascade 1" ..
const char *run_camera_name(uint32_t camera);

// What solids are called: "buildings" on a map, "solids" elsewhere.
const char *run_solid_name(const run_world *world);

// The name in the file, or "car"; never NULL. *number receives the car's or the node's.
const char *run_entity_name(const run_world *world, uint32_t slot, uint64_t *number);

#endif
