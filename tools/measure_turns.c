// SPDX-License-Identifier: MIT
// measure_turns.c - the measuring loop of every mode of measuring programs.
#include "measure_turns.h"

#include "terminal.h"

#include <stdio.h>

enum { LEAST_SAMPLES = 3, MOST_REPEATS = 10000 };

// Processors take some ten microseconds until wide vectors are as fast as they get, and 0.7 ms and
// more until the clock that one contender's vectors of 16 lanes lowered is back for the next.
#define WARMING_SECONDS 2e-3
#define PASS_SECONDS 400e-6

void series_clear(measure_series *series)
{
    samples_clear(&series->passes);
    samples_clear(&series->singles);
    series->spent = 0.0;
}

void series_free(measure_series *series)
{
    samples_free(&series->passes);
    samples_free(&series->singles);
}

void samples_keep(sample_list *list, double value)
{
    if (list->count < list->capacity || samples_reserve(list, 2 * list->capacity + 64)) {
        samples_add(list, value);
    }
}

bool turns_take(const measure_turns *turns)
{
    bool is_good = true;
    for (uint32_t i = 0; i < turns->count; i++) {
        series_clear(&turns->series[i]);
    }
    for (uint32_t round = 0; round < turns->rounds && is_good; round++) {
        if (turns->begin) {
            turns->begin(turns->user);
        }
        for (uint32_t i = 0; i < turns->count && is_good; i++) {
            measure_series *const series = &turns->series[i];
            const size_t samples = series->passes.count + series->singles.count;
            const bool has_time = samples < LEAST_SAMPLES || series->spent < turns->seconds;
            if (has_time && (!turns->can || turns->can(turns->user, i))) {
                is_good = turns->take(turns->user, i, series);
            } else if (turns->miss) {
                turns->miss(turns->user, i);
            }
        }
    }
    return is_good;
}

// How often a pass is to be repeated to take so long.
static uint32_t repeats_for(double seconds, double pass)
{
    const double wanted = seconds / (pass + 1e-9);
    return wanted < 1.0 ? 1 : wanted > MOST_REPEATS ? MOST_REPEATS : (uint32_t)wanted;
}

bool series_time(measure_series *series, timed_passes *passes, void *user, uint32_t index,
                 double seconds, double scale)
{
    const double first = passes(user, index, 1);
    const bool is_repeated = first < 0.25 * seconds; // else warming up is a small part of it
    double pass = first;
    series->spent += first;
    if (is_repeated) {
        const uint32_t repeats = repeats_for(PASS_SECONDS, first);
        series->spent += passes(user, index, repeats_for(WARMING_SECONDS, first));
        const double whole = passes(user, index, repeats);
        pass = whole / (double)repeats;
        series->spent += whole;
    }
    samples_keep(&series->passes, scale * pass);
    return is_repeated;
}

// A program measures one thing at a time.
static progress line;

void measure_progress(uint32_t items, const char *what, const char *detail)
{
    line = line.begin > 0.0 ? line : progress_begin();
    if (what[0]) {
        progress_show(&line, "%u items: %s %s", (unsigned)items, what, detail);
    } else {
        progress_end(&line);
    }
}
