// SPDX-License-Identifier: MIT
// bench_frames.c - one frame of a world, and frames in which items move, jump, leave and come,
// contenders in turns.
#include "bench_frames.h"

#include "bench_acre.h"
#include "bench_measure.h"

enum { BURST_FRAMES = 5, BURST_ITEMS = 10000 };

// Knuth's MMIX.
static uint32_t next_random(frame_plan *plan, uint32_t below)
{
    plan->random = plan->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((plan->random >> 33) % below);
}

// One item of each of `picks` equal parts of all, ascending, and none twice: each becomes another.
static void scatter(bench_contest *contest, frame_plan *plan, uint32_t picks, uint32_t *out)
{
    const uint32_t width = picks ? contest->workload.count / picks : 1;
    for (uint32_t i = 0; i < picks; i++) {
        out[i] = i * width + next_random(plan, width);
    }
    for (uint32_t i = 0; i < picks; i++) {
        country_respawn(&contest->workload, out[i], &plan->random);
    }
}

void frame_advance(bench_contest *contest, frame_plan *plan)
{
    scatter(contest, plan, plan->respawns, contest->spawned);
    plan->movers = 0;
    if (plan->stride) {
        const uint32_t first = plan->is_rotating ? plan->frame % plan->stride : 0;
        country_advance(&contest->workload, first, plan->stride);
        for (uint32_t item = first; item < contest->workload.count; item += plan->stride) {
            contest->items[plan->movers++] = item;
        }
    } else {
        scatter(contest, plan, plan->teleports, contest->items);
        plan->movers = plan->teleports;
    }
    plan->frame++;
}

bool frame_is_possible(const bench_contender *what, const frame_plan *plan)
{
    return what->refresh && (plan->respawns == 0 || (what->insert && what->remove));
}

const char *const measure_work_names[WORK_COUNT] = {"moves", "splits", "collapses", "tightened"};

// Adds sign times the counters of the tree.
static void count_work(const void *state, double sign, double *out)
{
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(bench_acre_tree(state), &stats);
    const double counters[WORK_COUNT] = {(double)stats.moves, (double)stats.splits,
                                         (double)stats.collapses, (double)stats.tightened};
    for (int k = 0; k < WORK_COUNT; k++) {
        out[k] += sign * counters[k];
    }
}

bool frame_run(bench_contest *contest, const bench_contender *what, void *state,
               const frame_plan *plan, frame_times *out, frame_work *work)
{
    const country *const workload = &contest->workload;
    const bool is_counted = what == &bench_acre && work;
    double counters[WORK_COUNT] = {0.0};
    bool is_good =
        !what->prepare || what->prepare(state, contest->items, plan->movers, workload->boxes);
    if (is_counted) {
        count_work(state, -1.0, counters);
    }
    const double begin = clock_seconds();
    if (plan->respawns) {
        is_good = is_good && what->remove(state, contest->spawned, plan->respawns);
    }
    const double middle = clock_seconds();
    if (plan->respawns) {
        is_good = is_good && what->insert(state, contest->spawned, plan->respawns, workload->boxes);
    }
    is_good = is_good &&
              what->refresh(state, contest->items, plan->movers, workload->boxes, workload->count);
    *out = (frame_times){middle - begin, clock_seconds() - middle};
    if (is_counted) {
        count_work(state, 1.0, counters);
    }
    for (int k = 0; k < WORK_COUNT && is_counted; k++) {
        samples_keep(&work->samples[k], counters[k]);
    }
    return is_good || contest_fail(contest, what->name, "a frame failed");
}

void frame_work_add(bench_contest *contest, frame_work *work, const char *detail)
{
    for (int k = 0; k < WORK_COUNT; k++) {
        rows_add_samples(contest->rows, bench_acre.name,
                         (row_name){measure_work_names[k], detail, "", "a frame"},
                         &work->samples[k]);
        samples_free(&work->samples[k]);
    }
}

typedef struct burst_timing {
    bench_contest *contest;
    row_name name;
    double scale; // of seconds; 0: 1e9 over the number of movers
    frame_plan plan, first;
    frame_work work;
} burst_timing;

static void begin_round(void *user)
{
    burst_timing *const self = user;
    country_save(&self->contest->workload);
    self->first = self->plan;
}

static void miss_round(void *user, uint32_t index)
{
    ((burst_timing *)user)->contest->entrants[index].is_stale = true;
}

static bool can_burst(const void *user, uint32_t index)
{
    const burst_timing *const self = user;
    const contest_entrant *const entrant = &self->contest->entrants[index];
    return !entrant->is_stale && frame_is_possible(entrant->what, &self->plan);
}

// The same frames for all in a round; the first brings memory into the caches and is not counted.
static bool take_burst(void *user, uint32_t index, measure_series *series)
{
    burst_timing *const self = user;
    const contest_entrant *const entrant = &self->contest->entrants[index];
    bool is_good = true;
    country_restore(&self->contest->workload);
    self->plan = self->first;
    contest_progress(self->contest, self->name.measure, entrant->what->name);
    for (int frame = 0; frame < BURST_FRAMES && is_good; frame++) {
        frame_times times;
        frame_advance(self->contest, &self->plan);
        is_good = frame_run(self->contest, entrant->what, entrant->state, &self->plan, &times,
                            frame > 0 ? &self->work : NULL);
        if (frame == 0) {
            continue;
        }
        const double scale = self->scale > 0.0 ? self->scale : 1e9 / (double)self->plan.movers;
        samples_keep(&series->passes, scale * times.in);
        if (self->plan.respawns) {
            samples_keep(&series->singles, scale * times.out);
        }
        series->spent += times.in + times.out;
    }
    return is_good;
}

static bool measure_frames(bench_contest *contest, row_name name, double scale, frame_plan plan)
{
    burst_timing self = {.contest = contest, .name = name, .scale = scale, .plan = plan};
    const bool is_good = turns_take(&(measure_turns){.series = contest->series,
                                                     .count = contest->entrant_count,
                                                     .rounds = contest->options->rounds,
                                                     .seconds = contest->options->seconds,
                                                     .begin = begin_round,
                                                     .miss = miss_round,
                                                     .can = can_burst,
                                                     .take = take_burst,
                                                     .user = &self});
    contest_add_passes(contest, name);
    contest_add_singles(contest, (row_name){"despawn", name.detail, "", name.unit});
    frame_work_add(contest, &self.work, name.detail);
    return is_good && contest_catch_up(contest);
}

bool measure_refresh(bench_contest *contest)
{
    static const struct {
        const char *name;
        uint32_t stride; // every so many items step
    } shares[] = {{"2 % moving", 50}, {"10 % moving", 10}, {"100 % moving", 1}};
    bool is_good = true;
    for (size_t i = 0; i < sizeof shares / sizeof shares[0] && is_good; i++) {
        is_good = measure_frames(contest, (row_name){"refresh", shares[i].name, "", "ns/mover"},
                                 0.0, (frame_plan){.stride = shares[i].stride});
    }
    return is_good;
}

uint32_t measure_burst_items(uint32_t count)
{
    const uint32_t half = (count + 1) / 2;
    return half < BURST_ITEMS ? half : BURST_ITEMS;
}

bool measure_bursts(bench_contest *contest)
{
    const uint32_t items = measure_burst_items(contest->workload.count);
    return measure_frames(contest, (row_name){"teleport", "teleporting", "", "us a frame"}, 1e6,
                          (frame_plan){.teleports = items, .random = 1}) &&
           measure_frames(contest, (row_name){"spawn", "spawning", "", "us a frame"}, 1e6,
                          (frame_plan){.respawns = items, .random = 2});
}
