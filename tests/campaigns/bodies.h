// SPDX-License-Identifier: MIT
// bodies.h - a scene in a culler, all of whose entities the program also knows itself: which there
// are, which are hidden, their layers, and where their points are, in doubles. Nothing of that
// comes from the library.
//
// Words used here:
//     body    an entity with a box, and what the scene was told about it
//     rider   a body whose parent in the scene is the body before it
//     point   a place in a body's box, in world coordinates
//     reach   a bound on the numbers from which a body's points were calculated; their rounding in
//             the library's floats is a small share of it
#ifndef BODIES_H
#define BODIES_H

#include "test.h"
#include "worlds.h"

#include <acre/culling.h>

enum { BODY_POINTS = 3 };

typedef struct body {
    acre_entity entity; // null: destroyed
    acre_transform local;
    acre_aabb bounds; // local
    uint32_t flags;
    uint32_t layers; // 0: all
    bool is_rider;
} body;

typedef struct bodies {
    acre_scene *scene;
    acre_culling *culling;
    body *list;
    uint32_t count;
    // By slot:
    uint32_t slot_room;
    double *points[BODY_POINTS][3]; // x, y, z; NaN where nothing is to be seen
    double *reach;
    uint32_t *layers;
    // Room for an edit of all:
    acre_entity *entities;
    acre_transform *locals;
} bodies;

// A body for each box of the world, a third of them turned, an eighth of them riders; committed.
// Returns false when memory is short; *out is then to be freed all the same.
bool bodies_create(bodies *out, const country *land, acre_kernel kernel, const acre_tasks *tasks,
                   test_random *random);
void bodies_free(bodies *world);

// One frame of edits of one kind: some move, all move, some jump, some are destroyed and others
// created, flags, layers and boxes change, or nothing. Then commits and calculates the points.
// Returns whether the scene took all edits.
bool bodies_advance(bodies *world, test_random *random);

// Brings a place of the world into the space of a body's box.
void bodies_into_box(const bodies *world, uint32_t number, double *place);

#endif
