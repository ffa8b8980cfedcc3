// SPDX-License-Identifier: MIT
// partition_mpi.c - messages by MPI, and results on which all ranks agree.
//
// A round has sizes first, then bytes, since a receiver needs room. Sizes go to neighbors alone.
// One reduction tells all ranks the worst result and whether any part has a message for another one
// than its neighbors; only then all sizes go to all.
#include <acre/partition_mpi.h>

#include "object_internal.h"

#include <limits.h>
#include <string.h>

enum { TAG_SIZE = 1, TAG_BYTES };

struct acre_partition_mpi {
    acre_allocator allocator;
    acre_partition *part;
    MPI_Comm comm;
    int rank, count;
    COLUMN_OF(uint64_t) sizes; ///< to each part, then from each part
    COLUMN_OF(MPI_Request) requests;
    size_t request_count;
    COLUMN_OF(unsigned char) bytes; ///< all that was received
    COLUMN_OF(uint64_t) loads;
    COLUMN_OF(uint32_t) firsts; ///< proposals, then the largest
};

static acre_result result_of(int code)
{
    return code == MPI_SUCCESS ? ACRE_OK : ACRE_ERROR_IO;
}

// The largest of all ranks' numbers.
static acre_result agree(const acre_partition_mpi *world, int *numbers, int count)
{
    return result_of(MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_INT, MPI_MAX, world->comm));
}

static acre_result agree_on(const acre_partition_mpi *world, acre_result result)
{
    int worst = (int)result;
    return agree(world, &worst, 1) == ACRE_OK ? (acre_result)worst : ACRE_ERROR_IO;
}

// ---- create and destroy ----

static acre_result make_world(acre_partition_mpi *world, const acre_partition_def *def)
{
    acre_partition_def own = *def;
    own.part = (uint32_t)world->rank;
    own.part_count = (uint32_t)world->count;
    const size_t count = (size_t)world->count;
    if (!COLUMN_RESERVE(&world->allocator, world->sizes, 2 * count) ||
        !COLUMN_RESERVE(&world->allocator, world->requests, 2 * count) ||
        !COLUMN_RESERVE(&world->allocator, world->loads, count) ||
        !COLUMN_RESERVE(&world->allocator, world->firsts, count)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    return acre_partition_create(&own, &world->part);
}

acre_result acre_partition_mpi_create(MPI_Comm comm, const acre_partition_def *def,
                                      acre_partition_mpi **out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = NULL;
    if (!def) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    acre_partition_mpi local;
    memset(&local, 0, sizeof local);
    if (MPI_Comm_dup(comm, &local.comm) != MPI_SUCCESS) {
        return ACRE_ERROR_IO;
    }
    (void)MPI_Comm_set_errhandler(local.comm, MPI_ERRORS_RETURN); // calls here answer errors
    (void)MPI_Comm_rank(local.comm, &local.rank);
    (void)MPI_Comm_size(local.comm, &local.count);
    acre_partition_mpi *const world = acre_object_make(def->allocator, sizeof *world);
    acre_result result = ACRE_ERROR_OUT_OF_MEMORY;
    if (world) {
        local.allocator = world->allocator;
        *world = local;
        result = make_world(world, def);
    }
    result = agree_on(&local, result);
    if (result != ACRE_OK && world) {
        acre_partition_mpi_destroy(world);
    } else if (result != ACRE_OK) {
        (void)MPI_Comm_free(&local.comm);
    } else {
        *out = world;
    }
    return result;
}

static void visit_world(column_visitor *visitor, void *object)
{
    acre_partition_mpi *const world = object;
    COLUMN_VISIT(visitor, world->sizes);
    COLUMN_VISIT(visitor, world->requests);
    COLUMN_VISIT(visitor, world->bytes);
    COLUMN_VISIT(visitor, world->loads);
    COLUMN_VISIT(visitor, world->firsts);
}

void acre_partition_mpi_destroy(acre_partition_mpi *world)
{
    if (!world) {
        return;
    }
    acre_partition_destroy(world->part);
    (void)MPI_Comm_free(&world->comm);
    acre_object_free(world, sizeof *world, visit_world);
}

acre_partition *acre_partition_mpi_part(acre_partition_mpi *world)
{
    return world ? world->part : NULL;
}

// ---- an exchange ----

static acre_result wait_for_all(acre_partition_mpi *world)
{
    const int count = (int)world->request_count;
    ACRE_INVARIANT(world->request_count <= 2 * (size_t)world->count);
    world->request_count = 0;
    return result_of(MPI_Waitall(count, world->requests.data, MPI_STATUSES_IGNORE));
}

static MPI_Request *next_request(acre_partition_mpi *world)
{
    return COLUMN_AT(world->requests, world->request_count++);
}

static bool is_neighbor(const acre_partition_mpi *world, int other)
{
    return acre_partition_message(world->part, (uint32_t)other).is_neighbor;
}

// Fills in the sizes to all parts. @return whether one is for a part that is no neighbor.
static bool list_sizes(acre_partition_mpi *world, bool *is_too_long)
{
    bool is_far = false;
    for (int to = 0; to < world->count; to++) {
        const size_t size = acre_partition_message(world->part, (uint32_t)to).size;
        *COLUMN_AT(world->sizes, (size_t)to) = size;
        *COLUMN_AT(world->sizes, (size_t)(world->count + to)) = 0;
        *is_too_long |= size > INT_MAX;
        is_far |= size > 0 && to != world->rank && !is_neighbor(world, to);
    }
    world->sizes.data[world->count + world->rank] = world->sizes.data[world->rank];
    return is_far;
}

static acre_result swap_sizes(acre_partition_mpi *world, bool with_all)
{
    uint64_t *const out = world->sizes.data, *const in = out + world->count;
    if (with_all) {
        return result_of(MPI_Alltoall(out, 1, MPI_UINT64_T, in, 1, MPI_UINT64_T, world->comm));
    }
    bool is_good = true;
    for (int other = 0; other < world->count; other++) {
        if (is_neighbor(world, other)) {
            is_good &= MPI_Irecv(&in[other], 1, MPI_UINT64_T, other, TAG_SIZE, world->comm,
                                 next_request(world)) == MPI_SUCCESS;
            is_good &= MPI_Isend(&out[other], 1, MPI_UINT64_T, other, TAG_SIZE, world->comm,
                                 next_request(world)) == MPI_SUCCESS;
        }
    }
    return wait_for_all(world) == ACRE_OK && is_good ? ACRE_OK : ACRE_ERROR_IO;
}

static acre_result swap_bytes(acre_partition_mpi *world)
{
    const uint64_t *const out = world->sizes.data, *const in = out + world->count;
    size_t at = 0;
    bool is_good = true;
    for (int other = 0; other < world->count; other++) {
        if (other == world->rank) {
            continue;
        }
        if (in[other] > 0) {
            ACRE_INVARIANT(at + in[other] <= world->bytes.capacity);
            is_good &= MPI_Irecv(world->bytes.data + at, (int)in[other], MPI_BYTE, other, TAG_BYTES,
                                 world->comm, next_request(world)) == MPI_SUCCESS;
            at += (size_t)in[other];
        }
        if (out[other] > 0) {
            const acre_partition_bytes message =
                acre_partition_message(world->part, (uint32_t)other);
            is_good &= MPI_Isend(message.bytes, (int)message.size, MPI_BYTE, other, TAG_BYTES,
                                 world->comm, next_request(world)) == MPI_SUCCESS;
        }
    }
    return wait_for_all(world) == ACRE_OK && is_good ? ACRE_OK : ACRE_ERROR_IO;
}

static acre_result take_all(acre_partition_mpi *world)
{
    const uint64_t *const in = world->sizes.data + world->count;
    acre_result result = ACRE_OK;
    size_t at = 0;
    for (int from = 0; from < world->count && result == ACRE_OK; from++) {
        if (from == world->rank) {
            const acre_partition_bytes own = acre_partition_message(world->part, (uint32_t)from);
            result = acre_partition_take(world->part, (uint32_t)from, own.bytes, own.size);
        } else if (in[from] > 0) {
            ACRE_INVARIANT(at + in[from] <= world->bytes.capacity);
            result = acre_partition_take(world->part, (uint32_t)from, world->bytes.data + at,
                                         (size_t)in[from]);
            at += (size_t)in[from];
        }
    }
    return result;
}

// Room for all that comes.
static acre_result reserve_bytes(acre_partition_mpi *world)
{
    uint64_t total = 0;
    for (int from = 0; from < world->count; from++) {
        total += from == world->rank ? 0 : world->sizes.data[world->count + from];
    }
    return total <= PTRDIFF_MAX &&
                   COLUMN_RESERVE(&world->allocator, world->bytes, (size_t)total + 1)
               ? ACRE_OK
               : ACRE_ERROR_OUT_OF_MEMORY;
}

// A round of messages: the part makes them, all are carried and taken, and the part finishes.
// `also` becomes the largest of all ranks' numbers. @return the worst result of a rank.
static acre_result run_round(acre_partition_mpi *world, acre_result (*begin)(acre_partition *part),
                             acre_result (*finish)(acre_partition *part), int *also)
{
    bool is_too_long = false;
    acre_result result = begin ? begin(world->part) : ACRE_OK;
    const bool is_far = list_sizes(world, &is_too_long);
    int seen[3] = {is_too_long && result == ACRE_OK ? (int)ACRE_ERROR_CAPACITY : (int)result,
                   is_far, *also};
    if (agree(world, seen, 3) != ACRE_OK) {
        return ACRE_ERROR_IO;
    }
    *also = seen[2];
    if (seen[0] != ACRE_OK) {
        return (acre_result)seen[0];
    }
    result = swap_sizes(world, seen[1] != 0);
    result = result == ACRE_OK ? reserve_bytes(world) : result;
    result = agree_on(world, result);
    if (result != ACRE_OK) {
        return result;
    }
    result = swap_bytes(world);
    result = result == ACRE_OK ? take_all(world) : result;
    result = result == ACRE_OK ? finish(world->part) : result;
    return agree_on(world, result);
}

acre_result acre_partition_mpi_exchange(acre_partition_mpi *world)
{
    if (!world) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    acre_partition_stats stats;
    acre_partition_get_stats(world->part, &stats);
    int has_asked = stats.questions > 0, unused = 0;
    const acre_result result =
        run_round(world, acre_partition_begin, acre_partition_apply, &has_asked);
    const bool is_done = result == ACRE_OK || result == ACRE_ERROR_INVALID_ARGUMENT;
    if (!is_done || !has_asked) {
        return result;
    }
    acre_result asked =
        run_round(world, acre_partition_next_round, acre_partition_next_round, &unused);
    asked = asked == ACRE_OK ? run_round(world, NULL, acre_partition_next_round, &unused) : asked;
    if (asked != ACRE_OK) { // the answers say it
        acre_partition_drop_questions(world->part, asked);
    }
    return result;
}

// ---- a recut ----

acre_result acre_partition_mpi_recut(acre_partition_mpi *world, const uint32_t *weights,
                                     const acre_recut_def *def, bool *is_cut)
{
    if (!world) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    uint64_t load = 0;
    bool is_needed = false;
    acre_result result = agree_on(world, acre_partition_measure(world->part, weights, &load));
    if (result == ACRE_OK && MPI_Allgather(&load, 1, MPI_UINT64_T, world->loads.data, 1,
                                           MPI_UINT64_T, world->comm) != MPI_SUCCESS) {
        return ACRE_ERROR_IO;
    }
    if (result == ACRE_OK) {
        result = acre_partition_propose(world->part, world->loads.data, def, world->firsts.data,
                                        &is_needed);
    }
    // All have the same loads, so all find the same need.
    if (result == ACRE_OK && is_needed) {
        result = result_of(MPI_Allreduce(MPI_IN_PLACE, world->firsts.data, world->count,
                                         MPI_UINT32_T, MPI_MAX, world->comm));
        result =
            result == ACRE_OK ? acre_partition_set_cut(world->part, world->firsts.data) : result;
    }
    if (is_cut) {
        *is_cut = is_needed && result == ACRE_OK;
    }
    return result;
}
