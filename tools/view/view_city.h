// SPDX-License-Identifier: MIT
// view_city.h - a scene file with driving cars: what of it is drawn. All of it follows the culling
// camera alone.
//
// In a frame: view_city_advance moves and commits, view_city_ask finds what the camera sees and
// what throws shadows on it, and makes the draw lists.
#ifndef ACRE_TOOLS_CITY_H
#define ACRE_TOOLS_CITY_H

#include "city_meshes.h"
#include "instances.h"
#include "run_world.h"
#include "shadow_maps.h"
#include "view_method.h"
#include "view_occlusion.h"

#include <acre/casters.h>
#include <acre/draw_list.h>

// Milliseconds of the last frame.
typedef struct view_city_times {
    double commit, refresh, query, casters, lists;
} view_city_times;

typedef struct view_city {
    run_world world;
    city_meshes meshes;
    acre_visible_set *sets[2]; // what the frustum holds; what of it is not hidden
    acre_visible_set *set;     // the one of them that is drawn
    acre_draw_list *list;
    view_occlusion occlusion;
    acre_draw_list *caster_lists[SHADOW_CASCADES];
    acre_receivers *receivers;
    acre_cascade cascades[SHADOW_CASCADES];
    acre_aabb ground; // what receives shadows and is no entity
    acre_aabb *grown; // room for receivers' boxes
    uint32_t *slots;  // room for every slot
    uint8_t *lods;    // of slots[i]
    uint32_t slot_room;
    view_city_times times;
    acre_query_stats work; // of the last query, where it was counted
    char message[256];     // why the last call failed
} view_city;

// What is asked of the culler in a frame.
typedef struct view_city_question {
    const acre_camera *culling;
    float height; // of the picture, pixels
    bool are_shadows_wanted;
    view_method method;    // how the visible are found
    view_scans *scans;     // for other methods than the quadtree; else NULL is allowed
    bool is_occlusion_on;  // what stands behind occluders is left out
    bool is_hidden_wanted; // what that would be is found in any case
    bool is_work_counted;  // what the tree's query tests, in view_city.work
    bool is_everything;    // no culling: every entity, every caster
    uint32_t dropped_slot; // left out though visible, to prove that a test finds it; UINT32_MAX
} view_city_question;

// Reads the file. Returns false and a message; *out is to be freed all the same.
bool view_city_create(view_city *out, const run_options *options, char *message,
                      size_t message_size);
void view_city_free(view_city *c);

// Who does the library's work from now on; NULL: this thread alone.
bool view_city_set_tasks(view_city *c, const acre_tasks *tasks);

// Cars drive for a time; the scene commits. Returns false with out->message set.
bool view_city_advance(view_city *c, float seconds);

// Hides all cars but the first `count`, from the next commit on.
bool view_city_show_cars(view_city *c, uint32_t count);

bool view_city_ask(view_city *c, const view_city_question *question);

// The kind of shadows: where cascades end, meters.
#define CITY_SHADOW_DISTANCE 900.0f

#endif
