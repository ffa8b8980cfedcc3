// SPDX-License-Identifier: MIT
// mpi_counts.h - counts what a program begins and ends in MPI, through MPI's profiling interface.
#ifndef MPI_COUNTS_H
#define MPI_COUNTS_H

#include <stdbool.h>

// @return whether each message that was begun was waited for, each communicator was freed, and
// there were some.
bool mpi_counts_are_even(void);

#endif
