// SPDX-License-Identifier: MIT
// bench_view_rules.h - `acre bench --view-rules yes`: what views, their rules and visible sets
// cost, beside the plain query and beside the same rules by hand.
#ifndef ACRE_TOOLS_BENCH_VIEW_RULES_H
#define ACRE_TOOLS_BENCH_VIEW_RULES_H

#include "bench_rows.h"
#include "bench_view_cases.h"

#include <stdio.h>

// Rows of one world. All times are microseconds; the detail of each row is a kind of track.
// The least is the mean of those that the same views took in any round.
//     "view"             a find, by case and kind of track; "view entities": what it found, on
//                        average
//     "frame"            what is done once a frame for several views, shadows and drawing; "frame
//                        entities": what it found
typedef struct view_bench {
    const bench_options *options;
    bench_rows *rows;
    view_world world;
    case_runner runner;
    uint64_t checked;  // answers that are equal to their keys
    char message[512]; // why it failed
} view_bench;

// A size of the workload, or with `scene` a file. Every answer is compared with what the
// definitions give for each entity. Returns false with out->message; *out is then to be freed all
// the same.
bool view_rules_measure(view_bench *out, const bench_options *options, uint32_t count,
                        const char *scene, bench_rows *rows);
void view_rules_free(view_bench *bench);

// The tables of one world.
void view_rules_report(const view_bench *bench, FILE *out);

// The parts; each adds rows and returns false with bench->message.
bool measure_view_cases(view_bench *bench);  // bench_view_rules.c
bool measure_view_frames(view_bench *bench); // bench_view_frame.c

// "frame": the contenders.
enum { FRAME_TASKS = 16 };
const char *frame_task_name(uint32_t task);

// For the parts.
bool view_bench_fail(view_bench *bench, const char *what, const char *why);
bool view_bench_add(view_bench *bench, const char *contender, const char *measure,
                    const char *detail, sample_summary value);
bool view_bench_count(view_bench *bench, const char *contender, const char *measure,
                      const char *detail, double number);
const bench_row *view_bench_find(const view_bench *bench, const char *contender,
                                 const char *measure, const char *detail);

// Keeps the smaller of the two; a least of 0 is none yet.
void view_bench_keep_least(double *least, double value);

// Tracks of a kind whose answers are compared: fewer where there are many entities.
uint32_t view_bench_checked_tracks(const view_bench *bench, const track_kind *kind);

// On a terminal, a line that the next call overwrites; an empty one ends it.
void view_bench_progress(const view_bench *bench, const char *what, const char *detail);

#endif
