// SPDX-License-Identifier: MIT
// failing_allocator.h - an allocator that counts, checks every call, and fails where a test says.
//
// Every resize moves the block, so that a pointer kept across a resize is found by a sanitizer; new
// bytes are filled with a pattern, so that a read of uninitialised memory changes results.
//
// Typical use:
//     failing_allocator memory;
//     failing_allocator_init(&memory, FAIL_ONCE, 3);     // the third request from now fails
//     def.allocator = &memory.allocator;
//     ...
//     CHECK(failing_allocator_fault(&memory) == NULL && memory.live_blocks == 0);
#ifndef FAILING_ALLOCATOR_H
#define FAILING_ALLOCATOR_H

#include "test.h"

#include <acre/alloc.h>

typedef enum failing_mode {
    FAIL_NEVER,
    FAIL_ONCE,        // only the request number `at`
    FAIL_FROM,        // request number `at` and all after it
    FAIL_ONE_IN_THREE // by chance; `at` is the seed
} failing_mode;

typedef struct failing_allocator {
    acre_allocator allocator; // hand this to a def; user points back to this struct
    failing_mode mode;
    uint64_t at;
    test_random random;
    uint64_t requests;    // calls with new_size > 0 since arm or init, the failed ones included
    uint64_t failed;      // requests answered with NULL since arm or init
    uint64_t total_calls; // all calls since init, frees included
    size_t live_bytes, live_blocks;
    size_t peak_bytes;
    char fault[128]; // first breach of the allocator's contract, empty if none
} failing_allocator;

// The struct must stay where it is: the allocator's user points to it.
void failing_allocator_init(failing_allocator *memory, failing_mode mode, uint64_t at);

// Chooses a mode from now on: requests and failed start again at 0, live blocks stay.
void failing_allocator_arm(failing_allocator *memory, failing_mode mode, uint64_t at);

// @return the first breach (wrong old_size, changed alignment, foreign block), or NULL.
const char *failing_allocator_fault(const failing_allocator *memory);

// @return NULL if no call was wrong and no block is left, else what is wrong. Call at the end.
const char *failing_allocator_verdict(failing_allocator *memory);

#endif
