// SPDX-License-Identifier: MIT
// bench_measure_frames.c - frames in which items move, jump, leave and come, contenders in turns.
#include "bench_measure.h"

#include "bench_acre.h"
#include "bench_frames.h"
#include "bench_turns.h"
#include "bench_work.h"

enum { BURST_FRAMES = 5, BURST_ITEMS = 10000 };

typedef struct frame_measure {
    const char *measure, *detail, *unit;
    bool is_per_mover;
    frame_plan plan;
    frame_work work;
} frame_measure;

static void add_samples(race_entrant *entrant, const frame_measure *self, const frame_times *times)
{
    const double scale = self->is_per_mover ? 1e9 / (double)self->plan.movers : 1e6;
    samples_add(&entrant->passes, scale * times->in);
    if (self->plan.respawns) {
        samples_add(&entrant->singles, scale * times->out);
    }
    entrant->spent += times->in + times->out;
}

static bool run_frame(bench_race *race, race_entrant *entrant, frame_measure *self, bool is_counted)
{
    const bench_contender *const what = entrant->what;
    const bool has_counters = what == &bench_acre && is_counted;
    frame_times times;
    if (has_counters) {
        work_begin(&self->work, bench_acre_tree(entrant->state));
    }
    const bool is_good = frame_run(race, what, entrant->state, &self->plan, &times);
    if (has_counters) {
        work_end(&self->work, bench_acre_tree(entrant->state));
    }
    if (is_counted) {
        add_samples(entrant, self, &times);
    }
    return is_good || race_fail(race, what->name, "a frame failed");
}

// Some frames of one contender; the first brings its memory into the caches and is not counted.
static bool run_burst(bench_race *race, race_entrant *entrant, frame_measure *self)
{
    bool is_good = true;
    for (int frame = 0; frame < BURST_FRAMES && is_good; frame++) {
        frame_advance(race, &self->plan);
        if (entrant) {
            is_good = run_frame(race, entrant, self, frame > 0);
        }
    }
    return is_good;
}

// The same frames for each contender in turn. One that is out of time misses them.
static bool run_bursts(bench_race *race, frame_measure *self)
{
    const frame_plan before = self->plan;
    bool is_good = true, has_moved = false;
    workload_save(&race->workload);
    for (uint32_t i = 0; i < race->entrant_count && is_good; i++) {
        race_entrant *const entrant = &race->entrants[i];
        if (!entrant->what->refresh) {
            continue;
        }
        entrant->is_stale = entrant->is_stale || !turns_has_time(race, entrant) ||
                            !frame_is_possible(entrant->what, &before);
        if (!entrant->is_stale) {
            race_progress(race, self->measure, entrant->what->name);
            workload_restore(&race->workload);
            self->plan = before;
            is_good = run_burst(race, entrant, self);
            has_moved = true;
        }
    }
    return is_good && (has_moved || run_burst(race, NULL, self));
}

static bool run_rounds(bench_race *race, frame_measure *self)
{
    bool is_good = true;
    turns_begin(race);
    for (uint32_t round = 0; round < race->options->rounds && is_good; round++) {
        is_good = run_bursts(race, self);
    }
    return is_good &&
           turns_add_passes(race, &(turn_rows){self->measure, self->detail, self->unit}) &&
           turns_add_singles(race, &(turn_rows){"despawn", self->detail, self->unit}) &&
           work_add_rows(race, &self->work, self->detail);
}

static bool run_measure(bench_race *race, frame_measure *self)
{
    const size_t frames = (size_t)BURST_FRAMES * race->options->rounds;
    bool is_good = work_reserve(&self->work, frames) || race_fail(race, "work", "out of memory");
    is_good = is_good && run_rounds(race, self) && race_catch_up(race);
    work_free(&self->work);
    return is_good;
}

const moving_share measure_shares[MOVING_SHARE_COUNT] = {
    {"0 % moving", 0.0, 0},    {"0.1 % moving", 0.1, 1000}, {"1 % moving", 1.0, 100},
    {"2 % moving", 2.0, 50},   {"5 % moving", 5.0, 20},     {"10 % moving", 10.0, 10},
    {"20 % moving", 20.0, 5},  {"33 % moving", 33.3, 3},    {"50 % moving", 50.0, 2},
    {"100 % moving", 100.0, 1}};

bool measure_moving_shares(bench_race *race)
{
    bool is_good = true;
    for (int i = 0; i < MOVING_SHARE_COUNT && is_good; i++) {
        frame_measure self = {.measure = "frame",
                              .detail = measure_shares[i].name,
                              .unit = "us a frame",
                              .plan = {.stride = measure_shares[i].stride}};
        is_good = run_measure(race, &self);
    }
    return is_good;
}

bool measure_refresh(bench_race *race)
{
    static const int wanted[] = {3, 5, 9}; // 2, 10, 100 %
    bool is_good = true;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && is_good; i++) {
        const moving_share *const share = &measure_shares[wanted[i]];
        frame_measure self = {.measure = "refresh",
                              .detail = share->name,
                              .unit = "ns/mover",
                              .is_per_mover = true,
                              .plan = {.stride = share->stride}};
        is_good = run_measure(race, &self);
    }
    return is_good;
}

uint32_t measure_burst_items(uint32_t count)
{
    const uint32_t half = (count + 1) / 2;
    return half < BURST_ITEMS ? half : BURST_ITEMS;
}

bool measure_bursts(bench_race *race)
{
    const uint32_t items = measure_burst_items(race->workload.count);
    frame_measure teleport = {.measure = "teleport",
                              .detail = "teleporting",
                              .unit = "us a frame",
                              .plan = {.teleports = items, .random = 1}};
    frame_measure spawn = {.measure = "spawn",
                           .detail = "spawning",
                           .unit = "us a frame",
                           .plan = {.respawns = items, .random = 2}};
    return run_measure(race, &teleport) && run_measure(race, &spawn);
}
