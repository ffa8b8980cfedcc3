// SPDX-License-Identifier: MIT
// partition_mpi.h - carries the messages of a part between the processes of an MPI communicator.
//
// Experimental: it may change in any minor version.
//
// Each rank has one part. An exchange sends one message to each neighbor, without blocking;
// messages to other parts, which are rare, cost a round of sizes among all.
//
// Typical use, after MPI_Init:
//     acre_partition_mpi_create(MPI_COMM_WORLD, &def, &world);
//     acre_partition *part = acre_partition_mpi_part(world);
//     ... each tick, after the boxes were written:
//     acre_partition_mpi_exchange(world);
//     ... every 16 ticks:
//     acre_partition_mpi_recut(world, NULL, NULL, NULL);
//
// Threading: as a part. All ranks make the same calls of this header in the same order. All get the
// same result: an error of one rank is an error of all.
#ifndef ACRE_PARTITION_MPI_H
#define ACRE_PARTITION_MPI_H

#include <acre/partition_questions.h>

#include <mpi.h>

ACRE_EXTERN_C_BEGIN

typedef struct acre_partition_mpi acre_partition_mpi;

/// Makes the part of this rank. The communicator is duplicated.
/// @param def part and part_count are the communicator's, whatever stands there.
/// @return as acre_partition_create; ACRE_ERROR_IO if a call of MPI failed. On error *out is NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_mpi_create(MPI_Comm comm,
                                                            const acre_partition_def *def,
                                                            acre_partition_mpi **out);

/// Frees everything, before MPI_Finalize. NULL is allowed.
ACRE_EXPERIMENTAL_API void acre_partition_mpi_destroy(acre_partition_mpi *world);

/// @return the part of this rank; NULL for NULL.
ACRE_EXPERIMENTAL_API acre_partition *acre_partition_mpi_part(acre_partition_mpi *world);

/// Runs an exchange of all ranks, and answers the questions of partition_questions.h: two more
/// rounds of messages, if a rank has asked. What goes wrong with questions stands in their answers.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT if a rank refused a box: the exchange was run;
/// ACRE_ERROR_IO if a call of MPI failed; or the largest error of a rank, as acre_partition_begin,
/// acre_partition_take and acre_partition_apply. After any but the first two the world can only be
/// destroyed.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_mpi_exchange(acre_partition_mpi *world);

/// Runs a recut of all ranks; the next exchange moves the items.
/// @param weights by slot of this rank; NULL: 1 for each item.
/// @param is_cut receives whether a load was out of tolerance, so that a cut was set; it may be the
/// same one. May be NULL.
/// @return as acre_partition_mpi_exchange.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_mpi_recut(acre_partition_mpi *world,
                                                           const uint32_t *weights,
                                                           const acre_recut_def *def, bool *is_cut);

ACRE_EXTERN_C_END

#endif
