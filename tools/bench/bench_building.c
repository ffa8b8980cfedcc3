// SPDX-License-Identifier: MIT
// bench_building.c - building a structure, emptying it, and what it takes.
#include "bench_measure.h"

enum { BUILD_ROUNDS = 5 };

// On a structure of its own, which is made before and destroyed after the time is taken.
static bool time_one(bench_contest *contest, uint32_t index, measure_series *series,
                     bool (*work)(bench_contest *, const bench_contender *, void *state),
                     bool is_full)
{
    const bench_contender *const what = contest->entrants[index].what;
    const country *const workload = &contest->workload;
    const contender_world world = contest_world(contest);
    void *const state = what->create(&world);
    bool is_good =
        state && (!is_full || what->insert(state, contest->all, workload->count, workload->boxes));
    const double begin = clock_seconds();
    is_good = is_good && work(contest, what, state);
    const double seconds = clock_seconds() - begin;
    samples_keep(&series->passes, 1e9 * seconds / (double)workload->count);
    series->spent += seconds;
    if (state) {
        what->destroy(state);
    }
    return is_good || contest_fail(contest, what->name, "building failed");
}

static bool insert_all(bench_contest *contest, const bench_contender *what, void *state)
{
    return what->insert(state, contest->all, contest->workload.count, contest->workload.boxes);
}

static bool build_all(bench_contest *contest, const bench_contender *what, void *state)
{
    return what->build(state, contest->workload.boxes, contest->workload.count);
}

static bool remove_all(bench_contest *contest, const bench_contender *what, void *state)
{
    return what->remove(state, contest->items, contest->workload.count);
}

// The scalar loop and memcpy insert nothing.
static bool can_edit(const void *contest, uint32_t index)
{
    const bench_contender *const what = ((const bench_contest *)contest)->entrants[index].what;
    return what->insert && what->remove;
}

static bool can_build(const void *contest, uint32_t index)
{
    return ((const bench_contest *)contest)->entrants[index].what->build != NULL;
}

static bool time_insert(void *contest, uint32_t index, measure_series *series)
{
    return time_one(contest, index, series, insert_all, false);
}

static bool time_build(void *contest, uint32_t index, measure_series *series)
{
    return time_one(contest, index, series, build_all, false);
}

static bool time_remove(void *contest, uint32_t index, measure_series *series)
{
    return time_one(contest, index, series, remove_all, true);
}

// An order of removal that has nothing to do with that of insertion (Fisher and Yates 1938).
static void shuffle_items(bench_contest *contest)
{
    uint64_t state = 1;
    for (uint32_t i = 0; i < contest->workload.count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX
        const uint32_t other = (uint32_t)((state >> 33) % (i + 1));
        contest->items[i] = contest->items[other];
        contest->items[other] = i;
    }
}

bool measure_building(bench_contest *contest)
{
    static const struct {
        const char *name;
        bool (*can)(const void *, uint32_t);
        bool (*take)(void *, uint32_t, measure_series *);
    } kinds[] = {{"insert", can_edit, time_insert},
                 {"build", can_build, time_build},
                 {"remove", can_edit, time_remove}};
    const uint32_t most = contest->options->rounds;
    bool is_good = true;
    for (uint32_t i = 0; i < contest->entrant_count; i++) {
        const contest_entrant *const entrant = &contest->entrants[i];
        if (entrant->what->bytes) {
            const double bytes = (double)entrant->what->bytes(entrant->state);
            rows_add_value(contest->rows, entrant->what->name,
                           (row_name){"memory", "", "", "B/item"},
                           bytes / (double)contest->workload.count);
        }
    }
    shuffle_items(contest);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0] && is_good; k++) {
        contest_progress(contest, kinds[k].name, "");
        is_good = contest_take_turns(contest, most < BUILD_ROUNDS ? most : BUILD_ROUNDS,
                                     kinds[k].can, kinds[k].take);
        contest_add_passes(contest, (row_name){kinds[k].name, "", "", "ns/item"});
    }
    return is_good;
}
