// SPDX-License-Identifier: MIT
// bench_growth.h - how the costs of Acre, the fastest loop and memcpy grow, and where Acre loses.
#ifndef ACRE_TOOLS_BENCH_GROWTH_H
#define ACRE_TOOLS_BENCH_GROWTH_H

#include "bench_race.h"

#include <stdio.h>

// The shares of the country in view, ascending.
typedef struct view_share {
    const char *name; // the row's detail
    double share;     // 0 .. 1
} view_share;
enum { VIEW_SHARE_COUNT = 3 * VIEW_KIND_COUNT_ };
extern const view_share growth_shares[VIEW_SHARE_COUNT];

// Of one race: "query" of each kind of view; "share query" and what it finds, "share visible", in
// percent, of each share; "frame" of each moving share. All sets are compared with the reference.
// Returns false with race.message.
bool growth_measure(bench_race *race);

// Tables of one race, and the lines where the loop takes less than 0.95 of Acre's time.
void growth_report(const bench_race *race, FILE *out);

#endif
