// SPDX-License-Identifier: MIT
// crowd_mpi.c - the walkers of `acre crowd`, a part for each rank of mpirun.
//     mpirun -n K crowd_mpi [--walkers N] [--frames N] [--area N] [--seed N] [--recut N]
//         [--checkpoint FOLDER] [--every N] [--restart FOLDER]
#include "crowd_checkpoint.h"
#include "crowd_options.h"
#include "crowd_restart.h"
#include "run_statistics.h"

#include <acre/partition_mpi.h>

#include <inttypes.h>
#include <signal.h>
#include <string.h>

static const option_table table = {.usage = "mpirun -n K crowd_mpi [options]",
                                   .about = "Walkers as in `acre crowd`, a part for each rank.",
                                   .end = "Exit status: 0 all well, 1 a failure, 2 bad arguments.",
                                   .specs = crowd_option_specs,
                                   .count = CROWD_OPTIONS_OF_BOTH};

typedef struct rank_times {
    double total, exchange;
} rank_times;

static acre_result run_tick(crowd_part *crowd, acre_partition_mpi *world, crowd_room *room,
                            rank_times *times)
{
    const double begin = clock_seconds();
    acre_result result = crowd_part_list(crowd);
    for (size_t i = 0; i < crowd->own_count && result == ACRE_OK; i += CROWD_CHUNK) {
        result = crowd_part_steer(crowd, i, room);
    }
    if (result != ACRE_OK) {
        return result;
    }
    crowd_part_move(crowd);
    const double steered = clock_seconds();
    result = acre_partition_mpi_exchange(world);
    times->total += clock_seconds() - begin;
    times->exchange += clock_seconds() - steered;
    return result;
}

// Whether all ranks say so. One that failed says why.
static bool all_good(bool is_good, const crowd_failure *failure)
{
    int mine = is_good, all = 0;
    if (!is_good) {
        (void)options_complain("crowd_mpi", failure->message, 1);
    }
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all != 0;
}

// Rank 0 opens and closes the set.
static bool save(const crowd_options *options, const crowd_part *crowd, uint32_t tick)
{
    const crowd_folder folder = {"crowd_mpi", options->checkpoint, &options->def};
    const bool is_first = crowd->index == 0;
    crowd_failure failure;
    int opened = is_first ? (int)crowd_checkpoint_open(&folder, tick, &failure) : CHECKPOINT_OPEN;
    if (!all_good(opened != CHECKPOINT_FAILED, &failure)) {
        return false;
    }
    MPI_Bcast(&opened, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (opened == CHECKPOINT_LEFT_OUT) {
        return true;
    }
    if (!all_good(crowd_checkpoint_write(&folder, crowd, tick, &failure), &failure)) {
        if (is_first) {
            crowd_checkpoint_abandon(&folder, tick);
        }
        return false;
    }
    return all_good(!is_first || crowd_checkpoint_close(&folder, tick, &failure), &failure);
}

// The walkers of this rank: those of the first tick, or of a checkpoint. Rank 0 locks and finds.
static acre_result begin(const crowd_options *options, crowd_part *crowd, uint32_t *first_tick)
{
    const crowd_folder to = {"crowd_mpi", options->checkpoint, &options->def};
    const crowd_folder from = {"crowd_mpi", options->restart, &options->def};
    const bool is_first = crowd->index == 0;
    crowd_failure failure;
    *first_tick = 0;
    if (!all_good(!to.path || !is_first || crowd_checkpoint_lock(&to, &failure), &failure)) {
        return ACRE_ERROR_IO;
    }
    if (!from.path) {
        return crowd_part_fill(&options->def, crowd->index, crowd);
    }
    const bool is_found =
        !is_first || crowd_restart_find(&from, options->frames, first_tick, &failure);
    if (!all_good(is_found, &failure)) {
        return ACRE_ERROR_NOT_FOUND;
    }
    MPI_Bcast(first_tick, 1, MPI_UINT32_T, 0, MPI_COMM_WORLD);
    const bool is_loaded = crowd_restart_load(&from, *first_tick, crowd->index, crowd, &failure);
    return all_good(is_loaded, &failure) ? ACRE_OK : ACRE_ERROR_FORMAT;
}

static acre_result run_ticks(const crowd_options *options, uint32_t first_tick, crowd_part *crowd,
                             acre_partition_mpi *world, rank_times *times)
{
    crowd_room room;
    acre_result result =
        crowd_room_open(&room) ? acre_partition_mpi_exchange(world) : ACRE_ERROR_OUT_OF_MEMORY;
    for (uint32_t tick = first_tick; tick < options->frames && result == ACRE_OK; tick++) {
        result = run_tick(crowd, world, &room, times);
        const uint32_t every = options->recut_every;
        if (result == ACRE_OK && every > 0 && tick % every == every - 1) {
            result = acre_partition_mpi_recut(world, NULL, NULL, NULL);
        }
        if (result == ACRE_OK && options->checkpoint &&
            (tick + 1) % options->checkpoint_every == 0) {
            result = save(options, crowd, tick + 1) ? ACRE_OK : ACRE_ERROR_IO;
        }
    }
    crowd_room_close(&room);
    return result;
}

// Rank 0 prints the sums.
static void report(const crowd_options *options, uint32_t first_tick, const crowd_part *crowd,
                   const rank_times *times)
{
    const uint32_t run = options->frames > first_tick ? options->frames - first_tick : 0;
    const uint32_t ticks = run > 0 ? run : 1;
    acre_partition_stats stats;
    acre_partition_get_stats(crowd->part, &stats);
    uint64_t sums[3] = {crowd_part_hash(crowd), stats.ghosts, stats.bytes_sent}, all[3];
    double own[2] = {times->total, times->exchange}, most[2];
    int rank = 0, count = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Reduce(sums, all, 3, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(own, most, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        if (run == 0) {
            printf("the checkpoint is of tick %u: nothing is left to run\n", (unsigned)first_tick);
        }
        printf("%u walkers, %u ticks, %d ranks\n", (unsigned)options->def.walkers, (unsigned)run,
               count);
        printf("ms a tick, slowest rank: %.2f, of these exchange and waiting %.2f\n",
               1e3 * most[0] / ticks, 1e3 * most[1] / ticks);
        printf("a rank, last tick: %.1f ghosts, %.1f kB sent\n", (double)all[1] / count,
               1e-3 * (double)all[2] / count);
        printf("content %016" PRIx64 "\n", all[0]);
    }
}

static acre_result run_rank(crowd_options *options)
{
    int rank = 0, count = 1;
    uint32_t first_tick = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    options->def.parts = (uint32_t)count;
    crowd_part crowd;
    acre_partition_mpi *world = NULL;
    rank_times times = {0, 0};
    acre_partition_def def;
    crowd_part_def(&options->def, (uint32_t)rank, &crowd, &def);
    acre_result result = acre_partition_mpi_create(MPI_COMM_WORLD, &def, &world);
    if (result == ACRE_OK) {
        crowd.part = acre_partition_mpi_part(world);
        result = begin(options, &crowd, &first_tick);
    }
    result = result == ACRE_OK ? run_ticks(options, first_tick, &crowd, world, &times) : result;
    if (result != ACRE_OK) { // the others may be within a call of all ranks
        (void)options_complain("crowd_mpi", acre_result_text(result), 1);
        MPI_Abort(MPI_COMM_WORLD, 1);
    } else {
        report(options, first_tick, &crowd, &times);
    }
    crowd.part = NULL; // the world's
    crowd_part_close(&crowd);
    acre_partition_mpi_destroy(world);
    return result;
}

int main(int argc, char **argv)
{
    crowd_options options = CROWD_DEFAULTS;
    char message[256];
    if (!options_parse(&table, argc, argv, &options, message, sizeof message)) {
        return options_complain("crowd_mpi", message, 2);
    }
    if (options.help) {
        options_print_help(&table, stdout);
        return 0;
    }
    signal(SIGXFSZ, SIG_IGN); // a write beyond a limit fails, as on a full disk
    MPI_Init(&argc, &argv);
    const acre_result result = run_rank(&options);
    MPI_Finalize();
    return result == ACRE_OK ? 0 : 1;
}
