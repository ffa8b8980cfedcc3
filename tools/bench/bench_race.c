// SPDX-License-Identifier: MIT
// bench_race.c - one workload and all contenders on it.
#include "bench_race.h"

#include "bench_pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(ACRE_BENCH_PEERS)
#include "bench_peers.h"
#endif

bool race_fail(bench_race *race, const char *who, const char *what)
{
    snprintf(race->message, sizeof race->message, "%u boxes: %s: %s",
             (unsigned)race->workload.count, who, what);
    return false;
}

bool race_add(bench_race *race, const bench_row *row)
{
    bench_row added = *row;
    added.items = race->workload.count;
    return rows_add(race->rows, &added) || race_fail(race, "figures", "out of memory");
}

void race_progress(const bench_race *race, const char *what, const char *detail)
{
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r\033[K");
        if (what[0]) {
            fprintf(stderr, "%u boxes: %s %s", (unsigned)race->workload.count, what, detail);
        }
        fflush(stderr);
    }
}

// Peers that can be asked any question.
static uint32_t list_peers(const bench_options *options, const bench_contender **out,
                           uint32_t count)
{
#if defined(ACRE_BENCH_PEERS)
    for (uint32_t i = 0; options->has_peers && i < bench_peer_count(); i++) {
        if (bench_peer(i)->answer) {
            out[count++] = bench_peer(i);
        }
    }
#else
    (void)options, (void)out;
#endif
    return count;
}

static uint32_t list_answering(const bench_options *options, const bench_contender *loop,
                               const bench_contender **out, uint32_t count)
{
    if (loop) {
        out[count++] = loop;
    }
    out[count++] = &bench_scalar;
    return list_peers(options, out, count);
}

static uint32_t list_pairing(const bench_options *options, const bench_contender **out,
                             uint32_t count)
{
    out[count++] = &bench_acre_contacts;
    out[count++] = bench_sweep(options->kernel);
    out[count++] = &bench_textbook;
    return list_peers(options, out, count);
}

// is_scene: in traffic, where no tree is at rest that could be optimized before queries.
static uint32_t list_contenders(const bench_options *options, bool is_scene,
                                const bench_contender **out)
{
    uint32_t count = 0;
    const bench_contender *const loop = bench_simd_loop(options->kernel);
    out[count++] = &bench_acre;
    if (options->is_pairs) {
        return list_pairing(options, out, count);
    }
    if (options->is_queries) {
        return list_answering(options, loop, out, count);
    }
    out[count++] = &bench_acre_many;
    out[count++] = &bench_acre_all;
    if (options->is_alone) {
        return count;
    }
    out[count++] = &bench_acre_records;
    out[count++] = &bench_acre_spans;
    if (!options->is_growth && !is_scene) {
        out[count++] = &bench_acre_optimized;
        out[count++] = &bench_acre_optimized_spans;
    }
    if (loop) {
        out[count++] = loop;
    }
    out[count++] = &bench_memcpy;
    if (options->is_growth) {
        return count;
    }
    out[count++] = &bench_scalar;
    out[count++] = &bench_textbook;
#if defined(ACRE_BENCH_PEERS)
    for (uint32_t i = 0; options->has_peers && i < bench_peer_count(); i++) {
        out[count++] = bench_peer(i);
    }
#endif
    return count;
}

contender_world race_world(const bench_race *race)
{
    return (contender_world){.count = race->workload.count,
                             .half_size = race->workload.half_size,
                             .kernel = race->options->kernel};
}

bool race_create_state(bench_race *race, const bench_contender *what, void **out)
{
    const bench_workload *const workload = &race->workload;
    const contender_world world = race_world(race);
    bool is_good = (*out = what->create(&world));
    if (is_good && what->insert) {
        is_good = what->insert(*out, race->all, workload->count, workload->boxes);
    } else if (is_good) {
        is_good = what->build(*out, workload->boxes, workload->count);
    }
    is_good = is_good && (!what->settle || what->settle(*out));
    return is_good || race_fail(race, what->name, "cannot take all boxes");
}

bool race_settle(bench_race *race)
{
    bool is_good = true;
    for (uint32_t i = 0; i < race->entrant_count && is_good; i++) {
        const race_entrant *const entrant = &race->entrants[i];
        is_good = !entrant->what->settle || entrant->what->settle(entrant->state) ||
                  race_fail(race, entrant->what->name, "cannot settle");
    }
    return is_good;
}

static bool create_entrant(bench_race *race, const bench_contender *what)
{
    race_entrant *const entrant = &race->entrants[race->entrant_count++];
    entrant->what = what;
    for (uint32_t i = 0; i < race->entrant_count && what->host; i++) {
        entrant->state =
            race->entrants[i].what == what->host ? race->entrants[i].state : entrant->state;
    }
    const size_t singles = (size_t)race->options->rounds * WORKLOAD_MAX_VIEWS;
    const size_t passes = (size_t)race->options->rounds * 8;
    return (what->host ? entrant->state != NULL : race_create_state(race, what, &entrant->state)) &&
           ((samples_reserve(&entrant->passes, passes) &&
             samples_reserve(&entrant->singles, singles)) ||
            race_fail(race, what->name, "out of memory"));
}

size_t race_find(bench_race *race, const bench_contender *what, void *state,
                 const contender_query *query)
{
    return (what->find ? what->find : what->query)(state, query, race->found);
}

bool race_create(bench_race *out, const bench_options *options, uint32_t count, bench_rows *rows)
{
    bench_workload workload;
    if (!workload_create(&workload, count, options->views) ||
        (options->is_tiled && !workload_number_by_tiles(&workload))) {
        workload_free(&workload);
        *out = (bench_race){.options = options, .rows = rows};
        return race_fail(out, "workload", "out of memory");
    }
    return race_create_on(out, options, &workload, false, rows);
}

bool race_create_on(bench_race *out, const bench_options *options, const bench_workload *workload,
                    bool is_scene, bench_rows *rows)
{
    const uint32_t count = workload->count;
    *out = (bench_race){.options = options, .workload = *workload, .rows = rows};
    const size_t room = (size_t)count + CONTENDER_SLACK;
    out->found = calloc(room, sizeof *out->found);
    out->items = calloc(room, sizeof *out->items);
    out->spawned = calloc(room, sizeof *out->spawned);
    out->all = calloc(room, sizeof *out->all);
    out->marks = calloc(room, 1);
    if (!out->found || !out->items || !out->spawned || !out->all || !out->marks) {
        return race_fail(out, "workload", "out of memory");
    }
    for (uint32_t item = 0; item < count; item++) {
        out->all[item] = item;
    }
    const bench_contender *contenders[RACE_MAX_ENTRANTS];
    const uint32_t contender_count = list_contenders(options, is_scene, contenders);
    bool is_good = true;
    for (uint32_t i = 0; i < contender_count && is_good; i++) {
        race_progress(out, "build", contenders[i]->name);
        is_good = create_entrant(out, contenders[i]);
    }
    return is_good;
}

void race_free(bench_race *race)
{
    for (uint32_t i = 0; i < race->entrant_count; i++) {
        race_entrant *const entrant = &race->entrants[i];
        if (entrant->state && !entrant->what->host) {
            entrant->what->destroy(entrant->state);
        }
        samples_free(&entrant->passes);
        samples_free(&entrant->singles);
    }
    workload_free(&race->workload);
    free(race->visible);
    free(race->found);
    free(race->items);
    free(race->spawned);
    free(race->all);
    free(race->marks);
}

uint32_t race_views_of_kind(uint32_t views, int kind)
{
    return kind == VIEW_WHOLE ? (views + 7) / 8 : views;
}

uint32_t race_view_count(const bench_race *race, int kind)
{
    return race_views_of_kind(race->workload.view_count, kind);
}

contender_query race_query(const bench_race *race, int kind, uint32_t view)
{
    const visible_set *const set = &race->sets[kind][view];
    const bench_view *const seen = &race->workload.views[kind][view];
    return (contender_query){.frustum = &seen->frustum,
                             .bounds = &seen->bounds,
                             .visible = race->visible + set->first,
                             .visible_count = set->count,
                             .is_visible = acre_frustum_test_aabb};
}

// Every item moves as far as the workload says now.
static bool catch_up(bench_race *race, race_entrant *entrant)
{
    const bench_workload *const workload = &race->workload;
    bool (*const prepare)(void *, const uint32_t *, size_t, const acre_aabb *) =
        entrant->what->prepare;
    if (prepare && !prepare(entrant->state, race->all, workload->count, workload->boxes)) {
        return race_fail(race, entrant->what->name, "cannot prepare a refresh");
    }
    entrant->is_stale = false;
    return !entrant->what->refresh ||
           entrant->what->refresh(entrant->state, race->all, workload->count, workload->boxes,
                                  workload->count) ||
           race_fail(race, entrant->what->name, "cannot refresh");
}

bool race_catch_up(bench_race *race)
{
    bool is_good = true;
    for (uint32_t i = 0; i < race->entrant_count && is_good; i++) {
        race_entrant *const entrant = &race->entrants[i];
        race_progress(race, "catch up", entrant->what->name);
        is_good = !entrant->is_stale || catch_up(race, entrant);
    }
    return is_good;
}

static bool move_frames(bench_race *race, int frames)
{
    for (int frame = 0; frame < frames; frame++) {
        workload_advance(&race->workload, 0, 1);
    }
    for (uint32_t i = 0; i < race->entrant_count; i++) {
        race->entrants[i].is_stale = true;
    }
    return race_catch_up(race);
}

// The last frame is one of its own: Box2D's leaves reach ahead by four times the last step.
bool race_run_a_second(bench_race *race)
{
    return move_frames(race, 59) && move_frames(race, 1) && race_settle(race);
}
