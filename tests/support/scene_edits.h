// SPDX-License-Identifier: MIT
// scene_edits.h - a stream of random edits of a scene: every setter, create and destroy.
//
// The same on every platform: rotations are stored numbers, everything else comes from splitmix64
// through exact conversions.
#ifndef ACRE_TESTS_SCENE_EDITS_H
#define ACRE_TESTS_SCENE_EDITS_H

#include "test.h"

#include <acre/scene.h>

#define SCENE_EDITS_ENTITIES 3000u

typedef struct scene_edits {
    acre_scene *scene; // the caller's
    test_random random;
    acre_entity entities[SCENE_EDITS_ENTITIES]; // the last one that each index stood for
    uint32_t unexpected;                        // how many calls failed that may not
} scene_edits;

// Creates all entities, three quarters of them below another one.
void scene_edits_create_all(scene_edits *edits);

// About 200 edits. Some hit entities that are gone and must be refused, everywhere alike.
void scene_edits_run(scene_edits *edits);

acre_entity scene_edits_pick(scene_edits *edits);

#endif
