// SPDX-License-Identifier: MIT
// bench_measure.h - the figures of one contest. Each function adds rows and returns false with
// contest.message.
#ifndef ACRE_TOOLS_BENCH_MEASURE_H
#define ACRE_TOOLS_BENCH_MEASURE_H

#include "bench_contest.h"

#include <acre/quadtree.h>

// insert, build, remove: nanoseconds per item, of structures of their own; bytes per item.
bool measure_building(bench_contest *contest);

// "churn": options.churn removals, insertions and refreshes on structures of their own, which are
// checked with some views; microseconds a frame. Then "churn query" of each kind, state "aged",
// beside a "fresh" build of the same boxes, and of Acre "churn nodes" and "churn items" tested.
// The boxes are afterwards as before.
bool measure_churn(bench_contest *contest);

// refresh with 2, 10 and 100 % moving, "once a frame" work included: nanoseconds per mover; of
// Acre also moves, splits, collapses and tightened nodes a frame. The boxes are then elsewhere.
bool measure_refresh(bench_contest *contest);

// "teleport", "despawn" and "spawn" of measure_burst_items in one frame: microseconds a frame; of
// Acre the same counters as of measure_refresh. The boxes are then elsewhere.
bool measure_bursts(bench_contest *contest);

// Ten thousand, or half of the items of a world that has fewer than twice as many.
uint32_t measure_burst_items(uint32_t count);

// The measures of Acre's counters: moves, splits, collapses, tightened nodes.
enum { WORK_COUNT = 4 };
extern const char *const measure_work_names[WORK_COUNT];

// query of each kind of view: microseconds per query. The sets are those of contest_check. Hot, and
// of Acre also nodes and items tested; after streaming through the second and the third cache.
bool measure_hot_queries(bench_contest *contest);
bool measure_cold_queries(bench_contest *contest);

// The views that stand in the place of a kind, hot.
void measure_views(bench_contest *contest, int kind, row_name name);

// Seconds for all views of a kind, `repeats` times over.
double measure_pass(bench_contest *contest, const bench_contender *what, void *state, int kind,
                    uint32_t repeats);

// What a query of a tree looked at and found, mean of all views of a kind.
typedef struct query_work {
    double nodes_tested, items_tested, items_accepted, items_visible;
} query_work;

// Returns false and a message where a query fails.
bool measure_query_work(bench_contest *contest, const acre_quadtree *tree, int kind,
                        query_work *out);

#endif
