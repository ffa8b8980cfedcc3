// SPDX-License-Identifier: MIT
// bench_measure.c - building a structure, emptying it, and what it takes.
#include "bench_measure.h"

#include "bench_turns.h"

enum { BUILD_ROUNDS = 5 };

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
        return what->insert && what->remove; // the scalar loop and memcpy insert nothing
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
        is_good = what->insert(state, race->all, workload->count, workload->boxes);
    }
    const double begin = clock_seconds();
    if (is_good && kind == BUILDING_INSERT) {
        is_good = what->insert(state, race->all, workload->count, workload->boxes);
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
        turns_begin(race);
        for (uint32_t round = 0; round < BUILD_ROUNDS && round < race->options->rounds; round++) {
            for (uint32_t i = 0; i < race->entrant_count && is_good; i++) {
                race_entrant *const entrant = &race->entrants[i];
                if (can_do(entrant->what, (building)kind) && turns_has_time(race, entrant)) {
                    race_progress(race, names[kind], entrant->what->name);
                    is_good = build_once(race, entrant, (building)kind);
                }
            }
        }
        is_good = is_good && turns_add_passes(race, &(turn_rows){names[kind], "", "ns/item"});
    }
    return is_good;
}
