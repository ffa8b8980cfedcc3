// SPDX-License-Identifier: MIT
// traffic.h - cars that drive along a street graph: lanes, turns at crossings, smooth headings.
//
// Knows streets and transforms; knows no scene. Cars do not see each other.
//
// Words used here:
//     lane      the line that cars follow, lane_offset meters to the right of an edge
//     corner    the curve from the lane of one edge to the lane of the next
//     heading   unit vector x, z of the way a car points; its model looks along +z, as in glTF
//
// Typical use:
//     traffic_create(&(traffic_def){.seed = 1, .car_count = 2000}, &graph, &traffic);
//     each frame: traffic_advance(traffic, 1.0f / 60.0f);
//                 acre_scene_set_locals(scene, cars, traffic_transforms(traffic), count);
//
// Threading: one traffic, one thread at a time; the graph is only read.
#ifndef ACRE_TOOLS_TRAFFIC_H
#define ACRE_TOOLS_TRAFFIC_H

#include "streets.h"

#include <acre/scene.h>

// Limits that every frame of every car keeps.
#define TRAFFIC_LANE_OFFSET 2.0f // meters to the right of the street's line
#define TRAFFIC_TURN_RATE 1.5f   // radians per second at most
#define TRAFFIC_TOP_SPEED 15.0f  // meters per second at most
#define TRAFFIC_CORNER 6.0f      // meters before and after a node that the corner's curve takes

typedef struct car_traffic car_traffic;

typedef struct traffic_def {
    uint64_t seed;
    uint32_t car_count;
} traffic_def;

// Spreads the cars over all lanes, evenly by length. The graph must outlive the traffic and have
// edges if there are cars. Returns false if it has none or memory is short; *out is then NULL.
bool traffic_create(const traffic_def *def, const street_graph *graph, car_traffic **out);

// NULL is allowed.
void traffic_destroy(car_traffic *traffic);

// Drives every car on by `seconds` (0 .. 0.1; more is cut), O(1) per car.
void traffic_advance(car_traffic *traffic, float seconds);

// One row per car: where it stands on the ground, turned about y. Valid until destroy; the rows
// change with each advance.
const acre_transform *traffic_transforms(const car_traffic *traffic);

uint32_t traffic_car_count(const car_traffic *traffic);

#endif
