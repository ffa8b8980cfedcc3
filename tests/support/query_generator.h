// SPDX-License-Identifier: MIT
// query_generator.h - random queries of every shape, rich in ties with the boxes that they ask for.
//
// A generated query owns its volumes: its pointers lead into the struct itself, which must
// therefore stay where it is. All queries are valid.
#ifndef QUERY_GENERATOR_H
#define QUERY_GENERATOR_H

#include "box_generator.h"

#include <acre/quadtree_query.h>

enum { QUERY_SHAPE_COUNT = ACRE_QUERY_SHAPE_RAY };

// Where queries are asked: a world, and boxes that they may touch to the float.
typedef struct query_ground {
    box_world world;
    const acre_aabb *boxes; // valid ones; NULL: none
    uint32_t box_count;
} query_ground;

typedef struct generated_query {
    acre_query query; // shape, volume, flags but ACRE_QUERY_SORTED and _STOP_WHEN_FULL, layers,
                      // exclude
    acre_frustum frustum, exclude;
    acre_aabb box, origin;
    float point[3];
    acre_sphere sphere;
    acre_circle circle;
    acre_capsule capsule;
    acre_cone cone;
    acre_oriented_box oriented_box;
    acre_ray ray;
} generated_query;

void generate_query(test_random *random, const query_ground *ground, acre_query_shape shape,
                    generated_query *out);

// As above, of any shape.
void generate_any_query(test_random *random, const query_ground *ground, generated_query *out);

// Adds what a query of the nearest items wants: an origin, for rays only sometimes, and at times a
// largest distance.
void generate_origin(test_random *random, const query_ground *ground, generated_query *out);

const char *query_shape_name(acre_query_shape shape);

// Prints the query's shape, flags and numbers, exactly.
void print_query(const generated_query *generated, FILE *out);

#endif
