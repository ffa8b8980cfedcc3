// SPDX-License-Identifier: MIT
// bench_measure_query.c - queries, contenders in turns, in three states of the caches.
//
// Hot: a contender's queries of a kind run alone, first to warm up, then timed as a whole, then
// each on its own. Minimum and median are those of whole passes, which a clock's cost does not
// touch; p99.9 and maximum are those of single queries.
#include "bench_measure.h"

#include "bench_acre.h"
#include "bench_turns.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLD_QUERIES = 64, L3_USUAL = 32 << 20 };

// Processors take some ten microseconds until wide vectors are as fast as they get, and 0.7 ms and
// more until the clock that one contender's vectors of 16 lanes lowered is back for the next.
#define WARMING_SECONDS 2e-3
#define PASS_SECONDS 400e-6

// What two calls of the clock cost, seconds.
static double clock_cost(void)
{
    double least = 1.0;
    for (int i = 0; i < 1000; i++) {
        const double begin = clock_seconds();
        const double cost = clock_seconds() - begin;
        least = cost < least ? cost : least;
    }
    return least;
}

double measure_pass(bench_race *race, const bench_contender *what, void *state, int kind,
                    uint32_t repeats)
{
    const uint32_t views = race_view_count(race, kind);
    contender_query queries[WORKLOAD_MAX_VIEWS];
    for (uint32_t i = 0; i < views; i++) {
        queries[i] = race_query(race, kind, i);
    }
    const double begin = clock_seconds();
    for (uint32_t repeat = 0; repeat < repeats; repeat++) {
        for (uint32_t i = 0; i < views; i++) {
            race_find(race, what, state, &queries[i]);
        }
    }
    return clock_seconds() - begin;
}

static double time_pass(bench_race *race, const race_entrant *entrant, int kind, uint32_t repeats)
{
    return measure_pass(race, entrant->what, entrant->state, kind, repeats);
}

static double time_single(bench_race *race, const race_entrant *entrant, int kind, uint32_t view,
                          double cost)
{
    const contender_query query = race_query(race, kind, view);
    const double begin = clock_seconds();
    race_find(race, entrant->what, entrant->state, &query);
    const double seconds = clock_seconds() - begin - cost;
    return seconds > 0.0 ? seconds : 0.0;
}

// How often a pass is to be repeated to take so long.
static uint32_t repeats_for(double seconds, double pass)
{
    const double wanted = seconds / (pass + 1e-9);
    return wanted < 1.0 ? 1 : wanted > 10000.0 ? 10000 : (uint32_t)wanted;
}

static void run_hot(bench_race *race, race_entrant *entrant, int kind, double cost)
{
    const uint32_t views = race_view_count(race, kind);
    const double first = time_pass(race, entrant, kind, 1);
    double seconds = first;
    if (first < 0.25 * race->options->seconds) { // else warming up is a small part of it
        const uint32_t repeats = repeats_for(PASS_SECONDS, first);
        const uint32_t warming = repeats_for(WARMING_SECONDS, first);
        entrant->spent += time_pass(race, entrant, kind, warming);
        seconds = time_pass(race, entrant, kind, repeats) / (double)repeats;
        for (uint32_t i = 0; i < views; i++) {
            samples_add(&entrant->singles, 1e6 * time_single(race, entrant, kind, i, cost));
        }
        entrant->spent += seconds * ((double)repeats + 1.0);
    }
    samples_add(&entrant->passes, 1e6 * seconds / (double)views);
    entrant->spent += first;
}

// `name` has the measure, the detail and the state.
static bool add_times(bench_race *race, race_entrant *entrant, const bench_row *name)
{
    sample_summary value = samples_summarise(&entrant->singles);
    if (entrant->passes.count) {
        const sample_summary passes = samples_summarise(&entrant->passes);
        const bool has_singles = value.count > 0;
        value.least = passes.least;
        value.median = passes.median;
        value.mean = passes.mean;
        value.p999 = has_singles ? value.p999 : passes.p999;
        value.most = has_singles ? value.most : passes.most;
        value.count = passes.count;
    }
    bench_row row = *name;
    row.contender = entrant->what->name;
    row.unit = "us";
    row.value = value;
    return value.count == 0 || race_add(race, &row);
}

static bool is_same_as_acre(const bench_contender *what)
{
    return what == &bench_acre_many || what == &bench_acre_all || what == &bench_acre_records;
}

bool measure_views(bench_race *race, int kind, const bench_row *name)
{
    const double cost = clock_cost();
    bool is_good = true;
    turns_begin(race);
    for (uint32_t round = 0; round < race->options->rounds; round++) {
        for (uint32_t i = 0; i < race->entrant_count; i++) {
            race_entrant *const entrant = &race->entrants[i];
            if (!is_same_as_acre(entrant->what) && turns_has_time(race, entrant)) {
                run_hot(race, entrant, kind, cost);
            }
        }
    }
    for (uint32_t i = 0; i < race->entrant_count && is_good; i++) {
        is_good = add_times(race, &race->entrants[i], name);
    }
    return is_good;
}

// Writes to every line of the stream: what lay in the cache is gone.
static void stream_through(uint8_t *stream, size_t size)
{
    for (size_t i = 0; i < size; i += 64) {
        stream[i]++;
    }
}

static void run_cold(bench_race *race, int kind, uint8_t *stream, size_t size)
{
    const uint32_t views = race_view_count(race, kind);
    const double cost = clock_cost();
    double spent = 0.0;
    for (uint32_t q = 0; q < COLD_QUERIES && spent < race->options->seconds; q++) {
        const double begin = clock_seconds();
        for (uint32_t i = 0; i < race->entrant_count; i++) {
            race_entrant *const entrant = &race->entrants[i];
            if (entrant->what->is_measured_cold) {
                stream_through(stream, size);
                samples_add(&entrant->singles,
                            1e6 * time_single(race, entrant, kind, q % views, cost));
            }
        }
        spent += (clock_seconds() - begin) / 3.0; // about three contenders share the time
    }
}

// The third cache of this machine; a usual one where it does not say.
static size_t third_cache(void)
{
#if defined(_SC_LEVEL3_CACHE_SIZE)
    const long size = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return size > 0 ? (size_t)size : (size_t)L3_USUAL;
#else
    return L3_USUAL;
#endif
}

static bool measure_cold(bench_race *race, const char *state, size_t size)
{
    uint8_t *const stream = calloc(size, 1);
    bool is_good = stream || race_fail(race, state, "out of memory");
    for (int kind = 0; kind < VIEW_KIND_COUNT_ && is_good; kind++) {
        race_progress(race, state, view_kind_name((view_kind)kind));
        const bench_row name = {
            .measure = "query", .detail = view_kind_name((view_kind)kind), .state = state};
        turns_begin(race);
        run_cold(race, kind, stream, size);
        for (uint32_t i = 0; i < race->entrant_count && is_good; i++) {
            is_good = add_times(race, &race->entrants[i], &name);
        }
    }
    free(stream);
    return is_good;
}

bool measure_query_work(bench_race *race, const acre_quadtree *tree, int kind, query_work *out)
{
    const uint32_t views = race_view_count(race, kind);
    acre_query_stats sums = {0};
    size_t visible = 0;
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < views && result == ACRE_OK; i++) {
        acre_query_stats stats = {0};
        size_t total = 0;
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM,
                                  .frustum = &race->workload.views[kind][i].frustum,
                                  .stats = &stats};
        result = acre_quadtree_query(tree, &query, race->found, race->workload.count, &total);
        sums.nodes_tested += stats.nodes_tested;
        sums.items_tested += stats.items_tested;
        sums.items_accepted += stats.items_accepted;
        visible += total;
    }
    const double share = 1.0 / (double)views;
    *out = (query_work){share * (double)sums.nodes_tested, share * (double)sums.items_tested,
                        share * (double)sums.items_accepted, share * (double)visible};
    return result == ACRE_OK || race_fail(race, bench_acre.name, "counting failed");
}

static bool add_counters(bench_race *race, int kind)
{
    query_work work;
    bool is_good = measure_query_work(race, bench_acre_tree(race->entrants[0].state), kind, &work);
    const struct {
        const char *name;
        double value;
    } counters[] = {{"nodes tested", work.nodes_tested},
                    {"items tested", work.items_tested},
                    {"items accepted", work.items_accepted},
                    {"items visible", work.items_visible}};
    for (int k = 0; k < 4 && is_good; k++) {
        is_good = race_add(race, &(bench_row){.contender = bench_acre.name,
                                              .measure = counters[k].name,
                                              .detail = view_kind_name((view_kind)kind),
                                              .state = "",
                                              .unit = "a query",
                                              .value = single_value(counters[k].value)});
    }
    return is_good;
}

bool measure_hot_queries(bench_race *race)
{
    bool is_good = true;
    for (int kind = 0; kind < VIEW_KIND_COUNT_ && is_good; kind++) {
        const bench_row name = {
            .measure = "query", .detail = view_kind_name((view_kind)kind), .state = "hot"};
        race_progress(race, "query", name.detail);
        is_good = add_counters(race, kind) && measure_views(race, kind, &name);
    }
    return is_good;
}

bool measure_cold_queries(bench_race *race)
{
    return measure_cold(race, "cold L2", (size_t)race->options->stream << 20) &&
           measure_cold(race, "cold L3", 2 * third_cache());
}
