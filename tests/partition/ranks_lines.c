// SPDX-License-Identifier: MIT
// ranks_lines.c - the lines of parts_lines, from a part for each rank.
//     mpirun -n RANKS ranks_lines TICKS SEED PERIODIC
#include "mpi_counts.h"
#include "parts_stream.h"

#include <acre/partition_mpi.h>

#include <stdlib.h>

enum { ITEMS = 300 };

// All ranks call it, whatever their results were.
static acre_result worst_of_all(acre_partition_mpi *world, acre_result result)
{
    uint64_t worst = (uint64_t)result;
    const acre_result reduced = acre_partition_mpi_reduce_counts(world, ACRE_REDUCE_MAX, &worst, 1);
    return reduced == ACRE_OK ? (acre_result)worst : reduced;
}

static acre_result report(acre_partition_mpi *world, const stream_part *part, uint32_t tick)
{
    uint64_t sums[STREAM_SUM_COUNT] = {0};
    acre_tally weight = {0};
    acre_result result = worst_of_all(world, stream_add_sums(part, sums));
    stream_add_weights(part, &weight);
    result = result == ACRE_OK
                 ? acre_partition_mpi_reduce_counts(world, ACRE_REDUCE_SUM, sums, STREAM_SUM_COUNT)
                 : result;
    result = result == ACRE_OK ? acre_partition_mpi_reduce(world, &weight, 1) : result;
    if (part->index == 0) {
        stream_print_line(tick, sums, acre_tally_sum(&weight));
    }
    return result;
}

static acre_result run(const parts_stream *stream, acre_partition_mpi *world,
                       const stream_part *part, uint32_t ticks)
{
    static const acre_recut_def recut = {.tolerance = 1, .most_moved = 60};
    acre_result result = worst_of_all(world, stream_fill(stream, part));
    for (uint32_t tick = 0; tick < ticks && result == ACRE_OK; tick++) {
        acre_result edited = tick > 0 ? stream_move(stream, part, tick) : ACRE_OK;
        edited = edited == ACRE_OK && tick > 0 ? stream_ask(stream, part, tick) : edited;
        result = worst_of_all(world, edited);
        result = result == ACRE_OK ? acre_partition_mpi_exchange(world) : result;
        result = worst_of_all(world, result == ACRE_OK ? stream_watch(part) : result);
        result = result == ACRE_OK ? report(world, part, tick) : result;
        result = result == ACRE_OK ? acre_partition_mpi_recut(world, NULL, &recut, NULL) : result;
    }
    return result;
}

static acre_result run_rank(const parts_stream *stream, uint32_t ticks)
{
    int rank = 0, count = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    const acre_partition_def def = stream_def(stream, (uint32_t)rank, (uint32_t)count);
    acre_partition_mpi *world = NULL;
    acre_result result = acre_partition_mpi_create(MPI_COMM_WORLD, &def, &world);
    if (result == ACRE_OK) {
        stream_part part = {acre_partition_mpi_part(world), (uint32_t)rank, (uint32_t)count, NULL};
        result = acre_partition_interest_create(part.part, NULL, &part.interest);
        result = worst_of_all(world, result);
        result = result == ACRE_OK ? run(stream, world, &part, ticks) : result;
        acre_partition_interest_destroy(part.interest);
        acre_partition_mpi_destroy(world);
    }
    if (result == ACRE_OK && !mpi_counts_are_even()) {
        result = ACRE_ERROR_DIFFERS;
    }
    if (rank == 0) {
        printf("%s\n", acre_result_text(result));
    }
    return result;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc != 4) {
        fprintf(stderr, "ranks_lines TICKS SEED PERIODIC\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
        return 2;
    }
    const parts_stream stream = {strtoull(argv[2], NULL, 10), ITEMS, argv[3][0] == '1'};
    const acre_result result = run_rank(&stream, (uint32_t)strtoul(argv[1], NULL, 10));
    MPI_Finalize();
    return result == ACRE_OK ? 0 : 1;
}
