// SPDX-License-Identifier: MIT
// bench_view_motion.c - what a set saves while the camera stands or turns slowly and a part of the
// entities moves.
#include "bench_view_rules.h"

#include <stdlib.h>

#define DEGREE 0.0174532925f // radians

enum { MOTION_TRACKS = 4, MOTION_FRAMES = 40, CHECK_EVERY = 13, REUSES = 1000 };

const motion_speed motion_speeds[MOTION_SPEEDS] = {
    {"still", "query, still", "set, still", 0.0f},
    {"0.001 degrees", "query, 0.001 degrees", "set, 0.001 degrees", 0.001f},
    {"0.005 degrees", "query, 0.005 degrees", "set, 0.005 degrees", 0.005f},
    {"0.02 degrees", "query, 0.02 degrees", "set, 0.02 degrees", 0.02f},
    {"0.1 degrees", "query, 0.1 degrees", "set, 0.1 degrees", 0.1f},
    {"1 degree", "query, 1 degree", "set, 1 degree", 1.0f},
};
const char motion_reused[] = "set, nothing changed";

enum { PLAIN, WITH_SET, METHODS };

// All cameras fly at once, each turning at a speed of its own.
typedef struct motion_run {
    view_bench *bench;
    const track_kind *kind;
    acre_visible_set *sets[MOTION_SPEEDS];
    uint32_t *slots[MOTION_SPEEDS]; // of each speed's queries: as far from the caches as its set
    sample_list times[MOTION_SPEEDS][METHODS];           // microseconds
    double least[MOTION_SPEEDS][METHODS][MOTION_TRACKS]; // microseconds
    sample_list reused;
    double tested[MOTION_SPEEDS][METHODS], found[MOTION_SPEEDS];
    uint32_t frames;
    uint8_t *marks; // by slot, 0
} motion_run;

static bool fail(const motion_run *run, const char *why)
{
    return view_bench_fail(run->bench, "motion", why);
}

static bool same_slots(const motion_run *run, const uint32_t *a, const uint32_t *b, size_t count)
{
    size_t common = 0;
    for (size_t i = 0; i < count; i++) {
        run->marks[a[i]] = 1;
    }
    for (size_t i = 0; i < count; i++) {
        common += run->marks[b[i]];
        run->marks[b[i]] = 0;
    }
    return common == count;
}

// Boxes that the query tests, counted by one that is not timed.
static bool count_tested(motion_run *run, int speed, const acre_view *view)
{
    acre_query_stats stats = {0};
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &view->frustum, .stats = &stats};
    const acre_result result =
        acre_culling_query_shape(run->bench->world.culling, &query, NULL, 0, NULL);
    run->tested[speed][PLAIN] += (double)stats.items_tested;
    return result == ACRE_OK || fail(run, "counting failed");
}

static void add_time(motion_run *run, int speed, int method, uint32_t track, double seconds)
{
    samples_add(&run->times[speed][method], 1e6 * seconds);
    view_bench_keep_least(&run->least[speed][method][track], 1e6 * seconds);
}

typedef struct motion_times {
    double begin, middle, end; // seconds
    bool is_set_first;
} motion_times;

static void add_times(motion_run *run, int speed, uint32_t track, const motion_times *times)
{
    const int first = times->is_set_first ? WITH_SET : PLAIN;
    add_time(run, speed, first, track, times->middle - times->begin);
    add_time(run, speed, first == PLAIN ? WITH_SET : PLAIN, track, times->end - times->middle);
}

// Who comes second finds in the caches what the first brought: they take turns.
static acre_result ask_both(motion_run *run, int speed, uint32_t track, const acre_view *view,
                            size_t *count)
{
    const acre_culling *const culling = run->bench->world.culling;
    uint32_t *const slots = run->slots[speed];
    const size_t room = (size_t)run->bench->world.slot_count + CONTENDER_SLACK;
    motion_times times = {.is_set_first = run->frames % 2 == 1};
    acre_result result = ACRE_OK;
    times.begin = clock_seconds();
    if (times.is_set_first) {
        result = acre_culling_find_visible(culling, view, run->sets[speed]);
    } else {
        *count = acre_culling_query_view(culling, view, slots, room);
    }
    times.middle = clock_seconds();
    if (times.is_set_first) {
        *count = acre_culling_query_view(culling, view, slots, room);
    } else {
        result = acre_culling_find_visible(culling, view, run->sets[speed]);
    }
    times.end = clock_seconds();
    add_times(run, speed, track, &times);
    return result;
}

static bool look(motion_run *run, int speed, uint32_t track, const acre_view *view)
{
    const case_runner *const runner = &run->bench->runner;
    size_t count = 0;
    const acre_result result = ask_both(run, speed, track, view, &count);
    const acre_visible visible = acre_visible_set_get(run->sets[speed]);
    run->tested[speed][WITH_SET] += (double)visible.tested;
    run->found[speed] += (double)count;
    const bool is_checked = run->frames % CHECK_EVERY == 0;
    if (result != ACRE_OK || visible.count != count ||
        !same_slots(run, visible.slots, run->slots[speed], count) ||
        (is_checked && !slots_are_visible(runner, view, visible.slots, count))) {
        return fail(run, "the set is not that of the definition");
    }
    run->bench->checked++;
    return count_tested(run, speed, view);
}

static bool make_view(const motion_run *run, uint32_t track, float turn, acre_view *out)
{
    acre_camera camera;
    const bool is_good = camera_from_start(&run->kind->starts[track], turn, 0.0f, &camera) &&
                         acre_view_from_camera(out, &camera) == ACRE_OK;
    out->flags = ACRE_VIEW_IGNORE_RULES;
    return is_good || fail(run, "a camera has no volume");
}

static bool measure_reuse(motion_run *run, uint32_t track)
{
    const acre_culling *const culling = run->bench->world.culling;
    acre_view view;
    bool is_good = make_view(run, track, 0.0f, &view) &&
                   acre_culling_find_visible(culling, &view, run->sets[0]) == ACRE_OK;
    const double begin = clock_seconds();
    for (int i = 0; i < REUSES && is_good; i++) {
        is_good = acre_culling_find_visible(culling, &view, run->sets[0]) == ACRE_OK;
    }
    samples_add(&run->reused, 1e6 * (clock_seconds() - begin) / REUSES);
    const acre_visible visible = acre_visible_set_get(run->sets[0]);
    return (is_good && visible.is_reused &&
            slots_are_visible(&run->bench->runner, &view, visible.slots, visible.count)) ||
           fail(run, "a set is not used again");
}

static bool run_track(motion_run *run, uint32_t track)
{
    bool is_good = true;
    for (int i = 0; i < MOTION_SPEEDS; i++) {
        acre_visible_set_clear(run->sets[i]);
    }
    for (int f = 0; f < MOTION_FRAMES && is_good; f++) {
        is_good = view_world_advance(&run->bench->world) || fail(run, "a commit failed");
        for (int i = 0; i < MOTION_SPEEDS && is_good; i++) {
            const int speed = (f / 2 + i) % MOTION_SPEEDS; // each is first in some frames
            const float turn = (float)f * motion_speeds[speed].degrees * DEGREE;
            acre_view view;
            is_good = make_view(run, track, turn, &view) && look(run, speed, track, &view);
        }
        run->frames++;
    }
    return is_good && measure_reuse(run, track);
}

// Tracks differ: the least of all is the mean of the least of each.
static sample_summary summarise(motion_run *run, int speed, int method)
{
    sample_summary summary = samples_summarise(&run->times[speed][method]);
    const uint32_t tracks =
        run->kind->track_count < MOTION_TRACKS ? run->kind->track_count : MOTION_TRACKS;
    double sum = 0.0;
    for (uint32_t track = 0; track < tracks; track++) {
        sum += run->least[speed][method][track];
    }
    summary.least = sum / (double)tracks;
    return summary;
}

static bool add_rows(motion_run *run)
{
    view_bench *const bench = run->bench;
    const char *const kind = run->kind->name;
    bool is_good = true;
    for (int i = 0; i < MOTION_SPEEDS && is_good; i++) {
        const char *const names[] = {motion_speeds[i].query, motion_speeds[i].set};
        for (int k = 0; k < METHODS && is_good; k++) {
            is_good = view_bench_add(bench, names[k], "motion", kind, summarise(run, i, k)) &&
                      view_bench_count(bench, names[k], "motion tested", kind,
                                       run->tested[i][k] / (double)run->frames) &&
                      view_bench_count(bench, names[k], "motion entities", kind,
                                       run->found[i] / (double)run->frames);
        }
    }
    return is_good &&
           view_bench_add(bench, motion_reused, "motion", kind, samples_summarise(&run->reused));
}

static bool reserve(motion_run *run)
{
    const size_t frames = (size_t)MOTION_TRACKS * MOTION_FRAMES;
    const size_t room = (size_t)run->bench->world.slot_count + CONTENDER_SLACK;
    run->marks = calloc((size_t)run->bench->world.slot_count + 1, 1);
    bool is_good = run->marks && samples_reserve(&run->reused, MOTION_TRACKS);
    for (int i = 0; i < MOTION_SPEEDS; i++) {
        run->slots[i] = calloc(room, sizeof *run->slots[i]);
        is_good = is_good && run->slots[i] &&
                  acre_visible_set_create(NULL, &run->sets[i]) == ACRE_OK &&
                  samples_reserve(&run->times[i][PLAIN], frames) &&
                  samples_reserve(&run->times[i][WITH_SET], frames);
    }
    return is_good || fail(run, "out of memory");
}

static bool measure_kind(view_bench *bench, const track_kind *kind)
{
    motion_run run = {.bench = bench, .kind = kind};
    bool is_good = reserve(&run);
    for (uint32_t track = 0; track < kind->track_count && track < MOTION_TRACKS && is_good;
         track++) {
        is_good = run_track(&run, track);
    }
    is_good = is_good && add_rows(&run);
    for (int i = 0; i < MOTION_SPEEDS; i++) {
        acre_visible_set_destroy(run.sets[i]);
        free(run.slots[i]);
        samples_free(&run.times[i][PLAIN]);
        samples_free(&run.times[i][WITH_SET]);
    }
    samples_free(&run.reused);
    free(run.marks);
    return is_good;
}

bool measure_view_motion(view_bench *bench)
{
    bool is_good = true;
    for (uint32_t k = 0; k < bench->world.kind_count && is_good; k++) {
        const track_kind *const kind = &bench->world.kinds[k];
        view_bench_progress(bench, "cameras that turn,", kind->name);
        is_good = !kind->flies || measure_kind(bench, kind);
    }
    return is_good;
}
