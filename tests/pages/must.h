// SPDX-License-Identifier: MIT
// must.h - what the samples of the pages call must(): here the program ends where a call fails.
#ifndef PAGES_MUST_H
#define PAGES_MUST_H

#include <acre/base.h>

#include <stdlib.h>

static inline void must(acre_result result)
{
    if (result != ACRE_OK) {
        abort();
    }
}

#endif
