// SPDX-License-Identifier: MIT
// bench_race.h - one workload and all contenders on it: setting up, checking sets, taking turns.
#ifndef ACRE_TOOLS_BENCH_RACE_H
#define ACRE_TOOLS_BENCH_RACE_H

#include "bench_contender.h"
#include "bench_options.h"
#include "bench_rows.h"
#include "bench_workload.h"

enum { RACE_MAX_ENTRANTS = 24 };

// Sets that differ from the reference. A box that is missing is seen where even the exact test
// (acre_frustum_test_aabb_exact) does not prove that it is outside.
typedef struct set_faults {
    uint64_t sets, different;
    uint64_t missing, missing_seen, extra; // items
} set_faults;

typedef struct race_entrant {
    const bench_contender *what;
    void *state;   // its host's, if it has one
    bool is_stale; // has missed movements
    set_faults faults;
    sample_list passes, singles;
    double spent; // seconds, of the present measure
} race_entrant;

// Visible items of a view by acre_frustum_test_aabb, a part of race.visible.
typedef struct visible_set {
    size_t first, count;
} visible_set;

typedef struct bench_race {
    const bench_options *options;
    bench_workload workload;
    race_entrant entrants[RACE_MAX_ENTRANTS];
    uint32_t entrant_count;
    visible_set sets[VIEW_KIND_COUNT_][WORKLOAD_MAX_VIEWS];
    uint32_t *visible; // all sets, one behind the other
    size_t visible_count, visible_capacity;
    uint32_t *found;   // of a query
    uint32_t *items;   // movers, or an order of removal
    uint32_t *spawned; // by bench_frames.h
    uint32_t *all;     // 0 .. count - 1
    uint8_t *marks;    // by item, 0 between checks
    char message[256]; // why something failed
    bench_rows *rows;
} bench_race;

// The contenders that the options ask for, each with all boxes in it. Returns false and a message;
// *out is then to be freed all the same.
bool race_create(bench_race *out, const bench_options *options, uint32_t count, bench_rows *rows);

// The same with a workload of the caller's, which the race takes over and frees. is_scene: boxes
// are a scene's in traffic.
bool race_create_on(bench_race *out, const bench_options *options, const bench_workload *workload,
                    bool is_scene, bench_rows *rows);
void race_free(bench_race *race);

// Views of this kind that take part: fewer of those that see everything.
uint32_t race_views_of_kind(uint32_t views, int kind);
uint32_t race_view_count(const bench_race *race, int kind);

contender_world race_world(const bench_race *race);
contender_query race_query(const bench_race *race, int kind, uint32_t view);

// Brings stale entrants up to date. Returns false and a message where one fails.
bool race_catch_up(bench_race *race);

// Catches up, computes the reference sets of the boxes as they are now and
// compares every entrant's with them. Returns false and a message where an exact entrant differs.
bool race_check(bench_race *race);

// Computes the reference sets alone.
bool race_find_reference(bench_race *race);

// Compares race->found, `found` items below the number of boxes, with the set of the query, which
// is one of race_query. Returns how many items differ.
uint64_t race_count_faults(bench_race *race, const contender_query *query, size_t found,
                           set_faults *faults);

// The same of a state that is no entrant's and of the first `views` of each kind. The reference
// sets are then those of the boxes as they are now, and of these views alone.
bool race_check_state(bench_race *race, const bench_contender *what, void *state, uint32_t views,
                      set_faults *faults);

// A second of a running game in which nothing moves, for every entrant.
bool race_settle(bench_race *race);

// A second in which all boxes move, then one in which nothing does: no structure is as its builder
// left it.
bool race_run_a_second(bench_race *race);

// A new state of the contender with all boxes in it as they are now; *out is to be destroyed if it
// is not NULL. Returns false and a message.
bool race_create_state(bench_race *race, const bench_contender *what, void **out);

// The query that is measured.
size_t race_find(bench_race *race, const bench_contender *what, void *state,
                 const contender_query *query);

bool race_fail(bench_race *race, const char *who, const char *what);

// Adds a row of this race's size. Returns false and a message when memory is short.
bool race_add(bench_race *race, const bench_row *row);

// On a terminal, a line that the next call overwrites; an empty one ends it.
void race_progress(const bench_race *race, const char *what, const char *detail);

#endif
