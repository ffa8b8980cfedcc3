// SPDX-License-Identifier: MIT
// bench_growth.c - how costs grow with the share in view and with the share that moves.
#include "bench_measure.h"

const view_share growth_shares[VIEW_SHARE_COUNT] = {
    {"0 % seen", 0.0},  {"1 % seen", 0.01},  {"2 % seen", 0.02}, {"5 % seen", 0.05},
    {"10 % seen", 0.1}, {"15 % seen", 0.15}, {"20 % seen", 0.2}, {"30 % seen", 0.3},
    {"40 % seen", 0.4}, {"50 % seen", 0.5},  {"60 % seen", 0.6}, {"70 % seen", 0.7},
    {"80 % seen", 0.8}, {"90 % seen", 0.9},  {"100 % seen", 1.0}};

// What the views in the place of a kind see of all boxes, percent.
static double mean_share(const bench_contest *contest, int kind)
{
    const uint32_t views = contest_view_count(contest, kind);
    double visible = 0.0;
    for (uint32_t i = 0; i < views; i++) {
        visible += (double)contest_query(contest, kind, i).visible_count;
    }
    return 100.0 * visible / ((double)views * (double)contest->workload.count);
}

// As many shares at a time as there are kinds of views, whose place they take.
static bool measure_batch(bench_contest *contest, const view_share *batch)
{
    double shares[VIEW_KIND_COUNT_];
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        shares[kind] = batch[kind].share;
    }
    if (!country_look_at_shares(&contest->workload, shares)) {
        return contest_fail(contest, "views", "a volume is none");
    }
    const bool is_good = contest_check(contest);
    for (int kind = 0; kind < VIEW_KIND_COUNT_ && is_good; kind++) {
        measure_views(contest, kind, (row_name){"share query", batch[kind].name, "hot", "us"});
        rows_add_value(contest->rows, bench_acre.name,
                       (row_name){"share visible", batch[kind].name, "", "%"},
                       mean_share(contest, kind));
    }
    return is_good;
}

bool growth_measure(bench_contest *contest)
{
    bool is_good =
        measure_moving_shares(contest) && contest_check(contest) && measure_hot_queries(contest);
    for (int i = 0; i < VIEW_SHARE_COUNT && is_good; i += VIEW_KIND_COUNT_) {
        is_good = measure_batch(contest, &growth_shares[i]);
    }
    return is_good;
}
