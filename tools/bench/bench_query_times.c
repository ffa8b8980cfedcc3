// SPDX-License-Identifier: MIT
// bench_query_times.c - queries, contenders in turns, in three states of the caches.
//
// Hot: a contender's queries of a kind run alone, timed as a whole, then each on its own. Minimum
// and median are those of whole passes, which a clock's cost does not touch; p99.9 and maximum are
// those of single queries. Cold: before each query a stream of memory is written.
#include "bench_acre.h"
#include "bench_measure.h"

#include <stdlib.h>
#include <unistd.h>

enum { COLD_QUERIES = 64, L3_USUAL = 32 << 20 };

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

double measure_pass(bench_contest *contest, const bench_contender *what, void *state, int kind,
                    uint32_t repeats)
{
    const uint32_t views = contest_view_count(contest, kind);
    contender_query queries[COUNTRY_MAX_VIEWS];
    for (uint32_t i = 0; i < views; i++) {
        queries[i] = contest_query(contest, kind, i);
    }
    const double begin = clock_seconds();
    for (uint32_t repeat = 0; repeat < repeats; repeat++) {
        for (uint32_t i = 0; i < views; i++) {
            contest_find(contest, what, state, &queries[i]);
        }
    }
    return clock_seconds() - begin;
}

typedef struct query_timing {
    bench_contest *contest;
    int kind;
    double cost; // of the clock
} query_timing;

static double time_passes(void *user, uint32_t index, uint32_t repeats)
{
    const query_timing *const self = user;
    const contest_entrant *const entrant = &self->contest->entrants[index];
    return measure_pass(self->contest, entrant->what, entrant->state, self->kind, repeats);
}

// Microseconds.
static double time_single(const query_timing *self, uint32_t index, uint32_t view)
{
    const contest_entrant *const entrant = &self->contest->entrants[index];
    const contender_query query = contest_query(self->contest, self->kind, view);
    const double begin = clock_seconds();
    contest_find(self->contest, entrant->what, entrant->state, &query);
    const double seconds = clock_seconds() - begin - self->cost;
    return seconds > 0.0 ? 1e6 * seconds : 0.0;
}

static bool take_hot(void *user, uint32_t index, measure_series *series)
{
    const query_timing *const self = user;
    const uint32_t views = contest_view_count(self->contest, self->kind);
    const bool is_short = series_time(series, time_passes, user, index,
                                      self->contest->options->seconds, 1e6 / (double)views);
    for (uint32_t i = 0; i < views && is_short; i++) {
        samples_keep(&series->singles, time_single(self, index, i));
    }
    return true;
}

// They have the tree of another one, or one like it.
static bool answers_for_itself(const void *user, uint32_t index)
{
    const query_timing *const self = user;
    const bench_contender *const what = self->contest->entrants[index].what;
    return what != &bench_acre_many && what != &bench_acre_all;
}

static void add_times(bench_contest *contest, row_name name)
{
    for (uint32_t i = 0; i < contest->entrant_count; i++) {
        measure_series *const series = &contest->series[i];
        const sample_summary singles = samples_summarise(&series->singles);
        sample_summary value = singles;
        if (series->passes.count) {
            value = samples_summarise(&series->passes);
            value.p999 = singles.count ? singles.p999 : value.p999;
            value.most = singles.count ? singles.most : value.most;
        }
        if (value.count) {
            rows_add(contest->rows, contest->entrants[i].what->name, name, value);
        }
    }
}

void measure_views(bench_contest *contest, int kind, row_name name)
{
    query_timing self = {contest, kind, clock_cost()};
    contest_progress(contest, name.measure, name.detail);
    (void)turns_take(&(measure_turns){.series = contest->series,
                                      .count = contest->entrant_count,
                                      .rounds = contest->options->rounds,
                                      .seconds = contest->options->seconds,
                                      .can = answers_for_itself,
                                      .take = take_hot,
                                      .user = &self});
    add_times(contest, name);
}

typedef struct cold_timing {
    query_timing query; // first: the functions above read it
    uint8_t *stream;
    size_t size;
} cold_timing;

static bool is_measured_cold(const void *user, uint32_t index)
{
    const cold_timing *const self = user;
    return self->query.contest->entrants[index].what->is_measured_cold;
}

// Writes to every line of the stream: what lay in the cache is gone.
static bool take_cold(void *user, uint32_t index, measure_series *series)
{
    const cold_timing *const self = user;
    const uint32_t views = contest_view_count(self->query.contest, self->query.kind);
    const double begin = clock_seconds();
    for (size_t i = 0; i < self->size; i += 64) {
        self->stream[i]++;
    }
    const uint32_t view = (uint32_t)series->singles.count % views;
    samples_keep(&series->singles, time_single(&self->query, index, view));
    series->spent += clock_seconds() - begin;
    return true;
}

static bool measure_cold(bench_contest *contest, const char *state, size_t size)
{
    cold_timing self = {{contest, 0, clock_cost()}, calloc(size, 1), size};
    for (int kind = 0; kind < VIEW_KIND_COUNT_ && self.stream; kind++) {
        const char *const name = view_kind_name((view_kind)kind);
        contest_progress(contest, state, name);
        self.query.kind = kind;
        (void)turns_take(&(measure_turns){.series = contest->series,
                                          .count = contest->entrant_count,
                                          .rounds = COLD_QUERIES,
                                          .seconds = contest->options->seconds,
                                          .can = is_measured_cold,
                                          .take = take_cold,
                                          .user = &self});
        add_times(contest, (row_name){"query", name, state, "us"});
    }
    free(self.stream);
    return self.stream || contest_fail(contest, state, "out of memory");
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

bool measure_cold_queries(bench_contest *contest)
{
    return measure_cold(contest, "cold L2", (size_t)contest->options->stream << 20) &&
           measure_cold(contest, "cold L3", 2 * third_cache());
}

bool measure_query_work(bench_contest *contest, const acre_quadtree *tree, int kind,
                        query_work *out)
{
    const uint32_t views = contest_view_count(contest, kind);
    acre_query_stats sums = {0};
    size_t visible = 0;
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < views && result == ACRE_OK; i++) {
        acre_query_stats stats = {0};
        size_t total = 0;
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM,
                                  .frustum = &contest->workload.views[kind][i].frustum,
                                  .stats = &stats};
        result = acre_quadtree_query(tree, &query, contest->found, contest->workload.count, &total);
        sums.nodes_tested += stats.nodes_tested;
        sums.items_tested += stats.items_tested;
        sums.items_accepted += stats.items_accepted;
        visible += total;
    }
    const double share = 1.0 / (double)views;
    *out = (query_work){share * (double)sums.nodes_tested, share * (double)sums.items_tested,
                        share * (double)sums.items_accepted, share * (double)visible};
    return result == ACRE_OK || contest_fail(contest, bench_acre.name, "counting failed");
}

bool measure_hot_queries(bench_contest *contest)
{
    bool is_good = true;
    for (int kind = 0; kind < VIEW_KIND_COUNT_ && is_good; kind++) {
        static const char *const names[] = {"nodes tested", "items tested", "items accepted",
                                            "items visible"};
        const char *const detail = view_kind_name((view_kind)kind);
        query_work work;
        is_good =
            measure_query_work(contest, bench_acre_tree(contest->entrants[0].state), kind, &work);
        const double values[] = {work.nodes_tested, work.items_tested, work.items_accepted,
                                 work.items_visible};
        for (int k = 0; k < 4; k++) {
            rows_add_value(contest->rows, bench_acre.name,
                           (row_name){names[k], detail, "", "a query"}, values[k]);
        }
        measure_views(contest, kind, (row_name){"query", detail, "hot", "us"});
    }
    return is_good;
}
