// SPDX-License-Identifier: MIT
// draw_list_shares.c - a build's loops and sorts on several workers.
#include "draw_list_internal.h"

#include <string.h>

// Positions that a worker claims at a time, multiples of 64.
enum { DRAW_BLOCK = 4096, FEW_DRAWN = 64 };

typedef struct block_call {
    block_claim claim;
    size_t count, claimed;
    draw_range_function *run;
    void *call;
} block_call;

static void run_blocks(void *context, uint32_t share)
{
    (void)share;
    block_call *const blocks = context;
    for (uint32_t block; claim_block(&blocks->claim, &block);) {
        const size_t first = (size_t)block * blocks->claimed, rest = blocks->count - first;
        blocks->run(blocks->call, first, first + (rest < blocks->claimed ? rest : blocks->claimed));
    }
}

void acre_draw_run(const acre_tasks *tasks, uint32_t shares, size_t count, draw_range_function *run,
                   void *call)
{
    const size_t claimed = block_size_for(tasks, DRAW_BLOCK, FEW_DRAWN);
    const uint32_t blocks = (uint32_t)((count + claimed - 1) / claimed);
    if (shares < 2 || blocks < 2) {
        run(call, 0, count);
        return;
    }
    block_call all = {
        .claim.count = blocks, .count = count, .claimed = claimed, .run = run, .call = call};
    acre_run_shares(tasks, "acre draw list", shares < blocks ? shares : blocks, run_blocks, &all);
}

// ---- sorts ----

typedef struct digit_call {
    block_claim claim; // a block is a range of records, which has a table of counts
    const draw_records *records;
    uint32_t shift, bits;
    bool moves;
} digit_call;

static void sort_ranges(void *context, uint32_t share)
{
    (void)share;
    digit_call *const call = context;
    const draw_records *const records = call->records;
    const uint64_t *const from = records->now;
    uint64_t *const to = records->other;
    const uint32_t mask = (1u << call->bits) - 1, shift = call->shift;
    for (uint32_t i; claim_block(&call->claim, &i);) {
        const size_t first = block_begin(records->count, i, call->claim.count);
        const size_t end = block_begin(records->count, i + 1, call->claim.count);
        uint32_t *const place = records->counts + ((size_t)i << DRAW_LARGEST_DIGIT);
        if (call->moves) {
            for (size_t at = first; at < end; at++) {
                to[place[from[at] >> shift & mask]++] = from[at];
            }
        } else {
            memset(place, 0, sizeof *place << call->bits);
            for (size_t at = first; at < end; at++) {
                place[from[at] >> shift & mask]++;
            }
        }
    }
}

// Turns counts into places: of a digit the records of each range in order. Returns the most records
// of one digit.
static uint32_t place_digits(const digit_call *call)
{
    uint32_t sum = 0, most = 0;
    for (uint32_t digit = 0; digit < 1u << call->bits; digit++) {
        const uint32_t begin = sum;
        for (uint32_t i = 0; i < call->claim.count; i++) {
            uint32_t *const place =
                &call->records->counts[((size_t)i << DRAW_LARGEST_DIGIT) + digit];
            const uint32_t here = *place;
            *place = sum;
            sum += here;
        }
        most = sum - begin > most ? sum - begin : most;
    }
    ACRE_INVARIANT(sum == call->records->count);
    return most;
}

bool acre_draw_sort_digit(const draw_records *records, uint32_t shift, uint32_t bits)
{
    const uint32_t wanted = 2 * records->shares;
    const uint32_t ranges = wanted < DRAW_SORT_RANGES ? wanted : (uint32_t)DRAW_SORT_RANGES;
    const uint32_t shares = records->shares < ranges ? records->shares : ranges;
    digit_call call = {.claim.count = ranges, .records = records, .shift = shift, .bits = bits};
    ACRE_INVARIANT(shares > 1 && bits <= DRAW_LARGEST_DIGIT && records->count < UINT32_MAX);
    acre_run_shares(records->tasks, "acre draw sort", shares, sort_ranges, &call);
    if (place_digits(&call) == records->count) {
        return false;
    }
    call.moves = true;
    call.claim.next = 0;
    acre_run_shares(records->tasks, "acre draw sort", shares, sort_ranges, &call);
    return true;
}
