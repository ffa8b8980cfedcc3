// SPDX-License-Identifier: MIT
// bench_turns.h - the samples of one measure, which contenders take in turns.
//
// Contenders take turns within each round, so that a machine that is slow for a while is slow for
// all. One that has used up its time drops out of a measure once it has three samples.
#ifndef ACRE_TOOLS_BENCH_TURNS_H
#define ACRE_TOOLS_BENCH_TURNS_H

#include "bench_race.h"

// Before a measure: forgets the samples and the times of the last one.
void turns_begin(bench_race *race);

// Whether the entrant has a turn left.
bool turns_has_time(const bench_race *race, const race_entrant *entrant);

// What a list of samples of each entrant becomes.
typedef struct turn_rows {
    const char *measure, *detail, *unit;
} turn_rows;

// One row for each entrant that has passes, or singles. Returns false and a message when memory is
// short.
bool turns_add_passes(bench_race *race, const turn_rows *rows);
bool turns_add_singles(bench_race *race, const turn_rows *rows);

#endif
