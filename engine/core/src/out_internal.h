// SPDX-License-Identifier: MIT
// out_internal.h - counts that public functions give where the caller has asked for them.
#ifndef ACRE_OUT_INTERNAL_H
#define ACRE_OUT_INTERNAL_H

#include <stddef.h>

/// A function first sets its count to 0, which is what it gives on error.
/// @param out NULL: nothing happens.
static inline void set_count(size_t *out, size_t count)
{
    if (out) {
        *out = count;
    }
}

#endif
