// SPDX-License-Identifier: MIT
// bench_frames.h - one frame of a world: what moves, what leaves it and what comes, the same for
// every contender.
//
// Words used here:
//     step       the way that an item goes in a frame, bench_workload.steps
//     teleport   a mover that is anywhere after the frame
//     respawn    an item that leaves the structure and comes back elsewhere in the same frame
#ifndef ACRE_TOOLS_BENCH_FRAMES_H
#define ACRE_TOOLS_BENCH_FRAMES_H

#include "bench_race.h"

typedef struct frame_plan {
    uint32_t stride;    // every so many items step; 0: none
    bool is_rotating;   // others in each frame
    uint32_t teleports; // a frame; only where none step
    uint32_t respawns;  // a frame
    uint64_t random;    // from here on: two plans with the same one have the same frames
    uint32_t frame;     // how many are done
    size_t movers;      // of the present frame: race->items
} frame_plan;

typedef struct frame_times {
    double out; // seconds: leaving
    double in;  // coming, refreshing and what a structure needs once a frame
} frame_times;

// Changes the workload as the plan says; race->items receives the movers and race->spawned those
// that respawn, both in ascending order.
void frame_advance(bench_race *race, frame_plan *plan);

// Whether the contender can do all that the plan asks for.
bool frame_is_possible(const bench_contender *what, const frame_plan *plan);

// The present frame on a state of the contender. Returns false if it refuses.
bool frame_run(bench_race *race, const bench_contender *what, void *state, const frame_plan *plan,
               frame_times *out);

#endif
