// SPDX-License-Identifier: MIT
// flight.h - the way of the camera: a closed path that dives into long streets and rises over
// roofs.
//
// Knows a street graph and the size of the world; the same input gives the same flight.
//
// Words used here:
//     pass      a part of the path that follows a long, nearly straight street; its middle is flown
//               at eye height, its ends climb to the cruise height
//     cruise    the height between passes: above the highest roof
//
// Typical use:
//     flight path;
//     flight_plan(&path, &streets, &world);
//     flight_pose(&path, frame, &pose);
//     flight_free(&path);
#ifndef ACRE_TOOLS_FLIGHT_H
#define ACRE_TOOLS_FLIGHT_H

#include "streets.h"
#include "view_pose.h"

#include <acre/bounds.h>

#define FLIGHT_FRAMES 600 // one round; later frames fly the next one

typedef struct flight {
    float (*points)[3]; // corners of the smooth path, closed
    float *lengths;     // from the start of the path, in small steps, see flight.c
    uint32_t point_count;
    float ground; // lowest y of the world, meters
} flight;

// Without streets the path is a ring over the world. Returns false when memory is short or the
// world's box is not finite; *out is then empty.
bool flight_plan(flight *out, const street_graph *streets, const acre_aabb *world);

void flight_free(flight *path);

// Where the camera is in a frame: y up, 60 degrees, 16:9, near 0.1 m, far 1500 m.
void flight_pose(const flight *path, uint32_t frame, view_pose *out);

#endif
