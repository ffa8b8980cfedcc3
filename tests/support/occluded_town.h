// SPDX-License-Identifier: MIT
// occluded_town.h - a town that changes, as tests of horizons need it: houses that turn and move,
// doors, props, things in the air, what is never culled. Entities come and go, are hidden and
// shown, get occluders and lose them; rays in doubles say what an eye sees.
#ifndef ACRE_TESTS_OCCLUDED_TOWN_H
#define ACRE_TESTS_OCCLUDED_TOWN_H

#include "test.h"

#include <acre/culling.h>

#define TOWN_BODIES 260
#define TOWN_REACH 42.0f
#define TOWN_NEAR_RADIUS 0.1f

// A box of its own space that stands upright, turned by an angle.
typedef struct town_body {
    acre_entity entity;
    float half[3]; // of the occluder; y: height
    float place[3], turn;
    uint32_t flags;
    bool is_occluder, is_two_sided;
} town_body;

typedef struct town {
    acre_scene *scene;
    acre_culling *culling;
    town_body bodies[TOWN_BODIES];
    test_random random;
} town;

float town_spread(town *w, float reach);
bool town_one_in(town *w, uint32_t count);

// Gives a body the occluders that it should have.
void town_give_occluders(town *w, town_body *b);

// @return false: it could not be made.
bool town_make(town *w, uint64_t seed, acre_kernel kernel, const acre_tasks *tasks);
void town_free(town *w);

// A frame: some move or turn, some doors open, some go and others come.
void town_edit(town *w);

acre_view town_view_at(const float *eye, float yaw, float down, float fov);
acre_view town_draw_view(town *w);

// Whether a ray from the eye reaches the box: to its corners, and to places in it.
// @param drawn the bodies that stop rays.
bool town_ray_reaches(town *w, const acre_view *view, const bool *drawn, const acre_aabb *box);

acre_aabb town_box(const town *w, int i);

#endif
