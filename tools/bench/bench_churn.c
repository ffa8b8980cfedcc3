// SPDX-License-Identifier: MIT
// bench_churn.c - what a long run leaves of a structure: queries afterwards beside a fresh build.
//
// In a frame of churn one item of a hundred leaves and comes back elsewhere, and one of ten moves.
// A contender's structure is its own and its frames are the same as the others'; one that is out of
// time stops earlier than Acre, and is compared with a fresh build of the boxes of then.
#include "bench_acre.h"
#include "bench_frames.h"
#include "bench_measure.h"

enum {
    RESPAWN_SHARE = 100, // one of so many
    MOVE_STRIDE = 10,
    CHECKED_VIEWS = 4,
    PASSES = 7,
    PEER_TIME = 4 // times options.seconds
};

typedef struct churn {
    bench_contest *contest;
    const bench_contender *what;
    set_faults *faults;
    void *aged, *fresh;
} churn;

// Has a tree with counters of its own.
static bool is_acre(const bench_contender *what)
{
    return what == &bench_acre || what == &bench_acre_many;
}

static bool run_frames(const churn *self)
{
    bench_contest *const contest = self->contest;
    const uint32_t count = contest->workload.count;
    const double limit = PEER_TIME * contest->options->seconds;
    frame_plan plan = {.stride = MOVE_STRIDE, .is_rotating = true, .random = 3};
    plan.respawns = (count + RESPAWN_SHARE - 1) / RESPAWN_SHARE;
    const uint64_t operations =
        2 * (uint64_t)plan.respawns + (count + MOVE_STRIDE - 1) / MOVE_STRIDE;
    const uint64_t frames = (contest->options->churn + operations - 1) / operations;
    sample_list times = {0};
    frame_work work = {0};
    double spent = 0.0;
    bool is_good = true;
    for (uint64_t frame = 0; frame < frames && is_good; frame++) {
        if (!is_acre(self->what) && spent > limit && frame > 0) {
            break;
        }
        frame_times taken;
        frame_advance(contest, &plan);
        is_good = frame_run(contest, self->what, self->aged, &plan, &taken, &work);
        samples_keep(&times, 1e6 * (taken.out + taken.in));
        spent += taken.out + taken.in;
    }
    rows_add_value(contest->rows, self->what->name, (row_name){"churn operations", "", "", ""},
                   (double)times.count * (double)operations);
    rows_add_samples(contest->rows, self->what->name, (row_name){"churn", "", "", "us a frame"},
                     &times);
    frame_work_add(contest, &work, "churn");
    samples_free(&times);
    return is_good;
}

// Of one pass at least; slow contenders have no time for more.
static double least_pass(const churn *self, void *structure, int kind)
{
    double least = 1e9, spent = 0.0;
    for (int pass = 0; pass < PASSES && spent < self->contest->options->seconds; pass++) {
        const double seconds = measure_pass(self->contest, self->what, structure, kind, 1);
        least = seconds < least ? seconds : least;
        spent += seconds;
    }
    return least;
}

// Times of queries, and of Acre what they look at, mean of the views of a kind.
static bool add_queries(const churn *self, void *structure, const char *state)
{
    measure_rows *const rows = self->contest->rows;
    const char *const name = self->what->name;
    bool is_good = true;
    for (int kind = 0; kind < VIEW_KIND_COUNT_ && is_good; kind++) {
        const char *const detail = view_kind_name((view_kind)kind);
        const double views = (double)contest_view_count(self->contest, kind);
        rows_add_value(rows, name, (row_name){"churn query", detail, state, "us"},
                       1e6 * least_pass(self, structure, kind) / views);
        if (is_acre(self->what)) {
            query_work work;
            is_good = measure_query_work(self->contest, bench_acre_tree(structure), kind, &work);
            rows_add_value(rows, name, (row_name){"churn nodes", detail, state, "a query"},
                           work.nodes_tested);
            rows_add_value(rows, name, (row_name){"churn items", detail, state, "a query"},
                           work.items_tested);
        }
    }
    return is_good;
}

static bool check(const churn *self)
{
    return contest_check_state(self->contest, self->what, self->aged, CHECKED_VIEWS, self->faults);
}

static bool churn_one(churn *self)
{
    bench_contest *const contest = self->contest;
    const bool is_good =
        contest_create_state(contest, self->what, &self->aged) && run_frames(self) && check(self) &&
        (!self->what->settle || self->what->settle(self->aged)) &&
        contest_create_state(contest, self->what, &self->fresh) &&
        add_queries(self, self->aged, "aged") && add_queries(self, self->fresh, "fresh");
    if (self->aged) {
        self->what->destroy(self->aged);
    }
    if (self->fresh) {
        self->what->destroy(self->fresh);
    }
    return is_good;
}

bool measure_churn(bench_contest *contest)
{
    const frame_plan plan = {.respawns = 1};
    bool is_good = true;
    country_save(&contest->workload);
    for (uint32_t i = 0; i < contest->entrant_count && is_good && contest->options->churn; i++) {
        contest_entrant *const entrant = &contest->entrants[i];
        churn self = {.contest = contest, .what = entrant->what, .faults = &entrant->faults};
        if (frame_is_possible(entrant->what, &plan)) {
            contest_progress(contest, "churn", entrant->what->name);
            country_restore(&contest->workload);
            is_good = churn_one(&self);
        }
    }
    country_restore(&contest->workload);
    return is_good;
}
