// SPDX-License-Identifier: MIT
// bench_frames.h - one frame of a world: what moves, what leaves it and what comes, the same for
// every contender.
//
// Words used here:
//     step       the way that an item goes in a frame, country.steps
//     teleport   a mover that is anywhere after the frame
//     respawn    an item that leaves the structure and comes back elsewhere in the same frame
#ifndef ACRE_TOOLS_BENCH_FRAMES_H
#define ACRE_TOOLS_BENCH_FRAMES_H

#include "bench_contest.h"

typedef struct frame_plan {
    uint32_t stride;    // every so many items step; 0: none
    bool is_rotating;   // others in each frame
    uint32_t teleports; // a frame; only where none step
    uint32_t respawns;  // a frame
    uint64_t random;    // from here on: two plans with the same one have the same frames
    uint32_t frame;     // how many are done
    size_t movers;      // of the present frame: contest->items
} frame_plan;

typedef struct frame_times {
    double out; // seconds: leaving
    double in;  // coming, refreshing and what a structure needs once a frame
} frame_times;

// What Acre's tree did in each of many frames, from its counters: the same on every machine.
typedef struct frame_work {
    sample_list samples[4];
} frame_work;

// Changes the workload as the plan says; contest->items receives the movers and contest->spawned
// those that respawn, both in ascending order.
void frame_advance(bench_contest *contest, frame_plan *plan);

// Whether the contender can do all that the plan asks for.
bool frame_is_possible(const bench_contender *what, const frame_plan *plan);

// The present frame on a state of the contender; `work` of bench_acre's is kept, or NULL. Returns
// false if the contender refuses.
bool frame_run(bench_contest *contest, const bench_contender *what, void *state,
               const frame_plan *plan, frame_times *out, frame_work *work);

// A row of each counter, and frees the samples.
void frame_work_add(bench_contest *contest, frame_work *work, const char *detail);

#endif
