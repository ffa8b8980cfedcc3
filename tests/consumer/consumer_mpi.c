// SPDX-License-Identifier: MIT
// consumer_mpi.c - a program of another project whose world has a part on each rank.
#include <acre/partition_mpi.h>

#include <stdio.h>

// Each rank adds one item, and asks for all items of the world.
static acre_result run(acre_partition_mpi *world, uint64_t rank, size_t *count)
{
    acre_partition *const part = acre_partition_mpi_part(world);
    const float x = 10.0f * (float)rank;
    const acre_aabb box = {{x, 0, x}, {x + 1, 1, x + 1}};
    const acre_query all = {.shape = ACRE_QUERY_SHAPE_ALL};
    uint32_t slot = 0, question = 0;
    acre_answer answer = {.result = ACRE_OK};
    acre_result result = acre_partition_add(part, rank, &box, &slot);
    result = result == ACRE_OK ? acre_partition_ask(part, &all, 0, &question) : result;
    result = result == ACRE_OK ? acre_partition_mpi_exchange(world) : result;
    result = result == ACRE_OK ? acre_partition_get_answer(part, question, &answer) : result;
    *count = answer.count;
    return result;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const acre_partition_def def = {.ghost_range = 2};
    acre_partition_mpi *world = NULL;
    size_t count = 0;
    acre_result result = acre_partition_mpi_create(MPI_COMM_WORLD, &def, &world);
    result = result == ACRE_OK ? run(world, (uint64_t)rank, &count) : result;
    acre_partition_mpi_destroy(world);
    MPI_Finalize();
    if (result != ACRE_OK || count != (size_t)ranks) {
        fprintf(stderr, "consumer_mpi: %s, %zu items\n", acre_result_text(result), count);
        return 1;
    }
    return 0;
}
