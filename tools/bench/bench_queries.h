// SPDX-License-Identifier: MIT
// bench_queries.h - `acre bench --queries yes`: every query of Acre's beside scans of all boxes and
// the trees of others that have the query.
#ifndef ACRE_TOOLS_BENCH_QUERIES_H
#define ACRE_TOOLS_BENCH_QUERIES_H

#include "bench_contest.h"
#include "bench_questions.h"

// Of one contest: "answer" of each kind of question, microseconds a query; of Acre also "answer
// items", results a query, and "answer step". All answers are compared with the definition; what
// others miss or find too much are "answer missing" and "answer extra", items of all questions.
// Then the neighbors of a crowd (bench_neighbors.h).
// Returns false with contest.message.
bool queries_measure(bench_contest *contest);

// The same of some kinds alone, by name, with so many questions of each, and without the crowd.
bool queries_measure_kinds(bench_contest *contest, const char *const *kinds, uint32_t kind_count,
                           uint32_t questions);

#endif
