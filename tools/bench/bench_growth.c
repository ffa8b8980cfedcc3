// SPDX-License-Identifier: MIT
// bench_growth.c - how costs grow with the share in view and with the share that moves.
#include "bench_growth.h"

#include "bench_measure.h"

const view_share growth_shares[VIEW_SHARE_COUNT] = {
    {"0 % seen", 0.0},  {"1 % seen", 0.01},  {"2 % seen", 0.02}, {"5 % seen", 0.05},
    {"10 % seen", 0.1}, {"15 % seen", 0.15}, {"20 % seen", 0.2}, {"30 % seen", 0.3},
    {"40 % seen", 0.4}, {"50 % seen", 0.5},  {"60 % seen", 0.6}, {"70 % seen", 0.7},
    {"80 % seen", 0.8}, {"90 % seen", 0.9},  {"100 % seen", 1.0}};

// What the views in the place of a kind see of all boxes, percent.
static double mean_share(const bench_race *race, int kind)
{
    const uint32_t views = race_view_count(race, kind);
    double visible = 0.0;
    for (uint32_t i = 0; i < views; i++) {
        visible += (double)race_query(race, kind, i).visible_count;
    }
    return 100.0 * visible / ((double)views * (double)race->workload.count);
}

// As many shares at a time as there are kinds of views, whose place they take.
static bool measure_batch(bench_race *race, const view_share *batch)
{
    double shares[VIEW_KIND_COUNT_];
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        shares[kind] = batch[kind].share;
    }
    bool is_good = workload_look_at_shares(&race->workload, shares) ||
                   race_fail(race, "views", "a volume is none");
    is_good = is_good && race_check(race);
    for (int kind = 0; kind < VIEW_KIND_COUNT_ && is_good; kind++) {
        const bench_row name = {
            .measure = "share query", .detail = batch[kind].name, .state = "hot"};
        race_progress(race, name.measure, name.detail);
        is_good = measure_views(race, kind, &name) &&
                  race_add(race, &(bench_row){.contender = bench_acre.name,
                                              .measure = "share visible",
                                              .detail = batch[kind].name,
                                              .state = "",
                                              .unit = "%",
                                              .value = single_value(mean_share(race, kind))});
    }
    return is_good;
}

bool growth_measure(bench_race *race)
{
    bool is_good = measure_moving_shares(race) && race_check(race) && measure_hot_queries(race);
    for (int i = 0; i < VIEW_SHARE_COUNT && is_good; i += VIEW_KIND_COUNT_) {
        is_good = measure_batch(race, &growth_shares[i]);
    }
    return is_good;
}
