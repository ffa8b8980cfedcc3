// SPDX-License-Identifier: MIT
// bench_contest.h - one workload and all contenders on it: setting up, checking sets, taking turns.
#ifndef ACRE_TOOLS_BENCH_CONTEST_H
#define ACRE_TOOLS_BENCH_CONTEST_H

#include "bench_contender.h"
#include "bench_options.h"
#include "measure_rows.h"
#include "measure_turns.h"
#include "country.h"

enum { CONTEST_MAX_ENTRANTS = 24 };

// Sets that differ from the reference. A box that is missing is seen where even the exact test
// (acre_frustum_test_aabb_exact) does not prove that it is outside.
typedef struct set_faults {
    uint64_t sets, different;
    uint64_t missing, missing_seen, extra; // items
} set_faults;

typedef struct contest_entrant {
    const bench_contender *what;
    void *state;   // its host's, if it has one
    bool is_stale; // has missed movements
    set_faults faults;
} contest_entrant;

// Visible items of a view by acre_frustum_test_aabb, a part of contest.visible.
typedef struct visible_set {
    size_t first, count;
} visible_set;

typedef struct bench_contest {
    const bench_options *options;
    country workload;
    contest_entrant entrants[CONTEST_MAX_ENTRANTS];
    measure_series series[CONTEST_MAX_ENTRANTS]; // of the present measure
    uint32_t entrant_count;
    visible_set sets[VIEW_KIND_COUNT_][COUNTRY_MAX_VIEWS];
    uint32_t *visible; // all sets, one behind the other
    size_t visible_count, visible_capacity;
    uint32_t *found;   // of a query
    uint32_t *items;   // movers, or an order of removal
    uint32_t *spawned; // by bench_frames.h
    uint32_t *all;     // 0 .. count - 1
    uint8_t *marks;    // by item, 0 between checks
    char message[256]; // why something failed
    measure_rows *rows;
} bench_contest;

// The contenders that the options ask for, each with all boxes in it. Returns false and a message;
// *out is then to be freed all the same.
bool contest_create(bench_contest *out, const bench_options *options, uint32_t count,
                    measure_rows *rows);

// The same with a workload of the caller's, which the contest takes over and frees. is_scene: boxes
// are a scene's in traffic.
bool contest_create_on(bench_contest *out, const bench_options *options, const country *workload,
                       bool is_scene, measure_rows *rows);
void contest_free(bench_contest *contest);

// Views of this kind that take part: fewer of those that see everything.
uint32_t contest_views_of_kind(uint32_t views, int kind);
uint32_t contest_view_count(const bench_contest *contest, int kind);

contender_world contest_world(const bench_contest *contest);
contender_query contest_query(const bench_contest *contest, int kind, uint32_t view);

// Brings stale entrants up to date. Returns false and a message where one fails.
bool contest_catch_up(bench_contest *contest);

// Catches up, computes the reference sets of the boxes as they are now and
// compares every entrant's with them. Returns false and a message where an exact entrant differs.
bool contest_check(bench_contest *contest);

// Computes the reference sets alone.
bool contest_find_reference(bench_contest *contest);

// Compares contest->found, `found` items below the number of boxes, with the set of the query,
// which is one of contest_query. Returns how many items differ.
uint64_t contest_count_faults(bench_contest *contest, const contender_query *query, size_t found,
                              set_faults *faults);

// The same of a state that is no entrant's and of the first `views` of each kind. The reference
// sets are then those of the boxes as they are now, and of these views alone.
bool contest_check_state(bench_contest *contest, const bench_contender *what, void *state,
                         uint32_t views, set_faults *faults);

// A second of a running game in which nothing moves, for every entrant.
bool contest_settle(bench_contest *contest);

// A second in which all boxes move, then one in which nothing does: no structure is as its builder
// left it.
bool contest_run_a_second(bench_contest *contest);

// A new state of the contender with all boxes in it as they are now; *out is to be destroyed if it
// is not NULL. Returns false and a message.
bool contest_create_state(bench_contest *contest, const bench_contender *what, void **out);

// The query that is measured.
size_t contest_find(bench_contest *contest, const bench_contender *what, void *state,
                    const contender_query *query);

bool contest_fail(bench_contest *contest, const char *who, const char *what);

// All entrants that can take turns; `user` of `take` is the contest.
bool contest_take_turns(bench_contest *contest, uint32_t rounds,
                        bool (*can)(const void *contest, uint32_t index),
                        bool (*take)(void *contest, uint32_t index, measure_series *series));

// A row of each entrant that has passes, or singles.
void contest_add_passes(bench_contest *contest, row_name name);
void contest_add_singles(bench_contest *contest, row_name name);

void contest_progress(const bench_contest *contest, const char *what, const char *detail);

#endif
