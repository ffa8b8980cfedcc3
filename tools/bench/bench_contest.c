// SPDX-License-Identifier: MIT
// bench_contest.c - one workload and all contenders on it, set up and kept up to date.
#include "bench_contest.h"

#include <stdio.h>
#include <stdlib.h>

#if !defined(ACRE_BENCH_PEERS)
uint32_t bench_peer_count(void)
{
    return 0;
}

const bench_contender *bench_peer(uint32_t index)
{
    (void)index;
    return NULL;
}
#endif

bool contest_fail(bench_contest *contest, const char *who, const char *what)
{
    snprintf(contest->message, sizeof contest->message, "%u boxes: %s: %s",
             (unsigned)contest->workload.count, who, what);
    return false;
}

void contest_progress(const bench_contest *contest, const char *what, const char *detail)
{
    measure_progress(contest->workload.count, what, detail);
}

bool contest_take_turns(bench_contest *contest, uint32_t rounds,
                        bool (*can)(const void *contest, uint32_t index),
                        bool (*take)(void *contest, uint32_t index, measure_series *series))
{
    return turns_take(&(measure_turns){.series = contest->series,
                                       .count = contest->entrant_count,
                                       .rounds = rounds,
                                       .seconds = contest->options->seconds,
                                       .can = can,
                                       .take = take,
                                       .user = contest});
}

void contest_add_passes(bench_contest *contest, row_name name)
{
    for (uint32_t i = 0; i < contest->entrant_count; i++) {
        rows_add_samples(contest->rows, contest->entrants[i].what->name, name,
                         &contest->series[i].passes);
    }
}

void contest_add_singles(bench_contest *contest, row_name name)
{
    for (uint32_t i = 0; i < contest->entrant_count; i++) {
        rows_add_samples(contest->rows, contest->entrants[i].what->name, name,
                         &contest->series[i].singles);
    }
}

// What a contest measures, as bits: who takes part depends on it.
enum {
    IN_ALL = 1u << 0,
    IN_SCENE = 1u << 1, // in traffic, where no tree is at rest that could be optimized
    IN_QUERIES = 1u << 2,
    IN_PAIRS = 1u << 3,
    IN_WORLDS = 1u << 4,
    IN_NEAR = 1u << 5,
    IN_MANY = IN_ALL | IN_SCENE
};

static uint32_t list_contenders(const bench_options *options, bool is_scene,
                                const bench_contender **out)
{
    const uint32_t mode = options->mode == BENCH_PAIRS     ? IN_PAIRS
                          : options->mode == BENCH_QUERIES ? IN_QUERIES
                          : options->mode == BENCH_WORLDS  ? IN_WORLDS
                          : options->mode == BENCH_NEAR    ? IN_NEAR
                          : is_scene                       ? IN_SCENE
                                                           : IN_ALL;
    const struct {
        const bench_contender *what;
        uint32_t modes;
    } all[] = {{&bench_acre, ~0u},
               {&bench_acre_contacts, IN_PAIRS},
               {bench_sweep(options->kernel), IN_PAIRS},
               {&bench_acre_many, IN_MANY},
               {&bench_acre_all, IN_MANY},
               {&bench_acre_spans, IN_MANY},
               {&bench_acre_optimized, IN_ALL},
               {bench_simd_loop(options->kernel), IN_MANY | IN_QUERIES | IN_WORLDS | IN_NEAR},
               {&bench_memcpy, IN_MANY},
               {&bench_scalar, IN_ALL | IN_SCENE | IN_QUERIES | IN_WORLDS},
               {&bench_textbook, IN_ALL | IN_SCENE | IN_PAIRS}};
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].what && (all[i].modes & mode)) {
            out[count++] = all[i].what;
        }
    }
    for (uint32_t i = 0; i < bench_peer_count() && options->has_peers; i++) {
        const bench_contender *const peer = bench_peer(i);
        const uint32_t modes =
            (peer->query ? IN_MANY : 0) | (peer->nearest ? IN_QUERIES | IN_NEAR : 0) |
            (peer->answer ? IN_QUERIES : 0) | (peer->answer && peer->query ? IN_PAIRS : 0);
        if (modes & mode) {
            out[count++] = peer;
        }
    }
    return count;
}

contender_world contest_world(const bench_contest *contest)
{
    return (contender_world){.count = contest->workload.count,
                             .half_size = contest->workload.half_size,
                             .kernel = contest->options->kernel,
                             .node_capacity = contest->options->node_capacity};
}

bool contest_create_state(bench_contest *contest, const bench_contender *what, void **out)
{
    const country *const workload = &contest->workload;
    const contender_world world = contest_world(contest);
    bool is_good = (*out = what->create(&world));
    if (is_good && what->insert) {
        is_good = what->insert(*out, contest->all, workload->count, workload->boxes);
    } else if (is_good) {
        is_good = what->build(*out, workload->boxes, workload->count);
    }
    is_good = is_good && (!what->settle || what->settle(*out));
    return is_good || contest_fail(contest, what->name, "cannot take all boxes");
}

bool contest_settle(bench_contest *contest)
{
    bool is_good = true;
    for (uint32_t i = 0; i < contest->entrant_count && is_good; i++) {
        const contest_entrant *const entrant = &contest->entrants[i];
        is_good = !entrant->what->settle || entrant->what->settle(entrant->state) ||
                  contest_fail(contest, entrant->what->name, "cannot settle");
    }
    return is_good;
}

static bool create_entrant(bench_contest *contest, const bench_contender *what)
{
    contest_entrant *const entrant = &contest->entrants[contest->entrant_count++];
    entrant->what = what;
    for (uint32_t i = 0; i < contest->entrant_count && what->host; i++) {
        entrant->state =
            contest->entrants[i].what == what->host ? contest->entrants[i].state : entrant->state;
    }
    return what->host ? entrant->state != NULL
                      : contest_create_state(contest, what, &entrant->state);
}

size_t contest_find(bench_contest *contest, const bench_contender *what, void *state,
                    const contender_query *query)
{
    return (what->find ? what->find : what->query)(state, query, contest->found);
}

bool contest_create(bench_contest *out, const bench_options *options, uint32_t count,
                    measure_rows *rows)
{
    country workload;
    if (!country_create(&workload, count, options->views)) {
        *out = (bench_contest){.options = options, .rows = rows};
        return contest_fail(out, "workload", "out of memory");
    }
    return contest_create_on(out, options, &workload, false, rows);
}

bool contest_create_on(bench_contest *out, const bench_options *options, const country *workload,
                       bool is_scene, measure_rows *rows)
{
    const uint32_t count = workload->count;
    *out = (bench_contest){.options = options, .workload = *workload, .rows = rows};
    rows->items = count;
    const size_t room = (size_t)count + CONTENDER_SLACK;
    out->found = calloc(room, sizeof *out->found);
    out->items = calloc(room, sizeof *out->items);
    out->spawned = calloc(room, sizeof *out->spawned);
    out->all = calloc(room, sizeof *out->all);
    out->marks = calloc(room, 1);
    if (!out->found || !out->items || !out->spawned || !out->all || !out->marks) {
        return contest_fail(out, "workload", "out of memory");
    }
    for (uint32_t item = 0; item < count; item++) {
        out->all[item] = item;
    }
    const bench_contender *contenders[CONTEST_MAX_ENTRANTS];
    const uint32_t contender_count = list_contenders(options, is_scene, contenders);
    bool is_good = true;
    for (uint32_t i = 0; i < contender_count && is_good; i++) {
        contest_progress(out, "build", contenders[i]->name);
        is_good = create_entrant(out, contenders[i]);
    }
    return is_good;
}

void contest_free(bench_contest *contest)
{
    for (uint32_t i = 0; i < contest->entrant_count; i++) {
        contest_entrant *const entrant = &contest->entrants[i];
        if (entrant->state && !entrant->what->host) {
            entrant->what->destroy(entrant->state);
        }
        series_free(&contest->series[i]);
    }
    country_free(&contest->workload);
    free(contest->visible);
    free(contest->found);
    free(contest->items);
    free(contest->spawned);
    free(contest->all);
    free(contest->marks);
}

uint32_t contest_views_of_kind(uint32_t views, int kind)
{
    return kind == VIEW_WHOLE ? (views + 7) / 8 : views;
}

uint32_t contest_view_count(const bench_contest *contest, int kind)
{
    return contest_views_of_kind(contest->workload.view_count, kind);
}

contender_query contest_query(const bench_contest *contest, int kind, uint32_t view)
{
    const visible_set *const set = &contest->sets[kind][view];
    const country_view *const seen = &contest->workload.views[kind][view];
    return (contender_query){.frustum = &seen->frustum,
                             .bounds = &seen->bounds,
                             .visible = contest->visible + set->first,
                             .visible_count = set->count,
                             .is_visible = acre_frustum_test_aabb};
}

// Every item moves as far as the workload says now.
static bool catch_up(bench_contest *contest, contest_entrant *entrant)
{
    const country *const workload = &contest->workload;
    bool (*const prepare)(void *, const uint32_t *, size_t, const acre_aabb *) =
        entrant->what->prepare;
    if (prepare && !prepare(entrant->state, contest->all, workload->count, workload->boxes)) {
        return contest_fail(contest, entrant->what->name, "cannot prepare a refresh");
    }
    entrant->is_stale = false;
    return !entrant->what->refresh ||
           entrant->what->refresh(entrant->state, contest->all, workload->count, workload->boxes,
                                  workload->count) ||
           contest_fail(contest, entrant->what->name, "cannot refresh");
}

bool contest_catch_up(bench_contest *contest)
{
    bool is_good = true;
    for (uint32_t i = 0; i < contest->entrant_count && is_good; i++) {
        contest_entrant *const entrant = &contest->entrants[i];
        contest_progress(contest, "catch up", entrant->what->name);
        is_good = !entrant->is_stale || catch_up(contest, entrant);
    }
    return is_good;
}

static bool move_frames(bench_contest *contest, int frames)
{
    for (int frame = 0; frame < frames; frame++) {
        country_advance(&contest->workload, 0, 1);
    }
    for (uint32_t i = 0; i < contest->entrant_count; i++) {
        contest->entrants[i].is_stale = true;
    }
    return contest_catch_up(contest);
}

// The last frame is one of its own: Box2D's leaves reach ahead by four times the last step.
bool contest_run_a_second(bench_contest *contest)
{
    return move_frames(contest, 59) && move_frames(contest, 1) && contest_settle(contest);
}
