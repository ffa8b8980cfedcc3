// SPDX-License-Identifier: MIT
// bench_churn.c - what a long run leaves of a structure: queries afterwards beside a fresh build.
//
// In a frame of churn one item of a hundred leaves and comes back elsewhere, and one of ten moves.
// A contender's structure is its own and its frames are the same as the others'; one that is out of
// time stops earlier than Acre, and is compared with a fresh build of the boxes of then.
#include "bench_measure.h"

#include "bench_acre.h"
#include "bench_frames.h"
#include "bench_work.h"

enum {
    RESPAWN_SHARE = 100, // one of so many
    MOVE_STRIDE = 10,
    CHECKED_VIEWS = 4,
    PASSES = 7,
    PEER_TIME = 4 // times options.seconds
};

typedef struct churn {
    frame_plan plan;
    size_t operations; // a frame
    uint32_t frames;   // wanted
    sample_list times; // microseconds a frame
    frame_work work;   // of Acre
} churn;

static churn plan_churn(const bench_race *race)
{
    const uint32_t count = race->workload.count;
    churn self = {.plan = {.stride = MOVE_STRIDE, .is_rotating = true, .random = 3}};
    self.plan.respawns = (count + RESPAWN_SHARE - 1) / RESPAWN_SHARE;
    self.operations = 2 * (size_t)self.plan.respawns + (count + MOVE_STRIDE - 1) / MOVE_STRIDE;
    self.frames = (uint32_t)((race->options->churn + self.operations - 1) / self.operations);
    return self;
}

// Has a tree with counters of its own.
static bool is_acre(const bench_contender *what)
{
    return what == &bench_acre || what == &bench_acre_many;
}

static bool run_frames(bench_race *race, const bench_contender *what, void *state, churn *self)
{
    const double limit = PEER_TIME * race->options->seconds;
    double spent = 0.0;
    bool is_good = true;
    for (uint32_t frame = 0; frame < self->frames && is_good; frame++) {
        if (!is_acre(what) && spent > limit && frame > 0) {
            break;
        }
        frame_times times;
        frame_advance(race, &self->plan);
        if (what == &bench_acre) {
            work_begin(&self->work, bench_acre_tree(state));
        }
        is_good = frame_run(race, what, state, &self->plan, &times);
        if (what == &bench_acre) {
            work_end(&self->work, bench_acre_tree(state));
        }
        samples_add(&self->times, 1e6 * (times.out + times.in));
        spent += times.out + times.in;
    }
    return is_good || race_fail(race, what->name, "a frame of churn failed");
}

static bool add_value(bench_race *race, const bench_row *like, const char *unit, double value)
{
    bench_row row = *like;
    row.unit = unit;
    row.value = single_value(value);
    return race_add(race, &row);
}

typedef struct aged_pair {
    const bench_contender *what;
    void *aged, *fresh;
    set_faults *faults;
} aged_pair;

// What Acre looks at, mean of the views of a kind.
static bool add_work(bench_race *race, const aged_pair *pair, const void *tree_state,
                     const char *state)
{
    bool is_good = true;
    for (int kind = 0; kind < VIEW_KIND_COUNT_ && is_good; kind++) {
        query_work work;
        const char *const detail = view_kind_name((view_kind)kind);
        is_good = measure_query_work(race, bench_acre_tree(tree_state), kind, &work) &&
                  add_value(race,
                            &(bench_row){.contender = pair->what->name,
                                         .measure = "churn nodes",
                                         .detail = detail,
                                         .state = state},
                            "a query", work.nodes_tested) &&
                  add_value(race,
                            &(bench_row){.contender = pair->what->name,
                                         .measure = "churn items",
                                         .detail = detail,
                                         .state = state},
                            "a query", work.items_tested);
    }
    return is_good;
}

// Of one pass at least; slow contenders have no time for more.
static double least_pass(bench_race *race, const aged_pair *pair, void *state, int kind)
{
    double least = 1e9, spent = 0.0;
    for (int pass = 0; pass < PASSES && spent < race->options->seconds; pass++) {
        const double seconds = measure_pass(race, pair->what, state, kind, 1);
        least = seconds < least ? seconds : least;
        spent += seconds;
    }
    return least;
}

static bool add_times(bench_race *race, const aged_pair *pair, void *state, const char *name)
{
    bool is_good = true;
    for (int kind = 0; kind < VIEW_KIND_COUNT_ && is_good; kind++) {
        const bench_row row = {.contender = pair->what->name,
                               .measure = "churn query",
                               .detail = view_kind_name((view_kind)kind),
                               .state = name};
        const double views = (double)race_view_count(race, kind);
        is_good = add_value(race, &row, "us", 1e6 * least_pass(race, pair, state, kind) / views);
    }
    return is_good;
}

// The aged tree itself, in a new order of memory.
static bool add_optimized(bench_race *race, const aged_pair *pair)
{
    const double begin = clock_seconds();
    const bool is_good =
        bench_acre_optimize(pair->aged) || race_fail(race, pair->what->name, "optimizing failed");
    const double seconds = clock_seconds() - begin;
    return is_good &&
           add_value(
               race,
               &(bench_row){
                   .contender = pair->what->name, .measure = "optimize", .detail = "", .state = ""},
               "ns/item", 1e9 * seconds / (double)race->workload.count) &&
           race_check_state(race, pair->what, pair->aged, CHECKED_VIEWS, pair->faults) &&
           add_work(race, pair, pair->aged, "optimized") &&
           add_times(race, pair, pair->aged, "optimized");
}

static bool compare_with_fresh(bench_race *race, const aged_pair *pair)
{
    bool is_good =
        add_times(race, pair, pair->aged, "aged") && add_times(race, pair, pair->fresh, "fresh");
    if (is_acre(pair->what)) {
        is_good = is_good && add_work(race, pair, pair->aged, "aged") &&
                  add_work(race, pair, pair->fresh, "fresh") && add_optimized(race, pair);
    }
    return is_good;
}

static bool add_frames(bench_race *race, const bench_contender *what, churn *self)
{
    const double operations = (double)self->times.count * (double)self->operations;
    bench_row row = {.contender = what->name, .measure = "churn operations"};
    row.detail = row.state = "";
    bool is_good = add_value(race, &row, "", operations);
    row.measure = "churn";
    row.unit = "us a frame";
    row.value = samples_summarise(&self->times);
    return is_good && race_add(race, &row) &&
           (what != &bench_acre || work_add_rows(race, &self->work, "churn"));
}

static bool churn_one(bench_race *race, race_entrant *entrant)
{
    aged_pair pair = {.what = entrant->what, .faults = &entrant->faults};
    churn self = plan_churn(race);
    bool is_good =
        (samples_reserve(&self.times, self.frames) && work_reserve(&self.work, self.frames)) ||
        race_fail(race, pair.what->name, "out of memory");
    race_progress(race, "churn", pair.what->name);
    is_good = is_good && race_create_state(race, pair.what, &pair.aged) &&
              run_frames(race, pair.what, pair.aged, &self) &&
              race_check_state(race, pair.what, pair.aged, CHECKED_VIEWS, pair.faults) &&
              (!pair.what->settle || pair.what->settle(pair.aged)) &&
              race_create_state(race, pair.what, &pair.fresh) && compare_with_fresh(race, &pair) &&
              add_frames(race, pair.what, &self);
    if (pair.aged) {
        pair.what->destroy(pair.aged);
    }
    if (pair.fresh) {
        pair.what->destroy(pair.fresh);
    }
    samples_free(&self.times);
    work_free(&self.work);
    return is_good;
}

bool measure_churn(bench_race *race)
{
    const frame_plan plan = {.respawns = 1};
    bool is_good = true;
    workload_save(&race->workload);
    for (uint32_t i = 0; i < race->entrant_count && is_good && race->options->churn; i++) {
        race_entrant *const entrant = &race->entrants[i];
        if (frame_is_possible(entrant->what, &plan)) {
            workload_restore(&race->workload);
            is_good = churn_one(race, entrant);
        }
    }
    workload_restore(&race->workload);
    return is_good;
}
