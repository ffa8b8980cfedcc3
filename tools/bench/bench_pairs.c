// SPDX-License-Identifier: MIT
// bench_pairs.c - all pairs of a crowd: compared with Acre's, then timed, contenders in turns.
#include "bench_pairs.h"

#include "bench_scans.h"
#include "country_random.h"

#include <math.h>
#include <stdlib.h>

#define AREA_PER_AGENT 6.0f // m2
#define LEAST_SIZE 0.5f     // m
#define MOST_SIZE 1.5f      // m
#define HIGHEST_FLOOR 2.0f  // m
#define CROWD_SEED 0x63726f7764u

enum { THOROUGH_COUNT = 5000 }; // boxes, up to which each is tested with each

typedef struct pairs_contest {
    bench_contest *contest;
    acre_pair *pairs;
    size_t room;    // of pairs
    acre_pair *key; // Acre's, by a, then b
    size_t key_count;
} pairs_contest;

static void make_crowd(country *workload)
{
    uint64_t random = CROWD_SEED;
    workload->half_size = 0.5f * sqrtf(AREA_PER_AGENT * (float)workload->count);
    for (uint32_t item = 0; item < workload->count; item++) {
        acre_aabb *const box = &workload->boxes[item];
        for (int k = 0; k < 3; k++) {
            const float size = LEAST_SIZE + (MOST_SIZE - LEAST_SIZE) * draw_unit(&random);
            const float place = draw_unit(&random);
            box->min[k] = k == 1 ? HIGHEST_FLOOR * place
                                 : (2.0f * place - 1.0f) * workload->half_size - 0.5f * size;
            box->max[k] = box->min[k] + size;
        }
    }
}

bool pairs_create_contest(bench_contest *out, const bench_options *options, uint32_t count,
                          measure_rows *rows)
{
    country workload;
    if (!country_create(&workload, count, 1)) {
        *out = (bench_contest){.options = options, .rows = rows};
        return contest_fail(out, "workload", "out of memory");
    }
    make_crowd(&workload);
    return contest_create_on(out, options, &workload, false, rows);
}

// Adds the pairs of an item with larger numbers.
static size_t add_larger(pairs_contest *run, uint32_t item, size_t others, size_t found)
{
    for (size_t i = 0; i < others; i++) {
        const uint32_t other = run->contest->found[i];
        if (other > item) {
            if (found < run->room) {
                run->pairs[found] = (acre_pair){item, other};
            }
            found++;
        }
    }
    return found;
}

static bool is_overlapping(const asked_question *question, uint32_t item, const acre_aabb *box)
{
    (void)item;
    return acre_aabb_overlaps(&question->bounds, box);
}

static size_t ask_boxes(pairs_contest *run, const contest_entrant *entrant)
{
    const country *const workload = &run->contest->workload;
    acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB};
    asked_question question = {.query = &query, .is_box = true, .is_found = is_overlapping};
    size_t found = 0;
    for (uint32_t item = 0; item < workload->count; item++) {
        query.box = &workload->boxes[item];
        question.bounds = workload->boxes[item];
        const size_t others = entrant->what->answer(entrant->state, &question, run->contest->found);
        found = add_larger(run, item, others, found);
    }
    return found;
}

// A box as six planes. A float difference has the sign of the real one: exactly what overlaps the
// box is found.
static size_t ask_planes(pairs_contest *run, const contest_entrant *entrant)
{
    const country *const workload = &run->contest->workload;
    acre_frustum planes = {.plane_count = 6};
    size_t found = 0;
    for (uint32_t item = 0; item < workload->count; item++) {
        const acre_aabb *const box = &workload->boxes[item];
        for (int k = 0; k < 3; k++) {
            planes.planes[2 * k][k] = 1.0f;
            planes.planes[2 * k][3] = -box->min[k];
            planes.planes[2 * k + 1][k] = -1.0f;
            planes.planes[2 * k + 1][3] = box->max[k];
        }
        const contender_query query = {
            .frustum = &planes, .bounds = box, .is_visible = acre_frustum_test_aabb};
        const size_t others = entrant->what->query(entrant->state, &query, run->contest->found);
        found = add_larger(run, item, others, found);
    }
    return found;
}

static size_t find_pairs(pairs_contest *run, const contest_entrant *entrant)
{
    const bench_contender *const what = entrant->what;
    if (what->pairs) {
        return what->pairs(entrant->state, run->pairs, run->room);
    }
    return what->answer ? ask_boxes(run, entrant) : ask_planes(run, entrant);
}

static int compare_pairs(const void *first, const void *second)
{
    const acre_pair *const a = first, *const b = second;
    const int order = (a->a > b->a) - (a->a < b->a);
    return order ? order : (a->b > b->b) - (a->b < b->b);
}

// By a, then b, the smaller number first.
static void sort_found(acre_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pairs[i] = sweep_pair(pairs[i].a, pairs[i].b);
    }
    qsort(pairs, count, sizeof *pairs, compare_pairs);
}

static void add_row(pairs_contest *run, const contest_entrant *entrant, const char *measure,
                    size_t value)
{
    rows_add_value(run->contest->rows, entrant->what->name, (row_name){measure, "", "", "pairs"},
                   (double)value);
}

// Walks along both lists.
static bool check_entrant(pairs_contest *run, const contest_entrant *entrant)
{
    contest_progress(run->contest, "pairs", entrant->what->name);
    const size_t found = find_pairs(run, entrant);
    if (found == CONTENDER_CANNOT) {
        return contest_fail(run->contest, entrant->what->name, "cannot find the pairs");
    }
    const size_t kept = found < run->room ? found : run->room;
    size_t common = 0;
    sort_found(run->pairs, kept);
    for (size_t i = 0, k = 0; i < kept && k < run->key_count;) {
        const int order = compare_pairs(&run->pairs[i], &run->key[k]);
        common += order == 0;
        i += order <= 0;
        k += order >= 0;
    }
    const bool is_right = common == found && common == run->key_count;
    add_row(run, entrant, "pairs found", found);
    if (!is_right) {
        add_row(run, entrant, "pairs missing", run->key_count - common);
        add_row(run, entrant, "pairs extra", found - common);
    }
    return is_right || !entrant->what->is_exact ||
           contest_fail(run->contest, entrant->what->name, "the pairs differ from Acre's");
}

// Acre's pairs against the definition itself, where there are few boxes.
static bool check_key(const pairs_contest *run)
{
    const country *const workload = &run->contest->workload;
    const uint32_t count = workload->count <= THOROUGH_COUNT ? workload->count : 0;
    size_t next = 0;
    bool is_good = true;
    for (uint32_t a = 0; a < count && is_good; a++) {
        for (uint32_t b = a + 1; b < count && is_good; b++) {
            if (acre_aabb_overlaps(&workload->boxes[a], &workload->boxes[b])) {
                is_good = next < run->key_count && run->key[next].a == a && run->key[next].b == b;
                next++;
            }
        }
    }
    return (is_good && (next == run->key_count || count == 0)) ||
           contest_fail(run->contest, bench_acre.name, "the pairs differ from the definition");
}

// Room for a tenth more than Acre's: what is beyond is counted, not kept.
static bool find_key(pairs_contest *run)
{
    bench_contest *const contest = run->contest;
    void *const state = contest->entrants[0].state;
    const size_t count = bench_acre.pairs(state, NULL, 0);
    if (count == CONTENDER_CANNOT) {
        return contest_fail(contest, bench_acre.name, "cannot find the pairs");
    }
    run->key_count = count;
    run->room = count + count / 10 + CONTENDER_SLACK;
    run->key = calloc(run->room, sizeof *run->key);
    run->pairs = calloc(run->room, sizeof *run->pairs);
    if (!run->key || !run->pairs) {
        return contest_fail(contest, "pairs", "out of memory");
    }
    if (bench_acre.pairs(state, run->key, run->room) != count) {
        return contest_fail(contest, bench_acre.name, "the number of pairs depends on the room");
    }
    sort_found(run->key, count);
    return check_key(run);
}

static double time_passes(void *user, uint32_t index, uint32_t repeats)
{
    pairs_contest *const run = user;
    const double begin = clock_seconds();
    for (uint32_t repeat = 0; repeat < repeats; repeat++) {
        (void)find_pairs(run, &run->contest->entrants[index]);
    }
    return clock_seconds() - begin;
}

static bool take_turn(void *user, uint32_t index, measure_series *series)
{
    const bench_contest *const contest = ((pairs_contest *)user)->contest;
    contest_progress(contest, "time", contest->entrants[index].what->name);
    (void)series_time(series, time_passes, user, index, contest->options->seconds, 1e3);
    return true;
}

bool pairs_measure(bench_contest *contest)
{
    pairs_contest run = {.contest = contest};
    bool is_good = contest_run_a_second(contest) && find_key(&run);
    for (uint32_t i = 0; i < contest->entrant_count && is_good; i++) {
        is_good = check_entrant(&run, &contest->entrants[i]);
    }
    if (is_good) {
        (void)turns_take(&(measure_turns){.series = contest->series,
                                          .count = contest->entrant_count,
                                          .rounds = contest->options->rounds,
                                          .seconds = contest->options->seconds,
                                          .take = take_turn,
                                          .user = &run});
        contest_add_passes(contest, (row_name){"pairs", "", "", "ms"});
    }
    free(run.key);
    free(run.pairs);
    return is_good;
}
