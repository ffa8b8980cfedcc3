// SPDX-License-Identifier: MIT
// mpi_counts.c - counts what a program begins and ends in MPI, through MPI's profiling interface.
#include "mpi_counts.h"

#include <mpi.h>

#include <stdio.h>

static long begun, ended, duplicated, freed;

int MPI_Isend(const void *bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    begun++;
    return PMPI_Isend(bytes, count, type, to, tag, comm, request);
}

int MPI_Irecv(void *bytes, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    begun++;
    return PMPI_Irecv(bytes, count, type, from, tag, comm, request);
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    const int result = PMPI_Waitall(count, requests, statuses);
    for (int i = 0; i < count; i++) {
        ended += requests[i] == MPI_REQUEST_NULL;
    }
    return result;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *out)
{
    duplicated++;
    return PMPI_Comm_dup(comm, out);
}

int MPI_Comm_free(MPI_Comm *comm)
{
    freed++;
    return PMPI_Comm_free(comm);
}

bool mpi_counts_are_even(void)
{
    const bool is_good = begun == ended && duplicated == freed && duplicated > 0;
    if (!is_good) {
        printf("%ld messages begun, %ld ended; %ld communicators made, %ld freed\n", begun, ended,
               duplicated, freed);
    }
    return is_good;
}

// Open MPI unloads its modules before leaks are looked for, which then have no names by which they
// could be suppressed.
#if defined(__SANITIZE_ADDRESS__)
__attribute__((visibility("default"))) int dlclose(void *handle);
int dlclose(void *handle)
{
    (void)handle;
    return 0;
}
#endif
