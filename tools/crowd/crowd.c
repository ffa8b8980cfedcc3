// SPDX-License-Identifier: MIT
// crowd.c - `acre crowd`: the command line, the ticks, the table.
//
// A tick has five phases; in each, jobs are claimed one by one by the workers: chunks of walkers
// that steer, parts that move and make messages, parts that read them and bring their trees up to
// date. No job needs another one of its phase.
#include "crowd.h"

#include "crowd_checkpoint.h"
#include "crowd_options.h"
#include "crowd_report.h"
#include "crowd_restart.h"
#include "output_file.h"
#include "run_statistics.h"
#include "terminal.h"
#include "workers.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// As crowd_phase_names.
typedef enum crowd_phase {
    PHASE_LIST,
    PHASE_STEER,
    PHASE_BEGIN,
    PHASE_TAKE,
    PHASE_APPLY
} crowd_phase;

typedef struct crowd {
    const crowd_options *options;
    uint32_t first_tick;   // 0, or that of a checkpoint
    crowd_failure failure; // why a checkpoint failed; "" if none did
    const acre_tasks *tasks;
    crowd_part *parts;
    acre_partition **partitions;
    crowd_room rooms[WORKERS_MOST];
    crowd_phase phase;
    size_t jobs;
    atomic_size_t next_job;
    atomic_int result; // the first error
    sample_list milliseconds;
    double seconds[CROWD_PHASES];
    uint64_t ghosts, bytes, moved, cuts; // sums over ticks
    double imbalance;                    // sum over ticks: largest part / mean
} crowd;

// ---- jobs ----

static acre_result steer_chunk(crowd *c, size_t job, crowd_room *room)
{
    for (uint32_t i = 0; i < c->options->def.parts; i++) {
        const size_t chunks = (c->parts[i].own_count + CROWD_CHUNK - 1) / CROWD_CHUNK;
        if (job < chunks) {
            return crowd_part_steer(&c->parts[i], job * CROWD_CHUNK, room);
        }
        job -= chunks;
    }
    return ACRE_OK;
}

static acre_result take_all(crowd *c, uint32_t to)
{
    acre_result result = ACRE_OK;
    for (uint32_t from = 0; from < c->options->def.parts && result == ACRE_OK; from++) {
        const acre_partition_bytes message = acre_partition_message(c->partitions[from], to);
        result = acre_partition_take(c->partitions[to], from, message.bytes, message.size);
    }
    return result;
}

static acre_result run_job(crowd *c, size_t job, crowd_room *room)
{
    switch (c->phase) {
    case PHASE_LIST:
        return crowd_part_list(&c->parts[job]);
    case PHASE_STEER:
        return steer_chunk(c, job, room);
    case PHASE_BEGIN:
        crowd_part_move(&c->parts[job]);
        return acre_partition_begin(c->partitions[job]);
    case PHASE_TAKE:
        return take_all(c, (uint32_t)job);
    default:
        return acre_partition_apply(c->partitions[job]);
    }
}

typedef struct crowd_share {
    crowd *owner;
    uint32_t worker;
} crowd_share;

static void run_share(void *context)
{
    const crowd_share *const share = context;
    crowd *const c = share->owner;
    for (size_t job; (job = atomic_fetch_add(&c->next_job, 1)) < c->jobs;) {
        const acre_result result = run_job(c, job, &c->rooms[share->worker]);
        if (result != ACRE_OK) {
            atomic_store(&c->result, (int)result);
        }
    }
}

static acre_result run_phase(crowd *c, crowd_phase phase, size_t jobs)
{
    crowd_share shares[WORKERS_MOST];
    void *handles[WORKERS_MOST];
    const uint32_t workers = c->tasks ? c->tasks->worker_count : 1;
    const double begin = clock_seconds();
    c->phase = phase;
    c->jobs = jobs;
    atomic_store(&c->next_job, 0);
    for (uint32_t i = 0; i < workers; i++) {
        shares[i] = (crowd_share){c, i};
    }
    for (uint32_t i = 1; i < workers; i++) {
        handles[i] = c->tasks->enqueue(c->tasks->user, run_share, &shares[i], "crowd");
    }
    run_share(&shares[0]);
    for (uint32_t i = 1; i < workers; i++) {
        if (handles[i]) {
            c->tasks->finish(c->tasks->user, handles[i]);
        }
    }
    c->seconds[phase] += clock_seconds() - begin;
    return (acre_result)atomic_load(&c->result);
}

// ---- ticks ----

static void count_tick(crowd *c)
{
    size_t most = 0;
    for (uint32_t i = 0; i < c->options->def.parts; i++) {
        acre_partition_stats stats;
        acre_partition_get_stats(c->partitions[i], &stats);
        c->ghosts += stats.ghosts;
        c->bytes += stats.bytes_sent;
        c->moved += acre_partition_get_changes(c->partitions[i]).departed_count;
        most = stats.own > most ? stats.own : most;
    }
    c->imbalance += (double)most * c->options->def.parts / c->options->def.walkers;
}

static acre_result run_tick(crowd *c, uint32_t tick)
{
    const uint32_t parts = c->options->def.parts, every = c->options->recut_every;
    const double begin = clock_seconds();
    acre_result result = run_phase(c, PHASE_LIST, parts);
    size_t chunks = 0;
    for (uint32_t i = 0; i < parts; i++) {
        chunks += (c->parts[i].own_count + CROWD_CHUNK - 1) / CROWD_CHUNK;
    }
    static const crowd_phase phases[] = {PHASE_STEER, PHASE_BEGIN, PHASE_TAKE, PHASE_APPLY};
    for (size_t i = 0; i < sizeof phases / sizeof phases[0] && result == ACRE_OK; i++) {
        result = run_phase(c, phases[i], phases[i] == PHASE_STEER ? chunks : parts);
    }
    (void)samples_add(&c->milliseconds, 1e3 * (clock_seconds() - begin));
    bool is_cut = false;
    if (result == ACRE_OK && every > 0 && tick % every == every - 1) {
        result = acre_partition_recut(c->partitions, parts, NULL, &is_cut);
    }
    c->cuts += is_cut;
    count_tick(c);
    return result;
}

static uint64_t hash_all(const crowd *c)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < c->options->def.parts; i++) {
        sum += crowd_part_hash(&c->parts[i]);
    }
    return sum;
}

static crowd_figures figures_of(crowd *c)
{
    const crowd_options *const o = c->options;
    const sample_summary times = samples_summarise(&c->milliseconds);
    const uint32_t run = o->frames > c->first_tick ? o->frames - c->first_tick : 0;
    const double ticks = run > 0 ? run : 1, part_ticks = ticks * o->def.parts;
    crowd_figures figures = {.walkers = o->def.walkers,
                             .ticks = run,
                             .parts = o->def.parts,
                             .workers = o->workers,
                             .median = times.median,
                             .least = times.least,
                             .most = times.most,
                             .ghosts = (double)c->ghosts / part_ticks,
                             .kilobytes_sent = 1e-3 * (double)c->bytes / part_ticks,
                             .migrate = (double)c->moved / part_ticks,
                             .imbalance = c->imbalance / ticks,
                             .recuts = (uint32_t)c->cuts,
                             .content = hash_all(c)};
    for (int i = 0; i < CROWD_PHASES; i++) {
        figures.phases[i] = 1e3 * c->seconds[i] / ticks;
    }
    return figures;
}

// The walkers of a part: those of the first tick, or of a checkpoint.
static acre_result begin_part(crowd *c, uint32_t part)
{
    const crowd_options *const o = c->options;
    if (!o->restart) {
        return crowd_part_fill(&o->def, part, &c->parts[part]);
    }
    const crowd_folder from = {"crowd", o->restart, &o->def};
    return crowd_restart_load(&from, c->first_tick, part, &c->parts[part], &c->failure)
               ? ACRE_OK
               : ACRE_ERROR_FORMAT;
}

static bool save(crowd *c, uint32_t tick)
{
    const crowd_options *const o = c->options;
    const crowd_folder folder = {"crowd", o->checkpoint, &o->def};
    const crowd_opened opened = crowd_checkpoint_open(&folder, tick, &c->failure);
    if (opened != CHECKPOINT_OPEN) {
        return opened == CHECKPOINT_LEFT_OUT;
    }
    for (uint32_t i = 0; i < o->def.parts; i++) {
        if (!crowd_checkpoint_write(&folder, &c->parts[i], tick, &c->failure)) {
            crowd_checkpoint_abandon(&folder, tick);
            return false;
        }
    }
    return crowd_checkpoint_close(&folder, tick, &c->failure);
}

static acre_result open_crowd(crowd *c)
{
    const crowd_def *const def = &c->options->def;
    c->parts = calloc(def->parts, sizeof *c->parts);
    c->partitions = calloc(def->parts, sizeof *c->partitions);
    if (!c->parts || !c->partitions || !samples_reserve(&c->milliseconds, c->options->frames)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < def->parts && result == ACRE_OK; i++) {
        result = crowd_part_open(def, i, &c->parts[i]);
        c->partitions[i] = c->parts[i].part;
        result = result == ACRE_OK ? begin_part(c, i) : result;
    }
    for (uint32_t i = 0; i < c->options->workers && result == ACRE_OK; i++) {
        result = crowd_room_open(&c->rooms[i]) ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
    }
    return result == ACRE_OK ? acre_partition_exchange(c->partitions, def->parts) : result;
}

static void close_crowd(crowd *c)
{
    for (uint32_t i = 0; c->parts && i < c->options->def.parts; i++) {
        crowd_part_close(&c->parts[i]);
    }
    for (uint32_t i = 0; i < WORKERS_MOST; i++) {
        crowd_room_close(&c->rooms[i]);
    }
    free(c->parts);
    free(c->partitions);
    samples_free(&c->milliseconds);
}

static bool run_ticks(void *context, const acre_tasks *tasks)
{
    crowd *const c = context;
    acre_result result = ACRE_OK;
    progress line = progress_begin();
    c->tasks = tasks;
    for (uint32_t tick = c->first_tick; tick < c->options->frames && result == ACRE_OK; tick++) {
        result = run_tick(c, tick);
        progress_show(&line, "tick %u of %u", (unsigned)tick + 1, (unsigned)c->options->frames);
        if (result == ACRE_OK && c->options->checkpoint &&
            (tick + 1) % c->options->checkpoint_every == 0) {
            result = save(c, tick + 1) ? ACRE_OK : ACRE_ERROR_IO;
        }
    }
    progress_end(&line);
    atomic_store(&c->result, (int)result);
    return result == ACRE_OK;
}

// Opens, runs and reports.
static acre_result run_crowd(crowd *c)
{
    const char *const json_path = c->options->json_path;
    const acre_result result = open_crowd(c);
    if (result != ACRE_OK || !workers_run(c->options->workers, run_ticks, c)) {
        return result != ACRE_OK ? result : (acre_result)atomic_load(&c->result);
    }
    if (c->first_tick >= c->options->frames) {
        printf("the checkpoint is of tick %u: nothing is left to run\n", (unsigned)c->first_tick);
    }
    const crowd_figures figures = figures_of(c);
    crowd_report_print(&figures);
    return !json_path || crowd_report_write_json(&figures, json_path, c->failure.message,
                                                 sizeof c->failure.message)
               ? ACRE_OK
               : ACRE_ERROR_IO;
}

// Before anything else runs.
static bool open_folders(crowd *c)
{
    const crowd_options *const o = c->options;
    const crowd_folder to = {"crowd", o->checkpoint, &o->def};
    const crowd_folder from = {"crowd", o->restart, &o->def};
    return (!o->checkpoint || crowd_checkpoint_lock(&to, &c->failure)) &&
           (!o->restart || crowd_restart_find(&from, o->frames, &c->first_tick, &c->failure));
}

int crowd_command(int argc, char **argv)
{
    crowd_options options = CROWD_DEFAULTS;
    char message[256];
    if (!options_parse(&crowd_option_table, argc, argv, &options, message, sizeof message)) {
        return options_complain("crowd", message, 2);
    }
    if (options.help) {
        options_print_help(&crowd_option_table, stdout);
        return 0;
    }
    if (!output_check(options.json_path, message, sizeof message)) {
        return options_complain("crowd", message, 1);
    }
    crowd c;
    memset(&c, 0, sizeof c);
    c.options = &options;
    if (!open_folders(&c)) {
        return options_complain("crowd", c.failure.message, 1);
    }
    const acre_result result = run_crowd(&c);
    close_crowd(&c);
    const char *const reason = c.failure.message[0] ? c.failure.message : acre_result_text(result);
    return result == ACRE_OK ? 0 : options_complain("crowd", reason, 1);
}
