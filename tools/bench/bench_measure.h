// SPDX-License-Identifier: MIT
// bench_measure.h - the figures of one race. Each adds rows and returns false with race.message.
#ifndef ACRE_TOOLS_BENCH_MEASURE_H
#define ACRE_TOOLS_BENCH_MEASURE_H

#include "bench_race.h"

// insert, build, remove: nanoseconds per item, of structures of their own; bytes per item.
bool measure_building(bench_race *race);

// refresh with 2, 10 and 100 % moving, "once a frame" work included: nanoseconds per mover; of
// Acre also moves, splits, collapses and tightened nodes a frame. The boxes are then elsewhere,
// and all sets are compared with the reference again.
bool measure_refresh(bench_race *race);

// query of each kind of view, hot and after streaming through the second and the third cache:
// microseconds per query; of Acre also nodes and items tested. The sets are those of race_check.
bool measure_queries(bench_race *race);

#endif
