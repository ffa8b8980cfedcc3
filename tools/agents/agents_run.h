// SPDX-License-Identifier: MIT
// agents_run.h - the frames of `acre agents`, and what was counted and timed.
#ifndef ACRE_TOOLS_AGENTS_RUN_H
#define ACRE_TOOLS_AGENTS_RUN_H

#include "agents_check.h"
#include "agents_options.h"
#include "run_statistics.h"

// What is sampled in each frame. Times are in microseconds; checks and pictures are outside.
typedef enum agents_measure {
    MEASURE_FRAME,
    MEASURE_MOVE,
    MEASURE_REFRESH,
    MEASURE_PAIRS_TIME,
    MEASURE_RESPONSE,
    MEASURE_MAINTAIN,
    MEASURE_PAIRS,
    MEASURE_BOUNCES,
    MEASURE_COUNT_
} agents_measure;

typedef struct agents_record {
    uint32_t frames; // done
    // Of the frames after the warm-up; of all where there are no others.
    sample_list samples[MEASURE_COUNT_];
    uint32_t checked_frames;
    uint64_t checked_pairs;
    agents_difference difference; // of the frame that ended the run
    uint32_t difference_frame;
    uint32_t pictures;                    // frames that were drawn
    double energy;                        // at the start
    double energy_least, energy_most;     // of it, seen every AGENTS_WARM_UP frames
    double energy_now;                    // of it
    size_t bytes_loaded, bytes_load_peak; // of the tree
    size_t bytes_warm;                    // after the warm-up
    char error[512];                      // empty: none
} agents_record;

// Runs options->frames frames; stops at the first error or difference and returns false.
// The record is to be freed in any case.
bool agents_run(agents_world *world, const agents_options *options, agents_record *record);
void agents_record_free(agents_record *record);

#endif
