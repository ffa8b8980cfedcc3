// SPDX-License-Identifier: MIT
// bench_queries.h - `acre bench --queries yes`: every query of Acre's beside scans of all boxes and
// the trees of others that have the query.
#ifndef ACRE_TOOLS_BENCH_QUERIES_H
#define ACRE_TOOLS_BENCH_QUERIES_H

#include "bench_questions.h"
#include "bench_race.h"

#include <stdio.h>

// Of one race: "answer" of each kind of question, microseconds a query; of Acre also "answer
// items", results a query, and what steps took. All answers are compared with the definition; what
// others miss or find too much are "answer missing" and "answer extra", items of all questions.
// Returns false with race.message.
bool queries_measure(bench_race *race);

// Tables of one race.
void queries_report(const bench_race *race, FILE *out);

// The answers that a set of questions should have, by the definition alone.
typedef struct question_key {
    acre_query_hit *hits; // one answer behind the other; of nearest ones in order
    size_t count, capacity;
    size_t first[QUESTION_MAX + 1];
    uint32_t item_count;
    bool is_thorough; // the definition is asked of all boxes, also of those beyond the bounds
} question_key;

// Returns false when memory is short.
bool question_key_find(question_key *key, const question_set *set, const acre_aabb *boxes,
                       uint32_t count);
void question_key_free(question_key *key);

// How an answer differs from the key: items. marks: by item, 0 before and after.
typedef struct answer_faults {
    uint64_t missing, extra;
} answer_faults;

// Of a set, in any order; of a question with a capacity, as many as there are to be had.
void question_compare_items(const question_key *key, const question_set *set, uint32_t index,
                            const uint32_t *items, size_t found, uint8_t *marks,
                            answer_faults *faults);

// Of hits, which have an order. `is_exact`: of equally distant ones the smaller number has to be
// first; else any of them will do.
void question_compare_hits(const question_key *key, uint32_t index, const acre_query_hit *hits,
                           size_t found, bool is_exact, answer_faults *faults);

#endif
