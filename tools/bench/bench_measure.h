// SPDX-License-Identifier: MIT
// bench_measure.h - the figures of one race. Each adds rows and returns false with race.message.
#ifndef ACRE_TOOLS_BENCH_MEASURE_H
#define ACRE_TOOLS_BENCH_MEASURE_H

#include "bench_race.h"

#include <acre/quadtree.h>

// insert, build, remove: nanoseconds per item, of structures of their own; bytes per item.
bool measure_building(bench_race *race);

// "churn": options.churn removals, insertions and refreshes on structures of their own, which are
// checked with some views; microseconds a frame. Then "churn query" of each kind, state "aged",
// beside a "fresh" build of the same boxes, and of Acre "churn nodes" and "churn items" tested.
// The boxes are afterwards as before.
bool measure_churn(bench_race *race);

// refresh with 2, 10 and 100 % moving, "once a frame" work included: nanoseconds per mover; of
// Acre also moves, splits, collapses and tightened nodes a frame. The boxes are then elsewhere.
bool measure_refresh(bench_race *race);

// "teleport", "despawn" and "spawn" of measure_burst_items in one frame: microseconds a frame; of
// Acre the same counters as of measure_refresh. The boxes are then elsewhere.
bool measure_bursts(bench_race *race);

// Ten thousand, or half of the items of a world that has fewer than twice as many.
uint32_t measure_burst_items(uint32_t count);

// "frame": from none to all items step; microseconds a frame. The boxes are then elsewhere.
bool measure_moving_shares(bench_race *race);

// The shares of measure_moving_shares, ascending.
typedef struct moving_share {
    const char *name; // the row's detail
    double percent;
    uint32_t stride; // of frame_plan
} moving_share;
enum { MOVING_SHARE_COUNT = 10 };
extern const moving_share measure_shares[MOVING_SHARE_COUNT];

// query of each kind of view: microseconds per query. The sets are those of race_check. Hot, and of
// Acre also nodes and items tested; after streaming through the second and the third cache.
bool measure_hot_queries(bench_race *race);
bool measure_cold_queries(bench_race *race);

// The views that stand in the place of a kind, hot; `name` has the row's measure, detail and state.
bool measure_views(bench_race *race, int kind, const bench_row *name);

// Seconds for all views of a kind, `repeats` times over.
double measure_pass(bench_race *race, const bench_contender *what, void *state, int kind,
                    uint32_t repeats);

// What a query of a tree looked at, mean of all views of a kind.
typedef struct query_work {
    double nodes_tested, items_tested, items_accepted, items_visible;
} query_work;

// Returns false and a message where a query fails.
bool measure_query_work(bench_race *race, const acre_quadtree *tree, int kind, query_work *out);

#endif
