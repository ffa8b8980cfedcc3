// SPDX-License-Identifier: MIT
// bench_neighbors.h - the part of `acre bench --queries yes` about the neighbors of all units of a
// crowd: one call of Acre's beside a query each, a uniform grid, and a loop over all boxes.
#ifndef ACRE_TOOLS_BENCH_NEIGHBORS_H
#define ACRE_TOOLS_BENCH_NEIGHBORS_H

#include "bench_contest.h"

enum { NEIGHBOR_WAY_COUNT = 6 };

// How neighbors are found: names of contenders, the first one is the base.
extern const char *const neighbor_ways[NEIGHBOR_WAY_COUNT];

// Half as many units as the contest has boxes, 37 within 30 m of each: "neighbors", milliseconds
// for all units, of each way; "neighbors found", for each unit. All lists are compared; those of
// some units with the definition. Returns false with contest.message.
bool neighbors_measure(bench_contest *contest);

#endif
