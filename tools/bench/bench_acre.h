// SPDX-License-Identifier: MIT
// bench_acre.h - the tree inside Acre's contenders, for its counters.
#ifndef ACRE_TOOLS_BENCH_ACRE_H
#define ACRE_TOOLS_BENCH_ACRE_H

#include "bench_contender.h"

#include <acre/quadtree.h>

// Of a state of any of them.
const acre_quadtree *bench_acre_tree(const void *state);

#endif
