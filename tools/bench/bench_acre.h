// SPDX-License-Identifier: MIT
// bench_acre.h - the tree inside Acre's contenders, for its counters.
#ifndef ACRE_TOOLS_BENCH_ACRE_H
#define ACRE_TOOLS_BENCH_ACRE_H

#include "bench_contender.h"

#include <acre/quadtree.h>

// Of a state of any of them.
const acre_quadtree *bench_acre_tree(const void *state);

// Answers of bench_acre_answers.c; `room` is that of the results, SIZE_MAX says that a query
// failed.
size_t bench_acre_answer(const acre_quadtree *tree, const contender_question *question,
                         uint32_t *items, size_t room);
size_t bench_acre_nearest(const acre_quadtree *tree, const contender_question *question,
                          acre_query_hit *hits);

// Returns false when memory is short.
bool bench_acre_optimize(void *state);

#endif
