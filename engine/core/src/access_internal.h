// SPDX-License-Identifier: MIT
// access_internal.h - catches an object that is edited and read at the same time.
//
// An object holds one acre_access. Const calls bracket their work with access_begin_read and
// access_end_read, exclusive calls with access_begin_write and access_end_write. A begin that
// answers false met a call that it may not run beside: the caller answers ACRE_ERROR_BUSY, touches
// nothing and does not call the matching end.
//
//     if (!access_begin_write(&tree->access)) {
//         return ACRE_ERROR_BUSY;
//     }
//     ...
//     access_end_write(&tree->access);
//
// It is a detector, not a lock: nobody waits. With ACRE_CHECK 0 every begin is true and no code is
// left. Zeroed memory is an object at rest.
#ifndef ACRE_ACCESS_INTERNAL_H
#define ACRE_ACCESS_INTERNAL_H

#include "assert_internal.h"
#include "atomic_internal.h"

#include <stdbool.h>
#include <stdint.h>

#define ACCESS_WRITER 0x80000000u

enum { ACCESS_IS_WATCHED = ACRE_CHECK >= 1 };

/// Readers inside, or ACCESS_WRITER.
typedef struct acre_access {
    uint32_t state;
} acre_access;

static inline bool access_begin_write(acre_access *access)
{
    uint32_t expected = 0;
    return !ACCESS_IS_WATCHED || atomic_replace_acquire(&access->state, &expected, ACCESS_WRITER);
}

static inline void access_end_write(acre_access *access)
{
    if (ACCESS_IS_WATCHED) {
        atomic_write_release(&access->state, 0);
    }
}

/// The writer goes on as one reader among others; it ends with access_end_read.
static inline void access_write_to_read(acre_access *access)
{
    if (ACCESS_IS_WATCHED) {
        atomic_write_release(&access->state, 1);
    }
}

static inline bool access_begin_read(const acre_access *access)
{
    // Only the counter of an object that is not const itself is touched: objects live on the heap.
    uint32_t *const state = &((acre_access *)(uintptr_t)access)->state;
    uint32_t seen = ACCESS_IS_WATCHED ? atomic_read_relaxed(state) : 0;
    do {
        if (seen & ACCESS_WRITER) {
            return false;
        }
    } while (ACCESS_IS_WATCHED && !atomic_replace_acquire(state, &seen, seen + 1));
    return true;
}

static inline void access_end_read(const acre_access *access)
{
    if (ACCESS_IS_WATCHED) {
        (void)atomic_subtract_release(&((acre_access *)(uintptr_t)access)->state, 1);
    }
}

#endif
