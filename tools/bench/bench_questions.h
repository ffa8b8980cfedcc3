// SPDX-License-Identifier: MIT
// bench_questions.h - the sets of queries that `acre bench --queries yes` asks, one kind at a time,
// and what the answers should be.
//
// The same bits on every platform, as the workload is: places are drawn where items stand, or where
// somebody could stand.
//
// Words used here:
//     question    a query as contenders get it (bench_contender.h)
//     definition  the answer of tests/support/brute_force_query.h: each box alone
#ifndef ACRE_TOOLS_BENCH_QUESTIONS_H
#define ACRE_TOOLS_BENCH_QUESTIONS_H

#include "bench_contender.h"
#include "bench_workload.h"
#include "brute_force_query.h"

enum { QUESTION_MAX = WORKLOAD_MAX_VIEWS, QUESTION_MAX_KINDS = 48 };

// What the query of a question points to.
typedef struct question_parts {
    acre_query query;
    acre_frustum frustum, exclude;
    acre_frustum_hull hull;
    acre_aabb box, origin;
    float point[3];
    acre_sphere sphere;
    acre_circle circle;
    acre_capsule capsule;
    acre_cone cone;
    acre_oriented_box oriented_box;
    acre_ray ray;
} question_parts;

typedef struct question_maker question_maker;

typedef struct question_kind {
    const char *name;
    void (*make)(question_maker *maker, float size);
    float size;      // meters, as `make` takes it
    size_t capacity; // of the question; SIZE_MAX: all items there are
    bool is_nearest; // asks for hits in order, else for a set
    size_t budget;
    uint32_t flags;
} question_kind;

typedef struct question_set {
    const question_kind *kind;
    uint32_t count;
    contender_question questions[QUESTION_MAX];
    question_parts parts[QUESTION_MAX];
} question_set;

uint32_t question_kind_count(void);
const question_kind *question_kind_at(uint32_t index);

// `layers`: masks by item, for the kinds that ask by them. The set must stay where it is.
void questions_make(question_set *out, const question_kind *kind, const bench_workload *workload,
                    const uint32_t *layers, uint32_t count);

// A quarter of the items is in QUESTION_LAYER.
#define QUESTION_LAYER 4u
uint32_t question_layers_of(uint32_t item);

// Sets prepare, is_found, distance and hull of a question whose other fields are set.
void question_set_tests(contender_question *question, question_parts *parts);

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
