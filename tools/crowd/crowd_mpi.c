// SPDX-License-Identifier: MIT
// crowd_mpi.c - the walkers of `acre crowd`, a part for each rank of mpirun.
//     mpirun -n K crowd_mpi [--walkers N] [--frames N] [--area N] [--seed N] [--recut N]
#include "crowd_options.h"
#include "run_statistics.h"

#include <acre/partition_mpi.h>

#include <inttypes.h>
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

static acre_result run_ticks(const crowd_options *options, crowd_part *crowd,
                             acre_partition_mpi *world, rank_times *times)
{
    crowd_room room;
    acre_result result =
        crowd_room_open(&room) ? acre_partition_mpi_exchange(world) : ACRE_ERROR_OUT_OF_MEMORY;
    for (uint32_t tick = 0; tick < options->frames && result == ACRE_OK; tick++) {
        result = run_tick(crowd, world, &room, times);
        const uint32_t every = options->recut_every;
        if (result == ACRE_OK && every > 0 && tick % every == every - 1) {
            result = acre_partition_mpi_recut(world, NULL, NULL, NULL);
        }
    }
    crowd_room_close(&room);
    return result;
}

// Rank 0 prints the sums.
static void report(const crowd_options *options, const crowd_part *crowd, const rank_times *times)
{
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
        printf("%u walkers, %u ticks, %d ranks\n", (unsigned)options->def.walkers,
               (unsigned)options->frames, count);
        printf("ms a tick, slowest rank: %.2f, of these exchange and waiting %.2f\n",
               1e3 * most[0] / options->frames, 1e3 * most[1] / options->frames);
        printf("a rank, last tick: %.1f ghosts, %.1f kB sent\n", (double)all[1] / count,
               1e-3 * (double)all[2] / count);
        printf("content %016" PRIx64 "\n", all[0]);
    }
}

static acre_result run_rank(crowd_options *options)
{
    int rank = 0, count = 1;
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
        result = crowd_part_fill(&options->def, (uint32_t)rank, &crowd);
    }
    result = result == ACRE_OK ? run_ticks(options, &crowd, world, &times) : result;
    if (result != ACRE_OK) { // the others may be within a call of all ranks
        (void)options_complain("crowd_mpi", acre_result_text(result), 1);
        MPI_Abort(MPI_COMM_WORLD, 1);
    } else {
        report(options, &crowd, &times);
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
    MPI_Init(&argc, &argv);
    const acre_result result = run_rank(&options);
    MPI_Finalize();
    return result == ACRE_OK ? 0 : 1;
}
