// SPDX-License-Identifier: MIT
// questions.h - queries of everyday use on a country (country.h), of every kind that a quadtree
// has: what benchmarks ask and tests compare.
//
// The same bits on every platform, as the country is: places are drawn where items stand, or where
// somebody could stand.
#ifndef QUESTIONS_H
#define QUESTIONS_H

#include "asked_question.h"
#include "country.h"
#include "hull_internal.h"

enum { QUESTION_MAX = 2048, QUESTION_MAX_KINDS = 48 };

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
    uint32_t flags;
} question_kind;

typedef struct question_set {
    const question_kind *kind;
    uint32_t count;
    asked_question questions[QUESTION_MAX];
    question_parts parts[QUESTION_MAX];
} question_set;

uint32_t question_kind_count(void);
const question_kind *question_kind_at(uint32_t index);
// One of the names there are.
const question_kind *question_kind_named(const char *name);

// `layers`: masks by item, for the kinds that ask by them. The set must stay where it is.
void questions_make(question_set *out, const question_kind *kind, const country *workload,
                    const uint32_t *layers, uint32_t count);

// A quarter of the items is in QUESTION_LAYER.
#define QUESTION_LAYER 4u
uint32_t question_layers_of(uint32_t item);

// Sets prepare, is_found, distance and hull of a question whose other fields are set.
void question_set_tests(asked_question *question, question_parts *parts);

#endif
