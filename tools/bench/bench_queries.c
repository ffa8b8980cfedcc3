// SPDX-License-Identifier: MIT
// bench_queries.c - questions of each kind: answers compared with the definition, then timed,
// contenders in turns.
#include "bench_queries.h"

#include "bench_acre.h"
#include "bench_simd.h"
#include "bench_turns.h"

#include <stdlib.h>

#define PASS_SECONDS 200e-6 // of a timed pass, at least: short ones are repeated

enum {
    MOST_REPEATS = 10000,  // of a pass
    THOROUGH_COUNT = 20000 // boxes, up to which the definition is asked of each
};

typedef struct query_race {
    bench_race *race;
    question_set *set;
    question_key key;
    uint32_t *layers; // by item
    acre_query_hit *hits;
    bool can[RACE_MAX_ENTRANTS]; // answer the present kind
} query_race;

static bool set_layers(query_race *run)
{
    bench_race *const race = run->race;
    const uint32_t count = race->workload.count;
    bool is_good = true;
    for (uint32_t item = 0; item < count; item++) {
        run->layers[item] = question_layers_of(item);
    }
    for (uint32_t i = 0; i < race->entrant_count && is_good; i++) {
        const race_entrant *const entrant = &race->entrants[i];
        is_good = !entrant->what->set_layers ||
                  entrant->what->set_layers(entrant->state, run->layers, count) ||
                  race_fail(race, entrant->what->name, "cannot set layers");
    }
    return is_good;
}

static size_t ask(query_race *run, const race_entrant *entrant, uint32_t index)
{
    const contender_question *const question = &run->set->questions[index];
    return run->set->kind->is_nearest
               ? entrant->what->nearest(entrant->state, question, run->hits)
               : entrant->what->answer(entrant->state, question, run->race->found);
}

static bool add_faults(query_race *run, const race_entrant *entrant, const answer_faults *faults)
{
    const char *const measures[] = {"answer missing", "answer extra"};
    const double values[] = {(double)faults->missing, (double)faults->extra};
    bool is_good = true;
    for (int k = 0; k < 2 && is_good; k++) {
        is_good = race_add(run->race, &(bench_row){.contender = entrant->what->name,
                                                   .measure = measures[k],
                                                   .detail = run->set->kind->name,
                                                   .state = "",
                                                   .unit = "items",
                                                   .value = single_value(values[k])});
    }
    return is_good;
}

// All answers of an entrant that has the query.
static bool check_entrant(query_race *run, uint32_t number)
{
    bench_race *const race = run->race;
    race_entrant *const entrant = &race->entrants[number];
    const bool is_nearest = run->set->kind->is_nearest;
    bool can = is_nearest ? entrant->what->nearest != NULL : entrant->what->answer != NULL;
    answer_faults faults = {0, 0};
    for (uint32_t i = 0; i < run->set->count && can; i++) {
        const size_t found = ask(run, entrant, i);
        if (found == CONTENDER_CANNOT) {
            can = false;
        } else if (is_nearest) {
            question_compare_hits(&run->key, i, run->hits, found, entrant->what->is_exact, &faults);
        } else {
            question_compare_items(&run->key, run->set, i, race->found, found, race->marks,
                                   &faults);
        }
    }
    run->can[number] = can;
    const bool is_right = can && faults.missing + faults.extra == 0;
    if (entrant->what->is_exact && !is_right) {
        char who[128];
        snprintf(who, sizeof who, "%s: %s", entrant->what->name, run->set->kind->name);
        return race_fail(race, who, "an answer differs from the definition");
    }
    return !can || is_right || add_faults(run, entrant, &faults);
}

static double time_pass(query_race *run, const race_entrant *entrant, uint32_t repeats)
{
    const double begin = clock_seconds();
    for (uint32_t repeat = 0; repeat < repeats; repeat++) {
        for (uint32_t i = 0; i < run->set->count; i++) {
            (void)ask(run, entrant, i);
        }
    }
    return clock_seconds() - begin;
}

// The first pass warms up, unless it takes long: then there is little to be warmed.
static void take_turn(query_race *run, race_entrant *entrant)
{
    const double first = time_pass(run, entrant, 1);
    double seconds = first;
    entrant->spent += first;
    if (first < 0.25 * run->race->options->seconds) {
        const double wanted = PASS_SECONDS / (first + 1e-9);
        const uint32_t repeats = wanted < 1.0            ? 1
                                 : wanted > MOST_REPEATS ? MOST_REPEATS
                                                         : (uint32_t)wanted;
        const double whole = time_pass(run, entrant, repeats);
        seconds = whole / (double)repeats;
        entrant->spent += whole;
    }
    samples_add(&entrant->passes, 1e6 * seconds / (double)run->set->count);
}

static bool measure_answers(query_race *run)
{
    bench_race *const race = run->race;
    turns_begin(race);
    for (uint32_t round = 0; round < race->options->rounds; round++) {
        for (uint32_t i = 0; i < race->entrant_count; i++) {
            race_entrant *const entrant = &race->entrants[i];
            if (run->can[i] && turns_has_time(race, entrant)) {
                take_turn(run, entrant);
            }
        }
    }
    return turns_add_passes(race, &(turn_rows){"answer", run->set->kind->name, "us"});
}

// What a program waits for that asks in steps: one of them.
static bool measure_steps(query_race *run)
{
    bench_race *const race = run->race;
    race_entrant *const entrant = &race->entrants[0];
    const acre_quadtree *const tree = bench_acre_tree(entrant->state);
    const size_t room = (size_t)race->workload.count + CONTENDER_SLACK;
    samples_clear(&entrant->singles);
    for (uint32_t i = 0; i < run->set->count; i++) {
        const contender_question *const question = &run->set->questions[i];
        acre_query_cursor cursor = {0};
        while (!cursor.is_done) {
            size_t total;
            const double begin = clock_seconds();
            if (acre_quadtree_query_step(tree, question->query, &cursor, question->budget,
                                         race->found, room, &total) != ACRE_OK) {
                return race_fail(race, entrant->what->name, "a step failed");
            }
            samples_add(&entrant->singles, 1e6 * (clock_seconds() - begin));
        }
    }
    return race_add(race, &(bench_row){.contender = entrant->what->name,
                                       .measure = "answer step",
                                       .detail = run->set->kind->name,
                                       .state = "",
                                       .unit = "us",
                                       .value = samples_summarise(&entrant->singles)});
}

// Results a query; a question with a capacity has no more.
static bool add_result_count(query_race *run)
{
    const question_set *const set = run->set;
    double sum = 0.0;
    for (uint32_t i = 0; i < set->count; i++) {
        const size_t count = run->key.first[i + 1] - run->key.first[i];
        const size_t capacity = set->questions[i].capacity;
        sum += (double)(capacity && capacity < count ? capacity : count);
    }
    return race_add(run->race, &(bench_row){.contender = bench_acre.name,
                                            .measure = "answer items",
                                            .detail = set->kind->name,
                                            .state = "",
                                            .unit = "a query",
                                            .value = single_value(sum / (double)set->count)});
}

static bool run_kind(query_race *run, const question_kind *kind)
{
    bench_race *const race = run->race;
    const bench_workload *const workload = &race->workload;
    race_progress(race, "queries", kind->name);
    questions_make(run->set, kind, workload, run->layers, workload->view_count);
    if (!question_key_find(&run->key, run->set, workload->boxes, workload->count)) {
        return race_fail(race, kind->name, "out of memory");
    }
    bool is_good = add_result_count(run);
    for (uint32_t i = 0; i < race->entrant_count && is_good; i++) {
        is_good = check_entrant(run, i);
    }
    return is_good && measure_answers(run) && (kind->budget == 0 || measure_steps(run));
}

bool queries_measure(bench_race *race)
{
    const size_t count = race->workload.count;
    query_race run = {.race = race, .key = {.is_thorough = count <= THOROUGH_COUNT}};
    run.set = calloc(1, sizeof *run.set);
    run.layers = calloc(count + SIMD_STEP, sizeof *run.layers);
    run.hits = calloc(count + CONTENDER_SLACK, sizeof *run.hits);
    bool is_good = (run.set && run.layers && run.hits) || race_fail(race, "queries", "no memory");
    is_good = is_good && race_run_a_second(race) && set_layers(&run);
    for (uint32_t i = 0; i < question_kind_count() && is_good; i++) {
        is_good = run_kind(&run, question_kind_at(i));
    }
    question_key_free(&run.key);
    free(run.set);
    free(run.layers);
    free(run.hits);
    return is_good;
}
