// SPDX-License-Identifier: MIT
// bench_queries.c - questions of each kind: answers compared with the definition, then timed,
// contenders in turns.
#include "bench_queries.h"

#include "bench_acre.h"
#include "bench_neighbors.h"
#include "bench_scans.h"

#include <stdlib.h>

typedef struct query_run {
    bench_contest *contest;
    question_set *set;
    question_key key;
    brute_force oracle; // of the workload's boxes
    acre_query_hit *hits;
    bool can[CONTEST_MAX_ENTRANTS]; // answer the present kind
} query_run;

static bool set_layers(query_run *run)
{
    bench_contest *const contest = run->contest;
    const uint32_t count = contest->workload.count;
    bool is_good = true;
    for (uint32_t item = 0; item < count; item++) {
        run->oracle.layers[item] = question_layers_of(item);
        run->oracle.present[item] = true;
    }
    for (uint32_t i = 0; i < contest->entrant_count && is_good; i++) {
        const contest_entrant *const entrant = &contest->entrants[i];
        is_good = !entrant->what->set_layers ||
                  entrant->what->set_layers(entrant->state, run->oracle.layers, count) ||
                  contest_fail(contest, entrant->what->name, "cannot set layers");
    }
    return is_good;
}

static size_t ask(query_run *run, const contest_entrant *entrant, uint32_t index)
{
    const asked_question *const question = &run->set->questions[index];
    return run->set->kind->is_nearest
               ? entrant->what->nearest(entrant->state, question, run->hits)
               : entrant->what->answer(entrant->state, question, run->contest->found);
}

static void add_value(query_run *run, const char *contender, const char *measure, const char *unit,
                      double value)
{
    rows_add_value(run->contest->rows, contender,
                   (row_name){measure, run->set->kind->name, "", unit}, value);
}

// All answers of an entrant that has the query.
static bool check_entrant(query_run *run, uint32_t number)
{
    bench_contest *const contest = run->contest;
    const contest_entrant *const entrant = &contest->entrants[number];
    const bench_contender *const what = entrant->what;
    const bool is_nearest = run->set->kind->is_nearest;
    bool can = is_nearest ? what->nearest != NULL : what->answer != NULL;
    answer_faults faults = {0, 0};
    for (uint32_t i = 0; i < run->set->count && can; i++) {
        const size_t found = ask(run, entrant, i);
        if (found == CONTENDER_CANNOT) {
            can = false;
        } else if (is_nearest) {
            question_compare_hits(&run->key, i, run->hits, found, what->is_exact, &faults);
        } else {
            question_compare_items(&run->key, run->set, i, contest->found, found, contest->marks,
                                   &faults);
        }
    }
    run->can[number] = can;
    const bool is_right = can && faults.missing + faults.extra == 0;
    if (what->is_exact && !is_right) {
        char who[128];
        snprintf(who, sizeof who, "%s: %s", what->name, run->set->kind->name);
        return contest_fail(contest, who, "an answer differs from the definition");
    }
    if (can && !is_right) {
        add_value(run, what->name, "answer missing", "items", (double)faults.missing);
        add_value(run, what->name, "answer extra", "items", (double)faults.extra);
    }
    return true;
}

static double time_passes(void *user, uint32_t index, uint32_t repeats)
{
    query_run *const run = user;
    const double begin = clock_seconds();
    for (uint32_t repeat = 0; repeat < repeats; repeat++) {
        for (uint32_t i = 0; i < run->set->count; i++) {
            (void)ask(run, &run->contest->entrants[index], i);
        }
    }
    return clock_seconds() - begin;
}

static bool can_answer(const void *user, uint32_t index)
{
    return ((const query_run *)user)->can[index];
}

static bool take_turn(void *user, uint32_t index, measure_series *series)
{
    const query_run *const run = user;
    (void)series_time(series, time_passes, user, index, run->contest->options->seconds,
                      1e6 / (double)run->set->count);
    return true;
}

// Results a query; a question with a capacity has no more.
static void add_result_count(query_run *run)
{
    const question_set *const set = run->set;
    double sum = 0.0;
    for (uint32_t i = 0; i < set->count; i++) {
        const size_t count = run->key.first[i + 1] - run->key.first[i];
        const size_t capacity = set->questions[i].capacity;
        sum += (double)(capacity && capacity < count ? capacity : count);
    }
    add_value(run, bench_acre.name, "answer items", "a query", sum / (double)set->count);
}

static bool run_kind(query_run *run, const question_kind *kind, uint32_t questions)
{
    bench_contest *const contest = run->contest;
    contest_progress(contest, "queries", kind->name);
    questions_make(run->set, kind, &contest->workload, run->oracle.layers, questions);
    if (!question_key_find(&run->key, run->set, &run->oracle)) {
        return contest_fail(contest, kind->name, "out of memory");
    }
    bool is_good = true;
    add_result_count(run);
    for (uint32_t i = 0; i < contest->entrant_count && is_good; i++) {
        is_good = check_entrant(run, i);
    }
    if (!is_good) {
        return false;
    }
    (void)turns_take(&(measure_turns){.series = contest->series,
                                      .count = contest->entrant_count,
                                      .rounds = contest->options->rounds,
                                      .seconds = contest->options->seconds,
                                      .can = can_answer,
                                      .take = take_turn,
                                      .user = run});
    contest_add_passes(contest, (row_name){"answer", kind->name, "", "us"});
    return true;
}

bool queries_measure_kinds(bench_contest *contest, const char *const *kinds, uint32_t kind_count,
                           uint32_t questions)
{
    const uint32_t count = contest->workload.count;
    query_run run = {.contest = contest};
    run.set = calloc(1, sizeof *run.set);
    run.hits = calloc((size_t)count + CONTENDER_SLACK, sizeof *run.hits);
    run.oracle = (brute_force){.boxes = contest->workload.boxes,
                               .layers = calloc((size_t)count + SCAN_STEP, sizeof(uint32_t)),
                               .present = calloc((size_t)count + 1, sizeof(bool)),
                               .capacity = count,
                               .count = count};
    bool is_good = (run.set && run.hits && run.oracle.layers && run.oracle.present) ||
                   contest_fail(contest, "queries", "out of memory");
    is_good = is_good && contest_run_a_second(contest) && set_layers(&run);
    for (uint32_t i = 0; i < kind_count && is_good; i++) {
        is_good = run_kind(&run, question_kind_named(kinds[i]), questions);
    }
    question_key_free(&run.key);
    free(run.set);
    free(run.hits);
    free(run.oracle.layers);
    free(run.oracle.present);
    return is_good;
}

bool queries_measure(bench_contest *contest)
{
    const char *names[QUESTION_MAX_KINDS];
    for (uint32_t i = 0; i < question_kind_count(); i++) {
        names[i] = question_kind_at(i)->name;
    }
    return queries_measure_kinds(contest, names, question_kind_count(),
                                 contest->workload.view_count) &&
           neighbors_measure(contest);
}
