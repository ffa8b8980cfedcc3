// SPDX-License-Identifier: MIT
// bench_measure.c - building and refreshing, contenders in turns.
//
// Contenders take turns within each round, so that a machine that is slow for a while is slow for
// all. One that has used up its time drops out of a measure once it has three samples.
#include "bench_measure.h"

#include "bench_acre.h"

#include <string.h>

enum { LEAST_SAMPLES = 3, BUILD_ROUNDS = 5, BURST_FRAMES = 5 };

static bool has_time(const bench_race *race, const race_entrant *entrant)
{
    return entrant->passes.count < LEAST_SAMPLES || entrant->spent < race->options->seconds;
}

static void clear_samples(bench_race *race)
{
    for (uint32_t i = 0; i < race->entrant_count; i++) {
        samples_clear(&race->entrants[i].passes);
        samples_clear(&race->entrants[i].singles);
        race->entrants[i].spent = 0.0;
    }
}

// One row for each entrant that has samples.
static bool add_passes(bench_race *race, const char *measure, const char *detail, const char *unit)
{
    bool is_good = true;
    for (uint32_t i = 0; i < race->entrant_count && is_good; i++) {
        race_entrant *const entrant = &race->entrants[i];
        if (entrant->passes.count) {
            is_good = race_add(race, &(bench_row){.contender = entrant->what->name,
                                                  .measure = measure,
                                                  .detail = detail,
                                                  .state = "",
                                                  .unit = unit,
                                                  .value = samples_summarise(&entrant->passes)});
        }
    }
    return is_good;
}

typedef enum building {
    BUILDING_INSERT,
    BUILDING_BUILD,
    BUILDING_REMOVE,
    BUILDING_COUNT_
} building;

static bool can_do(const bench_contender *what, building kind)
{
    switch (kind) {
    case BUILDING_INSERT:
        return what->insert && what->remove; // loops and memcpy insert nothing
    case BUILDING_BUILD:
        return what->build;
    default:
        return what->insert && what->remove;
    }
}

// On a structure of its own, which is made before and destroyed after the time is taken.
static bool build_once(bench_race *race, race_entrant *entrant, building kind)
{
    const bench_contender *const what = entrant->what;
    const bench_workload *const workload = &race->workload;
    const contender_world world = race_world(race);
    void *const state = what->create(&world);
    bool is_good = state;
    if (is_good && kind == BUILDING_REMOVE) {
        is_good = what->insert(state, workload->boxes, workload->count);
    }
    const double begin = clock_seconds();
    if (is_good && kind == BUILDING_INSERT) {
        is_good = what->insert(state, workload->boxes, workload->count);
    } else if (is_good && kind == BUILDING_BUILD) {
        is_good = what->build(state, workload->boxes, workload->count);
    } else if (is_good) {
        is_good = what->remove(state, race->items, workload->count);
    }
    const double seconds = clock_seconds() - begin;
    samples_add(&entrant->passes, 1e9 * seconds / (double)workload->count);
    entrant->spent += seconds;
    if (state) {
        what->destroy(state);
    }
    return is_good || race_fail(race, what->name, "building failed");
}

// An order of removal that has nothing to do with that of insertion (Fisher and Yates 1938).
static void shuffle_items(bench_race *race)
{
    uint64_t state = 1;
    for (uint32_t i = 0; i < race->workload.count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX
        const uint32_t other = (uint32_t)((state >> 33) % (i + 1));
        race->items[i] = race->items[other];
        race->items[other] = i;
    }
}

static bool add_bytes(bench_race *race)
{
    bool is_good = true;
    for (uint32_t i = 0; i < race->entrant_count && is_good; i++) {
        const race_entrant *const entrant = &race->entrants[i];
        if (entrant->what->bytes) {
            const double bytes = (double)entrant->what->bytes(entrant->state);
            is_good = race_add(
                race, &(bench_row){.contender = entrant->what->name,
                                   .measure = "memory",
                                   .detail = "",
                                   .state = "",
                                   .unit = "B/item",
                                   .value = single_value(bytes / (double)race->workload.count)});
        }
    }
    return is_good;
}

bool measure_building(bench_race *race)
{
    static const char *const names[] = {"insert", "build", "remove"};
    bool is_good = add_bytes(race);
    shuffle_items(race);
    for (int kind = 0; kind < BUILDING_COUNT_ && is_good; kind++) {
        clear_samples(race);
        for (uint32_t round = 0; round < BUILD_ROUNDS && round < race->options->rounds; round++) {
            for (uint32_t i = 0; i < race->entrant_count && is_good; i++) {
                race_entrant *const entrant = &race->entrants[i];
                if (can_do(entrant->what, (building)kind) && has_time(race, entrant)) {
                    race_progress(race, names[kind], entrant->what->name);
                    is_good = build_once(race, entrant, (building)kind);
                }
            }
        }
        is_good = is_good && add_passes(race, names[kind], "", "ns/item");
    }
    return is_good;
}

// Acre's work in a frame, as differences of its counters.
enum { WORK_MOVES, WORK_SPLITS, WORK_COLLAPSES, WORK_TIGHTENED, WORK_COUNT_ };

static void read_work(const acre_quadtree *tree, double *out)
{
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    out[WORK_MOVES] = (double)stats.moves;
    out[WORK_SPLITS] = (double)stats.splits;
    out[WORK_COLLAPSES] = (double)stats.collapses;
    out[WORK_TIGHTENED] = (double)stats.tightened;
}

typedef struct share_plan {
    const char *name;
    uint32_t stride; // every so many items move
    size_t movers;
    sample_list work[WORK_COUNT_];
} share_plan;

static bool refresh_once(bench_race *race, race_entrant *entrant, share_plan *plan, bool is_counted)
{
    const bench_contender *const what = entrant->what;
    const bench_workload *const workload = &race->workload;
    double before[WORK_COUNT_] = {0}, after[WORK_COUNT_] = {0};
    const bool has_counters = what == &bench_acre && is_counted;
    bool is_good =
        !what->prepare || what->prepare(entrant->state, race->items, plan->movers, workload->boxes);
    if (has_counters) {
        read_work(bench_acre_tree(entrant->state), before);
    }
    const double begin = clock_seconds();
    is_good = is_good && what->refresh(entrant->state, race->items, plan->movers, workload->boxes,
                                       workload->count);
    const double seconds = clock_seconds() - begin;
    if (has_counters) {
        read_work(bench_acre_tree(entrant->state), after);
    }
    for (int k = 0; k < WORK_COUNT_ && has_counters; k++) {
        samples_add(&plan->work[k], after[k] - before[k]);
    }
    if (is_counted) {
        samples_add(&entrant->passes, 1e9 * seconds / (double)plan->movers);
        entrant->spent += seconds;
    }
    return is_good || race_fail(race, what->name, "refreshing failed");
}

// Some frames of one contender; the first brings its memory into the caches and is not counted.
static bool run_burst(bench_race *race, race_entrant *entrant, share_plan *plan)
{
    bool is_good = true;
    for (int frame = 0; frame < BURST_FRAMES && is_good; frame++) {
        workload_advance(&race->workload, 0, plan->stride);
        if (entrant) {
            is_good = refresh_once(race, entrant, plan, frame > 0);
        }
    }
    return is_good;
}

// The same movement for each contender in turn. One that is out of time misses it.
static bool run_bursts(bench_race *race, share_plan *plan)
{
    bool is_good = true, has_moved = false;
    workload_save(&race->workload);
    for (uint32_t i = 0; i < race->entrant_count && is_good; i++) {
        race_entrant *const entrant = &race->entrants[i];
        if (!entrant->what->refresh) {
            continue;
        }
        entrant->is_stale = entrant->is_stale || !has_time(race, entrant);
        if (!entrant->is_stale) {
            race_progress(race, plan->name, entrant->what->name);
            workload_restore(&race->workload);
            is_good = run_burst(race, entrant, plan);
            has_moved = true;
        }
    }
    return is_good && (has_moved || run_burst(race, NULL, plan));
}

static bool add_work(bench_race *race, share_plan *plan)
{
    static const char *const names[] = {"moves", "splits", "collapses", "tightened"};
    bool is_good = true;
    for (int k = 0; k < WORK_COUNT_ && is_good; k++) {
        is_good = race_add(race, &(bench_row){.contender = bench_acre.name,
                                              .measure = names[k],
                                              .detail = plan->name,
                                              .state = "",
                                              .unit = "a frame",
                                              .value = samples_summarise(&plan->work[k])});
    }
    return is_good;
}

static bool run_plan(bench_race *race, share_plan *plan)
{
    const uint32_t frames = (uint32_t)BURST_FRAMES * race->options->rounds;
    bool is_good = true;
    plan->movers = 0;
    for (uint32_t item = 0; item < race->workload.count; item += plan->stride) {
        race->items[plan->movers++] = item;
    }
    for (int k = 0; k < WORK_COUNT_ && is_good; k++) {
        is_good =
            samples_reserve(&plan->work[k], frames) || race_fail(race, "work", "out of memory");
    }
    clear_samples(race);
    for (uint32_t round = 0; round < race->options->rounds && is_good; round++) {
        is_good = run_bursts(race, plan);
    }
    return is_good && add_passes(race, "refresh", plan->name, "ns/mover") && add_work(race, plan);
}

bool measure_refresh(bench_race *race)
{
    static const struct {
        const char *name;
        uint32_t stride;
    } shares[] = {{"2 % moving", 50}, {"10 % moving", 10}, {"100 % moving", 1}};
    bool is_good = true;
    for (size_t i = 0; i < sizeof shares / sizeof shares[0] && is_good; i++) {
        share_plan plan = {.name = shares[i].name, .stride = shares[i].stride};
        is_good = run_plan(race, &plan);
        for (int k = 0; k < WORK_COUNT_; k++) {
            samples_free(&plan.work[k]);
        }
        is_good = is_good && race_catch_up(race);
    }
    return is_good && race_check(race);
}
