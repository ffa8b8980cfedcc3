// SPDX-License-Identifier: MIT
// view_world.h - a scene with a culler under random edits, cameras that wander in it with a visible
// set each, and the check of everything that a finding answers, entity by entity.
//
// The world keeps plain records of what it told scene and culler. World boxes, inherited flags and
// layers are read from the scene, whose own tests answer for them.
//
// Typical use:
//     view_world_create(&world, &(view_world_def){.seed = 1, .entities = 500});
//     view_rig_create(&rig, &world, ACRE_VISIBLE_LODS);
//     for (...) {
//         view_world_frame(&world);          // edits, a commit, registrations
//         view_rig_move(&rig, &world);       // camera and limits
//         view_rig_find(&rig, &world, true); // finds and compares, explains each entity before
//     }
// Every function that compares answers NULL, or what differs.
#ifndef ACRE_TESTS_VIEW_WORLD_H
#define ACRE_TESTS_VIEW_WORLD_H

#include "view_oracle.h"

#include <acre/explain.h>

#define VIEW_WORLD_RULES 20

typedef struct world_entity {
    acre_entity handle;
    int parent; // index; -1: a root
    bool is_alive, is_published;
    bool is_registered, is_excluded;
    bool was_created, was_moved; // in the last commit
    acre_transform local;
    uint32_t rule;
    uint32_t flags, seen_flags; // its own: recorded, and as of the last commit
} world_entity;

typedef struct view_world_def {
    uint64_t seed;
    int entities; // at most
    float offset; // of all coordinates, world units
    bool register_all;
    bool is_calm; // wide, no huge boxes, few edits of static entities, slow cameras
    uint16_t scene;
    const acre_allocator *allocator; // of the culler; NULL: the heap
} view_world_def;

typedef struct view_world {
    view_world_def def;
    acre_scene *scene;
    acre_culling *culling;
    acre_module module; // hears what a commit changed
    test_random random;
    world_entity *entities;
    int count;
    acre_visibility_rule rules[VIEW_WORLD_RULES];
    uint32_t rule_count;
    bool has_pending; // edits since the last commit
    uint64_t touched; // grows with every call that may change what is seen
} view_world;

bool view_world_create(view_world *world, const view_world_def *def);
void view_world_destroy(view_world *world);

// A frame: random edits, none in some frames, a commit, and calls of the culler.
const char *view_world_frame(view_world *world);

// What is known of an entity.
view_subject view_world_subject(const view_world *world, const world_entity *entity);

// What a set answered last for a slot.
typedef struct rig_slot {
    bool was_visible;
    uint16_t generation;
    uint32_t lod;
} rig_slot;

// A wandering camera with its set.
typedef struct view_rig {
    acre_visible_set *set;
    uint32_t flags; // ACRE_VISIBLE_...
    test_random random;
    acre_view view; // what is asked
    acre_frustum include, exclude;
    float eye[3], yaw, pitch, fov, width, plane_scale, pace;
    bool is_orthographic, has_nan;
    uint32_t shape; // of the volume
    uint32_t style, frames_left;
    float sign;
    // As found last.
    const acre_culling *culling; // NULL: nothing was found yet
    rig_slot *past;              // by slot
    size_t past_capacity;
    bool has_memory;
    acre_view seen; // volumes are copies
    acre_frustum seen_include, seen_exclude;
    bool is_frozen;
    uint64_t touched; // of the world
    uint64_t hash;    // of all results
    uint64_t compared, reused, visible, tested, findings;
} view_rig;

// allocator: of the set; NULL: the heap.
bool view_rig_create(view_rig *rig, uint64_t seed, uint32_t flags, const acre_allocator *allocator);
void view_rig_destroy(view_rig *rig);

// Another frame of the camera's way.
void view_rig_move(view_rig *rig, const view_world *world);

// Another kind of camera and limits, at a place of its own.
void view_rig_remake(view_rig *rig, const view_world *world);

// Finds and compares. explains: asks acre_culling_explain about every entity before.
const char *view_rig_find(view_rig *rig, const view_world *world, bool explains);

// As view_rig_find, but the caller has found already.
const char *view_rig_compare(view_rig *rig, const view_world *world);

// A fresh set and acre_culling_query_view answer what the oracle says without a past.
const char *view_rig_check_fresh(view_rig *rig, const view_world *world, acre_visible_set *fresh);

// Forgets, as acre_visible_set_clear.
void view_rig_clear(view_rig *rig);

// acre_culling_explain about every entity: NULL or what differs.
const char *view_rig_explain(view_rig *rig, const view_world *world);

#endif
