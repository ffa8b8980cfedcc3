// SPDX-License-Identifier: MIT
// interest_shares.c - all observers searched for in shares, on the host's workers.
//
// The order of observers is cut into equal ranges, and workers claim range after range. Each range
// has a share of memory of its own, which stays from update to update. A task allocates nothing: a
// range that lacks memory is searched once more by the caller's thread.
#include "interest_internal.h"

#include "prefetch_internal.h"
#include "quadtree_calls_shared.h"
#include "tasks_internal.h"

#include <string.h>

enum {
    RANGES_OF_WORKER = 16, // a worker that is done waits for one range of another at the most
    MOST_SHARES = RANGES_OF_WORKER * ACRE_TASKS_MAX_WORKERS,
    SHARE_OBSERVERS = 64 // the least of a worker: some 100 us
};

void acre_interest_begin_share(interest_share *share, const acre_allocator *allocator)
{
    share->near.allocator = allocator;
    share->lists.used = 0;
    share->has_sets = false;
    share->outcome_count = 0;
    share->rows_with_sets = share->rows_with_rings = 0;
    share->result = ACRE_OK;
    memset(share->event_counts, 0, sizeof share->event_counts);
}

// The context of all shares. A range writes only its own share of memory and the rows of its
// observers.
typedef struct find_call {
    acre_interest *interest;
    const interest_world *world;
    const uint32_t *order; // pairs; the second numbers are rows
    size_t count;
} find_call;

static void place_range(const find_call *call, size_t begin, size_t end)
{
    for (size_t first = begin; first < end; first += PLACED_ROWS) {
        const size_t count = end - first < PLACED_ROWS ? end - first : PLACED_ROWS;
        uint32_t rows[PLACED_ROWS];
        for (size_t i = 0; i < count; i++) {
            rows[i] = call->order[2 * (first + i) + 1];
            acre_interest_prefetch_row(call->interest, rows[i]);
        }
        acre_interest_place_rows(call->interest, call->world, rows, count);
    }
}

static void find_range(const find_call *call, uint32_t range, const acre_allocator *allocator)
{
    acre_interest *const interest = call->interest;
    interest_share *const share = share_at(interest, range);
    const size_t begin = block_begin(call->count, range, interest->share_count);
    const size_t end = block_begin(call->count, range + 1, interest->share_count);
    ACRE_INVARIANT(begin <= end && end <= call->count);
    acre_interest_begin_share(share, allocator);
    place_range(call, begin, end);
    for (size_t i = begin; i < end && share->result == ACRE_OK; i++) {
        acre_interest_prefetch(interest, call->order, end, i);
        share->result = acre_interest_decide(interest, share, call->world, call->order[2 * i + 1]);
    }
}

static void find_range_alone(void *context, uint32_t range)
{
    find_range(context, range, &acre_refusing_allocator);
}

// ---- blocks ----

typedef struct worker_blocks {
    block_claim claim;
    interest_block_work *work;
    void *context;
} worker_blocks;

static void work_on_blocks(void *context, uint32_t worker)
{
    (void)worker;
    worker_blocks *const call = context;
    for (uint32_t block; claim_block(&call->claim, &block);) {
        call->work(call->context, block);
    }
}

static void run_on_workers(const acre_interest *interest, uint32_t workers, uint32_t blocks,
                           interest_block_work *work, void *context)
{
    worker_blocks call = {.claim.count = blocks, .work = work, .context = context};
    acre_run_shares(&interest->tasks, "acre interest", workers, work_on_blocks, &call);
}

void acre_interest_run_blocks(const acre_interest *interest, uint32_t blocks,
                              interest_block_work *work, void *context)
{
    const uint32_t workers =
        interest->share_count == 1 ? 1 : interest->share_count / RANGES_OF_WORKER;
    run_on_workers(interest, workers, blocks, work, context);
}

// ---- the search ----

// A listener must be notified by one thread at a time.
static bool has_listener(const interest_world *world)
{
    bool has = false;
    for (size_t i = 0; i < world->count; i++) {
        has |= acre_quadtree_has_listener(world->trees[i]);
    }
    return has;
}

uint32_t acre_interest_workers(const acre_interest *interest, const interest_world *world)
{
    return has_listener(world)
               ? 1
               : share_count_for(&interest->tasks, interest->observers, SHARE_OBSERVERS);
}

acre_result acre_interest_find_all(acre_interest *interest, const interest_world *world)
{
    find_call call = {.interest = interest, .world = world};
    acre_result result = acre_interest_note_boxes(interest, world);
    if (result != ACRE_OK) {
        return result;
    }
    const uint32_t workers = acre_interest_workers(interest, world);
    const uint32_t shares = workers < 2 ? 1 : RANGES_OF_WORKER * workers;
    ACRE_INVARIANT(shares <= MOST_SHARES);
    call.order = acre_interest_order(interest, &call.count);
    if (!call.order || !COLUMN_RESERVE_FROM(&interest->allocator, interest->more_shares, shares - 1,
                                            RANGES_OF_WORKER)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    interest->share_count = shares;
    if (shares > 1) {
        run_on_workers(interest, workers, shares, find_range_alone, &call);
    }
    for (uint32_t i = 0; i < shares && result == ACRE_OK; i++) {
        if (shares == 1 || share_at(interest, i)->result == ACRE_ERROR_OUT_OF_MEMORY) {
            find_range(&call, i, &interest->allocator);
        }
        result = share_at(interest, i)->result;
    }
    acre_interest_weigh_rings(interest);
    return result;
}

acre_result acre_interest_set_tasks(acre_interest *interest, const acre_tasks *tasks)
{
    if (!interest || !acre_tasks_are_valid(tasks)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&interest->access)) {
        return ACRE_ERROR_BUSY;
    }
    interest->tasks = tasks ? *tasks : (acre_tasks){.worker_count = 0};
    access_end_write(&interest->access);
    return ACRE_OK;
}
