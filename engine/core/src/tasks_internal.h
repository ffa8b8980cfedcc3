// SPDX-License-Identifier: MIT
// tasks_internal.h - runs a call in shares on the host's workers.
//
// A call that is divided has a function that runs one share. Shares claim blocks of work from a
// common counter until none is left, so that a share whose worker comes late finds nothing to do
// and no other waits for it. What a share writes depends on its blocks alone, not on its number or
// its thread: results are then the same for any number of workers.
//
//     typedef struct sum { block_claim claim; ... } sum;
//     static void add_blocks(void *context, uint32_t share)
//     {
//         sum *const call = context;
//         for (uint32_t block; claim_block(&call->claim, &block);) { ... }
//     }
//     acre_run_shares(tasks, "sum", share_count, add_blocks, &call);
#ifndef ACRE_TASKS_INTERNAL_H
#define ACRE_TASKS_INTERNAL_H

#include <acre/alloc.h>
#include <acre/tasks.h>

#include "assert_internal.h"
#include "atomic_internal.h"

typedef void share_function(void *context, uint32_t share);

/// Runs share 0 on this thread and shares 1 to share_count - 1 as tasks; returns when all have run.
/// Takes stack memory alone.
/// @param tasks NULL, or without workers: share_count must be 1.
/// @param share_count 1 to ACRE_TASKS_MAX_WORKERS.
void acre_run_shares(const acre_tasks *tasks, const char *name, uint32_t share_count,
                     share_function *run, void *context);

/// Has no memory: a task that is given it calls no allocator of the host's.
extern const acre_allocator acre_refusing_allocator;

/// @return whether tasks may be given to an object: NULL and serial ones always, others if both
/// functions are there.
bool acre_tasks_are_valid(const acre_tasks *tasks);

/// @return in how many shares to divide work: one for each worker, but none with less work than a
/// fork and join is worth; 1: serial.
/// @param work of the call, and least the least of a share, in the same unit; least is above 0.
static inline uint32_t share_count_for(const acre_tasks *tasks, uint64_t work, uint64_t least)
{
    ACRE_INVARIANT(least > 0);
    const uint32_t workers =
        tasks->worker_count < ACRE_TASKS_MAX_WORKERS ? tasks->worker_count : ACRE_TASKS_MAX_WORKERS;
    const uint64_t shares = tasks->divides_small_calls ? workers : work / least;
    return workers < 2 || shares < 2 ? 1 : shares < workers ? (uint32_t)shares : workers;
}

/// @return how many rows are a block: usual, but few where small calls are divided too, so that a
/// small world has blocks for many shares.
static inline uint32_t block_size_for(const acre_tasks *tasks, uint32_t usual, uint32_t few)
{
    ACRE_INVARIANT(0 < few && few <= usual);
    return tasks->divides_small_calls ? few : usual;
}

/// The first member of a struct that one share keeps writing has this alignment, so that the struct
/// has cache lines of its own.
#define SHARE_ALIGNMENT 64
#define ASSERT_OWN_LINES(type)                                                                     \
    _Static_assert(_Alignof(type) == SHARE_ALIGNMENT && sizeof(type) % SHARE_ALIGNMENT == 0,       \
                   #type " shares no cache line with its neighbors in an array")

/// Blocks of work that shares take one by one. The counter has a cache line of its own.
typedef struct block_claim {
    _Alignas(SHARE_ALIGNMENT) uint32_t next;
    uint32_t count;
    uint32_t from_begin; // blocks that claim_near_block has claimed from the first one on
    uint32_t from_end;   // and from the last one back
    char unused[48];
} block_claim;
ASSERT_OWN_LINES(block_claim);

/// @return false when no block is left.
static inline bool claim_block(block_claim *claim, uint32_t *block)
{
    // Beyond the end the counter would grow with every share that asks: at most 64 do, once each.
    *block = atomic_add_relaxed(&claim->next, 1);
    return *block < claim->count;
}

/// The same from both ends: even shares claim from the first block on, odd ones from the last one
/// back. A worker that runs the same share of each call finds most of what it wrote in the call
/// before in its own caches. Blocks are claimed either all so or all by claim_block.
static inline bool claim_near_block(block_claim *claim, uint32_t share, uint32_t *block)
{
    // At most count claims succeed, so the two ends never pass each other.
    if (atomic_add_relaxed(&claim->next, 1) >= claim->count) {
        return false;
    }
    *block = share % 2 == 0 ? atomic_add_relaxed(&claim->from_begin, 1)
                            : claim->count - 1 - atomic_add_relaxed(&claim->from_end, 1);
    ACRE_INVARIANT(*block < claim->count);
    return true;
}

/// @return where a block begins if `count` rows are cut into equal ones; where the last one ends if
/// block is blocks.
/// @param count below 2^32.
static inline size_t block_begin(size_t count, uint32_t block, uint32_t blocks)
{
    ACRE_INVARIANT(block <= blocks && blocks > 0 && (uint64_t)count >> 32 == 0);
    return (size_t)((uint64_t)count * block / blocks);
}

#endif
