// SPDX-License-Identifier: MIT
// run_frames.h - the frames of `acre run`: move, commit, query, and what was counted and timed.
#ifndef ACRE_TOOLS_RUN_FRAMES_H
#define ACRE_TOOLS_RUN_FRAMES_H

#include "run_casters.h"
#include "run_check.h"
#include "run_sight.h"
#include "run_statistics.h"
#include "run_world.h"

// What every camera saw in one frame.
typedef struct run_visible {
    uint32_t *slots[RUN_CAMERA_COUNT];
    size_t counts[RUN_CAMERA_COUNT];
} run_visible;

typedef struct run_record {
    uint32_t frames; // done
    // Microseconds per frame. commit is the scene's part, refresh the culler's, query all cameras.
    sample_list set, commit, refresh, query;
    sample_list camera_query[RUN_CAMERA_COUNT];
    sample_list visible[RUN_CAMERA_COUNT];
    sample_list moved;
    run_casters casters;
    sight_counts sight;    // of checked frames
    uint64_t visible_hash; // of every visible set of every frame, in the order of the results
    uint32_t checked_sets, checked_frames;
    check_difference difference; // the first; CHECK_EQUAL where there is none
    uint32_t difference_frame, difference_camera;
    uint32_t picture_frame;
    char error[512]; // why the run ended early; empty otherwise
} run_record;

// Called once, between frames, with what the frame of the picture saw.
typedef bool run_picture_function(const run_world *world, const run_view *view,
                                  const run_visible *visible, uint32_t frame, char *message,
                                  size_t message_size, void *user);

// Runs options->frames frames. picture may be NULL. Returns false if something failed (out->error)
// or a visible set differs (out->difference); what was measured until then is kept.
bool run_frames(run_world *world, const run_options *options, run_picture_function *picture,
                void *user, run_record *out);
void run_record_free(run_record *record);

#endif
