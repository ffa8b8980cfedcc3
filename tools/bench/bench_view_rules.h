// SPDX-License-Identifier: MIT
// bench_view_rules.h - `acre bench --view-rules yes`: what views, their rules and visible sets
// cost, beside the plain query and beside the same rules by a plain loop.
#ifndef ACRE_TOOLS_BENCH_VIEW_RULES_H
#define ACRE_TOOLS_BENCH_VIEW_RULES_H

#include "bench_contender.h"
#include "bench_options.h"
#include "measure_rows.h"
#include "measure_turns.h"
#include "run_world.h"
#include "view_cases.h"

// Rows of one world. All times are microseconds; the detail of each row is a kind of track. The
// least is the mean of those that the same views took in any round.
//     "view"             a find, by case; "view entities": what it found, on average; "view ns",
//                        "view extra", "view extra ns": minima, for each entity that the plain
//                        query finds, and beyond that query
//     "frame"            what is done once a frame for several views, shadows and drawing; "frame
//                        entities": what it found
typedef struct view_bench {
    const bench_options *options;
    measure_rows *rows;
    const char *name; // of a scene file; empty: a country
    country_scene world;
    run_world city; // of a scene file
    case_runner runner;
    const bench_contender *loop; // over all boxes
    void *loop_state;
    uint64_t checked;  // answers that are equal to the definitions
    char message[512]; // why it failed
} view_bench;

// A size of the workload, or with `scene` a file. Every answer is compared with what the
// definitions give for each entity. Returns false with out->message; *out is then to be freed all
// the same.
bool view_rules_measure(view_bench *out, const bench_options *options, uint32_t count,
                        const char *scene, measure_rows *rows);
void view_rules_free(view_bench *bench);

// The tables of one world.
void view_rules_report(const view_bench *bench, FILE *out);

// ---- for the parts ----

// Tasks that take turns on the tracks of a kind.
typedef struct view_tasks {
    const char *measure; // of the rows: "view"
    const char *found;   // of the rows of what was found: "view entities"
    const char *(*name)(uint32_t task);
    uint32_t count;
    // Before the first frame of a track, and before each frame; not timed. NULL: nothing is done.
    bool (*begin)(void *user, uint32_t task, const track_kind *kind, uint32_t track);
    bool (*prepare)(void *user, uint32_t frame);
    // Timed, but for the first frame of a track. Returns how many it found; SIZE_MAX: it failed.
    size_t (*ask)(void *user, uint32_t task, uint32_t frame);
    void *user;
} view_tasks;

// Adds the rows. Returns false with bench->message.
bool view_measure(view_bench *bench, const track_kind *kind, const view_tasks *tasks);

// "frame" of all kinds that fly (bench_view_frame.c). Returns false with bench->message.
bool measure_view_frames(view_bench *bench);
enum { FRAME_TASKS = 16 };
const char *frame_task_name(uint32_t task);

bool view_bench_fail(view_bench *bench, const char *what, const char *why);

// Tracks of a kind whose answers are compared: fewer where there are many entities.
uint32_t view_bench_checked_tracks(const view_bench *bench, const track_kind *kind);

#endif
