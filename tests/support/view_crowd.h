// SPDX-License-Identifier: MIT
// view_crowd.h - a scene with thousands of entities, so that what a view, a draw list or casters do
// is divided among workers.
//
// Some entities are static, some move, a few are never culled or hidden; some have rules and
// layers.
//
// Typical use:
//     view_crowd_create(&crowd, test_seed);
//     const acre_view view = view_crowd_view(&crowd, 2);
#ifndef ACRE_TESTS_VIEW_CROWD_H
#define ACRE_TESTS_VIEW_CROWD_H

#include "test.h"

#include <acre/culling.h>

enum { CROWD_ENTITIES = 10000, CROWD_VIEWS = 6 };

typedef struct view_crowd {
    acre_scene *scene;
    acre_culling *culling;
    acre_entity entities[CROWD_ENTITIES];
    test_random random;
} view_crowd;

bool view_crowd_create(view_crowd *crowd, uint64_t seed);
void view_crowd_destroy(view_crowd *crowd);

// Moves some entities and commits.
bool view_crowd_frame(view_crowd *crowd);

// A view by volume and rules: number 0 to CROWD_VIEWS - 1. It points into statics.
acre_view view_crowd_view(uint32_t number);

#endif
