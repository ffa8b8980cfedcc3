// SPDX-License-Identifier: MIT
// run_bars.h - the two figures that the tree has to reach, measured on the scene of a run.
//
//     refresh  every entity's box moves by one frame of 0.5 to 10 m/s at 60 Hz and all of them are
//              refreshed in one call; on a tree of its own with the boxes of the scene
//     query    ground cameras, at eye height on streets of the flight, that see as far as a street
//              is long, and 1000 m: the culler's tree against scalar brute force over the same
//              boxes, sets compared. Each method runs alone over all cameras, a second time for
//              the clock: what it can keep in the caches is there.
#ifndef ACRE_TOOLS_RUN_BARS_H
#define ACRE_TOOLS_RUN_BARS_H

#include "run_statistics.h"
#include "run_world.h"

// What is wanted of a scene with so many items.
#define BAR_ITEMS 100000
#define BAR_REFRESH_LIMIT 10.0 // nanoseconds per entity, at most
#define BAR_QUERY_LIMIT 50.0   // times brute force, at least

enum { BAR_DISTANCES = 2 };

typedef struct bar_query {
    float far_distance; // meters
    uint32_t views;     // ground cameras
    double visible;     // mean per camera
    // Microseconds per query, mean over the cameras of their medians; see run_brute.h.
    double tree, brute, prepared;
    double ratio; // brute / tree
} bar_query;

typedef struct run_bars {
    size_t items;
    sample_summary refresh;           // nanoseconds per entity
    bar_query queries[BAR_DISTANCES]; // the first is to reach BAR_QUERY_LIMIT
    bool are_sets_equal;
} run_bars;

// Reads the state of the last commit. Returns ACRE_OK, ACRE_ERROR_OUT_OF_MEMORY or the tree's
// error.
acre_result run_bars_measure(const run_world *world, uint64_t seed, run_bars *out);

#endif
