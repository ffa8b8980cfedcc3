// SPDX-License-Identifier: MIT
// bench_turns.c - the samples of one measure, which contenders take in turns.
#include "bench_turns.h"

enum { LEAST_SAMPLES = 3 };

void turns_begin(bench_race *race)
{
    for (uint32_t i = 0; i < race->entrant_count; i++) {
        samples_clear(&race->entrants[i].passes);
        samples_clear(&race->entrants[i].singles);
        race->entrants[i].spent = 0.0;
    }
}

bool turns_has_time(const bench_race *race, const race_entrant *entrant)
{
    return entrant->passes.count < LEAST_SAMPLES || entrant->spent < race->options->seconds;
}

static bool add_row(bench_race *race, const race_entrant *entrant, const turn_rows *rows,
                    sample_list *samples)
{
    return samples->count == 0 || race_add(race, &(bench_row){.contender = entrant->what->name,
                                                              .measure = rows->measure,
                                                              .detail = rows->detail,
                                                              .state = "",
                                                              .unit = rows->unit,
                                                              .value = samples_summarise(samples)});
}

bool turns_add_passes(bench_race *race, const turn_rows *rows)
{
    bool is_good = true;
    for (uint32_t i = 0; i < race->entrant_count && is_good; i++) {
        is_good = add_row(race, &race->entrants[i], rows, &race->entrants[i].passes);
    }
    return is_good;
}

bool turns_add_singles(bench_race *race, const turn_rows *rows)
{
    bool is_good = true;
    for (uint32_t i = 0; i < race->entrant_count && is_good; i++) {
        is_good = add_row(race, &race->entrants[i], rows, &race->entrants[i].singles);
    }
    return is_good;
}
