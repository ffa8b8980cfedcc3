// SPDX-License-Identifier: MIT
// bench_work.h - what Acre's tree did in each of many frames, from its counters: the same on every
// machine.
#ifndef ACRE_TOOLS_BENCH_WORK_H
#define ACRE_TOOLS_BENCH_WORK_H

#include "bench_race.h"

#include <acre/quadtree.h>

enum { WORK_COUNT = 4 }; // items that changed their cell, splits, collapses, tightened nodes

typedef struct frame_work {
    double before[WORK_COUNT];
    sample_list frames[WORK_COUNT];
} frame_work;

// The measures of the rows.
extern const char *const work_names[WORK_COUNT];

// Room for so many frames. Returns false when memory is short.
bool work_reserve(frame_work *work, size_t frames);
void work_free(frame_work *work);

// Around a frame.
void work_begin(frame_work *work, const acre_quadtree *tree);
void work_end(frame_work *work, const acre_quadtree *tree);

// A row of each measure. Returns false and a message when memory is short.
bool work_add_rows(bench_race *race, frame_work *work, const char *detail);

#endif
