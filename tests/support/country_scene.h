// SPDX-License-Identifier: MIT
// country_scene.h - a country (country.h) as a scene in a culler, nine of ten entities static, and
// cameras that move in it.
//
// Words used here:
//     track    a camera in TRACK_LENGTH frames that follow each other
//     kind     tracks of cameras of one sort, and the limits that are asked of them
//     item     an entity with a box
#ifndef COUNTRY_SCENE_H
#define COUNTRY_SCENE_H

#include "country.h"

#include <acre/camera.h>
#include <acre/culling.h>

enum { TRACK_FRAMES = 8, TRACK_LENGTH = TRACK_FRAMES + 1, SCENE_RULES = 4 };

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

typedef struct country_scene {
    acre_scene *scene;
    acre_culling *culling;
    uint32_t slot_count;
    uint32_t *items;  // slots of the entities with a box, ascending
    acre_aabb *boxes; // by item
    uint32_t item_count;
    uint16_t *rules; // by slot: the number of its rule, as a program keeps it itself
    acre_aabb ground;
    track_kind *kinds;
    uint32_t kind_count;
    uint32_t mover_count; // entities that are not static
    country land;
} country_scene;

// count boxes, and views tracks of each kind (fewer that see everything). Returns false where
// memory is short; *out is then to be freed all the same.
bool country_scene_create(country_scene *out, uint32_t count, uint32_t views, acre_kernel kernel);

// The same of a scene and a culler of the caller's, who keeps them and makes the kinds: lists the
// items, and gives each a rule and a layer.
bool country_scene_list(country_scene *out, acre_scene *scene, acre_culling *culling);

// owns_scene: destroys the scene and the culler, too.
void country_scene_free(country_scene *scene, bool owns_scene);

#endif
