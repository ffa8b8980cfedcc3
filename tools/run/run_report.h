// SPDX-License-Identifier: MIT
// run_report.h - what a run found, as a table for people and as JSON for programs.
#ifndef ACRE_TOOLS_RUN_REPORT_H
#define ACRE_TOOLS_RUN_REPORT_H

#include "gltf_check.h"
#include "run_bars.h"
#include "run_frames.h"

#include <stdio.h>

typedef struct run_report {
    const run_options *options;
    const run_world *world;
    const run_record *record;
    acre_quadtree_stats tree;
    run_bars bars;
    bool has_bars;     // they are left out where a run ended early
    gltf_check bounds; // where anything is checked
    // Microseconds per frame.
    sample_summary set, commit, refresh, query;
    sample_summary camera_query[RUN_CAMERA_COUNT];
    sample_summary visible[RUN_CAMERA_COUNT];
    sample_summary moved;
    sample_summary casters[CASTER_KINDS_][RUN_CASCADE_COUNT];
    sample_summary caster_time[RUN_CASCADE_COUNT];
} run_report;

// The share of what the light volumes hold, of all cascades together, that is no caster: 0 to 1.
double run_report_dropped(const run_report *report, caster_kind kind);

// Sums up a record (its samples are sorted); bars stay as they are.
void run_report_fill(run_report *report, const run_options *options, const run_world *world,
                     run_record *record);

void run_report_print(const run_report *report, FILE *out);

// The first difference that the check found, with its entity, plane and margin.
void run_report_difference(const run_report *report, FILE *out);

// Returns false and a message if the file cannot be written.
bool run_report_json(const run_report *report, const char *path, char *message,
                     size_t message_size);

#endif
