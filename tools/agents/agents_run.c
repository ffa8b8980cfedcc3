// SPDX-License-Identifier: MIT
// agents_run.c - the frames of `acre agents`, and what was counted and timed.
#include "agents_run.h"

#include "terminal.h"

#include "agents_draw.h"

#include <stdio.h>

static bool fail(agents_record *record, const char *what, acre_result result)
{
    snprintf(record->error, sizeof record->error, "%s: %s", what, acre_result_text(result));
    return false;
}

static void add_samples(agents_record *record, const agents_world *world, const agents_times *times)
{
    const double parts[] = {times->move, times->refresh, times->pairs, times->response,
                            times->maintain};
    double frame = 0.0;
    for (int i = 0; i < 5; i++) {
        samples_add(&record->samples[MEASURE_MOVE + i], 1e6 * parts[i]);
        frame += 1e6 * parts[i];
    }
    samples_add(&record->samples[MEASURE_FRAME], frame);
    samples_add(&record->samples[MEASURE_PAIRS], (double)world->pair_count);
    samples_add(&record->samples[MEASURE_BOUNCES], (double)world->bounces);
}

static void see_energy(agents_record *record, const agents_world *world)
{
    const double share = record->energy > 0.0 ? agents_energy(world) / record->energy : 1.0;
    record->energy_now = share;
    record->energy_least = share < record->energy_least ? share : record->energy_least;
    record->energy_most = share > record->energy_most ? share : record->energy_most;
}

static bool check_frame(agents_record *record, const agents_world *world)
{
    if (!agents_check(world, &record->difference)) {
        return fail(record, "checking the pairs", ACRE_ERROR_OUT_OF_MEMORY);
    }
    record->checked_frames++;
    record->checked_pairs += record->difference.expected;
    record->difference_frame = record->frames;
    return record->difference.verdict == AGENTS_EQUAL;
}

// What follows a frame and is not timed.
static bool look_at_frame(agents_record *record, const agents_world *world,
                          const agents_options *options)
{
    const uint32_t frame = record->frames;
    const bool is_last = frame == options->frames;
    if (frame == AGENTS_WARM_UP) {
        record->bytes_warm = world->memory->bytes;
    }
    if (frame % AGENTS_WARM_UP == 0 || is_last) {
        see_energy(record, world);
    }
    if (options->check_every && (frame % options->check_every == 0 || is_last) &&
        !check_frame(record, world)) {
        return false;
    }
    const bool draws = options->svg_folder || options->png_folder;
    if (draws && (frame % options->picture_every == 0 || (is_last && record->pictures == 0))) {
        if (!agents_draw(world, options, frame, record->error, sizeof record->error)) {
            return false;
        }
        record->pictures++;
    }
    return true;
}

bool agents_run(agents_world *world, const agents_options *options, agents_record *record)
{
    *record = (agents_record){.energy = agents_energy(world),
                              .energy_least = 1.0,
                              .energy_most = 1.0,
                              .bytes_loaded = world->memory->bytes,
                              .bytes_load_peak = world->memory->most_bytes};
    for (int i = 0; i < MEASURE_COUNT_; i++) {
        if (!samples_reserve(&record->samples[i], options->frames)) {
            return fail(record, "samples", ACRE_ERROR_OUT_OF_MEMORY);
        }
    }
    progress line = progress_begin();
    bool is_good = true;
    while (record->frames < options->frames && is_good) {
        agents_times times;
        const acre_result result = agents_step(world, &times);
        if (result != ACRE_OK) {
            is_good = fail(record, "a frame", result);
            break;
        }
        record->frames++;
        if (record->frames > AGENTS_WARM_UP || options->frames <= AGENTS_WARM_UP) {
            add_samples(record, world, &times);
        }
        progress_show(&line, "frame %u of %u", (unsigned)record->frames, (unsigned)options->frames);
        is_good = look_at_frame(record, world, options);
    }
    progress_end(&line);
    return is_good;
}

void agents_record_free(agents_record *record)
{
    for (int i = 0; i < MEASURE_COUNT_; i++) {
        samples_free(&record->samples[i]);
    }
}
