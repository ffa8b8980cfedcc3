// SPDX-License-Identifier: MIT
// measure_turns.h - the measuring loop of every mode of measuring programs.
//
// What is compared takes turns within each round, so that a machine that is slow for a while is
// slow for all. One that has used up its time drops out once it has three samples.
//
// Words used here:
//     series   the samples of one measure of one contender (or of one task)
//     pass     what is timed as a whole, repeated where it is short
//     single   one call, timed alone
#ifndef ACRE_TOOLS_MEASURE_TURNS_H
#define ACRE_TOOLS_MEASURE_TURNS_H

#include "measure_rows.h"

typedef struct measure_series {
    sample_list passes, singles;
    double spent; // seconds
} measure_series;

void series_clear(measure_series *series);
void series_free(measure_series *series);

// Grows the list; where memory is short the sample is lost.
void samples_keep(sample_list *list, double value);

typedef struct measure_turns {
    measure_series *series; // are cleared first
    uint32_t count;
    uint32_t rounds;
    double seconds; // of each, about
    // Whether that one takes part; NULL: all do.
    bool (*can)(const void *user, uint32_t index);
    void (*begin)(void *user);                // before each round; NULL: nothing
    void (*miss)(void *user, uint32_t index); // of who takes no turn in a round; NULL: nothing
    // A turn: adds samples, and what it took to spent. Returns false to give up.
    bool (*take)(void *user, uint32_t index, measure_series *series);
    void *user;
} measure_turns;

// Returns false if a turn did.
bool turns_take(const measure_turns *turns);

// Seconds of `repeats` passes.
typedef double timed_passes(void *user, uint32_t index, uint32_t repeats);

// A turn of a pass: a first one, then some to warm up, then as many as take long enough for the
// clock. Where a pass takes a quarter of `seconds`, the first one counts. Adds the seconds of one
// pass, times scale. Returns whether it was repeated.
bool series_time(measure_series *series, timed_passes *passes, void *user, uint32_t index,
                 double seconds, double scale);

// On a terminal, a line that the next call overwrites (terminal.h); an empty `what` ends it.
void measure_progress(uint32_t items, const char *what, const char *detail);

#endif
