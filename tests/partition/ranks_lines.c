// SPDX-License-Identifier: MIT
// ranks_lines.c - the lines of parts_lines, from a part for each rank.
//     mpirun -n RANKS ranks_lines TICKS SEED PERIODIC
#include "mpi_counts.h"
#include "parts_stream.h"

#include <acre/partition_mpi.h>

#include <stdlib.h>

enum { ITEMS = 300 };

// All ranks call it, whatever their results were.
static acre_result worst_of_all(acre_result result)
{
    int worst = (int)result;
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return (acre_result)worst;
}

static acre_result report(const stream_part *part, uint32_t tick)
{
    uint64_t sums[STREAM_SUM_COUNT] = {0};
    const acre_result result = worst_of_all(stream_add_sums(part, sums));
    MPI_Allreduce(MPI_IN_PLACE, sums, STREAM_SUM_COUNT, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (part->index == 0) {
        stream_print_line(tick, sums);
    }
    return result;
}

static acre_result run(const parts_stream *stream, acre_partition_mpi *world,
                       const stream_part *part, uint32_t ticks)
{
    static const acre_recut_def recut = {.tolerance = 1, .most_moved = 60};
    acre_result result = worst_of_all(stream_fill(stream, part));
    for (uint32_t tick = 0; tick < ticks && result == ACRE_OK; tick++) {
        acre_result edited = tick > 0 ? stream_move(stream, part, tick) : ACRE_OK;
        edited = edited == ACRE_OK && tick > 0 ? stream_ask(stream, part, tick) : edited;
        result = worst_of_all(edited);
        result = result == ACRE_OK ? acre_partition_mpi_exchange(world) : result;
        result = worst_of_all(result == ACRE_OK ? stream_watch(part) : result);
        result = result == ACRE_OK ? report(part, tick) : result;
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
        result = worst_of_all(result);
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
