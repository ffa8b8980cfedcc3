// SPDX-License-Identifier: MIT
// bench_questions.h - what the answers to the questions should be, and how those of contenders
// differ. The definition is tests/support/brute_force_query.h: each box alone.
#ifndef ACRE_TOOLS_BENCH_QUESTIONS_H
#define ACRE_TOOLS_BENCH_QUESTIONS_H

#include "brute_force_query.h"
#include "questions.h"

// The answers that a set of questions should have.
typedef struct question_key {
    acre_query_hit *hits; // one answer behind the other; of the nearest in order
    size_t count, capacity;
    size_t first[QUESTION_MAX + 1];
    uint32_t item_count;
} question_key;

// Returns false when memory is short.
bool question_key_find(question_key *key, const question_set *set, const brute_force *oracle);
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
