// SPDX-License-Identifier: MIT
// bench_questions.h - the sets of queries that `acre bench --queries yes` asks: one kind at a time.
//
// The same bits on every platform, as the workload is: places are drawn where items stand, or where
// somebody could stand.
//
// Words used here:
//     question    a query as contenders get it (bench_contender.h)
//     definition  the answer that Acre's functions of one box give: shapes.h, frustum.h
#ifndef ACRE_TOOLS_BENCH_QUESTIONS_H
#define ACRE_TOOLS_BENCH_QUESTIONS_H

#include "bench_contender.h"
#include "bench_workload.h"

enum { QUESTION_MAX = WORKLOAD_MAX_VIEWS };

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
    float size;      // metres, as `make` takes it
    bool is_nearest; // asks for hits in order, else for a set
    size_t capacity; // of the question; SIZE_MAX: all items there are
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

// The definition of the answer, whatever the shape.
bool question_defines(const contender_question *question, uint32_t item, const acre_aabb *box);

// Whether a comes before b: the nearer one, of equally distant ones the smaller number.
bool hit_is_before(const acre_query_hit *a, const acre_query_hit *b);

// The hits of a query so far, in order. Room for the capacity.
typedef struct best_hits {
    acre_query_hit *hits;
    size_t count, capacity;
} best_hits;

// Puts a hit in its place if it is one of the first `capacity`.
void best_offer(best_hits *best, uint32_t item, float distance);

// INFINITY while there is room.
float best_limit(const best_hits *best);

// Puts hits in order; `spare` has the same room. Ascending items, equally distant, stay so.
void hits_sort(acre_query_hit *hits, acre_query_hit *spare, size_t count);

#endif
