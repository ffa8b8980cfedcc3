// SPDX-License-Identifier: MIT
// scene_oracle.h - the scene's oracle: plain records, everything recomputed, and a random stream of
// edits that goes to the scene and to the oracle alike.
//
// Typical use:
//     scene_oracle oracle;
//     scene_oracle_init(&oracle, 200, seed);
//     for (...) {
//         scene_oracle_edit(&oracle);              // one random edit, good or bad
//         scene_oracle_commit(&oracle);            // commits both, compares the lists of changes
//         scene_oracle_check(&oracle);             // compares all that readers see
//     }
// Every function that compares answers NULL, or what differs.
#ifndef SCENE_ORACLE_H
#define SCENE_ORACLE_H

#include "test.h"

#include <acre/scene.h>

typedef struct oracle_entity {
    acre_entity handle;
    bool is_alive, is_published, is_dirty;
    bool is_toggled;  // own HIDDEN changed since the last commit
    bool is_hidden;   // as of the last commit, inherited
    bool is_computed; // within a commit
    bool is_visited;  // within a commit
    int parent;       // -1: a root
    float local[12];  // three rows of four
    bool has_box;
    bool box_is_world; // the box is a world box
    bool is_boxed;     // since the last commit it got one
    acre_aabb box;
    uint32_t layers, flags;
    uint64_t user;
    // As readers see it.
    float world[12];
    bool sees_box, box_is_empty;
    double low[3], high[3], slack[3]; // of the world box, and the rounding in low and high
    uint32_t seen_layers, seen_flags;
    uint64_t seen_user;
} oracle_entity;

typedef struct oracle_list {
    uint32_t *slots;
    size_t count, capacity;
} oracle_list;

typedef struct scene_oracle {
    acre_scene *scene;
    acre_module module; // hears the changes
    test_random random;
    int count, capacity; // of entities, the dead included
    int limit;           // of living ones
    bool sets_worlds;    // boxes of edits may be world boxes
    bool shifts;         // edits may shift the origin
    double away[3];      // how far the world is from where it began
    int living;
    oracle_entity *entities;
    oracle_list heard[4]; // destroyed, created, moved, relabeled
    oracle_list expected[4];
    bool order_holds; // parents before children, in the lists heard
} scene_oracle;

// @return whether there was memory.
bool scene_oracle_init(scene_oracle *oracle, const acre_scene_def *def, int limit, uint64_t seed);
void scene_oracle_free(scene_oracle *oracle);

// A random entity, rarely a dead one.
oracle_entity *scene_oracle_pick(scene_oracle *oracle);

const char *scene_oracle_edit(scene_oracle *oracle);
const char *scene_oracle_commit(scene_oracle *oracle);
const char *scene_oracle_check(const scene_oracle *oracle);

// acre_scene_refresh of a random entity.
const char *scene_oracle_refresh(scene_oracle *oracle);

// The oracle's side of a world box that is published at once.
void scene_oracle_boxed(scene_oracle *oracle, int index, const acre_aabb *box);

// The oracle's side of a refresh.
void scene_oracle_refreshed(scene_oracle *oracle, int index);

#endif
